"""Guessed lemmas of words that no dictionary has, and the irregular ones of our own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.engines.lexicon.inflection import IRREGULAR, candidates, guess
from karat.engines.lexicon.relations import Part
from karat.engines.lexicon.wordnet import WordNet

N, V, A, R = Part


@pytest.mark.parametrize(
    ("part", "pairs"),
    [
        (N, "blogs blog; parties party; boxes box; churches church; heroes hero; glass glass; virus virus; gas gas"),
        (N, "wolves wolf; people person; shoes shoe; ties tie; news news; crisis crisis"),
        (
            V,
            "googling googl; blogging blog; blogged blog; hoping hope; visited visit; created create; realized realize",
        ),
        (V, "moving move; forced force; charging charge; argued argue; passing pass; called call; travelled travel"),
        (V, "died die; carried carry; goes go; vetoes veto; sing sing; red red; helping help; faxed fax; says say"),
        (A, "big big; better good"),
        (R, "quickly quickly; best well"),
    ],
)
def test_guesses(part: Part, pairs: str) -> None:
    """Endings are taken off as English puts them on, with doubled consonants and lost e; short words are left."""
    expected = dict(pair.split() for pair in pairs.split(";"))
    assert {form: guess(form, part) for form in expected} == expected


@given(st.text(max_size=9), st.sampled_from(Part))
def test_any_text_has_a_guess(text: str, part: Part) -> None:
    """Whatever is asked, an answer comes that is hardly longer; nothing becomes empty."""
    made = guess(text, part)
    assert len(made) <= max(len(text) + 1, 6)
    assert bool(made) == bool(text)
    assert all(candidates(text, part))


def test_irregular_forms_are_wordnets(wordnet: WordNet) -> None:
    """Every lemma of our own list is a word of its part of speech in WordNet, function words aside."""
    for part in Part:
        for lemma in set(IRREGULAR[part].values()):
            assert wordnet.parts(wordnet.lemma_id(lemma)) >> part & 1, lemma
