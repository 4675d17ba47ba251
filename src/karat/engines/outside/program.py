"""A program that is written to and read from at once, and does not outlive whoever started it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
import weakref
from collections.abc import Sequence
from queue import Empty, Queue, SimpleQueue
from threading import Thread
from typing import IO

from karat.errors import printable
from karat.places import LEAVING

LINE = 64 << 20
"""Bytes of the longest line, which is a state: no model is larger. A program that never ends its line is given up."""
HELD = 16 << 20
"""Bytes of lines read before they are asked for; then the program has to wait."""
EACH = 64
"""Bytes that a line takes, however short it is."""
TAIL = 4000
"""Bytes of standard error that are kept."""
QUOTED = 5
"""Lines of standard error that are quoted."""
GRACE = 1.0
"""Seconds a program has to leave after its input ended."""
LOOK, WAIT = 0.005, 0.2
"""Seconds between two looks whether it has left, and whether it has said something."""


class LineQueue(Queue[bytes | None]):
    """Lines on their way, and None at their end; full where so many bytes wait."""

    def _init(self, maxsize: int) -> None:
        super()._init(maxsize)
        self._held = 0

    def _qsize(self) -> int:
        return self._held

    def _put(self, item: bytes | None) -> None:
        super()._put(item)
        self._held += EACH + len(item or b"")

    def _get(self) -> bytes | None:
        item: bytes | None = super()._get()
        self._held -= EACH + len(item or b"")
        return item


class ProgramError(Exception):
    """What a program did wrong, in words that go on after its name."""


class SilentError(ProgramError):
    """It said nothing for too long."""


class Program:
    """A running program; threads of its own write, read, and keep the end of its standard error.

    Writing never waits, so a program that answers while it is written to, or never reads, blocks nobody.
    """

    def __init__(self, command: Sequence[str], timeout: float, patience: float) -> None:
        try:
            # A session of its own, so that whatever it starts can be ended with it.
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
            )
        except OSError as error:
            raise ProgramError(f"cannot be started: {error.strerror}") from None
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._process = process
        self._timeout, self._patience = timeout, patience
        self.progress()
        self._input: SimpleQueue[bytes | None] = SimpleQueue()
        self._lines = LineQueue(HELD)
        self._tail = bytearray()
        # The threads know nothing of this object: it can be collected, which ends them.
        Thread(target=_write, args=(process.stdin, self._input), daemon=True).start()
        reader = Thread(target=_read, args=(process.stdout, self._lines), daemon=True)
        reader.start()
        self._listener = Thread(target=_keep_tail, args=(process.stderr, self._tail), daemon=True)
        self._listener.start()
        self._end = weakref.finalize(self, _stop, process, self._input, self._lines, reader)
        _running.add(self)

    def write(self, text: bytes) -> None:
        """Hand over something to write, in order; it is written when the program reads."""
        self._input.put(text)

    def progress(self) -> None:
        """Something came that was asked for: its time begins anew."""
        self._last = time.monotonic()

    def read(self) -> bytes | None:
        """The next line that the program writes; None where it has closed its output."""
        if time.monotonic() - self._last > self._patience:
            raise ProgramError(f"answered nothing for {self._patience:g} seconds, though it wrote{self._said()}")
        until = time.monotonic() + self._timeout
        while True:
            try:
                # In short pieces: a signal that another thread got ends no wait.
                line = self._lines.get(timeout=min(max(until - time.monotonic(), 0), WAIT))
                break
            except Empty:
                if time.monotonic() >= until:
                    raise SilentError(f"said nothing for {self._timeout:g} seconds{self._said()}") from None
        if line is not None and len(line) >= LINE:
            raise ProgramError(f"wrote a line of more than {LINE >> 20} MiB{self._said()}")
        return line

    def status(self) -> int | None:
        """How it left; None while it runs."""
        return _end(self._process) if _has_left(self._process, GRACE) else None

    def gone(self) -> ProgramError:
        """Why there is no more output."""
        status = self.status()
        if status is None:
            return ProgramError(f"closed its output{self._said()}")
        how = f"was ended by signal {-status}" if status < 0 else f"left with status {status}"
        self._listener.join(GRACE)
        return ProgramError(f"{how}{self._said()}")

    def _said(self) -> str:
        lines = bytes(self._tail).decode("utf-8", "replace").split("\n")
        said = " / ".join(printable(line) for line in [line.strip() for line in lines if line.strip()][-QUOTED:])
        return f"; its standard error ends: {said}" if said else ""

    def stop(self, at_once: bool = False) -> None:
        """End it: its input ends, and where it does not leave then (or shall do so at once), it is killed."""
        if at_once and self._end.alive:
            _end(self._process)
        self._end()


_running: weakref.WeakSet[Program] = weakref.WeakSet()


def kill_all() -> None:
    """Kill every program: whoever started them is about to end. Waits for nothing, so a signal may ask for it."""
    for program in list(_running):
        _kill(program._process)


LEAVING.append(kill_all)


def _write(stream: IO[bytes], blocks: SimpleQueue[bytes | None]) -> None:
    # A program that left or closed its input is noticed by whoever reads.
    with contextlib.suppress(OSError):
        while (block := blocks.get()) is not None:
            stream.write(block)
            stream.flush()
    with contextlib.suppress(OSError):
        stream.close()


def _read(stream: IO[bytes], lines: LineQueue) -> None:
    with stream:
        while line := stream.readline(LINE):
            lines.put(line)
            if len(line) >= LINE:  # nobody reads what follows
                return
    lines.put(None)


def _keep_tail(stream: IO[bytes], tail: bytearray) -> None:
    with stream:
        while chunk := os.read(stream.fileno(), 1 << 16):
            tail += chunk
            del tail[:-TAIL]


def _has_left(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Whether it leaves within so long. It is not waited for, so that its number stays its own."""
    if not hasattr(os, "waitid"):
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
        return process.returncode is not None
    last = time.monotonic() + seconds
    while process.returncode is None:
        if os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None:
            return True
        if time.monotonic() > last:
            return False
        time.sleep(LOOK)
    return True


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill it with all that it started and left behind; once it is waited for, its number may be another's."""
    if process.returncode is None:
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()


def _end(process: subprocess.Popen[bytes]) -> int:
    """Kill it, and wait for it; the status it left with."""
    _kill(process)
    return process.wait()


def _stop(
    process: subprocess.Popen[bytes], blocks: SimpleQueue[bytes | None], lines: LineQueue, reader: Thread
) -> None:
    blocks.put(None)
    _has_left(process, GRACE)
    _end(process)
    # The reader may wait for room to put its last lines; or for ever, where a child of the program holds its output.
    last = time.monotonic() + GRACE
    while reader.is_alive() and time.monotonic() < last:
        with contextlib.suppress(Empty):
            lines.get(timeout=0.01)
