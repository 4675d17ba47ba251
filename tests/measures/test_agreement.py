"""Coefficients of agreement: naive twins in exact fractions, other libraries, properties, and what is undefined."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations
from statistics import mean
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from karat.data.ballots import Ballots, Level, Scale
from karat.data.coincidences import Coincidence, table_ballots
from karat.data.tables import Table
from karat.errors import UsageError
from karat.kernels.coincidence import spreads
from karat.measures.agreement import (
    ac1,
    ac2,
    agreement,
    alpha,
    brennan_prediger,
    coefficients,
    conditional_agreement,
    fleiss_kappa,
    kappa_linear,
    kappa_maximum,
    kappa_quadratic,
    pi,
    specific_agreement,
    spread_alpha,
)
from karat.measures.contingency import kappa
from karat.statistics.spread import ordinal_numbers
from karat.studies.agree.study import agree
from tests.ballots import ballots_of, random_rows, reliability

SEEDS = range(40)


def units_of(ballots: Ballots) -> list[list[int]]:
    """The codes of each unit."""
    said: list[list[int]] = [[] for _ in ballots.units]
    for unit, code in zip(ballots.unit, ballots.code, strict=True):
        said[unit].append(int(code))
    return [one for one in said if one]


def chance_corrected(observed: Fraction, chance: Fraction) -> float:
    """Agreement beyond chance; undefined where there is nothing beyond."""
    return math.nan if chance == 1 else float((observed - chance) / (1 - chance))


def naive_gwet(ballots: Ballots) -> dict[str, float]:
    """Agreement, Fleiss' kappa, AC1 and Brennan–Prediger, each unit counted once."""
    said, size = units_of(ballots), len(ballots.scale.values)
    paired = [one for one in said if len(one) > 1]
    observed = mean(Fraction(sum(a == b for a, b in combinations(one, 2)), math.comb(len(one), 2)) for one in paired)
    share = [mean(Fraction(one.count(k), len(one)) for one in said) for k in range(size)]
    return {
        "agreement": float(observed),
        "fleiss_kappa": chance_corrected(observed, sum((p * p for p in share), Fraction(0))),
        "ac1": chance_corrected(observed, sum((p * (1 - p) for p in share), Fraction(0)) / (size - 1)),
        "brennan_prediger": chance_corrected(observed, Fraction(1, size)),
    }


def naive_alpha(ballots: Ballots, level: Level) -> float:
    """Krippendorff's definition: mean distance within units over that of all ballots, in fractions."""
    said = [one for one in units_of(ballots) if len(one) > 1]
    every = [code for one in said for code in one]
    times = Counter(every)

    def distance(a: int, b: int) -> Fraction:
        if level == "nominal":
            return Fraction(a != b)
        if level == "interval":
            return Fraction(a - b) ** 2
        low, high = sorted((a, b))
        return (sum(times[code] for code in range(low, high + 1)) - Fraction(times[a] + times[b], 2)) ** 2

    within = sum(Fraction(sum(distance(a, b) for a, b in permutations(one, 2)), len(one) - 1) for one in said)
    at_large = Fraction(sum(distance(a, b) for a, b in permutations(every, 2)), len(every) - 1)
    return float(1 - within / at_large) if at_large else math.nan


@pytest.mark.parametrize("seed", SEEDS)
def test_each_unit_once(seed: int) -> None:
    """Agreement, Fleiss, AC1 and Brennan–Prediger are the naive ones, ballots missing or not."""
    ballots = ballots_of(random_rows(seed))
    one = Coincidence.of(ballots)
    for name, value in naive_gwet(ballots).items():
        assert float(coefficients[name].function(one)) == pytest.approx(value, abs=1e-12), name


def ballots_at(ballots: Ballots) -> Ballots:
    """The same with labels that are the numbers 0, 1, 2, …, as the naive twins take them."""
    return replace(ballots, scale=Scale(tuple(map(str, range(len(ballots.scale.values))))))


