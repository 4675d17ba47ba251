"""The bootstrap of differences: scipy's intervals, p-values that agree with them, and clusters."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from karat.arrays import Floats
from karat.data.parameters import generator
from karat.statistics.bootstrap import jackknife, replicate
from karat.statistics.paired import Paired
from karat.statistics.paired_bootstrap import (
    bca_test,
    difference_errors,
    equivalence_shares,
    mean_statistic,
    percentile_test,
    run_intervals,
)
from tests.statistics.test_paired import paired_of

REPLICATES = 20_000


def resampled(paired: Paired) -> tuple[Floats, Floats]:
    """Means on resamples, and with each cluster left out."""
    clusters = paired.sums.shape[1]
    statistic = mean_statistic(paired)
    left_out = jackknife(statistic, clusters, generator(0, "left out"))
    return replicate(statistic, clusters, REPLICATES, generator(0, "test")), left_out


@pytest.mark.parametrize("method", ["percentile", "BCa"])
def test_intervals_are_scipys(method: str) -> None:
    """Skewed differences: the bounds lie where scipy's do, within the noise of the resamples."""
    random = np.random.default_rng(1)
    values = np.stack([random.lognormal(size=60), random.lognormal(size=60)])
    paired = paired_of(values)
    drawn, left_out = resampled(paired)
    if method == "BCa":
        *_, low, high = bca_test(drawn, left_out, paired.means, paired.first, paired.second, 0.95)
    else:
        *_, low, high = percentile_test(drawn, paired.means, paired.first, paired.second, 0.95)
    theirs = stats.bootstrap(
        (values[0] - values[1],), np.mean, n_resamples=REPLICATES, method=method, rng=np.random.default_rng(0)
    ).confidence_interval
    spread = theirs.high - theirs.low
    assert low[0] == pytest.approx(theirs.low, abs=0.04 * spread)
    assert high[0] == pytest.approx(theirs.high, abs=0.04 * spread)


def test_bca_p_is_where_the_interval_touches_zero() -> None:
    """At the level 1 − p one bound of the interval is 0."""
    random = np.random.default_rng(2)
    values = np.stack([random.lognormal(size=50), random.lognormal(size=50) + 0.5])
    paired = paired_of(values)
    drawn, left_out = resampled(paired)
    p, error, *_ = bca_test(drawn, left_out, paired.means, paired.first, paired.second, 0.95)
    assert 0 < error[0] < 0.01
    *_, low, high = bca_test(drawn, left_out, paired.means, paired.first, paired.second, 1 - float(p[0]))
    assert min(abs(low[0]), abs(high[0])) < 0.002


def test_percentile_p_is_centred() -> None:
    """The share of resamples as far from the estimate as that is from 0: near the normal p for many units."""
    values = np.random.default_rng(3).normal(size=(3, 400)) + np.array([[0.0], [0.1], [0.2]])
    paired = paired_of(values)
    drawn, _ = resampled(paired)
    p, error, *_ = percentile_test(drawn, paired.means, paired.first, paired.second, 0.95)
    for one, noise, a, b in zip(p, error, paired.first, paired.second, strict=True):
        apart = values[a] - values[b]
        normal = 2 * stats.norm.sf(abs(apart.mean()) / (apart.std() / 20))
        assert one == pytest.approx(normal, abs=5 * noise + 0.003)


def test_clusters_widen_the_interval() -> None:
    """Units that are copies of each other count once."""
    base = np.random.default_rng(4).normal(size=(2, 30))
    copies = np.repeat(base, 5, axis=1)
    ends = []
    for paired in (paired_of(base), paired_of(copies, np.repeat(np.arange(30), 5)), paired_of(copies)):
        drawn, _ = resampled(paired)
        *_, low, high = percentile_test(drawn, paired.means, paired.first, paired.second, 0.95)
        ends.append(high[0] - low[0])
    assert ends[1] == pytest.approx(ends[0], rel=1e-9)
    assert ends[2] < 0.6 * ends[0]


