"""Swap: how often another test set of this size would reverse two runs (`karat swap`)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from karat.arrays import Floats
from karat.data.responses import Responses
from karat.data.scores import Scores
from karat.errors import UsageError
from karat.kernels.regex import compile_regex
from karat.kernels.swap import COMPARISONS
from karat.statistics.decay import fit_decay
from karat.statistics.swap import count_swaps, sensitivity
from karat.statistics.swap_normal import pair_moments
from karat.studies.base import MOST_RUNS, study
from karat.studies.scorer import Scorer
from karat.studies.swap.findings import FIGURES, FINDINGS
from karat.studies.swap.fresh import fresh_of
from karat.studies.swap.parameters import EVERY_SIZE_UP_TO, SIZES_DRAWN, SwapParameters
from karat.studies.swap.procedure import curves_of, smallest_by_fit, tied_of
from karat.studies.swap.result import PairShare, Procedure, Swap, Teams

LARGEST_SUM = 2.0**62 / 10**9
"""The largest sum of scores that fits a 64-bit integer with nine decimals."""
MOST_BINS = 2000


@study("swap", SwapParameters, most={"runs": MOST_RUNS}, findings=FINDINGS, figures=FIGURES)
def swap(runs: Responses | Scores, asked: SwapParameters) -> Swap:
    """How often a fresh test set reverses two runs, with the published procedure for comparison."""
    way = None
    if isinstance(runs, Scores):
        raw = runs
    else:
        scorer = Scorer.of(runs, asked.measure, asked.way)
        way, raw = scorer.way.name, scorer.scores("swap")
    scores = raw.complete("swap")
    values, names = _in_order_of_names(scores)
    units = len(scores.units)
    sizes, width = _sizes(units, asked), _width(asked.width)
    # The largest difference of two scores on one unit, whatever the scale of the scores.
    reach = float(np.ptp(values, axis=0).max(initial=0))
    if asked.width > max(reach, 1.0):
        raise UsageError(f"--width {asked.width:g}: wider than any difference of these scores, which reach {reach:g}")
    if np.abs(values).max(initial=0) * units > LARGEST_SUM:
        raise UsageError("the scores are too large to be counted exactly; divide them all by a power of ten")
    if reach / float(width) > MOST_BINS:
        raise UsageError(f"--width {asked.width:g}: scores that differ by up to {reach:g} need wider bins")
    swaps = count_swaps(values, sizes, asked.trials, width, asked.seed, asked.ties)
    columns = swaps.errors.T, swaps.comparisons.T, swaps.variance.T
    decay = fit_decay(swaps.sizes.astype(np.float64), *columns, asked.least, sizes[-1] / 2)
    edges = np.arange(swaps.errors.shape[1] + 1) * float(width)
    moments = pair_moments(values)
    fresh = fresh_of(values, moments, edges, sizes[0], asked)
    least, interval = smallest_by_fit(swaps, decay, edges, units, asked)
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
            curves_of(swaps, decay, edges, units, asked),
            tied_of(swaps),
            least,
            interval,
            float(sensitivity(moments.mean, least)),
        ),
        teams=_teams(names, moments.mean, fresh.smallest_reliable_difference, asked.team),
        graded=not bool(np.isin(values, (0, 1)).all()),
        zero_median_units=int((np.median(values, axis=0) == 0).sum()),
        unscored_units=int(np.isnan(raw.values).all(axis=0).sum()),
    )


def _width(given: float) -> Fraction:
    """The width as an exact fraction: 1/3 if a third was meant."""
    simple = Fraction(str(given)).limit_denominator(10_000)
    return simple if float(simple) == given else Fraction(str(given))


def _sizes(units: int, asked: SwapParameters) -> list[int]:
    largest = units // 2 if asked.largest is None else asked.largest
    if largest > units // 2:
        raise UsageError(f"--largest {largest}: two disjoint sets of {units} units hold {units // 2} each at most")
    if asked.smallest > largest:
        raise UsageError(f"sizes go from {asked.smallest} to {largest}: too few units, or --smallest is too large")
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
        raise UsageError(f"--team {pattern}: no regular expression ({error})") from None
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
