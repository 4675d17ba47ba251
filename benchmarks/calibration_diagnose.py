"""Calibration of the sentences of `diagnose`: how often they claim what is not there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from unittest.mock import patch

import numpy as np

from benchmarks.calibration_data import ALPHA, PRIOR, Cell, in_parallel, shown, table
from benchmarks.synthetic import pairs_of
from karat.arrays import Floats, Ints
from karat.data.decomposition import Decomposition, Phenomenon
from karat.data.parameters import generator
from karat.data.provenance import IN_MEMORY
from karat.data.responses import Responses, Run, RunInfo
from karat.labels import THREE
from karat.studies.diagnose import study
from karat.studies.diagnose.result import Diagnosis

DATA_SETS, REPLICATES = 400, 99
PARTS, CATEGORIES = 4, ("lexical", "syntactic", "discourse", "reasoning")
CLAIMS = {
    "separates two runs": r" separates .+ from ",
    "a slice is weak": r": fix .+ first|significantly weaker than \d",
    "most to gain": r"most to gain by",
    "index below or above 1": r"significantly (below|above) 1",
    "index close to 1": r", close to 1",
    "at the cost of the other": r"at the cost of",
}


@dataclass(frozen=True)
class World:
    """A decomposed test set whose runs are as good on everything of one label, wholes and parts."""

    name: str
    runs: int
    originals: int
    phenomena: int
    right: tuple[float, float, float] = (0.8, 0.8, 0.8)
    """How often a run is right, by label."""
    harder: float = 0.15
    """How far the pairs of one original are easier or harder than others."""
    alike: float = 0.0
    """The share of originals whose parts are all ENTAILMENT."""
    whole: bool = False
    """Whether a phenomenon takes whole originals, all their parts."""
    index: float = 1.0
    """How often a run is right on originals, over how often on parts."""

    def draw(self, random: np.random.Generator) -> tuple[Decomposition, Responses]:
        """One data set."""
        home = np.concatenate([np.arange(self.originals), np.repeat(np.arange(self.originals), PARTS)])
        part = np.arange(len(home)) >= self.originals
        key = random.choice(3, size=len(home), p=PRIOR) * ~(part & (home < self.alike * self.originals))
        kind = random.integers(self.phenomena, size=len(home))
        kind = np.where(part, kind[home] if self.whole else kind, -1)
        phenomena = tuple(Phenomenon(f"kind {at}", CATEGORIES[at % 4]) for at in range(self.phenomena))
        decomposition = Decomposition(
            pairs=pairs_of(key.astype(np.int8)),
            original=np.where(part, home, -1).astype(np.int32),
            phenomena=phenomena,
            holds=np.stack([kind == at for at in range(self.phenomena)]),
        )
        chance = np.array(self.right)[key] + random.uniform(-self.harder, self.harder, size=self.originals)[home]
        chance = np.where(part, chance, self.index * chance)
        return decomposition, Responses.of(decomposition.pairs, list(self._runs(random, key, chance)))

    def _runs(self, random: np.random.Generator, key: Ints, chance: Floats) -> Iterator[Run]:
        for at in range(self.runs):
            codes = np.where(random.random(len(key)) < chance, key, (key + 1) % 3).astype(np.int8)
            info = RunInfo(f"run {at}", THREE, IN_MEMORY)
            yield Run(info, codes, np.arange(len(key), dtype=np.int32), None, None, None)


WORLDS = (
    World("one run", 1, 60, 12),
    World("five runs", 5, 60, 12),
    World("five runs", 5, 200, 12),
    World("ten runs, many phenomena", 10, 200, 35),
    World("five runs, all pairs as hard", 5, 60, 12, harder=0.0),
    World("ten runs, few phenomena", 10, 100, 4),
    World("five runs, weak on two labels", 5, 60, 12, (0.85, 0.4, 0.4), alike=0.6),
    World("five runs, phenomena of whole originals", 5, 60, 6, (0.6, 0.6, 0.6), harder=0.35, whole=True),
    World("one run, index 0.9, all parts right", 1, 20, 4, (1.0, 1.0, 1.0), harder=0.0, index=0.9),
    World("five runs, index 0.9", 5, 400, 4, (0.95, 0.95, 0.95), harder=0.05, index=0.9),
)


def diagnosed(world: World, number: int) -> Iterator[Diagnosis]:
    """Data sets, each diagnosed. Shrunken estimates are left out: no claim rests on them, and they take long."""
    with patch.object(study, "shrink", lambda *_: None):
        for place in range(number):
            random = generator(0, "calibration", "diagnose", str(world), place)
            decomposition, runs = world.draw(random)
            yield study.diagnose(runs, decomposition=decomposition, replicates=REPLICATES, seed=place)


def claimed(world: World, number: int = DATA_SETS) -> dict[str, float]:
    """The share of data sets of which each claim is made at least once."""
    told = ["\n".join(result.findings()) for result in diagnosed(world, number)]
    return {
        name: float(np.mean([re.search(words, each) is not None for each in told])) for name, words in CLAIMS.items()
    }


def row(world: World) -> list[str | Cell]:
    """One line of the table; what is true of a world is not counted."""
    found, true = claimed(world), ["index close to 1" if world.index == 1 else "index below or above 1"]
    true += ["a slice is weak"] * (len(set(world.right)) > 1)
    true += ["most to gain"] * (len(set(world.right)) > 1 or world.index < 1)
    found |= dict.fromkeys(true + ["separates two runs"] * (world.runs == 1), float("nan"))
    counts = [str(world.originals), str(PARTS * world.originals), str(world.phenomena)]
    return [world.name, *counts, *(shown(found[name], ALPHA, DATA_SETS) for name in CLAIMS)]


def section() -> str:
    """What the page says of `diagnose`."""
    headings = ["runs", "originals", "parts", "phenomena", *CLAIMS]
    return WORDS.format(claims=table(headings, in_parallel(row, WORLDS)), sets=DATA_SETS)


WORDS = """## What a diagnosis claims

Runs that are all equally good, on every phenomenon and on wholes as on parts; {sets} data sets. The table shows the
proportion of data sets in which [diagnose](diagnosis.md) makes a claim of each kind at least once, about any run, any
two runs or any slice (nominally at most .050). Except in two rows, the pairs of one original are easier or harder
together; in one row every phenomenon covers whole originals, so that a slice may consist of hard texts by chance. True
claims are not counted. Where runs are weak on two labels, most originals have parts of only one label; where their
index is .9, it is at the edge of what counts as close to 1.

{claims}
All are at or below their level. Tests that treat the pairs of one text as independent would exceed it where phenomena
cover whole originals, so tests are over whole texts. Claims are below their level (▽) because Holm's correction allows
for any dependence, and slices overlap; because exact tests on few pairs are discrete; and, for weak slices and for the
index, because the first line for a run selects from both, so that each gets half of the level.
"""
