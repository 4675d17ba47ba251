"""Charts of nugget scores."""

from __future__ import annotations

from collections.abc import Iterable

from karat.data.charts import Chart, Dots, Figures, Interval, Series
from karat.studies.drawing import needs
from karat.studies.nuggets.result import NuggetScores
from karat.studies.qa.betas import beta_chart


def nugget_scores(result: NuggetScores) -> Iterable[Chart]:
    """The support of vital nuggets of each run with its interval over topics, together with strict support and F.

    A run whose strict support is much lower relies on partial support: it hints at nuggets without stating them. F
    counts partial support as full support, so such a run may have a high F. If F is much lower than support, the
    answers are long for the nuggets they hold.
    """
    runs = sorted(result.runs, key=lambda run: (run.vital != run.vital, -run.vital))
    scores = [
        Series("vital", [run.vital for run in runs]),
        Series("vital, strict", [run.strict_vital for run in runs]),
        Series("F", [run.f for run in runs]),
    ]
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
    """Mean F as a function of β, one line per run, with a mark where two runs change places.

    β is how much more recall counts than precision, and precision falls with the length of an answer: on the left,
    short answers score high; on the right, answers that hold many nuggets, whatever their length. If lines cross near
    the β that was used, the choice of β decides between the runs.
    """
    if result.betas is not None:
        yield beta_chart(result.betas)


FIGURES: Figures = (nugget_scores, beta)
