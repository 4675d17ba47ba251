"""How tables are laid out for a paper: in as few pieces and parts as can be, and each as wide as was reckoned."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.data.result import Column, Sheet
from karat.data.sheets import pieces
from karat.render.paper import (
    COLUMN,
    FINE,
    MOST_HEADING_LINES,
    PAGE,
    SMALL,
    broken,
    chunks,
    laid_out,
    lines_of,
    width,
)

SIZES = st.lists(st.floats(1, 60), min_size=1, max_size=8)


def fewest(sizes: Sequence[float], room: float, first: float = 0.0) -> int:
    """The fewest runs of sizes that fit the room beside `first`, by trying every way; one alone always may."""
    for cuts in range(len(sizes)):
        for ends in combinations(range(1, len(sizes)), cuts):
            runs = [sizes[a:b] for a, b in zip((0, *ends), (*ends, len(sizes)), strict=True)]
            if all(len(run) == 1 or first + sum(run) <= room for run in runs):
                return len(runs)
    return len(sizes)


@settings(max_examples=60)
@given(st.floats(1, 60), SIZES, st.floats(20, 200))
def test_pieces(first: float, rest: list[float], page: float) -> None:
    """Each column is in one piece, in order, after the first; a piece fits the page, and there are as few as can be."""
    made = pieces([first, *rest], page)
    assert all(piece[0] == 0 and len(piece) > 1 for piece in made)
    assert [place for piece in made for place in piece[1:]] == list(range(1, len(rest) + 1))
    for piece in made:
        assert len(piece) == 2 or sum([first, *rest][place] for place in piece) <= page
    assert len(made) == fewest(rest, page, first)


@settings(max_examples=60)
@given(SIZES, st.floats(10, 200))
def test_chunks(heights: list[float], room: float) -> None:
    """Each row is in one part, in order; a part has room, and there are as few as can be."""
    made = chunks(heights, room)
    assert [row for rows in made for row in rows] == list(range(len(heights)))
    assert all(len(rows) == 1 or sum(heights[row] for row in rows) <= room for rows in made)
    assert len(made) == fewest(heights, room)


def test_even() -> None:
    """Pieces and parts are about even: none has one left over."""
    assert [len(piece) for piece in pieces([50.0] + [30.0] * 10, 320)] == [6, 6]
    assert [len(rows) for rows in chunks([11.0] * 46, 480)] == [23, 23]
    assert chunks([], 100) == [range(0)]
    assert chunks([], -5) == [range(0)]
    assert pieces([400.0], 345) == [[0]]


@pytest.mark.parametrize(
    ("heading", "room", "lines"),
    [
        ("accuracy", 10, ("accuracy",)),
        ("mean precision", 60, ("mean", "precision")),
        ("mean precision", 90, ("mean precision",)),
        ("right only with", 30, ("right", "only", "with")),
        ("", 10, ("",)),
    ],
)
def test_headings(heading: str, room: float, lines: tuple[str, ...]) -> None:
    """A heading is broken where its column is narrower, between words alone."""
    assert broken(heading, room) == lines


@given(st.text(alphabet="abc mW", max_size=60))
def test_headings_keep_words(heading: str) -> None:
    """No heading loses a word or has too many lines."""
    lines = broken(heading, 20)
    assert " ".join(lines).split() == heading.split()
    assert len(lines) <= MOST_HEADING_LINES


def numbers(columns: int, rows: int, name: str = "m") -> Sheet:
    """A sheet of numbers of four digits."""
    runs = Column("run", [f"run{row}" for row in range(rows)])
    return Sheet("", (runs, *(Column(f"{name}{at}", [0.5] * rows, 4) for at in range(columns))))


def test_steps() -> None:
    """A table goes from a column to the whole width, to headings in lines, to finer print, and then in pieces."""
    layouts = {count: laid_out(numbers(count, 3)) for count in range(1, 30)}
    shapes = [(one.across, one.print.name, len(one.floats[0])) for one in layouts.values()]
    assert shapes[0] == (False, "small", 1)
    assert list(dict.fromkeys((across, parts > 1) for across, _, parts in shapes)) == [
        (False, False),
        (True, False),
        (True, True),
    ]
    assert {(across, name) for across, name, _ in shapes} >= {(True, "small"), (True, "footnotesize")}
    assert [parts for *_, parts in shapes] == sorted(parts for *_, parts in shapes)
    stacked = laid_out(numbers(5, 3, "a heading of many words "))
    assert (stacked.across, stacked.print, len(stacked.floats[0])) == (True, SMALL, 1)
    assert len(stacked.floats[0][0].headings[1]) > 1


def naive_width(sheet: Sheet, size: float, gap: float) -> float:
    """How wide a sheet of one-line headings is, letter by letter."""
    wide = [max(width(text) for text in (column.name, *map(column.text, column.values))) for column in sheet.columns]
    return sum(wide) * size + 2 * gap * (len(wide) - 1)


@pytest.mark.parametrize("count", range(1, 12))
def test_narrowest_is_taken(count: int) -> None:
    """A table is in a column exactly where it fits, and in small print on the page exactly where it fits that."""
    sheet = numbers(count, 3)
    layout = laid_out(sheet)
    assert layout.across == (naive_width(sheet, SMALL.scale, SMALL.gap) > COLUMN)
    if layout.across and len(layout.floats[0]) == 1:
        assert naive_width(sheet, layout.print.scale, layout.print.gap) <= PAGE
        assert (layout.print == FINE) == (naive_width(sheet, SMALL.scale, SMALL.gap) > PAGE)


def test_sentences() -> None:
    """Sentences share what numbers leave of the line, and a row is as high as its longest takes lines."""
    said = "word " * 60
    sheet = Sheet("", (Column("run", ["a", "b"]), Column("x", [0.5, 0.25], 2), Column("said", [said, said])))
    [[part]] = laid_out(sheet).floats
    assert part.shares[:2] == (None, None)
    assert part.shares[2] is not None
    assert 0.7 < part.shares[2] < 0.95
    assert laid_out(sheet).across
    # 60 times 25.3 points, 0.94 of that in small print, filled to 1 in 1.15: 1641 points in lines of 294.
    assert lines_of(said, part.shares[2] * PAGE, SMALL) == 6
    high = Sheet("", (Column("run", ["a"] * 40), Column("said", [said] * 40)))
    assert len(laid_out(high).floats) > 3


def test_words_take_room() -> None:
    """A long caption and long notes leave room for fewer rows."""
    sheet = numbers(2, 40)
    assert len(laid_out(sheet).floats) == 1
    assert len(laid_out(sheet, "caption", ["a note " * 100]).floats) == 2
    assert len(laid_out(sheet, "caption", ["a note " * 9000]).floats) < 5


@pytest.mark.parametrize("name", ["<b>$x$", "日本語" * 30, "a\0b", "", "x" * 400, "many words " * 40])
def test_hostile_names(name: str) -> None:
    """Whatever runs are called, every row is laid out once and no share is more than the line."""
    sheet = Sheet("", (Column("run", [name, "b"]), Column(name, [0.5, float("nan")], 4)))
    parts = [part for parts in laid_out(sheet).floats for part in parts]
    assert [row for part in parts for row in part.rows] == [0, 1]
    assert all(share <= 1 for part in parts for share in part.shares if share)
    assert re.sub(r"\s", "", "".join(parts[0].headings[1])) == re.sub(r"\s", "", name)
