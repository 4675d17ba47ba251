"""The closed classes of English: words a tagger need not guess, with their lemmas, and number words."""

from __future__ import annotations

from karat.engines.text.tags import Tag

_WORDS: dict[Tag, str] = {
    Tag.DET: "the a an this that these those each every either neither some any no all both another such what which "
    "whatever whichever half many much few several most more less enough",
    Tag.PRON: "i you he she it we they me him her us them my your his its our their mine yours hers ours theirs myself "
    "yourself himself herself itself ourselves yourselves themselves who whom whose whoever someone somebody something "
    "anyone anybody anything everyone everybody everything none nobody nothing one ones there other others",
    Tag.ADP: "of in on at by with from to into onto upon for about against between among amongst through during before "
    "after above below under over within without along across behind beyond beside besides near toward towards via "
    "per despite except inside outside off out up down around round throughout amid since until till as like than "
    "unlike underneath beneath concerning regarding",
    Tag.CCONJ: "and or but nor yet plus &",
    Tag.SCONJ: "if because although though while whereas unless whether when where why how once lest that",
    Tag.PART: "not n't 't 's to",
    Tag.ADV: "very too also just only even still already again ever never always often sometimes soon now then here "
    "there however therefore thus hence perhaps maybe quite rather almost nearly about once twice away back together "
    "later ago else instead indeed further furthermore moreover meanwhile nevertheless far well hardly scarcely barely "
    "not n't 't",
    Tag.INTJ: "oh yes hello ah alas",
}

AUXILIARIES = {
    "be": "be am is are was were been being 're 'm isn aren wasn weren ain",
    "have": "have has had having 've hasn haven hadn",
    "do": "do does did doing done don doesn didn",
    "will": "will 'll won",
    "would": "would 'd wouldn",
    "can": "can cannot can't",
    "could": "could couldn",
    "shall": "shall shan",
    "should": "should shouldn ought",
    "may": "may",
    "might": "might mightn",
    "must": "must mustn",
}

NEGATIONS = frozenset(
    "not n't 't no never none nobody nothing neither nor cannot without hardly scarcely barely".split()
)
MODALS = frozenset("would could should may might must shall can will".split())

NUMBERS: dict[str, float] = {
    word: float(value)
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty".split()
    )
} | {word: 10.0 * ten for ten, word in enumerate("thirty forty fifty sixty seventy eighty ninety".split(), start=3)}
ORDINALS: dict[str, float] = {
    word: float(value)
    for value, word in enumerate("first second third fourth fifth sixth seventh eighth ninth tenth".split(), start=1)
}
MULTIPLIERS: dict[str, float] = {
    "dozen": 12, "hundred": 1e2, "hundreds": 1e2, "thousand": 1e3, "thousands": 1e3, "million": 1e6, "millions": 1e6,
    "mn": 1e6, "billion": 1e9, "billions": 1e9, "bn": 1e9, "trillion": 1e12,
}  # fmt: skip

MONTHS = "january february march april may june july august september october november december".split()
DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()


def _collect() -> dict[str, tuple[Tag, ...]]:
    tags: dict[str, tuple[Tag, ...]] = {}
    for tag, words in _WORDS.items():
        for word in words.split():
            tags[word] = (*tags.get(word, ()), tag)
    for words in AUXILIARIES.values():
        for word in words.split():
            tags[word] = (Tag.AUX, *tags.get(word, ()))
    for word in (*NUMBERS, *MULTIPLIERS):
        tags[word] = (Tag.NUM, *tags.get(word, ()))
    return tags


TAGS = _collect()
"""The tags that a closed-class word may have, the likeliest first."""
LEMMAS = {word: lemma for lemma, words in AUXILIARIES.items() for word in words.split()} | {
    "n't": "not", "'t": "not", "me": "i", "him": "he", "her": "she", "us": "we", "them": "they", "an": "a",
}  # fmt: skip
