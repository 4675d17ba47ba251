"""Tests of tables of the user's own: column mapping, and every carrier."""

from __future__ import annotations

import pytest

from karat.errors import UsageError
from tests.files import NO_E, E, codes_of, key_problems, labels_of, place_of, read_key
from tests.formats.samples import TABLE, lines, parquet

OWN = {"id": "nr", "text": "doc", "hypothesis": "say", "label": "ok"}
CARRIERS = {
    "csv": b'nr,doc,say,ok,more\n7,"a, b",c,YES,x\n8,d,e,NO,\n',
    "tsv": b"nr\tdoc\tsay\tok\tmore\n7\ta, b\tc\tYES\tx\n8\td\te\tNO\t\n",
    "jsonl": lines(
        {"nr": 7, "doc": "a, b", "say": "c", "ok": "YES", "more": "x"},
        {"nr": 8, "doc": "d", "say": "e", "ok": "NO", "more": ""},
    ).encode(),
    "parquet": parquet(nr=[7, 8], doc=["a, b", "d"], say=["c", "e"], ok=["YES", "NO"], more=["x", ""]),
}


@pytest.mark.parametrize("carrier", CARRIERS)
def test_columns_are_mapped_in_every_carrier(carrier: str) -> None:
    """The same columns give the same pairs, whatever carries them."""
    pairs = read_key(CARRIERS[carrier], f"key.{carrier}", column=OWN)
    assert pairs.ids == ("7", "8")
    assert pairs.texts == ("a, b", "d")
    assert labels_of(pairs) == [E, NO_E]
    assert pairs.attributes == {"more": ("x", "")}


def test_common_names_need_no_mapping() -> None:
    """id, text, hypothesis, label are found by themselves."""
    assert labels_of(read_key(TABLE, "key.csv")) == [E, NO_E]


def test_a_column_that_is_not_there() -> None:
    """The sentence lists the columns there are and the option that names one."""
    (problem,) = key_problems(CARRIERS["csv"], "key.csv", column=OWN | {"label": "answer"})
    assert place_of(problem) == ("no-column", 1, None, "error")
    assert problem.found == "columns nr, doc, say, ok, more"
    assert problem.expected == "a column answer"
    assert problem.fix == "name it: --column label=NAME"


def test_a_role_that_does_not_exist() -> None:
    """`--column` knows four roles; another is a wrong call."""
    with pytest.raises(UsageError, match="did you mean 'hypothesis'"):
        read_key(TABLE, "key.csv", column={"hypothesys": "x"})


def test_integer_codes_ask_for_a_mapping() -> None:
    """In JSON and Parquet too, where they are numbers and not words."""
    rows = lines({"id": 1, "text": "a", "hypothesis": "b", "label": 0})
    assert codes_of(key_problems(rows, "key.jsonl")) == ["label-code"]
    assert labels_of(read_key(rows, "key.jsonl", label={"0": "entailment"})) == [E]
    data = parquet(id=[1], text=["a"], hypothesis=["b"], label=[0])
    assert codes_of(key_problems(data, "key.parquet")) == ["label-code"]
    assert labels_of(read_key(data, "key.parquet", label={"0": "entailment"})) == [E]


def test_parquet_problems_have_no_line() -> None:
    """Parquet has no lines to point at."""
    data = parquet(id=["1", "1"], text=["a", "b"], hypothesis=["c", "d"], label=["YES", "NO"])
    (problem,) = key_problems(data, "key.parquet")
    assert place_of(problem) == ("duplicate-id", None, None, "error")
