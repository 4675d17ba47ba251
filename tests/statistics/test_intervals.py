"""Intervals: reference values, agreement with other implementations, coverage, degenerate data."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from karat.data.parameters import generator
from karat.data.tables import Table
from karat.measures import accuracy, decided_f, information, kappa, mean_recall, measures, normalized_information
from karat.measures.agreement import kappa_linear, kappa_quadratic
from karat.statistics.bootstrap import bca_interval, percentile_interval, replicate
from karat.statistics.intervals import (
    bounded,
    delta_interval,
    plenty,
    root_interval,
    standard_error,
    student,
    two_cells,
    two_units_more,
    wald,
    wilson,
)
from karat.studies.scorer import table_interval

POOLED = Table([[2449, 2172, 299], [929, 2345, 542], [348, 415, 101]])
JUDGES = Table([[381, 43, 2], [39, 217, 13], [9, 30, 66]])
FIRST = Table([[378, 27, 5], [48, 242, 100]]).fold()


@pytest.mark.parametrize(
    ("table", "low", "high"),
    [(POOLED, 0.499894, 0.519890), (JUDGES, 0.802408, 0.854438), (FIRST, 0.877262, 0.918915)],
)
def test_wilson_reference(table: Table, low: float, high: float) -> None:
    """The 95 % intervals of RTE-3's agreements, as two other implementations have them."""
    ours = wilson(accuracy(table), table.total)
    assert ours == (pytest.approx(low, abs=5.1e-7), pytest.approx(high, abs=5.1e-7))


@pytest.mark.parametrize(("hits", "trials"), [(0, 10), (10, 10), (3, 10), (1, 1), (799, 800)])
def test_wilson_scipy(hits: int, trials: int) -> None:
    """Wilson's interval is scipy's."""
    theirs = stats.binomtest(hits, trials).proportion_ci(method="wilson")
    low, high = wilson(np.array(hits / trials), np.array(float(trials)))
    assert (float(low), float(high)) == (pytest.approx(theirs.low), pytest.approx(theirs.high))


def test_student() -> None:
    """Student's quantile is scipy's; without end of freedom it is normal, and without freedom there is none."""
    found = student(0.9, np.array([2.0, 19.5, np.inf, 0.0]))
    assert found[:3] == pytest.approx([stats.t(2).ppf(0.95), stats.t(19.5).ppf(0.95), stats.norm.ppf(0.95)])
    assert np.isnan(found[3])


def test_wilson_without_trials() -> None:
    """A proportion of nothing has no interval."""
    assert np.isnan(wilson(np.array(np.nan), np.array(0.0))).all()


@pytest.mark.parametrize(
    ("measure", "table", "error"),
    [
        (kappa, POOLED, 0.007954),
        (kappa, JUDGES, 0.022489),
        (kappa, FIRST, 0.021230),
        (information, POOLED, 0.003730),
        (information, JUDGES, 0.040564),
        (information, FIRST, 0.033542),
    ],
)
def test_delta_reference(measure: object, table: Table, error: float) -> None:
    """Standard errors of kappa (Fleiss, Cohen and Everitt) and of information, to six digits."""
    assert float(standard_error(measure, table)) == pytest.approx(error, abs=5.1e-7)  # type: ignore[arg-type]


@pytest.mark.parametrize("measure", [kappa, information, mean_recall, decided_f, normalized_information])
def test_delta_and_bootstrap_agree(measure: object) -> None:
    """The delta method and ten thousand resampled tables give the same error, within the bootstrap's own."""
    total = JUDGES.counts.sum()
    drawn = generator(0, "test").multinomial(round(total), JUDGES.counts.ravel() / total, size=10_000)
    values = measure(Table(drawn.reshape(-1, *JUDGES.counts.shape).astype(np.float64)))  # type: ignore[operator]
    assert float(standard_error(measure, JUDGES)) == pytest.approx(values.std(), rel=0.05)  # type: ignore[arg-type]


def test_delta_of_many_tables() -> None:
    """Leading axes broadcast."""
    tables = np.stack([POOLED.counts, JUDGES.counts])
    both = standard_error(kappa, Table(tables))
    np.testing.assert_allclose(both, [standard_error(kappa, POOLED), standard_error(kappa, JUDGES)])


def test_delta_of_weights() -> None:
    """Weights 2 on every unit change nothing; one heavy unit widens the interval."""
    doubled = Table(JUDGES.counts * 2, squares=JUDGES.counts * 4)
    assert float(standard_error(kappa, doubled)) == pytest.approx(float(standard_error(kappa, JUDGES)))
    uneven = Table(JUDGES.counts, squares=JUDGES.counts * 3)
    assert float(standard_error(kappa, uneven)) == pytest.approx(3**0.5 * float(standard_error(kappa, JUDGES)))


