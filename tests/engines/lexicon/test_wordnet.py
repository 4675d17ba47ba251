"""What the loaded dictionary answers: a small one always, and facts of WordNet where it is installed."""

from __future__ import annotations

import pytest

from karat.engines.lexicon.relations import Part, Relation
from karat.engines.lexicon.wordnet import FIELDS, NO_WORDNET, WordNet

N, V, A, R = Part


def related(wordnet: WordNet, first: int, second: int) -> tuple[Relation, float]:
    """What the first lemma is to the second, and how strongly; (NONE, 0) for strangers."""
    if first < 0 or second < 0:
        return Relation.NONE, 0.0
    if first == second:
        return Relation.SAME, 1.0
    row = range(int(wordnet.starts[first]), int(wordnet.starts[first + 1]))
    at = next((at for at in row if wordnet.words[at] == second), None)
    return (Relation.NONE, 0.0) if at is None else (Relation(int(wordnet.relations[at])), float(wordnet.strengths[at]))


def between(wordnet: WordNet, first: str, second: str) -> Relation:
    """What the one word is to the other."""
    return related(wordnet, wordnet.lemma_id(first), wordnet.lemma_id(second))[0]


def test_lemmas(small: WordNet) -> None:
    """Lemmas are numbered in order, and found by their text and no other."""
    every = [small.lemma(number) for number in range(len(small))]
    assert every == sorted(every)
    assert [small.lemma_id(lemma) for lemma in every] == list(range(len(small)))
    assert {"domestic dog", "great dane", "paris", "cold"} <= set(every)
    assert [small.lemma_id(text) for text in ("", "do", "dogs", "domestic_dog", "Paris", "\ud800")] == [-1] * 6
    with pytest.raises(IndexError):
        small.lemma(len(small))


@pytest.mark.parametrize(
    ("first", "second", "relation", "strength"),
    [
        ("dog", "dog", Relation.SAME, 1),
        ("dog", "domestic dog", Relation.SYNONYM, 0.95),
        ("great dane", "animal", Relation.HYPERNYM, 0.81),
        ("animal", "great dane", Relation.NONE, 0),
        ("paris", "france", Relation.PART, 0.6),
        ("paris", "europe", Relation.PART, 0.5),
        ("france", "paris", Relation.NONE, 0),
        ("paris", "city", Relation.HYPERNYM, 0.9),
        ("hot", "cold", Relation.ANTONYM, 1),
        ("hot", "frigid", Relation.ANTONYM, 0.7),
        ("scorching", "cold", Relation.NONE, 0),
        ("scorching", "hot", Relation.NONE, 0),
        ("snore", "sleep", Relation.ENTAILS, 0.85),
        ("sleep", "snore", Relation.NONE, 0),
        ("buy", "buyer", Relation.DERIVED, 0.9),
        ("purchaser", "buy", Relation.DERIVED, 0.75),
        ("hotly", "hot", Relation.DERIVED, 0.9),
        ("hot", "hotly", Relation.DERIVED, 0.9),
        ("dog", "thing", Relation.NONE, 0),
    ],
)
def test_relations(small: WordNet, first: str, second: str, relation: Relation, strength: float) -> None:
    """Each kind of pointer becomes its relation; what stands at the top of all nouns is named by none."""
    found = related(small, small.lemma_id(first), small.lemma_id(second))
    assert found == (relation, pytest.approx(strength, abs=1e-3))


def test_strangers(small: WordNet) -> None:
    """A word that is no lemma is related to nothing, not even to another."""
    assert related(small, -1, -1) == related(small, -1, 0) == related(small, 0, -1) == (Relation.NONE, 0.0)


def test_parts_and_fields(small: WordNet) -> None:
    """Parts of speech, and semantic fields of a word's first sense."""
    dog, city = small.lemma_id("dog"), small.lemma_id("city")
    assert (small.parts(dog), small.parts(small.lemma_id("buy")), small.parts(-1)) == (1 << N, 1 << V, 0)
    assert (small.lexname(city, N), small.lexname(city, V), small.lexname(-1, N)) == ("noun.location", None, None)
    assert FIELDS[small.fields[Part.VERB][small.lemma_id("buy")]] == "verb.possession"
    assert small.fields[Part.NOUN, small.lemma_id("buy")] == -1


@pytest.mark.parametrize(
    ("form", "part", "lemma"),
    [
        ("geese", N, "goose"),
        ("Dogs", N, "dog"),
        ("boxes", N, "box"),
        ("boxesful", N, "boxful"),
        ("sang", V, "sing"),
        ("bought", V, "buy"),  # irregular, and only in our own list
        ("singing", V, "sing"),  # not singe, which is rarer
        ("snored", V, "snore"),
        ("dogs", V, None),
        ("hottest", A, "hot"),
        ("colder", A, "cold"),
        ("hotly", R, "hotly"),
        ("s", N, None),
    ],
)
def test_morphy(small: WordNet, form: str, part: Part, lemma: str | None) -> None:
    """A form is traced to a lemma of the part of speech asked for: irregular, itself, by its ending, or none."""
    found = small.morphy(form, part)
    assert (small.lemma(found) if found >= 0 else None) == lemma
    if lemma:
        assert small.base(form, part) == lemma


def test_no_wordnet() -> None:
    """The empty dictionary has the same arrays and answers, and knows nothing but endings."""
    assert not NO_WORDNET
    assert (len(NO_WORDNET), NO_WORDNET.starts.tolist(), len(NO_WORDNET.words)) == (0, [0], 0)
    assert (NO_WORDNET.lemma_id("dog"), NO_WORDNET.morphy("dogs", N), NO_WORDNET.parts(-1)) == (-1, -1, 0)
    assert len(NO_WORDNET.fields[Part.NOUN]) == len(NO_WORDNET.fields[Part.VERB]) == 0
    assert (NO_WORDNET.base("dogs", N), NO_WORDNET.base("Went", V)) == ("dog", "go")


@pytest.mark.parametrize(
    ("first", "second", "relation"),
    [
        ("dog", "animal", Relation.HYPERNYM),
        ("buy", "purchase", Relation.SYNONYM),
        ("hot", "cold", Relation.ANTONYM),
        ("win", "lose", Relation.ANTONYM),
        ("paris", "france", Relation.PART),
        ("kill", "die", Relation.ENTAILS),
        ("assassinate", "die", Relation.ENTAILS),
        ("italian", "italy", Relation.DERIVED),
        ("acquisition", "acquire", Relation.DERIVED),
        ("animal", "dog", Relation.NONE),
        ("us", "united states", Relation.SYNONYM),
        ("dog", "villain", Relation.NONE),
        ("dog", "entity", Relation.NONE),
        ("be", "metal", Relation.NONE),
    ],
)
def test_facts_of_wordnet(wordnet: WordNet, first: str, second: str, relation: Relation) -> None:
    """Words are related as anyone would say they are, and not by senses nobody thinks of."""
    assert between(wordnet, first, second) == relation


def test_wordnet_as_a_whole(wordnet: WordNet) -> None:
    """It is all of WordNet 3.0, with its readings and fields."""
    assert wordnet.name.startswith("WordNet 3.0 (117,659 synsets), sha256 ")
    assert "(117,659 synsets)" in wordnet.name
    assert len(wordnet) == 147_306
    forms = [("geese", N), ("found", V), ("hoping", V), ("planned", V), ("children", N), ("worst", A), ("was", V)]
    bases = [wordnet.base(*form) for form in forms]
    assert bases == ["goose", "find", "hope", "plan", "child", "bad", "be"]
    assert wordnet.lexname(wordnet.lemma_id("teacher"), N) == "noun.person"
