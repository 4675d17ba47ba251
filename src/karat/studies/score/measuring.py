"""Where measures meet runs: every measure on every system in one way, with intervals and reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Bools, Floats
from karat.data.orders import Order, Ties
from karat.data.responses import Responses
from karat.data.tables import Table
from karat.errors import NotApplicable
from karat.labels import TWO, Way
from karat.measures import measures
from karat.registry import Bound
from karat.studies.score.degradation import Degradation, degradations
from karat.studies.score.intervals import NO_INTERVAL, ranking_interval, table_interval
from karat.studies.score.trivial import trivial_tables

UNRANKED = "a system that does not rank has an expected value, and no interval"
EXPECTED = "an expected value is no sample, and has no interval"


@dataclass
class Measured:
    """The values of one way: arrays (…, systems), the runs first and then the trivial systems."""

    way: Way
    scored: NDArray[np.bool_]
    """Which systems can be scored in this way at all."""
    table: Table
    values: dict[str, Floats] = field(default_factory=dict)
    low: dict[str, Floats] = field(default_factory=dict)
    high: dict[str, Floats] = field(default_factory=dict)
    reasons: dict[str, list[str]] = field(default_factory=dict)
    """Why a value of a measure is NaN, if it is, for each system."""
    interval_reasons: dict[str, list[str]] = field(default_factory=dict)
    level: float = 0.95

    @cached_property
    def degradations(self) -> list[list[Degradation]]:
        """The merges of labels that raise a score and lower information, for each system."""
        return degradations(self.table, self.way, self.level)


@dataclass(frozen=True)
class Measuring:
    """What is measured, and how."""

    runs: Responses
    asked: Sequence[str] = ()
    """Spellings of measures; none asks for all that are shown."""
    extra: Sequence[str] = ()
    """Measures beside those."""
    shared: Floats | None = None
    """Weights (units) for all runs alike."""
    own: Floats | None = None
    """Weights (runs, units), each run its own."""
    level: float = 0.95
    ties: Ties = "expected"
    seed: int = 0

    def whole(self, way: Way) -> Measured:
        """Every measure on every run and every trivial system."""
        runs, trivial = self.runs.count(way, self.shared, self.own), self._trivial(way)
        table = Table(
            np.concatenate([runs.counts, trivial.counts]),
            way.labels,
            squares=np.concatenate([runs.squares, trivial.squares]),
        )
        scored = np.concatenate([self.runs.allows(way), np.ones(len(trivial.counts), dtype=bool)])
        return self._measure(Measured(way, scored, table, level=self.level), None)

    def sliced(self, way: Way, slices: Bools) -> Measured:
        """Every measure on every run, on each slice (slices, units)."""
        if self.own is not None:
            parts = [self.runs.count(way, own=np.where(within, self.own, 0.0)) for within in slices]
            table = Table(np.stack([part.counts for part in parts]), way.labels,
                          squares=np.stack([part.squares for part in parts]))  # fmt: skip
        elif self.shared is not None:
            table = self.runs.count(way, np.where(slices, self.shared, 0.0))
        else:
            table = self.runs.count_slices(way, slices)
        return self._measure(Measured(way, self.runs.allows(way), table, level=self.level), slices)

    def _trivial(self, way: Way) -> Table:
        assert self.runs.key.way is not None
        key = self.runs.key_codes(way)
        weights = np.ones(len(key)) if self.shared is None else self.shared
        margin, squares = (
            np.bincount(key[key >= 0], w[key >= 0], minlength=len(way.labels)).astype(np.float64)
            for w in (weights, weights**2)
        )
        return trivial_tables(self.runs.key.way, way, margin, squares)[1]

    def measures(self, way: Way) -> list[Bound]:
        """The measures asked for, or all that are shown and apply to this way."""
        if self.asked:
            chosen = [bound for name in self.asked for bound in expand(name, way)]
        else:
            shown = [entry.name for entry in measures if entry.facts["shown"]]
            bounds = [bound for name in shown for bound in expand(name, way, every_label=True)]
            chosen = [bound for bound in bounds if _applies(bound, way)]
        return list(dict.fromkeys([*chosen, *(bound for name in self.extra for bound in expand(name, way))]))

    def _measure(self, measured: Measured, slices: Bools | None) -> Measured:
        shape = measured.table.counts.shape[:-2]
        for bound in self.measures(measured.way):
            name = str(bound)
            measured.reasons[name] = [str(bound.facts["undefined"])] * shape[-1]
            sampled = measured.table.squares.sum(axis=(-2, -1)).reshape(-1, shape[-1]).any(axis=0)
            flat = NO_INTERVAL[bound.facts["interval"]]
            measured.interval_reasons[name] = [flat if one else EXPECTED for one in sampled]
            for values in (measured.values, measured.low, measured.high):
                values[name] = np.full(shape, np.nan)
            try:
                if bound.facts["of"] is Order:
                    self._rank(bound, measured, slices)
                else:
                    measured.values[name] = bound(measured.table)
                    measured.low[name], measured.high[name] = table_interval(bound, measured.table, self.level)
            except NotApplicable as reason:
                measured.reasons[name] = [str(reason)] * shape[-1]
        return measured

    def _rank(self, bound: Bound, measured: Measured, slices: Bools | None) -> None:
        """A measure of rankings, run by run: their tie groups differ."""
        name, ranked_by, way = str(bound), bound.facts["ranked_by"], measured.way
        if self.shared is not None or self.own is not None:
            raise NotApplicable("it is not defined under weights")
        if ranked_by == "entailment" and way is not TWO:
            raise NotApplicable("it is defined on the two-way fold; see way 2")
        for system in range(len(measured.scored)):
            if system >= len(self.runs):
                # One group of ties: the expectation over all orders.
                table = measured.table[system]
                gains = table.key[0] if ranked_by == "entailment" else table.diagonal.sum()
                order = Order(ranked_by, np.rint(table.total)[None], np.array([gains]))
                measured.values[name][system] = bound(order)
                measured.interval_reasons[name][system] = UNRANKED
            elif measured.scored[system]:
                try:
                    for place in np.ndindex(measured.values[name].shape[:-1]):
                        within = None if slices is None else slices[place]
                        self._rank_one(bound, measured, (*place, system), within)
                except NotApplicable as reason:
                    measured.reasons[name][system] = str(reason)

    def _rank_one(self, bound: Bound, measured: Measured, place: tuple[int, ...], within: Bools | None) -> None:
        name, run = str(bound), place[-1]
        ranking = self.runs.ranking(run, bound.facts["ranked_by"], measured.way, self.ties, within)
        if ranking.order.size:
            measured.values[name][place] = bound(ranking.count())
            interval = ranking_interval(bound, ranking, self.level, self.seed, self.runs.names[run])
            measured.low[name][place], measured.high[name][place] = interval


def expand(name: str, way: Way, every_label: bool = False) -> list[Bound]:
    """The measures that a spelling names: one, or one a label where it needs a label and gives none."""
    entry = measures[name] if name.replace("_", "").isalnum() else None
    label = entry.parameters.get("label") if entry else None
    if entry is None or label is None:
        return [measures.parse(name)]
    plain = [] if label.default is label.empty else [entry.bind()]
    if plain and not every_label:
        return plain
    return plain + [entry.bind(label) for label in way.labels]


def _applies(bound: Bound, way: Way) -> bool:
    try:
        bound(Table(np.zeros((len(way.labels),) * 2), way.labels))
    except NotApplicable:
        return False
    return True
