"""The closed classes of English: words a tagger need not guess, with their kinds and lemmas, and number words."""

from __future__ import annotations

from karat.engines.text.tags import Kind, Tag

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


_ONE_KIND: dict[Kind, str] = {
    Kind.DETERMINER: "the a an every",
    Kind.SUBJECT: "i he she we they",
    Kind.OBJECT: "me him us them myself yourself himself herself itself ourselves yourselves themselves",
    Kind.POSSESSIVE: "my your its our their whose his",
    Kind.PRONOUN: "someone somebody something anyone anybody anything everyone everybody everything none nobody "
    "nothing mine yours hers ours theirs others ones",
    Kind.RELATIVE: "who whom which what whoever whatever whichever",
    Kind.PREPOSITION: "of in at with from into onto upon against among amongst during under within without across "
    "behind beyond beside toward towards via per despite between through above throughout amid unlike underneath "
    "beneath except by on",
    Kind.AND: "and or but nor &",
    Kind.MARK: "if because although though while whereas unless whether when where why how lest",
    Kind.NOT: "not n't 't",
    Kind.ADVERB: "very too also just even still already again ever never always often sometimes soon now then here "
    "however therefore thus hence perhaps maybe quite rather almost nearly twice away together ago else instead indeed "
    "furthermore moreover meanwhile nevertheless hardly scarcely barely once later",
    Kind.ADJECTIVE: "many several few such other own",
    Kind.EXCLAMATION: "oh hello ah alas",
    Kind.NAME: "january february april june july september october november december monday tuesday wednesday "
    "thursday friday saturday sunday",
    Kind.STOP: ". ! ? ...",
    Kind.COMMA: ",",
}
D, R, P, A, J, M, N = (
    Kind.DETERMINER,
    Kind.PRONOUN,
    Kind.PREPOSITION,
    Kind.ADVERB,
    Kind.ADJECTIVE,
    Kind.MARK,
    Kind.NOUN,
)
_SEVERAL_KINDS: dict[str, dict[Kind, int]] = {
    "that": {M: 65, Kind.RELATIVE: 27, D: 4, R: 4},
    "to": {Kind.TO: 56, P: 44},
    "'s": {Kind.GENITIVE: 93, Kind.BE: 7},
    "her": {Kind.POSSESSIVE: 80, Kind.OBJECT: 20},
    "it": {Kind.SUBJECT: 75, Kind.OBJECT: 25},
    "you": {Kind.SUBJECT: 70, Kind.OBJECT: 30},
    "as": {P: 66, M: 22, A: 12},
    "like": {P: 80, Kind.BASE: 8, Kind.PRESENT: 4, J: 8},
    "so": {A: 80, M: 20},
    "more": {J: 75, A: 25},
    "most": {A: 62, J: 38},
    "less": {J: 75, A: 25},
    "least": {A: 65, J: 35},
    "much": {A: 50, J: 50},
    "enough": {A: 50, J: 50},
    "no": {D: 90, A: 10},
    "there": {R: 83, A: 17},
    "before": {P: 60, M: 32, A: 8},
    "after": {P: 65, M: 35},
    "since": {M: 60, P: 40},
    "until": {P: 65, M: 35},
    "till": {P: 65, M: 35},
    "for": {P: 97, M: 3},
    "than": {P: 95, M: 5},
    "up": {P: 90, A: 10},
    "out": {P: 95, A: 5},
    "over": {P: 97, A: 3},
    "about": {P: 67, A: 33},
    "around": {P: 70, A: 30},
    "off": {P: 95, A: 5},
    "down": {P: 90, A: 10},
    "along": {P: 80, A: 20},
    "near": {P: 90, J: 10},
    "inside": {P: 90, N: 5, A: 5},
    "outside": {P: 85, N: 5, J: 10},
    "below": {P: 80, A: 20},
    "besides": {P: 60, A: 40},
    "round": {N: 60, J: 20, P: 20},
    "all": {D: 70, R: 25, A: 5},
    "both": {D: 60, R: 25, Kind.AND: 15},
    "either": {D: 35, Kind.AND: 60, A: 5},
    "neither": {D: 50, Kind.AND: 50},
    "half": {N: 75, D: 15, J: 10},
    "some": {D: 70, R: 30},
    "any": {D: 93, R: 7},
    "this": {D: 77, R: 23},
    "these": {D: 85, R: 15},
    "those": {D: 35, R: 65},
    "each": {D: 78, R: 22},
    "another": {D: 92, R: 8},
    "yet": {A: 85, Kind.AND: 15},
    "plus": {Kind.AND: 60, P: 40},
    "only": {A: 80, J: 20},
    "further": {A: 50, J: 50},
    "far": {A: 75, J: 25},
    "well": {A: 94, J: 4, N: 2},
    "back": {A: 75, P: 10, Kind.BASE: 5, N: 5, J: 5},
    "first": {J: 88, A: 12},
    "last": {J: 94, A: 4, Kind.BASE: 2},
    "next": {J: 95, A: 5},
    "second": {J: 92, N: 8},
    "one": {Kind.NUMBER: 93, N: 4, R: 3},
    "march": {Kind.NAME: 85, N: 10, Kind.BASE: 5},
    "august": {Kind.NAME: 97, J: 3},
    "may": {Kind.MODAL: 99, Kind.NAME: 1},
    "will": {Kind.MODAL: 98, N: 2},
    "can": {Kind.MODAL: 99, N: 1},
    "might": {Kind.MODAL: 98, N: 2},
    "need": {N: 40, Kind.PRESENT: 30, Kind.BASE: 30},
    "according": {Kind.ING: 100},
    "including": {Kind.ING: 100},
    "following": {Kind.ING: 60, J: 35, N: 5},
    "concerning": {Kind.ING: 100},
    "regarding": {Kind.ING: 100},
    "yes": {Kind.EXCLAMATION: 100},
    "said": {Kind.PAST: 92, Kind.PARTICIPLE: 8},
    "had": {Kind.HAVE: 100},
    "people": {Kind.PLURAL: 100},
    "percent": {N: 100},
    "police": {N: 60, Kind.PLURAL: 40},
    "found": {Kind.PAST: 50, Kind.PARTICIPLE: 50},
    "left": {Kind.PAST: 45, Kind.PARTICIPLE: 40, J: 10, N: 5},
    "due": {J: 70, P: 30},
    "because": {M: 100},
    "lot": {N: 100},
    "'": {Kind.PUNCTUATION: 70, Kind.GENITIVE: 30},
    "won": {Kind.PAST: 75, Kind.PARTICIPLE: 20, Kind.MODAL: 5},
    "us": {Kind.OBJECT: 97, Kind.NAME: 3},
}


def _collect_kinds() -> dict[str, dict[Kind, int]]:
    kinds: dict[str, dict[Kind, int]] = {}
    for kind, words in _ONE_KIND.items():
        for word in words.split():
            kinds[word] = {kind: 100}
    verbs = {"be": Kind.BE, "have": Kind.HAVE, "do": Kind.DO}
    for lemma, words in AUXILIARIES.items():
        for word in words.split():
            kinds[word] = {verbs.get(lemma, Kind.MODAL): 100}
    for word in (*NUMBERS, *MULTIPLIERS):
        kinds[word] = {Kind.NUMBER: 100}
    for word in ("hundreds", "thousands", "millions", "billions", "dozen", "dozens"):
        kinds[word] = {Kind.PLURAL: 100}
    return kinds | _SEVERAL_KINDS


CLOSED = _collect_kinds()
"""The kinds of closed-class words and a few very common ones, in hundredths."""
