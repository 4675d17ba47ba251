"""Agreement of a judge with people by the coefficients of `agree`, and of each person with the others."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from karat.arrays import NAN, Floats, Ints
from karat.data.ballots import Ballots, Level, Scale
from karat.data.coincidences import MOST_TABLED, Coincidence
from karat.data.scores import shared_clusters
from karat.data.tables import Table
from karat.errors import NotApplicable
from karat.kernels.coincidence import spreads
from karat.kernels.counting import divide
from karat.measures.agreement import kappa_quadratic, spread_alpha
from karat.measures.contingency import accuracy, kappa
from karat.registry import Registered
from karat.statistics.clusters import ONE, design_effect, widened
from karat.statistics.influence import error_of_sums, influences, interval_with_more
from karat.statistics.intervals import two_cells
from karat.studies.agree.coefficients import NO_ORDER, WEIGHTED, Agreeing, ends_of, known_error, squarable
from karat.studies.agree.pairs import Pairs
from karat.studies.agree.result import MANY_VALUES, Coefficient
from karat.studies.judge.parts import Pairwise, WithOne
from karat.studies.judge.sums import CELLS_AT_ONCE, JudgedUnits, PersonSums
from karat.studies.wording import ALPHA

Codes = NDArray[np.int32]
USING_ORDER = (*WEIGHTED, "alpha")
"""Coefficients that use the order of the labels if there is one."""
ADJUDICATOR_SHARE = 0.8
"""The smallest share of disputed units among those of an adjudicator."""
FEWEST_ADJUDICATED = 10
"""The fewest units of an adjudicator."""


def with_people(counts: NDArray[np.int64], judge: Codes) -> Floats:
    """(units, labels, labels): the shares of people's ballots × the judge's label; 0 if either is missing."""
    shares = np.nan_to_num(divide(counts.astype(np.float64), counts.sum(axis=1, keepdims=True).astype(np.float64)))
    return shares[:, :, None] * np.eye(counts.shape[1] + 1)[judge][:, None, :-1]


class Judging:
    """A judge and, for each unit, one random person among those who judged it: two ballots per unit.

    So each unit counts once, however many people judged it. If one person judged each unit, the results are those of
    `agree` for the two columns.
    """

    def __init__(self, units: JudgedUnits, people: Ballots | None = None, cluster: Ints | None = None) -> None:
        """Without `people`, whose ballots are held, units may stand for several, and labels are few."""
        self.level: Level = units.scale.level
        self.labels = units.scale.values
        self.units, self._people = units, people
        self.two = units.two() if people is None else _two_columns(people, units.said, cluster)
        self.tabled = len(self.labels) <= MOST_TABLED
        self.paired = units.number(units.shared)
        self.cluster = None if cluster is None else shared_clusters(cluster[units.shared].tolist())

    @classmethod
    def of(cls, people: Ballots, judge: Codes, cluster: Ints | None = None) -> Judging:
        """Of ballots that are held."""
        return cls(JudgedUnits.of(people, judge), people, cluster)

    def coefficient(self, entry: Registered, interval: float, seed: int = 0) -> Coefficient:
        """One coefficient with its interval over units; raises `NotApplicable` with the reason if there is none."""
        if self.two is not None:
            return self.two.coefficient(entry, interval, seed)
        if entry.name in WEIGHTED and self.level == "nominal":
            raise NotApplicable(NO_ORDER)
        if not self.paired:
            raise NotApplicable("the judge and people judged no unit in common")
        rows, statistic = self._tables(entry) if self.tabled else self._sums(entry.name)
        rows, which = np.unique(rows, axis=0, return_inverse=True)
        times = np.zeros(len(rows), dtype=np.int64)
        np.add.at(times, which.ravel(), self.units.times[self.units.shared])
        value, error = float(statistic(times @ rows)), float(error_of_sums(statistic, rows, times))
        effect = ONE
        if self.cluster is not None:
            effect = design_effect(influences(statistic, rows, times)[which.ravel()], self.cluster, interval)
        if self.tabled:
            size = len(self.labels)
            table = Table((times @ rows).reshape(size, size), self.labels)
            cells, some = two_cells(table, self.level != "nominal" and entry.name in USING_ORDER)
            more = np.eye(size**2)[cells], some
            low, high = widened(
                effect,
                lambda fewer: interval_with_more(
                    statistic, (rows, times), more, entry.facts["range"], interval, fewer=fewer
                ),
            )
        else:
            low, high = widened(
                effect, lambda fewer: ends_of(value, error * float(np.sqrt(fewer)), entry.facts["range"], interval)
            )
        wider = error * np.sqrt(effect.variance)
        return Coefficient(value, float(low), float(high), float(known_error(wider, np.array(self.paired))))

    @cached_property
    def rows(self) -> Floats:
        """The contribution of each unit to the table of person and judge."""
        some = self.units.shared
        return with_people(self.units.counts[some], self.units.said[some]).reshape(-1, len(self.labels) ** 2)

    def _tables(self, entry: Registered) -> tuple[Floats, Callable[[Floats], Floats]]:
        """The contribution of each unit to the table of person and judge, and the coefficient as a function of sums."""
        size = len(self.labels)
        function = partial(entry.function, level=self.level) if entry.name in USING_ORDER else entry.function

        def statistic(sums: Floats) -> Floats:
            table = Table(sums.reshape(*sums.shape[:-1], size, size), self.labels)
            value: Floats = function(table if entry.facts["of"] is Table else Coincidence.of_table(table))
            return value

        return self.rows, statistic

    def _sums(self, name: str) -> tuple[Floats, Callable[[Floats], Floats]]:
        """The same for too many values for a table: observed agreement, and alpha of numbers."""
        assert self._people is not None
        people, judge = self._people, self.units.said
        both = judge[people.unit] >= 0
        unit = np.unique(people.unit[both], return_inverse=True)[1].astype(np.int64)
        codes = np.stack([people.code[both], judge[people.unit[both]]], axis=1)
        share = 1 / np.bincount(unit)[unit]
        statistic: Callable[[Floats], Floats]
        if name == "agreement":
            each = np.stack([codes[:, 0] == codes[:, 1], np.ones(len(codes))], axis=1)
            statistic = _ratio
        elif name == "alpha" and self.level == "interval":
            numbers = squarable(people.scale.numbers)[codes]
            each = spreads(np.repeat(np.arange(len(codes)), 2), numbers.ravel(), len(codes))
            statistic = spread_alpha
        else:
            raise NotApplicable(MANY_VALUES)
        return np.stack([np.bincount(unit, share * column) for column in each.T], axis=1), statistic


def _two_columns(people: Ballots, judge: Codes, cluster: Ints | None) -> Agreeing | None:
    """Person and judge as two assessors of the units both judged; None if some unit has several people."""
    both = judge[people.unit] >= 0
    unit, said = people.unit[both], people.code[both]
    size = len(unit)
    if not size or len(np.unique(unit)) < size:
        return None
    place, assessor = np.tile(np.arange(size, dtype=np.int32), 2), np.repeat(np.arange(2, dtype=np.int32), size)
    names = tuple(people.units[one] for one in unit)
    codes = np.concatenate([said, judge[unit]]).astype(np.int32)
    two = Ballots(names, ("person", "judge"), people.scale, place, assessor, codes)
    return Agreeing(two, None if cluster is None else shared_clusters(cluster[unit].tolist()))


def _ratio(sums: Floats) -> Floats:
    return divide(sums[..., 0], sums[..., 1])


def leave_one_out(sums: PersonSums, people: tuple[str, ...], scale: Scale) -> list[WithOne]:
    """Each person's ballots compared with the shares of the others' on the same unit."""
    size = len(scale.values)
    if size > MOST_TABLED:
        same = sums.by_others() if sums.others else np.zeros(len(people))
        return _rows(people, sums.shared, divide(same, sums.shared.astype(np.float64)))
    tables = sums.by_others() if sums.others else np.zeros((len(people), size, size))
    return _tabled(people, scale, sums.shared, tables)


def with_each(sums: PersonSums, judge: int, people: tuple[str, ...], scale: Scale) -> list[WithOne]:
    """A judge compared with each person, on the units both judged."""
    units = sums.common[judge]
    if sums.tables is None:
        return _rows(people, units, divide(sums.same[judge].astype(np.float64), units.astype(np.float64)))
    return _tabled(people, scale, units, sums.tables[judge].astype(np.float64))


def _tabled(people: tuple[str, ...], scale: Scale, units: Ints, tables: Floats) -> list[WithOne]:
    table = Table(tables, scale.values, scale.values)
    return _rows(people, units, accuracy(table), kappa(table), _quadratic(table, scale.level))


def _quadratic(table: Table, level: Level) -> Floats:
    """Quadratic-weighted kappa; NaN if labels are nominal."""
    return np.full(table.counts.shape[:-2], np.nan) if level == "nominal" else kappa_quadratic(table, level)


def _rows(people: tuple[str, ...], units: Ints, *columns: Floats) -> list[WithOne]:
    given = [*columns, *[np.full(len(units), np.nan)] * (3 - len(columns))]
    return [WithOne(name, int(many), *map(float, row)) for name, many, *row in zip(people, units, *given, strict=True)]


def adjudicators(sums: PersonSums, people: tuple[str, ...]) -> list[str]:
    """People whose units are mostly disputed among the others, though few units are, and significantly so."""
    from scipy.special import bdtrc  # imported late because scipy is slow to load

    judged, hard = sums.judged, sums.disputed
    overall = sums.differing / max(1, sums.several)
    chance = bdtrc(np.maximum(hard - 1.0, 0.0), judged, overall) * len(people)
    mostly = (hard >= ADJUDICATOR_SHARE * judged) & (judged >= FEWEST_ADJUDICATED) & (overall <= 0.5)
    return [name for name, one in zip(people, mostly & (chance <= ALPHA), strict=True) if one]


def pairwise(together: Ints | None, tables: Callable[[Pairs], Ints], scale: Scale, fewest: int) -> Pairwise:
    """Mean observed agreement and kappa over pairs of people with enough units in common.

    Each pair is weighted by the number of common units, so that two people who share thirty disputed units count less
    than two who judged everything.
    """
    none = Pairwise(0, 0, NAN, NAN, NAN)
    if together is None:
        return none
    one, other = np.triu_indices(len(together), 1)
    kept = together[one, other] >= fewest
    one, other, found = one[kept], other[kept], []
    block = max(1, CELLS_AT_ONCE // len(scale.values) ** 2)
    for start in range(0, len(one), block):  # some pairs at a time, to limit memory
        some = slice(start, start + block)
        table = Table(tables((one[some], other[some])), scale.values, scale.values)
        found.append(np.stack([table.total, accuracy(table), kappa(table), _quadratic(table, scale.level)]))
    if not found:
        return none
    common, *columns = np.concatenate(found, axis=1)
    return Pairwise(len(common), int(common.sum()), *(_mean(column, common) for column in columns))


def _mean(values: Floats, weights: Floats) -> float:
    known = ~np.isnan(values)
    return float(np.average(values[known], weights=weights[known])) if known.any() else NAN
