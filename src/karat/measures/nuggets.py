"""Scores of answers by their nuggets: the length-penalised F of TREC, and the support scores of TREC RAG."""

from __future__ import annotations

from functools import reduce

import numpy as np

from karat.arrays import Floats
from karat.data.nugget_counts import NuggetCounts
from karat.data.nuggets import OKAY, VITAL
from karat.errors import UsageError
from karat.measures.facts import question_measure

ALLOWANCE = 100
"""Characters (without white space) that an answer may use for each nugget it contains."""
NO_VITAL = "the run was not judged on any vital nugget"
NO_WEIGHT = "the run was not judged on any vital nugget (with pyramids: on any with a weight above 0)"
NO_LENGTH = "the length of the answer is unknown"
LIN = "Voorhees 2003, 2005 (TREC 2003 and 2004 QA)"
RAG = "Pradeep et al. 2024 (TREC RAG)"


def _held(counts: NuggetCounts, kind: int, strict: bool) -> Floats:
    """The number of nuggets of one importance in an answer; partial support counts unless `strict`."""
    supported = counts.supported[..., kind]
    return supported if strict else supported + counts.partial[..., kind]


def _share(held: Floats, listed: Floats, counts: NuggetCounts) -> Floats:
    """Held as a share of listed; NaN if nothing is listed, or 0 when reproducing scores that were stored so."""
    with np.errstate(invalid="ignore"):  # 0/0 is NaN
        value = held / listed
    return np.nan_to_num(value) if counts.missing == "zero" else value


@question_measure("nugget_recall", of=NuggetCounts, range=(0, 1), undefined=NO_WEIGHT, source=LIN)
def nugget_recall(nuggets: NuggetCounts, strict: bool = False, recall: str = "vital") -> Floats:
    """Vital nuggets held of all vital ones; `pyramid`: weights held of all weights."""
    if recall == "vital":
        return _share(_held(nuggets, VITAL, strict), nuggets.listed[..., VITAL], nuggets)
    if recall != "pyramid":
        raise UsageError.unknown("recall of nuggets", recall, ("vital", "pyramid"))
    held = nuggets.weight_supported + (0.0 if strict else nuggets.weight_partial)
    return _share(held, nuggets.weight, nuggets)


@question_measure("nugget_precision", of=NuggetCounts, range=(0, 1), undefined=NO_LENGTH, source=LIN)
def nugget_precision(nuggets: NuggetCounts, strict: bool = False, allowance: float = ALLOWANCE) -> Floats:
    """1 up to the allowance for every nugget held, vital or okay; beyond it, the share of the length within it."""
    if not 0 <= allowance < np.inf:
        raise UsageError("nugget_precision: the allowance must be a finite number, not negative")
    allowed = allowance * (_held(nuggets, VITAL, strict) + _held(nuggets, OKAY, strict))
    length = nuggets.length
    with np.errstate(divide="ignore", invalid="ignore"):  # a length of 0 is within every allowance
        return np.where(length <= allowed, 1.0, 1 - (length - allowed) / length)[()]


@question_measure("nugget_f", of=NuggetCounts, range=(0, 1), undefined=f"{NO_WEIGHT}; or {NO_LENGTH}", source=LIN)
def nugget_f(
    nuggets: NuggetCounts,
    beta: float = 3,
    strict: bool = False,
    recall: str = "vital",
    allowance: float = ALLOWANCE,
) -> Floats:
    """(β²+1)PR/(β²P+R) of nugget precision and recall; 0 where no nugget is held."""
    if not 0 <= beta < np.inf:
        raise UsageError("nugget_f: beta must be a finite number, not negative")
    r = nugget_recall(nuggets, strict, recall)
    p = nugget_precision(nuggets, strict, allowance)
    return f_beta(p, r, beta)


def f_beta(precision: Floats, recall: Floats, beta: float | Floats) -> Floats:
    """F of precision and recall; 0 if recall is 0, NaN if either is undefined.

    Without a length F is unknown even for an answer without any nugget: a mean over only those would mislead.
    """
    square = np.square(beta)
    with np.errstate(invalid="ignore"):  # if recall is 0, precision may be too
        f = (square + 1) * precision * recall / (square * precision + recall)
    return np.where((recall == 0) & ~np.isnan(precision), 0.0, f)[()]


def _support(nuggets: NuggetCounts, weights: tuple[float, ...], strict: bool) -> Floats:
    """Weighted support as a share of the total weight; partial support counts one half, or nothing if `strict`."""
    held = _weighed(nuggets.supported, weights)
    if not strict:
        held = held + 0.5 * _weighed(nuggets.partial, weights)
    value = _share(held, _weighed(nuggets.listed, weights), nuggets)
    if nuggets.missing == "zero":
        return value
    # A topic without vital nuggets is undefined for all of these, so that all means are over the same topics.
    return np.where(nuggets.listed[..., VITAL] == 0, np.nan, value)[()]


def _weighed(counts: Floats, weights: tuple[float, ...]) -> Floats:
    """Counts by importance, weighted and added; importances without a weight do not count."""
    return reduce(np.add, (counts[..., kind] if w == 1 else w * counts[..., kind] for kind, w in enumerate(weights)))


@question_measure("vital_support", of=NuggetCounts, range=(0, 1), undefined=NO_VITAL, source=RAG)
def vital_support(nuggets: NuggetCounts, strict: bool = False) -> Floats:
    """Vital nuggets supported, of all vital ones."""
    return _support(nuggets, (1,), strict)


@question_measure("weighted_support", of=NuggetCounts, range=(0, 1), undefined=NO_VITAL, source=RAG)
def weighted_support(nuggets: NuggetCounts, strict: bool = False) -> Floats:
    """Nuggets supported, of all, okay ones at half weight."""
    return _support(nuggets, (1, 0.5), strict)


@question_measure("all_support", of=NuggetCounts, range=(0, 1), undefined=NO_VITAL, source=RAG)
def all_support(nuggets: NuggetCounts, strict: bool = False) -> Floats:
    """Nuggets supported, of all."""
    return _support(nuggets, (1, 1, 1), strict)
