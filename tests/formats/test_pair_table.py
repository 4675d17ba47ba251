"""Tests of tables of the user's own: column mapping, and every carrier."""

from __future__ import annotations

from pathlib import Path

import pytest

from karat.errors import UsageError
from karat.formats.label_columns import REFERENCE
from karat.formats.pairs import read_pairs, write_pairs
from tests.files import NO_E, E, U, codes_of, key_problems, labels_of, place_of, read_key
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


TEXTLESS = {
    "csv": b"pairID,gold_label,genre\n1,entailment,fiction\n2,neutral,travel\n",
    "tsv": b"id\tlabel\tgenre\n1\tentailment\tfiction\n2\tneutral\ttravel\n",
    "jsonl": lines(
        {"uid": 1, "gold_label": "entailment", "genre": "fiction"},
        {"uid": 2, "gold_label": "neutral", "genre": "travel"},
    ).encode(),
    "parquet": parquet(idx=[1, 2], label=["entailment", "neutral"], genre=["fiction", "travel"]),
}


@pytest.mark.parametrize("carrier", TEXTLESS)
def test_ids_and_labels_are_a_key(carrier: str) -> None:
    """Scores need no texts, so nothing is said of it; everything else is an attribute."""
    pairs = read_key(TEXTLESS[carrier], f"key.{carrier}")
    assert pairs.ids == ("1", "2")
    assert labels_of(pairs) == [E, U]
    assert pairs.attributes == {"genre": ("fiction", "travel")}
    assert not pairs.has_texts
    assert pairs.warnings == ()


def test_an_index_that_pandas_wrote_is_an_id() -> None:
    """The column without a name, where nothing else is called an id."""
    assert read_key(",gold_label\n0,e\n1,n\n", "key.csv").ids == ("0", "1")
    pairs = read_key(",pairID,gold_label\n0,7,e\n1,8,n\n", "key.csv")
    assert pairs.ids == ("7", "8")


def test_id_and_label_may_be_named() -> None:
    """Then a file that no format knows is a key."""
    pairs = read_key("nr,truth\n1,e\n2,n\n", "key.csv", column={"id": "nr", "label": "truth"})
    assert labels_of(pairs) == [E, U]
    (problem,) = key_problems("nr,truth\n1,e\n", "key.csv", column={"id": "nr"})
    assert (problem.code, problem.found) == ("which-key", "labels in the columns truth")


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("id,genre\n1,fiction\n", "format"),
        ("id,prediction\n1,e\n", "which-key"),
        ("id,human,bert\n1,e,n\n2,c,c\n", "which-key"),
        ("id,gold,label\n1,e,n\n2,c,c\n", "which-key"),
        ("id,premise,hypothesis,gold,label\n1,a,b,e,n\n2,a,b,c,c\n", "which-key"),
        ("id,correct\n1,yes\n2,no\n", "which-key"),
    ],
)
def test_labels_that_may_not_be_the_key(content: str, code: str) -> None:
    """A run is no key, and of two columns that may be it neither is taken; the columns are named."""
    (problem,) = key_problems(content, "key.csv")
    assert problem.code == code
    if code == "which-key":
        assert "--column label=NAME" in problem.fix
        assert codes_of(key_problems(content, "key.csv", column={"label": problem.found.split()[-1]})) == []


@pytest.mark.parametrize("name", ["reference", "expected", "target", "y_true", "label_gold"])
def test_other_names_of_the_key(name: str) -> None:
    """They have the key if they contain labels, and are attributes beside a label."""
    assert labels_of(read_key(f"id,{name}\n1,e\n2,n\n", "key.csv")) == [E, U]
    assert labels_of(read_key(f"id,premise,hypothesis,{name}\n1,a,b,e\n2,a,b,n\n", "key.csv")) == [E, U]
    assert labels_of(read_key(f"id,gold_label,{name}\n1,e,e\n2,n,n\n", "key.csv")) == [E, U]
    if name in REFERENCE:
        blind = read_key(f"id,premise,hypothesis,{name}\n1,a,b,Nile\n2,a,b,Rhine\n", "key.csv")
        assert (blind.blind, blind.attributes) == (True, {name: ("Nile", "Rhine")})


@pytest.mark.parametrize("column", ["premise", "claim"])
def test_one_text_without_the_other_is_an_attribute(column: str) -> None:
    """Scoring needs neither."""
    pairs = read_key(f"id,{column},label\n1,a,e\n2,b,n\n", "key.csv")
    assert (labels_of(pairs), pairs.has_texts, pairs.attributes) == ([E, U], False, {column: ("a", "b")})
    assert codes_of(key_problems(f"id,{column}\n1,a\n", "key.csv")) == ["format"]


def test_problems_of_a_key_without_texts() -> None:
    """What is wrong is told as of any other, all at once."""
    problems = key_problems("id,label\n1,e\n1,n\n,c\n3,perhaps\n4,e,f\n", "key.csv")
    assert sorted(codes_of(problems)) == ["columns", "duplicate-id", "label", "no-id"]


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".parquet"])
def test_a_key_without_texts_is_written_without(suffix: str, tmp_path: Path) -> None:
    """And read back as it was; formats that have texts are refused."""
    pairs = read_key(TEXTLESS["csv"], "key.csv")
    write_pairs(pairs, tmp_path / f"key{suffix}")
    again = read_pairs(tmp_path / f"key{suffix}")
    assert (again.ids, labels_of(again), again.attributes) == (pairs.ids, labels_of(pairs), pairs.attributes)
    for writer in ("rte", "snli", "sick"):
        with pytest.raises(UsageError, match="has no texts"):
            write_pairs(pairs, tmp_path / "key.tsv", writer)
