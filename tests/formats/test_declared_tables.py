"""Tests of declared tables: columns are found by any of their names, and cells are read as declared."""

from __future__ import annotations

from karat.align.columns import Columns
from karat.errors import Problems
from karat.formats.documents import document_of
from karat.formats.registry import Formats, read_columns
from karat.formats.rows import Col, WrongCell, certain_of, declare_table
from karat.formats.sniffing import Fit


def _size(text: str) -> int:
    if not text.isdecimal():
        raise WrongCell("score", f"size {text!r}", -1)
    return int(text)


COLUMNS = {"name": Col(("name", "called")), "size": Col(("size",), kind=_size), "note": Col(("note",), needed=False)}
FRUIT = Formats("fruit", "fruit", {})
declare_table(FRUIT, COLUMNS, what="fruit", sniff=certain_of(COLUMNS["name"], COLUMNS["size"]), cells=dict)


def read(content: str) -> tuple[Columns | None, list[tuple[str, int | None]]]:
    """What is read, and the code and line of each problem."""
    problems = Problems()
    document = document_of("fruit.csv", content.encode(), problems)
    assert document is not None
    columns = read_columns(FRUIT, document, problems)
    return columns, [(problem.code, problem.line) for problem in problems]


def test_read() -> None:
    """A column goes by any of its names; one that is not needed may be missing."""
    columns, told = read("called,size\n apple ,7\n")
    assert columns is not None
    assert (columns.values, columns.get("note"), told) == ({"name": ["apple"], "size": [7]}, None, [])


def test_a_wrong_cell() -> None:
    """It is reported with its line, and counts as what its reader says."""
    columns, told = read("name,size,note\napple,7,\npear,big,green\n")
    assert columns is not None
    assert (columns["size"], columns["note"], told) == ([7, -1], ["", "green"], [("score", 3)])


def test_a_missing_column() -> None:
    """Such a file is not taken for a table; named as one, the column is asked for."""
    assert read("name,note\napple,\n")[1] == [("format", None)]
    problems = Problems()
    document = document_of("fruit.csv", b"name,note\napple,\n", problems)
    assert document is not None
    assert read_columns(FRUIT, document, problems, "table") is None
    assert [(problem.code, problem.expected) for problem in problems] == [("columns", "a column size")]


def test_sniffed_and_written() -> None:
    """By the declared names; a written table is recognised and read back."""
    write = FRUIT["table"].facts["write"]
    data = write({"name": ["fig"], "size": [1]}, ".csv")
    document = document_of("f.csv", data, Problems())
    assert document is not None
    assert list(FRUIT.fits(document).values()) == [Fit.CERTAIN]
    columns, told = read(data.decode())
    assert columns is not None
    assert (columns.values, told) == ({"name": ["fig"], "size": [1]}, [])
