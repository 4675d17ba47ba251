"""Charts as characters: what a terminal can show of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import singledispatch
from itertools import cycle, pairwise

from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape

from karat.data.charts import Bars, Boxes, Chart, Counts, Dots, Heat, Lines, Points
from karat.render.figures.words import numbers_of, printable, teller
from karat.render.joined import Joined, packed
from karat.render.scale import ROUNDING, apart, dot_range, fitted, needed, written

BAR = 40
"""Width of a drawn scale, in characters."""
MARKS = "●◆▲■○◇△□★☆"
HEIGHTS = "▁▂▃▄▅▆▇█"
SHADES = "○░▒▓█"
TALL = 12
"""Height of a field of points, in lines."""
NAME = 28
"""Where a table is too wide, names longer than this are cut in the middle."""
WIDE = 400
"""The width of a page that is not a terminal."""


@singledispatch
def draw(chart: Chart, console: Console) -> None:
    """Print a chart to a console."""
    del console
    raise TypeError(f"no characters for {type(chart).__name__}")


def short_names(names: Sequence[str], width: int) -> list[str]:
    """Names cut in the middle where the page is narrow, unless that would make two of them one."""
    short = [_shortened(name) for name in names]
    return short if width < WIDE and len(set(short)) == len(set(names)) else list(names)


def _shortened(name: str) -> str:
    half = NAME // 2 - 1
    return name if len(name) <= NAME else f"{name[:half]}…{name[-half:]}"


def _names(names: Iterable[str], console: Console) -> tuple[list[str], int]:
    """Names that a terminal prints and does not obey, filled up to the same width; and that width."""
    short = short_names([printable(name) for name in names], console.width)
    width = max(map(cell_len, short), default=0)
    return [escape(name) + " " * (width - cell_len(name)) for name in short], width


def _title(chart: Chart, beside: str, console: Console) -> None:
    console.print(f"[bold]{escape(printable(chart.title))}[/bold]   {escape(printable(beside))}")


@draw.register
def _dots(chart: Dots, console: Console) -> None:
    """A line a label, a mark a series, and a bar where two series are the ends of an interval."""
    low, high = dot_range(chart)
    marks = dict(zip(chart.dots, cycle(MARKS), strict=False))
    legend = "  ".join(f"{mark} {name}" for name, mark in marks.items()) + ("  ├─┤ interval" * bool(chart.ends))
    _title(chart, legend, console)
    names, width = _names(chart.labels, console)
    joined, left_out = packed(chart)
    together = False
    for place, label in enumerate(names):
        cells, known = ["·"] * (BAR + 1), {name: values[place] for name, values in chart.series.items()}
        at = {name: round((value - low) / (high - low) * BAR) for name, value in known.items() if value == value}
        if chart.rule is not None:
            cells[round((chart.rule - low) / (high - low) * BAR)] = "┊"
        if chart.ends and all(end in at for end in chart.ends):
            first, last = sorted(at[end] for end in chart.ends)
            cells[first : last + 1] = ["─"] * (last + 1 - first)
            cells[first], cells[last] = ("├", "┤") if first < last else ("│", "│")
        for name, mark in marks.items():
            if name in at:
                together |= cells[at[name]] in MARKS
                cells[at[name]] = "✚" if cells[at[name]] in f"{MARKS}✚" else mark
        console.print(f"  {label} {''.join(cells)}  {_beside(joined, place)}".rstrip())
    notes = [note for note in ("✚ several" if together else "", fitted(chart), left_out) if note]
    console.print("   ".join([f"  {'':<{width}} {_axis(low, high)}", *notes]) + "\n")


def _beside(joined: Joined, row: int) -> str:
    """The lines that join rows, where they pass one of them: a corner, a branch, or only a line."""
    cells = [" "] * (1 + max((column for column, _ in joined), default=-1))
    for column, rows in joined:
        if rows[0] <= row <= rows[-1]:
            cells[column] = "┐" if row == rows[0] else "┘" if row == rows[-1] else "┤" if row in rows else "│"
    return "".join(cells)


def _axis(low: float, high: float) -> str:
    """The two ends of a scale, below it."""
    return _between(written(low), written(high))


def _between(first: str, last: str, width: int = BAR + 1) -> str:
    """Two words at the ends of a scale."""
    return escape(first + " " * max(width - cell_len(first) - cell_len(last), 1) + last)


@draw.register
def _lines(chart: Lines, console: Console) -> None:
    """A series a line, its values as heights; where it begins and ends, and where it meets the rule."""
    first, last = chart.reach
    _title(chart, f"{chart.axes[1]} by {chart.axes[0]}", console)
    (low, high), number = apart(chart.low, chart.high), numbers_of(chart)
    names, width = _names(chart.series, console)
    for name, label in zip(chart.series, names, strict=True):
        points = chart.points(name)
        cells = [" "] * (BAR + 1)
        places = [[((x - first) / (last - first) * BAR, y) for x, y in stretch] for stretch in chart.stretches(name)]
        for column, y in (one for stretch in places for one in _without_holes(stretch)):
            share = min(max((y - low) / (high - low), 0.0), 1.0)
            cells[column] = HEIGHTS[round(share * (len(HEIGHTS) - 1))]
        ends = f"{number(points[0][1])} → {number(points[-1][1])}" if points else "–"
        met = [at for part in chart.stretches(name) for at in _crossings(part, chart.rule)]
        # A line that goes to and fro across the rule meets it nowhere in particular.
        if len(met) == 1:
            # On a long axis the places are whole numbers: the first at which the rule is met, as a table has it.
            at = f"{math.ceil(met[0] - ROUNDING)}" if last - first > BAR else f"{met[0]:.3f}"
            ends += f"   {chart.rule:g} at {at}"
        console.print(f"  {label} {''.join(cells)}  {ends}")
    begins, ends = (chart.labels[0], chart.labels[-1]) if chart.labels else (written(first), written(last))
    between = _between(printable(begins), printable(ends))
    console.print(f"  {'':<{width}} {between}   ▁ {chart.low:g}  █ {chart.high:.3g}\n")


def _without_holes(points: list[tuple[float, float]]) -> list[tuple[int, float]]:
    """Whole columns; between two points closer than two columns an empty one is rounding's doing, and filled."""
    made: list[tuple[int, float]] = []
    for place, (x, y) in enumerate(points):
        if place:
            before, height = points[place - 1]
            if x - before < 2 and round(x) - round(before) == 2:
                made.append((round(before) + 1, (height + y) / 2))
        made.append((round(x), y))
    return made


