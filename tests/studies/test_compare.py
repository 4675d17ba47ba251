"""Compare: verdicts, groups and numbers by hand, and what is said where there is no number."""

from __future__ import annotations

import itertools
import json
import re
import typing
from typing import Any

import msgspec
import numpy as np
import pytest
from scipy import stats

import karat
from karat.arrays import Floats
from karat.data.scores import Scores
from karat.labels import TWO
from karat.measures import average_precision, kappa
from karat.studies.compare.result import Comparison, PairOfRuns
from karat.studies.compare.study import CompareParameters, compare
from tests.portable import differences
from tests.undefined import all_explained


def matrix(values: Any, clusters: tuple[str | None, ...] | None = None) -> Scores:
    """A score matrix with runs a, b, …"""
    values = np.array(values, dtype=float)
    runs = tuple("abcdefghijklmnopqrstuvwxyz"[: len(values)])
    return Scores(runs, tuple(map(str, range(values.shape[1]))), values, clusters=clusters)


def pair(result: Comparison, a: str, b: str) -> PairOfRuns:
    """One pair, whichever is first."""
    return next(one for one in result.pairs if {one.a, one.b} == {a, b})


def test_accuracy_is_mcnemars(runs: karat.Responses) -> None:
    """The shipped runs: every p is the binomial test of wins against losses, every difference that of accuracies."""
    result = compare(runs)
    assert (result.test, result.correction, result.way, result.units) == ("exact", "holm", "2", 160)
    right = dict(zip(runs.names, runs.right(TWO).values, strict=True))
    assert len(result.pairs) == 45
    for one in result.pairs:
        won = int((right[one.a] > right[one.b]).sum())
        lost = int((right[one.a] < right[one.b]).sum())
        assert one.p == pytest.approx(stats.binomtest(won, won + lost).pvalue if won + lost else 1.0)
        assert one.difference == pytest.approx((won - lost) / 160)
        assert one.difference >= 0
        assert one.interval[0] <= one.difference <= one.interval[1]
        assert (one.mc_error, one.dropped, one.equivalent) == (0.0, 0, None)
    assert [row.value for row in result.runs] == sorted((row.value for row in result.runs), reverse=True)


@pytest.mark.parametrize("test", ["exact", "randomisation", "bootstrap", "bca", "t", "wilcoxon", "sign"])
@pytest.mark.parametrize("correction", ["holm", "bh", "by", "maxt", "none"])
def test_letters_follow_from_the_verdicts(test: str, correction: str, runs: karat.Responses) -> None:
    """For every test and correction: runs share a letter and a group if and only if they do not differ."""
    if correction == "maxt" and test in ("wilcoxon", "sign"):
        with pytest.raises(karat.UsageError, match="signs or ranks"):
            compare(runs, test=test, correction=correction)
        return
    result = compare(runs, test=test, correction=correction, replicates=999)
    for one in result.pairs:
        assert one.different == (one.p_corrected <= 0.05)
        assert bool(set(result.letters.get(one.a, "")) & set(result.letters.get(one.b, ""))) == (not one.different)
        assert any({one.a, one.b} <= set(group) for group in result.groups) == (not one.different)
        assert one.p_corrected >= one.p - 1e-12
    assert 0 < len(result.significant) < 45
    simulated = test in ("randomisation", "bootstrap", "bca") or correction == "maxt"
    assert result.replicates == (999 if simulated else None)


def test_too_many_groups_have_no_letters() -> None:
    """Eleven couples that differ within and not across: 2¹¹ groups. No letters then, rather than letters that lie."""
    random = np.random.default_rng(0)
    values = np.zeros((22, 400))
    for couple in range(11):
        order = random.permutation(400)
        values[2 * couple, order[:205]] = values[2 * couple + 1, order[:195]] = 1
    result = compare(matrix(values), correction="none")
    assert {frozenset((one.a, one.b)) for one in result.significant} == {
        frozenset("abcdefghijklmnopqrstuv"[place : place + 2]) for place in range(0, 22, 2)
    }
    assert (result.groups, result.letters, result.runs[0].letters) == (None, None, None)
    assert result.sheets()[0].notes[0].startswith("rank: below all runs that are significantly better")
    all_explained(result)


def test_verdict_against_an_undefined_run() -> None:
    """A run that shares no unit with the one it is compared with has no verdict, and it says why."""
    result = compare(matrix([[1, 0, np.nan, np.nan], [np.nan, np.nan, 1, 1], [1, 0, 1, 1]]), versus="a")
    assert {row.run: row.different for row in result.runs} == {"a": None, "b": None, "c": False}
    all_explained(result)
    assert "no unit was scored for both runs" in result.reasons_shown()


