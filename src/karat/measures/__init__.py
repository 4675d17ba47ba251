"""Measures: formulas over tables, orders and counts of questions. Leading axes broadcast; undefined is NaN."""

from karat.measures.classification import f1, macro_f1, matthews
from karat.measures.contingency import (
    accuracy,
    conditional_entropy,
    decided_f,
    entropy_key,
    entropy_response,
    information,
    information_corrected,
    kappa,
    mean_recall,
    normalized_information,
    precision,
    recall,
    rescaled_accuracy,
    shifted_accuracy,
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
from karat.measures.probabilities import brier, calibration_error, log_loss
from karat.measures.questions import (
    factoid_accuracy,
    list_f,
    nil_precision,
    nil_recall,
    reciprocal_rank,
    series_score,
    token_f1,
)
from karat.measures.ranking import auroc, average_precision, confidence_weighted, mean_precision

micro_f1, balanced_accuracy, exact_match = accuracy, mean_recall, factoid_accuracy

__all__ = [
    "accuracy",
    "all_support",
    "auroc",
    "average_precision",
    "balanced_accuracy",
    "brier",
    "calibration_error",
    "conditional_entropy",
    "confidence_weighted",
    "decided_f",
    "entropy_key",
    "entropy_response",
    "exact_match",
    "f1",
    "factoid_accuracy",
    "information",
    "information_corrected",
    "kappa",
    "list_f",
    "log_loss",
    "macro_f1",
    "matthews",
    "mean_precision",
    "mean_recall",
    "measure",
    "measures",
    "micro_f1",
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
    "token_f1",
    "vital_support",
    "weighted_support",
]
