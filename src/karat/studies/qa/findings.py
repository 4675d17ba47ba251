"""What a reader of question-answering scores should take away."""

from __future__ import annotations

from collections.abc import Iterable

from karat.studies.base import finding
from karat.studies.qa.result import QaRun, QuestionAnswering

SKEWED = 0.5
"""From this share of zero medians on, scores are said to be skewed."""
OFTEN = 5
"""From so many NILs on, their precision says something."""


@finding("best", study="qa", headline=True)
def best(result: QuestionAnswering) -> Iterable[str]:
    """Who is first, and whether the other way to put scores together agrees."""
    scored = sorted((run for run in result.runs if run.score == run.score), key=lambda run: run.rank, reverse=True)
    if len(scored) > 1:
        how = " by series" if result.series else ""
        first, second = scored[:2]
        if first.score == second.score:
            yield f"{first.run} and {second.run} share the highest score{how} ({first.score:.3f})."
        else:
            told = "`karat compare` tells how surely"
            yield f"{first.run} scores highest{how} ({first.score:.3f}); {told}."
    change = result.aggregations
    if change is not None and change.swaps:
        one = change.swaps[0]
        more = len(change.swaps) - 1
        others = f", and {more} more pair{'s' * (more > 1)} change places" if more else ""
        yield f"By type of question {one.b} comes before {one.a}{others}: tau between the rankings is {change.tau:.3f}."
    elif change is not None:
        yield "No two runs change places between the rankings by series and by type of question."


@finding("skewed", study="qa")
def skewed(result: QuestionAnswering) -> Iterable[str]:
    """Where most runs score nothing."""
    told = [
        f"{one.zero} of {one.units} {'series' if one.of == 'series' else f'{one.of} questions'}"
        for one in result.zero_medians
        if one.units and one.share >= SKEWED
    ]
    if told:
        yield (
            f"At least half of the runs score 0 on {', '.join(told)}: runs that score alike there tell little of "
            "which is better."
        )


@finding("wordy", study="qa")
def wordy(result: QuestionAnswering) -> Iterable[str]:
    """Whether β decides who is ahead."""
    if result.betas is not None:
        yield from result.betas.told(float(result.signature.parameters["beta"]), "On other questions ")


@finding("weights", study="qa")
def weights(result: QuestionAnswering) -> Iterable[str]:
    """How much the weights of the types matter."""
    if result.weights is not None:
        share = 100 * result.weights.share
        told = f"{share:.0f} %" if share >= 1 else "less than 1 %"
        yield f"The ranking by type is the same for {told} of all weights of the three types."


@finding("nil", study="qa")
def nil(result: QuestionAnswering) -> Iterable[str]:
    """A run that says NIL where there is an answer."""
    wrong: list[QaRun] = [run for run in result.runs if run.nil.given >= OFTEN and run.nil.precision < 0.25]
    if wrong:
        worst = max(wrong, key=lambda run: run.nil.given)
        given, right = int(worst.nil.given), int(worst.nil.right)
        yield (
            f"{worst.run} answers NIL to {given} questions and is right on {right}: to the others an answer is known."
        )


@finding("patterns", study="qa")
def patterns(result: QuestionAnswering) -> Iterable[str]:
    """How far patterns can stand for people."""
    judge = result.patterns
    if judge is None or not judge.answers:
        return
    yield f"Patterns agree with people on {100 * judge.agreement:.1f} % of {judge.answers} factoid answers."
    biased = [run for run in judge.runs if abs(run.bias) > 0]
    if biased:
        most = max(biased, key=lambda run: abs(run.bias))
        how = "more" if most.bias > 0 else "less"
        yield f"They give {most.run} {abs(most.bias):.3f} {how} accuracy than people do: the largest such difference."


@finding("wide patterns", study="qa")
def wide_patterns(result: QuestionAnswering) -> Iterable[str]:
    """That some patterns judge nothing."""
    if result.wide_patterns:
        told = "one pattern accepts" if result.wide_patterns == 1 else f"{result.wide_patterns} patterns accept"
        yield f"{told[0].upper()}{told[1:]} every string and {'is' if result.wide_patterns == 1 else 'are'} left out."


@finding("unscored", study="qa")
def unscored(result: QuestionAnswering) -> Iterable[str]:
    """What is not in the means."""
    left = [one for one in result.questions if one.unscored]
    if left:
        reasons = ", ".join(dict.fromkeys(one.unscored or "" for one in left))
        yield f"{len(left)} of {len(result.questions)} questions are not scored ({reasons})."
    count = result.asked.units["series"]
    if 0 < count.scored < count.asked:
        names = ", ".join(box.series for box in result.series if box.median != box.median)
        yield f"{count.asked - count.scored} of {count.asked} series are not in the means: {names}."