def test_a_corrected_p_has_its_error(runs: karat.Responses) -> None:
    """Under maxt it is simulated even where p is exact: √(p(1−p)/(R+1)), shown beside it, and what seeds vary by."""
    result = compare(runs, correction="maxt", replicates=999)
    for one in result.pairs:
        assert one.mc_error == 0
        assert one.mc_error_corrected == pytest.approx(np.sqrt(one.p_corrected * (1 - one.p_corrected) / 1000))
    assert "± simulation, max-T" in [column.name for column in result.sheets()[1].columns]
    others = [[one.p_corrected for one in compare(runs, correction="maxt", replicates=999, seed=seed).pairs]
              for seed in range(30)]  # fmt: skip
    said = np.array([one.mc_error_corrected for one in result.pairs])
    middle = (said > 0.01) & (np.mean(others, axis=0) < 0.9)
    assert np.std(others, axis=0)[middle].mean() == pytest.approx(said[middle].mean(), rel=0.3)
    exact = compare(runs)
    assert {one.mc_error_corrected for one in exact.pairs} == {0.0}
    assert not any("simulation" in column.name for column in exact.sheets()[1].columns)


def test_a_correction_multiplies_the_error() -> None:
    """Holm's smallest of six simulated p is six times it, and so is its error; another seed's verdict is warned of."""
    values = np.random.default_rng(12).random((4, 60))
    values[0] += 0.12
    result = compare(matrix(values), test="randomisation", replicates=999)
    smallest = min(result.pairs, key=lambda one: one.p)
    assert smallest.mc_error_corrected == pytest.approx(6 * smallest.mc_error)
    near = sum(abs(one.p_corrected - 0.05) < 2 * one.mc_error_corrected for one in result.pairs)
    assert near
    assert any(f"{near} of 6 verdicts could change with another seed" in one for one in result.findings())


def test_tests_agree(runs: karat.Responses) -> None:
    """On 160 pairs every test of means has nearly the p of the exact one."""
    exact = [one.p for one in compare(runs, correction="none").pairs]
    for test in ("randomisation", "bootstrap", "bca", "t"):
        ours = [one.p for one in compare(runs, test=test, correction="none").pairs]
        # Where p is near 1 the exact one jumps from one possible value to the next.
        apart = np.abs(np.array(ours) - exact)[np.array(exact) < 0.2]
        assert apart.max() < (0.01 if test == "randomisation" else 0.07)
        assert stats.spearmanr(ours, exact).statistic > 0.98


def test_score_matrix_is_the_same_as_runs(runs: karat.Responses) -> None:
    """A matrix of right and wrong gives the pairs that the runs gave."""
    scores = runs.right(TWO)
    for options in ({}, {"test": "bca"}, {"correction": "maxt"}):
        ours, theirs = compare(scores, **options), compare(runs, **options)
        assert ours.pairs == theirs.pairs
        assert ours.groups == theirs.groups
        assert ours.way is None
        assert ours.measure == "accuracy"


@pytest.mark.parametrize("measure", ["kappa", "information", "mean_recall", "precision(ENTAILMENT)"])
def test_measures_are_worked_out_anew(measure: str, runs: karat.Responses) -> None:
    """Randomisation and the bootstrap of a measure of tables, where it is defined; the value is the measure's."""
    result = compare(runs, measure=measure, replicates=500)
    assert result.test == "randomisation"
    scored = karat.score(runs, measure=[measure])
    values = {row.run: row.values["2"][measure] for row in scored.runs}
    for row in result.runs:
        assert row.value == pytest.approx(values[row.run], nan_ok=True)
    for one in result.pairs:
        assert one.difference == pytest.approx(values[one.a] - values[one.b], nan_ok=True)
        assert (one.p != one.p) == (one.difference != one.difference)


def test_a_measure_of_three_labels(runs: karat.Responses) -> None:
    """Decided F is compared three-way; two-way runs are left out with the reason, and --way 2 is refused."""
    result = compare(runs, measure="decided_f(weight=1/3)", replicates=99)
    assert result.way == "3"
    assert [one.name for one in result.left_out] == ["two-way"]
    with pytest.raises(karat.UsageError, match="decided F needs three-way labels"):
        compare(runs, measure="decided_f(weight=1/3)", way="2")


def test_exchange_is_that_of_a_loop(key: karat.Pairs, runs: karat.Responses) -> None:
    """Kappa of two runs after their answers are exchanged on random pairs, one replicate after the other."""
    a, b = runs.names.index("careful"), runs.names.index("terse")
    observed = compare(runs, measure="kappa", replicates=2000)
    codes, gold = np.minimum(runs.codes, 1), np.minimum(key.labels, 1)
    random = np.random.default_rng(0)

    def difference(first: Any, second: Any) -> float:
        tables = [[[((gold == g) & (one == r)).sum() for r in (0, 1)] for g in (0, 1)] for one in (first, second)]
        return float(np.diff(kappa(karat.Table(tables)))[0])

    seen = abs(difference(codes[a], codes[b]))
    flips = random.random((2000, len(gold))) < 0.5
    extreme = sum(
        abs(difference(np.where(flip, codes[b], codes[a]), np.where(flip, codes[a], codes[b]))) >= seen - 1e-12
        for flip in flips
    )
    p = (1 + extreme) / 2001
    ours = pair(observed, "careful", "terse")
    assert ours.p == pytest.approx(p, abs=6 * max(ours.mc_error, 5e-4))


