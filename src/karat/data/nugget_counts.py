"""The nuggets of a topic and those that answers contain, counted by importance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Bools, Floats
from karat.data.answers import LengthPolicy
from karat.data.nuggets import NEITHER, NOT, NOT_JUDGED, OKAY, PARTIAL, SUPPORT, UNKNOWN_DEGREE, VITAL, Matches
from karat.kernels.counting import segment_counts, segment_sums

MissingPolicy = Literal["missing", "zero"]
"""What becomes of a nugget whose label has no meaning."""


@dataclass(frozen=True, eq=False)
class NuggetCounts:
    """The nuggets of a topic and those an answer contains, by importance: each (…, topics, vital | okay | other).

    `weight`, `weight_supported` and `weight_partial` are the same as pyramid weights (…, topics); `length` is the
    answer's.
    """

    listed: Floats
    supported: Floats
    partial: Floats
    length: Floats
    weight: Floats
    weight_supported: Floats
    weight_partial: Floats
    missing: MissingPolicy = "missing"


def count_nuggets(
    matches: Matches, missing: MissingPolicy = "missing", length: LengthPolicy = "characters"
) -> NuggetCounts:
    """Count nuggets by topic. With `missing`, a nugget whose label has no meaning is not counted.

    With `zero` such a nugget counts as listed and not supported, as in scores stored by others.
    """
    nuggets = matches.nuggets
    codes: NDArray[np.uint8] = (matches.importance * 4 + matches.degree + 1).astype(np.uint8)
    if not matches.answered.all():  # a topic that a run was not judged on has no nuggets for it
        codes = np.where(matches.answered[..., nuggets.topic], codes, np.uint8(NOT_JUDGED * 4 + NOT + 1))
    shape = codes.shape[:-1]
    codes = codes.reshape(int(np.prod(shape)), len(nuggets))
    traits = _traits(missing)
    counted = segment_counts(codes, traits, nuggets.ends)
    # Traits are far apart in memory and adjacent by index, because measures select one of them.
    by_kind = np.moveaxis(counted.reshape(3, 3, *shape, len(nuggets.units)), 1, -1)
    listed, supported, partial = by_kind
    if nuggets.weights is None:  # the weight by a single assessor is 1 for vital nuggets and 0 for others
        weight, weight_supported, weight_partial = (counts[..., VITAL] for counts in by_kind)
    else:
        of_any_kind = np.asarray(traits.reshape(-1, 3, 3).any(axis=-1))
        weighed = segment_sums(codes, of_any_kind, nuggets.weights, nuggets.ends)
        weight, weight_supported, weight_partial = weighed.reshape(3, *shape, len(nuggets.units))
    return NuggetCounts(
        listed=listed,
        supported=supported,
        partial=partial,
        length=matches.lengths(length),
        weight=weight,
        weight_supported=weight_supported,
        weight_partial=weight_partial,
        missing=missing,
    )


def _traits(missing: MissingPolicy) -> Bools:
    """What a nugget of each importance and degree (importance · 4 + degree + 1) counts as.

    Nine traits: listed, supported, partly supported, each as vital, okay or other.
    """
    table = np.zeros((16, 3, 3), dtype=np.bool_)
    for kind in (VITAL, OKAY) if missing == "missing" else (VITAL, OKAY, NEITHER):
        for degree in (NOT, PARTIAL, SUPPORT) if missing == "missing" else (UNKNOWN_DEGREE, NOT, PARTIAL, SUPPORT):
            table[kind * 4 + degree + 1, :, kind] = True, degree == SUPPORT, degree == PARTIAL
    return table.reshape(16, 9)
