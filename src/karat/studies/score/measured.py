"""All measures in one way, of the runs and of the trivial systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from karat.arrays import Bools, Floats
from karat.data.orders import Ties
from karat.data.responses import Responses
from karat.data.tables import Table
from karat.labels import THREE, Way
from karat.measures import measures
from karat.measures.facts import expand, not_defined
from karat.studies.score.caveats import Degradation, degradations
from karat.studies.scorer import Estimates, Scorer


@dataclass(frozen=True)
class Measured:
    """Every measure of every system: the runs first, then the trivial systems if there are any."""

    way: Way
    scored: Bools
    """Which systems can be scored in this way."""
    table: Table
    estimates: dict[str, Estimates]
    level: float

    @cached_property
    def degradations(self) -> list[list[Degradation]]:
        """For each system, the merges of labels that raise a score and lower information."""
        return degradations(self.table, self.way, self.level)


def scorers(
    runs: Responses, way: Way, asked: Sequence[str], extra: Sequence[str], weights: Floats | None, ties: Ties
) -> list[Scorer]:
    """The measures asked for, or all that are shown and defined in this way, followed by the extra ones."""
    if asked:
        chosen = [bound for name in asked for bound in expand(name, way)]
    else:
        shown = [entry.name for entry in measures if entry.facts["shown"]]
        chosen = [bound for name in shown for bound in expand(name, way, every_label=True)]
        chosen = [bound for bound in chosen if not not_defined(bound, way)]
    chosen += [bound for name in extra for bound in expand(name, way)]
    return [Scorer(runs, bound, way, weights, ties) for bound in dict.fromkeys(chosen)]


def measured(of: Sequence[Scorer], level: float, seed: int, slices: Bools | None = None) -> Measured:
    """Every measure in one way of every run: with the trivial systems, or on each slice (slices, units)."""
    runs, way, weights = of[0].runs, of[0].way, of[0].weights
    scored = runs.allows(way)
    if slices is not None:
        table = runs.count(way, weights, of[0].key_on(slices))
    else:
        counted, trivial = runs.count(way, weights), _trivial(runs, way, weights)
        table = Table(
            np.concatenate([counted.counts, trivial.counts]),
            way.labels,
            squares=np.concatenate([counted.squares, trivial.squares]),
        )
        scored = np.append(scored, np.ones(len(trivial.counts), dtype=bool))
    estimates = {str(one.measure): one.estimates(table, level, seed, slices) for one in of}
    return Measured(way, scored, table, estimates, level)


def _trivial(runs: Responses, way: Way, weights: Floats | None) -> Table:
    """The trivial systems under weights that all runs share, or under equal weights if each run has its own."""
    assert runs.key.way is not None
    key = runs.key_codes(way)
    shared = np.ones(len(key)) if weights is None or weights.ndim > 1 else weights
    margin, squares = (
        np.bincount(key[key >= 0], one[key >= 0], minlength=len(way.labels)).astype(np.float64)
        for one in (shared, shared**2)
    )
    return trivial_tables(runs.key.way, way, margin, squares)[1]


def trivial_tables(key_way: Way, way: Way, key: Floats, squares: Floats | None = None) -> tuple[list[str], Table]:
    """Names and expected tables of the trivial systems: constant answers, uniform, and the key's own distribution.

    `key` has the counts (or weights) of the key's labels in `way`, `squares` the sums of squared weights. The expected
    table of a random system is N(g)·p(l), so that its kappa and information are exactly 0. It is not a sample, so it
    has no squared weights, and hence no interval and no bias to correct.
    """
    size = len(way.labels)
    constants = np.eye(size)[list(way.from_three if key_way is THREE else range(size))]
    shares = np.vstack([constants, np.full(size, 1 / size), key / max(float(key.sum()), 1e-300)])
    squares = key if squares is None else squares
    sampled = shares * np.isin(np.arange(len(shares)), range(len(constants)))[:, None]
    table = Table(key[:, None] * shares[:, None, :], way.labels, squares=squares[:, None] * sampled[:, None, :])
    return trivial_names(key_way), table


def trivial_names(key_way: Way) -> list[str]:
    """The names of the trivial systems, in the order of `trivial_tables`."""
    constants = [f"always-{label.lower().replace('_', '-')}" for label in key_way.labels]
    return [*constants, "random-uniform", "random-key"]
