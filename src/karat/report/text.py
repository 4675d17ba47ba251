"""Text: tables for people; coloured on a terminal, plain where it is piped."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from itertools import cycle, pairwise

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable

from karat.data.result import Chart, Column, Result, Sheet
from karat.report.scale import ROUNDING, dot_range, fitted, written

BAR = 40
"""Width of a drawn scale, in characters."""
MARKS = "●◆▲■○◇△□★☆"
HEIGHTS = "▁▂▃▄▅▆▇█"
NAME = 28
"""Where a table is too wide, names longer than this are cut in the middle."""
SENTENCE = 48
"""Words beyond this wrap."""
WIDE = 400
"""The width of a page that is not a terminal."""


def render(result: Result) -> str:
    """All sheets, charts and findings, and the signature, without colour."""
    console = Console(file=io.StringIO(), width=WIDE, no_color=True, highlight=False, soft_wrap=True)
    show(result, console)
    assert isinstance(console.file, io.StringIO)
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines()) + "\n"


def show(result: Result, console: Console) -> None:
    """Print a result to a console."""
    if lines := result.lines():
        for line in lines:
            console.print(escape(line), soft_wrap=True)
    else:
        for sheet in result.sheets():
            _show_sheet(sheet, console)
    for chart in result.charts():
        DRAWN[chart.kind](chart, console)
    for sentence in result.findings():
        console.print(f"• {escape(sentence)}")
    if reasons := result.reasons_shown():
        console.print(f"– is undefined: {escape('; '.join(reasons))}.", style="dim")
    console.print(escape(str(result.signature)), style="dim")


def _show_sheet(sheet: Sheet, console: Console) -> None:
    """A sheet, in several pieces where it is wider than the page; numbers are never cut."""
    console.print(f"[bold]{escape(sheet.title)}[/bold]")
    for piece in pieces(sheet, console.width):
        table = RichTable(box=box.SIMPLE_HEAD, pad_edge=False)
        for column in piece:
            # Numbers and names stay whole; sentences wrap.
            wraps = column is not piece[0] and not column.numeric and _longest(column) > SENTENCE
            table.add_column(
                escape(column.name),
                justify="right" if column.numeric else "left",
                no_wrap=not wraps,
                max_width=SENTENCE if wraps else None,
                overflow="fold",
            )
        for row in Sheet("", piece).rows():
            table.add_row(*map(escape, row))
        console.print(table)
    for note in sheet.notes:
        console.print(f"  {escape(note)}", style="dim")
    console.print()


def pieces(sheet: Sheet, width: int) -> list[tuple[Column, ...]]:
    """The columns in groups that fit the width, each beginning with the first column: what the rows are of."""
    first, *rest = sheet.columns
    if _width(first) > width / 2 or (width < WIDE and _width(first) + sum(map(_width, rest)) > width):
        first = Column(first.name, _short_names([first.text(value) for value in first.values], width))
    made: list[tuple[Column, ...]] = []
    piece, used = [first], _width(first)
    for column in rest:
        if used + _width(column) > width and len(piece) > 1:
            made.append(tuple(piece))
            piece, used = [first], _width(first)
        piece.append(column)
        used += _width(column)
    return [*made, tuple(piece)]


def _longest(column: Column) -> int:
    return max([len(column.name), *(len(column.text(value)) for value in column.values)])


def _width(column: Column) -> int:
    """What a column takes, with the space around it."""
    return 3 + (_longest(column) if column.numeric else min(_longest(column), SENTENCE))


def _short_names(names: Sequence[str], width: int) -> list[str]:
    """Names cut in the middle where the page is narrow, unless that would make two of them one."""
    short = [_shortened(name) for name in names]
    return short if width < WIDE and len(set(short)) == len(set(names)) else list(names)


def _shortened(name: str) -> str:
    half = NAME // 2 - 1
    return name if len(name) <= NAME else f"{name[:half]}…{name[-half:]}"


def _draw(chart: Chart, console: Console) -> None:
    """A line a label, a mark a series, and a bar where two series are the ends of an interval."""
    low, high = dot_range(chart)
    marks = dict(zip(chart.dots, cycle(MARKS), strict=False))
    legend = "  ".join(f"{mark} {escape(name)}" for name, mark in marks.items()) + ("  ├─┤ interval" * bool(chart.ends))
    console.print(f"[bold]{escape(chart.title)}[/bold]   {legend}")
    names = _short_names(chart.labels, console.width)
    width = max(map(len, names), default=0)
    together = False
    for place, label in enumerate(names):
        cells, known = ["·"] * (BAR + 1), {name: values[place] for name, values in chart.series.items()}
        at = {name: round((value - low) / (high - low) * BAR) for name, value in known.items() if value == value}
        if chart.ends and all(end in at for end in chart.ends):
            first, last = (at[end] for end in chart.ends)
            cells[first : last + 1] = ["─"] * (last + 1 - first)
            cells[first], cells[last] = ("├", "┤") if first < last else ("│", "│")
        for name, mark in marks.items():
            if name in at:
                together |= cells[at[name]] in MARKS
                cells[at[name]] = "✚" if cells[at[name]] in f"{MARKS}✚" else mark
        console.print(f"  {escape(f'{label:<{width}}')} {''.join(cells)}")
    told = ("   ✚ several" if together else "") + (f"   {fitted(chart)}" if fitted(chart) else "")
    console.print(f"  {'':<{width}} {_axis(low, high)}{told}\n")


def _axis(low: float, high: float) -> str:
    """The two ends of a scale, below it."""
    first, last = written(low), written(high)
    return f"{first}{last:>{BAR + 1 - len(first)}}"


def _draw_lines(chart: Chart, console: Console) -> None:
    """A series a line, its values as heights; where it begins and ends, and where it meets the rule."""
    first, last = chart.reach
    console.print(f"[bold]{escape(chart.title)}[/bold]   {escape(chart.axes[1])} by {escape(chart.axes[0])}")
    width = max(map(len, chart.series), default=0)
    for name in chart.series:
        points = chart.points(name)
        cells = [" "] * (BAR + 1)
        places = [[((x - first) / (last - first) * BAR, y) for x, y in stretch] for stretch in chart.stretches(name)]
        for column, y in (one for stretch in places for one in _without_holes(stretch)):
            share = min(max((y - chart.low) / (chart.high - chart.low), 0.0), 1.0)
            cells[column] = HEIGHTS[round(share * (len(HEIGHTS) - 1))]
        ends = f"{points[0][1]:.3f} → {points[-1][1]:.3f}" if points else "–"
        met = [at for part in chart.stretches(name) for at in _crossings(part, chart.rule)]
        # A line that goes to and fro across the rule meets it nowhere in particular.
        if len(met) == 1:
            # On a long axis the places are whole numbers: the first at which the rule is met, as a table has it.
            at = f"{math.ceil(met[0] - ROUNDING)}" if last - first > BAR else f"{met[0]:.3f}"
            ends += f"   {chart.rule:g} at {at}"
        console.print(f"  {escape(f'{name:<{width}}')} {''.join(cells)}  {ends}")
    begins, ends = (chart.labels[0], chart.labels[-1]) if chart.labels else (written(first), written(last))
    between = escape(f"{begins:<{BAR + 1 - len(ends)}}{ends}")
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


def _draw_boxes(chart: Chart, console: Console) -> None:
    """A line a label: the range, the middle half and the median of its five numbers."""
    console.print(f"[bold]{escape(chart.title)}[/bold]   ─ range  █ middle half  ┃ median")
    names = _short_names(chart.labels, console.width)
    width = max(map(len, names), default=0)
    for place, label in enumerate(names):
        numbers = [values[place] for values in chart.series.values()]
        cells = ["·"] * (BAR + 1)
        if all(number == number for number in numbers):
            shares = [min(max((number - chart.low) / (chart.high - chart.low), 0.0), 1.0) for number in numbers]
            low, lower, median, upper, high = (round(share * BAR) for share in shares)
            cells[low : high + 1] = ["─"] * (high + 1 - low)
            cells[lower : upper + 1] = ["█"] * (upper + 1 - lower)
            cells[median] = "┃"
        console.print(f"  {escape(f'{label:<{width}}')} {''.join(cells)}")
    console.print(f"  {'':<{width}} {_axis(chart.low, chart.high)}\n")


def _draw_counts(chart: Chart, console: Console) -> None:
    """A line a label: how many stand at each place of the log scale as heights, those in gutters as numbers."""
    scale = chart.on_scale()
    console.print(f"[bold]{escape(chart.title)}[/bold]   {escape(chart.axes[0])}")
    names = _short_names(chart.labels, console.width)
    width = max(map(len, names), default=0)
    rows = [[0.0] * (BAR + 1) for _ in names]
    for name, share in scale.items():
        for place, count in enumerate(chart.series[name]):
            rows[place][round(share * BAR)] += count
    most = max([1.0, *(count for row in rows for count in row)])
    for place, (label, row) in enumerate(zip(names, rows, strict=True)):
        cells = "".join(HEIGHTS[math.ceil(count / most * len(HEIGHTS)) - 1] if count else "·" for count in row)
        beside = "  ".join(f"{name}: {values[place]:g}" for name, values in chart.series.items() if name not in scale)
        console.print(f"  {escape(f'{label:<{width}}')} {cells}  {escape(beside)}")
    ends = f"{chart.low:<{BAR - 2}g}{chart.high:>3g}"
    console.print(f"  {'':<{width}} {ends}  log scale   █ {most:g}\n")


DRAWN = {"dots": _draw, "lines": _draw_lines, "boxes": _draw_boxes, "counts": _draw_counts}
