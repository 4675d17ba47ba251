"""What a reader should take away about a judge."""

from __future__ import annotations

from collections.abc import Iterable

from karat.arrays import DISPLAY_TOLERANCE
from karat.data.result import Finding, Findings, headline
from karat.studies.judge.parts import Bias
from karat.studies.judge.result import Judgement
from karat.studies.wording import ALPHA, counted

MOST_NAMED = 3
"""The most runs named in a sentence."""


def agreement(result: Judgement) -> Iterable[Finding]:
    """The judge's agreement with people, and people's agreement with each other."""
    people = result.people.coefficients["agreement"].value
    for one in result.judges:
        observed = one.coefficients["agreement"]
        if observed.value == observed.value:
            beside = f"; people agree with each other on {people:.1%}" if people == people else ""
            ends = f" ({observed.low:.1%} to {observed.high:.1%})" if observed.low == observed.low else ""
            yield headline(f"{one.judge} agrees with a person on {observed.value:.1%} of the units{ends}{beside}.")


def replaces(result: Judgement) -> Iterable[Finding]:
    """The outcome of the alternative-annotator test."""
    for one in result.judges:
        test = one.alternative
        if test.passes is not None:
            many = counted(test.tested, "person", "people")
            replaced = sum(row.replaced for row in test.people)
            verdict = "passes" if test.passes else "does not pass"
            yield headline(
                f"{one.judge} {verdict} the alternative-annotator test: it may replace {replaced} of {many} "
                f"(epsilon {test.epsilon:g})."
            )
            if test.tested < 3:
                yield headline(f"With {many} tested, that is weak evidence; the test was made for three and more.")


def rates(result: Judgement) -> Iterable[Finding]:
    """Labels whose share according to the judge is significantly wrong, over the labels of all judges."""
    for one in result.judges:
        labels = one.rates.labels
        for rate in labels[1:] if len(labels) == 2 else labels:  # the shares of two labels are complementary
            better = rate.tuned if rate.tuned.value == rate.tuned.value else rate.human
            if rate.p <= ALPHA and better.value == better.value and not better.low <= rate.naive.value <= better.high:
                units = one.rates.labelled + one.rates.unlabelled
                some = f" on {one.rates.labelled} of them" if one.rates.unlabelled else ""
                by = "corrected by" if better is rate.tuned else "by"
                yield Finding(
                    f"{one.judge} gives {rate.label} to {rate.naive.value:.1%} of {counted(units, 'unit')}; {by} "
                    f"people's labels{some} the share is {better.value:.1%} ({better.low:.1%} to {better.high:.1%})."
                )


def bias(result: Judgement) -> Iterable[Finding]:
    """Which runs the judge favours, by simultaneous intervals over all runs and judges."""
    for one in result.judges:
        if one.ranking is None:
            continue
        if one.ranking.tau == one.ranking.tau:
            tau = f"tau {one.ranking.tau:.3f} with people's ranking"
            yield Finding(f"Ranked by the key of {one.judge}, the runs have {tau}.")
        kinder = [row for row in one.ranking.bias if row.relative.low > DISPLAY_TOLERANCE]
        harder = [row for row in one.ranking.bias if row.relative.high < -DISPLAY_TOLERANCE]
        for kind, to, rows in (("kinder", "to", kinder), ("harder", "on", harder)):
            if rows:
                rows.sort(key=lambda row: -abs(row.relative.value))
                named = "; ".join(_with_interval(row) for row in rows[:MOST_NAMED])
                more = f" and {len(rows) - MOST_NAMED} more" if len(rows) > MOST_NAMED else ""
                text = f"{one.judge} is {kind} {to} {named}{more} than {to} the average run."
                yield Finding(text, [row.run for row in rows])


def _with_interval(row: Bias) -> str:
    one = row.relative
    return f"{row.run} ({one.value:+.4f}, {one.low:+.4f} to {one.high:+.4f})"


def missing(result: Judgement) -> Iterable[Finding]:
    """Missing verdicts, which are seldom missing at random."""
    for one in result.judges:
        if one.missing:
            units = counted(one.missing, "unit")
            yield Finding(f"{one.judge} gave no verdict on {units} that people judged; nothing is assumed there.")


def adjudicators(result: Judgement) -> Iterable[Finding]:
    """People who were asked mainly about disputed units, so that they seem to agree with nobody."""
    for name in result.people.adjudicators:
        yield Finding(
            f"{name} was asked almost only where the others disagreed: agreement and the alternative-annotator test "
            f"against {name} are of hard units alone."
        )


FINDINGS: Findings = (agreement, replaces, rates, bias, missing, adjudicators)
