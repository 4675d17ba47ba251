"""The lint of justifications: what is wrong with one, and how to mend it. Each rule is a function of what is looked at.

lint('The text says "Ann Lee bought Ely Ltd", and to buy is to acquire.', text, hypothesis, "ENTAILMENT")
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from karat.data.parameters import checked
from karat.engines.engine import Justification, Span
from karat.engines.explaining.wording import BANNED, DENIALS, EMPTY_PHRASES, MISSING, article, leads_on
from karat.engines.lexicon.loading import load_wordnet
from karat.engines.lexicon.relations import Part, Relation
from karat.engines.lexicon.wordnet import WordNet
from karat.labels import CONTRADICTION, ENTAILMENT, NO_ENTAILMENT, UNKNOWN, canonical

SENTENCES = 2
WORDS = 45
REPEATED_H = 6
"""A hypothesis of more words than this is not repeated whole."""
REPEATED_T = 20
LONG_WORD = 40
"""Characters in which the end of a text is looked for first."""

# None of these looks at a character more than a few times: a repeat stops where the next could begin.
_QUOTED = re.compile(r'"([^"]*)"|“([^“”]*)”')
_STOP = re.compile(r"(?<![.!?])(?:(?<![A-Z])[.!?]|[.!?]{2})[.!?]*+(?=\s+[\"“A-Z0-9]|\s*$)")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_ARTICLE = re.compile(r"\b(an?)\s+[\"“]?([^\W_][\w.]*)", re.IGNORECASE)
_MARKUP = re.compile(r"https?://|www\.|</?[a-zA-Z][^<>]*>|&[a-z]+;|\*\*|`|\[[^\[\]]*\]\(")
_HOLE = "□"
"""Stands for a quote where only what is around it is looked at."""


@dataclass(frozen=True)
class Looked:
    """A justification and its pair, as the rules see them."""

    said: str
    evidence: tuple[Span, ...]
    text: str
    hypothesis: str
    label: str

    @property
    def quotes(self) -> list[str]:
        """The stretches in quotation marks, blanks made single."""
        return [_single(a or b) for a, b in _QUOTED.findall(self.said)]

    @property
    def around(self) -> str:
        """What is not quoted, a hole for each quote."""
        return _QUOTED.sub(_HOLE, self.said)


Rule = Callable[[Looked], Iterator[str]]


@checked
def lint(justification: Justification | str, text: str, hypothesis: str, label: str) -> list[str]:
    """What is wrong with the justification of an answer, one sentence per fault; empty where there is none."""
    whole = justification if isinstance(justification, Justification) else Justification(justification)
    looked = Looked(whole.text, whole.evidence, text, hypothesis, canonical(label))
    if not looked.said.strip():
        return ["it is empty: say in a sentence what decides"]
    return [complaint for rule in RULES for complaint in rule(looked)]


def _length(looked: Looked) -> Iterator[str]:
    sentences = len(_STOP.findall(looked.around))
    if sentences > SENTENCES:
        yield f"it has {sentences} sentences: say it in at most {SENTENCES}"
    words = len(looked.said.split())
    if words > WORDS:
        yield f"it has {words} words: at most {WORDS}; quote the clause that decides, not the sentence"


def _form(looked: Looked) -> Iterator[str]:
    said, first = looked.said, looked.said.lstrip()[0]
    if not (first.isupper() or first.isdigit() or first in '"“'):
        yield f"it begins with {first!r}: begin with a capital"
    if said.rstrip()[-1] not in ".?!":
        yield "it has no full stop at its end: add one"
    if re.search(r"\.\.(?!\.)", looked.around.replace("...", "")):
        yield "it has two full stops in a row: keep one"
    if said.count('"') % 2 or said.count("“") != said.count("”"):
        yield "a quotation mark has no partner: close the quote"
    if re.search(r"[^\S\r\n]{2,}", said) or said != said.strip():
        yield "it has blanks too many: keep single ones, and none at the ends"
    if re.search(r"[\r\n]", said):
        yield "it has a line break: write one paragraph"
    if "!" in looked.around:
        yield "it has an exclamation mark: state it plainly"
    for found, spelled in _ARTICLE.findall(said if not looked.quotes else looked.around + " " + _before_quotes(said)):
        # “A” may be a letter or a name where it begins a sentence in capitals.
        word = spelled.rstrip(".")
        if found in ("a", "an", "An") and found.lower() != article(word):
            yield f"“{found} {word}”: write “{article(word)} {word}”"


def _markup(looked: Looked) -> Iterator[str]:
    found = _MARKUP.search(looked.around)
    if found:
        yield f"it has an address or markup ({found[0]}): write plain text"


def _literal(looked: Looked) -> Iterator[str]:
    sources = _single(looked.text), _single(looked.hypothesis)
    for quote in looked.quotes:
        if not quote:
            yield "it has an empty quote: quote words of the text or the hypothesis"
        elif not any(quote in source for source in sources):
            yield f"“{quote}” is neither in the text nor in the hypothesis: quote word for word"


def _clipped(looked: Looked) -> Iterator[str]:
    sources = _single(looked.text), _single(looked.hypothesis)
    for quote in filter(None, looked.quotes):
        after = [source[place + len(quote) :] for source in sources if (place := source.find(quote)) >= 0]
        # Where it stands whole in one place, it is whole.
        if after and all(_goes_on(quote, rest) for rest in after):
            yield f"“{quote}” breaks off in the middle of a phrase: quote it to its end"


_MULTIPLIES = re.compile(r"\s?(?:%|(?:hundred|thousand|million|billion|trillion)\b)")


def _goes_on(quote: str, rest: str) -> bool:
    """Whether what follows a quote belongs to its last word."""
    *before, last = quote.split()
    if before and leads_on(last) and re.match(r"\s\w", rest):
        return True
    return (
        last[-1].isdigit() and re.match(r"\s?(?:%|(?:hundred|thousand|million|billion|trillion)\b)", rest) is not None
    )


_OPPOSITES = re.compile(r'["“]([^"“”]+)["”][^"“”.;]*\bopposites? of ["“]([^"“”]+)["”]')


def _opposites(looked: Looked) -> Iterator[str]:
    for one, other in _OPPOSITES.findall(looked.said):
        if not are_opposites(load_wordnet(), one, other):
            yield f"no dictionary knows “{one}” and “{other}” as opposites: say what rules out what"


def are_opposites(wordnet: WordNet, one: str, other: str) -> bool:
    """Whether a dictionary knows two words as opposites, in any form; where there is none, that is believed."""
    if not len(wordnet):
        return True
    bearings = wordnet.bearings
    firsts, seconds = (
        {wordnet.lemma_id(wordnet.base(word.lower(), part)) for part in Part} - {-1} for word in (one, other)
    )
    for first, second in [(a, b) for a in firsts for b in seconds] + [(b, a) for a in firsts for b in seconds]:
        rows = slice(int(bearings.starts[first]), int(bearings.starts[first + 1]))
        found = bearings.relations[rows][bearings.words[rows] == second]
        if (found == Relation.ANTONYM).any():
            return True
    return False


def _spans(looked: Looked) -> Iterator[str]:
    stretches = []
    for span in looked.evidence:
        source = looked.text if span.side == "T" else looked.hypothesis
        if not 0 <= span.start < span.end <= len(source):
            yield f"the evidence {span.side} {span.start}–{span.end} is outside the {len(source)} there: count anew"
            continue
        stretches.append(_single(source[span.start : span.end]))
        if _cuts(source, span.start) or _cuts(source, span.end):
            yield f"the evidence “{stretches[-1]}” begins or ends inside a word: move it to the word's edge"
    for quote in looked.quotes if looked.evidence else ():
        if quote not in stretches:
            yield f"no evidence points at the quote “{quote}”: add where it stands"


def _digits(looked: Looked) -> Iterator[str]:
    known = set(re.findall(r"\d+", looked.text + " " + looked.hypothesis))
    for number in re.findall(r"\d+", looked.said):
        if number not in known:
            yield f"the number {number} is neither in the text nor in the hypothesis: take it out"


def _wording(looked: Looked) -> Iterator[str]:
    seen = set()
    for word in _WORD.findall(looked.around):
        lower = word.lower()
        if lower in BANNED and lower not in seen:
            seen.add(lower)
            yield f"“{word}” is {BANNED[lower]}: say it in plain words, or in quotes if the pair has the word"
    found = EMPTY_PHRASES.search(looked.around)
    if found:
        yield f"“{found[0]}” tells the reader nothing: say which words, and how one bears on the other"


def _repetition(looked: Looked) -> Iterator[str]:
    for name, source, most in (("text", looked.text, REPEATED_T), ("hypothesis", looked.hypothesis, REPEATED_H)):
        if repeats(looked.said, source, most):
            yield f"it repeats the whole {name}: quote only the part that decides"


def repeats(said: str, source: str, most: int) -> bool:
    """Whether a justification has the whole of a text that has more than so many words."""
    # Where the last of its words is not there, nor are all of them; nearly always that decides.
    last = re.findall(r"\w+", source[-LONG_WORD:])
    if (last and last[-1].lower() not in said.lower()) or len(source.split()) <= most:
        return False
    return f" {_bare(source)} " in f" {_bare(said)} "


def _consistency(looked: Looked) -> Iterator[str]:
    denied = DENIALS.search(looked.around) if looked.label == ENTAILMENT else None
    if denied:
        yield f"“{denied[0]}” denies the answer, which is ENTAILMENT: say how the text bears on what it does not say so"
    two, open_ = _names_two(looked), MISSING.search(looked.around) is not None
    if looked.label == CONTRADICTION and not two:
        yield "the answer is CONTRADICTION: quote the two expressions, of the text and of the hypothesis, that disagree"
    if looked.label == UNKNOWN and not open_:
        yield "the answer is UNKNOWN: say what the text leaves out, or only reports"
    if looked.label == NO_ENTAILMENT and not (two or open_):
        yield "the answer is NO ENTAILMENT: say what is missing, or quote the two expressions that disagree"


def _names_two(looked: Looked) -> bool:
    """Whether something of T and something else of H is quoted."""
    text, hypothesis = _single(looked.text), _single(looked.hypothesis)
    quotes = looked.quotes
    return any(
        quotes[i] in text and quotes[j] in hypothesis
        for i in range(len(quotes)) for j in range(len(quotes)) if i != j
    )  # fmt: skip


def _before_quotes(said: str) -> str:
    """Every article that stands before a quote, with the quote's first word."""
    return " ".join(re.findall(r"\ban?\s+[\"“][^\W_][\w.]*", said))


def _cuts(source: str, place: int) -> bool:
    return 0 < place < len(source) and source[place - 1].isalnum() and source[place].isalnum()


def _single(text: str) -> str:
    return " ".join(text.split())


def _bare(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


RULES: tuple[Rule, ...] = (
    _length, _form, _markup, _literal, _clipped, _opposites, _spans, _digits, _wording, _repetition, _consistency,
)  # fmt: skip
