"""Slow twins of what is learnt: every candidate tried in turn, every count a loop."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise


def accuracy(answers: Sequence[bool], truth: Sequence[bool]) -> float:
    """The share that is right."""
    return sum(a == t for a, t in zip(answers, truth, strict=True)) / len(answers)


def candidates(scores: Sequence[float]) -> list[float]:
    """A point below all scores, one between any two neighbours, one above all."""
    points = sorted(set(scores))
    middles = [(a + b) / 2 for a, b in pairwise(points)]
    span = points[-1] - points[0] or 1.0
    return [points[0] - span, *middles, points[-1] + span]


def best_threshold(scores: Sequence[float], truth: Sequence[bool]) -> tuple[float, float]:
    """The centre of the longest run of best candidates; of those the widest, of those the lowest."""
    tried = candidates(scores)
    values = [round(accuracy([score >= cut for score in scores], truth), 12) for cut in tried]
    best, runs, place = max(values), [], 0
    while place < len(values):
        end = place
        while end < len(values) and values[end] == best:
            end += 1
        if end > place:
            width = tried[min(end, len(tried) - 1)] - tried[max(place - 1, 0)]
            runs.append((end - place, round(width, 9), -place))
        place = max(end, place + 1)
    length, _, start = max(runs)
    return tried[-start + (length - 1) // 2], best
