"""Calibration of the sentences of `justify`: how often they claim what is not there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from unittest.mock import patch

import numpy as np

from benchmarks.calibration_data import ALPHA, Cell, in_parallel, shown, table
from karat.data.criteria import Criterion
from karat.data.ratings import Judges, Ratings
from karat.data.result import Estimate
from karat.kernels.random import generator
from karat.studies.justify import agreement, study
from karat.studies.justify.result import Justified

DATA_SETS = 400
CLAIMS = {
    "two runs differ": r"\b[1-9]\d* of \d+ pairs of runs differ| and run \d+ differ ",
    "groups of judges differ": r"udges (of|by) .+p (0\.0[0-4]|\d(\.\d+)?e)",
}
NOT_HERE = Estimate(float("nan"), float("nan"), float("nan"))


@dataclass(frozen=True)
class World:
    """Judges, some more lenient than others, who rate runs that are as good as each other."""

    runs: int
    pairs: int
    judges: int
    criteria: int
    groups: int = 2
    lenient: float = 0.5
    """How far judges differ on everything, in standard deviations of chance."""

    def draw(self, random: np.random.Generator) -> tuple[Ratings, Judges]:
        """One data set, from 1 to 5: what a justification is worth, how lenient a judge is, and chance."""
        shape = self.judges, self.pairs, self.runs, self.criteria
        worth = random.normal(size=shape[1:]) + random.normal(size=(self.pairs, 1, self.criteria))
        rated = 3 + worth + self.lenient * random.normal(size=(self.judges, 1, 1, 1)) + random.normal(size=shape)
        judge, pair, run = (one.astype(np.int32).ravel() for one in np.indices(shape[:3]))
        scales = tuple(Criterion(f"criterion {at}", 1, 5) for at in range(self.criteria))
        names = tuple(f"judge {at}" for at in range(self.judges))
        ratings = Ratings(
            runs=tuple(f"run {at}" for at in range(self.runs)),
            units=tuple(map(str, range(self.pairs))),
            assessors=names,
            criteria=tuple(one.name for one in scales),
            run=run,
            unit=pair,
            assessor=judge,
            values=np.clip(np.rint(rated), 1, 5).reshape(-1, self.criteria),
            scales=scales,
            skipped=np.zeros(len(run), dtype=bool),
        )
        groups = tuple("abcdef"[at % self.groups] for at in range(self.judges))
        return ratings, Judges(names, {"training": groups}, (None,) * self.judges)


WORLDS = (
    World(2, 40, 6, 5),
    World(5, 20, 12, 2),
    World(5, 40, 12, 2),
    World(10, 40, 12, 2),
    World(10, 40, 12, 2, groups=3),
    World(10, 40, 12, 2, lenient=0.0),
)


def justified(world: World, number: int) -> Iterator[Justified]:
    """Data sets, each scored. Alpha is left out: no claim rests on it, and its interval takes long."""
    with patch.object(agreement, "ordinal_alpha", lambda *_: NOT_HERE):
        for place in range(number):
            ratings, judges = world.draw(generator(0, "calibration", "justify", str(world), place))
            yield study.justify(ratings, judges=judges, group="training", replicates=100, seed=place)


def claimed(world: World, number: int = DATA_SETS) -> dict[str, float]:
    """The share of data sets of which each claim is made at least once."""
    told = ["\n".join(result.findings()) for result in justified(world, number)]
    return {name: sum(bool(re.search(words, each)) for each in told) / number for name, words in CLAIMS.items()}


def row(world: World) -> list[str | Cell]:
    """One line of the table."""
    found = claimed(world)
    counts = [str(one) for one in (world.runs, world.pairs, world.judges, world.groups, world.criteria, world.lenient)]
    return [*counts, *(shown(found[name], ALPHA, DATA_SETS) for name in CLAIMS)]


def section() -> str:
    """What the page says of `justify`."""
    headings = ["runs", "pairs", "judges", "groups", "criteria", "leniency", *CLAIMS]
    return WORDS.format(claims=table(headings, in_parallel(row, WORLDS)), sets=DATA_SETS)


WORDS = """## What ratings of justifications claim

Runs whose justifications are equally good, rated by judges of whom some are more lenient than others, whatever their
group (by so many standard deviations of chance); {sets} data sets. The share of data sets in which
[justify](justifications.md) claims at least once, of any two runs, or of any group and run, on any criterion, that they
differ (promised: at most .050).

{claims}
Both keep their level. Differences between runs are corrected by Holm over pairs of runs and criteria; differences
between groups of judges by the largest of them over assignments of judges to groups, which allows for what judges do
alike on all runs. Six judges can be divided into two groups of three in twenty ways only, so that p is never below .1,
and nothing is claimed (▽).
"""
