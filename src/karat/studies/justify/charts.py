"""Charts of ratings."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, nan

from karat.data.charts import Bars, Chart, Figures, Line, Lines, Series
from karat.data.criteria import Criterion
from karat.studies.drawing import needs
from karat.studies.justify.result import Justified


@needs("two judges or more, each by name")
def mean_ranks(result: Justified) -> Iterable[Chart]:
    """The mean rank of each run over pairs by each judge, one line per run; 1 is best.

    If judges agree, the lines are level and do not cross. Where two lines cross, judges disagree about which of the two
    runs gives better reasons. Runs that are tied on a pair share the mean of their ranks.
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
    """The distribution of the ratings of each run, as shares: one panel per run, on one scale.

    Means hide this: a run with many 1s and many 5s may have the same mean as a run with 3s only. A bar at 0 counts
    ratings that were not asked for because the justification could not be understood.
    """
    for scale in map(Criterion.parse, result.criteria):
        shares = []
        for run in result.ranked(scale.name):
            counts = list(run.criteria[scale.name].distribution.values())
            shares.append(Series(run.run, [count / sum(counts) if any(counts) else nan for count in counts]))
        yield Bars(
            name=scale.name,
            title=f"Ratings given: {scale.name}",
            labels=tuple(result.numbers_of(scale.name)),
            series=tuple(shares),
            axes=(scale.name + " (0: not asked)" * result.has_zero(scale), "share"),
        )


FIGURES: Figures = (mean_ranks, ratings)
