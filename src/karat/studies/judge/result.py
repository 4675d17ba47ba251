"""The judge judged: what `judge` returns, and how it is shown."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from karat.data.ballots import Level
from karat.data.result import Cell, Column, Field, Sheet
from karat.data.undefined import Steps, Why, pointer
from karat.measures.agreement import coefficients
from karat.studies.agree.result import NAMES
from karat.studies.base import StudyResult, sources_of
from karat.studies.judge.agreement import PEOPLE, TOO_MANY
from karat.studies.judge.parts import Confusion, Judge, JudgeRanking, People
from karat.studies.ranking_change import NO_SCORE, ONE_RUN, why_not_ranked
from karat.studies.wording import counted, p_value, some_of

ORDERED = ("agreement", "kappa_quadratic", "alpha", "ac2")
SHOWN: dict[Level, tuple[str, ...]] = {
    "nominal": ("agreement", "kappa", "fleiss_kappa", "alpha", "ac1"),
    "ordinal": ORDERED,
    "interval": ORDERED,
}
"""The coefficients of the first table; JSON has them all."""
WEIGHTED = "quadratic-weighted, with another person drawn at random for each unit"
KAPPA: dict[Level, str] = {
    "nominal": "Cohen's, with another person drawn at random for each unit",
    "ordinal": WEIGHTED,
    "interval": WEIGHTED,
}
CLOSE: dict[Level, str] = {
    "nominal": "Close is who says the same as more of the others.",
    "ordinal": "Close is who has the smaller root mean squared difference from the others, in ranks.",
    "interval": "Close is who has the smaller root mean squared difference from the others.",
}
"""What the alternative-annotator test compares."""


def _not_tested(result: Judgement, _: Steps) -> str:
    return f"fewer than {result.signature.parameters['fewest']} units are shared with the person and another"


def _not_corrected(result: Judgement, steps: Steps) -> str:
    if result.judges[int(steps[1])].rates.unlabelled < 2:
        return "every unit has people's label, so there is nothing to correct; try --labelled N"
    return "people's labels are too few or all the same, or tell that it is no better than a coin"


def _no_weighted(result: Judgement, steps: Steps) -> str:
    return "labels are names: --level says otherwise" if result.level == "nominal" else _no_agreement(result, steps)


def _no_agreement(result: Judgement, _: Steps) -> str:
    many = f"; or {TOO_MANY}" if result.judges[0].confusion is None else ""
    crowd = f"; or there are more than {PEOPLE:,} people" if len(result.people.assessors) > PEOPLE else ""
    return f"they share no unit, or use one label only{many}{crowd}"


def _no_bias(result: Judgement, steps: Steps) -> str:
    ranking = result.judges[int(steps[1])].ranking
    assert ranking is not None
    if any(row.bias.value != row.bias.value for row in ranking.bias):
        return NO_SCORE
    if steps[-2] == "relative" and len(ranking.bias) == 1:
        return ONE_RUN
    return "the two keys never differ where a run's answer is one of theirs, so nothing tells how the bias varies"


@dataclass(frozen=True, kw_only=True)
class Judgement(StudyResult):
    """What `judge` returns."""

    level: Level
    people: People
    judges: list[Judge]

    METHOD: ClassVar[str] = (
        "The automatic judge is one more assessor: its agreement with people beside theirs with each other, the "
        "alternative-annotator test against each of them, rates of labels corrected by the units that people have seen "
        "too (prediction-powered), and the ranking that its key would give. What is said of one judge, person, label "
        "or run is corrected for all that are looked at."
    )
    SOURCES: ClassVar[tuple[str, ...]] = (
        "Calderon et al. 2025",
        "Tango 1998",
        "Rogan and Gladen 1978",
        "Lang and Reiczigel 2014",
        "Angelopoulos et al. 2023",
    )
    WHY: ClassVar[Why] = {
        "people/leave_one_out/*/kappa_quadratic": _no_weighted,
        "people/pairwise/kappa_quadratic": _no_weighted,
        "people/**": _no_agreement,
        "judges/*/with_each/*/kappa_quadratic": _no_weighted,
        "judges/*/with_each/**": _no_agreement,
        "judges/*/confusion": TOO_MANY,
        "judges/*/alternative/**": _not_tested,
        "judges/*/rates/people/*": "people judged nothing",
        "judges/*/rates/labels/*/human/*": "people judged no unit that it judged",
        "judges/*/rates/labels/*/naive/*": "it judged nothing",
        "judges/*/rates/labels/*/naive_alone/*": "every unit that it judged has people's label; try --labelled N",
        "judges/*/rates/labels/*/labels_alone": "people judged no unit that it judged, or say the same of all of them",
        "judges/*/rates/labels/*/labels_with_judge": (
            "even people's labels on all of its units leave the interval wider, or they say the same of each"
        ),
        "judges/*/rates/labels/*/p": "people judged no unit that it judged",
        "judges/*/rates/labels/**": _not_corrected,
        "judges/*/ranking": "no key and runs were given",
        "judges/*/ranking/bias/**": _no_bias,
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

    def citations(self) -> list[str]:
        """The sources of the coefficients as well."""
        return [*super().citations(), *sources_of(coefficients, SHOWN[self.level])]

    def make_sheets(self) -> list[Sheet]:
        """Agreement beside people's own, the test, confusions, rates, rankings."""
        made = [self._agreement(), self._each(), self._alternative()]
        for place, judge in enumerate(self.judges):
            at = f"judges/{place}"
            if judge.alternative.tested:
                made.append(_replaced(judge))
            if judge.confusion is not None:
                made.append(self._confusion(judge.judge, judge.confusion))
                made += [_rates(judge, at), _budget(judge, at)]
            if judge.ranking is not None:
                made.append(_ranking(judge.judge, judge.ranking, at, len(self.judges)))
        return made

    def _agreement(self) -> Sheet:
        people, judges = self.people, self.judges
        who = [("people among themselves", people.units, 0, people.coefficients, "/people")]
        for place, one in enumerate(judges):
            who.append((one.judge, one.shared, one.missing, one.coefficients, pointer("judges", place)))
        known = [name for name in SHOWN[self.level] if any(row[3][name].value == row[3][name].value for row in who)]
        rows = [(name, *row) for name in known for row in who]
        columns = [
            Column("coefficient", [NAMES[row[0]] + f", {self.level}" * (row[0] == "alpha") for row in rows]),
            Column("assessor", [row[1] for row in rows]),
            Column("units", [row[2] for row in rows], note="judged by two people, or by a person and the judge"),
            Column("missing", [row[3] for row in rows], note="units that people judged and it did not"),
        ]
        for part in ("value", "low", "high"):
            values = [getattr(found[name], part) for name, *_, found, _ in rows]
            columns.append(Column(part, values, 4, at=[f"{at}/coefficients/{name}/{part}" for name, *_, at in rows]))
        pairwise = people.pairwise
        weighted = "" if self.level == "nominal" else f", quadratic-weighted {_short(pairwise.kappa_quadratic)}"
        pairs = (
            f"{counted(pairwise.pairs, 'pair')} of people judged enough in common: observed agreement "
            f"{_short(pairwise.observed)}, Cohen's kappa {_short(pairwise.kappa)}{weighted} on average, pairs weighted "
            "by common units."
        )
        drawn = "A judge's are of the judge and one person drawn at random for each unit."
        yardstick = (
            "People's agreement is a yardstick, not a ceiling: a judge that errs less than they do agrees with a "
            "person more than another person does."
        )
        named = f"{counted(len(people.assessors), 'person', 'people')} ({some_of(people.assessors)})"
        title = f"Agreement with {named}, beside people's own"
        return Sheet(title, tuple(columns), (*([pairs] if pairwise.pairs else []), drawn, yardstick))

    def _each(self) -> Sheet:
        """Judges have a row a person in the same order."""
        title = "Observed agreement of each person with the others, and with each judge"
        fields = Field("person", "assessor"), Field("units"), Field("with the others", "observed", 4)
        kappa = Field("kappa", "kappa" if self.level == "nominal" else "kappa_quadratic", 4, KAPPA[self.level])
        sheet = Sheet.of(title, self.people.leave_one_out, *fields, kappa, at="people/leave_one_out")
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
            Field("advantage", "alternative.advantage", 4, "how often at least as close to the others as the person"),
            Field("winning rate", "alternative.winning_rate", 4, "share of people it may replace"),
            Field("passes", "alternative.passes"),
            at="judges",
            notes=["It passes where it may replace half of the people tested or more.", CLOSE[self.level]],
        )

    def _confusion(self, judge: str, table: Confusion) -> Sheet:
        people = "people's majority" if self.level == "nominal" else "people's median"
        columns = [Column(people, table.labels)]
        columns += [Column(label, [row[at] for row in table.counts]) for at, label in enumerate(table.labels)]
        left_out = f"{counted(table.tied, 'unit')} on which people are tied left out."
        return Sheet(f"{judge} (columns) against {people}", tuple(columns), (left_out,) if table.tied else ())

    def records(self) -> Sheet:
        """One number a row: judge, what, of what, value, low, high."""
        rows: list[tuple[Cell, ...]] = []
        for judge in self.judges:
            for name, found in judge.coefficients.items():
                rows.append((judge.judge, "agreement", name, found.value, found.low, found.high))
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


