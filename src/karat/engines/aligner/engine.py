"""The aligner-classifier: features of how the words of H stand in T, and a logistic regression over them."""

from __future__ import annotations

from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from karat.engines.aligner.deciding import Classifier, Decider, Goal, learn
from karat.engines.aligner.features import against, contradicted
from karat.engines.aligner.words import Words, columns, families, table
from karat.engines.batch import Batch
from karat.engines.checks.registry import checks, in_order
from karat.engines.decisions import Answers
from karat.engines.engine import Engine, Setup, Training, engines
from karat.engines.knowledge import SWITCHES
from karat.engines.learning.folds import numbered, one_thread
from karat.engines.rarity import Rarity, count_rarity
from karat.errors import UsageError
from karat.labels import THREE

FAMILIES = tuple(entry.name for entry in families)
FEWEST_PAIRS = 10
"""With fewer training pairs than this nothing can be learnt."""


class Learnt(msgspec.Struct, frozen=True):
    """What the aligner learns."""

    features: tuple[str, ...]
    settings: tuple[str, ...]
    rarity: Rarity
    decider: Decider


class Aligner:
    """Features, a classifier of entailment and, in three ways, one of contradiction."""

    learns = Learnt

    def __init__(self, setup: Setup, classifier: Classifier, goal: Goal, vectors: bool) -> None:
        self.setup = setup
        self.classifier = classifier
        self.goal = goal
        off = () if vectors else ("vectors",)
        self.families = [name for name in FAMILIES if name not in off and not setup.without(name)]
        gate = in_order() if "checks" in self.families else against() if setup.way is THREE else []
        self.grounds = tuple(entry.name for entry in gate)

    def fit(self, training: Training) -> Learnt:
        """Count rarity, work out the features, learn to decide by them."""
        if len(training.rows) < FEWEST_PAIRS:
            raise UsageError(
                f"{training.pairs.source.name} has {len(training.rows)} labelled pairs: the aligner weighs some fifty "
                f"features, and learns from {FEWEST_PAIRS} pairs at least"
            )
        batches = list(training.batches())
        rarity = count_rarity(batches)
        settings = tuple(sorted({setting for setting in training.settings if setting}))
        made = [columns(Words(batch, rarity, settings), self.families) for batch in batches]
        names = tuple(made[0]) if made else ()
        features = np.concatenate([np.column_stack([part[name] for name in names]) for part in made])
        fired = np.concatenate([contradicted(batch) for batch in batches])
        texts = [text for batch in batches for text in batch.texts]
        with one_thread():
            decider = learn(
                features, training.codes, fired, numbered(texts), self.goal, self.classifier, self.setup.seed
            )
        return Learnt(names, settings, rarity, decider)

    def answer(self, batch: Batch, learnt: Learnt) -> Answers:
        """Decide by the features of each pair."""
        features = table(Words(batch, learnt.rarity, learnt.settings), self.families, learnt.features)
        codes, sure = learnt.decider.decide(features, contradicted(batch))
        return Answers(codes, sure)


@engines.register(
    "aligner",
    learns="must",
    ways=("2", "3"),
    knows=("dictionary", "trees"),
    switches=tuple(dict.fromkeys((*FAMILIES, *(entry.name for entry in checks), *SWITCHES))),
    source="after the coverage classifiers of RTE-3 (P1EDA of the Excitement Open Platform; de Marneffe et al. 2008)",
)
def aligner(
    setup: Setup,
    classifier: Annotated[Classifier, Meta(description="logistic regression, a kernel machine, or both")] = "both",
    goal: Annotated[Goal, Meta(description="what the contradictions answered are chosen by")] = "accuracy",
    vectors: Annotated[bool, Meta(description="features of sentence vectors too; slow")] = False,
) -> Engine:
    """How the words of the hypothesis stand in the text, and a classifier learnt over some fifty such features."""
    return Aligner(setup, classifier, goal, vectors)
