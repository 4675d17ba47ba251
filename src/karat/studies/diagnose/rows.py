"""The rows of a diagnosis."""

from __future__ import annotations

from dataclasses import dataclass

from karat.data.result import Estimate

Interval = tuple[float, float] | None


@dataclass(frozen=True)
class Named:
    """Which run, and what of it."""

    run: str
    name: str
    """`all`, or the category, phenomenon or judgment; of one original, its id."""


@dataclass(frozen=True)
class Cell:
    """So many right of n, their share (weighted where phenomena have weights) and its Wilson interval."""

    accuracy: float
    interval: Interval
    n: int
    right: int
    small: bool
    """Whether there are too few to say much."""


@dataclass(frozen=True)
class Side:
    """Positive or negative pairs: monothematic ones, and the counts of originals."""

    accuracy: float
    interval: Interval
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
    p: float
    """One-sided: how often so few would be right here, were the run's right answers scattered over all its pairs.
    Exact; where pairs share texts, no less than the p of t over whole texts."""
    p_corrected: float
    """Over all slices of all runs; where there are originals, doubled, since `p_index` is asked too."""
    weaker: bool | None
    """Whether the run is significantly weaker here than on its other pairs."""
    originals: Cell | None
    correlation_index: float
    correlation_interval: Interval
    distance: float
    """Of the correlation index from 1."""
    adjusted_index: float
    """The correlation index, were as many of the parts positive as of the originals."""
    adjusted_interval: Interval
    p_index: float
    """Two-sided: that originals are right as often as parts at the same mix of labels, so that the adjusted index is
    1."""
    p_index_corrected: float
    """Over all runs, and doubled, since `p` is asked too; of a category or judgment, over those of all runs."""
    deviation_index: float
    deviation_interval: Interval
    """Of the index of positive pairs less that of negative ones: it may hold 0, which a deviation never does."""
    reading: str
    """What the adjusted index means: missing or over (by the corrected test), ideal, or why that cannot be said."""


@dataclass(frozen=True)
class PhenomenonRow(Row):
    """The same of one phenomenon."""

    category: str
    shrunken: Estimate | None
    """The accuracy drawn towards those of the other phenomena, the more so the smaller the slice."""
    excess: float
    """Wrong answers beyond what the run's accuracy on all pairs would put here."""


@dataclass(frozen=True)
class PairRow(Cell, Named):
    """One run on the monothematic pairs of one original."""

    label: str
    original_right: bool
    correlation_index: float
    """m/k where the original is right and k of its m parts are, 0 where it is wrong; undefined where k = 0."""


@dataclass(frozen=True)
class Correlation:
    """Whether a run is right on an original, against the share of its parts that it is right on."""

    run: str
    value: float
    interval: Interval
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
    p: float
    p_corrected: float
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
    expected: float
    """The share, were as many right answers scattered over the same pairs at random."""
    mixed: int
    """Groups whose pairs differ in their labels: one answer to all cannot be right."""
    mixed_share: float
    mixed_interval: Interval
    mixed_expected: float
    """The share, were the run right on one label independently of the other, as often as it is in these groups."""
    p: float
    """Exact and one-sided: how often so few mixed groups would be right throughout, were that so."""
    p_corrected: float
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
