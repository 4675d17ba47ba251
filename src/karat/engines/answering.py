"""From a model and pairs to decisions: here, or in several processes, a chunk at a time.

A pair on which an engine fails is answered UNKNOWN at confidence 0 and listed, so a run is never partial and never
silently whole.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager
from multiprocessing import get_context
from types import TracebackType
from typing import Literal, get_args

import msgspec
import numpy as np

from karat.data.pairs import Pairs
from karat.engines.batch import BATCH, Batch, Chunk, chunks_of, part_of
from karat.engines.decisions import Answers, Decisions, Failure, Justification, confidence_in_answer, join
from karat.engines.engine import Explains
from karat.engines.explaining import explain
from karat.engines.knowledge import Knowledge
from karat.engines.model import Model, revive
from karat.errors import UsageError
from karat.labels import WAYS

Progress = Callable[[int], None]

Place = Literal["here", "processes", "ray"]
PLACES: tuple[Place, ...] = get_args(Place)
FEW = 4 * BATCH
"""Up to so many pairs, starting other processes takes longer than answering."""
NO_ANSWER = Justification("No answer could be worked out for this pair.")


class Answerer:
    """An engine with its model, ready to answer chunks in this process."""

    def __init__(self, model: Model, justify: bool, knowledge: Knowledge | None = None) -> None:
        self.engine, setup = revive(model, knowledge)
        self.knowledge = setup.knowledge
        self.way = setup.way
        self.learnt = msgspec.convert(model.state, self.engine.learns)
        self.justify = justify

    def answer(self, chunk: Chunk) -> Decisions:
        """Decisions on a chunk; where it fails as a whole, pair by pair, so that only what fails is lost."""
        try:
            return self._decide(chunk)
        except UsageError:  # no fault of a pair: all would fail
            raise
        except Exception as error:
            many = len(chunk[0])
            if many == 1:
                return self._failed(chunk[0][0], error)
            halves = (part_of(chunk, range(many // 2)), part_of(chunk, range(many // 2, many)))
            return join([self.answer(half) for half in halves], self.way)

    def _decide(self, chunk: Chunk) -> Decisions:
        batch = Batch(self.knowledge, *chunk)
        answers = self.engine.answer(batch, self.learnt)
        if not np.isfinite(answers.confidence).all():
            raise ValueError("the confidence is not a number")
        codes, confidence = answers.codes.copy(), confidence_in_answer(answers)
        why = self._explain(batch, answers) if self.justify else None
        lost = sorted(answers.reasons)
        codes[lost], confidence[lost] = 1, 0.0
        if why is not None:
            for row in lost:
                why[row] = NO_ANSWER
        failures = tuple(Failure(row, batch.ids[row], answers.reasons[row]) for row in lost)
        return Decisions(self.way, codes, confidence, None if why is None else tuple(why), failures)

    def _explain(self, batch: Batch, answers: Answers) -> list[Justification]:
        """What the engine says itself, or what the batch shows."""
        if isinstance(self.engine, Explains):
            return list(self.engine.explain(batch, answers, self.learnt))
        return explain(batch, answers, self.way)

    def _failed(self, name: str, error: Exception) -> Decisions:
        why = (NO_ANSWER,) if self.justify else None
        reason = f"{type(error).__name__}: {error}"
        return Decisions(self.way, np.array([1], dtype=np.int8), np.zeros(1), why, (Failure(0, name, reason),))


class Processes(AbstractContextManager["Processes"]):
    """Several processes that each hold the engine, kept as long as the `with` lasts."""

    def __init__(self, model: Model, justify: bool = False, jobs: int | None = None) -> None:
        self.way = WAYS[model.way]
        self.jobs = jobs or os.cpu_count() or 1
        # Spawned, not forked: a fork of a process with threads may hang.
        self._pool = ProcessPoolExecutor(self.jobs, get_context("spawn"), _start, (model, justify))

    def answer(self, pairs: Pairs, progress: Progress | None = None) -> Decisions:
        """Decisions on all pairs, in their order."""
        size = min(BATCH, -(-len(pairs) // (2 * self.jobs)) or 1)  # so that every process has something to do
        return gather(self._pool.map(_answer, chunks_of(pairs, size)), self.way.name, progress)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown(cancel_futures=True)


_answerer: Answerer | UsageError | None = None


def _start(model: Model, justify: bool) -> None:
    """Make the engine of a worker process; raised here, an error would only say that the pool is broken."""
    global _answerer
    try:
        _answerer = Answerer(model, justify)
    except UsageError as error:
        _answerer = error


def _answer(chunk: Chunk) -> Decisions:
    if isinstance(_answerer, UsageError):
        raise _answerer
    assert _answerer is not None
    return _answerer.answer(chunk)


def gather(parts: Iterable[Decisions], way: str, progress: Progress | None) -> Decisions:
    """Decisions on chunks, as they come in, as one."""
    done = []
    for part in parts:
        done.append(part)
        if progress:
            progress(len(part))
    return join(done, WAYS[way])


def predict(
    model: Model,
    pairs: Pairs,
    *,
    justify: bool = False,
    on: Place = "processes",
    jobs: int | None = None,
    progress: Progress | None = None,
    knowledge: Knowledge | None = None,
) -> Decisions:
    """Answer all pairs on all cores (or `jobs` of them); here, where they are few or knowledge is at hand already."""
    if on == "ray":
        from karat.engines.ray_place import Ray  # here: an extra, and slow to load

        with Ray(model, justify, jobs) as ray:
            return ray.answer(pairs, progress)
    cores = jobs or os.cpu_count() or 1
    few = jobs is None and len(pairs) <= FEW
    if on == "here" or cores == 1 or few or knowledge is not None:
        answerer = Answerer(model, justify, knowledge)
        return gather(map(answerer.answer, chunks_of(pairs)), model.way, progress)
    with Processes(model, justify, cores) as processes:
        return processes.answer(pairs, progress)
