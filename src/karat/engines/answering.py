"""From a model and a chunk of pairs to decisions, in this process; `karat.places` says where else.

A pair on which an engine fails is answered UNKNOWN at confidence 0 and listed, so a run is never partial and never
silently whole.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from karat.engines.batch import WORK, Batch, Chunk, part_of, work
from karat.engines.engine import (
    BatchAnswers,
    Decisions,
    Explains,
    Failure,
    Justification,
    confidence_in_answer,
    engines,
    join,
)
from karat.engines.explaining import explain
from karat.engines.knowledge import Knowledge
from karat.engines.model import Model, revive
from karat.errors import UsageError
from karat.labels import WAYS, Way
from karat.places import Died

DIGITS = 12
NO_ANSWER = Justification("No answer could be worked out for this pair.")
NO_WORDS = Justification("This answer could not be put into words.")
DIED = "the process that answered it died"


MOST_MET = 200_000
"""New words after which they are forgotten; each takes some 500 bytes, and many are numbers that never come again."""


class Answerer:
    """An engine with its model, ready to answer chunks in this process, in the same memory however many words it meets.

    Knowledge that is given is shared with whoever gave it: of its words none is forgotten.
    """

    def __init__(self, model: Model, justify: bool, knowledge: Knowledge | None = None) -> None:
        self._model, self._shared = model, knowledge is not None
        self._revive(knowledge)
        self.reads = "trees" in engines.parse(model.engine).facts["knows"]
        self.justify = justify
        self.warnings = (*model.warnings, *self.knowledge.warnings)

    def _revive(self, knowledge: Knowledge | None) -> None:
        self.engine, setup, self.learnt = revive(self._model, knowledge)
        self.knowledge, self.way = setup.knowledge, setup.way

    def answer(self, chunk: Chunk) -> Decisions:
        """Decisions on a chunk; where it fails as a whole, pair by pair, so that only what fails is lost."""
        if not self._shared and self.knowledge.words_met > MOST_MET:
            self._revive(self.knowledge.without_words())
        decisions = in_halves(chunk, self.way, self.justify, self._decide, (Exception,))
        return replace(decisions, warnings=self.warnings)

    def _decide(self, chunk: Chunk) -> Decisions:
        if self.reads:
            _check_length(chunk)
        batch = Batch(self.knowledge, *chunk)
        answers = self.engine.answer(batch, self.learnt)
        if not np.isfinite(answers.confidence).all():
            raise ValueError("the confidence is not a number")
        # The last digits of a sum depend on how many pairs are added up at once.
        codes, confidence = answers.codes.copy(), confidence_in_answer(answers).round(DIGITS)
        why, speechless = self._explain(chunk, batch, answers) if self.justify else (None, ())
        lost = sorted(answers.reasons)
        codes[lost], confidence[lost] = 1, 0.0
        if why is not None:
            for row in lost:
                why[row] = NO_ANSWER
        failures = tuple(Failure(row, batch.ids[row], answers.reasons[row]) for row in lost)
        return Decisions(self.way, codes, confidence, None if why is None else tuple(why), failures, speechless)

    def _explain(
        self, chunk: Chunk, batch: Batch, answers: BatchAnswers
    ) -> tuple[list[Justification], tuple[Failure, ...]]:
        """What the engine says itself, or what the batch shows; a pair that cannot be explained keeps its answer."""
        try:
            return self._say(batch, answers), ()
        except Exception as error:
            if len(batch) == 1:
                return [NO_WORDS], (Failure(0, batch.ids[0], _reason(error)),)
        said, speechless = [], []
        for row in range(len(batch)):
            alone = part_of(chunk, [row])
            given = None if answers.justifications is None else [answers.justifications[row]]
            one = BatchAnswers(answers.codes[[row]], answers.confidence[[row]], justifications=given)
            words, failed = self._explain(alone, Batch(self.knowledge, *alone), one)
            said += words
            speechless += [replace(failure, place=row) for failure in failed]
        return said, tuple(speechless)

    def _say(self, batch: Batch, answers: BatchAnswers) -> list[Justification]:
        if isinstance(self.engine, Explains):
            return list(self.engine.explain(batch, answers, self.learnt))
        return explain(batch, answers, self.way, getattr(self.engine, "grounds", None))


@dataclass
class Answering:
    """The work of answering chunks of pairs by a model, wherever that is done."""

    model: Model
    justify: bool = False
    knowledge: Knowledge | None = None
    _answerer: Answerer | None = None

    def ready(self) -> None:
        """Make the engine."""
        self._answerer = Answerer(self.model, self.justify, self.knowledge)

    def do(self, item: Chunk) -> Decisions:
        """Decisions on a chunk."""
        assert self._answerer is not None
        return self._answerer.answer(item)

    def done(self) -> None:
        """Keep what was learnt of words."""
        assert self._answerer is not None
        self._answerer.knowledge.remember()

    def lost(self, item: Chunk, again: Callable[[Chunk], Decisions]) -> Decisions:
        """In halves if need be, so that the pair that workers die of is found, and is a failed pair."""
        return in_halves(item, WAYS[self.model.way], self.justify, again, (Died,))


def in_halves(
    chunk: Chunk, way: Way, justify: bool, decide: Callable[[Chunk], Decisions], faults: tuple[type[BaseException], ...]
) -> Decisions:
    """Decide on a chunk; where that fails, on its halves, down to the pair that fails alone."""
    try:
        return decide(chunk)
    except UsageError:  # no fault of a pair: all would fail
        raise
    except faults as error:
        many = len(chunk[0])
        if many == 1:
            why = (NO_ANSWER,) if justify else None
            failure = Failure(0, chunk[0][0], _reason(error))
            return Decisions(way, np.array([1], dtype=np.int8), np.zeros(1), why, (failure,))
        halves = (part_of(chunk, range(many // 2)), part_of(chunk, range(many // 2, many)))
        return join([in_halves(half, way, justify, decide, faults) for half in halves], way)


def _reason(error: BaseException) -> str:
    return DIED if isinstance(error, Died) else f"{type(error).__name__}: {error}"


def _check_length(chunk: Chunk) -> None:
    for text, hypothesis in zip(chunk[1], chunk[2], strict=True):
        if work(text, hypothesis) > WORK:
            raise ValueError(
                f"a text of {len(text):,} and a hypothesis of {len(hypothesis):,} characters are too long to be held "
                "against each other"
            )
