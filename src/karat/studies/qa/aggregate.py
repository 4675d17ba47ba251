"""From scores of questions to scores of runs: by type of question, and by series."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Floats, divide
from karat.data.question_counts import TypeMeans
from karat.data.questions import TYPES, Questions
from karat.measures.questions import series_score

FACTOID, LIST, OTHER = range(len(TYPES))
Weights = tuple[float, float, float]
"""Of factoid, list and other."""


@dataclass(frozen=True, eq=False)
class Parts:
    """What weights are put on: the means of each type over the whole test set, and within each series."""

    types: Floats
    """(runs, types); NaN where no question of the type is scored."""
    asked: NDArray[np.bool_]
    """Which types are asked at all."""
    series: Floats
    """(runs, series, types)."""
    other_asked: NDArray[np.bool_]
    """Which series ask an OTHER question, or did before it was taken out."""

    series_asks: NDArray[np.bool_]
    """(series, types): what each series asks."""
    silent: NDArray[np.bool_]
    """Types that nobody judged anything of."""
    exact: bool = False
    """Whether weights stay in proportion where a series has no lists, unlike in TREC 2004."""
    need_other: bool = True
    """Whether a series without a score on its OTHER question is left out."""

    @classmethod
    def of(
        cls,
        values: Floats,
        questions: Questions,
        silent: NDArray[np.bool_],
        exact: bool = False,
        need_other: bool = True,
    ) -> Parts:
        """From the scores of questions (runs, questions), and the types that nobody judged."""
        kinds = [questions.types == kind for kind in range(len(TYPES))]
        homes = [questions.series_of == at for at in range(len(questions.series))]
        series = np.full((len(values), len(homes), len(kinds)), np.nan)
        for at, home in enumerate(homes):
            for kind, these in enumerate(kinds):
                series[:, at, kind] = _mean(values[:, home & these])
        return cls(
            types=np.stack([_mean(values[:, these]) for these in kinds], axis=-1),
            asked=np.array([these.any() for these in kinds]),
            series=series,
            other_asked=np.array(
                [
                    (home & kinds[OTHER]).any() or one.id in questions.lost_other
                    for home, one in zip(homes, questions.series, strict=True)
                ],
                dtype=bool,
            ),
            series_asks=np.array([[(home & these).any() for these in kinds] for home in homes], dtype=bool).reshape(
                len(homes), len(kinds)
            ),
            silent=silent,
            exact=exact,
            need_other=need_other,
        )

    def by_type(self, weights: Weights) -> Floats:
        """The weighted mean (runs,) of the means by type; types that nobody asks leave their weight to the others.

        A type that is asked, has weight and is not scored makes the whole undefined.
        """
        return _weighted(self.types, np.where(self.asked, weights, 0.0))

    def by_series(self, weights: Weights) -> Floats:
        """The score of each run on each series (runs, series).

        A type that a series does not ask, or whose questions are all dropped, leaves its weight to the others; without
        lists TREC's weights become .67 and .33 unless `exact`. A series whose OTHER nobody judged, or that was taken
        out, has no score where that is needed.
        """
        scored = np.asarray(~np.isnan(self.series).all(axis=0))
        scores = series_score(TypeMeans(self.series), *weights, exact=self.exact)
        unjudged = self.other_asked & ~scored[:, OTHER] & (weights[OTHER] > 0) & self.need_other
        # A type that nobody judged anywhere is not one that a series does without.
        unjudged |= (self.series_asks & self.silent & (np.array(weights) > 0)).any(axis=1)
        return np.where(unjudged, np.nan, scores)


def _mean(values: Floats) -> Floats:
    """The mean over the last axis of what is scored."""
    scored = ~np.isnan(values)
    return divide(np.where(scored, values, 0.0).sum(axis=-1), scored.sum(axis=-1).astype(np.float64))


def _weighted(means: Floats, weights: Floats) -> Floats:
    """The weighted mean over the last axis; a part of no weight does not matter, an undefined one with weight does."""
    parts = np.where(weights > 0, means, 0.0)
    return divide((parts * weights).sum(axis=-1), np.broadcast_to(weights.sum(axis=-1), parts.shape[:-1]))
