"""What `score` found about each run, and how it stands in the cells of tables."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

from karat.data.fields import Absent, Why, decimals
from karat.data.result import Column, IntervalCell, RunName, ends
from karat.labels import WAYS
from karat.measures import measures as registered
from karat.studies.score.caveats import Degradation, Reliability, Soundness
from karat.studies.score.relabelling import Relabelling
from karat.studies.wording import unit_of

TwoWay = Why("the run or the key has only two labels")
Values = Annotated[dict[str, dict[str, float] | None], TwoWay]
Intervals = Annotated[dict[str, dict[str, tuple[float, float]] | None], TwoWay]
Tables = Annotated[dict[str, list[list[float]] | None], TwoWay]


@dataclass(frozen=True)
class KeySummary:
    """The key in numbers."""

    units: int
    labels: dict[str, int]


def _unsound(row: Any, _: object) -> str:
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
    sound: Annotated[Soundness | None, Why(_unsound)]
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


def less_is_better(measure: str) -> bool:
    """Whether smaller values of a measure are better."""
    return bool(registered[measure.partition("(")[0]].facts["lower"])


def run_column(rows: list[RunScores]) -> Column:
    """The names of the runs."""
    return Column("run", [row.name for row in rows])


def measure_column(heading: str, rows: list[RunScores], way: str, measure: str, note: str = "") -> Column:
    """In the digits that its intervals allow, even if they are not shown."""
    unit = unit_of(measure)
    # Not of a baseline, whose interval may be narrow for reasons of its own: beside one run it would decide.
    measured = [row for row in rows if not row.trivial] or rows
    intervals = [(row.intervals[way] or {}).get(measure) for row in measured]
    digits = decimals((one for one in intervals if one), unit)
    return Column(heading, [row.value(way, measure) for row in rows], digits, note, unit)


def is_defined(rows: list[RunScores], way: str, measure: str) -> bool:
    """Whether a measure has a value for any of the runs."""
    values = [row.value(way, measure) for row in rows]
    return any(value is not None and value == value for value in values)


def interval_cell(row: RunScores, way: str, measure: str) -> IntervalCell | None:
    """The interval of a measure in one cell, if it has one."""
    shown = ends((row.intervals[way] or {}).get(measure))
    return shown if isinstance(shown, IntervalCell) else None


def sound_cell(row: RunScores) -> str | None:
    """Whether labels and ranking fit, in words."""
    if row.sound is None:
        return None
    if row.sound.sound:
        return "sound (by sign)" if row.sound.by_sign else "sound"
    return f"{row.sound.disagreements} disagree"


def label_mix(way: str, prior: tuple[float, ...]) -> str:
    """Shares of labels, each with its symbol."""
    return ", ".join(f"{symbol} {share:.4f}" for symbol, share in zip(WAYS[way].symbols, prior, strict=True))
