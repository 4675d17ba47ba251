"""The layout of a table for a paper: its columns in pieces that fit the width, its rows in parts that fit the height.

The paper is unknown, so the layout is for the narrowest. What fits a column of the narrowest two-column papers stays
in one (`table`); what does not gets the whole width (`table*`, which in a one-column paper is the same), taken as that
of the narrowest pages. What is too wide even for that gets headings of several lines, then smaller print, then its
columns in pieces, each starting with the columns that identify its rows. Scaling a table until it fits would make it
unreadable, and rotating it would make readers turn the page. What is too high continues in further floats, because
`longtable` stops LaTeX with an error in two-column papers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from karat.data.result import Column, Result, Sheet, run_of
from karat.data.sheets import evenly, joined, pieces

COLUMN, PAGE, HEIGHT = 219.0, 345.0, 530.0
"""In points: a column of ACL papers; the text width of `article` and LNCS; the height of a float in both."""
WRAPPED_FROM = 40
"""Columns of text wrap if a cell has more characters than this."""
NARROWEST = 85.0
"""The smallest width of a wrapping column, in points, for ten-point print."""
MOST_CELL_LINES = 4
"""If cells have more lines than this, the table should be wider."""
MOST_HEADING_LINES = 3
"""The most lines of a heading."""
RULES = 14.0
"""The height of a table's rules and the space around it, in points."""
RAGGED = 1.15
"""Ragged lines hold less text by this factor."""
POINTS = {
    character: points
    for points, characters in (
        (2.8, "ijl.,;:!'`[]|"),
        (3.4, "f- "),
        (4.0, "rst()I"),
        (4.5, "cez"),
        (5.0, "ago0123456789/*–J"),
        (5.3, "kqvxy"),
        (5.6, "bdhnpuS?"),
        (7.3, "wEFLPTZB_"),
        (8.4, "m%&"),
        (9.3, "M"),
        (10.3, "W@—…"),
    )
    for character in characters
}
"""Widths in points of ten-point Computer Modern, the widest font of papers."""
OTHER, SQUARE = 7.9, 10.0
"""Capitals and signs; East Asian characters."""


@dataclass(frozen=True)
class Print:
    """A size of print: its width relative to ten points, its line spacing, the space on each side of a column."""

    name: str
    scale: float
    line: float
    gap: float


NORMAL = Print("normalsize", 1.0, 12.0, 6.0)
SMALL = Print("small", 0.94, 11.0, 5.0)
FINE = Print("footnotesize", 0.88, 9.5, 3.0)


@dataclass(frozen=True)
class TablePiece:
    """Some columns and rows of a table, set together."""

    columns: tuple[Column, ...]
    headings: tuple[tuple[str, ...], ...]
    """The lines of each heading."""
    shares: tuple[float | None, ...]
    """The share of the line width of a wrapping column; None for columns of natural width."""
    rows: range


@dataclass(frozen=True)
class TableLayout:
    """A table: whether it takes the whole width, its print, and its parts by float."""

    across: bool
    print: Print
    floats: tuple[tuple[TablePiece, ...], ...]


def laid_out(sheet: Sheet, caption: str = "", notes: Sequence[str] = ()) -> TableLayout:
    """The first layout that fits, with room for caption and notes."""
    for across, size, stacked in ((False, SMALL, False), (True, SMALL, False), (True, SMALL, True), (True, FINE, True)):
        shape = _Shape(sheet, PAGE if across else COLUMN, size, stacked)
        if shape.fits and (across or shape.most_lines() <= MOST_CELL_LINES):
            break
    else:  # in pieces, in larger print if that does not need more of them
        tried = [_Shape(sheet, PAGE, size, stacked=True) for size in (SMALL, FINE)]
        shape = min(tried, key=lambda one: len(one.pieces))
    words = NORMAL.line * (2 + lines_of(caption, shape.page, NORMAL))
    words += FINE.line * sum(lines_of(note, shape.page, FINE) for note in notes)
    return TableLayout(across, shape.size, shape.floats(max(HEIGHT - words, HEIGHT / 3)))


def best_rows(sheet: Sheet) -> dict[str, set[int]]:
    """The rows of the runs with the best value, as shown, in each column that has one; baselines do not compete."""
    runs = next((column.values for column in sheet.columns if column.name == "run"), None)
    found: dict[str, set[int]] = {}
    for column in (one for one in sheet.columns if one.name in sheet.best):
        values = {
            row: value
            for row, value in enumerate(column.values)
            if isinstance(value, int | float) and value == value and (runs is None or run_of(runs[row]) is not None)
        }
        texts = {row: column.text(value) for row, value in values.items()}
        if len(set(texts.values())) > 1:
            top = column.text(max(values.values()))
            found[column.name] = {row for row, text in texts.items() if text == top}
    return found


def notes_below(result: Result, sheet: Sheet) -> list[str]:
    """The notes below a table: its own, the meanings of its headings, and why cells are undefined."""
    meanings: dict[str, list[str]] = {}
    for column in sheet.columns:
        if column.note:
            meanings.setdefault(column.note, []).append(column.heading)
    told = [f"{', '.join(names)}: {note}" for note, names in meanings.items()]
    told = [one for one in told if one not in sheet.notes]
    reasons = result.reasons_shown([sheet])
    undefined = [f"– is undefined: {'; '.join(reasons)}"] if reasons else []
    return [*sheet.notes, *(["; ".join(told)] if told else []), *undefined]


