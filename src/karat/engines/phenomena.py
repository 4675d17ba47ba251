"""Which phenomena a pair holds: its own where it isolates one, those of its parts where it was taken apart."""

from __future__ import annotations

from functools import cache

from karat.data.decomposition import Phenomenon
from karat.data.phenomena import KNOWN, category_name, place
from karat.engines.kernels.grammar import TAG_OF, Tag
from karat.engines.lexicon.wordnet import NO_WORDNET
from karat.engines.text.guessing import guess_kinds

ORIGINAL, PHENOMENON, CATEGORY = "original", "phenomenon", "category"
LISTED_PHENOMENA, LISTED_CATEGORIES = "phenomena", "categories"
"""The attributes of a pair that list what its parts hold."""
SEPARATOR = ";"
SPOKEN = {"active-passive": "active and passive voice", "causative": "a causative", "genitive": "a genitive"}
"""Phenomena that would be misread as they are called."""


@cache
def named(spelled: str, category: str | None = None) -> Phenomenon:
    """The phenomenon that is spelled so; without a category where none fits."""
    placed = place(spelled, category or "")
    return Phenomenon(placed.name, placed.category)


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
