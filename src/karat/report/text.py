"""Text: tables for people; coloured on a terminal, plain where it is piped."""

from __future__ import annotations

import io
from collections.abc import Sequence
from itertools import pairwise

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable

from karat.data.result import Chart, Column, Result, Sheet

BAR = 40
"""Width of a drawn scale, in characters."""
MARKS = "●◆▲■"
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
    """A line a label, a mark a series."""
    legend = "  ".join(f"{mark} {escape(name)}" for mark, name in zip(MARKS, chart.series, strict=False))
    console.print(f"[bold]{escape(chart.title)}[/bold]   {legend}")
    names = _short_names(chart.labels, console.width)
    width = max(map(len, names), default=0)
    together = False
    for place, label in enumerate(names):
        cells = ["·"] * (BAR + 1)
        for mark, values in zip(MARKS, chart.series.values(), strict=False):
            value = values[place]
            if value == value:
                at = round((value - chart.low) / (chart.high - chart.low) * BAR)
                together |= cells[at] != "·"
                cells[at] = mark if cells[at] == "·" else "✚"
        console.print(f"  {escape(f'{label:<{width}}')} {''.join(cells)}")
    several = "   ✚ several" if together else ""
    console.print(f"  {'':<{width}} {chart.low:<{BAR - 2}g}{chart.high:>3g}{several}\n")


def _draw_lines(chart: Chart, console: Console) -> None:
    """A series a line, its values as heights; where it begins and ends, and where it meets the rule."""
    first, last = chart.reach
    console.print(f"[bold]{escape(chart.title)}[/bold]   {escape(chart.axes[1])} by {escape(chart.axes[0])}")
    width = max(map(len, chart.series), default=0)
    for name in chart.series:
        points = chart.points(name)
        columns = [((x - first) / (last - first) * BAR, y) for x, y in points]
        cells = [" "] * (BAR + 1)
        for column, y in _without_holes(columns):
            share = min(max((y - chart.low) / (chart.high - chart.low), 0.0), 1.0)
            cells[column] = HEIGHTS[round(share * (len(HEIGHTS) - 1))]
        ends = f"{points[0][1]:.3f} → {points[-1][1]:.3f}" if points else "–"
        met = [] if chart.rule is None else _crossings(points, chart.rule)
        # A line that goes to and fro across the rule meets it nowhere in particular.
        ends += f"   {chart.rule:g} at {met[0]:.{0 if last - first > BAR else 3}f}" if len(met) == 1 else ""
        console.print(f"  {escape(f'{name:<{width}}')} {''.join(cells)}  {ends}")
    console.print(f"  {'':<{width}} {first:<{BAR - 8}.6g}{last:>9.6g}   ▁ {chart.low:g}  █ {chart.high:.3g}\n")


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


def _crossings(points: list[tuple[float, float]], rule: float) -> list[float]:
    """Where a line through the points crosses a value."""
    made = []
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
    console.print(f"  {'':<{width}} {chart.low:<{BAR - 2}g}{chart.high:>3g}\n")


DRAWN = {"dots": _draw, "lines": _draw_lines, "boxes": _draw_boxes}
