"""Prefer: runs ranked by preferences between two answers (`karat prefer`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec
import numpy as np
from msgspec import Meta

from karat.arrays import EXACT_TOLERANCE, NAN, Bools, Bytes, Floats, Int32s, Ints
from karat.data.composite import Ranks
from karat.data.parameters import LARGEST_AMOUNT, TAIL
from karat.data.preferences import BOTH_BAD, LEFT, RIGHT, TIE, Preferences, counted_verdicts
from karat.data.result import Estimate
from karat.errors import UsageError
from karat.statistics.bradley_terry import Linked, Residuals, Strengths, fit, linked, moments
from karat.statistics.multiple_testing import CONTROLS, corrected, groups_of, letters, possible_ranks
from karat.studies.base import MOST_RUNS, LeftOut, study
from karat.studies.prefer.findings import FIGURES, FINDINGS
from karat.studies.prefer.result import (
    WIN_RATE,
    Favour,
    OrderEffect,
    Preferred,
    PreferredPair,
    PreferredRun,
    PreferringAssessor,
    VerdictCounts,
)
from karat.studies.wording import counted

SMALLEST_PRIOR = 1e-6
"""With less than this, the last digits of a processor decide around which value strengths lie."""
MOST_FAVOURS = 10_000
"""The most combinations of assessor and run that are tested: those with the most comparisons."""


class PreferParameters(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of `prefer`."""

    cluster: Annotated[
        Literal["auto", "unit", "assessor", "none"],
        Meta(
            description="what makes comparisons depend on each other; auto: the unit, if units are named and one was "
            "compared more than once"
        ),
    ] = "auto"
    correction: Annotated[
        Literal["holm", "bh", "by", "none"], Meta(description="correction for multiple tests, over all pairs of runs")
    ] = "holm"
    prior: Annotated[
        float,
        Meta(
            description="so many comparisons of every run with an average opponent are added, half of them won, which "
            "gives a strength to runs that win or lose all of theirs",
            ge=0,
            le=LARGEST_AMOUNT,
        ),
    ] = 0.0
    fewest: Annotated[
        int,
        Meta(
            description="the fewest comparisons of two runs, by an assessor, or of a run by an assessor, that are "
            "compared with what the model expects",
            ge=2,
        ),
    ] = 10
    interval: Annotated[
        float, Meta(description="level of the intervals; tests use 1 minus it", ge=TAIL, le=1 - TAIL)
    ] = 0.95


@dataclass(frozen=True)
class _Compared:
    """The comparisons of the runs that are ranked, with the runs numbered anew."""

    names: list[str]
    left: Int32s
    right: Int32s
    verdict: Bytes
    unit: Ints | None
    """None if units are not named, or each was compared once."""
    units: int | None
    assessor: Ints | None
    assessors: list[str]


@study("prefer", PreferParameters, most={"runs": MOST_RUNS}, findings=FINDINGS, figures=FIGURES)
def prefer(preferences: Preferences, asked: PreferParameters) -> Preferred:
    """Rank runs by comparisons of two answers each, and test all pairs of runs."""
    if 0 < asked.prior < SMALLEST_PRIOR:
        raise UsageError(f"--prior {asked.prior:g} is next to nothing; give 0 for none, or {SMALLEST_PRIOR:g} or more")
    placed = linked(
        counted_verdicts(len(preferences.runs), preferences.left, preferences.right, preferences.verdict),
        one_way=asked.prior > 0,
    )
    if placed.ranked.sum() < 2:
        raise UsageError(
            "no strength has a finite estimate: every winner could be as far ahead as one likes, and no verdict would "
            "contradict it; collect more comparisons, or add a prior: --prior 1"
        )
    compared = _ranked(preferences, placed.ranked)
    counts = counted_verdicts(len(compared.names), compared.left, compared.right, compared.verdict)
    shown = counts.sum(axis=2)
    ordered = bool(((shown > 0) & (shown.T > 0)).any())
    fitted = fit(counts, ordered, asked.prior)
    cluster = asked.cluster if asked.cluster != "auto" else "none" if compared.unit is None else "unit"
    residuals = _residuals(fitted, compared, cluster)
    spread = _Spread(fitted, residuals.covariance, residuals.clusters, asked.interval)
    order = np.argsort(-fitted.strength, kind="stable")
    # An assessor's own effect is not noise: what assessors do is tested over units.
    within = (
        residuals
        if cluster != "assessor"
        else _residuals(fitted, compared, "none" if compared.unit is None else "unit")
    )
    pairs, pairing, p_corrected = _pairs(compared, counts, spread, within, order, asked)
    members = groups_of(pairing, p_corrected, 1 - asked.interval, order)
    apart = p_corrected <= 1 - asked.interval + EXACT_TOLERANCE
    ranks = possible_ranks(pairing[0][apart], pairing[1][apart], len(compared.names))
    favours, tested = _favours(compared, within, asked)
    given = np.bincount(compared.verdict, minlength=4).tolist()
    return Preferred(
        measure=WIN_RATE,
        comparisons=len(compared.left),
        units=compared.units,
        verdicts=VerdictCounts(given[LEFT], given[RIGHT], given[TIE], given[BOTH_BAD]),
        cluster=cluster,
        clusters=residuals.clusters,
        correction=asked.correction,
        controls=CONTROLS[asked.correction],
        prior=asked.prior,
        fewest=asked.fewest,
        tie=fitted.tie if np.isfinite(fitted.tie) else NAN,
        order=spread.order_effect() if ordered else None,
        runs=_runs(compared, counts, spread, order, members, ranks),
        pairs=pairs,
        groups=None if members is None else [[compared.names[run] for run in group] for group in members],
        assessors=_assessors(compared, within, asked),
        favours=favours,
        favours_tested=tested,
        left_out=_left_out(preferences, placed, asked.prior > 0),
    )


