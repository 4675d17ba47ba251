"""Support: whether the documents that the sentences of an answer cite say what the sentences say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from karat.arrays import Bools, Bytes, Floats, Ints
from karat.data.answers import Answers, documents_of
from karat.data.parameters import checked_noun
from karat.data.provenance import Source
from karat.errors import Problem, UsageError

VERDICTS = ("full", "partial", "none", "contradicted")
"""What a document says of a sentence that cites it: all of it, part of it, nothing of it, or the contrary."""
NO_SUPPORT = VERDICTS.index("none")
UNJUDGED = -1


@dataclass(frozen=True, eq=False)
class SupportCounts:
    """The number of sentences whose first citation has each verdict (…, 4), and of all sentences (…).

    The verdicts of several assessors on a sentence are shares, which add up to one sentence.
    """

    verdicts: Floats
    sentences: Floats

    @property
    def cited(self) -> Floats:
        """The number of sentences that cite a document."""
        return np.asarray(self.verdicts.sum(axis=-1))


@checked_noun
@dataclass(frozen=True, eq=False, repr=False)
class Support:
    """Answers, one row per sentence, with the verdict of each assessor on the first document that a sentence cites."""

    answers: Answers
    assessors: tuple[str, ...]
    verdict: Bytes
    """Assessors × sentences: the place of a verdict in `VERDICTS`, −1 where an assessor did not judge a sentence."""
    left_out: tuple[str, ...] = ()
    """Topics that runs answer and of which nothing was judged; they are not among those of the answers."""
    sources: tuple[Source, ...] = ()
    warnings: tuple[Problem, ...] = ()

    def __post_init__(self) -> None:
        """Check that there is one verdict per assessor and sentence."""
        shape = len(self.assessors), len(self.answers)
        if self.verdict.shape != shape:
            raise UsageError(
                f"verdicts of {shape[0]} assessors on {shape[1]} sentences have the shape {shape}; these have "
                f"{self.verdict.shape}"
            )

    def __repr__(self) -> str:
        judged = int((self.verdict != UNJUDGED).sum())
        return f"<Support: {len(self.answers.runs)} runs, {len(self.answers.units)} topics, {judged} verdicts>"

    @property
    def runs(self) -> tuple[str, ...]:
        """The names of the runs."""
        return self.answers.runs

    @cached_property
    def cites(self) -> Bools:
        """Which sentences cite a document."""
        return np.array([bool(documents_of(one)) for one in self.answers.documents], dtype=np.bool_)

    @cached_property
    def sentences(self) -> Floats:
        """The number of sentences of each run on each topic."""
        return self.answers.counts.astype(np.float64)

    def places_of(self, names: Sequence[str]) -> Ints:
        """The places of some assessors; of all if none is named."""
        for name in names:
            if name not in self.assessors:
                raise UsageError.unknown("assessor", name, self.assessors)
        return np.array([at for at, one in enumerate(self.assessors) if not names or one in names], dtype=np.int64)

    def unjudged(self, assessors: Ints) -> Bools:
        """Which sentences cite a document on which none of these assessors gave a verdict."""
        return self.cites & (self.verdict[assessors] == UNJUDGED).all(axis=0)

    def counts(self, assessors: Ints) -> SupportCounts:
        """The counts of every run and topic by these assessors; a sentence that none of them judged has no support."""
        given = self.verdict[assessors]
        shares: Floats = np.stack([(given == code).sum(axis=0) for code in range(len(VERDICTS))], axis=-1).astype(float)
        shares[self.unjudged(assessors), NO_SUPPORT] = 1
        shares /= np.maximum(shares.sum(axis=1, keepdims=True), 1)
        shape = len(self.answers.runs), len(self.answers.units)
        size = shape[0] * shape[1]
        sums = [np.bincount(self.answers.cell, weights=column, minlength=size) for column in shares.T]
        verdicts = np.stack(sums, axis=-1).reshape(*shape, len(VERDICTS)).astype(np.float64)
        return SupportCounts(verdicts, self.sentences)

    def judged_by(self, assessor: int) -> Bools:
        """Runs × topics that an assessor judged whole: topics with a verdict of theirs, less answers that lack one."""
        shape = len(self.answers.runs), len(self.answers.units)
        given = self.verdict[assessor] != UNJUDGED
        lacking = np.bincount(self.answers.cell[self.cites & ~given], minlength=shape[0] * shape[1]).reshape(shape)
        topics = np.bincount(self.answers.question[given], minlength=shape[1]) > 0
        return topics & (lacking == 0)
