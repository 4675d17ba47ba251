"""A small training set written by hand, in three ways."""

from __future__ import annotations

import numpy as np

from karat.data.pairs import Pairs
from karat.data.provenance import Source
from karat.engines.batch import Batch
from karat.engines.knowledge import Knowledge
from karat.engines.learning.threshold import CONTRADICTION_CODE, ENTAILMENT_CODE, UNKNOWN_CODE
from karat.labels import THREE
from tests.engines.checks.cases import FIRES, SILENT

ENTAILED = [
    ("Google bought YouTube in October.", "YouTube was bought by Google."),
    ("Carter, the president, flew to Lima.", "Carter is the president."),
    ("The farmer bought a dog.", "The farmer bought an animal."),
    ("The company's purchase of the mill was announced.", "The company purchased the mill."),
    ("A young man was arrested in Oslo.", "A man was arrested."),
    ("The museum that opened in May is in Rome.", "The museum is in Rome."),
]
UNRELATED = [
    ("Google bought YouTube in October.", "The weather in Norway was cold."),
    ("Carter flew to Lima.", "The museum sells old paintings."),
    ("The farmer bought a dog.", "Parliament passed a law on taxes."),
    ("The mill was closed.", "A singer from Ghana won a prize."),
    ("A man was arrested in Oslo.", "The river flooded three villages."),
    ("The museum is in Rome.", "Scientists found water on the moon."),
]
DENIED = [pair for name in ("number", "negation", "antonym", "swap") for pair in FIRES[name]]
CODES = [ENTAILMENT_CODE] * len(ENTAILED) + [UNKNOWN_CODE] * len(UNRELATED) + [CONTRADICTION_CODE] * len(DENIED)
WRITTEN = [*ENTAILED, *UNRELATED, *DENIED]


def training_pairs() -> Pairs:
    """The training set."""
    texts, hypotheses = zip(*WRITTEN, strict=True)
    ids = tuple(str(place) for place in range(len(WRITTEN)))
    labels = np.array(CODES, dtype=np.int8)
    return Pairs(ids, texts, hypotheses, labels, THREE, Source("by hand", "0" * 64))


def everything(knowledge: Knowledge) -> Batch:
    """Every pair written for the checks, as one batch."""
    pairs = [pair for table in (FIRES, SILENT) for name in sorted(table) for pair in table[name]]
    texts, hypotheses = zip(*pairs, strict=True)
    return Batch(knowledge, [str(place) for place in range(len(pairs))], texts, hypotheses)
