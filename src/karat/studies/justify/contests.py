"""Which runs differ: scores that change places within judges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from karat.kernels.random import generator
from karat.kernels.signflip import Single, random_signs
from karat.progress import track
from karat.statistics.corrections import corrected
from karat.statistics.paired import Paired, t_interval
from karat.statistics.randomisation import randomisation
from karat.studies.justify.parameters import JustifyParameters
from karat.studies.justify.parts import RunDifference
from karat.studies.justify.scored import Scored

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
BLOCK = 1000
"""Replicates drawn at a time."""


def run_differences(runs: Sequence[str], scored: Scored, asked: JustifyParameters) -> list[RunDifference]:
    """Every two runs on one criterion.

    A judge's scores of two runs on a pair may as well have stood the other way round. `p` turns them round for all
    judges of the pair at once, since they looked at the same two texts, and so tells of other pairs; `p_judges` for
    each judge alone, and tells of other days of these judges on these pairs.
    """
    pairs = list(combinations(range(len(runs)), 2))
    if not pairs:
        return []
    values, unit = scored.contested()
    known = ~np.isnan(values)
    # Where every judge rated all runs on a pair, as is usual, all pairs of runs have the same cells.
    alike: dict[bytes, list[int]] = {}
    for place, (a, b) in enumerate(pairs):
        alike.setdefault((known[a] & known[b]).tobytes(), []).append(place)
    rows = np.full((len(pairs), 7), np.nan)
    sizes = np.zeros((len(pairs), 2), dtype=np.int64)
    for places in alike.values():
        first, second = (np.array([pairs[place][side] for place in places]) for side in (0, 1))
        both = known[first[0]] & known[second[0]]
        if both.any():
            cells = np.nan_to_num(values[:, both])  # of runs that are in no pair here: they are not looked at
            _, cluster = np.unique(unit[both], return_inverse=True)
            rows[places] = _compared(cells, cluster, first, second, scored, asked)
            sizes[places] = both.sum(), cluster.max() + 1
    holm = corrected(rows[:, 3], "holm")
    columns = np.insert(rows, 5, holm, axis=1)
    return [
        RunDifference(scored.scale.name, runs[a], runs[b], *size, *row)
        for (a, b), size, row in zip(pairs, sizes.tolist(), columns.tolist(), strict=True)
    ]


def _compared(
    values: Floats, cluster: Longs, first: Longs, second: Longs, scored: Scored, asked: JustifyParameters
) -> Floats:
    """Some pairs of runs over the same cells: difference, its interval, p and p within judges, each with its error."""
    by_pair = Paired.of(values, first, second, cluster)
    name = scored.scale.name
    p, error = randomisation(by_pair, _blocks(by_pair.sums.shape[1], asked, name, "pairs"))
    if by_pair.clusters < 2:  # one pair tells nothing of others
        p, error = np.full((2, len(first)), np.nan)
    alone = np.full((2, len(first)), np.nan)
    if not scored.exchangeable:
        cells = Paired.of(values, first, second)
        alone = np.stack(randomisation(cells, _blocks(values.shape[1], asked, name, "judges")))
    least, most = scored.span
    low, high = (end.clip(least - most, most - least) for end in t_interval(by_pair, asked.interval))
    return np.stack([by_pair.differences, low, high, p, error, *alone], axis=1)


def _blocks(units: int, asked: JustifyParameters, *purpose: str) -> Iterator[Single]:
    """Signs that all pairs of runs share."""
    for block, start in enumerate(track(range(0, asked.replicates, BLOCK), "flipping signs")):
        random = generator(asked.seed, "justify", *purpose, block)
        yield random_signs(units, min(BLOCK, asked.replicates - start), random)
