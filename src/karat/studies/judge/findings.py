"""What a reader should take away about a judge: sentences and figures."""

from __future__ import annotations

from collections.abc import Iterable

from karat.data.charts import Chart, Dots, Figures, series
from karat.data.fields import readable, written
from karat.data.result import Finding, Findings, headline
from karat.studies.judge.parts import Judge
from karat.studies.judge.result import Judgement
from karat.studies.leniency import bias_dots, leniency
from karat.studies.rankings import best
from karat.studies.wording import (
    ALPHA,
    begun,
    counted,
    few_clusters,
    listed,
    noted,
    of_all,
    part_of,
    per_cent,
)

FEWEST_PEOPLE = 3
"""The alternative-annotator test was made for at least so many people."""


def agreement(result: Judgement) -> Iterable[Finding]:
    """The judges' agreement with people, and people's agreement with each other, in one sentence."""
    people = result.people.coefficients["agreement"].value
    shares: list[str] = []
    for one in result.judges:
        observed = one.coefficients["agreement"]
        if observed.value == observed.value:
            ends = f"{per_cent(observed.low)} to {per_cent(observed.high)}"
            known = f" ({f'{result.percent} CI ' * (not shares)}{ends})" if observed.low == observed.low else ""
            verb, units = ("", "") if shares else ("agrees with a person ", " of the units")
            shares.append(f"{one.judge} {verb}on {per_cent(observed.value)}{units}{known}")
    if shares:
        beside = f"; people agree with each other on {per_cent(people)}" if people == people else ""
        yield headline(f"{listed(shares)}{beside}.")


def replaces(result: Judgement) -> Iterable[Finding]:
    """The outcome of the alternative-annotator test, once for all judges with the same one."""
    outcomes: dict[tuple[bool, int, int, float], list[str]] = {}
    for one in result.judges:
        test = one.alternative
        if test.passes is not None:
            replaced = sum(row.replaced for row in test.people)
            outcomes.setdefault((test.passes, replaced, test.tested, test.epsilon), []).append(one.judge)
    for (passes, replaced, tested, epsilon), judges in outcomes.items():
        verdict, who = ("pass" if passes else "fail"), "it" if len(judges) == 1 else "each"
        verdict += ("es" if passes else "s") * (len(judges) == 1)
        whom = part_of(replaced, tested, "person", "people")
        may = f"{who} may replace {whom} (epsilon {epsilon:g})"
        yield headline(f"{listed(judges)} {verdict} the alternative-annotator test: {may}.")
    for tested in dict.fromkeys(tested for _, _, tested, _ in outcomes if tested < FEWEST_PEOPLE):
        many = counted(tested, "person", "people")
        yield headline(f"With only {many} tested, this is weak evidence; the test is meant for three or more.")


def rates(result: Judgement) -> Iterable[Finding]:
    """Labels whose share according to the judge is significantly wrong, over the labels of all judges."""
    for one in result.judges:
        labels = one.rates.labels
        for rate in labels[1:] if len(labels) == 2 else labels:  # the shares of two labels are complementary
            better = rate.tuned if rate.tuned.value == rate.tuned.value else rate.human
            if rate.p <= ALPHA and better.value == better.value and not better.low <= rate.naive.value <= better.high:
                units = one.rates.labelled + one.rates.unlabelled
                some = f" on {one.rates.labelled} of them" if one.rates.unlabelled else ""
                by = f"corrected by people's labels{some}" if better is rate.tuned else f"by people's labels{some}"
                yield Finding(
                    f"{one.judge} gives {rate.label} to {per_cent(rate.naive.value)} of {counted(units, 'unit')}, "
                    f"significantly {'more' if rate.naive.value > better.value else 'less'} often than people; {by}, "
                    f"the share is {per_cent(better.value)} ({result.percent} CI {per_cent(better.low)} to "
                    f"{per_cent(better.high)})."
                )


def bias(result: Judgement) -> Iterable[Finding]:
    """Which runs the judge favours, by simultaneous intervals over all runs and judges."""
    for one in result.judges:
        if one.ranking is None:
            continue
        if one.ranking.tau == one.ranking.tau:
            ranking = f"The ranking of the runs by {one.judge}'s key has a tau of {written(one.ranking.tau, 3)}"
            yield Finding(f"{ranking} with the ranking by people's key.")
        yield from leniency(one.judge, one.ranking.bias, result.in_points)


def missing(result: Judgement) -> Iterable[Finding]:
    """Missing verdicts, which are seldom missing at random."""
    judges = [one for one in result.judges if one.missing]
    if judges:
        first, *others = judges
        units = f"{first.judge} gave no verdict on {counted(first.missing, 'unit')} that people judged"
        more = [f"{one.judge} on {one.missing:,}" for one in others]
        left_out = "this unit is" if not others and first.missing == 1 else "these units are"
        yield Finding(f"{', '.join([units, *more])}; {left_out} left out.")


def adjudicators(result: Judgement) -> Iterable[Finding]:
    """People who were asked mainly about disputed units, so that they seem to agree with nobody."""
    for name in result.people.adjudicators:
        yield Finding(
            f"{name} was asked almost only where the others disagreed, so agreement with {name} and the "
            f"alternative-annotator test against {name} reflect hard units only."
        )


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
                unit="%",
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
                    title=f"{begun(readable(judge.ranking.measure))} under both keys, {judge.judge}",
                    note=noted(f"judge: {judge.judge}", of_all(drawn, len(rows))),
                    labels=tuple(one.run for one in drawn),
                    series=series(marks),
                    axis=readable(judge.ranking.measure),
                    unit=result.in_percent,
                )


def judge_bias(result: Judgement) -> Iterable[Chart]:
    """Each run's score under the judge's key minus that under people's, with simultaneous intervals for all runs.

    Right of 0 the judge is lenient with the run, left of 0 severe. A judge that is equally severe with all runs does
    not change the ranking; differences between runs do.
    """
    for judge in result.judges:
        if judge.ranking is not None:
            axis = "score under the judge's key minus score under people's key"
            yield from bias_dots(judge.judge, judge.ranking.bias, axis, result.in_points, _name(judge, result))


def _name(judge: Judge, result: Judgement) -> str:
    return judge.judge if len(result.judges) > 1 else ""


def clusters(result: Judgement) -> Iterable[Finding]:
    """That clusters are few."""
    yield from few_clusters(result.clusters)


FINDINGS: Findings = (agreement, replaces, rates, bias, missing, adjudicators, clusters)
FIGURES: Figures = (judge_rates, judge_scores, judge_bias)