def test_exchange_of_accuracy_is_the_flip(runs: karat.Responses) -> None:
    """Exchanging answers on units flips the signs of their differences: a measure that is accuracy in disguise."""
    flipped = compare(runs, test="randomisation", replicates=3000)
    rescaled = compare(runs, measure="rescaled_accuracy", replicates=3000)
    by_names = {(one.a, one.b): one.p for one in rescaled.pairs}
    for one in flipped.pairs:
        assert by_names.get((one.a, one.b), by_names.get((one.b, one.a))) == one.p


def test_recall_is_a_mean_over_its_label(key: karat.Pairs, runs: karat.Responses) -> None:
    """Recall of one label is tested exactly, on the pairs of that label alone."""
    result = compare(runs, measure="recall(ENTAILMENT)")
    assert (result.test, result.units) == ("exact", 80)
    right = dict(zip(runs.names, runs.right(TWO).values[:, key.labels == 0], strict=True))
    for one in result.pairs:
        assert one.difference == pytest.approx(right[one.a].mean() - right[one.b].mean())


def test_rankings_are_resampled(runs: karat.Responses) -> None:
    """Average precision: by bootstrap, runs that do not rank left out with the reason; nothing is exchanged."""
    result = compare(runs, measure="average_precision", replicates=300)
    assert result.test == "bootstrap"
    assert "overlap" in {row.run for row in result.runs}
    assert {one.name: one.reason for one in result.left_out}["cautious"] == (
        "the run is not ranked and has no confidence column"
    )
    place = runs.names.index("overlap")
    value = float(average_precision(runs.ranking(place, "entailment", TWO).count()))
    assert next(row.value for row in result.runs if row.run == "overlap") == pytest.approx(value)
    with pytest.raises(karat.UsageError, match="cannot be exchanged"):
        compare(runs, measure="average_precision", test="randomisation")


@pytest.mark.parametrize("test", ["exact", "t", "wilcoxon", "sign"])
def test_tests_of_means_refuse_other_measures(test: str, runs: karat.Responses) -> None:
    """Kappa has no scores unit by unit."""
    with pytest.raises(karat.UsageError, match="kappa is not one"):
        compare(runs, measure="kappa", test=test)


def test_the_test_is_chosen_by_the_scores() -> None:
    """Right/wrong and quarters: exact. Real numbers: randomisation; with very many pairs, t. Each with its reason."""
    random = np.random.default_rng(0)
    assert compare(matrix(random.integers(0, 2, (3, 40)))).test == "exact"
    assert compare(matrix(random.integers(0, 5, (3, 40)) / 4)).test == "exact"
    few = compare(matrix(random.random((3, 40))))
    assert few.test == "randomisation"
    assert "real numbers" in few.why
    many = compare(matrix(random.random((12, 40))))
    assert many.test == "t"
    assert "66 pairs" in many.why
    with pytest.raises(karat.UsageError, match="too many different values"):
        compare(matrix(random.random((3, 40))), test="exact")


def test_missing_scores_are_dropped_and_counted() -> None:
    """Each pair on the units that both were scored on; how many were dropped is told."""
    random = np.random.default_rng(1)
    values = random.integers(0, 5, (4, 60)) / 4
    values[0, :7] = values[1, 5:20] = np.nan
    values[:, 59] = np.nan  # nobody's unit is no unit
    for test in ("exact", "t", "randomisation", "bootstrap", "bca", "wilcoxon", "sign"):
        result = compare(matrix(values), test=test, correction="none", replicates=2000)
        assert result.units == 59
        ab = pair(result, "a", "b")
        assert (ab.units, ab.dropped) == (39, 20)
        assert pair(result, "c", "d").dropped == 0
        both = ~np.isnan(values[0]) & ~np.isnan(values[1])
        alone = compare(matrix(values[:2, both]), test=test, correction="none", replicates=2000).pairs[0]
        assert abs(ab.difference) == pytest.approx(abs(alone.difference))
        tolerance = 0.05 if test in ("randomisation", "bootstrap", "bca") else 1e-9
        assert ab.p == pytest.approx(alone.p, abs=tolerance)
        assert any("fewer than all" in sentence for sentence in result.findings())
    stepped = compare(matrix(values), correction="maxt", replicates=500)
    assert all(one.p_corrected >= one.p for one in stepped.pairs)


def test_no_common_unit() -> None:
    """Two runs that share no unit have no difference and no verdict, share no letter, and it says why."""
    result = compare(matrix([[1, 0, np.nan, np.nan], [np.nan, np.nan, 1, 1], [1, 0, 1, 1]]))
    ab = pair(result, "a", "b")
    assert ab.difference != ab.difference
    assert ab.different is None
    letters = {row.run: set(row.letters or "") for row in result.runs}
    assert not letters["a"] & letters["b"]
    assert letters["c"] == letters["a"] | letters["b"]
    assert result.sheets()[0].notes[0].endswith("unless they were not tested against each other")
    assert [row[2] for row in result.sheets()[1].rows() if {"a", "b"} == set(row[:2])] == ["not tested"]
    assert result.sheets()[1].title == "All 3 pairs, 0 significantly different, 1 not tested"
    reasons = {one.reason for one in result.undefined if one.path.startswith("/pairs")}
    assert "no unit was scored for both runs" in reasons


