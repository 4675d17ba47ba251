"""What checks have to say, as a sentence with the two deciding expressions, and what they make doubtful."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import cast

import numpy as np

from karat.arrays import Int32s
from karat.engines.batch import Batch
from karat.engines.checks.base import Cue, Verdict, cue, in_order
from karat.engines.explaining.contradicted import t_stretch
from karat.engines.explaining.phrases import glued, name, noun_phrase, opened, phrase, verb_group, verb_phrase
from karat.engines.explaining.quoting import Pair, Quotes, Range, SideWords
from karat.engines.explaining.stretches import STRETCH_WORDS
from karat.engines.kernels.grammar import Tag
from karat.engines.text.vocabulary import Flag

SILENT = -1
_SLOT = re.compile(r"\{([th])\}")
_NOTS = frozenset(("not", "never", "cannot", "n't", "'t", "’t"))
_SPEAK_OF = "The text does not speak of {h}"
THERE = 0.7
"""So much of H must be in T for a sentence that says “this” of it."""


class FirstCues:
    """Of each pair of a batch, the first check of a verdict that fires; of those in `grounds`, where given."""

    def __init__(self, batch: Batch, verdict: Verdict, grounds: Collection[str] | None = None) -> None:
        entries = [
            entry
            for entry in in_order()
            if entry.facts["verdict"] == verdict and (grounds is None or entry.name in grounds)
        ]
        self._says = [cast(str, entry.facts["says"]) for entry in entries]
        self._cues: list[Cue] = [cue(batch, entry.name) for entry in entries]
        self.first: Int32s = np.full(len(batch), SILENT, dtype=np.int32)
        for number in reversed(range(len(entries))):
            self.first[self._cues[number].fired] = number

    def fires(self, pair: Pair) -> bool:
        """Whether any check fires, and there are words to show."""
        return bool(self.first[pair.place] != SILENT and pair.content and len(pair.t))

    def fits(self, pair: Pair) -> bool:
        """Whether what the check says can be understood: “this” is only said of what T speaks of."""
        number = int(self.first[pair.place])
        t, h = int(self._cues[number].t[pair.place]), int(self._cues[number].h[pair.place])
        if "in general" in self._says[number] and min(t, h) >= 0:
            # Of a verb and a noun neither is the more general word.
            return (pair.t.tags[t] == Tag.VERB) == (pair.h.tags[h] == Tag.VERB)
        if "{h}" in self._says[number]:
            return True
        if self._cues[number].strength[pair.place] < 1 and pair.missing:
            return False  # what is missing tells more than a word of H that may be meant as a fact or not
        verb = next((row for row in pair.content if pair.h.tags[row] == Tag.VERB), None)
        place = pair.to[pair.content[-1]] + 1
        if verb is None and 0 < place < len(pair.t) and pair.t.tags[place] == Tag.NOUN:
            return False  # no home is spoken of in “home furnishing”
        return len(pair.covered) >= THERE * len(pair.content) and (verb is None or pair.to[verb] >= 0)

    def sentence(self, pair: Pair, quotes: Quotes, both: bool) -> str:
        """What the first check says; with `both`, two expressions are named whatever it says."""
        number = int(self.first[pair.place])
        found, says = self._cues[number], self._says[number].replace('"', "").rstrip(".")
        # Opposites are words; anything else is quoted with what belongs to it.
        bare = "opposite" in says
        t, h = int(found.t[pair.place]), int(found.h[pair.place])
        says = _reworded(pair, says, t, h)
        # Put in at once: what is quoted may itself have braces.
        before, *after = _SLOT.split(says)
        said = before
        for slot, text in zip(after[::2], after[1::2], strict=True):
            if slot == "t":
                said += quotes.t(_t_run(pair, t, bare)) + text
            else:
                said += quotes.h(phrase(pair.h, h) if says == _SPEAK_OF else _h_run(pair, h, bare)) + text
        # A verdict of two expressions names them even where the check has one, or none, to show.
        if both and "{t}" not in says:
            said = f"{said}, in {quotes.t(_t_run(pair, t, bare))}"
        if both and "{h}" not in says:
            said = f"{said}. The hypothesis speaks of {quotes.h(_h_run(pair, h, bare))}"
        return said


def _reworded(pair: Pair, says: str, t: int, h: int) -> str:
    """What a check says, put as the kind of its words needs: “it is” does not go before a verb, nor “of”."""
    tag = pair.h.tags[h] if h >= 0 else Tag.NOUN
    if h >= 0 and pair.h.is_date(h):
        return says.replace("the number {h}", "the date {h}")
    if h >= 0 and "the number" in says and pair.h.flags[h] & Flag.ORDINAL:
        return _SPEAK_OF
    if says.endswith("does not say that it is {h}") and h >= 0:
        if tag in (Tag.NUM, Tag.SYM):
            return "The text does not give {h}"
        # An adjective before its noun is quoted with it; after “is” it stands alone.
        if tag in (Tag.NOUN, Tag.PROPN) or (tag == Tag.ADJ and phrase(pair.h, h)[1] > h):
            return _SPEAK_OF
        return says if tag == Tag.ADJ else "The text does not say {h}"
    if says.endswith("in general, not of {h}") and (tag == Tag.VERB or (t >= 0 and pair.t.tags[t] == Tag.VERB)):
        return "The text says {t}, which is more general than {h}"
    return says


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


def shown(words: SideWords, place: int) -> Range:
    """A deciding word with what is quoted with it: a whole name, a number and its noun, “if” and its clause."""
    form, tag = words.forms[place].lower(), words.tags[place]
    if words.is_name(place):
        return name(words, place)
    if tag in (Tag.NUM, Tag.SYM):
        return noun_phrase(words, place, 4)
    if form in _NOTS or tag == Tag.AUX:
        return verb_group(words, place)
    if tag == Tag.VERB and place and words.forms[place - 1].lower() in _NOTS:
        return verb_group(words, place - 1)
    if form == "?":
        return max(words.sentences.index(words.sentences[place]), place - STRETCH_WORDS), place
    if form in ("if", "unless", "whether"):
        return opened(words, place)
    if form == "no" and place + 1 < len(words):
        return place, max(place, noun_phrase(words, place + 1, 4)[1]) if words.tags[place + 1] != Tag.PUNCT else place
    return phrase(words, place) if tag in (Tag.NOUN, Tag.PROPN) else glued(words, (place, place))


HEDGES = ("attitude", "condition")
"""Checks that find what is said without being said to be so."""
_NEGATION = int(Flag.NEGATION)


class Doubts:
    """What speaks against taking a stretch of T at its word; it keeps justifications from claiming too much.

    All checks are asked, also by engines whose answers rest on none: nothing of what they find is said.
    """

    def __init__(self, batch: Batch) -> None:
        self._cues: list[Cue] = [
            cue(batch, entry.name)
            for entry in in_order()
            if entry.facts["verdict"] == "contradiction" or entry.name in HEDGES
        ]

    def on(self, pair: Pair, run: Range) -> bool:
        """Whether the sentences of a stretch of T are denied, or hedged, where H is not."""
        if _denies(pair.t, run) != _denies(pair.h, (0, len(pair.h) - 1)):
            return True
        first, last = pair.t.sentences[run[0]], pair.t.sentences[run[1]]
        for found in self._cues:
            if found.strength[pair.place] > 0:
                place = int(found.t[pair.place])
                if place < 0 or first <= pair.t.sentences[place] <= last:
                    return True
        return False


def _denies(words: SideWords, run: Range) -> bool:
    # The Without of Doctors Without Borders denies nothing.
    return any(
        words.flags[place] & _NEGATION and not (words.is_name(place) and not words.begins_sentence(place))
        for place in range(run[0], run[1] + 1)
    )
