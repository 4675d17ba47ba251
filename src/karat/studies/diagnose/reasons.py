"""Why numbers of a diagnosis are undefined, in words and with the counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from karat.studies.wording import counted

NO_ORIGINALS = "there are no originals"
NO_WEIGHT = "the relevance of these pairs is 0"
TRIVIAL = "baselines are not tested"
NO_RESAMPLED_INTERVAL = "it is the same in all resamples of the originals, or undefined in too many of them"


def _among(row: object, rows: Sequence[object]) -> bool:
    """Whether a row is one of several by identity, not only by equality."""
    return any(one is row for one in rows)


def no_originals(row: Any, _: object) -> str:
    """There are no originals, or none of this kind."""
    return NO_ORIGINALS if row.originals is None else "there is no original of this kind"


def no_index(row: Any, _: object) -> str:
    """Nothing to divide by, with the counts."""
    return NO_ORIGINALS if row.originals is None else _nothing(row, row.originals.n, row.originals.right)


def _nothing(parts_of: Any, originals: int, originals_right: int) -> str:
    if parts_of.n == 0 or originals == 0:
        return f"there is no {'monothematic pair' if parts_of.n == 0 else 'original'} of this kind"
    if parts_of.accuracy != parts_of.accuracy:
        return NO_WEIGHT
    parts = f"{parts_of.right:,} of {counted(parts_of.n, 'monothematic pair')}"
    whole = f"{originals_right:,} of {counted(originals, 'original')}"
    return f"{parts} and {whole} are right, so there is nothing to divide by"


def no_index_interval(row: Any, result: Any) -> str:
    """Undefined, too few, or without an upper end."""
    undefined = row.originals is None or row.correlation_index != row.correlation_index
    return no_index(row, result) if undefined else _no_end(row, result)


def _no_end(row: Any, result: Any) -> str:
    return (
        _few(result)
        if row.originals.n < result.small
        else "too few parts are right for the interval to have an upper end"
    )


def no_adjusted(row: Any, result: Any) -> str:
    """Originals without parts of the same label, or nothing to divide by."""
    if row.originals is None or not row.originals.n or row.correlation_index != row.correlation_index:
        return no_index(row, result)
    for name, side in (("positive", row.positive), ("negative", row.negative)):
        if side.originals and side.accuracy != side.accuracy:
            why = "no part" if side.n == 0 else "no part with a weight above 0"
            return f"{counted(side.originals, f'{name} original')}, but {why} of that kind"
    return "no part with the label of the originals is right"


def no_adjusted_interval(row: Any, result: Any) -> str:
    """Undefined, too few, or without an upper end."""
    undefined = row.originals is None or row.adjusted_index != row.adjusted_index
    return no_adjusted(row, result) if undefined else _no_end(row, result)


def no_deviation(row: Any, result: Any) -> str:
    """The side that has no index."""
    if row.originals is None:
        return NO_ORIGINALS
    if _among(row, result.judgments):
        return "a single judgment has no deviation index"
    return next(
        f"{name} pairs: {_nothing(side, side.originals, side.originals_right)}"
        for name, side in (("positive", row.positive), ("negative", row.negative))
        if side.originals == 0 or not side.accuracy > 0
    )


def no_deviation_interval(row: Any, result: Any) -> str:
    """Undefined, too few on one side, or undefined in too many resamples."""
    if row.originals is None or row.deviation_index != row.deviation_index:
        return no_deviation(row, result)
    few = min(row.positive.originals, row.negative.originals) < result.small
    return f"{_few(result)} on one side" if few else NO_RESAMPLED_INTERVAL


def no_pair_index(row: Any, _: object) -> str:
    """None of the parts is right; the original is right or wrong."""
    was = "right" if row.original_right else "wrong"
    return f"the original is {was}, and none of its {counted(row.n, 'monothematic pair')} is right"


def no_correlation(row: Any, result: Any) -> str:
    """One of the two does not vary, or there are too few originals."""
    if row.value != row.value:
        return "the run is right on all originals or on none, or on the same share of the parts of each"
    return _few(result) if row.originals < result.small else NO_RESAMPLED_INTERVAL


def not_tested(row: Any, result: Any) -> str:
    """A baseline, all pairs together, a slice of few pairs, or of one text."""
    if _among(row, result.baselines):
        return TRIVIAL
    if row.name == "all" and _among(row, result.overall):  # a category may have that name too
        return "all pairs together are not a slice"
    few = f"there are fewer than {result.small} pairs"
    return f"{few if row.n < result.small else 'all of its pairs, or all others, share one text'}: not tested"


def index_not_tested(row: Any, result: Any) -> str:
    """A baseline, no index, or few originals."""
    if row.originals is None or row.adjusted_index != row.adjusted_index:
        return no_adjusted(row, result)
    if hasattr(row, "shrunken"):
        return "the indices of single phenomena are not tested"
    return TRIVIAL if _among(row, result.baselines) else f"{_few(result)}: not tested"


def _few(result: Any) -> str:
    return f"there are fewer than {result.small} originals"
