"""Swap: how often another test set of this size would reverse two runs (`karat swap`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, Literal

import msgspec
import numpy as np
from msgspec import Meta

from karat.arrays import EXACT_TOLERANCE, NAN, Floats
from karat.data.fields import Missing, known
from karat.data.parameters import LARGEST_AMOUNT, MOST_DRAWS, IntervalOption, OneWayOption, SeedOption
from karat.data.responses import Responses
from karat.data.result import Estimate
from karat.data.scores import Scores
from karat.errors import UsageError
from karat.kernels.regex import compile_regex
from karat.kernels.swap import COMPARISONS, TIED
from karat.statistics.decay import Decay, fit_decay
from karat.statistics.intervals import quantile
from karat.statistics.swap import (
    PairMoments,
    Swaps,
    at_size,
    careful_difference,
    count_swaps,
    interval_of,
    pair_moments,
    rates_of_other_trials,
    reliable_difference,
    reliable_size,
    reversal_rate,
    sensitivity,
    smallest_reliable,
    spread_of,
)
from karat.studies.base import MOST_RUNS, LeftOut, study
from karat.studies.counted_runs import runs_that_count
from karat.studies.scorer import Scorer
from karat.studies.swap.findings import FIGURES, FINDINGS
from karat.studies.swap.result import (
    NOT_RELIABLE,
    ONE_TRIAL,
    Curve,
    ErrorAtSize,
    ExponentialFit,
    Fresh,
    FreshCurve,
    PairShare,
    Procedure,
    Rate,
    Swap,
    Teams,
    Tied,
)

LARGEST_SUM = 2.0**62 / 10**9
"""The largest sum of scores that fits a 64-bit integer with nine decimals."""
MOST_BINS = 2000
EVERY_SIZE_UP_TO = 200
"""With up to this many units, every size is drawn."""
SIZES_DRAWN = 100
"""With more units, about this many sizes are drawn."""
STEP = f"step between sizes; by default 1 up to {EVERY_SIZE_UP_TO} units, otherwise for about {SIZES_DRAWN} sizes"
CURVE_SIZES = 12
"""The number of sizes of each curve, denser at small sizes, where it falls most."""
NONE_DRAWN = "in too many resamples no difference is reliable, so the interval has no upper end"


class SwapParameters(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of `swap`."""

    way: OneWayOption = "auto"
    measure: Annotated[str, Meta(description="a measure that is a mean over units")] = "accuracy"
    trials: Annotated[int, Meta(description="pairs of sets drawn for each size", ge=1, le=MOST_DRAWS)] = 50
    smallest: Annotated[int, Meta(description="smallest size of a set", ge=1)] = 5
    largest: Annotated[int | None, Meta(description="largest size of a set; by default half of the units")] = None
    step: Annotated[int | None, Meta(description=STEP)] = None
    bin_width: Annotated[float, Meta(description="width of the bins of differences", gt=0, le=LARGEST_AMOUNT)] = 0.01
    ties: Annotated[
        Literal["strict", "half", "ignore", "sakai"],
        Meta(description="ties on the second set: no error, half an error, not compared, or an error (Sakai 2006)"),
    ] = "strict"
    error: Annotated[float, Meta(description="an acceptable error rate", gt=0, lt=0.5)] = 0.05
    least: Annotated[int, Meta(description="comparisons that a point needs to be included in the fit", ge=1)] = 10
    team: Annotated[
        str | None,
        Meta(description="regular expression whose first group in a run's name is its team", examples=["^([^-]+)-"]),
    ] = None
    replicates: Annotated[
        int, Meta(description="resamples of trials for the procedure's interval", ge=2, le=MOST_DRAWS)
    ] = 200
    interval: IntervalOption = 0.95
    seed: SeedOption = 0


