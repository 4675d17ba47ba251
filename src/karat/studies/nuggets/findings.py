"""What a reader should take away about nugget scores: sentences and figures."""

from __future__ import annotations

from collections.abc import Iterable

from karat.arrays import EXACT_TOLERANCE
from karat.data.charts import Chart, Dots, Figures, Interval, Series
from karat.data.fields import written
from karat.data.result import Finding, Findings, headline, marked
from karat.studies.base import needs
from karat.studies.nuggets.result import NuggetScores
from karat.studies.unit_means import beta_chart, highest_mean
from karat.studies.wording import captioned, counted, leaders, listed, some_of


def best(result: NuggetScores) -> Iterable[Finding]:
    """Which runs are best by support of vital nuggets and by F."""
    scored = {run.run: run for run in result.runs if run.vital == run.vital}
    if len(scored) < 2:
        return
    first = leaders({name: run.vital for name, run in scored.items()})
    yield highest_mean(first, f"vital support ({scored[first[0]].vital:.3f})")
    by_f = leaders({name: run.f for name, run in scored.items()})
    if by_f and not set(by_f) & set(first):
        names = listed(
            [f"{marked(name)} ({scored[name].f:.3f}, mean length {scored[name].length:.0f})" for name in by_f]
        )
        first_by_f = "ranks first" if len(by_f) == 1 else "tie for first"
        yield headline(f"By F, which penalises length, {names} {first_by_f}.", by_f)


def junk(result: NuggetScores) -> Iterable[Finding]:
    """Labels without a meaning, and how many scores they affect."""
    if not result.junk:
        return
    count = len(result.junk)
    topics = len({(one.run, one.topic) for one in result.changed if one.labels})
    labels = f"{count:,} label{'s are' if count > 1 else ' is'} invalid"
    answers = f"this affects the scores of {topics:,} answer{'s' * (topics != 1)}"
    zero = result.signature.missing == "zero"
    done = f"and {'count' if count > 1 else 'counts'} as no support" if zero else ", and their nuggets are left out"
    other = "missing` leaves their nuggets out" if zero else "zero` counts them as no support"
    yield Finding(f"{labels}{' ' * zero}{done}; {answers} (`karat nuggets --missing {other}).")


def contradicted(result: NuggetScores) -> Iterable[Finding]:
    """How often assessors judged that the answers of runs contradict a nugget."""
    found = sorted((run for run in result.runs if run.contradicted), key=lambda run: -run.contradicted)
    if found:
        count = sum(run.contradicted for run in found)
        runs = some_of([f"{marked(run.run)} {run.contradicted:,}" for run in found], 5)
        yield Finding(
            f"Assessors judged {counted(count, 'time')} that an answer contradicts a nugget ({runs}), which counts as "
            "no support.",
            [run.run for run in found],
        )


def unscored(result: NuggetScores) -> Iterable[Finding]:
    """Topics that are left out of the means."""
    if without := result.nuggets.without_vital:
        names = ", ".join(without[:5]) + (", …" if len(without) > 5 else "")
        scored = "scored 0" if result.signature.missing == "zero" else "not scored"
        have = "has no vital nugget and is" if len(without) == 1 else "have no vital nugget and are"
        yield Finding(f"{len(without):,} of {result.nuggets.topics:,} topics {have} {scored}: {names}.")
    others = [one for one in result.unscored if one.topic not in result.nuggets.without_vital]
    if others:
        reasons = ", ".join(dict.fromkeys(one.reason for one in others))
        topics = f"{len(others):,} more topic{'s are' if len(others) > 1 else ' is'}"
        yield Finding(f"{topics} left out of the means of all runs ({reasons}).")


def crossing(result: NuggetScores) -> Iterable[Finding]:
    """The β at which two runs swap ranks."""
    if result.betas is not None:
        yield from result.betas.crossing_finding(float(result.signature.parameters["beta"]), "By F, ")


def assessors(result: NuggetScores) -> Iterable[Finding]:
    """How similarly assessors rank the runs."""
    pairs = [pair for pair in result.agreement if pair.tau == pair.tau]
    if pairs:
        least = min(pair.tau for pair in pairs)
        alike = [pair for pair in pairs if pair.tau <= least + EXACT_TOLERANCE]
        names = some_of([f"by {pair.a} and by {pair.b}" for pair in alike], 3)
        if len(pairs) == 1:
            yield Finding(f"The rankings {names} have a tau of {written(least, 3)}.")
        else:
            yield Finding(f"The rankings that agree least are those {names} (tau = {written(least, 3)}).")


WITHOUT_F = captioned(
    "The support of vital nuggets of each run with its interval over topics, together with strict support.",
    "A run whose strict support is much lower relies on partial support: it hints at nuggets without stating them.",
)
"""The caption without F, which needs lengths."""


def nugget_scores(result: NuggetScores) -> Iterable[Chart]:
    """The support of vital nuggets of each run with its interval over topics, together with strict support and F.

    A run whose strict support is much lower relies on partial support: it hints at nuggets without stating them. F
    counts partial support as full support, so such a run may have a high F. If F is much lower than support, the
    answers are long for the nuggets they contain.
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
            caption="" if any(one.name == "F" for one in kept) else WITHOUT_F,
        )


@needs("answers whose length is known: --answers, or assignments with their texts")
def beta(result: NuggetScores) -> Iterable[Chart]:
    """Mean F as a function of β, one line per run, with a mark where two runs swap ranks.

    β is the weight of recall relative to precision, and precision falls with the length of an answer: on the left,
    short answers score high; on the right, answers with many nuggets, whatever their length. If lines cross near
    the β that was used, the choice of β decides between the runs.
    """
    if result.betas is not None:
        yield beta_chart(result.betas, float(result.signature.parameters["beta"]))


FINDINGS: Findings = (best, junk, contradicted, unscored, crossing, assessors)
FIGURES: Figures = (nugget_scores, beta)
