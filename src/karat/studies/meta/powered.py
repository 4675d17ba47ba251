"""Prediction-powered scores and differences of runs, and how many units the reference must score."""

from __future__ import annotations

import numpy as np

from karat.arrays import Bools, Floats, Ints
from karat.data.parameters import generator
from karat.data.result import Estimate
from karat.statistics import prediction_powered
from karat.statistics.intervals import bounded, quantile, student, wilson
from karat.statistics.multiple_testing import corrected
from karat.statistics.prediction_powered import JudgedMoments
from karat.statistics.rank_correlation import best_first
from karat.studies.meta.parts import CommonUnits, Powered, PoweredDifference, PoweredScore, UnitsNeeded
from karat.studies.wording import ALPHA

FEWEST = 3
"""Units of either kind that an interval takes: a variance with an estimated weight has n − 2 degrees of freedom."""
FEWEST_FOR_TEST = 10
"""Units of either kind that a test takes of whether one is a random sample of both."""
ROUNDING = 1e-20
"""A variance below this, relative to the squared mean, is rounding error."""
SAME = 1e-9
"""Scores by the two that differ by less are the same."""
POWER = 0.8
"""How probable it should be that a real difference is found significant."""


def powered(
    reference: Floats, judge: Floats, alone: Floats, names: tuple[str, ...], labelled: int, level: float, seed: int
) -> Powered | None:
    """From scores (runs, units) on the units of both and of the judge alone; None if there are too few of either.

    With `labelled`, the reference is hidden on all but that many random units, to see what would have come out.
    """
    sample = sampled(judge, alone)
    if 0 < labelled < reference.shape[1]:
        sample = None
        order = generator(seed, "meta", "labelled").permutation(reference.shape[1])
        kept, hidden = order[:labelled], order[labelled:]
        reference, judge, alone = reference[:, kept], judge[:, kept], np.concatenate([alone, judge[:, hidden]], axis=1)
    if min(reference.shape[1], alone.shape[1]) < FEWEST:
        return None
    each, runs = _moments(reference, judge, alone), np.arange(len(names))
    wrong = _wrong(reference, judge)
    value, error, weight = _tuned(_of(each, runs), wrong)
    freedom = reference.shape[1] - 1
    half = student(level, freedom - 1) * error
    mine, own = _plain(_of(each, runs), level)
    ends, its = (mine - own, mine + own), (value - half, value + half)
    if np.isin(reference, (0, 1)).all():  # right or wrong: Wilson's interval, as everywhere, and for the other alike
        ends = wilson(mine, np.full(len(mine), float(reference.shape[1])), level)
        its = bounded(value, half / quantile(level), (0, 1), level)
        # All right or all wrong: the judge has no weight, and the reference's own interval holds.
        low, high = (np.where(np.isnan(error), own, end) for own, end in zip(ends, its, strict=True))
        its = low, high
    everything = np.concatenate([judge, alone], axis=1).mean(axis=1)
    order = best_first(value)
    leader = int(order[0])
    rows = np.stack([mine, *ends, everything, value, *its, weight], axis=-1)
    scores = [
        PoweredScore(names[run], Estimate(*row[:3]), row[3], Estimate(*row[4:7]), row[7])
        for run, row in ((int(run), rows[run].tolist()) for run in order)
    ]
    first, second = np.triu_indices(len(names), 1)
    pairs = _of(each, first, second)
    between, between_error, _ = _tuned(pairs, 2 * wrong)
    p = corrected(_p(between, between_error, freedom - 1), "holm")
    alone_p = corrected(_p(pairs.people, _error(pairs), freedom), "holm")
    place = {(int(a), int(b)): at for at, (a, b) in enumerate(zip(first, second, strict=True))}
    return Powered(
        labelled=reference.shape[1],
        alone=alone.shape[1],
        sampled=sample,
        runs=scores,
        leader=names[leader],
        differences=[
            _difference(each, wrong, names, leader, int(run), p[place[min(leader, run), max(leader, run)]], level)
            for run in order[1:].tolist()
        ],
        separated=int((p <= ALPHA).sum()),
        separated_alone=int((alone_p <= ALPHA).sum()),
    )


def sampled(judge: Floats, alone: Floats) -> CommonUnits | None:
    """Compare the judge's mean scores on the units of both with those on the other units.

    By Student's test with the variance of all units, which is that of a random sample of them. Separate variances would
    doubt twice as many random samples where scores are skewed.
    """
    if min(judge.shape[1], alone.shape[1]) < FEWEST_FOR_TEST:
        return None
    sides = [side.mean(axis=0) for side in (judge, alone)]
    (common, others), freedom = (one.mean() for one in sides), sum(map(len, sides)) - 2
    variance = sum(((one - one.mean()) ** 2).sum() for one in sides) / freedom
    varies = variance > ROUNDING * (1 + common**2)
    error = np.asarray(np.sqrt(variance * sum(1 / len(one) for one in sides)) if varies else np.nan)
    return CommonUnits(float(common), float(others), float(_p(common - others, error, freedom)))


def _difference(
    each: JudgedMoments, wrong: float, names: tuple[str, ...], leader: int, run: int, p: float, level: float
) -> PoweredDifference:
    pair = _of(each, np.array([leader]), np.array([run]))
    value, error, _ = _tuned(pair, 2 * wrong)
    half = student(level, pair.labelled - 2) * error
    mine, own = _plain(pair, level)
    ends = [float(one[0]) for one in (mine, mine - own, mine + own, value, value - half, value + half)]
    return PoweredDifference(names[run], Estimate(*ends[:3]), Estimate(*ends[3:]), float(p))


