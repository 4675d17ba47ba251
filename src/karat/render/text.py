"""Text: tables for people, with headings in bold on a terminal and plain in a pipe."""

from __future__ import annotations

import io

from rich import box
from rich.cells import cell_len
from rich.table import Table as RichTable
from rich.text import Text

from karat.data.composite import Opening
from karat.data.result import Column, Result, Sheet
from karat.data.sheets import joined
from karat.data.sheets import pieces as fitting
from karat.errors import spelled_out
from karat.render.characters import LONGEST_NARROW_NAME, PAGE_WIDTH, Terminal, draw
from karat.render.escaped import BREAK
from karat.render.scale import in_unit

WRAPPED_FROM = 48
"""Longer texts wrap."""
MOST_ROWS = 1000
"""The most rows shown of a table: nobody reads on, and a terminal takes milliseconds for each."""
GAP = 3
"""The space between two columns."""
MOST_NAMING, MOST_SHORT = 0.7, 12
"""The share of a narrow page for what identifies a row; a column up to this wide does not wrap."""
LEAST_LAST = 14
"""Texts in the last column wrap if they have at least this room."""


def render(result: Result, verbose: bool = False) -> str:
    """All sheets, charts and findings, and the signature, without colour."""
    console = _page()
    show(result, console, verbose)
    return _printed(console)


def table(result: Result, sheet: Sheet, verbose: bool = False) -> str:
    """One sheet of the result, and the signature."""
    console = _page()
    show_table(result, sheet, console, verbose)
    return _printed(console)


def _page() -> Terminal:
    return Terminal(file=io.StringIO(), width=PAGE_WIDTH, no_color=True, soft_wrap=True)


def _printed(console: Terminal) -> str:
    assert isinstance(console.file, io.StringIO)
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines()) + "\n"


def show(result: Result, console: Terminal, verbose: bool = False) -> None:
    """Print a result to a console; a composite result begins with its first screen, then come its parts."""
    said: set[str] = set()
    if result.chapters():
        console.say(result.heading, style="bold")
        _open(result, console, said)
    for chapter in result.chapters():
        console.rule(chapter.heading, align="left")
        _show_body(chapter.result, console, said)
        console.say(str(chapter.result.signature) if verbose else chapter.result.signature.short, style="dim")
    _show_body(result, console, said)
    console.say(result.signature.told(verbose), style="dim")


LEVELS = {"good": "✓ ", "caution": "! ", "bad": "✗ ", "unknown": "? "}
"""The marks of grades."""


def _open(result: Result, console: Terminal, said: set[str]) -> None:
    """Facts, and in each way the verdict, the resolution, the grades and the leaderboard; then other findings."""
    opening = result.first_screen() or Opening((), (), ())
    console.say(" · ".join([*opening.facts, f"karat {result.signature.version}"]), style="dim")
    console.print()
    for verdict, view, grades in opening.in_words():
        if view is not None:
            console.say(verdict, style="bold")
            if view.resolution:
                console.say(view.resolution)
            said.update((view.verdict, view.resolution))
        for one in grades:
            console.say(f"{one.grade.part}: {one.grade.word} – {one.grade.text}", LEVELS[one.grade.level])
        console.print()
        if view is not None:
            whole = view.board.first_sheet()
            _show_sheet(whole if len(pieces(whole, console.width)) == 1 else view.board.first_sheet(True), console)
    _find(result, console, said)
    console.print()


def _find(result: Result, console: Terminal, said: set[str]) -> None:
    """The findings that were not said before."""
    for sentence in result.findings():
        if sentence not in said:
            console.say(sentence, "• ")
    said.update(result.findings())


def show_table(result: Result, sheet: Sheet, console: Terminal, verbose: bool = False) -> None:
    """Print one sheet of a result to a console."""
    _show_sheet(sheet, console)
    _explain(result, [sheet], console)
    console.say(result.signature.told(verbose), style="dim")


def _show_body(result: Result, console: Terminal, said: set[str]) -> None:
    """The sheets, charts and further findings of a result."""
    if lines := result.lines():
        for line in lines:
            console.print(line, soft_wrap=True)
    for sheet in result.sheets()[1 if lines else 0 :]:  # the first has the lines as a table
        _show_sheet(sheet, console)
    for chart in [] if result.chapters() else result.charts():
        draw(in_unit(chart), console)
    _find(result, console, said)
    _explain(result, result.sheets(), console)


