"""Tests of nugget scores: figures, edge cases, and a plain twin on every topic of every run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import pytest
from benchmarks.plain_nuggets import plain_scores
from hypothesis import given
from hypothesis import strategies as st

from karat.align.nugget_labels import degree_code, importance_code
from karat.data.nugget_counts import NuggetCounts, count_nuggets
from karat.data.nuggets import DEGREES, IMPORTANCES, Matches, Nuggets
from karat.errors import UsageError
from karat.measures import all_support, nugget_f, nugget_precision, nugget_recall, vital_support, weighted_support
from karat.measures.nuggets import f_beta

Label = tuple[str, str]
Missing = Literal["missing", "zero"]
V, K, S, P, N = "vital", "okay", "support", "partial_support", "not_support"


def counts_of(*topics: list[Label], length: float = 0, missing: Missing = "missing") -> NuggetCounts:
    """What one run holds of some topics, from importance and assignment of each nugget."""
    topic = np.repeat(np.arange(len(topics), dtype=np.int32), [len(one) for one in topics])
    labels = [label for one in topics for label in one]
    blank = ("",) * len(labels)
    importance = np.array([importance_code(one) for one, _ in labels], dtype=np.int8)
    units = tuple(map(str, range(len(topics))))
    matches = Matches(
        runs=("x",),
        nuggets=Nuggets(units, topic, blank, blank, importance, blank, blank),
        degree=np.array([[degree_code(one) for _, one in labels]], dtype=np.int8),
        importance=importance[None],
        answered=np.ones((1, len(topics)), dtype=np.bool_),
        texts=(("x" * int(length),) * len(topics),),
    )
    return count_nuggets(matches, missing)


def test_christopher_reeve() -> None:
    """6 nuggets, 3 vital; 2 vital and 1 okay matched by 170 characters: R 2/3, allowance 300, P 1."""
    counts = counts_of([(V, S), (V, S), (V, N), (K, S), (K, N), (K, N)], length=170)
    assert nugget_recall(counts)[0, 0] == 2 / 3
    assert nugget_precision(counts)[0, 0] == 1
    assert round(nugget_f(counts, beta=5)[0, 0], 6) == 0.675325
    assert round(nugget_f(counts)[0, 0], 6) == 0.689655
    assert nugget_f(counts, beta=1)[0, 0] == pytest.approx(0.8)
    # 300 characters are within the allowance, 400 are not: 1 - 100/400.
    assert [nugget_precision(replace(counts, length=np.array(n)))[0, 0] for n in (300, 400)] == [1, 0.75]


@given(st.floats(1e-3, 1), st.floats(1e-3, 1))
def test_f_of_beta_3(precision: float, recall: float) -> None:
    """10PR/(9P+R)."""
    made = f_beta(np.array(precision), np.array(recall), 3)
    assert made == pytest.approx(10 * precision * recall / (9 * precision + recall))


def test_nothing_held_is_zero() -> None:
    """An empty answer, a long one that holds nothing, one that holds only what is okay: F is 0."""
    nothing, okay = [(V, N), (K, N)], [(V, N), (K, S)]
    for counts in (counts_of(nothing), counts_of(nothing, length=500), counts_of(okay, length=50)):
        for beta in (0, 1, 3):
            assert nugget_f(counts, beta)[0, 0] == 0
    assert nugget_f(counts_of([(V, N)], length=5), allowance=0)[0, 0] == 0
    assert nugget_f(counts_of([(V, S)], length=5), allowance=0)[0, 0] == 0


def test_one_string_may_match_several_nuggets() -> None:
    """Each adds to the allowance: 300 characters that hold three are within it."""
    assert nugget_f(counts_of([(V, S)] * 3, length=300))[0, 0] == 1


def test_half_held() -> None:
    """It counts as held where this is lenient and not where it is strict; a half in the scores of RAG."""
    counts = counts_of([(V, P), (V, S), (K, P)], length=250)
    assert (nugget_recall(counts)[0, 0], nugget_recall(counts, strict=True)[0, 0]) == (1, 0.5)
    # 300 allowed; strict 100 of 250: 1 - 150/250.
    assert nugget_precision(counts)[0, 0] == 1
    assert nugget_precision(counts, strict=True)[0, 0] == pytest.approx(0.4)
    found = [measure(counts, strict)[0, 0] for strict in (False, True) for measure in SUPPORTS]
    # (1/2+1)/2, (3/2+1/4)/(5/2), (3/2+1/2)/3; strict 1/2, 1/(5/2), 1/3.
    assert found == [0.75, 0.7, 2 / 3, 0.5, 0.4, 1 / 3]


SUPPORTS = (vital_support, weighted_support, all_support)


def test_no_vital_nugget() -> None:
    """Undefined, or where scores that others stored are reproduced 0, or what is okay among all."""
    for missing, undefined in (("missing", np.nan), ("zero", 0.0)):
        counts = counts_of([(K, S), (K, N)], [], length=10, missing=missing)  # type: ignore[arg-type]
        for measure in (nugget_recall, nugget_f, vital_support):
            np.testing.assert_array_equal(measure(counts), [[undefined, undefined]])
    for measure in (weighted_support, all_support):
        assert np.isnan(measure(counts_of([(K, S)]))).all()
        assert measure(counts_of([(K, S)], missing="zero")).tolist() == [[1]]


def test_junk() -> None:
    """Missing takes the nugget out; zero leaves it listed: unsupported, or of no weight."""
    labels = [(V, S), (V, "failed"), ("failed", S), (K, "")]
    assert [measure(counts_of(labels))[0, 0] for measure in SUPPORTS] == [1, 1, 1]
    zero = counts_of(labels, missing="zero")
    assert [measure(zero)[0, 0] for measure in SUPPORTS] == [0.5, 1 / 2.5, 0.5]


def test_pyramid_recall() -> None:
    """Weights held over all weights: (1 + 1/3) / (1 + 1/3 + 2/3)."""
    counts = counts_of([(V, S), (K, P), (K, N)], length=10)
    weighed = replace(
        counts, weight=np.array([[2.0]]), weight_supported=np.array([[1.0]]), weight_partial=np.array([[1 / 3]])
    )
    assert nugget_recall(weighed, recall="pyramid")[0, 0] == pytest.approx(2 / 3)
    assert nugget_recall(weighed, strict=True, recall="pyramid")[0, 0] == 0.5
    assert nugget_f(weighed, 1, recall="pyramid")[0, 0] == pytest.approx(0.8)
    assert nugget_recall(counts, recall="pyramid")[0, 0] == nugget_recall(counts)[0, 0]


def test_wrong_calls() -> None:
    """Parameters that mean nothing are refused."""
    counts = counts_of([(V, S)])
    for arguments in ({"beta": -1}, {"beta": np.inf}, {"beta": np.nan}, {"allowance": -1}, {"recall": "all"}):
        with pytest.raises(UsageError):
            nugget_f(counts, **arguments)


NAMES: dict[str, Callable[..., Any]] = {
    "vital": vital_support,
    "weighted": weighted_support,
    "all": all_support,
    "f": nugget_f,
}
LABELS = st.tuples(st.sampled_from([*IMPORTANCES, "vital", "failed", ""]), st.sampled_from([*DEGREES, "failed", ""]))


@given(
    st.lists(st.lists(LABELS, max_size=6), min_size=1, max_size=4),
    st.integers(0, 700),
    st.sampled_from(["missing", "zero"]),
)
def test_the_plain_twin(topics: list[list[Label]], length: int, missing: Missing) -> None:
    """A loop over the same definitions gives the same numbers, junk and empty lists included."""
    counts = counts_of(*topics, length=length, missing=missing)
    for place, labels in enumerate(topics):
        plain = plain_scores(labels, length, missing)
        for name, measure in NAMES.items():
            for strict in (True, False):
                expected = plain[("strict_" if strict else "") + name]
                np.testing.assert_allclose(measure(counts, strict=strict)[0, place], expected, rtol=1e-12)
