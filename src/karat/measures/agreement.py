"""Coefficients of agreement: of a table if assessors are distinguished, of a coincidence if they are not.

They have their own registry, because runs are not ranked by them, and assessors have neither key nor response.
`singles` says whether units with one ballot count: they show how common labels are, as in Gwet 2014 and irrCAC, but
Krippendorff leaves them out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from karat.arrays import EXACT_TOLERANCE, Floats
from karat.data.ballots import Level, Scale
from karat.data.coincidences import Coincidence
from karat.data.tables import Table
from karat.kernels.coincidence import middle_ranks
from karat.kernels.counting import divide
from karat.measures.contingency import kappa
from karat.registry import Registry

coefficients = Registry("coefficient", "of", "range", "interval", "singles", "undefined", "source")
NO_PAIR = "no unit has two ballots"
ONE_LABEL = "all ballots have the same label, so chance agreement is 1"
ONE_VALUE = "there is only one label"
F = TypeVar("F", bound=Callable[..., object])


def coefficient(
    name: str,
    *,
    of: type = Coincidence,
    range: tuple[float, float] = (-1, 1),
    interval: str = "delta",
    singles: bool = False,
    undefined: str = ONE_LABEL,
    source: str,
) -> Callable[[F], F]:
    """Register a coefficient: what it is a function of, its range, how its interval is computed, when it is NaN."""
    return coefficients.register(
        name, of=of, range=range, interval=interval, singles=singles, undefined=undefined, source=source
    )


def beyond(observed: Floats, chance: Floats) -> Floats:
    """Agreement beyond chance, as a share of the possible; exactly 0, without rounding error, if it equals chance."""
    apart = np.where(np.abs(observed - chance) < EXACT_TOLERANCE, 0.0, observed - chance)
    return divide(apart, np.where(np.abs(1 - chance) < EXACT_TOLERANCE, 0.0, 1 - chance))


@coefficient(
    "agreement",
    range=(0, 1),
    interval="wilson",
    undefined=NO_PAIR,
    source="the share of pairs of ballots that agree, each unit counted once",
)
def agreement(units: Coincidence) -> Floats:
    """How often two assessors of one unit agree."""
    return divide(units.same.sum(axis=-1), units.paired)


coefficient("kappa", of=Table, source="Cohen 1960; standard error Fleiss, Cohen & Everitt 1969")(kappa)


@coefficient("kappa_linear", of=Table, source="Cohen 1968, disagreements weighed by distance")
def kappa_linear(table: Table, level: Level = "ordinal") -> Floats:
    """Kappa with disagreements weighed by how far apart the labels are."""
    return weighted_kappa(table, 1, level)


@coefficient("kappa_quadratic", of=Table, source="Cohen 1968, disagreements weighed by squared distance")
def kappa_quadratic(table: Table, level: Level = "ordinal") -> Floats:
    """Kappa with disagreements weighed by the square of how far apart the labels are."""
    return weighted_kappa(table, 2, level)


def weighted_kappa(table: Table, power: int, level: Level = "ordinal") -> Floats:
    """Kappa with disagreements weighted by a power of the distance between the labels."""
    apart = distances(table.labels, level) ** power
    expected = np.einsum("...i,ij,...j->...", table.key, apart, table.response)
    observed = (table.counts * apart).sum(axis=(-2, -1)) * table.total
    less = expected - observed
    return divide(np.where(np.abs(less) < EXACT_TOLERANCE * np.abs(expected), 0.0, less), expected)


def distances(labels: Sequence[str], level: Level) -> Floats:
    """The distances between labels (labels, labels), as shares of the largest.

    Nominal labels are all equally far apart; ranks are one apart from the next, and amounts differ by their numbers.
    """
    places = Scale(tuple(labels), level).places
    if places is None:
        return 1.0 - np.eye(len(labels))
    # Scaled before squaring, because the square of a very large or very small number would over- or underflow.
    places = places / max(float(np.abs(places).max(initial=0.0)), np.finfo(float).tiny)
    apart = np.abs(places[:, None] - places)
    return np.asarray(apart / max(float(apart.max(initial=0.0)), np.finfo(float).tiny))


@coefficient("pi", source="Scott 1955: two ballots per unit")
def pi(units: Coincidence) -> Floats:
    """Agreement beyond what two assessors with one and the same distribution of labels would have by chance."""
    return beyond(agreement(units), (_portions(units.ballots) ** 2).sum(axis=-1))


@coefficient("fleiss_kappa", singles=True, source="Fleiss 1971; unequal numbers of ballots as Gwet 2014")
def fleiss_kappa(units: Coincidence) -> Floats:
    """Scott's pi for any number of ballots a unit."""
    return beyond(agreement(units), (_portions(units.shares) ** 2).sum(axis=-1))


