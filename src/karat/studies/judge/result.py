"""The judge judged: what `judge` returns, and how it is shown."""

from __future__ import annotations

from dataclasses import dataclass

from karat.data.result import Cell, Chart, Column, Sheet
from karat.studies.base import StudyResult
from karat.studies.ranking_change import RankingChange


@dataclass(frozen=True)
class Estimate:
    """A number with its bounds."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class WithOne:
    """Agreement with one assessor: of a judge, or of the other people."""

    assessor: str
    units: int
    observed: float
    kappa: float


@dataclass(frozen=True)
class Pairwise:
    """The mean over pairs of people who judged enough units in common."""

    pairs: int
    observed: float
    kappa: float


@dataclass(frozen=True)
class People:
    """How far people agree with each other: what a judge can be asked for at most."""

    assessors: int
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
    relative: float
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


@dataclass(frozen=True, kw_only=True)
class Judgement(StudyResult):
    """What `judge` returns."""

    people: People
    judges: list[Judge]

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
        for judge in self.judges:
            made += [_confusion(judge), _rates(judge)]
            if judge.ranking is not None:
                made.append(_ranking(judge.judge, judge.ranking))
        return made

    def _agreement(self) -> Sheet:
        rows = [("people among themselves", self.people.units, 0, self.people.agreement)]
        rows += [(judge.judge, judge.units, judge.missing, judge.agreement) for judge in self.judges]
        columns = [
            Column("assessor", [name for name, *_ in rows]),
            Column("units", [units for _, units, *_ in rows]),
            Column("missing", [missing for *_, missing, _ in rows], note="units that people judged and it did not"),
        ]
        for name in self.people.agreement:
            for part in ("value", "low", "high"):
                values = [getattr(agreement[name], part) for *_, agreement in rows]
                columns.append(Column(name if part == "value" else part, values, 4))
        pairwise = self.people.pairwise
        notes = (
            f"{pairwise.pairs} pairs of people judged enough in common: observed {_short(pairwise.observed)}, "
            f"kappa {_short(pairwise.kappa)} on average.",
            "A judge cannot be expected to agree with people more than they do with each other.",
        )
        return Sheet("Agreement with people, beside people's own", tuple(columns), notes)

    def _each(self) -> Sheet:
        names = [one.assessor for one in self.people.leave_one_out]
        columns = [
            Column("person", names),
            Column("units", [one.units for one in self.people.leave_one_out]),
            Column("with the others", [one.observed for one in self.people.leave_one_out], 4),
            Column("kappa", [one.kappa for one in self.people.leave_one_out], 4),
        ]
        for judge in self.judges:
            each = {one.assessor: one for one in judge.with_each}
            columns.append(Column(f"with {judge.judge}", [each[name].observed for name in names], 4))
        return Sheet("Each person against the others, and against each judge", tuple(columns))

    def _alternative(self) -> Sheet:
        tests = [judge.alternative for judge in self.judges]
        columns = (
            Column("judge", [judge.judge for judge in self.judges]),
            Column("people tested", [sum(one.p == one.p for one in test.people) for test in tests]),
            Column("advantage", [test.advantage for test in tests], 4, "how often as good as the person left out"),
            Column("winning rate", [test.winning_rate for test in tests], 4, "share of people it may replace"),
            Column("passes", [test.passes for test in tests]),
        )
        epsilon = tests[0].epsilon if tests else 0.0
        title = f"May it stand in for a person? Alternative-annotator test, epsilon {epsilon:g}"
        return Sheet(title, columns, ("It passes where it may replace half of the people or more.",))

    def records(self) -> Sheet:
        """One number a row: judge, what, of what, value, low, high."""
        rows: list[tuple[Cell, ...]] = []
        for judge in self.judges:
            for name, one in judge.agreement.items():
                rows.append((judge.judge, "agreement", name, one.value, one.low, one.high))
            rows.append((judge.judge, "alternative", "winning rate", judge.alternative.winning_rate, None, None))
            for rate in judge.rates.labels:
                for name in ("human", "naive", "rogan_gladen", "prediction_powered", "tuned"):
                    one = getattr(rate, name)
                    rows.append((judge.judge, f"rate {name}", rate.label, one.value, one.low, one.high))
            for bias in judge.ranking.bias if judge.ranking else ():
                rows.append((judge.judge, "bias", bias.run, bias.bias.value, bias.bias.low, bias.bias.high))
        names = ("judge", "what", "of", "value", "low", "high")
        return Sheet("judge", tuple(Column(name, [row[at] for row in rows]) for at, name in enumerate(names)))

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

    def reasons_shown(self) -> list[str]:
        """Why cells are dashes."""
        shown = [one for one in self.undefined if not one.path.endswith("/ranking")]
        return list(dict.fromkeys(one.reason for one in shown))


def _short(value: float) -> str:
    return "–" if value != value else f"{value:.4f}"


def _confusion(judge: Judge) -> Sheet:
    table = judge.confusion
    columns = [Column("people's majority", table.labels)]
    columns += [Column(label, [row[at] for row in table.counts]) for at, label in enumerate(table.labels)]
    notes = (f"{table.tied} units on which people are tied are left out.",) if table.tied else ()
    return Sheet(f"{judge.judge} (columns) against people's majority", tuple(columns), notes)


def _rates(judge: Judge) -> Sheet:
    rates = judge.rates.labels
    columns = [Column("label", [rate.label for rate in rates])]
    for name, heading in (
        ("human", "people"),
        ("naive", "naive"),
        ("rogan_gladen", "Rogan–Gladen"),
        ("prediction_powered", "PPI"),
        ("tuned", "PPI++"),
    ):
        for part in ("value", "low", "high"):
            values = [getattr(getattr(rate, name), part) for rate in rates]
            columns.append(Column(heading if part == "value" else part, values, 4))
    columns += [
        Column("weight", [rate.weight for rate in rates], 3, "of the judge in PPI++"),
        Column("labels", [rate.labels_alone for rate in rates], 0, "people's, for the half-width wanted"),
        Column("with judge", [rate.labels_with_judge for rate in rates], 0, "people's, with the judge on all units"),
    ]
    notes = (
        f"{judge.rates.labelled} units with people's label, {judge.rates.unlabelled} with the judge's alone. The units "
        "people judged must be a random part of all.",
        f"Labels: for a half-width of {judge.rates.half_width:g}.",
    )
    return Sheet(f"Share of each label by {judge.judge}, naive and corrected", tuple(columns), notes)


def _ranking(name: str, ranking: JudgeRanking) -> Sheet:
    rows = ranking.bias
    columns = (
        Column("run", [row.run for row in rows]),
        Column("people's key", [row.human for row in rows], 4),
        Column(name, [row.judge for row in rows], 4),
        Column("bias", [row.bias.value for row in rows], 4),
        Column("low", [row.bias.low for row in rows], 4),
        Column("high", [row.bias.high for row in rows], 4),
        Column("relative", [row.relative for row in rows], 4, "less the mean over the runs: what moves the ranking"),
    )
    notes = (f"On {ranking.units} units: tau {_short(ranking.tau)}, tau_ap {_short(ranking.tau_ap)}.",)
    return Sheet(f"Runs under the key of {name}", columns, notes)
