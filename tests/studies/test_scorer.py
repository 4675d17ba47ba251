"""A measure of runs under other keys, on resamples, and as scores of units."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import karat
from karat.errors import NotApplicable
from karat.labels import THREE, TWO
from karat.measures import accuracy, kappa, measures
from karat.studies import scorer as module
from karat.studies.scorer import Scorer

Make = Callable[..., tuple[karat.Pairs, karat.Responses]]


@pytest.mark.parametrize("measure", ["accuracy", "kappa", "mean_recall"])
def test_scores_are_those_of_the_key_replaced(key: karat.Pairs, runs: karat.Responses, measure: str) -> None:
    """Many keys at once, each as if it were the only one."""
    random = np.random.default_rng(0)
    keys = random.integers(-1, 3, (5, len(key))).astype(np.int8)
    scorer = Scorer.of(runs, measure)
    assert scorer.way is TWO
    for codes, scores in zip(keys, scorer.values(keys), strict=True):
        other = replace(runs, key=replace(key, labels=codes))
        np.testing.assert_allclose(scores, scorer.measure(other.count(TWO)))


@pytest.mark.parametrize("measure", [accuracy, kappa])
def test_weights_are_units_counted_again(
    key: karat.Pairs, runs: karat.Responses, measure: Callable[..., np.ndarray]
) -> None:
    """A weight of 2 is the unit twice, and units without label count for nothing."""
    codes = np.where(np.arange(len(key)) % 7, key.labels, -1).astype(np.int8)
    random = np.random.default_rng(1)
    weights = random.integers(0, 3, (4, len(key))).astype(float)
    ours = Scorer.of(runs, measure.__name__, "2").values(codes, weights)
    other = replace(runs, key=replace(key, labels=codes))
    for row, times in zip(ours, weights, strict=True):
        np.testing.assert_allclose(row, measure(other.count(TWO, times)))


def test_blocks(key: karat.Pairs, runs: karat.Responses, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys and runs in small blocks score as in one."""
    keys = np.tile(key.labels, (6, 1))
    scorer = Scorer.of(runs, "kappa")
    weights = np.ones((3, len(key)))
    whole = scorer.values(keys), scorer.values(key.labels, weights)
    monkeypatch.setattr(module, "NUMBERS_AT_ONCE", 1500)
    np.testing.assert_array_equal(scorer.values(keys), whole[0])
    np.testing.assert_allclose(scorer.values(key.labels, weights), whole[1])


def test_refusals(make: Make) -> None:
    """A measure that is not there for this way, and runs that are not."""
    _, runs = make("E U C", a="1 E\n2 U\n3 C")
    assert Scorer.of(runs, "decided_f").way is THREE
    with pytest.raises(karat.UsageError, match=r"measure='decided_f\(weight=1/3\)': decided F needs three-way labels"):
        Scorer.of(runs, "decided_f", "2")


@pytest.mark.parametrize("measure", ["accuracy", "kappa", "information_corrected"])
def test_weights_and_resamples_multiply(key: karat.Pairs, runs: karat.Responses, measure: str) -> None:
    """A resample of weighted units: each counts its weight as often as it was drawn, whosever the weight is."""
    random = np.random.default_rng(2)
    times = random.integers(0, 3, (2, len(key))).astype(float)
    for shape in (len(key), (len(runs), len(key))):
        scorer = Scorer(runs, measures.parse(measure), TWO, random.random(shape))
        assert scorer.weights is not None
        for row, drawn in zip(scorer.values(resamples=times), times, strict=True):
            np.testing.assert_allclose(row, scorer.measure(runs.count(TWO, scorer.weights * drawn)))


def test_scores_are_what_a_mean_is_of(make: Make) -> None:
    """Recall is the mean over the units of its label; what is no mean has no scores."""
    _, runs = make("E E U C", a="1 E\n2 U\n3 U\n4 E")
    scorer = Scorer.of(runs, "recall(ENTAILMENT)")
    np.testing.assert_array_equal(scorer.scores("swap").values, [[1, 0, np.nan, np.nan]])
    np.testing.assert_array_equal(Scorer.of(runs, "accuracy").scores("swap").values, [[1, 0, 1, 0]])
    assert scorer.values(resamples=np.array([3.0, 1, 5, 5])).tolist() == [0.75]
    with pytest.raises(karat.UsageError, match="kappa is not a mean over units; use accuracy or recall"):
        Scorer.of(runs, "kappa").scores("swap")


def test_rankings(runs: karat.Responses) -> None:
    """A measure of rankings is taken of runs that rank, and never under another key or under weights."""
    scorer = Scorer.of(runs, "average_precision", leave_out=True)
    assert scorer.left_out["cautious"] == "the run is not ranked and has no confidence column"
    ones = np.ones((1, len(runs.key)))
    np.testing.assert_allclose(scorer.values(resamples=ones)[0], scorer.values())
    with pytest.raises(karat.UsageError, match="another key needs a measure of labels"):
        scorer.values(runs.key.labels)
    with pytest.raises(NotApplicable, match="not defined under weights"):
        replace(scorer, weights=ones[0]).values()
