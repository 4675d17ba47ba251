"""Swap: the paper's procedure, its answer, and what is said where there is none."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import karat
from karat.data.charts import Lines
from karat.data.provenance import Source
from karat.data.responses import Responses
from karat.data.scores import Scores
from karat.labels import THREE, TWO
from karat.studies.swap.study import swap
from tests.studies.test_grades import runs_of
from tests.undefined import all_explained

Make = Callable[..., tuple[karat.Pairs, karat.Responses]]


def scores_of(values: Any, **more: Any) -> Scores:
    """A score matrix of run0, run1 …"""
    values = np.asarray(values, dtype=float)
    runs, units = values.shape
    names = tuple(f"team{run // 2}-run{run}" for run in range(runs))
    return Scores(names, tuple(f"u{unit}" for unit in range(units)), values, "mean score", **more)


def uneven(runs: int = 12, units: int = 80, seed: int = 0) -> Scores:
    """Right and wrong of runs from bad to good."""
    random = np.random.default_rng(seed)
    return scores_of(random.random((runs, units)) < np.linspace(0.3, 0.7, runs)[:, None])


def test_paper_s_shape() -> None:
    """63 runs, 64 units: sizes 5 to 32, 50 trials, 2,734,200 comparisons, ties of the first set among them."""
    result = swap(uneven(63, 64), replicates=5)
    assert (result.sizes, result.trials, result.comparisons) == (list(range(5, 33)), 50, 2_734_200)
    binned = sum(point.comparisons for curve in result.procedure.curves for point in curve.points)
    assert binned + sum(tied.comparisons for tied in result.procedure.tied) == 2_734_200
    assert result.signature.ties == "strict"
    # Far apart as these runs are, the procedure and fresh samples ask for about the same.
    least = result.fresh.smallest_reliable_difference
    assert 0.05 <= least <= 0.26
    assert result.procedure.smallest_reliable_difference == pytest.approx(least, abs=0.05)


def test_accuracy_of_runs_is_a_score_matrix(runs: karat.Responses) -> None:
    """A key and runs are studied as their right and wrong, without constant answers; the way is told."""
    runs = runs.of_runs([place for place, name in enumerate(runs.names) if name != "always-entailment"])
    asked = {"trials": 5, "step": 20, "replicates": 5}
    one = swap(runs, **asked)
    other = swap(runs.right(TWO), **asked)
    assert one.way == "2"
    assert one.procedure.curves == other.procedure.curves
    assert one.measures == ["accuracy"]


def test_every_null_has_a_reason() -> None:
    """Each null is explained under `undefined`, and each explanation leads to a null."""
    for result in (
        swap(uneven(4, 20), trials=3, replicates=5),
        swap(uneven(3, 12), trials=1, replicates=5),
        swap(scores_of(np.tile(np.arange(20) % 2, (3, 1))), trials=2, replicates=5),
        swap(uneven(), team="^([^-]+)-", trials=5, step=10, replicates=5),
    ):
        all_explained(result)


def test_bins_follow_one_another() -> None:
    """Curves are of bins that hold something, in order, each .01 wide; points have comparisons; intervals hold them."""
    result = swap(uneven(), replicates=5)
    lows = [curve.low for curve in result.procedure.curves]
    assert lows == sorted(lows)
    for curve in result.procedure.curves:
        assert curve.high == pytest.approx(curve.low + 0.01)
        assert curve.low == round(curve.low, 2)
        for point in curve.points:
            assert point.comparisons > 0
            assert point.interval[0] <= point.error <= point.interval[1]


def test_ties_are_a_parameter() -> None:
    """Sakai's policy finds more errors than half, half more than strict; ignore is out of fewer."""
    scores = uneven()
    total = {
        policy: swap(scores, ties=policy, trials=10, replicates=2, bin_width=1.0).procedure.curves[0].points[0].error
        for policy in ("strict", "half", "ignore", "sakai")
    }
    assert total["strict"] < total["half"] < total["sakai"]
    assert total["strict"] < total["ignore"]


def test_seed_alone_decides() -> None:
    """The same seed, the same JSON; another, another."""
    scores = uneven()
    made = [swap(scores, seed=seed, trials=4, replicates=5).render("json") for seed in (1, 1, 2)]
    assert made[0] == made[1] != made[2]


