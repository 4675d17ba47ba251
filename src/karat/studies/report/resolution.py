"""What the test set can resolve, and what would confirm who leads."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from karat.arrays import DISPLAY_TOLERANCE, Floats
from karat.data.composite import Board
from karat.data.result import marked
from karat.data.scores import Scores
from karat.labels import WAYS
from karat.statistics.power import paired_units
from karat.studies.compare.result import Comparison
from karat.studies.report.evidence import Evidence
from karat.studies.report.result import POWER, Undecided
from karat.studies.size.result import Size
from karat.studies.tested_pairs import on_board
from karat.studies.wording import roughly

MOST_UNITS_TOLD = 1_000_000
"""Larger numbers of units are only said to be larger."""
FEWEST_UNITS = 20
"""With fewer units power is not stated: it is that of the t test or of McNemar's test, and with so few units the exact
test that is used rejects less often, or never."""


def resolution(evidence: Evidence, compared: Comparison, sized: Size | None, board: Board) -> Iterator[str]:
    """The smallest difference that is found reliably, and what it would take to confirm the lead."""
    if sized is not None:
        yield from _detectable(compared, sized, board)
    if len(board.leaders) > 1 or len(board.entries) < 2:
        return
    second = board.others[0]
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
