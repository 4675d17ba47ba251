"""What the calibrations share: runs made up at random, and how a share is shown beside what was promised."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from karat.kernels.random import generator
from karat.studies.compare.contests import Drawing, Pairing
from karat.studies.compare.means import Means

REPLICATES = 999
LEVEL, ALPHA = 0.95, 0.05
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
PAIR: Pairing = (np.array([0]), np.array([1]))


@dataclass(frozen=True)
class Setting:
    """Runs made up at random: how, on how many units, in how many clusters."""

    name: str
    make: Callable[[np.random.Generator, Floats], Floats]
    """Scores (runs, units) with these expected differences from the first run."""
    cluster: Ints | None = None
    difference: float = 0.06
    """Between two runs, where there is one."""


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


SETTINGS = (
    Setting("right/wrong, 40 units", partial(right_or_wrong, units=40), difference=0.2),
    Setting("right/wrong, 200 units", partial(right_or_wrong, units=200)),
    Setting("quarters, 40 units", partial(quarters, units=40)),
    Setting("quarters, 200 units", partial(quarters, units=200)),
    Setting("skewed real numbers, 40 units", partial(skewed, units=40), difference=0.2),
    Setting("right/wrong, 12 clusters", partial(clustered, cluster=uneven(12)), uneven(12), 0.1),
    Setting("right/wrong, 50 clusters", partial(clustered, cluster=uneven(50)), uneven(50), 0.1),
)


def drawn(setting: Setting, shift: Floats, number: int, purpose: str, margin: float | None = None) -> Iterator[Means]:
    """Data sets, each with a seed of its own for what the tests simulate."""
    for place in range(number):
        random = generator(0, "calibration", setting.name, purpose, place)
        yield Means(setting.make(random, shift), Drawing(REPLICATES, place, LEVEL, margin), setting.cluster)


def shown(share: float, promised: float, number: int) -> str:
    """A share; marked where it is further from what was promised than chance allows."""
    if share != share:
        return ""
    error = (promised * (1 - promised) / number) ** 0.5
    mark = " ▲" if share > promised + 3 * error else " ▽" if share < promised - 3 * error else ""
    return f"{share:.3f}{mark}"


def table(headings: list[str], rows: list[list[str]]) -> str:
    lines = [headings, ["---"] * len(headings), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