def test_clusters_of_a_matrix() -> None:
    """Units of one cluster are flipped and resampled together; copies of units add nothing."""
    random = np.random.default_rng(2)
    values = random.integers(0, 5, (3, 20)) / 4
    copies = matrix(np.repeat(values, 4, axis=1), tuple(str(unit) for unit in range(20) for _ in range(4)))
    for test in ("exact", "t", "wilcoxon", "sign", "bootstrap", "bca", "randomisation"):
        alone, together = (compare(one, test=test, replicates=500) for one in (matrix(values), copies))
        assert together.clusters == 20
        for one, other in zip(alone.pairs, together.pairs, strict=True):
            assert other.p == pytest.approx(one.p, abs=1e-9)
            assert other.interval == pytest.approx(one.interval, nan_ok=True)
        said = " ".join(together.findings())
        assert ("With 20 clusters no p-value is below 2e-06" in said) == (test in ("exact", "randomisation"))
        assert ("20 clusters are few for the bootstrap" in said) == (test in ("bootstrap", "bca"))


def test_few_units_are_too_few_to_resample(runs: karat.Responses) -> None:
    """Said of a bootstrap's p and intervals below thirty units, and of the intervals of a measure that is no mean."""
    values = np.random.default_rng(3).random((2, 30))
    for test, units, told in (("bootstrap", 29, "p-values are too small"), ("bca", 30, None), ("t", 29, None)):
        said = " ".join(compare(matrix(values[:, :units]), test=test, replicates=99).findings())
        assert ("few for the bootstrap" in said) == (told is not None)
        assert told is None or f"29 units are few for the bootstrap: {told}" in said
    said = " ".join(compare(runs, measure="kappa", cluster="topic", replicates=99).findings())
    assert "clusters are few for the bootstrap: intervals are too short" in said


def test_clusters_by_attribute(key: karat.Pairs, runs: karat.Responses) -> None:
    """Pairs of one topic stand or fall together, for means and for other measures; intervals are of clusters."""
    topics = set(key.attributes["topic"])
    for measure in ("accuracy", "kappa"):
        result = compare(runs, measure=measure, cluster="topic", replicates=500)
        assert result.clusters == len(topics)
        assert all(one.p >= 2.0 ** (1 - len(topics)) - 1e-9 for one in result.pairs)
    with pytest.raises(karat.UsageError, match="did you mean 'topic'"):
        compare(runs, cluster="topik")
    with pytest.raises(karat.UsageError, match="a score matrix has none; name the units' clusters in a row"):
        compare(runs.right(TWO), cluster="topic")


def test_units_of_a_matrix_without_a_cluster_stand_alone() -> None:
    """None is no cluster."""
    assert compare(matrix([[1, 0, 1, 0], [0, 0, 1, 1]], ("x", None, None, "x"))).clusters == 3


def test_pairs_without_a_cluster_stand_alone(make: Any) -> None:
    """An empty value is no cluster: such pairs are not thrown together."""
    key, runs = make("E U C E", a="1 E\n2 E\n3 E\n4 U", b="1 E\n2 U\n3 E\n4 C")
    key.attributes["source"] = ("x", None, None, "x")
    assert compare(runs, cluster="source").clusters == 3


def test_against_one_run(runs: karat.Responses) -> None:
    """Every other run less that one, corrected over those pairs alone; nothing is said of any two others."""
    result = compare(runs, versus="terse")
    assert {one.b for one in result.pairs} == {"terse"}
    assert len(result.pairs) == 9
    everyone = {frozenset((one.a, one.b)): one.p for one in compare(runs).pairs}
    for one in result.pairs:
        assert one.p == everyone[frozenset((one.a, one.b))]
    assert (result.groups, result.letters) == (None, None)
    assert {row.letters for row in result.runs} == {None}
    verdicts = {row.run: row.different for row in result.runs}
    assert verdicts == {"terse": None, **{one.a: one.different for one in result.pairs}}
    ranking = result.sheets()[0]
    assert ranking.columns[1].name == "different from terse"
    assert dict(zip(ranking.columns[0].values, ranking.columns[1].values, strict=True)) == {
        run: "itself" if told is None else told for run, told in verdicts.items()
    }
    assert not any("share" in note for note in ranking.notes)
    all_explained(result)
    assert not any("was chosen" in sentence for sentence in result.findings())
    with pytest.raises(karat.UsageError, match="did you mean 'terse'"):
        compare(runs, versus="ters")


def test_against_the_best(runs: karat.Responses) -> None:
    """The best, chosen by these scores, has the p-values that it has among all pairs, and it says so."""
    for correction in ("holm", "maxt", "by"):
        result = compare(runs, versus="best", correction=correction, replicates=500)
        assert result.versus == "careful"
        assert [one.b for one in result.pairs] == ["careful"] * 9
        assert all(one.difference <= 0 for one in result.pairs)
        among_all = compare(runs, correction=correction, replicates=500)
        for one in result.pairs:
            assert pair(among_all, one.a, one.b).p_corrected == pytest.approx(one.p_corrected)
        assert any("p-values are corrected for all 45 pairs" in sentence for sentence in result.findings())