def _ranked(preferences: Preferences, ranked: Bools) -> _Compared:
    """The comparisons among the runs that are ranked: those with other runs say nothing about their differences."""
    number = np.cumsum(ranked, dtype=np.int32) - 1
    kept = ranked[preferences.left] & ranked[preferences.right]
    unit = units = assessor = None
    assessors: list[str] = []
    if preferences.unit is not None:
        met, unit = np.unique(preferences.unit[kept], return_inverse=True)
        units = len(met)
        unit = unit if units < len(unit) else None
    if preferences.assessor is not None:
        met, assessor = np.unique(preferences.assessor[kept], return_inverse=True)
        assessors = [preferences.assessors[place] for place in met]
    return _Compared(
        names=[name for name, one in zip(preferences.runs, ranked.tolist(), strict=True) if one],
        left=number[preferences.left[kept]].astype(np.int32),
        right=number[preferences.right[kept]].astype(np.int32),
        verdict=preferences.verdict[kept],
        unit=unit,
        units=units,
        assessor=assessor,
        assessors=assessors,
    )


def _residuals(fitted: Strengths, compared: _Compared, cluster: str) -> Residuals:
    """What the comparisons say beyond the fit, by unit, by assessor, or each by itself."""
    if cluster == "assessor" and compared.assessor is None:
        raise UsageError("--cluster assessor: the preferences do not say who compared")
    if cluster == "unit" and compared.units is None:
        raise UsageError(
            "--cluster unit: the preferences do not say what was answered; name it, --preference-column unit=NAME"
        )
    by = {"unit": compared.unit, "assessor": compared.assessor}.get(cluster)
    each = np.arange(len(compared.left))
    verdict = np.minimum(compared.verdict, TIE)
    return Residuals(fitted, compared.left, compared.right, verdict, each if by is None else by)


@dataclass(frozen=True)
class _Spread:
    """Estimates of a fit with their standard errors; those of t with one degree of freedom less than clusters."""

    fit: Strengths
    covariance: Floats
    clusters: int
    level: float

    @property
    def quantile(self) -> float:
        """Half the width of an interval, in standard errors; NaN for a single cluster."""
        from scipy.special import stdtrit  # here: scipy takes long to load

        return float(stdtrit(self.clusters - 1, (1 + self.level) / 2)) if self.clusters > 1 else NAN

    def p(self, value: Floats, error: Floats) -> Floats:
        """Of the hypothesis that the value is 0."""
        from scipy.special import stdtr  # here: scipy takes long to load

        if self.clusters < 2:
            return np.full(value.shape, NAN)
        return np.asarray(2 * stdtr(self.clusters - 1, -np.abs(value) / np.where(error > 0, error, NAN)))

    def ends(self, value: Floats, error: Floats) -> tuple[Floats, Floats]:
        """Of intervals."""
        half = self.quantile * error
        return value - half, value + half

    def win_rates(self) -> tuple[Floats, Floats, Floats]:
        """The mean win rate of each run against the others, with its ends, which are those of its log odds."""
        size = len(self.fit.strength)
        here = moments(self.fit.gaps - self.fit.order, self.fit.tie)
        others = (1 - np.eye(size)) / (size - 1)
        rate = 0.5 + (here.half * others).sum(axis=1)
        slopes = np.zeros((size, size + 2))
        slopes[:, :size] = np.diag((here.var_half * others).sum(axis=1)) - here.var_half * others
        slopes[:, -1] = (here.covariance * others).sum(axis=1)
        error = np.sqrt(np.einsum("ij,jk,ik->i", slopes, self.covariance, slopes))
        odds = np.log(rate / (1 - rate))
        low, high = (1 / (1 + np.exp(-end)) for end in self.ends(odds, error / (rate * (1 - rate))))
        return rate, low, high

    def order_effect(self) -> OrderEffect:
        """The order effect as log odds and as a share."""
        place = len(self.fit.strength)
        value, error = np.array([self.fit.order]), np.sqrt(self.covariance[place : place + 1, place])
        ends = [float(value[0]), *(float(end[0]) for end in self.ends(value, error))]
        left = [1 / (1 + np.exp(-one)) for one in ends]
        return OrderEffect(Estimate(*ends), Estimate(*map(float, left)), float(self.p(value, error)[0]))