def test_sums_of_resampled_values_are_exact() -> None:
    """Means under weights are those of fractions added without rounding, and as near the scores as thirteen digits."""
    values = np.random.default_rng(5).normal(size=(2, 300)) * np.array([[1.0], [1e5]])
    weights = np.random.default_rng(6).multinomial(300, [1 / 300] * 300, size=4).astype(float)
    kept = mean_statistic(paired_of(values))(np.eye(300))  # one unit at a time: the values as they are kept
    np.testing.assert_allclose(kept.T, values, atol=1e-12 * np.abs(values).max())
    means = mean_statistic(paired_of(values))(weights)
    for row, ours in zip(weights, means, strict=True):
        for run in (0, 1):
            total = sum(Fraction(w) * Fraction(x) for w, x in zip(row.tolist(), kept[:, run].tolist(), strict=True))
            assert ours[run] == float(total) / 300


def test_equivalence_is_the_share_beyond() -> None:
    """The larger of the shares above and below, what was observed counted once more."""
    drawn = np.array([[0.0, 0.1], [0.0, -0.3], [0.0, 0.0], [0.0, 0.05]])
    first, second = np.array([0]), np.array([1])
    assert equivalence_shares(drawn, first, second, 0.2).tolist() == [2 / 5]
    assert equivalence_shares(drawn, first, second, 0.5).tolist() == [1 / 5]


def test_degenerate() -> None:
    """Alike: p 1, no bounds. Undefined: nothing. Constant but apart: BCa unknown. Undefined resamples are extreme."""
    alike = paired_of(np.array([[0.3, 0.7, 0.1]] * 2))
    drawn, left_out = resampled(alike)
    for p, _, low, high in (
        percentile_test(drawn, alike.means, alike.first, alike.second, 0.95),
        bca_test(drawn, left_out, alike.means, alike.first, alike.second, 0.95),
    ):
        assert p.tolist() == [1.0]
        assert np.isnan([low, high]).all()
    first, second = np.array([0]), np.array([1])
    constant = np.tile([1.0, 0.0], (99, 1))
    assert np.isnan(bca_test(constant, constant[:9], np.array([1.0, 0.0]), first, second, 0.95)[0]).all()
    unknown = percentile_test(constant, np.array([np.nan, 0.0]), first, second, 0.95)
    assert np.isnan(unknown).all()
    holes = np.where(np.arange(100)[:, None] < 10, np.nan, np.random.default_rng(0).normal(3, 0.1, size=(100, 2)))
    holes[:, 1] = 0
    p, *_ = percentile_test(holes, np.array([3.0, 0.0]), first, second, 0.95)
    assert p[0] == 11 / 101
    low, high = run_intervals(np.stack([np.full(50, np.nan), np.linspace(0, 1, 50), np.ones(50)], axis=1), 0.9)
    assert np.isnan(low).tolist() == [True, False, True]
    assert high[1] == pytest.approx(0.95)


def test_no_unit_of_measurement_changes_a_p() -> None:
    """Tolerances are shares of the scores: small ones have the p, the error and the bounds of large ones."""
    values = np.random.default_rng(1).random((2, 30)) + np.array([[0.25], [0.0]])
    told = []
    for scale in (1.0, 2.0**-45):
        paired = paired_of(values * scale)
        drawn, left_out = resampled(paired)
        pair = (paired.first, paired.second)
        shares = equivalence_shares(drawn, *pair, 0.1 * scale, paired.scale)
        errors = difference_errors(drawn, *pair, paired.scale) / scale
        for p, error, low, high in (
            percentile_test(drawn, paired.means, *pair, 0.95, paired.scale),
            bca_test(drawn, left_out, paired.means, *pair, 0.95, paired.scale),
        ):
            told.append((p[0], error[0], low[0] / scale, high[0] / scale, shares[0], errors[0]))
    assert told[:2] == told[2:]
    assert told[0][0] < 0.05
    assert np.isfinite(told).all()
