"""Figures of an automatic judge."""

from __future__ import annotations

from collections.abc import Iterable

from karat.data.charts import Chart, Dots, Figures, Interval, Series, series
from karat.studies.drawing import MOST_ROWS, best, noted, of_all
from karat.studies.judge.parts import Judge
from karat.studies.judge.result import Judgement


def judge_rates(result: Judgement) -> Iterable[Chart]:
    """The share of each label according to people, and according to the judge before and after correction.

    The correction (PPI++) adjusts the judge's share by the units that people judged too. If the naive share is far from
    the corrected one, the judge alone would be misleading.
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

    Runs are in the order of people's key, the best first. A run that the judge favours is further to the right under
    the judge's key, compared with the other runs.
    """
    for judge in result.judges:
        if judge.ranking is not None:
            rows = {one.run: one for one in judge.ranking.bias}
            drawn = [rows[run] for run in best({run: one.human for run, one in rows.items()})]
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
    """Each run's score under the judge's key minus that under people's, with simultaneous intervals for all runs.

    Right of 0 the judge is lenient with the run, left of 0 severe. A judge that is equally severe with all runs does
    not change the ranking; differences between runs do.
    """
    for judge in result.judges:
        rows = [] if judge.ranking is None else [one for one in judge.ranking.bias if one.bias.value == one.bias.value]
        if not rows:
            continue
        # Of too many runs, those with which it is most lenient and most severe.
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
    return judge.judge if len(result.judges) > 1 else ""


FIGURES: Figures = (judge_rates, judge_scores, judge_bias)
