"""Swap: how often another test set of this size would order two runs the other way (`karat swap`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from karat.data.parameters import WayOption
from karat.data.result import Undefined
from karat.errors import UsageError
from karat.kernels.swap import COMPARISONS, TIED
from karat.statistics.bootstrap import percentile_interval
from karat.statistics.decay import POINTS, Decay, fit_decay
from karat.statistics.swap import Swaps, count_swaps, sensitivity, smallest_reliable
from karat.statistics.swap_normal import (
    PairMoments,
    finite_rates,
    fresh_rates,
    pair_moments,
    resampled_fresh_rates,
)
from karat.statistics.wilson import quantile
from karat.studies.base import study
from karat.studies.score_matrix import complete, is_scores, must_be_mean
from karat.studies.swap import findings as findings
from karat.studies.swap.result import Analytic, AnalyticCurve, Curve, Fit, PairShare, Point, Rate, Swap, Teams, Tied
from karat.studies.ways import one_way

Floats = NDArray[np.float64]
ALL, MANY, FEW = 200, 100, 6
"""Up to so many units every size is drawn, beyond it about so many; and sizes for the finite curve."""
LARGEST = 2.0**62 / 10**9
"""Sums of scores beyond this do not fit whole numbers of nine digits behind the point."""
BINS = 2000
FURTHER = (1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 32, 50, 100)
"""Multiples of the full size at which the fresh curve is worked out, to find the size needed."""
NO_FIT = (
    f"fewer than {POINTS} sizes, or too few in the upper half of them, have enough comparisons of such a difference"
)
NO_ERROR = "no error was seen at any size, so a is 0 and no rate of decay follows"
NO_FALL = "the error is not small enough at any size looked at"
NOT_RELIABLE = "no difference that was seen has a small enough error, and all larger ones too"
ONE_TRIAL = "one trial shows no variation between trials"


class SwapParameters(msgspec.Struct, frozen=True, kw_only=True):
    """What `swap` can be asked."""

    way: WayOption = "auto"
    measure: Annotated[str, Meta(description="a measure that is a mean over units")] = "accuracy"
    trials: Annotated[int, Meta(description="pairs of sets drawn for each size", ge=1)] = 50
    smallest: Annotated[int, Meta(description="smallest size of a set", ge=1)] = 5
    largest: Annotated[int | None, Meta(description="largest size of a set; half of the units")] = None
    step: Annotated[
        int | None, Meta(description=f"from size to size; 1 up to {ALL} units, else so that they are about {MANY}")
    ] = None
    width: Annotated[float, Meta(description="width of the bins of differences", gt=0)] = 0.01
    ties: Annotated[
        Literal["strict", "half", "ignore", "sakai"],
        Meta(description="a tie on the second set: no error, half of one, not compared, an error (Sakai 2006)"),
    ] = "strict"
    error: Annotated[float, Meta(description="error rate that is small enough", gt=0, lt=0.5)] = 0.05
    least: Annotated[int, Meta(description="comparisons that a point needs to enter the fit", ge=1)] = 10
    team: Annotated[
        str | None,
        Meta(description="regular expression whose first group in a run's name is its team", examples=["^([^-]+)-"]),
    ] = None
    replicates: Annotated[int, Meta(description="resamples of runs and units for the intervals", ge=2)] = 200
    interval: Annotated[float, Meta(description="level of the intervals", gt=0, lt=1)] = 0.95
    seed: Annotated[int, Meta(description="seed of every random number")] = 0


@study("swap", SwapParameters)
def swap(*given: Any) -> Swap:
    """Voorhees and Buckley's swap method on (key, runs) or on a score matrix, and the analytic curve beside it."""
    *subjects, asked = given
    way = None
    if is_scores(subjects):
        raw, warnings = subjects[0], ()
    else:
        key, runs = subjects
        must_be_mean(asked.measure, "swap")
        way = one_way(runs, asked.way)
        raw, warnings = runs.right(way), (*key.warnings, *runs.warnings)
    scores = complete(raw, "swap")
    units = len(scores.units)
    sizes, width = _sizes(units, asked), _width(asked.width)
    # Differences are of one unit at most; the scale of the scores is the user's own.
    reach = float(np.ptp(scores.values, axis=0).max(initial=0))
    if asked.width > max(reach, 1.0):
        raise UsageError(f"--width {asked.width:g}: wider than any difference of these scores, which reach {reach:g}")
    if np.abs(scores.values).max(initial=0) * units > LARGEST:
        raise UsageError("the scores are too large to be counted exactly; divide them all by a power of ten")
    if reach / float(width) > BINS:
        raise UsageError(f"--width {asked.width:g}: scores that differ by up to {reach:g} need wider bins")
    swaps = count_swaps(scores.values, sizes, asked.trials, width, asked.seed, asked.ties)
    columns = swaps.errors.T, swaps.comparisons.T, swaps.variance.T
    decay = fit_decay(swaps.sizes.astype(np.float64), *columns, asked.least, sizes[-1] / 2)
    edges = np.arange(swaps.errors.shape[1] + 1) * float(width)
    moments = pair_moments(scores.values)
    undefined: list[Undefined] = []
    least = float(smallest_reliable(decay.at(units), edges[:-1], asked.error)) if len(edges) > 1 else float("nan")
    if least != least:
        for path in ("smallest_reliable_difference", "sensitivity"):
            undefined.append(Undefined.at(path, reason=NOT_RELIABLE))
    return Swap(
        way=way.name if way else None,
        measures=[scores.measure],
        runs=list(scores.runs),
        units=units,
        sizes=sizes,
        trials=asked.trials,
        comparisons=int(swaps.counts[..., COMPARISONS].sum()),
        error=asked.error,
        curves=_curves(swaps, decay, edges, units, asked, undefined),
        tied=_tied(swaps),
        smallest_reliable_difference=least,
        sensitivity=float(sensitivity(moments.mean, least)),
        teams=_teams(scores.runs, moments.mean, least, asked.team, undefined),
        analytic=_analytic(scores.values, moments, edges, sizes, asked, undefined),
        zero_median_units=int((np.median(scores.values, axis=0) == 0).sum()),
        unscored_units=len(raw.units) - units,
        undefined=tuple(undefined),
        warnings=warnings,
    )


