"""The sentences of the first screen: who scored highest, what the test set can resolve, and what would confirm it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from karat.arrays import DISPLAY_TOLERANCE, Floats
from karat.data.composite import Board, Entry
from karat.data.result import Finding, all_marked, marked
from karat.data.scores import Scores
from karat.labels import WAYS
from karat.statistics.power import paired_units
from karat.studies.compare.result import Comparison
from karat.studies.report.evidence import Evidence
from karat.studies.report.result import POWER, Undecided
from karat.studies.size.result import Size
from karat.studies.wording import MOST_NAMED, in_points, listed, roughly

MOST_UNITS_TOLD = 1_000_000
"""Larger numbers of units are only said to be larger."""
FEWEST_UNITS = 20
"""With fewer units power is not stated: it is that of the t test or of McNemar's test, and with so few units the exact
test that is used rejects less often, or never."""
SHARED = "on the units that both were scored on"


def some(names: Sequence[str]) -> str:
    """A few names, or how many there are."""
    return listed(all_marked(names)) if len(names) <= MOST_NAMED else f"{len(names):,} runs"


def verdict(board: Board, where: str = "") -> Finding:
    """Who scored highest, over how many others significantly so, and whether anything was beaten, in one sentence."""
    return Finding(where + _verdict(board), board.named)


def _verdict(board: Board) -> str:
    baseline = board.baseline
    if baseline is None or len(board.entries) == 1 or any(one.value >= baseline.value for one in board.entries):
        return _ranked(board)
    below = f"the best baseline, {baseline.name} ({board.said(baseline.value)})"
    runs = "both runs" if len(board.entries) == 2 else f"all {len(board.entries):,} runs"
    return f"{_ranked(board).removesuffix('.')}; {runs} score below {below}."


def _ranked(board: Board) -> str:
    """Who scored highest, and over how many others significantly so."""
    first = next(one for one in board.entries if one.run in board.leaders)
    others = [one for one in board.entries if one.run not in board.leaders]
    only = "Of the runs that were tested, " if any(one.value > first.value for one in others) else ""
    name, value = some(board.leaders), board.said(first.value)
    if not others and len(board.leaders) == 1:
        low, high = first.interval
        ends = f" ({100 * board.level:g}% CI {board.said(low)} to {board.said(high)})" if low == low else ""
        against = f"; {board.baseline.name} scores {board.said(board.baseline.value)}" if board.baseline else ""
        return f"{name} scores {value}{ends}{against}."
    better = [one.run for one in board.entries if one.different and one.difference > 0]
    if better:
        but = f"{some(better)} {'is' if len(better) == 1 else 'are'} significantly better {SHARED}"
        return f"{only}{marked(board.leaders[0])} scores highest ({value}), but {but}."
    if len(board.leaders) > 1:
        # A run that was left out, since there are too many, may well have the same value.
        among = only or (f"Of the {len(board.entries):,} runs that were compared, " if board.left_out else "")
        return f"{among}{name} tie for the highest {board.heading} ({value})."
    return f"{only}{name} {_against(board, value, others)}."


def _against(board: Board, value: str, others: list[Entry]) -> str:
    """How the leader compares with the others that it was tested against."""
    tested = [one for one in others if one.different is not None]
    alike = [one for one in tested if not one.different]
    if not tested:
        return f"scores highest ({value}), but was not tested against any other run"
    if len(others) == 1:
        outcome = "but the difference is not statistically significant" if alike else "a significant difference"
        return f"scores {value} and {marked(others[0].run)} {board.said(others[0].value)}, {outcome}{_ahead(alike)}"
    lead = _lead(board, others[0])
    every, part, them = "all", f"{len(alike):,} of the", f"{len(tested):,} other runs"
    if board.left_out:
        them += " that were compared"
    if len(tested) < len(others):
        them = f"{len(tested):,} runs that it was tested against"
    if len(tested) == 1:
        every, part, them = "the only", "the only", "run that it was tested against"
    if len(tested) == 2 and len(alike) != 1:
        every, them = "both", them.removeprefix("2 ")
    if not alike:
        return f"scores highest ({value}){lead}{',' * bool(lead)} and is significantly better than {every} {them}"
    if len(alike) == 1 < len(tested):
        return f"scores highest ({value}){_but_one(tested, alike[0], lead, others[0], them)}{_ahead(alike)}"
    not_significant = f"its lead over {part} {them} is not statistically significant"
    if len(alike) == len(tested) > 1:
        not_significant = f"its lead is not statistically significant over any of the {them}"
    if len(alike) == len(tested) == 2:
        not_significant = f"its lead over the two {them} is not statistically significant"
    return f"scores highest ({value}){lead}, but {not_significant}{_ahead(alike)}"


def _but_one(tested: list[Entry], one: Entry, lead: str, second: Entry, them: str) -> str:
    """That only the lead over one run is not significant; `lead` is how far the leader is ahead of the second."""
    worse = [entry.run for entry in tested if entry is not one]
    rest = marked(worse[0]) if len(worse) == 1 else f"{len(worse):,} of the {them}"
    by = ""
    if one is second and " ahead of the next run" in lead:
        by, lead = f" of {lead.removeprefix(', ').removesuffix(' ahead of the next run')}", ""
    better = f"{lead}{',' * bool(lead)} and is significantly better than {rest}"
    return f"{better}, but its lead{by} over {marked(one.run)} is not statistically significant"


def _lead(board: Board, second: Entry) -> str:
    """How far the leader is ahead of the next run, if that is the difference of their two values."""
    lead = next(one.value for one in board.entries if one.run in board.leaders) - second.value
    if not lead > DISPLAY_TOLERANCE or abs(lead + second.difference) > DISPLAY_TOLERANCE:
        return ""
    level = sum(abs(one.value - second.value) < DISPLAY_TOLERANCE for one in board.entries)
    return f", {on_board(board, lead)} ahead of the next {'run' if level == 1 else f'{level:,} runs, which tie'}"


def _ahead(alike: list[Entry]) -> str:
    """Runs that were scored on other units too can be ahead of the leader where both were scored."""
    ahead = [one.run for one in alike if one.difference > DISPLAY_TOLERANCE]
    return f", and {some(ahead)} {'is' if len(ahead) == 1 else 'are'} ahead of it {SHARED}" if ahead else ""


def resolution(evidence: Evidence, compared: Comparison, sized: Size | None, board: Board) -> Iterator[str]:
    """The smallest difference that is found reliably, and what it would take to confirm the lead."""
    if sized is not None:
        yield from _detectable(compared, sized, board)
    if len(board.leaders) > 1 or len(board.entries) < 2:
        return
    second = next(one for one in board.entries if one.run not in board.leaders)
    if second.different is not False or second.difference >= -DISPLAY_TOLERANCE:
        return
    units = needed_units(evidence, compared, board.leaders[0], second.run)
    lead = f"lead of {on_board(board, -second.difference)} over {marked(second.run)}"
    if units is not None:
        many, alone = units
        planned = f" ({_about(alone)} in one planned comparison)" if len(compared.pairs) > 1 else ""
        yield f"If the {lead} is real, confirming it would take {_about(many)} {board.plural}{planned}."


def _detectable(compared: Comparison, sized: Size, board: Board) -> Iterator[str]:
    """The difference that the units at hand show with the wanted power."""
    found = next((one for one in sized.detectables if one.way == compared.way), sized.detectables[0])
    if found.units < FEWEST_UNITS or found.corrected != found.corrected:
        return
    aside = "if they disagree as much as these two do"
    if sized.pairs > 1:
        aside = f"{on_board(board, found.difference)} in one planned comparison; both for the median pair of runs"
    yield (
        f"With {sized.in_units(found.units).replace('units', board.plural)}, a true difference of "
        f"{on_board(board, found.corrected)} between two runs is found with {sized.power:.0%} power ({aside})."
    )


def on_board(board: Board, difference: float) -> str:
    """A difference in words, in the digits of the leaderboard; of percentages, in points."""
    return in_points(board.measure, difference, board.digits) if board.percent else board.text(difference)


def _about(units: int) -> str:
    return f"more than {MOST_UNITS_TOLD:,}" if units > MOST_UNITS_TOLD else f"about {roughly(units)}"


ROUNDING = 1e-12
"""A smaller difference is a rounding error."""


def undecided(evidence: Evidence, compared: Comparison | None) -> list[Undecided]:
    """Neighbours in the ranking that were tested and not significantly different, from the top."""
    scores = None if compared is None else _scores(evidence, compared)
    if scores is None or compared is None:
        return []
    verdicts = {frozenset((pair.a, pair.b)): pair for pair in compared.pairs}
    made = []
    for first, second in pairwise(row.run for row in compared.runs):
        pair = verdicts[frozenset((first, second))]
        if pair.different is not False:
            continue
        a, b = (first, second) if (pair.difference >= 0) == (pair.a == first) else (second, first)
        ours, theirs = _on_both(scores, a, b)
        units, alone = _needed(ours - theirs, compared)
        made.append(
            Undecided(
                a=a,
                b=b,
                value_a=float(ours.mean()),
                value_b=float(theirs.mean()),
                difference=float((ours - theirs).mean()),
                units=units,
                units_alone=alone,
                p=pair.p,
                p_corrected=pair.p_corrected,
                at_hand=pair.units,
            )
        )
    return made


def needed_units(evidence: Evidence, compared: Comparison, a: str, b: str) -> tuple[int, int] | None:
    """The units that would confirm that a is ahead of b, among all these runs and alone; None if that is not known."""
    scores = _scores(evidence, compared)
    if scores is None:
        return None
    ours, theirs = _on_both(scores, a, b)
    units, alone = _needed(ours - theirs, compared)
    return None if units is None or alone is None else (units, alone)


def _scores(evidence: Evidence, compared: Comparison) -> Scores | None:
    """The scores of runs that were all compared by their means, unit by unit; only for these is power computed."""
    if compared.clusters is not None or compared.versus != "all":
        return None
    if compared.way is not None and evidence.responses is not None:
        nouns: tuple[Scores | None, ...] = (evidence.responses.right(WAYS[compared.way]),)
    else:
        nouns = (evidence.scores, evidence.question_scores, evidence.nugget_scores)
    # Scores made in Python may not say what they are.
    return next((one for one in nouns if one is not None and one.measure in ("", compared.measure)), None)


def _on_both(scores: Scores, a: str, b: str) -> tuple[Floats, Floats]:
    """The scores of two runs on the units that both were scored on."""
    ours, theirs = (scores.values[scores.runs.index(run)] for run in (a, b))
    both = ~np.isnan(ours - theirs)
    return ours[both], theirs[both]


def _needed(gap: Floats, compared: Comparison) -> tuple[int | None, int | None]:
    """The units needed to find the mean of these differences among all pairs of runs, and alone.

    By McNemar's exact test if right or wrong, else by the t test. The level is divided by the number of pairs: Holm's
    correction is at least as strong as that.
    """
    difference, graded = float(abs(gap.mean())), not np.isin(gap, (-1.0, 0.0, 1.0)).all()
    if difference < ROUNDING:
        return None, None
    level, pairs = 1 - compared.interval_level, 1 if compared.correction == "none" else len(compared.pairs)
    spread = float(gap.var(ddof=1)) if graded else float(np.abs(gap).mean())
    among, alone = (paired_units(spread, difference, POWER, one, graded=graded) for one in (level / pairs, level))
    return among, alone
