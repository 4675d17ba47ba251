"""Why T speaks against H: the two expressions that cannot both be true."""

from __future__ import annotations

from karat.engines.explaining.phrases import name, noun_phrase, phrase, verb_phrase
from karat.engines.explaining.quoting import Pair, Quotes, Range
from karat.engines.explaining.stretches import best_stretch, less_than_all
from karat.engines.kernels.grammar import Tag
from karat.engines.lexicon.relations import Relation
from karat.engines.text.vocabulary import Flag

STRETCH = 14


def say_contradicted(pair: Pair, quotes: Quotes) -> str:
    """One sentence that names the two expressions, where no check found them."""
    if not pair.content or not len(pair.t):
        return "The text speaks against the hypothesis"
    for find in (_figures, _names, _opposites):
        said = find(pair, quotes)
        if said is not None:
            return said
    return _against(pair, quotes)


def _figures(pair: Pair, quotes: Quotes) -> str | None:
    row = next((row for row in pair.missing if pair.h.flags[row] & Flag.NUMBER), None)
    place = None if row is None else _beside(pair, Flag.NUMBER)
    if row is None or place is None:
        return None
    return f"The text gives {quotes.t(noun_phrase(pair.t, place, 4))}, not {quotes.h(noun_phrase(pair.h, row, 4))}"


def _names(pair: Pair, quotes: Quotes) -> str | None:
    row = next((row for row in pair.missing if pair.h.is_name(row)), None)
    if row is None:
        return None
    taken = {pair.to[row] for row in pair.covered}
    near = _anchor(pair)
    if near < 0:
        return None
    nearest = sorted(range(len(pair.t)), key=lambda place: (abs(place - near), place))
    names = (
        place
        for place in nearest
        if pair.t.is_name(place) and len(pair.t.forms[place]) > 1 and not pair.t.begins_sentence(place)
    )
    others = (place for place in names if not _any_in(taken, name(pair.t, place)))
    place = next(others, None)
    if place is None:
        return None
    return f"The text names {quotes.t(name(pair.t, place))} where the hypothesis has {quotes.h(name(pair.h, row))}"


def _opposites(pair: Pair, quotes: Quotes) -> str | None:
    match, begin, wide = pair.batch.match, 0, len(pair.h)
    begin = int(match.blocks[pair.place])
    cells = match.relation[begin : begin + len(pair.t) * wide]
    found = (cells == Relation.ANTONYM).nonzero()[0]
    if not len(found):
        return None
    place, row = divmod(int(found[0]), wide)
    return f"{quotes.t((place, place))} in the text is the opposite of {quotes.h((row, row))}"


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


def _any_in(places: set[int], run: Range) -> bool:
    return any(place in places for place in range(run[0], run[1] + 1))


def _plain(text: str) -> str:
    return text.lower().strip(" .!?")


def _anchor(pair: Pair) -> int:
    """A place of T in the midst of the words that H shares with it; -1 where it shares none."""
    places = sorted(pair.to[row] for row in pair.covered)
    return places[len(places) // 2] if places else -1


def _beside(pair: Pair, flag: Flag) -> int | None:
    """The word of a kind in T that stands nearest to what H shares with it, and is not one of those words."""
    taken = {pair.to[row] for row in pair.covered}
    near = _anchor(pair)
    able = [
        place
        for place in range(len(pair.t))
        if pair.t.flags[place] & flag and place not in taken and pair.t.forms[place].lower() != "one"
    ]
    return min(able, key=lambda place: (abs(place - near), place), default=None)
