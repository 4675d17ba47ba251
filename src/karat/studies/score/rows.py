"""What `score` found about each run, and how it stands in the cells of tables."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

from karat.data.fields import Absent, Shown, Why
from karat.data.result import Cell, IntervalCell, RunName, ends
from karat.labels import WAYS
from karat.studies.score.caveats import Degradation, Relabelling, Reliability, Soundness


def _interval(interval: tuple[float, float] | None) -> IntervalCell | None:
    """In one cell, if there is an interval: why there is none, the value to its left says."""
    shown = ends(interval)
    return shown if isinstance(shown, IntervalCell) else None


def _sound(sound: Soundness | None) -> str | None:
    """Whether labels and ranking fit, in words."""
    if sound is None:
        return None
    return "sound" + " (by sign)" * sound.by_sign if sound.sound else f"{sound.disagreements} disagree"


TwoWay = Why("the run or the key has only two labels")
Values = Annotated[dict[str, dict[str, float] | None], TwoWay]
Intervals = Annotated[dict[str, dict[str, Annotated[tuple[float, float], Shown(form=_interval)]] | None], TwoWay]
Tables = Annotated[dict[str, list[list[float]] | None], TwoWay]


@dataclass(frozen=True)
class KeySummary:
    """The key in numbers."""

    units: int
    labels: dict[str, int]


def _unsound(row: Any) -> str:
    if row.trivial:
        return "a baseline does not rank"
    return "the run is not ranked by entailment, or its labels are the likeliest of three"


@dataclass(frozen=True)
class RunScores:
    """One run, or one baseline, measured."""

    run: str
    manual: bool
    trivial: bool
    values: Values
    table: Tables
    sound: Annotated[Soundness | None, Shown("labels and ranking", form=_sound), Why(_unsound)]
    degradations: Annotated[list[Degradation], Why("the measure is undefined on this run's answers")]
    intervals: Intervals
    reliability: Reliability | Absent
    """The reliability of the confidences that the run states."""
    relabellings: list[Relabelling] = field(default_factory=list)
    """At most one for each way shown, corrected for all runs, ways and assignments of labels."""
    missing: int = 0
    """Pairs without an answer, which count as wrong; tables then have a last column for no answer."""
    unparsed: int = 0
    """Answers that are no label, treated as the signature says."""

    @property
    def name(self) -> RunName:
        """As shown: manual runs with a star, trivial systems in brackets."""
        return RunName.of(self.run, self.manual, self.trivial)

    def value(self, way: str, measure: str) -> float | None:
        """The measure, NaN if it is undefined, None if the system is not scored in that way."""
        return (self.values[way] or {}).get(measure)

    def ends(self, way: str, measure: str) -> Cell:
        """Its interval, in one cell."""
        return ends((self.intervals.get(way) or {}).get(measure))


@dataclass(frozen=True)
class SliceScores:
    """One run on a slice."""

    run: str
    values: Values
    intervals: Intervals


@dataclass(frozen=True)
class Slice:
    """The runs on the pairs with one value of an attribute."""

    attribute: str
    value: str
    units: int
    runs: list[SliceScores]


def is_defined(rows: list[RunScores], way: str, measure: str) -> bool:
    """Whether a measure has a value for any of the runs."""
    values = [row.value(way, measure) for row in rows]
    return any(value is not None and value == value for value in values)


def label_mix(way: str, prior: tuple[float, ...]) -> str:
    """Shares of labels, each with its symbol."""
    return ", ".join(f"{symbol} {share:.4f}" for symbol, share in zip(WAYS[way].symbols, prior, strict=True))
