"""A comparison drawn."""

from __future__ import annotations

from collections.abc import Iterable

from karat.data.charts import Chart, Dots
from karat.render.scale import rounded
from karat.studies.base import figure
from karat.studies.compare.result import Comparison
from karat.studies.places import of_all

DRAWN = 60
"""So many runs are drawn; of more, the best."""
NAN = float("nan")


@figure("groups", study="compare")
def groups(result: Comparison) -> Iterable[Chart]:
    """Each run's value between the ends of its interval; runs that are joined cannot be told apart.

    Two runs that no line joins are told apart, by the paired test and after the correction. Intervals are of one run
    each: of two that overlap the runs may well be told apart.
    """
    rows = result.runs[:DRAWN]
    known = [value for row in rows for value in (row.value, *row.interval) if value == value]
    if result.versus != "all" or not known:
        return
    yield Dots(
        title=f"{result.measure} and {100 * result.level:g} % interval{of_all(rows, len(result.runs))}",
        labels=tuple(row.run for row in rows),
        series={
            result.measure: [row.value for row in rows],
            "low": [row.interval[0] for row in rows],
            "high": [row.interval[1] for row in rows],
        },
        low=min(0.0, *known),
        high=max(1.0, *known),
        ends=("low", "high"),
        groups=_joined(result.groups or [], [row.run for row in rows]),
    )


def _joined(groups: list[list[str]], drawn: list[str]) -> tuple[tuple[str, ...], ...]:
    """What is left of the groups among the runs that are drawn, without those that another holds whole."""
    place = {run: at for at, run in enumerate(drawn)}
    left = sorted((sorted(place[run] for run in group if run in place) for group in groups), key=len, reverse=True)
    kept: list[list[int]] = []
    for group in left:
        if len(group) > 1 and not any(set(group) <= set(larger) for larger in kept):
            kept.append(group)
    return tuple(tuple(drawn[at] for at in group) for group in sorted(kept))


@figure("differences", study="compare")
def differences(result: Comparison) -> Iterable[Chart]:
    """How much better or worse each run is than the one run that all are held against, with its interval.

    Right of 0 is better. The mark tells the verdict, which is corrected for the number of runs; the intervals are of
    one difference each and not corrected, so one may leave out 0 though the run is not told apart.
    """
    pairs = result.pairs[:DRAWN]
    known = [value for pair in pairs for value in (pair.difference, *pair.interval) if value == value]
    if result.versus == "all" or not known:
        return
    verdicts = {"told apart": True, "not told apart": False}
    low, high = rounded(min(0.0, *known), max(0.0, *known)) if any(known) else (-1.0, 1.0)
    yield Dots(
        title=f"{result.measure} less that of {result.versus}, and {100 * result.level:g} % interval"
        + of_all(pairs, len(result.pairs)),
        labels=tuple(pair.a for pair in pairs),
        series={
            **{
                verdict: [pair.difference if pair.different == apart else NAN for pair in pairs]
                for verdict, apart in verdicts.items()
                if any(pair.different == apart for pair in pairs)
            },
            "low": [pair.interval[0] for pair in pairs],
            "high": [pair.interval[1] for pair in pairs],
        },
        low=low,
        high=high,
        ends=("low", "high"),
        rule=0.0,
    )
