"""Which phenomena a pair holds: its own where it isolates one, those of its parts where it was taken apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from karat.data.decomposition import Phenomenon
from karat.data.pairs import Pairs
from karat.data.phenomena import KNOWN, category_name, place
from karat.engines.kernels.grammar import TAG_OF, Tag
from karat.engines.lexicon.wordnet import NO_WORDNET
from karat.engines.text.guessing import guess_kinds

ORIGINAL, PHENOMENON, CATEGORY = "original", "phenomenon", "category"
PHENOMENA, CATEGORIES = "phenomena", "categories"
"""The attributes of a pair that list what its parts hold."""
SEPARATOR = ";"
SPOKEN = {"active-passive": "active and passive voice", "causative": "a causative", "genitive": "a genitive"}
"""Phenomena that would be misread as they are called."""

Attributes = Mapping[str, Sequence[str | None]]


@cache
def named(spelled: str, category: str | None = None) -> Phenomenon:
    """The phenomenon that is spelled so; without a category where none fits."""
    placed = place(spelled, category or "")
    return Phenomenon(placed.name, placed.category)


def attributes_with_parts(pairs: Pairs) -> Attributes:
    """The attributes of pairs; those that others were made from list the phenomena and categories of their parts.

    What a file itself lists stays. Worked out over the whole set, since a pair and its parts may be answered apart.
    """
    given = pairs.attributes
    if ORIGINAL not in given or not (PHENOMENON in given or CATEGORY in given):
        return given
    none = (None,) * len(pairs)
    phenomena: dict[str, dict[str, None]] = {}
    categories: dict[str, dict[str, None]] = {}
    rows = zip(given[ORIGINAL], given.get(PHENOMENON) or none, given.get(CATEGORY) or none, strict=True)
    for original, spelled, category in rows:
        if original and spelled:
            phenomena.setdefault(original, {})[str(named(spelled, category))] = None
        if original and (found := category_of(spelled, category)):
            categories.setdefault(original, {})[found] = None
    made: dict[str, Sequence[str | None]] = dict(given)
    for name, parts in ((PHENOMENA, phenomena), (CATEGORIES, categories)):
        listed = zip(given.get(name) or none, pairs.ids, strict=True)
        made[name] = [own or SEPARATOR.join(parts.get(pair, ())) or None for own, pair in listed]
    return made


def category_of(spelled: str | None, category: str | None) -> str | None:
    """The category of a monothematic pair: the one that is said, or that of its phenomenon."""
    if category:
        return category_name(category)
    return named(spelled).category if spelled else None


def split_list(listed: str | None) -> list[str]:
    """The names in a list of them."""
    return [one.strip() for one in (listed or "").split(SEPARATOR) if one.strip()]


def spoken(name: str) -> str:
    """A phenomenon, category or other attribute, as it stands in a sentence: synonymy, but something lexical."""
    if name in SPOKEN:
        return SPOKEN[name]
    words = name.replace("-", " ") if name in KNOWN else name
    last = (words.replace("-", " ").split() or [name])[-1].lower()
    # By its ending alone: what is said must not depend on the dictionary that is found.
    adjective = TAG_OF[guess_kinds(last, last, NO_WORDNET)[0][0]] is Tag.ADJ
    return f"something {words}" if adjective else words
