"""What a developer should take away from a diagnosis: what to fix first, and what is already there to build on."""

from __future__ import annotations

from collections.abc import Iterable

from karat.statistics.correlation_index import reading
from karat.studies.base import finding
from karat.studies.diagnose.gains import title
from karat.studies.diagnose.result import Diagnosis
from karat.studies.diagnose.rows import Interval, Row
from karat.studies.words import counted, some_of

TOLD = 5
"""Of more runs than this only the best and the worst are told about one by one."""
READINGS = {
    "ideal": "it does on originals what it does on their parts",
    "missing": "it solves parts and does not combine them",
    "over": "it is better on originals than on their parts, so it does not use the parts",
    "cannot be told from 1": "which cannot be told from 1",
    "too few to tell": "of too few originals to tell",
    "different label mixes": "which the labels may make alone: some originals are of a kind that no part is of",
}
SAME = 0.05
"""Indices that are no further apart, and read alike, are told as one."""


def _runs(result: Diagnosis) -> list[str]:
    """The runs that are told about: all, or the best and the worst by accuracy."""
    ranked = sorted(result.overall, key=lambda row: -row.accuracy)
    return [row.run for row in (ranked if len(ranked) <= TOLD else [ranked[0], ranked[-1]])]


def _overall(result: Diagnosis, run: str) -> Row:
    return next(row for row in result.overall if row.run == run)


@finding("what would gain most", study="diagnose")
def most_to_gain(result: Diagnosis) -> Iterable[str]:
    """One line a run: the weakness that costs most, and the best of the other kinds after it."""
    for whole in result.overall:
        found = result.gains_of(whole.run)
        if found:
            first = found[0]
            after = ", ".join(f"{one.name} (+{one.points:.3f})" for one in found[1:])
            where = f" on the {first.where}" if result.originals else ""
            yield (
                f"{whole.run}: most to gain by {first.name}: {first.before:.3f} would be {first.after:.3f}{where}, "
                f"were {'wholes as good as parts' if first.kind == 'combining' else 'it as good there as on average'}."
                + (f" Then {after}." if after else "")
            )
        elif whole.right == whole.n:
            yield f"{whole.run}: nothing to gain on the pairs, which are all right."
        else:
            yield f"{whole.run}: nothing is weaker than the rest by more than chance."


@finding("no better than a constant", study="diagnose")
def no_better_than_constant(result: Diagnosis) -> Iterable[str]:
    """Runs that one answer to every pair would have done as well as."""
    best = max(result.baselines, key=lambda row: row.accuracy)
    for row in result.overall:
        if row.accuracy <= best.accuracy + 1e-12:
            what = "the parts" if result.originals else "these pairs"
            yield (
                f"{row.run}: {row.accuracy:.3f} on {what} is no better than {best.accuracy:.3f}, which ({best.run}) "
                f"has without reading them."
            )


@finding("what to fix first", study="diagnose")
def fix_first(result: Diagnosis) -> Iterable[str]:
    """The phenomenon with more wrong answers than the run's accuracy puts there, beyond chance."""
    for run in _runs(result):
        whole, rows = _overall(result, run), result.phenomena_of(run)
        if whole.right == whole.n or len(rows) < 2:
            continue
        share = whole.right / whole.n
        worse = [row for row in rows if row.shrunken is not None and row.shrunken.high < share and row.excess > 0]
        if worse:
            first = max(worse, key=lambda row: row.excess)
            wrong, others = first.n - first.right, [title(row) for row in worse if row is not first]
            also = f" After it: {some_of(others, 3)}." if others else ""
            yield (
                f"{run}: fix {title(first)} first: {wrong} of {first.n} wrong, {first.excess:.0f} more than its "
                f"accuracy of {share:.3f} would put there. All right there, it would have "
                f"{(whole.right + wrong) / whole.n:.3f}.{also}"
            )
        else:
            most = max(rows, key=lambda row: row.n - row.right)
            what = result.by if result.by == "phenomenon" else f"value of {result.by}"
            yield (
                f"{run}: no {what} is worse than the others by more than chance; most wrong answers "
                f"({most.n - most.right} of {most.n}) are in {title(most)}."
            )


@finding("parts and wholes", study="diagnose")
def parts_and_wholes(result: Diagnosis) -> Iterable[str]:
    """The reading of the correlation index, for every run told about."""
    for run in _runs(result) if result.originals else ():
        row = _overall(result, run)
        if row.originals is None:
            continue
        counts = f"{row.originals.right} of {row.originals.n} originals, {row.right} of {row.n} monothematic pairs"
        if row.reading == "undefined":
            yield f"{run}: the correlation index is undefined ({counts} right)."
            continue
        yield f"{run}: {_index(row)}, {_meaning(row)} ({counts} right)."