def _short(value: float) -> str:
    return "–" if value != value else f"{value:.4f}"


def _replaced(judge: Judge) -> Sheet:
    tested = [row for row in judge.alternative.people if row.p == row.p]
    few = len(judge.alternative.people) - len(tested)
    sheet = Sheet.of(
        f"Each person left out, {judge.judge} in the place",
        tested,
        Field("person", "assessor"),
        Field("units"),
        Field(judge.judge, "advantage", 4, "how often it is at least as close to the others as the person"),
        Field("the person", "persons_advantage", 4, "how often at least as close to the others as the judge"),
        notes=[f"{counted(few, 'person', 'people')} with too few shared units (--fewest) not tested."] if few else [],
    )
    columns = (
        Column("p", [p_value(row.p) for row in tested]),
        Column(
            "corrected",
            [p_value(row.p_corrected) for row in tested],
            note="Benjamini–Yekutieli over everybody tested, for all judges",
        ),
        Column("may be replaced", [row.replaced for row in tested], note="corrected p of .05 or less"),
    )
    return replace(sheet, columns=(*sheet.columns, *columns))


RATES = {
    "human": "people alone",
    "naive": "naive",
    "naive_alone": "naive, judge's alone",
    "rogan_gladen": "Rogan–Gladen",
    "prediction_powered": "PPI",
    "tuned": "PPI++",
}
"""The estimates of a share, as they are known to people."""


