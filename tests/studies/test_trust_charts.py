"""Figures of trust: what they show is what the result says and what plain loops count, however odd the data."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

import karat
from karat.data.ballots import Ballots, Scale, anonymous_ballots
from karat.data.charts import Chart, Dots, Heat, Lines
from karat.data.scores import Scores
from karat.examples import BALLOTS, JUDGED, RUNS
from karat.formats.ballots import read_ballots
from karat.labels import THREE, TWO
from karat.render.scale import dot_range
from karat.studies.agree.study import agree
from karat.studies.base import StudyResult, figures
from karat.studies.compare.study import compare
from karat.studies.judge.study import judge
from karat.studies.keys.study import keys
from karat.studies.places import best, places
from karat.studies.sensitivity.study import sensitivity
from karat.studies.size.study import size
from karat.studies.swap.study import swap
from tests.ballots import ballots_of, random_rows
from tests.undefined import all_explained

Make = Callable[..., tuple[karat.Pairs, karat.Responses]]
MINE = ("agree", "keys", "compare", "swap", "size", "sensitivity", "judge")
HOSTILE = ('<script>&"$x_1$"</script>', "run\x00with\x1bnothing", "選手権" * 40, "r" * 300, "low", "high", "official")


def of(result: StudyResult) -> dict[str, Any]:
    """The charts by name."""
    return {chart.name: chart for chart in result.charts()}


def place(run: str, scores: Mapping[str, float]) -> float:
    """The place of a run, counted: those above it, and half of those tied with it."""
    above = sum(other > scores[run] + 1e-9 for other in scores.values())
    return 1 + above + (sum(abs(other - scores[run]) <= 1e-9 for other in scores.values()) - 1) / 2


def matrix(runs: int, units: int, seed: int = 0, names: Sequence[str] = ()) -> Scores:
    """Right and wrong of runs from bad to good."""
    values = np.random.default_rng(seed).random((runs, units)) < np.linspace(0.3, 0.8, runs)[:, None]
    named = [*names, *(f"run{place:03}" for place in range(len(names), runs))]
    return Scores(tuple(named), tuple(f"u{unit}" for unit in range(units)), values.astype(float), "mean score")


def test_captions() -> None:
    """The first line of every caption is one sentence that a narrow page holds, and a blank line follows it."""
    mine = [entry for entry in figures if entry.facts["study"] in MINE]
    assert len(mine) == 17
    for entry in mine:
        lines = (entry.function.__doc__ or "").splitlines()
        assert len(lines[0]) <= 110, entry.name
        assert lines[0].endswith((".", ":")), entry.name
        assert not lines[1].strip(), entry.name


# Agreement.


def kappa_by_hand(one: str, other: str) -> float:
    """Cohen's kappa of two rows of letters, from those that both have."""
    both = [(a, b) for a, b in zip(one, other, strict=True) if "." not in (a, b)]
    if not both:
        return math.nan
    observed = sum(a == b for a, b in both) / len(both)
    shares = [{letter: [row[side] for row in both].count(letter) / len(both) for letter in "012"} for side in (0, 1)]
    chance = sum(shares[0][letter] * shares[1][letter] for letter in "012")
    return (observed - chance) / (1 - chance)


def test_agreement_is_kappa_of_every_two() -> None:
    """Each field is the kappa of its row's and its column's assessor, counted; nobody is held against himself."""
    rows = ["0120120120120", "0120120120121", "0120120122.11", "1020012.20102", "..........1.."]
    result = agree(ballots_of(rows, values="012"))
    chart = of(result)["agreement"]
    assert isinstance(chart, Heat)
    assert sorted(chart.labels) == list("abcde")
    assert list(chart.labels) == list(chart.series)
    for column, values in chart.series.items():
        for row, value in zip(chart.labels, values, strict=True):
            if row == column or "e" in (row, column):
                assert math.isnan(value)  # of one common unit, both labels the same or not, chance is all there is
            else:
                assert value == pytest.approx(kappa_by_hand(rows["abcde".index(row)], rows["abcde".index(column)]))
    means = [np.nanmean(chart.series[who]) for who in chart.labels if who != "e"]
    assert means == sorted(means, reverse=True)
    assert (chart.labels[-1], chart.low, chart.high) == ("e", -1, 1)


