"""What checks have to say: of each pair the first that fires, as a sentence with the two deciding expressions."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from karat.engines.batch import Batch
from karat.engines.checks.registry import Cue, Verdict, cue, in_order
from karat.engines.explaining.contradicted import t_stretch
from karat.engines.explaining.phrases import glued, name, noun_phrase, opened, phrase, verb_group, verb_phrase
from karat.engines.explaining.words import Pair, Quotes, Range, Words
from karat.engines.text.tags import Tag

SILENT = -1


class FirstCues:
    """Of each pair of a batch, the first check of a verdict that fires."""

    def __init__(self, batch: Batch, verdict: Verdict) -> None:
        entries = [entry for entry in in_order() if entry.facts["verdict"] == verdict]
        self._says = [cast(str, entry.facts["says"]) for entry in entries]
        self._cues: list[Cue] = [cue(batch, entry.name) for entry in entries]
        self.first: NDArray[np.int32] = np.full(len(batch), SILENT, dtype=np.int32)
        for number in reversed(range(len(entries))):
            self.first[self._cues[number].fired] = number

    def fires(self, pair: Pair) -> bool:
        """Whether any check fires, and there are words to show."""
        return bool(self.first[pair.place] != SILENT and pair.content and len(pair.t))

    def sentence(self, pair: Pair, quotes: Quotes, both: bool) -> str:
        """What the first check says; with `both`, two expressions are named whatever it says."""
        number = int(self.first[pair.place])
        found, says = self._cues[number], self._says[number].replace('"', "").rstrip(".")
        # Opposites are words; anything else is quoted with what belongs to it.
        bare = "opposite" in says
        t, h = int(found.t[pair.place]), int(found.h[pair.place])
        said = says.replace("{t}", quotes.t(_t_run(pair, t, bare))) if "{t}" in says else says
        said = said.replace("{h}", quotes.h(_h_run(pair, h, bare))) if "{h}" in says else said
        # A verdict of two expressions names them even where the check has one, or none, to show.
        if both and "{t}" not in says:
            said = f"{said}, in {quotes.t(_t_run(pair, t, bare))}"
        if both and "{h}" not in says:
            said = f"{said}. The hypothesis speaks of {quotes.h(_h_run(pair, h, bare))}"
        return said


def _t_run(pair: Pair, place: int, bare: bool) -> Range:
    if place < 0:
        return t_stretch(pair)
    return glued(pair.t, (place, place)) if bare else shown(pair.t, place)


def _h_run(pair: Pair, row: int, bare: bool) -> Range:
    if row >= 0:
        return glued(pair.h, (row, row)) if bare else shown(pair.h, row)
    rows = pair.content or [0]
    verb = next((row for row in rows if pair.h.tags[row] == Tag.VERB), rows[-1])
    return verb_phrase(pair.h, verb) if pair.h.tags[verb] == Tag.VERB else phrase(pair.h, verb)


def shown(words: Words, place: int) -> Range:
    """A deciding word with what is quoted with it: a whole name, a number and its noun, “if” and its clause."""
    form, tag = words.forms[place].lower(), words.tags[place]
    if words.is_name(place):
        return name(words, place)
    if tag in (Tag.NUM, Tag.SYM):
        return noun_phrase(words, place, 4)
    if form in ("not", "never", "cannot", "n't") or tag == Tag.AUX:
        return verb_group(words, place)
    if form in ("if", "unless", "whether"):
        return opened(words, place)
    if form == "no" and place + 1 < len(words):
        return place, max(place, noun_phrase(words, place + 1, 4)[1]) if words.tags[place + 1] != Tag.PUNCT else place
    return phrase(words, place) if tag in (Tag.NOUN, Tag.PROPN) else glued(words, (place, place))
