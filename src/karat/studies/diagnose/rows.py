"""The rows of a diagnosis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from karat.data.result import Estimate
from karat.data.shown import Shown, Why
from karat.studies.diagnose import reasons
from karat.studies.wording import P

Interval = tuple[float, float] | None


def spelled(ends: Interval) -> str | float:
    """An interval in one cell; undefined where there is none."""
    return float("nan") if ends is None else f"{ends[0]:.3f} – {ends[1]:.3f}"


def _no_share(cell: object, _: object) -> str:
    """A cell without pairs, or of pairs that all weigh nothing; of originals, the field that holds them says it."""
    if type(cell) is Cell:
        return ""
    return reasons.NO_WEIGHT if getattr(cell, "n", 0) else "there is no such pair"


NoShare, NoIndex, NoCorrelation = Why(_no_share), Why(reasons.no_index), Why(reasons.no_correlation)
NotTested, IndexNotTested = Why(reasons.not_tested), Why(reasons.index_not_tested)
Ends = Shown("{it.percent}", form=spelled)


@dataclass(frozen=True)
class Named:
    """Which run, and what of it."""

    run: str
    name: str
    """`all`, or the category, phenomenon or judgment; of one original, its id."""


@dataclass(frozen=True)
class Cell:
    """So many right of n, their share (weighted where phenomena have weights) and its Wilson interval."""

    accuracy: Annotated[float, NoShare]
    interval: Annotated[Interval, Ends, NoShare]
    n: int
    right: int
    small: bool
    """Whether there are too few to say much."""


@dataclass(frozen=True)
class Side:
    """Positive or negative pairs: monothematic ones, and the counts of originals."""

    accuracy: Annotated[float, NoShare]
    interval: Annotated[Interval, NoShare]
    n: int
    right: int
    originals: int
    originals_right: int

    @property
    def index(self) -> float:
        """The correlation index of this side."""
        defined = self.originals and self.accuracy > 0
        return self.originals_right / self.originals / self.accuracy if defined else float("nan")


@dataclass(frozen=True)
class Row(Cell, Named):
    """One run on the monothematic pairs of one kind, held against the originals of that kind."""

    positive: Side
    negative: Side
    p: Annotated[float, NotTested]
    """One-sided: how often so few would be right here, were the run's right answers scattered over all its pairs.
    Exact; where pairs share texts, no less than the p of t over whole texts."""
    p_corrected: Annotated[P, Shown("p", note="that it is no weaker"), NotTested]
    """Over all slices of all runs; where there are originals, doubled, since `p_index` is asked too."""
    weaker: Annotated[bool | None, NotTested]
    """Whether the run is significantly weaker here than on its other pairs."""
    originals: Annotated[Cell | None, Why(reasons.no_originals)]
    correlation_index: Annotated[float, Shown("CI", note="correlation index: originals / monothematic"), NoIndex]
    correlation_interval: Annotated[Interval, Shown("CI, {it.percent}", form=spelled), Why(reasons.no_index_interval)]
    distance: Annotated[float, Shown("|CI − 1|", note="how far it is from ideal"), NoIndex]
    """Of the correlation index from 1."""
    adjusted_index: Annotated[
        float,
        Shown("adjusted CI", note="with as many of the parts positive as of the originals"),
        Why(reasons.no_adjusted),
    ]
    """The correlation index, were as many of the parts positive as of the originals."""
    adjusted_interval: Annotated[Interval, Why(reasons.no_adjusted_interval)]
    p_index: Annotated[float, IndexNotTested]
    """Two-sided: that originals are right as often as parts at the same mix of labels, so that the adjusted index is
    1."""
    p_index_corrected: Annotated[float, IndexNotTested]
    """Over all runs, and doubled, since `p` is asked too; of a category or judgment, over those of all runs."""
    deviation_index: Annotated[
        float,
        Shown("DI", note="deviation index: |CI of positive − CI of negative pairs|"),
        Why(reasons.no_deviation),
    ]
    deviation_interval: Annotated[Interval, Why(reasons.no_deviation_interval)]
    """Of the index of positive pairs less that of negative ones: it may hold 0, which a deviation never does."""
    reading: str
    """What the adjusted index means: missing or over (by the corrected test), ideal, or why that cannot be said."""


@dataclass(frozen=True)
class PhenomenonRow(Row):
    """The same of one phenomenon."""

    category: str
    shrunken: Annotated[
        Estimate | None,
        Shown(note="drawn towards the other phenomena"),
        Why("there is no such pair, or no other phenomenon to shrink to"),
    ]
    """The accuracy drawn towards those of the other phenomena, the more so the smaller the slice."""
    excess: Annotated[float, Shown(digits=1, note="wrong answers beyond the run's average")]
    """Wrong answers beyond what the run's accuracy on all pairs would put here."""


@dataclass(frozen=True)
class PairRow(Cell, Named):
    """One run on the monothematic pairs of one original."""

    label: str
    original_right: bool
    correlation_index: Annotated[float, Why(reasons.no_pair_index)]
    """m/k where the original is right and k of its m parts are, 0 where it is wrong; undefined where k = 0."""


@dataclass(frozen=True)
class Correlation:
    """Whether a run is right on an original, against the share of its parts that it is right on."""

    run: str
    value: Annotated[float, Shown("r"), NoCorrelation]
    interval: Annotated[Interval, Shown("r, {it.percent}", form=spelled), NoCorrelation]
    originals: int


@dataclass(frozen=True)
class Contest:
    """Two runs on one phenomenon or category: a test over all flips of their answers on whole texts."""

    name: str
    a: str
    b: str
    n: int
    difference: float
    """Accuracy of `a` less that of `b`."""
    only_a: int
    only_b: int
    p: P
    p_corrected: Annotated[P, Shown("corrected")]
    """Over every two runs on every phenomenon and category."""
    different: bool


@dataclass(frozen=True)
class Consistency:
    """Groups of pairs that share a T: how many are right throughout."""

    run: str
    groups: int
    pairs: int
    consistent: int
    share: float
    interval: Interval
    expected: Annotated[float, Shown(note="if as many right answers were scattered at random")]
    """The share, were as many right answers scattered over the same pairs at random."""
    mixed: Annotated[int, Shown("of them mixed")]
    """Groups whose pairs differ in their labels: one answer to all cannot be right."""
    mixed_share: Annotated[float, Shown("share, mixed")]
    mixed_interval: Interval
    mixed_expected: Annotated[float, Shown("expected, mixed", note="by its accuracy on each label there")]
    """The share, were the run right on one label independently of the other, as often as it is in these groups."""
    p: float
    """Exact and one-sided: how often so few mixed groups would be right throughout, were that so."""
    p_corrected: Annotated[P, Shown("p")]
    """Over all runs."""
    traded: bool | None
    """Whether they are significantly fewer: right on one pair at the cost of the other."""


@dataclass(frozen=True)
class Prior:
    """What the phenomena of a run have in common: the distribution that small slices are drawn to."""

    run: str
    mean: float
    strength: float
    """How many pairs it is worth; very many where phenomena differ by no more than chance."""
