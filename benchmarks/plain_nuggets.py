"""Nugget scores as a plain script computes them: one answer to one topic at a time, one nugget after the other.

The peer that karat is timed against, and the twin that its tests hold every score against.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import nan

HELD = {"support": 1.0, "partial_support": 0.5, "not_support": 0.0}
WEIGHTS = {"vital": 1.0, "okay": 0.5}


def plain_scores(
    nuggets: Sequence[tuple[str, str]], length: float, missing: str = "missing", beta: float = 3
) -> Mapping[str, float]:
    """All scores of one answer from the importance and assignment of each nugget, and its length in characters."""
    listed = {"vital": 0, "okay": 0, "other": 0}
    full = {"vital": 0, "okay": 0, "other": 0}
    half = {"vital": 0, "okay": 0, "other": 0}
    for importance, assignment in nuggets:
        if missing == "missing" and (importance not in WEIGHTS or assignment not in HELD):
            continue
        kind = importance if importance in WEIGHTS else "other"
        listed[kind] += 1
        if assignment == "support":
            full[kind] += 1
        elif assignment == "partial_support":
            half[kind] += 1
    undefined = nan if missing == "missing" else 0.0
    scores = {}
    for strict in (True, False):
        prefix, part = ("strict_", 0.0) if strict else ("", 0.5)
        vital, okay = full["vital"] + part * half["vital"], full["okay"] + part * half["okay"]
        everything = vital + okay + full["other"] + part * half["other"]
        below = listed["vital"] + 0.5 * listed["okay"]
        count = listed["vital"] + listed["okay"] + listed["other"]
        scores[prefix + "vital"] = vital / listed["vital"] if listed["vital"] else undefined
        scored = listed["vital"] > 0 or missing == "zero"
        scores[prefix + "weighted"] = (vital + 0.5 * okay) / below if scored and below else undefined
        scores[prefix + "all"] = everything / count if scored and count else undefined
        held = full["vital"] + (0 if strict else half["vital"])
        matched = held + full["okay"] + (0 if strict else half["okay"])
        scores[prefix + "f"] = _f(held, matched, listed["vital"], length, beta, undefined)
    return scores


def _f(held: int, matched: int, vital: int, length: float, beta: float, undefined: float) -> float:
    """The F of TREC 2003 and 2004."""
    if not vital:
        return undefined
    recall = held / vital
    if not recall:
        return 0.0
    allowance = 100 * matched
    precision = 1.0 if length <= allowance else 1 - (length - allowance) / length
    return (beta**2 + 1) * precision * recall / (beta**2 * precision + recall)
