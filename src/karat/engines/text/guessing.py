"""The kinds and tags a spelling may have, from the closed classes, the dictionary and its ending."""

from __future__ import annotations

from functools import lru_cache
from math import log

from karat.engines.kernels.grammar import PART_OF, TAG_OF, Kind
from karat.engines.lexicon.inflection import IRREGULAR
from karat.engines.lexicon.relations import Part
from karat.engines.lexicon.wordnet import PARTS, WordNet
from karat.engines.lists import read_lists
from karat.engines.text.closed import CLOSED

Weights = dict[Kind, float]
COST = 10
"""The cost of a kind a factor of e less likely."""
KINDS_KEPT = 6
"""Kinds of a spelling that are kept."""
NAME_IF_CLOSED, NAME_IF_KNOWN, NAME_IF_UNKNOWN = 0.01, 0.3, 0.9
"""How likely a capital at the start of a sentence is a name's, by what is known of the word without it."""
UNTAGGED = 1.0
"""What a part of speech weighs that the dictionary has and no corpus showed."""
_PARTICIPLES, _PASTS, _SAME = (frozenset(words) for words in read_lists(__file__, "verbs.txt").values())
"""Irregular participles that are no past, pasts that are no participle, and verbs whose base form is one of them."""
_ADJECTIVE_ENDINGS = ("ous", "ful", "less", "ical", "able", "ible", "ish", "ive", "ic", "al", "ary", "ian", "ese")
_NOUN_ENDINGS = (
    "tion", "sion", "ment", "ness", "ity", "ism", "ist", "ship", "hood", "ance", "ence", "ology", "dom", "age", "ure",
    "er", "or",
)  # fmt: skip
NATIONAL = ("an", "ese", "ish", "i", "french", "dutch", "greek", "swiss", "arab")
"""Endings of nationalities, which are adjectives with a capital."""
ORDINAL_ENDINGS = ("st", "nd", "rd", "th")


def guess_kinds(form: str, lower: str, wordnet: WordNet) -> list[tuple[Kind, int]]:
    """The kinds that a spelling may have, each with a cost, the likeliest first; never empty."""
    return _ranked(_weights(form, lower, wordnet))


def guess_first_kinds(form: str, lower: str, wordnet: WordNet) -> list[tuple[Kind, int]]:
    """The kinds of a spelling with a capital where a sentence starts: those of the same word without, or a name."""
    if not form[0].isalpha():
        return guess_kinds(form, lower, wordnet)
    known = lower in CLOSED or max(wordnet.readings(lower)) >= 0
    name = NAME_IF_CLOSED if lower in CLOSED else NAME_IF_KNOWN if known else NAME_IF_UNKNOWN
    weights = _shares(_weights(lower, lower, wordnet))
    if any(kind is Kind.NAME for kind in weights) or _weights(form, lower, wordnet).get(Kind.ADJECTIVE, 0) > 50:
        return guess_kinds(form, lower, wordnet)
    return _ranked({kind: (1 - name) * weight for kind, weight in weights.items()} | {Kind.NAME: name})


def likeliest_part(lower: str, wordnet: WordNet) -> int:
    """The part of speech of a word in lower case of which it is likeliest to be, if it is of any."""
    weights = _weights(lower, lower, wordnet)
    kinds = sorted(weights, key=lambda kind: (-weights[kind], kind))
    return next((PART_OF[TAG_OF[kind]] for kind in kinds if TAG_OF[kind] in PART_OF), Part.NOUN)


def likeness(lower: str, wordnet: WordNet) -> tuple[object, ...]:
    """All that the kinds of a word depend on, with a capital or without, if it is in no list."""
    if lower[0].isdigit():
        return lower.endswith(ORDINAL_ENDINGS), lower.endswith("s")
    known = max(wordnet.readings(lower)) >= 0
    return *open_weights(lower, wordnet).items(), known, _is_national(lower, wordnet), lower[0].isupper()


def _ranked(weights: Weights) -> list[tuple[Kind, int]]:
    total = sum(weights.values())
    ranked = sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:KINDS_KEPT]
    return [(kind, round(-COST * log(weight / total))) for kind, weight in ranked if weight > 0]


def _weights(form: str, lower: str, wordnet: WordNet) -> Weights:
    plain = lower.replace("’", "'")
    if form[0].isdigit():
        return _number(lower)
    if not form[0].isalpha() and plain not in CLOSED:
        return {Kind.SYMBOL: 1.0} if form[0] in "$€£%#+=°" else {Kind.PUNCTUATION: 1.0}
    common: Weights = {kind: float(weight) for kind, weight in CLOSED[plain].items()} if plain in CLOSED else {}
    if not form[0].isupper():
        return common or open_weights(lower, wordnet)
    if common:
        name = 3.0 if len(form) > 1 and form.isupper() and len(form) < 4 else 1.0
        return common | {Kind.NAME: common.get(Kind.NAME, 0.0) + (name if Kind.NAME not in common else 400.0)}
    return _capital(lower, wordnet)


