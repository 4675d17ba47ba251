"""Measures: formulas over tables and orders. Leading axes broadcast; undefined is NaN."""

from karat.measures.accuracy import (
    accuracy,
    mean_recall,
    precision,
    recall,
    rescaled_accuracy,
    shifted_accuracy,
)
from karat.measures.decided import decided_f
from karat.measures.facts import measure, measures
from karat.measures.information import (
    conditional_entropy,
    entropy_key,
    entropy_response,
    information,
    information_corrected,
    normalized_information,
)
from karat.measures.kappa import kappa
from karat.measures.ranking import average_precision, confidence_weighted, mean_precision

__all__ = [
    "accuracy",
    "average_precision",
    "conditional_entropy",
    "confidence_weighted",
    "decided_f",
    "entropy_key",
    "entropy_response",
    "information",
    "information_corrected",
    "kappa",
    "mean_precision",
    "mean_recall",
    "measure",
    "measures",
    "normalized_information",
    "precision",
    "recall",
    "rescaled_accuracy",
    "shifted_accuracy",
]
