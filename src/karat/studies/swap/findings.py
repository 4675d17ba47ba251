"""What a reader should take away from the swap method."""

from __future__ import annotations

from collections.abc import Iterable

from karat.data.result import Finding, Findings, headline
from karat.studies.swap.result import Swap
from karat.studies.wording import counted

MOST_ZERO_MEDIANS = 1 / 3
"""The share of units with a median score of 0 above which the scores are called skewed."""


def reliable(result: Swap) -> Iterable[Finding]:
    """The smallest reliable difference, and how many pairs of runs differ by that much."""
    least, needed = result.fresh.smallest_reliable_difference, result.fresh.needed
    if least == least:
        yield headline(
            f"With {result.all_units}, two runs that differ by {least:.3g} or more are reversed by a fresh test set at "
            f"most {result.error:.0%} of the time, whichever run is left out (best estimate {needed.value:.3g}, "
            f"{needed.high:.3g} at the careful end of its interval). "
            f"{result.fresh.sensitivity:.0%} of the pairs of runs differ by that much."
        )
    else:
        yield headline(
            f"With {result.all_units} no difference between these runs is reliable (reversed by a fresh test set at "
            f"most {result.error:.0%} of the time): {result.why_unreliable}."
        )


def hopeful(result: Swap) -> Iterable[Finding]:
    """The published procedure calls differences reliable that are not for fresh samples."""
    by_fit, fresh = result.procedure.smallest_reliable_difference, result.fresh.smallest_reliable_difference
    # The procedure's answer is a whole bin, which must lie below the difference that fresh samples need.
    bins = [curve for curve in result.procedure.curves if curve.low == by_fit]
    if any(not fresh < curve.high for curve in bins):
        yield Finding(
            f"The published swap procedure would call differences from {by_fit:g} on reliable: it makes no allowance "
            "for chance in what this test set shows, which is optimistic for close runs."
        )


def median_zero(result: Swap) -> Iterable[Finding]:
    """Skewed scores, if they are graded."""
    if result.graded and result.zero_median_units > MOST_ZERO_MEDIANS * result.units:
        yield Finding(
            f"On {result.zero_median_units} of {counted(result.units, result.unit)} at least half of the runs score 0: "
            "skewed scores make an evaluation look more reliable than it is."
        )


def unscored(result: Swap) -> Iterable[Finding]:
    """Units on which no run has a score."""
    if result.unscored_units:
        have, are = ("has", "is") if result.unscored_units == 1 else ("have", "are")
        yield Finding(f"{counted(result.unscored_units, 'unit')} {have} no score of any run and {are} left out.")


def teams(result: Swap) -> Iterable[Finding]:
    """Runs of one team differ less than runs of different teams."""
    if result.teams and result.teams.between.share == result.teams.between.share and result.teams.within.pairs:
        between, within = result.teams.between, result.teams.within
        yield Finding(
            f"{between.share:.0%} of the {between.pairs} pairs of runs of different teams differ by the smallest "
            f"reliable difference or more, and {within.share:.0%} of the {within.pairs} pairs of one team."
        )


FINDINGS: Findings = (reliable, hopeful, median_zero, unscored, teams)
