"""How interesting the justifications of a pair are: what they say here and seldom elsewhere."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from karat.data.pairs import Pairs

_WORD = re.compile(r"\w+")
OFTEN = 0.1
"""A word in more than this share of a run's justifications belongs to its template."""


def words(text: str) -> set[str]:
    """The different words of a text."""
    return set(_WORD.findall(text.casefold()))


def own_words(key: Pairs, justifications: Sequence[str]) -> NDArray[np.float64]:
    """For each pair, how many words a justification has that are neither of the pair nor of the run's template."""
    said = [words(text) for text in justifications]
    times = Counter(word for one in said for word in one)
    template = {word for word, count in times.items() if count > max(1.0, OFTEN * len(said))}
    rows = zip(said, key.texts, key.hypotheses, strict=True)
    return np.array([len(one - template - words(text) - words(claim)) for one, text, claim in rows], dtype=np.float64)