@coefficient(
    "alpha",
    interval="bca",
    undefined="all ballots on units with two or more have the same label, so there is nothing to disagree on",
    source="Krippendorff 2004",
)
def alpha(units: Coincidence, level: Level = "nominal") -> Floats:
    """One less the disagreement within units over that among all ballots; many numbers have `spread_alpha`."""
    ballots, total = units.ballots, units.ballots.sum(axis=-1)
    if level == "nominal":
        observed = total - units.matching.sum(axis=-1)
        expected = total**2 - (ballots**2).sum(axis=-1)
    else:
        ranks = middle_ranks(ballots)
        ordinal = level == "ordinal"
        apart = (ranks[..., :, None] - ranks[..., None, :] if ordinal else distances(units.labels, level)) ** 2
        observed = (units.table * apart).sum(axis=(-2, -1))
        expected = np.einsum("...i,...ij,...j->...", ballots, apart, ballots)
    return _alpha(observed, expected, total)


def spread_alpha(sums: Floats) -> Floats:
    """Krippendorff's alpha of numbers (…, 4), from their spread within units and in total, see `kernels.spreads`."""
    within, ballots, first, second = np.moveaxis(sums, -1, 0)
    expected = 2 * (ballots * second - first**2)
    # If all numbers are the same, only rounding error is left.
    return _alpha(within, np.where(expected <= 1e-14 * ballots * second, 0.0, expected), ballots)


def _alpha(observed: Floats, expected: Floats, total: Floats) -> Floats:
    return 1 - (total - 1) * divide(observed, expected)


@coefficient("ac1", singles=True, undefined=ONE_VALUE, source="Gwet 2008; unequal numbers of ballots as Gwet 2014")
def ac1(units: Coincidence) -> Floats:
    """Gwet's AC1: chance is Σ π(1−π)/(K−1) over the K labels of the scale, whether all are used or not."""
    shares = _portions(units.shares)
    others = np.array(units.size - 1.0)
    return beyond(agreement(units), divide((shares * (1 - shares)).sum(axis=-1), others))


@coefficient("ac2", singles=True, undefined=ONE_VALUE, source="Gwet 2014, quadratic weights")
def ac2(units: Coincidence, level: Level = "nominal") -> Floats:
    """Gwet's AC2: AC1 with disagreements weighted by the squared distance of the labels; of names it is AC1."""
    weights = 1 - distances(units.labels, level) ** 2
    shares, others = _portions(units.shares), units.size - 1.0
    guessed = divide((shares * (1 - shares)).sum(axis=-1), np.array(others))
    observed = divide((units.pairs * weights).sum(axis=(-2, -1)), units.paired)
    return beyond(observed, guessed * weights.sum() / units.size)


@coefficient(
    "brennan_prediger",
    interval="wilson",
    undefined=ONE_VALUE,
    source="Brennan & Prediger 1981; Bennett's S",
)
def brennan_prediger(units: Coincidence) -> Floats:
    """Agreement beyond that of assessors who draw one of the K labels of the scale blindly."""
    return beyond_blind(agreement(units), units.size)


def beyond_blind(observed: Floats, labels: int) -> Floats:
    """Agreement beyond that of random draws from this many labels."""
    return beyond(observed, np.array(1 / labels))


def specific_agreement(units: Coincidence) -> Floats:
    """For each label (…, labels): given that one ballot says it, how often another ballot of the unit does too."""
    return divide(units.matching, units.ballots)


def kappa_maximum(table: Table) -> Floats:
    """The largest kappa possible with these margins."""
    total = table.total
    best = divide(np.minimum(table.key, table.response).sum(axis=-1), total)
    return beyond(best, divide((table.key * table.response).sum(axis=-1), total**2))


def conditional_agreement(table: Table) -> Floats:
    """For each label (…, labels): how often the second assessor gives it when the first does."""
    return divide(table.diagonal, table.key)


def _portions(counts: Floats) -> Floats:
    return divide(counts, counts.sum(axis=-1, keepdims=True))
