"""Small English grammar."""

from __future__ import annotations

import pytest

from karat.engines.explaining.wording import article, listed, sentence, with_article

AN = "apple hour honest heir umbrella uncle unimportant uninvited island FBI NGO 8 11 18 80 MP SMS honour Englishman"
A = "lawyer university user European union one-way unit house BBC UN U.S. 1 10 110 7 hotel ewe usual utility"


@pytest.mark.parametrize("word", AN.split())
def test_an(word: str) -> None:
    """Words that are spoken with a vowel take an; acronyms by the name of their first letter."""
    assert article(word) == "an"


@pytest.mark.parametrize("word", A.split())
def test_a(word: str) -> None:
    """Words that are spoken with a consonant take a, whatever they are spelled with."""
    assert with_article(word) == f"a {word}"


def test_lists() -> None:
    """A list is joined by commas and one conjunction."""
    assert listed([]) == ""
    assert listed(["x"]) == "x"
    assert listed(["x", "y"], "or") == "x or y"
    assert listed(["x", "y", "z"]) == "x, y and z"


def test_sentence() -> None:
    """A sentence gets a capital and one full stop, and keeps them."""
    assert sentence("so it is") == "So it is."
    assert sentence("So it is.") == "So it is."
    assert sentence('"x" is y') == '"x" is y.'