def test_delta_stays_in_range() -> None:
    """Bounds never leave the measure's range, and undefined has none."""
    low, high = delta_interval(information, Table([[9, 1, 0], [8, 1, 1], [9, 1, 0]]), (0, 1.58))
    assert 0 <= low <= high
    assert np.isnan(delta_interval(kappa, Table([[9, 0], [0, 0]]), (-1, 1))).all()
    assert np.isnan(delta_interval(kappa, Table(np.zeros((2, 2))), (-1, 1))).all()


def test_two_units_more() -> None:
    """Spread over all cells, or those of labels in the key or in use, with the weight of units as precise as these."""
    table = Table([[9, 1, 0], [0, 0, 0], [3, 2, 0]])
    np.testing.assert_allclose(two_units_more(table).counts, table.counts + 2 / 9)
    known = two_units_more(table, among="key")
    np.testing.assert_allclose(known.counts, table.counts + np.array([[1], [0], [1]]) / 3)
    np.testing.assert_allclose(known.squares, known.counts)
    used = two_units_more(Table([[9, 0, 0], [0, 0, 0], [3, 0, 2]]), among="used")
    np.testing.assert_allclose(used.counts, np.array([[9.5, 0, 0.5], [0, 0, 0], [3.5, 0, 2.5]]))
    heavy = two_units_more(Table([[30.0, 10.0], [10.0, 30.0]], squares=[[90.0, 30.0], [30.0, 90.0]]))
    np.testing.assert_allclose(heavy.counts, np.array([[30, 10], [10, 30]]) + 3 * 0.5)
    np.testing.assert_allclose(heavy.squares, np.array([[90, 30], [30, 90]]) + 9 * 0.5)


@pytest.mark.parametrize("cells", [[[0, 5], [5, 0]], [[5, 0], [0, 5]], [[2, 4], [3, 1]], [[25, 1], [0, 24]]])
def test_delta_of_a_proportion(cells: list[list[int]]) -> None:
    """Accuracy as any measure has Agresti and Coull's interval with two units more, one of them a hit."""
    low, high = delta_interval(accuracy, Table(cells), (0, 1))
    hits, trials = cells[0][0] + cells[1][1], sum(map(sum, cells))
    share = (hits + 1) / (trials + 2)
    half = stats.t(trials + 1).ppf(0.975) * (share * (1 - share) / (trials + 2)) ** 0.5
    expected = min(share - half, hits / trials), max(share + half, hits / trials)
    assert [float(low), float(high)] == pytest.approx(np.clip(expected, 0, 1).tolist(), abs=1e-6)


def plain_interval(cells: list[list[int]], level: float) -> tuple[float, float]:
    """Kappa's interval by the textbook: Fleiss, Cohen and Everitt's error of the table with two units more."""
    p = np.array(cells, dtype=float)
    p = p + 2 / p.size
    n = p.sum()
    p /= n
    row, column, agreed = p.sum(axis=1), p.sum(axis=0), np.trace(p)
    chance = row @ column
    value = (agreed - chance) / (1 - chance)
    diagonal = sum(p[i, i] * (1 - (row[i] + column[i]) * (1 - value)) ** 2 for i in range(len(p)))
    others = sum(p[i, j] * (column[i] + row[j]) ** 2 for i in range(len(p)) for j in range(len(p)) if i != j)
    squared = diagonal + (1 - value) ** 2 * others - (value - chance * (1 - value)) ** 2
    half = stats.t(n - 1).ppf((1 + level) / 2) * squared**0.5 / (1 - chance) / n**0.5
    raw = np.array(cells) / np.sum(cells)
    by_chance = raw.sum(axis=1) @ raw.sum(axis=0)
    found = (np.trace(raw) - by_chance) / (1 - by_chance)
    return max(-1, min(value - half, found)), min(1, max(value + half, found))


@pytest.mark.parametrize("level", [0.95, 0.8])
@pytest.mark.parametrize(
    "cells", [[[0, 1], [0, 49]], [[1, 0], [0, 49]], [[2, 1], [0, 17]], [[9, 1, 0], [2, 8, 0], [0, 0, 0]]]
)
def test_kappa_by_the_textbook(cells: list[list[int]], level: float) -> None:
    """A label that one side alone uses, or nobody, takes part in the two units more."""
    low, high = delta_interval(kappa, Table(cells), (-1, 1), level)
    assert (float(low), float(high)) == pytest.approx(plain_interval(cells, level), abs=1e-6)


