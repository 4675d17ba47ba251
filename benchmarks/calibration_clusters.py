"""Calibration of intervals over clusters: scores, agreement, a judge's rates and bias, and single judgments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from benchmarks.calibration_data import LEVEL, held, in_parallel, table
from benchmarks.synthetic import pairs_of
from karat.arrays import Floats, Ints
from karat.data.ballots import Ballots, Scale
from karat.data.parameters import generator
from karat.data.provenance import IN_MEMORY
from karat.data.responses import Responses, Run, RunInfo
from karat.data.scores import shared_clusters
from karat.labels import TWO
from karat.measures import measures
from karat.measures.agreement import coefficients
from karat.statistics.simultaneous import simultaneous_interval
from karat.studies.agree.coefficients import Agreeing
from karat.studies.judge.agreement import Judging
from karat.studies.judge.rates import rates
from karat.studies.meta.single import single_judgments
from karat.studies.scorer import Scorer

DATA_SETS = 300
SIZES = {
    "12 clusters of 8": np.full(12, 8),
    "50 clusters of 6": np.full(50, 6),
    "50 clusters of 2 to 9": 2 + np.arange(50) % 8,
}
EASY, WELL, BADLY = 0.7, 0.95, 0.25
"""The share of easy clusters, and how often an answer is known in an easy cluster and in a hard one."""
KNOWN = EASY * WELL + (1 - EASY) * BADLY
TOGETHER = EASY * WELL**2 + (1 - EASY) * BADLY**2
"""How often two know the same answer."""
Ends = Iterator[tuple[str, float, tuple[float, float]]]
"""What an interval is for, the truth, and its ends."""


def knowing(random: np.random.Generator, cluster: Ints, judges: int) -> Floats:
    """Two labels, equally frequent, by `judges` who know them more often in easy clusters, and otherwise guess."""
    easy = random.random(int(cluster.max()) + 1) < EASY
    truth = random.integers(0, 2, len(cluster))
    knows = random.random((judges, len(cluster))) < np.where(easy, WELL, BADLY)[cluster]
    return np.concatenate([truth[None], np.where(knows, truth, random.integers(0, 2, knows.shape))])


def scores(random: np.random.Generator, cluster: Ints, among: Ints | None) -> Ends:
    """Accuracy, recall, F1, kappa and information of a run; confidences are as they happen to be."""
    truth, answers = knowing(random, cluster, 1).astype(np.int8)
    run = Run(RunInfo("run", TWO, IN_MEMORY), answers, np.arange(len(truth), dtype=np.int32), None, None, None)
    runs, right = Responses.of(replace(pairs_of(truth), way=TWO), [run]), (1 + KNOWN) / 2
    bits = 1 + right * np.log2(right) + (1 - right) * np.log2(1 - right)
    for name, value in (
        ("accuracy", right),
        ("recall(ENTAILMENT)", right),
        ("f1(ENTAILMENT)", right),
        ("kappa", KNOWN),
        ("information", bits),
    ):
        scorer = Scorer(runs, measures.parse(name), TWO, cluster=among)
        made = scorer.estimates(runs.count(TWO), LEVEL, 0)
        yield f"score: {name}", value, (float(made.low[0]), float(made.high[0]))


def agreement(random: np.random.Generator, cluster: Ints, among: Ints | None) -> Ends:
    """Coefficients of two and of three assessors."""
    for size in (2, 3):
        codes = knowing(random, cluster, size)[1:]
        found = Agreeing(ballots_of(codes), among)
        for name in ("agreement", "kappa", "fleiss_kappa", "alpha", "ac1"):
            if size == 2 or name != "kappa":
                one = found.coefficient(coefficients[name], LEVEL, 0)
                truth = (1 + TOGETHER) / 2 if name == "agreement" else TOGETHER
                yield f"agree: {name}, {size} assessors", truth, (one.low, one.high)


def judging(random: np.random.Generator, cluster: Ints, among: Ints | None) -> Ends:
    """A judge and two people: agreement, the shares of a label, and the bias of its key for a run."""
    truth, one, other, its, run = knowing(random, cluster, 4).astype(np.int32)
    people = ballots_of(np.stack([one, other]))
    found = Judging.of(people, its, among).coefficient(coefficients["kappa"], LEVEL)
    yield "judge: kappa", TOGETHER, (found.low, found.high)
    share = random.beta(1, 1, int(cluster.max()) + 1)[cluster]
    label = (random.random(len(cluster)) < share).astype(np.int32)
    said = np.where(random.random(len(cluster)) < 0.85, label, 1 - label)
    shown = random.random(len(cluster)) < 0.5
    made = rates(
        np.where(shown, label, -1), said, shown, ("no", "yes"),
        labelled=0, half_width=0.1, level=LEVEL, seed=0, cluster=among,
    ).labels[1]  # fmt: skip
    for name, called in (("human", "people alone"), ("rogan_gladen", "Rogan–Gladen"), ("tuned", "PPI++")):
        rate = getattr(made, name)
        yield f"judge: {called}", 0.5, (rate.low, rate.high)
    moved = (run == its).astype(float) - (run == truth)
    value = np.array([moved.mean()])
    low, high = simultaneous_interval(value, moved[:, None], moved != 0, random, LEVEL, cluster=among)
    yield "judge: bias", (1 + TOGETHER) / 2 - (1 + KNOWN) / 2, (float(low[0]), float(high[0]))


def single(random: np.random.Generator, cluster: Ints, among: Ints | None) -> Ends:
    """Single scores of five runs by two judges, who know them more often on easy topics; clusters are topics."""
    topics = int(cluster.max()) + 1
    codes = knowing(random, np.repeat(np.arange(topics), 5), 2)[1:]
    sides = [side.reshape(topics, 5).T.astype(float) for side in codes]
    if among is None:
        found = Agreeing(ballots_of(codes))
        made = {name: found.coefficient(coefficients[name], LEVEL, 0) for name in ("kappa", "alpha")}
    else:
        made = single_judgments(sides[0], sides[1], None, "nominal", LEVEL, 0).coefficients
    for name in ("kappa", "alpha"):
        yield f"meta: {name} of single scores", TOGETHER, (made[name].low, made[name].high)


def ballots_of(codes: Floats) -> Ballots:
    """The ballots of all assessors (assessors, units) on all units."""
    assessors, units = codes.shape
    return Ballots(
        units=tuple(map(str, range(units))),
        assessors=tuple(map(str, range(assessors))),
        scale=Scale(("no", "yes")),
        unit=np.tile(np.arange(units, dtype=np.int32), assessors),
        assessor=np.repeat(np.arange(assessors, dtype=np.int32), units),
        code=codes.ravel().astype(np.int32),
    )


KINDS: tuple[Callable[[np.random.Generator, Ints, Ints | None], Ends], ...] = (scores, agreement, judging, single)


def covered(case: tuple[int, str]) -> dict[str, list[str]]:
    """How often intervals over clusters, and over units, hold the truth."""
    kind, size = case
    cluster = np.repeat(np.arange(len(SIZES[size])), SIZES[size])
    ends: dict[str, list[list[tuple[float, float]]]] = {}
    truths: dict[str, float] = {}
    for place in range(DATA_SETS):
        for column, among in enumerate((shared_clusters(cluster.tolist()), None)):
            random = generator(place, "clusters", size, KINDS[kind].__name__)
            for name, truth, interval in KINDS[kind](random, cluster, among):
                truths[name] = truth
                ends.setdefault(name, [[], []])[column].append(interval)
    return {name: [held(np.array(side), truths[name]).text for side in sides] for name, sides in ends.items()}


def section() -> str:
    """Coverage over clusters beside that over units."""
    cases = [(kind, size) for kind in range(len(KINDS)) for size in SIZES]
    rows: dict[str, list[str]] = {}
    for found in in_parallel(covered, cases):
        for name, cells in found.items():
            rows.setdefault(name, []).extend(cells)
    headings = ["interval of", *(text for size in SIZES for text in (size, "over units"))]
    return WORDS.format(sets=DATA_SETS, table=table(headings, [[name, *cells] for name, cells in rows.items()]))


WORDS = """## Intervals over clusters

How often intervals over clusters (`--cluster`; in `meta`, topics) hold the truth on {sets} data sets, and, beside
each, intervals that treat the same units as independent. Seven clusters of ten are easy: answers are known 95% of the
time there, 25% in the others, and guessed otherwise. In the shares of a label according to a judge, each cluster has a
share of its own, and people judged about half of the units of each. Biases, single scores and slices are over clusters
in the same way. Intervals of a run's own accuracy in [compare](compare.md) are those of `score`.

{table}
Intervals over units are too short wherever units of a cluster go together, and those over clusters keep their level.
The bias of a judge for a run hardly depends on clusters here, and neither do its intervals.
"""
