"""Tests of JSON arrays, and of tables with semicolons or bars, as tables of any kind."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import karat
from tests.files import codes_of, key_problems, read_key

ROWS = [{"id": 1, "text": "a", "hypothesis": "b", "label": "YES"}, {"id": 2, "text": "c", "hypothesis": "d"}]


@pytest.mark.parametrize("indent", [None, 0, 2])
def test_an_array_of_objects(indent: int | None) -> None:
    """However it is laid out; a key that an object lacks is empty."""
    key = read_key(json.dumps(ROWS, indent=indent), "key.json")
    assert (key.ids, key.texts, key.labels.tolist()) == (("1", "2"), ("a", "c"), [0, -1])


def test_problems_have_lines() -> None:
    """The line on which an object begins."""
    text = json.dumps([*ROWS, {"id": 1, "text": "e", "hypothesis": "f", "label": "NO"}], indent=1)
    (problem,) = [one for one in key_problems(text, "key.json") if one.severity == "error"]
    assert (problem.code, problem.line) == ("duplicate-id", 13)
    assert problem.found == "pair '1' again (first in line 2)"


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda text: text[:-1], "a comma is missing, or the array is not closed"),
        (lambda text: text + "x", "text after the end"),
        (lambda text: text[:-1] + ", 7]", "'7' is not an object"),
        (lambda text: text.replace(', {"id": 2', ' {"id": 2'), "a comma is missing"),
        (lambda text: text.replace('"id": 1', '"id": 1, "id": 3'), "the key 'id' twice"),
        (lambda text: text.replace('"YES"', "YES"), "Expecting value"),
        (lambda text: text[:-1] + ",]", "Expecting value"),
    ],
)
def test_damaged_arrays(damage: object, said: str) -> None:
    """A sentence with what is wrong."""
    assert callable(damage)
    (problem,) = key_problems(damage(json.dumps(ROWS)), "key.json", reader="table")
    assert problem.code == "json-array"
    told = problem.found
    assert said in told or "its content is not shown" in told


def test_empty_arrays() -> None:
    """No pairs."""
    assert codes_of(key_problems("[]", "key.json", reader="table"))[-1] in ("empty-file", "no-column")


def test_deep_nesting_is_refused() -> None:
    """Not a crash."""
    deep = '[{"id": 1, "label": "YES", "x": ' + "[" * 100_000 + "]" * 100_000 + "}]"
    assert codes_of(key_problems(deep, "key.json")) == ["json-array"]


def test_semicolons_and_decimal_commas(tmp_path: Path) -> None:
    """As spreadsheets of half of Europe write them; a comma in a text stays."""
    path = tmp_path / "scores.csv"
    path.write_text("run;q1;q2\na;0,5;1\nb;0,25;\n")
    np.testing.assert_array_equal(karat.read_scores(path).values, [[0.5, 1], [0.25, np.nan]])
    path.write_text("id;text;hypothesis;label\n1;a, b;1,5 m;YES\n")
    key = karat.read_pairs(path)
    assert (key.texts, key.hypotheses) == (("a, b",), ("1,5 m",))


def test_bars(tmp_path: Path) -> None:
    """A bar is a delimiter too."""
    path = tmp_path / "key.csv"
    path.write_text("id|text|hypothesis|label\n1|a|b|YES\n")
    assert karat.read_pairs(path).texts == ("a",)
