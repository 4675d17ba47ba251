"""Scores of factoid and list questions: one number a question, a run's is their mean; and NIL over a whole run."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from karat.data.question_counts import FirstRight, ListCounts, NilCounts
from karat.kernels.arithmetic import divide
from karat.measures.facts import question_measure

Floats = NDArray[np.float64]


@question_measure(
    "factoid_accuracy",
    of=FirstRight,
    range=(0, 1),
    undefined="nobody judged the answer",
    source="TREC 2002 QA",
)
def factoid_accuracy(first: FirstRight) -> Floats:
    """1 where the (first) answer is right, else 0."""
    return np.where(np.isnan(first.rank), np.nan, first.rank == 1)[()]


@question_measure(
    "reciprocal_rank",
    of=FirstRight,
    range=(0, 1),
    undefined="nobody judged the answers",
    source="TREC 1999–2001 QA",
)
def reciprocal_rank(first: FirstRight) -> Floats:
    """1 over the rank of the first right answer, 0 where none is right; its mean is MRR."""
    return np.where(first.rank == 0, 0.0, 1 / np.where(first.rank == 0, 1, first.rank))[()]


@question_measure(
    "nil_precision",
    of=NilCounts,
    range=(0, 1),
    undefined="the run gives no NIL",
    source="Voorhees 2003 (TREC 2002 QA)",
)
def nil_precision(nil: NilCounts) -> Floats:
    """Right NILs of all NILs given."""
    return divide(nil.right, nil.given)


@question_measure(
    "nil_recall",
    of=NilCounts,
    range=(0, 1),
    undefined="every question has a known answer",
    source="Voorhees 2003 (TREC 2002 QA)",
)
def nil_recall(nil: NilCounts) -> Floats:
    """Right NILs of all questions without a known answer."""
    return divide(nil.right, np.broadcast_to(nil.unanswerable, np.shape(nil.right)))


@question_measure(
    "list_f",
    of=ListCounts,
    range=(0, 1),
    undefined="no answer to the question is known",
    source="Voorhees 2005 (TREC 2003 and 2004 QA)",
)
def list_f(lists: ListCounts) -> Floats:
    """F of distinct right answers: precision among those given, recall among those known; 0 where none is right."""
    precision, recall = divide(lists.distinct, lists.returned), divide(lists.distinct, lists.known)
    below = np.nan_to_num(precision) + np.nan_to_num(recall)
    f = np.where(below > 0, 2 * np.nan_to_num(precision * recall) / np.where(below > 0, below, 1), 0.0)
    return np.where(np.isnan(recall), np.nan, f)[()]
