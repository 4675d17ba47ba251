"""Why T does not say that H: what it leaves out, or that it has the words in another connection."""

from __future__ import annotations

from karat.engines.explaining.phrases import clause, name, noun_phrase, phrase, verb_phrase, with_of
from karat.engines.explaining.quoting import Pair, Quotes, Range
from karat.engines.explaining.wording import listed
from karat.engines.kernels.grammar import NOMINAL, Tag
from karat.engines.lexicon.relations import Relation
from karat.engines.text.vocabulary import Flag

_THINGS = (Tag.NOUN, Tag.PROPN)
SHORT_HYPOTHESIS = 6
"""A hypothesis of more words is not repeated whole."""


def say_unknown(pair: Pair, quotes: Quotes) -> str:
    """One sentence on what T leaves open."""
    if not pair.content:
        return "The text says nothing that bears on the hypothesis"
    return _left_out(pair, quotes) if pair.missing else _unconnected(pair, quotes)


def _left_out(pair: Pair, quotes: Quotes) -> str:
    """H has words that T has not."""
    h = pair.h
    row = min(pair.missing, key=lambda row: (_weight(pair, row), row))
    known = mentions(pair)
    # “The text” alone is enough where nothing of H is in it.
    about = f"mentions {listed([quotes.t(run) for run in known])} but " if known else ""
    if h.tags[row] == Tag.VERB:
        if other := _one_the_other(pair, row, quotes):
            return other
        if stated := _partial_clause(pair, row):
            return f"The text {about}does not say that {quotes.h(stated)}"
        run = quotes.h(verb_phrase(h, row))
        if known:
            return f"The text mentions {listed([quotes.t(one) for one in known])}, but {run} goes beyond what it says"
        return f"Nothing in the text bears out {run}"
    if h.forms[row].endswith("s") and row and not any(tag in (Tag.VERB, Tag.AUX) for tag in h.tags):
        # A sentence has a verb: it is the word in s that was taken for a noun.
        return f"The text {about}does not say that {quotes.h((0, row))}"
    runs = _phrases(pair, row)
    named = [quotes.h(run) for run in runs]
    if h.is_date(row):
        return f"The text {about}does not give the date {named[0]}"
    if _is_figure(pair, row):
        return f"The text {about}does not give the figure {named[0]}"
    if h.tags[row] == Tag.ADJ and len(runs) == 1 and runs[0] == (row, row):
        if len(known) == 1:
            return f"The text does not describe {quotes.t(known[0])} as {named[0]}"
        return f"The text {about}does not say that anything is {named[0]}"
    if not known:
        return f"Nothing in the text speaks of {listed(named, 'or')}"
    return f"The text {about}says nothing of {listed(named, 'or')}"


def _unconnected(pair: Pair, quotes: Quotes) -> str:
    """All words of H are in T, but not in this connection."""
    verbs = [row for row in pair.content if pair.h.tags[row] == Tag.VERB]
    if len(verbs) == 1 and (other := _one_the_other(pair, verbs[0], quotes)):
        return other
    known = mentions(pair)
    stated = next((run for row in verbs if (run := _partial_clause(pair, row))), None)
    if len(known) == 2:
        first, second = known
        if pair.t.sentences[first[0]] != pair.t.sentences[second[0]]:
            a, b = quotes.t(first), quotes.t(second)
            return f"The text speaks of {a} in one sentence and of {b} in another, without connecting them in this way"
        both = listed([quotes.t(run) for run in known])
        if stated:
            return f"The text mentions {both} but does not say that {quotes.h(stated)}"
        return f"The text mentions {both} but does not connect them in this way"
    if stated:
        return f"The text has these words but does not say that {quotes.h(stated)}"
    row = verbs[0] if verbs else pair.content[-1]
    run = verb_phrase(pair.h, row) if verbs else phrase(pair.h, row)
    if known:
        return f"The text mentions {quotes.t(known[0])} but does not connect it with {quotes.h(run)} in this way"
    return f"The text has the words of {quotes.h(run)} but not in this connection"