def _crossings(points: list[tuple[float, float]], rule: float | None) -> list[float]:
    """Where a line through the points crosses a value, if there is one to cross."""
    made: list[float] = []
    if rule is None:
        return made
    for (left, low), (right, high) in pairwise(points):
        if (low < rule) != (high < rule):
            made.append(left + (right - left) * (rule - low) / (high - low))
    return made


@draw.register
def _boxes(chart: Boxes, console: Console) -> None:
    """A line a label: the range, the middle half and the median of its five numbers."""
    _title(chart, "─ range  █ middle half  ┃ median", console)
    least, most = apart(chart.low, chart.high)
    names, width = _names(chart.labels, console)
    for place, label in enumerate(names):
        numbers = [values[place] for values in chart.series.values()]
        cells = ["·"] * (BAR + 1)
        if all(number == number for number in numbers):
            shares = [min(max((number - least) / (most - least), 0.0), 1.0) for number in numbers]
            low, lower, median, upper, high = (round(share * BAR) for share in shares)
            cells[low : high + 1] = ["─"] * (high + 1 - low)
            cells[lower : upper + 1] = ["█"] * (upper + 1 - lower)
            cells[median] = "┃"
        console.print(f"  {label} {''.join(cells)}")
    console.print(f"  {'':<{width}} {_axis(chart.low, chart.high)}\n")


@draw.register
def _counts(chart: Counts, console: Console) -> None:
    """A line a label: how many stand at each place of the log scale as heights, those in gutters as numbers."""
    scale = chart.on_scale()
    _title(chart, chart.axes[0], console)
    names, width = _names(chart.labels, console)
    rows = [[0.0] * (BAR + 1) for _ in names]
    for name, share in scale.items():
        for place, count in enumerate(chart.series[name]):
            rows[place][round(share * BAR)] += count if count == count else 0
    most = max([1.0, *(count for row in rows for count in row)])
    for place, (label, row) in enumerate(zip(names, rows, strict=True)):
        cells = "".join(HEIGHTS[math.ceil(count / most * len(HEIGHTS)) - 1] if count else "·" for count in row)
        beside = "  ".join(
            f"{name}: {_count(values[place])}" for name, values in chart.series.items() if name not in scale
        )
        console.print(f"  {label} {cells}  {escape(printable(beside))}")
    ends = f"{chart.low:<{BAR - 2}g}{chart.high:>3g}"
    console.print(f"  {'':<{width}} {ends}  log scale   █ {most:g}\n")


def _count(count: float) -> str:
    return f"{count:g}" if count == count else "–"


