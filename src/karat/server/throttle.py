"""Delays for those who guess passwords and for programs that send too often.

Nobody is locked out: a delay holds for one address and one account together, so that a stranger cannot keep a team from
its own account at the deadline.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, deque

FREE_FAILURES = 5
LONGEST_DELAY = 60.0
MOST_KEYS = 10_000
"""The number of addresses and accounts that are remembered; the oldest are forgotten first."""


class Delays:
    """After some failures, each further attempt has to wait twice as long as the one before."""

    def __init__(self, free: int = FREE_FAILURES, longest: float = LONGEST_DELAY) -> None:
        self._free, self._longest = free, longest
        self._failures: OrderedDict[object, tuple[int, float]] = OrderedDict()
        self._lock = threading.Lock()

    def wait(self, key: object, now: float) -> float:
        """The seconds until the next attempt is allowed, 0 for now."""
        with self._lock:
            count, last = self._failures.get(key, (0, now))
        if count < self._free:
            return 0.0
        doubled = min(count - self._free, 30)  # those who never give up would double it past all numbers
        return max(0.0, last + min(2.0**doubled, self._longest) - now)

    def failed(self, key: object, now: float) -> None:
        """An attempt has failed."""
        with self._lock:
            count, _ = self._failures.pop(key, (0, now))
            self._failures[key] = count + 1, now
            while len(self._failures) > MOST_KEYS:
                self._failures.popitem(last=False)

    def succeeded(self, key: object) -> None:
        """An attempt has succeeded; earlier failures are forgotten."""
        with self._lock:
            self._failures.pop(key, None)


class Rate:
    """At most so many requests in a window of seconds."""

    def __init__(self, most: int, seconds: float) -> None:
        self._most, self._seconds = most, seconds
        self._met: OrderedDict[object, deque[float]] = OrderedDict()
        self._lock = threading.Lock()

    def wait(self, key: object, now: float) -> float:
        """Count a request; the seconds until it would be allowed, 0 if it is."""
        with self._lock:
            times = self._met.pop(key, deque())
            self._met[key] = times
            while times and times[0] <= now - self._seconds:
                times.popleft()
            if len(times) >= self._most:
                return times[0] + self._seconds - now
            times.append(now)
            while len(self._met) > MOST_KEYS:
                self._met.popitem(last=False)
            return 0.0
