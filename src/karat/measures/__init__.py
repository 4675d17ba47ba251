"""Measures: formulas over tables, orders and counts of questions. Leading axes broadcast; undefined is NaN."""

from karat.measures.accuracy import (
    accuracy,
    decided_f,
    mean_recall,
    precision,
    recall,
    rescaled_accuracy,
    shifted_accuracy,
)
from karat.measures.association import (
    conditional_entropy,
    entropy_key,
    entropy_response,
    information,
    information_corrected,
    kappa,
    normalized_information,
)
from karat.measures.facts import measure, measures, question_measure, question_measures
from karat.measures.nuggets import (
    all_support,
    nugget_f,
    nugget_precision,
    nugget_recall,
    vital_support,
    weighted_support,
)
from karat.measures.questions import factoid_accuracy, list_f, nil_precision, nil_recall, reciprocal_rank, series_score
from karat.measures.ranking import average_precision, confidence_weighted, mean_precision

__all__ = [
    "accuracy",
    "all_support",
    "average_precision",
    "conditional_entropy",
    "confidence_weighted",
    "decided_f",
    "entropy_key",
    "entropy_response",
    "factoid_accuracy",
    "information",
    "information_corrected",
    "kappa",
    "list_f",
    "mean_precision",
    "mean_recall",
    "measure",
    "measures",
    "nil_precision",
    "nil_recall",
    "normalized_information",
    "nugget_f",
    "nugget_precision",
    "nugget_recall",
    "precision",
    "question_measure",
    "question_measures",
    "recall",
    "reciprocal_rank",
    "rescaled_accuracy",
    "series_score",
    "shifted_accuracy",
    "vital_support",
    "weighted_support",
]
