"""Text: tables for people, coloured on a terminal and plain in a pipe."""

from __future__ import annotations

import io
from dataclasses import replace

from rich import box
from rich.table import Table as RichTable

from karat.data.result import Column, Result, Sheet
from karat.render.characters import PAGE_WIDTH, Terminal, draw, short_names

WRAPPED_FROM = 48
"""Longer texts wrap."""
MOST_ROWS = 1000
"""The most rows shown of a table: nobody reads on, and a terminal takes milliseconds for each."""


def render(result: Result) -> str:
    """All sheets, charts and findings, and the signature, without colour."""
    console = Terminal(file=io.StringIO(), width=PAGE_WIDTH, no_color=True, highlight=False, soft_wrap=True)
    show(result, console)
    assert isinstance(console.file, io.StringIO)
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines()) + "\n"


def show(result: Result, console: Terminal) -> None:
    """Print a result to a console; the parts of a composite result come first."""
    for chapter in result.chapters():
        console.rule(chapter.heading, align="left")
        show(chapter.result, console)
    if lines := result.lines():
        for line in lines:
            console.print(line, soft_wrap=True)
    else:
        for sheet in result.sheets():
            _show_sheet(sheet, console)
    for chart in [] if result.chapters() else result.charts():
        draw(chart, console)
    for sentence in result.findings():
        console.print(f"• {sentence}")
    if reasons := result.reasons_shown():
        console.print(f"– is undefined: {'; '.join(reasons)}.", style="dim")
    console.print(str(result.signature), style="dim")


def _show_sheet(sheet: Sheet, console: Terminal) -> None:
    """A sheet, in several pieces if it is wider than the page; numbers are never truncated."""
    console.print(sheet.title, style="bold")
    size = len(sheet.columns[0].values)
    if size > MOST_ROWS:
        more = f"{size - MOST_ROWS:,} more rows are not shown: --format csv --table, or json, has all of them."
        sheet = replace(sheet.ordered(range(MOST_ROWS)), notes=(*sheet.notes, more))
    for piece in pieces(sheet, console.width):
        table = RichTable(box=box.SIMPLE_HEAD, pad_edge=False)
        for column in piece:
            # Numbers and names are not broken; sentences wrap.
            wraps = column is not piece[0] and not column.numeric and _longest(column) > WRAPPED_FROM
            table.add_column(
                column.heading,
                justify="right" if column.numeric else "left",
                no_wrap=not wraps,
                max_width=WRAPPED_FROM if wraps else None,
                overflow="fold",
            )
        for row in Sheet("", piece).rows():
            table.add_row(*row)
        console.print(table)
    for note in sheet.notes:
        console.print(f"  {note}", style="dim")
    console.print()


def pieces(sheet: Sheet, width: int) -> list[tuple[Column, ...]]:
    """The columns in groups that fit the width, each starting with the first column, which names the rows."""
    first, *rest = sheet.columns
    if _width(first) > width / 2 or (width < PAGE_WIDTH and _width(first) + sum(map(_width, rest)) > width):
        first = Column(first.name, short_names([first.text(value) for value in first.values], width))
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
    return max([len(column.heading), *(len(column.text(value)) for value in column.values)])


def _width(column: Column) -> int:
    """The width of a column, with the space around it."""
    return 3 + (_longest(column) if column.numeric else min(_longest(column), WRAPPED_FROM))
