"""Agree: agreement of assessors by every coefficient, with intervals (`karat agree`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import compress
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from karat.arrays import Floats, Ints
from karat.data.ballots import Ballots, Level, Scale
from karat.data.coincidences import MOST_TABLED, Coincidence
from karat.data.fields import Missing
from karat.data.parameters import IntervalOption, SeedOption, UnitClusterOption
from karat.data.scores import clusters_in, shared_clusters
from karat.data.tables import Table
from karat.errors import UsageError
from karat.kernels.counting import contingency, divide
from karat.labels import THREE, TWO
from karat.measures.agreement import (
    ONE_LABEL,
    conditional_agreement,
    kappa_linear,
    kappa_maximum,
    kappa_quadratic,
    specific_agreement,
)
from karat.measures.contingency import accuracy, kappa
from karat.statistics.clusters import UnitCells, widened
from karat.statistics.intervals import delta_interval, standard_error, wilson
from karat.statistics.paired import mcnemar
from karat.statistics.two_assessors import below_chance, bowker, stuart_maxwell
from karat.studies.agree.coefficients import (
    NO_ORDER,
    Agreeing,
    all_coefficients,
    explained,
    known_error,
    label_agreement,
    label_confusions,
    more_ballots,
)
from karat.studies.agree.findings import FIGURES, FINDINGS
from karat.studies.agree.result import (
    COEFFICIENT_NAMES,
    INDEPENDENT_UNITS,
    Agreement,
    AgreementView,
    Coefficient,
    Homogeneity,
    McNemar,
    PairAgreement,
    PairLabel,
)
from karat.studies.base import study

MOST_PAIRS = 10_000
"""The most pairs of assessors that can be reported."""
MOST_VALUES_LISTED = 1000
"""The most values listed in the result; a list of distinct numbers is of no use."""


class AgreeParameters(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of `agree`."""

    level: Annotated[
        Level | None, Meta(description="level of measurement of the labels; by default as in the ballots")
    ] = None
    pairs: Annotated[
        int, Meta(description="pairs of assessors to report, those with most units in common", ge=0, le=MOST_PAIRS)
    ] = 50
    cluster: UnitClusterOption = None
    interval: IntervalOption = 0.95
    seed: SeedOption = 0


@study("agree", AgreeParameters, findings=FINDINGS, figures=FIGURES)
def agree(ballots: Ballots, asked: AgreeParameters) -> Agreement:
    """How far assessors agree beyond chance, by label and by pair of assessors, on all labels and folded."""
    if not len(ballots):
        raise UsageError("there are no ballots")
    ballots = replace(ballots, scale=ballots.scale.at(asked.level))
    level = ballots.scale.level
    given = np.bincount(ballots.unit, minlength=len(ballots.units))
    names = None if asked.cluster is None else ballots.clusters(asked.cluster)
    cluster = shared_clusters(names)
    whole = _view(ballots, asked, cluster)
    folded: dict[str, AgreementView | None] = {TWO.name: None}
    if ballots.scale.values == THREE.labels:
        codes = np.array(TWO.from_three, dtype=np.int32)[ballots.code]
        two_way = replace(ballots, scale=Scale(TWO.labels, level), code=codes)
        folded[TWO.name] = _view(two_way, asked, cluster)
    return Agreement(
        level=level,
        assessors=list(ballots.assessors),
        units=len(ballots.units),
        paired=int((given >= 2).sum()),
        ballots=len(ballots),
        clusters=clusters_in(None if names is None else list(compress(names, given >= 2))),
        exchangeable=ballots.exchangeable,
        **vars(whole),
        folded=folded,
        more_ballots=more_ballots(Agreeing(ballots, cluster)),
    )


def _view(ballots: Ballots, asked: AgreeParameters, cluster: Ints | None) -> AgreementView:
    pairs, pairwise = assessor_pairs(ballots, asked.pairs, asked.interval, cluster)
    agreeing, tabled = Agreeing(ballots, cluster), len(ballots.scale.values) <= MOST_TABLED
    coefficient = partial(agreeing.coefficient, interval=asked.interval, seed=asked.seed)
    return AgreementView(
        labels=list(ballots.scale.values[:MOST_VALUES_LISTED]),
        coefficients=all_coefficients(coefficient, agreeing.paired),
        pairs=pairs,
        pairwise=pairwise,
        per_label=label_agreement(agreeing, asked.interval) if tabled else None,
        confusions=label_confusions(ballots) if tabled else None,
    )


DERIVATIVES_AT_ONCE = 1 << 21
"""Cells of perturbed tables held at a time by the delta method."""
MOST_BALLOTS, MOST_ASSESSORS = 1 << 26, 1 << 12
"""The largest assessors × units, and the most assessors, whose pairs are compared."""


def assessor_pairs(
    ballots: Ballots, most: int, interval: float, cluster: Ints | None = None
) -> tuple[int, list[PairAgreement] | None]:
    """The number of pairs of assessors with common units, and the pairs with the most."""
    assessors, labels = len(ballots.assessors), ballots.scale.values
    too_many = assessors > MOST_ASSESSORS or assessors * len(ballots.units) > MOST_BALLOTS
    if ballots.exchangeable or len(labels) > MOST_TABLED or too_many:
        return 0, None
    said = np.full((assessors, len(ballots.units)), -1, dtype=np.int8)
    said[ballots.assessor, ballots.unit] = ballots.code
    judged = (said >= 0).astype(np.float32)
    one, other = np.triu_indices(assessors, 1)
    common = (judged @ judged.T)[one, other].astype(np.int64)
    total = int((common > 0).sum())
    chosen = np.argsort(-common, kind="stable")[: min(most, total)]
    one, other = one[chosen], other[chosen]
    tables = Table(contingency(said[one], said[other], len(labels), len(labels)), labels)
    cells = UnitCells.of(said[one], said[other], len(labels), cluster)
    return total, _agreements(ballots, one, other, tables, interval, cells)


def _agreements(
    ballots: Ballots,
    one: NDArray[np.integer],
    other: NDArray[np.integer],
    tables: Table,
    interval: float,
    cells: UnitCells,
) -> list[PairAgreement]:
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
    for place, (a, b) in enumerate(zip(one, other, strict=True)):
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
    statistic: Callable[..., Floats], ballots: Ballots, tables: Table, interval: float, cells: UnitCells
) -> tuple[Floats, ...]:
    """The same for a weighted kappa; undefined if labels are nominal."""
    if ballots.scale.level == "nominal":
        return (np.full(len(tables.counts), np.nan),) * 4
    return _delta(partial(statistic, level=ballots.scale.level), tables, interval, cells, ordered=True)
