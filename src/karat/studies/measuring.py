"""Where measures meet runs: every measure on every system in one way, with intervals and reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from karat.data.orders import Order, Ties
from karat.data.responses import Responses, count_against
from karat.data.tables import Table
from karat.errors import NotApplicable
from karat.labels import TWO, Way
from karat.measures import measures
from karat.registry import Bound
from karat.studies.degradation import Degradation, degradations
from karat.studies.intervals import ranking_interval, table_interval
from karat.studies.trivial import trivial_tables

Floats = NDArray[np.float64]
UNRANKED = "a system that does not rank has the expected value, and no interval"


@dataclass
class Measured:
    """The values of one way: arrays over systems, the runs first and then the trivial ones."""

    way: Way
    systems: tuple[str, ...]
    scored: NDArray[np.bool_]
    """Which systems can be scored in this way at all."""
    table: Table
    values: dict[str, Floats] = field(default_factory=dict)
    low: dict[str, Floats] = field(default_factory=dict)
    high: dict[str, Floats] = field(default_factory=dict)
    reasons: dict[str, list[str]] = field(default_factory=dict)
    """Why a value of a measure is NaN, if it is, for each system."""

    @cached_property
    def degradations(self) -> list[list[Degradation]]:
        """The merges of labels that would be rewarded for saying less, for each system."""
        return degradations(self.table)


@dataclass(frozen=True)
class Measuring:
    """What is measured, and how."""

    responses: Responses
    asked: Sequence[str] = ()
    """Spellings of measures; none asks for all that are shown."""
    extra: Sequence[str] = ()
    """Measures beside those."""
    weights: Floats | None = None
    level: float = 0.95
    ties: Ties = "expected"
    seed: int = 0

    def measure(self, way: Way, within: NDArray[np.bool_] | None = None) -> Measured:
        """Every measure on every system, on the units `within`."""
        runs = self.responses
        assert runs.key.way is not None
        table = runs.count(way, self.weights, within)
        shared = self.weights if self.weights is None or self.weights.ndim == 1 else None
        names, trivial = trivial_tables(runs.key.way, way, self._key_table(way, shared, within))
        stacked = Table(
            np.concatenate([table.counts, trivial.counts]),
            way.labels,
            squares=np.concatenate([table.squares, trivial.squares]),
        )
        scored = np.concatenate([runs.allows(way), np.ones(len(names), dtype=bool)])
        measured = Measured(way, (*runs.names, *names), scored, stacked)
        for bound in self.measures(way):
            self._take(bound, measured, within)
        return measured

    def measures(self, way: Way) -> list[Bound]:
        """The measures asked for, or all that are shown and apply to this way."""
        if self.asked:
            chosen = [bound for name in self.asked for bound in expand(name, way)]
        else:
            shown = [entry.name for entry in measures if entry.facts["shown"]]
            bounds = [bound for name in shown for bound in expand(name, way, every_label=True)]
            chosen = [bound for bound in bounds if _applies(bound, way)]
        return list(dict.fromkeys([*chosen, *(bound for name in self.extra for bound in expand(name, way))]))

    def _key_table(self, way: Way, weights: Floats | None, within: NDArray[np.bool_] | None) -> Table:
        """The key against itself: all the trivial systems need."""
        key = self.responses.key_codes(way)
        return count_against(key, key[None, :], way, weights, within)[0]

    def _take(self, bound: Bound, measured: Measured, within: NDArray[np.bool_] | None) -> None:
        """Add one measure's values, intervals and reasons."""
        name, size = str(bound), len(measured.systems)
        measured.reasons[name] = [str(bound.facts["undefined"])] * size
        nothing = np.full(size, np.nan)
        measured.values[name], measured.low[name], measured.high[name] = (
            nothing,
            nothing.copy(),
            nothing.copy(),
        )
        try:
            if bound.facts["of"] is Order:
                self._take_ranked(bound, measured, within)
            else:
                measured.values[name] = bound(measured.table)
                measured.low[name], measured.high[name] = table_interval(bound, measured.table, self.level)
        except NotApplicable as reason:
            measured.reasons[name] = [str(reason)] * size

    def _take_ranked(self, bound: Bound, measured: Measured, within: NDArray[np.bool_] | None) -> None:
        name, ranked_by, way = str(bound), bound.facts["ranked_by"], measured.way
        if ranked_by == "entailment" and way is not TWO:
            raise NotApplicable("it is defined on the two-way fold; see way 2")
        for place, system in enumerate(measured.systems):
            if place < len(self.responses):
                try:
                    ranking = self.responses.ranking(place, ranked_by, way, self.ties, within)
                except NotApplicable as reason:
                    measured.reasons[name][place] = str(reason)
                    continue
                if not measured.scored[place]:
                    continue
                measured.values[name][place] = bound(ranking.count())
                low, high = ranking_interval(bound, ranking, self.level, self.seed, system)
                measured.low[name][place], measured.high[name][place] = low, high
            else:
                # One group of ties: the expectation over all orders.
                table = measured.table[place]
                gains = table.key[0] if ranked_by == "entailment" else table.diagonal.sum()
                measured.values[name][place] = bound(Order(ranked_by, table.total[None], np.array([gains])))
                measured.reasons[name][place] = UNRANKED


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
