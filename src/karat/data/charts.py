"""What is worth drawing, as data: a class for each way of drawing. No study knows a format, and no renderer a study.

Names are only shown, never looked up: two series may be called alike, and none can hide another.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from karat.arrays import NAN


class Series(NamedTuple):
    """Numbers under a name; NaN where there is nothing to draw."""

    name: str
    values: Sequence[float]


def series(values: Mapping[str, Sequence[float]]) -> tuple[Series, ...]:
    """Series whose names are known to differ."""
    return tuple(Series(name, numbers) for name, numbers in values.items())


class Interval(NamedTuple):
    """What is drawn as a bar from low to high; nothing where either is undefined."""

    low: float = NAN
    high: float = NAN


@dataclass(frozen=True, kw_only=True)
class Chart:
    """Something to draw, under a title.

    Where a chart has the ends of a scale, values beyond them widen it, and None is as far as the values need.
    """

    title: str
    name: str = ""
    """What `karat figure` calls it: of a study that draws several of one kind, only what tells this one from them,
    before which the result puts the name of the figure."""
    caption: str = ""
    """What is seen and how to read it; the docstring of the figure, unless it says more."""
    note: str = ""
    """What the picture has to say where it stands alone, without title and caption: what is left out of it."""


Figures = tuple[Callable[[Any], Iterable[Chart]], ...]
"""Functions of a result that yield charts where there is something to draw."""


@dataclass(frozen=True, kw_only=True)
class Dots(Chart):
    """A row a label, and on it a mark a series."""

    labels: tuple[str, ...]
    series: tuple[Series, ...]
    intervals: tuple[Interval, ...] = ()
    """One a row, or none at all."""
    low: float | None = 0.0
    high: float | None = 1.0
    axis: str = ""
    """What the numbers are."""
    groups: tuple[tuple[int, ...], ...] = ()
    """Rows that belong together, joined beside them; a row may be in several groups."""
    rule: float | None = None
    """A value that is drawn through all rows, to read them against; always in sight."""


class Box(NamedTuple):
    """The lowest value, the quartiles about the median, and the highest value of something."""

    low: float
    lower: float
    median: float
    upper: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Boxes(Chart):
    """A row a label, and on it a box."""

    labels: tuple[str, ...]
    boxes: tuple[Box, ...]
    low: float | None = 0.0
    high: float | None = 1.0
    axis: str = ""


@dataclass(frozen=True, kw_only=True)
class Bars(Chart):
    """A panel a series, all on one scale from 0, and in it a bar a label, which are in order: a histogram a series."""

    labels: tuple[str, ...]
    series: tuple[Series, ...]
    axes: tuple[str, str] = ("", "")
    high: float | None = None


@dataclass(frozen=True, kw_only=True)
class Heat(Chart):
    """A row a label, a column a series, and where they meet a field whose colour and number tell the value."""

    labels: tuple[str, ...]
    series: tuple[Series, ...]
    axes: tuple[str, str] = ("", "")
    """What columns and rows are."""
    low: float | None = 0.0
    high: float | None = 1.0
    digits: int = 2


class Point(NamedTuple):
    """A name and where it stands."""

    name: str
    x: float
    y: float
    kind: str = ""
    """Points of one kind look alike."""


@dataclass(frozen=True, kw_only=True)
class Points(Chart):
    """A mark for each point, named beside it; what looks alike is of one kind."""

    points: tuple[Point, ...]
    axes: tuple[str, str] = ("", "")
    low: float | None = None
    high: float | None = None

    @property
    def kinds(self) -> list[str]:
        """The kinds of points, as they come."""
        return list(dict.fromkeys(point.kind for point in self.points))

    @property
    def placed(self) -> list[Point]:
        """The points that have a place."""
        return [point for point in self.points if point.x == point.x and point.y == point.y]


Look = Literal["line", "both", "marks", "reference"]
"""A line; one with its points marked; points alone; what the others are read against, and looks like none of them."""


@dataclass(frozen=True)
class Trace:
    """Points in the order in which a line leads through them; where y is NaN it is broken."""

    x: Sequence[float]
    y: Sequence[float]

    @property
    def points(self) -> list[tuple[float, float]]:
        """The (x, y) where y is defined."""
        return [point for stretch in self.stretches for point in stretch]

    @property
    def stretches(self) -> list[list[tuple[float, float]]]:
        """The same, apart wherever a y between two points is undefined: no line leads across what is missing."""
        made: list[list[tuple[float, float]]] = [[]]
        for a, b in zip(self.x, self.y, strict=True):
            if b == b:
                made[-1].append((float(a), float(b)))
            elif made[-1]:
                made.append([])
        return [stretch for stretch in made if stretch]


@dataclass(frozen=True)
class Variant(Trace):
    """What has the colour of a line and stands under its name: what was fitted to it, what it would have been."""

    kind: str
    """The same word for all that look alike."""


@dataclass(frozen=True)
class Line(Trace):
    """A line under its name."""

    name: str
    look: Look = "line"
    variants: tuple[Variant, ...] = ()

    @property
    def told(self) -> Iterator[tuple[str, Trace]]:
        """The line and its variants, each with what it is called where it is told alone."""
        yield self.name, self
        for variant in self.variants:
            yield f"{self.name} {variant.kind}", variant


@dataclass(frozen=True, kw_only=True)
class Lines(Chart):
    """Lines over x, which is a number or has names."""

    lines: tuple[Line, ...]
    labels: tuple[str, ...] = ()
    """The names of x = 0, 1, …, where it is no number."""
    axes: tuple[str, str] = ("", "")
    low: float | None = 0.0
    """What stands at the bottom: ranks have their largest there, and 1 on top."""
    high: float | None = 1.0
    rule: float | None = None
    """A value that is drawn across, to read the lines against."""

    @property
    def told(self) -> list[tuple[str, Trace]]:
        """Every line and variant, with what it is called."""
        return [told for line in self.lines for told in line.told]

    def name_of(self, x: float) -> str:
        """An x in words: its name, or the number."""
        return self.labels[round(x)] if self.labels else f"{x:g}"

    @property
    def reach(self) -> tuple[float, float]:
        """The smallest and the largest x of any point; never the same."""
        at = [x for _, trace in self.told for x, _ in trace.points] or [0.0, 1.0]
        return min(at), max(at) if max(at) > min(at) else min(at) + 1


class Place(NamedTuple):
    """How many units of each label stand at one x; without x, beside the scale."""

    name: str
    counts: Sequence[float]
    x: float | None = None


@dataclass(frozen=True, kw_only=True)
class Counts(Chart):
    """How many units of each label stand at each place, on a log scale; places without x are in gutters beside it."""

    labels: tuple[str, ...]
    places: tuple[Place, ...]
    axes: tuple[str, str] = ("", "")
    low: float = 1.0
    high: float = 2.0

    def share(self, x: float) -> float:
        """The share of the way from low to high in logs."""
        return math.log(x / self.low) / math.log(self.high / self.low)

    @property
    def on_scale(self) -> list[tuple[Place, float]]:
        """The places that stand on the scale, with their x."""
        return [(place, place.x) for place in self.places if place.x is not None]

    @property
    def gutters(self) -> list[Place]:
        """Those that stand beside it."""
        return [place for place in self.places if place.x is None]
