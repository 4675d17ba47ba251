"""Ratings drawn."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, nan

from karat.data.charts import Bars, Chart, Lines
from karat.data.criteria import Criterion
from karat.studies.base import figure
from karat.studies.justify.result import Justified
from karat.studies.justify.shown import has_zero, numbers_of


@figure("mean-ranks", study="justify", needs="two judges or more, each by name")
def mean_ranks(result: Justified) -> Iterable[Chart]:
    """Where each judge ranks each run on average over pairs, a line a run from judge to judge; 1 is best.

    Level lines that keep apart are judges who agree. Lines that cross are judges who disagree about which of two runs
    gives the better reasons. Runs that share a rank on a pair share the mean of their places.
    """
    judges = result.judges
    for name in judges[0].criteria if len(judges) > 1 else ():
        runs = list(judges[0].criteria[name].mean_ranks)
        series = {run: [judge.criteria[name].mean_ranks[run] for judge in judges] for run in runs}
        last = max(len(runs), 2, *(ceil(rank) for line in series.values() for rank in line if rank == rank))
        yield Lines(
            name=name,
            title=f"Mean rank by judge: {name}",
            series=series,
            x=list(range(len(judges))),
            labels=tuple(judge.judge for judge in judges),
            axes=("judge", "mean rank (1 is best)"),
            low=float(last),
            high=1.0,
            marked=tuple(runs),
        )


@figure("ratings", study="justify")
def ratings(result: Justified) -> Iterable[Chart]:
    """How often each number was given to each run, as a share of its ratings: a panel a run, one scale for all.

    Means hide what is seen here: a run with many 1s and many 5s has the mean of one with 3s alone. A bar at 0 is of
    ratings that were not asked for, because the justification could not be understood.
    """
    for scale in map(Criterion.parse, result.criteria):
        series = {}
        for run in result.runs:
            counts = list(run.criteria[scale.name].distribution.values())
            series[run.run] = [count / sum(counts) if any(counts) else nan for count in counts]
        yield Bars(
            name=scale.name,
            title=f"Ratings given: {scale.name}",
            labels=tuple(numbers_of(result.runs, scale.name)),
            series=series,
            axes=(scale.name + " (0: not asked)" * has_zero(result.runs, scale), "share"),
            high=max((share for shares in series.values() for share in shares if share == share), default=1.0),
        )
