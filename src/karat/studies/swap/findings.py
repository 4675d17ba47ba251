"""What a reader should take away about the swap method: sentences and figures."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TypeVar

from karat.arrays import DISPLAY_TOLERANCE, NAN
from karat.data.charts import Chart, Figures, Line, Lines, Variant
from karat.data.result import Finding, Findings, headline
from karat.studies.counted_runs import not_counted
from karat.studies.swap.result import Curve, ErrorAtSize, ExponentialFit, FreshCurve, Swap
from karat.studies.wording import captioned, counted, in_points

MOST_ZERO_MEDIANS = 1 / 3
"""The share of units with a median score of 0 above which the scores are called skewed."""
MOST_BINS_DRAWN = 3
"""The most bins drawn."""
MOST_POINTS = 16
"""The most points drawn for a bin."""
CURVE_POINTS = 41
"""The points of a fitted curve."""
POOR_DISPERSION, POOR_DISTANCE = 2, 0.05
"""A fit is not drawn if rates depart from it by more than chance, and by more than so much on average."""
ERROR = "error rate"
OF_TWO_RUNS = captioned(
    "How often a second set of the same size reverses two runs, by their difference on the first set.",
    "The rates are the best estimate for two new samples: they allow for chance in the differences on this test set. "
    "The published procedure is not drawn: on parts of one test set, it would take the observed difference of the only "
    "two runs for the true one.",
)
"""Where two runs have only these curves."""
Bin = TypeVar("Bin", Curve, FreshCurve)


def _apart(result: Swap, difference: float) -> str:
    return in_points(result.measures[0], difference)


def reliable(result: Swap) -> Iterable[Finding]:
    """The smallest reliable difference, and how many pairs of runs differ by that much."""
    least = result.fresh.smallest_reliable_difference
    if least == least:
        yield headline(
            f"A fresh test set of {result.all_units} would reverse two runs that differ by {_apart(result, least)} or "
            f"more at most {result.error:.0%} of the time, and {result.fresh.sensitivity:.0%} of the pairs of runs "
            f"differ by that much.{_estimated(result)}"
        )
    else:
        yield headline(
            f"No difference between these {len(result.runs):,} runs can be called reliable, in the sense that a fresh "
            f"test set of {result.all_units} would reverse it at most {result.error:.0%} of the time: "
            f"{result.why_unreliable}."
            + " This is about all pairs of runs at once; for single pairs see `karat compare`."
            * (len(result.runs) > 2)
        )


def _estimated(result: Swap) -> str:
    """The estimate behind it and the upper end of its interval, where they are different numbers."""
    least = result.fresh.smallest_reliable_difference
    value, high, found = (_apart(result, one) for one in (result.fresh.needed.value, result.fresh.needed.high, least))
    if value == high == found:
        return ""
    end = "" if value == high else f", and the upper end of its interval {high}"
    return f" The estimate is {value}{end}{_without_one(result)}."


def _without_one(result: Swap) -> str:
    """Why the smallest reliable difference is larger than the upper end of the interval, if it is."""
    least, high = (_apart(result, one) for one in (result.fresh.smallest_reliable_difference, result.fresh.needed.high))
    return "" if least == high else f"; only from {least} on does it hold whichever run is left out"


def hopeful(result: Swap) -> Iterable[Finding]:
    """The published procedure calls differences reliable that are not for fresh samples."""
    by_fit, fresh = result.procedure.smallest_reliable_difference, result.fresh.smallest_reliable_difference
    # The procedure's answer is a whole bin, which must lie below the difference that fresh samples need.
    bins = [curve for curve in result.procedure.curves if curve.low == by_fit]
    if any(not fresh < curve.high for curve in bins):
        yield Finding(
            f"The published swap procedure would call differences of {_apart(result, by_fit)} or more reliable; it "
            "makes no allowance for chance in the differences observed on this test set."
        )


def median_zero(result: Swap) -> Iterable[Finding]:
    """Skewed scores, if they are graded."""
    if result.graded and result.zero_median_units > MOST_ZERO_MEDIANS * result.units:
        yield Finding(
            f"At least half of the runs score 0 on {result.zero_median_units:,} of "
            f"{counted(result.units, result.unit)}: such skewed scores make an evaluation look more reliable than it "
            "is."
        )


def unscored(result: Swap) -> Iterable[Finding]:
    """Units on which no run has a score."""
    if result.unscored_units:
        have, are = ("has", "is") if result.unscored_units == 1 else ("have", "are")
        yield Finding(f"{counted(result.unscored_units, 'unit')} {have} no score from any run and {are} left out.")


def teams(result: Swap) -> Iterable[Finding]:
    """Runs of one team differ less than runs of different teams."""
    if result.teams and result.teams.between.share == result.teams.between.share and result.teams.within.pairs:
        between, within = result.teams.between, result.teams.within
        yield Finding(
            f"{between.share:.0%} of the {counted(between.pairs, 'pair')} of runs from different teams differ by at "
            f"least the smallest reliable difference, compared with {within.share:.0%} of the "
            f"{counted(within.pairs, 'pair')} from the same team."
        )


def error_by_size(result: Swap) -> Iterable[Chart]:
    """How often a second set of the same size reverses two runs, by their difference on the first set.

    Points are the rates of the published procedure on two parts of the test set; "fitted" is the exponential curve
    through them, extrapolated to all units, where the rates follow one. "Fresh" is the best estimate for two new
    samples: unlike the procedure, it allows for chance in the differences on this test set, and it does not
    extrapolate.
    """
    lines = _fresh_alone(result) if result.one_pair else _with_procedure(result)
    if lines:
        points = ", in points" * bool(result.in_points)
        yield Lines(
            title="Error rate by size",
            note=f"one {'line' if result.one_pair else 'mark'} per range of differences on the first set{points}",
            lines=tuple(lines),
            axes=(f"{result.unit}s in each set", ERROR),
            unit="%",
            high=0.5,
            rule=result.error,
            rule_name=_allowed(result),
            caption=OF_TWO_RUNS if result.one_pair else "",
        )


def _allowed(result: Swap) -> str:
    """The name of the rule: a rate below it is small enough."""
    return f"{result.error:.0%}"


def _fresh_alone(result: Swap) -> list[Line]:
    curves = _some(result.fresh.curves)
    return [Line(*_rates(one), result.between(one)) for one in curves] if result.procedure.curves else []


def _with_procedure(result: Swap) -> list[Line]:
    """The bins with the rates of the procedure, the curve through them if they follow it, and the fresh rates."""
    fresh_of = {curve.low: curve for curve in result.fresh.curves}
    lines = []
    for curve in _chosen(result):
        kept, variants = _thinned(curve.points), []
        if curve.fit and _follows(curve, curve.fit):
            sizes = _sizes(result)
            variants.append(Variant(sizes, [_predicted(curve.fit, size) for size in sizes], "fitted"))
        if fresh := fresh_of.get(curve.low):
            variants.append(Variant(*_rates(fresh), "fresh"))
        sizes_and_errors = [point.size for point in kept], [point.error for point in kept]
        lines.append(Line(*sizes_and_errors, result.between(curve), "marks", tuple(variants)))
    return lines


def _rates(curve: FreshCurve) -> tuple[list[float], list[float]]:
    return [one.size for one in curve.rates], [one.error for one in curve.rates]


def _follows(curve: Curve, fit: ExponentialFit) -> bool:
    """Whether the rates of a bin are where its fitted curve is, as far as chance allows or nearly so."""
    squares = sum(one.comparisons * (one.error - _predicted(fit, one.size)) ** 2 for one in curve.points)
    return not (fit.dispersion > POOR_DISPERSION and squares > POOR_DISTANCE**2 * curve.comparisons)


def error_by_difference(result: Swap) -> Iterable[Chart]:
    """The error rate with all units by difference, for fresh samples and as predicted by the published procedure.

    A difference is reliable if "fresh, upper end", the upper end of its interval, is below the horizontal rule. The
    procedure is drawn if there are more than two runs.
    """
    curves = result.fresh.curves
    fits = [one for one in result.procedure.curves if curves and one.low <= curves[-1].low and not result.one_pair]
    lines = (
        ("fresh", [(one.low, one.high, one.error_at_full) for one in curves]),
        ("fresh, upper end", [(one.low, one.high, one.interval[1]) for one in curves]),
        ("procedure", [(one.low, one.high, one.fit.error_at_full if one.fit else NAN) for one in fits]),
    )
    yield Lines(
        title=f"Error rate with all {result.all_units}",
        note=f"with all {result.all_units}",
        lines=tuple(
            Line([at for at, _ in made], [error for _, error in made], name)
            for name, made in ((name, _by_bin(bins)) for name, bins in lines if bins)
        ),
        axes=("difference", ERROR),
        unit="%",
        x_unit=result.in_points,
        high=0.5,
        rule=result.error,
        rule_name=_allowed(result),
    )


def _chosen(result: Swap) -> list[Curve]:
    """The bins to draw: some up to the smallest reliable difference, among those with enough points."""
    drawn = [curve for curve in result.procedure.curves if curve.fit and len(curve.points) > 2]
    seen = {curve.low for curve in result.fresh.curves}
    last = result.fresh.smallest_reliable_difference
    near = [curve for curve in drawn if curve.low in seen and not curve.low > last + DISPLAY_TOLERANCE] or drawn
    return _some(near)


def _some(bins: list[Bin]) -> list[Bin]:
    """A few of the bins, evenly spaced, with the last."""
    step = max(1, (len(bins) - 1) // (MOST_BINS_DRAWN - 1))
    return bins[::-1][::step][:MOST_BINS_DRAWN][::-1]


def _thinned(points: list[ErrorAtSize]) -> list[ErrorAtSize]:
    """Evenly spaced points of a bin, with the first and the last."""
    places = {round(place * (len(points) - 1) / (MOST_POINTS - 1)) for place in range(MOST_POINTS)}
    return [points[place] for place in sorted(places)]


def _sizes(result: Swap) -> list[float]:
    """The sizes at which a fitted curve is drawn, up to all units."""
    first, last = result.sizes[0], result.units
    return [first + (last - first) * place / (CURVE_POINTS - 1) for place in range(CURVE_POINTS)]


def _predicted(fit: ExponentialFit, size: float) -> float:
    """The fitted error at a size; 0 at all sizes if no error was observed."""
    return fit.a * math.exp(-fit.b * size) if fit.a else 0.0


def _by_bin(bins: list[tuple[float, float, float]]) -> list[tuple[float, float]]:
    """The middle of each bin and its error; NaN between two bins that are not adjacent."""
    made: list[tuple[float, float]] = []
    before = None
    for low, high, error in bins:
        if before is not None and low > before + DISPLAY_TOLERANCE:
            made.append(((before + low) / 2, NAN))
        made.append(((low + high) / 2, error))
        before = high
    return made


FINDINGS: Findings = (reliable, hopeful, median_zero, not_counted, unscored, teams)
FIGURES: Figures = (error_by_size, error_by_difference)