def _number(lower: str) -> Weights:
    if lower.endswith(ORDINAL_ENDINGS):
        return {Kind.ADJECTIVE: 8.0, Kind.NOUN: 2.0}
    return {Kind.PLURAL: 1.0} if lower.endswith("s") else {Kind.NUMBER: 1.0}


def _capital(lower: str, wordnet: WordNet) -> Weights:
    """A capital inside a sentence: a name nearly always, or an adjective of nationality."""
    if _is_national(lower, wordnet):
        return {Kind.ADJECTIVE: 75.0, Kind.NAME: 25.0}
    weights = {kind: 3.0 * weight for kind, weight in _shares(open_weights(lower, wordnet)).items()}
    return weights | {Kind.NAME: 97.0}


def _is_national(lower: str, wordnet: WordNet) -> bool:
    return lower.endswith(NATIONAL) and wordnet.parts(wordnet.lemma_id(lower)) >> Part.ADJECTIVE & 1 > 0


def _shares(weights: Weights) -> Weights:
    total = sum(weights.values())
    return {kind: weight / total for kind, weight in weights.items()}


@lru_cache(256)  # a word with a capital comes right after the same word without, and asks twice
def open_weights(lower: str, wordnet: WordNet) -> Weights:
    """The kinds of a word of no closed class by their weights."""
    weights: Weights = {}
    for part, lemma in zip(PARTS, wordnet.readings(lower), strict=True):
        if lemma >= 0:
            count = UNTAGGED + wordnet.counts[lemma, part]
            for kind, share in _inflected(lower, wordnet.lemma(lemma), part).items():
                weights[kind] = weights.get(kind, 0.0) + count * share
    _add_participles(lower, weights)
    return weights or _by_ending(lower)


def _inflected(lower: str, lemma: str, part: Part) -> Weights:
    if part == Part.NOUN:
        return {Kind.NOUN if lower == lemma else Kind.PLURAL: 1.0}
    if part == Part.ADJECTIVE:
        return {Kind.ADJECTIVE: 1.0}
    if part == Part.ADVERB:
        return {Kind.ADVERB: 1.0}
    return _verb_forms(lower, lemma)


def _verb_forms(lower: str, lemma: str) -> Weights:
    if lower == lemma:
        return {Kind.BASE: 0.2, Kind.PRESENT: 0.1} | ({Kind.PAST: 0.1, Kind.PARTICIPLE: 0.1} if lower in _SAME else {})
    if lower.endswith("ing"):
        return {Kind.ING: 0.3}
    if lower in _PARTICIPLES:
        return {Kind.PARTICIPLE: 0.4}
    if lower in _PASTS:
        return {Kind.PAST: 0.4}
    if lower.endswith("s"):
        return {Kind.PRESENT: 0.25}
    return {Kind.PAST: 0.2, Kind.PARTICIPLE: 0.2}


def _add_participles(lower: str, weights: Weights) -> None:
    """What the dictionary has only as an adjective or noun, and is spelled like a form of a verb, may be that."""
    if Kind.ADJECTIVE in weights and Kind.PARTICIPLE not in weights and lower.endswith("ed") and len(lower) > 4:
        weights[Kind.PARTICIPLE] = weights[Kind.ADJECTIVE] * 0.5


def _by_ending(lower: str) -> Weights:
    irregular = IRREGULAR[Part.VERB].get(lower)
    if irregular is not None:
        return _verb_forms(lower, irregular)
    if lower.endswith("ly"):
        return {Kind.ADVERB: 9.0, Kind.ADJECTIVE: 1.0}
    if lower.endswith("ing") and len(lower) > 4:
        return {Kind.ING: 6.0, Kind.NOUN: 3.0, Kind.ADJECTIVE: 1.0}
    if lower.endswith("ed") and len(lower) > 3:
        return {Kind.PAST: 4.0, Kind.PARTICIPLE: 4.0, Kind.ADJECTIVE: 2.0}
    if lower.endswith(_NOUN_ENDINGS):
        return {Kind.NOUN: 9.0, Kind.ADJECTIVE: 0.5, Kind.BASE: 0.5}
    if lower.endswith(_ADJECTIVE_ENDINGS):
        return {Kind.ADJECTIVE: 7.0, Kind.NOUN: 3.0}
    if lower.endswith(("ise", "ize", "ify")):
        return {Kind.BASE: 6.0, Kind.PRESENT: 3.0, Kind.NOUN: 1.0}
    if lower.endswith("s") and not lower.endswith(("ss", "us", "is")):
        return {Kind.PLURAL: 8.0, Kind.PRESENT: 2.0}
    return {Kind.NOUN: 6.0, Kind.ADJECTIVE: 1.5, Kind.BASE: 1.5, Kind.PRESENT: 0.7, Kind.NAME: 0.3}
