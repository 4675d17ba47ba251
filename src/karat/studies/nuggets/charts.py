"""Scores of nuggets drawn."""

from __future__ import annotations

from collections.abc import Iterable

from karat.data.charts import Chart, Dots, Figures, Interval, Series
from karat.studies.drawing import needs
from karat.studies.nuggets.result import NuggetScores
from karat.studies.qa.betas import beta_chart


def nugget_scores(result: NuggetScores) -> Iterable[Chart]:
    """Each run's support of vital nuggets with its interval over topics; strict support and F beside it.

    Where strict support stands far left, a run lives on partial support: it hints at things and does not say them.
    F takes partial support for whole, so such a run may have a high F. Where F stands far left of support, answers are
    long for what they hold.
    """
    runs = sorted(result.runs, key=lambda run: (run.vital != run.vital, -run.vital))
    shown = {"vital": "vital", "vital, strict": "strict_vital", "F": "f"}
    scores = [Series(name, [float(getattr(run, score)) for run in runs]) for name, score in shown.items()]
    kept = tuple(one for one in scores if any(value == value for value in one.values))
    if kept:
        yield Dots(
            title="Support of vital nuggets, best first",
            labels=tuple(run.run for run in runs),
            series=kept,
            intervals=tuple(Interval(run.interval["vital"].low, run.interval["vital"].high) for run in runs),
            axis="score",
        )


@needs("answers whose length is known: --answers, or assignments with their texts")
def beta(result: NuggetScores) -> Iterable[Chart]:
    """Mean F as recall is made to count more than precision, a line a run; marks where two change places.

    Precision falls with length: left, short answers stand high; right, those that hold every nugget, at any length.
    Where lines cross near the β that was used, the choice of β chose the winner.
    """
    if result.betas is not None:
        yield beta_chart(result.betas)


FIGURES: Figures = (nugget_scores, beta)
