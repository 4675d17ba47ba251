"""How one word bears on another, said in a clause: “a lawyer is a kind of professional”, “to stroll is to walk”."""

from __future__ import annotations

from karat.engines.checks.base import view
from karat.engines.checks.likeness import LINKS, initials
from karat.engines.explaining.phrases import glued, name, noun_phrase
from karat.engines.explaining.quoting import Pair, Quotes, Range, SideWords
from karat.engines.explaining.wording import BANNED, with_article
from karat.engines.kernels.grammar import PART_OF, Tag
from karat.engines.lexicon.relations import Part, Relation
from karat.engines.text.vocabulary import Flag

CERTAIN_FROM = 0.8
"""A weaker relation is not stated as a fact: the words are so related in some sense only."""
CERTAIN_KINDS_FROM = 0.85
CERTAIN_THINGS_FROM = 0.64
"""Of things that can be touched, three levels of kinds are told, of nouns for other things one."""
CAN_MEAN_FROM = 0.75
"""A synonym in some sense is told as what a word can mean."""
MEANS_FROM = 0.94
"""From here on both words mean it in the sense that each is mostly used in."""
ROUNDED = 0.05
"""How far numbers may be apart, as a share, for the one to be about the other."""
_TOUCHED = frozenset(f"noun.{field}" for field in "artifact animal person plant food substance body object".split())
_LIGHT = frozenset(
    "take make do get have go come put give hold set locate keep bring act move want number activity".split()
)
"""Words of so many senses that hardly any word is a kind of them in the sense that is meant."""

_ABSTRACT = ("tion", "sion", "ness", "ity", "ment", "ing", "ism", "ship", "ance", "ence", "age", "ure", "cy")
"""Endings of nouns that take no article."""
_ONE = frozenset(("a", "an", "one", "another", "every", "each"))
_PLACE, _PERSON = "noun.location", "noun.person"
_PEOPLE = frozenset(("person", "persons", "people"))
_OR_MORE = frozenset("more over least above minimum exceeding exceeded exceeds".split())
_NONE = frozenset(("non", "anti", "un"))
_PARTS = [PART_OF.get(tag) for tag in Tag]
_THINGS = (Tag.NOUN, Tag.PROPN)
_SAME_PART = (Relation.SYNONYM, Relation.HYPERNYM)


