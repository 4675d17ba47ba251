"""A test set of a wanted mix of labels from judged candidates, and what a rule for disagreements costs."""

from __future__ import annotations

from typing import Literal

import numpy as np

from karat.arrays import Floats, Ints

Rule = Literal["majority", "unanimous", "unknown"]


def ruled(counts: Ints, rule: Rule, unknown: int) -> Ints:
    """The label of each candidate (units, labels) under a rule; −1 where it has none.

    majority: the label said most often, none where several are. unanimous: the label that all said, none else.
    unknown: the label that all said, else that of place `unknown` (none where that is −1). What nobody judged has none.
    """
    most, best = counts.max(axis=1, initial=0), counts.argmax(axis=1)
    judged, total = most > 0, counts.sum(axis=1)
    if rule == "majority":
        alone = (counts == most[:, None]).sum(axis=1) == 1
        return np.where(judged & alone, best, -1)
    return np.where(judged & (most == total), best, np.where(judged & (rule == "unknown"), unknown, -1))


def lost_under(counts: Ints, labels: Ints) -> Floats:
    """Candidates of each label that a rule's labels lose, against those that one assessor at random would find."""
    total = counts.sum(axis=1, keepdims=True)
    share = np.divide(counts, total, out=np.zeros(counts.shape), where=total > 0)
    return np.where(labels[:, None] == np.arange(counts.shape[1]), 0.0, share).sum(axis=0)


def shares_to_counts(mix: Floats, size: int) -> Ints:
    """Whole numbers in these shares that add up to the size; the largest remainders get what is left."""
    exact = mix * size
    counts = np.floor(exact + 1e-9).astype(np.int64)
    left = size - int(counts.sum())
    counts[np.argsort(counts - exact, kind="stable")[:left]] += 1
    return counts


def largest_size(available: Ints, mix: Floats) -> int:
    """The largest test set of this mix that the candidates allow."""
    needed = mix > 0
    high = int(np.floor((available[needed] / mix[needed]).min() + 1e-9)) if needed.any() else 0
    # Rounding to whole units can ask for one more of a label than its share.
    while high > 0 and (shares_to_counts(mix, high) > available).any():
        high -= 1
    return high


def stratified(labels: Ints, counts: Ints, random: np.random.Generator) -> Ints:
    """Places of so many candidates of each label, drawn at random and given in file order."""
    drawn = [
        random.permutation(np.flatnonzero(labels == label))[:wanted] for label, wanted in enumerate(counts.tolist())
    ]
    return np.sort(np.concatenate(drawn)).astype(np.int64)
