"""What `justify` tells of runs, judges and their agreement, each by itself."""

from __future__ import annotations

from dataclasses import dataclass

from karat.data.result import Estimate
from karat.studies.unit_means import Mean


@dataclass(frozen=True)
class RunScores:
    """One run on one criterion."""

    rated: int
    not_asked: int
    not_applicable: int
    mean: Mean
    """Over all ratings; the interval is over pairs."""
    median: float
    distribution: dict[str, int]
    by_judge: dict[str, float]
    by_pair: dict[str, float]
    mean_rank: float
    """Over judges and pairs; 1 is best."""


@dataclass(frozen=True)
class WrongReason:
    """How often a right decision was rated to have poor reasons, or none that could be understood."""

    count: int
    of: int
    share: Mean


@dataclass(frozen=True)
class RatedRun:
    """One run."""

    run: str
    skipped: int
    criteria: dict[str, RunScores]
    wrong_reason: WrongReason | None


@dataclass(frozen=True)
class Correlation:
    """Of two criteria over justifications."""

    a: str
    b: str
    not_asked: str
    rated: int
    pearson: float
    tau_b: float


@dataclass(frozen=True)
class JudgeScores:
    """One judge on one criterion."""

    mean: float
    median: float
    distribution: dict[str, int]
    means: dict[str, float]
    """Of each run, over pairs."""
    mean_ranks: dict[str, float]
    ranking: list[str]
    """Empty where one run alone is told of."""


@dataclass(frozen=True)
class RatingJudge:
    """One judge."""

    judge: str
    rated: int
    skipped: int
    """Pairs."""
    attributes: dict[str, str | None]
    summary: str | None
    criteria: dict[str, JudgeScores]
    correlation: list[Correlation]


@dataclass(frozen=True)
class Concordance:
    """Kendall's W of the judges' mean ranks, and the mean of W over single pairs."""

    judges: int
    w: float
    p: float
    p_error: float
    w_pairs: float
    pairs: int


@dataclass(frozen=True)
class KappaPair:
    """Two judges over the justifications that both rated."""

    a: str
    b: str
    rated: int
    kappa: float
    kappa_linear: float
    kappa_quadratic: float


@dataclass(frozen=True)
class CriterionAgreement:
    """Agreement on one criterion."""

    criterion: str
    alpha: dict[str, Estimate]
    """Krippendorff's, ordinal: with what was not asked as 0, where the scale has room for it, and as missing."""
    concordance: Concordance | None
    kappas: list[KappaPair]


@dataclass(frozen=True)
class RunDifference:
    """Two runs on one criterion."""

    criterion: str
    a: str
    b: str
    rated: int
    """Ratings of both, each a judge's on a pair."""
    pairs: int
    difference: float
    low: float
    high: float
    p: float
    p_error: float
    """Monte-Carlo standard error of p; 0 where all sign flips were counted."""
    p_corrected: float
    """By Holm, over all pairs of runs on all criteria."""
    p_judges: float
    p_judges_error: float


@dataclass(frozen=True)
class JudgeGroup:
    """Judges with one value of an attribute."""

    value: str
    judges: list[str]
    means: dict[str, dict[str, float]]
    """By criterion and run: the mean of the judges' means."""
    ranking: dict[str, list[str]]


@dataclass(frozen=True)
class GroupDifference:
    """One group less all other judges, on one run and criterion."""

    criterion: str
    run: str
    value: str
    difference: float
    p: float
    p_error: float
    p_corrected: float
    """By the largest standardised difference of any group, run and criterion, when judges are assigned anew."""


@dataclass(frozen=True)
class GroupTau:
    """How alike two groups order the runs."""

    criterion: str
    a: str
    b: str
    tau: float


@dataclass(frozen=True)
class GroupComparison:
    """Groups of judges by an attribute."""

    attribute: str
    groups: list[JudgeGroup]
    differences: list[GroupDifference]
    taus: list[GroupTau]


@dataclass(frozen=True)
class RawRating:
    """One rating as it was given."""

    run: str
    unit: str
    judge: str
    skipped: bool
    values: dict[str, float | None]
