"""What a developer should take away from a diagnosis: what to fix first, and what to build on.

A sentence that makes a claim is tested, with a correction for everything it was selected from; others only describe.
"""

from __future__ import annotations

from collections.abc import Iterable

from karat.arrays import EXACT_TOLERANCE
from karat.data.result import Finding, Findings, marked
from karat.studies.diagnose.result import Diagnosis
from karat.studies.diagnose.rows import IntervalOrNone, Row
from karat.studies.wording import counted, in_points, listed, p_is, per_cent, several, some_of

RUNS_REPORTED = 5
"""If there are more runs, only the best and the worst are reported one by one."""
READINGS = {
    "ideal": "close to 1: it is as good on originals as on their parts",
    "missing": "significantly below 1: it solves parts but does not combine them",
    "over": "significantly above 1: it is better on originals than on their parts, so it does not rely on the parts",
    "not significant": "not significantly different from 1",
    "too few to tell": "but there are too few originals to test it",
    "different label mixes": "which the mix of labels alone may explain: some originals have a label that no part has",
}
TESTED_PARTS = ("categories", "phenomena", "judgments")
SAME_INDEX = 0.05
"""A plain and an adjusted index that differ by less are reported as one."""


def _reported(result: Diagnosis) -> dict[str, Row]:
    """The runs that are reported one by one, with their rows over all pairs."""
    ranked = sorted(result.overall, key=lambda row: -row.accuracy)
    return {row.run: row for row in (ranked if len(ranked) <= RUNS_REPORTED else [ranked[0], ranked[-1]])}


def _any(result: Diagnosis) -> str:
    return result.by if result.by == "phenomenon" else f"value of {result.by}"


def _p(result: Diagnosis, p: float) -> str:
    return f"{'uncorrected' if result.correction == 'none' else 'corrected'} {p_is(p)}"


def most_to_gain(result: Diagnosis) -> Iterable[Finding]:
    """The significant weakness that costs most: one sentence per run, or per weakness if there are many runs."""
    many = len(result.overall) > RUNS_REPORTED
    alike: dict[tuple[str, str], list[Row]] = {}
    for whole in result.overall:
        alike.setdefault((_standing(result, whole), "" if many else whole.run), []).append(whole)
    # What can be gained comes first, then that nothing can.
    for (standing, _), rows in sorted(alike.items(), key=lambda one: (not one[0][0].startswith("most"), -len(one[1]))):
        runs = [row.run for row in rows]
        if standing.startswith("most to gain") and many:
            best = max(rows, key=lambda row: row.accuracy).run
            have = f"{len(rows):,} of {len(result.overall):,} runs {'has' if len(rows) == 1 else 'have'}"
            yield Finding(f"{have} {standing}: {_gain(result, best, best)}.", runs)
        elif standing.startswith("most to gain"):
            others = [f"{one.name} (+{in_points('accuracy', one.points)})" for one in result.gains_of(runs[0])[1:]]
            after = f" Next: {listed(others)}." if others else ""
            yield Finding(f"{marked(runs[0])} has {standing}: {_gain(result, runs[0])}.{after}", runs)
        elif standing:
            are, its = ("is", "its") if len(runs) == 1 else ("are", "their")
            yield Finding(f"{some_of([marked(run) for run in runs])} {are} {standing.format(its=its)}.", runs)


def _standing(result: Diagnosis, whole: Row) -> str:
    """What a run has most to gain by, or that it has no weakness; empty if nothing was tested."""
    if found := result.gains_of(whole.run):
        return f"most to gain {'by' if found[0].kind == 'combining' else 'on'} {found[0].name}"
    if whole.right == whole.n:
        return "right on all pairs"
    slices = sum(row.weaker is not None for part in TESTED_PARTS for row in result.rows_of(whole.run, part))
    which = "the only slice" if slices == 1 else f"any of the {slices:,} slices"
    return f"not significantly weaker on {which} tested than on {{its}} other pairs" if slices else ""


def _gain(result: Diagnosis, run: str, named: str = "") -> str:
    """How much the accuracy of a run would rise without its first weakness; of a run that is named, with its name."""
    first = result.gains_of(run)[0]
    where = f" on the {first.where}" if result.originals else ""
    whose = f"the accuracy of {named}" if named else "its accuracy"
    there = "it were as good there as on " + ("their parts" if first.kind == "combining" else "average")
    return f"{whose}{where} would rise from {per_cent(first.before)} to {per_cent(first.after)} if {there}"


