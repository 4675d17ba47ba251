"""A diagnosis drawn: accuracy by category or phenomenon, and the indices of categories and of every original."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import nan

from karat.data.charts import Chart, Counts, Dots, Figures, Heat, Place, Series
from karat.studies.diagnose.gains import title as titled
from karat.studies.diagnose.result import Diagnosis
from karat.studies.diagnose.rows import Interval, PhenomenonRow, Row
from karat.studies.drawing import intervals, needs, noted

MARKS = 4
"""So many series can be told apart; more runs are fields of a table of colours."""
ALONE = 2
"""So many runs have a chart of phenomena each, with intervals; more stand in one."""
ROWS = 20
"""So many phenomena are drawn: those with most to gain."""
INTERVALS = 32
"""So many intervals are drawn below each other; more are fields of a table of colours."""
ZERO, UNDEFINED, NEITHER = "0", "undefined", "0/0"
ORIGINALS = "a decomposed test set, with its originals: without --by"


def phenomena(result: Diagnosis) -> Iterable[Chart]:
    """Accuracy on each phenomenon, with its interval where one or two runs are drawn; most to gain comes first.

    The order is by wrong answers beyond those that a run's accuracy on all pairs would put there, as they were counted:
    what costs most comes first, which need not have the lowest accuracy, nor be significantly weaker than the rest.
    Which phenomena are is in the findings. Each interval is for one accuracy by itself; a wide one is of few pairs.
    """
    runs = [row.run for row in result.overall]
    if len(runs) <= ALONE:
        for run in runs:
            drawn = _phenomena(result, f"Accuracy by {result.by}: {run}", [result.phenomena_of(run)])
            yield replace(drawn, name=run if len(runs) > 1 else "", note=noted(f"run: {run}", drawn.note))
    else:
        yield _phenomena(result, f"Accuracy by {result.by}", [result.phenomena_of(run) for run in runs])


def _phenomena(result: Diagnosis, title: str, of_runs: Sequence[Sequence[PhenomenonRow]]) -> Dots | Heat:
    """A row a phenomenon, by the wrong answers of all runs in excess of their accuracies; small ones have a star."""
    first = of_runs[0]
    order = sorted(range(len(first)), key=lambda at: -sum(rows[at].excess for rows in of_runs))
    kept = order[:ROWS]
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
    if len(of_runs) > 1:
        return Dots(title=title, note=note, labels=labels, series=marks, axis="accuracy")
    return Dots(
        title=title,
        note=note,
        labels=labels,
        series=(Series("accuracy", [first[at].accuracy for at in kept]),),
        intervals=intervals(first[at].interval for at in kept),
        axis="accuracy",
    )


def _starred(result: Diagnosis, rows: Sequence[Row | PhenomenonRow]) -> str:
    """What a star means, where there is one."""
    return f"* fewer than {result.small} pairs" if any(row.small for row in rows) else ""


@needs(ORIGINALS)
def categories(result: Diagnosis) -> Iterable[Chart]:
    """Accuracy on the parts of each category and, of one or two runs, on the originals that they are parts of.

    Where the originals stand left of the parts, a run was right less often on wholes than on pieces; where they stand
    right of them, more often. The readings say which of these differences are significant.
    """
    if not result.categories:
        return
    runs = [row.run for row in result.overall]
    first = result.rows_of(runs[0], "categories")
    labels = tuple(row.name + "*" * row.small for row in first)
    title, note = "Accuracy by category", _starred(result, first)
    parts = {run: [row.accuracy for row in result.rows_of(run, "categories")] for run in runs}
    wholes = {run: _wholes(result.rows_of(run, "categories")) for run in runs} if result.originals else {}
    if len(runs) > MARKS:
        columns = tuple(Series(label, [parts[run][at] for run in runs]) for at, label in enumerate(labels))
        yield Heat(title=title, note=note, labels=tuple(runs), series=columns, axes=("category", "run"))
    elif len(runs) == 1:
        (run,) = runs
        marks = [Series("parts", parts[run])] + ([Series("originals", wholes[run])] if wholes else [])
        yield Dots(
            title=f"{title}: {run}",
            note=noted(f"run: {run}", note),
            labels=labels,
            series=tuple(marks),
            intervals=intervals(row.interval for row in first),
            axis="accuracy",
        )
    else:
        marks = []
        for run in runs:
            marks.append(Series(run, parts[run]))
            if wholes and len(runs) <= MARKS // 2:
                marks.append(Series(f"{run}, originals", wholes[run]))
        yield Dots(title=title, note=note, labels=labels, series=tuple(marks), axis="accuracy")


def _wholes(rows: Sequence[Row]) -> list[float]:
    """Accuracies on originals."""
    return [row.originals.accuracy if row.originals else nan for row in rows]


@needs(ORIGINALS)
def category_indices(result: Diagnosis) -> Iterable[Chart]:
    """Correlation index and deviation of each category and of all pairs, run by run, with their intervals.

    The correlation index is the accuracy on originals over that on their parts. At 1 wholes are as good as parts; below
    1 a run does not combine what it can do; above 1 it is right on wholes whose parts it does not have. The deviation
    is the index of positive pairs less that of negative ones; how far it is from 0 is the deviation index. Each
    interval is for one index by itself: of many, some exclude 1, or 0, by chance. The readings are corrected for that.
    There is no interval where originals are few, and no mark where there is nothing to divide by; an arrow is an
    interval that extends beyond the axis.
    """
    if not result.categories or not result.originals:
        return
    yield _index_chart(
        result,
        "correlation",
        "Correlation index",
        "accuracy on originals over that on parts",
        1.0,
        lambda row: (row.correlation_index, row.correlation_interval),
    )
    yield _index_chart(
        result,
        "deviation",
        "Deviation",
        "correlation index of positive pairs less that of negative ones",
        0.0,
        lambda row: (row.positive.index - row.negative.index, row.deviation_interval),
    )


def _index_chart(
    result: Diagnosis, name: str, title: str, axis: str, rule: float, told: Callable[[Row], tuple[float, Interval]]
) -> Dots | Heat:
    """An interval a category and run, or where these are too many a field each."""
    runs = [row.run for row in result.overall]
    by_run = [[row for row in (*result.overall, *result.categories) if row.run == run] for run in runs]
    names = [row.name for row in by_run[0]]
    found = [
        (names[at], run, *told(rows[at])) for at in range(len(names)) for run, rows in zip(runs, by_run, strict=True)
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
        intervals=intervals(interval for *_, interval in found),
        axis=f"{title.lower()}: {axis}",
        low=None,
        high=None,
        rule=rule,
    )


@needs(ORIGINALS)
def indices(result: Diagnosis) -> Iterable[Chart]:
    """How many originals have each correlation index, run by run, positive and negative ones apart.

    Of an original with k of m parts right the index is m/k where it is right itself, on a log scale: at 1 all parts are
    right too, further right ever fewer. Beside the scale stand those that are wrong (0), those that are right without
    any part (undefined), and those of which nothing is right (0/0). A disc is as large as the originals are many.
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


FIGURES: Figures = (phenomena, categories, category_indices, indices)