def test_order_of_runs_and_units_is_nothing() -> None:
    """Runs and units in another order give the same result to the last digit, intervals included."""
    scores, random = uneven(7, 40), np.random.default_rng(0)
    runs, units = random.permutation(7), random.permutation(40)
    values = scores.values[np.ix_(runs, units)]
    shuffled = Scores(tuple(scores.runs[a] for a in runs), tuple(scores.units[b] for b in units), values)
    asked = {"trials": 20, "replicates": 30, "team": "^([^-]+)-"}
    made = [json.loads(one.render("json")) for one in (swap(scores, **asked), swap(shuffled, **asked))]
    assert made[0]["runs"] != made[1]["runs"]
    for one in made:
        for part in ("runs", "signature", "measures"):
            del one[part]
    assert made[0] == made[1]


def test_intervals_are_of_what_they_say() -> None:
    """The procedure's interval is over trials: many more of them make it narrower. That of fresh samples stays."""
    scores = uneven(12, 60, seed=3)
    few, many = (swap(scores, trials=trials, replicates=200) for trials in (10, 400))
    ends = [one.procedure.interval_over_trials for one in (few, many)]
    assert np.ptp(ends[1]) < np.ptp(ends[0])
    for one, (low, high) in zip((few, many), ends, strict=True):
        assert low <= one.procedure.smallest_reliable_difference <= high
    assert few.fresh == many.fresh
    assert few.fresh.needed.low < few.fresh.needed.value < few.fresh.needed.high
    assert "runs and units" in few.render("text")


def test_teams() -> None:
    """Pairs of one team are counted apart; a run that does not match is a team of its own."""
    result = swap(uneven(), team="^([^-]+)-", replicates=5)
    assert result.teams is not None
    assert (result.teams.between.pairs, result.teams.within.pairs) == (60, 6)
    whole = result.teams.between.share * 60 + result.teams.within.share * 6
    assert whole == pytest.approx(result.fresh.sensitivity * 66)
    alone = swap(uneven(), team="nothing", replicates=5)
    assert alone.teams is not None
    assert alone.teams.within.pairs == 0
    assert any("no such pair" in one.reason for one in alone.undefined)
    with pytest.raises(karat.UsageError, match="not a regular expression"):
        swap(uneven(), team="(")


def test_a_pattern_of_teams_that_takes_forever() -> None:
    """Expressions of teams are RE2's: in time in proportion to the names, and without what has none."""
    scores = Scores(("a" * 40, "\udcff"), ("1", "2", "3", "4"), np.array([[1.0, 0, 1, 0], [0, 1, 1, 1]]))
    assert swap(scores, team="(a|aa)+$!", smallest=1, replicates=2).teams is not None
    assert swap(scores, team="[0-9]*", smallest=1, replicates=2).teams is not None  # finds nothing, everywhere
    with pytest.raises(karat.UsageError, match=r"team \(a\)\\1: not a regular expression"):
        swap(scores, team=r"(a)\1", smallest=1)


def test_reliable_sizes_are_consistent() -> None:
    """A difference that is reliable with all units needs no more units than that, and the other way round."""
    result = swap(uneven(30, 100), replicates=5)
    for curve in result.fresh.curves:
        assert curve.reliable_size is not None
        assert (curve.reliable_size <= 100) == (curve.interval[1] <= 0.05)
        assert curve.interval[0] <= curve.error_at_full <= curve.interval[1]
    for made in result.procedure.curves:
        if made.fit and made.reliable_size is not None and made.fit.b == made.fit.b:
            assert (made.reliable_size <= 100) == (made.fit.error_at_full <= 0.05)


def test_every_difference_has_a_size() -> None:
    """Where runs are truly apart there is a size for any difference, small ones and those that few pairs show too."""
    random = np.random.default_rng(2)
    values = (random.random((6, 300)) < np.array([0.2, 0.2, 0.2, 0.5, 0.8, 0.8])[:, None]).astype(float)
    sizes = [curve.reliable_size for curve in swap(scores_of(values), trials=2, replicates=2).fresh.curves]
    known = [size for size in sizes if size is not None]
    assert len(known) == len(sizes) > 40
    assert known == sorted(known, reverse=True)


def test_many_units_have_fewer_sizes() -> None:
    """Beyond 200 units about a hundred sizes are drawn, half of the units among them; a step is kept."""
    result = swap(uneven(3, 900), trials=2, replicates=2)
    assert 90 <= len(result.sizes) <= 102
    assert (result.sizes[0], result.sizes[-1]) == (5, 450)
    assert swap(uneven(3, 900), trials=2, replicates=2, step=200).sizes == [5, 205, 405, 450]


