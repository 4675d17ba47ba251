"""A diagnosis drawn: accuracy by category or phenomenon, and the correlation index of every original."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from karat.data.result import Chart
from karat.studies.diagnose.gains import title as titled
from karat.studies.diagnose.rows import PhenomenonRow, Row

if TYPE_CHECKING:
    from karat.studies.diagnose.result import Diagnosis

MARKS = 4
"""So many series can be told apart."""
ALONE = 2
"""So many runs have a chart of phenomena each, with intervals; more stand in one."""
ROWS = 20
"""So many phenomena are drawn: those with most to gain."""
ZERO, UNDEFINED, NEITHER = "0", "undefined", "0/0"
LOW, HIGH = "low", "high"


def charts(result: Diagnosis) -> list[Chart]:
    """Phenomena, categories where there are any, and the index of every original."""
    drawn = _phenomena(result)
    if result.categories:
        drawn.append(_categories(result))
    if result.pairs:
        drawn.append(_pair_indices(result))
    return drawn


def _phenomena(result: Diagnosis) -> list[Chart]:
    """What has most to gain comes first."""
    runs = [row.run for row in result.overall]
    if len(runs) <= ALONE:
        return [_dots(result, f"Accuracy by {result.by}: {run}", [result.phenomena_of(run)]) for run in runs]
    of_runs = [result.phenomena_of(run) for run in runs]
    return [_dots(result, f"Accuracy by {result.by}" + _first(runs), of_runs)]


def _first(runs: Sequence[str]) -> str:
    return f" (the first {MARKS} of {len(runs)} runs)" if len(runs) > MARKS else ""


def _dots(result: Diagnosis, title: str, of_runs: Sequence[Sequence[PhenomenonRow]]) -> Chart:
    """A row a phenomenon, by the wrong answers of all runs in excess of their accuracies; small ones have a star."""
    first = of_runs[0]
    order = sorted(range(len(first)), key=lambda at: -sum(rows[at].excess for rows in of_runs))
    kept = order[:ROWS]
    series = {rows[0].run: [rows[at].accuracy for at in kept] for rows in of_runs[:MARKS]}
    notes = [f"{len(order) - len(kept)} more with less to gain are in the table"] if len(order) > len(kept) else []
    if any(first[at].small for at in kept):
        notes.append(f"* fewer than {result.small} pairs")
    heading = f"{title}, most to gain first" + "".join(f"; {note}" for note in notes)
    labels = tuple(titled(first[at]) + "*" * first[at].small for at in kept)
    if len(of_runs) > 1:
        return Chart("dots", heading, labels, series)
    return Chart("dots", heading, labels, series | _ends([first[at] for at in kept]), ends=(LOW, HIGH))


def _ends(rows: Sequence[Row]) -> dict[str, list[float]]:
    """The ends of the intervals, as series."""
    ends = [row.interval or (float("nan"), float("nan")) for row in rows]
    return {LOW: [low for low, _ in ends], HIGH: [high for _, high in ends]}


def _categories(result: Diagnosis) -> Chart:
    """Parts, and of one or two runs originals beside them; of one run with intervals."""
    runs = [row.run for row in result.overall]
    series: dict[str, list[float]] = {}
    for run in runs[:MARKS]:
        rows = result.rows_of(run, "categories")
        series[run] = [row.accuracy for row in rows]
        if result.originals and len(runs) <= MARKS // 2:
            series[f"{run}, originals"] = [row.originals.accuracy if row.originals else row.accuracy for row in rows]
    rows = result.rows_of(runs[0], "categories")
    alone = len(runs) == 1
    return Chart(
        "dots",
        f"Accuracy by category{_first(runs)}",
        tuple(row.name + "*" * row.small for row in rows),
        series | (_ends(rows) if alone else {}),
        ends=(LOW, HIGH) if alone else None,
    )


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