def no_better_than_constant(result: Diagnosis) -> Iterable[Finding]:
    """Runs that are no better than giving one answer to every pair."""
    best = max(result.baselines, key=lambda row: row.accuracy)
    for row in result.overall:
        if row.accuracy <= best.accuracy + EXACT_TOLERANCE:
            where = "the parts" if result.originals else "these pairs"
            scores = f"it scores {per_cent(row.accuracy)} on {where}, and {best.run} scores {per_cent(best.accuracy)}"
            yield Finding(f"{marked(row.run)} is no better than the best baseline: {scores}.", [row.run])


def fix_first(result: Diagnosis) -> Iterable[Finding]:
    """The significantly weaker phenomenon with the largest excess of wrong answers; runs that have one come first."""
    weaker = {row.run for row in result.phenomena if row.weaker}
    for run, whole in sorted(_reported(result).items(), key=lambda one: one[0] not in weaker):
        rows = result.phenomena_of(run)
        if whole.right == whole.n or len(rows) < 2:
            continue
        share = whole.right / whole.n
        worse = sorted((row for row in rows if row.weaker), key=lambda row: -row.excess)
        if worse:
            first, others = worse[0], [row.title for row in worse[1:]]
            wrong = first.n - first.right
            also = f" Also significantly weaker: {some_of(others, 3)}." if others else ""
            yield Finding(
                f"{marked(run)}: fix {first.title} first. {wrong:,} of {first.n:,} answers are wrong, "
                f"{first.excess:,.0f} more than expected from its overall accuracy of {per_cent(share)} "
                f"({_p(result, first.p_corrected)}). With all of them right, it would score "
                f"{per_cent((whole.right + wrong) / whole.n)}.{also}",
                [run],
            )
        elif tested := [row for row in rows if row.weaker is not None]:
            wrong = max(row.n - row.right for row in rows)
            most = [row for row in rows if row.n - row.right == wrong]
            where = several([f"{row.title} ({wrong:,} of {row.n:,})" for row in most], 3)
            which = f"any {_any(result)}" if len(tested) == len(rows) else f"any {_any(result)} that was tested"
            yield Finding(
                f"{marked(run)} is not significantly weaker on {which} than on the rest; most wrong answers are in "
                f"{where}.",
                [run],
            )


def parts_and_wholes(result: Diagnosis) -> Iterable[Finding]:
    """The correlation index and its meaning, for the runs that are reported one by one."""
    for run, row in _reported(result).items():
        if not result.originals or row.originals is None:
            continue
        originals = f"{row.originals.right:,} of {row.originals.n:,} originals"
        counts = f"{originals} and {row.right:,} of {row.n:,} monothematic pairs"
        if row.reading == "undefined":
            yield Finding(f"{marked(run)}: the correlation index is undefined ({counts} are right).", [run])
            continue
        yield Finding(f"{marked(run)}: {_index(row, result.percent)}, {_meaning(row)} ({counts} are right).", [run])


def _index(row: Row, percent: str) -> str:
    """The correlation index, with the adjusted one if parts and originals have different mixes of labels."""
    assert row.originals is not None
    whole = f"correlation index {row.correlation_index:.2f}"
    halves = f"positive {_two(row.positive.index)}, negative {_two(row.negative.index)}"
    halves += f", deviation index {row.deviation_index:.2f}" if row.deviation_index == row.deviation_index else ""
    if row.adjusted_index != row.adjusted_index or abs(row.adjusted_index - row.correlation_index) < SAME_INDEX:
        return f"{whole} ({_ends(row.correlation_interval, percent)}{halves})"
    parts, originals = row.positive.n / row.n, row.positive.originals / row.originals.n
    return (
        f"{whole} ({halves}); adjusted to the originals' mix of labels, {row.adjusted_index:.2f} "
        f"({_ends(row.adjusted_interval, percent)}{parts:.0%} of the parts and {originals:.0%} of the originals are "
        "positive)"
    )


def _meaning(row: Row) -> str:
    if row.reading != "one-sided":
        return READINGS[row.reading]
    sides = {"positive": row.positive, "negative": row.negative}
    none = next(name for name, side in sides.items() if side.n and side.originals and not side.right)
    return f"which says nothing about combining, since no {none} part is right"


def _two(value: float) -> str:
    return "undefined" if value != value else f"{value:.2f}"


def _ends(interval: IntervalOrNone, percent: str) -> str:
    return "" if interval is None else f"{percent} CI {interval[0]:.2f} to {interval[1]:.2f}; "


