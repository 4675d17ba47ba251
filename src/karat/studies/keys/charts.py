"""Figures of scores and ranks under other keys."""

from __future__ import annotations

from collections.abc import Iterable

from karat.data.charts import Chart, Dots, Figures, Interval, Series
from karat.studies.drawing import best, noted, of_all, place_lines, places, tau_dots
from karat.studies.keys.result import KeyComparison, RandomRun

RANDOM_KEYS_NOTE = "interval: of the scores under random assessors' labels"


def key_scores(result: KeyComparison) -> Iterable[Chart]:
    """Each run's score under the official key, and its distribution if a random assessor labels every unit.

    Each unit takes the label of one of its assessors, drawn at random many times: the bar covers the central 95 % of
    the scores, unless another level was asked for. An official score outside its bar is unusual under the assessors'
    labels.
    """
    rows = _best(result)
    if result.disputed and any(row.drawn_mean == row.drawn_mean for row in rows):
        yield Dots(
            title=f"{result.measure}, official and under a random assessor's labels",
            note=noted(RANDOM_KEYS_NOTE, of_all(rows, len(result.random.runs))),
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
    """Each run's rank under the official key, and its distribution if a random assessor labels every unit.

    The bar covers the central 95 % of the ranks, unless another level was asked for; 1 is the best. Runs whose bars
    overlap may swap ranks depending on the assessor.
    """
    rows = _best(result)
    if not (result.ranked and result.disputed and any(row.rank == row.rank for row in rows)):
        return
    official = places({row.run: row.official for row in result.random.runs})
    yield Dots(
        title=f"Places by {result.measure} under a random assessor's labels",
        note=noted(RANDOM_KEYS_NOTE, of_all(rows, len(result.random.runs))),
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
    """Each run's rank under every key made from the ballots, starting with the official one; one line per run.

    A level line keeps its rank; lines that cross are runs that swap ranks. Tied runs share a rank. A key that labels
    fewer units may change ranks for that reason alone.
    """
    if result.ranked and len(result.keys) > 1:
        rankings = [(key.name, key.scores) for key in result.keys]
        yield place_lines(f"Places by {result.measure} under each key", rankings, ("key", f"place by {result.measure}"))


def key_tau(result: KeyComparison) -> Iterable[Chart]:
    """How similar the ranking under each key is to the official one: 1 is identical, 0 unrelated.

    tau counts all pairs of runs that swap ranks equally; tau_ap gives more weight to the top of the ranking.
    """
    if result.ranked:
        yield from tau_dots([(key.name, key.tau, key.tau_ap) for key in result.keys])


def _best(result: KeyComparison) -> list[RandomRun]:
    """The runs to draw, best first by the official key."""
    rows = {row.run: row for row in result.random.runs}
    return [rows[run] for run in best({row.run: row.official for row in rows.values()})]


FIGURES: Figures = (key_scores, random_ranks, key_ranks, key_tau)
