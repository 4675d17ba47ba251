"""Tests of pairs: the way of a key, its labels, and what every pair must have."""

from __future__ import annotations

import pytest

from karat.labels import THREE, TWO, Way
from tests.files import NO_E, C, E, U, codes_of, key_of, key_problems, labels_of, place_of, read_key

HEADER = "id,text,hypothesis,label\n"
WAYS: dict[str, tuple[list[str], Way, list[str | None]]] = {
    "YES and NO": (["YES", "NO"], TWO, [E, NO_E]),
    "YES, NO and UNKNOWN": (["YES", "NO", "UNKNOWN"], THREE, [E, C, U]),
    "NO and CONTRADICTION": (["NO", "CONTRADICTION"], THREE, [C, C]),
    "TRUE and FALSE": (["TRUE", "FALSE"], TWO, [E, NO_E]),
    "YES alone": (["YES", "YES"], TWO, [E, E]),
    "NO alone": (["NO", "NO"], TWO, [NO_E, NO_E]),
    "neutral": (["neutral"], THREE, [U]),
    "with gaps": (["YES", "-", "NO"], TWO, [E, None, NO_E]),
}


@pytest.mark.parametrize(("labels", "way", "meant"), WAYS.values(), ids=WAYS)
def test_the_way_of_a_key(labels: list[str], way: Way, meant: list[str | None]) -> None:
    """UNKNOWN or CONTRADICTION makes a key three-way, and then NO is CONTRADICTION."""
    pairs = key_of(*labels)
    assert pairs.way is way
    assert labels_of(pairs) == meant


def test_a_mapped_no_makes_a_key_three_way() -> None:
    """`--label NO=CONTRADICTION` holds for the key as for its runs."""
    pairs = read_key(HEADER + "1,a,b,YES\n2,a,b,NO\n", "key.csv", label={"NO": C})
    assert pairs.way is THREE
    assert labels_of(pairs) == [E, C]


def test_labels_are_counted() -> None:
    """In the order of the way; pairs without label are in no count."""
    assert key_of("YES", "NO", "-", "UNKNOWN", "YES").label_counts() == {E: 2, U: 1, C: 1}


BAD = {
    "no id": (",a,b,YES\n", ("no-id", 2, 1, "error")),
    "the same id": ("1,a,b,YES\n1,c,d,YES\n", ("duplicate-id", 3, 1, "error")),
    "no text": ("1, ,b,YES\n", ("empty-text", 2, 1, "error")),
    "no hypothesis": ("1,a,,YES\n", ("empty-text", 2, 1, "error")),
    "no meaning": ("1,a,b,PERHAPS\n", ("label", 2, 1, "error")),
    "outside the task": ("1,a,b,UNKNOWN\n2,a,b,NO ENTAILMENT\n", ("label-outside-task", 3, 1, "error")),
    "a code": ("1,a,b,1\n", ("label-code", 2, 1, "error")),
    "nothing": ("", ("empty-file", None, None, "error")),
    "no label": ("1,a,b,YES\n2,a,b,-\n", ("unlabelled", None, None, "warning")),
}


@pytest.mark.parametrize(("rows", "place"), BAD.values(), ids=BAD)
def test_every_rule_has_its_place(rows: str, place: object) -> None:
    """Code, line, column and severity."""
    assert list(map(place_of, key_problems(HEADER + rows, "key.csv"))) == [place]


def test_all_problems_of_a_key_at_once() -> None:
    """Every pair is looked at for everything."""
    found = codes_of(key_problems(HEADER + ",a,b,YES\n1,,b,PERHAPS\n1,a,b,7\n", "key.csv"))
    assert sorted(found) == ["duplicate-id", "empty-text", "label", "label-code", "no-id"]


def test_an_unlabelled_pair_may_be_empty() -> None:
    """It is never scored; in a blind set every pair must be whole, since engines read them."""
    assert codes_of(key_problems(HEADER + "1,a,b,YES\n2,,b,-\n", "key.csv")) == ["unlabelled"]
    assert codes_of(key_problems("id,text,hypothesis\n1,a,b\n2,,b\n", "key.csv")) == ["empty-text"]
