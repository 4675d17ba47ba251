"""`python -m tests.engines.kernels.recording FILE`: engines run without numba, and what their kernels did, pickled."""

from __future__ import annotations

import os
import pickle
import sys
import tempfile
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import numpy as np

from karat.kernels import compiled

KEPT = 12
"""Calls of a function that are kept."""
DISTANCES = "token lemma tree".split()
ENGINES = (
    "overlap",
    "linguistic",
    "aligner",
    "edit-distance",
    "edit-distance(distance=token, dictionary=boolean)",
    *(f"edit-distance(distance={distance})" for distance in DISTANCES),
)
calls: dict[tuple[str, str], list[tuple[tuple[Any, ...], tuple[Any, ...], Any]]] = {}


def recorded(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, with its first calls kept."""
    kept = calls.setdefault((function.__module__.rsplit(".", 1)[-1], function.__name__), [])

    @wraps(function)
    def call(*given: Any) -> Any:
        if len(kept) >= KEPT:
            return function(*given)
        before = _copy(given)
        place = len(kept)
        kept.append((before, before, None))
        made = function(*given)
        kept[place] = before, _copy(given), _copy(made)
        return made

    return call


def _copy(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, tuple):
        parts = [_copy(part) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value


def run(folder: Path) -> None:
    """The engines on a few pairs, with a small dictionary."""
    os.environ["WORDNET_DIR"] = str(write_small(folder))
    os.environ["KARAT_CACHE"] = str(folder)
    pairs, knowledge = labelled([*rows], THREE), load_knowledge()
    for name in ENGINES:
        model = fit(name, pairs, THREE, knowledge=knowledge)
        for chunk in chunks_of(pairs, 8):
            Answerer(model, False, knowledge).answer(chunk)


if __name__ == "__main__":
    assert not compiled.COMPILES
    compiled.compiled = recorded
    from karat import read_pairs
    from karat.engines.answering import Answerer
    from karat.engines.batch import chunks_of
    from karat.engines.knowledge import load_knowledge
    from karat.engines.model import fit
    from karat.examples import HERE
    from karat.labels import THREE
    from tests.engines.labelled import labelled
    from tests.engines.lexicon.dictionaries import write_small
    from tests.engines.text.test_chunker import SENTENCES

    examples = read_pairs(HERE / "pairs.xml")
    texts = [*examples.texts[:20], *SENTENCES, "The dog slept, and the water was hot.", "The buyer, Smith, paid $500."]
    hypotheses = [
        *examples.hypotheses[:20],
        *reversed(SENTENCES),
        "The beast slept in cold water.",
        "Jones is the buyer.",
    ]
    rows = zip(texts, hypotheses, "EUC" * len(texts), strict=False)
    with tempfile.TemporaryDirectory() as made:
        run(Path(made))
    Path(sys.argv[1]).write_bytes(pickle.dumps(calls))
