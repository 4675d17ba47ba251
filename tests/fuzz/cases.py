"""One case: a damaged file, read by the library, now and then by a command, and by a plain reader."""

from __future__ import annotations

import contextlib
import shlex
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from xml.etree.ElementTree import ParseError

from karat.errors import DataError, UsageError
from tests.cli import calls
from tests.fuzz.files import Sample, folder
from tests.fuzz.mutations import mutate
from tests.fuzz.plain import NoOpinion

SECONDS = 60
"""For one case, on a machine with much else to do."""
LARGEST = 10 << 20
"""Bytes: one kind of damage on another makes files of hundreds of megabytes, which take as much to hold."""


class Failure(AssertionError):  # noqa: N818 - it is karat's
    """What karat did, and should not have done."""


def damaged(sample: Sample, case: int) -> bytes:
    """The file of a case: the same on every machine."""
    return mutate(sample.data, Random(f"{sample.id} {case}"))[:LARGEST]


@contextlib.contextmanager
def limit(seconds: float = SECONDS) -> Iterator[None]:
    """A `TimeoutError` after so long."""

    def late(*_: object) -> None:
        raise TimeoutError(f"longer than {seconds} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def attempt(sample: Sample, data: bytes, where: Path, by_command: bool = False) -> bool:
    """Whether the file was accepted; anything but acceptance or a sentence is an error."""
    path = where / sample.name
    path.write_bytes(data)
    try:
        held = sample.read(path)
    except (DataError, UsageError) as error:
        if not str(error).strip():
            raise Failure("no message") from None
        held = None
    if by_command:
        by_command_line(sample, path)
    if held is not None and sample.facts is not None and sample.plain is not None:
        _compare(sample, data, held)
    return held is not None


def by_command_line(sample: Sample, path: Path) -> int:
    """The exit status of the sample's command on a file: 0, 1 or 2, and not without a message."""
    words = [str(path) if word == "@" else word for word in shlex.split(sample.command)]
    with contextlib.chdir(folder()):
        done = calls.karat(*words)
    said = done.stdout + done.stderr  # `check` tells problems where others tell results
    if done.returncode not in (0, 1, 2) or not said.strip() or "Traceback" in said:
        raise Failure(f"exit {done.returncode}: {said[:500]}")
    return done.returncode


def _compare(sample: Sample, data: bytes, held: object) -> None:
    assert sample.facts is not None
    assert sample.plain is not None
    try:
        wanted = sample.plain(data)
    except NoOpinion:
        return
    except (ValueError, ParseError, EOFError) as error:
        raise Failure(f"accepted, and a plain reader refuses it ({error})") from None
    found = sample.facts(held)
    if Counter(found) != Counter(wanted):
        raise Failure(f"read otherwise than by a plain reader: {found[:5]} instead of {wanted[:5]}")
