"""From a model and pairs to decisions: here, in several processes, or on many machines by ray, a chunk at a time.

A pair on which an engine fails is answered UNKNOWN at confidence 0 and listed, so a run is never partial and never
silently whole. ray starts in seconds, so it pays for engines that are slow (networks, outside programs).
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager
from dataclasses import replace
from multiprocessing import get_context, resource_tracker
from multiprocessing.process import BaseProcess
from multiprocessing.util import Finalize
from types import TracebackType
from typing import Any, Literal, get_args

import numpy as np

from karat.data.pairs import Pairs
from karat.engines.batch import BATCH, WORK, Batch, Chunk, chunks_of, part_of, work
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
from karat.progress import track

Executor = Literal["here", "processes", "ray"]
EXECUTORS: tuple[Executor, ...] = get_args(Executor)
ONE_PROCESS_UP_TO = 4 * BATCH
"""Up to so many pairs, starting other processes takes longer than answering."""
GRACE = 2.0
"""Seconds that processes have to end what they started."""
LOOK = 0.2
"""Seconds between two looks whether work is done."""
DIGITS = 12
NO_ANSWER = Justification("No answer could be worked out for this pair.")
NO_WORDS = Justification("This answer could not be put into words.")
DIED = "the process that answered it died"


class Answerer:
    """An engine with its model, ready to answer chunks in this process."""

    def __init__(self, model: Model, justify: bool, knowledge: Knowledge | None = None) -> None:
        self.engine, setup, self.learnt = revive(model, knowledge)
        self.knowledge, self.way = setup.knowledge, setup.way
        self.reads = "trees" in engines.parse(model.engine).facts["knows"]
        self.justify = justify
        self.warnings = (*model.warnings, *self.knowledge.warnings)

    def answer(self, chunk: Chunk) -> Decisions:
        """Decisions on a chunk; where it fails as a whole, pair by pair, so that only what fails is lost."""
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
    return DIED if isinstance(error, BrokenProcessPool) else f"{type(error).__name__}: {error}"


def _check_length(chunk: Chunk) -> None:
    for text, hypothesis in zip(chunk[1], chunk[2], strict=True):
        if work(text, hypothesis) > WORK:
            raise ValueError(
                f"a text of {len(text):,} and a hypothesis of {len(hypothesis):,} characters are too long to be held "
                "against each other"
            )


class Processes(AbstractContextManager["Processes"]):
    """Several processes that each hold the engine, kept as long as the `with` lasts.

    A process that dies (killed, or out of memory) takes the others' work with it: they are started anew, and the
    chunks that were lost are answered one at a time, in halves, so that the pair it dies of is found.
    """

    def __init__(self, model: Model, justify: bool = False, jobs: int | None = None) -> None:
        self.way = WAYS[model.way]
        self.jobs = jobs or os.cpu_count() or 1
        self._model, self._justify = model, justify
        self._pool = self._start(self.jobs)

    def _start(self, jobs: int) -> ProcessPoolExecutor:
        _keep_tracker()
        # Spawned, not forked: a fork of a process with threads may hang.
        return ProcessPoolExecutor(jobs, get_context("spawn"), _start, (self._model, self._justify))

    def answer(self, pairs: Pairs) -> Decisions:
        """Decisions on all pairs, in their order."""
        size = min(BATCH, -(-len(pairs) // (2 * self.jobs)) or 1)  # so that every process has something to do
        return gather(self._answers(list(chunks_of(pairs, size))), self.way.name, len(pairs))

    def _answers(self, chunks: Sequence[Chunk]) -> Iterator[Decisions]:
        asked = [self._pool.submit(_answer, chunk) for chunk in chunks]
        for place, future in enumerate(asked):
            try:
                yield _result(future)
            except BrokenProcessPool:
                yield from self._carefully(chunks[place:])
                return

    def _carefully(self, chunks: Sequence[Chunk]) -> Iterator[Decisions]:
        """One chunk at a time, each in a process that is started anew after every death."""
        for chunk in chunks:
            yield in_halves(chunk, self.way, self._justify, self._alone, (BrokenProcessPool,))

    def _alone(self, chunk: Chunk) -> Decisions:
        try:
            return _result(self._pool.submit(_answer, chunk))
        except BrokenProcessPool:
            self._pool.shutdown(cancel_futures=True)
            self._pool = self._start(1)
            return _result(self._pool.submit(_answer, chunk))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:  # nobody wants what the processes are busy with
            _end(list((self._pool._processes or {}).values()))
        self._pool.shutdown(cancel_futures=True)


def _result(future: Future[Decisions]) -> Decisions:
    """What comes of work elsewhere; waited for in short pieces, since a signal that another thread got ends no wait."""
    while not future.done():
        wait([future], timeout=LOOK)
    return future.result()


def _keep_tracker() -> None:
    """Start the process in which multiprocessing keeps account so that it outlives a terminal that is closed.

    It is made to outlive Ctrl-C; where it dies first, it is told of in many lines.
    """
    if not hasattr(signal, "SIGHUP") or threading.current_thread() is not threading.main_thread():
        return
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        resource_tracker.ensure_running()
    finally:
        signal.signal(signal.SIGHUP, before)


def _end(processes: Sequence[BaseProcess]) -> None:
    """End processes: each ends the programs that it started, and is killed where it takes too long."""
    for process in processes:
        process.terminate()
    last = time.monotonic() + GRACE
    for process in processes:
        process.join(max(last - time.monotonic(), 0))
        process.kill()


_answerer: Answerer | UsageError | None = None


def _start(model: Model, justify: bool) -> None:
    """Make the engine of a worker process; raised here, an error would only say that the pool is broken."""
    global _answerer
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _leave)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to all: who started this process ends it
    try:
        _answerer = Answerer(model, justify)
        Finalize(None, _answerer.knowledge.remember, exitpriority=0)  # what other ways of leaving would skip
    except UsageError as error:
        _answerer = error


def _leave(number: int, _: object) -> None:
    if program := sys.modules.get("karat.engines.outside.program"):
        program.kill_all()
    os._exit(128 + number)


def _answer(chunk: Chunk) -> Decisions:
    if isinstance(_answerer, UsageError):
        raise _answerer
    assert _answerer is not None
    return _answerer.answer(chunk)


def gather(parts: Iterable[Decisions], way: str, pairs: int) -> Decisions:
    """Decisions on chunks, as they come in, as one on so many pairs."""
    return join(list(track(parts, "answering", pairs, len)), WAYS[way])


def predict(
    model: Model,
    pairs: Pairs,
    *,
    justify: bool = False,
    on: Executor = "here",
    jobs: int | None = None,
    knowledge: Knowledge | None = None,
) -> Decisions:
    """Answer all pairs, here or in processes on all cores (or `jobs` of them), which few pairs are not worth.

    Processes import the script that starts them: there, what it does stands under `if __name__ == "__main__":`.
    """
    if on == "ray":
        with Ray(model, justify, jobs) as ray:
            return ray.answer(pairs)
    cores = jobs or os.cpu_count() or 1
    few = jobs is None and len(pairs) <= ONE_PROCESS_UP_TO
    if on == "here" or cores == 1 or few or knowledge is not None:
        answerer = Answerer(model, justify, knowledge)
        decisions = gather(map(answerer.answer, chunks_of(pairs)), model.way, len(pairs))
        answerer.knowledge.remember()
        return decisions
    with Processes(model, justify, cores) as processes:
        return processes.answer(pairs)


class Ray(AbstractContextManager["Ray"]):
    """Actors on the cluster that is connected to, or on this machine, kept as long as the `with` lasts."""

    def __init__(self, model: Model, justify: bool = False, jobs: int | None = None) -> None:
        try:
            import ray
        except ImportError:
            raise UsageError("many machines need the package ray: pip install 'karat[cluster]'") from None
        self.way = WAYS[model.way]
        self._ray: Any = ray
        # Who has connected already keeps the connection, and its logging.
        self._started = not ray.is_initialized()
        if self._started:
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is told to anybody unasked
            ray.init(log_to_driver=False, include_dashboard=False)
        cores = max(1, int(ray.cluster_resources().get("CPU", 1)))
        # An actor without a core would never start, and its chunks would wait for ever.
        self.jobs = min(jobs or cores, cores)
        actor = ray.remote(num_cpus=1)(_Worker)
        self._actors = [actor.remote(model, justify) for _ in range(self.jobs)]

    def answer(self, pairs: Pairs) -> Decisions:
        """Decisions on all pairs, in their order."""
        from ray.util import ActorPool

        parts = ActorPool(self._actors).map(lambda actor, chunk: actor.answer.remote(chunk), chunks_of(pairs))
        return gather(map(_unwrap, parts), self.way.name, len(pairs))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for actor in self._actors:
            self._ray.kill(actor)
        if self._started:
            self._ray.shutdown()


class _Worker:
    """An engine in an actor; it returns errors of usage, which ray would wrap in a trace of its own."""

    def __init__(self, model: Model, justify: bool) -> None:
        self._model, self._justify = model, justify
        self._answerer: Answerer | None = None

    def answer(self, chunk: Chunk) -> Decisions | UsageError:
        """Decisions on a chunk."""
        try:
            self._answerer = self._answerer or Answerer(self._model, self._justify)
            return self._answerer.answer(chunk)
        except UsageError as error:
            return error


def _unwrap(answered: Decisions | UsageError) -> Decisions:
    if isinstance(answered, UsageError):
        raise answered
    return answered
