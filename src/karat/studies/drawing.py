"""What figures of several studies share: limits, notes, the ranks of runs, and the similarity of rankings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import TypeVar

import numpy as np

from karat.data.charts import Dots, Interval, Line, Lines, Series
from karat.statistics.rank_correlation import best_first, ranks

MOST_ROWS = 60
"""The most rows or points in a figure; of more runs, the best are drawn."""
MOST_LINES = 30
"""The most lines of rankings that can be distinguished."""
D = TypeVar("D", bound=Callable[..., object])


def needs(what: str) -> Callable[[D], D]:
    """Declare what data or options a figure requires, for the message that there is nothing to draw."""

    def mark(draw: D) -> D:
        vars(draw)["needs"] = what
        return draw

    return mark


def best(scores: Mapping[str, float], most: int = MOST_ROWS) -> list[str]:
    """At most `most` runs, best first; those without a score come last."""
    names = list(scores)
    order = best_first(np.array(list(scores.values()), dtype=np.float64)).tolist()
    return [names[place] for place in islice(order, most)]


def of_all(drawn: Sequence[object], runs: int, which: str = "the best ") -> str:
    """The note of a figure that does not show all runs."""
    return f"{which}{len(drawn)} of {runs:,} runs" if len(drawn) < runs else ""


def noted(*parts: str) -> str:
    """The notes of a figure in one line."""
    return "; ".join(filter(None, parts))


def intervals(rows: Iterable[tuple[float, float] | None]) -> tuple[Interval, ...]:
    """Intervals as figures draw them, empty for rows without one."""
    return tuple(Interval() if row is None else Interval(*row) for row in rows)


def places(scores: Mapping[str, float]) -> dict[str, float]:
    """The rank of every run by its score: 1 is the best, tied runs share their mean rank, NaN without a score."""
    return dict(zip(scores, ranks(np.array(list(scores.values()), dtype=np.float64)).tolist(), strict=True))


def place_lines(title: str, rankings: Sequence[tuple[str, Mapping[str, float]]], axes: tuple[str, str]) -> Lines:
    """One line per run through its ranks in several rankings, given as scores; the best runs of the first are drawn."""
    official = rankings[0][1]
    drawn = best(official, MOST_LINES)
    placed = [places(scores) for _, scores in rankings]
    lines = [Line(range(len(rankings)), [there[run] for there in placed], run, "both") for run in drawn]
    known = [place for line in lines for place in line.y if place == place]
    return Lines(
        title=title,
        note=of_all(drawn, len(official)),
        lines=tuple(lines),
        labels=tuple(name for name, _ in rankings),
        axes=axes,
        low=max([2.0, *known]),
        high=1.0,
    )


def tau_dots(rankings: Sequence[tuple[str, float, float]]) -> Iterable[Dots]:
    """The similarity of rankings to the official one, given as name, tau and tau_ap; no chart if all are undefined."""
    by_name = Series("tau", [tau for _, tau, _ in rankings]), Series("tau_ap", [tau_ap for *_, tau_ap in rankings])
    if any(value == value for one in by_name for value in one.values):
        yield Dots(
            title="How alike the rankings are",
            labels=tuple(name for name, *_ in rankings),
            series=by_name,
            axis="likeness to the official ranking",
        )
