"""The rows of a diagnosis, and why their numbers may be undefined, in words and with the counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from karat.data.fields import Shown, Why
from karat.data.result import Estimate, IntervalCell
from karat.studies.wording import P, counted

NO_ORIGINALS = "there are no originals"
NO_WEIGHT = "the relevance of these pairs is 0"
TRIVIAL = "baselines are not tested"
NO_RESAMPLED_INTERVAL = "it is the same in all resamples of the originals, or undefined in too many of them"


def _among(row: object, rows: Sequence[object]) -> bool:
    """Whether a row is one of several by identity, not only by equality."""
    return any(one is row for one in rows)


def no_originals(row: Any) -> str:
    """There are no originals, or none of this kind."""
    return NO_ORIGINALS if row.originals is None else "there is no original of this kind"


def no_index(row: Any) -> str:
    """Nothing to divide by, with the counts."""
    return NO_ORIGINALS if row.originals is None else _nothing(row, row.originals.n, row.originals.right)


def _nothing(parts_of: Any, originals: int, originals_right: int) -> str:
    if parts_of.n == 0 or originals == 0:
        return f"there is no {'monothematic pair' if parts_of.n == 0 else 'original'} of this kind"
    if parts_of.accuracy != parts_of.accuracy:
        return NO_WEIGHT
    parts = f"{parts_of.right:,} of {counted(parts_of.n, 'monothematic pair')}"
    whole = f"{originals_right:,} of {counted(originals, 'original')}"
    return f"{parts} and {whole} are right, so there is nothing to divide by"


def no_index_interval(row: Any, result: Any) -> str:
    """Undefined, too few, or without an upper end."""
    undefined = row.originals is None or row.correlation_index != row.correlation_index
    return no_index(row) if undefined else _no_end(row, result)


def _no_end(row: Any, result: Any) -> str:
    return (
        _few(result)
        if row.originals.n < result.small
        else "too few parts are right for the interval to have an upper end"
    )


def no_adjusted(row: Any) -> str:
    """Originals without parts of the same label, or nothing to divide by."""
    if row.originals is None or not row.originals.n or row.correlation_index != row.correlation_index:
        return no_index(row)
    for name, side in (("positive", row.positive), ("negative", row.negative)):
        if side.originals and side.accuracy != side.accuracy:
            why = "no part" if side.n == 0 else "no part with a weight above 0"
            return f"{counted(side.originals, f'{name} original')}, but {why} of that kind"
    return "no part with the label of the originals is right"


def no_adjusted_interval(row: Any, result: Any) -> str:
    """Undefined, too few, or without an upper end."""
    undefined = row.originals is None or row.adjusted_index != row.adjusted_index
    return no_adjusted(row) if undefined else _no_end(row, result)


def no_deviation(row: Any, result: Any) -> str:
    """The side that has no index."""
    if row.originals is None:
        return NO_ORIGINALS
    if _among(row, result.judgments):
        return "a single judgment has no deviation index"
    return next(
        f"{name} pairs: {_nothing(side, side.originals, side.originals_right)}"
        for name, side in (("positive", row.positive), ("negative", row.negative))
        if side.originals == 0 or not side.accuracy > 0
    )


def no_deviation_interval(row: Any, result: Any) -> str:
    """Undefined, too few on one side, or undefined in too many resamples."""
    if row.originals is None or row.deviation_index != row.deviation_index:
        return no_deviation(row, result)
    few = min(row.positive.originals, row.negative.originals) < result.small
    return f"{_few(result)} on one side" if few else NO_RESAMPLED_INTERVAL


def no_pair_index(row: Any) -> str:
    """None of the parts is right; the original is right or wrong."""
    was = "right" if row.original_right else "wrong"
    return f"the original is {was}, and none of its {counted(row.n, 'monothematic pair')} is right"


def no_correlation(row: Any, result: Any) -> str:
    """One of the two does not vary, or there are too few originals."""
    if row.value != row.value:
        return "the run is right on all originals or on none, or on the same share of the parts of each"
    return _few(result) if row.originals < result.small else NO_RESAMPLED_INTERVAL


def not_tested(row: Any, result: Any) -> str:
    """A baseline, all pairs together, a slice of few pairs, or of one text."""
    if _among(row, result.baselines):
        return TRIVIAL
    if row.name == "all" and _among(row, result.overall):  # a category may have that name too
        return "all pairs together are not a slice"
    few = f"there are fewer than {result.small} pairs"
    return f"{few if row.n < result.small else 'all of its pairs, or all others, share one text'}: not tested"


def index_not_tested(row: Any, result: Any) -> str:
    """A baseline, no index, or few originals."""
    if row.originals is None or row.adjusted_index != row.adjusted_index:
        return no_adjusted(row)
    if hasattr(row, "shrunken"):
        return "the indices of single phenomena are not tested"
    return TRIVIAL if _among(row, result.baselines) else f"{_few(result)}: not tested"


def _few(result: Any) -> str:
    return f"there are fewer than {result.small} originals"


IntervalOrNone = tuple[float, float] | None


def spelled(ends: IntervalOrNone) -> str | float:
    """An interval in one cell; NaN if there is none."""
    return float("nan") if ends is None else IntervalCell.of(*ends)


def _no_share(cell: object) -> str:
    """No pairs, or only pairs of weight 0; for originals, the field that holds them gives the reason."""
    if type(cell) is SliceAccuracy:
        return ""
    return NO_WEIGHT if getattr(cell, "n", 0) else "there is no such pair"


NoShare, NoIndex, NoCorrelation = Why(_no_share), Why(no_index), Why(no_correlation)
NotTested, IndexNotTested = Why(not_tested), Why(index_not_tested)


@dataclass(frozen=True)
class Named:
    """The run, and the group of pairs."""

    run: str
    name: str
    """`all`, the name of the category, phenomenon or judgment, or the id of the original."""


@dataclass(frozen=True)
class Share:
    """Accuracy on n pairs."""

    accuracy: Annotated[float, Shown(unit="%"), NoShare]
    interval: Annotated[IntervalOrNone, Shown("{it.percent} CI", form=spelled), NoShare]
    n: int
    right: int


@dataclass(frozen=True)
class SliceAccuracy(Share):
    """The accuracy of one run on one group of pairs, weighted if phenomena have weights, with its Wilson interval."""

    small: bool
    """Whether there are fewer pairs than `small`."""


@dataclass(frozen=True)
class Side(Share):
    """Positive or negative pairs: the accuracy on monothematic ones, and the counts of originals."""

    originals: int
    originals_right: int

    @property
    def index(self) -> float:
        """The correlation index of these pairs."""
        defined = self.originals and self.accuracy > 0
        return self.originals_right / self.originals / self.accuracy if defined else float("nan")


@dataclass(frozen=True)
class Row(SliceAccuracy, Named):
    """One run on one group of monothematic pairs, compared with the originals they come from."""

    positive: Side
    negative: Side
    p: Annotated[float, NotTested]
    """One-sided: the probability of so few right answers here if the run's right answers were spread at random over all
    its pairs. Exact; if pairs share texts, at least the p of a t test over texts."""
    p_corrected: Annotated[P, Shown("p", note="test of whether it is weaker here"), NotTested]
    """Corrected over all slices of all runs; doubled if there are originals, since `p_index` is tested too."""
    weaker: Annotated[bool | None, NotTested]
    """Whether the run is significantly weaker here than on its other pairs."""
    originals: Annotated[SliceAccuracy | None, Why(no_originals)]
    correlation_index: Annotated[
        float,
        Shown("index", 2, note="correlation index: accuracy on originals / accuracy on monothematic pairs"),
        NoIndex,
    ]
    correlation_interval: Annotated[
        IntervalOrNone, Shown("index, {it.percent} CI", form=spelled), Why(no_index_interval)
    ]
    distance: Annotated[float, Shown("|index − 1|", 2, note="distance from the ideal"), NoIndex]
    """The absolute difference of the correlation index from 1."""
    adjusted_index: Annotated[
        float,
        Shown("adjusted index", 2, note="with the originals' share of positive pairs"),
        Why(no_adjusted),
    ]
    """The correlation index with the parts weighted to the share of positive pairs among the originals."""
    adjusted_interval: Annotated[IntervalOrNone, Why(no_adjusted_interval)]
    p_index: Annotated[float, IndexNotTested]
    """Two-sided test of an adjusted index of 1: originals are right as often as parts with the same mix of labels."""
    p_index_corrected: Annotated[float, IndexNotTested]
    """Corrected over all runs, and doubled, since `p` is tested too; over all categories and judgments for these."""
    deviation_index: Annotated[
        float,
        Shown("deviation", 2, note="deviation index: |index of positive − index of negative pairs|"),
        Why(no_deviation),
    ]
    deviation_interval: Annotated[IntervalOrNone, Why(no_deviation_interval)]
    """The interval of the index of positive pairs minus that of negative ones, which is signed and may contain 0."""
    reading: str
    """The meaning of the adjusted index: missing or over (by the corrected test), ideal, or why it has none."""

    @property
    def title(self) -> str:
        """The name, preceded by its category if it is a phenomenon."""
        return self.name


@dataclass(frozen=True)
class PhenomenonRow(Row):
    """One run on the pairs of one phenomenon."""

    category: str
    shrunken: Annotated[
        Estimate | None,
        Shown(note="accuracy shrunken towards the other phenomena", unit="%"),
        Why("there is no such pair, or no other phenomenon to shrink to"),
    ]
    """The accuracy shrunken towards those of the other phenomena, more strongly for smaller slices."""
    excess: Annotated[float, Shown(digits=1, note="wrong answers beyond those expected from the run's accuracy")]
    """Wrong answers in excess of those expected from the run's accuracy on all pairs."""

    @property
    def title(self) -> str:
        """The name, preceded by its category."""
        return f"{self.category}:{self.name}" if self.category else self.name