def width(text: str) -> float:
    """The approximate width of a text in points, in ten-point print, rather too large than too small."""
    return sum(POINTS.get(character, SQUARE if character > "\u2e7f" else OTHER) for character in text)


def lines_of(text: str, room: float, size: Print) -> int:
    """How many lines a text takes."""
    needed = width(text) * size.scale
    return 1 if needed <= room else math.ceil(needed * RAGGED / room)


def chunks(heights: Sequence[float], room: float) -> list[range]:
    """Rows in as few groups as fit the room, as even as possible; a row higher than the room is a group by itself."""
    return evenly(partial(_stacked, heights), room)


def _stacked(heights: Sequence[float], room: float) -> list[range]:
    starts, used = [0], 0.0
    for row, height in enumerate(heights):
        if used + height > room and row > starts[-1]:
            starts.append(row)
            used = 0.0
        used += height
    return [range(start, end) for start, end in pairwise([*starts, len(heights)])]


def broken(heading: str, room: float) -> tuple[str, ...]:
    """A heading in lines no wider than `room`, as far as its words and the most lines of a heading allow."""
    words = heading.split() or [heading]
    limit = max(room, *map(width, words))
    while len(lines := _wrapped(words, limit)) > MOST_HEADING_LINES:
        limit *= 1.05
    return tuple(lines)


def _wrapped(words: Sequence[str], limit: float) -> list[str]:
    lines = [words[0]]
    for word in words[1:]:
        longer = f"{lines[-1]} {word}"
        if width(longer) <= limit:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


class _Shape:
    """A sheet in one size of print, for a page of one width."""

    def __init__(self, sheet: Sheet, page: float, size: Print, stacked: bool) -> None:
        self.columns, self.page, self.size = sheet.columns, page, size
        self.cells = [[column.text(value) for value in column.values] for column in self.columns]
        self.wraps = [
            not column.numeric and any(len(cell) > WRAPPED_FROM for cell in cells)
            for column, cells in zip(self.columns, self.cells, strict=True)
        ]
        self.needs = [max(map(width, cells), default=0.0) for cells in self.cells]
        rooms = [NARROWEST if wraps else need for wraps, need in zip(self.wraps, self.needs, strict=True)]
        self.headings = [
            broken(column.heading, room) if stacked or wraps else (column.heading,)
            for column, room, wraps in zip(self.columns, rooms, self.wraps, strict=True)
        ]
        bare = [max(room, *map(width, lines)) for room, lines in zip(rooms, self.headings, strict=True)]
        self.least = [points * size.scale for points in bare]
        """The smallest width of each column."""
        gap = 2 * size.gap  # none at the two ends
        across = [points + gap for points in self.least]
        # Rows that take half the page to identify are told by their first column, as they leave no room otherwise.
        naming = sheet.naming_columns
        naming = naming if sum(across[:naming]) <= page / 2 else 1
        self.pieces = pieces(across, page + gap, naming, joined(self.columns))

    def _across(self, places: Sequence[int]) -> float:
        """The smallest width of some columns together, without a gap at the ends."""
        return sum(self.least[place] + 2 * self.size.gap for place in places) - 2 * self.size.gap

    @property
    def fits(self) -> bool:
        """Whether all columns fit side by side."""
        return self._across(range(len(self.columns))) <= self.page

    def _widths(self, places: Sequence[int]) -> list[float]:
        """Wrapping columns share the remaining width in proportion to their needs."""
        lacking = [self.needs[p] * self.size.scale - self.least[p] if self.wraps[p] else 0.0 for p in places]
        wanted = sum(lack for lack in lacking if lack > 0)
        given = min(1.0, max(0.0, self.page - self._across(places)) / wanted) if wanted else 0.0
        return [self.least[p] + max(lack, 0.0) * given for p, lack in zip(places, lacking, strict=True)]

    def _lines(self, places: Sequence[int]) -> list[int]:
        """The number of lines of the highest cell in each row."""
        wide = [(p, width) for p, width in zip(places, self._widths(places), strict=True) if self.wraps[p]]
        rows = range(len(self.cells[0]))
        return [max((lines_of(self.cells[p][row], room, self.size) for p, room in wide), default=1) for row in rows]

    def most_lines(self) -> int:
        """The number of lines of the highest row, with all columns side by side."""
        return max(self._lines(range(len(self.columns))), default=1)

    def floats(self, room: float) -> tuple[tuple[TablePiece, ...], ...]:
        """Pieces of columns and parts of rows, as many in a float as fit its height."""
        made: list[list[TablePiece]] = [[]]
        left = room
        for places in self.pieces:
            above = RULES + self.size.line * max(len(self.headings[place]) for place in places)
            heights = [lines * self.size.line for lines in self._lines(places)]
            for rows in chunks(heights, room - above):
                needed = above + sum(heights[row] for row in rows)
                if needed > left and made[-1]:
                    made.append([])
                    left = room
                made[-1].append(self._part(places, rows))
                left -= needed
        return tuple(map(tuple, made))

    def _part(self, places: Sequence[int], rows: range) -> TablePiece:
        shares = [points / self.page for points in self._widths(places)]
        return TablePiece(
            tuple(self.columns[place] for place in places),
            tuple(self.headings[place] for place in places),
            tuple(share if self.wraps[place] else None for place, share in zip(places, shares, strict=True)),
            rows,
        )
