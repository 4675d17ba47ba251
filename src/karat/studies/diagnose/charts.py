"""A diagnosis drawn: accuracy by category or phenomenon, and the correlation index of every original."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from karat.data.result import Chart

if TYPE_CHECKING:
    from karat.studies.diagnose.result import Diagnosis

MARKS = 4
"""So many series can be told apart."""
ROWS = 30
"""So many phenomena are drawn: those that fail most."""
ZERO, UNDEFINED, NEITHER = "0", "undefined", "0/0"


def charts(result: Diagnosis) -> list[Chart]:
    """Categories where there are any, else phenomena; and the index of every original."""
    drawn = [_accuracies(result)]
    if result.pairs:
        drawn.append(_pair_indices(result))
    return drawn


def _accuracies(result: Diagnosis) -> Chart:
    rows = result.categories or result.phenomena
    runs = [row.run for row in result.overall]
    size = len(rows) // len(runs)
    places = list(range(size))
    if not result.categories:
        places = [at for at in places if rows[at].n]
        places.sort(key=lambda at: sum(row.accuracy for row in rows[at::size]))
    places = places[:ROWS]
    series: dict[str, list[float]] = {}
    for number, run in enumerate(runs[:MARKS]):
        of_run = [rows[number * size + at] for at in places]
        series[run] = [row.accuracy for row in of_run]
        if result.originals and len(runs) <= MARKS // 2:
            series[f"{run}, originals"] = [row.originals.accuracy if row.originals else row.accuracy for row in of_run]
    what = "category" if result.categories else result.by
    left = f" (the first {MARKS} of {len(runs)} runs)" if len(runs) > MARKS else ""
    return Chart("dots", f"Accuracy by {what}{left}", tuple(rows[at].name for at in places), series)


def _pair_indices(result: Diagnosis) -> Chart:
    """How many originals have each index, run by run, positive and negative apart."""
    labels: dict[tuple[str, bool], int] = {}
    for row in result.pairs:
        labels.setdefault((row.run, row.label == "ENTAILMENT"), len(labels))
    places = sorted(labels, key=lambda key: ([one.run for one in result.overall].index(key[0]), not key[1]))
    indices = sorted({Fraction(row.n, row.right) for row in result.pairs if row.original_right and row.right})
    names = [ZERO, *map(str, indices), UNDEFINED, NEITHER]
    counts = {name: [0] * len(places) for name in names}
    for row in result.pairs:
        at = places.index((row.run, row.label == "ENTAILMENT"))
        if row.right:
            name = str(Fraction(row.n, row.right)) if row.original_right else ZERO
        else:
            name = UNDEFINED if row.original_right else NEITHER
        counts[name][at] += 1
    return Chart(
        "counts",
        "Correlation index of each original",
        tuple(f"{run} {'positive' if positive else 'negative'}" for run, positive in places),
        counts,
        low=1.0,
        high=float(max([*indices, Fraction(2)])),
        x={str(one): [float(one)] for one in indices},
        axes=("m/k where the original is right and k of its m parts are; 0 where it is wrong, undefined at k = 0", ""),
    )