@dataclass(frozen=True)
class PairRow(SliceAccuracy, Named):
    """One run on the monothematic pairs of one original."""

    label: str
    original_right: bool
    correlation_index: Annotated[float, Why(no_pair_index)]
    """m/k if the original is right and k of its m parts are, 0 if it is wrong; undefined if k = 0."""


@dataclass(frozen=True)
class PartsCorrelation:
    """The correlation between being right on an original and the share of its parts that are right."""

    run: str
    value: Annotated[float, Shown("r"), NoCorrelation]
    interval: Annotated[IntervalOrNone, Shown("r, {it.percent} CI", form=spelled), NoCorrelation]
    originals: int


@dataclass(frozen=True)
class Contest:
    """A test of two runs on one phenomenon or category, over all exchanges of their answers on whole texts."""

    name: str
    a: str
    b: str
    n: int
    difference: Annotated[float, Shown("a − b", note="difference in accuracy", unit="points")]
    """Accuracy of `a` minus accuracy of `b`."""
    only_a: int
    only_b: int
    p: P
    p_corrected: Annotated[P, Shown("p, corrected")]
    """Corrected over all pairs of runs on all phenomena and categories."""
    different: bool


@dataclass(frozen=True)
class Consistency:
    """How many groups of pairs that share a T are right throughout."""

    run: str
    groups: int
    pairs: int
    consistent: int
    share: Annotated[float, Shown(unit="%")]
    interval: IntervalOrNone
    expected: Annotated[float, Shown(note="if right answers were spread at random", unit="%")]
    """The expected share if as many right answers were spread over the same pairs at random."""
    mixed: Annotated[int, Shown("of them mixed")]
    """Groups whose pairs have different labels, so that no single answer is right on all of them."""
    mixed_share: Annotated[float, Shown("share, mixed", unit="%")]
    mixed_interval: IntervalOrNone
    mixed_expected: Annotated[
        float, Shown("expected, mixed", note="from its accuracy on each label in these groups", unit="%")
    ]
    """The expected share if right answers on one label were independent of those on another in these groups."""
    p: float
    """Exact and one-sided: the probability of so few mixed groups right throughout under that independence."""
    p_corrected: Annotated[P, Shown("p")]
    """Corrected over all runs."""
    traded: bool | None
    """Whether they are significantly fewer: the run is right on one pair at the cost of the other."""


@dataclass(frozen=True)
class Prior:
    """The distribution of accuracies over the phenomena of a run, towards which small slices are shrunken."""

    run: str
    mean: float
    strength: float
    """Its weight in pairs; very large if phenomena differ by no more than chance."""