@pytest.mark.parametrize(
    "cells", [[[5, 5], [5, 5]], [[9, 1], [2, 8]], [[7, 2, 1], [1, 6, 3], [0, 1, 9]], [[20, 0], [30, 0]]]
)
def test_information_by_the_textbook(cells: list[list[int]]) -> None:
    """The root of information, in units of its error, is normal: (root of λ − shift ± t)² + shift of them."""
    table, more = Table(cells), two_units_more(Table(cells))
    n, value = float(more.total), float(information(more))
    error = float(standard_error(information, more))
    unit = error**2 / (4 * value) if value > 1e-7 else 1 / (2 * np.log(2) * n)
    used = (np.sum(cells, axis=1) > 0).sum(), (np.sum(cells, axis=0) > 0).sum()
    shift = max((used[0] - 1) * (used[1] - 1) - 1, 0) / 2
    root, half = max(value / unit - shift, 0) ** 0.5, stats.t(n - 1).ppf(0.975)
    low = (max(root - half, 0) ** 2 - shift) * unit
    high = ((root + half) ** 2 - shift) * unit
    bits = float(information(table))
    ends = root_interval(information, table, (0, 1), lambda one: 2 * np.log(2) * one.size)
    expected = min(max(low, 0), bits), min(max(high, bits), 1)
    assert (float(ends[0]), float(ends[1])) == pytest.approx(expected, abs=1e-9)


def test_information_near_independence() -> None:
    """Where key and run are nearly independent the unit is that of chi-square: the error takes over without a step."""
    worth = 2 * np.log(2) * 4002
    near = [Table([[1000 + step, 1000 - step], [1000 - step, 1000 + step]]) for step in (0, 1, 4)]
    ends = [root_interval(information, table, (0, 1), lambda one: 2 * np.log(2) * one.size) for table in near]
    assert ends[0][1] == pytest.approx(1.9605**2 / worth, rel=1e-3)
    assert ends[1][1] == pytest.approx((information(near[1]) ** 0.5 + 1.9605 / worth**0.5) ** 2, rel=1e-2)
    assert ends[0][1] < ends[1][1] < ends[2][1]


def test_delta_of_a_large_table_is_walds() -> None:
    """Kappa of RTE-3's judges has the interval that is printed: 1.96 errors of Fleiss, Cohen and Everitt each way."""
    low, high = delta_interval(kappa, JUDGES, (-1, 1))
    assert (float(low), float(high)) == (pytest.approx(0.662448, abs=5.1e-7), pytest.approx(0.750604, abs=5.1e-7))


def test_delta_of_a_perfect_run() -> None:
    """A perfect run of ten units is no proof of perfection: an interval that ends at 1."""
    low, high = delta_interval(kappa, Table([[5, 0], [0, 5]]), (-1, 1))
    assert 0.2 < low < 0.9
    assert high == 1


@pytest.mark.parametrize(
    ("measure", "top"), [(kappa, 1.0), (mean_recall, 1.0), (decided_f, 1.0), (information, np.log2(3))]
)
def test_delta_coverage_of_few_units(measure: object, top: float) -> None:
    """Of 50 units and a run right on nine in ten: 94 % of intervals or more hold the truth, 85 to 91 % of Wald's."""
    cells = np.array([0.5, 0.35, 0.15])[:, None] * (0.9 * np.eye(3) + 0.1 * np.array([0.5, 0.3, 0.2]))
    counts = np.random.default_rng(1).multinomial(50, cells.ravel(), size=4000).reshape(-1, 3, 3)
    truth = float(measure(Table(cells * 1e9)))  # type: ignore[operator]
    bottom = -1.0 if measure is kappa else 0.0
    low, high = delta_interval(measure, Table(counts), (bottom, top))  # type: ignore[arg-type]
    assert ((low <= truth) & (truth <= high)).mean() >= 0.94
    half = 1.959964 * standard_error(measure, Table(counts))  # type: ignore[arg-type]
    value = measure(Table(counts))  # type: ignore[operator]
    assert (np.abs(value - truth) <= half)[half > 1e-7].mean() < 0.915