def weak(result: Diagnosis) -> Iterable[Finding]:
    """Labels and categories on which a run is significantly weaker than on its other pairs, weakest first."""
    for run, whole in _reported(result).items():
        share = whole.right / whole.n
        for part, what in (("judgments", " pairs"), ("categories", "")):
            rows = [row for row in result.rows_of(run, part) if row.weaker]
            if rows:
                weakest = [
                    f"{row.name}{what} ({per_cent(row.right / row.n)} of {counted(row.n, 'pair')}, "
                    f"{_p(result, row.p_corrected)})"
                    for row in sorted(rows, key=lambda row: row.right / row.n)
                ]
                lower = f"{marked(run)} is significantly less accurate on {several(weakest, 3)} than on its other pairs"
                yield Finding(f"{lower} ({per_cent(share)} overall).", [run])


def separating(result: Diagnosis) -> Iterable[Finding]:
    """Phenomena and categories on which two runs differ significantly, smallest p first."""
    if len(result.overall) < 2:
        return
    tests = len(result.contests) + len(result.category_contests)
    for asked in (result.contests, result.category_contests):
        found = sorted((one for one in asked if one.different), key=lambda one: (one.p_corrected, one.p))
        for one in found[:3]:
            better, worse = (one.a, one.b) if one.difference > 0 else (one.b, one.a)
            ahead = f"{in_points('accuracy', abs(one.difference))} on {counted(one.n, 'pair')}"
            how = f"{_p(result, one.p_corrected)}, {counted(tests, 'comparison')}"
            text = f"On {one.name}, {marked(better)} is significantly better than {marked(worse)}: by {ahead} ({how})."
            yield Finding(text, [better, worse])
    if not result.contests:
        why = f"has {counted(result.small, 'pair')} or more" + " from several texts" * any(
            not row.small for row in result.phenomena
        )
        yield Finding(f"No {_any(result)} {why}, so runs are not compared on them.")
    elif not any(one.different for one in result.contests):
        which = " that was tested" if any(row.weaker is None for row in result.phenomena if row.n) else ""
        yield Finding(
            f"No two runs differ significantly on any {_any(result)}{which} ({counted(tests, 'comparison')})."
        )


def minimal_pairs(result: Diagnosis) -> Iterable[Finding]:
    """Runs that are right on one pair at the cost of another with the same T."""
    for one in result.consistency:
        if one.run in _reported(result) and one.traded:
            yield Finding(
                f"{marked(one.run)} is right on one pair at the cost of another: of {one.mixed:,} groups of pairs "
                f"with the same T and different labels, {one.mixed_share * one.mixed:.0f} are entirely right, "
                f"significantly fewer than the {one.mixed_expected * one.mixed:.0f} expected from its accuracy on each "
                f"label ({_p(result, one.p_corrected)}).",
                [one.run],
            )


def small_cells(result: Diagnosis) -> Iterable[Finding]:
    """Slices with few pairs, which are not tested."""
    rows = result.phenomena_of(result.overall[0].run)
    small = [row for row in rows if row.small]
    if small:
        yield Finding(
            f"{len(small):,} of {len(rows):,} {result.by} slices {'has' if len(small) == 1 else 'have'} fewer than "
            f"{counted(result.small, 'pair')} and {'is' if len(small) == 1 else 'are'} not tested "
            f"({some_of([row.title for row in small])}); rely on their intervals and shrunken estimates."
        )


def shared_texts(result: Diagnosis) -> Iterable[Finding]:
    """Pairs that share a text are not independent, so tests are over texts."""
    if result.shared_texts:
        yield Finding(
            f"{result.monothematic:,} pairs share {counted(result.texts, 'text')}. Tests treat whole texts as units, "
            "since pairs with the same text tend to be right or wrong together."
        )
        one = [row.title for row in result.phenomena_of(result.overall[0].run) if row.weaker is None and not row.small]
        if one:
            yield Finding(f"Not tested, because all of its pairs, or all other pairs, share one text: {some_of(one)}.")


def left_out(result: Diagnosis) -> Iterable[Finding]:
    """Pairs without a value of the attribute, which are left out."""
    if result.without_value:
        whole = result.monothematic + result.without_value
        have, are = ("has", "is") if result.without_value == 1 else ("have", "are")
        yield Finding(f"{result.without_value:,} of {whole:,} pairs {have} no {result.by} and {are} left out.")


def relevance(result: Diagnosis) -> Iterable[Finding]:
    """Which numbers relevance weights apply to, and which not."""
    if result.weighted:
        yield Finding(
            "Relevance weights apply to accuracies and correlation indices; counts, shrunken estimates and tests count "
            "every pair once."
        )


FINDINGS: Findings = (
    most_to_gain, no_better_than_constant, fix_first, parts_and_wholes, weak, separating, minimal_pairs,
    small_cells, shared_texts, left_out, relevance,
)  # fmt: skip
