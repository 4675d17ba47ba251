"""What is found out about one judge, and about the people beside it."""

from __future__ import annotations

from dataclasses import dataclass

from karat.data.result import Estimate
from karat.studies.agree.result import Coefficient
from karat.studies.ranking_change import RankingChange


@dataclass(frozen=True)
class WithOne:
    """Agreement with one assessor: of a judge, or of the other people."""

    assessor: str
    units: int
    observed: float
    kappa: float
    """Cohen's; against the other people, with one of them drawn at random for each unit."""
    kappa_quadratic: float
    """Where labels are ranks or amounts."""


@dataclass(frozen=True)
class Pairwise:
    """The mean over pairs of people who judged enough units in common, each pair weighed by their number."""

    pairs: int
    units: int
    """In common, over all pairs."""
    observed: float
    kappa: float
    kappa_quadratic: float


@dataclass(frozen=True)
class People:
    """How far people agree with each other: a yardstick for a judge, no ceiling."""

    assessors: list[str]
    """Everybody who was not named automatic."""
    ballots: int
    units: int
    """With two people or more."""
    coefficients: dict[str, Coefficient]
    """Those of `agree`, by their names there."""
    leave_one_out: list[WithOne]
    """Each person against the others."""
    pairwise: Pairwise
    adjudicators: list[str]
    """People who were asked almost only where others disagreed."""


@dataclass(frozen=True)
class Confusion:
    """What people say (rows) against the judge (columns); units on which people are tied are left out."""

    labels: list[str]
    counts: list[list[int]]
    tied: int


@dataclass(frozen=True)
class Replaced:
    """One person in the alternative-annotator test."""

    assessor: str
    units: int
    advantage: float
    persons_advantage: float
    p: float
    p_corrected: float
    replaced: bool


@dataclass(frozen=True)
class AlternativeTest:
    """Whether the judge may stand in for a person (Calderon et al. 2025): it passes from one half on."""

    epsilon: float
    winning_rate: float
    advantage: float
    passes: bool | None
    people: list[Replaced]

    @property
    def tested(self) -> int:
        """People who share enough units with it and with others."""
        return sum(person.p == person.p for person in self.people)


@dataclass(frozen=True)
class LabelRate:
    """The share of one label, read off the judge and corrected by people's labels."""

    label: str
    human: Estimate
    """Over the units people judged."""
    naive: Estimate
    """The judge's own, over all units."""
    naive_alone: Estimate
    """The judge's own, over the units that it alone judged: what the corrections begin with."""
    rogan_gladen: Estimate
    """Of the units that it alone judged."""
    prediction_powered: Estimate
    tuned: Estimate
    """Prediction-powered with the judge weighed by its worth (PPI++)."""
    weight: float
    labels_alone: float
    """How many units people must judge for the half-width wanted, without the judge."""
    labels_with_judge: float
    p: float
    """That people and the judge give the label equally often: exact McNemar test on the units both judged, corrected
    after Holm over the labels of all judges."""


@dataclass(frozen=True)
class Rates:
    """Rates of all labels, and what they were made from."""

    labelled: int
    unlabelled: int
    half_width: float
    people: dict[str, float]
    """The share of each label over all units that people judged, those that were hidden for a try too."""
    labels: list[LabelRate]


@dataclass(frozen=True)
class Bias:
    """How much better a run looks under the judge's key than under people's; intervals hold for all runs at once."""

    run: str
    human: float
    judge: float
    bias: Estimate
    relative: Estimate
    """Less the mean over the runs: what moves the ranking."""


@dataclass(frozen=True, kw_only=True)
class JudgeRanking(RankingChange):
    """The ranking that the judge's key induces, against the human key's on the same units."""

    way: str
    measure: str
    units: int
    labels: dict[str, int]
    bias: list[Bias]


@dataclass(frozen=True)
class Judge:
    """One automatic judge."""

    judge: str
    units: int
    missing: int
    """Units that people judged and it did not."""
    shared: int
    """Units that it judged and people did too."""
    coefficients: dict[str, Coefficient]
    """Those of `agree`, of the judge and one person drawn at random for each unit."""
    with_each: list[WithOne]
    confusion: Confusion | None
    alternative: AlternativeTest
    rates: Rates
    ranking: JudgeRanking | None
