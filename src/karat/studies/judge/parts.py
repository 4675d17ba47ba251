"""What is found out about one judge, and about the people beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from karat.data.result import Estimate
from karat.data.shown import Shown, Why
from karat.studies.agree.result import MANY_VALUES, Coefficient
from karat.studies.ranking_change import NO_SCORE, ONE_RUN, RankingChange
from karat.studies.wording import P

MOST_PEOPLE = 1000
"""Of more people no two are compared with each other."""
NOT_SHARED = Why("people judged no unit that it judged")


def _no_agreement(_: object, result: Any) -> str:
    many = f"; or {MANY_VALUES}" if result.judges[0].confusion is None else ""
    crowd = f"; or there are more than {MOST_PEOPLE:,} people" if len(result.people.assessors) > MOST_PEOPLE else ""
    return f"they share no unit, or use one label only{many}{crowd}"


def _no_weighted(row: object, result: Any) -> str:
    return "labels are names: --level says otherwise" if result.level == "nominal" else _no_agreement(row, result)


def _not_tested(_: object, result: Any) -> str:
    return f"fewer than {result.signature.parameters['fewest']} units are shared with the person and another"


def _not_corrected(rates: Any, _: object) -> str:
    if rates.unlabelled < 2:
        return "every unit has people's label, so there is nothing to correct; try --labelled N"
    return "people's labels are too few or all the same, or tell that it is no better than a coin"


def _no_bias(ranking: Any, _: object) -> str:
    if any(row.bias.value != row.bias.value for row in ranking.bias):
        return NO_SCORE
    return "the two keys never differ where a run's answer is one of theirs, so nothing tells how the bias varies"


def _no_relative(row: Any, result: Any) -> str:
    alone = all(len(judge.ranking.bias) == 1 for judge in result.judges if judge.ranking)
    return ONE_RUN if alone and row.bias.value == row.bias.value else ""


Agreed = Annotated[float, Why(_no_agreement)]
Weighted = Annotated[float, Why(_no_weighted)]


@dataclass(frozen=True)
class WithOne:
    """Agreement with one assessor: of a judge, or of the other people."""

    assessor: Annotated[str, Shown("person")]
    units: int
    observed: Annotated[Agreed, Shown("with the others")]
    kappa: Agreed
    """Cohen's; against the other people, with one of them drawn at random for each unit."""
    kappa_quadratic: Weighted
    """Where labels are ranks or amounts."""


@dataclass(frozen=True)
class Pairwise:
    """The mean over pairs of people who judged enough units in common, each pair weighed by their number."""

    pairs: int
    units: int
    """In common, over all pairs."""
    observed: Agreed
    kappa: Agreed
    kappa_quadratic: Weighted


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

    assessor: Annotated[str, Shown("person")]
    units: int
    advantage: Annotated[float, Shown(note="how often it is at least as close to the others as the person")]
    persons_advantage: Annotated[
        float, Shown("the person", note="how often at least as close to the others as the judge")
    ]
    p: P
    p_corrected: Annotated[P, Shown("corrected", note="Benjamini–Yekutieli over everybody tested, for all judges")]
    replaced: Annotated[bool, Shown("may be replaced", note="corrected p of .05 or less")]


@dataclass(frozen=True)
class AlternativeTest:
    """Whether the judge may stand in for a person (Calderon et al. 2025): it passes from one half on."""

    epsilon: float
    winning_rate: Annotated[float, Shown(note="share of people it may replace")]
    advantage: Annotated[float, Shown(note="how often at least as close to the others as the person")]
    passes: bool | None
    people: list[Replaced]

    @property
    def tested(self) -> Annotated[int, Shown("people tested")]:
        """People who share enough units with it and with others."""
        return sum(person.p == person.p for person in self.people)


@dataclass(frozen=True)
class LabelRate:
    """The share of one label, read off the judge and corrected by people's labels."""

    label: str
    human: Annotated[Estimate, NOT_SHARED]
    """Over the units people judged."""
    naive: Annotated[Estimate, Why("it judged nothing")]
    """The judge's own, over all units."""
    naive_alone: Annotated[Estimate, Why("every unit that it judged has people's label; try --labelled N")]
    """The judge's own, over the units that it alone judged: what the corrections begin with."""
    rogan_gladen: Estimate
    """Of the units that it alone judged."""
    prediction_powered: Estimate
    tuned: Estimate
    """Prediction-powered with the judge weighed by its worth (PPI++)."""
    weight: Annotated[float, Shown(digits=3, note="of the judge in PPI++")]
    labels_alone: Annotated[
        float,
        Shown("people alone", 0),
        Why("people judged no unit that it judged, or say the same of all of them"),
    ]
    """How many units people must judge for the half-width wanted, without the judge."""
    labels_with_judge: Annotated[
        float,
        Shown("with the judge", 0, "on all units, by PPI++"),
        Why("even people's labels on all of its units leave the interval wider, or they say the same of each"),
    ]
    p: Annotated[float, NOT_SHARED]
    """That people and the judge give the label equally often: exact McNemar test on the units both judged, corrected
    after Holm over the labels of all judges."""


@dataclass(frozen=True)
class Rates:
    """Rates of all labels, and what they were made from."""

    labelled: int
    unlabelled: int
    half_width: float
    people: Annotated[dict[str, float], Why("people judged nothing")]
    """The share of each label over all units that people judged, those that were hidden for a try too."""
    labels: Annotated[list[LabelRate], Why(_not_corrected)]


@dataclass(frozen=True)
class Bias:
    """How much better a run looks under the judge's key than under people's; intervals hold for all runs at once."""

    run: str
    human: Annotated[float, Shown("people's key")]
    judge: float
    bias: Estimate
    relative: Annotated[Estimate, Shown(note="less the mean over the runs: moves the ranking"), Why(_no_relative)]
    """Less the mean over the runs: what moves the ranking."""


@dataclass(frozen=True, kw_only=True)
class JudgeRanking(RankingChange):
    """The ranking that the judge's key induces, against the human key's on the same units."""

    way: str
    measure: str
    units: int
    labels: dict[str, int]
    bias: Annotated[list[Bias], Why(_no_bias)]


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
    confusion: Annotated[Confusion | None, Why(MANY_VALUES)]
    alternative: Annotated[AlternativeTest, Why(_not_tested)]
    rates: Rates
    ranking: Annotated[JudgeRanking | None, Why("no key and runs were given")]
