"""Properties of every registered measure of questions: range, broadcasting, and NaN for its declared reason alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.arrays import Floats
from karat.data.nugget_counts import MissingPolicy, NuggetCounts
from karat.data.nuggets import VITAL
from karat.data.question_counts import FirstRight, ListCounts, NilCounts, TokenCounts, TypeMeans
from karat.data.support import VERDICTS, SupportCounts
from karat.measures import question_measures
from karat.registry import Bound


@st.composite
def first_right(draw: st.DrawFn, shape: tuple[int, ...]) -> FirstRight:
    """Ranks from 0 to 5, some unknown."""
    return FirstRight(np.array(_draw(draw, shape, st.sampled_from([0, 1, 2, 3, 4, 5, np.nan]))))


@st.composite
def nil_counts(draw: st.DrawFn, shape: tuple[int, ...]) -> NilCounts:
    """No more right than given or unanswerable; a run's counts have no axis of questions."""
    given_, unanswerable = _draw(draw, shape, st.integers(0, 4)), _draw(draw, shape, st.integers(0, 4))
    right = np.minimum(np.minimum(given_, unanswerable), _draw(draw, shape, st.integers(0, 4)))
    return NilCounts(given_, right, unanswerable)


@st.composite
def list_counts(draw: st.DrawFn, shape: tuple[int, ...]) -> ListCounts:
    """No more distinct than returned or known."""
    returned, known = _draw(draw, shape, st.integers(0, 4)), _draw(draw, shape, st.integers(0, 4))
    distinct = np.minimum(np.minimum(returned, known), _draw(draw, shape, st.integers(0, 4)))
    return ListCounts(distinct, returned, known)


@st.composite
def token_counts(draw: st.DrawFn, shape: tuple[int, ...]) -> TokenCounts:
    """No more shared than given or accepted; some without an accepted answer."""
    given_, accepted = _draw(draw, shape, st.integers(0, 4)), _draw(draw, shape, st.integers(0, 4) | st.just(np.nan))
    shared = np.minimum(np.minimum(given_, accepted), _draw(draw, shape, st.integers(0, 4)))
    return TokenCounts(shared, given_, accepted)


@st.composite
def nugget_counts(draw: st.DrawFn, shape: tuple[int, ...]) -> NuggetCounts:
    """No more held than listed, and weights of at most 1 a nugget; some lengths unknown."""
    listed = _draw(draw, (*shape, 3), st.integers(0, 4))
    supported = np.minimum(listed, _draw(draw, (*shape, 3), st.integers(0, 4)))
    partial = np.minimum(listed - supported, _draw(draw, (*shape, 3), st.integers(0, 4)))
    length = _draw(draw, shape, st.integers(0, 900) | st.just(np.nan))
    weight, full, half = (counts.sum(axis=-1) * 0.25 for counts in (listed, supported, partial))
    missing: MissingPolicy = draw(st.sampled_from(["missing", "zero"]))
    return NuggetCounts(listed, supported, partial, length, weight, full, half, missing)


@st.composite
def support_counts(draw: st.DrawFn, shape: tuple[int, ...]) -> SupportCounts:
    """Sentences with each verdict, and sentences that cite nothing."""
    verdicts = _draw(draw, (*shape, len(VERDICTS)), st.sampled_from([0, 0, 0.5, 1, 3]))
    return SupportCounts(verdicts, np.ceil(verdicts.sum(axis=-1)) + _draw(draw, shape, st.integers(0, 2)))


@st.composite
def type_means(draw: st.DrawFn, shape: tuple[int, ...]) -> TypeMeans:
    """Shares, some of types that are not there."""
    return TypeMeans(_draw(draw, (*shape, 3), st.sampled_from([0.0, 0.25, 1.0, np.nan])))


def _draw(draw: st.DrawFn, shape: tuple[int, ...], values: st.SearchStrategy[Any]) -> Floats:
    size = int(np.prod(shape))
    return np.array(draw(st.lists(values, min_size=size, max_size=size)), dtype=np.float64).reshape(shape)


COUNTS: dict[type, Callable[[tuple[int, ...]], st.SearchStrategy[Any]]] = {
    FirstRight: first_right,
    NilCounts: nil_counts,
    ListCounts: list_counts,
    NuggetCounts: nugget_counts,
    TypeMeans: type_means,
    TokenCounts: token_counts,
    SupportCounts: support_counts,
}


