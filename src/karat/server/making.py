"""What takes long is made beside the requests: once, one piece after the other; whoever asks waits a moment for it."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, Generic, TypeVar
from weakref import WeakSet

MOST_WAITING = 2
"""The requests that may wait at a time: each holds a thread of the server, and those who submit need one too."""
V = TypeVar("V")
_until: ContextVar[float | None] = ContextVar("until", default=None)
_late: WeakSet[Future[Any]] = WeakSet()
_seats = threading.BoundedSemaphore(MOST_WAITING)


class NotYet(Exception):  # noqa: N818 (nothing is wrong)
    """It is still being made: ask again in a moment."""


@contextmanager
def patient(seconds: float) -> Iterator[None]:
    """Within this, whoever waits gives up after so many seconds in all, with `NotYet`."""
    token = _until.set(time.monotonic() + seconds)
    try:
        yield
    finally:
        _until.reset(token)


def awaited(future: Future[V]) -> V:
    """What is being made, as soon as it is ready; where patience is limited, `NotYet` if that takes too long.

    What somebody has waited for in vain takes long: nobody waits for it again until it is made.
    """
    until = _until.get()
    if until is not None and not future.done():
        if future in _late or not _seats.acquire(blocking=False):
            raise NotYet
        try:
            wait([future], max(0.0, until - time.monotonic()))
        finally:
            _seats.release()
        if not future.done():
            _late.add(future)
            raise NotYet
    return future.result()


class Line:
    """Pieces of work that are done beside the requests, one after the other, in the order in which they came."""

    def __init__(self) -> None:
        self._pieces: deque[Callable[[], None]] = deque()
        self._lock = threading.Lock()
        self._worker: threading.Thread | None = None

    @property
    def is_here(self) -> bool:
        """Whether it is this thread that does the work."""
        return threading.current_thread() is self._worker

    def add(self, piece: Callable[[], None]) -> None:
        """Do a piece of work after all that have come before."""
        with self._lock:
            self._pieces.append(piece)
            if self._worker is None:
                # A daemon: a server that is asked to stop does not finish what nobody will read.
                worker = threading.Thread(target=self._work, daemon=True)
                worker.start()
                self._worker = worker

    def _work(self) -> None:
        from django.db import connection

        while (piece := self._next()) is not None:
            try:
                piece()
            finally:
                connection.close()

    def _next(self) -> Callable[[], None] | None:
        with self._lock:
            if self._pieces:
                return self._pieces.popleft()
            self._worker = None
            return None


class Kept(Generic[V]):
    """Answers that are made once and kept up to a size in all; what is not finished is never given up."""

    def __init__(self, line: Line, most: int, size: Callable[[V], int] = lambda _: 1) -> None:
        self._line, self._most, self._size = line, most, size
        self._made: OrderedDict[Hashable, Future[V]] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, asked: Hashable, make: Callable[[], V]) -> Future[V]:
        """The answer to a question, which is made if there is none yet."""
        with self._lock:
            found = self._made.get(asked)
            if found is not None and found.done() and found.exception() is not None:
                del self._made[asked]  # whoever asks again is told of it, and the next one tries anew
                return found
            mine = self._made.setdefault(asked, Future())
            self._made.move_to_end(asked)

        def piece() -> None:
            if not mine.done():
                self._finish(asked, mine, make)

        if self._line.is_here:  # what is made of other answers would wait for itself
            piece()
        elif found is None:
            self._line.add(piece)
        return mine

    def _finish(self, asked: Hashable, mine: Future[V], make: Callable[[], V]) -> None:
        try:
            mine.set_result(make())
        except BaseException as error:
            mine.set_exception(error)
        with self._lock:
            if asked in self._made:
                self._made.move_to_end(asked)
            finished = {one: self._weight(future) for one, future in self._made.items() if future.done()}
            excess = sum(finished.values()) - self._most
            for one in list(finished)[:-1]:  # what has just been made is kept, however large
                if excess <= 0:
                    break
                del self._made[one]
                excess -= finished[one]

    def _weight(self, future: Future[V]) -> int:
        return 1 if future.exception() is not None else self._size(future.result())


@dataclass(frozen=True)
class Made(Generic[V]):
    """An answer, with when it was asked for, and whether nothing has changed since."""

    answer: V
    at: datetime
    version: Hashable
    current: bool = True


class Latest(Generic[V]):
    """Answers about what goes on changing: of each subject one is made at a time, and the last finished one is kept."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._last: dict[Hashable, Made[V]] = {}
        self._coming: dict[Hashable, Future[Made[V]]] = {}
        self._lock = threading.Lock()

    def of(self, subject: Hashable, version: Hashable, make: Callable[[], V], at: datetime) -> Made[V]:
        """The answer as things stand if it is soon ready, otherwise the last finished one; `NotYet` if there is none.

        While an earlier version is being made, this one is not begun: whoever asks after that begins what is new then.
        """
        with self._lock:
            last = self._last.get(subject)
            if last is not None and last.version == version:
                return last
            coming = self._coming.get(subject)
            if coming is None:
                coming = self._coming[subject] = Future()
                self._line.add(partial(self._finish, subject, coming, make, at, version))
        try:
            found = awaited(coming)
        except NotYet:
            if last is None:
                raise
            found = last
        return replace(found, current=found.version == version)

    def _finish(
        self, subject: Hashable, coming: Future[Made[V]], make: Callable[[], V], at: datetime, version: Hashable
    ) -> None:
        try:
            made = Made(make(), at, version)
        except BaseException as error:
            with self._lock:
                del self._coming[subject]
            coming.set_exception(error)
            return
        with self._lock:
            self._last[subject] = made
            del self._coming[subject]
        coming.set_result(made)
