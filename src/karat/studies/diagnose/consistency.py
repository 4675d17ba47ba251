"""Minimal pairs: whether pairs that share a T are right together as often as the accuracies predict."""

from __future__ import annotations

import numpy as np

from karat.arrays import NAN, Bools, Floats, Ints
from karat.data.decomposition import Decomposition
from karat.labels import Codes
from karat.statistics.intervals import wilson
from karat.statistics.multiple_testing import corrected
from karat.statistics.scattering import Stratum, tails
from karat.studies.diagnose.groups import texts_of
from karat.studies.diagnose.parameters import DiagnoseParameters
from karat.studies.diagnose.rows import Consistency, IntervalOrNone


def consistencies(
    decomposition: Decomposition, names: tuple[str, ...], key: Codes, right: Floats, asked: DiagnoseParameters
) -> list[Consistency]:
    """One row per run; empty if no two pairs share a T."""
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


def _share(whole: Bools, level: float) -> tuple[float, IntervalOrNone]:
    """The share of groups that are right throughout, with Wilson's interval; undefined if there are no groups."""
    if not len(whole):
        return NAN, None
    low, high = wilson(whole.mean(), np.asarray(float(len(whole))), level)
    return float(whole.mean()), (float(low), float(high))


def by_label(group: Ints, labels: Codes, counted: Floats | None = None) -> Ints:
    """The number of units, or the sum of `counted`, by group and label (groups, labels)."""
    size = int(labels.max()) + 1
    cells = np.bincount(group * size + labels, counted, minlength=(int(group.max()) + 1) * size)
    return np.rint(cells).astype(np.int64).reshape(-1, size)


def right_by_label(counts: Ints, right: Ints) -> list[Stratum]:
    """For groups with the same labels: how many there are, and how many are right on all pairs of each label.

    If right answers on one label are independent of those on another, the groups that are right on each are spread at
    random within a stratum. Sizes are not mixed in a stratum, since large groups are seldom right throughout.
    """
    kinds, kind = np.unique(counts, axis=0, return_inverse=True)
    kind = kind.reshape(-1)
    whole = right == counts
    return [
        (int((kind == at).sum()), whole[kind == at][:, held > 0].sum(axis=0).tolist()) for at, held in enumerate(kinds)
    ]


def expected_together(strata: list[Stratum]) -> float:
    """The expected number of groups right throughout if right answers on different labels are independent."""
    return float(sum(number * np.prod([size / number for size in sizes]) for number, sizes in strata))


def expected_consistent(sizes: Ints, right: int) -> Floats:
    """The probability of each group to be right throughout if the right answers are spread at random over all units."""
    units = int(sizes.sum())
    steps = np.arange(int(sizes.max()))
    # Without replacement, the next unit of the group is right with probability (right - step) / (units - step).
    chance = np.cumprod(np.clip(right - steps, 0, None) / np.maximum(units - steps, 1))
    return np.asarray(chance[sizes - 1], dtype=np.float64)
