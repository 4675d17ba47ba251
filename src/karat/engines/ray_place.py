"""Many machines: ray's actors, each with the engine loaded once, in the shape of `Processes`.

ray starts in seconds, so this pays for engines that are slow (networks, outside programs) on very many pairs.
"""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any

from karat.data.pairs import Pairs
from karat.engines.answering import Answerer, gather
from karat.engines.batch import Chunk, chunks_of
from karat.engines.decisions import Decisions
from karat.engines.model import Model
from karat.errors import UsageError
from karat.labels import WAYS


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
