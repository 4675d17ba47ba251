"""From scores of questions to scores of runs, by type of question and by series; how the ranking depends on weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from karat.arrays import EXACT_TOLERANCE, NAN, Bools, Floats
from karat.data.fields import Shown, Why, written
from karat.data.question_counts import TypeMeans
from karat.data.questions import TYPES, Questions
from karat.data.result import Ends, Sheet
from karat.kernels.counting import divide
from karat.measures.questions import series_score
from karat.statistics.rank_correlation import tau
from karat.statistics.weight_region import grid_of_weights, share_of_all, weight_region
from karat.studies.unit_means import mean_of_defined, plain_mean
from karat.studies.wording import per_cent

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


@dataclass(frozen=True)
class WeightSetting:
    """Other weights, and Kendall's tau of the rankings under them with the official one."""

    factoid: float
    list: float
    other: float
    tau_by_type: float
    tau_by_series: Annotated[float, Why("no series is scored")]


@dataclass(frozen=True)
class WeightSensitivity:
    """How the ranking of runs depends on the weights."""

    region: list[tuple[float, float, float]]
    """Corners of the region of weights (factoid, list, other) under which runs rank by type as officially."""
    share: float
    """The share of all weights that lie in the region."""
    grid: list[WeightSetting]

    def sheet(self) -> Sheet:
        """The corners of the region in which the ranking by type is unchanged, and the least tau over the grid."""
        by_type = min(one.tau_by_type for one in self.grid)
        by_series = min(one.tau_by_series for one in self.grid)
        return Sheet.listed(
            "Weights under which the ranking by type does not change",
            ("factoid", "list", "other"),
            self.region,
            notes=[
                f"The corners of a region that contains {per_cent(self.share)} of all weights.",
                "Lowest Kendall's tau with the official ranking, over all weights in steps of 0.1: "
                f"by type {written(by_type, 3)}, by series {written(by_series, 3)}.",
            ],
        )


def weight_sensitivity(parts: Parts, weights: Weights) -> WeightSensitivity | None:
    """The region of weights with an unchanged ranking, and tau on a grid; None unless all three types are scored."""
    if np.isnan(parts.types).any() or len(parts.types) < 2:
        return None
    corners = weight_region(parts.types, np.array(weights) / sum(weights))
    by_type, by_series = parts.by_type(weights), plain_mean(parts.by_series(weights))
    settings = []
    for these in map(tuple, grid_of_weights().tolist()):
        taus = tau(by_type, parts.by_type(these)), tau(by_series, plain_mean(parts.by_series(these)))
        settings.append(WeightSetting(*these, *map(float, taus)))
    return WeightSensitivity([tuple(corner) for corner in corners.tolist()], share_of_all(corners), settings)


@dataclass(frozen=True)
class SeriesBox:
    """The scores of all runs on one series, as a box plot draws them.

    Quartiles interpolate between scores (type 7 of Hyndman and Fan, as R and NumPy do by default).
    """

    series: str
    target: str
    kind: Annotated[str | None, Why("the questions do not say which kind of target it is")]
    questions: int
    low: Annotated[float, Shown("lowest", 2)]
    lower: Annotated[float, Shown("lower quartile", 2)]
    median: Annotated[float, Shown(digits=2)]
    upper: Annotated[float, Shown("upper quartile", 2)]
    high: Annotated[float, Shown("highest", 2)]
    whiskers: Annotated[Ends, Shown(digits=2, note="1.5 interquartile ranges at most")]
    """The lowest and the highest score within 1.5 interquartile ranges of the box."""
    outside: dict[str, float]
    """The runs whose scores are further away, which are drawn as points."""

    @property
    def beyond(self) -> Annotated[str, Shown("outside")]:
        """The runs outside the whiskers, with their scores."""
        return ", ".join(f"{run} {written(score, 2)}" for run, score in self.outside.items())


@dataclass(frozen=True)
class Medians:
    """Units of one kind whose median score over runs is 0."""

    of: str
    units: Annotated[int, Shown("scored")]
    zero: Annotated[int, Shown("median 0")]
    share: Annotated[float, Shown(unit="%"), Why("nothing of this kind is scored")]


REACH = 1.5
"""How far a whisker goes, in interquartile ranges (Tukey)."""


def series_boxes(scores: Floats, questions: Questions, runs: Sequence[str]) -> list[SeriesBox]:
    """The box of every series, from its scores (runs, series); NaN if it is not scored."""
    made = []
    for series, column in zip(questions.series, scores.T, strict=True):
        known = {run: score for run, score in zip(runs, column.tolist(), strict=True) if score == score}
        (low, lower, median, upper, high), ends = box_of([*known.values()])
        outside = {run: score for run, score in known.items() if not ends[0] <= score <= ends[1]}
        named = series.id, series.target, series.kind, len(series.questions)
        made.append(SeriesBox(*named, low, lower, median, upper, high, ends, outside))
    return made


def box_of(scores: Sequence[float]) -> tuple[list[float], tuple[float, float]]:
    """The five numbers of a box plot, and the ends of its whiskers; NaN without scores."""
    if not scores:
        return [NAN] * 5, (NAN, NAN)
    five = np.quantile(scores, (0, 0.25, 0.5, 0.75, 1)).tolist()
    reach = REACH * (five[3] - five[1]) + EXACT_TOLERANCE
    near = [score for score in scores if five[1] - reach <= score <= five[3] + reach]
    # Quartiles lie between scores, so a whisker may end inside the box; it is then not drawn.
    return five, (min(min(near), five[1]), max(max(near), five[3]))


def zero_medians(values: Floats, series: Floats, questions: Questions) -> list[Medians]:
    """The share of zero medians among questions of each type, and among series."""
    groups = {kind.lower(): values[:, questions.types == at] for at, kind in enumerate(TYPES)} | {"series": series}
    made = []
    for name, scores in groups.items():
        scored = scores[:, ~np.isnan(scores).any(axis=0)]
        number, zero = scored.shape[1], int((np.median(scored, axis=0) == 0).sum()) if scored.size else 0
        made.append(Medians(name, number, zero, zero / number if number else NAN))
    return made
