"""Folds for cross-validation: every class spread evenly, and pairs that belong together kept together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Floats, Ints
from karat.data.parameters import generator


def stratified(
    codes: NDArray[np.integer], count: int, seed: int = 0, groups: Sequence[str] | Sequence[int] | None = None
) -> Ints:
    """The fold (0 to count − 1) of each pair, with each class and the sizes of folds as even as can be.

    Pairs of one group, such as those about the same text, all go to one fold.
    """
    if not 2 <= count <= max(2, len(codes)):
        raise ValueError(
            f"{count} folds of {len(codes)} pairs: the number of folds must be from 2 to that of the pairs"
        )
    random = generator(seed, "folds", count)
    if groups is None:
        shuffled = random.permutation(len(codes))
        by_class = shuffled[np.argsort(codes[shuffled], kind="stable")]
        # Dealt out in turn, class after class without starting anew, so that sizes too differ by one at most.
        folds = np.empty(len(codes), dtype=np.int64)
        folds[by_class] = np.arange(len(codes)) % count
        return folds
    group = numbered(groups)
    return _spread(codes, group, count, random)[group]


FEWEST_SEEN = 5
"""Rows that must be left to learn from when a fold is taken out."""


def grouped(codes: NDArray[np.integer], groups: Ints, count: int, seed: int = 0) -> Ints:
    """Folds that keep groups together, or, if too few rows were left beside the largest group, folds of single rows."""
    names, sizes = np.unique(groups, return_counts=True)
    if len(codes) - sizes.max(initial=0) < FEWEST_SEEN:
        return stratified(codes, min(count, max(2, len(codes))), seed)
    return stratified(codes, min(count, len(names)), seed, groups.tolist())


def numbered(names: Iterable[Any]) -> Ints:
    """The place of each name among the different ones, sorted."""
    given = list(names)  # no array of texts: each would be as wide as the longest, and lose NULs at its end
    places = {name: place for place, name in enumerate(sorted(set(given)))}
    return np.array([places[name] for name in given], dtype=np.int64)


def _spread(codes: NDArray[np.integer], group: Ints, count: int, random: np.random.Generator) -> Ints:
    """The fold of each group: the largest first, each to where classes and sizes then are most even."""
    _, label = np.unique(codes, return_inverse=True)
    tallies = np.zeros((group.max(initial=-1) + 1, label.max(initial=-1) + 1))
    np.add.at(tallies, (group, label), 1.0)
    sizes = tallies.sum(axis=1)
    shuffled = random.permutation(len(tallies))
    filled = np.zeros((count, tallies.shape[1]))
    folds = np.zeros(len(tallies), dtype=np.int64)
    for place in shuffled[np.argsort(-sizes[shuffled], kind="stable")].tolist():
        # By how much the squared counts would grow; then the smallest fold.
        fold = int(np.lexsort((filled.sum(axis=1), filled @ tallies[place]))[0])
        folds[place] = fold
        filled[fold] += tallies[place]
    return folds


def out_of_fold(folds: Ints, learn: Callable[[Ints, Ints], Floats]) -> Floats:
    """What is foretold of each pair by a model that never saw its fold; `learn(seen, unseen)` foretells the unseen."""
    foretold = np.full(len(folds), np.nan)
    for fold in np.unique(folds).tolist():
        unseen = np.flatnonzero(folds == fold)
        foretold[unseen] = learn(np.flatnonzero(folds != fold), unseen)
    return foretold


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
