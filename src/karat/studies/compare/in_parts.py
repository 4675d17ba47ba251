"""What comparing can learn from scores in parts, and what it needs all of them for."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from karat.data.parts import ScoreParts
from karat.statistics.right_sums import RightSums, right_or_wrong
from karat.studies.compare.contrasts import FROM_SUMS


def needs_units(parts: ScoreParts, test: str, correction: str) -> str:
    """What needs all units at once; empty if sums over units are enough, as they are for what is right or wrong."""
    if parts.clustered:
        return "a comparison over clusters"
    if correction == "maxt":
        return "--correction maxt"
    return "" if test in ("auto", *FROM_SUMS) else f"--test {test}"


def right_sums(parts: ScoreParts) -> RightSums | None:
    """What is right, alone and together, over all units; None if some score is neither 0 nor 1."""
    sums = RightSums.zero(len(parts.runs))
    for more in parts.each(_of_part):
        if more is None:
            return None
        sums += more
    return sums


def _of_part(values: NDArray[Any]) -> RightSums | None:
    return RightSums.of(values) if right_or_wrong(values) else None
