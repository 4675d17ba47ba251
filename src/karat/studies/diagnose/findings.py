"""What a developer should take away from a diagnosis: what to fix first, and what to build on.

A sentence that makes a claim is tested, with a correction for everything it was selected from; others only describe.
"""

from __future__ import annotations

from collections.abc import Iterable

from karat.arrays import EXACT_TOLERANCE
from karat.data.result import Finding, Findings
from karat.studies.diagnose.gains import title
from karat.studies.diagnose.result import Diagnosis
from karat.studies.diagnose.rows import IntervalOrNone, Row
from karat.studies.wording import counted, some_of

RUNS_REPORTED = 5
"""If there are more runs, only the best and the worst are reported one by one."""
READINGS = {
    "ideal": "close to 1: it does on originals what it does on their parts",
    "missing": "significantly below 1: it solves parts and does not combine them",
    "over": "significantly above 1: it is better on originals than on their parts, so it does not use the parts",
    "not significant": "not significantly different from 1",
    "too few to tell": "of too few originals to tell",
    "different label mixes": "which the labels may make alone: some originals are of a kind that no part is of",
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
    return f"{'uncorrected' if result.correction == 'none' else 'corrected'} p {p:.2g}"


def most_to_gain(result: Diagnosis) -> Iterable[Finding]:
    """One sentence per run: the significant weakness that costs most, then the first of each other kind."""
    for whole in result.overall:
        found = result.gains_of(whole.run)
        if found:
            first = found[0]
            after = ", ".join(f"{one.name} (+{one.points:.3f})" for one in found[1:])
            where = f" on the {first.where}" if result.originals else ""
            yield Finding(
                f"{whole.run}: most to gain by {first.name}: {first.before:.3f} would be {first.after:.3f}{where} "
                f"{'if wholes were as good as parts' if first.kind == 'combining' else 'if it were average there'}."
                + (f" Then {after}." if after else ""),
                [whole.run],
            )
        elif whole.right == whole.n:
            yield Finding(f"{whole.run}: nothing to gain on the pairs, which are all right.", [whole.run])
        elif tested := [
            row for part in TESTED_PARTS for row in result.rows_of(whole.run, part) if row.weaker is not None
        ]:
            slices = f"none of the {counted(len(tested), 'slice')} that were tested"
            yield Finding(f"{whole.run}: {slices} is significantly weaker.", [whole.run])


def no_better_than_constant(result: Diagnosis) -> Iterable[Finding]:
    """Runs that are no better than giving one answer to every pair."""
    best = max(result.baselines, key=lambda row: row.accuracy)
    for row in result.overall:
        if row.accuracy <= best.accuracy + EXACT_TOLERANCE:
            score = f"{row.accuracy:.3f} on {'the parts' if result.originals else 'these pairs'}"
            blind = f"{best.accuracy:.3f}, which {best.run} scores without reading them"
            yield Finding(f"{row.run}: {score} is no better than {blind}.", [row.run])


def fix_first(result: Diagnosis) -> Iterable[Finding]:
    """The significantly weaker phenomenon with the largest excess of wrong answers."""
    for run, whole in _reported(result).items():
        rows = result.phenomena_of(run)
        if whole.right == whole.n or len(rows) < 2:
            continue
        share = whole.right / whole.n
        worse = sorted((row for row in rows if row.weaker), key=lambda row: -row.excess)
        if worse:
            first, others = worse[0], [title(row) for row in worse[1:]]
            wrong = first.n - first.right
            also = f" Also significantly weaker: {some_of(others, 3)}." if others else ""
            yield Finding(
                f"{run}: fix {title(first)} first: {wrong} of {first.n} wrong, {first.excess:.0f} more than its "
                f"accuracy of {share:.3f} would put there ({_p(result, first.p_corrected)}). With all of them right it "
                f"would score {(whole.right + wrong) / whole.n:.3f}.{also}",
                [run],
            )
        elif tested := [row for row in rows if row.weaker is not None]:
            wrong = max(row.n - row.right for row in rows)
            most = [row for row in rows if row.n - row.right == wrong]
            where = some_of([f"{title(row)} ({wrong} of {row.n})" for row in most], 3)
            which = f"no {_any(result)}" if len(tested) == len(rows) else f"no {_any(result)} that was tested"
            yield Finding(
                f"{run}: {which} is significantly weaker than the rest; most wrong answers are in {where}.", [run]
            )


def parts_and_wholes(result: Diagnosis) -> Iterable[Finding]:
    """The correlation index and its meaning, for the runs that are reported one by one."""
    for run, row in _reported(result).items():
        if not result.originals or row.originals is None:
            continue
        counts = f"{row.originals.right} of {row.originals.n} originals, {row.right} of {row.n} monothematic pairs"
        if row.reading == "undefined":
            yield Finding(f"{run}: the correlation index is undefined ({counts} right).", [run])
            continue
        yield Finding(f"{run}: {_index(row)}, {_meaning(row)} ({counts} right).", [run])


def _index(row: Row) -> str:
    """The correlation index, with the adjusted one if parts and originals have different mixes of labels."""
    assert row.originals is not None
    whole = f"correlation index {row.correlation_index:.2f}"
    halves = f"positive {_two(row.positive.index)}, negative {_two(row.negative.index)}"
    halves += f", deviation index {row.deviation_index:.2f}" if row.deviation_index == row.deviation_index else ""
    if row.adjusted_index != row.adjusted_index or abs(row.adjusted_index - row.correlation_index) < SAME_INDEX:
        return f"{whole}{_ends(row.correlation_interval)}, {halves}"
    parts, originals = row.positive.n / row.n, row.positive.originals / row.originals.n
    return (
        f"{whole} over different mixes of labels ({parts:.0%} of the parts and {originals:.0%} of the originals are "
        f"positive; {halves}), {row.adjusted_index:.2f}{_ends(row.adjusted_interval)} at the originals' mix"
    )


def _meaning(row: Row) -> str:
    if row.reading != "one-sided":
        return READINGS[row.reading]
    sides = {"positive": row.positive, "negative": row.negative}
    none = next(name for name, side in sides.items() if side.n and side.originals and not side.right)
    return f"which says nothing of combining: no {none} part is right"


def _two(value: float) -> str:
    return "undefined" if value != value else f"{value:.2f}"


def _ends(interval: IntervalOrNone) -> str:
    return "" if interval is None else f" ({interval[0]:.2f} to {interval[1]:.2f})"


def weak(result: Diagnosis) -> Iterable[Finding]:
    """Labels and categories on which a run is significantly weaker than on its other pairs, weakest first."""
    for run, whole in _reported(result).items():
        share = whole.right / whole.n
        for part, what in (("judgments", " pairs"), ("categories", "")):
            rows = [row for row in result.rows_of(run, part) if row.weaker]
            if rows:
                weakest = [
                    f"{row.name}{what} ({row.right / row.n:.3f} on {counted(row.n, 'pair')}, "
                    f"{_p(result, row.p_corrected)})"
                    for row in sorted(rows, key=lambda row: row.right / row.n)
                ]
                yield Finding(f"{run}: significantly weaker than {share:.3f} on {some_of(weakest, 3)}.", [run])


def separating(result: Diagnosis) -> Iterable[Finding]:
    """Phenomena and categories on which two runs differ significantly, smallest p first."""
    if len(result.overall) < 2:
        return
    tests = len(result.contests) + len(result.category_contests)
    for asked in (result.contests, result.category_contests):
        found = sorted((one for one in asked if one.different), key=lambda one: (one.p_corrected, one.p))
        for one in found[:3]:
            better, worse = (one.a, one.b) if one.difference > 0 else (one.b, one.a)
            apart = f"{abs(one.difference):.3f} apart on {counted(one.n, 'pair')}"
            how = f"{_p(result, one.p_corrected)}, {counted(tests, 'comparison')}"
            yield Finding(f"{one.name} separates {better} from {worse}: {apart} ({how}).", [better, worse])
    if not result.contests:
        why = f"has {counted(result.small, 'pair')} or more" + " of several texts" * any(
            not row.small for row in result.phenomena
        )
        yield Finding(f"No {_any(result)} {why}, so runs are not compared on them.")
    elif not any(one.different for one in result.contests):
        which = " that was tested" if any(row.weaker is None for row in result.phenomena if row.n) else ""
        yield Finding(f"No {_any(result)}{which} significantly separates two runs ({counted(tests, 'comparison')}).")


def minimal_pairs(result: Diagnosis) -> Iterable[Finding]:
    """Runs that are right on one pair at the cost of another with the same T."""
    for one in result.consistency:
        if one.run in _reported(result) and one.traded:
            yield Finding(
                f"{one.run}: of {one.mixed} groups of pairs with one T and different labels "
                f"{one.mixed_share * one.mixed:.0f} are right throughout, where its accuracy on each label there would "
                f"make {one.mixed_expected * one.mixed:.0f} ({_p(result, one.p_corrected)}): it is right on one pair "
                f"at the cost of the other.",
                [one.run],
            )


def small_cells(result: Diagnosis) -> Iterable[Finding]:
    """Slices with few pairs, which are not tested."""
    rows = result.phenomena_of(result.overall[0].run)
    small = [row for row in rows if row.small]
    if small:
        yield Finding(
            f"Not tested, with fewer than {result.small} pairs: {len(small)} of {len(rows)} {result.by} slices "
            f"({some_of([title(row) for row in small])}). Read their intervals and shrunken estimates."
        )


def shared_texts(result: Diagnosis) -> Iterable[Finding]:
    """Pairs that share a text are not independent, so tests are over texts."""
    if result.shared_texts:
        yield Finding(
            f"{result.monothematic:,} pairs share {result.texts:,} texts: slices and runs are tested over whole texts, "
            "since pairs of one text tend to be right or wrong together."
        )
        one = [title(row) for row in result.phenomena_of(result.overall[0].run) if row.weaker is None and not row.small]
        if one:
            yield Finding(f"Not tested, since all of its pairs, or all others, share one text: {some_of(one)}.")


def left_out(result: Diagnosis) -> Iterable[Finding]:
    """Pairs without a value of the attribute, which are left out."""
    if result.without_value:
        whole = result.monothematic + result.without_value
        yield Finding(f"{result.without_value} of {whole} pairs have no {result.by}, and are left out.")


def relevance(result: Diagnosis) -> Iterable[Finding]:
    """Which numbers relevance weights apply to, and which not."""
    if result.weighted:
        yield Finding(
            "Relevance weights enter accuracies and correlation indices; counts, shrunken estimates and tests count "
            "every pair once."
        )


FINDINGS: Findings = (
    most_to_gain, no_better_than_constant, fix_first, parts_and_wholes, weak, separating, minimal_pairs,
    small_cells, shared_texts, left_out, relevance,
)  # fmt: skip
