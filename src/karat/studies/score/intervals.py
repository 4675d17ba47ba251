"""Where a measure meets the interval that is declared beside it."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from karat.arrays import Floats
from karat.data.orders import Ranking
from karat.data.tables import Table
from karat.kernels.random import generator
from karat.measures.facts import bounds, measures
from karat.registry import Bound
from karat.statistics.bootstrap import bca_interval
from karat.statistics.bounded import holding
from karat.statistics.delta import delta_interval, root_interval
from karat.statistics.wilson import wilson

NO_INTERVAL = {
    "wilson": "there are no trials",
    "delta": "the measure is flat to first order here (as the entropy of a uniform key)",
    "recalls": "the measure is flat to first order here",
    "root": "there are no scored pairs",
    "bca": "the measure does not vary over resamples",
}


def table_interval(measure: Bound, table: Table, level: float) -> tuple[Floats, Floats]:
    """Bounds of a measure of tables, for every table along the leading axes."""
    kind = measure.facts["interval"]
    if kind == "wilson":
        trials = partial(measure.facts["trials"], **dict(measure.arguments))
        # Linear in the counts, so (Σw)²/Σw² is the number of units of equal weight.
        with np.errstate(divide="ignore", invalid="ignore"):
            size: Any = trials(table) ** 2 / trials(table.squared())
        return wilson(measure(table), size, level)
    labels = max(table.counts.shape[-2:])
    if kind == "root":
        plain = measures[measure.facts["plain"]].bind() if measure.facts["plain"] else measure
        ends = root_interval(plain, table, bounds(plain, labels), measure.facts["trials"], level)
        return holding(measure(table), ends)
    return delta_interval(measure, table, bounds(measure, labels), level, key_only=kind == "recalls")


def ranking_interval(measure: Bound, ranking: Ranking, level: float, seed: int, run: str) -> tuple[float, float]:
    """Bounds of a measure of one run's ranking: units are resampled, the ranking stays."""
    random = generator(seed, "score", str(measure), run)
    units = ranking.order.shape[-1]
    low, high = bca_interval(lambda weights: measure(ranking.count(weights)), units, random, level=level)
    return float(low), float(high)
