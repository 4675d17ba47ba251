"""Entailments of which words of H have nothing in T to stand for them are less sure; without a name of H, none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from karat.arrays import Floats
from karat.engines.batch import Batch
from karat.engines.checks.base import cue, view
from karat.engines.engine import BatchAnswers
from karat.engines.learning.threshold import ENTAILMENT_CODE, EVEN, UNDER, UNKNOWN_CODE


def accounted(batch: Batch) -> Floats:
    """The share of H's content words for which T has a word that is the same or bears on it; 1 where there are none."""
    seen = view(batch)
    asked, rows = seen.h.content, seen.h.content & (seen.t_row >= 0)
    many = np.bincount(seen.pair[asked], minlength=len(batch))
    had = np.bincount(seen.pair[rows], minlength=len(batch))
    return np.where(many > 0, had / np.maximum(many, 1), 1.0)


NAMED = ("name", "no_number")
"""Checks that find a name or a number of H that is not in T."""


def less_sure(answers: BatchAnswers, batch: Batch) -> BatchAnswers:
    """Entailments drawn towards even by the share of H that nothing in T accounts for; all else as it is.

    Where a name or a number of H is not in T at all, entailment is not answered.
    """
    entailed = answers.codes == ENTAILMENT_CODE
    drawn = EVEN + (answers.confidence - EVEN) * accounted(batch)
    lacks = entailed & np.any([cue(batch, name).fired for name in NAMED], axis=0)
    codes = np.where(lacks, UNKNOWN_CODE, answers.codes).astype(np.int8)
    confidence = np.where(entailed, np.where(lacks, UNDER, drawn), answers.confidence)
    return replace(answers, codes=codes, confidence=confidence)
