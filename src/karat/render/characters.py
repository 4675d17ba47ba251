"""Charts as characters, for a terminal."""

from __future__ import annotations

import math
import re
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

MARKS = "●◆▲■○◇△□★☆"
MARKED, HELD = re.compile(f"(?<=[{MARKS}┤✚]) "), "\ufdd0"
"""The space between a mark and what it means, where no line ends, and what stands for it until lines are broken."""


class Terminal(Console):
    """A console that takes all text literally: no markup, no emoji for `:names:`, no colours, no control characters.

    Everything printed as `str`, also a cell, a heading or a rule, goes through `render_str`. Line breaks at its end are
    intended; those inside come from files.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(markup=False, emoji=False, highlight=False, **settings)

    def render_str(self, text: str, **settings: Any) -> Text:
        """A text with control characters spelled out."""
        said = text.rstrip("\n")
        return super().render_str(spelled_out(said) + text[len(said) :], **settings)

    def say(self, text: str, mark: str = "", style: str = "") -> None:
        """Print a text behind a mark, broken between words on a terminal, with further lines indented as far."""
        whole = Text(MARKED.sub(HELD, spelled_out(text)))
        lines = [whole] if self.soft_wrap else whole.wrap(self, max(self.width - cell_len(mark), 1))
        for place, line in enumerate(lines):
            before = " " * cell_len(mark) if place else mark
            self.print(Text(f"{before}{line.plain.rstrip()}".replace(HELD, " "), style=style), soft_wrap=True)


SCALE_WIDTH, LEAST_SCALE_WIDTH = 40, 16
"""The width of a drawn scale, in characters, and on a narrow terminal."""
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
    if console.soft_wrap or heading.cell_len <= console.width:
        console.print(heading)
    else:
        console.say(chart.title, style="bold")
        console.say(beside, "  ")
    if chart.note:
        console.say(chart.note, "  ", style="dim")


def _room(console: Terminal, names: int, beside: int) -> int:
    """The width of a scale with names before it and something beside it, all on one line if possible."""
    return max(min(SCALE_WIDTH, console.width - names - beside - 6), LEAST_SCALE_WIDTH)


def _below(axis: str, notes: Iterable[str], console: Terminal) -> None:
    """The axis of a chart and what else is to be said, on one line or below."""
    told = "   ".join(filter(None, notes))
    if told and not console.soft_wrap and cell_len(axis) + 3 + cell_len(told) > console.width:
        console.print(axis)
        console.say(told, "  ")
        console.print()
    else:
        console.print("   ".join(filter(None, [axis, told])) + "\n")


@draw.register
def _dots(chart: Dots, console: Terminal) -> None:
    """One line per label, one mark per series, and a bar for an interval."""
    low, high = dot_range(chart)
    marks = [mark for mark, _ in zip(cycle(MARKS), chart.series, strict=False)]
    legend = "  ".join(f"{mark} {one.name}" for mark, one in zip(marks, chart.series, strict=True))
    _title(chart, legend + "  ├─┤ interval" * bool(chart.intervals), console)
    names, width = _names(chart.labels, console)
    joined, left_out = packed(chart)
    wide = _room(console, width, 1 + max((column for column, _ in joined), default=-1))
    together = leaves = False
    for row, label in enumerate(names):
        cells = ["·"] * (wide + 1)
        if chart.rule is not None:
            cells[round((chart.rule - low) / (high - low) * wide)] = "┊"
        if chart.intervals and not chart.intervals[row].high < min(low, high):
            leaves |= _interval(chart.intervals[row], cells, low, high)
        for mark, one in zip(marks, chart.series, strict=True):
            if (value := one.values[row]) < min(low, high):
                told = f"◀ {numbers(chart.series)(value)}"
                cells[: len(told)] = told
            elif value == value:
                at = round((value - low) / (high - low) * wide)
                together |= cells[at] in MARKS
                cells[at] = "✚" if cells[at] in f"{MARKS}✚" else mark
        console.print(f"  {label} {''.join(cells)}  {_beside(joined, row)}".rstrip())
    notes = ["✚ several" * together, "◀▶ the interval leads further" * leaves, fitted(chart), left_out]
    _below(f"  {'':<{width}} {_axis(low, high, wide)}", notes, console)


def _interval(interval: Interval, cells: list[str], low: float, high: float) -> bool:
    """Draw an interval into the cells of a row; returns whether it extends beyond them."""
    wide = len(cells) - 1
    ends = [(end - low) / (high - low) * wide for end in interval]
    if any(end != end for end in ends):
        return False
    left, right = sorted(ends)
    first, last = round(min(max(left, 0), wide)), round(min(max(right, 0), wide))
    cells[first : last + 1] = ["─"] * (last + 1 - first)
    cells[first], cells[last] = ("├", "┤") if first < last else ("│", "│")
    beyond = [place for place, out in ((0, left < -DISPLAY_TOLERANCE), (wide, right > wide + DISPLAY_TOLERANCE)) if out]
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


def _axis(low: float, high: float, wide: int = SCALE_WIDTH) -> str:
    """The two ends of a scale, written below it."""
    return _between(written(low), written(high), wide + 1)


def _between(first: str, last: str, width: int) -> str:
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
    beside = [
        (f"{number(points[0][1])} → {number(points[-1][1])}" if points else "–") + _met(chart, trace)
        for trace, points in ((trace, trace.points) for _, trace in told)
    ]
    wide = _room(console, width, max(map(cell_len, beside), default=0))
    for label, (_, trace), ends in zip(names, told, beside, strict=True):
        cells = [" "] * (wide + 1)
        places = [[(chart.share(x) * wide, y) for x, y in stretch] for stretch in trace.stretches]
        for column, y in (one for stretch in places for one in _without_holes(stretch)):
            cells[column] = HEIGHTS[_part((y - low) / (high - low), len(HEIGHTS))]
        console.print(f"  {label} {''.join(cells)}  {ends}")
    begins, ends = (chart.labels[0], chart.labels[-1]) if chart.labels else (written(first), written(last))
    between = _between(spelled_out(begins), spelled_out(ends), wide + 1)
    _below(f"  {'':<{width}} {between}", [f"▁ {low:g}  █ {high:,.3g}"], console)


def _met(chart: Lines, trace: Trace) -> str:
    """Where a curve crosses the rule, if it does so exactly once."""
    met = [at for part in trace.stretches for at in _crossings(part, chart.rule)]
    if len(met) != 1:
        return ""
    first, last = chart.reach
    # On a long axis positions are integers: the first at which the rule is met, as in the table.
    at = f"{math.ceil(met[0] - DISPLAY_TOLERANCE):,}" if last - first > SCALE_WIDTH else f"{met[0]:.3f}"
    return f"   {chart.rule:.3g} at {at}"


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
    """One line per label: the whiskers, the middle half and the median, and what is outside."""
    points = "  o outside" * any(chart.outside)
    _title(chart, f"─ {'whiskers' if chart.outside else 'range'}  █ middle half  ┃ median{points}", console)
    least, most = box_scale(chart)
    names, width = _names(chart.labels, console)
    for label, box, beyond in zip(names, chart.boxes, chart.outside or [()] * len(names), strict=True):
        cells = ["·"] * (SCALE_WIDTH + 1)
        if all(number == number for number in box):
            low, lower, median, upper, high = (_part((one - least) / (most - least), SCALE_WIDTH + 1) for one in box)
            cells[low : high + 1] = ["─"] * (high + 1 - low)
            cells[lower : upper + 1] = ["█"] * (upper + 1 - lower)
            cells[median] = "┃"
        for one in beyond:
            cells[_part((one - least) / (most - least), SCALE_WIDTH + 1)] = "o"
        console.print(f"  {label} {''.join(cells)}")
    console.print(f"  {'':<{width}} {_axis(least, most)}\n")


@draw.register
def _counts(chart: Counts, console: Terminal) -> None:
    """One line per label: the counts along the log scale as heights, and those in the gutters as numbers."""
    _title(chart, chart.axes[0], console)
    names, width = _names(chart.labels, console)
    beside = ["  ".join(f"{one.name}: {field(one.counts[at])}" for one in chart.gutters) for at in range(len(names))]
    wide = _room(console, width, max(map(cell_len, beside), default=0))
    rows = [[0.0] * (wide + 1) for _ in names]
    for place, x in chart.on_scale:
        for row, count in enumerate(place.counts):
            rows[row][round(chart.share(x) * wide)] += count if count == count else 0
    most = max([1.0, *(count for row in rows for count in row)])
    for label, counts, gutters in zip(names, rows, beside, strict=True):
        cells = "".join(_bar(count / most) for count in counts)
        console.print(f"  {label} {cells}  {gutters}".rstrip())
    _below(f"  {'':<{width}} {_axis(chart.low, chart.high, wide)}", ["log scale", f"█ {most:,g}"], console)


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
        told = ", ".join(f"{place} {head}" for place, head in enumerate(heads, 1))
        heads = [str(place) for place in range(1, len(heads) + 1)]
        room = [max(map(cell_len, [head, *column])) + 1 for head, column in zip(heads, columns, strict=True)]
        console.print(f"  columns: {told}")
    above = "".join(" " * (wide - cell_len(head)) + head for head, wide in zip(heads, room, strict=True))
    console.print(f"  {'':<{width}}{above}")
    for row, label in enumerate(names):
        console.print(
            f"  {label}" + "".join(f"{cells[row]:>{wide}}" for cells, wide in zip(columns, room, strict=True))
        )
    console.print(f"  * {chart.mark}\n" if chart.marked else "")


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
