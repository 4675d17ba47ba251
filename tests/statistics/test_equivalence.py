"""Equivalence: two one-sided tests, and what no unit has shown."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from karat.data.scores import Scores
from karat.statistics.equivalence import equivalence, unseen
from karat.studies.compare.study import compare
from tests.statistics.test_paired import paired_of


def test_is_the_larger_of_two_one_sided_tests() -> None:
    """scipy's one-sided tests of the differences against either margin."""
    values = np.random.default_rng(0).normal(size=(3, 400)) * 0.1
    paired = paired_of(values)
    for p, a, b in zip(equivalence(paired, 0.02), paired.first, paired.second, strict=True):
        apart = values[a] - values[b]
        below = stats.ttest_1samp(apart, 0.02, alternative="less").pvalue
        above = stats.ttest_1samp(apart, -0.02, alternative="greater").pvalue
        seldom = stats.binom.cdf(int(abs(apart.sum())), 400, 0.02)
        assert p == pytest.approx(max(below, above, seldom))


def test_right_and_wrong_by_hand() -> None:
    """Six disagreements one way and four the other, of 400: Tango's z against .05, the likeliest shares by search."""
    values = np.ones((2, 400))
    values[0, :6] = values[1, 6:10] = 0
    shares = np.linspace(1e-9, 0.4, 2_000_001)  # of units that the run behind gets right alone
    likelihood = 4 * np.log(shares) + 6 * np.log(shares + 0.05) + 390 * np.log(1 - 2 * shares - 0.05)
    q = shares[likelihood.argmax()]
    z = (6 - 4 - 400 * 0.05) / np.sqrt(400 * (2 * q + 0.05 * 0.95))
    assert equivalence(paired_of(values), 0.05)[0] == pytest.approx(stats.norm.cdf(z), rel=1e-3)


def test_runs_that_never_differ() -> None:
    """p is the chance that no unit shows a difference of the margin: .95 of units alike each time."""
    assert equivalence(paired_of(np.full((2, 100), 0.3)), 0.05)[0] == pytest.approx(0.95**100)
    for values in (np.ones((2, 100)), np.full((2, 100), 0.3)):
        assert equivalence(paired_of(values), 0.0294)[0] > 0.05 > equivalence(paired_of(values), 0.0296)[0]
    assert np.isnan(unseen(paired_of(np.full((2, 9), 5.0)), 0.05, 0.0)).all()


def compared(values: np.ndarray, margin: float, **options: object) -> bool:
    """Whether any run is shown to be within the margin of the first."""
    names = tuple(map(str, range(len(values)))), tuple(map(str, range(values.shape[1])))
    result = compare(Scores(*names, values), versus="0", equivalence=margin, **options)
    return any(pair.equivalent for pair in result.pairs)


@pytest.mark.parametrize(
    ("units", "margin", "runs"),
    [
        (1000, 0.0024, 1),
        (200, 0.02, 1),
        (100, 0.05, 1),
        pytest.param(1000, 0.01, 1, marks=pytest.mark.nightly),
        pytest.param(1000, 0.01, 30, marks=pytest.mark.nightly),
        (500, 0.05, 30),
    ],
)
@pytest.mark.parametrize("test", ["exact", "bootstrap"])
def test_right_or_wrong_at_the_margin(units: int, margin: float, runs: int, test: str) -> None:
    """The true difference is the margin, all of it lost by one side: any run is called equivalent in at most 5 %."""
    random = np.random.default_rng(units)
    sets = 60 if runs > 1 or test == "bootstrap" else 800
    false = 0
    for _ in range(sets):
        values = np.vstack([np.ones(units), random.random((runs, units)) >= margin]).astype(np.float64)
        false += compared(values, margin, test=test, replicates=199)
    assert false <= stats.binom.ppf(0.999, sets, 0.055)


@pytest.mark.parametrize(
    ("units", "share", "loss", "noise"),
    [(50, 0.02, 0.9, 0.0), (50, 0.02, 0.9, 0.005), (1000, 0.005, 0.9, 0.005), (200, 0.1, 0.4, 0.01)],
)
def test_graded_at_the_margin(units: int, share: float, loss: float, noise: float) -> None:
    """A few units lose much: runs that differ by the margin are called equivalent in at most 5 %, unseen or seen."""
    random = np.random.default_rng(units)
    false = 0
    for _ in range(200):
        apart = loss * (random.random(units) < share) + random.normal(0, noise, units)
        false += compared(np.vstack([np.full(units, 0.95), 0.95 - apart]), loss * share, test="t")
    assert false <= stats.binom.ppf(0.999, 200, 0.055)


def test_graded_runs_that_are_the_same() -> None:
    """They are equivalent with enough units and not with few; scores of no known range are not tested, in words."""
    random = np.random.default_rng(0)
    for units, expected in ((30, False), (300, True)):
        row = random.random(units)
        assert compared(np.stack([row, row]), 0.02) is expected
    names = tuple(map(str, range(9)))
    result = compare(Scores(("a", "b"), names, np.full((2, 9), 5.0)), equivalence=0.02)
    assert result.pairs[0].equivalent is None
    assert "1 pair of runs was not tested for equivalence (a difference of less than 0.02)." in result.findings()
