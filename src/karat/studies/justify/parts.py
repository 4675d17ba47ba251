"""The parts of the result of `justify`: runs, judges, agreement, differences and groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from karat.data.fields import Shown, Why
from karat.data.result import Bounded, Estimate
from karat.studies.unit_means import Mean
from karat.studies.wording import P

NOT_RATED = Why("it was not rated")
NO_BOTH = "no judge rated both runs on the same pair"
EXCHANGEABLE = "the ratings do not say who gave them"
P_ERROR = Shown("± p", 4, note="Monte Carlo standard error of p")


def _no_rank(result: Any) -> str:
    unranked = "there is no pair on which a judge rated two runs or more, and all that are rated there"
    return EXCHANGEABLE if result.exchangeable else unranked


def _untested(row: Any) -> str:
    if row.pairs < 2:
        return "there is only one pair, so the variance over pairs cannot be estimated" if row.pairs else NO_BOTH
    return "the runs differ by the same amount on all pairs"


def _untested_by_judges(result: Any) -> str:
    return EXCHANGEABLE if result.exchangeable else NO_BOTH


Correlated = Why("there are fewer than two ratings on both, or all are the same on one")
Concordant = Why("fewer than two judges rated two runs on the same pair, or all judges tie all runs")
Paired = Why("the two judges rated nothing in common, or gave only one rating")
Untested = Why(_untested)
ByJudges = Why(_untested_by_judges)


@dataclass(frozen=True)
class CriterionScores:
    """One run on one criterion."""

    rated: int
    not_asked: int
    not_applicable: Annotated[int, Shown(note="ratings marked as not applicable")]
    mean: Annotated[Mean, Shown(digits=2, note="over all ratings"), NOT_RATED]
    """The mean over all ratings, with an interval over pairs."""
    median: Annotated[float, Shown(digits=1), NOT_RATED]
    distribution: dict[str, int]
    by_judge: Annotated[dict[str, float], Why("the judge did not rate this run on it")]
    by_pair: Annotated[dict[str, float], Why("nobody rated the run on it for this pair")]
    mean_rank: Annotated[float, Shown(digits=2, note="1 is best"), Why(_no_rank)]
    """The mean rank over judges and pairs; 1 is best."""


@dataclass(frozen=True)
class WrongReason:
    """How often a right decision was rated as having poor reasons, or reasons that could not be understood."""

    count: Annotated[int, Shown("poor reasons")]
    of: Annotated[int, Shown(note="ratings of right decisions")]
    share: Annotated[Mean, Shown(unit="%"), Why("no right decision was rated")]


@dataclass(frozen=True)
class RatedRun:
    """One run."""

    run: str
    skipped: int
    criteria: dict[str, CriterionScores]
    wrong_reason: Annotated[
        WrongReason | None, Why("no key and runs were given, or the criterion of good reasons was not rated")
    ]


@dataclass(frozen=True)
class CriteriaCorrelation:
    """The correlation of two criteria over justifications."""

    a: Annotated[str, Shown("criterion")]
    b: Annotated[str, Shown("and")]
    not_asked: str
    rated: int
    pearson: Annotated[float, Shown("Pearson", 2), Correlated]
    tau_b: Annotated[float, Shown("tau-b", 2), Correlated]


@dataclass(frozen=True)
class JudgeScores:
    """One judge on one criterion."""

    mean: Annotated[float, Shown(digits=2)]
    median: Annotated[float, Shown(digits=1)]
    distribution: dict[str, int]
    means: dict[str, float]
    """The mean of each run over pairs."""
    mean_ranks: Annotated[dict[str, float], Why("there is no pair with the run on which the judge rated all runs")]
    ranking: Annotated[list[str], Shown(form=", ".join)]
    """Empty if the result is about one run only."""


@dataclass(frozen=True)
class RatingJudge:
    """One judge."""

    judge: str
    rated: int
    skipped: int
    """The number of pairs skipped."""
    attributes: Annotated[dict[str, str | None], Why("the table of judges does not say")]
    summary: Annotated[str | None, Shown("closing remark"), Why("the judge made no closing remark")]
    criteria: Annotated[dict[str, JudgeScores], Why("the judge did not rate it")]
    correlation: list[CriteriaCorrelation]


@dataclass(frozen=True)
class Concordance:
    """Kendall's W of the judges' mean ranks, and the mean of W over single pairs."""

    judges: int
    w: Annotated[float, Shown("W", 2, note="Kendall's W of the judges' mean ranks, corrected for ties"), Concordant]
    p: Annotated[P, Shown(note="test of whether judges rank the runs at random"), Concordant]
    p_error: Annotated[float, P_ERROR, Concordant]
    w_pairs: Annotated[float, Shown("W, pairs", 2, note="the mean of W over single pairs"), Concordant]
    pairs: int


@dataclass(frozen=True)
class KappaPair:
    """Two judges over the justifications that both rated."""

    a: Annotated[str, Shown("judge a")]
    b: Annotated[str, Shown("judge b")]
    rated: int
    kappa: Annotated[float, Shown(digits=2), Paired]
    kappa_linear: Annotated[float, Shown("linear", 2), Paired]
    kappa_quadratic: Annotated[float, Shown("quadratic", 2), Paired]


@dataclass(frozen=True)
class CriterionAgreement:
    """Agreement on one criterion."""

    criterion: str
    alpha: Annotated[dict[str, Estimate], Why("alpha does not vary over pairs here, so its error is unknown")]
    """Krippendorff's ordinal alpha, with ratings not asked for as 0, if the scale allows it, and as missing."""
    concordance: Annotated[Concordance | None, Why(EXCHANGEABLE)]
    kappas: list[KappaPair]


