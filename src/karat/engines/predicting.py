"""An engine with its model, held ready wherever it is to run."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager

from karat.data.pairs import Pairs
from karat.engines.answering import Answering
from karat.engines.batch import BATCH, Chunk, chunks_of
from karat.engines.engine import Decisions, join
from karat.engines.knowledge import Knowledge
from karat.engines.model import Model
from karat.labels import WAYS
from karat.places import AHEAD, Whereabouts, open_place
from karat.progress import track

ONE_PROCESS_UP_TO = 4 * BATCH
"""Up to so many pairs, starting other processes takes longer than answering."""


def open_engine(
    on: str,
    model: Model,
    *,
    justify: bool = False,
    jobs: int | None = None,
    gpus_per_worker: float = 0,
    pairs: int | None = None,
    knowledge: Knowledge | None = None,
) -> AbstractContextManager[Whereabouts[Chunk, Decisions]]:
    """A place that answers. Few `pairs` are not worth other processes, unless `jobs` asks for them."""
    few = jobs is None and pairs is not None and pairs <= ONE_PROCESS_UP_TO
    if on == "processes" and (few or knowledge is not None):
        on = "here"
    return open_place(on, Answering(model, justify, knowledge), jobs, gpus_per_worker)


def chunk_size(on: str, jobs: int | None, pairs: int | None) -> int:
    """Pairs in a chunk; of few pairs, so many that every worker has something to do."""
    if pairs is None or on == "here":
        return BATCH
    workers = jobs or os.cpu_count() or 1
    return min(BATCH, -(-pairs // (AHEAD * workers)) or 1)


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
    with open_engine(on, model, justify=justify, jobs=jobs, pairs=len(pairs), knowledge=knowledge) as place:
        parts = place.each(chunks_of(pairs, size))
        return join(list(track(parts, "answering", len(pairs), len)), WAYS[model.way])
