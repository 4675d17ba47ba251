"""Small English grammar for sentences that are put together: articles, lists, capitals."""

from __future__ import annotations

import re
from collections.abc import Sequence

_SPOKEN_WITH_VOWEL = frozenset("AEFHILMNORSX")
_LIKE_YOU = re.compile(r"(eu|ewe|uni(?!n|m)|us[aeu]|ut[ei]|one\b|once|ubi|ura|ufo)")
_SILENT_H = re.compile(r"(hour|honest|hono|heir)")
_EIGHT = re.compile(r"(8|11(?!\d)|18(?!\d))")
_CAPITALS = 2


def article(word: str) -> str:
    """A or an, as the word is spoken."""
    if word[:1].isdigit():
        return "an" if _EIGHT.match(word) else "a"
    letters = word.replace(".", "")
    if len(letters) >= _CAPITALS and letters.isupper():
        return "an" if letters[0] in _SPOKEN_WITH_VOWEL else "a"
    lower = word.lower()
    if _SILENT_H.match(lower):
        return "an"
    return "an" if lower[:1] in tuple("aeiou") and not _LIKE_YOU.match(lower) else "a"


def with_article(word: str) -> str:
    """A word after a or an."""
    return f"{article(word)} {word}"


def listed(parts: Sequence[str], conjunction: str = "and") -> str:
    """Parts as English lists them: A, B and C."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {conjunction} {parts[-1]}"


def sentence(text: str) -> str:
    """A capital at the beginning, one full stop at the end."""
    begun = text[:1].upper() + text[1:]
    return begun if begun.endswith(".") else begun + "."
