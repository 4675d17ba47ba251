"""What the result of `meta` consists of: a judgment compared with the reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from karat.data.fields import Shown, Why
from karat.data.result import Estimate
from karat.studies.agree.result import Coefficient
from karat.studies.wording import P

NO_END = "an interval takes at least four runs and ten units, and scores that vary"
TIED = "all runs of a ranking are tied"
CONSTANT = "the scores by the reference do not vary on the units that both scored"
SAME = "the scores by the reference do not vary"
SAME_APART = "the difference by the reference is the same on every unit that both scored"
IDENTICAL = "the two judgments are the same, so no difference was observed"
SHIFTED = "the two judgments of every run differ by the same amount on every unit"
SAME_LEAD = "the difference of the two runs is the same on every unit"
SAMPLED = "karat drew the units at random, or there are fewer than ten of either kind"
NOTHING_ALONE = "this judge scored no unit that the reference did not score too; try --labelled N"


@dataclass(frozen=True)
class SingleJudgments:
    """Every score of a run on a unit by both judges, one by one; intervals are over units, or clusters of them."""

    judgments: int
    values: int
    """The number of different scores."""
    level: str
    clusters: int
    """The number of units that scores of all runs are on, or of clusters of them."""
    coefficients: dict[str, Coefficient]
    """The coefficients of `agree`, by name."""


def _no_bias(one: RunBias) -> str:
    return SHIFTED if one.bias.value else IDENTICAL


def _of_tau_b(one: RankAgreement) -> str:
    return NO_END if one.tau_b.value == one.tau_b.value else TIED


@dataclass(frozen=True)
class RankAgreement:
    """How alike the rankings by this judgment and by the reference are, on the units that both scored.

    The values are those of the two rankings as they are. The intervals are for the rankings by the true means, which
    are more alike than rankings with sampling errors are, so that a value may lie below its interval.
    """

    tau: Annotated[Estimate, Shown(digits=3, note="Kendall's tau of the two rankings"), Why(NO_END)]
    tau_b: Annotated[Estimate, Shown("tau-b", 3, note="tau without tied pairs"), Why(_of_tau_b)]
    tau_ap: Annotated[
        Estimate,
        Shown("tau-AP", 3, note="AP correlation with the reference ranking: changes at the top count more"),
        Why(NO_END),
    ]
    tau_top: Annotated[
        Estimate,
        Shown("tau, top {it.top}", 3, note="tau among the runs that the reference ranks highest"),
        Why(NO_END),
    ]
    overlap: Annotated[
        Estimate, Shown("RBO", 3, note="rank-biased overlap with persistence {it.persistence:g}"), Why(NO_END)
    ]
    per_unit: Annotated[
        Estimate,
        Shown("tau-b by unit", 3, note="the mean over units of the tau-b of the runs' scores on that unit"),
        Why("fewer than two units on which scores by both judges differ between runs"),
    ]


@dataclass(frozen=True)
class TwoJudges:
    """The rankings by two judges, on the units that all judges scored."""

    first: Annotated[str, Shown("judge")]
    second: Annotated[str, Shown("and")]
    tau: Annotated[float, Shown(digits=3), Why("all runs of a ranking are tied, or no unit was scored by all judges")]
    tau_b: Annotated[
        float,
        Shown("tau-b", 3, note="tau without tied pairs"),
        Why("all runs of a ranking are tied, or no unit was scored by all judges"),
    ]
    same_leader: Annotated[bool, Shown("same run first")]


@dataclass(frozen=True)
class PairVerdicts:
    """Pairs of runs by what the two judgments say of them: significantly better, worse, or not different.

    Paired t-tests on the units that both scored, corrected by Holm's method over the pairs of all judgments.
    """

    pairs: int
    same: Annotated[int, Shown("same verdict", note="significantly different by both, the same run being better")]
    reversed: Annotated[int, Shown("reversed", note="significantly different by both, the other run being better")]
    missed: Annotated[int, Shown("only by reference", note="significantly different by the reference only")]
    added: Annotated[int, Shown("only by this judge", note="significantly different by this judge only")]
    neither: Annotated[int, Shown(note="not significantly different by either")]


@dataclass(frozen=True)
class Flip:
    """Two runs in opposite order: a is better by the reference, b by this judge. Differences are a minus b."""

    a: Annotated[str, Shown("better by reference")]
    b: Annotated[str, Shown("better by judge")]
    reference: Annotated[float, Shown("by")]
    judge: float
    p_reference: Annotated[P, Shown("p", note="corrected over all pairs and judges"), Why(SAME_LEAD)]
    p_judge: Annotated[P, Shown("p, judge"), Why(SAME_LEAD)]

    @property
    def lead(self) -> Annotated[float, Shown("by judge by")]:
        """By how much b is better by this judge."""
        return -self.judge


@dataclass(frozen=True)
class RunBias:
    """One run by both judgments, on the units that both scored, with simultaneous intervals for all runs and judges."""

    run: str
    rank: Annotated[float, Shown("rank", form="{:g}".format, note="by the reference")]
    judges_rank: Annotated[float, Shown("by judge", form="{:g}".format, note="the rank by the judge")]
    reference: float
    judge: float
    bias: Annotated[Estimate, Shown(note="the judge's score minus the reference's"), Why(_no_bias)]
    relative: Annotated[
        Estimate, Shown(note="minus the mean over the runs, which is what changes the ranking"), Why(_no_bias)
    ]


@dataclass(frozen=True)
class PoweredScore:
    """The score of a run on all units, from the reference on some of them and the judge on all."""

    run: str
    reference: Annotated[Estimate, Shown("reference alone", note="on the units that it scored"), Why(CONSTANT)]
    naive: Annotated[float, Shown("judge alone", note="on all units that it scored")]
    powered: Annotated[
        Estimate, Shown("PPI++", note="the judge's mean corrected by the units that both scored"), Why(CONSTANT)
    ]
    weight: Annotated[float, Shown(digits=2, note="of the judge in PPI++")]


@dataclass(frozen=True)
class PoweredDifference:
    """The best run by its prediction-powered score minus another run; intervals are for each difference by itself."""

    run: Annotated[str, Shown("behind")]
    reference: Annotated[Estimate, Shown("reference alone"), Why(SAME_APART)]
    powered: Annotated[Estimate, Shown("PPI++"), Why(SAME_APART)]
    p: Annotated[P, Shown(note="of PPI++, Holm-corrected over all pairs of runs"), Why(SAME_APART)]


@dataclass(frozen=True)
class CommonUnits:
    """Whether the units that the reference scored look like a random sample: the judge's mean scores on either kind."""

    common: float
    """The mean over runs and units that both scored."""
    others: float
    """The same on the units that only the judge scored."""
    p: Annotated[P, Shown(note="Student's test over units"), Why("the judge's scores do not vary")]


