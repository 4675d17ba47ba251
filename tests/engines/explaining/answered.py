"""Pairs written here, answered as a test says, and justified."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from karat.engines.batch import Batch
from karat.engines.engine import BatchAnswers, Justification
from karat.engines.explaining import explain
from karat.engines.knowledge import Knowledge
from karat.labels import THREE, Way


def batch_of(knowledge: Knowledge, pairs: Sequence[tuple[str, str]]) -> Batch:
    """A batch of (T, H)."""
    ids = [str(place) for place in range(len(pairs))]
    return Batch(knowledge, ids, [text for text, _ in pairs], [hypothesis for _, hypothesis in pairs])


def answers_of(labels: Sequence[str], way: Way = THREE) -> BatchAnswers:
    """Answers that say these labels."""
    return BatchAnswers(np.array([way.code(label) for label in labels], dtype=np.int8), np.full(len(labels), 0.5))


def justify(
    knowledge: Knowledge,
    text: str,
    hypothesis: str,
    label: str,
    way: Way = THREE,
    grounds: Collection[str] | None = None,
) -> Justification:
    """The justification of one answer."""
    return explain(batch_of(knowledge, [(text, hypothesis)]), answers_of([label], way), way, grounds)[0]
