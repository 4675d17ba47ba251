"""Distances of small pairs, worked out by hand, and what holds of all of them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from karat.engines.edits.settings import CHOICES, DISTANCES, PRESETS, Preset, Spelled
from karat.engines.knowledge import load_knowledge
from karat.engines.rarity import Rarity
from tests.engines.edits.reckoning import compared, reckoned
from tests.engines.labelled import bare_knowledge

PAIRS = [
    ("The big dogs chased Rosa in Paris", "A dog chased Rosa"),  # dog, chase, Rosa: nothing is missing
    ("Rosa chased dogs", "Dogs chased Rosa"),  # in this order, two of three have to be made
    ("Rosa slept", "Seven dogs chased cats"),  # seven is a number, and dropped
    ("", "Dogs sleep"),
    ("Dogs sleep", ""),
    ("Dogs sleep", "In the"),
]


def test_faithful_by_hand() -> None:
    """The share of H's words, without prepositions, articles and numbers, that has to be inserted or substituted."""
    assert reckoned(PAIRS) == pytest.approx([0, 2 / 3, 1, 1, 0, 0])


def test_tokens_by_form() -> None:
    """By form a dog is no dogs."""
    assert reckoned(PAIRS[:1], {"distance": "token"}) == pytest.approx([1 / 3])
    assert reckoned([("DOGS", "dogs")], {"distance": "token"}) == [0.0]


def test_stop_words() -> None:
    """Numbers go by part of speech and stay by list; negations stay by part of speech; none drops nothing."""
    pair = [("The", "Rosa did not buy the 7 cars")]
    kept = {name: _spelled(pair, stop_words=name) for name in CHOICES["stop_words"]}
    assert "7" not in kept["pos"]
    assert "not" in kept["pos"]
    assert "the" not in kept["pos"]
    assert kept["list"] == ["rosa", "buy", "7", "cars"]
    assert len(kept["none"]) == 7


def _spelled(pair: list[tuple[str, str]], **given: str) -> list[str]:
    """The words of the hypothesis that count."""
    known = bare_knowledge()
    return [known.vocabulary.forms[form] for form in compared(pair, given, knowledge=known).h.forms.tolist()]


@pytest.mark.parametrize(("normalise", "below"), [("default", 2 * 2 + 3 * 5), ("hypothesis", 18)])
def test_normalisations(normalise: str, below: float) -> None:
    """Costs of words that weigh more than 1 over what each normalisation says."""
    # T: Rosa slept, which weigh 4 and 1; H: The dogs chased seven cats, which weigh 1 each and seven 2.
    given: dict[str, Spelled] = {"weights": "1 + 3 * NAME + NUMBER", "stop_words": "none", "normalise": normalise}
    pair = [("Rosa slept", "The dogs chased seven cats")]
    made = reckoned(pair, {**given, "delete": 2, "insert": 3, "substitute": 100})
    assert made == pytest.approx([(2 * 5 + 3 * 6) / below])


def test_substitution() -> None:
    """At one price, or a share of deleting and inserting."""
    pair = [("Rosa slept", "Rosa sang")]
    assert reckoned(pair, {"delete": 1, "substitute": 0.5}) == pytest.approx([0.5 / 4])
    assert reckoned(pair, {"delete": 1, "substitute": 0.5, "substitution": "sum"}) == pytest.approx([0.5 * 2 / 4])


def test_rare_words_weigh_more() -> None:
    """A word that is missing costs its rarity."""
    rarity = Rarity(8, {"dog": 4, "chase": 2})
    made = reckoned(
        [("Dogs", "Dogs chased")], {"weights": "idf", "normalise": "hypothesis", "substitution": "sum"}, rarity=rarity
    )
    assert made == pytest.approx([np.log(4) / (np.log(2) + np.log(4))])


def test_window() -> None:
    """Only the best stretch counts, and what lies beyond it a share."""
    pair = [("dogs owls bats rats pigs chased cats", "dogs chased cats")]
    near: dict[str, Spelled] = {"distance": "overlap", "window": 3, "stop_words": "none"}
    assert reckoned(pair, {**near, "outside": 0}) == pytest.approx([1 / 3])
    assert reckoned(pair, {**near, "outside": 0.75}) == pytest.approx([0.25 / 3])


def test_dictionary() -> None:
    """Synonyms and hypernyms of one part of speech are the same; graded, they are nearly so."""
    known = load_knowledge()
    if not len(known.wordnet):
        pytest.skip("no WordNet is installed here")
    pair = [("Rosa purchased a dog", "Rosa bought an animal")]
    assert reckoned(pair, knowledge=known) == pytest.approx([2 / 3])
    assert reckoned(pair, {"dictionary": "boolean"}, knowledge=known) == [0.0]
    assert 0 < reckoned(pair, {"dictionary": "graded"}, knowledge=known)[0] < 0.3
    off = load_knowledge(without=["hypernyms"])
    assert reckoned(pair, {"dictionary": "boolean"}, knowledge=off) == pytest.approx([1 / 3])


@pytest.mark.parametrize(("distance", "preset"), list(product(DISTANCES, PRESETS)))
def test_every_distance(distance: str, preset: Preset) -> None:
    """0 for what is the same or asks for nothing, 1 where there is no text, and never outside of that."""
    same = "Rosa chased seven big dogs in Paris"
    pairs = [(same, same), (same, ""), ("", same), ("", ""), *PAIRS]
    made = reckoned(pairs, {"distance": distance}, preset=preset)
    assert made[:4] == pytest.approx([0, 0, 1, 0])
    assert all(0 <= one <= 1 for one in made)


def test_every_distance_is_reckoned() -> None:
    """What may be named is one of the four kinds."""
    assert set(DISTANCES) == {"token", "lemma", "tree", "overlap"}


def test_trees_without_stop_words() -> None:
    """Words taken out of a tree leave their children to the word above."""
    side = compared([("Rosa chased the dogs in Paris", "Rosa slept")], {"distance": "tree"}).t
    assert side.heads is not None
    assert len(side.heads) == len(side.forms)
    assert all(-1 <= head < len(side.heads) for head in side.heads)
