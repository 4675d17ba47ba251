"""Which words around a word a person would say with it: noun phrases, names, verb phrases and clauses."""

from __future__ import annotations

from karat.engines.explaining.quoting import Range, SideWords
from karat.engines.kernels.grammar import Tag
from karat.engines.text.vocabulary import Flag

PHRASE_WORDS = 6
"""Words in a phrase."""
WRITTEN_WORD_TOKENS = 20
"""No written word goes further than so many tokens to either side."""
NAME = 14
"""No name has as many words."""

_GLUE = frozenset("-/–&@")
_BEFORE = _GLUE | frozenset("$€£#")
_AFTER = _GLUE | frozenset("%°")
_POSSESSIVES = frozenset(("'s", "’s"))
_POSSESSIVE_PRONOUNS = frozenset("my your his her its our their".split())
_PARTICLES = frozenset("of the da de del della di do dos du la le van von der den al el bin ibn".split())
_NOUNS = frozenset((Tag.NOUN, Tag.PROPN))
_IN_FRONT = frozenset((Tag.NOUN, Tag.PROPN, Tag.ADJ, Tag.NUM, Tag.SYM, Tag.DET))
_WITH_VERB = frozenset((Tag.AUX, Tag.ADV, Tag.PART))
_AFTER_TIME = frozenset(("ago", "old"))
_AHEAD = 5
"""Tokens in which the verb of “not” is looked for."""
_QUOTES = frozenset("\"“”`'‘’()[]")


def glued(words: SideWords, run: Range) -> Range:
    """A run that cuts no written word in two: “Anglo” becomes “Anglo-Saxon”, “5” becomes “$5”."""
    first, last = run
    while (
        first > 0
        and run[0] - first < WRITTEN_WORD_TOKENS
        and _touches(words, first - 1)
        and (words.forms[first - 1] in _BEFORE or words.forms[first] in _GLUE or _both_letters(words, first - 1))
    ):
        first -= 1
    while (
        last + 1 < len(words.forms)
        and last - run[1] < WRITTEN_WORD_TOKENS
        and _touches(words, last)
        and (words.forms[last + 1] in _AFTER or words.forms[last] in _BEFORE or _both_letters(words, last))
    ):
        last += 1
    # A dash that was taken for a hyphen is no part of the word.
    while first < last and words.forms[first] in _GLUE:
        first += 1
    while last > first and words.forms[last] in _GLUE:
        last -= 1
    return first, last