def naive_ac2(ballots: Ballots, places: list[int]) -> float:
    """Gwet's AC2 with quadratic weights, pair of ballots by pair of ballots, in fractions."""
    said, size = units_of(ballots), len(places)
    far = (max(places) - min(places)) ** 2

    def weight(a: int, b: int) -> Fraction:
        return 1 - Fraction((places[a] - places[b]) ** 2, far)

    observed = mean(mean(weight(a, b) for a, b in permutations(one, 2)) for one in said if len(one) > 1)
    share = [mean(Fraction(one.count(k), len(one)) for one in said) for k in range(size)]
    spread = sum((weight(a, b) for a in range(size) for b in range(size)), Fraction(0))
    chance = spread * sum((p * (1 - p) for p in share), Fraction(0)) / (size * (size - 1))
    return chance_corrected(observed, chance)


@pytest.mark.parametrize("seed", SEEDS)
def test_ac2(seed: int) -> None:
    """AC2 of ranks and of amounts is the naive one, ballots missing or not; of names it is AC1."""
    ballots = ballots_of(random_rows(seed))
    size = len(ballots.scale.values)
    one = Coincidence.of(ballots)
    assert float(ac2(one, "ordinal")) == pytest.approx(naive_ac2(ballots, list(range(size))), abs=1e-12)
    places = [place**2 for place in range(size)]
    numbered = Coincidence(tuple(map(str, places)), one.sums)
    assert float(ac2(numbered, "interval")) == pytest.approx(naive_ac2(ballots, places), abs=1e-12)
    assert float(ac2(one)) == pytest.approx(float(ac1(one)), abs=1e-12)


def test_ac2_of_irr_cac() -> None:
    """Published: four raters of twelve units (Gwet 2014, p. 120) and two tables, as irrCAC's own tests have them."""
    raters = ballots_of(["123321412...", "1233224125..", ".33323422513", "12332441251."], "interval")
    assert agree(raters).coefficients["ac2"].value == pytest.approx(0.914, abs=5e-4)
    tables = {
        0.940: [[13, 0, 0], [0, 20, 7], [0, 4, 56]],
        0.299: [[40, 4, 4, 17], [6, 25, 2, 13], [4, 1, 21, 12], [15, 5, 9, 45]],
    }
    for value, counts in tables.items():
        two = agree(table_ballots(counts, Scale(tuple("abcd"[: len(counts)]), "ordinal")))
        assert two.coefficients["ac2"].value == pytest.approx(value, abs=5e-4)
    assert two.coefficients["ac2"].error == pytest.approx(0.075, abs=5e-4)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
@pytest.mark.parametrize("seed", SEEDS)
def test_alpha(seed: int, level: Level) -> None:
    """Alpha is Krippendorff's definition, and what his package gives, from tables, ranks and moments."""
    ballots = ballots_of(random_rows(seed))
    numbers = ballots.code.astype(float)
    if level == "ordinal":
        numbers = ordinal_numbers(ballots.unit, ballots.code, np.ones(len(ballots.units), dtype=np.int64))
    values = [float(alpha(Coincidence.of(ballots_at(ballots)), level))]
    if level != "nominal":
        values.append(float(spread_alpha(spreads(ballots.unit, numbers, len(ballots.units)).sum(axis=0))))
    expected = naive_alpha(ballots, level)
    assert values == pytest.approx([expected] * len(values), abs=1e-10, nan_ok=True)
    if not math.isnan(expected):  # his package divides by zero there
        package = pytest.importorskip("krippendorff", reason="the package krippendorff is not installed")
        theirs = package.alpha(reliability(ballots), level_of_measurement=level)
        assert values == pytest.approx([theirs] * len(values), abs=1e-10)


@pytest.mark.parametrize("seed", range(15))
def test_gwet_package(seed: int) -> None:
    """irrCAC gives the same Fleiss, AC1 and Brennan–Prediger, ballots missing or not."""
    raw = pytest.importorskip("irrCAC.raw", reason="the package irrCAC is not installed")
    pandas = pytest.importorskip("pandas")
    rows = random_rows(seed + 100)
    ballots = ballots_of(rows)
    frame = pandas.DataFrame(reliability(ballots).T)
    # Told the categories: left alone, it takes a missing value for one more.
    categories = [float(code) for code in range(len(ballots.scale.values))]
    cac = raw.CAC(frame[frame.notna().any(axis=1)], categories=categories, digits=12)
    one = Coincidence.of(ballots)
    for name, theirs in (("fleiss_kappa", cac.fleiss), ("ac1", cac.gwet), ("brennan_prediger", cac.bp)):
        assert float(coefficients[name].function(one)) == pytest.approx(theirs()["est"]["coefficient_value"], abs=1e-9)
    weighted = raw.CAC(frame[frame.notna().any(axis=1)], weights="quadratic", categories=categories, digits=12)
    assert float(ac2(one, "ordinal")) == pytest.approx(weighted.gwet()["est"]["coefficient_value"], abs=1e-9)


