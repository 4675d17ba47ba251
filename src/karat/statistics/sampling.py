"""Samples of candidates: by a mix of labels, or balanced over strata; and what a rule for disagreements loses."""

from __future__ import annotations

from typing import Literal

import numpy as np

from karat.arrays import Floats, Ints

Rule = Literal["majority", "unanimous", "unknown"]


def ruled(counts: Ints, rule: Rule, unknown: int) -> Ints:
    """The label of each candidate (units, labels) under a rule; −1 for none.

    majority: the most frequent label, none if several are. unanimous: the label given by all, otherwise none. unknown:
    the label given by all, otherwise label number `unknown` (none if that is −1). Candidates without ballots have none.
    """
    most, best = counts.max(axis=1, initial=0), counts.argmax(axis=1)
    judged, total = most > 0, counts.sum(axis=1)
    if rule == "majority":
        alone = (counts == most[:, None]).sum(axis=1) == 1
        return np.where(judged & alone, best, -1)
    return np.where(judged & (most == total), best, np.where(judged & (rule == "unknown"), unknown, -1))


def lost_under(counts: Ints, labels: Ints) -> Floats:
    """How many candidates of each label a rule loses, compared with the expectation for one random assessor."""
    total = counts.sum(axis=1, keepdims=True)
    share = np.divide(counts, total, out=np.zeros(counts.shape), where=total > 0)
    return np.where(labels[:, None] == np.arange(counts.shape[1]), 0.0, share).sum(axis=0)


def shares_to_counts(mix: Floats, size: int) -> Ints:
    """Integers in these proportions that add up to `size`, by the largest remainders."""
    exact = mix * size
    counts = np.floor(exact + 1e-9).astype(np.int64)
    left = size - int(counts.sum())
    counts[np.argsort(counts - exact, kind="stable")[:left]] += 1
    return counts


def largest_size(available: Ints, mix: Floats) -> int:
    """The size of the largest test set with this mix that the candidates allow."""
    needed = mix > 0
    high = int(np.floor((available[needed] / mix[needed]).min() + 1e-9)) if needed.any() else 0
    # Rounding to whole units can require one more of a label than its share.
    while high > 0 and (shares_to_counts(mix, high) > available).any():
        high -= 1
    return high


def stratified(labels: Ints, counts: Ints, random: np.random.Generator) -> Ints:
    """The indices of `counts` candidates of each label, drawn at random and returned in file order."""
    drawn = [
        random.permutation(np.flatnonzero(labels == label))[:wanted] for label, wanted in enumerate(counts.tolist())
    ]
    return np.sort(np.concatenate(drawn)).astype(np.int64)


def level_counts(available: Ints, size: int) -> Ints:
    """Equal numbers from all strata, or all of a stratum that has too few, adding up to `size`.

    A remainder that cannot be divided evenly goes to the first strata that have units left.
    """
    counts = np.zeros(len(available), dtype=np.int64)
    left = min(size, int(available.sum()))
    while left:
        open_ = np.flatnonzero(counts < available)
        each = left // len(open_)
        if each:
            added = np.minimum(available[open_] - counts[open_], each)
        else:
            open_, added = open_[:left], np.ones(left, dtype=np.int64)
        counts[open_] += added
        left -= int(added.sum())
    return counts


def weighted_sample(weights: Floats, size: int, random: np.random.Generator) -> Ints:
    """`size` indices drawn without replacement, with odds by weight (Efraimidis and Spirakis 2006)."""
    keys = random.exponential(size=len(weights)) / weights
    return np.sort(np.argsort(keys, kind="stable")[:size]).astype(np.int64)
