"""Scores of questions drawn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil

from karat.data.charts import Bars, Box, Boxes, Chart, Dots, Figures, Interval, Series
from karat.studies.drawing import needs
from karat.studies.qa.betas import beta_chart
from karat.studies.qa.result import QuestionAnswering

TENTHS = 10
ROUNDING = 1e-9
"""A score this little above a tenth is that tenth."""


def question_runs(result: QuestionAnswering) -> Iterable[Chart]:
    """The score of each run between the ends of its interval over series, and the parts that it is made of.

    Runs are ranked by the mean over series, or over types where questions stand alone, which has no interval. A part
    that stands far from the score is what a run lives by, or what it lacks.
    """
    ranked = sorted(result.runs, key=lambda run: run.rank, reverse=True)
    scores = (
        Series("score", [run.score for run in ranked]),
        Series("factoid", [run.factoid.score.value for run in ranked]),
        Series("list", [run.list.score.value for run in ranked]),
        Series("other", [run.other.score.value for run in ranked]),
    )
    kept = tuple(one for one in scores if any(value == value for value in one.values))
    alone = all(run.by_series.value != run.by_series.value for run in ranked)
    intervals = tuple(Interval(run.by_series.low, run.by_series.high) for run in ranked)
    if kept:
        yield Dots(
            title="Scores by type" if alone else "Scores by series",
            labels=tuple(run.run for run in ranked),
            series=kept,
            intervals=() if alone else intervals,
            axis="mean over types" if alone else "mean over series",
        )


@needs("two runs or more, and questions that come in series that are scored")
def series(result: QuestionAnswering) -> Iterable[Chart]:
    """The scores of all runs on each series, those with the highest median first.

    Whiskers lead to the lowest and the highest score, the box holds the middle half of the runs, the bar is the median.
    A box at 0 is a series that tells few runs apart; a long one is a series that decides the ranking.
    """
    shown = [box for box in result.series if box.median == box.median]
    shown.sort(key=lambda box: (-box.median, -box.upper))
    if len(result.runs) > 1 and shown:
        yield Boxes(
            title="Scores of all runs, series by series",
            labels=tuple(f"{box.series} {box.target}" for box in shown),
            boxes=tuple(Box(box.low, box.lower, box.median, box.upper, box.high) for box in shown),
            axis="score",
        )


@needs("series, or list or other questions, that are scored")
def question_scores(result: QuestionAnswering) -> Iterable[Chart]:
    """On how many series, lists and other questions a run has which score: a panel a run, one scale for all.

    The first bar is of scores of exactly 0, which a mean hides among low ones; each further bar is of scores up to the
    number below it. Factoids are left out: they have 1 or 0 and nothing between.
    """
    for unit, name in (("series", "series"), ("list", "list questions"), ("other", "other questions")):
        if unit == "series" and not result.series:
            continue
        scores = result.scores(unit)
        if not scores.units:
            continue
        rows = zip(scores.runs, scores.values.tolist(), strict=True)
        yield Bars(
            name=unit,
            title=f"Scores on {name}",
            labels=tuple(f"{place / TENTHS:g}" for place in range(TENTHS + 1)),
            series=tuple(Series(run, _histogram(row)) for run, row in rows),
            axes=("score (0 alone, then up to each number)", name),
        )


def _histogram(scores: Sequence[float]) -> list[float]:
    """How many scores are 0, and how many are in each tenth, its upper end included; the undefined are in none."""
    counts = [0.0] * (TENTHS + 1)
    for score in scores:
        if score == score:
            counts[min(ceil(score * TENTHS - ROUNDING), TENTHS) if score > 0 else 0] += 1
    return counts


@needs("other questions that nuggets score: --nuggets and --matches")
def question_beta(result: QuestionAnswering) -> Iterable[Chart]:
    """Mean F on other questions as recall is made to count more, a line a run; marks where two change places.

    β says how much more recall counts than precision: TREC took 5, then 3. Left, runs that are short and to the point
    stand high; right, those that say everything. Where lines cross near the β that was used, the choice of β chose the
    winner.
    """
    if result.betas is not None:
        yield beta_chart(result.betas)


FIGURES: Figures = (question_runs, series, question_scores, question_beta)
