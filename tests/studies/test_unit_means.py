"""Tests of means over units: scipy's own interval, a formula for clusters, and what is not scored."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from karat.arrays import NAN
from karat.studies.unit_means import Mean, mean_of_defined, plain_mean, unit_means
from tests.studies.qa_by_hand import clustered_interval

VALUES = np.array([[0.25, 0.5, 0.75, 1.0, NAN], [0.0, 0.5, 0.0, 0.5, 0.5]])


def test_against_scipy() -> None:
    """Student's interval over the units that every run is scored on."""
    for mean, row in zip(unit_means(VALUES, 0.9), VALUES[:, :4], strict=True):
        low, high = stats.t.interval(0.9, 3, row.mean(), stats.sem(row))
        assert (mean.value, mean.low, mean.high) == pytest.approx((row.mean(), max(low, 0), min(high, 1)))
    assert plain_mean(VALUES).tolist() == [0.625, 0.25]


def test_clusters() -> None:
    """Clusters of unequal sizes: the mean over units, its error from the clusters; a cluster without units is none."""
    cluster = np.array([7, 7, 3, 9, 5])
    for mean, row in zip(unit_means(VALUES, 0.95, cluster), VALUES.tolist(), strict=True):
        assert (mean.value, mean.low, mean.high) == pytest.approx(clustered_interval([row[:2], row[2:3], row[3:4]]))


def test_units_as_clusters() -> None:
    """Clusters of one unit each are no clusters."""
    alone = unit_means(VALUES, 0.95, np.array([4, 3, 2, 1, 0]))
    for one, other in zip(alone, unit_means(VALUES, 0.95), strict=True):
        assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high))


@pytest.mark.parametrize("values", [[[0.5, 0.5]], [[0.5]]])
def test_nothing_varies(values: list[list[float]]) -> None:
    """One unit, or units all alike, have a mean and no interval."""
    (mean,) = unit_means(np.array(values), 0.95)
    assert mean.value == 0.5
    assert np.isnan([mean.low, mean.high]).all()


@pytest.mark.parametrize("score", [0.0, 1.0])
def test_all_right_or_all_wrong(score: float) -> None:
    """The same end of the scale on every unit has Wilson's interval, a trial for each unit or cluster."""
    z = 1.959963984540054
    for cluster, trials in ((None, 6), (np.array([0, 0, 1, 1, 2, 2]), 3)):
        (mean,) = unit_means(np.full((1, 6), score), 0.95, cluster)
        ends = (trials / (trials + z * z), 1.0) if score else (0.0, z * z / (trials + z * z))
        assert (mean.low, mean.high) == pytest.approx(ends)


def test_nothing_scored() -> None:
    """Runs that share no unit, or have none, have no mean."""
    for values in (np.array([[NAN, 1.0], [1.0, NAN]]), np.empty((2, 0))):
        assert np.isnan(plain_mean(values)).all()
        assert all(np.isnan([mean.value, mean.low, mean.high]).all() for mean in unit_means(values, 0.95))
    assert unit_means(np.empty((0, 3)), 0.95) == []


def test_mean_of_defined() -> None:
    """Over the first axis, without what is undefined."""
    assert mean_of_defined(np.array([[1.0, NAN, NAN], [0.0, 0.5, NAN]])).tolist()[:2] == [0.5, 0.5]
    assert np.isnan(mean_of_defined(np.full((2, 1), NAN))).all()


def test_bounds() -> None:
    """An interval of scores does not leave 0 … 1."""
    (mean,) = unit_means(np.array([[1.0, 1.0, 1.0, 0.9]]), 0.999)
    assert isinstance(mean, Mean)
    assert (mean.low > 0.5, mean.high) == (True, 1.0)
