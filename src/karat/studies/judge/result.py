"""The judge judged: what `judge` returns, and how it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from karat.data.result import Cell, Chart, Column, Estimate, Field, Sheet
from karat.data.undefined import Steps, Why, pointer
from karat.studies.base import StudyResult
from karat.studies.ranking_change import NO_SCORE, RankingChange, why_not_ranked
from karat.studies.words import counted, some_of


@dataclass(frozen=True)
class WithOne:
    """Agreement with one assessor: of a judge, or of the other people."""

    assessor: str
    units: int
    observed: float
    kappa: float


@dataclass(frozen=True)
class Pairwise:
    """The mean over pairs of people who judged enough units in common, each pair weighed by their number."""

    pairs: int
    units: int
    """In common, over all pairs."""
    observed: float
    kappa: float


@dataclass(frozen=True)
class People:
    """How far people agree with each other: what a judge can be asked for at most."""

    assessors: list[str]
    """Everybody who was not named automatic."""
    ballots: int
    units: int
    """With two people or more."""
    agreement: dict[str, Estimate]
    leave_one_out: list[WithOne]
    """Each person against the others."""
    pairwise: Pairwise
    adjudicators: list[str]
    """People who were asked almost only where others disagreed."""


@dataclass(frozen=True)
class Confusion:
    """People's majority (rows) against the judge (columns); units on which people are tied are left out."""

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
    rogan_gladen: Estimate
    prediction_powered: Estimate
    tuned: Estimate
    """Prediction-powered with the judge weighed by its worth (PPI++)."""
    weight: float
    labels_alone: float
    """How many units people must judge for the half-width wanted, without the judge."""
    labels_with_judge: float


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
    """How much better a run looks under the judge's key than under people's."""

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
    agreement: dict[str, Estimate]
    with_each: list[WithOne]
    confusion: Confusion
    alternative: AlternativeTest
    rates: Rates
    ranking: JudgeRanking | None


def _not_tested(result: Judgement, _: Steps) -> str:
    return f"fewer than {result.signature.parameters['fewest']} units are shared with the person and another"


def _not_corrected(result: Judgement, steps: Steps) -> str:
    if result.judges[int(steps[1])].rates.unlabelled < 2:
        return "every unit has people's label, so there is nothing to correct; try --labelled N"
    return "people's labels are too few or all the same, or tell that it is no better than a coin"


