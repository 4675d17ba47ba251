"""Charts as characters, for a terminal."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import singledispatch
from itertools import cycle, pairwise
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from karat.arrays import DISPLAY_TOLERANCE
from karat.data.charts import Bars, Boxes, Chart, Counts, Dots, Heat, Interval, Lines, Panels, Points, Trace, field
from karat.errors import spelled_out
from karat.render.scale import (
    Joined,
    bar_height,
    box_scale,
    dot_range,
    fitted,
    heat_scale,
    line_scale,
    numbers,
    packed,
    point_scales,
    shortened,
    teller,
    written,
)


class Terminal(Console):
    """A console that takes all text literally: no markup, no emoji for `:names:`, no control characters.

    Everything printed as `str`, also a cell, a heading or a rule, goes through `render_str`. Line breaks at its end are
    intended; those inside come from files.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(markup=False, emoji=False, **settings)

    def render_str(self, text: str, **settings: Any) -> Text:
        """A text with control characters spelled out."""
        said = text.rstrip("\n")
        return super().render_str(spelled_out(said) + text[len(said) :], **settings)


SCALE_WIDTH = 40
"""The width of a drawn scale, in characters."""
MARKS = "●◆▲■○◇△□★☆"
HEIGHTS = "▁▂▃▄▅▆▇█"
SHADES = "○░▒▓█"
FIELD_HEIGHT = 12
"""The height of a scatter plot, in lines."""
LONGEST_NARROW_NAME = 28
"""On a narrow terminal, names longer than this are shortened."""
PAGE_WIDTH = 400
"""The width of output that is not a terminal."""


@singledispatch
def draw(chart: Chart, console: Terminal) -> None:
    """Print a chart to a console."""
    del console
    raise TypeError(f"no characters for {type(chart).__name__}")


def short_names(names: Sequence[str], width: int) -> list[str]:
    """Names, shortened on a narrow terminal; different names stay different."""
    return shortened(names, LONGEST_NARROW_NAME) if width < PAGE_WIDTH else list(names)


def _names(names: Iterable[str], console: Terminal) -> tuple[list[str], int]:
    """Printable names, padded to the same width; and that width."""
    short = short_names([spelled_out(name) for name in names], console.width)
    width = max(map(cell_len, short), default=0)
    return [name + " " * (width - cell_len(name)) for name in short], width


def _title(chart: Chart, beside: str, console: Terminal) -> None:
    heading = Text.assemble((spelled_out(chart.title), "bold"), f"   {spelled_out(beside)}")
    heading.rstrip()
    console.print(heading)
    if chart.note:
        console.print(f"  {chart.note}", style="dim")


@draw.register
def _dots(chart: Dots, console: Terminal) -> None:
    """One line per label, one mark per series, and a bar for an interval."""
    low, high = dot_range(chart)
    marks = [mark for mark, _ in zip(cycle(MARKS), chart.series, strict=False)]
    legend = "  ".join(f"{mark} {one.name}" for mark, one in zip(marks, chart.series, strict=True))
    _title(chart, legend + "  ├─┤ interval" * bool(chart.intervals), console)
    names, width = _names(chart.labels, console)
    joined, left_out = packed(chart)
    together = leaves = False
    for row, label in enumerate(names):
        cells = ["·"] * (SCALE_WIDTH + 1)
        if chart.rule is not None:
            cells[round((chart.rule - low) / (high - low) * SCALE_WIDTH)] = "┊"
        if chart.intervals:
            leaves |= _interval(chart.intervals[row], cells, low, high)
        for mark, one in zip(marks, chart.series, strict=True):
            if (value := one.values[row]) == value:
                at = round((value - low) / (high - low) * SCALE_WIDTH)
                together |= cells[at] in MARKS
                cells[at] = "✚" if cells[at] in f"{MARKS}✚" else mark
        console.print(f"  {label} {''.join(cells)}  {_beside(joined, row)}".rstrip())
    notes = ["✚ several" * together, "◀▶ the interval leads further" * leaves, fitted(chart), left_out]
    console.print("   ".join([f"  {'':<{width}} {_axis(low, high)}", *filter(None, notes)]) + "\n")


