"""Progress of long work, for whoever wants to watch it; by default nobody does.

A loop reports its progress by wrapping its items: `for size in track(sizes, "drawing sets"):`. Tasks in progress are
listed on a board that a display reads now and then; there are no callbacks, nothing is printed here, and without a
board `track` returns the items unchanged. Other processes and threads have no board: only the one that started the
work reports it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(eq=False, slots=True)
class Task:
    """A task in progress: its name, how much of it is done, and how much there is, if that is known."""

    what: str
    total: int | None = None
    done: int = 0


class ProgressBoard:
    """The tasks in progress, outermost first."""

    def __init__(self) -> None:
        self._tasks: list[Task] = []

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The tasks now; a display may ask from another thread."""
        return tuple(self._tasks)

    def begin(self, task: Task) -> None:
        """Add a task inside all others."""
        self._tasks.append(task)

    def end(self, task: Task) -> None:
        """Remove a task and all inside it, which an error may have left there."""
        if task in self._tasks:
            del self._tasks[self._tasks.index(task) :]


_listener: ContextVar[Callable[[str], None] | None] = ContextVar("listener", default=None)


@contextmanager
def heard(listener: Callable[[str], None] | None) -> Iterator[None]:
    """Within this context, `listener` gets what is announced; nobody does, if there is none."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def announce(sentence: str) -> None:
    """Say something before long work begins; without a listener, to nobody."""
    listener = _listener.get()
    if listener is not None:
        listener(sentence)


_board: ContextVar[ProgressBoard | None] = ContextVar("board", default=None)


@contextmanager
def watched(board: ProgressBoard | None = None) -> Iterator[ProgressBoard]:
    """A board that lists everything done within this context."""
    board = board or ProgressBoard()
    token = _board.set(board)
    try:
        yield board
    finally:
        _board.reset(token)


def track(
    items: Iterable[T],
    what: str | Callable[[T], str],
    total: int | None = None,
    weigh: Callable[[T], int] | None = None,
) -> Iterable[T]:
    """The items; each counts as done when the next is requested.

    `what` names the work, or the current item. `total` is the amount of work, by default the number of items if they
    can be counted; `weigh` is how much of it an item is, by default one.
    """
    board = _board.get()
    if board is None:
        return items
    if total is None and weigh is None and isinstance(items, Sized):
        total = len(items)
    return _tracked(board, items, what, total, weigh)


def _tracked(
    board: ProgressBoard,
    items: Iterable[T],
    what: str | Callable[[T], str],
    total: int | None,
    weigh: Callable[[T], int] | None,
) -> Iterator[T]:
    task = Task(what if isinstance(what, str) else "", total)
    board.begin(task)
    try:
        for item in items:
            if not isinstance(what, str):
                task.what = what(item)
            yield item
            task.done += 1 if weigh is None else weigh(item)
    finally:
        board.end(task)


def is_watched() -> bool:
    """Whether there is a board already."""
    return _board.get() is not None


@contextmanager
def step(what: str) -> Iterator[None]:
    """Work of unknown length; what is tracked inside it shows more."""
    board = _board.get()
    if board is None:
        yield
        return
    task = Task(what)
    board.begin(task)
    try:
        yield
    finally:
        board.end(task)
