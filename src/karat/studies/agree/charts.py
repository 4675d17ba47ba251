"""Figures of agreement."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from karat.arrays import NAN
from karat.data.charts import Chart, Dots, Figures, Heat, Interval, Series
from karat.kernels.counting import divide
from karat.studies.agree.result import COEFFICIENT_NAMES, Agreement
from karat.studies.drawing import MOST_ROWS, needs, noted


def coefficients(result: Agreement) -> Iterable[Chart]:
    """Every coefficient of agreement with its interval.

    0 is the agreement expected by chance, 1 is perfect; coefficients differ in their definition of chance agreement.
    Observed agreement is not corrected for chance.
    """
    shown = {name: one for name, one in result.coefficients.items() if one.value == one.value}
    if shown:
        yield Dots(
            title="Coefficients",
            labels=tuple(COEFFICIENT_NAMES[name] for name in shown),
            series=(Series("value", [one.value for one in shown.values()]),),
            intervals=tuple(Interval(one.low, one.high) for one in shown.values()),
            axis="agreement",
        )


@needs("three assessors at least who can be told apart")
def agreement(result: Agreement) -> Iterable[Chart]:
    """Agreement beyond chance of each pair of assessors, on the units that both judged.

    Assessors who agree most with the others come first, those who agree least come last. Differences in shade are not
    tested. A dash is a pair with no unit in common, or one that is not listed.
    """
    name = "kappa" if result.level == "nominal" else "kappa_quadratic"
    common: dict[str, int] = {}
    values: dict[tuple[str, str], float] = {}
    pairs = result.pairwise or []
    for pair in pairs:
        for one, other in ((pair.a, pair.b), (pair.b, pair.a)):
            values[one, other] = getattr(pair, name).value
            common[one] = common.get(one, 0) + pair.units
    known = [value for value in values.values() if value == value]
    if len(common) < 3 or not known:
        return
    most = set(sorted(common, key=lambda who: -common[who])[:MOST_ROWS])
    drawn = [who for who in result.assessors if who in most]
    means = {who: _mean([values.get((who, other), NAN) for other in drawn]) for who in drawn}
    drawn.sort(key=lambda who: (means[who] != means[who], -means[who]))
    listed = len(pairs)
    fewer = f"the {listed:,} of {result.pairs:,} pairs with most common units" if listed < result.pairs else ""
    some = f"{len(drawn)} of {len(result.assessors):,} assessors" if len(drawn) < len(result.assessors) else ""
    yield Heat(
        title=f"{COEFFICIENT_NAMES[name]} of each two assessors",
        note=noted(COEFFICIENT_NAMES[name], some, fewer),
        labels=tuple(drawn),
        series=tuple(Series(who, [values.get((who, other), NAN) for other in drawn]) for who in drawn),
    )


def _mean(values: list[float]) -> float:
    known = [value for value in values if value == value]
    return sum(known) / len(known) if known else NAN


def confusions(result: Agreement) -> Iterable[Chart]:
    """If one assessor gives the label of the row, how often another gives that of the column.

    Each row adds up to 1; the diagonal is the agreement on each label. With two named assessors, the rows are the
    first's labels and the columns the second's; otherwise all pairs of ballots on a unit count.
    """
    shares, rows, columns = result.confusions or [], "one", "another"
    pairs = result.pairwise or []
    if len(result.assessors) == 2 and len(pairs) == 1:
        (pair,) = pairs
        counts = np.array(pair.table, dtype=np.float64)
        shares, rows, columns = divide(counts, counts.sum(axis=1, keepdims=True)).tolist(), pair.a, pair.b
    if not any(share == share for row in shares for share in row) or len(shares) < 2:
        return
    yield Heat(
        title=f"What {columns} says where {rows} says the label of the row",
        labels=tuple(result.labels),
        series=tuple(Series(label, [row[place] for row in shares]) for place, label in enumerate(result.labels)),
        axes=(f"{columns} says", f"{rows} says"),
    )


FIGURES: Figures = (coefficients, agreement, confusions)
