"""Groups of pairs, and the right answers of runs on them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from karat.arrays import Bools, Floats, Ints
from karat.data.decomposition import Decomposition
from karat.kernels.counting import divide
from karat.labels import Codes, Way
from karat.statistics.intervals import wilson
from karat.studies.diagnose.rows import Share, SliceAccuracy

POSITIVE, NEGATIVE = "positive", "negative"
SIDES = 3
"""The number of sides of a group: all pairs, positive pairs, negative pairs."""


@dataclass(frozen=True, eq=False)
class Groups:
    """Groups by name, with their monothematic pairs (groups, units) and originals (groups, originals).

    All pairs come first, then categories, phenomena and judgments.
    """

    names: tuple[str, ...]
    mono: Bools
    originals: Bools
    categories: slice
    phenomena: slice
    judgments: slice

    def sided(self, key: Codes, places: np.ndarray) -> tuple[Bools, Bools]:
        """Every group (sides, groups, …) as a whole, its positive pairs and its negative pairs."""
        mono, originals = (
            np.stack([chosen, chosen & (labels == 0), chosen & (labels > 0)])
            for chosen, labels in ((self.mono, key), (self.originals, key[places]))
        )
        return mono, originals


def make_groups(decomposition: Decomposition, key: Codes, way: Way) -> Groups:
    """All groups of a decomposition, with labels folded to `way`."""
    mono, places = decomposition.mono, decomposition.originals

    def section(names: Iterable[object], holds: Bools) -> list[tuple[str, Bools, Bools]]:
        rows = zip(names, holds, strict=True)
        return [(str(name), chosen & mono, decomposition.originals_of(chosen)) for name, chosen in rows]

    sections = [
        [("all", mono, np.ones(len(places), dtype=bool))],
        section(decomposition.categories, decomposition.in_category),
        section(decomposition.phenomena, decomposition.holds),
        [
            (name, mono & np.isin(key, codes), np.isin(key[places], codes))
            for name, codes in _judgments(key[mono], way).items()
        ],
    ]
    ends = np.cumsum([len(section) for section in sections]).tolist()
    rows = [row for section in sections for row in section]
    return Groups(
        names=tuple(name for name, _, _ in rows),
        mono=np.stack([chosen for _, chosen, _ in rows]),
        originals=np.stack([chosen for _, _, chosen in rows]),
        categories=slice(ends[0], ends[1]),
        phenomena=slice(ends[1], ends[2]),
        judgments=slice(ends[2], ends[3]),
    )


def _judgments(labels: Codes, way: Way) -> dict[str, list[int]]:
    """Positive and negative, and each negative label if there are several."""
    negative = [code for code in range(1, len(way.labels)) if (labels == code).any()]
    each = {way.labels[code]: [code] for code in negative} if len(negative) > 1 else {}
    return {POSITIVE: [0], NEGATIVE: list(range(1, len(way.labels))), **each}


def texts_of(decomposition: Decomposition, units: Ints) -> Ints:
    """The number of each unit's text: that of its original, or its own; a unit without a text is its own cluster."""
    if (decomposition.original[units] >= 0).all():
        return np.asarray(np.unique(decomposition.original[units], return_inverse=True)[1])
    met: dict[str | int, int] = {}
    texts = decomposition.pairs.texts
    return np.array([met.setdefault(texts[unit] or unit, len(met)) for unit in units.tolist()], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Tally:
    """The right answers of runs on groups (runs, …) out of n (…), with the (weighted) accuracy and its interval."""

    right: Floats
    n: Floats
    accuracy: Floats
    low: Floats
    high: Floats

    @classmethod
    def of(cls, right: Floats, chosen: Bools, level: float, weights: Floats | None = None) -> Tally:
        """From right answers (runs, units) and groups (…, units).

        With weights the interval uses the effective number of pairs, (Σw)² / Σw².
        """
        shape = chosen.shape[:-1]
        masks = chosen.reshape(math.prod(shape), chosen.shape[-1]).astype(np.float64)
        weight = np.ones(right.shape[1]) if weights is None else weights
        total, squares = masks @ weight, masks @ weight**2
        accuracy = divide((right * weight) @ masks.T, np.broadcast_to(total, (len(right), len(total))))
        low, high = wilson(accuracy, np.broadcast_to(divide(total**2, squares), accuracy.shape), level)
        return cls(
            right=(right @ masks.T).reshape(len(right), *shape),
            n=masks.sum(axis=1).reshape(shape),
            accuracy=accuracy.reshape(len(right), *shape),
            low=np.asarray(low).reshape(len(right), *shape),
            high=np.asarray(high).reshape(len(right), *shape),
        )

    def share(self, run: int, *group: int) -> Share:
        """One run on one group."""
        low, high = float(self.low[run][group]), float(self.high[run][group])
        return Share(
            accuracy=float(self.accuracy[run][group]),
            interval=None if low != low else (low, high),
            n=round(float(self.n[group])),
            right=round(float(self.right[run][group])),
        )

    def cell(self, run: int, *group: int, small: int) -> SliceAccuracy:
        """The same, marked if it has fewer pairs than `small`."""
        share = self.share(run, *group)
        return SliceAccuracy(**vars(share), small=share.n < small)