def certain(pair: Pair, place: int, row: int) -> bool:
    """Whether it can be told as a fact that the T word speaks for the H word.

    Of a name the dictionary may know a namesake only (Bush, Rice, Gates), and of a small word a noun (at, astatine).
    """
    relation, strength = pair.bears(place, row)
    t_form, h_form = pair.t.forms[place].lower(), pair.h.forms[row].lower()
    if place > 1 and pair.t.forms[place - 1] == "-" and pair.t.forms[place - 2].lower() in _NONE:
        return False  # non-domestic fires are none in homes
    if pair.h.tags[row] == Tag.ADJ and not pair.h.flags[row] & Flag.CAPITAL and _inside_name(pair, place):
        return False  # what happened in New York need not be new
    if t_form == h_form or f"{t_form}s" == h_form or t_form == f"{h_form}s":
        # The 1990s are not 1990.
        return t_form == h_form or not (t_form[0].isdigit() or h_form[0].isdigit())
    if relation is Relation.SAME:
        if h_form.endswith("est") and pair.h.tags[row] == Tag.ADJ:
            return False  # what is old need not be the oldest
        return not (t_form[0].isdigit() and h_form[0].isdigit()) or _fits(pair, place, row)
    if row and pair.h.tags[row] == Tag.NOUN and _lemma(pair, row - 1) in _LIGHT:
        return False  # what takes place has no position
    # What is one letter, or a piece of a written word such as the m of 3m, is no word of the dictionary.
    if len(t_form) < 2 or glued(pair.t, (place, place)) != (place, place):
        return False
    part_t, part_h = _PARTS[pair.t.tags[place]], _PARTS[pair.h.tags[row]]
    if pair.t.flags[place] & Flag.FUNCTION or (relation in _SAME_PART and part_t != part_h):
        return False
    # A suicide may be a person, but what is committed is none; and officials who say that people died did not die.
    if relation is Relation.HYPERNYM and h_form in _PEOPLE and not _same_person(pair, place, row):
        return False
    t_name, h_name = pair.t.is_surely_name(place), pair.h.is_surely_name(row)
    if relation is Relation.PART:
        return t_name and h_name and _is_place(pair, place)
    if t_name or h_name:
        # An institute is not what its founder is from; Japan is what the Japanese are.
        derived = relation is Relation.DERIVED and bool(pair.t.flags[place] & pair.h.flags[row] & Flag.CAPITAL)
        return (
            (derived and _one_root(t_form, h_form))
            or (relation is Relation.SYNONYM and t_name == h_name)
            or (
                relation is Relation.HYPERNYM
                and t_name
                and not h_name
                and _is_place(pair, place)
                and not _other(pair, row)
            )
        )
    if relation in (Relation.HYPERNYM, Relation.ENTAILS) and _lemma(pair, row) in _LIGHT:
        return False
    if relation is Relation.DERIVED:
        return strength >= CERTAIN_FROM and _one_root(t_form, h_form)
    if relation is Relation.SYNONYM:
        return strength >= CAN_MEAN_FROM
    if relation is Relation.HYPERNYM and part_t == part_h == Part.NOUN:
        one, other = _field(pair.t, pair, place), _field(pair.h, pair, row)
        if one in _TOUCHED and (other in _TOUCHED or h_form in _PEOPLE):
            return strength >= CERTAIN_THINGS_FROM
        # A bomb is no attack, in the sense that each is mostly used in.
        return strength >= CERTAIN_KINDS_FROM and one == other
    return strength >= CERTAIN_FROM


def _other(pair: Pair, row: int) -> bool:
    """Whether an H word speaks of others: any other country is not Mexico."""
    return row > 0 and pair.h.forms[row - 1].lower() in ("other", "another")


def _is_place(pair: Pair, place: int) -> bool:
    """Whether a name in T is one of a place, and all of a name: the States of a country are none."""
    return _field(pair.t, pair, place) == _PLACE and name(pair.t, place) == (place, place)


def _one_root(one: str, other: str) -> bool:
    """Whether two words begin alike, as forms of one word do; death and died do, theft and stolen do not."""
    return one[0] == other[0]


def _fits(pair: Pair, place: int, row: int) -> bool:
    """Whether figures that are not the same agree as far as they are told: about as many, or more as H says."""
    try:
        t, h = (float(form.replace(",", "")) for form in (pair.t.forms[place], pair.h.forms[row]))
    except ValueError:
        return True  # 5th and fifth
    near = {form.lower() for form in pair.h.forms[max(row - 3, 0) : row + 3]}
    return abs(t - h) <= ROUNDED * max(t, h) or (t >= h and bool(near & _OR_MORE))


def _lemma(pair: Pair, row: int) -> str:
    return pair.batch.knowledge.vocabulary.lemma(pair.h.lemmas[row])


def _inside_name(pair: Pair, place: int) -> bool:
    """Whether a T word is part of a name that goes on after it."""
    capitals = [bool(flags & Flag.CAPITAL) for flags in pair.t.flags[place : place + 2]]
    return capitals == [True, True] and not pair.t.begins_sentence(place)


def decisive(pair: Pair, seen: dict[int, int]) -> list[tuple[int, int]]:
    """The T words and H words, of certain ones, that are not the same, what most needs saying first.

    A change of word comes before a change of form, then what is surest; of equals the verb, then the earlier word.
    """
    able = [
        (pair.bears(place, row)[0] is Relation.DERIVED, -pair.bears(place, row)[1], pair.h.tags[row] != Tag.VERB, row)
        for row, place in seen.items()
        if not _alike(pair, place, row)
    ]
    words: list[tuple[int, int]] = []
    for *_, row in sorted(able):
        told = [pair.t.lemmas[seen[row]], pair.h.lemmas[row]]
        if all(told != [pair.t.lemmas[place], pair.h.lemmas[other]] for place, other in words):
            words.append((seen[row], row))
    return words