def test_agreement_of_ordered_labels_is_weighted() -> None:
    """Where labels have an order, what is drawn is the quadratic kappa, and the title says so."""
    result = agree(ballots_of(["0120120", "0120121", "0122122"], "ordinal"))
    chart = of(result)["agreement"]
    assert chart.title.startswith("quadratic-weighted kappa")
    for pair in result.pairwise:
        assert chart.series[pair.a][chart.labels.index(pair.b)] == pair.kappa_quadratic.value
        assert chart.series[pair.b][chart.labels.index(pair.a)] == pair.kappa_quadratic.value


def many_assessors(assessors: int, units: int = 30) -> Ballots:
    """Assessors who are right in four of five cases; later ones judged less."""
    random = np.random.default_rng(0)
    truth = random.integers(0, 3, units)
    said = np.where(random.random((assessors, units)) < 0.8, truth, random.integers(0, 3, (assessors, units)))
    assessor, unit = np.nonzero(np.arange(units) < np.linspace(units, units / 2, assessors)[:, None])
    names = tuple(f"assessor {place}" for place in range(assessors))
    code = said[assessor, unit].astype(np.int32)
    ids = tuple(map(str, range(units)))
    return Ballots(ids, names, Scale(THREE.labels), unit.astype(np.int32), assessor.astype(np.int32), code)


def test_agreement_of_many() -> None:
    """Sixty assessors are drawn, those with most common units; how many pairs are told stands in the title."""
    crowd = many_assessors(70)
    chart = of(agree(crowd, pairs=5000))["agreement"]
    assert sorted(chart.labels) == sorted(crowd.assessors[:60])
    assert "60 of 70 assessors" in chart.title
    fewer = of(agree(crowd, pairs=10))["agreement"]
    assert "the 10 of 2,415 pairs" in fewer.title
    known = sum(value == value for values in fewer.series.values() for value in values)
    assert known == 20


def test_two_assessors_have_confusions_and_no_map() -> None:
    """Rows are the first's labels, columns the second's, shares of the row; a label nobody said has none."""
    rows = ["0001112", "0012112"]
    chart = of(agree(ballots_of(rows, values="0123")))
    assert "agreement" not in chart
    heat = chart["confusions"]
    assert heat.axes == ("b says", "a says")
    for column, values in heat.series.items():
        for row, value in zip(heat.labels, values, strict=True):
            there = [b for a, b in zip(*rows, strict=True) if a == row]
            assert (value == pytest.approx(there.count(column) / len(there))) if there else math.isnan(value)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("exchangeable", [False, True])
def test_confusions_in_loops(seed: int, exchangeable: bool) -> None:
    """Every ballot of a unit with two or more against each other one, all ballots alike; the diagonal is agreement."""
    said = ballots_of(random_rows(seed), exchangeable=exchangeable)
    units: dict[int, list[int]] = defaultdict(list)
    for unit, code in zip(said.unit.tolist(), said.code.tolist(), strict=True):
        units[unit].append(code)
    size = len(said.scale.values)
    counts = [[0.0] * size for _ in range(size)]
    for codes in units.values():
        for mine, code in enumerate(codes):
            for other in codes[:mine] + codes[mine + 1 :]:
                counts[code][other] += 1 / (len(codes) - 1)
    expected = [[cell / sum(row) if sum(row) else math.nan for cell in row] for row in counts]
    result = agree(said)
    np.testing.assert_allclose(result.confusions, expected, rtol=1e-12)
    np.testing.assert_allclose(np.diag(result.confusions), [one.agreement for one in result.per_label])
    all_explained(result)


