"""What figures of several studies share: how many are drawn, places of runs in rankings, and how alike rankings are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import TypeVar

import numpy as np

from karat.data.charts import Dots, Interval, Line, Lines, Series
from karat.statistics.rank_correlation import best_first, ranks

DRAWN = 60
"""So many rows or points are drawn, and named; of more, the best."""
LINES = 30
"""So many lines can be told apart."""
D = TypeVar("D", bound=Callable[..., object])


def needs(what: str) -> Callable[[D], D]:
    """Say beside a figure what the data or the call must have; it is told where there is nothing to draw."""

    def mark(draw: D) -> D:
        vars(draw)["needs"] = what
        return draw

    return mark


def best(scores: Mapping[str, float], most: int = DRAWN) -> list[str]:
    """So many runs, best first; those without a score come last."""
    names = list(scores)
    order = best_first(np.array(list(scores.values()), dtype=np.float64)).tolist()
    return [names[place] for place in islice(order, most)]


def of_all(drawn: Sequence[object], runs: int, which: str = "the best ") -> str:
    """What a figure notes where not all runs are drawn."""
    return f"{which}{len(drawn)} of {runs:,} runs" if len(drawn) < runs else ""


def noted(*parts: str) -> str:
    """What a figure has to note, as one line."""
    return "; ".join(filter(None, parts))


def intervals(rows: Iterable[tuple[float, float] | None]) -> tuple[Interval, ...]:
    """Intervals as figures have them; of a row without one, none."""
    return tuple(Interval() if row is None else Interval(*row) for row in rows)


def places(scores: Mapping[str, float]) -> dict[str, float]:
    """The place of every run by its score; 1 is the best, tied runs share the mean of theirs, NaN without a score."""
    return dict(zip(scores, ranks(np.array(list(scores.values()), dtype=np.float64)).tolist(), strict=True))


def place_lines(title: str, rankings: Sequence[tuple[str, Mapping[str, float]]], axes: tuple[str, str]) -> Lines:
    """A line a run through its places in some rankings, which are given by their scores; the first chooses the runs."""
    official = rankings[0][1]
    drawn = best(official, LINES)
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
    """How alike some rankings are to the official one, by their names, tau and tau_ap; nothing where none is known."""
    by_name = Series("tau", [tau for _, tau, _ in rankings]), Series("tau_ap", [tau_ap for *_, tau_ap in rankings])
    if any(value == value for one in by_name for value in one.values):
        yield Dots(
            title="How alike the rankings are",
            labels=tuple(name for name, *_ in rankings),
            series=by_name,
            axis="likeness to the official ranking",
        )
