"""Tests of what is known of a spelling by itself."""

from __future__ import annotations

import re

import numpy as np

from karat.engines.kernels.grammar import Tag
from karat.engines.lexicon.wordnet import NO_WORDNET
from karat.engines.text.vocabulary import Vocabulary
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
