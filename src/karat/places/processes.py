"""Several processes on this machine."""

from __future__ import annotations

import os
import signal
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
from typing import Any, Generic, TypeVar

from karat.errors import UsageError
from karat.places import AHEAD, LEAVING, AnyWork, Died, Work, ahead

GRACE = 2.0
"""Seconds that processes have to end what they started."""
LOOK = 0.2
"""Seconds between two looks whether work is done."""
T = TypeVar("T")
R = TypeVar("R")


class Processes(AbstractContextManager["Processes[T, R]"], Generic[T, R]):
    """Several processes that each hold the work, kept as long as the `with` lasts.

    A process that dies (killed, or out of memory) takes what the others are busy with along: they are started anew, and
    each item that was lost is done again by itself.
    """

    def __init__(self, work: Work[T, R], jobs: int | None = None) -> None:
        self.jobs = jobs or os.cpu_count() or 1
        self._work = work
        self._pool = self._start(self.jobs)

    def _start(self, jobs: int) -> ProcessPoolExecutor:
        _keep_tracker()
        # Spawned, not forked: a fork of a process with threads may hang.
        return ProcessPoolExecutor(jobs, get_context("spawn"), _start, (self._work,))

    def each(self, items: Iterable[T]) -> Iterator[R]:
        """What becomes of each item, in their order."""
        for item, future in ahead(items, AHEAD * self.jobs, self._submit):
            try:
                done = _result(future)
            except Died:
                done = self._work.lost(item, self._again)
            yield done

    def _submit(self, item: T) -> Future[R] | None:
        """The work begun in the pool; None if the pool is broken."""
        try:
            return self._pool.submit(_do, item)
        except BrokenProcessPool:
            return None

    def _again(self, item: T) -> R:
        """An item whose process died, in processes that have nothing else to do: it has two more attempts."""
        try:
            return _result(self._submit(item))
        except Died:
            self._pool.shutdown(cancel_futures=True)
            self._pool = self._start(self.jobs)
            return _result(self._submit(item))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:  # nobody wants what the processes are busy with
            _end(list((self._pool._processes or {}).values()))
        self._pool.shutdown(cancel_futures=True)


def _result(future: Future[R] | None) -> R:
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


_work: AnyWork | UsageError | None = None


def _start(work: AnyWork) -> None:
    """Make the work of a process ready; raised here, an error would only say that the pool is broken."""
    global _work
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _leave)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to all: who started this process ends it
    threading.Thread(target=_follow, daemon=True).start()
    try:
        work.ready()
        _work = work
        Finalize(None, work.done, exitpriority=0)  # what other ways of leaving would skip
    except UsageError as error:
        _work = error


def _follow() -> None:
    """Leave when the process that started this one is gone: killed, it tells nobody, and work would be waited for."""
    if (parent := parent_process()) is not None:
        connection.wait([parent.sentinel])
        _leave(signal.SIGTERM, None)


def _leave(number: int, _: object) -> None:
    for leave in LEAVING:
        leave()
    os._exit(128 + number)


def _do(item: Any) -> Any:
    if isinstance(_work, UsageError):
        raise _work
    assert _work is not None
    return _work.do(item)
