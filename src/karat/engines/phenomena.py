"""Which phenomena a pair holds: its own where it isolates one, those of its parts where it was taken apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from karat.data.decomposition import Phenomenon
from karat.data.pairs import Pairs
from karat.data.phenomena import place

ORIGINAL, PHENOMENON, CATEGORY = "original", "phenomenon", "category"
PHENOMENA = "phenomena"
"""The attribute of a pair that lists the phenomena of its parts."""
SEPARATOR = ";"

Attributes = Mapping[str, Sequence[str | None]]


@cache
def named(spelled: str, category: str | None = None) -> Phenomenon:
    """The phenomenon that is spelled so; without a category where none fits."""
    placed = place(spelled, category or "")
    return Phenomenon(placed.name, placed.category)


def attributes_with_parts(pairs: Pairs) -> Attributes:
    """The attributes of pairs; where some were made from others, these list the phenomena of their parts.

    What a file itself lists stays. Worked out over the whole set, since a pair and its parts may be answered apart.
    """
    given = pairs.attributes
    if ORIGINAL not in given or PHENOMENON not in given:
        return given
    categories = given.get(CATEGORY) or (None,) * len(pairs)
    parts: dict[str, dict[str, None]] = {}
    for original, spelled, category in zip(given[ORIGINAL], given[PHENOMENON], categories, strict=True):
        if original and spelled:
            parts.setdefault(original, {})[str(named(spelled, category))] = None
    listed = given.get(PHENOMENA) or (None,) * len(pairs)
    made = [SEPARATOR.join(parts.get(name, ())) or None for name in pairs.ids]
    return {**given, PHENOMENA: [own or found for own, found in zip(listed, made, strict=True)]}


def listed_phenomena(listed: str | None) -> list[Phenomenon]:
    """The phenomena in a list of them."""
    return [named(one.strip()) for one in (listed or "").split(SEPARATOR) if one.strip()]
