"""What a developer should take away from a diagnosis: what to fix first, and what is already there to build on."""

from __future__ import annotations

from collections.abc import Iterable

from karat.studies.base import finding
from karat.studies.diagnose.result import Diagnosis
from karat.studies.diagnose.rows import PhenomenonRow, Row
from karat.studies.words import counted, some_of

TOLD = 5
"""Of more runs than this only the best and the worst are told about one by one."""
READINGS = {
    "ideal": "it does on originals what it does on their parts",
    "missing": "it solves parts and does not combine them",
    "over": "it is better on originals than on their parts, so it does not use the parts",
    "cannot be told from 1": "which cannot be told from 1",
    "too few to tell": "of too few originals to tell",
}


def _runs(result: Diagnosis) -> list[str]:
    """The runs that are told about: all, or the best and the worst by accuracy."""
    ranked = sorted(result.overall, key=lambda row: -row.accuracy)
    return [row.run for row in (ranked if len(ranked) <= TOLD else [ranked[0], ranked[-1]])]


def _overall(result: Diagnosis, run: str) -> Row:
    return next(row for row in result.overall if row.run == run)


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
            wrong, others = first.n - first.right, [_title(row) for row in worse if row is not first]
            also = f" After it: {some_of(others, 3)}." if others else ""
            yield (
                f"{run}: fix {_title(first)} first: {wrong} of {first.n} wrong, {first.excess:.0f} more than its "
                f"accuracy of {share:.3f} would put there. All right there, it would have "
                f"{(whole.right + wrong) / whole.n:.3f}.{also}"
            )
        else:
            most = max(rows, key=lambda row: row.n - row.right)
            yield (
                f"{run}: no {result.by} is worse than the others by more than chance; most wrong answers "
                f"({most.n - most.right} of {most.n}) are in {_title(most)}."
            )


def _title(row: PhenomenonRow) -> str:
    return f"{row.category}:{row.name}" if row.category else row.name


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
        ends = "" if row.correlation_interval is None else " ({:.2f} to {:.2f})".format(*row.correlation_interval)
        yield f"{run}: correlation index {row.correlation_index:.2f}{ends}, {READINGS[row.reading]} ({counts} right)."


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
        yield f"No {result.by} by itself separates two runs beyond chance."


@finding("hard for all", study="diagnose")
def hard_for_all(result: Diagnosis) -> Iterable[str]:
    """What every run fails most often."""
    runs = [row.run for row in result.overall]
    if len(runs) < 2:
        return
    size = len(result.phenomena) // len(runs)
    best = [(max(row.accuracy for row in result.phenomena[at::size]), result.phenomena[at]) for at in range(size)]
    hard = sorted((pair for pair in best if pair[1].n and pair[0] < 0.5), key=lambda pair: pair[0])
    if hard:
        names = some_of([f"{_title(row)} ({share:.2f}{'*' * row.small})" for share, row in hard])
        yield f"No run gets half of these right (the best accuracy of any): {names}."


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
