"""Scores of answers by what the documents that they cite support."""

from __future__ import annotations

import numpy as np

from karat.arrays import Floats
from karat.data.support import SupportCounts
from karat.errors import UsageError
from karat.kernels.counting import divide
from karat.measures.facts import question_measure

SOURCE = "Thakur et al. 2025 (TREC RAG)"
UNCITED = "no sentence of the answer cites a document"
SILENT = "the run has no answer"


def _supported(support: SupportCounts, *worth: float) -> Floats:
    """The worth of the verdicts together."""
    if not np.isfinite(worth).all():
        raise UsageError("support: the worth of a verdict is a finite number")
    return np.asarray(support.verdicts @ np.array(worth, dtype=np.float64))


@question_measure("support_precision", of=SupportCounts, undefined=UNCITED, source=SOURCE)
def support_precision(
    support: SupportCounts, full: float = 1, partial: float = 0.5, none: float = 0, contradicted: float = 0
) -> Floats:
    """The mean worth of the verdicts on the sentences that cite a document."""
    return divide(_supported(support, full, partial, none, contradicted), support.cited)


@question_measure("support_recall", of=SupportCounts, undefined=SILENT, source=SOURCE)
def support_recall(
    support: SupportCounts, full: float = 1, partial: float = 0.5, none: float = 0, contradicted: float = 0
) -> Floats:
    """The same over all sentences, where one that cites nothing is worth 0."""
    return divide(_supported(support, full, partial, none, contradicted), support.sentences)


@question_measure("support_f1", of=SupportCounts, undefined=SILENT, source=SOURCE)
def support_f1(
    support: SupportCounts, full: float = 1, partial: float = 0.5, none: float = 0, contradicted: float = 0
) -> Floats:
    """The harmonic mean of both; 0 if no sentence cites a document."""
    # 2PR / (P + R) with P = worth / cited and R = worth / sentences, which needs no precision where nothing is cited.
    worth = _supported(support, full, partial, none, contradicted)
    return divide(2 * worth, np.where(support.sentences > 0, support.cited + support.sentences, 0))


@question_measure("support_reward", of=SupportCounts, undefined=SILENT, source="Mayfield et al. 2024")
def support_reward(
    support: SupportCounts,
    full: float = 1,
    partial: float = 0.5,
    none: float = 0,
    contradicted: float = 0,
    uncited: float = 0,
) -> Floats:
    """The mean worth of all sentences, where one that cites nothing may cost something too."""
    worth = _supported(support, full, partial, none, contradicted)
    return divide(worth + uncited * (support.sentences - support.cited), support.sentences)
