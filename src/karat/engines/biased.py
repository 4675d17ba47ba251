"""The linguistically biased baseline: it reads no pair, and knows only which phenomena a pair holds.

It learns from a decomposed set how often each phenomenon comes with each label, on the monothematic pairs. What beats
it does more than tell phenomena that usually hold from phenomena that usually do not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from karat.data.decomposition import Phenomenon
from karat.engines.batch import Batch
from karat.engines.engine import BatchAnswers, Engine, Justification, Setup, Training, engines
from karat.engines.explaining.wording import listed
from karat.engines.learning.threshold import EVEN, UNDER
from karat.engines.phenomena import (
    CATEGORY,
    LISTED_CATEGORIES,
    LISTED_PHENOMENA,
    PHENOMENON,
    category_of,
    named,
    split_list,
    spoken,
)
from karat.errors import UsageError
from karat.labels import Way

Counts = dict[str, int]
"""How many monothematic pairs have each label."""


class LearntBias(msgspec.Struct, frozen=True):
    """What was counted on the monothematic training pairs, and what the others were taken apart into."""

    phenomena: dict[str, Counts]
    categories: dict[str, Counts]
    all: Counts
    originals: dict[str, list[str]]
    """The phenomena (or categories) of each original, by a hash of its text and hypothesis."""


@dataclass(frozen=True)
class Ground:
    """What speaks of a pair: a phenomenon, else its category, else all pairs; and the counts of its labels."""

    name: str
    counts: tuple[int, ...]

    @property
    def positive(self) -> int:
        """How many pairs of this kind are entailed."""
        return self.counts[0]

    @property
    def total(self) -> int:
        """How many pairs of this kind there are."""
        return sum(self.counts)

    @property
    def contradicts(self) -> bool:
        """Whether more than half of the pairs of this kind have the last label: CONTRADICTION, or NO ENTAILMENT."""
        return 2 * self.counts[-1] > self.total


@dataclass(frozen=True)
class Held:
    """The grounds of a pair, and whether it isolates a single phenomenon."""

    grounds: tuple[Ground, ...]
    alone: bool

    def code(self) -> int:
        """The judgment of the pair.

        A monothematic pair is answered as most pairs of its phenomenon are; exactly half is not entailed. An original
        is contradicted if any of its phenomena is in more than half of its pairs, and entailed if none of them is not
        entailed in more than half.
        """
        against = self.against()
        if not against:
            return 0
        if not self.alone:
            return len(against[0].counts) - 1 if any(one.contradicts for one in against) else 1
        negative = against[0].counts[1:]
        return max(range(len(negative)), key=lambda code: (negative[code], code)) + 1

    def against(self) -> list[Ground]:
        """The grounds that speak against entailment."""
        return [one for one in self.grounds if 2 * one.positive < one.total + self.alone]

    def share(self) -> float:
        """How many of the pairs of its worst phenomenon are entailed."""
        return min(one.positive / one.total for one in self.grounds)


class Biased:
    """Judgments by phenomenon."""

    learns = LearntBias

    def __init__(self, setup: Setup, by: str) -> None:
        self.way: Way = setup.way
        self.by = by

    def fit(self, training: Training) -> LearntBias:
        """Count the labels of the monothematic pairs of each phenomenon, of each category, and of all."""
        learnt = LearntBias({}, {}, self._none(), {})
        codes = iter(training.codes.tolist())
        for batch in training.batches():
            for row in range(len(batch)):
                label = self.way.labels[next(codes)]
                found, alone = self._phenomena(batch, row)
                if not alone:
                    if found:
                        learnt.originals[_words(batch, row)] = [str(one) for one in found]
                    continue
                _count(learnt.phenomena.setdefault(str(found[0]), self._none()), label)
                if found[0].category is not None:
                    _count(learnt.categories.setdefault(found[0].category, self._none()), label)
                _count(learnt.all, label)
        if not sum(learnt.all.values()):
            raise UsageError(
                f"{training.pairs.source.name} has no labelled pair with a {self.by}: biased learns from monothematic "
                "pairs, whose phenomenon is given, or from any attribute: biased(by=ATTRIBUTE)"
            )
        return learnt

    def answer(self, batch: Batch, learnt: LearntBias) -> BatchAnswers:
        """The likelier judgment by the phenomena that each pair holds."""
        held = self._held(batch, learnt)
        codes = np.array([one.code() for one in held], dtype=np.int8)
        share = np.array([one.share() for one in held])
        return BatchAnswers(codes, np.where(codes == 0, np.maximum(share, EVEN), np.minimum(share, UNDER)))

    def explain(self, batch: Batch, answers: BatchAnswers, learnt: LearntBias) -> Sequence[Justification]:
        """What becomes of hypotheses that rest on such phenomena."""
        del answers
        return [Justification(_said(one)) for one in self._held(batch, learnt)]

    def _none(self) -> Counts:
        return dict.fromkeys(self.way.labels, 0)

    def _phenomena(self, batch: Batch, row: int) -> tuple[list[Phenomenon], bool]:
        """The phenomena of a pair as far as it says them itself, and whether it isolates one.

        Where another attribute plays the phenomenon, its values do; originals have the categories of their parts.
        """

        def said(name: str) -> str:
            column = batch.attributes.get(name)
            return ((column[row] if column else None) or "").strip()

        own = said(self.by)
        if self.by == PHENOMENON:
            if own:
                return [named(own, said(CATEGORY) or None)], True
            return [named(one) for one in split_list(said(LISTED_PHENOMENA))], False
        if self.by == CATEGORY:
            own = category_of(said(PHENOMENON), own) or ""
            if not own:
                return [Phenomenon(one) for one in split_list(said(LISTED_CATEGORIES))], False
        return [Phenomenon(own)] if own else [], bool(own)

    def _again(self, spelled: str) -> Phenomenon:
        return named(spelled) if self.by == PHENOMENON else Phenomenon(spelled)

    def _held(self, batch: Batch, learnt: LearntBias) -> list[Held]:
        made = []
        for row in range(len(batch)):
            found, alone = self._phenomena(batch, row)
            if not found and learnt.originals:
                found = [self._again(one) for one in learnt.originals.get(_words(batch, row), ())]
            made.append(Held(tuple(self._ground(one, learnt) for one in found or (None,)), alone))
        return made

    def _ground(self, phenomenon: Phenomenon | None, learnt: LearntBias) -> Ground:
        """What was counted of a phenomenon; where it was never met, of its category; else of all."""
        name, counts = "", learnt.all
        if phenomenon is not None and str(phenomenon) in learnt.phenomena:
            name, counts = spoken(phenomenon.name), learnt.phenomena[str(phenomenon)]
        elif phenomenon is not None and phenomenon.category in learnt.categories:
            name, counts = spoken(phenomenon.category), learnt.categories[phenomenon.category]
        return Ground(name, tuple(counts[label] for label in self.way.labels))


def _words(batch: Batch, row: int) -> str:
    """A short hash of T and H, by which an original is known again where its parts are not beside it."""
    return hashlib.sha256(f"{batch.texts[row]}\0{batch.hypotheses[row]}".encode()).hexdigest()[:16]


def _count(counts: Counts, label: str) -> None:
    counts[label] += 1


def _said(held: Held) -> str:
    against = held.against()
    worst = next((one for one in against if one.contradicts), against[0] if against else None)
    grounds = held.grounds if worst is None else (worst,)
    names = [name for name in dict.fromkeys(one.name for one in grounds) if name]
    subject = f"Hypotheses that rest on {listed(names, 'or')}" if names else "Hypotheses"
    even = any(2 * one.positive == one.total for one in grounds)
    if worst is None:
        return f"{subject} follow from their texts {'at least as often as not' if even else 'more often than not'}."
    if even:
        return f"{subject} follow from their texts only as often as not."
    if worst.contradicts and len(worst.counts) == 3:
        return f"{subject} mostly go against their texts."
    return f"{subject} mostly do not follow from their texts."


@engines.register(
    "biased", learns="must", ways=("2", "3"), knows=(), switches=(), source="Cabrio and Magnini 2010, baseline system 2"
)
def biased(
    setup: Setup, by: Annotated[str, Meta(description="the attribute that plays the phenomenon")] = PHENOMENON
) -> Engine:
    """The likelier judgment for the phenomena that a pair holds, whatever it says; learns from a decomposed set.

    Another attribute than the phenomenon may be named, as in biased(by=category) or biased(by=section).
    """
    return Biased(setup, by)
