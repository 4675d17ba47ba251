"""What a reader should take away about preferences: sentences and figures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from karat.data.charts import Chart, Figures, Heat, Series
from karat.data.result import Finding, Findings, all_marked, headline, marked
from karat.studies.base import needs
from karat.studies.prefer.result import NEVER_BOTH, Favour, Preferred
from karat.studies.tested_pairs import highest, ranked_dots, said_of_two
from karat.studies.wording import (
    begun,
    captioned,
    counted,
    in_points,
    of_all,
    p_is,
    part_of,
    per_cent,
    several,
)

MOST_CELLS = 30
"""The most runs in a grid of win rates."""
NAMED = 3
"""The most pairs, or runs that an assessor favours, that are named in a sentence."""


def significant(result: Preferred) -> Iterable[Finding]:
    """How many pairs of runs differ significantly."""
    found, tested = len(result.significant), sum(pair.different is not None for pair in result.pairs)
    if not tested:
        yield headline("No pair of runs was tested: all comparisons are in one cluster.")
    elif len(result.pairs) == 1:
        (pair,) = result.pairs
        yield headline(f"{said_of_two(pair)} ({result.how}).", [pair.a, pair.b])
    else:
        differ = "differs" if found == 1 else "differ"
        counts = f"{part_of(found, tested, 'pair of runs', 'pairs of runs')} {differ} significantly"
        yield headline(f"{begun(counts)} ({result.how}).")


def best(result: Preferred) -> Iterable[Finding]:
    """Which run has the highest win rate, and over which others its lead is significant."""
    if len(result.runs) > 2 and result.clusters > 1:
        yield highest(result.board(), "win rate", per_cent(result.runs[0].value))


def unranked(result: Preferred) -> Iterable[Finding]:
    """Runs that have no finite strength."""
    names = [row.name for row in result.left_out]
    if len(names) == 1:
        yield headline(f"{marked(names[0])} is not ranked: {result.left_out[0].reason}.", names)
    elif names:
        yield headline(
            f"{counted(len(names), 'run')} are not ranked, for the reasons given: {several(all_marked(names))}.", names
        )


def order(result: Preferred) -> Iterable[Finding]:
    """Whether it matters which answer is on the left."""
    found = result.order
    if found is None:
        yield Finding(f"Whether the order of the two answers matters cannot be determined: {NEVER_BOTH}.")
    elif found.p <= 1 - result.interval_level:
        side, share = ("left", found.left.value) if found.left.value > 0.5 else ("right", 1 - found.left.value)
        ends = sorted(
            [found.left.low, found.left.high] if side == "left" else [1 - found.left.low, 1 - found.left.high]
        )
        yield Finding(
            f"The order matters: of two equally good answers, the one on the {side} is preferred in {per_cent(share)} "
            f"of the comparisons that are not ties ({result.percent} CI {per_cent(ends[0])} to {per_cent(ends[1])}, "
            f"{p_is(found.p)}). The strengths allow for it."
        )


def misfit(result: Preferred) -> Iterable[Finding]:
    """Pairs that a single ranking does not describe."""
    if result.odd:
        told = [
            f"{marked(pair.a)} against {marked(pair.b)} (win rate {per_cent(pair.observed)}, by the strengths "
            f"{per_cent(pair.observed - pair.excess)})"
            for pair in result.odd[:NAMED]
        ]
        more = f", first {told[0]}" if len(result.odd) > NAMED else f": {several(told)}"
        tested = sum(pair.p_fit == pair.p_fit for pair in result.pairs)
        yield Finding(
            f"One ranking does not describe all comparisons: {counted(len(result.odd), 'pair')} of {tested:,} "
            f"{'deviates' if len(result.odd) == 1 else 'deviate'} significantly from the fitted model{more}.",
            [run for pair in result.odd[:NAMED] for run in (pair.a, pair.b)],
        )


def sides(result: Preferred) -> Iterable[Finding]:
    """Assessors who prefer a side."""
    found = [one for one in result.assessors if one.p_left_corrected <= 1 - result.interval_level]
    for side, sign in (("left", 1), ("right", -1)):
        yield from _assessors(
            [(one.assessor, sign * one.left_excess) for one in found if sign * one.left_excess > 0],
            f"the answer on the {side} significantly more often than if the order did not matter",
        )


def sharpness(result: Preferred) -> Iterable[Finding]:
    """Assessors whose verdicts follow the ranking less, or more, than the model expects."""
    found = [one for one in result.assessors if one.p_stronger_corrected <= 1 - result.interval_level]
    for how, sign in (("more", 1), ("less", -1)):
        yield from _assessors(
            [(one.assessor, sign * one.stronger_excess) for one in found if sign * one.stronger_excess > 0],
            f"the stronger run significantly {how} often than the model of all assessors predicts",
        )


def _assessors(found: Sequence[tuple[str, float]], what: str) -> Iterable[Finding]:
    """A sentence about the assessors for whom something is significant, with by how much, the largest first."""
    if found:
        told = [f"{name} (by {in_points('accuracy', by)})" for name, by in sorted(found, key=lambda one: -one[1])]
        yield Finding(f"{several(told)} prefer{'s' * (len(found) == 1)} {what} (Holm correction).")


def favours(result: Preferred) -> Iterable[Finding]:
    """Runs that an assessor favours."""
    found = result.favours
    if found:
        told = [_favour(one) for one in found[:NAMED]]
        more = f", and {counted(len(found) - NAMED, 'more such case')}" if len(found) > NAMED else ""
        yield Finding(
            f"Assessors differ on {counted(len({one.run for one in found}), 'run')}: compared with all assessors "
            f"together, {'; '.join(told)}{more} (Holm correction over "
            f"{counted(result.favours_tested, 'combination')} of assessor and run).",
            [one.run for one in found[:NAMED]],
        )


def _favour(one: Favour) -> str:
    verb = "favours" if one.excess > 0 else "disfavours"
    return f"{one.assessor} {verb} {marked(one.run)} by {in_points('accuracy', abs(one.excess))}"


def both_bad(result: Preferred) -> Iterable[Finding]:
    """How often neither answer was good."""
    if result.verdicts.both_bad:
        share = per_cent(result.verdicts.both_bad / result.comparisons)
        yield Finding(f"Both answers are bad in {share} of the comparisons, which count as ties.")


NO_GROUPS = captioned(
    "Each run's win rate and its interval.",
    "All runs differ significantly, by the test of their strengths and after correction. Each interval is about one "
    "run: two runs with overlapping intervals may still differ significantly.",
)
"""The caption if no runs are on one line."""


def preferences(result: Preferred) -> Iterable[Chart]:
    """Each run's win rate and its interval; runs with knots on the same line are not significantly different.

    A run belongs to a line only if it has a knot on it; where it has none, the line is dotted. Two runs with no line in
    common differ significantly, by the test of their strengths and after correction. Each interval is about one run:
    two runs with overlapping intervals may still differ significantly.
    """
    yield ranked_dots(result, "win rate", "%", NO_GROUPS, rule=0.5)


NONE_ODD = captioned(
    "How often the run of the row is preferred to the run of the column, ties counted as half.",
    "Cells without a number are pairs that were never compared with each other.",
)
"""The caption if no pair deviates significantly from the model."""


@needs("runs that were compared with each other")
def win_rates(result: Preferred) -> Iterable[Chart]:
    """How often the run of the row is preferred to the run of the column, ties counted as half.

    Cells without a number are pairs that were never compared with each other. Marked pairs deviate significantly
    from the fitted model.
    """
    names = [row.run for row in result.runs[:MOST_CELLS]]
    place = {name: at for at, name in enumerate(names)}
    shares = [[float("nan")] * len(names) for _ in names]
    odd = []
    marked = {(pair.a, pair.b) for pair in result.odd}
    for pair in result.pairs:
        if pair.a in place and pair.b in place and pair.compared:
            a, b = place[pair.a], place[pair.b]
            shares[a][b], shares[b][a] = pair.observed, 1 - pair.observed
            odd += [(a, b), (b, a)] if (pair.a, pair.b) in marked else []
    yield Heat(
        title="Share of wins of the row over the column",
        note=of_all(names, len(result.runs)),
        labels=tuple(names),
        series=tuple(Series(name, [row[at] for row in shares]) for at, name in enumerate(names)),
        axes=("the other run", "run"),
        digits=0,
        percent=True,
        marked=frozenset(odd),
        mark="significant deviation from the fitted model" if odd else "",
        caption="" if odd else NONE_ODD,
    )


FINDINGS: Findings = (significant, best, unranked, order, misfit, sides, sharpness, favours, both_bad)
FIGURES: Figures = (preferences, win_rates)
