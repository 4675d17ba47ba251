"""The closed classes of English: words a tagger need not guess, with their kinds and lemmas, and number words."""

from __future__ import annotations

from karat.engines.kernels.grammar import Kind, Tag
from karat.engines.lists import read_lists

_LISTS = read_lists(__file__, "closed.txt")
_WORDS = {Tag[name]: words for name, words in _LISTS.items() if name.isupper()}
AUXILIARIES = {lemma: words for lemma, words in _LISTS.items() if lemma.islower()}

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
        for word in words:
            tags[word] = (*tags.get(word, ()), tag)
    for words in AUXILIARIES.values():
        for word in words:
            tags[word] = (Tag.AUX, *tags.get(word, ()))
    for word in (*NUMBERS, *MULTIPLIERS):
        tags[word] = (Tag.NUM, *tags.get(word, ()))
    return tags


TAGS = _collect()
"""The tags that a closed-class word may have, the likeliest first."""
LEMMAS = {word: lemma for lemma, words in AUXILIARIES.items() for word in words} | {
    f"{month[:length]}.": month for month in MONTHS for length in (3, 4) if length < len(month)
} | {
    "n't": "not", "'t": "not", "me": "i", "him": "he", "her": "she", "us": "we", "them": "they", "an": "a",
}  # fmt: skip


def _collect_kinds() -> dict[str, dict[Kind, int]]:
    lists = read_lists(__file__, "kinds.txt")
    kinds = {word: {Kind[kind]: 100} for kind, words in lists.items() if kind.isupper() for word in words}
    verbs = {"be": Kind.BE, "have": Kind.HAVE, "do": Kind.DO}
    for lemma, words in AUXILIARIES.items():
        kinds |= {word: {verbs.get(lemma, Kind.MODAL): 100} for word in words}
    kinds |= {word: {Kind.NUMBER: 100} for word in (*NUMBERS, *MULTIPLIERS)}
    for word in ("hundreds", "thousands", "millions", "billions", "dozen", "dozens"):
        kinds[word] = {Kind.PLURAL: 100}
    for word, several in lists.items():
        if not word.isupper():
            kinds[word] = {Kind[kind]: int(share) for kind, share in zip(several[::2], several[1::2], strict=True)}
    return kinds


CLOSED = _collect_kinds()
"""The kinds of closed-class words and a few very common ones, in hundredths."""
