"""Systems that do not read: what any other must be better than."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from karat.data.parameters import generator
from karat.engines.batch import Batch
from karat.engines.engine import BatchAnswers, Engine, Justification, Setup, Training, engines
from karat.engines.learning.threshold import EVEN, UNDER

SOURCE = "customary in evaluations of entailment since RTE-1"
TWO_OR_THREE = ("2", "3")


class Always:
    """One answer to everything."""

    learns = dict[str, Any]
    why = Justification("Every pair is answered so, whatever it says.")

    def __init__(self, code: int) -> None:
        self.code = code

    def fit(self, training: Training) -> dict[str, Any]:
        """Nothing is learnt."""
        del training
        return {}

    def answer(self, batch: Batch, state: dict[str, Any]) -> BatchAnswers:
        """The same of every pair."""
        del state
        return self.same(batch, self.code, float(self.code == 0))

    def same(self, batch: Batch, code: int, sure: float) -> BatchAnswers:
        """One answer, as sure of each pair as of the others."""
        return BatchAnswers(np.full(len(batch), code, dtype=np.int8), np.full(len(batch), sure))

    def explain(self, batch: Batch, answers: BatchAnswers, state: dict[str, Any]) -> Sequence[Justification]:
        """That nothing was read."""
        del answers, state
        return [self.why] * len(batch)


def count_labels(training: Training) -> dict[str, Any]:
    """How many of the training pairs have each label."""
    counts = np.bincount(training.codes, minlength=len(training.way.labels))
    return dict(zip(training.way.labels, counts.tolist(), strict=True))


class Majority(Always):
    """The commonest label of the training pairs, of equally common ones the first."""

    why = Justification("Most of the pairs that were learnt from are answered so, and thus every pair.")

    def __init__(self, setup: Setup) -> None:
        super().__init__(0)
        self.labels = setup.way.labels

    def fit(self, training: Training) -> dict[str, Any]:
        """Count the labels."""
        return count_labels(training)

    def answer(self, batch: Batch, state: dict[str, Any]) -> BatchAnswers:
        """The commonest label, as sure as the training pairs are entailed."""
        counts = np.array([state[label] for label in self.labels])
        code = int(counts.argmax())
        share = float(counts[0] / max(counts.sum(), 1))
        return self.same(batch, code, max(share, EVEN) if code == 0 else min(share, UNDER))


class Drawn(Always):
    """A label by lot: that of a pair depends on the seed and its id, never on where and beside what it is answered."""

    why = Justification("This answer was drawn by lot.")

    def __init__(self, setup: Setup) -> None:
        super().__init__(0)
        self.labels = setup.way.labels
        self.seed = setup.seed

    def fit(self, training: Training) -> dict[str, Any]:
        """How likely each label is; where nothing is learnt, all are alike."""
        return count_labels(training)

    def answer(self, batch: Batch, state: dict[str, Any]) -> BatchAnswers:
        """Draw; the order by confidence is drawn too, with entailment first and what comes last in its way last."""
        counts = np.array([state.get(label, 1) for label in self.labels], dtype=np.float64)
        lot = np.array([generator(self.seed, "lot", name).random() for name in batch.ids])
        ends = np.cumsum(counts) / max(counts.sum(), 1.0)
        # Lots lie below 1, and what comes last ends there, whatever sums of shares come to.
        codes = np.searchsorted(ends[:-1], lot, side="right").astype(np.int8)
        sure = np.interp(lot, [0.0, ends[0], 1.0], [1.0, EVEN, 0.0])
        return BatchAnswers(codes, np.where(codes == 0, np.maximum(sure, EVEN), np.minimum(sure, UNDER)))


@engines.register("always-entailment", learns="no", ways=TWO_OR_THREE, knows=(), switches=(), source=SOURCE)
def always_entailment(setup: Setup) -> Engine:
    """ENTAILMENT for every pair."""
    del setup
    return Always(0)


@engines.register("always-unknown", learns="no", ways=TWO_OR_THREE, knows=(), switches=(), source=SOURCE)
def always_unknown(setup: Setup) -> Engine:
    """UNKNOWN for every pair; in two ways, NO ENTAILMENT."""
    del setup
    return Always(1)


@engines.register("always-contradiction", learns="no", ways=("3",), knows=(), switches=(), source=SOURCE)
def always_contradiction(setup: Setup) -> Engine:
    """CONTRADICTION for every pair."""
    del setup
    return Always(2)


@engines.register("majority", learns="must", ways=TWO_OR_THREE, knows=(), switches=(), source=SOURCE)
def majority(setup: Setup) -> Engine:
    """The commonest label of the training pairs for every pair."""
    return Majority(setup)


@engines.register("random", learns="may", ways=TWO_OR_THREE, knows=(), switches=(), source=SOURCE)
def random(setup: Setup) -> Engine:
    """A label by lot: as likely as it is common among the training pairs, or all alike; another --seed draws anew."""
    return Drawn(setup)
