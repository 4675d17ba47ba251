"""Tests of ChaosNLI."""

from __future__ import annotations

import json

import pytest

from tests.files import E, codes_of, key_problems, labels_of, read_key
from tests.formats.samples import CHAOS


def test_counts_become_ballots() -> None:
    """The majority is the label, counts are ballots without persons, old labels are attributes."""
    pairs = read_key(CHAOS, "key.jsonl")
    assert labels_of(pairs) == [E]
    assert pairs.ballots is not None
    assert pairs.ballots.exchangeable
    assert pairs.ballots.counts().tolist() == [[3, 1, 0]]
    assert (pairs.texts, pairs.hypotheses) == (("Ann ran.",), ("Ann moved.",))
    assert pairs.attributes["old_label"] == ("n",)
    assert pairs.attributes["old_labels"] == ("entailment; neutral; neutral",)


@pytest.mark.parametrize(
    "change",
    [{"example": None}, {"label_counter": {"e": -1}}, {"label_counter": {"e": 10**9}}, {"label_counter": [1]}],
    ids=["no example", "negative", "a billion", "a list"],
)
def test_a_line_without_counts_is_told(change: dict[str, object]) -> None:
    """What is no count, or more than can be meant, is a problem at its line."""
    broken = json.dumps(json.loads(CHAOS) | change | {"uid": "c2"})
    problems = key_problems(CHAOS + broken + "\n", "key.jsonl")
    assert [(problem.code, problem.line) for problem in problems] == [("columns", 2)]


def test_another_file_under_its_name() -> None:
    """`--reader chaosnli` of something else says what is missing."""
    assert set(codes_of(key_problems('{"a": 1}\n', "key.jsonl", reader="chaosnli"))) == {"columns", "no-column"}
