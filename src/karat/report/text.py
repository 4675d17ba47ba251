"""Text: tables for people; coloured on a terminal, plain where it is piped."""

from __future__ import annotations

import io

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable

from karat.data.result import Chart, Result, Sheet

BAR = 40
"""Width of a drawn scale, in characters."""
MARKS = "●◆▲■"


def render(result: Result) -> str:
    """All sheets, charts and findings, and the signature, without colour."""
    console = Console(file=io.StringIO(), width=400, no_color=True, highlight=False, soft_wrap=True)
    show(result, console)
    assert isinstance(console.file, io.StringIO)
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines()) + "\n"


def show(result: Result, console: Console) -> None:
    """Print a result to a console."""
    for sheet in result.sheets():
        console.print(f"[bold]{escape(sheet.title)}[/bold]")
        console.print(_table(sheet))
        for note in sheet.notes:
            console.print(f"  {escape(note)}", style="dim")
        console.print()
    for chart in result.charts():
        _draw(chart, console)
    for sentence in result.findings():
        console.print(f"• {escape(sentence)}")
    if result.undefined:
        reasons = dict.fromkeys(undefined.reason for undefined in result.undefined)
        console.print(f"– is undefined: {escape('; '.join(reasons))}.", style="dim")
    console.print(escape(str(result.signature)), style="dim")


def _table(sheet: Sheet) -> RichTable:
    table = RichTable(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in sheet.columns:
        table.add_column(escape(column.name), justify="right" if column.numeric else "left", no_wrap=True)
    for row in sheet.rows():
        table.add_row(*map(escape, row))
    return table


def _draw(chart: Chart, console: Console) -> None:
    """A line a label, a mark a series."""
    legend = "  ".join(f"{mark} {escape(name)}" for mark, name in zip(MARKS, chart.series, strict=False))
    console.print(f"[bold]{escape(chart.title)}[/bold]   {legend}")
    width = max(map(len, chart.labels), default=0)
    for place, label in enumerate(chart.labels):
        cells = ["·"] * (BAR + 1)
        for mark, values in zip(MARKS, chart.series.values(), strict=False):
            value = values[place]
            if value == value:
                at = round((value - chart.low) / (chart.high - chart.low) * BAR)
                # Marks that fall together are shown as one.
                cells[at] = mark if cells[at] == "·" else "✚"
        console.print(f"  {escape(label):<{width}} {''.join(cells)}")
    console.print(f"  {'':<{width}} {chart.low:<{BAR - 2}g}{chart.high:>3g}   ✚ several\n")