def test_fleiss_of_statsmodels() -> None:
    """On equal numbers of ballots Fleiss' kappa is that of statsmodels."""
    package = pytest.importorskip("statsmodels.stats.inter_rater")
    random = np.random.default_rng(3)
    ballots = ballots_of(["".join(row) for row in random.choice(list("abc"), (5, 30), p=[0.6, 0.3, 0.1])])
    expected = package.fleiss_kappa(ballots.counts(), method="fleiss")
    assert float(fleiss_kappa(Coincidence.of(ballots))) == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(20))
def test_weighted_kappa(seed: int) -> None:
    """Linear and quadratic kappa are scikit-learn's; on numbers two apart all distances are twice as long."""
    random = np.random.default_rng(seed)
    one, other = random.integers(0, 4, (2, 50))
    counts = np.zeros((4, 4))
    np.add.at(counts, (one, other), 1)
    table = Table(counts, ("0", "1", "2", "3"))
    for function, weights in ((kappa_linear, "linear"), (kappa_quadratic, "quadratic")):
        expected = cohen_kappa_score(one, other, weights=weights)
        assert float(function(table)) == pytest.approx(expected)
        assert float(function(Table(counts, ("0", "2", "4", "6")), "interval")) == pytest.approx(expected)
        assert float(function(Table(counts, ("0", "1", "4", "9")), "interval")) != pytest.approx(expected)


@pytest.mark.parametrize("seed", range(20))
def test_two_labels_leave_nothing_to_weigh(seed: int) -> None:
    """With two labels weighted kappas are kappa, ordinal alpha is nominal alpha, and AC1 lies above pi."""
    counts = np.random.default_rng(seed).integers(1, 20, (2, 2)).astype(float)
    table = Table(counts)
    one = Coincidence.of_table(table)
    assert float(kappa_linear(table)) == pytest.approx(float(kappa(table)))
    assert float(kappa_quadratic(table)) == pytest.approx(float(kappa(table)))
    assert float(alpha(one, "ordinal")) == pytest.approx(float(alpha(one)))
    assert float(pi(one)) <= float(brennan_prediger(one)) + 1e-12 <= float(ac1(one)) + 2e-12


SYMMETRIC: dict[str, Callable[[Coincidence], Any]] = {
    entry.name: entry.function for entry in coefficients if entry.facts["of"] is Coincidence
}


@pytest.mark.parametrize("name", SYMMETRIC)
@pytest.mark.parametrize("seed", range(10))
def test_symmetric_coefficients_know_no_assessors(name: str, seed: int) -> None:
    """Within a unit ballots may change hands; renaming labels changes nothing nominal; all lies in its range."""
    random = np.random.default_rng(seed)
    rows = np.array([list(row) for row in random_rows(seed, missing=0)])
    shuffled = random.permuted(rows, axis=0)
    renamed = np.array(list("0123"))[(rows.astype(int) + 1) % 4]
    values = [
        float(SYMMETRIC[name](Coincidence.of(ballots_of(["".join(row) for row in made], values="0123"))))
        for made in (rows, shuffled, renamed)
    ]
    assert values == pytest.approx([values[0]] * 3)
    low, high = coefficients[name].facts["range"]
    assert low <= values[0] <= high


@pytest.mark.parametrize("name", [entry.name for entry in coefficients])
def test_leading_axes(name: str) -> None:
    """Many tables or coincidences at once give what each gives alone."""
    counts = np.random.default_rng(5).integers(0, 9, (4, 3, 3))
    function = coefficients[name].function
    many: Any = Table(counts)
    ones: list[Any] = [Table(table) for table in counts]
    if coefficients[name].facts["of"] is Coincidence:
        many, ones = Coincidence.of_table(many), [Coincidence.of_table(one) for one in ones]
    np.testing.assert_allclose(function(many), [function(one) for one in ones])


