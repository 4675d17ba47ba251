"""What is known of judges and people from sums over units, which parts of the units give as all of them do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Bools, Floats, Ints
from karat.data.ballots import Ballots, Scale
from karat.data.coincidences import MOST_TABLED, BallotPatterns
from karat.data.parts import BallotParts, BallotSums
from karat.data.tables import Table
from karat.kernels.assessor_pairs import common_units, pair_tables
from karat.statistics.alternative_annotator import compared
from karat.studies.agree.coefficients import Agreeing
from karat.studies.agree.pairs import Pairs
from karat.studies.judge.parts import MOST_PEOPLE

Codes = NDArray[np.int32]
CELLS_AT_ONCE = 1 << 22
"""Cells of tables of people × units held at a time."""


@dataclass(frozen=True, eq=False)
class JudgedUnits:
    """What people and a judge say of units; each stands for so many (`times`) that are alike."""

    scale: Scale
    counts: Ints
    """How often people gave each label (units, labels)."""
    said: Codes
    """The judge's label; -1 for none."""
    times: Ints

    @classmethod
    def of(cls, people: Ballots, said: Codes) -> JudgedUnits:
        """Every unit by itself."""
        return cls(people.scale, people.counts(), said, np.ones(len(said), dtype=np.int64))

    @classmethod
    def of_patterns(cls, scale: Scale, patterns: BallotPatterns) -> JudgedUnits:
        """One unit of each pattern: people's labels, and then the judge's."""
        size = len(scale.values)
        its = patterns.rows[:, size:]
        said = np.where(its.any(axis=1), its.argmax(axis=1), -1).astype(np.int32)
        return cls(scale, patterns.rows[:, :size], said, patterns.times)

    @property
    def judged(self) -> Bools:
        """Whether people judged each."""
        return np.asarray(self.counts.any(axis=1))

    @property
    def shared(self) -> Bools:
        """Whether both people and the judge did."""
        return self.judged & (self.said >= 0)

    def number(self, some: Bools) -> int:
        """How many units some of them stand for."""
        return int(self.times[some].sum())

    def people(self) -> BallotPatterns:
        """The patterns of people's ballots."""
        labels, some = self.scale.values, self.judged
        return BallotPatterns.zero(labels) + BallotPatterns(labels, self.counts[some], self.times[some])

    def two(self) -> Agreeing | None:
        """Person and judge as two assessors of the units both judged; None if some unit has several people."""
        some, labels = self.shared, self.scale.values
        counts, said, times = self.counts[some], self.said[some], self.times[some]
        if not len(said) or (counts.sum(axis=1) > 1).any():
            return None
        both = counts + np.eye(len(labels), dtype=np.int64)[said]
        table = np.zeros((len(labels), len(labels)), dtype=np.int64)
        np.add.at(table, (counts.argmax(axis=1), said), times)
        patterns = BallotPatterns.zero(labels) + BallotPatterns(labels, both, times)
        return Agreeing(BallotSums(("person", "judge"), self.scale, patterns), None, Table(table, labels))


@dataclass(frozen=True, eq=False)
class PersonSums:
    """What units say of each person (…, people): whole numbers, so that parts of the units add up in any order."""

    judged: Ints
    """The units of each person, …"""
    disputed: Ints
    """… of these, the ones on which the others differ, …"""
    shared: Ints
    """… and those that somebody else judged too."""
    several: int
    """Units with several ballots, …"""
    differing: int
    """… and those with different ones."""
    others: dict[int, Ints]
    """By the number of other ballots on a unit, how often these give a label where the person gives another (people,
    labels, labels); with too many values for a table, how often they give the same (people,)."""
    common: Ints
    """The units of each person that each judge judged (judges, people), …"""
    same: Ints
    """… those with the same label, …"""
    tables: Ints | None
    """… and what both say of them (judges, people, labels, labels), unless there are too many values."""
    closer: Ints
    """Units of a judge, a person and others: all; with the judge closer to the others; farther (3, judges, people)."""
    together: Ints | None
    """The units that every two people share (people, people), unless there are too many people."""

    @classmethod
    def of(cls, people: Ballots, said: Codes) -> PersonSums:
        """Over the units of some ballots, with the labels of judges (judges, units)."""
        found = [cls._of_block(some, its) for some, its in _blocks(people, said)]
        return sum(found[1:], found[0])

    @classmethod
    def _of_block(cls, people: Ballots, said: Codes) -> PersonSums:
        size, many, places = len(people.scale.values), len(people.assessors), people.scale.places
        tabled = size <= MOST_TABLED
        unit, who, code = people.unit, people.assessor.astype(np.int64), people.code
        counts = people.counts()
        different = (counts > 0).sum(axis=1)
        alone, rest = counts[unit, code] == 1, counts.sum(axis=1)[unit] - 1
        matrix = people.matrix()
        its = said[:, unit]
        common = np.stack([np.bincount(who[row >= 0], minlength=many) for row in its])
        same = np.stack([np.bincount(who[row == code], minlength=many) for row in its])
        closer = [[side.sum(axis=-1) for side in compared(matrix, row, size, places)] for row in said]
        tables = np.stack([_tables(who, code, row, many, size) for row in its]) if tabled else None
        return cls(
            judged=np.bincount(who, minlength=many),
            disputed=np.bincount(who[different[unit] - alone > 1], minlength=many),
            shared=np.bincount(who[rest > 0], minlength=many),
            several=int((counts.sum(axis=1) > 1).sum()),
            differing=int((different > 1).sum()),
            others={
                number: _others(who[some], code[some], counts[unit[some]], many, tabled)
                for number in np.unique(rest[rest > 0]).tolist()
                for some in [rest == number]
            },
            common=common,
            same=same,
            tables=tables,
            closer=np.array(closer).transpose(1, 0, 2),
            together=common_units(unit, who, len(people.units), many) if tabled and many <= MOST_PEOPLE else None,
        )

    def __add__(self, more: PersonSums) -> PersonSums:
        numbers = sorted({*self.others, *more.others})
        return PersonSums(
            judged=self.judged + more.judged,
            disputed=self.disputed + more.disputed,
            shared=self.shared + more.shared,
            several=self.several + more.several,
            differing=self.differing + more.differing,
            others={number: self.others.get(number, 0) + more.others.get(number, 0) for number in numbers},  # type: ignore[misc]
            common=self.common + more.common,
            same=self.same + more.same,
            tables=None if self.tables is None or more.tables is None else self.tables + more.tables,
            closer=self.closer + more.closer,
            together=None if self.together is None or more.together is None else self.together + more.together,
        )

    def by_others(self) -> Floats:
        """The shares of the other ballots on a unit that give a label, where the person gives another, added up."""
        return np.asarray(sum(self.others[number] / number for number in sorted(self.others)))


