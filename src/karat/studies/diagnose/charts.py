"""Charts of a diagnosis: accuracy by category or phenomenon, and the indices of categories and of originals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import nan

from karat.data.charts import Chart, Counts, Dots, Figures, Heat, Interval, Panels, Place, Series
from karat.studies.base import needs
from karat.studies.diagnose.result import Diagnosis
from karat.studies.diagnose.rows import IntervalOrNone, PhenomenonRow, Row
from karat.studies.wording import captioned, noted

MARKS = 4
"""The most series in a dot plot; more runs are drawn as a heat map."""
FEWEST_UNPOOLED = 2
"""Phenomena with few pairs are pooled if there are this many of them, and this many others."""
PHENOMENA_DRAWN = 20
"""The most phenomena drawn: those with most to gain."""
MOST_PANELS = 9
"""The most runs with a panel of indices each; more are drawn as a heat map."""
ZERO, UNDEFINED, NEITHER = "0", "1/0", "0/0"
ORIGINALS = "a decomposed test set, with its originals: without --by"


def phenomena(result: Diagnosis) -> Iterable[Chart]:
    """Accuracy on each phenomenon with n, the number of pairs; most to gain comes first.

    A single run has intervals; several share a table, the stronger the colour the better. Phenomena are ordered by the
    number of wrong answers in excess of those expected from a run's accuracy on all pairs: the first costs most, but
    need not have the lowest accuracy, nor be significantly weaker than the rest. The findings report which phenomena
    are. Those with too few pairs to be tested are pooled in one row, unless fewer than two others would be left.
    """
    runs = [row.run for row in result.overall]
    of_runs = [result.phenomena_of(run) for run in runs]
    groups = _pooled(of_runs[0])
    groups.sort(key=lambda group: (len(group) > 1, -sum(rows[at].excess for rows in of_runs for at in group)))
    kept = groups[:PHENOMENA_DRAWN]
    more = len(groups) - len(kept)
    small = [of_runs[0][group[0]] for group in kept if len(group) == 1]
    note = noted(
        "most to gain first", f"{more} more with less to gain are in the table" if more else "", _starred(result, small)
    )
    labels = tuple(_group_name(result, [of_runs[0][at] for at in group]) for group in kept)
    counts = tuple(sum(of_runs[0][at].n for at in group) for group in kept)
    values = [[_accuracy([rows[at] for at in group]) for group in kept] for rows in of_runs]
    caption = captioned(
        "Accuracy on each phenomenon with n, the number of pairs; most to gain comes first.",
        "The stronger the colour, the better." if len(runs) > 1 else "Bars are intervals.",
        "Phenomena are ordered by the number of wrong answers in excess of those expected from a run's accuracy on all "
        "pairs: the first costs most, but need not have the lowest accuracy, nor be significantly weaker than the "
        "rest. The findings report which phenomena are.",
        "Those with too few pairs to be tested are pooled in the last row." * (len(kept[-1]) > 1),
    )
    if len(runs) > 1:
        yield Heat(
            title=f"Accuracy by {result.by}",
            caption=caption,
            note=note,
            labels=labels,
            counts=counts,
            series=tuple(map(Series, runs, values)),
            axes=("run", result.by),
            digits=0,
            percent=True,
        )
        return
    ends = [of_runs[0][group[0]].interval if len(group) == 1 else None for group in kept]
    yield Dots(
        title=f"Accuracy by {result.by}: {runs[0]}",
        caption=caption,
        note=noted(f"run: {runs[0]}", note),
        labels=tuple(f"{label} (n {count:,})" for label, count in zip(labels, counts, strict=True)),
        series=(Series("accuracy", values[0]),),
        intervals=_intervals(ends),
        axis="accuracy",
        unit="%",
    )


def _pooled(rows: Sequence[PhenomenonRow]) -> list[list[int]]:
    """Every phenomenon by itself, and those with few pairs together, if at least two have enough pairs."""
    small = [at for at, row in enumerate(rows) if row.small]
    if len(rows) - len(small) < FEWEST_UNPOOLED or len(small) < FEWEST_UNPOOLED:
        return [[at] for at in range(len(rows))]
    return [*([at] for at, row in enumerate(rows) if not row.small), small]


def _group_name(result: Diagnosis, group: Sequence[PhenomenonRow]) -> str:
    if len(group) == 1:
        return group[0].title + "*" * group[0].small
    return f"{len(group):,} with < {result.small} pairs each"


def _accuracy(group: Sequence[PhenomenonRow]) -> float:
    """The accuracy on the pairs of some phenomena; every pair is of one."""
    if len(group) == 1:
        return group[0].accuracy
    return sum(row.right for row in group) / sum(row.n for row in group)


def _starred(result: Diagnosis, rows: Sequence[Row | PhenomenonRow]) -> str:
    """The meaning of the star, if there is one."""
    return f"* fewer than {result.small} pairs" if any(row.small for row in rows) else ""


PARTS_ONLY = "Accuracy on the parts of each category."
WITH_ORIGINALS = captioned(
    "Accuracy on the parts of each category and on the originals that they come from.",
    "If the originals lie to the left of the parts, a run was right less often on originals than on their parts; if "
    "they lie to the right, more often. The readings in the tables report which of these differences are significant.",
)


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
        yield Heat(
            title=title,
            note=note,
            labels=tuple(runs),
            series=columns,
            axes=("category", "run"),
            digits=0,
            percent=True,
            caption=PARTS_ONLY,
        )
        return
    alone, wholes_too = len(runs) == 1, bool(result.originals) and len(runs) <= MARKS // 2
    marks = []
    for run in runs:
        rows = result.rows_of(run, "categories")
        marks.append(Series("parts" if alone else run, [row.accuracy for row in rows]))
        if wholes_too:
            wholes = [row.originals.accuracy if row.originals else nan for row in rows]
            marks.append(Series("originals" if alone else f"{run}, originals", wholes))
    yield Dots(
        title=f"{title}: {runs[0]}" if alone else title,
        note=noted(f"run: {runs[0]}", note) if alone else note,
        labels=labels,
        series=tuple(marks),
        intervals=_intervals(row.interval for row in first) if alone else (),
        axis="accuracy",
        unit="%",
        joined=alone,
        caption=WITH_ORIGINALS if wholes_too else PARTS_ONLY,
    )


INDEX = (
    "The correlation index is the accuracy on originals divided by that on their parts. At 1 a run does as well on "
    "originals as on their parts; below 1 it solves parts without combining them; above 1 it is right on originals "
    "without their parts."
)
OF_INTERVALS = (
    "Each interval is for one index by itself: of many intervals, some exclude 1, or 0, by chance. The readings in the "
    "tables are corrected for that. There is no interval if there are few originals, and no mark if there is nothing "
    "to divide by; an arrow marks an interval that extends beyond the axis."
)


@needs(ORIGINALS)
def category_indices(result: Diagnosis) -> Iterable[Chart]:
    """Correlation index and deviation on each category and on all pairs, with their intervals, one panel per run.

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
        "The deviation is the index of positive pairs minus that of negative ones; its absolute value is the deviation "
        "index.",
    )


