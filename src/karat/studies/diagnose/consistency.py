"""Minimal pairs: are pairs that share a T right together, more often than their accuracy alone makes them?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from karat.data.decomposition import Decomposition
from karat.labels import Codes
from karat.statistics.wilson import wilson
from karat.studies.diagnose.rows import Consistency, Interval

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def consistencies(
    decomposition: Decomposition, names: tuple[str, ...], key: Codes, right: Floats, level: float
) -> list[Consistency]:
    """Of every run; nothing where no two pairs share a T."""
    units = np.flatnonzero(decomposition.mono)
    group = _groups(decomposition, units)
    sizes = np.bincount(group)
    shared = sizes[group] > 1
    units, group = units[shared], np.unique(group[shared], return_inverse=True)[1]
    if not len(units):
        return []
    sizes = np.bincount(group)
    mixed = _mixed(group, key[units], len(sizes))
    made = []
    for name, row in zip(names, right[:, units], strict=True):
        whole = np.bincount(group, row, minlength=len(sizes)) == sizes
        expected = expected_consistent(sizes, int(row.sum()))
        share, interval = _share(whole, level)
        mixed_share, mixed_interval = _share(whole[mixed], level)
        made.append(
            Consistency(
                run=name,
                groups=len(sizes),
                pairs=len(units),
                consistent=int(whole.sum()),
                share=share,
                interval=interval,
                expected=float(expected.mean()),
                mixed=int(mixed.sum()),
                mixed_share=mixed_share,
                mixed_interval=mixed_interval,
                mixed_expected=float(expected[mixed].mean()) if mixed.any() else float("nan"),
            )
        )
    return made


def _share(whole: NDArray[np.bool_], level: float) -> tuple[float, Interval]:
    """How many groups are right throughout, with Wilson's interval; undefined where there are none."""
    if not len(whole):
        return float("nan"), None
    low, high = wilson(whole.mean(), np.asarray(float(len(whole))), level)
    return float(whole.mean()), (float(low), float(high))


def _groups(decomposition: Decomposition, units: Ints) -> Ints:
    """The group of each unit: its original, or else its text; a unit without a text stands alone."""
    if (decomposition.original[units] >= 0).all():
        return np.asarray(np.unique(decomposition.original[units], return_inverse=True)[1])
    met: dict[str | int, int] = {}
    texts = decomposition.pairs.texts
    return np.array([met.setdefault(texts[unit] or unit, len(met)) for unit in units.tolist()], dtype=np.int64)


def _mixed(group: Ints, labels: Codes, groups: int) -> NDArray[np.bool_]:
    """Which groups hold more than one label."""
    least, most = np.full(groups, 127), np.full(groups, -1)
    np.minimum.at(least, group, labels)
    np.maximum.at(most, group, labels)
    return np.asarray(least != most)


def expected_consistent(sizes: Ints, right: int) -> Floats:
    """The chance of each group to be right throughout, were so many right answers scattered over all units."""
    units = int(sizes.sum())
    steps = np.arange(int(sizes.max()))
    # Drawn without replacement: the next unit of the group is right too, in (right - step) of (units - step) cases.
    chance = np.cumprod(np.clip(right - steps, 0, None) / np.maximum(units - steps, 1))
    return np.asarray(chance[sizes - 1], dtype=np.float64)
