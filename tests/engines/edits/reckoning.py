"""Distances of pairs written by tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from karat.engines.batch import Batch
from karat.engines.edits.distances import Compared, compare, distances
from karat.engines.edits.settings import Preset, Scheme, Spelled, settings
from karat.engines.knowledge import Knowledge
from karat.engines.rarity import Rarity
from tests.engines.labelled import bare_knowledge


def compared(
    pairs: Sequence[tuple[str, str]],
    given: Mapping[str, Spelled] = MappingProxyType({}),
    *,
    preset: Preset = "faithful",
    rarity: Rarity | None = None,
    knowledge: Knowledge | None = None,
) -> Compared:
    """The words of pairs (T, H) compared."""
    known = knowledge or bare_knowledge()
    chosen = settings(preset, given)
    ids = [str(place) for place in range(len(pairs))]
    batch = Batch(known, ids, [text for text, _ in pairs], [hypothesis for _, hypothesis in pairs])
    if rarity is None and "IDF" in chosen.weights:
        rarity = Rarity(10, {})
    return compare(batch, chosen, Scheme(chosen.weights), rarity)


def reckoned(
    pairs: Sequence[tuple[str, str]],
    given: Mapping[str, Spelled] = MappingProxyType({}),
    *,
    preset: Preset = "faithful",
    rarity: Rarity | None = None,
    knowledge: Knowledge | None = None,
) -> list[float]:
    """The distances of pairs (T, H)."""
    return distances(compared(pairs, given, preset=preset, rarity=rarity, knowledge=knowledge)).tolist()
