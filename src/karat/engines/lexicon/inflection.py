"""Inflected forms of English words: irregular ones, WordNet's rules, and guesses for words that no dictionary has."""

from __future__ import annotations

from collections.abc import Container, Iterator

from karat.engines.lexicon.relations import Part
from karat.engines.lists import read_lists


def _irregular(entries: str) -> dict[str, str]:
    forms: dict[str, str] = {}
    for entry in entries.split(";"):
        lemma, *inflected = entry.split()
        for form in (lemma, *inflected):
            forms.setdefault(form, lemma)
    return forms


IRREGULAR = {Part[name]: _irregular(" ".join(words)) for name, words in read_lists(__file__, "irregular.txt").items()}
"""Irregular forms of each part of speech, each with its lemma; a form of two lemmas has the commoner one's."""
_IRREGULAR_FORMS = frozenset(form for forms in IRREGULAR.values() for form in forms)
ENDINGS: dict[Part, tuple[tuple[str, str], ...]] = {
    Part.NOUN: (
        ("s", ""),
        ("ses", "s"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ),
    Part.VERB: (
        ("s", ""),
        ("ies", "y"),
        ("es", "e"),
        ("es", ""),
        ("ed", "e"),
        ("ed", ""),
        ("ied", "y"),
        ("ing", "e"),
        ("ing", ""),
    ),
    Part.ADJECTIVE: (("er", ""), ("est", ""), ("er", "e"), ("est", "e"), ("ier", "y"), ("iest", "y")),
    Part.ADVERB: (),
}
"""What is cut off and what is put in its place."""
_CUT = {ending for endings in ENDINGS.values() for ending, _ in endings}
_INFLECTED_ENDINGS = ("ful", *(one for one in _CUT if not any(one.endswith(rest) for rest in _CUT - {one})))
_BY_LAST = {
    (part, letter): tuple(one for one in ENDINGS[part] if one[0][-1] == letter)
    for part in Part
    for letter in {ending[-1] for ending, _ in ENDINGS[part]}
}
INFLECTED = {
    letter: tuple(part for part in Part if (part, letter) in _BY_LAST or (part, letter) == (Part.NOUN, "l"))
    for letter in "sdgrtnl"
}
"""The parts of speech in which a form that ends so may be inflected by rule; in -l it is a noun in -ful."""
_VOWELS = "aeiou"
_SHORTEST = 3
_FUL = "ful"
_KEPT_DOUBLE = "lsz"
"""Consonants that words double by themselves: fall, pass, buzz."""
_E_LOST = ("at", "bl", "iz", "v", "c", "dg", "rg", "ng", "u", "ys", "us", "os", "as", "is")
"""Stems that want a final e back: creat-, enabl-, realiz-, mov-, forc-, judg-, charg-, argu-, analys-, us-."""


def candidates(form: str, part: Part) -> Iterator[str]:
    """What a form may be an inflection of, by its ending alone; a dictionary says which of them are words."""
    if part == Part.NOUN and form.endswith(_FUL) and len(form) > len(_FUL):
        yield from (stem + _FUL for stem in candidates(form.removesuffix(_FUL), part))
        return
    # A noun in -ss is no plural, and what is left of two letters is no word.
    if part == Part.NOUN and (form.endswith("ss") or len(form) < _SHORTEST):
        return
    for ending, instead in _BY_LAST.get((part, form[-1:]), ()):
        if form.endswith(ending) and len(form) > len(ending):
            stem = form.removesuffix(ending)
            yield stem + instead
            if not instead and ending != "s" and _doubled(stem):
                yield stem[:-1]


def may_be_inflected(form: str, irregular: Container[str]) -> bool:
    """Whether a word in lower case may be another's form by its ending, or because it is irregular."""
    return form.endswith(_INFLECTED_ENDINGS) or form in _IRREGULAR_FORMS or form in irregular


def guess(form: str, part: Part) -> str:
    """The lemma of a form that no dictionary has: irregular, or by its ending, or the form itself."""
    irregular = IRREGULAR[part].get(form)
    if irregular is not None:
        return irregular
    if part == Part.NOUN:
        return _without_s(form)
    if part == Part.VERB:
        if form.endswith("ied") and len(form) == 4:
            return form[:-1]
        for ending in ("ied", "ing", "ed"):
            stem = form.removesuffix(ending)
            if stem != form and _is_stem(stem):
                return stem + "y" if ending == "ied" else _restored(stem)
        return _without_s(form)
    return form


def _without_s(form: str) -> str:
    if len(form) <= _SHORTEST or not form.endswith("s") or form.endswith(("ss", "us", "is")):
        return form
    if form.endswith("ies") and len(form) > _SHORTEST + 1:
        return form.removesuffix("ies") + "y"
    if form.endswith(("sses", "xes", "ches", "shes", "zzes")) or (form.endswith("oes") and len(form) > 5):
        return form.removesuffix("es")
    return form.removesuffix("s")


def _doubled(stem: str) -> bool:
    return len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in _VOWELS


def _is_stem(stem: str) -> bool:
    """Whether there is a syllable left: `sing` and `red` are no forms of anything."""
    return len(stem) > 1 and any(letter in _VOWELS + "y" for letter in stem)


def _restored(stem: str) -> str:
    """A verb without -ed or -ing, spelled as it is alone: hopp- hop, hop- hope, creat- create, visit- visit."""
    if _doubled(stem):
        # To travel doubles its l, to call has two: so do most verbs of more syllables, and of one.
        long = stem[-1] == "l" and sum(letter in _VOWELS for letter in stem) > 1
        return stem if stem[-1] in _KEPT_DOUBLE and not long else stem[:-1]
    if stem.endswith(_E_LOST):
        return stem + "e"
    short = len(stem) == _SHORTEST or (len(stem) == _SHORTEST + 1 and stem[0] not in _VOWELS and stem[1] not in _VOWELS)
    return stem + "e" if short and _is_closed(stem) else stem


def _is_closed(stem: str) -> bool:
    """Whether it ends in one vowel between consonants: stop, plan, but not rain or show."""
    return (
        len(stem) >= _SHORTEST and stem[-3] not in _VOWELS and stem[-2] in _VOWELS and stem[-1] not in _VOWELS + "wxy"
    )
