"""The linguistic engine, after VENSES: structures are matched, checks are asked in order, thresholds are learnt."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
import numpy as np
from msgspec import Meta

from karat.engines.batch import Batch
from karat.engines.checks.registry import in_order
from karat.engines.checks.view import Bools
from karat.engines.decisions import Answers
from karat.engines.engine import Engine, Setup, Training, engines
from karat.engines.knowledge import SWITCHES
from karat.engines.learning.confidence import confidence
from karat.engines.learning.goals import CONTRADICTION
from karat.engines.learning.three_way import ThreeWay, balanced_weights, learn_band
from karat.engines.learning.threshold import sweep
from karat.engines.linguistic.checking import VETO, taken_off
from karat.engines.linguistic.structures import Floats, scores
from karat.engines.rarity import Rarity, count_rarity
from karat.labels import THREE

Goal = Literal["accuracy", "macro_f1"]
LOWEST = -VETO


class Learnt(msgspec.Struct, frozen=True):
    """What the engine learns: rarity, from which score on it accepts, and where it contradicts."""

    rarity: Rarity
    decision: ThreeWay


class Linguistic:
    """A score from structures, less what the first check that fires takes off it."""

    learns = Learnt

    def __init__(self, setup: Setup, goal: Goal) -> None:
        self.setup = setup
        self.goal = goal

    def fit(self, training: Training) -> Learnt:
        """Learn the thresholds; in three ways also between which scores a fired check means contradiction."""
        batches = list(training.batches())
        rarity = count_rarity(batches)
        parts = [_scored(batch, rarity) for batch in batches]
        score, fired = (np.concatenate([part[column] for part in parts]) for column in (0, 1))
        codes = training.codes
        if self.setup.way is THREE:
            weights = (1.0, 1.0, 1.0) if self.goal == "accuracy" else balanced_weights(codes)
            decision = learn_band(score, codes, fired.astype(bool), weights)
        else:
            goal: Literal["accuracy", "balanced"] = "accuracy" if self.goal == "accuracy" else "balanced"
            accept, value = sweep(score, codes, goal)
            decision = ThreeWay(float(accept), float(value))
        return Learnt(rarity, decision)

    def answer(self, batch: Batch, learnt: Learnt) -> Answers:
        """Accept from a score on; contradict where a check says so and the score lies where that is right."""
        score, fired = _scored(batch, learnt.rarity)
        codes = learnt.decision.decide(score, fired)
        sure = confidence(score, learnt.decision.entailment, LOWEST, 1.0, codes == CONTRADICTION)
        return Answers(codes, sure)


def _scored(batch: Batch, rarity: Rarity) -> tuple[Floats, Bools]:
    """The score of each pair after the checks, and where one of them speaks for contradiction."""
    off, contradicted = taken_off(batch)
    return scores(batch, rarity) - off, contradicted


@engines.register(
    "linguistic",
    learns="must",
    ways=("2", "3"),
    switches=(*SWITCHES, "structure", *(entry.name for entry in in_order())),
    source="after VENSES (Delmonte and others 2005-2009): head-dependent structures, then ordered rules",
)
def linguistic(
    setup: Setup, goal: Annotated[Goal, Meta(description="what the contradictions answered are chosen by")] = "accuracy"
) -> Engine:
    """Who does what to whom in H, found again in T; then ordered checks of what speaks against it."""
    return Linguistic(setup, goal)
