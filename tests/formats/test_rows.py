"""Tests of rows: the rules of CSV, TSV, JSON lines and Parquet that every table shares."""

from __future__ import annotations

import pytest

from karat.align.columns import Columns, text_of
from karat.errors import Problems, UsageError
from karat.formats.documents import document_of
from karat.formats.rows import read_rows
from karat.formats.writing import write_rows
from tests.files import place_of
from tests.formats.samples import parquet


def rows_of(content: str | bytes, name: str) -> tuple[Columns | None, list[tuple[str, int | None, int | None, str]]]:
    """The rows of a file, and the places of its problems."""
    problems = Problems()
    data = content.encode() if isinstance(content, str) else content
    document = document_of(name, data, problems)
    assert document is not None
    return read_rows(document, problems), list(map(place_of, problems))


BAD = {
    "a short line": ("a\tb\n1\t2\n3\n", "x.tsv", [("columns", 3, 1, "error")]),
    "a long line": ("a,b\n1,2,3\n", "x.csv", [("columns", 2, 1, "error")]),
    "a column twice": ("a,b,a\n1,2,3\n", "x.csv", [("columns", 1, None, "error")]),
    "an open quote": ('a,b\n1,"2\n3,4\n', "x.csv", [("quoting", 2, 1, "error")]),
    "text after a quote": ('a,b\n1,"2"x\n3,4\n', "x.csv", [("quoting", 2, 1, "error")]),
    "an empty line": ("a,b\n\n1,2\n", "x.csv", [("empty-line", 2, None, "error")]),
    "an empty line in TSV": ("a\tb\n \t\n1\t2\n", "x.tsv", [("empty-line", 2, None, "error")]),
    "an empty line in JSON": ('{"a": 1}\n\n{"a": 2}\n', "x.jsonl", [("empty-line", 2, None, "error")]),
    "an empty line at the end": ('{"a": 1}\n\n', "x.jsonl", [("empty-line-at-end", 2, None, "warning")]),
    "no JSON": ('{"a": 1}\n{"a": \n', "x.jsonl", [("json", 2, 1, "error")]),
    "no object": ('{"a": 1}\n[1]\n', "x.jsonl", [("json", 2, 1, "error")]),
    "damaged Parquet": (b"PAR1" + bytes(20), "x.parquet", [("parquet", None, None, "error")]),
}


@pytest.mark.parametrize(("content", "name", "places"), BAD.values(), ids=BAD)
def test_damage_is_told_with_its_place(content: str | bytes, name: str, places: list[object]) -> None:
    """Each rule of the carrier, at its line."""
    assert rows_of(content, name)[1] == places


def test_the_other_rows_are_still_read() -> None:
    """A bad line does not hide what is wrong with the rest."""
    rows, _ = rows_of("a\tb\n1\t2\n3\n4\t5\n", "x.tsv")
    assert rows is not None
    assert rows.values == {"a": ["1", "4"], "b": ["2", "5"]}
    assert rows.lines == [2, 4]


def test_keys_that_come_late_are_columns() -> None:
    """JSON lines need not all have the same keys."""
    rows, _ = rows_of('{"a": 1}\n{"b": 2}\n', "x.jsonl")
    assert rows is not None
    assert rows.values == {"a": [1, None], "b": [None, 2]}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, None),
        ("a", "a"),
        (3, "3"),
        (3.0, "3"),
        (0.5, "0.5"),
        (True, "true"),
        (["a", None, 2], "a; ; 2"),
        ({"a": "é"}, '{"a":"é"}'),
        ([[1], [2]], "[[1],[2]]"),
    ],
)
def test_values_as_attributes(value: object, text: str | None) -> None:
    """Numbers as people write them, lists joined, the rest as JSON."""
    assert text_of(value) == text


def test_a_suffix_that_no_carrier_has() -> None:
    """Writing asks for one of the five."""
    with pytest.raises(UsageError, match=r"use \.csv, \.tsv, \.jsonl, \.xlsx or \.parquet"):
        write_rows({"a": [1]}, ".doc")


def test_parquet_has_no_lines() -> None:
    """Its rows have no place."""
    rows, places = rows_of(parquet(a=[1, 2]), "x.parquet")
    assert rows is not None
    assert list(rows.lines) == [None, None]
    assert places == []
