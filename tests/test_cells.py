"""The formula guard: what a spreadsheet could run is guarded, and comes back as it was."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.errors import Problems
from karat.files import guarded_cell, unguarded_cell
from karat.formats.documents import document_of
from karat.formats.rows import read_rows
from karat.formats.writing import write_rows

SIGNS = "=+-@＝＋－＠'\" \t\r\n\u00a0\u200b\ufeff,;.13eax"
texts = st.text(st.sampled_from(SIGNS), max_size=6) | st.text(max_size=12)
FORMULAS = [
    '=HYPERLINK("http://x")', "+1+cmd|' /C calc'!A0", "@SUM(1)", "-2+3", "'=1", "''=1", '"=1"', '""=1', " =1",
    "\t=1", "\r=1", "\n@x", "\tx", "＝1", "＋1+1", "－2+3", "＠SUM(1)", "\ufeff=1", "\u200b=1", "\u00a0=1", "--1", "-",
    "+", "-1.5+3", "-1e5x", "- a list", "+44 20 7946 0000",
]  # fmt: skip
PLAIN = [
    "",
    "a",
    "a=1",
    "'tis",
    "''",
    '"',
    "-1.5",
    "+3",
    "-.5",
    "-2e-9",
    "1",
    "– none",
    "−1",
    "a\t=1",
    -1.5,
    3,
    None,
    True,
]


def test_no_row_begins_inside_a_cell() -> None:
    """A carriage return ends a row for some readers of CSV."""
    written = write_rows({"a": ["It follows.\r=1+cmd|'/C calc'!A0"], "b\r=1": ["x"]}, ".csv").decode()
    assert "\r" not in written
    assert list(csv.reader(io.StringIO(written)))[1:] == [["It follows.\n=1+cmd|'/C calc'!A0", "x"]]


@pytest.mark.parametrize("text", FORMULAS)
def test_formulas_are_guarded(text: str) -> None:
    """One apostrophe, which is taken back."""
    text = text.replace("\r", "\n")
    assert guarded_cell(text) == f"'{text}"
    assert unguarded_cell(f"'{text}") == text


@pytest.mark.parametrize("value", PLAIN)
def test_the_rest_is_left_alone(value: object) -> None:
    """Numbers stay numbers, and words words, when they are written and when they are read."""
    assert guarded_cell(value) is value
    if isinstance(value, str):
        assert unguarded_cell(value) == value


@given(texts)
def test_every_text_comes_back(text: str) -> None:
    """Whatever it begins with."""
    assert unguarded_cell(guarded_cell(text)) == text.replace("\r\n", "\n").replace("\r", "\n")


@given(st.lists(texts.filter(lambda text: text.isprintable()), min_size=2, max_size=4), st.sampled_from(["csv", "tsv"]))
def test_every_cell_comes_back(cells: list[str], suffix: str) -> None:
    """Through a file and the reader of every table."""
    columns = {"a": ["x", *cells], "b": ["y", *cells]}
    document = document_of(f"x.{suffix}", write_rows(columns, f".{suffix}"), problems := Problems())
    assert document is not None
    kept = [cell for cell in cells if suffix == "csv" or cell.strip()]  # a line of blanks is an empty line
    rows = read_rows(document, problems)
    assert rows is not None
    assert rows.values == {"a": ["x", *kept], "b": ["y", *kept]}


@given(texts.filter(lambda text: text.isprintable() and text == text.strip() and text not in ("", "b")))
def test_headings_come_back(name: str) -> None:
    """A unit of a score matrix heads a column."""
    document = document_of("x.csv", write_rows({name: ["1"], "b": [-2.5]}, ".csv"), problems := Problems())
    assert document is not None
    rows = read_rows(document, problems)
    assert rows is not None
    assert rows.values == {name: ["1"], "b": ["-2.5"]}
