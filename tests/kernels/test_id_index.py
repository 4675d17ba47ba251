"""Words found in bytes are the words that Python finds, and are looked up as a dictionary would."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.kernels.id_index import LONGEST_WORD, Index, distinct, two_columns, words_of

word = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=LONGEST_WORD)
short = st.text("ab1", min_size=1, max_size=9)
"""Few letters, so that words share their beginnings and their hashes' slots."""
line = st.tuples(word, st.sampled_from(" \t"), word).map("".join)
tidy = st.lists(line, min_size=1, max_size=30).map(lambda lines: "\n".join(lines) + "\n")
untidy = st.text("ab \t\n\r\0\x0bé", max_size=30)


@given(tidy)
def test_two_columns(text: str) -> None:
    """A tidy file has the words that split finds."""
    columns = two_columns(text.encode(), 1000)
    assert columns is not None
    words = text.split()
    assert [list(column) for column in columns] == [words[::2], words[1::2]]


@given(untidy)
def test_anything_else_is_refused(text: str) -> None:
    """What is not exactly two words a line is None, so that the careful way reads it."""
    exact = re.fullmatch(r"([!-~]+[ \t][!-~]+\n)+", text) is not None
    assert (two_columns(text.encode(), 1000) is not None) == exact


def test_long_words_are_refused() -> None:
    """A word longer than allowed is left to the careful way, which tells it."""
    assert two_columns(b"abc d\n", 2) is None


@given(st.lists(short, min_size=1, max_size=60, unique=True), st.lists(short, min_size=1, max_size=60))
def test_index_is_a_dictionary(known: list[str], asked: list[str]) -> None:
    """Every word is found where it is, and nothing is found that is not there."""
    words, wanted = words_of(known), words_of(asked)
    assert words is not None
    assert wanted is not None
    places = {name: place for place, name in enumerate(known)}
    assert Index(words).find(wanted).tolist() == [places.get(name, -1) for name in asked]


@given(st.lists(word, min_size=1, max_size=20, unique=True))
def test_long_ids(known: list[str]) -> None:
    """Words of any allowed length are told apart to the last letter."""
    words = words_of(known)
    assert words is not None
    assert Index(words).find(words).tolist() == list(range(len(known)))
    others = words_of([name[:-1] + chr(33 + (ord(name[-1]) - 32) % 94) for name in known])
    assert others is not None
    places = {name: place for place, name in enumerate(known)}
    assert Index(words).find(others).tolist() == [places.get(name, -1) for name in others]


def test_many_ids_of_one_block_and_more() -> None:
    """More words than are looked up at a time."""
    known = [str(number) for number in range(70_000)]
    words = words_of(known)
    assert words is not None
    assert (Index(words).find(words) == np.arange(70_000)).all()


@pytest.mark.parametrize("strings", [["a", ""], ["a b"], ["é"], ["x" * (LONGEST_WORD + 1)], []])
def test_words_that_are_none(strings: list[str]) -> None:
    """Ids that are no words of ASCII are left to dictionaries."""
    assert words_of(strings) is None


@given(st.lists(short, max_size=60))
def test_distinct(words: list[str]) -> None:
    """The different words in order of appearance, from strings and from bytes, few or many of them."""
    known = list(dict.fromkeys(words))
    for given_words in (words, words_of(words)):
        if given_words is not None:
            for most in (2, 16):
                found, which = distinct(given_words, most)
                assert found == known
                assert [found[place] for place in which] == words