def _explain(result: Result, sheets: list[Sheet], console: Terminal) -> None:
    if reasons := result.reasons_shown(sheets):
        console.say(f"– is undefined: {'; '.join(reasons)}.", style="dim")


def _show_sheet(sheet: Sheet, console: Terminal) -> None:
    """A sheet, in several pieces if it is wider than the page; numbers are never truncated."""
    console.say(sheet.title, style="bold")
    size = len(sheet.columns[0].values)
    notes = list(sheet.notes)
    if sheet.whole:
        notes.append("--all shows all rows.")
    if size > MOST_ROWS:
        notes.append(f"{size - MOST_ROWS:,} more rows are not shown: --format csv --table, or json, has all of them.")
        sheet = sheet.ordered(range(MOST_ROWS))
    rooms = narrow_rooms(sheet, console.width)
    for piece in pieces(sheet, console.width):
        table = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
        room_of: list[int | None] = []
        for place, column in enumerate(piece):
            # Numbers are not broken, and names only if there is no room for them; sentences wrap.
            wraps = place > 0 and not column.numeric and _longest(column) > WRAPPED_FROM
            room = rooms.get(column.name, WRAPPED_FROM if wraps else None)
            room_of.append(room)
            table.add_column(
                column.heading,
                justify="right" if column.numeric else "left",
                no_wrap=room is None,
                max_width=room,
                overflow="fold",
            )
        for row in Sheet("", piece).rows():
            table.add_row(*(broken(text, room) for text, room in zip(row, room_of, strict=True)))
        console.print()
        console.print(table)
    if notes:
        console.print()
    for note in notes:
        console.say(note, "  ", style="dim")
    console.print()


def broken(name: str, room: int | None) -> str | Text:
    """A name in lines of at most this width, broken after a sign such as _ or + where it has one."""
    name = spelled_out(name)  # the line breaks are only those made here
    if room is None or cell_len(name) <= room or " " in name:
        return name
    lines = [""]
    for part in BREAK.split(name):
        if lines[-1] and cell_len(lines[-1] + part) > room:
            lines.append("")
        lines[-1] += part
    return Text("\n".join(lines))


def pieces(sheet: Sheet, width: int) -> list[tuple[Column, ...]]:
    """The columns in groups that fit the width, each starting with the columns that identify a row."""
    columns, naming, rooms = sheet.columns, sheet.naming_columns, narrow_rooms(sheet, width)
    widths = [rooms[one.name] + GAP if one.name in rooms else _width(one) for one in columns]
    if sum(widths[:naming]) + max(widths[naming:], default=0) > width:
        naming = 1  # what identifies the rows leaves no room for anything else
    # There is no space beside the last column.
    groups = fitting(widths, width + GAP, naming, joined(columns))
    return [tuple(columns[place] for place in places) for places in groups]


def narrow_rooms(sheet: Sheet, width: int) -> dict[str, int]:
    """The widths at which long names that identify rows wrap, by column, and texts in the last, if room is scarce."""
    columns = sheet.columns[: sheet.naming_columns]
    # A name may take half the width if everything fits beside it, and must not where the table is split anyway.
    crowded = _width(columns[0]) > width / 2 or sum(map(_width, sheet.columns)) > width + GAP
    long = [one for one in columns if not one.numeric and _width(one) > MOST_SHORT]
    if not crowded or width >= PAGE_WIDTH:
        return {}
    taken = sum(map(_width, columns)) - sum(map(_width, long))
    room = max(min(LONGEST_NARROW_NAME, int((MOST_NAMING * width - taken) / max(len(long), 1)) - GAP), MOST_SHORT)
    rooms = {one.name: room for one in long if _longest(one) > room}
    *others, last = sheet.columns
    left = width - sum(rooms[one.name] + GAP if one.name in rooms else _width(one) for one in others)
    # Words at the end of a row wrap before the table is split.
    return rooms | ({last.name: left} if not last.numeric and LEAST_LAST <= left < _longest(last) else {})


def _longest(column: Column) -> int:
    return max([cell_len(column.heading), *(cell_len(column.text(value)) for value in column.values)])


def _width(column: Column) -> int:
    """The width of a column, with the space beside it."""
    return GAP + (_longest(column) if column.numeric else min(_longest(column), WRAPPED_FROM))
