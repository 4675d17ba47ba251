"""The rows of a diagnosis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from karat.data.fields import Shown, Why
from karat.data.result import Estimate, IntervalCell
from karat.studies.diagnose import reasons
from karat.studies.wording import P

IntervalOrNone = tuple[float, float] | None


def spelled(ends: IntervalOrNone) -> str | float:
    """An interval in one cell; NaN if there is none."""
    return float("nan") if ends is None else IntervalCell.of(*ends)


def _no_share(cell: object, _: object) -> str:
    """No pairs, or only pairs of weight 0; for originals, the field that holds them gives the reason."""
    if type(cell) is SliceAccuracy:
        return ""
    return reasons.NO_WEIGHT if getattr(cell, "n", 0) else "there is no such pair"


NoShare, NoIndex, NoCorrelation = Why(_no_share), Why(reasons.no_index), Why(reasons.no_correlation)
NotTested, IndexNotTested = Why(reasons.not_tested), Why(reasons.index_not_tested)


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
    originals: Annotated[SliceAccuracy | None, Why(reasons.no_originals)]
    correlation_index: Annotated[
        float, Shown("index", note="correlation index: accuracy on originals / accuracy on monothematic pairs"), NoIndex
    ]
    correlation_interval: Annotated[
        IntervalOrNone, Shown("index, {it.percent} CI", form=spelled), Why(reasons.no_index_interval)
    ]
    distance: Annotated[float, Shown("|index − 1|", 2, note="distance from the ideal"), NoIndex]
    """The absolute difference of the correlation index from 1."""
    adjusted_index: Annotated[
        float,
        Shown("adjusted index", 2, note="with the originals' share of positive pairs"),
        Why(reasons.no_adjusted),
    ]
    """The correlation index with the parts weighted to the share of positive pairs among the originals."""
    adjusted_interval: Annotated[IntervalOrNone, Why(reasons.no_adjusted_interval)]
    p_index: Annotated[float, IndexNotTested]
    """Two-sided test of an adjusted index of 1: originals are right as often as parts with the same mix of labels."""
    p_index_corrected: Annotated[float, IndexNotTested]
    """Corrected over all runs, and doubled, since `p` is tested too; over all categories and judgments for these."""
    deviation_index: Annotated[
        float,
        Shown("deviation", 2, note="deviation index: |index of positive − index of negative pairs|"),
        Why(reasons.no_deviation),
    ]
    deviation_interval: Annotated[IntervalOrNone, Why(reasons.no_deviation_interval)]
    """The interval of the index of positive pairs minus that of negative ones, which is signed and may contain 0."""
    reading: str
    """The meaning of the adjusted index: missing or over (by the corrected test), ideal, or why it has none."""


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


@dataclass(frozen=True)
class PairRow(SliceAccuracy, Named):
    """One run on the monothematic pairs of one original."""

    label: str
    original_right: bool
    correlation_index: Annotated[float, Why(reasons.no_pair_index)]
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
    difference: float
    """Accuracy of `a` minus accuracy of `b`."""
    only_a: int
    only_b: int
    p: P
    p_corrected: Annotated[P, Shown("p corrected")]
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
