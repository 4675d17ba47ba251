"""Cases: keys and responses at random, seen by measures as tables and as orders, and what can be done to both."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from karat.data.orders import Order, Ranking
from karat.data.tables import Table
from karat.kernels.counting import contingency
from karat.labels import THREE, negate
from karat.registry import Bound

Codes = NDArray[np.int8]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """One run on one three-way key, with a confidence in ⊢ and one in the response."""

    key: Codes
    response: Codes
    entailing: Floats
    confidence: Floats

    def value(self, measure: Bound) -> float:
        """The measure of this case, through the view that it is a function of."""
        if measure.facts["of"] is Table:
            return float(measure(Table(contingency(self.key, self.response, 3, 3))))
        if measure.facts["ranked_by"] == "entailment":
            order: Order = Ranking.of("entailment", self.entailing, (self.key == 0).astype(float)).count()
        else:
            order = Ranking.of("response", self.confidence, (self.key == self.response).astype(float)).count()
        return float(measure(order))


def random_cases(count: int, seed: int = 0) -> list[Case]:
    """Cases of all sizes, skewed, tied, with labels missing from key or run."""
    random = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        size = int(random.integers(2, 60))
        key, response = (random.choice(3, size, p=random.dirichlet([0.7] * 3)) for _ in range(2))
        # Some of the answers are the key's, so that runs of every quality are met.
        copied = random.random(size) < random.random()
        response = np.where(copied, key, response)
        scores = [np.round(random.random(size), int(random.integers(1, 4))) for _ in range(2)]
        made.append(Case(key.astype(np.int8), response.astype(np.int8), *scores))
    return made


def negated(case: Case) -> Case:
    """Every H is replaced by not-H: what most entailed is now least entailed."""
    return replace(case, key=negate(case.key), response=negate(case.response), entailing=-case.entailing)


def transposed(case: Case) -> Case:
    """Key and response change places."""
    return replace(case, key=case.response, response=case.key)


def relabelled(case: Case) -> Case:
    """The run's labels go round: ⊢ → ◇ → ⊣ → ⊢."""
    return replace(case, response=((case.response + 1) % 3).astype(np.int8))


def scaled(case: Case) -> Case:
    """Every unit twice."""
    twice = {name: np.tile(column, 2) for name, column in vars(case).items()}
    return Case(**twice)


def merged(source: int, target: int, case: Case) -> Case:
    """The run answers `target` where it answered `source`."""
    return replace(case, response=np.where(case.response == source, target, case.response).astype(np.int8))


def changed_measure(name: str, measure: Bound) -> Bound:
    """The measure after the change: one that takes a label takes what the change makes of it."""
    label = dict(measure.arguments).get("label")
    if not label or name not in ("negation", "relabelling"):
        return measure
    code = THREE.code(str(label))
    return measure.entry.bind(label=THREE.labels[2 - code if name == "negation" else (code + 1) % 3])


CHANGES: dict[str, list[Callable[[Case], Case]]] = {
    "negation": [negated],
    "transposition": [transposed],
    "relabelling": [relabelled],
    "scaling": [scaled],
    "merging": [partial(merged, source, target) for source, target in itertools.permutations(range(3), 2)],
}
