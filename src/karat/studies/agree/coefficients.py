"""Coefficients of agreement with their standard errors and intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from karat.arrays import NAN, Bools, Floats, Ints
from karat.data.ballots import Ballots
from karat.data.coincidences import MOST_TABLED, BallotPatterns, Coincidence
from karat.data.fields import known
from karat.data.parameters import generator
from karat.data.parts import BallotSums
from karat.data.scores import cluster_numbers, shared_clusters
from karat.data.tables import Table
from karat.errors import NotApplicable
from karat.kernels.coincidence import coincidence_sums, spreads
from karat.kernels.counting import contingency, divide
from karat.measures.agreement import (
    NO_PAIR,
    agreement,
    beyond_blind,
    coefficients,
    specific_agreement,
    spread_alpha,
)
from karat.registry import Registered
from karat.statistics.bootstrap import bca_interval
from karat.statistics.clusters import ONE, UNCLUSTERED, Effect, UnitCells, design_effect, widened
from karat.statistics.influence import error_of_sums, influences, interval_with_more
from karat.statistics.intervals import (
    ROUNDING_WIDTH,
    bounded,
    delta_interval,
    expected,
    standard_error,
    two_cells,
    wilson,
)
from karat.statistics.slice_difference import share_difference, weaker_over_clusters
from karat.statistics.spread import alpha_error, alpha_influence, ordinal_numbers
from karat.studies.agree.result import (
    COEFFICIENT_NAMES,
    MANY_VALUES,
    SLOTS,
    UNSAID,
    Coefficient,
    LabelAgreement,
    MoreBallots,
)

WEIGHTED = ("kappa_linear", "kappa_quadratic", "ac2")
"""Coefficients that weight disagreements by the distance of the labels, which must be ordered."""
MOST_BOOTSTRAPPED = 5000
"""The most units for a BCa interval of alpha of many different numbers; of more, the delta method is much the same."""
MOST_LABELS = 1000
"""The most different values that are treated as labels."""
MOST_PATTERN_CELLS = 1 << 25
"""The most numbers held for the patterns of labels."""
MORE_THAN_TWO = "{it} is defined for two assessors, and there are more: see the pairs"
TWO_BALLOTS = "{it} is defined for two ballots per unit, and some unit has more: see Fleiss' kappa, its generalisation"
NO_ORDER = "weighted coefficients need ordered labels: use --level ordinal if they are"
TOO_MANY_VALUES = "there are too many different values to treat as labels: use --level interval if they are numbers"
FLAT_HERE = "{it} does not vary over units here, so its error is unknown"
NEEDS_TWO_UNITS = "an error needs at least two units"


class Agreeing:
    """Ballots and the counts from which coefficients are computed, each made when it is first needed.

    `cluster` numbers the clusters of the units; without it, units are independent. Of ballots that were added up there
    are only the patterns of units; a table of two assessors then comes with them, if there are two.
    """

    def __init__(self, ballots: Ballots | BallotSums, cluster: Ints | None = None, table: Table | None = None) -> None:
        self.ballots = ballots
        self.cluster = cluster
        self.level = ballots.scale.level
        self.labels = ballots.scale.values
        self._table = table
        if isinstance(ballots, BallotSums):
            self.given, self.times = ballots.patterns.sizes, ballots.patterns.times
        else:
            self.given = np.bincount(ballots.unit, minlength=len(ballots.units))
            self.times = np.ones(len(self.given), dtype=np.int64)
        self.paired = int(self.times[self.given >= 2].sum())

    @cached_property
    def patterns(self) -> BallotPatterns:
        """The distinct patterns of ballots on a unit."""
        if isinstance(self.ballots, BallotSums):
            return self.ballots.patterns
        room = min(MOST_PATTERN_CELLS, self.ballots.room // 2) if len(self.labels) > MOST_TABLED else self.ballots.room
        if len(self.labels) > MOST_LABELS or len(self.ballots.units) * len(self.labels) > room:
            raise NotApplicable(TOO_MANY_VALUES)
        return BallotPatterns.of(self.ballots)

    @cached_property
    def tabled(self) -> BallotPatterns:
        """The same with tables of coincidences."""
        return self.patterns.with_tables()

    @cached_property
    def total(self) -> Coincidence:
        """The coincidences of all units."""
        return self.patterns.total()

    @cached_property
    def table(self) -> Table:
        """The contingency table of two assessors."""
        if self.ballots.exchangeable:
            raise NotApplicable(SLOTS)
        if len(self.ballots.assessors) > 2:
            raise NotApplicable(MORE_THAN_TWO)
        if len(self.labels) > MOST_TABLED:
            raise NotApplicable(TOO_MANY_VALUES)
        if isinstance(self.ballots, BallotSums):
            assert self._table is not None
            return self._table
        one, other = self.ballots.matrix().astype(np.int8)
        return Table(contingency(one, other, len(self.labels), len(self.labels)), self.labels)

    @cached_property
    def cells(self) -> UnitCells:
        """The cells of that table that units are in, which only clusters need."""
        if self.cluster is None or isinstance(self.ballots, BallotSums):
            return UNCLUSTERED
        one, other = self.ballots.matrix()
        return UnitCells.of(one, other, len(self.labels), self.cluster)

    @property
    def ballots_of_a_unit(self) -> float:
        """How many ballots a unit with two or more has on average."""
        several = self.given >= 2
        return float(self.times[several] @ self.given[several] / self.times[several].sum())

    def coefficient(self, entry: Registered, interval: float, seed: int) -> Coefficient:
        """One coefficient; raises `NotApplicable` with the reason if there is none."""
        if len(self.ballots.assessors) < 2:
            raise NotApplicable("there is only one assessor")
        if not self.paired:
            raise NotApplicable(NO_PAIR)
        if entry.name == "pi" and self.given.max() > 2:
            raise NotApplicable(TWO_BALLOTS)
        if entry.name == "alpha" and self.level != "nominal":
            return self._alpha_of_numbers(entry.function, interval, seed)
        function, ordered = entry.function, entry.name in WEIGHTED
        if ordered:
            if self.level == "nominal":
                raise NotApplicable(NO_ORDER)
            function = partial(function, level=self.level)
        if entry.facts["of"] is Table:
            table = self.table
            effect = self.cells.of_statistic(function, table, interval)
            low, high = widened(
                effect,
                lambda fewer: delta_interval(
                    function, self.table.worth(fewer), entry.facts["range"], interval, ordered
                ),
            )
            plain = standard_error(function, self.table) * np.sqrt(effect.variance)
            error = known_error(plain, self.table.total)
            return Coefficient(*map(float, (function(self.table), low, high, error)))
        if ordered and len(self.labels) > MOST_TABLED:
            raise NotApplicable(MANY_VALUES)
        effect = self.effect(function, interval, entry.facts["singles"], ordered)
        if entry.facts["interval"] == "wilson" and set(np.unique(self.given)) <= {0, 1, 2}:
            # Two ballots agree or not: a proportion, or its excess over a known chance agreement.
            share, paired = agreement(self.total), self.total.paired
            low, high = widened(effect, lambda fewer: wilson(share, paired / fewer, interval))
            if entry.name == "brennan_prediger":
                low, high = beyond_blind(low, len(self.labels)), beyond_blind(high, len(self.labels))
        else:
            low, high = self.ends(function, entry.facts["range"], interval, effect, entry.facts["singles"], ordered)
        value = function(self.tabled.total() if ordered else self.total)
        error = error_of_sums(_of_sums(function, self.labels), *self._units(entry.facts["singles"], ordered))
        wider = self.known(float(error * np.sqrt(effect.variance)))
        return Coefficient(float(value), float(low), float(high), wider)

    def effect(
        self, function: Callable[[Coincidence], Floats], interval: float, singles: bool = False, ordered: bool = False
    ) -> Effect:
        """The effect of clusters on a coefficient."""
        if self.cluster is None:
            return ONE
        patterns, kept = self._kept(singles, ordered)
        moved = influences(_of_sums(function, self.labels), *self._units(singles, ordered))
        each = np.zeros((len(kept), *moved.shape[1:]))
        each[kept] = moved
        units = np.moveaxis(each[patterns.which], 0, -1)
        return design_effect(units, self.cluster[self.given > 0], interval, kept[patterns.which])

    def ends(
        self,
        function: Callable[[Coincidence], Floats],
        bounds: tuple[float, float],
        interval: float,
        effect: Effect,
        singles: bool = False,
        ordered: bool = False,
    ) -> tuple[Floats, Floats]:
        """The interval with two units added; with too many labels for a table, that of the standard error alone."""
        statistic, units = _of_sums(function, self.labels), self._units(singles, ordered)
        size = len(self.labels)
        if size > MOST_TABLED:
            value, error = statistic(units[1] @ units[0]), error_of_sums(statistic, *units)
            return widened(effect, lambda fewer: bounded(value, error * np.sqrt(fewer), bounds, interval))
        cells, times = two_cells(Table(np.diag(self.total.ballots), self.labels), ordered)
        # Half of the ballots give one label and half the other, as many as units have on average.
        said = np.eye(size)[np.stack(np.divmod(cells, size))].sum(axis=0) * self.ballots_of_a_unit / 2
        more = coincidence_sums(said, ordered), times
        return widened(
            effect,
            lambda fewer: interval_with_more(statistic, units, more, bounds, interval, self.filled(fewer), fewer),
        )

    def filled(self, fewer: Floats) -> bool:
        """Whether chance alone would give enough units to every pair of labels."""
        shares = divide(self.total.ballots, self.total.ballots.sum())
        return bool(expected(shares, shares, self.total.paired / fewer))

    def known(self, error: float) -> float:
        """The standard error, if it is known."""
        return float(known_error(np.array(error), np.array(self.paired)))

    def _units(self, singles: bool, ordered: bool) -> tuple[Floats, NDArray[np.int64]]:
        """The contribution of a unit of each pattern, with or without those of one ballot, and how many there are.

        Coefficients of `ordered` labels need tables of coincidences.
        """
        patterns, kept = self._kept(singles, ordered)
        return patterns.each.sums[kept], patterns.times[kept]

    def _kept(self, singles: bool, ordered: bool) -> tuple[BallotPatterns, Bools]:
        """The patterns, and which of them count."""
        patterns = self.tabled if ordered else self.patterns
        return patterns, np.ones(len(patterns.times), dtype=bool) if singles else patterns.each.paired > 0

    @property
    def said(self) -> Ints:
        """How often each label was given."""
        if isinstance(self.ballots, BallotSums):
            return np.asarray(self.patterns.times @ self.patterns.rows)
        return np.bincount(self.ballots.code, minlength=len(self.labels))

    def _alpha_of_numbers(self, alpha: Callable[..., Floats], interval: float, seed: int) -> Coefficient:
        """Ordinal alpha from ranks, or interval alpha from numbers, in linear memory; by pattern, if values are few."""
        ranked, few = self.level == "ordinal", len(self.labels) <= MOST_TABLED
        unit, code, times = self._by_pattern() if few else self._by_unit()
        numbers = ordinal_numbers(unit, code, times) if ranked else squarable(self.ballots.scale.numbers)[code]
        several = np.bincount(unit, minlength=len(times)) >= 2
        rows, among = spreads(unit, numbers, len(times), times)[several], None
        influence = alpha_influence(unit, numbers, len(times), ranked, times)
        each, times = influence, times[several]
        if self.cluster is not None:
            among = shared_clusters(self.cluster[self.given >= 2].tolist())
            if few:  # from patterns to the units that have them
                place = np.cumsum(several) - 1
                each = influence[place[self.patterns.which[self.given[self.given > 0] >= 2]]]
        effect = design_effect(each, among, interval)
        value, error = float(spread_alpha(times @ rows)), alpha_error(influence, times)
        ends: tuple[Floats, Floats] | tuple[float, float]
        if few and len(rows) * len(self.labels) ** 2 <= MOST_PATTERN_CELLS:
            ends = self.ends(partial(alpha, level=self.level), (-1, 1), interval, effect, ordered=True)
        elif few or ranked or len(rows) > MOST_BOOTSTRAPPED or among is not None or not error > ROUNDING_WIDTH:
            ends = widened(effect, lambda fewer: ends_of(value, error * float(np.sqrt(fewer)), (-1, 1), interval))
        else:
            random = generator(seed, "agree", "alpha", self.level)
            ends = bca_interval(lambda weights: spread_alpha(weights @ rows), len(rows), random, level=interval)
        return Coefficient(value, float(ends[0]), float(ends[1]), self.known(error * float(np.sqrt(effect.variance))))

    def _by_pattern(self) -> tuple[Ints, Ints, Ints]:
        """The ballots of one unit of each pattern, unit and code, and how many units have it."""
        rows = self.patterns.rows
        unit, code = (np.repeat(places.ravel(), rows.ravel()) for places in np.indices(rows.shape))
        return unit, code, self.patterns.times

    def _by_unit(self) -> tuple[Ints, Ints, Ints]:
        """The ballots of every unit."""
        assert not isinstance(self.ballots, BallotSums)
        return self.ballots.unit.astype(np.int64), self.ballots.code.astype(np.int64), self.times


def squarable(numbers: Floats) -> Floats:
    """Numbers divided by the largest: alpha is the same, and squares neither underflow nor overflow."""
    largest = float(np.abs(numbers).max(initial=0.0))
    return numbers / largest if largest > 0 else numbers


def known_error(error: Floats, units: Floats) -> Floats:
    """A standard error; NaN with fewer than two units, or if nothing varies, since the error is unknown and not 0."""
    return np.where((units >= 2) & (error > ROUNDING_WIDTH), error, np.nan)


def ends_of(value: float, error: float, bounds: tuple[float, float], interval: float) -> tuple[float, float]:
    """The interval from a standard error, within the range; NaN if the error is 0."""
    low, high = bounded(np.array(value), np.array(error), bounds, interval)
    return float(low), float(high)


def all_coefficients(coefficient: Callable[[Registered], Coefficient], units: int) -> dict[str, Coefficient]:
    """Every registered coefficient, given a function for one of them and the number of units with two ballots."""
    made = {}
    for entry in coefficients:
        try:
            one, reason = coefficient(entry), str(entry.facts["undefined"])
        except NotApplicable as refusal:
            one, reason = Coefficient(NAN, NAN, NAN, NAN), str(refusal)
        made[entry.name] = Coefficient(*explained(vars(one).values(), COEFFICIENT_NAMES[entry.name], units, reason))
    return made


def explained(numbers: Iterable[float], it: str, units: int, reason: str) -> list[float]:
    """A value, its interval and error, each NaN with its reason; `it` is the name of the value."""
    value, *others = numbers
    if value == value:
        reason = NEEDS_TWO_UNITS if units < 2 else FLAT_HERE
    return [known(number, reason.format(it=it)) for number in (value, *others)]


def label_agreement(agreeing: Agreeing, interval: float) -> list[LabelAgreement]:
    """Agreement on each label."""
    ballots = agreeing.ballots
    given = agreeing.said
    each, times = agreeing.patterns.each, agreeing.patterns.times
    paired = each.paired > 0
    values = np.atleast_1d(specific_agreement(agreeing.total))
    errors = low = high = np.full(len(values), NAN)
    if paired.any():
        effect = agreeing.effect(specific_agreement, interval)
        errors = error_of_sums(_of_sums(specific_agreement, agreeing.labels), each.sums[paired], times[paired])
        errors = errors * np.sqrt(effect.variance)
        if effect is ONE:
            low, high = agreeing.ends(specific_agreement, (0, 1), interval, effect)
        else:  # label by label, since clusters have another effect on each
            single = [
                agreeing.ends(partial(_on_one, label=code), (0, 1), interval, Effect(*(part[code] for part in effect)))
                for code in range(len(values))
            ]
            low, high = (np.array(side) for side in zip(*single, strict=True))
    made = []
    for label, count, *numbers, error in zip(agreeing.labels, given.tolist(), values, low, high, errors, strict=True):
        row = (*map(float, numbers), agreeing.known(float(error)))
        reasoned = explained(row, f"agreement on {label}", agreeing.paired, UNSAID)
        made.append(LabelAgreement(label, count, count / len(ballots), *reasoned))
    return made


def label_confusions(agreeing: Agreeing) -> list[list[float]]:
    """Labels × labels: if one ballot gives the first, how often another gives the second; each ballot counts once."""
    patterns = agreeing.patterns
    together = Coincidence.of_patterns(patterns.labels, patterns.rows, patterns.times)
    shares: list[list[float]] = divide(together.table, together.ballots[:, None]).tolist()
    return shares


def _on_one(coincidence: Coincidence, label: int) -> Floats:
    return np.asarray(specific_agreement(coincidence)[..., label])


def more_ballots(agreeing: Agreeing) -> MoreBallots | None:
    """Whether units with more ballots agree more or less; None if all have equally many, or with too many values."""
    given = agreeing.given[agreeing.given >= 2]
    if not len(given) or given.min() == given.max():
        return None
    mean = agreeing.ballots_of_a_unit
    try:
        each, times = agreeing.patterns.each, agreeing.patterns.times
    except NotApplicable:
        return None
    p, paired, size = 1.0, each.paired > 0, each.ballots.sum(axis=-1)
    if agreeing.cluster is not None:
        which = agreeing.patterns.which
        units = paired[which]
        agreed, several = each.same.sum(axis=-1)[which][units], (size > mean)[which][units]
        among = cluster_numbers(agreeing.cluster[agreeing.given > 0][units].tolist())
        one_sided = float(weaker_over_clusters(agreed[None], several, among)[0])
        p = 2 * min(one_sided, 1 - one_sided)
    shares, times, more = each.same.sum(axis=-1)[paired], times[paired], size[paired] > mean
    means = [float(times[group] @ shares[group] / times[group].sum()) for group in (more, ~more)]
    return MoreBallots(
        mean=mean,
        more=int(times[more].sum()),
        agreement_more=means[0],
        agreement_fewer=means[1],
        p=p if agreeing.cluster is not None else share_difference(shares, times.astype(float), more),
    )


def _of_sums(function: Callable[[Coincidence], Floats], labels: tuple[str, ...]) -> Callable[[Floats], Floats]:
    return lambda sums: function(Coincidence(labels, sums))
