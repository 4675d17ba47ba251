"""Bradley and Terry's model of paired comparisons, with ties and an order effect.

Bradley and Terry 1952; ties as in Davidson 1970, the order effect as in Davidson and Beaver 1977.

Shown i on the left and j on the right, the left one wins, the right one wins, or they tie, in proportion to

    exp((b_i − b_j + order) / 2),    exp(−(b_i − b_j + order) / 2),    exp(tie).

This is an exponential family. What a verdict tells is its half (1/2 if the left one wins, −1/2 if the right one does,
0 for a tie) and whether it is a tie; so counts of verdicts by ordered pair are all that a fit needs. Strengths b have
mean 0, and b_i − b_j is the log odds that i is preferred where there is no tie.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from karat.arrays import Bools, Floats, Integers, Ints
from karat.errors import UsageError

LEFT, RIGHT, TIE = range(3)
HALVES = np.array([0.5, -0.5, 0.0])
"""What each verdict says about the two sides."""
STEPS, CONVERGED, LARGEST = 100, 1e-10, 30.0
"""The most Newton steps, the largest gradient per comparison at the end, and how large a finite parameter can be."""


MOST_CELLS = 1 << 23
"""The most parameters × groups, or clusters, at once."""


class Moments(NamedTuple):
    """Expectation and variance of the half and of the tie of one comparison."""

    half: Floats
    tie: Floats
    var_half: Floats
    var_tie: Floats
    covariance: Floats


def moments(gap: Floats, tie: float) -> Moments:
    """Of comparisons with these gaps, b_i − b_j + order."""
    left, right, tied = _chances(gap, tie)
    half = (left - right) / 2
    return Moments(half, tied, (left + right) / 4 - half**2, tied * (1 - tied), -half * tied)


def _chances(gap: Floats, tie: float) -> tuple[Floats, Floats, Floats]:
    half = gap / 2
    top = np.maximum(np.abs(half), tie)
    odds = [np.exp(one - top) for one in (half, -half, tie)]
    total = odds[0] + odds[1] + odds[2]
    return odds[0] / total, odds[1] / total, odds[2] / total


@dataclass(frozen=True)
class Strengths:
    """The maximum of the likelihood, and the inverse of the information there."""

    strength: Floats
    """Mean 0."""
    order: float
    """0 if it is not fitted."""
    tie: float
    """−inf if there are no ties."""
    inverse: Floats
    """Of the information (runs + 2, runs + 2): strengths, order, tie; 0 for what is not fitted."""
    likelihood: float

    @cached_property
    def gaps(self) -> Floats:
        """The gap for every ordered pair (left, right)."""
        return self.strength[:, None] - self.strength[None, :] + self.order

    @cached_property
    def win_rates(self) -> Floats:
        """The expected share of wins against each other run, ties counted as half, in neither order (runs, runs)."""
        return 0.5 + moments(self.gaps - self.order, self.tie).half


def fit(counts: Floats, ordered: bool = True, prior: float = 0.0) -> Strengths:
    """Fit counts (left run, right run, verdict); the runs must be connected (see `linked`).

    `ordered` fits an order effect. `prior` adds so many comparisons of every run with an opponent of average strength,
    half of them won and half of them lost.
    """
    size = len(counts)
    left, right = np.nonzero(counts.sum(axis=2))
    cells = counts[left, right]
    total = cells.sum(axis=1)
    ties = cells[:, TIE].sum() > 0
    if not cells[:, :TIE].sum():
        raise UsageError("every comparison is a tie, so there is nothing to rank the runs by")
    if ordered and not prior:
        for side, other in (("left", LEFT), ("right", RIGHT)):
            if cells[:, other].sum() == cells[:, :TIE].sum():
                raise UsageError(
                    f"the answer on the {side} is preferred in all {int(cells[:, other].sum()):,} comparisons that are "
                    "not ties, so the verdicts distinguish the sides but not the runs"
                )
    free = np.array([True] * size + [ordered, bool(ties)])
    state = np.zeros(size + 2)
    state[-1] = 0.0 if ties else -np.inf
    told = np.stack([cells @ HALVES, cells[:, TIE]])
    value, gradient, information = _at(state, left, right, told, total, prior)
    for _ in range(STEPS):
        step = np.zeros(size + 2)
        step[free] = np.linalg.solve(information[np.ix_(free, free)], gradient[free])
        if np.abs(gradient[free]).max() < CONVERGED * total.sum():
            break
        for _ in range(STEPS):
            made = _at(np.where(free, state + step, state), left, right, told, total, prior)
            if made[0] >= value - 1e-12 * abs(value):
                break
            step /= 2
        state = np.where(free, state + step, state)
        value, gradient, information = made
        if np.abs(state[free]).max() > LARGEST:
            break
    if np.abs(state[free]).max() > LARGEST or np.abs(gradient[free]).max() > 1e-6 * total.sum():
        raise UsageError(
            "the model has no finite estimates: no verdict contradicts a ranking in which the differences are as large "
            "as one likes; collect more comparisons, or add a prior: --prior 1"
        )
    inverse = np.zeros((size + 2, size + 2))
    inverse[np.ix_(free, free)] = np.linalg.inv(information[np.ix_(free, free)])
    centre = np.eye(size + 2)
    centre[:size, :size] -= 1 / size
    strength = state[:size] - state[:size].mean()
    return Strengths(strength, float(state[size]), float(state[-1]), centre @ inverse @ centre, float(value))


def _at(
    state: Floats, left: Ints, right: Ints, told: Floats, total: Floats, prior: float
) -> tuple[float, Floats, Floats]:
    """The log-likelihood, its gradient, and the information, made regular where only differences matter."""
    size = len(state) - 2
    strength, order, tie = state[:size], state[size], state[-1]
    gap = strength[left] - strength[right] + order
    here = moments(gap, tie)
    top = np.maximum(np.abs(gap / 2), tie)
    scale = top + np.log(np.exp(gap / 2 - top) + np.exp(-gap / 2 - top) + np.exp(tie - top))
    tied = told[1] * tie if np.isfinite(tie) else np.zeros_like(told[1])
    value = float((told[0] * gap + tied - total * scale).sum())
    halves, ties = told[0] - total * here.half, told[1] - total * here.tie
    gradient = np.zeros(size + 2)
    gradient[:size] = np.bincount(left, halves, size) - np.bincount(right, halves, size)
    gradient[size:] = halves.sum(), ties.sum()
    information = np.zeros((size + 2, size + 2))
    weight, cross = total * here.var_half, total * here.covariance
    pairs = np.bincount(left * size + right, weight, size * size).reshape(size, size)
    pairs = pairs + pairs.T
    information[:size, :size] = np.diag(pairs.sum(axis=1)) - pairs
    for place, one in ((size, weight), (size + 1, cross)):
        information[:size, place] = np.bincount(left, one, size) - np.bincount(right, one, size)
        information[place, :size] = information[:size, place]
    information[size, size], information[-1, -1] = weight.sum(), (total * here.var_tie).sum()
    information[size, -1] = information[-1, size] = cross.sum()
    if prior:
        won = 1 / (1 + np.exp(-strength))
        value -= prior / 2 * float(np.logaddexp(0, strength).sum() + np.logaddexp(0, -strength).sum())
        gradient[:size] += prior * (0.5 - won)
        information[np.arange(size), np.arange(size)] += prior * won * (1 - won)
    else:
        information[:size, :size] += weight.sum() / size**2  # adding the same to all strengths changes nothing
    return value, gradient, information


class Linked(NamedTuple):
    """Which runs have finite strengths; of the others, which are above them and which below."""

    ranked: Bools
    above: Bools
    """Never beaten by a ranked run or tied with one, directly or through others; but beat one, directly or not."""
    below: Bools


def linked(counts: Floats, one_way: bool = False) -> Linked:
    """The largest set of runs any two of which are linked by wins or ties in both directions (Ford 1957).

    None of them has a finite strength if ties could become ever more likely while winners draw ever further ahead. With
    a prior, links `one_way` are enough.
    """
    from scipy.sparse.csgraph import breadth_first_order, connected_components  # here: scipy takes long to load

    wins = counts[:, :, LEFT] + counts[:, :, RIGHT].T
    ties = counts[:, :, TIE] + counts[:, :, TIE].T
    size = len(counts)
    links = (wins + ties) > 0
    links = links | links.T if one_way else links
    _, part = connected_components(links, connection="strong")
    in_part = np.bincount(part)
    played = np.bincount(part, links.sum(axis=1))
    ranked = part == max(range(len(in_part)), key=lambda one: (in_part[one], played[one]))
    here = np.ix_(ranked, ranked)
    if not one_way and ties[here].any() and _apart(wins[here], ties[here]):
        nobody = np.zeros(size, dtype=bool)
        return Linked(nobody, nobody, nobody)
    first = int(np.flatnonzero(ranked)[0])
    sides = []
    for graph in (links.T, links):
        met = np.zeros(size, dtype=bool)
        met[breadth_first_order(graph, first, return_predecessors=False)] = True
        sides.append(met & ~ranked)
    return Linked(ranked, *sides)


def _apart(wins: Floats, ties: Floats) -> bool:
    """Whether strengths exist such that every winner is at least 1 ahead and nobody is more than 1 ahead in a tie.

    Then twice these strengths, with ties as much likelier, fit better, and so on. They exist unless a cycle has more
    wins than ties, in which case raising the strengths as needed never ends.
    """
    ahead = np.where(wins > 0, 1.0, np.where(ties > 0, -1.0, -np.inf))
    strength = np.zeros(len(wins))
    for _ in range(len(wins) + 1):
        raised = np.maximum(strength, (strength + ahead).max(axis=1))
        if (raised == strength).all():
            return True
        strength = raised
    return False


class Tested(NamedTuple):
    """Groups of comparisons whose outcomes are compared with those expected."""

    comparisons: Ints
    excess: Floats
    """The observed share of wins minus the expected one, ties counted as half."""
    p: Floats


def _dense(product: Any) -> Floats:
    return np.asarray(product if isinstance(product, np.ndarray) else product.toarray())


class Residuals:
    """What every comparison says beyond the fit, summed within clusters of comparisons that depend on each other."""

    def __init__(
        self, fitted: Strengths, left: Integers, right: Integers, verdict: Integers, cluster: Integers
    ) -> None:
        """`cluster` numbers the clusters from 0."""
        self.fit, self.left, self.right, self.cluster = fitted, left, right, cluster
        self.clusters = int(cluster.max()) + 1
        expected = moments(fitted.gaps, fitted.tie)
        self._told = HALVES[verdict]
        half = self._told - expected.half[left, right]
        tie = (verdict == TIE) - expected.tie[left, right]
        size = len(fitted.strength)
        columns = [left, right, np.full(len(left), size), np.full(len(left), size + 1)]
        scores = self._by_cluster(
            np.concatenate([half, -half, half, tie]), np.tile(cluster, 4), np.concatenate(columns),
            size + 2,
        )  # fmt: skip

        # Products with few large clusters are faster if these are dense, those with many small ones if they are sparse.
        self._scores = scores.toarray() if self.clusters * (size + 2) <= MOST_CELLS else scores

    def _by_cluster(self, values: Floats, rows: Integers, columns: Integers, width: int) -> Any:
        from scipy.sparse import csr_array  # here: scipy takes long to load

        return csr_array((values, (rows, columns)), shape=(self.clusters, width))

    @cached_property
    def meat(self) -> Floats:
        """The sum of squares of the clusters' scores."""
        return _dense(self._scores.T @ self._scores)

    @cached_property
    def covariance(self) -> Floats:
        """Of all parameters, robust to dependence within clusters (Liang and Zeger 1986)."""
        return self.fit.inverse @ self.meat @ self.fit.inverse * self.clusters / max(self.clusters - 1, 1)

    def tested(self, rows: Ints, group: Ints, sign: Ints, groups: int, neutral: bool = False) -> Tested:
        """Test whether comparisons come out as expected, summed by group; `sign` says which side's wins count.

        If `neutral`, what is expected is without the order effect, which is the hypothesis that a group has none.

        The variance allows for the estimated parameters. It is that within clusters or that of the model, whichever is
        larger: with few comparisons the former can be far too small.
        """
        most = max(1, MOST_CELLS // (len(self.fit.strength) + 2))
        if groups <= most:
            return self._tested(rows, group, sign, groups, neutral)
        # In blocks: parameters × groups may be more than fits into memory.
        order = np.argsort(group, kind="stable")
        rows, group, sign = rows[order], group[order], sign[order]
        starts = np.arange(0, groups, most)
        found = []
        for first, last in zip(starts, [*starts[1:], groups], strict=True):
            here = slice(*np.searchsorted(group, (first, last)))
            found.append(self._tested(rows[here], group[here] - first, sign[here], int(last - first), neutral))
        return Tested(*(np.concatenate(part) for part in zip(*found, strict=True)))

    def _tested(self, rows: Ints, group: Ints, sign: Ints, groups: int, neutral: bool) -> Tested:
        from scipy.special import ndtr  # here: scipy takes long to load

        size = len(self.fit.strength)
        left, right = self.left[rows], self.right[rows]
        of_pairs = moments(self.fit.gaps - self.fit.order * neutral, self.fit.tie)
        here = Moments(*(one[left, right] for one in of_pairs))
        values, weight = sign * (self._told[rows] - here.half), sign * here.var_half
        number, total = np.bincount(group, minlength=groups), np.bincount(group, values, groups)
        excess = total / np.where(number > 0, number, np.nan)
        # Around the group's own mean: an effect is no variance.
        beyond = self._by_cluster(values - excess[group], self.cluster[rows], group, groups)
        shares = np.zeros((size + 2, groups))
        for side, one in ((left, weight), (right, -weight)):
            cells = np.bincount(side.astype(np.int64) * groups + group, one, size * groups)
            shares[:size] += cells.reshape(size, groups)
        shares[size] = np.bincount(group, weight, groups)
        shares[size + 1] = np.bincount(group, sign * here.covariance, groups)
        slopes = shares.copy()
        slopes[size] *= not neutral  # what is expected does not depend on the order effect then
        moved = self.fit.inverse @ slopes
        shared = _dense(beyond.T @ self._scores).T
        within = np.asarray(beyond.multiply(beyond).sum(axis=0)).ravel()
        robust = within - 2 * (moved * shared).sum(axis=0) + (moved * (self.meat @ moved)).sum(axis=0)
        plain = np.bincount(group, here.var_half, groups) + (moved * (slopes - 2 * shares)).sum(axis=0)
        variance = np.maximum(robust * self.clusters / max(self.clusters - 1, 1), plain)
        known = variance > 1e-9 * number  # otherwise the fit determines the sum, and leaves rounding error
        score = np.abs(total) / np.sqrt(np.where(known, variance, np.nan))
        return Tested(number, excess, 2 * ndtr(-score))
