"""How words build sentences: lists of words that the chunker treats apart."""

from __future__ import annotations

from karat.engines.kernels.grammar import Key, Trait
from karat.engines.lexicon.relations import Part
from karat.engines.lexicon.wordnet import WordNet
from karat.engines.lists import read_lists

_LISTS = read_lists(__file__, "traits.txt")
KEYS = {word: Key[name] for name, words in _LISTS.items() if name in Key.__members__ for word in words}


def _index(*traits: Trait) -> dict[str, int]:
    found: dict[str, int] = {}
    for trait in traits:
        for word in _LISTS[trait.name]:
            found[word] = found.get(word, 0) | trait
    return found


_BY_VERB = _index(Trait.REPORT, Trait.GIVE, Trait.ORDER, Trait.BECOME)
_BY_NOUN = _index(Trait.TIME, Trait.PLAN)
_BY_WORD = _index(Trait.OF_OBJECT, Trait.OF_VERB, Trait.MONTH, Trait.DAY)


def traits_of(lower: str, wordnet: WordNet) -> int:
    """The traits of a word in lower case, whatever its form."""
    traits = _BY_WORD.get(lower, 0)
    if lower.isalpha():
        traits |= _BY_VERB.get(wordnet.base(lower, Part.VERB), 0)
        traits |= _BY_NOUN.get(wordnet.base(lower, Part.NOUN), 0)
    return traits