def test_confusions_of_slots_are_of_any_two_ballots() -> None:
    """Where slots are arbitrary the figure takes no side, and there is no map of assessors."""
    charts = of(agree(anonymous_ballots("abcd", [[0, 0, 0], [0, 1, 1], [2, 2, 2], [0, 2, 2]], Scale(THREE.labels))))
    assert "agreement" not in charts
    heat = charts["confusions"]
    assert heat.axes == ("another says", "one says")
    # ⊢: three of its five ballots stand with ⊢ alone, one with two ◇, one with two ⊣.
    assert [heat.series[label][0] for label in THREE.labels] == pytest.approx([0.6, 0.2, 0.2])


@pytest.mark.parametrize("rows", [["012012"], ["012...", "...012"], ["000000", "000000"]])
def test_nothing_to_confuse(rows: list[str]) -> None:
    """One assessor, no unit in common, one label: no figure of pairs or confusions, and every null has its reason."""
    result = agree(ballots_of(rows))
    assert not {"agreement", "confusions"} & set(of(result))
    all_explained(result)


def test_too_many_values_to_confuse() -> None:
    """More than thirty values have no table of confusions, and it is said why."""
    values = tuple(map(str, range(40)))
    codes = np.arange(40, dtype=np.int32).repeat(2)
    said = Ballots(
        values, ("a", "b"), Scale(values, "interval"), codes, np.tile(np.arange(2, dtype=np.int32), 40), codes
    )
    result = agree(said)
    assert result.confusions == []
    assert "/confusions" in all_explained(result)
    assert "confusions" not in of(result)


def test_coefficients_hold_their_intervals() -> None:
    """A row a coefficient that is defined, its value between its ends."""
    result = agree(read_ballots(BALLOTS))
    chart = of(result)["coefficients"]
    defined = [one for one in result.coefficients.values() if one.value == one.value]
    assert chart.series["value"] == [one.value for one in defined]
    for value, low, high in zip(*chart.series.values(), strict=True):
        assert low <= value <= high


# Keys.


@pytest.fixture(scope="module")
def other_keys(key: karat.Pairs, runs: karat.Responses) -> karat.StudyResult:
    """The shipped runs under the shipped ballots."""
    return keys(key, read_ballots(BALLOTS, key), runs, draws=200, replicates=20)


def test_key_ranks_in_loops(other_keys: Any) -> None:
    """Each run's place under each key, counted from the scores; the official key comes first, place 1 on top."""
    chart = of(other_keys)["key-ranks"]
    assert chart.labels == tuple(one.name for one in other_keys.keys)
    assert chart.labels[0] == "adjudicated"
    for run, line in chart.series.items():
        assert line == [place(run, one.scores) for one in other_keys.keys]
    assert (chart.high, chart.low) == (1, max(max(line) for line in chart.series.values()))
    assert set(chart.marked) == set(chart.series)


def test_random_ranks_in_loops(other_keys: Any) -> None:
    """Places under random keys as the result has them, officially best first, 1 at the left."""
    chart = of(other_keys)["random-ranks"]
    assert isinstance(chart, Dots)
    rows = {row.run: row for row in other_keys.random.runs}
    official = {run: row.official for run, row in rows.items()}
    assert chart.series["official"] == [place(run, official) for run in chart.labels]
    assert chart.series["official"] == sorted(chart.series["official"])
    assert chart.series["low"] == [rows[run].rank_low for run in chart.labels]
    assert chart.series["high"] == [rows[run].rank_high for run in chart.labels]
    assert chart.low == 1
    assert chart.high >= max(chart.series["high"])


def crowd_of_runs(make: Make, runs: int, **more: Any) -> tuple[karat.Pairs, Ballots, karat.Responses]:
    """Runs that are right on one pair more each, and ballots of two that differ on some."""
    labels = ["E", "U", "C"] * 20
    texts = {
        f"run{run:02}": "\n".join(
            f"{at} {label if at <= run else labels[at % 60]}" for at, label in enumerate(labels, 1)
        )
        for run in range(runs)
    }
    key, made = make(" ".join(labels), **texts, **more)
    codes = ["EUC".index(label) for label in labels]
    said = [[code, (code + (at % 4 == 0)) % 3] for at, code in enumerate(codes)]
    return key, anonymous_ballots(key.ids, said, Scale(THREE.labels)), made


