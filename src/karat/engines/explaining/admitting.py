"""What an ENTAILMENT leaves open: the words of H that T has not, said after what T does say."""

from __future__ import annotations

from karat.engines.explaining.grammar import listed
from karat.engines.explaining.phrases import glued, phrase, verb_phrase
from karat.engines.explaining.quoting import Pair, Quotes, Range
from karat.engines.text.tags import Tag
from karat.engines.text.vocabulary import Flag

_THINGS = (Tag.NOUN, Tag.PROPN)


def without(pair: Pair, missing: list[int], quotes: Quotes) -> str:
    """What is missing, as the end of a sentence that begins with what T says: “without naming …”."""
    kind, named = _left(pair, missing, quotes)
    return {
        "name": f"without naming {named}",
        "full name": f"without naming {named} in full",
        "figure": f"without giving {named}",
        "thing": f"without mentioning {named}",
    }.get(kind, f"though not {named} in so many words")


def admitted(pair: Pair, missing: list[int], quotes: Quotes) -> str:
    """The same after “It does not”."""
    kind, named = _left(pair, missing, quotes)
    return {
        "name": f"name {named}",
        "full name": f"name {named} in full",
        "figure": f"give {named}",
        "thing": f"mention {named}",
    }.get(kind, f"say {named} in so many words")


def first_left(pair: Pair, missing: list[int]) -> Range:
    """The first thing to be said of what is missing: a verb with what belongs to it, or a phrase."""
    h = pair.h
    row = next((row for row in missing if h.tags[row] == Tag.VERB), missing[0])
    return less_than_h(pair, verb_phrase(h, row) if h.tags[row] == Tag.VERB else phrase(h, row), row)


def less_than_h(pair: Pair, run: Range, row: int) -> Range:
    """A run, or its one word where the run is all of H."""
    return run if run[1] - run[0] + 2 < len(pair.h) else glued(pair.h, (row, row))


def _left(pair: Pair, missing: list[int], quotes: Quotes) -> tuple[str, str]:
    """Of what kind the missing words are, and what is quoted for them."""
    h, first = pair.h, first_left(pair, missing)
    row = next(row for row in missing if first[0] <= row <= first[1])
    partly = any(one not in missing for one in pair.content if first[0] <= one <= first[1])
    if h.is_surely_name(row):
        return "full name" if partly else "name", quotes.h(first)
    if h.flags[row] & Flag.NUMBER:
        return "figure", quotes.h(first)
    if h.tags[row] not in _THINGS or partly:
        return "words", quotes.h(first)
    runs = [first]
    for other in missing:
        run = less_than_h(pair, phrase(h, other), other)
        if h.tags[other] in _THINGS and run[0] > runs[-1][1] and len(runs) == 1:
            runs.append(run)
    return "thing", listed([quotes.h(run) for run in runs], "or")