@dataclass(frozen=True)
class Powered:
    """Prediction-powered scores, differences, and how many pairs of runs they separate."""

    labelled: int
    alone: int
    sampled: Annotated[CommonUnits | None, Why(SAMPLED)]
    runs: list[PoweredScore]
    leader: str
    differences: list[PoweredDifference]
    separated: int
    """Pairs of runs that differ significantly by prediction-powered differences."""
    separated_alone: int
    """The same by the reference alone, on the units that it scored."""


def _of_judge(one: UnitsNeeded) -> str:
    return SAME if one.alone != one.alone else "that would take more units than this judge scored"


@dataclass(frozen=True)
class UnitsNeeded:
    """How many units the reference must score, alone and with the judge on all of its units."""

    what: Annotated[str, Shown("for")]
    half_width: Annotated[float, Shown("half-width")]
    alone: Annotated[float, Shown("reference alone", 0), Why(SAME)]
    with_judge: Annotated[float, Shown("with the judge", 0), Why(_of_judge)]


@dataclass(frozen=True)
class Rejudged:
    """One judgment compared with the reference."""

    judge: str
    units: Annotated[int, Shown(note="scored by both")]
    alone: Annotated[int, Shown("units alone", note="scored by this judge only")]
    single: SingleJudgments
    ranks: RankAgreement
    swaps: Annotated[int, Shown(note="pairs of runs in opposite order")]
    largest_move: Annotated[float, Shown("largest move", 1, note="the largest difference of any run's ranks")]
    pairs: PairVerdicts
    flips: list[Flip]
    runs: list[RunBias]
    powered: Annotated[Powered | None, Why(NOTHING_ALONE)]
    needed: list[UnitsNeeded]