def no_vital(counts: NuggetCounts) -> Any:
    """Nothing vital is listed."""
    return (counts.listed[..., VITAL] == 0) & (counts.missing == "missing")


def no_f(counts: NuggetCounts) -> Any:
    """Nothing vital is listed, or the length is unknown."""
    return no_vital(counts) | np.isnan(counts.length)


UNDEFINED: dict[str, Callable[[Any], Any]] = {
    "factoid_accuracy": lambda first: np.isnan(first.rank),
    "exact_match": lambda first: np.isnan(first.rank),
    "token_f1": lambda tokens: np.isnan(tokens.accepted),
    "reciprocal_rank": lambda first: np.isnan(first.rank),
    "nil_precision": lambda nil: nil.given == 0,
    "nil_recall": lambda nil: nil.unanswerable == 0,
    "list_f": lambda lists: lists.known == 0,
    "series_score": lambda parts: np.isnan(parts.means).all(axis=-1),
    "nugget_recall": no_vital,
    "nugget_precision": lambda counts: np.isnan(counts.length),
    "nugget_f": no_f,
    "vital_support": no_vital,
    "weighted_support": no_vital,
    "all_support": no_vital,
    "support_precision": lambda counts: counts.cited == 0,
    "support_recall": lambda counts: counts.sentences == 0,
    "support_f1": lambda counts: counts.sentences == 0,
    "support_reward": lambda counts: counts.sentences == 0,
}
"""Where each measure is undefined; its registered reason says the same in words."""
MEASURES = [entry.bind() for entry in question_measures]


def check_range(measure: Bound, counts: Any) -> None:
    """Every value that is defined lies in the declared range."""
    low, high = measure.facts["range"]
    value = np.asarray(measure(counts))
    assert ((value >= low) & (value <= high + 1e-12) | np.isnan(value)).all()


def check_undefined(measure: Bound, counts: Any) -> None:
    """NaN where the declared reason holds, and nowhere else."""
    assert measure.facts["undefined"]
    expected = UNDEFINED[measure.entry.name](counts)
    np.testing.assert_array_equal(np.isnan(measure(counts)), expected)


def check_broadcast(measure: Bound, counts: Any) -> None:
    """Each run alone has what it has among all."""
    together = np.asarray(measure(counts))
    for run in range(2):
        parts = {name: value[run] if isinstance(value, np.ndarray) else value for name, value in vars(counts).items()}
        np.testing.assert_array_equal(np.asarray(measure(type(counts)(**parts))), together[run])


CHECKS = (check_range, check_undefined, check_broadcast)


@pytest.mark.parametrize("measure", MEASURES, ids=str)
@pytest.mark.parametrize("check", CHECKS)
@given(data=st.data())
def test_every_measure_keeps_its_word(measure: Bound, check: Callable[[Bound, Any], None], data: st.DataObject) -> None:
    """Range, reason and broadcasting."""
    check(measure, data.draw(COUNTS[measure.facts["of"]]((2, 3))))


def test_every_measure_is_here() -> None:
    """A measure that is registered says where it is undefined, and what it counts can be made up."""
    assert {measure.entry.name for measure in MEASURES} == set(UNDEFINED)
    assert {measure.facts["of"] for measure in MEASURES} <= set(COUNTS)


@pytest.mark.parametrize(
    ("check", "offender"),
    [
        (check_range, lambda counts: counts.supported[..., VITAL]),
        (check_undefined, lambda counts: np.nan_to_num(counts.supported[..., VITAL] * 0)),
        (check_broadcast, lambda counts: counts.supported[..., VITAL] / counts.supported.max(initial=1)),
    ],
)
def test_an_offender_is_caught(check: Callable[[Bound, Any], None], offender: Callable[[Any], Floats]) -> None:
    """A count for a share, a number for undefined, a share of what other runs have."""
    shape = (2, 1, 3)
    supported = np.array([2.0, 0, 0, 4, 0, 0]).reshape(shape)
    listed = np.zeros(shape) if check is check_undefined else supported
    flat = np.zeros((2, 1))
    counts = NuggetCounts(listed, supported, 0 * supported, flat, flat, flat, flat)
    planted = question_measures["vital_support"].bind()
    check(planted, NuggetCounts(supported, supported, 0 * supported, flat, flat, flat, flat))
    object.__setattr__(planted, "entry", type(planted.entry)("measure", "vital_support", offender, planted.facts))
    object.__setattr__(planted, "arguments", ())
    with pytest.raises(AssertionError):
        check(planted, counts)
