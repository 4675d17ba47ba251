"""Places of runs in rankings, as figures have them: 1 is the best, and tied runs share the mean of their places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

import numpy as np

from karat.data.charts import Lines
from karat.statistics.rank_correlation import best_first, ranks

DRAWN = 30
"""So many runs are drawn; of more, the best."""


def places(scores: Mapping[str, float]) -> dict[str, float]:
    """The place of every run by its score; NaN for a run without one."""
    return dict(zip(scores, ranks(np.array(list(scores.values()), dtype=np.float64)).tolist(), strict=True))


def best(scores: Mapping[str, float], most: int = DRAWN) -> list[str]:
    """So many runs, best first; those without a score come last."""
    names = list(scores)
    order = best_first(np.array(list(scores.values()), dtype=np.float64)).tolist()
    return [names[place] for place in islice(order, most)]


def of_all(drawn: Sequence[object], runs: int) -> str:
    """What a title says where not all runs are drawn."""
    return f", the best {len(drawn)} of {runs:,} runs" if len(drawn) < runs else ""


def place_lines(title: str, rankings: Mapping[str, Mapping[str, float]], axis: str) -> Lines:
    """A line a run through its places in some rankings, which are given by their scores; the first chooses the runs."""
    official = next(iter(rankings.values()))
    drawn = best(official)
    placed = [places(scores) for scores in rankings.values()]
    series = {run: [there[run] for there in placed] for run in drawn}
    known = [place for line in series.values() for place in line if place == place]
    return Lines(
        title=title + of_all(drawn, len(official)),
        series=series,
        x=range(len(rankings)),
        labels=tuple(rankings),
        axes=(axis, "place"),
        low=max([2.0, *known]),
        high=1.0,
        marked=tuple(series),
    )
