"""The engine `edit-distance`: a distance, what its words weigh, and a learnt threshold."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from inspect import Parameter
from typing import Annotated, cast

import msgspec
import numpy as np
from msgspec import Meta

from karat.arrays import Floats
from karat.data.parameters import generator
from karat.engines.batch import Batch
from karat.engines.contradiction import Contradiction, names, overrule
from karat.engines.contradiction import learn as learn_contradiction
from karat.engines.edits.distances import compare, distances
from karat.engines.edits.rules import Rule, RuleTable, name_rules, read_rules, tabulate
from karat.engines.edits.settings import SAID, Preset, Scheme, Settings, Spelled, settings
from karat.engines.engine import BatchAnswers, Engine, Setup, Training, engines
from karat.engines.knowledge import SWITCHES
from karat.engines.learning.folds import stratified
from karat.engines.learning.threshold import (
    CONTRADICTION_CODE,
    ENTAILMENT_CODE,
    EVEN,
    FEWEST_IN_GROUP,
    UNDER,
    UNKNOWN_CODE,
    Threshold,
    confidence,
    cross_validated,
    learn,
    learn_first_best,
    learn_stable,
)
from karat.engines.rarity import Rarity, count_rarity
from karat.engines.text.vocabulary import Vocabulary
from karat.errors import Problem
from karat.labels import THREE, Codes

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


class EditDecider(msgspec.Struct, frozen=True):
    """Entailment from a threshold on. Scores are distances turned round: 0 is nearest."""

    threshold: Threshold

    def decide(self, scores: Floats, groups: Sequence[str]) -> BatchAnswers:
        """Label and confidence of each pair."""
        cuts = self.threshold.of(groups, len(scores))
        codes = self.threshold.decide(scores, groups)
        sure = confidence(_bounded(scores), _bounded(cuts), -1.0, 0.0)
        # Said of the codes, not of scores again: what is reckoned otherwise may differ in the last bit.
        return BatchAnswers(codes, np.where(codes == ENTAILMENT_CODE, np.maximum(sure, EVEN), np.minimum(sure, UNDER)))


def _bounded(scores: Floats) -> Floats:
    """Scores as 0 to −1 without an end, in the same order: a distance d, which may be beyond 1, becomes d / (1 + d)."""
    return scores / (1 + np.abs(scores))


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


class LearntEdits(msgspec.Struct, dict=True):
    """What the engine learns; rules are kept with it, so that a model needs no other file."""

    costs: tuple[float, float, float]
    decider: EditDecider
    contradiction: Contradiction | None = None
    rarity: Rarity | None = None
    rules: tuple[Rule, ...] = ()

    def table(self, vocabulary: Vocabulary) -> RuleTable:
        """The rules by the ids of their words, worked out once for a vocabulary."""
        of, table = self.__dict__.get("_table", (None, None))
        if table is None or of is not vocabulary:
            table = tabulate(self.rules, vocabulary)
            self.__dict__["_table"] = vocabulary, table
        return cast(RuleTable, table)


class EditDistance:
    """A distance and a threshold."""

    learns = LearntEdits

    def __init__(self, setup: Setup, chosen: Settings) -> None:
        self.setup = setup
        self.settings = chosen
        self.scheme = Scheme(chosen.weights)
        # EDITS and the Excitement platform, which the other thresholds are of, answer in two ways.
        self.contradicts = setup.way is THREE and chosen.threshold == "sweep"
        self.grounds = names() if self.contradicts else ()
        self.warnings: tuple[Problem, ...] = ()
        self.names: dict[str, str] = {}
        """What signatures say of the rules, once they are read: a model has them in it, and asks for no file."""

    def fit(self, training: Training) -> LearntEdits:
        """Count rarity, work out distances, learn costs where asked, and thresholds."""
        batches = list(training.batches())
        rules: tuple[Rule, ...] = ()
        if self.settings.rules:
            rules, self.warnings = read_rules(self.settings.rules)
            self.names = {"rules": name_rules(self.settings.rules)}
        rarity = count_rarity(batches) if "IDF" in self.scheme.names else None
        table = tabulate(rules, self.setup.knowledge.vocabulary)
        compared = [compare(batch, self.settings, self.scheme, rarity, table) for batch in batches]

        def reckon(costs: Floats) -> Floats:
            return np.concatenate([np.zeros((len(costs), 0)), *(distances(part, costs) for part in compared)], axis=1)

        seed = self.setup.seed
        costs = self.settings.delete, self.settings.insert, self.settings.substitute
        if self.settings.optimise == "swarm":
            costs = optimise_costs(reckon, training.codes, np.array(costs), seed)
        scores = -reckon(np.array([costs]))[0]
        groups = [name or "" for name in training.settings] if self.settings.per_setting else None
        two = np.where(training.codes == ENTAILMENT_CODE, ENTAILMENT_CODE, UNKNOWN_CODE).astype(np.int8)
        decider = EditDecider(learn_threshold(scores, two, groups, self.settings.threshold, seed))
        rule = learn_contradiction(batches, training) if self.contradicts else None
        return LearntEdits(costs, decider, rule, rarity, rules)

    def answer(self, batch: Batch, learnt: LearntEdits) -> BatchAnswers:
        """Hold the distance of each pair against the threshold."""
        rules = learnt.table(batch.knowledge.vocabulary)
        compared = compare(batch, self.settings, self.scheme, learnt.rarity, rules)
        scores = -distances(compared, np.array([learnt.costs]))[0]
        groups = [name or "" for name in batch.settings]
        answers = overrule(learnt.decider.decide(scores, groups), learnt.contradiction, batch)
        if not self.contradicts:
            return answers
        # A rule of the user's own is believed.
        codes, denied = answers.codes.copy(), compared.blocks.against
        codes[denied] = CONTRADICTION_CODE
        return replace(
            answers, codes=codes, confidence=np.where(denied, np.minimum(answers.confidence, UNDER), answers.confidence)
        )


@engines.register(
    "edit-distance",
    learns="must",
    ways=("2", "3"),
    knows=("dictionary", "trees"),
    switches=(*names(), *SWITCHES),
    source="after EDITS (Kouylekov and Magnini 2005; Negri et al. 2009) and the Excitement Open Platform",
)
def edit_distance(
    setup: Setup,
    preset: Annotated[Preset, Meta(description="what holds where nothing else is said")] = "best",
    **given: Spelled,
) -> Engine:
    """How much it takes to turn the text into the hypothesis, and a learnt threshold."""
    return EditDistance(setup, settings(preset, given))


def _name_settings() -> None:
    """Have the signature name every setting, as `karat engines` and the registry read it."""
    signature = inspect.signature(edit_distance)
    kinds = {name: Annotated[Spelled, said] for name, said in SAID.items()}
    named = [Parameter(name, Parameter.KEYWORD_ONLY, default="", annotation=kind) for name, kind in kinds.items()]
    fixed = list(signature.parameters.values())[:-1]
    edit_distance.__signature__ = signature.replace(parameters=[*fixed, *named])  # type: ignore[attr-defined]
    edit_distance.__annotations__ |= kinds


_name_settings()