def _pairs(
    compared: _Compared, counts: Floats, spread: _Spread, residuals: Residuals, order: Ints, asked: PreferParameters
) -> tuple[list[PreferredPair], tuple[Ints, Ints], Floats]:
    """All pairs in the order of the ranking, their places, and their corrected p-values."""
    size, fitted = len(compared.names), spread.fit
    first, second = np.triu_indices(size, 1)
    a, b = order[first], order[second]
    difference = fitted.strength[a] - fitted.strength[b]
    variance = np.diag(spread.covariance)
    error = np.sqrt(np.maximum(variance[a] + variance[b] - 2 * spread.covariance[a, b], 0))
    low, high = spread.ends(difference, error)
    p = spread.p(difference, error)
    p_corrected = corrected(p, asked.correction)
    number = np.zeros((size, size), dtype=np.int64)
    number[a, b] = number[b, a] = np.arange(len(a))
    ahead = np.zeros((size, size), dtype=bool)
    ahead[a, b] = True
    sign = np.where(ahead[compared.left, compared.right], 1, -1)
    group = number[compared.left, compared.right]
    fits = residuals.tested(np.arange(len(group)), group, sign, len(a))
    p_fit = np.where(fits.comparisons >= asked.fewest, fits.p, NAN)
    wins = counts[:, :, LEFT] + counts[:, :, RIGHT].T + (counts[:, :, TIE] + counts[:, :, TIE].T) / 2
    met = fits.comparisons
    columns = (
        difference, low, high, p, p_corrected, fitted.win_rates[a, b], met,
        wins[a, b] / np.where(met > 0, met, NAN), np.where(np.isnan(p_fit), NAN, fits.excess), p_fit,
        corrected(p_fit, "holm"),
    )  # fmt: skip
    alpha = 1 - asked.interval + EXACT_TOLERANCE
    pairs = [
        PreferredPair(compared.names[one], compared.names[other], gap, (start, end), plain, after,
                      None if after != after else after <= alpha, *rest)
        for one, other, gap, start, end, plain, after, *rest in zip(
            a.tolist(), b.tolist(), *(column.tolist() for column in columns), strict=True
        )
    ]  # fmt: skip
    return pairs, (a, b), p_corrected


def _runs(
    compared: _Compared,
    counts: Floats,
    spread: _Spread,
    order: Ints,
    members: list[list[int]] | None,
    ranks: list[Ranks],
) -> list[PreferredRun]:
    rate, low, high = spread.win_rates()
    error = np.sqrt(np.diag(spread.covariance)[: len(rate)])
    start, end = spread.ends(spread.fit.strength, error)
    wins = counts[:, :, LEFT].sum(axis=1) + counts[:, :, RIGHT].sum(axis=0)
    losses = counts[:, :, RIGHT].sum(axis=1) + counts[:, :, LEFT].sum(axis=0)
    ties = counts[:, :, TIE].sum(axis=1) + counts[:, :, TIE].sum(axis=0)
    marks = None if members is None else letters(members, len(rate))
    return [
        PreferredRun(
            run=compared.names[one],
            value=float(rate[one]),
            interval=(float(low[one]), float(high[one])),
            strength=float(spread.fit.strength[one]),
            strength_interval=(float(start[one]), float(end[one])),
            wins=int(wins[one]),
            losses=int(losses[one]),
            ties=int(ties[one]),
            ranks=ranks[one],
            letters=None if marks is None else marks[one] or None,
        )
        for one in order.tolist()
    ]


