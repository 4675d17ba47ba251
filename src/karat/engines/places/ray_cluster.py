"""The machines of a ray cluster, or this one as a cluster of its own."""

from __future__ import annotations

import contextlib
import importlib
import os
import secrets
import shutil
import signal
import sys
import tempfile
import threading
import warnings
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from karat import __version__
from karat.engines.answering import Answerer, Died, in_halves
from karat.engines.batch import Chunk
from karat.engines.engine import Decisions
from karat.engines.model import Model
from karat.engines.places import AHEAD
from karat.errors import UsageError, counted, printable
from karat.labels import WAYS

ATTEMPTS = 2
"""How often a chunk is answered as a whole before it is taken apart, and a pair before it is given up."""
STARTS = 3
"""How many actors, one after the other, may die before they are ready."""
LOOK = 0.2
"""Seconds between two looks whether work is done."""
QUIET_LOOKS = 25
"""After so many looks without news it is asked whether the cluster still exists."""
SILENT = {
    "RAY_USAGE_STATS_ENABLED": "0",  # nothing is told to anybody unasked
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # what ray will do, of which it warns now
}
LOOPBACK = "127.0.0.2" if sys.platform == "linux" else "127.0.0.1"
"""ray takes 127.0.0.1 for the address by which others reach this machine."""


@dataclass(eq=False)
class Slot:
    """A chunk on its way, how often it was begun, and its decisions once they are there."""

    chunk: Chunk
    attempts: int = 0
    decisions: Decisions | None = None