@pytest.mark.parametrize("test", ["exact", "t", "bootstrap"])
def test_equivalence(test: str) -> None:
    """Runs that hardly differ on many units are shown to be close; not significantly different alone is not enough."""
    random = np.random.default_rng(3)
    base = (random.random(1500) < 0.7).astype(float)
    near, far = base.copy(), base.copy()
    near[:10] = 1 - near[:10]
    far[:400] = random.integers(0, 2, 400)
    result = compare(matrix([base, near, far]), equivalence=0.03, test=test, replicates=1000)
    assert pair(result, "a", "b").equivalent is True
    assert pair(result, "a", "c").equivalent is False
    assert any("differ by significantly less than 0.03" in sentence for sentence in result.findings())
    small = compare(matrix([base[:30], near[:30]]), equivalence=0.03, test=test, replicates=1000).pairs[0]
    assert not small.different
    assert small.equivalent is False
    with pytest.raises(karat.UsageError, match="above 0"):
        compare(matrix([base, near]), equivalence=-1)


TESTS = ("exact", "randomisation", "t", "wilcoxon", "sign", "bootstrap", "bca")


def test_alike() -> None:
    """Runs that score alike on every unit have p = 1, by rounding alike too."""
    for test in TESTS:
        assert compare(matrix([[0.2, 0.4, 0.4]] * 2), test=test, replicates=99).pairs[0].p == 1.0
    near = matrix([[0.1 + 0.2] * 9, [0.3] * 9])
    assert near.values[0, 0] != near.values[1, 0]
    for test in TESTS:
        assert compare(near, test=test, replicates=99).pairs[0].p == 1.0


@pytest.mark.parametrize("correction", ["holm", "maxt"])
@pytest.mark.parametrize("test", TESTS)
def test_the_same_difference_on_every_unit(test: str, correction: str) -> None:
    """It has no error, and is different as soon as the flips of so many units say so: 2 of 2ⁿ, from 6 units on."""
    if correction == "maxt" and test in ("wilcoxon", "sign"):
        return
    base = np.random.default_rng(0).random(20)
    for units in (5, 6, 16):
        scores = matrix([base[:units] + 0.25, base[:units]])
        (one,) = compare(scores, test=test, correction=correction, replicates=9999).pairs
        assert one.different == (units > 5)
        if test not in ("randomisation", "wilcoxon"):  # those are simulated, or take ranks
            assert one.p == pytest.approx(2.0 ** (1 - units))
    clusters = tuple(name for name in "abcdefg" for _ in range(3))[:20]
    held = compare(matrix([base + 0.25, base], clusters), test=test, correction=correction, replicates=9999).pairs[0]
    assert held.different is True
    if test != "randomisation":
        assert held.p == pytest.approx(2.0**-6)


def test_one_unit_is_no_test() -> None:
    """Whatever the test, one unit gives no p, no verdict and no letter, with the reason."""
    for test in TESTS:
        single = compare(matrix([[0.5], [0.25]]), test=test, equivalence=0.1, replicates=99)
        (one,) = single.pairs
        assert (one.different, one.equivalent, one.difference) == (None, None, 0.25)
        assert one.p != one.p
        assert {row.letters for row in single.runs} == {None}
        assert single.groups == []
        reasons = all_explained(single)
        assert (
            reasons["/pairs/0/different"]
            == reasons["/runs/0/letters"]
            == "there is only one unit, and a test needs at least two"
        )
        assert single.letters == {}
        assert single.sheets()[1].title == "One pair, not tested"
        assert "No pairs of runs were tested" in " ".join(single.findings())
        assert "highest" not in " ".join(single.findings())


@pytest.mark.parametrize("test", ["auto", *TESTS])
@pytest.mark.parametrize("correction", ["holm", "maxt"])
def test_a_run_that_was_hardly_scored_is_never_first(test: str, correction: str) -> None:
    """With no unit or one it has no letter and is in no group, comes last, is not the best, and disturbs no other."""
    if correction == "maxt" and test in ("wilcoxon", "sign"):
        return
    values = (np.random.default_rng(0).random((5, 60)) < np.array([[0.7], [0.7], [0.9], [0.3], [0.7]])).astype(float)
    values[0] = values[4] = np.nan
    values[0, 0] = 1.0
    options: dict[str, Any] = {"test": test, "correction": correction, "replicates": 300}
    result = compare(matrix(values), **options)
    assert [row.run for row in result.runs] == ["c", "b", "d", "a", "e"]
    assert {row.run: row.letters is None for row in result.runs if row.run in "ae"} == {"a": True, "e": True}
    assert {run for group in result.groups for run in group} == {"b", "c", "d"}
    assert [row.run for row in result.leaders] == ["c"]
    assert {one.different for one in result.pairs if {one.a, one.b} & {"a", "e"}} == {None}
    alone = compare(karat.Scores(("b", "c", "d"), tuple(map(str, range(60))), values[1:4]), **options)
    assert [one for one in result.pairs if not {one.a, one.b} & {"a", "e"}] == alone.pairs
    said = " ".join(result.findings())
    assert "3 pairs of runs differ significantly" in said
    assert "7 more pairs of runs were not tested" in said
    assert "Of the runs that were tested, c has the highest mean score" in said
    assert "every other run that it was tested against" in said
    assert compare(matrix(values), versus="best", **options).versus == "c"
    reasons = all_explained(result)
    assert not {"a", "e"} & set(result.letters or ())
    why = {row.run: reasons[f"/runs/{place}/letters"] for place, row in enumerate(result.runs) if row.letters is None}
    assert why == {"a": "there is only one unit, and a test needs at least two", "e": "the run was scored on no unit"}
    for form in ("text", "json", "csv", "latex", "html"):
        assert "not tested" in result.render(form) or form in ("json", "csv")


