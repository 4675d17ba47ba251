"""What `score` says of runs of which it is not true: how often, over all runs, ways and merges."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.synthetic import pairs_of

import karat
from karat.data.provenance import IN_MEMORY
from karat.data.responses import Run, RunInfo
from karat.labels import THREE
from tests.studies.test_null_claims import allowed

MIX = (0.5, 0.35, 0.15)
MEASURES = ["kappa", "information_corrected"]
"""What the sentences on guessing runs are about."""


def responses(key: np.ndarray, answers: np.ndarray, sure: np.ndarray | None = None) -> karat.Responses:
    """Three-way runs from codes, with confidences in the answers or without."""
    order = np.arange(len(key), dtype=np.int32)
    stated = sure is not None
    return karat.Responses.of(
        pairs_of(key.astype(np.int8)),
        [
            Run(
                RunInfo(f"run{at}", THREE, IN_MEMORY, ranked_by="response" if stated else None, numeric=stated),
                codes.astype(np.int8),
                order,
                None if sure is None else sure[at],
                None,
                None,
            )
            for at, codes in enumerate(answers)
        ],
    )


@pytest.mark.parametrize(
    ("runs", "pairs", "mix"), [(50, 100, (1 / 3, 1 / 3, 1 / 3)), (100, 200, MIX), (50, 60, (0.9, 0.08, 0.02))]
)
def test_runs_that_guess(runs: int, pairs: int, mix: tuple[float, ...]) -> None:
    """A run that knows nothing is seldom said to have its labels swapped, or to be rewarded for saying less."""
    swapped, rewarded, sets = 0, 0, 25
    for seed in range(sets):
        random = np.random.default_rng(seed)
        key, answers = random.choice(3, pairs, p=MIX), random.choice(3, (runs, pairs), p=mix)
        told = " ".join(karat.score(responses(key, answers), measure=MEASURES).findings())
        swapped += "swapped" in told
        rewarded += "saying less" in told
    assert swapped <= allowed(sets)
    assert rewarded <= allowed(sets)


def test_labels_that_mean_the_same() -> None:
    """A run that tells ⊢ from the rest, and ◇ from ⊣ by tossing a coin, loses nothing that merging those two costs."""
    found, sets = 0, 40
    for seed in range(sets):
        random = np.random.default_rng(seed)
        key = random.choice(3, 200, p=MIX)
        rest = 1 + random.integers(0, 2, (20, 200))
        entails = (key == 0) ^ (random.random((20, 200)) < 0.2)
        result = karat.score(responses(key, np.where(entails, 0, rest)), measure=MEASURES)
        merges = [merge for row in result.runs for merge in row.degradations]
        found += any(one.lost[0] > 0 for one in merges if "ENTAILMENT" not in (one.source, one.target))
    assert found <= allowed(sets)


def test_labels_that_are_swapped() -> None:
    """Runs that say the opposite of what they know are found among others that guess, the worst one first."""
    random = np.random.default_rng(0)
    key = random.choice(3, 200, p=MIX)
    answers = random.integers(0, 3, (30, 200))
    for at, right in ((7, 0.7), (3, 0.95)):
        answers[at] = np.where(random.random(200) < right, np.array([2, 0, 1])[key], answers[at])
    (told,) = [one for one in karat.score(responses(key, answers)).findings() if "swapped" in one]
    assert told.startswith("run3 would be right on ")
    assert "if its ENTAILMENT meant UNKNOWN, its UNKNOWN meant CONTRADICTION and its CONTRADICTION meant ENTAIL" in told
    assert told.endswith("Are its labels swapped? The same holds, with other numbers, for run7.")


def test_two_codes_that_are_exchanged() -> None:
    """ENTAILMENT and CONTRADICTION exchanged in a run that knows four pairs of five: it is found."""
    random = np.random.default_rng(1)
    key = random.choice(3, 300, p=MIX[::-1])
    knows = np.where(random.random(300) < 0.8, key, random.integers(0, 3, 300))
    result = karat.score(responses(key, np.array([[2, 1, 0]])[:, knows]))
    (one,) = result.runs[0].relabellings
    assert one.meanings == {"ENTAILMENT": "CONTRADICTION", "UNKNOWN": "UNKNOWN", "CONTRADICTION": "ENTAILMENT"}
    assert one.accuracy[1] == pytest.approx((knows == key).mean())
    assert karat.score(responses(key, knows[None])).runs[0].relabellings == []


@pytest.mark.parametrize(("pairs", "mix"), [(60, MIX), (300, MIX), (300, (0.05, 0.05, 0.9)), (300, (0.9, 0.05, 0.05))])
def test_weak_runs_whose_labels_are_in_order(pairs: int, mix: tuple[float, ...]) -> None:
    """Runs that know every fifth pair and guess the rest with their own favourite labels are not called swapped."""
    told, sets = 0, 40
    for seed in range(sets):
        random = np.random.default_rng(seed)
        key = random.choice(3, pairs, p=MIX)
        answers = np.where(random.random((20, pairs)) < 0.2, key, random.choice(3, (20, pairs), p=mix))
        told += any(row.relabellings for row in karat.score(responses(key, answers), measure=["accuracy"]).runs)
    assert told <= allowed(sets)


@pytest.mark.parametrize(
    ("runs", "pairs", "low", "high", "sets"),
    [(1, 20, 0.995, 0.995, 200), (50, 100, 0.97, 1, 20), (50, 300, 0.995, 0.999, 12), (20, 200, 0.5, 1, 30)],
)
def test_confidences_that_are_true(runs: int, pairs: int, low: float, high: float, sets: int) -> None:
    """Of runs that are right exactly as often as they say, hardly ever is any said to claim too much or too little."""
    found = 0
    for seed in range(sets):
        random = np.random.default_rng(seed)
        key, sure = random.choice(3, pairs), random.uniform(low, high, (runs, pairs))
        answers = np.where(random.random(sure.shape) < sure, key, (key + 1) % 3)
        told = karat.score(responses(key, answers, sure), measure=["accuracy"]).findings()
        found += any("confident" in one or "miscalibrated" in one for one in told)
    assert found <= allowed(sets)