def _alike(pair: Pair, place: int, row: int) -> bool:
    t_form, h_form = pair.t.forms[place].lower(), pair.h.forms[row].lower()
    if t_form in (h_form, f"{h_form}s") or h_form == f"{t_form}s":
        return True
    relation, strength = pair.bears(place, row)
    # What only writes a number out (“million”) is told of with the number.
    return relation is Relation.SAME and (strength == 1 or not _spelled_otherwise(pair, row))


def _spelled_otherwise(pair: Pair, row: int) -> bool:
    return pair.h.is_name(row) or pair.h.forms[row][0].isdigit() or bool(pair.h.flags[row] & Flag.ORDINAL)


def kinship(pair: Pair, place: int, row: int, quotes: Quotes) -> str:
    """A clause that says how the T word bears on the H word."""
    relation, strength = pair.bears(place, row)
    if relation is Relation.SAME:
        return _respelled(pair, place, row, quotes)
    verbs = pair.t.tags[place] == pair.h.tags[row] == Tag.VERB
    nouns = pair.t.tags[place] == pair.h.tags[row] == Tag.NOUN
    vocabulary = pair.batch.knowledge.vocabulary
    t_lemma, h_lemma = vocabulary.lemma(pair.t.lemmas[place]), vocabulary.lemma(pair.h.lemmas[row])
    plain = t_lemma.isalpha() and h_lemma.isalpha() and t_lemma != h_lemma and not {t_lemma, h_lemma} & BANNED.keys()
    if plain and verbs and relation is Relation.SYNONYM and strength > MEANS_FROM:
        quotes.note((place, place))
        return f"to {t_lemma} is to {h_lemma}"
    if plain and nouns and relation is Relation.HYPERNYM and _countable(pair, place):
        quotes.note((place, place))
        return f"{with_article(t_lemma)} is a kind of {h_lemma}"
    t, h = quotes.t((place, place)), quotes.h((row, row))
    if relation is Relation.HYPERNYM:
        if pair.t.is_name(place):
            return f"{t} is {with_article(h_lemma)}"
        return f"{t} is a kind of {h_lemma if plain else h}" if nouns else f"{t} can mean {h}"
    if relation is Relation.SYNONYM:
        if strength <= MEANS_FROM and (verbs or strength < CERTAIN_FROM):
            return f"{t} can mean {h}"
        return f"{t} is another word for {h}" if nouns else f"{t} means the same as {h}"
    if relation is Relation.DERIVED:
        return _derived(pair, place, row, t, h)
    return f"{t} implies {h}" if relation is Relation.ENTAILS else f"{t} is part of {h}"


