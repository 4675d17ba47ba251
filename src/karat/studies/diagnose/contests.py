"""Every two runs on every phenomenon or category, by exact tests, corrected for the number of slices."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from karat.data.decomposition import Mask
from karat.statistics.corrections import corrected
from karat.statistics.mcnemar import mcnemar
from karat.studies.diagnose.parameters import DiagnoseParameters
from karat.studies.diagnose.rows import Contest

Floats = NDArray[np.float64]


def contests(
    names: Sequence[str], slices: Mask, runs: tuple[str, ...], right: Floats, asked: DiagnoseParameters
) -> list[Contest]:
    """Slice by slice (slices, units); the slices of every two runs are one family for the correction."""
    filled = np.asarray(slices.any(axis=1))
    names, masks = [name for name, kept in zip(names, filled, strict=True) if kept], slices[filled].astype(np.float64)
    first, second = np.triu_indices(len(runs), 1)
    if not len(first) or not names:
        return []
    won = np.stack([_wins(right, row) for row in masks])  # (slices, runs, runs)
    only_a, only_b = won[:, first, second], won[:, second, first]
    p = mcnemar(only_a, only_b)
    after = np.stack([corrected(column, asked.correction) for column in p.T], axis=1)
    sizes = masks.sum(axis=1)
    return [
        Contest(
            name=name,
            a=runs[first[pair]],
            b=runs[second[pair]],
            n=round(float(sizes[row])),
            difference=float((only_a[row, pair] - only_b[row, pair]) / sizes[row]),
            only_a=int(only_a[row, pair]),
            only_b=int(only_b[row, pair]),
            p=float(p[row, pair]),
            p_corrected=float(after[row, pair]),
            different=bool(after[row, pair] <= 1 - asked.interval + 1e-12),
        )
        for row, name in enumerate(names)
        for pair in range(len(first))
    ]


def _wins(right: Floats, within: Floats) -> NDArray[np.int64]:
    """On how many units of a slice one run is right and the other wrong (runs, runs)."""
    return np.rint((right * within) @ (1 - right).T).astype(np.int64)