def test_perfect_agreement_is_one() -> None:
    """Where assessors never differ and use several labels every coefficient is 1."""
    table = Table([[5, 0, 0], [0, 3, 0], [0, 0, 2]])
    for entry in coefficients:
        subject = table if entry.facts["of"] is Table else Coincidence.of_table(table)
        assert float(entry.function(subject)) == pytest.approx(1), entry.name


def test_independence_is_zero() -> None:
    """Kappas of independent assessors are exactly 0, not a rounding of it."""
    table = Table(np.outer([3, 6, 1], [7, 2, 5]))
    assert [float(f(table)) for f in (kappa, kappa_linear, kappa_quadratic)] == [0, 0, 0]


def test_one_label_only() -> None:
    """Chance agrees always: undefined, save where chance is taken over the labels there might have been."""
    table = Table([[9, 0], [0, 0]])
    one = Coincidence.of_table(table)
    for function in (pi, fleiss_kappa, alpha):
        assert math.isnan(float(function(one)))
    for of_table in (kappa, kappa_linear, kappa_quadratic, kappa_maximum):
        assert math.isnan(float(of_table(table)))
    assert float(ac1(one)) == float(brennan_prediger(one)) == float(agreement(one)) == 1
    alone = Coincidence.of(ballots_of(["xx", "xx"]))
    assert math.isnan(float(ac1(alone)))
    assert math.isnan(float(brennan_prediger(alone)))


def test_no_pair() -> None:
    """Without a unit of two ballots everything is undefined."""
    one = Coincidence.of(ballots_of(["ab..", "..ab"]))
    assert all(math.isnan(float(function(one))) for function in SYMMETRIC.values())
    assert np.isnan(specific_agreement(one)).all()
    assert math.isnan(float(spread_alpha(np.zeros(4))))


def test_numbers_that_do_not_differ() -> None:
    """A constant is undefined, however large: rounding is no disagreement."""
    for number in (0.0, 0.1, 1e9 + 0.1):
        sums = spreads(np.repeat(np.arange(50), 3), np.full(150, number), 50).sum(axis=0)
        assert math.isnan(float(spread_alpha(sums)))


def test_words_are_no_numbers() -> None:
    """Interval distances are refused where the numbers are not known."""
    with pytest.raises(UsageError, match="an interval scale has numbers"):
        alpha(Coincidence.of_table(Table([[1, 2], [3, 4]])), "interval")


@pytest.mark.parametrize("seed", range(5))
def test_alpha_of_numbers_both_ways(seed: int) -> None:
    """From the table of coincidences of numbers and from their spread within units and at large."""
    ballots = replace(ballots_of(random_rows(seed)), scale=Scale(("1", "2", "10", "-3"), "interval"))
    plain = spreads(ballots.unit, ballots.scale.numbers[ballots.code], len(ballots.units)).sum(axis=0)
    assert float(alpha(Coincidence.of(ballots), "interval")) == pytest.approx(float(spread_alpha(plain)))


def test_label_by_label() -> None:
    """Positive specific agreement is 2n/(row + column); conditionals are n/row; labels nobody uses are undefined."""
    table = Table([[378, 32, 0], [48, 342, 0], [0, 0, 0]])
    specific = specific_agreement(Coincidence.of_table(table))
    assert specific[:2] == pytest.approx([2 * 378 / (410 + 426), 2 * 342 / (390 + 374)])
    assert conditional_agreement(table)[:2] == pytest.approx([378 / 410, 342 / 390])
    assert conditional_agreement(table.transpose())[:2] == pytest.approx([378 / 426, 342 / 374])
    assert math.isnan(specific[2])


@pytest.mark.parametrize("seed", range(10))
def test_no_table_with_these_margins_has_more(seed: int) -> None:
    """The maximum is reached by the table with as much on the diagonal as the margins allow, and by no shuffle."""
    random = np.random.default_rng(seed)
    one, other = random.choice(3, 40, p=[0.5, 0.3, 0.2]), random.choice(3, 40, p=[0.2, 0.5, 0.3])
    largest = None
    for _ in range(200):
        counts = np.zeros((3, 3))
        np.add.at(counts, (one, random.permutation(other)), 1)
        table = Table(counts)
        largest = float(kappa_maximum(table))
        assert float(kappa(table)) <= largest + 1e-12
    assert largest is not None
    assert largest <= 1
