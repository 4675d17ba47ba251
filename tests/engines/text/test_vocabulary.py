"""Tests of what is known of a spelling by itself."""

from __future__ import annotations

import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from karat.engines.kernels.grammar import Tag
from karat.engines.lexicon.wordnet import NO_WORDNET, WordNet
from karat.engines.text.vocabulary import Vocabulary
from tests.engines.text.parsing import facts
from tests.test_house import SOURCE

WORDS = "The firm won 't buy three of them , Anna said .".split()


def test_content_words() -> None:
    """Closed classes and marks say nothing by themselves; with tags, only open classes count."""
    vocabulary = Vocabulary(NO_WORDNET)
    forms = np.array([vocabulary[word] for word in WORDS], dtype=np.int32)
    found = vocabulary.table.content(forms)
    assert [word for word, says in zip(WORDS, found, strict=True) if says] == ["firm", "buy", "three", "Anna", "said"]
    tags = np.full(len(WORDS), Tag.NOUN, dtype=np.int8)
    tags[WORDS.index("Anna")] = Tag.PRON
    found = vocabulary.table.content(forms, tags)
    assert [word for word, says in zip(WORDS, found, strict=True) if says] == ["firm", "buy", "three", "said"]


def test_content_words_are_defined_once() -> None:
    """No engine has a definition of its own; explanations look at one word at a time, and so at the flags."""
    named = [file for file in (SOURCE / "engines").rglob("*.py") if re.search(r"\bEMPTY\b", file.read_text("utf-8"))]
    assert {file.name for file in named} == {"vocabulary.py", "quoting.py"}


STEMS = "zog dog run walk house hot quick american french report give year carr ϒ İstanbul ß x 3 ' of may".split()
words = st.builds(
    lambda stem, ending, case: case(stem + ending),
    st.one_of(st.sampled_from(STEMS), st.text(min_size=1, max_size=4).filter(str.strip)),
    st.sampled_from(["", "s", "es", "ed", "ing", "er", "ly", "ness", "an", "men", "ful", "ily", "3", "'"]),
    st.sampled_from([str, str.lower, str.upper, str.capitalize, lambda word: "i" + word.capitalize()]),
)


@given(st.lists(words, unique=True, max_size=12))
def test_words_of_one_sort_are_what_they_are_alone(wordnet: WordNet, met: list[str]) -> None:
    """What a word shares with those met before it is what would be worked out if it were the first."""
    together = Vocabulary(wordnet)
    for word in met:
        together[word]
    together.sorts(np.array([together[word] for word in met], dtype=np.int32))
    for word in met:
        assert facts(together, word) == facts(Vocabulary(wordnet), word), word


@given(st.lists(st.lists(words, max_size=5), max_size=5))
def test_a_table_grows_as_if_made_at_once(wordnet: WordNet, steps: list[list[str]]) -> None:
    """A vocabulary that is asked now and then says of each word what one says that is asked at the end."""
    often, once = Vocabulary(wordnet), Vocabulary(wordnet)
    for step in steps:
        for word in step:
            once[word]
            often[word]
        often.table  # noqa: B018 - asking is what is tested
        often.sorts(np.array([often[word] for word in step[::2]], dtype=np.int32))
    assert all(facts(often, word) == facts(once, word) for step in steps for word in step)
