"""What the calibrations share: runs made up at random, and how a share is shown beside what was promised."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from typing import NamedTuple, TypeVar

import numpy as np

from karat.arrays import Floats, Ints
from karat.data.parameters import generator
from karat.studies.compare.contrasts import Pairing, Simulation
from karat.studies.compare.paired_means import PairedMeans

REPLICATES = 999
LEVEL, ALPHA = 0.95, 0.05
PAIR: Pairing = (np.array([0]), np.array([1]))
PRIOR = np.array([0.5, 0.35, 0.15])
"""Of three labels."""
MANY = 1e9
"""So many units are the population: what depends on their number no longer does."""
T = TypeVar("T")
R = TypeVar("R")


class Cell(NamedTuple):
    """A share as it is shown, and the share of intervals that were undefined."""

    text: str
    missing: float = 0.0


def in_parallel(function: Callable[[T], R], items: Iterable[T]) -> list[R]:
    """The function of every item, on all cores; each has a thread of its own, and needs no more."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        made = []
        for result in pool.map(function, items):
            made.append(result)
            print(".", end="", file=sys.stderr, flush=True)
        print(function.__name__, file=sys.stderr, flush=True)
        return made


@dataclass(frozen=True)
class Setting:
    """Runs made up at random: how, on how many units, in how many clusters."""

    name: str
    make: Callable[[np.random.Generator, Floats], Floats]
    """Scores (runs, units) with these expected differences from the first run."""
    cluster: Ints | None = None
    difference: float = 0.06
    """Between two runs, where there is one."""
    mean: float = 0.5
    """Of a run that is not shifted."""


def right_or_wrong(random: np.random.Generator, shift: Floats, units: int) -> Floats:
    """Units of unequal difficulty, which all runs share; right or wrong."""
    chance = 0.25 + 0.5 * random.random(units)
    return (random.random((len(shift), units)) < chance + shift[:, None]).astype(np.float64)


def quarters(random: np.random.Generator, shift: Floats, units: int) -> Floats:
    """The mean of four judgements of one unit."""
    return np.mean([right_or_wrong(random, shift, units) for _ in range(4)], axis=0)


def skewed(random: np.random.Generator, shift: Floats, units: int) -> Floats:
    """Real numbers, mostly small and some large, on units that have much in common."""
    shared = random.exponential(size=units)
    return 0.5 * shared + 0.5 * random.exponential(size=(len(shift), units)) + shift[:, None]


def clustered(random: np.random.Generator, shift: Floats, cluster: Ints) -> Floats:
    """Right or wrong, each run better or worse on whole clusters."""
    clusters = int(cluster.max()) + 1
    own = random.uniform(-0.25, 0.25, size=(len(shift), clusters))[:, cluster]
    return (random.random(own.shape) < 0.5 + shift[:, None] + own).astype(np.float64)


def uneven(clusters: int) -> Ints:
    """Clusters of 2 to 9 units."""
    return np.repeat(np.arange(clusters), 2 + np.arange(clusters) % 8)


def lopsided(clusters: int) -> Ints:
    """Clusters of 1 to 40 units, most of them small: the largest tenth has a third of all units."""
    return np.repeat(np.arange(clusters), np.geomspace(1, 40, clusters).round().astype(np.int64))


SETTINGS = (
    Setting("right/wrong, 40 units", partial(right_or_wrong, units=40), difference=0.2),
    Setting("right/wrong, 200 units", partial(right_or_wrong, units=200)),
    Setting("quarters, 40 units", partial(quarters, units=40)),
    Setting("quarters, 200 units", partial(quarters, units=200)),
    Setting("skewed real numbers, 40 units", partial(skewed, units=40), difference=0.2, mean=1.0),
    Setting("right/wrong, 12 clusters", partial(clustered, cluster=uneven(12)), uneven(12), 0.1),
    Setting("right/wrong, 50 clusters", partial(clustered, cluster=uneven(50)), uneven(50), 0.1),
    Setting("right/wrong, 50 lopsided clusters", partial(clustered, cluster=lopsided(50)), lopsided(50), 0.1),
)


def drawn(
    setting: Setting, shift: Floats, number: int, purpose: str, margin: float | None = None
) -> Iterator[PairedMeans]:
    """Data sets, each with a seed of its own for what the tests simulate."""
    for place in range(number):
        random = generator(0, "calibration", setting.name, purpose, place)
        yield PairedMeans(setting.make(random, shift), Simulation(REPLICATES, place, LEVEL, margin), setting.cluster)


def shown(share: float, promised: float, number: int) -> str:
    """A share; marked where it is further from what was promised than chance allows."""
    if share != share:
        return ""
    error = (promised * (1 - promised) / number) ** 0.5
    mark = " ▲" if share > promised + 3 * error else " ▽" if share < promised - 3 * error else ""
    return f"{share:.3f}{mark}"


def held(ends: Floats, truth: float) -> Cell:
    """How often intervals (data sets, 2) hold the truth, among those that there are; blank where either is not."""
    low, high = ends.T
    there = ~np.isnan(low)
    # A low end without a high one: no difference that was drawn is large enough, so that the interval is open above.
    high = np.where(there & np.isnan(high), np.inf, high)
    if not there.any() or np.isnan(truth):
        return Cell("")
    inside = ((low <= truth) & (truth <= high))[there]
    return Cell(shown(float(inside.mean()), LEVEL, int(there.sum())), 1 - float(there.mean()))


def missing(rows: Iterable[Sequence[str | Cell]]) -> str:
    """The largest share of undefined intervals of any entry, in per cent."""
    return f"{100 * max(cell.missing for row in rows for cell in row if isinstance(cell, Cell)):.1f}"


def table(headings: Sequence[str], rows: Iterable[Sequence[str | Cell]]) -> str:
    texts = [[cell.text if isinstance(cell, Cell) else cell for cell in row] for row in rows]
    lines = [headings, ["---"] * len(headings), *texts]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
