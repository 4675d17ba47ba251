"""Prediction-powered means against their definition on units, and what the judge saves."""

from __future__ import annotations

import numpy as np
import pytest

from karat.statistics.intervals import quantile
from karat.statistics.prediction_powered import JudgedMoments, pooled_variance, powered, units_needed, weight

RANDOM = np.random.default_rng(5)
PEOPLE = RANDOM.random(40)
JUDGE = 0.7 * PEOPLE + 0.3 * RANDOM.random(40) + 0.1
ALONE = RANDOM.random(300) * 0.8 + 0.1


def moments(people: np.ndarray, judge: np.ndarray, alone: np.ndarray) -> JudgedMoments:
    """By numpy's own functions."""
    n, size = np.asarray(float(len(people))), np.asarray(float(len(alone)))
    sides = people, judge, alone
    means = [np.asarray(side.mean()) for side in sides]
    variances = [np.asarray(side.var(ddof=1)) for side in sides]
    return JudgedMoments._make([n, size, *means, *variances, np.asarray(np.cov(people, judge)[0, 1])])


def test_by_definition() -> None:
    """The estimate is λ·mean(f, alone) + mean(y − λf), and its variance the sum of both means' variances."""
    made = moments(PEOPLE, JUDGE, ALONE)
    for chosen in (0.0, 0.4, 1.0):
        value, variance = powered(made, np.asarray(chosen))
        rest = PEOPLE - chosen * JUDGE
        assert value == pytest.approx(chosen * ALONE.mean() + rest.mean())
        assert variance == pytest.approx(chosen**2 * ALONE.var(ddof=1) / 300 + rest.var(ddof=1) / 40)


def test_the_weight_is_the_best() -> None:
    """Where the judge's scores vary alike on both kinds of units, no other weight has a smaller variance."""
    made = moments(PEOPLE, JUDGE, ALONE)
    same = made._replace(alone_variance=made.judge_variance, judge_alone=made.judge)
    best = float(weight(same))
    # The pooled variance divides by one unit less than each of the two does.
    grid = np.linspace(0, 1, 2001)
    assert grid[powered(same, grid)[1].argmin()] == pytest.approx(best, abs=0.01)
    assert pooled_variance(made) == pytest.approx(np.concatenate([JUDGE, ALONE]).var(ddof=1))


def test_a_useless_judge_has_no_weight() -> None:
    """A judge who errs against people is left out, and so is one who says the same of everything."""
    assert weight(moments(PEOPLE, 1 - PEOPLE, ALONE)) == 0
    assert weight(moments(PEOPLE, np.full(40, 0.5), np.full(300, 0.5))) == 0
    assert weight(moments(PEOPLE, PEOPLE, np.concatenate([PEOPLE] * 50))) == pytest.approx(50 / 51, abs=0.03)


def test_units_needed() -> None:
    """With as many units as it says the interval is as wide as wanted, alone and with the judge."""
    made, wanted = moments(PEOPLE, JUDGE, ALONE), 0.05 / quantile(0.95)
    alone, together = units_needed(made, wanted, 10_000)
    spread, shared = made.people_variance, made.covariance**2 / made.judge_variance
    assert spread / alone <= wanted**2 < spread / (alone - 1)
    assert (spread - shared) / together + shared / 10_000 <= wanted**2 * (1 + 1e-9)
    assert together < alone
    assert np.isnan(units_needed(made, wanted, 20)[1])
    assert np.isnan(units_needed(made._replace(people_variance=np.asarray(0.0)), wanted, 100)).all()
