"""Tests of the tagger's kernel: against all ways through a sentence, one by one."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from karat.engines.kernels.parsing import split_sentences, tag_kinds

KINDS = 4
WIDTH = 3


def cost_of(path: tuple[int, ...], words: list[int], tables: list[dict[int, int]], follows: list[list[int]]) -> int:
    """What one way through a sentence costs, `tables` being of its first word and of the others."""
    total, before = 0, 0
    for place, (kind, word) in enumerate(zip(path, words, strict=True)):
        total += follows[before][kind] + tables[2 * word + (place > 0)][kind]
        before = kind
    return total


choices = st.dictionaries(st.integers(0, KINDS - 1), st.integers(0, 50), min_size=1, max_size=WIDTH)


@given(st.data())
def test_the_way_is_the_cheapest(data: st.DataObject) -> None:
    """No way through any sentence costs less than the one that is chosen."""
    spellings = data.draw(st.integers(1, 4))
    tables = data.draw(st.lists(choices, min_size=2 * spellings, max_size=2 * spellings))
    row = st.lists(st.integers(-20, 60), min_size=KINDS, max_size=KINDS)
    follows = data.draw(st.lists(row, min_size=KINDS, max_size=KINDS))
    texts = data.draw(st.lists(st.lists(st.integers(0, spellings - 1), max_size=5), min_size=1, max_size=3))
    starts = np.cumsum([0, *map(len, texts)]).astype(np.int64)
    forms = np.array([word for text in texts for word in text], dtype=np.int32)
    kinds, costs = np.full((2, spellings, WIDTH), -1, np.int8), np.zeros((2, spellings, WIDTH), np.int16)
    for place, table in enumerate(tables):
        for at, (kind, cost) in enumerate(table.items()):
            kinds[place % 2, place // 2, at], costs[place % 2, place // 2, at] = kind, cost
    sentences = np.zeros(len(forms), np.int32)
    after = np.array(follows, dtype=np.int16)
    found = tag_kinds(sentences, starts, forms, kinds[1], costs[1], kinds[0], costs[0], after, 0)
    for place, words in enumerate(texts):
        if words:
            chosen = tuple(found[starts[place] : starts[place + 1]].tolist())
            ways = product(*(list(tables[2 * word + (at > 0)]) for at, word in enumerate(words)))
            assert cost_of(chosen, words, tables, follows) == min(cost_of(way, words, tables, follows) for way in ways)


@given(st.lists(st.text(alphabet="aBI.", max_size=12), max_size=4))
def test_sentences_are_split_as_said(texts: list[str]) -> None:
    """A stop ends a sentence before a capital, unless an initial (I) stands before it or a stop after it."""
    alphabet = "aBI."
    forms = np.array([alphabet.index(letter) for text in texts for letter in text], dtype=np.int32)
    starts = np.cumsum([0, *map(len, texts)]).astype(np.int64)
    truths = [
        np.array([letter == "." for letter in alphabet]),
        np.array([letter in "BI" for letter in alphabet]),
        np.array([letter == "I" for letter in alphabet]),
    ]
    wanted = []
    for text in texts:
        number = 0
        for place, letter in enumerate(text):
            wanted.append(number)
            before, after = text[:place][-1:], text[place + 1 : place + 2]
            number += letter == "." and before != "I" and after in ("B", "I") and after != ""
    assert split_sentences(starts, forms, *truths).tolist() == wanted
