"""Tests of runs as rows: JSON lines, CSV, TSV, Parquet."""

from __future__ import annotations

import numpy as np
import pytest

from karat.errors import UsageError
from tests.files import NO_E, C, E, U, answers_of, codes_of, place_of, read_run, run_problems, three_way, two_way
from tests.formats.samples import lines, parquet

CARRIERS = {
    "csv": b'id,label,confidence,justification\n3,C,0.5,"so, it is"\n1,E,1,\n2,N,0,x\n',
    "tsv": b"id\tlabel\tconfidence\tjustification\n3\tC\t0.5\tso, it is\n1\tE\t1\t\n2\tN\t0\tx\n",
    "jsonl": lines(
        {"id": 3, "label": "C", "confidence": 0.5, "justification": "so, it is"},
        {"id": "1", "label": "E", "confidence": 1, "justification": None},
        {"id": 2, "label": "N", "confidence": "0", "justification": "x"},
    ).encode(),
    "parquet": parquet(
        id=[3, 1, 2], label=["C", "E", "N"], confidence=[0.5, 1.0, 0.0], justification=["so, it is", "", "x"]
    ),
}


@pytest.mark.parametrize("carrier", CARRIERS)
def test_every_carrier_gives_the_same_run(carrier: str) -> None:
    """Answers, confidence and justification come out alike."""
    run, problems = read_run(CARRIERS[carrier], three_way(), f"run.{carrier}")
    assert answers_of(run) == [E, U, C]
    assert run.confidence is not None
    np.testing.assert_array_equal(run.confidence, [1, 0, 0.5])
    assert run.justifications == ("", "x", "so, it is")
    assert problems == []


def test_hans_predictions() -> None:
    """`pairID,gold_label` is how HANS wants predictions."""
    run, problems = read_run("pairID,gold_label\n1,entailment\n2,non-entailment\n3,entailment\n", two_way(), "run.csv")
    assert answers_of(run) == [E, NO_E, E]
    assert problems == []


def test_a_prediction_beside_a_label() -> None:
    """Where both are there the prediction answers, and the label is held against the key."""
    content = "id,label,prediction\n1,E,N\n2,N,N\n3,C,E\n"
    run, problems = read_run(content, three_way(), "run.csv")
    assert answers_of(run) == [U, U, E]
    assert problems == []
    problems = run_problems(content.replace("2,N", "2,C"), three_way(), "run.csv")
    assert [(problem.code, problem.line) for problem in problems] == [("gold-differs", 3)]


def test_columns_are_named() -> None:
    """`--run-column` makes a table of a file that has the column, and leaves plain runs plain."""
    options = {"run_column": {"id": "nr", "label": "says"}}
    run, _ = read_run("nr\tsays\n1\tE\n2\tN\n3\tC\n", three_way(), "run.txt", **options)
    assert answers_of(run) == [E, U, C]
    plain, _ = read_run("1 E\n2 N\n3 C\n", three_way(), "run.txt", **options)
    assert answers_of(plain) == [E, U, C]


def test_a_column_that_is_not_there() -> None:
    """The option to name it is the one for runs."""
    problems = run_problems('{"nr": 1, "label": "E"}\n', three_way(), "run.jsonl")
    assert list(map(place_of, problems)) == [("no-column", 1, None, "error")]
    assert problems[0].fix == "name it: --run-column id=NAME"


def test_a_role_that_does_not_exist() -> None:
    """A wrong call, with the nearest role."""
    with pytest.raises(UsageError, match="did you mean 'weight'"):
        read_run(CARRIERS["csv"], three_way(), "run.csv", run_column={"weights": "confidence"})


def test_weights_of_the_systems_own() -> None:
    """A weight column is read and checked."""
    run, _ = read_run("id,label,weight\n1,E,1\n2,N,0\n3,C,3\n", three_way(), "run.csv")
    assert run.weights is not None
    assert run.weights.tolist() == [1, 0, 3]


CELLS = {
    "no number": ("confidence", '"high"', "confidence"),
    "nothing": ("confidence", "null", "confidence"),
    "a list": ("confidence", "[1, 2]", "confidence"),
    "an endless number": ("confidence", "1" + "0" * 400, "confidence"),
    "a negative weight": ("weight", "-1", "weight"),
    "a weight that is none": ("weight", '"x"', "weight"),
}


@pytest.mark.parametrize(("column", "value", "code"), CELLS.values(), ids=CELLS)
def test_numbers_are_checked(column: str, value: str, code: str) -> None:
    """Whatever JSON may hold where a finite number should be is a problem of the run."""
    rows = [f'{{"id": {i}, "label": "E", "{column}": {value if i == 2 else 1}}}\n' for i in (1, 2, 3)]
    problems = run_problems("".join(rows), three_way(), "run.jsonl")
    assert codes_of(problems) in ([code], ["json", "missing-id"])


def test_all_weights_zero() -> None:
    """Weights that all vanish cannot be normalised."""
    problems = run_problems("id,label,weight\n1,E,0\n2,N,0\n3,C,0\n", three_way(), "run.csv")
    assert codes_of(problems) == ["weight"]


def test_lists_where_every_row_is_one() -> None:
    """A column of equally long lists is not a matrix of confidences."""
    rows = "".join(f'{{"id": {i}, "label": "E", "confidence": [0.1, 0.9]}}\n' for i in (1, 2, 3))
    assert codes_of(run_problems(rows, three_way(), "run.jsonl")) == ["confidence"] * 3


def test_a_missing_field_is_told() -> None:
    """A line of JSON without id or label is not passed over."""
    problems = run_problems('{"id": 1, "label": "E"}\n{"label": "N"}\n{"id": 3}\n', three_way(), "run.jsonl")
    assert {(problem.code, problem.line) for problem in problems} == {
        ("unknown-id", 2),
        ("missing-id", None),
        ("label-outside-task", 3),
    }
