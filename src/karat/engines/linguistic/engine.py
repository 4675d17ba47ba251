"""The linguistic engine, after VENSES: structures are matched, checks are asked in order, thresholds are learnt."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
import numpy as np
from msgspec import Meta

from karat.engines.batch import Batch
from karat.engines.checks.registry import in_order
from karat.engines.decisions import Answers
from karat.engines.engine import Engine, Setup, Training, engines
from karat.engines.knowledge import SWITCHES
from karat.engines.learning.three_way import balanced_weights
from karat.engines.linguistic.checking import check, grounds, join
from karat.engines.linguistic.deciding import Decision, learn
from karat.engines.linguistic.structures import scores
from karat.engines.rarity import Rarity, count_rarity
from karat.labels import THREE

Goal = Literal["accuracy", "macro_f1"]
BELIEVED = 3.0
"""What a contradiction counts where thresholds are learnt: checks fire seldom, and a few training pairs are too few to
overrule one. Under cross-validation on development sets it costs no accuracy, and finds more contradictions."""


class Learnt(msgspec.Struct, frozen=True):
    """What the engine learns: rarity, from which score on it accepts, and from which it contradicts."""

    rarity: Rarity
    decision: Decision


class Linguistic:
    """A score from structures, less what the first check that fires takes off it, unless one forbids to accept."""

    learns = Learnt
    grounds = grounds()
    """The checks that its answers rest on."""

    def __init__(self, setup: Setup, goal: Goal) -> None:
        self.setup = setup
        self.goal = goal

    def fit(self, training: Training) -> Learnt:
        """Learn from which score on to accept; in three ways also from which a check's word means contradiction."""
        batches = list(training.batches())
        rarity = count_rarity(batches)
        raw = np.concatenate([scores(batch, rarity) for batch in batches])
        checked = join([check(batch) for batch in batches])
        codes, three = training.codes, self.setup.way is THREE
        weights = balanced_weights(codes) if self.goal == "macro_f1" else (1.0, 1.0, BELIEVED if three else 1.0)
        return Learnt(rarity, learn(raw, checked, codes, weights, three))

    def answer(self, batch: Batch, learnt: Learnt) -> Answers:
        """Accept from a score on, unless a check forbids it; contradict where one says so and T has enough of H."""
        raw, checked = scores(batch, learnt.rarity), check(batch)
        codes = learnt.decision.decide(raw, checked)
        return Answers(codes, learnt.decision.confidence(raw, checked))


@engines.register(
    "linguistic",
    learns="must",
    ways=("2", "3"),
    knows=("dictionary", "trees"),
    switches=(*SWITCHES, "structure", *(entry.name for entry in in_order())),
    source="after VENSES (Delmonte and others 2005-2009): head-dependent structures, then ordered rules",
)
def linguistic(
    setup: Setup, goal: Annotated[Goal, Meta(description="what the contradictions answered are chosen by")] = "accuracy"
) -> Engine:
    """Who does what to whom in H, found again in T; then ordered checks of what speaks against it."""
    return Linguistic(setup, goal)