def _respelled(pair: Pair, place: int, row: int, quotes: Quotes) -> str:
    """A name or a number in another spelling."""
    t_form, h_form = pair.t.forms[place], pair.h.forms[row]
    if (pair.h.flags[row] ^ pair.t.flags[place]) & Flag.ORDINAL:
        return f"{quotes.t((place, place))} stands for {quotes.h((row, row))}"  # II for Second
    if not pair.h.is_name(row):
        counted = glued(pair.t, (place, max(place, noun_phrase(pair.t, place, 4)[1])))
        run = glued(pair.h, (row, max(row, noun_phrase(pair.h, row, 4)[1])))
        after = [form.lower() for form in pair.h.forms[run[1] + 1 : run[1] + 2]]
        if pair.h.tags[run[1]] in _THINGS and pair.t.tags[counted[1]] not in _THINGS:
            run = glued(pair.h, (row, row))  # a deal worth $5 billion says nothing of a $5 billion takeover
        figures = [form.replace(",", "") for form in (t_form, h_form)]
        if not any(figure[0].isdigit() for figure in figures):
            return f"{quotes.t((place, place))} is {quotes.h((row, row))}"
        if after == ["or"]:  # 100 or more
            run = run[0], min(run[1] + 2, len(pair.h) - 1)
        named = any(map(pair.t.is_name, range(counted[0], counted[1] + 1)))  # the 8,586-meter Mount Lee
        t, h = quotes.t(glued(pair.t, (place, place)) if named else counted), quotes.h(run)
        if all(figure.replace(".", "").isdigit() for figure in figures) and float(figures[0]) != float(figures[1]):
            near = abs(float(figures[0]) - float(figures[1])) <= ROUNDED * max(map(float, figures))
            return f"{t} is about {h}" if near else f"{t} fits {h}"
        return f"{t} is {h}"
    whole = name(pair.h, row)
    letters = initials(h_form), initials(t_form)
    if any(letters) or (t_form[0] == h_form[0] and len(t_form) == 1):
        run = (place, place) if letters[1] else _spelled_out(pair.t, place, letters[0])
        whole = (row, row) if letters[0] else _spelled_out(pair.h, whole[0], letters[1])
        return f"{quotes.t(run)} and {quotes.h(whole)} stand for each other"
    if pair.h.written(whole).endswith(f" {t_form}") and h_form != t_form:
        return f"{quotes.t((place, place))} stands for {quotes.h(whole)}"
    return f"{quotes.t((place, place))} and {quotes.h((row, row))} are spellings of one name"


def _spelled_out(words: SideWords, first: int, letters: str) -> Range:
    """The words of a name that begin with some letters, one after the other: Centers for Disease Control for CDC."""
    last, left = first, letters[1:]
    for place in range(first + 1, min(first + 3 * len(letters), len(words))):
        if not left or not (words.forms[place][0] == left[0] or words.forms[place].lower() in LINKS):
            break
        if words.forms[place][0] == left[0]:
            last, left = place, left[1:]
    return glued(words, (first, last))


def _derived(pair: Pair, place: int, row: int, t: str, h: str) -> str:
    """One root: a founder is who founded, European means of Europe."""
    if pair.t.flags[place] & pair.h.flags[row] & Flag.CAPITAL:
        adjectives = pair.t.tags[place] == Tag.ADJ, pair.h.tags[row] == Tag.ADJ
        if adjectives == (True, False):
            return f"{t} means of {h}"
        return f"{h} means of {t}" if adjectives == (False, True) else f"{t} has the same root as {h}"
    return f"{t} has the same root as {h}"


def _same_person(pair: Pair, place: int, row: int) -> bool:
    """Whether a T word names a person, who does in T what the people do in H, or to whom the same is done."""
    if _field(pair.t, pair, place) != _PERSON:
        return False
    batch, seen = pair.batch, view(pair.batch)
    return bool(seen.t.roles[batch.t.starts[pair.place] + place] == seen.h.roles[batch.h.starts[pair.place] + row])


def _field(words: SideWords, pair: Pair, place: int) -> str | None:
    wordnet, lemma = pair.batch.knowledge.wordnet, words.lemmas[place]
    return wordnet.lexname(lemma, Part.NOUN) if lemma < len(wordnet) else None


def _countable(pair: Pair, place: int) -> bool:
    """Whether “a” fits: the word stands in the plural, after an article of one, or is a person."""
    form = pair.t.forms[place].lower()
    if form != pair.batch.knowledge.vocabulary.lemma(pair.t.lemmas[place]):
        return True
    if _ONE & {each.lower() for each in pair.t.forms[max(place - 2, 0) : place]} and not form.endswith(_ABSTRACT):
        return True
    return _field(pair.t, pair, place) == _PERSON and not form.endswith(_ABSTRACT)