def _interval(interval: Interval, cells: list[str], low: float, high: float) -> bool:
    """Draw an interval into the cells of a row; returns whether it extends beyond them."""
    ends = [(end - low) / (high - low) * SCALE_WIDTH for end in interval]
    if any(end != end for end in ends):
        return False
    left, right = sorted(ends)
    first, last = round(min(max(left, 0), SCALE_WIDTH)), round(min(max(right, 0), SCALE_WIDTH))
    cells[first : last + 1] = ["─"] * (last + 1 - first)
    cells[first], cells[last] = ("├", "┤") if first < last else ("│", "│")
    beyond = [
        place
        for place, out in ((0, left < -DISPLAY_TOLERANCE), (SCALE_WIDTH, right > SCALE_WIDTH + DISPLAY_TOLERANCE))
        if out
    ]
    for place in beyond:
        cells[place] = "▶" if place else "◀"
    return bool(beyond)


def _beside(joined: Joined, row: int) -> str:
    """The lines that join rows, at one row: a corner, a branch, or dots where a line passes a row it does not join."""
    cells = [" "] * (1 + max((column for column, _ in joined), default=-1))
    for column, rows in joined:
        if rows[0] <= row <= rows[-1]:
            cells[column] = "┐" if row == rows[0] else "┘" if row == rows[-1] else "┤" if row in rows else "┊"
    return "".join(cells)


def _axis(low: float, high: float) -> str:
    """The two ends of a scale, written below it."""
    return _between(written(low), written(high))


def _between(first: str, last: str, width: int = SCALE_WIDTH + 1) -> str:
    return first + " " * max(width - cell_len(first) - cell_len(last), 1) + last


@draw.register
def _panels(chart: Panels, console: Terminal) -> None:
    """One chart below another."""
    _title(chart, "", console)
    for panel in chart.panels:
        draw(panel, console)


@draw.register
def _lines(chart: Lines, console: Terminal) -> None:
    """One line of text per curve, its values as heights; its first and last value, and where it meets the rule."""
    first, last = chart.reach
    _title(chart, " by ".join(filter(None, chart.axes[::-1])), console)
    told = chart.told
    (low, high), number = line_scale(chart), teller(y for _, trace in told for _, y in trace.points)
    names, width = _names([name for name, _ in told], console)
    for label, (_, trace) in zip(names, told, strict=True):
        points, cells = trace.points, [" "] * (SCALE_WIDTH + 1)
        places = [[(chart.share(x) * SCALE_WIDTH, y) for x, y in stretch] for stretch in trace.stretches]
        for column, y in (one for stretch in places for one in _without_holes(stretch)):
            cells[column] = HEIGHTS[_part((y - low) / (high - low), len(HEIGHTS))]
        ends = f"{number(points[0][1])} → {number(points[-1][1])}" if points else "–"
        console.print(f"  {label} {''.join(cells)}  {ends}{_met(chart, trace)}")
    begins, ends = (chart.labels[0], chart.labels[-1]) if chart.labels else (written(first), written(last))
    between = _between(spelled_out(begins), spelled_out(ends))
    console.print(f"  {'':<{width}} {between}   ▁ {low:g}  █ {high:.3g}\n")


def _met(chart: Lines, trace: Trace) -> str:
    """Where a curve crosses the rule, if it does so exactly once."""
    met = [at for part in trace.stretches for at in _crossings(part, chart.rule)]
    if len(met) != 1:
        return ""
    first, last = chart.reach
    # On a long axis positions are integers: the first at which the rule is met, as in the table.
    at = f"{math.ceil(met[0] - DISPLAY_TOLERANCE)}" if last - first > SCALE_WIDTH else f"{met[0]:.3f}"
    return f"   {chart.rule:g} at {at}"


def _without_holes(points: list[tuple[float, float]]) -> list[tuple[int, float]]:
    """Points as columns; a column left empty only by rounding, between points less than two apart, is filled."""
    made: list[tuple[int, float]] = []
    for place, (x, y) in enumerate(points):
        if place:
            before, height = points[place - 1]
            if x - before < 2 and round(x) - round(before) == 2:
                made.append((round(before) + 1, (height + y) / 2))
        made.append((round(x), y))
    return made