def _tables(who: Ints, code: Codes, its: Codes, people: int, size: int) -> Ints:
    """What people and a judge say of the same units (people, labels, labels)."""
    both = its >= 0
    cell = (who[both] * size + code[both]) * size + its[both]
    return np.bincount(cell, minlength=people * size * size).reshape(people, size, size)


def _others(who: Ints, code: Codes, counts: Ints, people: int, tabled: bool) -> Ints:
    """How often the other ballots on units give labels, from the counts of the unit of each ballot."""
    ballot, size = np.arange(len(code)), counts.shape[1]
    if not tabled:
        return np.bincount(who, counts[ballot, code] - 1, minlength=people).astype(np.int64)
    counts[ballot, code] -= 1
    cell = who * size + code
    sums = [np.bincount(cell, counts[:, label], minlength=people * size) for label in range(size)]
    return np.stack(sums, axis=-1).reshape(people, size, size).astype(np.int64)


def _blocks(people: Ballots, said: Codes) -> Iterator[tuple[Ballots, Codes]]:
    """Stretches of units for which a table of people × units is not too large, with what judges say of them."""
    units = len(people.units)
    width = max(1, CELLS_AT_ONCE // max(len(people.assessors), 1))
    if width >= units:
        yield people, said
        return
    order = np.argsort(people.unit, kind="stable")
    unit = people.unit[order]
    for start in range(0, units, width):
        end = min(start + width, units)
        some = order[np.searchsorted(unit, start) : np.searchsorted(unit, end)]
        block = replace(
            people,
            units=people.units[start:end],
            unit=people.unit[some] - np.int32(start),
            assessor=people.assessor[some],
            code=people.code[some],
            attributes={},
        )
        yield block, said[:, start:end]


@dataclass(frozen=True, eq=False)
class JudgedBallots:
    """Ballots of people and judges, held or added up."""

    people: tuple[str, ...]
    judges: tuple[str, ...]
    sums: PersonSums
    units: list[JudgedUnits]
    """For each judge."""
    tables: Callable[[Pairs], Ints]
    """What both of some pairs of people say of the same units (pairs, labels, labels)."""


def judged_ballots(people: Ballots, automatic: Ballots) -> JudgedBallots:
    """What is known of ballots that are held."""
    said = automatic.matrix()
    units = [JudgedUnits.of(people, its) for its in said]
    tables = partial(_pair_tables, people)
    return JudgedBallots(people.assessors, automatic.assessors, PersonSums.of(people, said), units, tables)


def judged_parts(ballots: BallotParts, people: tuple[str, ...], judges: tuple[str, ...]) -> JudgedBallots:
    """What is known of ballots in parts."""
    sums, patterns = None, None
    for more, found in ballots.each(partial(_of_part, people=people, judges=judges, scale=ballots.scale)):
        sums = more if sums is None else sums + more
        patterns = found if patterns is None else [one + other for one, other in zip(patterns, found, strict=True)]
    assert sums is not None
    assert patterns is not None

    def tables(pairs: Pairs) -> Ints:
        found = ballots.each(partial(_pairs_of_part, people=people, pairs=pairs))
        first = next(found)
        return sum(found, first)

    units = [JudgedUnits.of_patterns(ballots.scale, one) for one in patterns]
    return JudgedBallots(people, judges, sums, units, tables)


def _of_part(
    part: Ballots, people: tuple[str, ...], judges: tuple[str, ...], scale: Scale
) -> tuple[PersonSums, list[BallotPatterns]]:
    part = replace(part, scale=scale)
    theirs, said = part.of(people), part.of(judges).matrix()
    counts, labels = theirs.counts(), scale.values
    patterns = []
    for its in said:
        rows = np.hstack([counts, np.eye(len(labels) + 1, dtype=np.int64)[its][:, :-1]])
        rows = rows[rows.any(axis=1)]
        ones = np.ones(len(rows), dtype=np.int64)
        patterns.append(BallotPatterns.zero((*labels, *labels)) + BallotPatterns((*labels, *labels), rows, ones))
    return PersonSums.of(theirs, said), patterns


def _pairs_of_part(part: Ballots, people: tuple[str, ...], pairs: Pairs) -> Ints:
    return _pair_tables(part.of(people), pairs)


def _pair_tables(people: Ballots, pairs: Pairs) -> Ints:
    return pair_tables(people.unit, people.assessor, people.code, len(people.units), pairs, len(people.scale.values))