def _index_chart(
    result: Diagnosis,
    name: str,
    title: str,
    axis: str,
    rule: float,
    value_of: Callable[[Row], tuple[float, IntervalOrNone]],
    also: str = "",
) -> Panels | Heat:
    """One panel per run with an interval for each category, or a heat map if there are too many runs."""
    runs = [row.run for row in result.overall]
    by_run = [[row for row in (*result.overall, *result.categories) if row.run == run] for run in runs]
    names = tuple(row.name for row in by_run[0])
    found = [[value_of(row) for row in rows] for rows in by_run]
    shown = f"{title} on each category and on all pairs"
    if len(runs) > MOST_PANELS:
        return Heat(
            name=name,
            title=f"{title}: {axis}",
            caption=captioned(f"{shown}.", INDEX, also, "A dash means that there is nothing to divide by."),
            note=axis,
            labels=tuple(runs),
            series=tuple(Series(label, [rows[at][0] for rows in found]) for at, label in enumerate(names)),
            axes=("category", "run"),
            low=None,
            high=None,
        )
    caption = captioned(f"{shown}, with their intervals, one panel per run.", INDEX, also, OF_INTERVALS)
    panels = (
        Dots(
            title=run,
            labels=names,
            series=(Series(title.lower(), [value for value, _ in rows]),),
            intervals=_intervals(ends for _, ends in rows),
            axis=f"{title.lower()}: {axis}",
            low=None,
            high=None,
            rule=rule,
        )
        for run, rows in zip(runs, found, strict=True)
    )
    return Panels(name=name, title=f"{title}: {axis}", panels=tuple(panels), caption=caption)


@needs(ORIGINALS)
def indices(result: Diagnosis) -> Iterable[Chart]:
    """The distribution of the correlation index over originals, for each run on positive (+) and negative (−) ones.

    For a right original with k of m parts right the index is m/k, on a log scale: at 1 all parts are right too, and
    further to the right ever fewer. Beside the scale are wrong originals with a right part (0), and right and wrong
    ones without any right part (1/0, 0/0), where there is no index. Larger discs stand for more originals.
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
        labels=tuple(f"{run} {'+' if positive else '−'}" for run, positive in places),
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
