"""The scorer: a measure of runs, under the key or another one, on slices, under weights and on resamples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import numpy as np

from karat.arrays import NAN, Bools, Floats, divide
from karat.data.orders import Order, Ranking, Ties
from karat.data.responses import Responses
from karat.data.runs import RankedBy
from karat.data.scores import Scores
from karat.data.tables import Table
from karat.errors import NotApplicable, UsageError
from karat.kernels.counting import resampled_contingency
from karat.kernels.random import generator
from karat.labels import THREE, TWO, Codes, Way, fold
from karat.measures.facts import bounds, measures, not_defined
from karat.registry import Bound
from karat.statistics.bootstrap import bca_interval
from karat.statistics.bounded import holding
from karat.statistics.delta import delta_interval, root_interval
from karat.statistics.wilson import wilson

AT_ONCE = 4_000_000
"""Words or numbers held in memory at a time."""
NO_INTERVAL = {
    "wilson": "there are no trials",
    "delta": "the measure is flat to first order here (as the entropy of a uniform key)",
    "recalls": "the measure is flat to first order here",
    "root": "there are no scored pairs",
    "bca": "the measure does not vary over resamples",
}
UNRANKED = "a system that does not rank has an expected value, and no interval"
EXPECTED = "an expected value is no sample, and has no interval"


@dataclass(frozen=True)
class Estimates:
    """A measure of systems, with its intervals: arrays (…, systems), and for each system why one of its is NaN."""

    values: Floats
    low: Floats
    high: Floats
    reasons: list[str]
    interval_reasons: list[str]


@dataclass(frozen=True, eq=False)
class Scorer:
    """A measure of runs in one way."""

    runs: Responses
    measure: Bound
    way: Way
    weights: Floats | None = None
    """Of the units (units), or each run's own (runs, units)."""
    ties: Ties = "expected"
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Why it cannot be taken of some of the runs that were given."""

    @classmethod
    def of(cls, runs: Responses, spelling: str, asked: str = "auto", *, leave_out: bool = False) -> Scorer:
        """The measure and the way as they were asked for; refused where some run does not allow them.

        With `leave_out` those runs stay out instead, and the way suits the measure unless it was asked for: two-way for
        a ranking by entailment, three-way where the measure needs it.
        """
        measure = measures.parse(spelling)
        [way, *_] = runs.ways(asked, every_run=False)
        if leave_out and measure.facts["ranked_by"] == "entailment":
            way = TWO
        elif reason := not_defined(measure, way):
            if not (leave_out and asked == "auto" and runs.key.way is THREE):
                raise UsageError(f"--measure {measure}: {reason}")
            way = THREE
        else:
            runs.ways(asked)
        scorer = cls(runs, measure, way)
        return scorer._of_able_runs() if leave_out else scorer

    def _of_able_runs(self) -> Scorer:
        """The runs that the measure can be taken of, and why not of the others."""
        left_out = {}
        for place, (name, allowed) in enumerate(zip(self.runs.names, self.runs.allows(self.way), strict=True)):
            if not allowed:
                left_out[name] = f"the run is two-way, and {self.measure} is of three labels"
            elif self.ranks:
                try:
                    self.runs.rank_scores(place, self.measure.facts["ranked_by"])
                except NotApplicable as reason:
                    left_out[name] = str(reason)
        if not left_out:
            return self
        kept = [place for place, name in enumerate(self.runs.names) if name not in left_out]
        return Scorer(self.runs.of_runs(kept), self.measure, self.way, left_out=left_out)

    @property
    def ranks(self) -> bool:
        """Whether it is a measure of rankings."""
        return self.measure.facts["of"] is Order

    @property
    def units(self) -> int:
        """How many units the key labels."""
        return int((self.runs.key.labels >= 0).sum())

    def key_on(self, units: Bools) -> Codes:
        """The key on some units (…, units), and no label on the others."""
        return np.where(units, self.runs.key.labels, np.int8(-1))

    @cached_property
    def averaged(self) -> Bools:
        """Where the measure is a mean over units: for each label, whether it is over the units that have it."""
        labels = len(self.way.labels)
        alone = np.eye(labels)[:, :, None] * np.eye(labels)[:, None, :]  # one unit, rightly answered
        return ~np.isnan(self.measure(Table(alone, self.way.labels)))

    def counted(self, key: Codes) -> Bools:
        """Where the measure is a mean over units: which of them it is over, by their labels."""
        return self.averaged[key] & (key >= 0)

    def scores(self, study: str, clusters: tuple[str | None, ...] | None = None) -> Scores:
        """What the measure is the mean of: 1 or 0 on every unit, NaN where it does not count; else it is refused."""
        if not self.measure.facts["mean"]:
            means = " or ".join(entry.name for entry in measures if entry.facts["mean"])
            raise UsageError(
                f"--measure {self.measure}: {study} adds up scores unit by unit, and {self.measure} is not a mean over "
                f"units; use {means}, or give a matrix of scores whose mean over units is what you want"
            )
        return self.runs.right(self.way, self.averaged, str(self.measure), clusters)

    def table(self, keys: Codes | None = None, resamples: Floats | None = None, some: slice = slice(None)) -> Table:
        """Counts (…, runs, labels, labels): under other keys (…, units), or under one key on resamples.

        `resamples` (…, units) say how often each unit counts. `some` of the runs are then enough.
        """
        if self.ranks:
            told = f"{self.measure} looks at the order of a run's lines"
            raise UsageError(f"{told}; another key needs a measure of labels")
        if resamples is None:
            return self.runs.count(self.way, self.weights, keys)
        key, answers, size = self._key(keys), self.runs.answers(self.way)[some], len(self.way.labels)
        own = 1.0 if self.weights is None else np.broadcast_to(self.weights, self.runs.codes.shape)[some]
        # How many units of equal weight there are matters only to a measure that changes when all are counted again.
        squares = None
        if "scaling" not in self.measure.facts["respects"]:
            squares = resampled_contingency(key, answers, resamples**2, size, size, own**2)
        counts = resampled_contingency(key, answers, resamples, size, size, own)
        return Table(counts, self.way.labels, squares=squares)

    def values(self, keys: Codes | None = None, resamples: Floats | None = None) -> Floats:
        """The measure of every run (…, runs), under keys and resamples as in `table`."""
        if self.ranks and keys is None:
            scored = self.runs.key_codes(self.way) >= 0
            times = None if resamples is None else resamples[..., scored]
            return np.stack([self.measure(ranking.count(times)) for ranking in self._rankings], axis=-1)
        if resamples is None:
            return self._under_keys(self.runs.key.labels if keys is None else keys)
        if self.measure.facts["mean"] and self.weights is None:
            # One column a run instead of one a cell of its table: the same numbers, nine times as fast.
            key = self._key(keys)
            counted = self.counted(key)
            right = ((self.runs.answers(self.way) == key) & counted).astype(np.float64)
            return divide(resamples @ right.T, (resamples @ counted.astype(np.float64))[..., None])
        rows = max(1, AT_ONCE // max(1, len(self.way.labels) ** 2 * len(self.runs.key)))
        places = range(0, len(self.runs), rows)
        return np.concatenate(
            [self.measure(self.table(keys, resamples, slice(at, at + rows))) for at in places], axis=-1
        )

    def _key(self, key: Codes | None) -> Codes:
        return self.runs.key_codes(self.way) if key is None else fold(key, self.way)

    def _under_keys(self, keys: Codes) -> Floats:
        """As many keys at a time as memory is meant to hold."""
        flat = keys.reshape(-1, keys.shape[-1])
        rows = max(1, AT_ONCE // max(1, len(self.runs) * (flat.shape[-1] // 64 + 1)))
        parts = [self.measure(self.table(flat[at : at + rows])) for at in range(0, len(flat), rows)]
        return np.concatenate(parts).reshape(*keys.shape[:-1], len(self.runs))

    @cached_property
    def _rankings(self) -> list[Ranking]:
        ranked_by = self._ranked_by()
        return [self.runs.ranking(run, ranked_by, self.way, self.ties) for run in range(len(self.runs))]

    def _ranked_by(self) -> RankedBy:
        """What a measure of rankings needs them to be by; refused where weights or the way do not allow it."""
        ranked_by: RankedBy = self.measure.facts["ranked_by"]
        if self.weights is not None:
            raise NotApplicable("it is not defined under weights")
        if ranked_by == "entailment" and self.way is not TWO:
            raise NotApplicable("it is defined on the two-way fold; see way 2")
        return ranked_by

    def estimates(self, table: Table, level: float, seed: int, slices: Bools | None = None) -> Estimates:
        """The measure and its interval on tables that were counted: of the runs, and of trivial systems after them.

        What cannot be taken of a system is NaN, with the reason.
        """
        shape = table.counts.shape[:-2]
        sampled = table.squares.sum(axis=(-2, -1)).reshape(-1, shape[-1]).any(axis=0)
        flat = NO_INTERVAL[self.measure.facts["interval"]]
        values, low, high = np.full((3, *shape), NAN)
        reasons = [str(self.measure.facts["undefined"])] * shape[-1]
        made = Estimates(values, low, high, reasons, [flat if one else EXPECTED for one in sampled])
        try:
            if self.ranks:
                self._rank(made, table, level, seed, slices)
            else:
                made.values[...] = self.measure(table)
                made.low[...], made.high[...] = table_interval(self.measure, table, level)
        except NotApplicable as reason:
            made.reasons[:] = [str(reason)] * shape[-1]
        return made

    def _rank(self, made: Estimates, table: Table, level: float, seed: int, slices: Bools | None) -> None:
        """A measure of rankings, run by run: their tie groups differ."""
        ranked_by = self._ranked_by()
        for run in np.flatnonzero(self.runs.allows(self.way)).tolist():
            try:
                for place in np.ndindex(made.values.shape[:-1]):
                    within = None if slices is None else slices[place]
                    ranking = self.runs.ranking(run, ranked_by, self.way, self.ties, within)
                    if ranking.order.size:
                        ends = ranking_interval(self.measure, ranking, level, seed, self.runs.names[run])
                        made.values[(*place, run)] = self.measure(ranking.count())
                        made.low[(*place, run)], made.high[(*place, run)] = ends
            except NotApplicable as reason:
                made.reasons[run] = str(reason)
        for system in range(len(self.runs), made.values.shape[-1]):
            # One group of ties: the expectation over all orders.
            counts = table[system]
            gains = counts.key[0] if ranked_by == "entailment" else counts.diagonal.sum()
            made.values[system] = self.measure(Order(ranked_by, np.rint(counts.total)[None], np.array([gains])))
            made.interval_reasons[system] = UNRANKED


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
