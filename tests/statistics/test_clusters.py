"""Intervals over clusters: the design effect by hand, one unit per cluster, and coverage where units depend."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

from karat.arrays import Floats, Ints
from karat.data.scores import cluster_numbers, shared_clusters
from karat.data.tables import Table
from karat.measures.contingency import kappa
from karat.statistics.clusters import UnitCells, cluster_sums, design_effect, mean_p, right_interval
from karat.statistics.intervals import delta_interval, standard_error, wilson

SETS = 400
"""Simulated data sets; of so many, an interval at 95% covers at least 92% in 99 of 100 cases."""


def test_sums_by_hand() -> None:
    """Sums over clusters, in the order of their numbers, whatever the order of the units."""
    values, cluster = np.array([[1.0, 2, 3, 4, 5], [0, 0, 1, 0, 1]]), np.array([0, 1, 0, 2, 1])
    assert cluster_sums(values, cluster).tolist() == [[4, 7, 4], [1, 1, 0]]


def test_effect_by_hand() -> None:
    """Two right and two wrong in either cluster of four: pairs that go together count half."""
    influence, cluster = np.array([0.5, 0.5, -0.5, -0.5]), np.array([0, 0, 1, 1])
    found = design_effect(influence, cluster)
    # Σ(sums)² = 1 + 1, Σ squares = 1; times 2/1 over 4/3.
    assert found.variance == pytest.approx(2 / 1 * 2 / (4 / 3))
    assert found.quantile == pytest.approx((stats.t.ppf(0.975, 1) / stats.t.ppf(0.975, 3)) ** 2)


def test_the_variance_is_that_of_a_regression_on_a_constant() -> None:
    """The clustered standard error of a mean is that of statsmodels, which corrects for clusters in the same way."""
    random = np.random.default_rng(3)
    cluster = cluster_numbers(random.integers(0, 17, 120).tolist())
    values = random.normal(size=120) + random.normal(size=17)[cluster]
    plain = values.std(ddof=1) / np.sqrt(120)
    ours = plain * np.sqrt(design_effect(values - values.mean(), cluster).variance)
    fitted = sm.OLS(values, np.ones(120)).fit(cov_type="cluster", cov_kwds={"groups": cluster, "use_correction": False})
    assert ours == pytest.approx(float(fitted.bse[0]) * np.sqrt(17 / 16))
    raised = values + 0.3
    t = float(raised.mean()) / ours
    assert mean_p(raised, np.ones((1, 120), dtype=bool), cluster) == pytest.approx([2 * stats.t.sf(abs(t), 16)])


def test_one_unit_per_cluster_is_no_cluster() -> None:
    """The effect is exactly 1, with names for every unit, or with none."""
    influence = np.random.default_rng(0).normal(size=(3, 50))
    alone = design_effect(influence, np.random.default_rng(1).permutation(50))
    assert (alone.variance == 1).all()
    assert (alone.quantile == 1).all()
    assert shared_clusters([None] * 50) is None
    assert shared_clusters(list(range(50))) is None
    assert shared_clusters(["a", None, "a"]) is not None


def test_ends_of_the_range_and_a_single_cluster() -> None:
    """If all answers are right, a cluster is one trial; one cluster says nothing about the variance."""
    cluster = np.repeat(np.arange(5), 4)
    everything = np.ones((1, 20), dtype=bool)
    low, high = right_interval(np.ones((1, 20)), everything, cluster)
    assert (float(low[0]), float(high[0])) == pytest.approx(tuple(map(float, wilson(np.array(1.0), np.array(5.0)))))
    assert np.isnan(design_effect(np.array([1.0, -1.0]), np.zeros(2, dtype=np.int64)).variance)
    low, high = right_interval(np.array([[1.0, 0.0]]), np.ones((1, 2), dtype=bool), np.zeros(2, dtype=np.int64))
    assert np.isnan([low, high]).all()


def test_only_units_that_count() -> None:
    """Units that a share is not over are as if they were not there, and so are their clusters."""
    random = np.random.default_rng(5)
    values, cluster = (random.random((2, 60)) < 0.6).astype(float), np.repeat(np.arange(12), 5)
    scored = np.arange(60) < 35
    found = right_interval(values, np.broadcast_to(scored, values.shape), cluster)
    expected = right_interval(values[:, :35], np.ones((2, 35), dtype=bool), cluster[:35])
    np.testing.assert_allclose(found, expected)


def kappa_bootstrapped(key: Ints, answers: Ints, cluster: Ints, random: np.random.Generator, draws: int) -> Floats:
    """Kappa of resampled clusters, one by one, as anybody would write it."""
    from sklearn.metrics import cohen_kappa_score

    members = [np.flatnonzero(cluster == one) for one in range(cluster.max() + 1)]
    values = []
    for _ in range(draws):
        units = np.concatenate([members[one] for one in random.integers(0, len(members), len(members))])
        values.append(cohen_kappa_score(key[units], answers[units]))
    return np.array(values)


def test_kappa_over_clusters_is_that_of_the_bootstrap() -> None:
    """The closed form agrees with resampling whole clusters, and the error for single units does not."""
    random = np.random.default_rng(11)
    cluster = np.repeat(np.arange(80), 6)
    key = random.integers(0, 2, 480)
    wrong = (random.random(80) < 0.3)[cluster]
    answers = np.where(wrong, 1 - key, key)
    table = Table(np.array([[((key == one) & (answers == other)).sum() for other in (0, 1)] for one in (0, 1)])[None])
    cells = UnitCells.of(key, answers[None], 2, cluster)
    plain = float(standard_error(kappa, table)[0])
    clustered = plain * float(np.sqrt(cells.of_statistic(kappa, table).variance[0]))
    drawn = kappa_bootstrapped(key, answers, cluster, random, 1000).std()
    assert clustered == pytest.approx(drawn, rel=0.1)
    assert plain < 0.6 * drawn


def dependent(random: np.random.Generator, clusters: int, each: int) -> tuple[Ints, Ints, Ints]:
    """Key and answers of two labels: a run is right on most of the pairs of a text, or wrong on most."""
    cluster = np.repeat(np.arange(clusters), each)
    chance = np.where(random.random(clusters) < 0.75, 0.95, 0.15)[cluster]
    key = random.integers(0, 2, clusters * each)
    return key, np.where(random.random(len(key)) < chance, key, 1 - key), cluster


@pytest.mark.parametrize("clusters", [15, 60])
@pytest.mark.parametrize("measured", ["accuracy", "kappa"])
def test_coverage(clusters: int, measured: str) -> None:
    """Where units of a cluster go together, intervals over clusters cover the truth, and those over units do not."""
    random, each = np.random.default_rng(clusters), 8
    right = 0.75 * 0.95 + 0.25 * 0.15
    truth = right if measured == "accuracy" else 2 * right - 1
    covered = np.zeros(2)
    for _ in range(SETS):
        key, answers, cluster = dependent(random, clusters, each)
        for place, among in enumerate((cluster, None)):
            low, high = INTERVALS[measured](key, answers, among)
            covered[place] += low <= truth <= high
    assert covered[0] >= 0.92 * SETS
    assert covered[1] <= 0.75 * SETS


def accuracy_interval(key: Ints, answers: Ints, cluster: Ints | None) -> tuple[float, float]:
    """That of `score` and `compare`."""
    low, high = right_interval((key == answers).astype(float), np.ones(len(key), dtype=bool), cluster)
    return float(low), float(high)


def kappa_interval(key: Ints, answers: Ints, cluster: Ints | None) -> tuple[float, float]:
    """That of `score`."""
    table = Table(np.bincount(2 * key + answers, minlength=4).reshape(1, 2, 2))
    effect = UnitCells.of(key, answers[None], 2, cluster).of_statistic(kappa, table)
    low, high = delta_interval(kappa, table.worth(effect.whole), (-1, 1))
    return float(np.ravel(low)[0]), float(np.ravel(high)[0])


INTERVALS: dict[str, Callable[[Ints, Ints, Ints | None], tuple[float, float]]] = {
    "accuracy": accuracy_interval,
    "kappa": kappa_interval,
}
