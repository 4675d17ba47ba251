"""Corrections against plain definitions, scipy and a loop; letters against every verdict."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from karat.arrays import Bools, Floats
from karat.statistics.multiple_testing import CONTROLS, Correction, StepDown, corrected, error_after, groups, letters

p_values = st.lists(st.floats(0, 1), min_size=1, max_size=20).map(np.array)


@given(p_values)
def test_holm_by_its_definition(p: Floats) -> None:
    """A hypothesis falls at a level if and only if Holm's procedure, step by step, rejects it there."""
    adjusted = corrected(p, "holm")
    for alpha in (0.01, 0.05, 0.2):
        left = sorted(range(len(p)), key=lambda place: p[place])
        rejected = set()
        for step, place in enumerate(left):
            if p[place] * (len(p) - step) > alpha:
                break
            rejected.add(place)
        assert {place for place in range(len(p)) if adjusted[place] <= alpha} == rejected


@given(p_values)
def test_false_discovery_is_scipys(p: Floats) -> None:
    """Benjamini–Hochberg and Benjamini–Yekutieli."""
    np.testing.assert_allclose(corrected(p, "bh"), stats.false_discovery_control(p, method="bh"))
    np.testing.assert_allclose(corrected(p, "by"), stats.false_discovery_control(p, method="by"))


@given(p_values)
def test_order_and_size(p: Floats) -> None:
    """None changes nothing; the others never make a p smaller, exceed 1 or change the order."""
    assert (corrected(p, "none") == p).all()
    for correction in ("holm", "bh", "by"):
        adjusted = corrected(p, correction)
        assert (adjusted >= p - 1e-15).all()
        assert (adjusted <= 1).all()
        assert (np.diff(adjusted[np.argsort(p)]) >= 0).all()
    assert (corrected(p, "by") >= corrected(p, "bh")).all()


def test_undefined_is_not_counted() -> None:
    """A NaN asks no question: the others are corrected as if it were not there."""
    p = np.array([0.01, np.nan, 0.04])
    for correction in ("holm", "bh", "by", "none"):
        adjusted = corrected(p, correction)
        assert np.isnan(adjusted[1])
        assert adjusted[[0, 2]].tolist() == corrected(p[[0, 2]], correction).tolist()


def test_the_maximum_is_not_of_p_values() -> None:
    """It cannot be had from p-values; every correction says what it controls."""
    with pytest.raises(ValueError, match="statistics"):
        corrected(np.array([0.1]), "maxt")
    assert set(CONTROLS) == {"holm", "bh", "by", "maxt", "none"}


def test_step_down_by_a_loop() -> None:
    """Each statistic against the largest of those no larger, block by block as all at once; ties count."""
    random = np.random.default_rng(0)
    observed: Floats = np.round(random.random(6) * 3, 1)
    null: Floats = np.round(np.abs(random.normal(size=(400, 6))), 1).astype(np.float64)
    steps = StepDown(observed)
    for start in range(0, 400, 150):
        steps.add(null[start : start + 150])
    expected = []
    for one in observed:
        rivals = [k for k in range(6) if observed[k] <= one]
        expected.append((1 + sum(row[rivals].max() >= one for row in null)) / 401)
    by_size = np.argsort(-observed)
    monotone = np.maximum.accumulate(np.array(expected)[by_size])
    ours = steps.p()[by_size]
    # Equal statistics share the larger of their values in the loop; in steps the later one has it.
    distinct = np.append(np.diff(observed[by_size]) != 0, True)
    np.testing.assert_allclose(ours[distinct], monotone[distinct])


@pytest.mark.parametrize("correction", ["holm", "bh", "by"])
def test_error_is_that_of_other_draws(correction: Correction) -> None:
    """p-values from shared replicates, drawn anew many times: corrected ones vary as they are said to."""
    random = np.random.default_rng(0)
    true, replicates = np.array([0.003, 0.02, 0.03, 0.2]), 2000
    shared = random.random((2000, replicates))  # a replicate is as extreme for one p as for all larger ones
    drawn = (1 + (shared[:, :, None] < true).sum(axis=1)) / (1 + replicates)
    errors = np.sqrt(true * (1 - true) / (1 + replicates))
    seen = np.std([corrected(p, correction) for p in drawn], axis=0)
    np.testing.assert_allclose(error_after(true, errors, correction), seen, rtol=0.2)


def test_error_where_nothing_is_asked_or_simulated() -> None:
    """Undefined stays undefined, exact stays exact, a p that is surely 1 has no error, and one that may be has some."""
    p, error = np.array([np.nan, 0.01, 0.9]), np.array([np.nan, 0.0, 0.001])
    found = error_after(p, error, "holm")
    assert np.isnan(found[0])
    assert found[1] == 0
    assert error_after(np.array([0.9, 0.95]), np.full(2, 0.001), "holm").tolist() == [0, 0]
    assert error_after(np.array([0.5, 0.95]), np.full(2, 0.01), "holm")[0] == pytest.approx(0.02)
    assert error_after(p, error, "none")[2] == pytest.approx(0.001)


@st.composite
def verdicts(draw: st.DrawFn) -> Bools:
    """Which of some runs are told apart."""
    number = draw(st.integers(0, 8))
    different = np.zeros((number, number), dtype=bool)
    for a, b in itertools.combinations(range(number), 2):
        different[a, b] = different[b, a] = draw(st.booleans())
    return different


@given(verdicts())
def test_letters_say_what_the_verdicts_say(different: Bools) -> None:
    """Two runs share a letter if and only if they are not told apart; every run has one."""
    members = groups(different)
    assert members is not None
    marks = letters(members, len(different))
    assert all(marks)
    for a, b in itertools.combinations(range(len(different)), 2):
        assert bool(set(marks[a]) & set(marks[b])) == (not different[a, b])


@given(verdicts())
def test_groups_are_those_of_brute_force(different: Bools) -> None:
    """All sets without a pair told apart that no other run could join, once each."""
    number = len(different)
    alike = [
        set(some)
        for size in range(1, number + 1)
        for some in itertools.combinations(range(number), size)
        if not any(different[a, b] for a, b in itertools.combinations(some, 2))
    ]
    largest = [sorted(one) for one in alike if not any(one < other for other in alike)]
    assert groups(different) == sorted(largest)


def test_overlapping_groups() -> None:
    """a ~ b ~ c, a ≠ c: b belongs to both."""
    different = np.array([[False, False, True], [False, False, False], [True, False, False]])
    members = groups(different)
    assert members == [[0, 1], [1, 2]]
    assert letters(members, 3) == ["a", "ab", "b"]


def test_many_groups() -> None:
    """Letters go on after z and Z; too many groups are none."""
    different = ~np.eye(60, dtype=bool)
    members = groups(different)
    assert members is not None
    assert letters(members, 60)[25:27] == ["z", "A"]
    assert letters(members, 60)[51:53] == ["Z", "a₁"]
    pairs = np.zeros((24, 24), dtype=bool)
    for one in range(0, 24, 2):
        pairs[one, one + 1] = pairs[one + 1, one] = True
    assert groups(pairs, most=1000) is None  # 2¹² ways to choose one of each two
