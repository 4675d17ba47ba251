"""Features brought to one scale, as a classifier with one penalty for all of them needs."""

from __future__ import annotations

import msgspec
import numpy as np

from karat.arrays import Floats

CONSTANT = 1e-9
"""A feature that varies by less than this share of its size does not vary."""


class Scaling(msgspec.Struct, frozen=True):
    """Each feature's mean and spread among the training rows; a spread of 0 is a constant one, which is dropped."""

    means: tuple[float, ...]
    scales: tuple[float, ...]

    def apply(self, features: Floats) -> Floats:
        """The features that vary (rows, kept), each with mean 0 and deviation 1 among the training rows."""
        scales = np.array(self.scales)
        if features.shape[-1] != len(scales):
            raise ValueError(f"{features.shape[-1]} features, but the model was fitted to {len(scales)}")
        kept = scales > 0
        return (features[:, kept] - np.array(self.means)[kept]) / scales[kept]

    def spread(self, kept: Floats) -> tuple[float, ...]:
        """Numbers that belong to the kept features, with 0 for those that were dropped."""
        full = np.zeros(len(self.scales))
        full[np.array(self.scales) > 0] = kept
        return tuple(full.tolist())


def fit_scaling(features: Floats, weights: Floats) -> Scaling:
    """Means and deviations of features (rows, features) under weights of the rows."""
    if not np.isfinite(features).all():
        bad = np.flatnonzero(~np.isfinite(features).all(axis=0)).tolist()
        raise ValueError(f"features must be finite; columns {bad} are not")
    total = weights.sum()
    # Plain sums: those of a matrix product would depend, in their last bits, on how many threads it has.
    means = (weights[:, None] * features).sum(axis=0) / total
    deviations = np.sqrt((weights[:, None] * (features - means) ** 2).sum(axis=0) / total)
    size = np.abs(features).max(axis=0, initial=0.0)
    scales = np.where(deviations > CONSTANT * size, deviations, 0.0)
    return Scaling(tuple(means.tolist()), tuple(scales.tolist()))
