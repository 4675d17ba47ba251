"""Limits on time and memory, for files that would exceed them."""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def bounded(seconds: float, megabytes: int) -> Iterator[None]:
    """Fails where the block takes more processor time, or the process grows by more, than it may."""
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    yield
    assert time.process_time() - start < seconds
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024 < megabytes
