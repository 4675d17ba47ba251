"""The linguistic phenomena that monothematic pairs isolate, and the five categories they fall into.

The list of Cabrio and Magnini (2010), whose fine-grained phenomena stand under the category they are used in: an
apposition may be a matter of syntax, of discourse or of reasoning. Test sets may name others; then they say the
category themselves.
"""

from __future__ import annotations

CATEGORIES = ("lexical", "lexical-syntactic", "syntactic", "discourse", "reasoning")
SHORT = {
    "lex": "lexical",
    "lexsynt": "lexical-syntactic",
    "lex-synt": "lexical-syntactic",
    "lexical_syntactic": "lexical-syntactic",
    "synt": "syntactic",
    "disc": "discourse",
    "reas": "reasoning",
}
"""How papers and files abbreviate the categories."""
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


ABBREVIATED = {
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
"""How the paper's tables abbreviate phenomena; what it calls `representat.` is membership in a group."""
KNOWN = frozenset(name for names in PHENOMENA.values() for name in names)


def category_name(spelled: str) -> str:
    """A category as it is called here; one that is not known stays as it is."""
    plain = spelled.strip().casefold()
    named = SHORT.get(plain, plain)
    return named if named in CATEGORIES else spelled.strip()


def phenomenon_name(spelled: str) -> str:
    """A phenomenon as it is called here, whatever its case, blanks and abbreviation; others stay as they are."""
    plain = "-".join(spelled.casefold().replace("_", " ").split()).rstrip(".")
    named = ABBREVIATED.get(plain, plain)
    return named if named in KNOWN else spelled.strip()


def split_name(spelled: str) -> tuple[str | None, str]:
    """Category and phenomenon of a name like `syntactic:apposition`; the category is None where it is not said."""
    category, colon, phenomenon = spelled.partition(":")
    if not colon or not category.strip() or not phenomenon.strip():
        return None, phenomenon_name(spelled)
    return category_name(category), phenomenon_name(phenomenon)


def categories_of(phenomenon: str) -> tuple[str, ...]:
    """The categories that a phenomenon is known in; none where nobody knows it."""
    return tuple(category for category, names in PHENOMENA.items() if phenomenon in names)
