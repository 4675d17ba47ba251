"""Progress: long work tells how far it is, and whoever wants may look on. Nobody does unless asked.

A loop says so by one word around what it goes through: `for size in track(sizes, "drawing sets"):`. What is under way
stands on a board that a display reads now and then; nothing is called back, nothing is printed here, and where there
is no board, `track` gives its items back as they are. Other processes and threads have no board: only who started
the work tells of it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(eq=False, slots=True)
class Task:
    """Something under way: what it is, how much of it is done, and how much there is, where that is known."""

    what: str
    total: int | None = None
    done: int = 0


class Board:
    """What is under way, the outermost first."""

    def __init__(self) -> None:
        self._tasks: list[Task] = []

    @property
    def tasks(self) -> tuple[Task, ...]:
        """As it is now; a display may ask from a thread of its own."""
        return tuple(self._tasks)

    def begin(self, task: Task) -> None:
        """Put a task inside all that are under way."""
        self._tasks.append(task)

    def end(self, task: Task) -> None:
        """Take a task off, and all inside it: an error may have left them there."""
        if task in self._tasks:
            del self._tasks[self._tasks.index(task) :]


_board: ContextVar[Board | None] = ContextVar("board", default=None)


@contextmanager
def watched(board: Board | None = None) -> Iterator[Board]:
    """A board on which everything that is done within stands."""
    board = board or Board()
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
    """The items, one done when the next is asked for.

    `what` names the work, or the item that is at hand. `total` is how much there is to do, the number of items where
    they can be counted; `weigh` how much of it an item is, one unless given.
    """
    board = _board.get()
    if board is None:
        return items
    if total is None and weigh is None and isinstance(items, Sized):
        total = len(items)
    return _tracked(board, items, what, total, weigh)


def _tracked(
    board: Board,
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


@contextmanager
def step(what: str) -> Iterator[None]:
    """Work of which nobody knows how long it takes; what is tracked within tells more."""
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


@contextmanager
def shown(quiet: bool = False) -> Iterator[None]:
    """Show what is under way on the terminal, where standard error is one, and leave no trace when it is done.

    Within another `shown` nothing changes: there is one display.
    """
    if quiet or _board.get() is not None or not _terminal():
        yield
        return
    from karat.progress.display import Display  # here: rich takes long to load

    with watched() as board, Display(board):
        yield


def _terminal() -> bool:
    """Whether standard error is a terminal that can take back what it shows."""
    return bool(sys.stderr and sys.stderr.isatty()) and os.environ.get("TERM", "").lower() not in ("dumb", "unknown")