def _index(row: Row) -> str:
    """The index over all; where labels are mixed otherwise in parts than in originals, beside the adjusted one."""
    assert row.originals is not None
    plain, whole = row.correlation_interval, f"correlation index {row.correlation_index:.2f}"
    halves = f"positive {_two(row.positive.index)}, negative {_two(row.negative.index)}"
    alike = abs(row.adjusted_index - row.correlation_index) < SAME
    if row.adjusted_index != row.adjusted_index or (alike and reading(row.correlation_index, plain) == row.reading):
        return f"{whole}{_ends(plain)}, {halves}"
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


def _ends(interval: Interval) -> str:
    return "" if interval is None else f" ({interval[0]:.2f} to {interval[1]:.2f})"


@finding("positive and negative", study="diagnose")
def sides(result: Diagnosis) -> Iterable[str]:
    """Whether positive and negative pairs fare differently, on parts or between parts and wholes."""
    for run in _runs(result):
        row = _overall(result, run)
        one, other = row.positive, row.negative
        if one.interval is not None and other.interval is not None:
            better, worse = ("positive", "negative") if one.accuracy > other.accuracy else ("negative", "positive")
            low, high = sorted((one, other), key=lambda side: side.accuracy)
            assert low.interval is not None
            assert high.interval is not None
            if low.interval[1] < high.interval[0]:
                yield (
                    f"{run}: {worse} pairs are its weak side, {low.accuracy:.3f} against {high.accuracy:.3f} on "
                    f"{better} ones."
                )
        ends = row.deviation_interval
        if ends is not None and not ends[0] <= 0 <= ends[1]:
            yield f"{run}: its deviation index, {row.deviation_index:.2f}, is not chance: ideal is 0."


@finding("weak categories", study="diagnose")
def weak_categories(result: Diagnosis) -> Iterable[str]:
    """Categories whose interval lies below the run's accuracy on all pairs."""
    for run in _runs(result):
        share = _overall(result, run).accuracy
        rows = [row for row in result.categories if row.run == run and row.interval and row.interval[1] < share]
        if rows:
            worst = min(rows, key=lambda row: row.accuracy)
            yield (
                f"{run}: {worst.name} is its weakest category, {worst.accuracy:.3f} on {counted(worst.n, 'pair')} "
                f"against {share:.3f} on all."
            )


@finding("what separates two runs", study="diagnose")
def separating(result: Diagnosis) -> Iterable[str]:
    """The phenomena and categories that tell two runs apart, the clearest first."""
    if not result.contests:
        return
    for asked in (result.contests, result.category_contests):
        told = sorted((one for one in asked if one.different), key=lambda one: (one.p_corrected, one.p))
        for one in told[:3]:
            better, worse = (one.a, one.b) if one.difference > 0 else (one.b, one.a)
            yield (
                f"{one.name} separates {better} from {worse}: {abs(one.difference):.3f} apart on "
                f"{counted(one.n, 'pair')} (corrected p {one.p_corrected:.2g})."
            )
    if not any(one.different for one in result.contests):
        what = result.by if result.by == "phenomenon" else f"value of {result.by}"
        yield f"No {what} by itself separates two runs beyond chance."


@finding("minimal pairs", study="diagnose")
def minimal_pairs(result: Diagnosis) -> Iterable[str]:
    """Whether pairs that share a T are solved together."""
    for one in result.consistency:
        mixed, ends = one.mixed_share, one.mixed_interval
        if one.run in _runs(result) and ends is not None and one.mixed_expected > ends[1]:
            yield (
                f"{one.run}: of {one.mixed} groups of pairs with one T and different labels {mixed * one.mixed:.0f} "
                f"are right throughout, where its accuracy alone would make {one.mixed_expected * one.mixed:.0f}: "
                f"it is right on one pair at the cost of the other."
            )


@finding("small cells", study="diagnose")
def small_cells(result: Diagnosis) -> Iterable[str]:
    """The paper's own warning: some phenomena appear once."""
    rows = result.phenomena_of(result.overall[0].run)
    small = [row for row in rows if row.small]
    if small:
        yield (
            f"{len(small)} of {len(rows)} {result.by} slices have fewer than {result.small} pairs: read their "
            f"intervals and shrunken estimates."
        )


@finding("left out", study="diagnose")
def left_out(result: Diagnosis) -> Iterable[str]:
    """Pairs that have no value of the attribute are no slice of their own."""
    if result.without_value:
        whole = result.monothematic + result.without_value
        yield f"{result.without_value} of {whole} pairs have no {result.by}, and are left out."


@finding("relevance", study="diagnose")
def relevance(result: Diagnosis) -> Iterable[str]:
    """What weights of relevance enter, and what they do not."""
    if result.weighted:
        yield (
            "Relevance weighs accuracies and correlation indices; counts, what to fix first, shrunken shares and tests "
            "take every pair alike."
        )
