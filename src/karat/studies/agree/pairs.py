"""Pairs of assessors: what both say of the units that both judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TypeVar

import numpy as np

from karat.arrays import Floats, Ints
from karat.data.ballots import Ballots
from karat.data.coincidences import MOST_TABLED, BallotPatterns, Coincidence
from karat.data.fields import Missing
from karat.data.parts import BallotParts, BallotSums
from karat.data.tables import Table
from karat.kernels.assessor_pairs import common_units, pair_tables, said_by
from karat.kernels.counting import divide
from karat.measures.agreement import (
    ONE_LABEL,
    conditional_agreement,
    kappa_linear,
    kappa_maximum,
    kappa_quadratic,
    specific_agreement,
)
from karat.measures.contingency import accuracy, kappa
from karat.statistics.clusters import UNCLUSTERED, UnitCells, widened
from karat.statistics.intervals import delta_interval, standard_error, wilson
from karat.statistics.paired import mcnemar
from karat.statistics.two_assessors import below_chance, bowker, stuart_maxwell
from karat.studies.agree.coefficients import NO_ORDER, explained, known_error
from karat.studies.agree.result import (
    COEFFICIENT_NAMES,
    INDEPENDENT_UNITS,
    Coefficient,
    Homogeneity,
    McNemar,
    PairAgreement,
    PairLabel,
)

DERIVATIVES_AT_ONCE = 1 << 21
"""Cells of perturbed tables held at a time by the delta method."""
MOST_BALLOTS, MOST_ASSESSORS = 1 << 26, 1 << 12
"""The largest assessors × units, and the most assessors, whose pairs are compared."""


R = TypeVar("R")
Pairs = tuple[Ints, Ints]
"""The first and the second of each pair, in order of how many units they share."""


def added_up(ballots: Ballots | BallotParts) -> tuple[Ballots | BallotSums, Ints | None]:
    """The ballots, or if they come in parts what is left of them; and how many units every two assessors share.

    The latter is None if assessors cannot be told apart, or are too many to be compared.
    """
    assessors, labels = len(ballots.assessors), ballots.scale.values
    too_many = assessors > MOST_ASSESSORS or (
        isinstance(ballots, Ballots) and assessors * len(ballots.units) > MOST_BALLOTS
    )
    comparable = not (ballots.exchangeable or len(labels) > MOST_TABLED or too_many)
    if isinstance(ballots, Ballots):
        return ballots, _common(ballots) if comparable else None
    common = np.zeros((assessors, assessors), dtype=np.int64) if comparable else None
    patterns = BallotPatterns.zero(labels)
    for more, shared in ballots.each(partial(_sums, comparable=comparable)):
        patterns += more
        common = None if common is None else common + shared
    return BallotSums(ballots.assessors, ballots.scale, patterns, ballots.exchangeable), common


def _sums(part: Ballots, comparable: bool) -> tuple[BallotPatterns, Ints | int]:
    return replace(BallotPatterns.of(part), whose=None), _common(part) if comparable else 0


def _common(ballots: Ballots) -> Ints:
    return common_units(ballots.unit, ballots.assessor, len(ballots.units), len(ballots.assessors))


def most_common(common: Ints | None, most: int) -> tuple[int, Pairs] | None:
    """The number of pairs of assessors with common units, and those with the most."""
    if common is None:
        return None
    one, other = np.triu_indices(len(common), 1)
    shared = common[one, other]
    total = int((shared > 0).sum())
    chosen = np.argsort(-shared, kind="stable")[: min(most, total)]
    return total, (one[chosen], other[chosen])


def tables_of(ballots: Ballots | BallotParts, pairs: Pairs) -> Table:
    """What both of each pair say of the same units."""
    labels = ballots.scale.values
    counts = np.zeros((len(pairs[0]), len(labels), len(labels)), dtype=np.int64)
    tables = partial(_tables, pairs=pairs)
    for more in of_parts(ballots, tables) if len(pairs[0]) else ():
        counts += more
    return Table(counts, labels)


def _tables(part: Ballots, pairs: Pairs) -> Ints:
    return pair_tables(part.unit, part.assessor, part.code, len(part.units), pairs, len(part.scale.values))


def cells_of(ballots: Ballots | BallotParts, pairs: Pairs, cluster: Ints | None) -> UnitCells:
    """The cells of those tables that units are in, which only clusters need."""
    if cluster is None or isinstance(ballots, BallotParts):
        return UNCLUSTERED
    everybody = np.arange(len(ballots.assessors))
    said = said_by(ballots.unit, ballots.assessor, ballots.code, len(ballots.units), everybody)
    return UnitCells.of(said[pairs[0]], said[pairs[1]], len(ballots.scale.values), cluster)


def of_parts(ballots: Ballots | BallotParts, function: Callable[[Ballots], R]) -> Iterator[R]:
    """What a function gives for each part of ballots; ballots that are held are one part."""
    return ballots.each(function) if isinstance(ballots, BallotParts) else iter((function(ballots),))


def agreements(
    ballots: Ballots | BallotParts,
    pairs: Pairs,
    tables: Table,
    interval: float,
    cells: UnitCells,
) -> list[PairAgreement]:
    """The agreement of each pair, by every coefficient and test of two assessors."""
    agreed, effect = accuracy(tables), cells.of_statistic(accuracy, tables, interval)
    spread = np.sqrt(divide(agreed * (1 - agreed), tables.total - 1) * effect.variance)
    bounds = widened(effect, lambda fewer: wilson(agreed, tables.total / fewer, interval))
    numbers = {
        "agreement": (agreed, *bounds, known_error(spread, tables.total)),
        "kappa": _delta(kappa, tables, interval, cells),
        "kappa_linear": _weighted(kappa_linear, ballots, tables, interval, cells),
        "kappa_quadratic": _weighted(kappa_quadratic, ballots, tables, interval, cells),
    }
    largest, both = kappa_maximum(tables), specific_agreement(Coincidence.of_table(tables))
    there, back = conditional_agreement(tables), conditional_agreement(tables.transpose())
    tests = {"bowker": bowker(tables.counts), "stuart_maxwell": stuart_maxwell(tables.counts)}
    blind = below_chance(tables.counts)
    exact = _mcnemar(tables.counts) if len(tables.labels) == 2 else None
    made = []
    for place, (a, b) in enumerate(zip(*pairs, strict=True)):
        units, coefficients = int(tables.total[place]), {}
        for name, columns in numbers.items():
            reason = NO_ORDER if name.startswith("kappa_") and ballots.scale.level == "nominal" else ONE_LABEL
            row = (float(column[place]) for column in columns)
            coefficients[name] = Coefficient(*explained(row, COEFFICIENT_NAMES[name], units, reason))
        tested = {
            name: Homogeneity(float(value[place]), int(freedom[place]), over_units(float(p[place]), cells))
            for name, (value, freedom, p) in tests.items()
        }
        made.append(
            PairAgreement(
                a=ballots.assessors[a],
                b=ballots.assessors[b],
                units=units,
                table=tables.counts[place].astype(int).tolist(),
                agreement=coefficients["agreement"],
                kappa=coefficients["kappa"],
                kappa_linear=coefficients["kappa_linear"],
                kappa_quadratic=coefficients["kappa_quadratic"],
                kappa_max=float(largest[place]),
                bowker=tested["bowker"],
                stuart_maxwell=tested["stuart_maxwell"],
                p_below_chance=over_units(float(blind[place]), cells),
                mcnemar=None if exact is None else McNemar(*(over_units(float(p[place]), cells) for p in exact)),
                per_label=[
                    PairLabel(label, float(both[place, code]), float(there[place, code]), float(back[place, code]))
                    for code, label in enumerate(tables.labels)
                ],
            )
        )
    return made


def over_units(p: float, cells: UnitCells) -> float:
    """The p of a test that takes units as independent, unless they are in clusters."""
    return p if cells.cluster is None else Missing(INDEPENDENT_UNITS)


def _mcnemar(counts: Floats) -> tuple[Floats, Floats]:
    """The exact p and the mid-p of two labels; NaN if there is no confusion."""
    confused = counts[:, 0, 1].astype(np.int64), counts[:, 1, 0].astype(np.int64)
    never = confused[0] + confused[1] == 0
    exact, middle = (np.where(never, np.nan, mcnemar(*confused, mid=mid)) for mid in (False, True))
    return exact, middle


def _delta(
    statistic: Callable[[Table], Floats], tables: Table, interval: float, cells: UnitCells, ordered: bool = False
) -> tuple[Floats, ...]:
    """Value, interval and error, in blocks of pairs: a table of K² cells has K² derivatives of as many cells."""
    block, found = max(1, DERIVATIVES_AT_ONCE // len(tables.labels) ** 4), []
    for start in range(0, max(len(tables.counts), 1), block):
        some = Table(tables.counts[start : start + block], tables.labels)
        effect = cells[start : start + block].of_statistic(statistic, some, interval)
        low, high = widened(effect, partial(_ends, statistic, some, interval, ordered))
        error = known_error(standard_error(statistic, some) * np.sqrt(effect.variance), some.total)
        found.append(np.broadcast_arrays(statistic(some), low, high, error))
    return tuple(np.concatenate(parts) for parts in zip(*found, strict=True))


def _ends(
    statistic: Callable[[Table], Floats], tables: Table, interval: float, ordered: bool, fewer: Floats
) -> tuple[Floats, Floats]:
    return delta_interval(statistic, tables.worth(fewer), (-1, 1), interval, ordered)


def _weighted(
    statistic: Callable[..., Floats], ballots: Ballots | BallotParts, tables: Table, interval: float, cells: UnitCells
) -> tuple[Floats, ...]:
    """The same for a weighted kappa; undefined if labels are nominal."""
    if ballots.scale.level == "nominal":
        return (np.full(len(tables.counts), np.nan),) * 4
    return _delta(partial(statistic, level=ballots.scale.level), tables, interval, cells, ordered=True)
