"""Slow twins of what is learnt: every candidate tried in turn, every count a loop."""

from __future__ import annotations

from collections.abc import Sequence


def accuracy(answers: Sequence[bool], truth: Sequence[bool]) -> float:
    """The share that is right."""
    return sum(a == t for a, t in zip(answers, truth, strict=True)) / len(answers)