def test_bca_is_scipys() -> None:
    """BCa of a skewed mean lies where scipy's does, within the noise of the resamples."""
    data = np.random.default_rng(3).lognormal(size=60)
    theirs = stats.bootstrap((data,), np.mean, n_resamples=20_000, method="BCa", rng=np.random.default_rng(0))
    ours = bca_interval(lambda w: w @ data / w.sum(axis=-1), 60, generator(0, "test"), replicates=20_000)
    spread = theirs.confidence_interval.high - theirs.confidence_interval.low
    assert ours[0] == pytest.approx(theirs.confidence_interval.low, abs=0.03 * spread)
    assert ours[1] == pytest.approx(theirs.confidence_interval.high, abs=0.03 * spread)


def test_bca_with_many_units_uses_blocks() -> None:
    """With more units than blocks the interval is that of the normal theory, for a mean of many units."""
    data = np.random.default_rng(4).normal(size=5000)
    low, high = bca_interval(lambda w: w @ data / w.sum(axis=-1), 5000, generator(0, "test"))
    assert (high - low) / 2 == pytest.approx(1.96 * data.std() / 5000**0.5, rel=0.06)


def test_bootstrap_of_a_constant() -> None:
    """A statistic that does not vary has no BCa interval, and a percentile interval of no width."""
    assert np.isnan(bca_interval(lambda w: np.ones(len(w)), 9, generator(0, "test"))).all()
    values = replicate(lambda w: np.ones(len(w)), 9, 50, generator(0, "test"))
    assert percentile_interval(values) == (1.0, 1.0)


def test_two_units_more_in_order() -> None:
    """The farther apart labels are the less of the two units lies there; none where nobody uses a label."""
    counts = np.diag([10.0, 0.0, 10.0, 10.0])
    added = two_units_more(Table(counts), ordered=True).counts - counts
    plain = np.array([[1, 0, 1 / 3, 1 / 4], [0, 0, 0, 0], [1 / 3, 0, 1, 1 / 2], [1 / 4, 0, 1 / 2, 1]])
    np.testing.assert_allclose(added, 2 * plain / plain.sum())
    cells, times = two_cells(Table(counts), ordered=True)
    np.testing.assert_allclose(np.bincount(cells, times, minlength=16).reshape(4, 4), added)


@pytest.mark.parametrize("statistic", [kappa_linear, kappa_quadratic])
@pytest.mark.parametrize("fall", [0.0, 0.6])
def test_weighted_kappas_of_many_labels(statistic: Callable[[Table], np.ndarray], fall: float) -> None:
    """Ten labels, equally common or ever rarer, two assessors mostly near each other: intervals cover, and end."""
    places = np.arange(10)
    shares = np.exp(-fall * places)
    says = 0.4 ** np.abs(places[:, None] - places)
    says /= says.sum(axis=1, keepdims=True)
    chances = says.T @ np.diag(shares / shares.sum()) @ says
    truth = statistic(Table(chances))
    for units, widest in ((20, 1.6), (50, 1.35), (200, 1.1)):
        counts = np.random.default_rng(units).multinomial(units, chances.ravel(), size=300).reshape(-1, 10, 10)
        tables = Table(counts.astype(float))
        low, high = delta_interval(statistic, tables, (-1, 1), ordered=True)
        assert ((low <= truth) & (truth <= high)).mean() >= 0.9
        assert (high - low).mean() < widest * 2 * 1.96 * standard_error(statistic, tables).mean()


def exact_tables(units: int) -> np.ndarray:
    """Every two-way table of so many units."""
    one, two, three = np.meshgrid(*[np.arange(units + 1)] * 3, indexing="ij")
    cells = np.stack([one, two, three, units - one - two - three], axis=-1)
    return cells[cells[..., 3] >= 0].astype(float)


def two_way(share: float, beyond: float) -> np.ndarray:
    """Two who give a label to so large a share of units each, and agree so far beyond chance."""
    apart = share * (1 - share) * (1 - beyond)
    return np.array([share - apart, apart, apart, 1 - share - apart])


@pytest.mark.parametrize("units", [20, 30, 50])
@pytest.mark.parametrize("name", ["kappa", "information", "information_corrected", "normalized_information"])
def test_coverage_of_rare_labels(name: str, units: int) -> None:
    """Over all tables there are, weighted by their chance: 92 % of the intervals or more hold the truth."""
    counts = exact_tables(units)
    measure = measures.parse(name)
    low, high = table_interval(measure, Table(counts.reshape(-1, 2, 2)), 0.95)
    given = ~np.isnan(low)
    for share in (0.02, 0.05, 0.2, 0.5):
        for beyond in (0.0, 0.4, 0.8):
            cells = two_way(share, beyond)
            chance = stats.multinomial(units, cells).pmf(counts)[given]
            truth = float(measure(Table(cells.reshape(2, 2) * 1e9)))
            held = (low <= truth + 1e-9) & (truth - 1e-9 <= high)
            assert (chance * held[given]).sum() / chance.sum() >= 0.92, (share, beyond)