def test_ties_for_the_highest_value_are_ties() -> None:
    """Two runs that share it are both named, and neither is set above the other."""
    values = np.zeros((3, 40))
    values[0, :20] = values[1, 20:] = values[2, :2] = 1.0
    assert "a, b share the highest mean score (0.500)." in compare(matrix(values)).findings()


def test_better_on_the_common_units() -> None:
    """The run with the highest mean may be significantly worse than one that was scored on other units as well."""
    values = np.full((3, 100), np.nan)
    values[0, :60], values[1, 40:] = 1.0, 0.0
    values[0, 40:60], values[1, 40:60] = 0.0, 1.0
    values[2, :] = np.arange(100) % 2
    said = " ".join(compare(matrix(values), correction="none").findings())
    assert "a has the highest mean score (0.667), but b is significantly better on the units that both were" in said


def test_no_p_is_0() -> None:
    """Three thousand wins without a loss: p is too small for a double, kept as the smallest, and shown as <0.0001."""
    for test in ("exact", "t", "sign", "wilcoxon"):
        values = np.stack([np.ones(3000), np.zeros(3000)])
        result = compare(matrix(values), test=test, equivalence=0.5)
        (one,) = result.pairs
        assert 0 < one.p < 1e-300
        assert 0 < one.p_corrected < 1e-300
        assert json.loads(result.render("json"))["pairs"][0]["p"] > 0
        for form, shown in {"text": "<0.0001", "html": "&lt;0.0001", "latex": r"\textless{}0.0001"}.items():
            assert shown in result.render(form)
        assert re.search(r",\d[\d.]*e-3\d\d,", result.render("csv", "2"))


def test_every_null_is_explained(runs: karat.Responses) -> None:
    """Each null in runs and pairs has a reason, where it stands; each reason leads to a null."""
    values = np.array([[1, 0, np.nan, np.nan], [np.nan, np.nan, 1, 1], [0.5, 0.25, 0.5, 1]])
    results = [
        compare(matrix(values), test="t", equivalence=0.1),
        compare(runs, measure="precision(NO_ENTAILMENT)", replicates=99, equivalence=0.1),
        compare(runs, measure="kappa", test="bca", replicates=99),
    ]
    for result in results:
        all_explained(result)


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "bca"])
def test_an_undefined_run_disturbs_nobody(test: str, key: karat.Pairs, runs: karat.Responses) -> None:
    """A run without a value is in no pair that was tested, and others are corrected as if it were not there."""
    options: dict[str, Any] = {"measure": "precision(NO_ENTAILMENT)", "test": test, "replicates": 300}
    for correction in ("holm", "maxt"):
        whole = compare(runs, correction=correction, **options)
        assert whole.runs[-1].run == "always-entailment"
        assert all(one.p != one.p for one in whole.pairs if "always-entailment" in (one.a, one.b))
        others = [run for run in runs.runs if run.info.name != "always-entailment"]
        alone = compare(karat.Responses.of(key, others), correction=correction, **options)
        for one in alone.pairs:
            assert pair(whole, one.a, one.b).p_corrected == pytest.approx(one.p_corrected)


def test_the_seed_is_all(runs: karat.Responses) -> None:
    """The same seed, the same result; another, another; and the signature names it."""
    options: dict[str, Any] = {"test": "randomisation", "replicates": 500}
    one, again, other = (compare(runs, seed=seed, **options) for seed in (1, 1, 2))
    assert one == again
    assert [row.p for row in one.pairs] != [row.p for row in other.pairs]
    assert one.signature.seed == 1
    assert one.signature.measures == ("accuracy",)
    assert one.signature.way == "2"
    assert compare(runs.right(TWO)).signature.way is None


def test_order_of_runs_does_not_matter() -> None:
    """Any order of the rows gives the same numbers and groups."""
    values = np.random.default_rng(4).integers(0, 2, (5, 80)).astype(float)
    values[2] = np.maximum(values[2], values[3])
    whole = compare(matrix(values))
    for order in itertools.islice(itertools.permutations(range(5)), 0, 120, 37):
        runs = tuple("abcde"[place] for place in order)
        turned = compare(Scores(runs, tuple(map(str, range(80))), values[list(order)]))
        assert {frozenset(group) for group in turned.groups} == {frozenset(group) for group in whole.groups}
        for one in whole.pairs:
            assert pair(turned, one.a, one.b).p_corrected == pytest.approx(one.p_corrected)


