"""From distances to answers: costs by a particle swarm, thresholds in three manners, contradiction if worth it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
import numpy as np

from karat.arrays import Bools, Floats
from karat.engines.engine import Answers
from karat.engines.learning.folds import stratified
from karat.engines.learning.threshold import (
    CONTRADICTION,
    ENTAILMENT,
    EVEN,
    FEWEST_IN_GROUP,
    UNDER,
    ThreeWay,
    Threshold,
    confidence,
    cross_validated,
    learn,
    learn_band,
    learn_first_best,
    learn_stable,
)
from karat.kernels.random import generator
from karat.labels import Codes

PARTICLES = 20
INERTIA, PULL = 0.729, 1.494
"""Under these a swarm draws together without a brake (Clerc and Kennedy 2002)."""


def search(
    objective: Callable[[Floats], Floats],
    low: Floats,
    high: Floats,
    seed: int = 0,
    known: Floats | None = None,
    iterations: int = 20,
    patience: int = 5,
) -> tuple[Floats, float]:
    """The point of the box (d,) with the highest value, and that; `objective` values a whole swarm (k, d) → (k,).

    `known` points (m, d) take the places of the first particles, so that the end is no worse than any of them. NaN is
    worse than any value. Of equally good points the first met is kept. The search ends after so many iterations, or
    after `patience` of them in which nothing better was found.
    """
    random = generator(seed, "swarm")
    shape, span = (PARTICLES, len(low)), high - low
    places = low + span * random.random(shape)
    if known is not None:
        places[: len(known)] = np.clip(known, low, high)[:PARTICLES]
    moves = (low + span * random.random(shape) - places) / 2
    own, own_values = places.copy(), _values(objective, places)
    best = int(np.argmax(own_values))
    leader, value = own[best].copy(), float(own_values[best])
    idle = 0
    for _ in range(iterations):
        if idle >= patience:
            break
        to_own = PULL * random.random(shape) * (own - places)
        to_leader = PULL * random.random(shape) * (leader - places)
        moves = np.clip(INERTIA * moves + to_own + to_leader, -span, span)
        reached = places + moves
        places = np.clip(reached, low, high)
        moves = np.where(places == reached, moves, 0.0)  # a wall stops what runs into it
        values = _values(objective, places)
        better = values > own_values
        own, own_values = np.where(better[:, None], places, own), np.where(better, values, own_values)
        best = int(np.argmax(own_values))
        idle = 0 if own_values[best] > value else idle + 1
        if idle == 0:
            leader, value = own[best].copy(), float(own_values[best])
    return leader, value


def _values(objective: Callable[[Floats], Floats], places: Floats) -> Floats:
    values = np.asarray(objective(places.copy()), dtype=np.float64)
    return np.where(np.isnan(values), -np.inf, values)


FOLDS = 10
SWARM_FOLDS = 5
HIGHEST = 5.0
"""Costs are looked for from 0 to this."""
WORTH = 3.0
"""Contradiction is answered only where that gets so many more training pairs right: less is chance."""


class Decider(msgspec.Struct, frozen=True):
    """Entailment from a threshold on; contradiction, if ever, in a band of pairs with a cue.

    Scores are distances turned round: 0 is nearest. The band counts from the threshold.
    """

    threshold: Threshold
    band: ThreeWay | None = None

    def decide(self, scores: Floats, groups: Sequence[str], cue: Callable[[], Bools]) -> Answers:
        """Label and confidence of each pair; `cue` is asked only where something can contradict."""
        cuts = self.threshold.of(groups, len(scores))
        if self.band is None:
            codes = self.threshold.decide(scores, groups)
        else:
            codes = self.band.decide(scores - cuts, cue() if self.band.contradicts else None)
            cuts = cuts + self.band.entailment
        sure = confidence(_bounded(scores), _bounded(cuts), -1.0, 0.0, codes == CONTRADICTION)
        # Said of the codes, not of scores again: what is reckoned otherwise may differ in the last bit.
        return Answers(codes, np.where(codes == ENTAILMENT, np.maximum(sure, EVEN), np.minimum(sure, UNDER)))


def _bounded(scores: Floats) -> Floats:
    """Scores as 0 to −1 without an end, in the same order: a distance d, which may be beyond 1, becomes d / (1 + d)."""
    return scores / (1 + np.abs(scores))


def learn_to_decide(
    scores: Floats, codes: Codes, groups: Sequence[str] | None, cue: Bools | None, manner: str, seed: int
) -> Decider:
    """Learn thresholds; with a cue (in three ways), a band of contradiction too, unless the manner knows none."""
    two = np.where(codes == 0, 0, 1).astype(np.int8)
    threshold = learn_threshold(scores, two, groups, manner, seed)
    if cue is None or manner != "sweep":
        return Decider(threshold)
    margins = scores - threshold.of(groups, len(scores))
    return Decider(threshold, learn_band(margins, codes, cue, least=WORTH))


def learn_threshold(scores: Floats, codes: Codes, groups: Sequence[str] | None, manner: str, seed: int) -> Threshold:
    """One threshold, and where groups are named one more for each that is large enough."""
    learners: dict[str, Callable[[Floats, Codes], Threshold]] = {
        "sweep": learn,
        "eop": learn_first_best,
        "edits3": lambda some, their: learn_stable(some, their, stratified(their, _folds(their, FOLDS), seed)),
    }
    made = learners[manner](scores, codes)
    names = np.array([] if groups is None else groups, dtype=np.str_)
    own = {
        name: learners[manner](scores[names == name], codes[names == name]).everywhere
        for name in np.unique(names).tolist()
        if name and (names == name).sum() >= FEWEST_IN_GROUP
    }
    return msgspec.structs.replace(made, groups=own)


def optimise_costs(
    distances: Callable[[Floats], Floats], codes: Codes, start: Floats, seed: int
) -> tuple[float, float, float]:
    """The costs of deleting, inserting and substituting under which folds that a threshold never saw fare best."""
    two = np.where(codes == 0, 0, 1).astype(np.int8)
    folds = stratified(two, _folds(two, SWARM_FOLDS), seed)

    def value(costs: Floats) -> Floats:
        return cross_validated(-distances(costs), two, folds)

    low, high = np.zeros(3), np.full(3, HIGHEST)
    delete, insert, substitute = search(value, low, high, seed, known=start[None])[0].tolist()
    return delete, insert, substitute


def _folds(codes: Codes, wanted: int) -> int:
    return min(wanted, max(len(codes), 2))
