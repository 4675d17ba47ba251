"""Minimal pairs: are pairs that share a T right together, more or less often than their accuracies make them?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from karat.arrays import NAN, Floats, Ints
from karat.data.decomposition import Decomposition
from karat.labels import Codes
from karat.statistics.corrections import corrected
from karat.statistics.scattering import Stratum, tails
from karat.statistics.wilson import wilson
from karat.studies.diagnose.groups import texts_of
from karat.studies.diagnose.parameters import DiagnoseParameters
from karat.studies.diagnose.rows import Consistency, Interval


def consistencies(
    decomposition: Decomposition, names: tuple[str, ...], key: Codes, right: Floats, asked: DiagnoseParameters
) -> list[Consistency]:
    """Of every run; nothing where no two pairs share a T."""
    units = np.flatnonzero(decomposition.mono)
    group = texts_of(decomposition, units)
    shared = np.bincount(group)[group] > 1
    units, group = units[shared], np.unique(group[shared], return_inverse=True)[1]
    if not len(units):
        return []
    sizes, counts = np.bincount(group), by_label(group, key[units])
    mixed = (counts > 0).sum(axis=1) > 1
    rows = [by_label(group, key[units], row) for row in right[:, units]]
    wholes = [(row == counts).all(axis=1) for row in rows]
    strata = [right_by_label(counts[mixed], row[mixed]) for row in rows]
    p = np.full(len(names), NAN)
    if mixed.any():
        p[:] = [tails(each, int(whole[mixed].sum()))[0] for each, whole in zip(strata, wholes, strict=True)]
    after = corrected(p, asked.correction)
    made = []
    for at, (name, row, whole) in enumerate(zip(names, rows, wholes, strict=True)):
        share, interval = _share(whole, asked.interval)
        mixed_share, mixed_interval = _share(whole[mixed], asked.interval)
        made.append(
            Consistency(
                run=name,
                groups=len(sizes),
                pairs=len(units),
                consistent=int(whole.sum()),
                share=share,
                interval=interval,
                expected=float(expected_consistent(sizes, int(row.sum())).mean()),
                mixed=int(mixed.sum()),
                mixed_share=mixed_share,
                mixed_interval=mixed_interval,
                mixed_expected=expected_together(strata[at]) / int(mixed.sum()) if mixed.any() else NAN,
                p=float(p[at]),
                p_corrected=float(after[at]),
                traded=bool(after[at] <= asked.alpha) if mixed.any() else None,
            )
        )
    return made


def _share(whole: NDArray[np.bool_], level: float) -> tuple[float, Interval]:
    """How many groups are right throughout, with Wilson's interval; undefined where there are none."""
    if not len(whole):
        return NAN, None
    low, high = wilson(whole.mean(), np.asarray(float(len(whole))), level)
    return float(whole.mean()), (float(low), float(high))


def by_label(group: Ints, labels: Codes, counted: Floats | None = None) -> Ints:
    """How many units, or how many that count, each group has of each label (groups, labels)."""
    size = int(labels.max()) + 1
    cells = np.bincount(group * size + labels, counted, minlength=(int(group.max()) + 1) * size)
    return np.rint(cells).astype(np.int64).reshape(-1, size)


def right_by_label(counts: Ints, right: Ints) -> list[Stratum]:
    """Groups of the same labels together: how many there are, and how many are right on all pairs of each label.

    Were being right on one label independent of being right on another, the groups that are right on each would be
    scattered over these. Groups of other sizes are not mixed in: large ones are seldom right throughout.
    """
    kinds, kind = np.unique(counts, axis=0, return_inverse=True)
    kind = kind.reshape(-1)
    whole = right == counts
    made = []
    for at, held in enumerate(kinds):
        here = kind == at
        made.append((int(here.sum()), whole[here][:, held > 0].sum(axis=0).tolist()))
    return made


def expected_together(strata: list[Stratum]) -> float:
    """How many groups would be right throughout, were right answers to one label independent of those to another."""
    return float(sum(number * np.prod([size / number for size in sizes]) for number, sizes in strata))


def expected_consistent(sizes: Ints, right: int) -> Floats:
    """The chance of each group to be right throughout, were so many right answers scattered over all units."""
    units = int(sizes.sum())
    steps = np.arange(int(sizes.max()))
    # Drawn without replacement: the next unit of the group is right too, in (right - step) of (units - step) cases.
    chance = np.cumprod(np.clip(right - steps, 0, None) / np.maximum(units - steps, 1))
    return np.asarray(chance[sizes - 1], dtype=np.float64)
