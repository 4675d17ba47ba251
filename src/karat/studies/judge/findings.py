"""What a reader should take away of a judge."""

from __future__ import annotations

from collections.abc import Iterable

from karat.studies.base import finding
from karat.studies.judge.result import Judgement


@finding("judge-ceiling", study="judge")
def ceiling(result: Judgement) -> Iterable[str]:
    """Agreement with people, beside people's own."""
    people = result.people.agreement["observed"].value
    for one in result.judges:
        observed = one.agreement["observed"]
        if observed.value == observed.value:
            beside = f"; people agree with each other on {people:.1%}" if people == people else ""
            yield (
                f"{one.judge} agrees with a person on {observed.value:.1%} of the units "
                f"({observed.low:.1%} to {observed.high:.1%}){beside}."
            )


@finding("judge-replaces", study="judge")
def replaces(result: Judgement) -> Iterable[str]:
    """What the alternative-annotator test says."""
    for one in result.judges:
        test = one.alternative
        if test.passes is not None:
            tested = sum(row.p == row.p for row in test.people)
            replaced = sum(row.replaced for row in test.people)
            verdict = "passes" if test.passes else "does not pass"
            yield (
                f"{one.judge} {verdict} the alternative-annotator test: it may replace {replaced} of {tested} people "
                f"(epsilon {test.epsilon:g})."
            )
            if tested < 3:
                yield f"With {tested} people tested, that is weak evidence; the test was made for three and more."


@finding("judge-rates", study="judge")
def rates(result: Judgement) -> Iterable[str]:
    """Where a share read off the judge would mislead."""
    for one in result.judges:
        for rate in one.rates.labels:
            better = rate.tuned if rate.tuned.value == rate.tuned.value else rate.human
            if better.value == better.value and not better.low <= rate.naive.value <= better.high:
                yield (
                    f"{one.judge} gives {rate.label} to {rate.naive.value:.1%} of the units; by people's labels it is "
                    f"{better.value:.1%} ({better.low:.1%} to {better.high:.1%})."
                )


@finding("judge-bias", study="judge")
def bias(result: Judgement) -> Iterable[str]:
    """Which run the judge favours, and what that does to the ranking."""
    for one in result.judges:
        if one.ranking is None:
            continue
        known = [row for row in one.ranking.bias if row.bias.value == row.bias.value]
        if one.ranking.tau == one.ranking.tau:
            yield f"Its key ranks the runs with tau {one.ranking.tau:.3f} to people's ({one.judge})."
        if known:
            most = max(known, key=lambda row: abs(row.relative))
            yield (
                f"{one.judge} is {'kindest' if most.relative > 0 else 'hardest'} to {most.run}: bias "
                f"{most.bias.value:+.4f} ({most.bias.low:+.4f} to {most.bias.high:+.4f}), {most.relative:+.4f} against "
                "the mean over the runs."
            )


@finding("judge-missing", study="judge")
def missing(result: Judgement) -> Iterable[str]:
    """Verdicts that cannot be read are seldom missing at random."""
    for one in result.judges:
        if one.missing:
            yield f"{one.judge} gave no verdict on {one.missing} units that people judged; nothing is assumed for them."


@finding("judge-adjudicators", study="judge")
def adjudicators(result: Judgement) -> Iterable[str]:
    """Who was asked where others disagreed looks as if he agreed with nobody."""
    for name in result.people.adjudicators:
        yield (
            f"{name} was asked almost only where the others disagreed: agreement and the alternative-annotator test "
            f"against {name} are of hard units alone."
        )
