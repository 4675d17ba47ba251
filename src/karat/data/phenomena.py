"""The linguistic phenomena that monothematic pairs isolate, and their five categories.

The list of Cabrio and Magnini (2010), with phenomena listed under the categories they are used in: an apposition may
be a matter of syntax, of discourse or of reasoning. Test sets may use other phenomena, if they name the category.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass

CATEGORIES = ("lexical", "lexical-syntactic", "syntactic", "discourse", "reasoning")
CATEGORY_ABBREVIATIONS = {
    "lex": "lexical",
    "lexsynt": "lexical-syntactic",
    "lex-synt": "lexical-syntactic",
    "lexical_syntactic": "lexical-syntactic",
    "synt": "syntactic",
    "disc": "discourse",
    "reas": "reasoning",
}
"""Abbreviations of categories in papers and files."""
PHENOMENA: dict[str, tuple[str, ...]] = {
    "lexical": (
        *("identity", "format", "acronymy", "demonymy", "synonymy"),
        *("semantic-opposition", "hypernymy", "geographical-knowledge"),
    ),
    "lexical-syntactic": ("transparent-head", "nominalization", "causative", "paraphrase"),
    "syntactic": (
        *("negation", "modifier", "argument-realization", "apposition"),
        *("list", "coordination", "active-passive"),
    ),
    "discourse": ("coreference", "apposition", "anaphora-zero", "ellipsis", "statements"),
    "reasoning": (
        *("apposition", "modifier", "genitive", "relative-clause", "elliptic-expression", "meronymy"),
        *("metonymy", "membership", "quantity", "spatial", "general-inference"),
    ),
}


PHENOMENON_ABBREVIATIONS = {
    "semantic-opp": "semantic-opposition",
    "geo-knowledge": "geographical-knowledge",
    "transp-head": "transparent-head",
    "verb-nom": "nominalization",
    "verb-nominalization": "nominalization",
    "arg-realization": "argument-realization",
    "actpass-altern": "active-passive",
    "active-passive-alternation": "active-passive",
    "elliptic-expr": "elliptic-expression",
    "representat": "membership",
    "representativeness": "membership",
    "gen-inference": "general-inference",
}
"""Abbreviations of phenomena in the paper's tables; what it calls `representat.` is membership in a group."""
KNOWN = frozenset(name for names in PHENOMENA.values() for name in names)
SLIP_SIMILARITY = 0.8
"""An unknown name this similar to a known one is a slip and not a new phenomenon."""


def category_name(spelled: str) -> str:
    """The canonical name of a category; unknown ones are unchanged."""
    plain = spelled.strip().casefold()
    named = CATEGORY_ABBREVIATIONS.get(plain, plain)
    return named if named in CATEGORIES else spelled.strip()


def phenomenon_name(spelled: str) -> str:
    """The canonical name of a phenomenon, whatever its case, blanks and abbreviation; unknown ones are unchanged."""
    plain = "-".join(spelled.casefold().replace("_", " ").split()).rstrip(".")
    named = PHENOMENON_ABBREVIATIONS.get(plain, plain)
    return named if named in KNOWN else spelled.strip()


def split_name(spelled: str) -> tuple[str | None, str]:
    """Category and phenomenon of a name like `syntactic:apposition`; the category is None if not given."""
    category, colon, phenomenon = spelled.partition(":")
    if not colon or not category.strip() or not phenomenon.strip():
        return None, phenomenon_name(spelled)
    return category_name(category), phenomenon_name(phenomenon)


def categories_of(phenomenon: str) -> tuple[str, ...]:
    """The categories of a known phenomenon; none for an unknown one."""
    return tuple(category for category, names in PHENOMENA.items() if phenomenon in names)


@dataclass(frozen=True)
class Placed:
    """A phenomenon and its category; or, if they do not fit, what was found and what was expected."""

    name: str
    category: str | None
    found: str = ""
    expected: str = ""


def place(spelled: str, given: str = "") -> Placed:
    """The phenomenon of this spelling, in the category given, in its prefix, or known."""
    prefix, name = split_name(spelled)
    category = category_name(given) if given else prefix
    fitting = categories_of(name)
    if prefix is not None and category != prefix:
        found = f"has the category {given!r} and the phenomenon {spelled!r}"
        return Placed(name, None, found, f"one category: {prefix} as in {spelled}, or {category}")
    if category is None and len(fitting) == 1:
        category = fitting[0]
    if category is None:
        near = nearest(name)
        slip = f"; did you mean {near!r}?" if near else ""
        why = "which may be in several categories" if fitting else f"which is not a known phenomenon{slip}"
        expected = f"one of {', '.join(fitting or CATEGORIES)} as its category"
        return Placed(name, None, f"isolates {name!r}, {why}", expected)
    if fitting and category not in fitting:
        found = f"has {name!r} in the category {category!r}"
        return Placed(name, None, found, f"{' or '.join(fitting)}, which {name} belongs to")
    return Placed(name, category)


def nearest(name: str) -> str | None:
    """The known phenomenon most similar to an unknown name, if any."""
    if name in KNOWN:
        return None
    plain = "-".join(name.casefold().replace("_", " ").split())
    return next(iter(difflib.get_close_matches(plain, sorted(KNOWN), n=1, cutoff=SLIP_SIMILARITY)), None)
