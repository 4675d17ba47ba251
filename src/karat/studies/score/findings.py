"""What a reader of an evaluation should take away."""

from __future__ import annotations

from collections.abc import Iterable

from karat.studies.base import finding
from karat.studies.score.result import Evaluation

ROUNDING = 1e-9
FEW = 30


def _some(names: list[str], most: int = 8) -> str:
    return ", ".join(names[:most]) + (" …" if len(names) > most else "")


@finding("below-trivial", study="score")
def below_trivial(evaluation: Evaluation) -> Iterable[str]:
    """Runs that a constant answer beats."""
    if evaluation.own_weights:
        return  # the trivial systems have no weights of their own to be compared under
    for way in evaluation.shown:
        trivial = [(value, row.run) for row in evaluation.baselines if (value := row.value(way, "accuracy"))]
        scored = [row for row in evaluation.runs if row.values[way]]
        if trivial and scored:
            # Of equals the first, which is a constant.
            best, name = max(trivial, key=lambda system: round(system[0], 9))
            below = [row.name for row in scored if (row.value(way, "accuracy") or 0) < best - ROUNDING]
            if below:
                beaten = f"{len(below)} of {len(scored)} runs are below {name}"
                yield f"{beaten} ({best:.4f}, {way}-way): {_some(below)}."


@finding("self-contradictory", study="score")
def self_contradictory(evaluation: Evaluation) -> Iterable[str]:
    """Runs whose labels and ranking cannot both be right."""
    for row in evaluation.runs:
        if row.sound and not row.sound.sound:
            yield (
                f"{row.name} contradicts itself: no cut-off of its ranking gives its labels; the best, after "
                f"{row.sound.cutoff} pairs, differs in {row.sound.disagreements}."
            )


@finding("inverted", study="score")
def inverted(evaluation: Evaluation) -> Iterable[str]:
    """Runs that tell much and say it the wrong way round; few pairs tell too little to say so."""
    if evaluation.key.units < FEW:
        return
    for way in evaluation.shown:
        for row in evaluation.runs:
            kappa, tells = row.value(way, "kappa"), (row.intervals[way] or {}).get("information_corrected")
            if kappa is not None and kappa < 0 and tells and tells[0] > 0:
                yield f"{row.name} tells of the key but is worse than chance ({way}-way): labels swapped?"


@finding("degradation", study="score")
def degradation(evaluation: Evaluation) -> Iterable[str]:
    """Runs that would be rewarded for saying less."""
    rewarded = [row.name for row in evaluation.runs if row.degradations]
    if rewarded:
        of = f"{len(rewarded)} of {len(evaluation.runs)} runs"
        yield f"{of} would score better by merging two answers, though they would say less: {_some(rewarded)}."
