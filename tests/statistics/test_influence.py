"""Errors of coefficients over units: against the jackknife, irrCAC and each other."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from karat.arrays import Floats
from karat.data.ballots import Ballots
from karat.data.coincidences import BallotPatterns, Coincidence
from karat.kernels.coincidence import spreads
from karat.measures.agreement import (
    ac1,
    agreement,
    alpha,
    brennan_prediger,
    fleiss_kappa,
    specific_agreement,
    spread_alpha,
)
from karat.statistics.influence import error_of_sums
from karat.statistics.spread import alpha_error, alpha_influence, ordinal_numbers
from tests.ballots import ballots_of, reliability

COEFFICIENTS: dict[str, Callable[[Coincidence], Any]] = {
    "agreement": agreement,
    "fleiss": fleiss_kappa,
    "ac1": ac1,
    "bp": brennan_prediger,
    "alpha": alpha,
    "ordinal": partial(alpha, level="ordinal"),
    "specific": specific_agreement,
}


def made(seed: int, assessors: int = 4, units: int = 60, missing: float = 0.2) -> Ballots:
    """Ballots of which every unit has two or more."""
    random = np.random.default_rng(seed)
    truth = random.choice(4, units, p=[0.5, 0.2, 0.2, 0.1])
    said = np.where(random.random((assessors, units)) < 0.6, truth, random.integers(0, 4, (assessors, units)))
    letters = np.where(random.random(said.shape) < missing, ".", np.array(list("0123"))[said])
    letters[:2] = np.array(list("0123"))[said[:2]]
    return ballots_of(["".join(row) for row in letters])


def rows_of(ballots: Ballots) -> tuple[Floats, Callable[..., Any]]:
    """What each unit adds, and a coefficient as a function of sums."""
    patterns = BallotPatterns.of(ballots, tabled=True)
    labels = patterns.each.labels
    return patterns.each.sums[patterns.which], lambda f: lambda sums: f(Coincidence(labels, sums))


def jackknife(statistic: Callable[[Floats], Any], rows: Floats) -> Any:
    """The error from leaving out each unit once."""
    values = np.array([statistic(rows.sum(axis=0) - row) for row in rows])
    size = len(rows)
    return np.sqrt((size - 1) / size * ((values - values.mean(axis=0)) ** 2).sum(axis=0))


@pytest.mark.parametrize("name", COEFFICIENTS)
@pytest.mark.parametrize("seed", range(3))
def test_it_is_the_jackknife_in_the_limit(name: str, seed: int) -> None:
    """On some hundred units the delta method and the jackknife part by a few in a hundred."""
    rows, of = rows_of(made(seed, units=400))
    statistic = of(COEFFICIENTS[name])
    error = error_of_sums(statistic, rows, np.ones(len(rows), dtype=np.int64))
    np.testing.assert_allclose(error, jackknife(statistic, rows), rtol=0.03)


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_patterns_stand_for_their_units(name: str) -> None:
    """Units taken together by pattern give the error of units taken one by one."""
    ballots = made(7)
    rows, of = rows_of(ballots)
    patterns = BallotPatterns.of(ballots, tabled=True)
    statistic = of(COEFFICIENTS[name])
    alone = error_of_sums(statistic, rows, np.ones(len(rows), dtype=np.int64))
    np.testing.assert_allclose(error_of_sums(statistic, patterns.each.sums, patterns.times), alone, rtol=1e-5)


@pytest.mark.parametrize("seed", range(8))
def test_errors_of_gwet(seed: int) -> None:
    """Where every unit has two ballots the errors are those of irrCAC."""
    raw = pytest.importorskip("irrCAC.raw", reason="the package irrCAC is not installed")
    pandas = pytest.importorskip("pandas")
    ballots = made(seed)
    cac = raw.CAC(pandas.DataFrame(reliability(ballots).T), categories=[0.0, 1.0, 2.0, 3.0], digits=12)
    rows, of = rows_of(ballots)
    for name, theirs in (("fleiss", cac.fleiss), ("ac1", cac.gwet), ("bp", cac.bp)):
        error = error_of_sums(of(COEFFICIENTS[name]), rows, np.ones(len(rows), dtype=np.int64))
        assert error == pytest.approx(theirs()["est"]["se"], rel=1e-5), name


@pytest.mark.parametrize("seed", range(8))
def test_alpha_of_ranks_and_numbers(seed: int) -> None:
    """The closed form in linear memory is the derivative taken numerically: of ranks that move, and of numbers."""
    ballots = made(seed, missing=0.4)
    units = len(ballots.units)
    patterns = BallotPatterns.of(ballots, tabled=True)
    _, of = rows_of(ballots)
    ranks = ordinal_numbers(ballots.unit, ballots.code, np.ones(units, dtype=np.int64))
    expected = error_of_sums(of(COEFFICIENTS["ordinal"]), patterns.each.sums, patterns.times)
    assert alpha_error(alpha_influence(ballots.unit, ranks, units, ranked=True)) == pytest.approx(
        float(expected), rel=1e-5
    )
    numbers = np.array([0.5, 2.0, 7.0, 7.5])[ballots.code]
    rows = spreads(ballots.unit, numbers, units)
    expected = error_of_sums(spread_alpha, rows, np.ones(units, dtype=np.int64))
    assert alpha_error(alpha_influence(ballots.unit, numbers, units, ranked=False)) == pytest.approx(
        float(expected), rel=1e-5
    )


def test_single_ballots_do_not_move_alpha() -> None:
    """Units with one ballot are no units to alpha."""
    ballots, more = ballots_of(["aabb", "abbb"]), ballots_of(["aabbab", "abbb.."])
    errors = [
        alpha_error(alpha_influence(one.unit, one.code.astype(float), len(one.units), ranked=False))
        for one in (ballots, more)
    ]
    assert errors[0] == pytest.approx(errors[1])


def test_no_error_without_two_units() -> None:
    """One unit has no error, and a constant none either."""
    one = np.zeros(2, dtype=np.int64)
    assert np.isnan(alpha_error(alpha_influence(one, np.array([1.0, 2.0]), 1, ranked=False)))
    assert np.isnan(error_of_sums(lambda sums: sums[..., 0], np.ones((1, 2)), np.array([1])))
    two = np.repeat(np.arange(2), 2)
    assert np.isnan(alpha_error(alpha_influence(two, np.ones(4), 2, ranked=False)))
