"""Why a part of a diagnosis is undefined, in words and with the counts."""

from __future__ import annotations

from typing import Any

from karat.data.undefined import Steps, Why, reached
from karat.studies.diagnose.rows import PairRow, Row, Side
from karat.studies.wording import counted

NO_ORIGINALS = "there are no originals"
NO_PAIRS = "there is no such pair"
NO_WEIGHT = "the relevance of these pairs is 0"
TRIVIAL = "trivial systems are not tested"
ONE_TEXT = "all of its pairs, or all others, share one text"
WHOLE = "all pairs together are no slice"
NO_WAY_BACK = "no resample of the originals changes it, or more leave it undefined than the interval leaves out"
NO_END = "the parts are right too seldom for an upper end"


def no_share(result: Any, steps: Steps) -> str:
    """A cell without pairs has no accuracy and no interval; of pairs that all weigh nothing likewise."""
    return NO_PAIRS if reached(result, steps[:-1]).n == 0 else NO_WEIGHT


def no_index(result: Any, steps: Steps) -> str:
    """A zero in a denominator, with the counts."""
    row: Row = reached(result, steps[:2])
    if row.originals is None:
        return NO_ORIGINALS
    return _nothing(row, row.originals.n, row.originals.right)


def _nothing(parts_of: Row | Side, originals: int, originals_right: int) -> str:
    if parts_of.n == 0 or originals == 0:
        return f"there is no {'monothematic pair' if parts_of.n == 0 else 'original'} of this kind"
    if parts_of.accuracy != parts_of.accuracy:
        return NO_WEIGHT
    parts = f"{parts_of.right} of {counted(parts_of.n, 'monothematic pair')}"
    return f"{parts} and {originals_right} of {counted(originals, 'original')} are right: nothing to divide by"


def no_index_interval(result: Any, steps: Steps) -> str:
    """Undefined, too few, or without an upper end."""
    row: Row = reached(result, steps[:2])
    if row.originals is None or row.correlation_index != row.correlation_index:
        return no_index(result, steps)
    return _few(result.small) if row.originals.n < result.small else NO_END


def no_adjusted(result: Any, steps: Steps) -> str:
    """A side that originals are on and parts are not, or nothing to divide by."""
    row: Row = reached(result, steps[:2])
    if row.originals is None or not row.originals.n or row.correlation_index != row.correlation_index:
        return no_index(result, steps)
    for name, side in (("positive", row.positive), ("negative", row.negative)):
        if side.originals and side.accuracy != side.accuracy:
            why = "no part" if side.n == 0 else "no part that weighs anything"
            return f"{counted(side.originals, f'{name} original')} and {why} of that kind"
    return "no part of the kind that the originals are of is right"


def no_adjusted_interval(result: Any, steps: Steps) -> str:
    """Undefined, too few, or without an upper end."""
    row: Row = reached(result, steps[:2])
    if row.originals is None or row.adjusted_index != row.adjusted_index:
        return no_adjusted(result, steps)
    return _few(result.small) if row.originals.n < result.small else NO_END


def no_deviation(result: Any, steps: Steps) -> str:
    """Which side has no index."""
    row: Row = reached(result, steps[:2])
    if row.originals is None:
        return NO_ORIGINALS
    if steps[0] == "judgments":
        return "one judgment has nothing to deviate from"
    return next(
        f"{name} pairs: {_nothing(side, side.originals, side.originals_right)}"
        for name, side in (("positive", row.positive), ("negative", row.negative))
        if _undefined(side)
    )


def _undefined(side: Side) -> bool:
    return side.originals == 0 or not side.accuracy > 0


def no_deviation_interval(result: Any, steps: Steps) -> str:
    """Undefined, too few on one side, or undefined in too many resamples."""
    row: Row = reached(result, steps[:2])
    if row.originals is None or row.deviation_index != row.deviation_index:
        return no_deviation(result, steps)
    few = min(row.positive.originals, row.negative.originals) < result.small
    return f"{_few(result.small)} on one side" if few else NO_WAY_BACK


def no_pair_index(result: Any, steps: Steps) -> str:
    """1/0 and 0/0 are told apart."""
    row: PairRow = reached(result, steps[:2])
    was = "right" if row.original_right else "wrong"
    return f"the original is {was}, and none of its {counted(row.n, 'monothematic pair')} is right"


def no_correlation(result: Any, steps: Steps) -> str:
    """One of the two does not vary, or there are too few."""
    row = reached(result, steps[:2])
    if row.value != row.value:
        return "the run is right on all originals or on none, or on the same share of the parts of each"
    return _few(result.small) if row.originals < result.small else NO_WAY_BACK


def not_tested(result: Any, steps: Steps) -> str:
    """A trivial system, all pairs together, a slice of few pairs, or of one text."""
    if steps[0] == "baselines":
        return TRIVIAL
    if steps[0] == "overall":
        return WHOLE
    few = reached(result, steps[:2]).n < result.small
    return f"there are fewer than {result.small} pairs: not tested" if few else f"{ONE_TEXT}: not tested"


def index_not_tested(result: Any, steps: Steps) -> str:
    """A trivial system, no index, or few originals."""
    row: Row = reached(result, steps[:2])
    if row.originals is None or row.adjusted_index != row.adjusted_index:
        return no_adjusted(result, steps)
    if steps[0] == "phenomena":
        return "the indices of single phenomena are not tested"
    return TRIVIAL if steps[0] == "baselines" else f"{_few(result.small)}: not tested"


def _few(small: int) -> str:
    return f"there are fewer than {small} originals"


WHY: Why = {
    "correlations/*/*": no_correlation,
    "consistency/*/*": "no group of pairs with one T has different labels",
    "*/*/positive/*": no_share,
    "*/*/negative/*": no_share,
    "*/*/originals": NO_ORIGINALS,
    "*/*/originals/*": "there is no original of this kind",
    "pairs/*/correlation_index": no_pair_index,
    "*/*/p": not_tested,
    "*/*/p_corrected": not_tested,
    "*/*/weaker": not_tested,
    "*/*/p_index": index_not_tested,
    "*/*/p_index_corrected": index_not_tested,
    "*/*/correlation_index": no_index,
    "*/*/correlation_interval": no_index_interval,
    "*/*/distance": no_index,
    "*/*/adjusted_index": no_adjusted,
    "*/*/adjusted_interval": no_adjusted_interval,
    "*/*/deviation_index": no_deviation,
    "*/*/deviation_interval": no_deviation_interval,
    "*/*/shrunken": "there is no such pair, or no other phenomenon to shrink to",
    "*/*/accuracy": no_share,
    "*/*/interval": no_share,
}
