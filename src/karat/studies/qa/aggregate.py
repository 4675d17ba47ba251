"""From scores of questions to scores of runs: by type of question, and by series."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat.arrays import Bools, Floats
from karat.data.question_counts import TypeMeans
from karat.data.questions import TYPES, Questions
from karat.kernels.counting import divide
from karat.measures.questions import series_score
from karat.studies.unit_means import mean_of_defined

FACTOID, LIST, OTHER = range(len(TYPES))
Weights = tuple[float, float, float]
"""Of factoid, list and other questions."""


@dataclass(frozen=True, eq=False)
class Parts:
    """The means of each type of question, over the whole test set and within each series, to which weights apply."""

    types: Floats
    """(runs, types); NaN if no question of the type is scored."""
    asked: Bools
    """Which types the test set asks."""
    series: Floats
    """(runs, series, types)."""
    series_asks: Bools
    """(series, types): which types each series asks."""
    other_asked: Bools
    """Which series ask an OTHER question, or did before it was excluded."""
    silent: Bools
    """Types of which nothing was judged."""
    exact: bool
    """Whether weights stay in proportion in a series without lists, unlike in TREC 2004."""
    need_other: bool
    """Whether a series without a score on its OTHER question is left out."""

    @classmethod
    def of(cls, values: Floats, questions: Questions, silent: Bools, exact: bool, need_other: bool) -> Parts:
        """From the scores of questions (runs, questions), and the types of which nothing was judged."""
        types, series = questions.types, questions.series_of
        kinds = [types == kind for kind in range(len(TYPES))]
        asks = np.zeros((len(questions.series), len(TYPES)), dtype=bool)
        asks[series[series >= 0], types[series >= 0]] = True
        means = np.full((len(values), *asks.shape), np.nan)
        for at, kind in np.argwhere(asks).tolist():
            means[:, at, kind] = mean_of_defined(values[:, kinds[kind] & (series == at)], axis=-1)
        lost = np.array([one.id in questions.lost_other for one in questions.series], dtype=bool)
        return cls(
            types=np.stack([mean_of_defined(values[:, these], axis=-1) for these in kinds], axis=-1),
            asked=np.array([these.any() for these in kinds]),
            series=means,
            series_asks=asks,
            other_asked=asks[:, OTHER] | lost,
            silent=silent,
            exact=exact,
            need_other=need_other,
        )

    def by_type(self, weights: Weights) -> Floats:
        """The weighted mean (runs,) of the means by type; types that are not asked leave their weight to the others.

        It is undefined if a type that has weight is asked and not scored.
        """
        used = np.where(self.asked, weights, 0.0)
        total = (np.where(used > 0, self.types, 0.0) * used).sum(axis=-1)
        return divide(total, np.broadcast_to(used.sum(), total.shape))

    def by_series(self, weights: Weights) -> Floats:
        """The score of each run on each series (runs, series).

        A type that a series does not ask, or whose questions are all excluded, leaves its weight to the others; without
        lists TREC's weights become .67 and .33 unless `exact`. With `need_other`, a series has no score if its OTHER
        question was not judged or was excluded.
        """
        scored = np.asarray(~np.isnan(self.series).all(axis=0))
        scores = series_score(TypeMeans(self.series), *weights, exact=self.exact)
        unjudged = self.other_asked & ~scored[:, OTHER] & (weights[OTHER] > 0) & self.need_other
        # A type of which nothing at all was judged is missing, not absent from the series.
        unjudged |= (self.series_asks & self.silent & (np.array(weights) > 0)).any(axis=1)
        return np.where(unjudged, np.nan, scores)
