"""Figures of decomposed test sets, by way of the study on a set that has the paper's counts."""

from __future__ import annotations

from functools import cache

from karat.studies.diagnose.result import Diagnosis
from tests.decompositions import C, E, Part, counted_parts, decomposition_of, diagnosis_of, world


def decomposition_figure(
    of: str,
    originals: list[int],
    mono: list[int],
    right: list[int] | None = None,
    mono_right: list[int] | None = None,
) -> float:
    """One number of a test set of so many positive and negative originals and monothematic pairs."""
    counts = (tuple(originals), tuple(right or (0, 0)), tuple(mono), tuple(mono_right or (0, 0)))
    if of == "positive":
        return _positive(*mono)
    result = _diagnosed(*counts)
    row = result.overall[0]
    match of:
        case "ci":
            return row.correlation_index
        case "ci_positive" | "ci_negative":
            return next(one for one in result.judgments if one.name == of[3:]).correlation_index
        case "di":
            return row.deviation_index
        case "delta":
            return abs(row.correlation_index - 1)
        case "accuracy":
            assert row.originals is not None
            return row.originals.accuracy
        case "mono_accuracy":
            return row.accuracy
        case "parts":
            return result.monothematic / result.originals
    raise KeyError(of)


@cache
def _diagnosed(*counts: tuple[int, int]) -> Diagnosis:
    return diagnosis_of(*world(counted_parts(*counts), ["run"]), replicates=99)


def _positive(positive: int, negative: int) -> float:
    """The share of the monothematic pairs of a phenomenon that are positive."""
    labels = [E] * positive + [C] * negative
    parts = [Part(f"m{at}", label, "o", "syntactic:apposition") for at, label in enumerate(labels)]
    made = decomposition_of([Part("o", E), *parts])
    return float((made.pairs.labels[made.holds[0]] == 0).mean())
