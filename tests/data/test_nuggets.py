"""Tests of nuggets, of what is counted of them, and of weights by votes."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
import pytest

from karat.data.answers import Answers
from karat.data.importance import vote_weights, with_votes
from karat.data.nugget_counts import count_nuggets
from karat.data.nuggets import (
    NEITHER,
    NOT,
    NOT_JUDGED,
    OKAY,
    PARTIAL,
    SUPPORT,
    UNKNOWN_DEGREE,
    VITAL,
    Matches,
    topics_as_questions,
)
from karat.errors import UsageError
from tests.nugget_files import HEADER, nuggets_in

NUGGETS = nuggets_in(
    HEADER + "q1\t1\tann\tvital\ta\nq1\t2\tann\tokay\tb\nq1\t1\tbo\tokay\ta\nq1\t2\tbo\tokay\tb\nq2\t1\tann\tokay\tc\n"
)


def matches(degree: list[list[int]], importance: list[list[int]]) -> Matches:
    """Runs x, y, … against five nuggets of two topics, all judged."""
    size = len(degree)
    return Matches(
        runs=tuple("xyz"[:size]),
        nuggets=NUGGETS,
        degree=np.array(degree, dtype=np.int8),
        importance=np.array(importance, dtype=np.int8),
        answered=np.ones((size, 2), dtype=np.bool_),
    )


def test_who_has_lists() -> None:
    """One assessor's list at a time; an unknown one is told with those there are."""
    assert NUGGETS.assessors == ("ann", "bo")
    assert NUGGETS.of("ann").names == ("1", "2", "1")
    assert NUGGETS.without_vital() == ("q2",)
    assert repr(NUGGETS) == "<Nuggets: nuggets.tsv, 2 topics, 1 vital, 4 okay>"
    with pytest.raises(UsageError, match="no assessor is called 'cy'"):
        NUGGETS.of("cy")


def test_counts_by_hand() -> None:
    """Listed, supported and partly supported, as vital, okay and other; absent nuggets are nowhere."""
    made = matches(
        [[SUPPORT, PARTIAL, SUPPORT, UNKNOWN_DEGREE, SUPPORT]],
        [[VITAL, OKAY, NEITHER, OKAY, NOT_JUDGED]],
    )
    kept = count_nuggets(made)
    assert kept.listed.tolist() == [[[1, 1, 0], [0, 0, 0]]]
    assert kept.supported.tolist() == [[[1, 0, 0], [0, 0, 0]]]
    assert kept.partial.tolist() == [[[0, 1, 0], [0, 0, 0]]]
    zero = count_nuggets(made, "zero")
    assert zero.listed.tolist() == [[[1, 2, 1], [0, 0, 0]]]
    assert zero.supported.tolist() == [[[1, 0, 1], [0, 0, 0]]]
    assert zero.partial.tolist() == [[[0, 1, 0], [0, 0, 0]]]
    assert (kept.missing, zero.missing) == ("missing", "zero")


@pytest.mark.parametrize("missing", ["missing", "zero"])
def test_a_topic_that_nobody_judged(missing: Literal["missing", "zero"]) -> None:
    """Nothing of it is counted, whatever the matrix holds; the other run keeps its own."""
    made = matches([[SUPPORT] * 5] * 2, [[VITAL] * 5] * 2)
    made.answered[1, 0] = False
    counts = count_nuggets(made, missing)
    assert counts.listed[..., VITAL].tolist() == [[4, 1], [0, 1]]
    assert counts.weight.tolist() == [[4, 1], [0, 1]]


def test_weights_of_pyramids() -> None:
    """Weights of the list, or 1 for what is vital where it has none."""
    made = matches([[SUPPORT, PARTIAL, NOT, UNKNOWN_DEGREE, SUPPORT]], [[VITAL, OKAY, VITAL, OKAY, OKAY]])
    plain = count_nuggets(made)
    assert plain.weight.tolist() == [[2, 0]]
    assert (plain.weight_supported.tolist(), plain.weight_partial.tolist()) == ([[1, 0]], [[0, 0]])
    weights = np.array([1, 0.5, 0.25, 0.125, 0.0625])
    weighed = count_nuggets(replace(made, nuggets=replace(NUGGETS, weights=weights)))
    assert weighed.weight.tolist() == [[1.75, 0.0625]]
    assert (weighed.weight_supported.tolist(), weighed.weight_partial.tolist()) == ([[1, 0.0625]], [[0.5, 0]])


def test_weights_by_votes() -> None:
    """Votes over the most that any nugget of the topic has; where nobody votes every weight is 0."""
    votes = [[1, 1, 1], [1, 0, 0], [0, 0, 0], [0, 0, 0], [1, 1, 0]]
    topic = np.array([0, 0, 0, 1, 2], dtype=np.int32)
    np.testing.assert_allclose(vote_weights(votes, topic, 4), [1, 1 / 3, 0, 0, 1])


def test_votes_of_lists() -> None:
    """Assessors who mark the same nuggets, by name; the list that runs were held against keeps the weights of all."""
    rows = {"ann": ("vital", "vital", "okay"), "bo": ("vital", "okay", "okay"), "cy": ("vital", "vital", "okay")}
    lists = [f"q\t{n}\t{who}\t{mark}\tt\n" for who, marks in rows.items() for n, mark in enumerate(marks)]
    voted = with_votes(nuggets_in(HEADER + "".join(lists)))
    primary = voted.of("ann").weights
    assert primary is not None
    np.testing.assert_allclose(primary, [1, 2 / 3, 0])


def test_lengths_by_policy() -> None:
    """Characters that are no white space; words; words after compatibility folding. Unknown is NaN, empty is 0."""
    made = matches([[NOT] * 5] * 3, [[VITAL] * 5] * 3)
    texts = (("a b\u00a0c\n", ""), (None, "x\u2002y"), ("a\u00a8b", "1\u00bd cup"))
    told = replace(made, texts=texts)
    np.testing.assert_array_equal(told.lengths(), [[3, 0], [np.nan, 2], [3, 5]])
    np.testing.assert_array_equal(told.lengths("words"), [[3, 0], [np.nan, 2], [1, 2]])
    np.testing.assert_array_equal(told.lengths("nfkc_words"), [[3, 0], [np.nan, 2], [2, 2]])
    assert np.isnan(made.lengths()).all()
    assert count_nuggets(told, length="words").length[0].tolist() == [3, 0]


def test_answers_from_a_file_of_their_own() -> None:
    """The strings of a run's answer are its text; what it did not answer is empty; of other runs nothing is known."""
    made = matches([[NOT] * 5] * 3, [[VITAL] * 5] * 3)
    answers = Answers(
        runs=("y", "x"),
        units=("q2", "q1"),
        run=np.array([0, 0, 1], dtype=np.int32),
        question=np.array([1, 1, 0], dtype=np.int32),
        documents=("d", "d", "d"),
        strings=("one", "two three", "four"),
    )
    assert made.with_texts(answers).texts == (("", "four"), ("one two three", ""), (None, None))


def test_topics_as_questions() -> None:
    """Each is asked for all there is to say, in no series."""
    questions = topics_as_questions(NUGGETS)
    assert [(one.id, one.type, one.series) for one in questions.questions] == [
        ("q1", "OTHER", None),
        ("q2", "OTHER", None),
    ]
