"""Word overlap: the share of the hypothesis's words that the text has, and a threshold learnt for it.

Of words out of context: in two ways no sentence is tagged or parsed, so this is the fastest engine that reads at all.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal

import msgspec
import numpy as np
from msgspec import Meta

from karat.arrays import Bools, Floats, Int32s
from karat.engines.batch import LEAST_ALIGNED, Batch
from karat.engines.contradiction import Contradiction, names, overrule
from karat.engines.contradiction import learn as learn_contradiction
from karat.engines.engine import BatchAnswers, Engine, Setup, Training, engines
from karat.engines.kernels.word_match import covered_share
from karat.engines.knowledge import SWITCHES
from karat.engines.learning.threshold import ENTAILMENT_CODE, ScoreCurve, fit_curve
from karat.engines.lexicon.relations import SUPPORTS
from karat.engines.lexicon.wordnet import NO_WORDNET
from karat.engines.rarity import Rarity, count_rarity
from karat.labels import THREE, Codes

Variant = Literal["token", "lemma", "content", "idf"]


class LearntOverlap(msgspec.Struct, frozen=True):
    """What overlap learns."""

    curve: ScoreCurve
    otherwise: int
    """What is answered where entailment is less than even: the commoner of the other labels."""
    rarity: Rarity | None = None
    contradiction: Contradiction | None = None


@dataclass(frozen=True, eq=False)
class PlainWords:
    """The words of a batch by their spelling alone: lemmas, and whether they say something by themselves."""

    batch: Batch

    @cached_property
    def lower(self) -> tuple[Int32s, Int32s]:
        """T and H in lower case."""
        t, h = self.batch.t, self.batch.h  # both are in the vocabulary before its table is asked for
        table = self.batch.knowledge.vocabulary.table
        return table.lower[t.forms], table.lower[h.forms]

    @cached_property
    def lemmas(self) -> tuple[Int32s, Int32s]:
        """The lemmas of T and H; of the lower case, so that a word has the same one where it begins a sentence."""
        t, h = self.lower
        table = self.batch.knowledge.vocabulary.table
        return table.lemma[t], table.lemma[h]

    @cached_property
    def content(self) -> tuple[Bools, Bools]:
        """Which words of T and H say something by themselves."""
        t, h = self.lower
        table = self.batch.knowledge.vocabulary.table
        return table.content(t), table.content(h)

    def share(self, variant: Variant, rarity: Rarity | None = None) -> Floats:
        """The share of H that T has; 1 where H has no word that counts, since nothing is missing."""
        batch, knowledge = self.batch, self.batch.knowledge
        t_words, h_words = self.lower if variant == "token" else self.lemmas
        t_content, h_content = self.content
        weights = (h_content if variant in ("content", "idf") else np.ones(len(h_words))).astype(np.float64)
        if rarity is not None:
            weights *= rarity.weights(knowledge.vocabulary)[h_words]
        dictionary = knowledge.wordnet if variant == "idf" else NO_WORDNET
        return covered_share(
            batch.t.starts,
            batch.h.starts,
            t_words,
            h_words,
            weights,
            t_content,
            dictionary.bearings,
            knowledge.allowed & SUPPORTS,
            LEAST_ALIGNED,
        )


def count_words(batches: Iterable[Batch]) -> Rarity:
    """Rarity by the lemmas that words have out of context."""
    return count_rarity(batches, lambda batch: PlainWords(batch).lemmas)


class Overlap:
    """The share of H that T has, and how likely entailment is by it."""

    learns = LearntOverlap

    def __init__(self, setup: Setup, variant: Variant) -> None:
        self.grounds = names() if setup.way is THREE else ()
        self.setup = setup
        self.variant = variant

    def fit(self, training: Training) -> LearntOverlap:
        """How likely entailment is at each share; rarity where words are weighed by it."""
        batches = list(training.batches())
        rarity = count_words(batches) if self.variant == "idf" else None
        scores = np.concatenate([PlainWords(batch).share(self.variant, rarity) for batch in batches])
        codes = training.codes
        otherwise = commoner_negative(codes)
        # A pair with the label that is never answered comes out wrong whatever is said of entailment.
        told = (codes == ENTAILMENT_CODE) | (codes == otherwise)
        curve = fit_curve(scores[told], codes[told])
        return LearntOverlap(curve, otherwise, rarity, learn_contradiction(batches, training))

    def answer(self, batch: Batch, learnt: LearntOverlap) -> BatchAnswers:
        """Entailment where it is at least even."""
        answers = learnt.curve.decide(PlainWords(batch).share(self.variant, learnt.rarity), learnt.otherwise)
        return overrule(answers, learnt.contradiction, batch)


def commoner_negative(codes: Codes) -> int:
    """The commoner of the labels that are not entailment; of equals, or where there is none, the first."""
    counts = np.bincount(codes, minlength=3)
    return int(1 + counts[1:].argmax())


@engines.register(
    "overlap",
    learns="must",
    ways=("2", "3"),
    knows=("dictionary", "trees"),
    switches=SWITCHES,
    source="Cabrio and Magnini 2010; rarity and dictionary as in the RTE challenges",
)
def overlap(
    setup: Setup,
    variant: Annotated[Variant, Meta(description="how words are compared and weighed")] = "idf",
) -> Engine:
    """The share of the hypothesis's words that the text has, and a learnt threshold.

    Words are compared as spelled (token), by lemma, by lemma without function words (content), or so, weighed by
    rarity and with a dictionary (idf). In three ways it answers entailment or the commoner of the other labels, and
    contradiction by the rule that all engines share.
    """
    return Overlap(setup, variant)
