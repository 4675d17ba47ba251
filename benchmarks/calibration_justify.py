"""Calibration of `justify`: how often its sentences claim what is not there, and the interval of alpha."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from benchmarks.calibration_data import ALPHA, LEVEL, Cell, held, in_parallel, missing, shown, table
from karat.data.criteria import Criterion
from karat.data.parameters import generator
from karat.data.ratings import Judges, Ratings
from karat.studies.justify import study
from karat.studies.justify.result import Justified
from karat.studies.justify.runs import ordinal_alpha
from karat.studies.justify.scored import Scored

DATA_SETS = 400
CLAIMS = {
    "two runs differ": r"\b[1-9]\d* of \d+ pairs of runs differ| and run \d+ differ ",
    "groups of judges differ": r"udges (of|by) .+p (0\.0[0-4]|\d(\.\d+)?e)",
}
PAIRS, LARGE = (2, 3, 5, 10, 20, 50), 20_000
KINDS = {3.0: "from 1 to 5", 6.3: "mostly 5"}
"""Of what a justification is worth on average."""


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
    """Data sets, each scored."""
    for place in range(number):
        ratings, judges = world.draw(generator(0, "calibration", "justify", str(world), place))
        yield study.justify(ratings, judges=judges, group="training", replicates=100, seed=place)


def drawn(case: tuple[int, int, float], pairs: int, *purpose: int) -> Scored:
    """Ratings from 1 to 5 of so many runs by so many judges, some of which only say 5 as a rule."""
    runs, judges, kind = case
    random = generator(0, "calibration", "ordinal alpha", runs, judges, str(kind), pairs, *purpose)
    worth = random.normal(size=(pairs, runs)) + random.normal(size=(pairs, 1))
    rated = np.clip(np.rint(kind + worth + random.normal(size=(judges, pairs, runs))), 1, 5)
    return Scored(Criterion("criterion", 1, 5), rated, False, "missing", np.ones((pairs, runs), dtype=bool))


def alpha(case: tuple[int, int, float]) -> list[str | Cell]:
    """Coverage of ordinal alpha between judges."""
    truth = ordinal_alpha(drawn(case, LARGE), LEVEL).value
    row: list[str | Cell] = [str(case[0]), str(case[1]), KINDS[case[2]]]
    for pairs in PAIRS:
        found = [ordinal_alpha(drawn(case, pairs, place), LEVEL) for place in range(DATA_SETS)]
        row.append(held(np.array([[one.low, one.high] for one in found]), truth))
    return row


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
    alphas = in_parallel(alpha, list(product((1, 3, 10), (2, 3, 8), KINDS)))
    return WORDS.format(
        claims=table(headings, in_parallel(row, WORLDS)),
        alpha=table(["runs", "judges", "ratings", *(f"{pairs} pairs" for pairs in PAIRS)], alphas),
        missing=missing(alphas),
        sets=DATA_SETS,
    )


WORDS = """## What ratings of justifications claim

Runs whose justifications are equally good, rated by judges who differ in leniency, independently of their group (by the
given number of standard deviations of the noise); {sets} data sets. The table shows the proportion of data sets in
which [justify](justifications.md) claims at least one difference between two runs, or between groups on some run, on
any criterion (nominally at most .050).

{claims}
Both keep their level. Differences between runs are corrected by Holm over pairs of runs and criteria; differences
between groups of judges by their maximum over assignments of judges to groups, which allows for a judge's leniency
towards all runs. Six judges can be divided into two groups of three in only twenty ways, so that p is never below .1,
and nothing is claimed (▽).

How often the 95% CI for ordinal alpha between judges contains its population value. If all ratings are the same
there is no alpha: at most {missing} % of any entry, which are not counted.

{alpha}
The interval is that of `agree`, over pairs, with the number of additional units between two justifications and two
pairs. With few pairs it is long, and longer than necessary (▲). If nearly all ratings are the same it is too short from
10 pairs on (▽): coverage is 83 to 95%, lowest where one run was rated by many judges.
"""
