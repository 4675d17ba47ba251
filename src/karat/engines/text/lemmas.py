"""The lemma of a token, once its tag is known."""

from __future__ import annotations

import numpy as np

from karat.arrays import Bytes, Int32s
from karat.engines.text.tags import PART_OF, Tag
from karat.engines.text.vocabulary import WordTable

_PARTS = np.array([PART_OF.get(tag, -1) if tag is not Tag.AUX else -1 for tag in Tag], dtype=np.int64)
"""An auxiliary has one lemma, whatever else the spelling may be (won 't: will)."""


def lemmas_by_tag(table: WordTable, forms: Int32s, tags: Bytes) -> Int32s:
    """The lemma of each token as the part of speech that its tag says, and the usual one for other tags."""
    part = _PARTS[tags]
    return np.where(part >= 0, table.lemmas[forms, np.maximum(part, 0)], table.lemma[forms])
