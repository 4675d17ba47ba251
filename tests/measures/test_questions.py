"""Tests of the measures of questions: worked cases, ranges, and what is undefined."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.arrays import NAN
from karat.data.question_counts import FirstRight, ListCounts, NilCounts, TypeMeans
from karat.errors import UsageError
from karat.measures.facts import question_measures
from karat.measures.questions import factoid_accuracy, list_f, nil_precision, nil_recall, reciprocal_rank, series_score


def test_registered() -> None:
    """Under the names of the interface."""
    names = {entry.name for entry in question_measures}
    assert {"factoid_accuracy", "reciprocal_rank", "nil_precision", "nil_recall", "list_f"} <= names


def test_first_right() -> None:
    """Right at rank 1, at rank 4, nowhere, not judged."""
    first = FirstRight(np.array([1.0, 4.0, 0.0, NAN]))
    np.testing.assert_array_equal(factoid_accuracy(first), [1, 0, 0, NAN])
    np.testing.assert_array_equal(reciprocal_rank(first), [1, 0.25, 0, NAN])


def test_nil() -> None:
    """Two of three NILs are right, of four questions without answer; undefined where nothing is divided."""
    nil = NilCounts(np.array([3.0, 0.0]), np.array([2.0, 0.0]), np.asarray(4.0))
    np.testing.assert_array_equal(nil_precision(nil), [2 / 3, NAN])
    np.testing.assert_array_equal(nil_recall(nil), [0.5, 0])
    assert np.isnan(nil_recall(NilCounts(np.zeros(2), np.zeros(2), np.asarray(0.0)))).all()


@pytest.mark.parametrize(
    ("distinct", "returned", "known", "f"),
    [
        (2, 4, 8, 2 * 0.5 * 0.25 / 0.75),
        (8, 8, 8, 1.0),
        (0, 5, 8, 0.0),
        (0, 0, 8, 0.0),  # nothing was said
        (0, 5, 0, NAN),  # nothing is known
    ],
)
def test_list_f(distinct: int, returned: int, known: int, f: float) -> None:
    """IP = D/N, IR = D/S, F = 2·IP·IR/(IP + IR)."""
    counts = ListCounts(np.array([float(distinct)]), np.array([float(returned)]), np.array([float(known)]))
    np.testing.assert_allclose(list_f(counts), [f])


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))
def test_list_f_is_dice(distinct: int, more: int, others: int) -> None:
    """F is Dice's coefficient 2D/(N + S), so it never leaves 0 … 1."""
    returned, known = distinct + more, distinct + others
    value = list_f(ListCounts(np.array([float(distinct)]), np.array([float(returned)]), np.array([float(known)])))[0]
    if known == 0:
        assert value != value
    else:
        assert value == pytest.approx(2 * distinct / (returned + known))


def test_leading_axes() -> None:
    """Runs and resamples go before questions; what is known is of questions alone."""
    counts = ListCounts(np.ones((3, 2, 4)), np.full((3, 2, 4), 2.0), np.full(4, 4.0))
    assert list_f(counts).shape == (3, 2, 4)
    assert list_f(counts)[0, 0, 0] == pytest.approx(1 / 3)


def test_series_score() -> None:
    """Factoid 2/3 and other .4 without lists: .578667 as TREC 2004 had it, .577778 by thirds; weights of one's own."""
    parts = TypeMeans(np.array([[2 / 3, np.nan, 0.4], [1.0, 0.5, 0.0], [np.nan] * 3]))
    assert series_score(parts)[:2] == pytest.approx([0.578667, 0.625], abs=1e-6)
    assert series_score(parts, exact=True)[0] == pytest.approx(0.577778, abs=1e-6)
    assert series_score(parts, 1, 0, 1)[0] == pytest.approx((2 / 3 + 0.4) / 2)
    assert np.isnan(series_score(parts)[2])
    with pytest.raises(UsageError, match="weights"):
        series_score(parts, 0, 0, 0)
