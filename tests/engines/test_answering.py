"""Tests of where engines run: here, in processes and in ray's actors, with the same decisions."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from karat.data.pairs import Pairs
from karat.data.provenance import IN_MEMORY
from karat.engines import answering
from karat.engines.answering import Processes, Ray, predict
from karat.engines.batch import BATCH
from karat.engines.model import Model
from karat.errors import UsageError
from karat.labels import THREE
from karat.progress import track, watched

PROGRAM = """
import json, sys
sys.stdin.readline()
print('{"ready": true}', flush=True)
for line in sys.stdin:
    pair = json.loads(line)
    if "end" in pair:
        print(line, end="", flush=True)
    elif int(pair["id"]) % 1000 != 7:
        print(json.dumps({"id": pair["id"], "label": "ENC?"[len(pair["text"]) % 4], "confidence": 0.75}), flush=True)
"""


@pytest.fixture
def model(write: Callable[[str, str], Path]) -> Model:
    """A program that answers most pairs."""
    command = shlex.join([sys.executable, str(write("system.py", PROGRAM))])
    return Model(engine=f"outside(command={command!r})", way=THREE.name, knowledge={}, state={})


@pytest.fixture
def pairs() -> Pairs:
    """Two batches and a little more."""
    many = 2050
    texts = tuple("x" * (row % 7 + 1) for row in range(many))
    ids = tuple(str(row) for row in range(many))
    return Pairs(ids, texts, texts, np.full(many, -1, dtype=np.int8), None, IN_MEMORY)


def spy(counted: list[int]) -> Callable[..., Iterator[Any]]:
    """Tracks as ever, and keeps how much each item was of the whole."""

    def spying(items: Iterable[Any], what: str, total: int, weigh: Callable[[Any], int]) -> Iterator[Any]:
        for item in track(items, what, total, weigh):
            counted.append(weigh(item))
            yield item

    return spying


def same(model: Model, pairs: Pairs, place: type[Processes] | type[Ray]) -> None:
    """A place gives the decisions that are made here, in order, with the same failures; and counts progress."""
    here = predict(model, pairs, jobs=1)
    assert here.failures
    counted: list[int] = []
    with place(model, jobs=2) as workers:
        with pytest.MonkeyPatch.context() as patch, watched():
            patch.setattr(answering, "track", spy(counted))
            there = workers.answer(pairs)
        again = workers.answer(pairs)
    assert sum(counted) == len(pairs)
    assert max(counted) <= BATCH
    assert len(counted) >= 2
    for found in (there, again):
        np.testing.assert_array_equal(found.codes, here.codes)
        np.testing.assert_array_equal(found.confidence, here.confidence)
        assert found.failures == here.failures


def refuses(pairs: Pairs, place: type[Processes] | type[Ray]) -> None:
    """A model that cannot be made there is one sentence here."""
    broken = Model(engine="outside(command=nowhere)", way="3", knowledge={}, state={})
    with place(broken, jobs=1) as workers, pytest.raises(UsageError, match="no program 'nowhere'"):
        workers.answer(pairs)


def test_processes(model: Model, pairs: Pairs) -> None:
    """Processes decide as one process does."""
    same(model, pairs, Processes)


def test_processes_refuse(pairs: Pairs) -> None:
    """An error of usage in a process is told as it is."""
    refuses(pairs, Processes)


@pytest.mark.nightly
@pytest.mark.skipif(not find_spec("ray"), reason="ray is not installed")
@pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::ResourceWarning", "ignore::DeprecationWarning")
def test_ray(model: Model, pairs: Pairs) -> None:
    """Actors decide as one process does, and tell an error of usage as it is."""
    same(model, pairs, Ray)
    refuses(pairs, Ray)


@pytest.mark.skipif(bool(find_spec("ray")), reason="ray is installed")
def test_no_ray(model: Model) -> None:
    """Without ray, a sentence says what to install."""
    with pytest.raises(UsageError, match="karat\\[cluster\\]"):
        Ray(model)