def _rates(judge: Judge, at: str) -> Sheet:
    rows = [(place, rate, field) for place, rate in enumerate(judge.rates.labels) for field in RATES]
    labelled, alone = judge.rates.labelled, judge.rates.unlabelled
    over = {"human": labelled, "naive_alone": alone, "rogan_gladen": alone}
    columns = [
        Column("label", [rate.label for _, rate, _ in rows]),
        Column("estimate", [RATES[field] for *_, field in rows]),
        Column("units", [over.get(field, labelled + alone) for *_, field in rows], note="whose share it is"),
    ]
    for end in ("value", "low", "high"):
        values = [getattr(getattr(rate, field), end) for _, rate, field in rows]
        places = [f"/{at}/rates/labels/{place}/{field}/{end}" for place, _, field in rows]
        columns.append(Column(end, values, 4, at=places))
    notes = (
        f"{counted(labelled, 'unit')} with people's label, {alone} with the judge's alone. The units people judged "
        "must be a random part of all.",
        "Read Rogan–Gladen beside the naive share of the judge's alone, PPI and PPI++ beside that of all units.",
    )
    shown = notes if alone else notes[:1]
    return Sheet(f"Share of each label by {judge.judge}, naive and corrected", tuple(columns), shown)


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


def _ranking(name: str, ranking: JudgeRanking, at: str, judges: int) -> Sheet:
    once = f"all {len(ranking.bias)} runs" + (f" and {judges} judges" if judges > 1 else "")
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
        notes=[
            f"On {ranking.units} units: tau {_short(ranking.tau)}, tau_ap {_short(ranking.tau_ap)}.",
            f"Intervals hold for {once} at once (Bonferroni).",
        ],
    )
