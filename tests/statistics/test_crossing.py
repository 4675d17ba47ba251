"""Tests of crossings: lines and curves whose crossings are known, and a fine grid as naive twin."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.arrays import Floats, Ints
from karat.measures.nuggets import f_beta
from karat.statistics.crossing import crossings


def curves_of(*lines: Callable[[Floats], Floats]) -> Callable[[Ints, Floats], Floats]:
    """One function a run."""
    return lambda runs, x: np.array([lines[run](np.array(at)) for run, at in zip(runs, x, strict=True)], dtype=float)


def test_lines() -> None:
    """x and 1 − x cross at one half: the falling one is above before."""
    assert crossings(curves_of(lambda x: x, lambda x: 1 - x), 2, 0.0, 1.0) == [(1, 0, pytest.approx(0.5, abs=1e-12))]


def test_several() -> None:
    """A parabola crosses a line twice, and each time somebody else is above before."""
    found = crossings(curves_of(lambda x: (x - 1) ** 2, lambda x: 0 * x + 0.25), 2, 0.0, 2.0)
    assert found == [(0, 1, pytest.approx(0.5)), (1, 0, pytest.approx(1.5))]


def test_touch() -> None:
    """A parabola that touches a line does not cross it, on the grid or beside it."""
    assert crossings(curves_of(lambda x: (x - 1) ** 2, lambda x: 0 * x), 2, 0.0, 2.0, grid=401) == []
    assert crossings(curves_of(lambda x: (x - 1) ** 2, lambda x: 0 * x), 2, 0.0, 2.0, grid=400) == []


def test_equal_stretch() -> None:
    """Curves that are one for a while cross where that begins; those that are always one, nowhere."""
    bent = curves_of(lambda x: np.minimum(x, 1) + np.maximum(x - 2, 0) * 2, lambda x: np.maximum(x - 1, 0) * 0 + 1)
    assert crossings(bent, 2, 0.0, 3.0) == [(1, 0, pytest.approx(1.0, abs=1e-9))]
    assert crossings(curves_of(lambda x: x, lambda x: x), 2, 0.0, 1.0) == []


def test_at_the_ends() -> None:
    """Equal at an end of the range is no crossing."""
    assert crossings(curves_of(lambda x: x, lambda x: 2 * x), 2, 0.0, 1.0) == []


def test_one_run() -> None:
    """Nobody to cross."""
    assert crossings(curves_of(lambda x: x), 1, 0.0, 1.0) == []


@given(st.lists(st.tuples(st.floats(0.01, 1), st.floats(0.01, 1)), min_size=6, max_size=6))
def test_means_of_f(pairs: list[tuple[float, float]]) -> None:
    """Curves of mean F over two questions: signs on a fine grid change exactly where crossings are.

    The common factor 1 + β² of F changes no sign, so the twin leaves it out.
    """
    precision, recall = (np.array(side).reshape(3, 2) for side in zip(*pairs, strict=True))

    def curves(runs: Ints, beta: Floats) -> Floats:
        return f_beta(precision[runs], recall[runs], beta[:, None]).mean(axis=1)

    found = crossings(curves, 3, 0.0, 10.0)
    for a, b, at in found:
        one, other = curves(np.array([a, b]), np.array([at, at]))
        assert one == pytest.approx(other, abs=1e-9)
    # Between crossings the order of every two runs stays what it is.
    for a, b in ((0, 1), (0, 2), (1, 2)):
        turns = sorted(x for one, other, x in found if {one, other} == {a, b})
        edges = [0.0, *turns, 10.0]
        for low, high in pairwise(edges):
            beta = np.linspace(low, high, 23)[1:-1]
            apart = [
                sum(p * r / (x * x * p + r) for p, r in zip(precision[a], recall[a], strict=True))
                - sum(p * r / (x * x * p + r) for p, r in zip(precision[b], recall[b], strict=True))
                for x in beta.tolist()
            ]
            # Two crossings closer than a step of the grid may be missed: then the curves are nearly one there.
            assert all(one > -1e-5 for one in apart) or all(one < 1e-5 for one in apart)