def _one_the_other(pair: Pair, row: int, quotes: Quotes) -> str | None:
    """H is no more than that one thing does something to another, and T has both of them."""
    h = pair.h
    first, last = row, row
    while first > 0 and h.tags[first - 1] in (Tag.AUX, Tag.PART):
        first -= 1
    if last + 1 < len(h) and h.tags[last + 1] == Tag.ADP:
        last += 1
    left = [at for at in pair.content if at < first]
    right = [at for at in pair.content if at > last]
    ends = h.tags[-1] == Tag.PUNCT
    if not left or not right or max(right) != len(h) - 1 - ends or set(pair.missing) - {row}:
        return None
    if not all(pair.relation[at] == Relation.SAME and h.tags[at] in (*_THINGS, Tag.NUM) for at in left + right):
        return None
    # “threw a shoe at the mayor” has two others.
    for side in (left, right):
        inner = range(side[0], side[-1])
        if any(h.tags[at] in (Tag.ADP, Tag.DET) and h.forms[at].lower() not in ("of", "the") for at in inner):
            return None
    if h.tags[left[-1]] not in _THINGS or h.tags[right[-1]] not in _THINGS:
        return None
    a, b = (_mention(pair, side[-1]) for side in (left, right))
    if a[0] <= b[1] and b[0] <= a[1]:
        return None
    one, other = quotes.t(a), quotes.t(b)
    return f"The text mentions {one} and {other} but does not say that the former {quotes.h((first, last))} the latter"


def mentions(pair: Pair, most: int = 2) -> list[Range]:
    """What T has of H's people and things, names first, as T puts it; in the order of T."""
    rows = [
        row
        for row in pair.covered
        if pair.relation[row] == Relation.SAME
        and pair.h.tags[row] in NOMINAL
        and pair.t.tags[pair.to[row]] in NOMINAL
        and not pair.h.flags[row] & Flag.NUMBER
        and len(pair.h.forms[row]) > 1
    ]
    rows.sort(key=lambda row: (not pair.h.is_name(row), row))
    runs: list[Range] = []
    for row in rows:
        run = _mention(pair, row)
        said = f" {pair.t.written(run).lower()} "
        others = [f" {pair.t.written(other).lower()} " for other in runs]
        apart = all(run[1] < other[0] or other[1] < run[0] for other in runs)
        # A name and a part of it are one.
        if apart and not any(said in other or other in said for other in others):
            runs.append(run)
        if len(runs) == most:
            break
    return sorted(runs)


def _mention(pair: Pair, row: int) -> Range:
    place = pair.to[row]
    return name(pair.t, place) if pair.t.is_name(place) else noun_phrase(pair.t, place, 4)


def _phrases(pair: Pair, row: int) -> list[Range]:
    """The noun phrase of the weightiest missing word, and of another missing noun beside it."""
    first = with_of(pair.h, phrase(pair.h, row)) if pair.h.tags[row] in (Tag.NOUN, Tag.PROPN) else phrase(pair.h, row)
    runs = [_less_than_h(pair, first, row)]
    for other in pair.missing:
        if pair.h.tags[other] in (Tag.NOUN, Tag.PROPN) and not runs[0][0] <= other <= runs[0][1]:
            run = phrase(pair.h, other)
            if run[1] < runs[0][0] or runs[0][1] < run[0]:
                return sorted((runs[0], run))
    return runs


def _partial_clause(pair: Pair, row: int) -> Range | None:
    """Subject and verb phrase of H around its verb, where that is not H over again."""
    run = clause(pair.h, row)
    if run is None:
        return None
    whole = len(pair.h.text.split())
    return run if whole <= SHORT_HYPOTHESIS or pair.h.size(run) < whole else None


def _less_than_h(pair: Pair, run: Range, row: int) -> Range:
    """A run, or its one word where the run is all of H."""
    return run if run[1] - run[0] + 2 < len(pair.h) or len(pair.h.text.split()) <= SHORT_HYPOTHESIS else (row, row)


def _is_figure(pair: Pair, row: int) -> bool:
    """Whether a word is a number: one of many is none."""
    return bool(pair.h.flags[row] & Flag.NUMBER) and pair.h.forms[row].lower() != "one"


def _weight(pair: Pair, row: int) -> int:
    """Which missing word is named first: a name, a number, the verb, a noun, another word."""
    h = pair.h
    if h.is_name(row):
        return 0
    if _is_figure(pair, row):
        return 1
    if h.tags[row] == Tag.VERB:
        return 2 if clause(h, row) else 4
    return 3 if h.tags[row] == Tag.NOUN else 5