def differing(one: list[PairOfRuns], other: list[PairOfRuns]) -> list[str]:
    """Where they differ in more than the last digits: a matrix product of another shape may sum in another order."""
    return differences(*(msgspec.json.encode(pairs).decode() for pairs in (one, other)))


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "bca"])
def test_other_runs_do_not_matter(test: str, key: karat.Pairs, runs: karat.Responses) -> None:
    """A simulated p, its error and interval are of the two runs alone: the flips and resamples are drawn for units."""
    values = np.random.default_rng(9).random((5, 70))
    options: dict[str, Any] = {"test": test, "correction": "none", "replicates": 300}
    whole = compare(matrix(values), **options)
    few = compare(Scores(("d", "b"), tuple(map(str, range(70))), values[[3, 1]]), **options)
    assert differing(few.pairs, [pair(whole, "b", "d")]) == []
    whole = compare(runs, measure="kappa", way="2", **options)
    chosen = [runs.runs[runs.names.index(name)] for name in ("terse", "careful")]
    few = compare(karat.Responses.of(key, chosen), measure="kappa", way="2", **options)
    assert differing(few.pairs, [pair(whole, "terse", "careful")]) == []


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "bca", "t"])
def test_threads_do_not_matter(test: str) -> None:
    """Real-valued scores, enough of them for the matrix product to be shared out: the same to the last digit."""
    threadpoolctl = pytest.importorskip("threadpoolctl", reason="the number of threads cannot be set")
    values = np.random.default_rng(10).random((40, 801))
    scores = Scores(tuple(map(str, range(40))), tuple(map(str, range(801))), values)
    results = []
    for threads in (1, 2, 4):
        with threadpoolctl.threadpool_limits(threads):
            results.append(compare(scores, test=test, correction="maxt", replicates=300))
    assert results[0] == results[1] == results[2]


def test_order_of_units_does_not_matter_to_exact_tests() -> None:
    """Nothing is drawn; what is drawn is drawn for places, and another order is another draw within its error."""
    values = np.random.default_rng(11).integers(0, 5, (3, 60)) / 4
    turned = values[:, ::-1]
    for test in ("exact", "t", "wilcoxon", "sign", "randomisation"):
        ours, theirs = (compare(matrix(one), test=test, replicates=2000).pairs for one in (values, turned))
        for one, other in zip(ours, theirs, strict=True):
            assert one.p == pytest.approx(other.p, abs=6 * one.mc_error + 1e-12)


def test_wrong_subjects(key: karat.Pairs, runs: karat.Responses) -> None:
    """What cannot be compared is refused in words."""
    with pytest.raises(karat.UsageError, match="expected Responses"):
        compare(key)
    with pytest.raises(karat.UsageError, match="compare needs at least two runs"):
        compare(matrix([[1.0, 0.0]]))
    with pytest.raises(karat.UsageError, match="by the mean of its scores"):
        compare(matrix([[1.0, 0.0]] * 2), measure="kappa")
    with pytest.raises(karat.UsageError, match="finite numbers"):
        compare(matrix([[1.0, np.inf], [0.0, 1.0]]))
    with pytest.raises(karat.UsageError, match="'two-way' answers two-way"):
        compare(runs, way="3")
    with pytest.raises(karat.UsageError, match="did you mean 'kappa'"):
        compare(runs, measure="kapa")


def test_too_coarse_is_said() -> None:
    """With more pairs than simulated p-values can serve, the reader is told."""
    values: Floats = np.random.default_rng(5).random((8, 30))
    result = compare(matrix(values), test="randomisation", replicates=199)
    assert any("too coarse for 28 pairs" in sentence for sentence in result.findings())
    assert not any(
        "too coarse" in sentence
        for sentence in compare(matrix(values), test="randomisation", correction="maxt", replicates=199).findings()
    )


def test_main_pairs() -> None:
    """The leader's pairs and the significant ones are shown; all of them are a table away."""
    right = np.random.default_rng(2).random((6, 120)) < np.array([0.9, 0.85, 0.6, 0.58, 0.56, 0.3])[:, None]
    result = compare(matrix(right))
    leader = result.leaders[0].run
    expected = [pair for pair in result.pairs if pair.different or leader in (pair.a, pair.b)]
    assert len(result.significant) < len(expected) < len(result.pairs)
    sheet = result.sheets()[1]
    assert sheet.title == (
        f"{len(expected)} of 15 pairs: all with {leader}, and all {len(result.significant)} significantly different"
    )
    assert [tuple(row[:2]) for row in sheet.rows()] == [(pair.a, pair.b) for pair in expected]
    assert [tuple(row[:2]) for row in sheet.in_full().rows()] == [(pair.a, pair.b) for pair in result.pairs]
    assert sheet.in_full().title.startswith("All 15 pairs, ")
    alike = compare(matrix(np.random.default_rng(2).random((5, 60)) < 0.5))
    assert alike.sheets()[1].title == f"4 of 10 pairs: all with {alike.leaders[0].run}; none is significantly different"
    assert compare(matrix(right[:4])).sheets()[1].whole is None
    assert compare(matrix(right), versus=leader).sheets()[1].whole is None