def test_many_runs_are_cut_to_the_best(make: Make) -> None:
    """Of forty runs the thirty best are drawn, and every title says so."""
    key, said, runs = crowd_of_runs(make, 40)
    result = keys(key, said, runs, draws=50, replicates=10)
    official = result.keys[0].scores
    expected = sorted(official, key=lambda run: (-official[run], list(official).index(run)))[:30]
    charts = of(result)
    assert list(charts["key-ranks"].series) == expected
    assert list(charts["random-ranks"].labels) == list(charts["key-scores"].labels)
    for name in ("key-ranks", "random-ranks", "key-scores"):
        assert charts[name].title.endswith(", the best 30 of 40 runs")
    for run, line in charts["key-ranks"].series.items():
        assert line == [place(run, one.scores) for one in result.keys]  # among all forty


def test_one_run_has_no_places(make: Make) -> None:
    """One run is scored under each key, and placed nowhere."""
    key, said, runs = crowd_of_runs(make, 1)
    assert set(of(keys(key, said, runs, draws=20, replicates=10))) == {"key-scores"}


def test_undisputed_ballots_draw_nothing_at_random(make: Make) -> None:
    """Where nobody disagrees every random key is the same, and no figure of them is drawn."""
    key, runs = make("E U C E", a="1 E\n2 U\n3 E\n4 U", b="1 E\n2 E\n3 C\n4 E")
    said = anonymous_ballots(key.ids, [[0, 0], [1, 1], [2, 2], [0, 0]], Scale(THREE.labels))
    assert not {"key-scores", "random-ranks"} & set(of(keys(key, said, runs, draws=10, replicates=10)))


def test_places() -> None:
    """Tied runs share the mean of their places; a run without a score has none, and comes last."""
    scores = {"a": 0.5, "b": math.nan, "c": 0.7, "d": 0.5, "e": 0.1}
    made = places(scores)
    assert math.isnan(made.pop("b"))
    assert made == {"a": 2.5, "c": 1, "d": 2.5, "e": 4}
    assert best(scores) == ["c", "a", "d", "e", "b"]
    assert best(scores, 2) == ["c", "a"]


# Comparisons.


def test_differences_in_loops(key: karat.Pairs, runs: karat.Responses) -> None:
    """Every other run less the one it is held against, by its verdict; 0 in the middle; no groups are drawn."""
    result = compare(key, runs, versus="overlap")
    charts = of(result)
    assert set(charts) == {"differences"}
    chart = charts["differences"]
    right = dict(zip(runs.names, runs.right(TWO).values, strict=True))
    verdict = {row.run: row.told_apart for row in result.runs}
    assert set(chart.labels) == set(runs.names) - {"overlap"}
    for at, run in enumerate(chart.labels):
        drawn = {name: chart.series[name][at] for name in chart.dots}
        mine = "told apart" if verdict[run] else "not told apart"
        assert drawn.pop(mine) == pytest.approx(right[run].mean() - right["overlap"].mean())
        assert all(math.isnan(value) for value in drawn.values())
    assert chart.rule == 0
    assert chart.low <= min(chart.series["low"]) < 0 < max(chart.series["high"]) <= chart.high


def test_differences_that_are_all_one_way_keep_0_in_sight() -> None:
    """Against the worst run all differences are above 0, and 0 is on the axis all the same."""
    chart = of(compare(matrix(5, 400), versus="run000"))["differences"]
    low, high = dot_range(chart)
    assert min(chart.series["low"]) > 0
    assert low <= 0 < high


def test_differences_of_runs_alike() -> None:
    """Runs that answer all the same differ by 0, and are drawn so without an interval that nobody knows."""
    values = np.tile((np.arange(20) % 2).astype(float), (3, 1))
    same = Scores(("a", "b", "c"), tuple(map(str, range(20))), values, "mean score")
    (chart,) = of(compare(same, versus="a")).values()
    assert chart.series["not told apart"] == [0, 0]
    assert chart.low < 0 < chart.high


