"""Linear algebra in one thread, where that can be had."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from karat.engines.learning.folds import one_thread

threadpoolctl = pytest.importorskip("threadpoolctl")


def threads() -> list[int]:
    """How many each library of linear algebra has."""
    return [pool["num_threads"] for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"]


def test_one_thread() -> None:
    """Inside there is one, and after it as many as before."""
    np.linalg.eigh(np.eye(3))
    before = threads()
    with one_thread():
        assert set(threads()) <= {1}
    assert threads() == before


def test_without_threadpoolctl(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing can set their number it stays as it is."""
    before = threads()
    monkeypatch.setitem(sys.modules, "threadpoolctl", None)
    with one_thread():
        assert threads() == before