def name(words: SideWords, place: int) -> Range:
    """The whole name that a word is part of."""
    first = last = place
    while first > 0 and place - first < NAME and (back := _name_before(words, first)):
        first -= back
    while last + 1 < len(words.forms) and last - place < NAME and (ahead := _name_after(words, last)):
        last += ahead
    if last - first >= NAME:  # no name is as long as that: capitals in a row, of which some around the word are shown
        first, last = max(first, place - PHRASE_WORDS // 2), min(last, place + PHRASE_WORDS // 2)
    return glued(words, (first, last))


def noun_phrase(words: SideWords, place: int, longest: int = PHRASE_WORDS) -> Range:
    """The noun phrase that a word is part of, cut to its end where it is long."""
    first = last = place
    while last + 1 < len(words.forms) and last - place < NAME and _goes_on(words, last):
        last += 1
    if last + 1 < len(words.forms) and words.tags[last] == Tag.NOUN and words.forms[last + 1].lower() in _AFTER_TIME:
        last += 1
    while first > 0 and last - first + 1 < longest + 2 and _stands_in_front(words, first - 1):
        first -= 1
    first, last = glued(words, (first, last))
    while words.size((first, last)) > longest and first < place:
        first += 1
    while words.forms[first] in _POSSESSIVES and first < last:
        first += 1
    return glued(words, (first, last))


def with_of(words: SideWords, run: Range, longest: int = PHRASE_WORDS) -> Range:
    """A noun phrase with what follows it after “of”: “the president of France”."""
    after = run[1] + 1
    if after + 1 >= len(words.forms) or words.forms[after].lower() != "of":
        return run
    start = after + 1
    while start + 1 < len(words.forms) and words.tags[start] in (Tag.DET, Tag.ADJ):
        start += 1
    if words.tags[start] not in (*_NOUNS, Tag.NUM):
        return run
    longer = run[0], noun_phrase(words, start)[1]
    return longer if words.size(longer) <= longest else run


def phrase(words: SideWords, place: int) -> Range:
    """What a person would quote to point at a word: its name, noun phrase, or the word with its auxiliaries."""
    tag = words.tags[place]
    alone = place + 1 < len(words.forms) and not words.is_name(place + 1)
    if words.is_name(place) and (words.is_surely_name(place) or not alone):
        return name(words, place)
    if tag in (Tag.NOUN, Tag.NUM, Tag.SYM, Tag.ADJ, Tag.PROPN):
        return noun_phrase(words, place)
    return glued(words, (place, place))


def verb_phrase(words: SideWords, place: int, longest: int = PHRASE_WORDS) -> Range:
    """A verb with its auxiliaries in front, and its object or complement behind where that is short."""
    first = last = place
    while first > 0 and place - first < PHRASE_WORDS and words.tags[first - 1] in _WITH_VERB:
        first -= 1
    while first < place and words.tags[first] == Tag.ADV:
        first += 1
    reach = last
    while reach + 1 < len(words.forms) and words.tags[reach + 1] in (Tag.ADP, Tag.PART, Tag.ADV) and reach - last < 2:
        reach += 1
    start = reach + 1
    if start < len(words.forms) and words.tags[start] in (*_IN_FRONT, Tag.PRON):
        while start + 1 < len(words.forms) and _before_noun(words, start):
            start += 1
        if words.tags[start] in (*_NOUNS, Tag.PRON, Tag.NUM):
            end = noun_phrase(words, start)[1]
            # In “says it has” the pronoun is no object.
            subject = words.tags[start] == Tag.PRON and words.tags[end + 1 : end + 2] in ([Tag.AUX], [Tag.VERB])
            if words.size((first, end)) <= longest and not subject:
                last = with_of(words, (first, end), longest)[1]
    return glued(words, (first, last))


def _before_noun(words: SideWords, place: int) -> bool:
    """Whether a word only leads up to a noun: “the”, “old”, “his” before “old mill”, “adopted” before “son”."""
    tag, after = words.tags[place], words.tags[place + 1]
    if tag in (Tag.DET, Tag.ADJ):
        return True
    if words.forms[place].lower() in _POSSESSIVE_PRONOUNS:
        return after in (*_IN_FRONT, Tag.VERB)
    participle = words.forms[place].lower().endswith(("ed", "en", "ing"))
    return tag == Tag.VERB and participle and after in _NOUNS


def verb_group(words: SideWords, place: int) -> Range:
    """An auxiliary or “not” with the verb it goes before: “would be degraded”, “did not say”, “is not in Ely”."""
    first = place
    while first > 0 and place - first < _AHEAD and _auxiliary(words, first - 1):
        first -= 1
    sentence, last = words.sentences[place], place
    for at in range(place + 1, min(place + 1 + _AHEAD, len(words.forms))):
        if words.sentences[at] != sentence:
            break
        if words.tags[at] == Tag.VERB:
            return glued(words, (first, at))
        if words.tags[at] in _NOUNS and last == place:
            last = noun_phrase(words, at)[1]
        elif words.tags[at] in (Tag.ADJ, Tag.NUM) and last == place:
            last = at
    return glued(words, (first, last))


def _auxiliary(words: SideWords, place: int) -> bool:
    """Whether a word is an auxiliary, or the first half of “didn't”."""
    return words.tags[place] == Tag.AUX or words.forms[place + 1].lower() in ("'t", "’t")


def opened(words: SideWords, place: int, longest: int = 2 * PHRASE_WORDS) -> Range:
    """A word that opens a clause, with that clause, up to the next mark or else to its verb: “if parliament agrees”."""
    last = place
    while last + 1 < len(words.forms) and not words.is_mark(last + 1) and last - place < longest:
        last += 1
    if last - place == longest:
        verbs = [at for at in range(place + 1, last) if words.tags[at] == Tag.VERB]
        last = verb_phrase(words, verbs[0])[1] if verbs else place
    return glued(words, (place, last))


def clause(words: SideWords, place: int, longest: int = 2 * PHRASE_WORDS) -> Range | None:
    """The subject and verb phrase around the first verb of H; none where that is not what stands there."""
    # It begins with H, so that a verb far behind has none.
    if place > WRITTEN_WORD_TOKENS or any(tag in (Tag.VERB, Tag.AUX) for tag in words.tags[: max(place - 3, 0)]):
        return None
    first, last = verb_phrase(words, place)
    if not first or words.tags[first - 1] not in (*_NOUNS, Tag.PRON, Tag.NUM):
        return None
    if any(words.tags[at] in (Tag.VERB, Tag.AUX) for at in range(first)):
        return None
    if words.forms[place].lower().endswith("ing") and Tag.AUX not in words.tags[first:place]:
        return None
    # The subject is all that stands before: H begins with it.
    run = glued(words, (0, last))
    quoted = any(form in _QUOTES for form in words.forms[run[0] : run[1] + 1])
    return None if quoted or words.size(run) > longest else run


def _touches(words: SideWords, place: int) -> bool:
    return words.spans[place][1] == words.spans[place + 1][0]


def _both_letters(words: SideWords, place: int) -> bool:
    return words.forms[place][-1].isalnum() and words.forms[place + 1][0].isalnum()


def _name_before(words: SideWords, first: int) -> int:
    """How many words before a name belong to it: “Lula da” before “Silva” are two."""
    before = first - 1
    if words.sentences[before] != words.sentences[first]:
        return 0
    if words.is_name(before):
        return 1
    joined = words.forms[before].lower() in _PARTICLES and before > 0 and words.is_name(before - 1)
    return 2 if joined and words.sentences[before - 1] == words.sentences[first] else 0


def _name_after(words: SideWords, last: int) -> int:
    """How many words after a name belong to it: “Ernslaw One”, “August 8”, “Joan of Arc”."""
    after = last + 1
    if words.sentences[after] != words.sentences[last]:
        return 0
    numbered = words.tags[after] == Tag.NUM and (words.flags[after] & Flag.CAPITAL or words.flags[last] & Flag.DATE)
    if words.is_name(after) or numbered:
        return 1
    joined = words.forms[after].lower() in _PARTICLES and after + 1 < len(words.forms) and words.is_name(after + 1)
    return 2 if joined and words.sentences[after + 1] == words.sentences[last] else 0


def _goes_on(words: SideWords, last: int) -> bool:
    after = last + 1
    if (_touches(words, last) and _both_letters(words, last)) or (
        words.is_name(last) and _name_after(words, last) == 1
    ):
        return True
    if words.is_mark(after) and words.forms[after] not in _GLUE:
        return (
            words.forms[after] in _POSSESSIVES and after + 1 < len(words.forms) and words.tags[after + 1] in _IN_FRONT
        )
    if words.forms[after] in _POSSESSIVES:
        return after + 1 < len(words.forms) and words.tags[after + 1] in _IN_FRONT
    if words.forms[last] in _POSSESSIVES:
        return words.tags[after] in _IN_FRONT
    if words.forms[after] in _GLUE or words.forms[last] in _GLUE:
        return _touches(words, last) and after + 1 < len(words.forms)
    if words.tags[after] in _NOUNS:
        # “In the 1990s Brazil” are two.
        return not (words.tags[last] == Tag.NUM and words.forms[last].endswith("s"))
    return words.tags[last] in (Tag.NUM, Tag.ADJ, Tag.SYM, Tag.DET) and words.tags[after] in _IN_FRONT - {Tag.DET}


def _stands_in_front(words: SideWords, before: int) -> bool:
    form = words.forms[before]
    if words.tags[before + 1] == Tag.DET:
        return False
    if form in _GLUE:
        return _touches(words, before)
    if form in _POSSESSIVES:
        return True
    return words.tags[before] in _IN_FRONT or form.lower() in _POSSESSIVE_PRONOUNS