def _crossings(points: list[tuple[float, float]], rule: float | None) -> list[float]:
    """Where a curve through the points crosses the rule, if there is one."""
    made: list[float] = []
    if rule is None:
        return made
    for (left, low), (right, high) in pairwise(points):
        if (low < rule) != (high < rule):
            made.append(left + (right - left) * (rule - low) / (high - low))
    return made


@draw.register
def _boxes(chart: Boxes, console: Terminal) -> None:
    """One line per label: the range, the middle half and the median of its five numbers."""
    _title(chart, "─ range  █ middle half  ┃ median", console)
    least, most = box_scale(chart)
    names, width = _names(chart.labels, console)
    for label, box in zip(names, chart.boxes, strict=True):
        cells = ["·"] * (SCALE_WIDTH + 1)
        if all(number == number for number in box):
            low, lower, median, upper, high = (_part((one - least) / (most - least), SCALE_WIDTH + 1) for one in box)
            cells[low : high + 1] = ["─"] * (high + 1 - low)
            cells[lower : upper + 1] = ["█"] * (upper + 1 - lower)
            cells[median] = "┃"
        console.print(f"  {label} {''.join(cells)}")
    console.print(f"  {'':<{width}} {_axis(least, most)}\n")


@draw.register
def _counts(chart: Counts, console: Terminal) -> None:
    """One line per label: the counts along the log scale as heights, and those in the gutters as numbers."""
    _title(chart, chart.axes[0], console)
    names, width = _names(chart.labels, console)
    rows = [[0.0] * (SCALE_WIDTH + 1) for _ in names]
    for place, x in chart.on_scale:
        for row, count in enumerate(place.counts):
            rows[row][round(chart.share(x) * SCALE_WIDTH)] += count if count == count else 0
    most = max([1.0, *(count for row in rows for count in row)])
    for at, (label, counts) in enumerate(zip(names, rows, strict=True)):
        cells = "".join(_bar(count / most) for count in counts)
        beside = "  ".join(f"{place.name}: {field(place.counts[at])}" for place in chart.gutters)
        console.print(f"  {label} {cells}  {beside}".rstrip())
    ends = _axis(chart.low, chart.high)
    console.print(f"  {'':<{width}} {ends}  log scale   █ {most:g}\n")