def test_groups_of_many() -> None:
    """Of seventy runs the sixty best are drawn; two are joined if not told apart, by no more groups than it takes."""
    result = compare(matrix(70, 60))
    chart = of(result)["groups"]
    assert chart.labels == tuple(row.run for row in result.runs[:60])
    assert chart.title.endswith("the best 60 of 70 runs")
    assert chart.groups
    joined = {frozenset((a, b)) for group in chart.groups for a in group for b in group if a != b}
    alike = {frozenset((pair.a, pair.b)) for pair in result.pairs if not pair.different}
    assert joined == {pair for pair in alike if pair <= set(chart.labels)}
    assert not [one for one in chart.groups for other in chart.groups if set(one) < set(other)]
    assert len(set(chart.groups)) == len(chart.groups) < len(result.groups or ())


def test_groups_join_what_is_not_told_apart(key: karat.Pairs, runs: karat.Responses) -> None:
    """Two runs are in one drawn group if and only if they are not told apart."""
    result = compare(key, runs)
    chart = of(result)["groups"]
    joined = {frozenset((a, b)) for group in chart.groups for a in group for b in group if a != b}
    assert joined == {frozenset((pair.a, pair.b)) for pair in result.pairs if not pair.different}


# Swaps.


def fresh_by_hand(scores: Scores, low: float, high: float, size: int) -> float:
    """Two new samples of normal means: the share of differences in the bin that the second set turns, all pairs."""
    fallen = turned = 0.0
    for one in range(len(scores.runs)):
        for other in range(one):
            apart = scores.values[one] - scores.values[other]
            normal = NormalDist(float(apart.mean()), float(apart.std(ddof=1)) / math.sqrt(size))
            above = normal.cdf(high) - normal.cdf(low)
            below = normal.cdf(-low) - normal.cdf(-high)
            fallen += above + below
            turned += above * normal.cdf(0) + below * (1 - normal.cdf(0))
    return turned / fallen


@pytest.fixture(scope="module")
def swapped() -> karat.StudyResult:
    """Eight runs on 120 units."""
    return swap(matrix(8, 120), trials=20, replicates=5)


def test_error_by_size_in_loops(swapped: Any) -> None:
    """Points are the procedure's, fitted is a·e^(−b·n), fresh what normal means of new samples give, all to N."""
    chart = of(swapped)["error-by-size"]
    assert isinstance(chart, Lines)
    assert chart.rule == swapped.error
    assert 1 <= len(chart.scattered) <= 4
    assert set(chart.like.values()) == set(chart.scattered)
    for name in chart.scattered:
        curve = next(one for one in swapped.curves if f"{one.low:g}–{one.high:g}" == name)
        observed = {point.size: point.error for point in curve.points}
        assert len(chart.points(name)) == min(16, len(observed))
        assert all(observed[round(n)] == error for n, error in chart.points(name))
        assert chart.points(name)[-1][0] == max(observed)
        for n, error in chart.points(f"{name} fitted"):
            assert error == pytest.approx(curve.fit.a * math.e ** (-curve.fit.b * n))
        assert chart.points(f"{name} fitted")[-1] == (120, pytest.approx(curve.fit.error_at_full))
        fresh = chart.points(f"{name} fresh")
        assert fresh[-1][0] == 120
        assert {point.size for point in swapped.analytic.curves[0].finite} < {n for n, _ in fresh}
        for n, error in fresh:
            assert error == pytest.approx(fresh_by_hand(matrix(8, 120), curve.low, curve.high, round(n)), abs=1e-6)


def test_no_errors_fit_a_line_at_0() -> None:
    """A bin without an error at any size has a fitted curve of 0, not of nothing."""
    values = np.zeros((2, 60))
    values[0] = 0.25 + np.arange(60) % 2 / 100
    never = Scores(("a", "b"), tuple(map(str, range(60))), values, "mean score")
    chart = of(swap(never, trials=50, replicates=5))["error-by-size"]
    fitted = [name for name in chart.series if name.endswith(" fitted")]
    assert fitted
    assert all(set(chart.series[name]) == {0.0} for name in fitted)