def test_many_pairs_are_summed_up() -> None:
    """Of many pairs the sheet shows the closest that differ and a count; the records have all of them."""
    right = np.random.default_rng(6).random((12, 400)) < np.linspace(0.2, 0.9, 12)[:, None]
    result = compare(matrix(right))
    sheet = result.sheets()[1]
    assert len(sheet.rows()) == 45
    assert f"66 pairs, {len(result.significant)} significantly different" in sheet.title
    assert len(result.records().rows()) == 66
    for form in ("text", "html", "latex", "csv"):
        assert "a" in result.render(form)


def test_every_parameter_has_its_words() -> None:
    """Options come from the struct; each has a description."""
    hints = typing.get_type_hints(CompareParameters, include_extras=True)
    assert all(typing.get_args(hint)[1].description for hint in hints.values())


@pytest.mark.parametrize("values", [[[1.0], [0.0]], [[0.1] * 8, [0.3] * 8], [[0.3], [0.3]]])
def test_bootstrap_of_what_does_not_vary(values: list[list[float]]) -> None:
    """Where no resample changes the difference p is that of the flips, and the bootstrap is silent on equivalence."""
    units = tuple(f"u{place}" for place in range(len(values[0])))
    scores = karat.Scores(("a", "b"), units, np.array(values))
    (pair,) = compare(scores, test="bootstrap", equivalence=0.01).pairs
    assert pair.different == (None if len(units) == 1 else True)
    assert pair.mc_error == 0 or len(units) == 1
    assert not pair.equivalent


@pytest.mark.parametrize("test", ["t", "bootstrap", "bca", "wilcoxon", "sign", "randomisation"])
def test_no_unit_of_measurement_changes_a_verdict(test: Any) -> None:
    """Scores of 1e-13, corrected over shared draws where the test has them, have the p-values of plain ones."""
    values = np.random.default_rng(1).random((3, 30)) + np.array([[0.25], [0.1], [0.0]])
    correction = "holm" if test in ("wilcoxon", "sign") else "maxt"
    found = [
        [(pair.p, pair.p_corrected) for pair in compare(matrix(values * scale), **options).pairs]
        for scale in (1.0, 2.0**-43)
        for options in [{"test": test, "correction": correction, "replicates": 500}]
    ]
    assert found[0] == found[1]


def test_one_cluster_is_called_that() -> None:
    """Why there is no interval is that there is one cluster, not that nothing varies."""
    values = np.random.default_rng(0).random((2, 10))
    result = compare(matrix(values, clusters=("c",) * 10))
    assert {one.reason for one in result.undefined if "interval" in one.path} == {
        "all units are in one cluster, and at least two are needed to estimate the variance"
    }
    text = result.render("text")
    assert "10 units in 1 cluster," in text
    assert "One pair, not tested" in text


def test_large_scores_can_be_drawn() -> None:
    """The ends of an axis are never too long to be written; squares that are no numbers are refused."""
    values = np.random.default_rng(0).random((2, 10))
    assert "e+" in compare(matrix(values * 1e100)).render("text")
    with pytest.raises(karat.UsageError, match="squares are too large"):
        compare(matrix(values * 1e200))


@pytest.mark.parametrize(("times", "heading", "first"), [(1, "accuracy %", "75.0"), (100, "accuracy", "75.00")])
def test_scores_are_in_per_cent_only_if_they_are_shares(times: int, heading: str, first: str) -> None:
    """A matrix named accuracy may have been multiplied already."""
    values = times * np.array([[1.0, 1.0, 1.0, 0.0], [1.0, 0.0, 0.0, 0.0]]).repeat(10, axis=1)
    units = tuple(str(unit) for unit in range(40))
    sheet = compare(Scores(runs=("a", "b"), units=units, values=values, measure="accuracy")).sheets()[0]
    shown = [(column.heading, column.text(column.values[0])) for column in sheet.columns]
    assert (heading, first) in shown


@pytest.mark.parametrize("measure", ["series_score", "factoid_accuracy", "nugget_f(beta=5)", "accuracy", "kappa"])
def test_intervals_stay_within_the_range_of_the_measure(measure: str) -> None:
    """Of few units, Student's interval exceeds it; scores in per cent, and those of nobody's measure, have no range."""
    values = np.array([[0.55, 1.0, 0.8], [0.0, 0.1, 0.6], [1.0, 1.0, 1.0]])
    low = -1.0 if measure == "kappa" else 0.0

    def ends(named: str, times: float = 1.0) -> list[tuple[float, float]]:
        given = Scores(("a", "b", "c"), ("1", "2", "3"), times * values, measure=named)
        return [row.interval for row in sorted(compare(given).runs, key=lambda row: row.run)]

    first, second, third = ends(measure)
    assert (first[1], second[0]) == (1.0, max(low, ends("mean score")[1][0]))
    assert third == pytest.approx((low + (1 - low) * 3 / (3 + 1.959964**2), 1.0))
    assert ends(measure, 100)[0] == pytest.approx(tuple(100 * end for end in ends("mean score")[0]))
    assert ends("mean score")[0][1] > 1
    assert np.isnan(ends("mean score")[2]).all()
