"""What `judge` says of data in which it is not true: how often, over all judges, runs, labels and people."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.synthetic import pairs_of

import karat
from karat.data.ballots import Ballots, Scale
from karat.data.parameters import generator
from karat.data.provenance import IN_MEMORY
from karat.data.responses import Run, RunInfo
from karat.labels import THREE
from karat.statistics.simultaneous import simultaneous_interval
from karat.studies.judge.agreement import adjudicators
from karat.studies.judge.study import judge
from karat.studies.judge.sums import PersonSums
from karat.studies.scorer import Scorer


def ballots(said: dict[str, np.ndarray], labels: tuple[str, ...] = THREE.labels) -> Ballots:
    """What each assessor said of each unit; -1 is nothing."""
    codes = np.stack(list(said.values())).astype(np.int32)
    assessor, unit = (one.astype(np.int32) for one in np.nonzero(codes >= 0))
    units = tuple(f"p{number}" for number in range(1, codes.shape[1] + 1))  # as the synthetic key has them
    return Ballots(units, tuple(said), Scale(labels), unit, assessor, codes[assessor, unit])


def noisy(random: np.random.Generator, truth: np.ndarray, right: float, labels: int = 3) -> np.ndarray:
    """The label so often, else any of the others."""
    wrong = (truth + random.integers(1, labels, truth.shape)) % labels
    return np.where(random.random(truth.shape) < right, truth, wrong)


def runs_of(key: karat.Pairs, answers: list[np.ndarray]) -> karat.Responses:
    """Three-way runs from codes."""
    order = np.arange(len(key), dtype=np.int32)
    return karat.Responses.of(
        key,
        [
            Run(RunInfo(f"run{at}", THREE, IN_MEMORY), codes.astype(np.int8), order, None, None, None)
            for at, codes in enumerate(answers)
        ],
    )


@pytest.mark.parametrize(("units", "judges"), [(50, 1), (100, 3)])
def test_kinder_to_nobody(units: int, judges: int) -> None:
    """Ten equally good runs, judges whose errors know none of them: a run is favoured in at most 5 % of data sets."""
    found, sets = 0, 80
    for seed in range(sets):
        random = np.random.default_rng(seed)
        truth = random.choice(3, units, p=[0.5, 0.35, 0.15])
        key = pairs_of(truth.astype(np.int8))
        runs = runs_of(key, [noisy(random, truth, 0.7) for _ in range(10)])
        names = [f"judge{place}" for place in range(judges)]
        made = ballots({"person": truth, **{name: noisy(random, truth, 0.85) for name in names}})
        told = " ".join(judge(made, automatic=names, runs=runs).findings())
        found += "lenient" in told or "severe" in told
    assert found <= 0.1 * sets


def test_shares_that_do_not_mislead() -> None:
    """Three judges err as people do, on five labels: a share is called misleading in at most 5 % of data sets."""
    found, sets = 0, 100
    names = ["x", "y", "z"]
    for seed in range(sets):
        random = np.random.default_rng(seed)
        truth = random.integers(0, 5, 200)
        said = {name: noisy(random, truth, 0.7, 5) for name in ("person", *names)}
        result = judge(ballots(said, tuple("abcde")), automatic=names, labelled=60, seed=seed)
        found += any(" gives " in sentence for sentence in result.findings())
        p = np.array([[label.p for label in one.rates.labels] for one in result.judges])
        assert ((p >= 0) & (p <= 1)).all()
    assert found <= 0.1 * sets


def test_nobody_was_called_where_others_disagreed() -> None:
    """Of 900 workers, three a unit at random, some meet mostly disputes: that is chance, and is not said."""
    found, sets = 0, 10
    for seed in range(sets):
        random = np.random.default_rng(seed)
        truth = random.integers(0, 2, 3000)
        said = np.full((900, 3000), -1)
        who = np.argsort(random.random((900, 3000)), axis=0)[:3]
        said[who, np.arange(3000)] = noisy(random, np.tile(truth, (3, 1)), 0.8, 2)
        people = ballots({f"w{place}": row for place, row in enumerate(said)}, ("a", "b"))
        sums = PersonSums.of(people, np.full((1, 3000), -1))
        found += bool(adjudicators(sums, people.assessors))
    assert found <= 1


def test_what_there_is_is_found() -> None:
    """A judge that reads like one run is kinder to it; one that never says a label gives it too seldom."""
    random = np.random.default_rng(0)
    truth = random.choice(3, 400, p=[0.5, 0.35, 0.15])
    key = pairs_of(truth.astype(np.int8))
    answers = [noisy(random, truth, 0.7) for _ in range(10)]
    partial = np.where(random.random(400) < 0.5, answers[3], truth)
    shy = np.where(truth == 2, 1, truth)
    made = ballots({"person": truth, "partial": partial, "shy": shy})
    told = judge(made, automatic=["partial", "shy"], runs=runs_of(key, answers)).findings()
    assert any(sentence.startswith("partial is significantly more lenient with run3 (+") for sentence in told)
    assert any(
        sentence.startswith("shy gives CONTRADICTION to 0.0% of 400 units, significantly less often than people")
        for sentence in told
    )


@pytest.mark.parametrize("measure", ["accuracy", "kappa"])
def test_bounds_by_leaving_out(measure: str) -> None:
    """The bounds of every bias are those of the jackknife's influences, whatever the measure."""
    random = np.random.default_rng(1)
    truth = random.choice(3, 120, p=[0.5, 0.35, 0.15])
    key, said = pairs_of(truth.astype(np.int8)), noisy(random, truth, 0.8)
    runs = runs_of(key, [noisy(random, truth, skill) for skill in (0.5, 0.6, 0.7)])
    made = judge(ballots({"person": truth, "auto": said}), automatic=["auto"], runs=runs, measure=measure)
    scorer = Scorer.of(runs, measure)
    codes = np.stack([truth, said]).astype(np.int8)
    without = np.stack([np.where(np.arange(120) == unit, np.int8(-1), codes) for unit in range(120)])
    human, here = scorer.values(codes)
    left_out = scorer.values(without)
    moved = 119 * ((here - human) - (left_out[:, 1] - left_out[:, 0]))
    assert made.judges[0].ranking is not None
    for relative in (False, True):
        draws = generator(0, "judge", "bias", "auto")
        low, high = simultaneous_interval(here - human, moved, truth != said, draws, relative=relative)
        rows = [row.relative if relative else row.bias for row in made.judges[0].ranking.bias]
        np.testing.assert_allclose([row.high - row.low for row in rows], high - low, rtol=0.05)
        np.testing.assert_allclose([(row.high + row.low) / 2 for row in rows], (high + low) / 2, atol=2e-4)
