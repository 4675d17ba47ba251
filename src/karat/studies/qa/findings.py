"""What a reader of question-answering scores should take away."""

from __future__ import annotations

from collections.abc import Iterable

from karat.data.result import Finding, Findings, headline
from karat.studies.qa.result import QuestionAnswering
from karat.studies.ranking_change import leaders
from karat.studies.wording import listed

SKEWED = 0.5
"""The least share of zero medians at which scores are reported as skewed."""
LEAST_NILS = 5
"""The least number of NILs whose precision is reported."""


def best(result: QuestionAnswering) -> Iterable[Finding]:
    """Which run is best, and whether the ranking by type agrees with that by series."""
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
    """Units on which at least half of the runs score 0."""
    where = [
        f"{one.zero} of {one.units} {'series' if one.of == 'series' else f'{one.of} questions'}"
        for one in result.zero_medians
        if one.units and one.share >= SKEWED
    ]
    if where:
        yield Finding(
            f"At least half of the runs score 0 on {', '.join(where)}: runs that score alike there tell little of "
            "which is better."
        )


def beta(result: QuestionAnswering) -> Iterable[Finding]:
    """The β at which two runs change places."""
    if result.betas is not None:
        yield from result.betas.crossing_finding(float(result.signature.parameters["beta"]), "On other questions ")


def weights(result: QuestionAnswering) -> Iterable[Finding]:
    """How much the ranking depends on the weights of the types."""
    if result.weights is not None:
        share = 100 * result.weights.share
        part = f"{share:.0f} %" if share >= 1 else "less than 1 %"
        yield Finding(f"The ranking by type is the same for {part} of all weights of the three types.")


def nil(result: QuestionAnswering) -> Iterable[Finding]:
    """A run that often answers NIL to questions with a known answer."""
    wrong = [run for run in result.runs if run.nil.given >= LEAST_NILS and run.nil.precision < 0.25]
    if wrong:
        worst = max(wrong, key=lambda run: run.nil.given)
        given, right = int(worst.nil.given), int(worst.nil.right)
        yield Finding(
            f"{worst.run} answers NIL to {given} questions and is right on {right}: to the others an answer is known.",
            [worst.run],
        )


def patterns(result: QuestionAnswering) -> Iterable[Finding]:
    """How well patterns agree with people."""
    judge = result.patterns
    if judge is None or not judge.answers:
        return
    yield Finding(f"Patterns agree with people on {100 * judge.agreement:.1f} % of {judge.answers} factoid answers.")
    biased = [run for run in judge.runs if abs(run.bias) > 0]
    if biased:
        most = leaders({run.run: abs(run.bias) for run in biased})
        named = [run for run in biased if run.run in most]
        sizes = [f"{run.run} {abs(run.bias):.3f} {'more' if run.bias > 0 else 'less'}" for run in named]
        largest = "the largest such difference" + "s" * (len(most) > 1)
        yield Finding(f"They give {listed(sizes)} accuracy than people do: {largest}.", most)


def wide_patterns(result: QuestionAnswering) -> Iterable[Finding]:
    """Patterns that accept every string."""
    if result.wide_patterns:
        one = result.wide_patterns == 1
        which = "One pattern accepts" if one else f"{result.wide_patterns} patterns accept"
        yield Finding(f"{which} every string and {'is' if one else 'are'} left out.")


def unscored(result: QuestionAnswering) -> Iterable[Finding]:
    """Questions and series that are left out of the means."""
    left = [one for one in result.questions if one.unscored]
    if left:
        reasons = ", ".join(dict.fromkeys(one.unscored or "" for one in left))
        yield Finding(f"{len(left)} of {len(result.questions)} questions are not scored ({reasons}).")
    count = result.asked.units["series"]
    if 0 < count.scored < count.asked:
        names = ", ".join(box.series for box in result.series if box.median != box.median)
        yield Finding(f"{count.asked - count.scored} of {count.asked} series are not in the means: {names}.")


FINDINGS: Findings = (best, skewed, beta, weights, nil, patterns, wide_patterns, unscored)
