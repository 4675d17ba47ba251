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
from itertools import islice
from types import TracebackType
from typing import Any, Generic, TypeVar

from karat import __version__
from karat.errors import UsageError, counted, printable
from karat.places import AHEAD, AnyWork, Died, Work

ATTEMPTS = 2
"""How often workers may die over an item before it counts as lost, and then each time that it is tried again."""
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
T = TypeVar("T")
R = TypeVar("R")


@dataclass(eq=False)
class Slot(Generic[T, R]):
    """An item on its way, how often it was begun, and what became of it once that is known."""

    item: T
    attempts: int = 0
    done: tuple[R] | None = None


class Ray(AbstractContextManager["Ray[T, R]"], Generic[T, R]):
    """Actors that each hold the work, kept as long as the `with` lasts.

    Without an address, the cluster is the one that this program is connected to, or that `RAY_ADDRESS` names, or a
    new one on this machine, which has a token of its own and leaves nothing behind. An actor that dies is replaced, on
    whatever machine has room; until then, the others go on with its items.
    """

    def __init__(
        self,
        work: Work[T, R],
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
        self._work = work
        self._folder = ""
        # Who has connected already keeps the connection, and its logging.
        self._started = not self._ray.is_initialized()
        if self._started:
            self._connect(address)
        try:
            self.jobs = self._workers(jobs, gpus_per_worker)
            self._kind = self._ray.remote(num_cpus=1, num_gpus=gpus_per_worker)(Worker)
            self._slots: deque[Slot[T, R]] = deque()
            self._waiting: deque[Slot[T, R]] = deque()
            self._idle: deque[Any] = deque()
            self._busy: dict[Any, tuple[Any, Slot[T, R] | None]] = {}
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
        """Start an actor; it gets items as soon as it says that it is ready."""
        actor = self._kind.remote(self._work)
        self._busy[actor.ready.remote()] = (actor, None)

    def each(self, items: Iterable[T]) -> Iterator[R]:
        """What becomes of each item, in their order."""
        coming, more = iter(items), True
        self._slots.clear()
        self._waiting.clear()
        while True:
            while more and len(self._slots) < AHEAD * self.jobs:
                for item in islice(coming, 1):
                    self._slots.append(Slot(item))
                    self._waiting.append(self._slots[-1])
                    break
                else:
                    more = False
            while self._idle and self._waiting:
                self._give(self._idle.popleft(), self._waiting.popleft())
            if not self._slots:
                return
            if (done := self._slots[0].done) is not None:
                self._slots.popleft()
                yield done[0]
            else:
                self._look()

    def _give(self, actor: Any, slot: Slot[T, R]) -> None:
        slot.attempts += 1
        self._busy[actor.do.remote(slot.item)] = (actor, slot)

    def _look(self) -> None:
        """Take in what actors have done since; where one has died, begin another and give its item to somebody."""
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
                slot.done = (said,)

    def _expect_a_machine(self) -> None:
        """A cluster that has lost all of its machines never answers, and says nothing of it either."""
        if not any(machine["Alive"] for machine in self._ray.nodes()):
            raise UsageError(
                "the ray cluster is gone: none of its machines is alive; the same call goes on where it was"
            )

    def _replace(self, slot: Slot[T, R] | None, error: BaseException) -> None:
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
            slot.done = (self._work.lost(slot.item, self._alone),)
        self._begin()

    def _alone(self, item: T) -> R:
        """An item in an actor that has nothing else to do."""
        for _ in range(ATTEMPTS):
            actor = self._kind.remote(self._work)
            try:
                said: R | UsageError = self._ray.get(actor.do.remote(item))
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
    """The work in an actor; it returns errors of usage, which ray would wrap in a trace of its own."""

    def __init__(self, work: AnyWork) -> None:
        self._work, self._is_ready = work, False

    def ready(self) -> UsageError | None:
        """Make the work ready."""
        try:
            if not self._is_ready:
                self._work.ready()
        except UsageError as error:
            return error
        self._is_ready = True
        return None

    def do(self, item: Any) -> Any:
        """What becomes of an item."""
        if (wrong := self.ready()) is not None:
            return wrong
        try:
            return self._work.do(item)
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
