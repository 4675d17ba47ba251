"""Charts of question answering."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil

from karat.arrays import DISPLAY_TOLERANCE
from karat.data.charts import Bars, Box, Boxes, Chart, Dots, Figures, Interval, Series
from karat.studies.drawing import needs
from karat.studies.qa.betas import beta_chart
from karat.studies.qa.result import QuestionAnswering

TENTHS = 10
"""Bars of the histogram of scores above 0."""


def question_runs(result: QuestionAnswering) -> Iterable[Chart]:
    """The score of each run with its interval over series, and its scores by type of question.

    Runs are ranked by the mean over series, or, if there are no series, by the mean over types, which has no interval.
    A type whose score is far from that of the run is a strength or a weakness of the run.
    """
    ranked = result.ranked
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
    """The scores of all runs on each series, the series with the highest median first.

    The whiskers extend to the lowest and the highest score, the box covers the middle half of the runs, and the bar is
    the median. A series with a box at 0 discriminates between few runs; one with a long box determines the ranking.
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
    """The distribution of scores on series, list questions and other questions: one panel per run, on one scale.

    The first bar counts scores of exactly 0, which a mean does not distinguish from low ones; every other bar counts
    scores up to the number below it. Factoid questions are left out: they score either 0 or 1.
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
    """How many scores are 0, and how many lie in each tenth, upper end included; undefined ones are ignored."""
    counts = [0.0] * (TENTHS + 1)
    for score in scores:
        if score == score:
            counts[min(ceil(score * TENTHS - DISPLAY_TOLERANCE), TENTHS) if score > 0 else 0] += 1
    return counts


@needs("other questions that nuggets score: --nuggets and --matches")
def question_beta(result: QuestionAnswering) -> Iterable[Chart]:
    """Mean F on other questions as a function of β, one line per run, with a mark where two runs change places.

    β is how much more recall counts than precision: TREC used 5, then 3. On the left, runs with short and precise
    answers score high; on the right, runs with complete ones. If lines cross near the β that was used, the choice of β
    decides between the runs.
    """
    if result.betas is not None:
        yield beta_chart(result.betas)


FIGURES: Figures = (question_runs, series, question_scores, question_beta)
