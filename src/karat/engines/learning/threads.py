"""How many threads linear algebra has while something is learnt."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module


@contextmanager
def one_thread() -> Iterator[None]:
    """Linear algebra in one thread, where threadpoolctl is there to see to it; else as it is.

    On matrices as small as ours threads wait for each other, on a busy machine many times as long as one thread takes.
    """
    try:
        pools = import_module("threadpoolctl")
    except ImportError:
        yield
        return
    with pools.threadpool_limits(1, user_api="blas"):
        yield
