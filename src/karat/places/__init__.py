"""Where work is done: in this process, in several, or on the machines of a ray cluster.

A place takes items as somebody reads them and gives back what becomes of each, in their order, so that whoever asks
needs no more memory for a million items than for a thousand. It knows neither engines nor studies, and a further kind
of cluster has to offer nothing else.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from karat.errors import UsageError

PLACES = ("here", "processes", "ray")
"""What `--on` names; ray may be followed by the address of a cluster."""
RAY = "ray://"
AHEAD = 2
"""Items on their way for each worker: one that it works on, and one that waits for it."""
LEAVING: list[Callable[[], None]] = []
"""What a worker that is ended from outside does first: whoever starts programs adds how they are ended."""
T = TypeVar("T")
R = TypeVar("R")
S = TypeVar("S")
Item = TypeVar("Item", contravariant=True)
Done = TypeVar("Done", covariant=True)


class Died(Exception):  # noqa: N818 - a process did, and no program is wrong
    """The worker that had an item died over it."""


class Work(Protocol[T, R]):
    """What is done to items. Every worker gets a copy of it, before it is made ready."""

    def ready(self) -> None:
        """Make what it needs; called once in each worker."""
        ...

    def do(self, item: T) -> R:
        """What becomes of an item; that of one never depends on the others, so it may be done twice, or elsewhere."""
        ...

    def done(self) -> None:
        """There is nothing more to do; called in workers that leave in order."""
        ...

    def lost(self, item: T, again: Callable[[T], R]) -> R:
        """What becomes of an item over which workers died; `again` tries it, or a part of it, and may raise `Died`."""
        ...


@dataclass(frozen=True)
class Counting(Generic[T, R]):
    """A function of one item that needs nothing else, such as the sums over a part of the data."""

    function: Callable[[T], R]

    def ready(self) -> None:
        """Nothing is needed."""

    def do(self, item: T) -> R:
        """What the function gives."""
        return self.function(item)

    def done(self) -> None:
        """Nothing is left."""

    def lost(self, item: T, again: Callable[[T], R]) -> R:
        """Without a part of the data there is no result."""
        try:
            return again(item)
        except Died:
            raise UsageError(
                "workers died over a part of the data, which takes too much memory there, or were ended; "
                "use fewer of them, or --on here"
            ) from None


class Whereabouts(Protocol[Item, Done]):
    """Somewhere workers are held ready, as long as the `with` around it lasts."""

    def each(self, items: Iterable[Item]) -> Iterator[Done]:
        """What becomes of each item, in their order; only a few items more are taken than are done.

        A worker that dies is replaced, and its items are done again.
        """
        ...


class Here(Generic[T, R]):
    """This process."""

    def __init__(self, work: Work[T, R]) -> None:
        work.ready()
        self._work = work

    def each(self, items: Iterable[T]) -> Iterator[R]:
        """What becomes of each item."""
        yield from map(self._work.do, items)
        self._work.done()


def open_place(
    on: str, work: Work[T, R], jobs: int | None = None, gpus_per_worker: float = 0
) -> AbstractContextManager[Whereabouts[T, R]]:
    """The place that `--on` names, with work for it; `jobs` is the number of workers, by default that of all cores.

    Processes import the script that starts them: there, what it does stands under `if __name__ == "__main__":`.
    """
    check_place(on)
    if gpus_per_worker and not _is_ray(on):
        raise UsageError("--gpus-per-worker shares out the GPUs of a cluster: use it with --on ray")
    if _is_ray(on):
        from karat.places.ray_cluster import Ray  # here: only who asks for ray needs it

        return Ray(work, jobs, gpus_per_worker, on if on.startswith(RAY) else None)
    cores = jobs or os.cpu_count() or 1
    if on == "here" or cores == 1:
        return nullcontext(Here(work))
    from karat.places.processes import Processes  # here: most work is done in this process

    return Processes(work, cores)


def check_place(on: str) -> None:
    """Refuse what names no place."""
    if on not in PLACES and not (on.startswith(RAY) and on != RAY):
        raise UsageError(f"--on is {on!r}; expected one of {', '.join(PLACES)}, or {RAY}HOST:PORT")


def _is_ray(on: str) -> bool:
    return on == "ray" or on.startswith(RAY)


def counted_on(on: str, items: Iterable[T], function: Callable[[T], R]) -> Iterator[R]:
    """What a function gives for each item, in order, wherever `on` says."""
    with open_place(on, Counting(function)) as place:
        yield from place.each(items)


def ahead(items: Iterable[T], most: int, begin: Callable[[T], S]) -> Iterator[tuple[T, S]]:
    """Each item with the work begun on it, in order; at most so many are begun and not yet asked for."""
    begun: deque[tuple[T, S]] = deque()
    for item in items:
        begun.append((item, begin(item)))
        if len(begun) == most:
            yield begun.popleft()
    while begun:
        yield begun.popleft()


AnyWork = Work[Any, Any]
