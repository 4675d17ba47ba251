"""What a reader should take away about question answering: sentences and figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import ceil

from karat.arrays import DISPLAY_TOLERANCE
from karat.data.charts import Bars, Box, Boxes, Chart, Dots, Figures, Interval, Series
from karat.data.fields import written
from karat.data.result import Finding, Findings, headline, marked
from karat.studies.base import needs
from karat.studies.qa.kinds import LEVEL
from karat.studies.qa.parameters import rank_name
from karat.studies.qa.result import QuestionAnswering
from karat.studies.unit_means import beta_chart
from karat.studies.wording import captioned, counted, in_points, leaders, listed, p_is, per_cent

SKEWED = 0.5
"""The least share of zero medians at which scores are reported as skewed."""
HALF = "token F1 ≥ 0.5"
"""The threshold that a sentence names: fixed, not chosen for its agreement."""
LEAST_NILS = 5
"""The least number of NILs whose precision is reported."""
BY: dict[str, str] = {"series_score": " by series", "type_score": ""}
"""How runs are ranked, in a sentence; any other measure has its name."""
TENTHS = 10
"""Bars of the histogram of scores above 0."""


def best(result: QuestionAnswering) -> Iterable[Finding]:
    """Which run is best, and whether the ranking by type agrees with that by series."""
    scores = {run.run: run.score for run in result.runs if run.score == run.score}
    if len(scores) > 1:
        how = BY.get(result.ranked_by, f" by {rank_name(result.ranked_by)}")
        first = leaders(scores)
        value = f"({scores[first[0]]:.3f})"
        if len(first) > 1:
            yield headline(f"{listed([marked(run) for run in first])} share the highest score{how} {value}.", first)
        else:
            yield headline(
                f"{marked(first[0])} scores highest{how} {value}; for significance, see `karat compare`.",
                first,
                leads=True,
            )
    change = result.aggregations if result.ranked_by in BY else None
    if change is not None and change.swaps:
        one = change.swaps[0]
        more = len(change.swaps) - 1
        others = f", and {more} more pair{'s swap' if more > 1 else ' swaps'} ranks" if more else ""
        tau = f"(tau = {written(change.tau, 3)} between the rankings)"
        yield headline(
            f"By type of question, {marked(one.b)} ranks above {marked(one.a)}{others} {tau}.", [one.b, one.a]
        )
    elif change is not None:
        yield headline("No two runs swap ranks between the rankings by series and by type of question.")


def skewed(result: QuestionAnswering) -> Iterable[Finding]:
    """Units on which at least half of the runs score 0."""
    where = [
        f"{one.zero:,} of {one.units:,} {'series' if one.of == 'series' else f'{one.of} questions'}"
        for one in result.zero_medians
        if one.units and one.share >= SKEWED
    ]
    if where:
        yield Finding(
            f"At least half of the runs score 0 on {', '.join(where)}; these say little about which run is better."
        )


def kinds(result: QuestionAnswering) -> Iterable[Finding]:
    """Whether series of one kind are harder than the others."""
    rows = result.kind_differences
    if not rows:
        return
    names = [one.kind for one in result.kinds if one.series]
    far = [one for one in rows if one.p_corrected <= LEVEL]
    for one in far:
        others = next(name for name in names if name != one.kind) if len(names) == 2 else "other"
        what = f"{abs(one.difference):.3f} {'higher' if one.difference > 0 else 'lower'}"
        yield Finding(
            f"Averaged over runs, scores on {one.kind} series are {what} than on {others} series, a significant "
            f"difference (permutation test over series, {p_is(one.p_corrected)})."
        )
    if not far and rows[0].p_corrected == rows[0].p_corrected:
        yield Finding(
            f"Scores on {listed(names)} series are not significantly different (permutation test over series, "
            f"{'smallest ' * (len(rows) > 1)}{p_is(min(one.p_corrected for one in rows))})."
        )


def beta(result: QuestionAnswering) -> Iterable[Finding]:
    """The β at which two runs swap ranks."""
    if result.betas is not None:
        yield from result.betas.crossing_finding(float(result.signature.parameters["beta"]), "On other questions, ")


def weights(result: QuestionAnswering) -> Iterable[Finding]:
    """How much the ranking depends on the weights of the types."""
    if result.weights is not None:
        share = result.weights.share
        part = "less than 1% of " if share < 0.01 else f"{share:.0%} of " if share < 1 else ""
        yield Finding(f"The ranking by type is the same under {part}all possible weights of the three types.")


def nil(result: QuestionAnswering) -> Iterable[Finding]:
    """A run that often answers NIL to questions with a known answer."""
    wrong = [run for run in result.runs if run.nil.given >= LEAST_NILS and run.nil.precision < 0.25]
    if wrong:
        worst = max(wrong, key=lambda run: run.nil.given)
        given, right = int(worst.nil.given), int(worst.nil.right)
        right_on = f"is right on {right:,} of them; the others have" if right else "is right on none of them: all have"
        yield Finding(
            f"{marked(worst.run)} answers NIL to {given:,} questions and {right_on} a known answer.",
            [worst.run],
        )


def patterns(result: QuestionAnswering) -> Iterable[Finding]:
    """How well patterns agree with people."""
    judge = result.patterns
    if judge is None or not judge.answers:
        return
    many = counted(judge.answers, "factoid answer")
    if judge.judge == "patterns":
        yield Finding(f"Patterns agree with people on {per_cent(judge.agreement)} of {many}.")
    else:
        half = next(one for one in judge.rules if one.rule == HALF)
        yield Finding(
            f"Exact match agrees with people on {per_cent(judge.agreement)} of {many}, and a token F1 of at least 0.5 "
            f"on {per_cent(half.agreement.value)}."
        )
    biased = [run for run in judge.runs if abs(run.bias) > 0]
    if biased:
        most = leaders({run.run: abs(run.bias) for run in biased})
        named = [run for run in biased if run.run in most]
        sizes = [
            f"{marked(run.run)} ({in_points('accuracy', abs(run.bias))} {'higher' if run.bias > 0 else 'lower'})"
            for run in named
        ]
        yield Finding(f"The accuracy by {judge.judge} differs most from that by people for {listed(sizes)}.", most)


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
        times = Counter(one.unscored or "" for one in left).most_common()
        said = [f"{'each' if len(times) == 1 else number}: {why}" for why, number in times]
        reasons = times[0][0] if len(left) == 1 else "; ".join(said)
        are = "is" if len(left) == 1 else "are"
        yield Finding(f"{len(left):,} of {counted(len(result.questions), 'question')} {are} not scored ({reasons}).")
    count = result.asked.units["series"]
    if 0 < count.scored < count.asked:
        names = ", ".join(box.series for box in result.series if box.median != box.median)
        are = "is" if count.asked - count.scored == 1 else "are"
        yield Finding(f"{count.asked - count.scored:,} of {count.asked:,} series {are} left out of the means: {names}.")


AXES: dict[str, str] = {"series_score": "mean over series", "type_score": "mean over types"}
OF_ONE_TYPE = "The score of each run with its interval; all questions are of one type."


def question_runs(result: QuestionAnswering) -> Iterable[Chart]:
    """The score of each run with its interval, and its scores by type of question.

    Runs are ranked by the mean over series, or, if there are no series, by the mean over types. A type whose score is
    far from that of the run is a strength or a weakness of the run.
    """
    ranked = result.ranked
    total = Series("score", [run.score for run in ranked])
    types = (
        Series("factoid", [run.factoid.score.value for run in ranked]),
        Series("list", [run.list.score.value for run in ranked]),
        Series("other", [run.other.score.value for run in ranked]),
    )
    # The score of a single type may be that of the run, and is not drawn twice.
    known = [one for one in types if any(value == value for value in one.values) and one.values != total.values]
    kept = (total, *known) if any(value == value for value in total.values) else tuple(known)
    axis = AXES.get(result.ranked_by, rank_name(result.ranked_by))
    if result.only_type and result.ranked_by == "type_score":
        axis = "mean over questions"
    if kept and kept[0] is not total:
        yield Dots(
            title="Scores by type of question",
            labels=tuple(run.run for run in ranked),
            series=kept,
            axis="score",
            caption="The scores of each run by type of question; there is no mean, since not all types are scored.",
        )
    elif kept:
        yield Dots(
            title=f"Scores by {axis.removeprefix('mean over ')}" if known else "Scores of the runs",
            labels=tuple(run.run for run in ranked),
            series=kept,
            intervals=tuple(Interval(run.ranking.low, run.ranking.high) for run in ranked),
            axis=axis,
            caption=OF_ONE_TYPE
            if not known
            else captioned(
                "The score of each run with its interval, and its scores by type of question.",
                f"Runs are ranked by the {axis}. A type whose score is far from that of the run is a strength or a "
                "weakness of the run.",
            ),
        )


@needs("two runs or more, and questions that come in series that are scored")
def series(result: QuestionAnswering) -> Iterable[Chart]:
    """The scores of all runs on each series, the series with the highest median first.

    The box covers the middle half of the runs, and the bar is the median. The whiskers extend to the lowest and the
    highest score within 1.5 times the length of the box; scores further away are points. A series with a box at 0
    discriminates between few runs; one with a long box determines the ranking.
    """
    shown = [box for box in result.series if box.median == box.median]
    shown.sort(key=lambda box: (-box.median, -box.upper))
    if len(result.runs) > 1 and shown:
        yield Boxes(
            title="Scores of all runs on each series",
            labels=tuple(f"{box.series} {box.target}" for box in shown),
            boxes=tuple(Box(box.whiskers[0], box.lower, box.median, box.upper, box.whiskers[1]) for box in shown),
            outside=tuple(tuple(box.outside.values()) for box in shown),
            axis="score",
        )


@needs("series, or list or other questions, that are scored")
def question_scores(result: QuestionAnswering) -> Iterable[Chart]:
    """The distribution of scores on series, list questions and other questions: one panel per run, on one scale.

    The first bar counts scores of exactly 0, which a mean does not distinguish from low ones; every other bar counts
    scores up to the number below it. Factoid questions are left out: they score either 0 or 1.
    """
    for unit, name in (("series", "series"), ("list", "list questions"), ("other", "other questions")):
        if unit == "series" and not result.series:
            continue
        scores = result.scores(unit)
        if not scores.units:
            continue
        values = dict(zip(scores.runs, scores.values.tolist(), strict=True))
        rows = [(run.run, values[run.run]) for run in result.ranked if run.run in values]
        yield Bars(
            name=unit,
            title=f"Scores on {name}",
            labels=tuple(f"{place / TENTHS:g}" for place in range(TENTHS + 1)),
            series=tuple(Series(run, _histogram(row)) for run, row in rows),
            axes=("score (0, then up to each number)", name),
        )


def _histogram(scores: Sequence[float]) -> list[float]:
    """How many scores are 0, and how many lie in each tenth, upper end included; undefined ones are ignored."""
    counts = [0.0] * (TENTHS + 1)
    for score in scores:
        if score == score:
            counts[min(ceil(score * TENTHS - DISPLAY_TOLERANCE), TENTHS) if score > 0 else 0] += 1
    return counts


@needs("other questions that nuggets score: --nuggets and --matches")
def question_beta(result: QuestionAnswering) -> Iterable[Chart]:
    """Mean F on other questions as a function of β, one line per run, with a mark where two runs swap ranks.

    β is the weight of recall relative to precision: TREC used 5, then 3. On the left, runs with short and precise
    answers score high; on the right, runs with complete ones. If lines cross near the β that was used, the choice of β
    decides between the runs.
    """
    if result.betas is not None:
        yield beta_chart(result.betas, float(result.signature.parameters["beta"]))


def assessors(result: QuestionAnswering) -> Iterable[Finding]:
    """Whether the ranking depends on who judged."""
    found = result.assessors
    if found is None:
        return
    moved = [one for one in found.assessors if one.swaps]
    if not moved:
        many = counted(len(found.assessors), "assessor")
        yield Finding(f"No two runs swap ranks under the verdicts of any of {many} instead of the majority's.")
        return
    most = min(moved, key=lambda one: one.tau)
    first = "; the same run is first" if most.ranking[0] == result.ranked[0].run else f"; {most.ranking[0]} is first"
    yield Finding(
        f"Two runs or more swap ranks under the verdicts of {listed([one.assessor for one in moved])} instead of the "
        f"majority's; those of {most.assessor} change the ranking most (tau {written(most.tau, 3)}{first})."
    )


FINDINGS: Findings = (best, assessors, kinds, skewed, beta, weights, nil, patterns, wide_patterns, unscored)
FIGURES: Figures = (question_runs, series, question_scores, question_beta)
