"""Agreement of a judge with people by the coefficients of `agree`, and of each person with the others."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from karat.arrays import NAN, Floats, Ints
from karat.data.ballots import Ballots, Level
from karat.data.coincidences import MOST_TABLED, Coincidence
from karat.data.scores import shared_clusters
from karat.data.tables import Table
from karat.errors import NotApplicable
from karat.kernels.coincidence import spreads
from karat.kernels.counting import contingency, divide
from karat.measures.agreement import kappa_quadratic, spread_alpha
from karat.measures.contingency import accuracy, kappa
from karat.registry import Registered
from karat.statistics.clusters import ONE, design_effect, widened
from karat.statistics.influence import error_of_sums, influences, interval_with_more
from karat.statistics.intervals import two_cells
from karat.studies.agree.coefficients import NO_ORDER, WEIGHTED, Agreeing, ends_of, known_error, squarable
from karat.studies.agree.result import MANY_VALUES, Coefficient
from karat.studies.judge.parts import MOST_PEOPLE, Pairwise, WithOne
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

    def __init__(self, people: Ballots, judge: Codes, cluster: Ints | None = None) -> None:
        self.level: Level = people.scale.level
        self.labels = people.scale.values
        self._people, self._judge = people, judge
        self.two = _two_columns(people, judge, cluster)
        self.tabled = len(self.labels) <= MOST_TABLED
        both = np.unique(people.unit[judge[people.unit] >= 0])
        self.paired = len(both)
        self.cluster = None if cluster is None else shared_clusters(cluster[both].tolist())

    def coefficient(self, entry: Registered, interval: float, seed: int = 0) -> Coefficient:
        """One coefficient with its interval over units; raises `NotApplicable` with the reason if there is none."""
        if self.two is not None:
            return self.two.coefficient(entry, interval, seed)
        if entry.name in WEIGHTED and self.level == "nominal":
            raise NotApplicable(NO_ORDER)
        if not self.paired:
            raise NotApplicable("the judge and people judged no unit in common")
        rows, statistic = self._tables(entry) if self.tabled else self._sums(entry.name)
        rows, which, times = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
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
        tables = with_people(self._people.counts(), self._judge)
        return tables[tables.any(axis=(1, 2))].reshape(-1, len(self.labels) ** 2)

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
        people, both = self._people, self._judge[self._people.unit] >= 0
        unit = np.unique(people.unit[both], return_inverse=True)[1].astype(np.int64)
        codes = np.stack([people.code[both], self._judge[people.unit[both]]], axis=1)
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


def leave_one_out(people: Ballots) -> list[WithOne]:
    """Each person's ballots compared with the shares of the others' on the same unit."""
    labels, size = len(people.scale.values), len(people.assessors)
    counts = people.counts()
    total = counts.sum(axis=1)[people.unit] - 1.0
    units = np.bincount(people.assessor[total > 0], minlength=size)

    def share(label: NDArray[np.integer] | int) -> Floats:
        """For each ballot, the share of the other ballots on its unit that give a label."""
        others = counts[people.unit, label] - (people.code == label)
        return np.nan_to_num(divide(others.astype(np.float64), total))

    if labels > MOST_TABLED:
        same = np.bincount(people.assessor, share(people.code), minlength=size).astype(np.float64)
        return _rows(people, units, divide(same, units.astype(np.float64)))
    cell = people.assessor.astype(np.int64) * labels + people.code
    sums = [np.bincount(cell, share(label), minlength=size * labels) for label in range(labels)]
    return _tabled(people, units, np.stack(sums, axis=-1).reshape(size, labels, labels).astype(np.float64))


def with_each(people: Ballots, judge: Codes) -> list[WithOne]:
    """The judge compared with each person, on the units both judged."""
    labels, size = len(people.scale.values), len(people.assessors)
    both = judge[people.unit] >= 0
    columns = (people.assessor, people.code, judge[people.unit])
    assessor, said, judged = (column[both].astype(np.int64) for column in columns)
    units = np.bincount(assessor, minlength=size)
    if labels > MOST_TABLED:
        same = np.bincount(assessor[said == judged], minlength=size).astype(np.float64)
        return _rows(people, units, divide(same, units.astype(np.float64)))
    cell = (assessor * labels + said) * labels + judged
    tables = np.bincount(cell, minlength=size * labels * labels).reshape(size, labels, labels).astype(np.float64)
    return _tabled(people, units, tables)


def _tabled(people: Ballots, units: NDArray[np.int64], tables: Floats) -> list[WithOne]:
    table = Table(tables, people.scale.values, people.scale.values)
    return _rows(people, units, accuracy(table), kappa(table), _quadratic(table, people.scale.level))


def _quadratic(table: Table, level: Level) -> Floats:
    """Quadratic-weighted kappa; NaN if labels are nominal."""
    return np.full(table.counts.shape[:-2], np.nan) if level == "nominal" else kappa_quadratic(table, level)


def _rows(people: Ballots, units: NDArray[np.int64], *columns: Floats) -> list[WithOne]:
    given = [*columns, *[np.full(len(units), np.nan)] * (3 - len(columns))]
    return [
        WithOne(name, int(many), *map(float, row))
        for name, many, *row in zip(people.assessors, units, *given, strict=True)
    ]


def adjudicators(people: Ballots) -> list[str]:
    """People whose units are mostly disputed among the others, though few units are, and significantly so."""
    from scipy.special import bdtrc  # imported late because scipy is slow to load

    counts = people.counts()
    different, alone = (counts > 0).sum(axis=1)[people.unit], counts[people.unit, people.code] == 1
    split = different - alone > 1
    size = len(people.assessors)
    judged = np.bincount(people.assessor, minlength=size)
    hard = np.bincount(people.assessor[split], minlength=size)
    overall = float(((counts > 0).sum(axis=1) > 1).sum() / max(1, (counts.sum(axis=1) > 1).sum()))
    chance = bdtrc(np.maximum(hard - 1.0, 0.0), judged, overall) * size
    mostly = (hard >= ADJUDICATOR_SHARE * judged) & (judged >= FEWEST_ADJUDICATED) & (overall <= 0.5)
    return [name for name, one in zip(people.assessors, mostly & (chance <= ALPHA), strict=True) if one]


def pairwise(people: Ballots, fewest: int) -> Pairwise:
    """Mean observed agreement and kappa over pairs of people with enough units in common.

    Each pair is weighted by the number of common units, so that two people who share thirty disputed units count less
    than two who judged everything.
    """
    labels, size = len(people.scale.values), len(people.assessors)
    none = Pairwise(0, 0, NAN, NAN, NAN)
    if people.exchangeable or not 2 <= size <= MOST_PEOPLE or labels > MOST_TABLED:
        return none
    said, level = people.matrix().astype(np.int8), people.scale.level
    found = []
    for one in range(size - 1):  # person by person, to limit memory
        tables = contingency(said[one], said[one + 1 :], labels, labels)
        table = Table(tables[tables.sum(axis=(1, 2)) >= fewest], people.scale.values, people.scale.values)
        found.append(np.stack([table.total, accuracy(table), kappa(table), _quadratic(table, level)]))
    common, *columns = np.concatenate(found, axis=1)
    if not len(common):
        return none
    return Pairwise(len(common), int(common.sum()), *(_mean(column, common) for column in columns))


def _mean(values: Floats, weights: Floats) -> float:
    known = ~np.isnan(values)
    return float(np.average(values[known], weights=weights[known])) if known.any() else NAN