def test_no_bin_no_figure() -> None:
    """Runs that never differ have no curve, and no figure of any."""
    values = np.tile(np.arange(40) % 2, (2, 1)).astype(float)
    result = swap(Scores(("a", "b"), tuple(map(str, range(40))), values, "mean score"), trials=2, replicates=2)
    assert "error-by-size" not in of(result)


# Sizes.


def connor_by_hand(units: float, psi: float, difference: float) -> float:
    """The power of a two-sided test at 5 %."""
    spread = math.sqrt(psi - difference**2)
    return NormalDist().cdf((difference * math.sqrt(units) - 1.959963984540054 * math.sqrt(psi)) / spread)


def test_power_in_loops(key: karat.Pairs, runs: karat.Responses) -> None:
    """Lines are Connor's power; the units at hand stand on the rule, with the difference they find so."""
    result = size(key, runs, difference=[0.05, 0.1])
    (chart,) = of(result).values()
    psi = result.detectables[0].discordance.median
    for difference in (0.05, 0.1):
        for units, power in chart.points(f"{difference:g}"):
            assert power == pytest.approx(connor_by_hand(units, psi, difference), abs=1e-9)
    (point,) = chart.scattered
    assert chart.points(point) == [(160, 0.8)]
    assert connor_by_hand(160, psi, result.detectable) == pytest.approx(0.8)
    assert point == f"{result.detectable:.3g} with the 160 at hand"
    assert (chart.rule, chart.like, chart.name) == (0.8, {}, "power")


def test_power_with_a_noisy_key(key: karat.Pairs, runs: karat.Responses) -> None:
    """Two-way errors e leave δ(1 − 2e) of a difference: a line for each beside that of a perfect key."""
    result = size(key, runs, difference=[0.05, 0.1], noise=0.1)
    (chart,) = of(result).values()
    psi = result.detectables[0].discordance.median
    assert chart.like == {"0.05 noisy key": "0.05", "0.1 noisy key": "0.1"}
    for noisy, name in chart.like.items():
        for (units, power), (there, perfect) in zip(chart.points(noisy), chart.points(name), strict=True):
            assert units == there
            assert power == pytest.approx(connor_by_hand(units, psi, 0.8 * float(name)), abs=1e-9)
            assert perfect == pytest.approx(connor_by_hand(units, psi, float(name)), abs=1e-9)
    (point,) = chart.scattered
    assert point.endswith(f", {result.detectables[0].noisy:.3g} noisy")
    all_explained(result)


def test_power_without_noise_is_that_without_errors(key: karat.Pairs, runs: karat.Responses) -> None:
    """Where the key has no errors both powers are one."""
    for curve in size(key, runs).curves:
        assert all(point.power == point.without_errors for point in curve.points)


def test_power_both_ways(key: karat.Pairs, runs: karat.Responses) -> None:
    """Two ways, two figures, each with its own point."""
    three = karat.Responses.of(key, [run for run in runs.runs if run.info.name != "two-way"])
    result = size(key, three, way="both", difference=[0.05])
    charts = of(result)
    assert list(charts) == ["power-3-way", "power-2-way"]
    for row in result.detectables:
        assert charts[f"power-{row.way}-way"].scattered == (f"{row.difference:.3g} with the 160 at hand",)


def test_units_at_hand_far_beyond_are_told() -> None:
    """Where all lines end far below the units at hand, the title has them and the axis does not reach there."""
    (chart,) = of(size(matrix(4, 3000), difference=[0.2])).values()
    assert chart.scattered == ()
    assert chart.title.endswith("3000 units at hand")
    assert chart.reach[1] < 1500


# Settings and judges.


