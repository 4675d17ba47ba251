"""Small English grammar for sentences that are put together, and the words that a justification does without."""

from __future__ import annotations

import re
from collections.abc import Sequence

_SPOKEN_WITH_VOWEL = frozenset("AEFHILMNORSX")
_LIKE_YOU = re.compile(r"(eu|ewe|uni(?!n|m)|us[aeu]|ut[ei]|one\b|once|ubi|ura|ufo)")
_SILENT_H = re.compile(r"(hour|honest|hono|heir)")
_EIGHT = re.compile(r"(8|11(?!\d)|18(?!\d))")
_CAPITALS = 2


def article(word: str) -> str:
    """A or an, as the word is spoken."""
    if word[:1].isdigit():
        return "an" if _EIGHT.match(word) else "a"
    letters = word.replace(".", "")
    if len(letters) >= _CAPITALS and letters.isupper():
        return "an" if letters[0] in _SPOKEN_WITH_VOWEL else "a"
    lower = word.lower()
    if _SILENT_H.match(lower):
        return "an"
    return "an" if lower[:1] in tuple("aeiou") and not _LIKE_YOU.match(lower) else "a"


def with_article(word: str) -> str:
    """A word after a or an."""
    return f"{article(word)} {word}"


def listed(parts: Sequence[str], conjunction: str = "and") -> str:
    """Parts as English lists them: A, B and C."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {conjunction} {parts[-1]}"


def sentence(text: str) -> str:
    """A capital at the beginning, one full stop at the end."""
    begun = text[:1].upper() + text[1:]
    return begun if begun.endswith(".") else begun + "."


_LEADING = frozenset("a an the of and or but his her its their our your my every very".split())


def leads_on(word: str) -> bool:
    """Whether no phrase ends with a word: articles, “of”, “and”, “his”."""
    return word.lower() in _LEADING


LIGHT_WORDS = frozenset("located situated name named called known part one".split())
"""Words that say little beside what they lead to: located in, the name of, known as, part of, one of."""

JARGON = (
    "polarity adjunct hyponym hypernym hyponymy hypernymy meronym holonym synset synsets synonym synonyms synonymy "
    "antonym antonyms antonymy lemma lemmas lemmatised lemmatized token tokens tokenised tokenized parse parsed parser "
    "syntactic syntactically morphological morphologically morphology monotonicity predicate modifier modifiers "
    "alignment alignments align aligned aligns node nodes dependency dependencies ngram ngrams bigram embedding "
    "embeddings vector cosine entail entails entailed entailment entailments contradicts premise implicature"
).split()
INTERNALS = (
    "score scores scored threshold thresholds feature features wordnet verbocean dirt framenet wikipedia classifier "
    "classifiers classified algorithm algorithms probability probabilities confidence similarity overlap overlaps "
    "weight weights weighted coverage distance metric model models module component components system systems "
    "heuristic heuristics neural label labels"
).split()
CHAT = (
    "i we me my our us obviously clearly certainly surely undoubtedly definitely wow great perfect perfectly hello "
    "thanks please yes"
).split()
BANNED = {
    **dict.fromkeys(JARGON, "jargon"),
    **dict.fromkeys(INTERNALS, "the workings of a program"),
    **dict.fromkeys(CHAT, "chat"),
}
"""Words that do not belong outside quotes, and what is wrong with them."""

EMPTY_PHRASES = re.compile(
    r"\bthere (?:is|was|are|exists) (?:a|an|some|no)?\s*(?:strong |close |clear )?"
    r"(?:match|relation|relationship|connection|link|similarity)\b"
    r"|\b(?:words?|hypothesis|text) (?:match|matches|matched)\b|\bcan be (?:precisely )?matched\b"
    r"|\ba match (?:is|was|has been) found\b|\b(?:find|finds|found) a match\b|\bis a (?:good |close |strong )?match\b",
    re.IGNORECASE,
)
"""Phrases that say nothing."""

MISSING = re.compile(
    r"\b(?:does|do|did|is|are|was|were|has|have) (?:not|n't|nowhere|never)\b|n['’]t\b|\bnothing\b|\bno(?:where|body)?\b"
    r"|\bnone\b|\bnever\b|\bnot\b|\bwithout\b|\bmissing\b|\babsent\b|\bunclear\b|\bopen\b|\bonly\b|\bmerely\b|\bbeyond\b"
    r"|\bcannot\b|\bmay\b|\bmight\b|\bcould\b|\bpossibl[ey]\b|\bperhaps\b|\ballege\w*|\breported\w*|\bplan(?:s|ned)?\b"
    r"|\bintend\w*|\bbelie(?:f|ve[sd]?)\b|\bwhether\b|\bif\b|\bunless\b|\bunknown\b|\blacks?\b|\bneither\b|\bbut\b"
    r"|\binstead\b|\bwider\b|\bmore general\b|\bless\b|\bwould\b|\bhardly\b|\bfuture\b|\bcondition\w*"
    r"|\bstill\b|\byet\b|\bwhereas\b|\bthe hypothesis (?:speaks|says|asks|claims|adds|states|is)\b",
    re.IGNORECASE,
)
"""Something is left open, in the words of whoever says so."""

DENIALS = re.compile(
    r"\b(?:does|do|did) not (?:say|mention|state|tell|give|speak|contain|connect|support|follow|report|name|confirm)"
    r"|\b(?:doesn|didn|don)['’]t (?:say|mention|state|tell|give|contain|support|follow)"
    r"|\bsays? nothing\b|\bnothing in the text\b|\bno mention\b|\bnot (?:mentioned|stated|given|said|in the text)\b"
    r"|\bnowhere\b|\b(?:is|are) missing\b|\bleaves? (?:it |this )?open\b|\bgoes beyond\b|\bunclear\b"
    r"|\bin so many words\b|\bwithout (?:naming|giving|mentioning|saying)\b"
    r"|\bclosest the text comes\b|\bno one place\b",
    re.IGNORECASE,
)
"""Something is said to be missing, which a justification of ENTAILMENT must not do: it denies the answer."""