def _assessors(compared: _Compared, residuals: Residuals, asked: PreferParameters) -> list[PreferringAssessor]:
    """How often the left one wins, compared with no order effect, and the stronger one, compared with the model."""
    if compared.assessor is None or len(compared.assessors) < 2:
        return []
    who, number = compared.assessor, len(compared.assessors)
    every = np.arange(len(who))
    met = np.bincount(who, minlength=number)
    strength = residuals.fit.strength
    ahead = np.sign(strength[compared.left] - strength[compared.right]).astype(np.int64)
    halves = np.array([0.5, -0.5, 0.0, 0.0])[compared.verdict]
    columns: list[Floats | Ints] = [met]
    for code in (None, BOTH_BAD):
        said = compared.verdict >= TIE if code is None else compared.verdict == code
        columns.append(np.bincount(who, said, number) / met)
    for sign, neutral in ((np.ones(len(who), dtype=np.int64), True), (ahead, False)):
        test = residuals.tested(every, who, sign, number, neutral)
        p = np.where(met >= asked.fewest, test.p, NAN)
        columns += [0.5 + np.bincount(who, sign * halves, number) / met, test.excess, p, corrected(p, "holm")]
    rows = zip(compared.assessors, *(column.tolist() for column in columns), strict=True)
    return [PreferringAssessor(*row) for row in rows]


def _favours(compared: _Compared, residuals: Residuals, asked: PreferParameters) -> tuple[list[Favour], int]:
    """The runs that an assessor favours or disfavours significantly, and how many combinations were tested."""
    if compared.assessor is None or len(compared.assessors) < 2:
        return [], 0
    size = len(compared.names)
    group = np.concatenate([compared.assessor * size + side for side in (compared.left, compared.right)])
    rows = np.tile(np.arange(len(compared.left)), 2)
    sign = np.repeat([1, -1], len(compared.left))
    met = np.bincount(group, minlength=size * len(compared.assessors))
    chosen = np.argsort(-met, kind="stable")[:MOST_FAVOURS]
    chosen = chosen[met[chosen] >= asked.fewest]
    if not len(chosen):
        return [], 0
    place = np.full(len(met), -1)
    place[chosen] = np.arange(len(chosen))
    here = place[group] >= 0
    test = residuals.tested(rows[here], place[group][here], sign[here], len(chosen))
    p_corrected = corrected(test.p, "holm")
    found = [
        Favour(compared.assessors[one // size], compared.names[one % size], int(number), excess, p, after)
        for one, number, excess, p, after in zip(
            chosen.tolist(), *(column.tolist() for column in (*test, p_corrected)), strict=True
        )
        if after <= 1 - asked.interval + EXACT_TOLERANCE
    ]
    return sorted(found, key=lambda one: (one.p, -abs(one.excess))), int((~np.isnan(test.p)).sum())


def _left_out(preferences: Preferences, placed: Linked, with_prior: bool) -> list[LeftOut]:
    """The runs without a finite strength, each with the reason."""
    counts = counted_verdicts(len(preferences.runs), preferences.left, preferences.right, preferences.verdict)
    met = (counts.sum(axis=(1, 2)) + counts.sum(axis=(0, 2))).astype(int)
    wins = (counts[:, :, LEFT].sum(axis=1) + counts[:, :, RIGHT].sum(axis=0)).astype(int)
    losses = (counts[:, :, RIGHT].sum(axis=1) + counts[:, :, LEFT].sum(axis=0)).astype(int)
    made = []
    for place in np.flatnonzero(~placed.ranked).tolist():
        number = counted(int(met[place]), "comparison")
        if with_prior or not (placed.above[place] or placed.below[place]):
            why = "it was not compared with the runs that are ranked, neither directly nor through others"
        elif wins[place] == met[place]:
            why = f"it won all of its {number}, so its strength has no finite estimate (--prior 1 gives one)"
        elif losses[place] == met[place]:
            why = f"it lost all of its {number}, so its strength has no finite estimate (--prior 1 gives one)"
        elif placed.above[place]:
            why = "no run that is ranked won against it or tied, neither directly nor through others"
        else:
            why = "it neither won against a run that is ranked nor tied, neither directly nor through others"
        made.append(LeftOut(preferences.runs[place], why))
    return made
