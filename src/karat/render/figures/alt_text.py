"""Descriptions of charts in words, for readers who cannot see them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import singledispatch

from karat.data.charts import Bars, Boxes, Chart, Counts, Dots, Heat, Lines, Panels, Points, Trace
from karat.errors import spelled_out
from karat.render.scale import in_unit, numbers, teller

TOLD_SINGLY = 150
"""Up to this many numbers are listed one by one; beyond that, only what stands out."""


def described(chart: Chart) -> str:
    """The chart in one sentence, with every number that matters."""
    note = f" ({chart.note})" if chart.note else ""
    return spelled_out(f"{chart.title}{note}: {told(in_unit(chart))}")


@singledispatch
def told(chart: Chart) -> str:
    """What the chart shows, without its title."""
    raise TypeError(f"no words for {type(chart).__name__}")


def _rows(labels: Sequence[str], told: Callable[[int], str]) -> str:
    return "; ".join(f"{label} {told(row)}" for row, label in enumerate(labels))


def _axes(axes: tuple[str, str]) -> str:
    """What the axes are, if both are named."""
    return f"{axes[1]} by {axes[0]}; " if all(axes) else ""


@told.register
def _dots(chart: Dots) -> str:
    """Every number of every row, and which rows are joined."""
    number = teller(
        [value for one in chart.series for value in one.values] + [end for one in chart.intervals for end in one]
    )

    def row_told(row: int) -> str:
        parts = [f"{one.name} {number(one.values[row])}" for one in chart.series]
        if chart.intervals and all(end == end for end in chart.intervals[row]):
            parts.append(f"interval {number(chart.intervals[row].low)} to {number(chart.intervals[row].high)}")
        return ", ".join(parts)

    axis = f"{chart.axis}; " if chart.axis else ""
    return axis + _rows(chart.labels, row_told) + _groups(chart)


@told.register
def _panels(chart: Panels) -> str:
    return ". ".join(f"{panel.title}: {_dots(panel)}" for panel in chart.panels)


def _groups(chart: Dots) -> str:
    if not chart.groups:
        return ""
    if sum(map(len, chart.groups)) > TOLD_SINGLY:
        return f"; {len(chart.groups):,} groups are joined"
    return "; joined: " + "; ".join(", ".join(chart.labels[row] for row in group) for group in chart.groups)


@told.register
def _boxes(chart: Boxes) -> str:
    number = teller(value for box in chart.boxes for value in box)
    parts = ("low", "lower", "median", "upper", "high")

    def row_told(row: int) -> str:
        said = [f"{part} {number(value)}" for part, value in zip(parts, chart.boxes[row], strict=True)]
        return ", ".join([*said, *(f"outside {number(value)}" for value in (chart.outside or [()] * (row + 1))[row])])

    return _rows(chart.labels, row_told)


@told.register
def _counts(chart: Counts) -> str:
    """Every nonzero count, row by row."""

    def row_told(row: int) -> str:
        counts = [(place.name, place.counts[row]) for place in chart.places]
        return ", ".join(f"{count:,g} at {name}" for name, count in counts if count == count and count) or "none"

    return _rows(chart.labels, row_told)


@told.register
def _bars(chart: Bars) -> str:
    """Every bar, or the highest of each panel."""
    number, few = numbers(chart.series), len(chart.labels) * len(chart.series) <= TOLD_SINGLY
    return _axes(chart.axes) + "; ".join(
        f"{name} {_panel(list(zip(values, chart.labels, strict=True)), number, few)}" for name, values in chart.series
    )


def _panel(bars: list[tuple[float, str]], number: Callable[[float], str], few: bool) -> str:
    known = [(value, label) for value, label in bars if value == value]
    if not known:
        return "undefined"
    if few:
        return ", ".join(f"{number(value)} at {label}" for value, label in known)
    most, where = max(known, key=lambda bar: bar[0])
    return f"most {number(most)} at {where}"


@told.register
def _heat(chart: Heat) -> str:
    """Every cell, or the smallest and the largest of each row."""
    number, few = numbers(chart.series), len(chart.labels) * len(chart.series) <= TOLD_SINGLY

    def row_told(row: int) -> str:
        fields = [(one.values[row], one.name) for one in chart.series]
        if few:
            units = f"(n {chart.counts[row]:,}) " if chart.counts else ""
            return units + ", ".join(f"{name} {number(value)}" for value, name in fields)
        known = [(value, name) for value, name in fields if value == value]
        if not known:
            return "undefined"
        (least, first), (most, last) = (pick(known, key=lambda field: field[0]) for pick in (min, max))
        return f"from {number(least)} at {first} to {number(most)} at {last}"

    return _axes(chart.axes) + _rows(chart.labels, row_told)


@told.register
def _points(chart: Points) -> str:
    """The position of each point, by kind."""
    shown = chart.placed
    up, across = teller(point.y for point in shown), teller(point.x for point in shown)
    parts = []
    for kind in chart.kinds:
        places = [f"{one.name} {up(one.y)} at {across(one.x)}" for one in shown if one.kind == kind]
        parts.append((f"{kind}: " if kind else "") + (", ".join(places) or "none"))
    return _axes(chart.axes) + "; ".join(parts)


@told.register
def _lines(chart: Lines) -> str:
    """Every point if there are few; otherwise the first and last of each line, and any extremes beyond them."""
    number = teller(y for _, trace in chart.told for _, y in trace.points)
    few = sum(len(trace.points) for _, trace in chart.told) <= TOLD_SINGLY
    told = [f"{name} {_line(chart, trace, number, few)}" for name, trace in chart.told]
    return _axes(chart.axes) + "; ".join(filter(None, [*told, chart.rule_name, chart.at_name]))


def _line(chart: Lines, trace: Trace, number: Callable[[float], str], few: bool) -> str:
    points = trace.points
    if not points:
        return "undefined"
    if few:
        return ", ".join(f"{number(y)} at {chart.name_of(x)}" for x, y in points)
    (first, start), (last, end) = points[0], points[-1]
    line = f"{number(start)} at {chart.name_of(first)} to {number(end)} at {chart.name_of(last)}"
    for word, (x, y) in (
        ("least", min(points, key=lambda point: point[1])),
        ("most", max(points, key=lambda point: point[1])),
    ):
        if not min(start, end) <= y <= max(start, end):
            line += f", {word} {number(y)} at {chart.name_of(x)}"
    return line
