"""Where an engine runs: in this process, in several, or on the machines of a ray cluster.

A place takes chunks of pairs as somebody reads them and gives the decisions back in their order, so that whoever asks
needs no more memory for a million pairs than for a thousand. It is all that a further kind of cluster has to offer.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol, TypeVar

from karat.data.pairs import Pairs
from karat.engines.answering import Answerer
from karat.engines.batch import BATCH, Chunk, chunks_of
from karat.engines.engine import Decisions, join
from karat.engines.knowledge import Knowledge
from karat.engines.model import Model
from karat.errors import UsageError
from karat.labels import WAYS
from karat.progress import track

PLACES = ("here", "processes", "ray")
"""What `--on` names; ray may be followed by the address of a cluster."""
RAY = "ray://"
ONE_PROCESS_UP_TO = 4 * BATCH
"""Up to so many pairs, starting other processes takes longer than answering."""
AHEAD = 2
"""Chunks on their way for each worker: one that it answers, and one that waits for it."""
W = TypeVar("W")


class Whereabouts(Protocol):
    """Somewhere an engine with its model is held ready, as long as the `with` around it lasts."""

    def answer(self, chunks: Iterable[Chunk]) -> Iterator[Decisions]:
        """Decisions on each chunk, in their order; only a few chunks more are taken than are answered.

        A worker that dies is replaced and its chunks are answered again; a pair that workers die of is a failed pair.
        """
        ...


class Here:
    """This process."""

    def __init__(self, model: Model, justify: bool = False, knowledge: Knowledge | None = None) -> None:
        self._answerer = Answerer(model, justify, knowledge)

    def answer(self, chunks: Iterable[Chunk]) -> Iterator[Decisions]:
        """Decisions on each chunk."""
        yield from map(self._answerer.answer, chunks)
        self._answerer.knowledge.remember()


def open_place(
    on: str,
    model: Model,
    *,
    justify: bool = False,
    jobs: int | None = None,
    gpus_per_worker: float = 0,
    pairs: int | None = None,
    knowledge: Knowledge | None = None,
) -> AbstractContextManager[Whereabouts]:
    """The place that `--on` names. Few `pairs` are not worth other processes, unless `jobs` asks for them.

    Processes import the script that starts them: there, what it does stands under `if __name__ == "__main__":`.
    """
    check_place(on)
    if gpus_per_worker and not _is_ray(on):
        raise UsageError("--gpus-per-worker shares out the GPUs of a cluster: use it with --on ray")
    if _is_ray(on):
        from karat.engines.places.ray_cluster import Ray  # here: only who asks for ray needs it

        return Ray(model, justify, jobs, gpus_per_worker, on if on.startswith(RAY) else None)
    cores = jobs or os.cpu_count() or 1
    few = jobs is None and pairs is not None and pairs <= ONE_PROCESS_UP_TO
    if on == "here" or cores == 1 or few or knowledge is not None:
        return nullcontext(Here(model, justify, knowledge))
    from karat.engines.places.processes import Processes  # here: most calls are answered here

    return Processes(model, justify, cores)


def check_place(on: str) -> None:
    """Refuse what names no place."""
    if on not in PLACES and not (on.startswith(RAY) and on != RAY):
        raise UsageError(f"--on is {on!r}; expected one of {', '.join(PLACES)}, or {RAY}HOST:PORT")


def _is_ray(on: str) -> bool:
    return on == "ray" or on.startswith(RAY)


def chunk_size(on: str, jobs: int | None, pairs: int | None) -> int:
    """Pairs in a chunk; of few pairs, so many that every worker has something to do."""
    if pairs is None or on == "here":
        return BATCH
    workers = jobs or os.cpu_count() or 1
    return min(BATCH, -(-pairs // (AHEAD * workers)) or 1)


def ahead(chunks: Iterable[Chunk], most: int, begin: Callable[[Chunk], W]) -> Iterator[tuple[Chunk, W]]:
    """Each chunk with the work begun on it, in order; at most so many are begun and not yet asked for."""
    begun: deque[tuple[Chunk, W]] = deque()
    for chunk in chunks:
        begun.append((chunk, begin(chunk)))
        if len(begun) == most:
            yield begun.popleft()
    while begun:
        yield begun.popleft()


def predict(
    model: Model,
    pairs: Pairs,
    *,
    justify: bool = False,
    on: str = "here",
    jobs: int | None = None,
    knowledge: Knowledge | None = None,
) -> Decisions:
    """Decisions on all pairs."""
    size = chunk_size(on, jobs, len(pairs))
    with open_place(on, model, justify=justify, jobs=jobs, pairs=len(pairs), knowledge=knowledge) as place:
        parts = place.answer(chunks_of(pairs, size))
        return join(list(track(parts, "answering", len(pairs), len)), WAYS[model.way])
