"""Scores of factoid and list questions, one per question and averaged over a run; and NIL over a whole run."""

from __future__ import annotations

import numpy as np

from karat.arrays import Floats
from karat.data.question_counts import FirstRight, ListCounts, NilCounts, TokenCounts, TypeMeans
from karat.errors import UsageError
from karat.kernels.counting import divide
from karat.measures.facts import question_measure, question_measures

TREC = (0.5, 0.25, 0.25)
"""The weights of factoid, list and other questions in TREC 2003 and 2004."""
NO_LIST = (0.67, 0.0, 0.33)
"""The weights TREC 2004 used instead, also for proportional ones, in a series without list questions."""

NO_MEANS = ("type_score", "confidence_weighted", "nil_precision", "nil_recall")
"""What questions are scored by as a whole: scores of units come from the jackknife, whose mean the measure is."""


@question_measure("factoid_accuracy", of=FirstRight, undefined="nobody judged the answer", source="TREC 2002 QA")
def factoid_accuracy(first: FirstRight) -> Floats:
    """1 where the (first) answer is right, else 0."""
    return np.where(np.isnan(first.rank), np.nan, first.rank == 1)[()]


question_measures.alias(
    "exact_match", "factoid_accuracy", "Another name for factoid_accuracy, if accepted answers are given in words."
)


@question_measure(
    "token_f1",
    of=TokenCounts,
    undefined="no accepted answer to the question is given",
    source="Rajpurkar et al. 2016 (SQuAD)",
)
def token_f1(tokens: TokenCounts) -> Floats:
    """F1 of the words of an answer and those of the accepted answer; 1 if both have none, as NIL."""
    words = tokens.given + tokens.accepted
    return np.where(words == 0, 1.0, divide(2 * tokens.shared, words))[()]


@question_measure("reciprocal_rank", of=FirstRight, undefined="nobody judged the answers", source="TREC 1999–2001 QA")
def reciprocal_rank(first: FirstRight) -> Floats:
    """1 over the rank of the first right answer, 0 where none is right; its mean is MRR."""
    return np.where(first.rank == 0, 0.0, 1 / np.where(first.rank == 0, 1, first.rank))[()]


@question_measure(
    "nil_precision",
    of=NilCounts,
    undefined="the run gives no NIL",
    source="Voorhees 2003 (TREC 2002 QA)",
)
def nil_precision(nil: NilCounts) -> Floats:
    """Right NILs of all NILs given."""
    return divide(nil.right, nil.given)


@question_measure(
    "nil_recall",
    of=NilCounts,
    undefined="every question has a known answer",
    source="Voorhees 2003 (TREC 2002 QA)",
)
def nil_recall(nil: NilCounts) -> Floats:
    """Right NILs of all questions without a known answer."""
    return divide(nil.right, np.broadcast_to(nil.unanswerable, np.shape(nil.right)))


@question_measure(
    "list_f",
    of=ListCounts,
    undefined="no answer to the question is known",
    source="Voorhees 2005 (TREC 2003 and 2004 QA)",
)
def list_f(lists: ListCounts) -> Floats:
    """F of distinct right answers: precision among those given, recall among those known; 0 where none is right."""
    precision, recall = divide(lists.distinct, lists.returned), divide(lists.distinct, lists.known)
    below = np.nan_to_num(precision) + np.nan_to_num(recall)
    f = np.where(below > 0, 2 * np.nan_to_num(precision * recall) / np.where(below > 0, below, 1), 0.0)
    return np.where(np.isnan(recall), np.nan, f)[()]


@question_measure(
    "series_score",
    of=TypeMeans,
    undefined="there is no question of a type with a weight above 0",
    source="Voorhees 2005 (TREC 2004 QA)",
)
def series_score(
    parts: TypeMeans, factoid: float = 0.5, list: float = 0.25, other: float = 0.25, exact: bool = False
) -> Floats:
    """The weighted mean of factoid, list and other scores; a type that is not there leaves its weight to the others.

    In a series without lists TREC 2004 used .67 and .33 instead of the exact 2/3 and 1/3, which `exact` uses.
    """
    weights = np.array([factoid, list, other], dtype=np.float64)
    if not ((weights >= 0).all() and 0 < weights.sum() < np.inf):
        raise UsageError("series_score: weights are finite, not negative, and not all 0")
    there = ~np.isnan(parts.means)
    here = np.where(there, weights, 0.0)
    if not exact and np.allclose(weights / weights.sum(), TREC):
        here[there[..., 0] & ~there[..., 1] & there[..., 2]] = NO_LIST
    sums = (np.where(there, parts.means, 0.0) * here).sum(axis=-1)
    return divide(sums, here.sum(axis=-1))