@draw.register
def _bars(chart: Bars, console: Console) -> None:
    """A line a series: its bars as heights, and the highest of them as a number."""
    _title(chart, " by ".join(filter(None, chart.axes[::-1])), console)
    names, width = _names(chart.series, console)
    wide = min(max((BAR + 1) // max(len(chart.labels), 1), 1), 3)
    (_, high), number = apart(0.0, chart.high), numbers_of(chart)
    for label, values in zip(names, chart.series.values(), strict=True):
        cells = "".join(_bar(value / high) * wide for value in values)
        known = [value for value in values if value == value]
        place = list(values).index(max(known)) if known else 0
        told = f"most {number(values[place])} at {printable(chart.labels[place])}" if known else "–"
        console.print(f"  {label} {cells}  {escape(told)}")
    if chart.labels:
        ends = _between(printable(chart.labels[0]), printable(chart.labels[-1]), wide * len(chart.labels))
        console.print(f"  {'':<{width}} {ends}   █ {chart.high:.3g}\n")


def _bar(share: float) -> str:
    """A height; a point for nothing, a dash for what is not known."""
    if share != share:
        return "–"
    return HEIGHTS[min(math.ceil(share * len(HEIGHTS)), len(HEIGHTS)) - 1] if share > 0 else "·"


@draw.register
def _heat(chart: Heat, console: Console) -> None:
    """A line a label with its numbers below the names of columns; shades, where a line would be too long."""
    _title(chart, " by ".join(filter(None, chart.axes[::-1])), console)
    names, width = _names(chart.labels, console)
    numbers = [[_count_of(value, chart.digits) for value in values] for values in chart.series.values()]
    heads = [printable(name) for name in chart.series]
    room = [max(map(cell_len, [head, *column])) + 2 for head, column in zip(heads, numbers, strict=True)]
    if 2 + width + sum(room) > min(console.width, WIDE // 2):
        _shades(chart, console, names)
        return
    above = "".join(" " * (wide - cell_len(head)) + head for head, wide in zip(heads, room, strict=True))
    console.print(f"  {'':<{width}}{escape(above)}")
    for row, label in enumerate(names):
        console.print(
            f"  {label}" + "".join(f"{cells[row]:>{wide}}" for cells, wide in zip(numbers, room, strict=True))
        )
    console.print()


def _shades(chart: Heat, console: Console, names: list[str]) -> None:
    """A shade a field, in the order of the columns; a point where there is no value."""
    low, high = apart(chart.low, chart.high)
    for row, label in enumerate(names):
        shares = [(values[row] - low) / (high - low) for values in chart.series.values()]
        cells = "".join("·" if share != share else SHADES[_part(share, len(SHADES))] for share in shares)
        console.print(f"  {label} {cells}")
    parts = [written(low + (high - low) * part / (len(SHADES) - 1)) for part in range(len(SHADES))]
    console.print("  " + "  ".join(f"{shade} {value}" for shade, value in zip(SHADES, parts, strict=True)))
    columns = "the rows" if tuple(chart.series) == tuple(chart.labels) else ", ".join(map(printable, chart.series))
    console.print(f"  columns: {escape(columns)}\n")


def _part(share: float, parts: int) -> int:
    return round(min(max(share, 0.0), 1.0) * (parts - 1))


def _count_of(value: float, digits: int) -> str:
    return f"{value:z.{digits}f}" if value == value else "–"


@draw.register
def _points(chart: Points, console: Console) -> None:
    """A field of marks, a mark a series, and below it where each label stands."""
    marks = dict(zip(chart.series, cycle(MARKS), strict=False))
    legend = "  ".join(f"{mark} {name}" for name, mark in marks.items())
    _title(chart, f"{chart.axes[1]} by {chart.axes[0]}   {legend}", console)
    places = [
        (row, float(chart.x[row]), float(values[row]), marks[name])
        for name, values in chart.series.items()
        for row in range(len(chart.labels))
        if values[row] == values[row] and chart.x[row] == chart.x[row]
    ]
    across = [x for _, x, _, _ in places] or [0.0, 1.0]
    first, last = needed(across, *apart(min(0.0, *across), max(0.0, *across)))
    low, high = needed((y for _, _, y, _ in places), chart.low, chart.high)
    field = [["·"] * (BAR + 1) for _ in range(TALL)]
    for _, x, y, mark in places:
        line = field[TALL - 1 - _part((y - low) / (high - low), TALL)]
        column = _part((x - first) / (last - first), BAR + 1)
        line[column] = mark if line[column] == "·" else "✚"
    ends = [written(high), *[""] * (TALL - 2), written(low)]
    width = max(map(len, ends))
    for end, cells in zip(ends, field, strict=True):
        console.print(f"  {end:>{width}} {''.join(cells)}")
    several = "   ✚ several" if any("✚" in line for line in field) else ""
    console.print(f"  {'':<{width}} {_axis(first, last)}{several}")
    names, up, beside = _names(chart.labels, console)[0], numbers_of(chart), teller(chart.x)
    for row, x, y, mark in places:
        console.print(f"  {mark} {names[row]}  {up(y)} at {beside(x)}")
    console.print()
