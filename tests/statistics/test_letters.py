"""Letters: consistent with every verdict, and no group that could be larger."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from karat.arrays import Bools
from karat.statistics.letters import groups, letters


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
