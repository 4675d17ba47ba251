"""Data made up from a fixed seed: a key, runs that are right more often than chance, and their files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from karat.data.pairs import Pairs
from karat.data.provenance import Source
from karat.labels import THREE

SEED = 20090806
Codes = NDArray[np.int8]


def key_codes(pairs: int) -> Codes:
    """A three-way key of uneven labels."""
    return np.random.default_rng(SEED).choice(3, size=pairs, p=[0.5, 0.35, 0.15]).astype(np.int8)


def run_codes(key: Codes, runs: int) -> Codes:
    """Runs that give the key's label to between 40 and 90 pairs in a hundred, and any label to the others."""
    random = np.random.default_rng(SEED + 1)
    right = random.random((runs, len(key))) < np.linspace(0.4, 0.9, runs)[:, None]
    return np.where(right, key, random.integers(0, 3, size=right.shape)).astype(np.int8)


def pairs_of(key: Codes) -> Pairs:
    """A test set with this key, as if it had been read."""
    ids = tuple(f"p{number}" for number in range(1, len(key) + 1))
    texts = tuple(f"Somebody counted {number} sheep." for number in range(len(key)))
    hypotheses = tuple(f"There were {number} sheep." for number in range(len(key)))
    return Pairs(ids, texts, hypotheses, key, THREE, Source("synthetic", f"seed {SEED}"))


def write_runs(folder: Path, ids: Sequence[str], runs: Codes) -> list[Path]:
    """A file a run of lines `id<TAB>LABEL`, each in an order of its own."""
    folder.mkdir(exist_ok=True)
    paths = []
    for number, codes in enumerate(runs):
        order = np.random.default_rng([SEED, 2, number]).permutation(len(ids)).tolist()
        lines = (f"{ids[place]}\t{THREE.labels[codes[place]]}\n" for place in order)
        paths.append(folder / f"run{number:03}.tsv")
        paths[-1].write_text("".join(lines), encoding="utf-8")
    return paths
