"""What a reader of the swap method should take away."""

from __future__ import annotations

from collections.abc import Iterable

from karat.studies.base import finding
from karat.studies.swap.result import Swap
from karat.studies.words import counted

SKEWED = 1 / 3
"""A share of units with median 0 above this is worth a warning."""


@finding("reliable", study="swap", headline=True)
def reliable(result: Swap) -> Iterable[str]:
    """The difference that can be relied on, and how many pairs of runs show it."""
    analytic = result.analytic
    if analytic.smallest_reliable_difference == analytic.smallest_reliable_difference:
        low, high = analytic.interval
        ends = f"interval {low:.3g} to {high:.3g}" if high == high else f"interval from {low:.3g}, open above"
        yield (
            f"With {result.all_units}, differences from {analytic.smallest_reliable_difference:g} on are ordered the "
            f"other way by a fresh test set at most {result.error:.0%} of the time ({ends}); "
            f"{analytic.sensitivity:.0%} of the pairs of runs differ by that much."
        )
    else:
        yield f"With {result.all_units} no difference between these runs has an error of at most {result.error:.0%}."


@finding("hopeful", study="swap")
def hopeful(result: Swap) -> Iterable[str]:
    """Where the extrapolated fit promises more than a fresh sample would keep."""
    by_fit, fresh = result.smallest_reliable_difference, result.analytic.smallest_reliable_difference
    if by_fit < fresh - 1e-9:
        yield (
            f"The procedure's fit, extrapolated, calls {by_fit:g} reliable where fresh samples need {fresh:g}: halves "
            "of one test set are not independent."
        )
    elif by_fit > fresh + 1e-9:
        yield f"The procedure's fit, extrapolated, asks for {by_fit:g} where fresh samples need {fresh:g}."


@finding("median-zero", study="swap")
def median_zero(result: Swap) -> Iterable[str]:
    """Skewed scores."""
    if result.zero_median_units > SKEWED * result.units:
        yield (
            f"On {result.zero_median_units} of {counted(result.units, result.unit)} at least half of the runs score 0: "
            "skewed scores make an evaluation look more reliable than it is."
        )


@finding("unscored", study="swap")
def unscored(result: Swap) -> Iterable[str]:
    """Units that nobody has a score on."""
    if result.unscored_units:
        have, are = ("has", "is") if result.unscored_units == 1 else ("have", "are")
        yield f"{counted(result.unscored_units, 'unit')} {have} no score of any run and {are} left out."


@finding("teams", study="swap")
def teams(result: Swap) -> Iterable[str]:
    """Runs of one team differ less, and count less."""
    if result.teams and result.teams.between.share == result.teams.between.share and result.teams.within.pairs:
        between, within = result.teams.between, result.teams.within
        yield (
            f"Of {between.pairs} pairs of runs of different teams {between.share:.0%} differ by the smallest reliable "
            f"difference, of {within.pairs} pairs of one team {within.share:.0%}."
        )