@draw.register
def _bars(chart: Bars, console: Terminal) -> None:
    """One line per series: its bars as heights, and the highest as a number."""
    _title(chart, " by ".join(filter(None, chart.axes[::-1])), console)
    names, width = _names([one.name for one in chart.series], console)
    wide = min(max((SCALE_WIDTH + 1) // max(len(chart.labels), 1), 1), 3)
    high, number = bar_height(chart), numbers(chart.series)
    for label, (_, values) in zip(names, chart.series, strict=True):
        cells = "".join(_bar(value / high) * wide for value in values)
        known = [value for value in values if value == value]
        place = list(values).index(max(known)) if known else 0
        told = f"most {number(values[place])} at {spelled_out(chart.labels[place])}" if known else "–"
        console.print(f"  {label} {cells}  {told}")
    if chart.labels:
        ends = _between(spelled_out(chart.labels[0]), spelled_out(chart.labels[-1]), wide * len(chart.labels))
        console.print(f"  {'':<{width}} {ends}   █ {high:.3g}\n")


def _bar(share: float) -> str:
    """A height; a dot for 0, a dash for NaN."""
    if share != share:
        return "–"
    return HEIGHTS[min(math.ceil(share * len(HEIGHTS)), len(HEIGHTS)) - 1] if share > 0 else "·"


@draw.register
def _heat(chart: Heat, console: Terminal) -> None:
    """One line per label with its numbers under the column names; shades if a line would be too long."""
    _title(chart, " by ".join(filter(None, chart.axes[::-1])), console)
    names, width = _names(chart.labels, console)
    columns = [
        [chart.text(value) + "*" * ((row, column) in chart.marked) for row, value in enumerate(one.values)]
        for column, one in enumerate(chart.series)
    ]
    heads = short_names([spelled_out(one.name) for one in chart.series], console.width)
    if chart.counts:
        heads, columns = ["n", *heads], [[f"{count:,}" for count in chart.counts], *columns]
    room = [max(map(cell_len, [head, *column])) + 2 for head, column in zip(heads, columns, strict=True)]
    if 2 + width + sum(room) > min(console.width, PAGE_WIDTH // 2):
        if not chart.mark:
            _shades(chart, console, names)
            return
        # Numbers that matter one by one are kept, and the columns numbered.
        told, heads = ", ".join(f"{place} {head}" for place, head in enumerate(heads, 1)), _numbered(heads)
        room = [max(map(cell_len, [head, *column])) + 1 for head, column in zip(heads, columns, strict=True)]
        console.print(f"  columns: {told}")
    above = "".join(" " * (wide - cell_len(head)) + head for head, wide in zip(heads, room, strict=True))
    console.print(f"  {'':<{width}}{above}")
    for row, label in enumerate(names):
        console.print(
            f"  {label}" + "".join(f"{cells[row]:>{wide}}" for cells, wide in zip(columns, room, strict=True))
        )
    console.print(f"  * {chart.mark}\n" if chart.marked else "")


def _numbered(heads: list[str]) -> list[str]:
    return [str(place) for place, _ in enumerate(heads, 1)]


def _shades(chart: Heat, console: Terminal, names: list[str]) -> None:
    """One shade per cell, in the order of the columns; a dot if there is no value."""
    low, high = heat_scale(chart)
    for row, label in enumerate(names):
        shares = [(one.values[row] - low) / (high - low) for one in chart.series]
        cells = "".join("·" if share != share else SHADES[_part(share, len(SHADES))] for share in shares)
        console.print(f"  {label} {cells}")
    parts = [written(low + (high - low) * part / (len(SHADES) - 1)) for part in range(len(SHADES))]
    console.print("  " + "  ".join(f"{shade} {value}" for shade, value in zip(SHADES, parts, strict=True)))
    columns = tuple(one.name for one in chart.series)
    named = "the rows" if columns == chart.labels else ", ".join(map(spelled_out, columns))
    console.print(f"  columns: {named}\n")


def _part(share: float, parts: int) -> int:
    return round(min(max(share, 0.0), 1.0) * (parts - 1))


@draw.register
def _points(chart: Points, console: Terminal) -> None:
    """A scatter plot, one mark per kind, and below it the position of each point."""
    marks = dict(zip(chart.kinds, cycle(MARKS), strict=False))
    legend = "  ".join(f"{mark} {kind}" for kind, mark in marks.items() if kind)
    _title(chart, f"{' by '.join(filter(None, chart.axes[::-1]))}   {legend}", console)
    (first, last), (low, high) = point_scales(chart)
    shown = chart.placed
    places = [["·"] * (SCALE_WIDTH + 1) for _ in range(FIELD_HEIGHT)]
    for point in shown:
        line = places[FIELD_HEIGHT - 1 - _part((point.y - low) / (high - low), FIELD_HEIGHT)]
        column = _part((point.x - first) / (last - first), SCALE_WIDTH + 1)
        line[column] = marks[point.kind] if line[column] == "·" else "✚"
    ends = [written(high), *[""] * (FIELD_HEIGHT - 2), written(low)]
    width = max(map(len, ends))
    for end, cells in zip(ends, places, strict=True):
        console.print(f"  {end:>{width}} {''.join(cells)}")
    several = "   ✚ several" if any("✚" in line for line in places) else ""
    console.print(f"  {'':<{width}} {_axis(first, last)}{several}")
    names, _ = _names([point.name for point in shown], console)
    up, beside = teller(point.y for point in shown), teller(point.x for point in shown)
    for point, name in zip(shown, names, strict=True):
        console.print(f"  {marks[point.kind]} {name}  {up(point.y)} at {beside(point.x)}")
    console.print()
