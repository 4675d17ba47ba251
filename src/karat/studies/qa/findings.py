"""What a reader of question-answering scores should take away."""

from __future__ import annotations

from collections.abc import Iterable

from karat.data.result import Finding, Findings, headline
from karat.studies.qa.result import QaRun, QuestionAnswering
from karat.studies.ranking_change import leaders
from karat.studies.wording import listed

SKEWED = 0.5
"""From this share of zero medians on, scores are said to be skewed."""
OFTEN = 5
"""From so many NILs on, their precision says something."""


def best(result: QuestionAnswering) -> Iterable[Finding]:
    """Who is first, and whether the other way to put scores together agrees."""
    scores = {run.run: run.score for run in result.runs if run.score == run.score}
    if len(scores) > 1:
        how = " by series" if result.series else ""
        first = leaders(scores)
        value = f"({scores[first[0]]:.3f})"
        if len(first) > 1:
            yield headline(f"{listed(first)} share the highest score{how} {value}.", first)
        else:
            yield headline(f"{first[0]} scores highest{how} {value}; `karat compare` tells how surely.", first)
    change = result.aggregations
    if change is not None and change.swaps:
        one = change.swaps[0]
        more = len(change.swaps) - 1
        others = f", and {more} more pair{'s' * (more > 1)} change places" if more else ""
        tau = f"tau between the rankings is {change.tau:.3f}"
        yield headline(f"By type of question {one.b} comes before {one.a}{others}: {tau}.", [one.b, one.a])
    elif change is not None:
        yield headline("No two runs change places between the rankings by series and by type of question.")


def skewed(result: QuestionAnswering) -> Iterable[Finding]:
    """Where most runs score nothing."""
    told = [
        f"{one.zero} of {one.units} {'series' if one.of == 'series' else f'{one.of} questions'}"
        for one in result.zero_medians
        if one.units and one.share >= SKEWED
    ]
    if told:
        yield Finding(
            f"At least half of the runs score 0 on {', '.join(told)}: runs that score alike there tell little of "
            "which is better."
        )


def wordy(result: QuestionAnswering) -> Iterable[Finding]:
    """Whether β decides who is ahead."""
    if result.betas is not None:
        yield from result.betas.told(float(result.signature.parameters["beta"]), "On other questions ")


def weights(result: QuestionAnswering) -> Iterable[Finding]:
    """How much the weights of the types matter."""
    if result.weights is not None:
        share = 100 * result.weights.share
        told = f"{share:.0f} %" if share >= 1 else "less than 1 %"
        yield Finding(f"The ranking by type is the same for {told} of all weights of the three types.")


def nil(result: QuestionAnswering) -> Iterable[Finding]:
    """A run that says NIL where there is an answer."""
    wrong: list[QaRun] = [run for run in result.runs if run.nil.given >= OFTEN and run.nil.precision < 0.25]
    if wrong:
        worst = max(wrong, key=lambda run: run.nil.given)
        given, right = int(worst.nil.given), int(worst.nil.right)
        told = f"{worst.run} answers NIL to {given} questions and is right on {right}"
        yield Finding(f"{told}: to the others an answer is known.", [worst.run])


def patterns(result: QuestionAnswering) -> Iterable[Finding]:
    """How far patterns can stand for people."""
    judge = result.patterns
    if judge is None or not judge.answers:
        return
    yield Finding(f"Patterns agree with people on {100 * judge.agreement:.1f} % of {judge.answers} factoid answers.")
    biased = [run for run in judge.runs if abs(run.bias) > 0]
    if biased:
        most = leaders({run.run: abs(run.bias) for run in biased})
        told = [f"{run.run} {abs(run.bias):.3f} {'more' if run.bias > 0 else 'less'}" for run in biased]
        told = [one for one, run in zip(told, biased, strict=True) if run.run in most]
        largest = "the largest such difference" + "s" * (len(most) > 1)
        yield Finding(f"They give {listed(told)} accuracy than people do: {largest}.", most)


def wide_patterns(result: QuestionAnswering) -> Iterable[Finding]:
    """That some patterns judge nothing."""
    if result.wide_patterns:
        told = "one pattern accepts" if result.wide_patterns == 1 else f"{result.wide_patterns} patterns accept"
        are = "is" if result.wide_patterns == 1 else "are"
        yield Finding(f"{told[0].upper()}{told[1:]} every string and {are} left out.")


def unscored(result: QuestionAnswering) -> Iterable[Finding]:
    """What is not in the means."""
    left = [one for one in result.questions if one.unscored]
    if left:
        reasons = ", ".join(dict.fromkeys(one.unscored or "" for one in left))
        yield Finding(f"{len(left)} of {len(result.questions)} questions are not scored ({reasons}).")
    count = result.asked.units["series"]
    if 0 < count.scored < count.asked:
        names = ", ".join(box.series for box in result.series if box.median != box.median)
        yield Finding(f"{count.asked - count.scored} of {count.asked} series are not in the means: {names}.")


FINDINGS: Findings = (best, skewed, wordy, weights, nil, patterns, wide_patterns, unscored)