@study("swap", SwapParameters, most={"runs": MOST_RUNS}, findings=FINDINGS, figures=FIGURES)
def swap(runs: Responses | Scores, asked: SwapParameters) -> Swap:
    """How often a fresh test set reverses two runs, with the published procedure for comparison."""
    way, left_out = None, list[LeftOut]()
    if isinstance(runs, Scores):
        raw = runs
    else:
        scorer = Scorer.of(runs, asked.measure, asked.way)
        way, raw = scorer.way.name, scorer.scores("swap")
        counting, left_out = runs_that_count(runs, [scorer.way])
        raw = replace(raw.of_runs([raw.runs.index(name) for name in counting.names]), sources=raw.sources)
    scores = raw.complete("swap")
    values, names = _in_order_of_names(scores)
    units = len(scores.units)
    sizes, width = _sizes(units, asked), _width(asked.bin_width)
    # The largest difference of two scores on one unit, whatever the scale of the scores.
    reach = float(np.ptp(values, axis=0).max(initial=0))
    if asked.bin_width > max(reach, 1.0):
        raise UsageError(
            f"--bin-width {asked.bin_width:g}: wider than the largest difference between two scores, {reach:g}"
        )
    if np.abs(values).max(initial=0) * units > LARGEST_SUM:
        raise UsageError("the scores are too large to be counted exactly; divide them all by a power of ten")
    if reach / float(width) > MOST_BINS:
        raise UsageError(f"--bin-width {asked.bin_width:g}: scores that differ by up to {reach:g} need wider bins")
    swaps = count_swaps(values, sizes, asked.trials, width, asked.seed, asked.ties)
    columns = swaps.errors.T, swaps.comparisons.T, swaps.variance.T
    decay = fit_decay(swaps.sizes.astype(np.float64), *columns, asked.least, sizes[-1] / 2)
    edges = np.arange(swaps.errors.shape[1] + 1) * float(width)
    moments = pair_moments(values)
    fresh = _fresh(values, moments, edges, sizes[0], asked)
    least, interval = _smallest_by_fit(swaps, decay, edges, units, asked)
    return Swap(
        way=way,
        measures=[scores.measure],
        runs=list(scores.runs),
        units=units,
        unit=scores.unit,
        members=scores.members,
        sizes=sizes,
        trials=asked.trials,
        comparisons=int(swaps.counts[..., COMPARISONS].sum()),
        error=asked.error,
        largest_difference=float(np.abs(moments.mean).max()),
        fresh=fresh,
        procedure=Procedure(
            _curves(swaps, decay, edges, units, asked),
            _tied(swaps),
            least,
            interval,
            float(sensitivity(moments.mean, least)),
        ),
        teams=_teams(names, moments.mean, fresh.smallest_reliable_difference, asked.team),
        graded=not bool(np.isin(values, (0, 1)).all()),
        zero_median_units=int((np.median(values, axis=0) == 0).sum()),
        unscored_units=int(np.isnan(raw.values).all(axis=0).sum()),
        left_out=left_out,
    )


def _width(given: float) -> Fraction:
    """The width as an exact fraction: 1/3 if a third was meant."""
    simple = Fraction(str(given)).limit_denominator(10_000)
    return simple if float(simple) == given else Fraction(str(given))