def test_two_runs_have_no_procedure() -> None:
    """On parts of one test set it would take their observed difference for the true one: no row, column or line."""
    result = swap(uneven(2, 200), trials=5, replicates=5)
    answer, *rates = result.sheets()
    assert [list(one.values) for one in answer.columns if one.heading == "by"] == [["fresh samples"]]
    assert not any("procedure" in note for note in map(str, answer.notes))
    assert not any("fit" in column.heading for sheet in rates for column in sheet.columns)
    for chart in result.charts():
        assert "fitted" not in chart.caption


def test_findings() -> None:
    """The answer in words, and a warning where many units have median 0."""
    values = uneven(10, 60).values.copy()
    values[:, :30] = 0
    values[0, :30] = 1
    for graded in (True, False):  # of right and wrong, v and 1 − v are equally reliable
        result = swap(scores_of(values / 2 if graded else values), trials=10, replicates=5)
        assert any("At least half of the runs score 0 on" in one for one in result.findings()) == graded
        assert (result.graded, result.zero_median_units >= 30) == (graded, True)
    same = swap(scores_of(np.tile(np.arange(20) % 2, (3, 1))), trials=2, replicates=2)
    assert same.findings()[0].startswith("No difference between these 3 runs can be called reliable")
    assert "at most 5% of the time: the runs never differ." in same.findings()[0]


def test_differences_that_never_vary_are_reliable() -> None:
    """Runs that are .1 apart on every unit: the smallest of their differences is reliable, and never 0."""
    values = np.tile(np.arange(40) % 2 / 2, (3, 1)) + np.array([0, 0.1, 0.3])[:, None]
    made = swap(scores_of(values), trials=2, replicates=2)
    assert (made.fresh.smallest_reliable_difference, made.fresh.sensitivity) == (pytest.approx(0.1), 1)
    assert all(curve.interval == (0, 0) for curve in made.fresh.curves)


def test_close_runs_are_not_called_reliable() -> None:
    """Equal runs, and runs a little apart: nothing is claimed, why is said, and the procedure's claim is qualified."""
    random = np.random.default_rng(1)
    equal = swap(scores_of(random.random((10, 400)) < 0.5), trials=10, replicates=5)
    (headline,) = equal.headlines()
    assert "chance alone may explain all differences between the runs. This is about all pairs" in headline
    assert np.isnan([equal.fresh.smallest_reliable_difference, equal.fresh.sensitivity, equal.fresh.needed.high]).all()
    assert all(curve.interval[1] == 0.5 and curve.reliable_size is None for curve in equal.fresh.curves)
    all_explained(equal)
    close = swap(scores_of(random.random((10, 1000)) < np.linspace(0.475, 0.525, 10)[:, None]), step=50, replicates=5)
    needed = close.fresh.needed.high
    assert needed > close.largest_difference
    assert np.isnan(close.fresh.smallest_reliable_difference)
    largest = f"{close.largest_difference:.3g}"
    assert f"that would take a difference of {needed:.3g}, and the largest is {largest}." in close.headlines()[0]
    assert close.procedure.smallest_reliable_difference < needed
    assert any(
        "published swap procedure would call" in one and "no allowance for chance" in one for one in close.findings()
    )
    all_explained(close)


@pytest.mark.parametrize(("spread", "claims"), [(0.0, (0, 0.05)), (0.002, (0, 0.05)), (0.02, (0, 1)), (0.07, (0.5, 1))])
def test_what_is_called_reliable_is(spread: float, claims: tuple[float, float]) -> None:
    """Ten runs of known spread: differences as large as claimed are reversed by a fresh set in at most 5 % of cases."""
    random = np.random.default_rng(7)
    reversals, chances = [], []
    sets = 40
    for _ in range(sets):
        shift = np.clip(random.normal(0, spread, 10), -0.25, 0.25)[:, None]
        seen, fresh = (random.random((10, 1000)) < 0.25 + 0.5 * random.random(1000) + shift for _ in range(2))
        made = swap(scores_of(seen), trials=1, replicates=2, step=500)
        one, other = np.triu_indices(10, 1)
        before, after = (part.mean(axis=1)[one] - part.mean(axis=1)[other] for part in (seen, fresh))
        claimed = np.abs(before) >= made.fresh.smallest_reliable_difference - 1e-12
        assert claimed.any() == (made.fresh.smallest_reliable_difference == made.fresh.smallest_reliable_difference)
        if claimed.any():
            reversals.append((before * after < 0)[claimed].sum())
            chances.append(claimed.sum())
    assert claims[0] <= len(chances) / sets <= claims[1]
    assert sum(reversals) <= 0.05 * sum(chances)