def _width(given: float) -> Fraction:
    """The width as a fraction that is exactly it: 1/3 where a third was meant."""
    simple = Fraction(str(given)).limit_denominator(10_000)
    return simple if float(simple) == given else Fraction(str(given))


def _sizes(units: int, asked: SwapParameters) -> list[int]:
    """The sizes to draw, the largest included."""
    largest = units // 2 if asked.largest is None else asked.largest
    if largest > units // 2:
        raise UsageError(f"--largest {largest}: two disjoint sets of {units} units hold {units // 2} each at most")
    if asked.smallest > largest:
        raise UsageError(f"sizes go from {asked.smallest} to {largest}: too few units, or --smallest is too large")
    step = asked.step or (1 if units <= ALL else -(-(largest - asked.smallest) // MANY) or 1)
    return sorted({*range(asked.smallest, largest + 1, step), largest})


def _curves(
    swaps: Swaps, decay: Decay, edges: Floats, units: int, asked: SwapParameters, undefined: list[Undefined]
) -> list[Curve]:
    """One curve a bin that anything fell into."""
    rate, half = swaps.rate, quantile(asked.interval) * swaps.standard_error
    low, high = np.clip(rate - half, 0, 1), np.clip(rate + half, 0, 1)
    at_full, (down, up) = decay.at(units), decay.interval(units, asked.interval)
    reaches = decay.reaches(asked.error)
    made: list[Curve] = []
    for place in np.flatnonzero(swaps.comparisons.sum(axis=0) > 0):
        at = ("curves", len(made))
        points = [
            Point(
                int(size),
                float(rate[i, place]),
                int(swaps.comparisons[i, place]),
                (float(low[i, place]), float(high[i, place])),
            )
            for i, size in enumerate(swaps.sizes)
            if swaps.comparisons[i, place] > 0
        ]
        if asked.trials == 1:
            undefined += [
                Undefined.at(*at, "points", place, "interval", reason=ONE_TRIAL) for place in range(len(points))
            ]
        fit = needed = None
        if decay.log_a[place] == decay.log_a[place]:
            fit = Fit(
                float(np.exp(decay.log_a[place])),
                float(decay.b[place]),
                float(at_full[place]),
                (float(down[place]), float(up[place])),
                float(decay.dispersion[place]),
                int(decay.points[place]),
            )
            if fit.b != fit.b:
                undefined += [
                    Undefined.at(*at, "fit", part, reason=NO_ERROR) for part in ("b", "interval", "dispersion")
                ]
            elif fit.dispersion != fit.dispersion:
                undefined += [Undefined.at(*at, "fit", part, reason=ONE_TRIAL) for part in ("interval", "dispersion")]
            needed = max(int(np.ceil(reaches[place])), int(swaps.sizes[0])) if np.isfinite(reaches[place]) else None
            if needed is None:
                undefined.append(Undefined.at(*at, "reliable_size", reason=NO_FALL))
        else:
            undefined += [Undefined.at(*at, part, reason=NO_FIT) for part in ("fit", "reliable_size")]
        made.append(Curve(_round(edges[place]), _round(edges[place + 1]), points, fit, needed))
    return made


def _tied(swaps: Swaps) -> list[Tied]:
    """The cell of its own that ties on the first set have."""
    cells = swaps.counts[:, 0]
    return [
        Tied(int(size), int(cell[COMPARISONS]), float(1 - cell[TIED] / cell[COMPARISONS]))
        for size, cell in zip(swaps.sizes, cells, strict=True)
        if cell[COMPARISONS]
    ]


def _teams(
    runs: Sequence[str], differences: Floats, least: float, pattern: str | None, undefined: list[Undefined]
) -> Teams | None:
    """Sensitivity apart for pairs of one team; a run whose name does not match is a team of its own."""
    if pattern is None:
        undefined.append(Undefined.at("teams", reason="no --team was given to tell teams by"))
        return None
    try:
        found = [re.search(pattern, run) for run in runs]
    except re.error as error:
        raise UsageError(f"--team {pattern}: no regular expression ({error})") from None
    names = [
        (match[1] if match.re.groups else match[0]) if match else ("", run)
        for run, match in zip(runs, found, strict=True)
    ]
    one, other = np.triu_indices(len(runs), 1)
    same = np.array([names[a] == names[b] for a, b in zip(one, other, strict=True)], dtype=bool)
    shares = []
    for part, mask in (("between", ~same), ("within", same)):
        share = float(sensitivity(differences[mask], least))
        if share != share:
            reason = "there is no such pair of runs" if least == least else NOT_RELIABLE
            undefined.append(Undefined.at("teams", part, "share", reason=reason))
        shares.append(PairShare(int(mask.sum()), share))
    return Teams(*shares)


def _analytic(
    scores: Floats,
    moments: PairMoments,
    edges: Floats,
    sizes: list[int],
    asked: SwapParameters,
    undefined: list[Undefined],
) -> Analytic:
    """The curves that need no trials, with intervals over resampled runs and units."""
    units = scores.shape[1]
    few = [sizes[place] for place in np.unique(np.linspace(0, len(sizes) - 1, FEW).round().astype(int))]
    shown = sorted({*few, units})
    grid = sorted({*shown, *(round(units * factor) for factor in FURTHER)})
    fresh = np.stack([fresh_rates(moments, size, edges) for size in grid])
    finite = np.stack([finite_rates(moments, size, units, edges) for size in few])
    full = fresh[grid.index(units)]
    known = ~np.isnan(full)
    # No bin past the last one that is known need be resampled.
    edges = edges[: int(np.flatnonzero(known).max(initial=0)) + 2]
    full, known = full[: len(edges) - 1], known[: len(edges) - 1]
    many = resampled_fresh_rates(scores, units, edges, asked.replicates, asked.seed)
    low, high = (np.full(len(full), np.nan) for _ in range(2))
    if known.any():
        low[known], high[known] = percentile_interval(np.where(np.isnan(many), full, many)[:, known], asked.interval)
    curves: list[AnalyticCurve] = []
    for place in np.flatnonzero(known):
        needed = _crossing(grid, fresh[:, place], asked.error)
        if needed is None:
            undefined.append(Undefined.at("analytic", "curves", len(curves), "reliable_size", reason=NO_FALL))
        curves.append(
            AnalyticCurve(
                _round(edges[place]),
                _round(edges[place + 1]),
                [Rate(size, float(fresh[grid.index(size), place])) for size in shown],
                [
                    Rate(size, float(row[place]))
                    for size, row in zip(few, finite, strict=True)
                    if row[place] == row[place]
                ],
                float(full[place]),
                (float(low[place]), float(high[place])),
                needed,
            )
        )
    least = float(smallest_reliable(full, edges[:-1], asked.error)) if len(full) else float("nan")
    resampled = smallest_reliable(many, edges[:-1], asked.error) if len(full) else np.array([np.nan])
    ends = (float("nan"),) * 2
    if least == least and not np.isnan(resampled).all():
        down, up = percentile_interval(resampled, asked.interval)
        ends = float(down), float(up)
    else:
        for path in ("smallest_reliable_difference", "interval", "sensitivity"):
            undefined.append(Undefined.at("analytic", path, reason=NOT_RELIABLE))
    return Analytic(curves, least, ends, float(sensitivity(moments.mean, least)))


def _crossing(grid: list[int], rates: Floats, most: float) -> int | None:
    """The size from which on the rate is small enough, between two sizes by a line through the logarithms."""
    bad = np.flatnonzero(~(rates <= most))
    if not len(bad):
        return grid[0]
    last = int(bad[-1])
    if last + 1 == len(grid) or np.isnan(rates[last]):
        return None
    above, below = np.log(rates[last]), np.log(max(rates[last + 1], 1e-12))
    share = (above - np.log(most)) / (above - below)
    return int(np.ceil(grid[last] + share * (grid[last + 1] - grid[last])))


def _round(edge: float) -> float:
    """A bound as it is written: 0.07, and not what seven times 0.01 is in doubles."""
    return float(f"{edge:.10g}")