class Ray(AbstractContextManager["Ray"]):
    """Actors that each hold the engine, kept as long as the `with` lasts.

    Without an address, the cluster is the one that this program is connected to, or that `RAY_ADDRESS` names, or a
    new one on this machine, which has a token of its own and leaves nothing behind. An actor that dies is replaced, on
    whatever machine has room; until then, the others go on with its chunks.
    """

    def __init__(
        self,
        model: Model,
        justify: bool = False,
        jobs: int | None = None,
        gpus_per_worker: float = 0,
        address: str | None = None,
    ) -> None:
        address = address or os.environ.get("RAY_ADDRESS")
        # Read when ray is imported. The token of a cluster of one's own is not kept in the user's home.
        own = {} if address else {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex()}
        for name, value in (SILENT | own).items():
            os.environ.setdefault(name, value)
        try:
            with _silence():
                self._ray: Any = importlib.import_module("ray")
                self._gone: Any = importlib.import_module("ray.exceptions").RayActorError
        except ImportError:
            raise UsageError("many machines need the package ray: pip install 'karat[cluster]'") from None
        self.way = WAYS[model.way]
        self._model, self._justify = model, justify
        self._folder = ""
        # Who has connected already keeps the connection, and its logging.
        self._started = not self._ray.is_initialized()
        if self._started:
            self._connect(address)
        try:
            self.jobs = self._workers(jobs, gpus_per_worker)
            self._kind = self._ray.remote(num_cpus=1, num_gpus=gpus_per_worker)(Worker)
            self._slots: deque[Slot] = deque()
            self._waiting: deque[Slot] = deque()
            self._idle: deque[Any] = deque()
            self._busy: dict[Any, tuple[Any, Slot | None]] = {}
            self._failed_starts = self._quiet_looks = 0
            for _ in range(self.jobs):
                self._begin()
        except BaseException:
            self._disconnect()
            raise

    def _connect(self, address: str | None) -> None:
        quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "critical"}
        if address is None:
            # Names of sockets are short, so the folder is where temporary files are, whatever the user says.
            self._folder = tempfile.mkdtemp(prefix="karat-ray-", dir="/tmp" if os.name == "posix" else None)
            own = {"_temp_dir": self._folder, "_node_ip_address": LOOPBACK, "include_dashboard": False}
            quiet |= {"address": "local", "configure_logging": False, **own}
        elif address.startswith("ray://"):
            quiet |= {"address": address}
        else:
            quiet |= {"address": address, "configure_logging": False}
        # It would print of workers that die, and on standard output, where a run may go.
        importlib.import_module("ray._private.worker").print_to_stdstream = lambda *_, **__: None  # type: ignore[attr-defined]
        try:
            with _silence(), _own_signals():
                self._ray.init(**quiet)
        except Exception as error:  # whatever ray raises: it has no class of its own for this
            self._disconnect()
            where = f"the cluster at {address}" if address else "ray on this machine"
            raise UsageError(f"cannot reach {where}: {_first_line(error)}") from None

    def _workers(self, jobs: int | None, gpus_per_worker: float) -> int:
        """How many actors: as many as asked for, or as the cluster has cores, or GPUs for."""
        found = self._ray.cluster_resources()
        if not gpus_per_worker:
            return jobs or max(1, int(found.get("CPU", 1)))
        room = int(found.get("GPU", 0) / gpus_per_worker)
        if not room:
            raise UsageError(
                f"--gpus-per-worker {gpus_per_worker:g}: the cluster has {counted(int(found.get('GPU', 0)), 'GPU')}; "
                "leave the option out, or connect to a cluster that has them: --on ray://HOST:PORT"
            )
        return jobs or room

    def _begin(self) -> None:
        """Start an actor; it gets chunks as soon as it says that it is ready."""
        actor = self._kind.remote(self._model, self._justify)
        self._busy[actor.ready.remote()] = (actor, None)

    def answer(self, chunks: Iterable[Chunk]) -> Iterator[Decisions]:
        """Decisions on each chunk, in their order."""
        coming, more = iter(chunks), True
        self._slots.clear()
        self._waiting.clear()
        while True:
            while more and len(self._slots) < AHEAD * self.jobs:
                chunk = next(coming, None)
                more = chunk is not None
                if chunk is not None:
                    self._slots.append(Slot(chunk))
                    self._waiting.append(self._slots[-1])
            while self._idle and self._waiting:
                self._give(self._idle.popleft(), self._waiting.popleft())
            if not self._slots:
                return
            if (done := self._slots[0].decisions) is not None:
                self._slots.popleft()
                yield done
            else:
                self._look()

    def _give(self, actor: Any, slot: Slot) -> None:
        slot.attempts += 1
        self._busy[actor.answer.remote(slot.chunk)] = (actor, slot)

    def _look(self) -> None:
        """Take in what actors have done since; where one has died, begin another and give its chunk to somebody."""
        with _as_raised():
            ready, _ = self._ray.wait(list(self._busy), num_returns=1, timeout=LOOK)
        self._quiet_looks = 0 if ready else self._quiet_looks + 1
        if self._quiet_looks >= QUIET_LOOKS:
            self._quiet_looks = 0
            self._expect_a_machine()
        for reference in ready:
            actor, slot = self._busy.pop(reference)
            try:
                with _as_raised():
                    said = self._ray.get(reference)
            except self._gone as error:
                self._replace(slot, error)
                continue
            if isinstance(said, UsageError):
                raise said
            self._failed_starts = 0
            self._idle.append(actor)
            if slot is not None:
                slot.decisions = said

    def _expect_a_machine(self) -> None:
        """A cluster that has lost all of its machines never answers, and says nothing of it either."""
        if not any(machine["Alive"] for machine in self._ray.nodes()):
            raise UsageError(
                "the ray cluster is gone: none of its machines is alive; the same call goes on where it was"
            )

    def _replace(self, slot: Slot | None, error: BaseException) -> None:
        if slot is None:
            self._failed_starts += 1
            if self._failed_starts >= STARTS:
                raise UsageError(
                    f"no worker can be started on the cluster: {_first_line(error)}; every machine needs the same "
                    f"Python with karat {__version__}, and enough memory"
                )
        elif slot.attempts < ATTEMPTS:
            self._waiting.appendleft(slot)
        else:
            slot.decisions = in_halves(slot.chunk, self.way, self._justify, self._alone, (Died,))
        self._begin()

    def _alone(self, chunk: Chunk) -> Decisions:
        """A chunk in an actor that has nothing else to do."""
        for _ in range(ATTEMPTS):
            actor = self._kind.remote(self._model, self._justify)
            try:
                said: Decisions | UsageError = self._ray.get(actor.answer.remote(chunk))
            except self._gone:
                continue
            finally:
                self._ray.kill(actor)
            if isinstance(said, UsageError):
                raise said
            return said
        raise Died

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for actor in (*self._idle, *(actor for actor, _ in self._busy.values())):
            with contextlib.suppress(Exception):  # the cluster may be gone
                self._ray.kill(actor)
        self._disconnect()

    def _disconnect(self) -> None:
        if self._started:
            with _silence(), contextlib.suppress(Exception):
                self._ray.shutdown()
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)


class Worker:
    """An engine in an actor; it returns errors of usage, which ray would wrap in a trace of its own."""

    def __init__(self, model: Model, justify: bool) -> None:
        self._model, self._justify = model, justify
        self._answerer: Answerer | None = None

    def ready(self) -> UsageError | None:
        """Make the engine."""
        try:
            self._answerer = self._answerer or Answerer(self._model, self._justify)
        except UsageError as error:
            return error
        return None

    def answer(self, chunk: Chunk) -> Decisions | UsageError:
        """Decisions on a chunk."""
        if (wrong := self.ready()) is not None:
            return wrong
        assert self._answerer is not None
        try:
            return self._answerer.answer(chunk)
        except UsageError as error:
            return error


@contextlib.contextmanager
def _own_signals() -> Iterator[None]:
    """Keep what this program does when it is stopped: ray would print a stack trace, and leave its files behind."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    kept = {name: signal.getsignal(name) for name in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for name, handler in kept.items():
            signal.signal(name, handler)


@contextlib.contextmanager
def _as_raised() -> Iterator[None]:
    """What a handler of signals raises while ray waits: ray wraps it in an error of Python's own."""
    try:
        yield
    except SystemError as error:
        raise error.__cause__ or error from None


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    """Keep ray from warning of its own code."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _first_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return printable(lines[0] if lines else type(error).__name__)