@dataclass(frozen=True, kw_only=True)
class Judgement(StudyResult):
    """What `judge` returns."""

    people: People
    judges: list[Judge]

    WHY: ClassVar[Why] = {
        "people/**": "too few units have ballots of two people, or all say the same",
        "judges/*/agreement/**": "judge and people share too few units, or all say the same",
        "judges/*/with_each/**": "they share no unit, or use one label only",
        "judges/*/alternative/**": _not_tested,
        "judges/*/rates/people/*": "people judged nothing",
        "judges/*/rates/labels/*/human/*": "people judged no unit that it judged",
        "judges/*/rates/labels/*/naive/*": "it judged nothing",
        "judges/*/rates/labels/*/labels_alone": "people judged no unit that it judged, or say the same of all of them",
        "judges/*/rates/labels/*/labels_with_judge": (
            "even people's labels on all of its units leave the interval wider, or they say the same of each"
        ),
        "judges/*/rates/labels/**": _not_corrected,
        "judges/*/ranking": "no key and runs were given",
        "judges/*/ranking/bias/**": NO_SCORE,
        **why_not_ranked("judges/*/ranking"),
    }

    @property
    def way(self) -> str | None:
        """For the signature: what runs were ranked in."""
        return next((one.ranking.way for one in self.judges if one.ranking), None)

    @property
    def measures(self) -> list[str]:
        """For the signature: what runs were ranked by."""
        return list(dict.fromkeys(one.ranking.measure for one in self.judges if one.ranking))

    def sheets(self) -> list[Sheet]:
        """Agreement beside its ceiling, the test, confusions, rates, rankings."""
        made = [self._agreement(), self._each(), self._alternative()]
        for place, judge in enumerate(self.judges):
            at = f"judges/{place}"
            if judge.alternative.tested:
                made.append(_replaced(judge))
            made += [_confusion(judge), _rates(judge, at), _budget(judge, at)]
            if judge.ranking is not None:
                made.append(_ranking(judge.judge, judge.ranking, at))
        return made

    def _agreement(self) -> Sheet:
        rows = [("people among themselves", self.people.units, 0, self.people.agreement, pointer("people"))]
        for place, judge in enumerate(self.judges):
            rows.append((judge.judge, judge.units, judge.missing, judge.agreement, pointer("judges", place)))
        columns = [
            Column("assessor", [name for name, *_ in rows]),
            Column("units", [units for _, units, *_ in rows]),
            Column("missing", [row[2] for row in rows], note="units that people judged and it did not"),
        ]
        for name in self.people.agreement:
            for part in ("value", "low", "high"):
                values = [getattr(agreement[name], part) for *_, agreement, _ in rows]
                at = [f"{place}/agreement/{name}/{part}" for *_, place in rows]
                columns.append(Column(name if part == "value" else part, values, 4, at=at))
        pairwise, people = self.people.pairwise, self.people.assessors
        pairs = (
            f"{counted(pairwise.pairs, 'pair')} of people judged enough in common: observed "
            f"{_short(pairwise.observed)}, kappa {_short(pairwise.kappa)} on average, pairs weighed by common units."
        )
        ceiling = "A judge cannot be expected to agree with people more than they do with each other."
        title = f"Agreement with {counted(len(people), 'person', 'people')} ({some_of(people)}), beside people's own"
        return Sheet(title, tuple(columns), (pairs, ceiling) if pairwise.pairs else (ceiling,))

    def _each(self) -> Sheet:
        """Judges have a row a person in the same order."""
        title = "Each person against the others, and against each judge"
        fields = Field("person", "assessor"), Field("units"), Field("with the others", "observed", 4)
        sheet = Sheet.of(title, self.people.leave_one_out, *fields, Field("kappa", digits=4), at="people/leave_one_out")
        columns = list(sheet.columns)
        for place, judge in enumerate(self.judges):
            field = Field(f"with {judge.judge}", "observed", 4)
            columns += Sheet.of("", judge.with_each, field, at=f"judges/{place}/with_each").columns
        return Sheet(title, tuple(columns))

    def _alternative(self) -> Sheet:
        epsilon = self.judges[0].alternative.epsilon if self.judges else 0.0
        return Sheet.of(
            f"May it stand in for a person? Alternative-annotator test, epsilon {epsilon:g}",
            self.judges,
            Field("judge"),
            Field("people tested", "alternative.tested"),
            Field("advantage", "alternative.advantage", 4, "how often as good as the person left out"),
            Field("winning rate", "alternative.winning_rate", 4, "share of people it may replace"),
            Field("passes", "alternative.passes"),
            at="judges",
            notes=["It passes where it may replace half of the people tested or more."],
        )

    def records(self) -> Sheet:
        """One number a row: judge, what, of what, value, low, high."""
        rows: list[tuple[Cell, ...]] = []
        for judge in self.judges:
            for name, one in judge.agreement.items():
                rows.append((judge.judge, "agreement", name, one.value, one.low, one.high))
            rows.append((judge.judge, "alternative", "winning rate", judge.alternative.winning_rate, None, None))
            for person in judge.alternative.people:
                rows.append((judge.judge, "alternative p", person.assessor, person.p, None, None))
                rows.append((judge.judge, "alternative corrected p", person.assessor, person.p_corrected, None, None))
            for rate in judge.rates.labels:
                for name in RATES:
                    one = getattr(rate, name)
                    rows.append((judge.judge, f"rate {name}", rate.label, one.value, one.low, one.high))
            for bias in judge.ranking.bias if judge.ranking else ():
                for what, one in (("bias", bias.bias), ("relative bias", bias.relative)):
                    rows.append((judge.judge, what, bias.run, one.value, one.low, one.high))
        names = ("judge", "what", "of", "value", "low", "high")
        return Sheet.of("judge", rows, *(Field(name, str(at)) for at, name in enumerate(names)))

    def charts(self) -> list[Chart]:
        """Rates naive and corrected, and scores under both keys."""
        made = []
        for judge in self.judges:
            rates = judge.rates.labels
            series = {
                "people": [rate.human.value for rate in rates],
                "naive": [rate.naive.value for rate in rates],
                "corrected": [rate.tuned.value for rate in rates],
            }
            made.append(Chart("dots", f"Share of each label, {judge.judge}", tuple(r.label for r in rates), series))
            if judge.ranking is not None:
                bias = judge.ranking.bias
                series = {"people's key": [one.human for one in bias], judge.judge: [one.judge for one in bias]}
                made.append(Chart("dots", "Scores under both keys", tuple(one.run for one in bias), series))
        return made