def test_setting_ranks_in_loops(key: karat.Pairs) -> None:
    """Each run's place under each setting, counted from the scores, the official one first."""
    three = karat.read_runs([file for file in sorted(RUNS.iterdir()) if file.stem != "two-way"], key)
    result = sensitivity(key, three, ballots=read_ballots(BALLOTS, key))
    chart = of(result)["setting-ranks"]
    assert chart.labels == tuple(f"{one.setting} {one.value}" for one in result.settings)
    assert chart.labels[0].startswith("official ")
    for run, line in chart.series.items():
        assert line == [place(run, one.scores) for one in result.settings]


def test_judge_bias_in_loops(key: karat.Pairs, runs: karat.Responses) -> None:
    """Right answers by the judge's key less those by people's majority, kindest first, inside its interval."""
    said = read_ballots(JUDGED, key)
    result = judge(said, automatic=["auto"], key=key, runs=runs, replicates=200)
    charts = of(result)
    assert set(charts) == {"judge-rates", "judge-scores", "judge-bias"}
    chart = charts["judge-bias"]
    rows = {one.run: one for one in result.judges[0].ranking.bias}
    assert set(chart.labels) == set(rows)
    assert chart.series["bias"] == [pytest.approx(rows[run].judge - rows[run].human) for run in chart.labels]
    assert chart.series["bias"] == sorted(chart.series["bias"], reverse=True)
    for value, low, high in zip(*(chart.series[name] for name in ("bias", "low", "high")), strict=True):
        assert low <= value <= high
    assert chart.rule == 0
    assert chart.low <= min(chart.series["low"]) < 0 < max(chart.series["high"]) <= chart.high
    scores = charts["judge-scores"]
    assert scores.series["people's key"] == sorted(scores.series["people's key"], reverse=True)
    assert scores.series["judge's key"] == [rows[run].judge for run in scores.labels]


def test_judges_are_told_apart(key: karat.Pairs, runs: karat.Responses) -> None:
    """Of two judges each has figures of its own name; without runs there is none of scores or bias."""
    said = read_ballots(JUDGED, key)
    two = of(judge(said, automatic=["auto", "cleo"], key=key, runs=runs, replicates=50))
    assert set(two) == {f"judge-{kind}-{who}" for kind in ("rates", "scores", "bias") for who in ("auto", "cleo")}
    assert set(of(judge(said, automatic=["auto"], replicates=50))) == {"judge-rates"}


# Odd names, through every form.


@pytest.mark.parametrize("form", ["text", "html", "json"])
def test_hostile_names(form: str, key: karat.Pairs, runs: karat.Responses) -> None:
    """Names that are markup, control characters, very long, not Latin or words of the figures' own are only names."""
    scores = matrix(9, 60, names=HOSTILE)
    named = karat.Responses.of(
        key,
        [
            replace(run, info=replace(run.info, name=name))
            for name, run in zip([*HOSTILE, "h", "i", "j"], runs.runs, strict=True)
        ],
    )
    said = read_ballots(BALLOTS, key)
    crowd = many_assessors(len(HOSTILE))
    results: list[StudyResult] = [
        compare(scores),
        compare(scores, versus=HOSTILE[0]),
        keys(key, said, named, draws=20, replicates=10),
        sensitivity(key, named),
        agree(replace(crowd, assessors=HOSTILE)),
        agree(replace(crowd, scale=Scale((HOSTILE[0], HOSTILE[2], HOSTILE[3])))),
        judge(read_ballots(JUDGED, key), automatic=["auto"], key=key, runs=named, replicates=20),
    ]
    for result in results:
        made = result.render(form)
        if form == "html":
            drawn = re.findall("<svg.*?</svg>", made, re.DOTALL)
            assert len(drawn) == len(result.charts())
            for element in drawn:
                ElementTree.fromstring(element)  # which has neither bare markup nor characters that XML forbids
        assert len({chart.name for chart in result.charts()}) == len(result.charts())


def test_names_of_figures_do_not_hide_series() -> None:
    """A run called `low` or `official` is a label, never one of the series that a figure is made of."""
    charts: list[Chart] = compare(matrix(9, 60, names=HOSTILE)).charts()
    for chart in charts:
        assert isinstance(chart, Dots)
        assert all(len(values) == len(chart.labels) == 9 for values in chart.series.values())
