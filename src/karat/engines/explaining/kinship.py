"""How one word bears on another, said in a clause: “a lawyer is a kind of professional”, “to stroll is to walk”."""

from __future__ import annotations

from karat.engines.checks.base import view
from karat.engines.checks.likeness import initials
from karat.engines.explaining.phrases import glued, name, noun_phrase
from karat.engines.explaining.quoting import Pair, Quotes
from karat.engines.explaining.wording import BANNED, article, with_article
from karat.engines.kernels.grammar import PART_OF, Tag
from karat.engines.lexicon.relations import Part, Relation
from karat.engines.text.vocabulary import Flag

CERTAIN_FROM = 0.72
CERTAIN_THINGS_FROM = 0.58
"""A weaker relation is not stated as a fact; of things that can be touched, three levels of kinds are still told."""
_TOUCHED = frozenset(f"noun.{field}" for field in "artifact animal person plant food substance body object".split())
_LIGHT = frozenset("take make do get have go come put give hold set locate keep bring act move".split())
"""Verbs of so many senses that hardly any verb is a kind of them in the sense that is meant."""

_ABSTRACT = ("tion", "sion", "ness", "ity", "ment", "ing", "ism", "ship", "ance", "ence", "age", "ure", "cy")
"""Endings of nouns that take no article."""
_ONE = frozenset(("a", "an", "one", "another", "every", "each"))
_PLACE, _PERSON = "noun.location", "noun.person"
_PEOPLE = frozenset(("person", "persons", "people"))
_SAME_PART = (Relation.SYNONYM, Relation.HYPERNYM)


def certain(pair: Pair, place: int, row: int) -> bool:
    """Whether it can be told as a fact that the T word speaks for the H word.

    Of a name the dictionary may know a namesake only (Bush, Rice, Gates), and of a small word a noun (at, astatine).
    """
    relation, strength = pair.bears(place, row)
    if pair.h.tags[row] == Tag.ADJ and not pair.h.flags[row] & Flag.CAPITAL and _inside_name(pair, place):
        return False  # what happened in New York need not be new
    if relation is Relation.SAME or pair.t.forms[place].lower() == pair.h.forms[row].lower():
        return True
    if row and pair.h.tags[row] == Tag.NOUN and _lemma(pair, row - 1) in _LIGHT:
        return False  # what takes place has no position
    part_t, part_h = PART_OF.get(Tag(pair.t.tags[place])), PART_OF.get(Tag(pair.h.tags[row]))
    # What is one letter, or a piece of a written word such as the m of 3m, is no word of the dictionary.
    if len(pair.t.forms[place]) < 2 or glued(pair.t, (place, place)) != (place, place):
        return False
    if pair.t.flags[place] & Flag.FUNCTION or (relation in _SAME_PART and part_t != part_h):
        return False
    # A suicide may be a person, but what is committed is none; and officials who say that people died did not die.
    if relation is Relation.HYPERNYM and pair.h.forms[row].lower() in _PEOPLE and not _same_person(pair, place, row):
        return False
    t_name, h_name = pair.t.is_surely_name(place), pair.h.is_surely_name(row)
    if relation is Relation.PART:
        return t_name and h_name and _field(pair, place) == _PLACE
    if t_name or h_name:
        # An institute is not what its founder is from; Japan is what the Japanese are.
        derived = relation is Relation.DERIVED and bool(pair.h.flags[row] & Flag.CAPITAL)
        return (
            derived
            or relation is Relation.SYNONYM
            or (relation is Relation.HYPERNYM and t_name and not h_name and _field(pair, place) == _PLACE)
        )
    if relation is Relation.HYPERNYM and _lemma(pair, row) in _LIGHT:
        return False
    things = part_t == part_h == Part.NOUN and _field(pair, place) in _TOUCHED
    return strength >= (CERTAIN_THINGS_FROM if things else CERTAIN_FROM)


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
    if pair.t.forms[place].lower() == pair.h.forms[row].lower():
        return True
    relation, strength = pair.bears(place, row)
    # What only writes a number out (“million”) is told of with the number.
    return relation is Relation.SAME and (strength == 1 or not (pair.h.is_name(row) or pair.h.forms[row][0].isdigit()))


