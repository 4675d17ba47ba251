"""The scorer: a measure of runs under the key or another one, on slices, under weights and on resamples."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from karat.arrays import NAN, Bools, Floats, Ints
from karat.data.fields import known
from karat.data.orders import Order, RankedBy, Ranking, Ties
from karat.data.parameters import generator
from karat.data.responses import Forecasts, Responses
from karat.data.scores import Scores, shared_clusters
from karat.data.tables import Table
from karat.errors import NotApplicable, UsageError
from karat.kernels.counting import divide, resampled_contingency
from karat.labels import THREE, TWO, Codes, Way, fold
from karat.measures.facts import INTERVALS, bounds, measures, not_defined
from karat.measures.probabilities import in_tenths
from karat.registry import Bound
from karat.statistics.absolute_sum import absolute_sum_interval
from karat.statistics.bootstrap import bca_interval
from karat.statistics.clusters import ONE, UNCLUSTERED, Effect, UnitCells, design_effect, widened
from karat.statistics.intervals import Among, cell_influence, delta_interval, holding, root_interval, wald, wilson

NUMBERS_AT_ONCE = 4_000_000
"""Numbers (or 64-bit words of keys) held in memory at a time."""
UNRANKED = "a system that does not rank has an expected value, which has no interval"
NO_PROBABILITIES = "a baseline states no probabilities"
EXPECTED = "an expected value has no sampling error, and so no interval"


@dataclass(frozen=True)
class Estimates:
    """A measure of systems with its intervals: arrays (…, systems), and why a value or an interval is NaN."""

    values: Floats
    low: Floats
    high: Floats
    reasons: list[str]
    interval_reasons: list[str]

    def at(self, place: tuple[int, ...]) -> tuple[float, tuple[float, float]]:
        """The value and the interval of one system; every NaN has its reason."""
        value = known(float(self.values[place]), self.reasons[place[-1]])
        why = (self.interval_reasons if value == value else self.reasons)[place[-1]]
        return value, (known(float(self.low[place]), why), known(float(self.high[place]), why))


@dataclass(frozen=True, eq=False)
class Scorer:
    """A measure of runs in one way."""

    runs: Responses
    measure: Bound
    way: Way
    weights: Floats | None = None
    """Weights of the units (units), or each run's own (runs, units)."""
    ties: Ties = "expected"
    left_out: Mapping[str, str] = field(default_factory=dict)
    """The runs that were left out, and why the measure cannot be applied to them."""
    cluster: Ints | None = None
    """The number of each unit's cluster, over which intervals are; None if units are independent."""

    @classmethod
    def of(cls, runs: Responses, spelling: str, asked: str = "auto", *, leave_out: bool = False) -> Scorer:
        """A scorer for the measure and the way asked for; refused if some run does not allow them.

        With `leave_out` such runs are left out instead, and unless the way was asked for it suits the measure: two-way
        for a ranking by entailment, three-way if the measure needs it.
        """
        measure = measures.parse(spelling)
        _refuse_losses(measure)
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
        """The same for the runs that the measure applies to, with the reasons for the others."""
        left_out = {}
        for place, (name, allowed) in enumerate(zip(self.runs.names, self.runs.allows(self.way), strict=True)):
            if not allowed:
                left_out[name] = f"the run is two-way, and {self.measure} needs three labels"
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
        """Whether the measure is one of rankings."""
        return self.measure.facts["of"] is Order

    @property
    def units(self) -> int:
        """The number of units that the key labels."""
        return int((self.runs.key.labels >= 0).sum())

    def key_on(self, units: Bools) -> Codes:
        """The key restricted to some units (…, units), with no label elsewhere."""
        return np.where(units, self.runs.key.labels, np.int8(-1))

    @cached_property
    def averaged(self) -> Bools:
        """For each label, whether a measure that is a mean over units averages the units with that label."""
        labels = len(self.way.labels)
        alone = np.eye(labels)[:, :, None] * np.eye(labels)[:, None, :]  # a single unit, answered correctly
        return ~np.isnan(self.measure(Table(alone, self.way.labels)))

    def counted(self, key: Codes) -> Bools:
        """Which units a measure that is a mean over units averages, by their labels."""
        return self.averaged[key] & (key >= 0)

    def scores(self, study: str, clusters: tuple[str | None, ...] | None = None) -> Scores:
        """The scores that the measure is the mean of: 1 or 0 on each unit, NaN if the unit does not count.

        Other measures are refused.
        """
        if not self.measure.facts["mean"]:
            means = " or ".join(entry.name for entry in measures if entry.facts["mean"] and not entry.alias)
            raise UsageError(
                f"--measure {self.measure}: {study} adds up scores unit by unit, and {self.measure} is not a mean over "
                f"units; use {means}, or give a matrix of scores whose mean over units is what you want"
            )
        return self.runs.right(self.way, self.averaged, str(self.measure), clusters)

    def table(self, keys: Codes | None = None, resamples: Floats | None = None, some: slice = slice(None)) -> Table:
        """Counts (…, runs, labels, labels): under other keys (…, units), or under one key on resamples.

        `resamples` (…, units) give how often each unit counts; `some` then selects runs.
        """
        _refuse_losses(self.measure)
        if self.ranks:
            raise UsageError(
                f"{self.measure} looks at the order of a run's lines; another key needs a measure of labels"
            )
        if resamples is None:
            return self.runs.count(self.way, self.weights, keys)
        key, (answers, labels) = self._key(keys), self.runs.counted(self.way)
        answers, size, columns = answers[some], len(self.way.labels), len(labels)
        own = 1.0 if self.weights is None else np.broadcast_to(self.weights, self.runs.codes.shape)[some]
        # The effective number of units matters only to a measure that changes when every unit is counted twice.
        squares = None
        if "scaling" not in self.measure.facts["respects"]:
            squares = resampled_contingency(key, answers, resamples**2, size, columns, own**2)
        counts = resampled_contingency(key, answers, resamples, size, columns, own)
        return Table(counts, self.way.labels, labels, squares)

    def values(self, keys: Codes | None = None, resamples: Floats | None = None) -> Floats:
        """The measure of every run (…, runs), under keys and resamples as in `table`."""
        if self.ranks and keys is None:
            scored = self.runs.key_codes(self.way) >= 0
            times = None if resamples is None else resamples[..., scored]
            return np.stack([self.measure(ranking.count(times)) for ranking in self._rankings], axis=-1)
        if resamples is None:
            return self._under_keys(self.runs.key.labels if keys is None else keys)
        if self.measure.facts["mean"] and self.weights is None:
            # One column per run instead of one per cell of its table: the same numbers, nine times as fast.
            key = self._key(keys)
            counted = self.counted(key)
            right = ((self.runs.answers(self.way) == key) & counted).astype(np.float64)
            return divide(resamples @ right.T, (resamples @ counted.astype(np.float64))[..., None])
        rows = max(1, NUMBERS_AT_ONCE // max(1, len(self.way.labels) ** 2 * len(self.runs.key)))
        blocks = (slice(at, at + rows) for at in range(0, len(self.runs), rows))
        return np.concatenate([self.measure(self.table(keys, resamples, block)) for block in blocks], axis=-1)

    def _key(self, key: Codes | None) -> Codes:
        return self.runs.key_codes(self.way) if key is None else fold(key, self.way)

    def _under_keys(self, keys: Codes) -> Floats:
        """The measure under many keys, in blocks that limit memory."""
        flat = keys.reshape(-1, keys.shape[-1])
        rows = max(1, NUMBERS_AT_ONCE // max(1, len(self.runs) * (flat.shape[-1] // 64 + 1)))
        parts = [self.measure(self.table(flat[at : at + rows])) for at in range(0, len(flat), rows)]
        return np.concatenate(parts).reshape(*keys.shape[:-1], len(self.runs))

    @cached_property
    def _rankings(self) -> list[Ranking]:
        ranked_by = self._ranked_by()
        return [self.runs.ranking(run, ranked_by, self.way, self.ties) for run in range(len(self.runs))]

    def _ranked_by(self) -> RankedBy:
        """What the measure requires rankings to be by; refused if weights or the way do not allow it."""
        ranked_by: RankedBy = self.measure.facts["ranked_by"]
        if self.weights is not None:
            raise NotApplicable("it is not defined under weights")
        if ranked_by == "entailment" and self.way is not TWO:
            raise NotApplicable("it is defined for two labels only; see the two-way scores")
        return ranked_by

    def estimates(self, table: Table, level: float, seed: int, slices: Bools | None = None) -> Estimates:
        """The measure and its interval on counted tables of the runs, followed by those of baselines.

        If the measure does not apply to a system, its value is NaN with the reason.
        """
        shape = table.counts.shape[:-2]
        sampled = table.squares.sum(axis=(-2, -1)).reshape(-1, shape[-1]).any(axis=0)
        flat = INTERVALS[self.measure.facts["interval"]].none
        flat += "" if self.cluster is None else "; or the clusters do not differ, or there is only one"
        values, low, high = np.full((3, *shape), NAN)
        reasons = [str(self.measure.facts["undefined"])] * shape[-1]
        made = Estimates(values, low, high, reasons, [flat if one else EXPECTED for one in sampled])
        try:
            if self.ranks:
                self._rank(made, table, level, seed, slices)
            elif self.measure.facts["of"] is Forecasts:
                self._forecast(made, level, slices)
            else:
                made.values[...] = self.measure(table)
                effect = table_effect(self.measure, table, self.cells(table, slices), level)
                made.low[...], made.high[...] = table_interval(self.measure, table, level, effect)
        except NotApplicable as reason:
            made.reasons[:] = [str(reason)] * shape[-1]
        return made

    def cells(self, table: Table, slices: Bools | None = None) -> UnitCells:
        """With clusters, the cells of the units in counted tables of the runs, followed by those of baselines."""
        if self.cluster is None:
            return UNCLUSTERED
        key, (answers, _) = self.runs.key_codes(self.way), self.runs.counted(self.way)
        more = table.counts.shape[-3] - len(answers)
        if more:  # a baseline with an interval gives one answer to every unit
            constant = table[-more:].response.argmax(axis=-1).astype(answers.dtype)
            answers = np.concatenate([answers, np.repeat(constant[:, None], answers.shape[1], axis=1)])
        weights = self.weights
        if weights is not None and weights.ndim > 1:  # baselines give all units the same weight
            weights = np.concatenate([weights, np.ones((more, weights.shape[1]))])
        made = UnitCells.of(key, answers, table.counts.shape[-1], self.cluster, weights)
        return made if slices is None else replace(made, within=slices)

    def _rank(self, made: Estimates, table: Table, level: float, seed: int, slices: Bools | None) -> None:
        """Fill in a measure of rankings run by run, since their groups of ties differ."""
        ranked_by = self._ranked_by()
        for run in np.flatnonzero(self.runs.allows(self.way)).tolist():
            try:
                for place in np.ndindex(made.values.shape[:-1]):
                    within = None if slices is None else slices[place]
                    ranking = self.runs.ranking(run, ranked_by, self.way, self.ties, within)
                    if ranking.order.size:
                        scored = self.runs.key_codes(self.way) >= 0
                        cluster = self._clusters_of(scored if within is None else scored & within)
                        ends = ranking_interval(self.measure, ranking, level, seed, self.runs.names[run], cluster)
                        made.values[(*place, run)] = self.measure(ranking.count())
                        made.low[(*place, run)], made.high[(*place, run)] = ends
            except NotApplicable as reason:
                made.reasons[run] = str(reason)
        for system in range(len(self.runs), made.values.shape[-1]):
            # All units tied in one group: the expectation over all orders.
            counts = table[system]
            gains = counts.key[0] if ranked_by == "entailment" else counts.diagonal.sum()
            made.values[system] = self.measure(Order(ranked_by, np.rint(counts.total)[None], np.array([gains])))
            made.interval_reasons[system] = UNRANKED

    def _clusters_of(self, units: Bools | Ints | None) -> Ints | None:
        """The clusters of some units, numbered anew."""
        return None if self.cluster is None else shared_clusters(self.cluster[units].tolist())

    def _forecast(self, made: Estimates, level: float, slices: Bools | None) -> None:
        """Fill in a measure of probabilities, which only some runs state."""
        if self.weights is not None:
            raise NotApplicable("it is defined only if all pairs have the same weight")
        for run in np.flatnonzero(self.runs.allows(self.way)).tolist():
            for place in np.ndindex(made.values.shape[:-1]):
                try:
                    stated = self.runs.forecasts(run, self.way, None if slices is None else slices[place])
                    made.values[(*place, run)] = self.measure(stated)
                    cluster = None if self.cluster is None else self._clusters_of(stated.places)
                    ends = forecast_interval(self.measure, stated, level, cluster)
                    made.low[(*place, run)], made.high[(*place, run)] = ends
                except NotApplicable as reason:
                    made.reasons[run] = str(reason)
        made.reasons[len(self.runs) :] = [NO_PROBABILITIES] * (made.values.shape[-1] - len(self.runs))


def _refuse_losses(measure: Bound) -> None:
    """Refuse measures of probabilities where runs are resampled, or where more is better."""
    if measure.facts["of"] is Forecasts:
        others = ", ".join(entry.name for entry in measures if entry.facts["of"] is Forecasts)
        raise UsageError(f"--measure {measure}: measures of probabilities ({others}) are available only in score")


def forecast_interval(
    measure: Bound, stated: Forecasts, level: float, cluster: Ints | None = None
) -> tuple[float, float]:
    """The interval of a measure of probabilities: of a mean over units, or of a sum of absolute means over tenths."""
    each = measure.facts["each"](stated)
    if measure.facts["interval"] == "tenths":
        # Confidences that are true have at least this variance, however many answers happen to be right.
        least = in_tenths(stated, stated.confidence * (1 - stated.confidence)).mean(axis=0)
        effect = design_effect((each - each.mean(axis=0)).T, cluster, level)
        return absolute_sum_interval(each, least, level, effect.whole)
    error = np.array(each.std(ddof=1) / np.sqrt(len(each)) if len(each) > 1 else NAN)
    error = error * np.sqrt(design_effect(each - each.mean(), cluster, level).whole)
    low, high = wald(each.mean(), error, measure.facts["range"], level, np.array(len(each) - 1.0))
    return float(low), float(high)


def table_effect(measure: Bound, table: Table, cells: UnitCells, level: float) -> Effect:
    """The effect of clusters on a measure of every table along the leading axes."""
    if cells.cluster is None:
        return ONE
    about = None
    if measure.facts["interval"] in ("wilson", "dice"):
        rows, columns = table.counts.shape[-2:]
        single = table.with_counts(np.eye(rows * columns).reshape(-1, rows, columns))
        about = np.asarray(_trials(measure)(single) > 0).reshape(rows, columns)
    return cells.effect(cell_influence(measure, table), level, about)


def _trials(measure: Bound) -> Callable[[Table], Floats]:
    """The number of units that a proportion is over, as a function of a table."""
    return partial(measure.facts["trials"], **dict(measure.arguments))


def table_interval(measure: Bound, table: Table, level: float, effect: Effect = ONE) -> tuple[Floats, Floats]:
    """The interval of a measure for every table along the leading axes, given the effect of clusters."""
    value = measure(table)
    return widened(effect, lambda fewer: _table_interval(measure, value, table.worth(fewer), level))


def _table_interval(measure: Bound, value: Floats, table: Table, level: float) -> tuple[Floats, Floats]:
    kind = measure.facts["interval"]
    if kind in ("wilson", "dice"):
        trials = _trials(measure)
        # Linear in the counts, so (Σw)²/Σw² is the number of units of equal weight.
        with np.errstate(divide="ignore", invalid="ignore"):
            size: Any = trials(table) ** 2 / trials(table.squared())
        if kind == "wilson":
            return wilson(value, size, level)
        low, high = wilson(value / (2 - value), size, level)
        return 2 * low / (1 + low), 2 * high / (1 + high)
    labels = len(table.key_labels)
    if kind == "root":
        plain = measures[measure.facts["plain"]].bind() if measure.facts["plain"] else measure
        ends = root_interval(plain, table, bounds(plain, labels), measure.facts["trials"], level)
        return holding(value, ends)
    among: Among = "key" if kind == "recalls" else "used" if kind == "used" else "all"
    ends = delta_interval(measure, table, bounds(measure, labels), level, among=among)
    answers = len(table.response_labels)
    if bounds(measure, labels) == bounds(measure, labels, answers):
        return ends
    # Only for a run that leaves pairs without an answer is that one answer more.
    wider = delta_interval(measure, table, bounds(measure, labels, answers), level, among=among)
    silent = table.response[..., labels:].any(axis=-1)
    low, high = (np.where(silent, *both)[()] for both in zip(wider, ends, strict=True))
    return low, high


def ranking_interval(
    measure: Bound, ranking: Ranking, level: float, seed: int, run: str, cluster: Ints | None = None
) -> tuple[float, float]:
    """The interval of a measure of one run's ranking, by resampling units or clusters within the fixed ranking."""
    random = generator(seed, "score", str(measure), run)
    number = np.arange(ranking.order.shape[-1]) if cluster is None else cluster

    def statistic(weights: Floats) -> Floats:
        value: Floats = measure(ranking.count(weights[..., number]))
        return value

    low, high = bca_interval(statistic, int(number.max()) + 1, random, level=level)
    return float(low), float(high)