@dataclass(frozen=True)
class RunDifference(Bounded):
    """Two runs on one criterion."""

    criterion: str
    a: Annotated[str, Shown("run a")]
    b: Annotated[str, Shown("run b")]
    rated: int
    """The number of times that one judge rated both on one pair."""
    pairs: int
    difference: Annotated[float, Untested]
    low: Annotated[float, Untested]
    high: Annotated[float, Untested]
    p: Annotated[
        P, Shown(note="randomisation test over pairs: scores are exchanged for all judges of a pair together"), Untested
    ]
    p_error: Annotated[float, P_ERROR, Untested]
    """Monte Carlo standard error of p; 0 if all sign flips were counted."""
    p_corrected: Annotated[P, Shown("p, Holm", note="over all pairs of runs on all criteria"), Untested]
    """Corrected by Holm over all pairs of runs on all criteria."""
    p_judges: Annotated[
        P,
        Shown("p, judges", note="scores are exchanged for each judge separately: valid for these pairs only"),
        ByJudges,
    ]
    p_judges_error: Annotated[float, ByJudges]


@dataclass(frozen=True)
class JudgeGroup:
    """Judges with one value of an attribute."""

    value: str
    judges: list[str]
    means: dict[str, dict[str, float]]
    """The mean of the judges' means, by criterion and run."""
    ranking: dict[str, Annotated[list[str], Shown(form=", ".join)]]


@dataclass(frozen=True)
class GroupDifference:
    """The difference between one group and all other judges, on one run and criterion."""

    criterion: str
    run: str
    value: Annotated[str, Shown("group")]
    difference: Annotated[float, Shown(digits=2)]
    p: Annotated[P, Shown(note="share of equally large groups of judges that differ at least as much")]
    p_error: float
    p_corrected: Annotated[
        P, Shown("p, corrected", note="over all groups, runs and criteria, by the maximum difference")
    ]
    """Corrected by the largest standardised difference of any group, run and criterion under random assignment."""


@dataclass(frozen=True)
class GroupTau:
    """Kendall's tau between the rankings by two groups."""

    criterion: str
    a: str
    b: str
    tau: float


@dataclass(frozen=True)
class GroupComparison:
    """Groups of judges by an attribute."""

    attribute: str
    groups: Annotated[list[JudgeGroup], Why("the group did not rate the run")]
    differences: Annotated[list[GroupDifference], Why("a judge did not rate the run")]
    taus: Annotated[list[GroupTau], Why("a group has no mean of a run, or all runs tie in one")]


@dataclass(frozen=True)
class RawRating:
    """One rating as it was given."""

    run: str
    unit: str
    judge: str
    skipped: bool
    values: Annotated[dict[str, float | None], Why("skipped, not asked, or not applicable")]
