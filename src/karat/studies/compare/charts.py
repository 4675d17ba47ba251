"""A comparison drawn."""

from __future__ import annotations

from collections.abc import Iterable

from karat.arrays import NAN
from karat.data.charts import Chart, Dots, Figures, Interval, Series
from karat.studies.compare.result import Comparison
from karat.studies.drawing import DRAWN, needs, noted, of_all

KNOTS = "knots on one line: runs that are not significantly different"


def groups(result: Comparison) -> Iterable[Chart]:
    """Each run's value and its interval; runs with knots on one line are not significantly different.

    Only a knot puts a run on a line; past the others the line is dotted. Two runs that have no line in common differ
    significantly, by the paired test and after the correction, or were not tested against each other. The test knows
    more than the intervals, which are of one run each: two runs whose intervals overlap may still differ significantly.
    """
    rows = result.runs[:DRAWN]
    known = [value for row in rows for value in (row.value, *row.interval) if value == value]
    if result.versus != "all" or not known:
        return
    joined = _joined(result.groups or [], [row.run for row in rows])
    yield Dots(
        title=f"{result.measure} and {100 * result.level:g} % interval",
        note=noted(_intervals(result), KNOTS if joined else "", of_all(rows, len(result.runs))),
        labels=tuple(row.run for row in rows),
        series=(Series(result.measure, [row.value for row in rows]),),
        intervals=tuple(Interval(*row.interval) for row in rows),
        axis=result.measure,
        groups=joined,
    )


def _intervals(result: Comparison) -> str:
    """What the intervals are."""
    return f"{100 * result.level:g} % intervals"


def _joined(groups: list[list[str]], drawn: list[str]) -> tuple[tuple[int, ...], ...]:
    """The rows of what is left of the groups among the runs that are drawn, without those that another holds whole."""
    place = {run: at for at, run in enumerate(drawn)}
    left = sorted((sorted(place[run] for run in group if run in place) for group in groups), key=len, reverse=True)
    kept: list[list[int]] = []
    for group in left:
        if len(group) > 1 and not any(set(group) <= set(larger) for larger in kept):
            kept.append(group)
    return tuple(map(tuple, sorted(kept)))


@needs("one run that all are compared with (--versus)")
def differences(result: Comparison) -> Iterable[Chart]:
    """The difference of each run from the one run that all are compared with, and its interval.

    Right of 0 is better. The mark shows the verdict, which is corrected for the number of pairs; the intervals are of
    one difference each and not corrected, so one may leave out 0 though the difference is not significant.
    """
    pairs = result.pairs[:DRAWN]
    known = [value for pair in pairs for value in (pair.difference, *pair.interval) if value == value]
    if result.versus == "all" or not known:
        return
    verdicts = {"significantly different": True, "not significantly different": False, "not tested": None}
    yield Dots(
        title=f"{result.measure} less that of {result.versus}, and {100 * result.level:g} % interval",
        note=noted(f"against {result.versus}", _intervals(result), of_all(pairs, len(result.pairs))),
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
