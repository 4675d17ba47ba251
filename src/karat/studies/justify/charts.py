"""Ratings drawn."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from math import ceil, nan

from karat.data.charts import Bars, Chart, Figures, Line, Lines, Series
from karat.data.criteria import Criterion
from karat.studies.drawing import needs
from karat.studies.justify.parts import RatedRun
from karat.studies.justify.result import Justified


@needs("two judges or more, each by name")
def mean_ranks(result: Justified) -> Iterable[Chart]:
    """Where each judge ranks each run on average over pairs, a line a run from judge to judge; 1 is best.

    Level lines that keep apart are judges who agree. Lines that cross are judges who disagree about which of two runs
    gives the better reasons. Runs that share a rank on a pair share the mean of their places.
    """
    judges = result.judges
    for name in judges[0].criteria if len(judges) > 1 else ():
        runs = list(judges[0].criteria[name].mean_ranks)
        ranks = {run: [judge.criteria[name].mean_ranks[run] for judge in judges] for run in runs}
        last = max(len(runs), 2, *(ceil(rank) for line in ranks.values() for rank in line if rank == rank))
        yield Lines(
            name=name,
            title=f"Mean rank by judge: {name}",
            note=name,
            lines=tuple(Line(range(len(judges)), line, run, "both") for run, line in ranks.items()),
            labels=tuple(judge.judge for judge in judges),
            axes=("judge", "mean rank (1 is best)"),
            low=float(last),
            high=1.0,
        )


def ratings(result: Justified) -> Iterable[Chart]:
    """How often each number was given to each run, as a share of its ratings: a panel a run, one scale for all.

    Means hide what is seen here: a run with many 1s and many 5s has the mean of one with 3s alone. A bar at 0 is of
    ratings that were not asked for, because the justification could not be understood.
    """
    for scale in map(Criterion.parse, result.criteria):
        shares = []
        for run in sorted(result.runs, key=partial(_down, criterion=scale.name)):
            counts = list(run.criteria[scale.name].distribution.values())
            shares.append(Series(run.run, [count / sum(counts) if any(counts) else nan for count in counts]))
        yield Bars(
            name=scale.name,
            title=f"Ratings given: {scale.name}",
            labels=tuple(result.numbers_of(scale.name)),
            series=tuple(shares),
            axes=(scale.name + " (0: not asked)" * result.has_zero(scale), "share"),
        )


def _down(run: RatedRun, criterion: str) -> tuple[bool, float]:
    """The order of the table: the highest mean first, what has none last."""
    mean = run.criteria[criterion].mean.value
    return mean != mean, -mean


FIGURES: Figures = (mean_ranks, ratings)
