"""Figures of a comparison."""

from __future__ import annotations

from collections.abc import Iterable

from karat.arrays import NAN
from karat.data.charts import Chart, Dots, Figures, Interval, Series
from karat.studies.compare.result import Comparison
from karat.studies.drawing import MOST_ROWS, needs, noted, of_all

KNOTS = "knots on one line: runs that are not significantly different"


def groups(result: Comparison) -> Iterable[Chart]:
    """Each run's value and its interval; runs with knots on one line are not significantly different.

    A run belongs to a line only if it has a knot on it; where it has none, the line is dotted. Two runs with no line in
    common differ significantly, by the paired test and after correction, or were not tested against each other. The
    test uses more than the intervals, which are of one run each: two runs with overlapping intervals may still differ
    significantly.
    """
    rows = result.runs[:MOST_ROWS]
    known = [value for row in rows for value in (row.value, *row.interval) if value == value]
    if result.versus != "all" or not known:
        return
    joined = _joined(result.groups or [], [row.run for row in rows])
    yield Dots(
        title=f"{result.measure} and {result.percent} interval",
        note=noted(f"{result.percent} intervals", KNOTS if joined else "", of_all(rows, len(result.runs))),
        labels=tuple(row.run for row in rows),
        series=(Series(result.measure, [row.value for row in rows]),),
        intervals=tuple(Interval(*row.interval) for row in rows),
        axis=result.measure,
        groups=joined,
    )


def _joined(groups: list[list[str]], drawn: list[str]) -> tuple[tuple[int, ...], ...]:
    """The rows of each group among the runs drawn, without groups that are part of another."""
    place = {run: at for at, run in enumerate(drawn)}
    left = sorted((sorted(place[run] for run in group if run in place) for group in groups), key=len, reverse=True)
    kept: list[list[int]] = []
    for group in left:
        if len(group) > 1 and not any(set(group) <= set(larger) for larger in kept):
            kept.append(group)
    return tuple(map(tuple, sorted(kept)))


@needs("one run that all are compared with (--versus)")
def differences(result: Comparison) -> Iterable[Chart]:
    """The difference of each run from the run that all are compared with, and its interval.

    Right of 0 is better. The marker shows the verdict, which is corrected for the number of pairs; the intervals are
    not corrected, so one may exclude 0 although the difference is not significant.
    """
    pairs = result.pairs[:MOST_ROWS]
    known = [value for pair in pairs for value in (pair.difference, *pair.interval) if value == value]
    if result.versus == "all" or not known:
        return
    verdicts = {"significantly different": True, "not significantly different": False, "not tested": None}
    yield Dots(
        title=f"{result.measure} less that of {result.versus}, and {result.percent} interval",
        note=noted(f"against {result.versus}", f"{result.percent} intervals", of_all(pairs, len(result.pairs))),
        labels=tuple(pair.a for pair in pairs),
        series=tuple(
            Series(verdict, [pair.difference if pair.different is different else NAN for pair in pairs])
            for verdict, different in verdicts.items()
            if any(pair.different is different for pair in pairs)
        ),
        intervals=tuple(Interval(*pair.interval) for pair in pairs),
        axis=f"difference in {result.measure}",
        low=None,
        high=None,
        rule=0.0,
    )


FIGURES: Figures = (groups, differences)
