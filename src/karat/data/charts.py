"""What is worth drawing, as data: a class for each way of drawing. No study knows a format, and no renderer a study."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

Series = Mapping[str, Sequence[float]]
"""By name; NaN where there is nothing to draw."""


@dataclass(frozen=True, kw_only=True)
class Chart:
    """Series of numbers under a title."""

    title: str
    series: Series
    name: str = ""
    """What `karat figure` calls it: of a study that draws several of one kind, only what tells this one from them,
    to which the decorator that files the figure adds the rest."""
    caption: str = ""
    """What is seen and how to read it; the docstring of the figure, unless it says more."""


@dataclass(frozen=True, kw_only=True)
class Dots(Chart):
    """A row a label, and on it a mark a series."""

    labels: tuple[str, ...]
    low: float = 0.0
    high: float = 1.0
    ends: tuple[str, str] | None = None
    """The two series that are the ends of an interval, drawn as a bar between them."""
    groups: tuple[tuple[str, ...], ...] = ()
    """Labels that belong together, joined beside their rows; a label may be in several groups."""
    rule: float | None = None
    """A value that is drawn through all rows, to read them against; always in sight."""

    @property
    def dots(self) -> list[str]:
        """The series that have a mark of their own: all but the ends of a bar."""
        return [name for name in self.series if name not in (self.ends or ())]


@dataclass(frozen=True, kw_only=True)
class Boxes(Chart):
    """A row a label, and on it a box of five series: lowest value, quartile, median, quartile, highest."""

    labels: tuple[str, ...]
    low: float = 0.0
    high: float = 1.0


@dataclass(frozen=True, kw_only=True)
class Bars(Chart):
    """A panel a series, all on one scale, and in it a bar a label, which are in order: a histogram a series."""

    labels: tuple[str, ...]
    axes: tuple[str, str] = ("", "")
    high: float = 1.0


@dataclass(frozen=True, kw_only=True)
class Heat(Chart):
    """A row a label, a column a series, and where they meet a field whose colour and number tell the value."""

    labels: tuple[str, ...]
    axes: tuple[str, str] = ("", "")
    """What columns and rows are."""
    low: float = 0.0
    high: float = 1.0
    digits: int = 2


@dataclass(frozen=True, kw_only=True)
class Points(Chart):
    """A mark for each label, named beside it, at its own x; the series in which it has a y tells of what kind it is."""

    labels: tuple[str, ...]
    x: Sequence[float]
    axes: tuple[str, str] = ("", "")
    low: float = 0.0
    high: float = 1.0


@dataclass(frozen=True, kw_only=True)
class Lines(Chart):
    """A line a series over x: one sequence for all, or one a series by its name."""

    x: Sequence[float] | Series
    labels: tuple[str, ...] = ()
    """The names of x = 0, 1, …, where it is no number."""
    axes: tuple[str, str] = ("", "")
    low: float = 0.0
    """What stands at the bottom: ranks have their largest there, and 1 on top."""
    high: float = 1.0
    marked: tuple[str, ...] = ()
    """Series whose points are drawn too."""
    scattered: tuple[str, ...] = ()
    """Series whose points are drawn, and no line."""
    like: Mapping[str, str] = field(default_factory=dict)
    """Series in the colour of another, and under its name: what was fitted to it, what it would have been."""
    reference: tuple[str, ...] = ()
    """Series that the others are read against; they look like no run's."""
    rule: float | None = None
    """A value that is drawn across, to read the lines against."""

    def points(self, name: str) -> list[tuple[float, float]]:
        """The (x, y) of one series, where y is defined."""
        return [point for stretch in self.stretches(name) for point in stretch]

    def stretches(self, name: str) -> list[list[tuple[float, float]]]:
        """The same, apart wherever a y between two points is undefined: no line leads across what is missing."""
        x = self.x[name] if isinstance(self.x, Mapping) else self.x
        made: list[list[tuple[float, float]]] = [[]]
        for a, b in zip(x, self.series[name], strict=True):
            if b == b:
                made[-1].append((float(a), float(b)))
            elif made[-1]:
                made.append([])
        return [stretch for stretch in made if stretch]

    def told(self, x: float) -> str:
        """An x in words: its name, or the number."""
        return self.labels[round(x)] if self.labels else f"{x:g}"

    @property
    def reach(self) -> tuple[float, float]:
        """The smallest and the largest x of any point; never the same."""
        at = [x for name in self.series for x, _ in self.points(name)] or [0.0, 1.0]
        return min(at), max(at) if max(at) > min(at) else min(at) + 1


@dataclass(frozen=True, kw_only=True)
class Counts(Chart):
    """How many units of each label stand at each series' one x, on a log scale; series without x are in gutters."""

    labels: tuple[str, ...]
    x: Series
    axes: tuple[str, str] = ("", "")
    low: float = 1.0
    high: float = 2.0

    def on_scale(self) -> dict[str, float]:
        """The series that stand on the scale, each with its share of the way from low to high in logs."""
        whole = math.log(self.high / self.low)
        return {name: math.log(self.x[name][0] / self.low) / whole for name in self.series if name in self.x}