def needed(reference: Floats, judge: Floats, alone: int, half_width: float, level: float) -> list[UnitsNeeded]:
    """For an interval of the wanted half-width, and for the two leading runs to be told apart if they differ so."""
    names = np.arange(len(reference))
    each = _moments(reference, judge, reference[:, :0])
    judged = float(reference.shape[1] + alone)
    first, second = np.triu_indices(len(reference), 1)
    order = best_first(reference.mean(axis=1))
    lead = float(reference[order[0]].mean() - reference[order[1]].mean())
    asked = (
        ("the score of a run (median)", _of(each, names), half_width, quantile(level)),
        ("the difference of two runs (median)", _of(each, first, second), half_width, quantile(level)),
        (
            f"a significant difference of the two leading runs, with a power of {POWER:.0%}",
            _of(each, order[:1], order[1:2]),
            lead,
            quantile(level) + quantile(2 * POWER - 1),
        ),
    )
    made, wrong = [], _wrong(reference, judge)
    for (what, moments, width, quantiles), runs in zip(asked, (1, 2, 2), strict=True):
        if width > 0:
            # Guenther (1981): with Student's quantile it takes so many units more than with the normal one.
            more = (quantile(level) ** 2 + 1) / 2
            added = np.maximum(moments.people_variance, runs * wrong)
            people, together = prediction_powered.units_needed(moments, width / quantiles, judged, more, added)
            made.append(UnitsNeeded(what, width, *(float(np.median(one)) for one in (people, together))))
    return made


def _moments(reference: Floats, judge: Floats, alone: Floats) -> JudgedMoments:
    """Means (runs,), and covariances of all runs with all runs in place of variances."""
    sides = [side - side.mean(axis=1, keepdims=True) for side in (reference, judge)]
    n, size = reference.shape[1], alone.shape[1]
    rest = alone - alone.mean(axis=1, keepdims=True) if size else alone
    nothing = np.full(len(reference), np.nan)
    return JudgedMoments(
        labelled=np.asarray(float(n)),
        alone=np.asarray(float(size)),
        people=reference.mean(axis=1),
        judge=judge.mean(axis=1),
        judge_alone=alone.mean(axis=1) if size else nothing,
        people_variance=sides[0] @ sides[0].T / (n - 1),
        judge_variance=sides[1] @ sides[1].T / (n - 1),
        alone_variance=rest @ rest.T / (size - 1) if size > 1 else np.full((len(nothing),) * 2, np.nan),
        covariance=sides[0] @ sides[1].T / (n - 1),
    )


def _of(each: JudgedMoments, first: Ints, second: Ints | None = None) -> JudgedMoments:
    """The moments of some runs, or of the differences of the first runs and the second ones."""

    def mean(values: Floats) -> Floats:
        return values[first] - (0 if second is None else values[second])

    def variance(matrix: Floats) -> Floats:
        if second is None:
            return matrix[first, first]
        crossed = matrix[first, second] + matrix[second, first]
        return np.asarray(matrix[first, first] + matrix[second, second] - crossed)

    means = (mean(one) for one in (each.people, each.judge, each.judge_alone))
    matrices = (each.people_variance, each.judge_variance, each.alone_variance, each.covariance)
    return JudgedMoments(each.labelled, each.alone, *means, *map(variance, matrices))


def _wrong(reference: Floats, judge: Floats) -> float:
    """The mean square of the judge's errors, for all runs together; 0 if it made none."""
    squares = (judge - reference) ** 2
    made = squares > SAME**2
    return float(squares[made].mean()) if made.any() else 0.0


def _tuned(moments: JudgedMoments, wrong: float) -> tuple[Floats, Floats, Floats]:
    """The prediction-powered mean, its standard error, and the judge's weight, which takes a degree of freedom.

    A judge that was not seen to err on a few units may still err on many others, so one unit is added on which it errs
    by as much as where it does (`wrong`, squared), or as if it knew nothing; the reference alone is never better.
    NaN for an error where the reference's scores do not vary: how far they might is then unknown.
    """
    weight = prediction_powered.weight(moments)
    value, variance = prediction_powered.powered(moments, weight)
    n, spread = moments.labelled, moments.people_variance
    more = prediction_powered.residual(moments, weight) + np.maximum(spread, wrong)
    variance = np.minimum(variance + more / n / (n - 2), spread * (n - 1) / n / (n - 2))
    return value, np.where(_varies(moments), np.sqrt(variance), np.nan), weight


def _error(moments: JudgedMoments) -> Floats:
    """The standard error of the reference's own mean; NaN where its scores do not vary."""
    return np.sqrt(np.where(_varies(moments), moments.people_variance, np.nan) / moments.labelled)


def _varies(moments: JudgedMoments) -> Bools:
    return np.asarray(moments.people_variance > ROUNDING * (1 + moments.people**2))


def _plain(moments: JudgedMoments, level: float) -> tuple[Floats, Floats]:
    """The reference's own mean and the half-width of its interval."""
    return moments.people, student(level, moments.labelled - 1) * _error(moments)


def _p(value: Floats, error: Floats, freedom: float) -> Floats:
    """Two-sided p of Student's test; NaN without a standard error."""
    from scipy.special import stdtr  # here: scipy takes long to load

    return np.asarray(2 * stdtr(float(freedom), -np.abs(value / error)))