def test_coverage_of_a_rare_label_in_many_units() -> None:
    """Of 800 units with a label of 2 %, where two agree by chance, Wald's interval of kappa covers a third."""
    cells = two_way(0.02, 0.0)
    tables = Table(np.random.default_rng(0).multinomial(800, cells, size=2000).reshape(-1, 2, 2))
    low, high = delta_interval(kappa, tables, (-1, 1))
    assert ((low <= 0) & (high >= 0)).mean() >= 0.92
    assert (np.abs(kappa(tables)) <= 1.959964 * standard_error(kappa, tables)).mean() < 0.4


@pytest.mark.parametrize(("hits", "trials"), [(3, 10), (1, 40), (49, 50), (20, 60)])
@pytest.mark.parametrize(("bottom", "top"), [(0.0, 1.0), (-1.0, 1.0), (-0.5, 1.0)])
def test_a_proportion_on_another_scale(hits: int, trials: int, bottom: float, top: float) -> None:
    """A proportion that is stretched has scipy's Wilson interval, stretched."""
    share, width = hits / trials, top - bottom
    error = width * (share * (1 - share) / trials) ** 0.5
    theirs = stats.binomtest(hits, trials).proportion_ci(method="wilson")
    low, high = bounded(np.array(bottom + width * share), np.array(error), (bottom, top))
    assert (float(low), float(high)) == pytest.approx((bottom + width * theirs.low, bottom + width * theirs.high))


def test_plenty_is_published() -> None:
    """Kappa .706526 with an error of .022489 (two judges, 800 pairs) has the interval that is printed everywhere."""
    value, error = np.array(0.706526), np.array(0.022489)
    assert plenty(value, error, (-1, 1))
    low, high = bounded(value, error, (-1, 1))
    assert (float(low), float(high)) == pytest.approx((0.662448, 0.750604), abs=2e-6)
    assert not plenty(value, 3 * error, (-1, 1))


@given(st.floats(0.001, 0.999), st.floats(1e-4, 0.5))
def test_holds_the_value_inside_the_range(share: float, error: float) -> None:
    """Ends are in the range, and the value between them."""
    low, high = bounded(np.array(share), np.array(error), (0, 1))
    assert 0 <= low <= share <= high <= 1


@pytest.mark.parametrize("ends", [bounded, wald])
def test_no_error_no_interval(ends: object) -> None:
    """Nothing is claimed where the error vanishes or the value is undefined."""
    for value, error in ((1.0, 0.0), (np.nan, 0.1), (0.5, np.nan)):
        assert np.isnan(ends(np.array(value), np.array(error), (-1, 1))).all()  # type: ignore[operator]


def test_outside_the_range() -> None:
    """A value that left its range, as Fleiss' kappa can, has Wald's interval, which holds it."""
    low, high = bounded(np.array(-1.1), np.array(0.2), (-1, 1))
    assert (float(low), float(high)) == (pytest.approx(-1.1 - 1.959964 * 0.2), pytest.approx(-1.1 + 1.959964 * 0.2))


def test_coverage_of_a_mean_of_shares() -> None:
    """The mean of 40 units' agreement, mostly 1: Wald's interval holds the truth in 90 %, this one in 94 % or more."""
    random = np.random.default_rng(0)
    values = random.choice([1.0, 0.6, 0.2], p=[0.85, 0.1, 0.05], size=(20_000, 40))
    truth, mean, error = 0.85 + 0.06 + 0.01, values.mean(axis=1), values.std(axis=1, ddof=1) / 40**0.5
    covered = {}
    for ends in (wald, bounded):
        low, high = ends(mean, error, (0, 1))
        covered[ends.__name__] = ((low <= truth) & (truth <= high))[~np.isnan(low)].mean()
    assert covered["wald"] < 0.92
    assert covered["bounded"] > 0.94


@pytest.mark.filterwarnings("error")
def test_an_undefined_statistic_does_not_warn() -> None:
    """A statistic that is undefined on every resample has no interval, and nothing is said on stderr."""
    ends = bca_interval(lambda weights: np.full(len(weights), np.nan), 5, np.random.default_rng(0), replicates=20)
    assert np.isnan(ends).all()
    alone = bca_interval(
        lambda weights: np.where(weights[:, 0] * weights[:, 1] > 0, 1.0, np.nan), 2, np.random.default_rng(0), 50
    )
    assert np.isnan(alone).all()
