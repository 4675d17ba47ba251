"""Runs scored under other keys: keys (…, units) → scores (…, runs), and the same under resampled units."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat.arrays import Floats
from karat.data.orders import Order
from karat.data.responses import Responses
from karat.data.tables import Table
from karat.errors import NotApplicable, UsageError
from karat.kernels.arithmetic import divide
from karat.kernels.counting import contingency, resampled_contingency
from karat.labels import Codes, Way, fold
from karat.measures import measures
from karat.registry import Bound
from karat.studies.ways import one_way

CHUNK = 4_000_000
"""Words or numbers held in memory at a time."""


@dataclass(frozen=True, eq=False)
class Rescoring:
    """The runs' answers in one way, and what they are measured by."""

    runs: Responses
    way: Way
    measure: Bound

    @classmethod
    def of(cls, runs: Responses, way: str, measure: str) -> Rescoring:
        """One way for all runs; the measure must be a function of tables that is defined on it."""
        if not len(runs):
            raise UsageError("a ranking needs runs")
        chosen = one_way(runs, way, every_run=False)
        if not (allowed := runs.allows(chosen)).all():
            names = [name for name, can in zip(runs.names, allowed, strict=True) if not can]
            raise UsageError(f"--way {way}: runs must be three-way; two-way are {', '.join(names)}")
        bound = measures.parse(measure)
        if bound.facts["of"] is Order:
            raise UsageError(f"{bound} looks at the order of a run's lines; another key needs a measure of labels")
        made = cls(runs, chosen, bound)
        try:
            made.measure(Table(np.zeros((len(chosen.labels),) * 2), chosen.labels))
        except NotApplicable as reason:
            raise UsageError(f"--measure {measure}: {reason}") from None
        return made

    @property
    def units(self) -> int:
        """How many units the official key labels."""
        return int((self.runs.key.labels >= 0).sum())

    @property
    def answers(self) -> Codes:
        """What the runs said, folded to the way."""
        return fold(self.runs.codes, self.way)

    def folded(self, keys: Codes) -> Codes:
        """Keys in the way that is scored."""
        return fold(keys, self.way)

    def official(self, keys: Codes) -> Codes:
        """The official key on the units that each of some keys (…, units) labels, and on no others.

        What a key is held against: on fewer units even the official one may rank the runs otherwise.
        """
        return np.where(keys >= 0, self.runs.key.labels, np.int8(-1))

    def scores(self, keys: Codes) -> Floats:
        """The score of every run under every key (…, units), which are in the test set's own labels."""
        flat = self.folded(keys.reshape(-1, keys.shape[-1]))
        rows = max(1, CHUNK // max(1, len(self.runs) * (flat.shape[-1] // 64 + 1)))
        size, answers = len(self.way.labels), self.answers
        parts = [
            self.measure(Table(contingency(flat[at : at + rows, None], answers, size, size), self.way.labels))
            for at in range(0, len(flat), rows)
        ]
        return np.concatenate(parts).reshape(*keys.shape[:-1], len(self.runs))

    def resampled(self, key: Codes, weights: Floats) -> Floats:
        """The score of every run under one key and weights (…, units): (…, runs)."""
        folded, size, answers = self.folded(key), len(self.way.labels), self.answers
        if self.measure.entry.name == "accuracy":
            # One column a run instead of one a cell of its table: the same numbers, nine times as fast.
            right = ((answers == folded) & (folded >= 0)).astype(np.float64)
            return divide(weights @ right.T, (weights @ (folded >= 0).astype(np.float64))[..., None])
        rows = max(1, CHUNK // max(1, size * size * len(folded)))
        parts = [
            self.measure(
                Table(resampled_contingency(folded, answers[at : at + rows], weights, size, size), self.way.labels)
            )
            for at in range(0, len(answers), rows)
        ]
        return np.concatenate(parts, axis=-1)
