"""How a table is laid out for a paper: its columns in pieces as wide as a page, its rows in parts as high as one.

Nobody knows here which paper a table goes into, so it is made for the narrowest. What fits a column of the narrowest
two-column papers stays in one (`table`); what does not has the whole width (`table*`, which in a paper of one column
is the same), reckoned as that of the narrowest pages. What is too wide for that has its headings in several lines,
then smaller print, then its columns in pieces, each beginning with the first column. To scale a table until it fits
makes print that nobody can read, and on its side it makes readers turn the page. What is too high goes on in further
floats: `longtable` stops LaTeX with an error in papers of two columns.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TypeVar

from karat.data.result import Cell, Column, Sheet

T = TypeVar("T")
COLUMN, PAGE, HEIGHT = 219.0, 345.0, 530.0
"""In points: a column of the ACL's papers; the width of `article` and of LNCS; what both have for a float's height."""
SENTENCE = 40
"""Columns of words wrap where one has more characters than this."""
NARROWEST = 85.0
"""Points that a column that wraps has at least, in print of ten points."""
LINES = 4
"""Cells of more lines than this want a wider table."""
HEADING = 3
"""A heading has at most so many lines."""
RULES = 14.0
"""Points that the rules of a table and the space around it take."""
RAGGED = 1.15
"""Lines that are not justified are filled less."""
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
"""Of print of ten points in Computer Modern, the widest that papers are set in."""
OTHER, SQUARE = 7.9, 10.0
"""Capitals and signs; letters of East Asia."""


@dataclass(frozen=True)
class Print:
    """A size of print: its width against ten points, the distance of its lines, the space on each side of a column."""

    name: str
    scale: float
    line: float
    gap: float


NORMAL = Print("normalsize", 1.0, 12.0, 6.0)
SMALL = Print("small", 0.94, 11.0, 5.0)
FINE = Print("footnotesize", 0.88, 9.5, 3.0)


@dataclass(frozen=True)
class Part:
    """Some columns of some rows."""

    columns: tuple[Column, ...]
    headings: tuple[tuple[str, ...], ...]
    """The lines of each."""
    shares: tuple[float | None, ...]
    """What share of the line a column has that wraps; the others are as wide as they are."""
    rows: range


@dataclass(frozen=True)
class Layout:
    """A table: whether it has the whole width, its print, and its parts, float by float."""

    across: bool
    print: Print
    floats: tuple[tuple[Part, ...], ...]


def laid_out(sheet: Sheet, caption: str = "", notes: Sequence[str] = ()) -> Layout:
    """The first layout that fits, with room for what stands above and below."""
    for across, size, stacked in ((False, SMALL, False), (True, SMALL, False), (True, SMALL, True), (True, FINE, True)):
        shape = _Shape(sheet, PAGE if across else COLUMN, size, stacked)
        if shape.fits and (across or shape.most_lines() <= LINES):
            break
    else:  # in pieces, and in larger print where that makes no more of them
        tried = [_Shape(sheet, PAGE, size, stacked=True) for size in (SMALL, FINE)]
        shape = min(tried, key=lambda one: len(one.pieces))
    words = NORMAL.line * (2 + lines_of(caption, shape.page, NORMAL))
    words += FINE.line * sum(lines_of(note, shape.page, FINE) for note in notes)
    return Layout(across, shape.size, shape.floats(max(HEIGHT - words, HEIGHT / 3)))


def shown(column: Column, value: Cell) -> str:
    """What stands in a cell: the hyphen of a number is its sign."""
    text = column.text(value)
    return f"−{text[1:]}" if column.numeric and text.startswith("-") else text


def width(text: str) -> float:
    """About how many points a text takes in print of ten points: rather too many than too few."""
    return sum(POINTS.get(character, SQUARE if character > "\u2e7f" else OTHER) for character in text)


def lines_of(text: str, room: float, size: Print) -> int:
    """How many lines a text takes."""
    needed = width(text) * size.scale
    return 1 if needed <= room else math.ceil(needed * RAGGED / room)


def pieces(widths: Sequence[float], page: float) -> list[list[int]]:
    """Columns by number, in as few groups as fit the page, each with the first; no group wider than need be."""
    return _evenly(partial(_side_by_side, widths), page)


def chunks(heights: Sequence[float], room: float) -> list[range]:
    """Rows in as few groups as fit the room, none higher than need be; a row higher than the room stands alone."""
    return _evenly(partial(_stacked, heights), room)


def _evenly(fill: Callable[[float], list[T]], room: float) -> list[T]:
    """Groups that are filled up to less than the room, as long as that makes no more of them."""
    made = fill(room)
    for less in range(int(room), 0, -5):
        tried = fill(less)
        if len(tried) > len(made):
            break
        made = tried
    return made


def _side_by_side(widths: Sequence[float], page: float) -> list[list[int]]:
    made = [[0]]
    for place in range(1, len(widths)):
        if len(made[-1]) > 1 and sum(widths[one] for one in made[-1]) + widths[place] > page:
            made.append([0])
        made[-1].append(place)
    return made


def _stacked(heights: Sequence[float], room: float) -> list[range]:
    starts, used = [0], 0.0
    for row, height in enumerate(heights):
        if used + height > room and row > starts[-1]:
            starts.append(row)
            used = 0.0
        used += height
    return [range(start, end) for start, end in pairwise([*starts, len(heights)])]


def broken(heading: str, room: float) -> tuple[str, ...]:
    """A heading in lines that are no wider than `room`, where its words and `HEADING` allow that."""
    words = heading.split() or [heading]
    limit = max(room, *map(width, words))
    while len(lines := _wrapped(words, limit)) > HEADING:
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
        self.cells = [[shown(column, value) for value in column.values] for column in self.columns]
        self.wraps = [
            not column.numeric and any(len(cell) > SENTENCE for cell in cells)
            for column, cells in zip(self.columns, self.cells, strict=True)
        ]
        self.needs = [max(map(width, cells), default=0.0) for cells in self.cells]
        rooms = [NARROWEST if wraps else need for wraps, need in zip(self.wraps, self.needs, strict=True)]
        self.headings = [
            broken(column.name, room) if stacked or wraps else (column.name,)
            for column, room, wraps in zip(self.columns, rooms, self.wraps, strict=True)
        ]
        bare = [max(room, *map(width, lines)) for room, lines in zip(rooms, self.headings, strict=True)]
        self.least = [points * size.scale for points in bare]
        """What each column must have."""
        gap = 2 * size.gap  # there is none at the ends
        self.pieces = pieces([points + gap for points in self.least], page + gap)

    def _across(self, places: Sequence[int]) -> float:
        """How wide some columns are at least: there is no gap at the ends."""
        return sum(self.least[place] + 2 * self.size.gap for place in places) - 2 * self.size.gap

    @property
    def fits(self) -> bool:
        """Whether all columns stand beside each other."""
        return self._across(range(len(self.columns))) <= self.page

    def _widths(self, places: Sequence[int]) -> list[float]:
        """Columns that wrap share what is left over, each as it needs it."""
        lacking = [self.needs[p] * self.size.scale - self.least[p] if self.wraps[p] else 0.0 for p in places]
        wanted = sum(lack for lack in lacking if lack > 0)
        given = min(1.0, max(0.0, self.page - self._across(places)) / wanted) if wanted else 0.0
        return [self.least[p] + max(lack, 0.0) * given for p, lack in zip(places, lacking, strict=True)]

    def _lines(self, places: Sequence[int]) -> list[int]:
        """Of each row, how many lines its highest cell has."""
        wide = [(p, width) for p, width in zip(places, self._widths(places), strict=True) if self.wraps[p]]
        rows = range(len(self.cells[0]))
        return [max((lines_of(self.cells[p][row], room, self.size) for p, room in wide), default=1) for row in rows]

    def most_lines(self) -> int:
        """Of the highest row, all columns beside each other."""
        return max(self._lines(range(len(self.columns))), default=1)

    def floats(self, room: float) -> tuple[tuple[Part, ...], ...]:
        """Pieces by columns and parts by rows, as many in a float as its height has room for."""
        made: list[list[Part]] = [[]]
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

    def _part(self, places: Sequence[int], rows: range) -> Part:
        shares = [points / self.page for points in self._widths(places)]
        return Part(
            tuple(self.columns[place] for place in places),
            tuple(self.headings[place] for place in places),
            tuple(share if self.wraps[place] else None for place, share in zip(places, shares, strict=True)),
            rows,
        )
