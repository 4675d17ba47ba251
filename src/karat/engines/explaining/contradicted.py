"""Why T speaks against H: the two expressions that cannot both be true."""

from __future__ import annotations

from karat.engines.explaining.phrases import phrase, verb_phrase
from karat.engines.explaining.quoting import Pair, Quotes, Range
from karat.engines.explaining.stretches import best_stretch, less_than_all
from karat.engines.kernels.grammar import Tag

STRETCH = 14


def say_contradicted(pair: Pair, quotes: Quotes) -> str:
    """One sentence that names the two expressions, where no check found them."""
    if not pair.content or not len(pair.t):
        return "The text speaks against the hypothesis"
    return _against(pair, quotes)


def _against(pair: Pair, quotes: Quotes) -> str:
    """What T says of the matter, and what of H does not go with it."""
    missing = pair.missing
    rows = missing or pair.content
    row = next((row for row in rows if pair.h.tags[row] == Tag.VERB), rows[-1])
    run = verb_phrase(pair.h, row) if pair.h.tags[row] == Tag.VERB else phrase(pair.h, row)
    stretch = t_stretch(pair)
    if not any(tag in (Tag.VERB, Tag.AUX) for tag in pair.t.tags[stretch[0] : stretch[1] + 1]):
        return f"What the text says of {quotes.t(stretch)} does not go together with {quotes.h(run)}"
    return f"The text says {quotes.t(stretch)}, which does not go together with {quotes.h(run)}"


def t_stretch(pair: Pair) -> Range:
    """What T says of the matter."""
    found = best_stretch(pair.t, pair.hits, STRETCH)
    if found is None:
        words = [place for place in range(len(pair.t)) if pair.t.says_something(place)] or [0]
        found = best_stretch(pair.t, {place: (place,) for place in words[:3]}, STRETCH) or (words[0], words[0])
    found = less_than_all(pair.t, found, pair.hits)
    # Where H itself stands there, the first of its words is all that is quoted.
    return found if _plain(pair.h.text) not in _plain(pair.t.written(found)) else phrase(pair.t, found[0])


def _plain(text: str) -> str:
    return text.lower().strip(" .!?")
