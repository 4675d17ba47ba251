"""What other keys do to runs, drawn."""

from __future__ import annotations

from collections.abc import Iterable

from karat.data.charts import Chart, Dots, Figures, Interval, Series
from karat.studies.drawing import best, noted, of_all, place_lines, places, tau_dots
from karat.studies.keys.result import KeyComparison, RandomRun

DRAWS = "interval: of the scores under random assessors' labels"


def key_scores(result: KeyComparison) -> Iterable[Chart]:
    """Each run's score under the official key, and where it falls if a random assessor labels every unit.

    Every unit takes the label of one of its assessors, drawn at random, many times over: the bar holds the middle of
    the scores so drawn, 95 % of them unless another level was asked for. An official score outside its bar is one that
    the assessors' labels seldom give.
    """
    rows = _best(result)
    if result.disputed and any(row.drawn_mean == row.drawn_mean for row in rows):
        yield Dots(
            title=f"{result.measure}, official and under a random assessor's labels",
            note=noted(DRAWS, of_all(rows, len(result.random.runs))),
            labels=tuple(row.run for row in rows),
            series=(
                Series("official", [row.official for row in rows]),
                Series("mean of the draws", [row.drawn_mean for row in rows]),
            ),
            intervals=tuple(Interval(row.low, row.high) for row in rows),
            axis=result.measure,
            low=result.range[0],
            high=result.range[1],
        )


def random_ranks(result: KeyComparison) -> Iterable[Chart]:
    """Each run's place under the official key, and where it falls if a random assessor labels every unit.

    The bar holds the middle of the places so drawn, 95 % of them unless another level was asked for; 1 is the best.
    Runs whose bars overlap may change places with who is asked.
    """
    rows = _best(result)
    if not (result.ranked and result.disputed and any(row.rank == row.rank for row in rows)):
        return
    official = places({row.run: row.official for row in result.random.runs})
    yield Dots(
        title=f"Places by {result.measure} under a random assessor's labels",
        note=noted(DRAWS, of_all(rows, len(result.random.runs))),
        labels=tuple(row.run for row in rows),
        series=(
            Series("official", [official[row.run] for row in rows]),
            Series("mean of the draws", [row.rank for row in rows]),
        ),
        intervals=tuple(Interval(row.rank_low, row.rank_high) for row in rows),
        axis=f"place by {result.measure}",
        low=1.0,
        high=None,
    )


def key_ranks(result: KeyComparison) -> Iterable[Chart]:
    """Each run's place under every key that the ballots give, the official one first.

    A line that is level keeps its place; lines that cross are runs that change places. Tied runs share a place. A key
    that labels fewer units moves runs by that, too.
    """
    if result.ranked and len(result.keys) > 1:
        rankings = [(key.name, key.scores) for key in result.keys]
        yield place_lines(f"Places by {result.measure} under each key", rankings, ("key", f"place by {result.measure}"))


def key_tau(result: KeyComparison) -> Iterable[Chart]:
    """How alike the ranking under each key is to the official one: 1 is the same, 0 is none.

    tau counts every two runs that change places alike; tau_ap minds most what happens at the top.
    """
    if result.ranked:
        yield from tau_dots([(key.name, key.tau, key.tau_ap) for key in result.keys])


def _best(result: KeyComparison) -> list[RandomRun]:
    """The runs that are drawn, officially best first."""
    rows = {row.run: row for row in result.random.runs}
    return [rows[run] for run in best({row.run: row.official for row in rows.values()})]


FIGURES: Figures = (key_scores, random_ranks, key_ranks, key_tau)
