"""Numbers of a table that no command prints, from the package's measures and resamplers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from scipy import stats

from karat.arrays import Floats
from karat.data.coincidences import Coincidence
from karat.data.parameters import generator
from karat.data.tables import Table
from karat.measures import information, kappa, measures
from karat.measures.agreement import ac1
from karat.measures.contingency import entropy_key, entropy_response
from karat.statistics.bootstrap import bca_interval

STATISTICS: dict[str, Callable[[Table], Any]] = {
    "information": information,
    "kappa": kappa,
    "ac1": lambda table: ac1(Coincidence.of_table(table)),
}


def statistic_of(table: Table, spelling: str, part: str = "value") -> float:
    """A number by its name, `name` or `name(argument)`."""
    name, _, argument = spelling.rstrip(")").partition("(")
    total = table.total
    match name:
        case "joint_entropy":
            return float(entropy_key(table) + entropy_response(table) - information(table))
        case "g":
            return float(2 * total * np.log(2) * information(table))
        case "chi_square":
            expected = table.key[:, None] * table.response / total
            return float(((table.counts - expected) ** 2 / expected).sum())
        case "chance":
            observed = table.diagonal.sum() / total
            return float((observed - kappa(table)) / (1 - kappa(table)))
        case "f":
            label, weight = argument.split(",")
            precision, recall = (float(measures[one].bind(label=label)(table)) for one in ("precision", "recall"))
            w = float(Fraction(weight.strip()))
            return (1 + w) * precision * recall / (w * precision + recall)
        case "information_jackknife":
            values, counts = _left_out(table, information)
            return float(total * information(table) - (total - 1) * (counts @ values) / total)
        case "jackknife_error":
            values, counts = _left_out(table, STATISTICS[argument])
            spread = counts @ (values - counts @ values / total) ** 2
            return float(np.sqrt((total - 1) / total * spread))
        case "information_permuted":
            margins = stats.random_table(table.key.astype(int), table.response.astype(int))
            drawn = margins.rvs(20_000, random_state=np.random.default_rng(0))
            return float(information(table.with_counts(drawn.astype(float))).mean())
        case "bootstrap_error":
            drawn = generator(0, "papers").multinomial(round(float(total)), table.counts.ravel() / total, size=20_000)
            tables = drawn.reshape(-1, *table.counts.shape).astype(np.float64)
            return float(np.std(STATISTICS[argument](table.with_counts(tables))))
        case "bca":
            return _bca(table, STATISTICS[argument])[part == "high"]
    raise KeyError(spelling)


def _left_out(table: Table, statistic: Callable[[Table], Any]) -> tuple[Floats, Floats]:
    """The statistic without a unit of each cell, and how many units the cell holds."""
    filled = np.argwhere(table.counts > 0)
    less = np.repeat(table.counts[None], len(filled), axis=0)
    less[np.arange(len(filled)), filled[:, 0], filled[:, 1]] -= 1
    return np.asarray(statistic(table.with_counts(less))), table.counts[filled[:, 0], filled[:, 1]]


def _bca(table: Table, statistic: Callable[[Table], Any]) -> tuple[float, float]:
    """The package's interval, units as rows of a table each."""
    size = table.counts.size
    cell_of = np.repeat(np.arange(size), table.counts.ravel().astype(int))
    cells = np.eye(size)[cell_of]

    def of_weights(weights: Floats) -> Floats:
        return np.asarray(statistic(table.with_counts((weights @ cells).reshape(-1, *table.counts.shape))))

    low, high = bca_interval(of_weights, len(cells), generator(0, "papers"), replicates=5000)
    return float(low), float(high)
