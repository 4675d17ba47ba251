"""The parts of the result of `judge`: about each judge, and about the people it is compared with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from karat.data.fields import Shown, Why
from karat.data.result import Estimate
from karat.studies.agree.result import MANY_VALUES, Coefficient
from karat.studies.rankings import NO_SCORE, ONE_RUN, RankingChange
from karat.studies.wording import P

MOST_PEOPLE = 1000
"""The most people that are compared with each other in pairs."""
NOT_SHARED = Why("the judge and people judged no unit in common")


def _no_agreement(result: Any) -> str:
    many = f"; or {MANY_VALUES}" if result.judges[0].confusion is None else ""
    crowd = f"; or there are more than {MOST_PEOPLE:,} people" if len(result.people.assessors) > MOST_PEOPLE else ""
    return f"they share no unit, or use only one label{many}{crowd}"


def _no_weighted(result: Any) -> str:
    return (
        "labels are not ordered; use --level ordinal if they are"
        if result.level == "nominal"
        else _no_agreement(result)
    )


def _not_corrected(rates: Any) -> str:
    if rates.unlabelled < 2:
        return "every unit has people's label, so there is nothing to correct; try --labelled N"
    return "people's labels are too few or all the same, or show that the judge is no better than chance"


def _no_bias(ranking: Any) -> str:
    if any(row.bias.value != row.bias.value for row in ranking.bias):
        return NO_SCORE
    return (
        "the two keys never differ where a run agrees with one of them, so the variance of the bias cannot be estimated"
    )


def _no_relative(row: Any, result: Any) -> str:
    alone = all(len(judge.ranking.bias) == 1 for judge in result.judges if judge.ranking)
    return ONE_RUN if alone and row.bias.value == row.bias.value else ""


Agreed = Annotated[float, Why(_no_agreement)]
Weighted = Annotated[float, Why(_no_weighted)]


@dataclass(frozen=True)
class WithOne:
    """Agreement of one person with a judge, or with the other people."""

    assessor: Annotated[str, Shown("person")]
    units: int
    observed: Annotated[Agreed, Shown("with the others", unit="%")]
    kappa: Annotated[Agreed, Shown(digits=2)]
    """Cohen's kappa; with the other people, one of whom is drawn at random for each unit."""
    kappa_quadratic: Annotated[Weighted, Shown(digits=2)]
    """Quadratic-weighted kappa, if labels are ordinal or numbers."""


@dataclass(frozen=True)
class Pairwise:
    """The mean over pairs of people with enough units in common, weighted by the number of these units."""

    pairs: int
    units: int
    """The number of common units, summed over pairs."""
    observed: Agreed
    kappa: Agreed
    kappa_quadratic: Weighted


@dataclass(frozen=True)
class People:
    """How far people agree with each other: a benchmark for a judge, but not an upper limit."""

    assessors: list[str]
    """All assessors that were not declared automatic."""
    ballots: int
    units: int
    """Units judged by at least two people."""
    coefficients: dict[str, Coefficient]
    """The coefficients of `agree`, by name."""
    leave_one_out: list[WithOne]
    """Each person compared with the others."""
    pairwise: Pairwise
    adjudicators: list[str]
    """People who mostly judged units on which others disagreed."""


@dataclass(frozen=True)
class Confusion:
    """People's labels (rows) by the judge's (columns), without units on which people are tied."""

    labels: list[str]
    counts: list[list[int]]
    tied: int


@dataclass(frozen=True)
class Replaced:
    """One person in the alternative-annotator test."""

    assessor: Annotated[str, Shown("person")]
    units: int
    advantage: Annotated[
        float, Shown(note="how often the judge is at least as close to the others as the person", unit="%")
    ]
    persons_advantage: Annotated[
        float, Shown("the person", note="how often at least as close to the others as the judge", unit="%")
    ]
    p: P
    p_corrected: Annotated[
        P, Shown("p corrected", note="Benjamini–Yekutieli correction over all people tested, for all judges")
    ]
    replaced: Annotated[bool, Shown("may be replaced", note="corrected p of 0.05 or less")]


