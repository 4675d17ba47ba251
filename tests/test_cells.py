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
    "\t=1", "\r=1", "\n@x", "\tx", "＝1", "＋1+1", "－2+3", "＠SUM(1)", "\ufeff=1", "\u200b=1", "\u00a0=1", "--1",
    "+", "-1.5+3", "-1e5x", "- a list", "+44 20 7946 0000",
]  # fmt: skip
PLAIN = [
    "",
    "-",
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


def read_back(columns: dict[str, list[object]], suffix: str) -> dict[str, list[str]]:
    """Columns after they have been written and read, without a problem."""
    document = document_of(f"x{suffix}", write_rows(columns, suffix), problems := Problems())
    assert document is not None
    rows = read_rows(document, problems)
    assert rows is not None
    assert not [problem for problem in problems if problem.code not in ("empty-line", "empty-line-at-end")]
    return dict(rows.values)


printable = texts.filter(lambda text: text.isprintable())


@given(st.lists(printable, min_size=2, max_size=4), st.sampled_from([".csv", ".tsv"]))
def test_every_cell_comes_back(cells: list[str], suffix: str) -> None:
    """Through a file and the reader of every table."""
    kept = [cell for cell in cells if suffix == ".csv" or cell.strip()]  # a line of blanks is an empty line
    assert read_back({"a": ["x", *cells], "b": ["y", *cells]}, suffix) == {"a": ["x", *kept], "b": ["y", *kept]}


separated = st.text(st.sampled_from(',;|"\t1a-'), min_size=1, max_size=5) | printable
headings = separated.filter(lambda text: text == text.strip() != "")


@given(st.lists(headings, min_size=1, max_size=4, unique=True), st.data())
def test_headings_come_back(names: list[str], data: st.DataObject) -> None:
    """A unit of a score matrix heads a column; every mark that separates fields may be in its name, and in cells."""
    rows = data.draw(st.lists(st.lists(separated, min_size=len(names), max_size=len(names)), min_size=1, max_size=3))
    columns: dict[str, list[object]] = {name: [row[at] for row in rows] for at, name in enumerate(names)}
    assert read_back(columns, ".csv") == columns


def test_headings_and_cells_with_separators() -> None:
    """Cases in which another separator would cut header and rows into as many fields."""
    for name, cell in [("1;;", "1;;"), (";", ";"), ("a|b", "c|d"), ("a\tb", "c\td"), ('"', '""""'), ('""', ";|")]:
        for suffix in (".csv", ".tsv") if "\t" not in name else (".csv",):
            assert read_back({name: [cell], "b": [-2.5]}, suffix) == {name: [cell], "b": ["-2.5"]}, (name, suffix)


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        (
            "id,text; or not\n1,a; b\n2,c; d; e\n3,f\n",
            {"id": ["1", "2", "3"], "text; or not": ["a; b", "c; d; e", "f"]},
        ),
        ("id;p, mean\n1;0,5\n2;1\n", {"id": ["1", "2"], "p, mean": ["0.5", "1"]}),
        ('id,"text | note"\n1,a\n2,b\n', {"id": ["1", "2"], "text | note": ["a", "b"]}),
        ('id,"two\nlines"\n1,"x\ny"\n', {"id": ["1"], "two\nlines": ["x\ny"]}),
        ('id,"a\tb"\n1,x\n', {"id": ["1"], "a\tb": ["x"]}),
        ('id\tthe "a\tb" of c\n1\tx\ty\n', {"id": ["1"], 'the "a': ["x"], 'b" of c': ["y"]}),
    ],
)
def test_the_separator_fits_most_rows(text: str, columns: dict[str, list[str]]) -> None:
    """Of marks that the header has, the one by which rows have as many fields as the header; none inside quotes."""
    rows = read_rows(document_of("x.csv", text.encode(), problems := Problems()), problems)  # type: ignore[arg-type]
    assert rows is not None
    assert rows.values == columns
