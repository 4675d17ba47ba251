"""Tests of what a spelling by itself says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.engines.kernels.grammar import TAG_OF, Kind, Tag
from karat.engines.lexicon.wordnet import NO_WORDNET, WordNet
from karat.engines.text.guessing import guess_first_kinds, guess_kinds


def guess_tags(form: str, lower: str, wordnet: WordNet) -> tuple[Tag, ...]:
    """The tags that a spelling may have, the likeliest first."""
    return tuple(dict.fromkeys(TAG_OF[kind] for kind, _ in guess_kinds(form, lower, wordnet)))


@pytest.mark.parametrize(
    ("form", "tag"),
    [
        ("the", Tag.DET), ("blorping", Tag.VERB), ("blorped", Tag.VERB), ("blorply", Tag.ADV), ("blorption", Tag.NOUN),
        ("blorpous", Tag.ADJ), ("blorpise", Tag.VERB), ("Blorp", Tag.PROPN), ("1,500", Tag.NUM), ("5th", Tag.ADJ),
        ("$", Tag.SYM), ("?", Tag.PUNCT), ("took", Tag.VERB), ("’s", Tag.PART),
    ],
)  # fmt: skip
def test_without_a_dictionary(form: str, tag: Tag) -> None:
    """Closed classes, endings and capitals say the likeliest tag."""
    assert guess_tags(form, form.lower(), NO_WORDNET)[0] is tag


def test_with_a_dictionary(wordnet: WordNet) -> None:
    """The part of speech a word has most often comes first, and the others stay possible."""
    assert guess_tags("house", "house", wordnet)[0] is Tag.NOUN
    assert Tag.VERB in guess_tags("house", "house", wordnet)
    assert guess_kinds("taken", "taken", wordnet)[0][0] is Kind.PARTICIPLE
    assert guess_kinds("geese", "geese", wordnet)[0][0] is Kind.PLURAL
    assert guess_kinds("American", "american", wordnet)[0][0] is Kind.ADJECTIVE


def test_a_capital_says_less_at_the_start(wordnet: WordNet) -> None:
    """A known word is a name inside a sentence, and itself at its start; an unknown one is a name in both."""
    assert guess_kinds("House", "house", wordnet)[0][0] is Kind.NAME
    assert guess_first_kinds("House", "house", wordnet)[0][0] is Kind.NOUN
    assert guess_first_kinds("Blorp", "blorp", wordnet)[0][0] is Kind.NAME


@given(st.text(min_size=1, max_size=8).filter(lambda text: not text.isspace()))
def test_any_spelling_has_kinds(form: str) -> None:
    """There is always a kind, the cheapest first, whatever the characters."""
    costs = [cost for _, cost in guess_kinds(form, form.lower(), NO_WORDNET)]
    assert costs
    assert costs == sorted(costs)
    assert guess_first_kinds(form, form.lower(), NO_WORDNET)