@pytest.mark.parametrize("crowd", [10, 50])
def test_one_poor_run_makes_no_crowd_reliable(crowd: int) -> None:
    """Equal runs and one far behind: that one differs reliably, two of the crowd seldom do."""
    random = np.random.default_rng(crowd)
    called = 0
    for _ in range(30):
        chance = random.beta(4, 1, 1000)
        seen = np.vstack([random.random((crowd, 1000)) < chance, random.random(1000) < chance / 2])
        made = swap(scores_of(seen), trials=1, replicates=2, step=500).fresh
        means = seen.mean(axis=1)
        assert made.smallest_reliable_difference <= np.ptp(means)
        called += bool(np.ptp(means[:-1]) >= made.smallest_reliable_difference - 1e-12)
    assert called <= 4  # of 1.5 expected at 5 %


def test_clusters_are_the_units() -> None:
    """Series of three are drawn whole: the study is that of their means, and no unit is called unscored."""
    values = uneven(6, 60).values
    whole = swap(scores_of(values, clusters=tuple(f"u{unit // 3}" for unit in range(60))), trials=5, replicates=5)
    means = swap(scores_of(values.reshape(6, 20, 3).mean(axis=2)), trials=5, replicates=5)
    assert (whole.units, whole.unscored_units) == (20, 0)
    assert whole.procedure.curves == means.procedure.curves
    for one, other in zip(whole.fresh.curves, means.fresh.curves, strict=True):
        assert (one.error_at_full, *one.interval) == pytest.approx((other.error_at_full, *other.interval))


def test_unscored_units_are_told() -> None:
    """A unit without any score is left out and counted."""
    values = uneven(6, 40).values.copy()
    values[:, 3] = np.nan
    result = swap(scores_of(values), trials=2, replicates=2)
    assert (result.units, result.unscored_units) == (39, 1)
    assert any("1 unit has no score" in one for one in result.findings())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"largest": 41}, "disjoint sets of at most 40 each"),
        ({"smallest": 41}, "too few units"),
        ({"step": 0}, "step=0: sizes grow"),
        ({"step": -5}, "step=-5: sizes grow"),
        ({"bin_width": 0.0001}, "need wider bins"),
        ({"ties": "none"}, "ties is 'none'; expected one of '"),
        ({"error": 0.7}, "error is 0.7; expected a number"),
        ({"trails": 3}, "did you mean 'trials'"),
    ],
)
def test_wrong_calls(options: dict[str, Any], message: str) -> None:
    """A wrong call is told in words."""
    with pytest.raises(karat.UsageError, match=message):
        swap(uneven(), **options)


def test_refusals(key: karat.Pairs, runs: karat.Responses, make: Make) -> None:
    """Measures that are no means, holes, clusters, one run, strangers: refused with the reason."""
    with pytest.raises(karat.UsageError, match="kappa is not a mean over units"):
        swap(runs, measure="kappa")
    with pytest.raises(karat.UsageError, match="'two-way' answers two-way"):
        swap(runs, way="3")
    values = uneven().values.copy()
    values[2, 5] = np.nan
    with pytest.raises(karat.UsageError, match="'team1-run2' on unit 'u5'"):
        swap(scores_of(values))
    with pytest.raises(karat.UsageError, match="finite"):
        swap(scores_of(np.full((2, 20), np.inf)))
    with pytest.raises(karat.UsageError, match="needs at least two"):
        swap(scores_of(np.ones((1, 20))))
    with pytest.raises(karat.UsageError, match="expected Responses"):
        swap(key)
    with pytest.raises(karat.UsageError, match="too few units"):
        swap(make("E U C", a="1 E\n2 E\n3 E", b="1 E\n2 U\n3 C")[1])


@pytest.mark.parametrize("form", ["text", "csv", "latex", "html"])
def test_forms(form: str) -> None:
    """Every form shows it, charts included."""
    made = swap(uneven(), trials=5, replicates=5).render(form)
    assert "0.05" in made
    if form == "html":
        assert made.count("<svg") == 2 * 2
        assert 'class="line"' in made


