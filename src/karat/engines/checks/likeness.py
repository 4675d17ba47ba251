"""Names that are the same though spelled otherwise: initials, a slip of spelling, a title or first name left out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

TITLES = frozenset(
    "mr mrs ms miss dr prof sir lord lady dame gov sen rep gen col capt lt sgt rev hon st jr sr inc corp co ltd plc "
    "llc gmbh ag sa nv vp president minister mister senator governor general king queen pope".split()
)
"""Words about a name that may be left out without its being another name."""
LINKS = frozenset("of and for the de la & ' 's in on".split())
"""Words between the words of a name that give no initial."""
_OTHERS = frozenset("north south east west new old upper lower great central".split())
"""Words without which a name is another."""
SHORT_NAME = 5
"""Shorter names than this are the same only if they are spelled so."""
APART = 0.13
"""Letters to change, over both lengths, up to which names count as one."""
MOST_INITIALS = 6


def find_alike(name: str, words: Sequence[str], known: bool = False) -> int:
    """The place in a text of the first word that is the same name as another text's; -1 if there is none.

    A name that is known to be spelled so, as those of a dictionary are, is no slip of another: Austria, Australia.
    """
    letters = initials(name)
    if letters:
        place = find_initials(letters, words)
        return place if place >= 0 else next((at for at, word in enumerate(words) if initials(word) == letters), -1)
    if known:
        return -1
    return next((place for place, word in enumerate(words) if word[:1] == name[:1] and alike(name, word)), -1)


def initials(form: str) -> str:
    """The letters of a word that stands for a longer name (U.S., NATO); empty where it is no such word."""
    letters = form.replace(".", "")
    return letters if 2 <= len(letters) <= MOST_INITIALS and letters.isalpha() and letters.isupper() else ""


def find_initials(letters: str, words: Sequence[str]) -> int:
    """The place in a text of the first word of a name with these initials; -1 if it has none such."""
    for first, word in enumerate(words):
        if word[:1] != letters[0] or initials(word):
            continue
        place, found = first, 0
        while place < len(words) and found < len(letters):
            if words[place][:1] == letters[found]:
                found += 1
            elif words[place] not in LINKS:
                break
            place += 1
        if found == len(letters):
            return first
    return -1


def find_rest(name: Sequence[str], at: int, words: Sequence[str], last: int, tells: bool) -> int:
    """The place in a text of what stands for a whole name, one word of which it lacks; -1 if there is none.

    The name's initials (United States: U.S.), or its last word (at `last` in the text) where that stands alone (Tom
    Cruise: Cruise). A word that `tells` which is meant, as an adjective does, cannot be left out: Korea, North Korea.
    """
    letters = "".join(word[0] for word in name)
    short = next((place for place, word in enumerate(words) if initials(word) == letters), -1)
    if short >= 0 or last < 0 or at == len(name) - 1 or tells or name[at].lower() in _OTHERS:
        return short
    # John Smith is not Mary Smith, but Mrs Smith may be.
    before = words[last - 1] if last else ""
    alone = not before[:1].isupper() or before.lower().removesuffix(".") in TITLES
    return last if alone and words[last] == name[-1] else -1


@lru_cache(maxsize=1 << 16)
def alike(one: str, other: str) -> bool:
    """Whether two names are most likely one: they differ by a slip, as Barak and Barack."""
    if min(len(one), len(other)) < SHORT_NAME or abs(len(one) - len(other)) > 2 or one[0] != other[0]:
        return False
    return _edits(one.lower(), other.lower()) <= APART * (len(one) + len(other))


def _edits(one: str, other: str) -> int:
    line = list(range(len(other) + 1))
    for row, letter in enumerate(one, start=1):
        diagonal, line[0] = line[0], row
        for column, against in enumerate(other, start=1):
            diagonal, line[column] = (
                line[column],
                min(line[column] + 1, line[column - 1] + 1, diagonal + (letter != against)),
            )
    return line[-1]
