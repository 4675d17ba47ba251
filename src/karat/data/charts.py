"""Charts as data, with one class per kind of drawing; studies do not depend on formats, nor renderers on studies.

Names are only displayed, never looked up, so two series may have the same name.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from karat.arrays import NAN


class Series(NamedTuple):
    """Numbers with a name; NaN if there is nothing to draw."""

    name: str
    values: Sequence[float]


def series(values: Mapping[str, Sequence[float]]) -> tuple[Series, ...]:
    """Series whose names are known to be different."""
    return tuple(Series(name, numbers) for name, numbers in values.items())


class Interval(NamedTuple):
    """A bar from low to high; nothing is drawn if either is NaN."""

    low: float = NAN
    high: float = NAN


@dataclass(frozen=True, kw_only=True)
class Chart:
    """Something to draw, with a title.

    If a chart has the ends of a scale, values beyond them extend it, and None means as far as the values need.
    """

    title: str
    name: str = ""
    """The name for `karat figure`; for a study that draws several of one kind, only the part that distinguishes this
    one, which follows the name of the figure."""
    caption: str = ""
    """What the chart shows and how to read it; by default the docstring of the figure's function, which
    a figure whose reading depends on the data replaces."""
    way: str = ""
    """In which way runs are scored, if there is another chart of the same in the other way."""
    note: str = ""
    """What the picture must say even without title and caption: what was left out."""
    asked_for: bool = False
    """Whether an option asked for it, so that a page shows it before anything is opened."""
    runs: tuple[str, ...] = ()
    """Runs by rank, which gives each its colour and mark on all charts of a page."""
    unit: str = ""
    """`%`, or `points` for a difference of percentages: the numbers are drawn times 100, and their axis says so."""


Figures = tuple[Callable[[Any], Iterable[Chart]], ...]
"""Functions of a result that yield charts if there is something to draw."""


@dataclass(frozen=True, kw_only=True)
class Dots(Chart):
    """One row per label, with one mark per series."""

    labels: tuple[str, ...]
    series: tuple[Series, ...]
    intervals: tuple[Interval, ...] = ()
    """One per row, or none at all; of the first series that has a mark in the row."""
    joined: bool = False
    """Whether a line connects the marks of a row."""
    low: float | None = 0.0
    high: float | None = 1.0
    axis: str = ""
    """What the numbers are."""
    groups: tuple[tuple[int, ...], ...] = ()
    """Rows that belong together, joined by a line beside them; a row may be in several groups."""
    rule: float | None = None
    """A reference value drawn through all rows; always in sight."""


@dataclass(frozen=True, kw_only=True)
class Panels(Chart):
    """Dots side by side, on the same scale and with the same rows."""

    panels: tuple[Dots, ...]
    """The title of each is the name above it."""


class Box(NamedTuple):
    """The ends of the whiskers, the quartiles and the median."""

    low: float
    lower: float
    median: float
    upper: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Boxes(Chart):
    """One row per label, with a box on it, and points outside its whiskers."""

    labels: tuple[str, ...]
    boxes: tuple[Box, ...]
    outside: tuple[tuple[float, ...], ...] = ()
    """The values outside the whiskers of each box; empty if whiskers go to the ends."""
    low: float | None = 0.0
    high: float | None = 1.0
    axis: str = ""


@dataclass(frozen=True, kw_only=True)
class Bars(Chart):
    """One panel per series, all on one scale from 0, with one bar per label in order: one histogram per series."""

    labels: tuple[str, ...]
    series: tuple[Series, ...]
    axes: tuple[str, str] = ("", "")
    high: float | None = None


@dataclass(frozen=True, kw_only=True)
class Heat(Chart):
    """One row per label, one column per series, and cells whose colour and number show the value."""

    labels: tuple[str, ...]
    series: tuple[Series, ...]
    axes: tuple[str, str] = ("", "")
    """What columns and rows are."""
    low: float | None = 0.0
    high: float | None = 1.0
    digits: int | None = 2
    """As many decimals, or none that are not needed."""
    percent: bool = False
    """Whether the numbers are written in per cent."""
    counts: tuple[int, ...] = ()
    """How many units each row rests on, written beside its name."""
    marked: frozenset[tuple[int, int]] = frozenset()
    """The cells that stand out, by row and column."""
    mark: str = ""
    """What they are; if it is said, each number matters by itself."""

    def text(self, value: float) -> str:
        """What a cell says."""
        return field(100 * value if self.percent else value, self.digits)


class Point(NamedTuple):
    """A name and its position."""

    name: str
    x: float
    y: float
    kind: str = ""
    """Points of one kind look alike, unless they are runs."""
    named: bool = True
    """Whether its name is beside it."""


@dataclass(frozen=True, kw_only=True)
class Points(Chart):
    """One mark per point, with the names of some beside them; points of one kind look alike, unless they are runs."""

    points: tuple[Point, ...]
    axes: tuple[str, str] = ("", "")
    low: float | None = None
    high: float | None = None

    @property
    def kinds(self) -> list[str]:
        """The kinds of points, in order of appearance."""
        return list(dict.fromkeys(point.kind for point in self.points))

    @property
    def placed(self) -> list[Point]:
        """The points with a defined position."""
        return [point for point in self.points if point.x == point.x and point.y == point.y]


Look = Literal["line", "both", "marks", "reference"]
"""A line; a line with marked points; points alone; a reference for the others that looks different from all."""


@dataclass(frozen=True)
class Trace:
    """Points in the order in which a line connects them; the line is broken where y is NaN."""

    x: Sequence[float]
    y: Sequence[float]

    @property
    def points(self) -> list[tuple[float, float]]:
        """The (x, y) where y is defined."""
        return [point for stretch in self.stretches for point in stretch]

    @property
    def stretches(self) -> list[list[tuple[float, float]]]:
        """The same points, split wherever a y between two points is undefined, so that no line spans a gap."""
        made: list[list[tuple[float, float]]] = [[]]
        for a, b in zip(self.x, self.y, strict=True):
            if b == b:
                made[-1].append((float(a), float(b)))
            elif made[-1]:
                made.append([])
        return [stretch for stretch in made if stretch]


@dataclass(frozen=True)
class Variant(Trace):
    """A variant of a line, in its colour and under its name: a fit, or what it would have been."""

    kind: str
    """The same word for all that look alike."""


@dataclass(frozen=True)
class Line(Trace):
    """A line with a name."""

    name: str
    look: Look = "line"
    variants: tuple[Variant, ...] = ()

    @property
    def told(self) -> Iterator[tuple[str, Trace]]:
        """The line and its variants, each with the name it has on its own."""
        yield self.name, self
        for variant in self.variants:
            yield f"{self.name} {variant.kind}", variant


@dataclass(frozen=True, kw_only=True)
class Lines(Chart):
    """Lines over x, which is a number or has names."""

    lines: tuple[Line, ...]
    labels: tuple[str, ...] = ()
    """The names of x = 0, 1, …, if it is not a number."""
    axes: tuple[str, str] = ("", "")
    low: float | None = 0.0
    """The value at the bottom; for ranks that is the largest, with 1 at the top."""
    high: float | None = 1.0
    rule: float | None = None
    """A reference value drawn across the lines."""
    rule_name: str = ""
    """What it is, written on it."""
    at: float | None = None
    """An x of interest, drawn as a line upwards."""
    at_name: str = ""
    """What it is."""
    log: bool = False
    """Whether x is on a log scale."""
    x_unit: str = ""
    """The same as `unit` for x, in a chart that has both."""

    @property
    def told(self) -> list[tuple[str, Trace]]:
        """Every line and variant, with its name."""
        return [told for line in self.lines for told in line.told]

    def name_of(self, x: float) -> str:
        """An x in words: its name, or the number."""
        return self.labels[round(x)] if self.labels else f"{x:,g}"

    def share(self, x: float) -> float:
        """The position of x between the ends of its axis, from 0 to 1."""
        first, last = self.reach
        if self.log:
            return math.log(x / first) / math.log(last / first)
        return (x - first) / (last - first)

    @property
    def reach(self) -> tuple[float, float]:
        """The smallest and the largest x of any point; never equal."""
        at = [x for _, trace in self.told for x, _ in trace.points] or [0.0, 1.0]
        return min(at), max(at) if max(at) > min(at) else min(at) + 1


def field(value: float, digits: int | None = None) -> str:
    """A number in a cell: as short as possible, or with this many decimals; a dash for NaN."""
    if not math.isfinite(value):
        return "–"
    return f"{value:g}" if digits is None else f"{value:z.{digits}f}"


class Place(NamedTuple):
    """How many units of each label are at one x, or, without x, beside the scale."""

    name: str
    counts: Sequence[float]
    x: float | None = None


@dataclass(frozen=True, kw_only=True)
class Counts(Chart):
    """How many units of each label are at each place of a log scale; places without x are in gutters beside it."""

    labels: tuple[str, ...]
    places: tuple[Place, ...]
    axes: tuple[str, str] = ("", "")
    low: float = 1.0
    high: float = 2.0

    def share(self, x: float) -> float:
        """The position of x between low and high on the log scale, from 0 to 1."""
        return math.log(x / self.low) / math.log(self.high / self.low)

    @property
    def on_scale(self) -> list[tuple[Place, float]]:
        """The places on the scale, with their x."""
        return [(place, place.x) for place in self.places if place.x is not None]

    @property
    def gutters(self) -> list[Place]:
        """The places beside the scale."""
        return [place for place in self.places if place.x is None]
