"""Charts of a diagnosis: accuracy by category or phenomenon, and the indices of categories and of originals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import nan

from karat.data.charts import Chart, Counts, Dots, Figures, Heat, Interval, Place, Series
from karat.studies.base import needs
from karat.studies.diagnose.gains import title as titled
from karat.studies.diagnose.result import Diagnosis
from karat.studies.diagnose.rows import IntervalOrNone, PhenomenonRow, Row
from karat.studies.wording import noted

MARKS = 4
"""The most series in a dot plot; more runs are drawn as a heat map."""
RUNS_WITH_INTERVALS = 2
"""The most runs with a chart of phenomena each, with intervals; more share one chart."""
PHENOMENA_DRAWN = 20
"""The most phenomena drawn: those with most to gain."""
INTERVALS = 32
"""The most intervals in a dot plot; more are drawn as a heat map."""
ZERO, UNDEFINED, NEITHER = "0", "undefined", "0/0"
ORIGINALS = "a decomposed test set, with its originals: without --by"


def phenomena(result: Diagnosis) -> Iterable[Chart]:
    """Accuracy on each phenomenon, with its interval if there are one or two runs; most to gain comes first.

    Phenomena are ordered by the number of wrong answers in excess of those expected from a run's accuracy on all pairs:
    the first costs most, but need not have the lowest accuracy, nor be significantly weaker than the rest. The findings
    report which phenomena are. Each interval is for one accuracy by itself; wide intervals come from few pairs.
    """
    runs = [row.run for row in result.overall]
    if len(runs) <= RUNS_WITH_INTERVALS:
        for run in runs:
            drawn = _phenomena(result, f"Accuracy by {result.by}: {run}", [result.phenomena_of(run)])
            yield replace(drawn, name=run if len(runs) > 1 else "", note=noted(f"run: {run}", drawn.note))
    else:
        yield _phenomena(result, f"Accuracy by {result.by}", [result.phenomena_of(run) for run in runs])


def _phenomena(result: Diagnosis, title: str, of_runs: Sequence[Sequence[PhenomenonRow]]) -> Dots | Heat:
    """One row per phenomenon, ordered by the excess of wrong answers over all runs; small ones have a star."""
    first = of_runs[0]
    order = sorted(range(len(first)), key=lambda at: -sum(rows[at].excess for rows in of_runs))
    kept = order[:PHENOMENA_DRAWN]
    marks = tuple(Series(rows[0].run, [rows[at].accuracy for at in kept]) for rows in of_runs if rows)
    more = len(order) - len(kept)
    note = noted(
        "most to gain first",
        f"{more} more with less to gain are in the table" if more else "",
        _starred(result, [first[at] for at in kept]),
    )
    labels = tuple(titled(first[at]) + "*" * first[at].small for at in kept)
    if len(of_runs) > MARKS:
        return Heat(title=title, note=note, labels=labels, series=marks, axes=("run", result.by))
    alone = len(of_runs) == 1
    return Dots(
        title=title,
        note=note,
        labels=labels,
        series=(Series("accuracy", [first[at].accuracy for at in kept]),) if alone else marks,
        intervals=_intervals(first[at].interval for at in kept) if alone else (),
        axis="accuracy",
    )


def _starred(result: Diagnosis, rows: Sequence[Row | PhenomenonRow]) -> str:
    """The meaning of the star, if there is one."""
    return f"* fewer than {result.small} pairs" if any(row.small for row in rows) else ""


@needs(ORIGINALS)
def categories(result: Diagnosis) -> Iterable[Chart]:
    """Accuracy on the parts of each category and, for one or two runs, on the originals that they come from.

    If the originals lie to the left of the parts, a run was right less often on originals than on their parts; if they
    lie to the right, more often. The readings in the tables report which of these differences are significant.
    """
    if not result.categories:
        return
    runs = [row.run for row in result.overall]
    first = result.rows_of(runs[0], "categories")
    labels = tuple(row.name + "*" * row.small for row in first)
    title, note = "Accuracy by category", _starred(result, first)
    if len(runs) > MARKS:
        parts = [[row.accuracy for row in result.rows_of(run, "categories")] for run in runs]
        columns = tuple(map(Series, labels, zip(*parts, strict=True)))
        yield Heat(title=title, note=note, labels=tuple(runs), series=columns, axes=("category", "run"))
        return
    alone = len(runs) == 1
    marks = []
    for run in runs:
        rows = result.rows_of(run, "categories")
        marks.append(Series("parts" if alone else run, [row.accuracy for row in rows]))
        if result.originals and len(runs) <= MARKS // 2:
            wholes = [row.originals.accuracy if row.originals else nan for row in rows]
            marks.append(Series("originals" if alone else f"{run}, originals", wholes))
    yield Dots(
        title=f"{title}: {runs[0]}" if alone else title,
        note=noted(f"run: {runs[0]}", note) if alone else note,
        labels=labels,
        series=tuple(marks),
        intervals=_intervals(row.interval for row in first) if alone else (),
        axis="accuracy",
    )


@needs(ORIGINALS)
def category_indices(result: Diagnosis) -> Iterable[Chart]:
    """Correlation index and deviation of each run on each category and on all pairs, with their intervals.

    The correlation index is the accuracy on originals divided by that on their parts. At 1 a run does as well on
    originals as on their parts; below 1 it solves parts without combining them; above 1 it is right on originals
    without their parts. The deviation is the index of positive pairs minus that of negative ones; its absolute value is
    the deviation index. Each interval is for one index by itself: of many intervals, some exclude 1, or 0, by chance.
    The readings in the tables are corrected for that. There is no interval if there are few originals, and no mark if
    there is nothing to divide by; an arrow marks an interval that extends beyond the axis.
    """
    if not result.categories or not result.originals:
        return
    yield _index_chart(
        result,
        "correlation",
        "Correlation index",
        "accuracy on originals divided by accuracy on parts",
        1.0,
        lambda row: (row.correlation_index, row.correlation_interval),
    )
    yield _index_chart(
        result,
        "deviation",
        "Deviation",
        "correlation index of positive pairs minus that of negative pairs",
        0.0,
        lambda row: (row.positive.index - row.negative.index, row.deviation_interval),
    )


def _index_chart(
    result: Diagnosis,
    name: str,
    title: str,
    axis: str,
    rule: float,
    value_of: Callable[[Row], tuple[float, IntervalOrNone]],
) -> Dots | Heat:
    """One interval per category and run, or a heat map if there are too many."""
    runs = [row.run for row in result.overall]
    by_run = [[row for row in (*result.overall, *result.categories) if row.run == run] for run in runs]
    names = [row.name for row in by_run[0]]
    found = [
        (names[at], run, *value_of(rows[at]))
        for at in range(len(names))
        for run, rows in zip(runs, by_run, strict=True)
    ]
    if len(found) > INTERVALS:
        columns = tuple(Series(label, [value for of, _, value, _ in found if of == label]) for label in names)
        return Heat(
            name=name,
            title=f"{title}: {axis}",
            note=axis,
            labels=tuple(runs),
            series=columns,
            axes=("category", "run"),
            low=None,
            high=None,
        )
    alone = len(runs) == 1
    return Dots(
        name=name,
        title=f"{title}: {axis}" + (f": {runs[0]}" if alone else ""),
        note=f"run: {runs[0]}" if alone else "",
        labels=tuple(label if alone else f"{label}: {run}" for label, run, *_ in found),
        series=tuple(Series(run, [value if of == run else nan for _, of, value, _ in found]) for run in runs),
        intervals=_intervals(interval for *_, interval in found),
        axis=f"{title.lower()}: {axis}",
        low=None,
        high=None,
        rule=rule,
    )


@needs(ORIGINALS)
def indices(result: Diagnosis) -> Iterable[Chart]:
    """The distribution of the correlation index over originals, for each run on positive and on negative originals.

    For a right original with k of m parts right the index is m/k, on a log scale: at 1 all parts are right too, and
    further to the right ever fewer. Beside the scale are wrong originals with a right part (0), and right and wrong
    ones without any right part (undefined, 0/0). Larger discs are of more originals.
    """
    if not result.pairs:
        return
    runs = [row.run for row in result.overall]
    there = {(row.run, row.label == "ENTAILMENT") for row in result.pairs}
    places = [(run, positive) for run in runs for positive in (True, False) if (run, positive) in there]
    values = sorted({Fraction(row.n, row.right) for row in result.pairs if row.original_right and row.right})
    names = [ZERO, *map(str, values), UNDEFINED, NEITHER]
    counts = {name: [0] * len(places) for name in names}
    for row in result.pairs:
        at = places.index((row.run, row.label == "ENTAILMENT"))
        if row.right:
            name = str(Fraction(row.n, row.right)) if row.original_right else ZERO
        else:
            name = UNDEFINED if row.original_right else NEITHER
        counts[name][at] += 1
    yield Counts(
        title="Correlation index of each original",
        labels=tuple(f"{run} {'positive' if positive else 'negative'}" for run, positive in places),
        places=(
            Place(ZERO, counts[ZERO]),
            *(Place(str(one), counts[str(one)], float(one)) for one in values),
            *(Place(name, counts[name]) for name in (UNDEFINED, NEITHER)),
        ),
        low=1.0,
        high=float(max([*values, Fraction(2)])),
        axes=("m/k of an original with k of m parts right", ""),
    )


def _intervals(rows: Iterable[IntervalOrNone]) -> tuple[Interval, ...]:
    """Intervals as figures draw them, empty for rows without one."""
    return tuple(Interval() if row is None else Interval(*row) for row in rows)


FIGURES: Figures = (phenomena, categories, category_indices, indices)