def _sizes(units: int, asked: SwapParameters) -> list[int]:
    largest = units // 2 if asked.largest is None else asked.largest
    if largest > units // 2:
        raise UsageError(
            f"--largest {largest}: {units} units can be split into two disjoint sets of at most {units // 2} each"
        )
    if asked.smallest > largest:
        raise UsageError(
            f"sizes would go from {asked.smallest} to {largest}: there are too few units, or --smallest is too large"
        )
    if asked.step is not None and asked.step < 1:
        raise UsageError(f"--step {asked.step}: sizes grow from one to the next, so write 1 or more")
    step = asked.step or (1 if units <= EVERY_SIZE_UP_TO else -(-(largest - asked.smallest) // SIZES_DRAWN) or 1)
    return sorted({*range(asked.smallest, largest + 1, step), largest})


def _in_order_of_names(scores: Scores) -> tuple[Floats, list[str]]:
    """The scores with runs and units sorted by name, so that results do not depend on the order of a file."""
    runs, units = (sorted(range(len(names)), key=names.__getitem__) for names in (scores.runs, scores.units))
    return scores.values[np.ix_(runs, units)], [scores.runs[place] for place in runs]


def _teams(runs: Sequence[str], differences: Floats, least: float, pattern: str | None) -> Teams | None:
    """Sensitivity between and within teams; a run whose name does not match is a team of its own."""
    if pattern is None:
        return None
    try:
        team = compile_regex(pattern)
    except ValueError as error:
        raise UsageError(f"--team {pattern}: not a regular expression ({error})") from None
    # A name may contain bytes that are not text.
    found = [team.search(run.encode(errors="replace").decode()) for run in runs]
    names = [
        (match[1] if team.groups else match[0]) if match else ("", run) for run, match in zip(runs, found, strict=True)
    ]
    one, other = np.triu_indices(len(runs), 1)
    same = np.array([names[a] == names[b] for a, b in zip(one, other, strict=True)], dtype=bool)
    between, within = (
        PairShare(int(mask.sum()), float(sensitivity(differences[mask], least))) for mask in (~same, same)
    )
    return Teams(between, within)


def _fresh(scores: Floats, moments: PairMoments, edges: Floats, smallest: int, asked: SwapParameters) -> Fresh:
    """The rates for fresh samples, in bins up to the largest difference between two runs."""
    runs, units = scores.shape
    spread = spread_of(moments, runs, units)
    noise, value, (low, high) = spread.error_variance, spread.reliability, spread.interval(asked.interval)
    reach, apart = float(np.ptp(scores, axis=0).max()), np.abs(moments.mean)
    largest = float(apart.max())
    needed = [reliable_difference(asked.error, one, noise) for one in (value, high, low)]
    # Differences larger than these scores allow are undefined.
    needed = [one if one <= reach else NAN for one in needed]
    # A reliable difference must be one that two of the runs have.
    least = careful_difference(moments, runs, units, asked.error, asked.interval)
    least = max(least, float(apart[apart > 0].min())) if least <= largest + EXACT_TOLERANCE else NAN
    sizes = np.unique((smallest + (units - smallest) * np.linspace(0, 1, CURVE_SIZES) ** 2).round())
    curves = []
    for left, right in pairwise(edges):
        if left > largest + EXACT_TOLERANCE:
            break
        middle = (left + right) / 2
        rates = reversal_rate(middle, at_size(value, units, sizes), noise * units / sizes)
        full, down, up = (float(reversal_rate(middle, one, noise)) for one in (value, high, low))
        enough = reliable_size(middle, asked.error, low, noise, units)
        curves.append(
            FreshCurve(
                _written(left),
                _written(right),
                [Rate(int(size), float(rate)) for size, rate in zip(sizes, rates, strict=True)],
                full,
                (down, up),
                max(int(np.ceil(enough)), smallest) if np.isfinite(enough) else None,
            )
        )
    share = float(sensitivity(moments.mean, least))
    return Fresh(Estimate(value, low, high), Estimate(*needed), least, share, curves)


def _smallest_by_fit(
    swaps: Swaps, decay: Decay, edges: Floats, units: int, asked: SwapParameters
) -> tuple[float, tuple[float, float]]:
    """The smallest reliable difference by the fit, and its interval over trials."""
    least: float = Missing(NOT_RELIABLE)
    if len(edges) > 1:
        least = known(float(smallest_reliable(decay.at(units), edges[:-1], asked.error)), NOT_RELIABLE)
    if least != least or asked.trials == 1:
        unknown = Missing(NOT_RELIABLE if least != least else ONE_TRIAL)
        return least, (unknown, unknown)
    rates = rates_of_other_trials(swaps, units, asked.replicates, asked.seed, asked.least, swaps.sizes[-1] / 2)
    low, high = interval_of(smallest_reliable(rates, edges[:-1], asked.error), asked.interval)
    return least, (known(_written(low), NONE_DRAWN), known(_written(high), NONE_DRAWN))


def _curves(swaps: Swaps, decay: Decay, edges: Floats, units: int, asked: SwapParameters) -> list[Curve]:
    """One curve for each bin with comparisons."""
    rate, half = swaps.rate, quantile(asked.interval) * swaps.standard_error
    low, high = np.clip(rate - half, 0, 1), np.clip(rate + half, 0, 1)
    at_full, (down, up) = decay.at(units), decay.interval(units, asked.interval)
    reaches = decay.reaches(asked.error)
    made: list[Curve] = []
    for place in np.flatnonzero(swaps.comparisons.sum(axis=0) > 0):
        points = [
            ErrorAtSize(
                int(size),
                float(rate[i, place]),
                int(swaps.comparisons[i, place]),
                (float(low[i, place]), float(high[i, place])),
            )
            for i, size in enumerate(swaps.sizes)
            if swaps.comparisons[i, place] > 0
        ]
        fit = needed = None
        if decay.log_a[place] == decay.log_a[place]:
            fit = ExponentialFit(
                float(np.exp(decay.log_a[place])),
                float(decay.b[place]),
                float(at_full[place]),
                (float(down[place]), float(up[place])),
                float(decay.dispersion[place]),
                int(decay.points[place]),
            )
            needed = max(int(np.ceil(reaches[place])), int(swaps.sizes[0])) if np.isfinite(reaches[place]) else None
        made.append(Curve(_written(edges[place]), _written(edges[place + 1]), points, fit, needed))
    return made


def _tied(swaps: Swaps) -> list[Tied]:
    """Comparisons that are tied on the first set, by size."""
    cells = swaps.counts[:, 0]
    return [
        Tied(int(size), int(cell[COMPARISONS]), float(1 - cell[TIED] / cell[COMPARISONS]))
        for size, cell in zip(swaps.sizes, cells, strict=True)
        if cell[COMPARISONS]
    ]


def _written(edge: float) -> float:
    """An edge as a short decimal: 0.07, and not 7 × 0.01 in floating point."""
    return float(f"{edge:.10g}")
