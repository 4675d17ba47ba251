"""An automatic judge drawn."""

from __future__ import annotations

from collections.abc import Iterable

from karat.data.charts import Chart, Dots, Figures, Interval, Series, series
from karat.studies.drawing import MOST_ROWS, best, noted, of_all
from karat.studies.judge.parts import Judge
from karat.studies.judge.result import Judgement


def judge_rates(result: Judgement) -> Iterable[Chart]:
    """How often each label is the right one: as people say, as the judge says, and as the judge says corrected.

    The correction (PPI++) takes the judge's share and mends it by the units that people have seen too. Where the naive
    share is far from the corrected one, the judge alone would have misled.
    """
    for judge in result.judges:
        rates = judge.rates.labels
        shares = {
            "people": [rate.human.value for rate in rates],
            "naive": [rate.naive.value for rate in rates],
            "corrected": [rate.tuned.value for rate in rates],
        }
        if any(value == value for values in shares.values() for value in values):
            yield Dots(
                name=_name(judge, result),
                title=f"Share of each label, {judge.judge}",
                note=f"judge: {judge.judge}",
                labels=tuple(rate.label for rate in rates),
                series=series(shares),
                axis="share of units with the label",
            )


def judge_scores(result: Judgement) -> Iterable[Chart]:
    """Each run's score under people's key and under the judge's.

    Runs are in the order of people's key, the best first. A run that the judge favours stands further right under its
    key than others do.
    """
    for judge in result.judges:
        if judge.ranking is not None:
            rows = {one.run: one for one in judge.ranking.bias}
            drawn = [rows[run] for run in best({run: one.human for run, one in rows.items()}, MOST_ROWS)]
            marks = {"people's key": [one.human for one in drawn], "judge's key": [one.judge for one in drawn]}
            if any(value == value for values in marks.values() for value in values):
                yield Dots(
                    name=_name(judge, result),
                    title=f"{judge.ranking.measure} under both keys, {judge.judge}",
                    note=noted(f"judge: {judge.judge}", of_all(drawn, len(rows))),
                    labels=tuple(one.run for one in drawn),
                    series=series(marks),
                    axis=judge.ranking.measure,
                )


def judge_bias(result: Judgement) -> Iterable[Chart]:
    """How much better each run looks under the judge's key than under people's, with intervals for all runs at once.

    Right of 0 the judge is kind to the run, left of 0 hard on it. A judge that is equally hard on all runs changes no
    ranking: differences between runs do.
    """
    for judge in result.judges:
        rows = [] if judge.ranking is None else [one for one in judge.ranking.bias if one.bias.value == one.bias.value]
        if not rows:
            continue
        # Of too many runs, those it is kindest to and hardest on.
        rows.sort(key=lambda one: -one.bias.value)
        half = MOST_ROWS // 2
        drawn = rows if len(rows) <= MOST_ROWS else [*rows[:half], *rows[-half:]]
        yield Dots(
            name=_name(judge, result),
            title=f"Bias of {judge.judge} for each run",
            note=noted(f"judge: {judge.judge}", of_all(drawn, len(rows), "")),
            labels=tuple(one.run for one in drawn),
            series=(Series("bias", [one.bias.value for one in drawn]),),
            intervals=tuple(Interval(one.bias.low, one.bias.high) for one in drawn),
            axis="score under the judge's key less that under people's",
            low=None,
            high=None,
            rule=0.0,
        )


def _name(judge: Judge, result: Judgement) -> str:
    """What tells a judge's figure from those of others."""
    return judge.judge if len(result.judges) > 1 else ""


FIGURES: Figures = (judge_rates, judge_scores, judge_bias)
