"""Which runs differ: scores that change places within judges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from karat.kernels.random import generator
from karat.kernels.signflip import Single, random_signs
from karat.statistics.corrections import corrected
from karat.statistics.paired import Paired, t_interval
from karat.statistics.randomisation import randomisation
from karat.studies.justify.parameters import JustifyParameters
from karat.studies.justify.parts import RunDifference
from karat.studies.justify.scored import Scored

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
    first, second = (np.array(side) for side in zip(*pairs, strict=True))
    if not values.size:
        return [RunDifference(scored.scale.name, runs[a], runs[b], 0, 0, *[float("nan")] * 8) for a, b in pairs]
    _, cluster = np.unique(unit, return_inverse=True)
    by_pair = Paired.of(values, first, second, cluster)
    name = scored.scale.name
    p, error = randomisation(by_pair, _blocks(by_pair.sums.shape[1], asked, name, "pairs"))
    if by_pair.clusters < 2:  # one pair tells nothing of others
        p, error = np.full((2, len(pairs)), np.nan)
    alone = np.full((2, len(pairs)), np.nan)
    if not scored.exchangeable:
        cells = Paired.of(values, first, second)
        alone = np.stack(randomisation(cells, _blocks(values.shape[1], asked, name, "judges")))
    low, high = t_interval(by_pair, asked.interval)
    columns = np.stack([by_pair.differences, low, high, p, error, corrected(p, "holm"), *alone], axis=1)
    size = (values.shape[1], int(cluster.max()) + 1)
    return [
        RunDifference(name, runs[a], runs[b], *size, *row) for (a, b), row in zip(pairs, columns.tolist(), strict=True)
    ]


def _blocks(units: int, asked: JustifyParameters, *purpose: str) -> Iterator[Single]:
    """Signs that all pairs of runs share."""
    for block, start in enumerate(range(0, asked.replicates, BLOCK)):
        random = generator(asked.seed, "justify", *purpose, block)
        yield random_signs(units, min(BLOCK, asked.replicates - start), random)
