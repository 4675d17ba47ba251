"""Forecasts: the probabilities that a run gives its answers, or all labels, and what turned out to be true."""

from __future__ import annotations

from dataclasses import dataclass

from karat.arrays import Floats
from karat.errors import NotApplicable
from karat.kernels.counting import divide
from karat.labels import Codes

NO_SHARES = "the run gives a probability to its answers only, not to every label"


@dataclass(frozen=True, eq=False)
class Forecasts:
    """One run on the units that are scored: the key, whether the answer is right, and how sure the run is of it."""

    key: Codes
    right: Floats
    confidence: Floats
    """The probability of the answer."""
    stated: Floats | None = None
    """The probability of every label (units, labels), if the run gives one to each."""
    weights: Floats | None = None
    """How often each unit counts (…, units); leading axes are resamples."""

    @property
    def shares(self) -> Floats:
        """The probability of every label; refused if the run gives one to its answers only."""
        if self.stated is None:
            raise NotApplicable(NO_SHARES)
        return self.stated

    def mean(self, each: Floats) -> Floats:
        """The mean over units of a number for each (units, …), which come last; NaN if there are no units."""
        if self.weights is None:
            return divide(each.sum(axis=0), each.shape[0] + 0 * each.sum(axis=0))
        total = self.weights.sum(axis=-1)
        return divide(self.weights @ each, total if each.ndim == 1 else total[..., None])
