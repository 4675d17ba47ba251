"""What is said where anything longer would repeat the whole of T or of H: one word of each."""

from __future__ import annotations

from karat.engines.explaining.phrases import glued
from karat.engines.explaining.quoting import Pair, Quotes, Words
from karat.labels import CONTRADICTION, ENTAILMENT


def say_briefly(pair: Pair, label: str, quotes: Quotes) -> str:
    """A sentence with no more than a word of T and a word of H."""
    if label == ENTAILMENT and pair.covered:
        return f"The text as a whole speaks of {quotes.h(glued(pair.h, (pair.covered[-1],) * 2))}"
    h = quotes.h(glued(pair.h, (pair.content[-1],) * 2))
    if label == ENTAILMENT:
        return f"No one place in the text says {h}; it is taken as a whole"
    if label == CONTRADICTION:
        place = _telling(pair.t)
        return f"What the text says of {quotes.t(glued(pair.t, (place, place)))} does not go together with {h}"
    return f"The text does not say this of {h}"


def _telling(words: Words) -> int:
    """The first word that says something, or the first at all."""
    return next((place for place in range(len(words)) if words.says_something(place)), 0)