@pytest.mark.parametrize("width", [1e-9, 1e9])
def test_absurd_widths(width: float) -> None:
    """Bins finer than can be counted, or wider than any difference, are refused in words."""
    scores = karat.Scores(("a", "b"), tuple("abcdefghijkl"), np.random.default_rng(0).random((2, 12)))
    with pytest.raises(karat.UsageError, match="width"):
        swap(scores, bin_width=width)


def test_the_figure_has_nothing_in_an_empty_bin(runs: karat.Responses) -> None:
    """Where nothing fell into a bin no point is drawn, and between bins that are no neighbours no line."""
    result = swap(runs, trials=5, replicates=5)
    by_size, by_difference = result.charts()
    assert isinstance(by_size, Lines)
    assert isinstance(by_difference, Lines)
    holes = 0
    for line in by_size.lines:
        curve = next(one for one in result.procedure.curves if result.between(one) == line.name)
        assert {size for size, _ in line.points} <= {point.size for point in curve.points}
        holes += len(curve.points) < len(result.sizes)
    assert holes
    for line in by_difference.lines:
        for stretch in line.stretches:
            assert np.allclose(np.diff([x for x, _ in stretch]), 0.01)


def test_clusters_are_called_so() -> None:
    """The result, its headings and its findings count clusters, and say how many units those hold."""
    values = uneven(6, 120).values
    result = swap(scores_of(values, clusters=tuple(f"c{unit // 4}" for unit in range(120))), trials=2, replicates=5)
    assert (result.units, result.unit, result.members) == (30, "cluster", 120)
    text = result.render("text")
    assert "30 clusters (120 units)" in text
    assert "clusters, fresh" in text
    assert "30 units" not in text


def test_nothing_to_compare() -> None:
    """A matrix without a score, and one whose squares are no numbers, are refused."""
    with pytest.raises(karat.UsageError, match="no unit has a score from any run"):
        swap(scores_of(np.full((2, 20), np.nan)))
    for scale in (1e160, 1e-160):
        with pytest.raises(karat.UsageError, match="squares are too"):
            swap(scores_of(uneven(3, 20).values * scale))


def test_one_unit_on_a_page(runs: karat.Responses) -> None:
    """Differences are in points and rates in per cent, as in the sentences; an estimate lies in its interval."""
    answer, rates = swap(runs, trials=5, replicates=5).sheets()
    headings = [column.heading for column in answer.columns]
    assert headings[1:3] == ["estimate, points", "95% CI"]
    assert headings[-2:] == ["smallest reliable difference, points", "sensitivity %"]
    assert [rates.columns[0].heading, rates.rows()[0][0], rates.rows()[1][0]] == ["difference, points", "0–1", "1–2"]
    assert {column.unit for column in rates.columns if "error" in column.name or "end" in column.name} == {"%"}
    (low, high), estimate = answer.columns[2].intervals[0], answer.columns[1].values[0]
    assert isinstance(estimate, float)
    assert low <= estimate <= high


def test_constant_answers_are_not_counted() -> None:
    """Equally good runs do not become reliably different because some runs beside them answer without reading."""
    runs = runs_of(1, THREE, (0.75,) * 5, 300)
    last, made = runs.runs[-1], [*runs.runs]
    for code in range(3):
        info = replace(last.info, name=f"constant{code}", source=Source(f"constant{code}", f"{code:064}"))
        made.append(replace(last, info=info, codes=np.full_like(last.codes, code)))
    alone, beside = (swap(one, step=50, replicates=5) for one in (runs, Responses.of(runs.key, made)))
    names = ["constant0", "constant1", "constant2"]
    assert ([one.name for one in alone.left_out], [one.name for one in beside.left_out]) == ([], names)
    assert beside.runs == alone.runs
    assert beside.fresh.reliability == alone.fresh.reliability
    assert beside.procedure.curves == alone.procedure.curves
    assert np.isnan(beside.fresh.smallest_reliable_difference)
    assert any(
        one.startswith("3 runs with a constant answer are not counted here, since they say little about the others: ")
        for one in beside.findings()
    )
    folded = swap(Responses.of(runs.key, made[4:]), way="2", step=50, replicates=5)
    assert folded.runs == ["run4", *names[:2]]  # one run alone would have nobody to differ from
