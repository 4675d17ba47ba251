"""A head: what is learnt over the numbers that a network gives for pairs."""

from __future__ import annotations

import msgspec
import numpy as np

from karat.arrays import Floats, Ints
from karat.engines.learning.classifiers import Logistic, fit_logistic, validation_losses
from karat.engines.learning.folds import grouped, one_thread
from karat.engines.learning.threshold import CONTRADICTION_CODE, ENTAILMENT_CODE, UNKNOWN_CODE
from karat.labels import Codes

FOLDS = 5
PENALTIES = (1e4, 1e3, 1e2, 1e1, 1e0, 1e-1)
"""From heavy to light; hundreds of features and hundreds of pairs call for heavier ones than a few features do."""
FEWEST = 8
"""With fewer contradictions, or fewer unknown pairs, than this, contradiction is never answered."""


class LearntHead(msgspec.Struct, frozen=True):
    """Two logistic regressions: entailment, and contradiction among the pairs that are not entailed."""

    entails: Logistic | None = None
    """None: nothing was learnt, and the network's own labels count."""
    contradicts: Logistic | None = None

    def likelihoods(self, features: Floats) -> Floats:
        """The probabilities of entailment, unknown and contradiction (pairs × 3)."""
        assert self.entails is not None
        entails = _probability(self.entails, features)
        contradicts = _probability(self.contradicts, features) if self.contradicts else np.zeros(len(features))
        return np.column_stack([entails, (1 - entails) * (1 - contradicts), (1 - entails) * contradicts])


def _probability(learnt: Logistic, features: Floats) -> Floats:
    """The probability of yes, by as many of the first features as were learnt from."""
    return learnt.probability(features[:, : len(learnt.weights)])


def fit_head(features: Floats, codes: Codes, groups: Ints, few: int | None = None, seed: int = 0) -> LearntHead:
    """A head that does best on unseen pairs; pairs of one group, about the same text, stay together.

    So chosen are the penalties, and whether to learn from all features or only from the first few: hundreds of others
    help if there are many pairs to learn from, and harm if there are hundreds.
    """
    widths = [few or features.shape[1], features.shape[1]]

    def learn(rows: Ints, code: int) -> Logistic:
        yes = codes[rows] == code
        folds = grouped(np.where(yes, ENTAILMENT_CODE, UNKNOWN_CODE).astype(np.int8), groups[rows], FOLDS, seed)
        losses = {
            width: validation_losses(features[rows, :width], yes, folds, PENALTIES) for width in dict.fromkeys(widths)
        }
        best = min(losses, key=lambda width: float(losses[width].min()))
        return fit_logistic(features[rows, :best], yes, PENALTIES[int(losses[best].argmin())])

    with one_thread():
        entails = learn(np.arange(len(codes)), ENTAILMENT_CODE)
        rest = np.flatnonzero(codes != ENTAILMENT_CODE)
        counts = np.bincount(codes[rest], minlength=3)
        enough = min(counts[UNKNOWN_CODE], counts[CONTRADICTION_CODE]) >= FEWEST
        return LearntHead(entails, learn(rest, CONTRADICTION_CODE) if enough else None)
