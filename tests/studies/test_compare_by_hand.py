"""Compare against loops that share its draws and nothing else: measures that are no means, clusters of unequal size."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

import karat
from karat.data.orders import RankedBy
from karat.data.scores import Scores
from karat.examples import PAIRS, RUNS
from karat.kernels.counting import resampled_weights
from karat.studies.compare.contrasts import Simulation
from karat.studies.compare.result import Comparison
from karat.studies.compare.study import compare
from tests.studies import compare_by_hand as hand

REPLICATES = 99
DRAWING = Simulation(REPLICATES, seed=5)
TABLED = {"kappa": hand.kappa, "information": hand.information, "decided_f(weight=1/3)": hand.decided_f}
COMPARED = ("careful", "cautious", "chatty", "terse")
SIZES = [1, 9, 2, 14, 3, 1, 22, 5, 1, 30, 4, 2, 18, 8, 1, 12, 6, 3, 11, 7]


@pytest.fixture(scope="module")
def series() -> tuple[karat.Pairs, karat.Responses]:
    """The shipped pairs in series of 1 to 30, and some of the runs."""
    key = karat.read_pairs(PAIRS)
    key.attributes["series"] = tuple(f"s{place}" for place, size in enumerate(SIZES) for _ in range(size))
    files = [file for file in sorted(RUNS.iterdir()) if file.stem in COMPARED]
    return key, karat.read_runs(files, key)


def clusters_of(key: karat.Pairs, cluster: str | None) -> list[int]:
    """The cluster of every unit, numbered as met."""
    if cluster is None:
        return list(range(len(key)))
    names = list(dict.fromkeys(key.attributes[cluster]))
    return [names.index(value) for value in key.attributes[cluster]]


def flips(clusters: int) -> list[list[bool]]:
    """The clusters whose answers are exchanged, replicate by replicate."""
    return [[sign > 0 for sign in row] for block in DRAWING.signs(clusters) for row in block.tolist()]


def weights(clusters: int) -> list[list[int]]:
    """How often each cluster is drawn, replicate by replicate."""
    return resampled_weights(clusters, REPLICATES, DRAWING.random("bootstrap")).astype(int).tolist()


def corrections(result: Comparison, correction: str) -> list[float]:
    """The corrected p that loops have."""
    p = [one.p for one in result.pairs]
    return hand.holm(p) if correction == "holm" else hand.false_discovery(p, correction == "by")


@pytest.mark.parametrize("cluster", [None, "series"])
@pytest.mark.parametrize("measure", TABLED)
def test_exchanged_answers(measure: str, cluster: str | None, series: Any) -> None:
    """The same exchanges give the same p, pair by pair, and the same step-down maximum over bootstrap errors."""
    key, runs = series
    options: dict[str, Any] = {"measure": measure, "cluster": cluster, "replicates": REPLICATES, "seed": 5, "way": "3"}
    result = compare(runs, correction="maxt", **options)
    where, gold = clusters_of(key, cluster), key.labels.tolist()
    answers = dict(zip(runs.names, runs.codes.tolist(), strict=True))
    taken = [[row[place] for place in where] for row in flips(max(where) + 1)]
    resamples = [hand.drawn_units(where, row) for row in weights(max(where) + 1)]
    plain = TABLED[measure]
    observed, null, errors = [], [], []
    values = {
        run: [plain([gold[u] for u in units], [said[u] for u in units]) for units in resamples]
        for run, said in answers.items()
    }
    for one in result.pairs:
        a, b = answers[one.a], answers[one.b]
        observed.append(plain(gold, a) - plain(gold, b))
        null.append([hand.exchanged(plain, gold, a, b, row) for row in taken])
        apart = [x - y for x, y in zip(values[one.a], values[one.b], strict=True)]
        errors.append(hand.deviation(apart))
        assert one.difference == pytest.approx(observed[-1], abs=1e-12)
        assert one.p == pytest.approx(hand.p_of(observed[-1], null[-1]), abs=1e-12)
        assert one.mc_error == pytest.approx(math.sqrt(one.p * (1 - one.p) / (REPLICATES + 1)))
        assert one.interval == pytest.approx((hand.quantile(apart, 0.025), hand.quantile(apart, 0.975)), abs=1e-12)
    scaled = [abs(one) / error for one, error in zip(observed, errors, strict=True)]
    rows = [[abs(one) / error for one, error in zip(row, errors, strict=True)] for row in zip(*null, strict=True)]
    stepped = hand.step_down(scaled, rows)
    for one, p in zip(result.pairs, stepped, strict=True):
        assert one.p_corrected == pytest.approx(max(p, one.p), abs=1e-12)


@pytest.mark.parametrize("cluster", [None, "series"])
@pytest.mark.parametrize("measure", TABLED)
def test_resampled_tables(measure: str, cluster: str | None, series: Any) -> None:
    """The same resamples, whole clusters with all their units, give the same p, bounds and equivalence; BCa too."""
    key, runs = series
    options: dict[str, Any] = {"measure": measure, "cluster": cluster, "replicates": REPLICATES, "seed": 5, "way": "3"}
    where, gold = clusters_of(key, cluster), key.labels.tolist()
    answers = dict(zip(runs.names, runs.codes.tolist(), strict=True))
    plain = TABLED[measure]

    def of(run: str, units: Sequence[int]) -> float:
        return plain([gold[u] for u in units], [answers[run][u] for u in units])

    check_resamples(runs, of, where, options)


REACH = {"kappa": 2.0, "information": math.log2(3)}
"""How far apart two runs can be by a measure, if not by 1."""


def rare(seen: float, units: int, margin: float, reach: float) -> float:
    """The chance of so small a difference if the true one is the margin, and the largest possible wherever any is."""
    share, most = margin / reach, math.floor(seen * units / reach + 1e-9)
    return sum(math.comb(units, k) * share**k * (1 - share) ** (units - k) for k in range(most + 1))


def check_resamples(
    runs: karat.Responses,
    of: Callable[[str, Sequence[int]], float],
    where: list[int],
    options: dict[str, Any],
) -> None:
    """Percentile and BCa of every pair against loops over the same resamples of clusters."""
    number = max(where) + 1
    resamples = [hand.drawn_units(where, row) for row in weights(number)]
    without = [[unit for unit, place in enumerate(where) if place != gone] for gone in range(number)]
    percentile = compare(runs, test="bootstrap", correction="maxt", equivalence=0.15, **options)
    efron = compare(runs, test="bca", correction="by", **options)
    everyone = list(range(len(where)))
    values = {row.run: [of(row.run, units) for units in resamples] for row in percentile.runs}
    left = {row.run: [of(row.run, units) for units in without] for row in percentile.runs}
    scaled, rows = [], []
    for one, other in zip(percentile.pairs, efron.pairs, strict=True):
        apart = [x - y for x, y in zip(values[one.a], values[one.b], strict=True)]
        gone = [x - y for x, y in zip(left[one.a], left[one.b], strict=True)]
        observed = of(one.a, everyone) - of(one.b, everyone)
        assert one.difference == pytest.approx(observed, abs=1e-12)
        assert one.p == pytest.approx(hand.p_of(observed, [x - observed for x in apart]))
        assert one.interval == pytest.approx((hand.quantile(apart, 0.025), hand.quantile(apart, 0.975)), abs=1e-12)
        beyond = max(sum(not x < 0.15 for x in apart), sum(not x > -0.15 for x in apart))
        unseen = rare(abs(observed), number, 0.15, REACH.get(options["measure"], 1.0))
        assert one.p_equivalence == pytest.approx(max((1 + beyond) / (1 + REPLICATES), unseen))
        error = hand.deviation(apart)
        scaled.append(abs(observed) / error)
        rows.append([abs(x - observed) / error for x in apart])
        assert other.interval == pytest.approx(hand.bca(apart, gone, observed, 0.95), abs=1e-9)
        if min(apart) < 0 < max(apart):
            # Between two resamples next to 0 the level is not fixed.
            assert other.p == pytest.approx(hand.bca_p(apart, gone, observed), abs=3 / REPLICATES)
        else:  # no interval touches 0, and no p is 0
            assert 0 < other.p < 0.2
    stepped = hand.step_down(scaled, list(zip(*rows, strict=True)))
    for one, p in zip(percentile.pairs, stepped, strict=True):
        assert one.p_corrected == pytest.approx(max(p, one.p), abs=1e-12)
    assert [one.p_corrected for one in efron.pairs] == pytest.approx(corrections(efron, "by"))


@pytest.mark.parametrize("cluster", [None, "series"])
@pytest.mark.parametrize("measure", ["average_precision", "confidence_weighted"])
def test_resampled_rankings(measure: str, cluster: str | None) -> None:
    """A resampled ranking is that of the drawn units, copies next to each other; no two units tie here."""
    key = karat.read_pairs(PAIRS)
    key.attributes["series"] = tuple(f"s{place}" for place, size in enumerate(SIZES) for _ in range(size))
    random = np.random.default_rng(1)
    chosen = [
        replace(run, confidence=np.round(run.confidence, 2) + random.permutation(len(key)) * 1e-6)
        for run in karat.read_runs(RUNS, key).runs
        if run.confidence is not None and run.info.ranked_by == "response"
    ]
    runs = karat.Responses.of(key, chosen)
    assert len(runs) >= 2
    ranked_by: RankedBy = "entailment" if measure == "average_precision" else "response"
    gold = key.labels.tolist()
    order, gains = {}, {}
    for place, name in enumerate(runs.names):
        scores = runs.rank_scores(place, ranked_by)
        assert len(set(scores.tolist())) == len(scores)
        order[name] = np.argsort(-scores).tolist()
        said = runs.codes[place].tolist()
        if ranked_by == "entailment":
            gains[name] = [float(label == 0) for label in gold]
        else:
            gains[name] = [float((a == 0) == (b == 0)) for a, b in zip(gold, said, strict=True)]
    plain = hand.average_precision if measure == "average_precision" else hand.mean_share

    def of(run: str, units: Sequence[int]) -> float:
        times = [0] * len(gold)
        for unit in units:
            times[unit] += 1
        return plain([gains[run][unit] for unit in order[run] for _ in range(times[unit])])

    way = {} if ranked_by == "entailment" else {"way": "2"}
    options: dict[str, Any] = {"measure": measure, "cluster": cluster, "replicates": REPLICATES, "seed": 5, **way}
    check_resamples(runs, of, clusters_of(key, cluster), options)


def uneven(values: Any) -> Scores:
    """Scores in clusters of 1 to 7 units."""
    sizes = [1, 2, 3, 1, 5, 7, 1, 4, 2, 6]
    clusters = tuple(f"c{place}" for place, size in enumerate(sizes) for _ in range(size))
    return Scores(tuple("abcd"), tuple(map(str, range(len(clusters)))), values[:, : len(clusters)], clusters=clusters)


@pytest.mark.parametrize("kind", ["right", "real", "missing"])
def test_means_of_uneven_clusters(kind: str) -> None:
    """The difference is that of means over units; flips, t, resamples and corrections are of whole clusters.

    Of units that were not scored for one of two runs nothing is left: their clusters are smaller, or gone.
    """
    random = np.random.default_rng(8)
    values = random.random((4, 32)) + np.array([[0.3], [0.2], [0.1], [0.0]])
    if kind == "missing":
        values[0, :3] = values[1, 2:5] = values[2, 20:24] = np.nan
    scores = uneven((values > 0.6).astype(float) if kind == "right" else values)
    names = list(dict.fromkeys(scores.clusters or ()))
    where = [names.index(name) for name in scores.clusters or ()]
    rows = dict(zip(scores.runs, scores.values.tolist(), strict=True))
    taken, drawn = flips(10), weights(10)
    tests = ["t", "randomisation", "bootstrap", "bca", *(["exact"] if kind == "right" else [])]
    options: dict[str, Any] = {"replicates": REPLICATES, "seed": 5, "equivalence": 0.1}
    results = {test: compare(scores, test=test, correction="maxt", **options) for test in tests}
    flipped_null, flipped, resampled_null, resampled = [], [], [], []
    for place, pair in enumerate(results["t"].pairs):
        both = zip(rows[pair.a], rows[pair.b], where, strict=True)
        apart = [(x - y, c) for x, y, c in both if not math.isnan(x - y)]
        sums = [sum(x for x, c in apart if c == one) for one in range(10)]
        sizes = [sum(c == one for _, c in apart) for one in range(10)]
        total, number = len(apart), sum(map(bool, sizes))
        mean = sum(x for x, _ in apart) / total
        assert (pair.units, pair.dropped) == (total, 32 - total)
        # t: the error of a ratio of sums, linearised, on one degree of freedom less than clusters.
        spread = sum((s - mean * n) ** 2 for s, n in zip(sums, sizes, strict=True))
        error = math.sqrt(number / (number - 1) * spread) / total
        half = stats.t.ppf(0.975, number - 1) * error
        assert pair.difference == pytest.approx(mean)
        assert pair.p == pytest.approx(2 * stats.t.sf(abs(mean) / error, number - 1))
        assert pair.interval == pytest.approx((mean - half, mean + half))
        outside = [stats.t.cdf((mean - 0.1) / error, number - 1), stats.t.sf((mean + 0.1) / error, number - 1)]
        # No less than if the difference came of few clusters, the whole range apart.
        reach = 1.0 if kind == "right" else np.nanmax(scores.values) - np.nanmin(scores.values)
        seldom = stats.binom.cdf(int(abs(mean) * number / reach), number, 0.1 / reach)
        assert pair.p_equivalence == pytest.approx(max(*outside, seldom))
        # Randomisation: both runs' scores change places on whole clusters.
        null = [sum(-s if take else s for s, take in zip(sums, row, strict=True)) / total for row in taken]
        assert results["randomisation"].pairs[place].p == pytest.approx(hand.p_of(mean, null))
        norm = math.sqrt(sum(s**2 for s in sums)) / total
        flipped.append(abs(mean) / norm)
        flipped_null.append([abs(x) / norm for x in null])
        if kind == "right":
            ways = [abs(sum(map(math.prod, zip(sums, signs, strict=True)))) for signs in SIGNS]
            share = sum(way >= abs(sum(sums)) - 1e-9 for way in ways) / len(ways)
            assert results["exact"].pairs[place].p == pytest.approx(share)
        # Bootstrap: a resample of clusters has as many units as it happens to have.
        means = [ratio(row, sums, sizes) for row in drawn]
        ours = results["bootstrap"].pairs[place]
        assert ours.p == pytest.approx(hand.p_of(mean, [x - mean for x in means]))
        assert ours.interval == pytest.approx((hand.quantile(means, 0.025), hand.quantile(means, 0.975)))
        left_out = [ratio([int(one != gone) for one in range(10)], sums, sizes) for gone in range(10)]
        assert results["bca"].pairs[place].interval == pytest.approx(hand.bca(means, left_out, mean, 0.95))
        deviation = hand.deviation(means)
        resampled.append(abs(mean) / deviation)
        resampled_null.append([abs(x - mean) / deviation for x in means])
    for test, observed, null_rows in (
        ("randomisation", flipped, flipped_null),
        ("t", flipped, flipped_null),
        ("bootstrap", resampled, resampled_null),
    ):
        stepped = hand.step_down(observed, list(zip(*null_rows, strict=True)))
        expected = [max(p, one.p) for p, one in zip(stepped, results[test].pairs, strict=True)]
        assert [one.p_corrected for one in results[test].pairs] == pytest.approx(expected)
    for correction in ("holm", "bh", "by"):
        result = compare(scores, test="t", correction=correction)
        assert [one.p_corrected for one in result.pairs] == pytest.approx(corrections(result, correction))


def ratio(times: Sequence[int], sums: Sequence[float], sizes: Sequence[int]) -> float:
    """The mean over the units of clusters drawn so many times."""
    pairs = list(zip(times, sums, sizes, strict=True))
    return sum(w * s for w, s, _ in pairs) / sum(w * n for w, _, n in pairs)


SIGNS = list(itertools.product((1, -1), repeat=10))
