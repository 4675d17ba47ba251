"""What takes long is made once, in turn, and kept; nobody waits for it longer than a moment."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest

LONG = 20.0
"""Seconds after which something hangs."""


@pytest.fixture
def making(home: Any) -> Any:
    """The module; what is made closes its connection to a database, so that there is one."""
    del home
    from karat.server import making

    return making


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """What has to be opened before anything is finished."""
    opened = threading.Event()
    yield opened
    opened.set()


def test_whatever_is_asked_at_once_is_made(making: Any, gate: threading.Event) -> None:
    """Twelve different pages where two can be kept: each is made once, in turn, however often it is asked for."""
    kept, made, busy = making.Kept(making.Line(), 2), [], threading.Lock()

    def make(page: int) -> int:
        assert busy.acquire(blocking=False), "one at a time"
        gate.wait(LONG)
        made.append(page)
        busy.release()
        return page

    asked = [[kept.of(page, partial(make, page)) for page in range(12)] for _ in range(3)]
    assert asked[0] == asked[1] == asked[2]
    gate.set()
    assert [one.result(LONG) for one in asked[0]] == list(range(12))
    assert made == list(range(12))


def test_what_was_asked_for_longest_ago_is_given_up(making: Any) -> None:
    """By size, whatever is larger than all that may be kept remains until the next is made."""
    line, made = making.Line(), []
    kept = making.Kept(line, 10, len)

    def ask(page: str, size: int) -> None:
        def make() -> bytes:
            made.append(page)
            return b"x" * size

        assert len(kept.of(page, make).result(LONG)) == size
        done = threading.Event()
        line.add(done.set)  # what is finished has been tidied up
        assert done.wait(LONG)

    for page, size in (("a", 4), ("b", 4), ("a", 4), ("c", 4), ("a", 4), ("b", 4), ("large", 30), ("large", 30)):
        ask(page, size)
    assert made == ["a", "b", "c", "b", "large"]
    ask("a", 4)
    ask("large", 30)
    assert made[5:] == ["a", "large"]


def test_what_fails_is_tried_again(making: Any) -> None:
    """Whoever asks next is told too, since nobody may have waited; then it is made anew."""
    kept = making.Kept(making.Line(), 2)
    tries: list[int] = []

    def make() -> str:
        tries.append(len(tries))
        if len(tries) == 1:
            raise MemoryError
        return "made"

    for _ in range(2):
        with pytest.raises(MemoryError):
            kept.of("a", make).result(LONG)
    assert [kept.of("a", make).result(LONG) for _ in range(2)] == ["made", "made"]
    assert len(tries) == 2


def test_what_is_made_of_others_does_not_wait_for_itself(making: Any, gate: threading.Event) -> None:
    """An archive makes the page that it needs, even if that has been asked for and its turn is later."""
    kept, made = making.Kept(making.Line(), 9), []

    def page() -> str:
        made.append("page")
        return "page"

    def archive() -> str:
        gate.wait(LONG)
        return f"archive of a {making.awaited(kept.of('page', page))}"

    whole, part = kept.of("archive", archive), kept.of("page", page)
    gate.set()
    assert whole.result(LONG) == "archive of a page"
    assert part.result(LONG) == "page"
    assert made == ["page"]


def test_few_wait_and_not_for_long(making: Any) -> None:
    """All others are told at once; without a limit, whoever asks waits until it is there."""
    future: Future[str] = Future()
    told: list[str] = []

    def ask(seconds: float) -> None:
        try:
            with making.patient(seconds):
                told.append(making.awaited(future))
        except making.NotYet:
            told.append("not yet")

    waiting = [threading.Thread(target=ask, args=(LONG,)) for _ in range(5)]
    for one in waiting:
        one.start()
    for one in waiting[making.MOST_WAITING :]:
        one.join(0.5)
    assert told == ["not yet"] * 3
    future.set_result("made")
    for one in waiting:
        one.join(LONG)
    assert told[3:] == ["made"] * making.MOST_WAITING
    ask(0)
    assert told[-1] == "made"
    assert making.awaited(future) == "made"


def test_nobody_waits_for_what_somebody_has_waited_for_in_vain(making: Any) -> None:
    """Whoever asks for it again is told at once, and gets it when it is made."""
    future: Future[str] = Future()
    for seconds in (0.01, LONG):
        with pytest.raises(making.NotYet), making.patient(seconds):
            making.awaited(future)
    future.set_result("made")
    with making.patient(0):
        assert making.awaited(future) == "made"


def test_of_what_goes_on_changing_one_version_is_made_at_a_time(making: Any, gate: threading.Event) -> None:
    """While a version is made, later ones are not begun, and the last finished one is shown, with its time."""
    latest, made, at = making.Latest(making.Line()), [], datetime(2027, 3, 1, tzinfo=UTC)

    def ask(version: int, seconds: float) -> Any:
        def make() -> str:
            gate.wait(LONG) if version else None
            made.append(version)
            return f"version {version}"

        with making.patient(seconds):
            return latest.of("agreement", version, make, at + timedelta(days=version))

    first = ask(0, LONG)
    assert (first.answer, first.at, first.current) == ("version 0", at, True)
    for version in (1, 2, 3):
        found = ask(version, 0)
        assert (found.answer, found.at, found.current) == ("version 0", at, False)
    coming = latest._coming["agreement"]
    gate.set()
    assert coming.result(LONG).answer == "version 1"
    assert ask(4, LONG).answer == "version 4"
    assert made == [0, 1, 4]


def test_what_cannot_be_made_is_tried_again(making: Any) -> None:
    """What fails is told once, and the last finished version stays."""
    latest, at = making.Latest(making.Line()), datetime(2027, 3, 1, tzinfo=UTC)

    def fail() -> str:
        raise ValueError("no")

    assert latest.of("a", 1, lambda: "made", at).answer == "made"
    with pytest.raises(ValueError, match="no"):
        latest.of("a", 2, fail, at)
    assert latest.of("a", 1, fail, at).answer == "made"
    assert latest.of("a", 2, lambda: "again", at).answer == "again"
