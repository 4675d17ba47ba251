"""Folds are even, repeatable, and keep together what belongs together."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.engines.learning.folds import numbered, out_of_fold, stratified


@given(st.lists(st.integers(0, 2), min_size=2, max_size=60), st.integers(2, 10), st.integers(0, 3))
def test_even(codes: list[int], count: int, seed: int) -> None:
    """Neither sizes nor classes differ by more than one from fold to fold."""
    count = min(count, len(codes))
    array = np.array(codes, dtype=np.int8)
    folds = stratified(array, count, seed)
    assert np.ptp(np.bincount(folds, minlength=count)) <= 1
    for code in range(3):
        assert np.ptp(np.bincount(folds[array == code], minlength=count)) <= 1
    np.testing.assert_array_equal(folds, stratified(array, count, seed))


def test_seeds_differ() -> None:
    """Another seed gives other folds."""
    codes = np.arange(200) % 3
    assert (stratified(codes, 10, 0) != stratified(codes, 10, 1)).any()


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 8)), min_size=2, max_size=50), st.integers(0, 3))
def test_groups_stay_together(rows: list[tuple[int, int]], seed: int) -> None:
    """Every group is in one fold, whatever its members are."""
    codes = np.array([code for code, _ in rows])
    names = [f"text {group}" for _, group in rows]
    folds = stratified(codes, 2, seed, names)
    assert all(len({fold for fold, name in zip(folds, names, strict=True) if name == one}) == 1 for one in names)
    np.testing.assert_array_equal(folds, stratified(codes, 2, seed, names))


def test_groups_by_any_name() -> None:
    """Names that differ in NULs at their end are two groups, and a long one costs no more than its length."""
    assert numbered(["b", "a\0", "a", "b"]).tolist() == [2, 1, 0, 2]
    assert numbered([7, 3, 7]).tolist() == [1, 0, 1]
    assert numbered([]).tolist() == []
    many = 20_000
    names = ["x" * 1_000_000, *map(str, range(many))]
    tracemalloc.start()
    assert len(np.unique(numbered(names))) == many + 1
    assert tracemalloc.get_traced_memory()[1] < 1000 * many
    tracemalloc.stop()


def test_groups_are_spread_evenly() -> None:
    """Groups of one to four pairs leave folds and classes near their even shares."""
    random = np.random.default_rng(5)
    groups = np.repeat(np.arange(400), random.integers(1, 5, 400))
    codes = random.choice(3, len(groups), p=[0.5, 0.4, 0.1])
    folds = stratified(codes, 10, 0, groups.tolist())
    for members in (codes >= 0, codes == 0, codes == 1, codes == 2):
        assert np.ptp(np.bincount(folds[members], minlength=10)) <= 2


@pytest.mark.parametrize("count", [0, 1, 4])
def test_impossible_folds(count: int) -> None:
    """One fold leaves nothing to learn from, and more folds than pairs leave some empty."""
    with pytest.raises(ValueError, match=f"{count} folds of 3 pairs"):
        stratified(np.array([0, 1, 0]), count)


def test_out_of_fold() -> None:
    """Each pair is foretold from the pairs of the other folds only."""
    values, folds = np.arange(6.0), np.array([0, 1, 2, 0, 1, 2])
    foretold = out_of_fold(folds, lambda seen, unseen: np.full(len(unseen), values[seen].sum()))
    assert foretold.tolist() == [12, 10, 8, 12, 10, 8]