@dataclass(frozen=True)
class AlternativeTest:
    """Whether the judge may replace a person (Calderon et al. 2025); it passes at a winning rate of one half."""

    epsilon: float
    winning_rate: Annotated[float, Shown(note="share of people it may replace", unit="%")]
    advantage: Annotated[float, Shown(note="how often at least as close to the others as the person", unit="%")]
    passes: bool | None
    people: list[Replaced]

    @property
    def tested(self) -> Annotated[int, Shown("people tested")]:
        """The number of people with enough units in common with the judge and with others."""
        return sum(person.p == person.p for person in self.people)


@dataclass(frozen=True)
class LabelRate:
    """The share of one label according to the judge, naive and corrected by people's labels."""

    label: str
    human: Annotated[Estimate, NOT_SHARED]
    """People's share, over the units they judged."""
    naive: Annotated[Estimate, Why("it judged nothing")]
    """The judge's share, over all units."""
    naive_alone: Annotated[Estimate, Why("every unit that it judged has people's label; try --labelled N")]
    """The judge's share over the units that only it judged, from which the corrections start."""
    rogan_gladen: Estimate
    """The Rogan–Gladen estimate for the units that only the judge judged."""
    prediction_powered: Estimate
    tuned: Estimate
    """The prediction-powered estimate with the judge optimally weighted (PPI++)."""
    weight: Annotated[float, Shown(digits=3, note="of the judge in PPI++")]
    labels_alone: Annotated[
        float,
        Shown("people alone", 0),
        Why("the judge and people judged no unit in common, or people gave all of them the same label"),
    ]
    """The number of units that people must judge for the half-width wanted, without the judge."""
    labels_with_judge: Annotated[
        float,
        Shown("with the judge", 0, "on all units, by PPI++"),
        Why(
            "even with people's labels on all units the interval would be wider, or people gave all of them the same "
            "label"
        ),
    ]
    p: Annotated[float, NOT_SHARED]
    """Exact McNemar test of whether people and the judge give the label equally often on the units both judged, with
    Holm's correction over the labels of all judges. Over clusters, whole clusters are flipped."""


@dataclass(frozen=True)
class Rates:
    """Rates of all labels, and the data they are based on."""

    labelled: int
    unlabelled: int
    half_width: float
    people: Annotated[dict[str, float], Why("people judged nothing")]
    """The share of each label over all units that people judged, including those hidden by `labelled`."""
    labels: Annotated[list[LabelRate], Why(_not_corrected)]


@dataclass(frozen=True)
class Bias:
    """A run's score under the judge's key minus that under people's, with simultaneous intervals for all runs."""

    run: str
    human: Annotated[float, Shown("people's key", unit="{it.in_percent}")]
    judge: Annotated[float, Shown(unit="{it.in_percent}")]
    bias: Annotated[Estimate, Shown(unit="{it.in_points}")]
    relative: Annotated[
        Estimate,
        Shown(note="minus the mean over the runs, which is what changes the ranking", unit="{it.in_points}"),
        Why(_no_relative),
    ]
    """The bias minus its mean over the runs, which is what changes the ranking."""


@dataclass(frozen=True, kw_only=True)
class JudgeRanking(RankingChange):
    """The ranking under the judge's key, compared with that under people's key on the same units."""

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
    """Units that people judged and the judge did not."""
    shared: int
    """Units that both the judge and people judged."""
    coefficients: dict[str, Coefficient]
    """The coefficients of `agree`, for the judge and one random person per unit."""
    with_each: list[WithOne]
    confusion: Annotated[Confusion | None, Why(MANY_VALUES)]
    alternative: Annotated[
        AlternativeTest,
        Why("fewer than {it.signature.parameters[fewest]} units were judged by the judge, this person and another"),
    ]
    rates: Rates
    ranking: Annotated[JudgeRanking | None, Why("no key and runs were given")]
