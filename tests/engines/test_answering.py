"""Tests of where engines run: here and in processes, with the same decisions; `test_ray.py` has ray's actors."""

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
from karat.engines import predicting
from karat.engines.answering import Answering
from karat.engines.batch import BATCH, Chunk, chunks_of
from karat.engines.engine import join
from karat.engines.model import Model
from karat.engines.predicting import open_engine, predict
from karat.errors import UsageError
from karat.labels import THREE
from karat.places import AHEAD
from karat.places.processes import Processes
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


def test_processes(model: Model, pairs: Pairs) -> None:
    """Processes decide as one process does, in order, with the same failures, chunk by chunk and again."""
    here = predict(model, pairs, jobs=1)
    assert here.failures
    with Processes(Answering(model), jobs=2) as workers:
        for size in (BATCH, 300):
            taken: list[int] = []
            parts = workers.each(noted(chunks_of(pairs, size), taken))
            first = next(parts)
            assert len(taken) <= AHEAD * workers.jobs  # not all that there is
            found = join([first, *parts], THREE)
            np.testing.assert_array_equal(found.codes, here.codes)
            np.testing.assert_array_equal(found.confidence, here.confidence)
            assert found.failures == here.failures


def noted(chunks: Iterable[Chunk], taken: list[int]) -> Iterator[Chunk]:
    """The chunks, with a note of each that is taken."""
    for chunk in chunks:
        taken.append(len(chunk[0]))
        yield chunk


def test_progress(model: Model, pairs: Pairs) -> None:
    """Every chunk that is answered counts as progress."""
    counted: list[int] = []
    with pytest.MonkeyPatch.context() as patch, watched():
        patch.setattr(predicting, "track", spy(counted))
        predict(model, pairs, on="processes", jobs=2)
    assert sum(counted) == len(pairs)
    assert max(counted) <= BATCH
    assert len(counted) >= 2


def test_processes_refuse(pairs: Pairs) -> None:
    """An error of usage in a process is told as it is."""
    broken = Model(engine="outside(command=nowhere)", way="3", knowledge={}, state={})
    with Processes(Answering(broken), jobs=1) as workers, pytest.raises(UsageError, match="no program 'nowhere'"):
        list(workers.each(chunks_of(pairs)))


@pytest.mark.skipif(bool(find_spec("ray")), reason="ray is installed")
def test_no_ray(model: Model) -> None:
    """Without ray, a sentence says what to install."""
    with pytest.raises(UsageError, match="karat\\[cluster\\]"):
        open_engine("ray", model)
