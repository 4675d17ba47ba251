"""The groups of monothematic pairs, and of originals, that the rows of a diagnosis are about."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from karat.arrays import Bools, Ints
from karat.data.decomposition import Decomposition
from karat.labels import Codes, Way

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


def constant_names(way: Way) -> tuple[str, ...]:
    """The names of the systems that give one answer to every pair, as in `score`."""
    return tuple(f"always-{label.lower().replace('_', '-').replace(' ', '-')}" for label in way.labels)
