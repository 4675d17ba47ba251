"""Cases: keys and responses at random, seen by measures as tables and as orders, and what can be done to both."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Floats
from karat.data.orders import Order, Ranking
from karat.data.responses import Forecasts
from karat.data.tables import Table
from karat.kernels.counting import contingency
from karat.labels import THREE
from karat.registry import Bound

Codes = NDArray[np.int8]


@dataclass(frozen=True)
class Case:
    """One run on one three-way key, with a confidence in ⊢ and one in the response."""

    key: Codes
    response: Codes
    entailing: Floats
    confidence: Floats
    shares: Floats
    """The probability of each label (units, labels)."""

    def value(self, measure: Bound) -> float:
        """The measure of this case, through the view that it is a function of."""
        if measure.facts["of"] is Table:
            return float(measure(Table(contingency(self.key, self.response, 3, 3))))
        if measure.facts["of"] is Forecasts:
            right, units = (self.key == self.response).astype(float), np.arange(len(self.key))
            return float(measure(Forecasts(self.key, right, self.shares[units, self.response], self.shares)))
        if measure.facts["ranked_by"] == "entailment":
            order: Order = Ranking.of("entailment", self.entailing, (self.key == 0).astype(float)).count()
        else:
            order = Ranking.of("response", self.confidence, (self.key == self.response).astype(float)).count()
        return float(measure(order))


def random_cases(count: int, seed: int = 0) -> list[Case]:
    """Cases of all sizes, skewed, tied, with labels missing from key or run."""
    random = np.random.default_rng(seed)
    made = []
    for number in range(count):
        # None, one, and now and then many; else a few dozen.
        size = number if number < 2 else 700 if number % 50 == 0 else int(random.integers(2, 60))
        key, response = (random.choice(3, size, p=random.dirichlet([0.7] * 3)) for _ in range(2))
        # Some of the answers are the key's, so that runs of every quality are met.
        copied = random.random(size) < random.random()
        response = np.where(copied, key, response)
        scores = [np.round(random.random(size), int(random.integers(1, 4))) for _ in range(2)]
        shares = random.dirichlet([0.7] * 3, size)
        made.append(Case(key.astype(np.int8), response.astype(np.int8), scores[0], scores[1], shares))
    return made


def negate(codes: Codes) -> Codes:
    """The labels after H is replaced by not-H: ⊢ and ⊣ are exchanged, ◇ stays. Three-way only."""
    return np.array([2, 1, 0, -1], dtype=np.int8)[codes]


def negated(case: Case) -> Case:
    """Every H is replaced by not-H: what most entailed is now least entailed."""
    key, response = negate(case.key), negate(case.response)
    return replace(case, key=key, response=response, entailing=-case.entailing, shares=case.shares[:, ::-1])


def transposed(case: Case) -> Case:
    """Key and response change places."""
    return replace(case, key=case.response, response=case.key)


def relabelled(order: tuple[int, ...], case: Case) -> Case:
    """The run's labels are permuted."""
    shares = case.shares[:, np.argsort(order)]
    return replace(case, response=np.array(order, dtype=np.int8)[case.response], shares=shares)


def scaled(times: int, case: Case) -> Case:
    """Every unit several times."""
    return Case(**{name: np.concatenate([column] * times) for name, column in vars(case).items()})


def merged(source: int, target: int, case: Case) -> Case:
    """The run answers `target` where it answered `source`."""
    shares = case.shares.copy()
    shares[:, target] += shares[:, source]
    shares[:, source] = 0
    response = np.where(case.response == source, target, case.response).astype(np.int8)
    return replace(case, response=response, shares=shares)


@dataclass(frozen=True)
class Change:
    """What is done to a case, and what becomes of a label that a measure takes."""

    of: Callable[[Case], Case]
    labels: tuple[int, ...] = (0, 1, 2)

    def measure(self, measure: Bound) -> Bound:
        """The measure after the change: one that takes a label takes what the change makes of it."""
        label = dict(measure.arguments).get("label")
        return measure.entry.bind(label=THREE.labels[self.labels[THREE.code(str(label))]]) if label else measure


CHANGES: dict[str, list[Change]] = {
    "negation": [Change(negated, (2, 1, 0))],
    "transposition": [Change(transposed)],
    "relabelling": [Change(partial(relabelled, order), order) for order in itertools.permutations(range(3))][1:],
    "scaling": [Change(partial(scaled, times)) for times in (2, 3)],
    "merging": [Change(partial(merged, source, target)) for source, target in itertools.permutations(range(3), 2)],
}
