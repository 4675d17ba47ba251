"""WordNet as arrays: words are small integers, and what follows from a word lies in one row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Bytes, Int32s, Singles
from karat.engines.lexicon.inflection import INFLECTED, candidates, guess
from karat.engines.lexicon.relations import Bearings, Part

Arrays = dict[str, NDArray[Any]]


def string_array(strings: Sequence[str]) -> NDArray[np.uint8]:
    """Strings, none of which has a line break, one to a line."""
    return np.frombuffer("\n".join(strings).encode(), np.uint8)


def _strings(array: NDArray[np.uint8]) -> list[str]:
    return array.tobytes().decode().split("\n") if len(array) else []


ABSENT = -1
PARTS = tuple(Part)
NO_LEMMAS = (ABSENT,) * len(PARTS)
READINGS_KEPT = 4096
"""Forms whose lemmas are remembered: several facts of a word are worked out from them, one after the other."""
FIELDS = tuple(
    "adj.all adj.pert adv.all noun.Tops noun.act noun.animal noun.artifact noun.attribute noun.body noun.cognition "
    "noun.communication noun.event noun.feeling noun.food noun.group noun.location noun.motive noun.object "
    "noun.person noun.phenomenon noun.plant noun.possession noun.process noun.quantity noun.relation noun.shape "
    "noun.state noun.substance noun.time verb.body verb.change verb.cognition verb.communication verb.competition "
    "verb.consumption verb.contact verb.creation verb.emotion verb.motion verb.perception verb.possession "
    "verb.social verb.stative verb.weather adj.ppl".split()
)
"""Semantic fields by their codes: the lexicographers' files."""


class WordNet:
    """A dictionary of L lemmas, numbered in alphabetical order; -1 is no lemma.

    Kernels take the arrays: row `starts[a]:starts[a + 1]` of `words` (sorted lemmas), `relations` and `strengths` is
    what `a` bears on. `part_masks` are the parts of speech a lemma has, `part_counts` (L, 4) how often each was tagged,
    `fields` (4, L) the semantic field of the first sense in each: a place in FIELDS, -1 for none.
    """

    name: str
    starts: Int32s
    words: Int32s
    relations: Bytes
    strengths: Singles
    part_masks: NDArray[np.uint8]
    part_counts: NDArray[np.uint16]
    fields: Bytes

    def __init__(self, name: str, arrays: Mapping[str, NDArray[Any]]) -> None:
        self._made_of = (name, dict(arrays))
        self.name = name
        for each in WordNet.__annotations__:
            if each != "name":
                setattr(self, each, arrays[each])
        self.irregular = dict(zip(_strings(arrays["irregular"]), arrays["irregular_lemmas"].tolist(), strict=True))
        # Memory views give plain integers, several times faster than scalars of numpy.
        self._masks, self.counts = self.part_masks.data, self.part_counts.data
        self.readings = lru_cache(READINGS_KEPT)(self._read)
        """The lemma that a form in lower case inflects in each part of speech, as `morphy` gives it."""

    @cached_property
    def _lemmas(self) -> list[str]:
        return _strings(self._made_of[1]["lemmas"])

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each lemma."""
        # In Python: building it takes no longer than looking up some thousands of words in arrays.
        return dict(zip(self._lemmas, range(len(self)), strict=True))

    def __reduce__(self) -> tuple[type[WordNet], tuple[str, Arrays]]:
        # Views of memory do not travel to another process; the arrays they look at do.
        return WordNet, self._made_of

    def __len__(self) -> int:
        return len(self.part_masks)

    def __bool__(self) -> bool:
        return len(self) > 0

    def lemma_id(self, text: str) -> int:
        """The number of a lemma, in lower case and with spaces in collocations; -1 for no lemma."""
        return self.numbers.get(text, ABSENT)

    def lemma(self, number: int) -> str:
        """The lemma of a number."""
        if number < 0:
            raise IndexError(number)
        return self._lemmas[number]

    def parts(self, number: int) -> int:
        """The parts of speech a lemma has, as a mask of `1 << part`; 0 for no lemma."""
        return self._masks[number] if number >= 0 else 0

    def morphy(self, form: str, part: int) -> int:
        """The lemma a form inflects in one part of speech, -1 for none: irregular, itself, or by its ending.

        Where endings allow several (singing: singe, sing) it is the one tagged most often.
        """
        return self.readings(form.lower())[part]

    def _read(self, form: str) -> tuple[int, ...]:
        itself = self.numbers.get(form, ABSENT)
        mask = self.parts(itself)
        found = [itself if mask >> part & 1 else ABSENT for part in PARTS] if mask else [*NO_LEMMAS]
        for part in INFLECTED.get(form[-1:], ()):
            if found[part] < 0:
                found[part] = self._inflected(form, part)
        for place, lemma in enumerate(self.irregular.get(form, ())):
            if lemma >= 0:
                found[place] = lemma
        return tuple(found)

    def _inflected(self, form: str, part: Part) -> int:
        found = [lemma for stem in candidates(form, part) if (lemma := self._of_part(stem, part)) >= 0]
        if len(found) < 2:
            return found[0] if found else ABSENT
        return max(found, key=lambda lemma: self.counts[lemma, part])

    def base(self, form: str, part: int) -> str:
        """The lemma of a form as text: `morphy` where it answers, a guess from the ending where it does not."""
        lemma = self.morphy(form, part)
        return self.lemma(lemma) if lemma >= 0 else guess(form.lower(), PARTS[part])

    @cached_property
    def bearings(self) -> Bearings:
        """What each lemma bears on, as kernels take it."""
        return Bearings(self.starts, self.words, self.relations, self.strengths)

    def lexname(self, number: int, part: int) -> str | None:
        """The semantic field of a lemma's first sense, such as noun.person; none where it has no such sense."""
        code = int(self.fields[part, number]) if number >= 0 else ABSENT
        return FIELDS[code] if code >= 0 else None

    def _of_part(self, text: str, part: int) -> int:
        number = self.numbers.get(text, ABSENT)
        return number if number >= 0 and self._masks[number] >> part & 1 else ABSENT


def _nothing() -> WordNet:
    rows: Arrays = {
        "starts": np.zeros(1, np.int32),
        "words": np.zeros(0, np.int32),
        "relations": np.zeros(0, np.int8),
        "strengths": np.zeros(0, np.float32),
        "part_masks": np.zeros(0, np.uint8),
        "part_counts": np.zeros((0, 4), np.uint16),
        "fields": np.zeros((4, 0), np.int8),
        "irregular_lemmas": np.zeros((0, 4), np.int32),
    }
    return WordNet("no WordNet", {"lemmas": string_array([]), "irregular": string_array([]), **rows})


NO_WORDNET = _nothing()
"""A dictionary of no words: everything runs with it, and knows less."""
