"""Tests of delays: guessing becomes slow, and nobody is locked out by somebody else."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.server import throttle
from karat.server.throttle import FREE_FAILURES, LONGEST_DELAY, Delays, Rate


def test_a_few_slips_are_free() -> None:
    """Nobody waits before the first failures, and each further one doubles the wait, up to a minute."""
    delays = Delays()
    for _ in range(FREE_FAILURES):
        assert delays.wait("alder", 0) == 0
        delays.failed("alder", 0)
    waits = []
    for _ in range(10):
        waits.append(delays.wait("alder", 0))
        delays.failed("alder", 0)
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60, 60, 60]
    assert delays.wait("alder", 59.5) == 0.5
    assert delays.wait("alder", 60) == 0


def test_a_success_forgets() -> None:
    """Who gets in has made no mistakes."""
    delays = Delays()
    for _ in range(20):
        delays.failed("alder", 0)
    delays.succeeded("alder")
    assert delays.wait("alder", 0) == 0


@settings(max_examples=50)
@given(
    st.lists(
        st.tuples(st.sampled_from(["198.51.100.1", "203.0.113.5"]), st.sampled_from(["alder", "birch"])), max_size=60
    )
)
def test_a_stranger_delays_nobody_else(failures: list[tuple[str, str]]) -> None:
    """However often somebody guesses from elsewhere, a team at its own address does not wait, and no wait is long."""
    delays = Delays()
    for key in failures:
        delays.failed(key, 0)
    assert delays.wait(("192.0.2.7", "alder"), 0) == 0
    assert all(delays.wait(key, 0) <= LONGEST_DELAY for key in failures)


def test_guessing_is_slow() -> None:
    """A program that guesses as fast as it is let gets through some 1,450 passwords in a day from one address."""
    delays, now, tries = Delays(), 0.0, 0
    while now < 86_400:
        now += delays.wait("key", now)
        delays.failed("key", now)
        tries += 1
    assert tries < 1_500


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of very many addresses the oldest are forgotten; who is being delayed now is among the newest."""
    monkeypatch.setattr(throttle, "MOST_KEYS", 100)
    delays, rate = Delays(free=1), Rate(1, 60)
    for number in range(1000):
        delays.failed(number, 0)
        rate.wait(number, 0)
    assert len(delays._failures) == len(rate._met) == 100
    assert delays.wait(999, 0) > 0
    assert delays.wait(0, 0) == 0


def test_a_rate() -> None:
    """So many requests in a window, whoever else sends; one that was refused does not count."""
    rate = Rate(3, 60)
    assert [rate.wait("a", second) for second in (0, 10, 20, 30, 59)] == [0, 0, 0, 30, 1]
    assert rate.wait("b", 59) == 0
    assert [rate.wait("a", second) for second in (60, 61, 70)] == [0, 9, 0]


@pytest.mark.parametrize("turn", range(3))
def test_threads_share_a_rate(turn: int) -> None:
    """Requests at the same moment are counted one by one."""
    rate: Any = Rate(50, 60)
    with ThreadPoolExecutor(8) as threads:
        waits = list(threads.map(lambda _: rate.wait(turn, 0.0), range(200), timeout=30))
    assert waits.count(0.0) == 50