def kinship(pair: Pair, place: int, row: int, quotes: Quotes) -> str:
    """A clause that says how the T word bears on the H word."""
    relation = pair.bears(place, row)[0]
    if relation is Relation.SAME:
        return _respelled(pair, place, row, quotes)
    verbs = pair.t.tags[place] == pair.h.tags[row] == Tag.VERB
    nouns = pair.t.tags[place] == pair.h.tags[row] == Tag.NOUN
    vocabulary = pair.batch.knowledge.vocabulary
    t_lemma, h_lemma = vocabulary.lemma(pair.t.lemmas[place]), vocabulary.lemma(pair.h.lemmas[row])
    plain = t_lemma.isalpha() and h_lemma.isalpha() and t_lemma != h_lemma and not {t_lemma, h_lemma} & BANNED.keys()
    if plain and verbs and relation in (Relation.SYNONYM, Relation.HYPERNYM):
        quotes.note((place, place))
        return f"to {t_lemma} is to {h_lemma}"
    if plain and nouns and relation is Relation.HYPERNYM and _countable(pair, place):
        quotes.note((place, place))
        return f"{with_article(t_lemma)} is a kind of {h_lemma}"
    t, h = quotes.t((place, place)), quotes.h((row, row))
    if relation is Relation.HYPERNYM:
        if pair.t.is_name(place):
            return f"{t} is {with_article(h_lemma)}"
        if nouns:
            return f"{t} is a kind of {h_lemma if plain else h}"
        return f"{t} implies {h}"
    if relation is Relation.SYNONYM:
        return f"{t} is another word for {h}" if nouns else f"{t} means the same as {h}"
    if relation is Relation.DERIVED:
        return _derived(pair, place, row, t, h)
    return {
        Relation.ENTAILS: f"{t} implies {h}",
        Relation.PART: f"{t} is part of {h}",
    }[relation]


def _respelled(pair: Pair, place: int, row: int, quotes: Quotes) -> str:
    """A name or a number in another spelling."""
    if not pair.h.is_name(row):
        run = noun_phrase(pair.h, row, 4)
        if [form.lower() for form in pair.h.forms[run[1] + 1 : run[1] + 2]] == ["or"]:  # 100 or more
            run = run[0], run[1] + 2
        counted = noun_phrase(pair.t, place, 4)
        named = any(map(pair.t.is_name, range(counted[0], counted[1] + 1)))  # the 8,586-meter Mount Lee
        t, h = quotes.t(glued(pair.t, (place, place)) if named else counted), quotes.h(run)
        figures = [form.replace(",", "") for form in (pair.t.forms[place], pair.h.forms[row])]
        # 135 lives are 100 or more.
        return f"{t} fits {h}" if all(map(str.isdigit, figures)) and figures[0] != figures[1] else f"{t} is {h}"
    run, whole = name(pair.t, place), name(pair.h, row)
    t, h = quotes.t(run), quotes.h(whole)
    if pair.h.written(whole).endswith(f" {pair.t.written(run)}"):
        return f"{t} is {h}"
    short = initials(pair.t.forms[place]) or initials(pair.h.forms[row])
    return f"{t} and {h} stand for each other" if short else f"{t} and {h} are spellings of one name"


def _derived(pair: Pair, place: int, row: int, t: str, h: str) -> str:
    """One root: a founder is who founded, European points to Europe."""
    named = pair.h.is_name(row) or not pair.h.begins_sentence(row)
    if pair.t.flags[place] & pair.h.flags[row] & Flag.CAPITAL and named:
        return f"{t} points to {h}"
    form = pair.t.forms[place].lower()
    acts = pair.h.tags[row] == Tag.VERB and not (row and pair.h.tags[row - 1] == Tag.AUX)
    if acts and pair.t.tags[place] == Tag.NOUN and (_field(pair, place) == _PERSON or form.endswith(("er", "or"))):
        single = form == pair.batch.knowledge.vocabulary.lemma(pair.t.lemmas[place])
        return f"{article(form)} {t} is one who {h}" if single else f"{t} are those who {h}"
    return f"{t} is what the hypothesis puts as {h}"


def _same_person(pair: Pair, place: int, row: int) -> bool:
    """Whether a T word names a person, who does in T what the people do in H, or to whom the same is done."""
    if _field(pair, place) != _PERSON:
        return False
    batch, seen = pair.batch, view(pair.batch)
    return bool(seen.t.roles[batch.t.starts[pair.place] + place] == seen.h.roles[batch.h.starts[pair.place] + row])


def _field(pair: Pair, place: int) -> str | None:
    wordnet, lemma = pair.batch.knowledge.wordnet, pair.t.lemmas[place]
    return wordnet.lexname(lemma, Part.NOUN) if lemma < len(wordnet) else None


def _countable(pair: Pair, place: int) -> bool:
    """Whether “a” fits: the word stands in the plural, after an article of one, or is a person."""
    form = pair.t.forms[place].lower()
    if form != pair.batch.knowledge.vocabulary.lemma(pair.t.lemmas[place]):
        return True
    if _ONE & {each.lower() for each in pair.t.forms[max(place - 2, 0) : place]} and not form.endswith(_ABSTRACT):
        return True
    return _field(pair, place) == _PERSON and not form.endswith(_ABSTRACT)