def _short(value: float) -> str:
    return "–" if value != value else f"{value:.4f}"


def _replaced(judge: Judge) -> Sheet:
    tested = [row for row in judge.alternative.people if row.p == row.p]
    few = len(judge.alternative.people) - len(tested)
    return Sheet.of(
        f"Each person left out, {judge.judge} in the place",
        tested,
        Field("person", "assessor"),
        Field("units"),
        Field(judge.judge, "advantage", 4, "how often it is as good as the person or better"),
        Field("the person", "persons_advantage", 4, "how often as good as the judge or better"),
        Field("p", digits=6),
        Field("corrected", "p_corrected", 6, "Benjamini–Yekutieli over the people tested"),
        Field("may be replaced", "replaced", note="corrected p of .05 or less"),
        notes=[f"{counted(few, 'person', 'people')} with too few shared units (--fewest) not tested."] if few else [],
    )


def _confusion(judge: Judge) -> Sheet:
    table = judge.confusion
    columns = [Column("people's majority", table.labels)]
    columns += [Column(label, [row[at] for row in table.counts]) for at, label in enumerate(table.labels)]
    left_out = f"{counted(table.tied, 'unit')} on which people are tied left out."
    return Sheet(
        f"{judge.judge} (columns) against people's majority", tuple(columns), (left_out,) if table.tied else ()
    )


RATES = {
    "human": "people alone",
    "naive": "naive",
    "rogan_gladen": "Rogan–Gladen",
    "prediction_powered": "PPI",
    "tuned": "PPI++",
}
"""The estimates of a share, as they are known to people."""


def _rates(judge: Judge, at: str) -> Sheet:
    rows = [(place, rate, field) for place, rate in enumerate(judge.rates.labels) for field in RATES]
    columns = [
        Column("label", [rate.label for _, rate, _ in rows]),
        Column("estimate", [RATES[field] for *_, field in rows]),
    ]
    for end in ("value", "low", "high"):
        values = [getattr(getattr(rate, field), end) for _, rate, field in rows]
        places = [f"/{at}/rates/labels/{place}/{field}/{end}" for place, _, field in rows]
        columns.append(Column(end, values, 4, at=places))
    note = (
        f"{counted(judge.rates.labelled, 'unit')} with people's label, {judge.rates.unlabelled} with the judge's "
        "alone. The units people judged must be a random part of all."
    )
    return Sheet(f"Share of each label by {judge.judge}, naive and corrected", tuple(columns), (note,))


def _budget(judge: Judge, at: str) -> Sheet:
    return Sheet.of(
        f"Units that people must judge for a half-width of {judge.rates.half_width:g}, alone and with {judge.judge}",
        judge.rates.labels,
        Field("label"),
        Field("people alone", "labels_alone", 0),
        Field("with the judge", "labels_with_judge", 0, "on all units, by PPI++"),
        Field("weight", digits=3, note="of the judge in PPI++"),
        at=f"{at}/rates/labels",
    )


def _ranking(name: str, ranking: JudgeRanking, at: str) -> Sheet:
    return Sheet.of(
        f"Runs under the key of {name}",
        ranking.bias,
        Field("run"),
        Field("people's key", "human", 4),
        Field(name, "judge", 4),
        Field("bias", "bias.value", 4),
        Field("low", "bias.low", 4),
        Field("high", "bias.high", 4),
        Field("relative", "relative.value", 4, "less the mean over the runs: moves the ranking"),
        Field("low", "relative.low", 4),
        Field("high", "relative.high", 4),
        at=f"{at}/ranking/bias",
        notes=[f"On {ranking.units} units: tau {_short(ranking.tau)}, tau_ap {_short(ranking.tau_ap)}."],
    )
