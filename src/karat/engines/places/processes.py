"""Several processes on this machine."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager
from multiprocessing import connection, get_context, parent_process, resource_tracker
from multiprocessing.process import BaseProcess
from multiprocessing.util import Finalize
from types import TracebackType

from karat.engines.answering import Answerer, Died, in_halves
from karat.engines.batch import Chunk
from karat.engines.engine import Decisions
from karat.engines.model import Model
from karat.engines.places import AHEAD, ahead
from karat.errors import UsageError
from karat.labels import WAYS

GRACE = 2.0
"""Seconds that processes have to end what they started."""
LOOK = 0.2
"""Seconds between two looks whether work is done."""


class Processes(AbstractContextManager["Processes"]):
    """Several processes that each hold the engine, kept as long as the `with` lasts.

    A process that dies (killed, or out of memory) takes the others' work with it: they are started anew, and each chunk
    that was lost is answered again by itself, in halves if need be, so that the pair it dies of is found.
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

    def answer(self, chunks: Iterable[Chunk]) -> Iterator[Decisions]:
        """Decisions on each chunk, in their order."""
        for chunk, future in ahead(chunks, AHEAD * self.jobs, self._submit):
            try:
                yield _result(future)
            except Died:
                yield in_halves(chunk, self.way, self._justify, self._again, (Died,))

    def _submit(self, chunk: Chunk) -> Future[Decisions] | None:
        """The work begun in the pool; None if the pool is broken."""
        try:
            return self._pool.submit(_answer, chunk)
        except BrokenProcessPool:
            return None

    def _again(self, chunk: Chunk) -> Decisions:
        """A chunk whose process died, in processes that have nothing else to do: it has two more attempts."""
        try:
            return _result(self._submit(chunk))
        except Died:
            self._pool.shutdown(cancel_futures=True)
            self._pool = self._start(self.jobs)
            return _result(self._submit(chunk))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:  # nobody wants what the processes are busy with
            _end(list((self._pool._processes or {}).values()))
        self._pool.shutdown(cancel_futures=True)


def _result(future: Future[Decisions] | None) -> Decisions:
    """What comes of work elsewhere; waited for in short pieces, since a signal that another thread got ends no wait."""
    if future is None:
        raise Died
    while not future.done():
        wait([future], timeout=LOOK)
    try:
        return future.result()
    except BrokenProcessPool:
        raise Died from None


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
    threading.Thread(target=_follow, daemon=True).start()
    try:
        _answerer = Answerer(model, justify)
        Finalize(None, _answerer.knowledge.remember, exitpriority=0)  # what other ways of leaving would skip
    except UsageError as error:
        _answerer = error


def _follow() -> None:
    """Leave when the process that started this one is gone: killed, it tells nobody, and work would be waited for."""
    if (parent := parent_process()) is not None:
        connection.wait([parent.sentinel])
        _leave(signal.SIGTERM, None)


def _leave(number: int, _: object) -> None:
    if program := sys.modules.get("karat.engines.outside.program"):
        program.kill_all()
    os._exit(128 + number)


def _answer(chunk: Chunk) -> Decisions:
    if isinstance(_answerer, UsageError):
        raise _answerer
    assert _answerer is not None
    return _answerer.answer(chunk)
