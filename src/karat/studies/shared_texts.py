"""Pairs that share a text: how many, and whether intervals that treat them as independent are too narrow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from karat.arrays import DISPLAY_TOLERANCE, NAN, Floats, Ints
from karat.data.fields import Why
from karat.data.pairs import TEXT, Pairs
from karat.data.parameters import generator
from karat.data.responses import Responses
from karat.data.result import Finding
from karat.data.scores import cluster_numbers
from karat.labels import Way

MOST_RUNS = 50
"""The most runs whose intervals are looked at."""
NONE_SHARED = Why("no two pairs share a text, or the pairs have none; or they are clustered")
WIDER = 1.03
"""Intervals that are wider by a smaller factor are not worth a warning."""
PERMUTATIONS = 199
LEVEL = 0.05
NO_VARIANCE = Why("no run is right on some of these pairs and wrong on others")


@dataclass(frozen=True)
class SharedTexts:
    """Pairs whose text is that of another pair, too."""

    pairs: int
    texts: int
    """The number of different texts of all pairs."""
    times_as_wide: Annotated[float, NO_VARIANCE]
    """The width of an interval by texts over that of one by pairs, for the accuracy of a run: the median over runs."""
    by_chance: Annotated[float, NO_VARIANCE]
    """The value that this ratio exceeds in 5% of the cases if it makes no difference which pairs share a text."""

    @property
    def wide(self) -> str:
        """The ratio in words."""
        return f"clustered by text, they would be {self.times_as_wide:.2f} times as wide (median over runs)"

    @property
    def widens(self) -> bool:
        """Whether intervals by texts are wider than by chance, and by enough to be worth a warning."""
        return self.times_as_wide >= WIDER and self.exceeds_chance

    @property
    def exceeds_chance(self) -> bool:
        """Whether intervals by texts are wider than they would be in 95% of the cases if only chance were at work."""
        return self.times_as_wide > max(1.0, self.by_chance) + DISPLAY_TOLERANCE


def shared_texts(runs: Responses, way: Way, seed: int) -> SharedTexts | None:
    """The pairs that share a text; None if there are none."""
    sharing, texts = sharing_texts(runs.key)
    if not sharing:
        return None
    if runs.key.blind or not len(runs):
        return SharedTexts(sharing, texts, NAN, NAN)
    right = runs.right(way).values[:MOST_RUNS]
    return SharedTexts(sharing, texts, *times_as_wide(right, cluster_numbers(runs.key.clusters(TEXT)), seed))


def too_narrow(shared: SharedTexts, pairs: int) -> Iterator[Finding]:
    """What every study says whose intervals treat pairs as independent, where that makes them too narrow."""
    if shared.widens:
        yield Finding(
            f"{shared.pairs:,} of {pairs:,} pairs share their text with another pair, and the intervals of accuracy, "
            f"which treat pairs as independent, are too narrow: {shared.wide}; by chance alone, at most "
            f"{shared.by_chance:.2f} times in 95% of cases. `--cluster text` computes them by texts."
        )


def sharing_texts(key: Pairs) -> tuple[int, int]:
    """The number of pairs that share their text with another pair, and that of different texts."""
    if not any(key.texts):
        return 0, 0
    clusters = key.clusters(TEXT)
    times = Counter(clusters)
    return sum(one is not None and times[one] > 1 for one in clusters), len(times.keys() - {None})


def times_as_wide(values: Floats, clusters: Ints, seed: int) -> tuple[float, float]:
    """The standard error of a mean over clusters over that of independent units, the median over rows of values.

    Second, what that exceeds in 5% of the permutations of units over clusters, all rows alike.
    """
    scored = ~np.isnan(values).all(axis=0)
    values, clusters = values[:, scored], clusters[scored]
    known = ~np.isnan(values)
    means = np.where(known, values, 0).sum(axis=1) / np.maximum(known.sum(axis=1), 1)
    errors = np.where(known, values - means[:, None], 0.0)
    varied = errors[(errors**2).sum(axis=1) > 0].T
    if not varied.size:
        return NAN, NAN
    # Units by cluster, one row each, so that a permutation copies whole rows and clusters are sums of neighbours.
    varied = np.ascontiguousarray(varied[np.argsort(clusters, kind="stable")])
    _, starts = np.unique(np.sort(clusters), return_index=True)
    squares = (varied**2).sum(axis=0)

    def ratio(units: Floats) -> float:
        together = (np.add.reduceat(units, starts, axis=0) ** 2).sum(axis=0)
        return float(np.median(np.sqrt(together / squares)))

    random = generator(seed, "report", "shared texts")
    permuted = [ratio(varied[random.permutation(len(varied))]) for _ in range(PERMUTATIONS)]
    return ratio(varied), float(np.quantile(permuted, 1 - LEVEL, method="higher"))
