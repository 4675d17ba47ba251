"""Automatic judges compared with people: the result of `judge` and its tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from karat.data.ballots import Level
from karat.data.fields import Cell, Why
from karat.data.records import Records, RowsAt
from karat.data.result import Field, Sheet
from karat.measures.agreement import coefficients
from karat.studies.agree.result import COEFFICIENT_NAMES
from karat.studies.base import StudyResult, sources_of
from karat.studies.judge.parts import Confusion, Judge, JudgeRanking, People
from karat.studies.wording import begun, counted, over_clusters, some_of

ORDERED_COEFFICIENTS = ("agreement", "kappa_quadratic", "alpha", "ac2")
COEFFICIENTS_SHOWN: dict[Level, tuple[str, ...]] = {
    "nominal": ("agreement", "kappa", "fleiss_kappa", "alpha", "ac1"),
    "ordinal": ORDERED_COEFFICIENTS,
    "interval": ORDERED_COEFFICIENTS,
}
"""The coefficients in the first table; JSON has all of them."""
RANDOM_PERSON = "with another person drawn at random for each unit"
CLOSE: dict[Level, str] = {
    "nominal": "Closer is whoever agrees with more of the others.",
    "ordinal": "Closer is whoever has the smaller root mean squared difference from the others, in ranks.",
    "interval": "Closer is whoever has the smaller root mean squared difference from the others.",
}
"""What the alternative-annotator test compares."""
RATE_NAMES = {
    "human": "people alone",
    "naive": "naive",
    "naive_alone": "naive, units only the judge judged",
    "rogan_gladen": "Rogan–Gladen",
    "prediction_powered": "PPI",
    "tuned": "PPI++",
}
"""The names of the estimates of a share."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Judgement(StudyResult):
    """The result of `judge`."""

    level: Level
    clusters: Annotated[int | None, Why("units are not clustered")]
    """The number of clusters that intervals and tests are over."""
    people: People
    judges: list[Judge]

    RECORDS: ClassVar[Records] = Records(
        "judge, what, of, value, low, high",
        RowsAt(
            "judges.*",
            RowsAt("coefficients.*of", what="=agreement"),
            RowsAt("alternative.winning_rate", what="=alternative", of="=winning rate", value="."),
            RowsAt(
                "alternative.people.*",
                RowsAt("p", what="=alternative p", value="."),
                RowsAt("p_corrected", what="=alternative corrected p", value="."),
                of="assessor",
            ),
            RowsAt("rates.labels.*", *(RowsAt(name, what=f"=rate {name}") for name in RATE_NAMES), of="label"),
            RowsAt("ranking.bias.*", RowsAt("bias", what="=bias"), RowsAt("relative", what="=relative bias"), of="run"),
            judge="judge",
        ),
    )
    METHOD: ClassVar[str] = (
        "The automatic judge is treated as one more assessor: its agreement with people is compared with theirs with "
        "each other, the alternative-annotator test asks whether it may replace each of them, shares of labels are "
        "corrected by the units that people judged too (prediction-powered inference), and runs are ranked by its key. "
        "Tests are corrected for all judges, people, labels or runs."
    )
    SOURCES: ClassVar[tuple[str, ...]] = (
        "Calderon et al. 2025",
        "Tango 1998",
        "Rogan and Gladen 1978",
        "Lang and Reiczigel 2014",
        "Angelopoulos et al. 2023",
    )

    @property
    def way(self) -> str | None:
        """The way in which runs were ranked, for the signature."""
        return next((one.ranking.way for one in self.judges if one.ranking), None)

    @property
    def measures(self) -> list[str]:
        """The measure by which runs were ranked, for the signature."""
        return list(dict.fromkeys(one.ranking.measure for one in self.judges if one.ranking))

    def citations(self) -> list[str]:
        """The sources of the coefficients as well."""
        return [*super().citations(), *sources_of(coefficients, COEFFICIENTS_SHOWN[self.level])]

    def runs_by_rank(self) -> tuple[str, ...]:
        """The runs by their score under people's key, beside the first judge that has a ranking."""
        found = next((one.ranking.bias for one in self.judges if one.ranking is not None), [])
        return tuple(row.run for row in sorted(found, key=lambda row: -row.human))

    def make_sheets(self) -> list[Sheet]:
        """Agreement, the alternative-annotator test, confusions, rates and rankings."""
        made = [self._agreement(), self._each(), self._alternative()]
        for judge in self.judges:
            if judge.alternative.tested:
                made.append(self._replaced(judge))
            if judge.confusion is not None:
                made += [self._confusion(judge.judge, judge.confusion), self._rates(judge), self._budget(judge)]
            if judge.ranking is not None:
                made.append(self._ranking(judge.judge, judge.ranking))
        return made

    def _agreement(self) -> Sheet:
        people = self.people
        who = [("people with each other", people.units, 0, people.coefficients)]
        who += [(one.judge, one.shared, one.missing, one.coefficients) for one in self.judges]
        known = [
            name
            for name in COEFFICIENTS_SHOWN[self.level]
            if any(row[3][name].value == row[3][name].value for row in who)
        ]
        called = {name: COEFFICIENT_NAMES[name] + f", {self.level}" * (name == "alpha") for name in known}
        rows = [(called[name], *row, found[name]) for name in known for *row, found in who]
        pairwise = people.pairwise
        weighted = "" if self.level == "nominal" else f", quadratic-weighted {_short(pairwise.kappa_quadratic)}"
        pairs = (
            f"{counted(pairwise.pairs, 'pair')} of people judged enough units in common: mean observed agreement "
            f"{_short(pairwise.observed)}, Cohen's kappa {_short(pairwise.kappa)}{weighted}, pairs weighted by common "
            "units."
        )
        drawn = "Coefficients of a judge are those of the judge and one person drawn at random for each unit."
        yardstick = (
            "People's agreement is a benchmark, not an upper limit: a judge that makes fewer errors than they do "
            "agrees with a person more often than another person does."
        )
        named = f"{counted(len(people.assessors), 'person', 'people')} ({some_of(people.assessors)})"
        title = f"Agreement with {named}, and of people with each other"
        return self.sheet(
            title,
            rows,
            Field("coefficient", "0"),
            Field("assessor", "1"),
            Field("units", "2", note="judged by two people, or by a person and the judge"),
            Field("missing", "3", note="units that people judged and it did not"),
            "4.value 4.interval",
            notes=[*([pairs] if pairwise.pairs else []), drawn, yardstick, *self._clustered],
        )

    @property
    def _clustered(self) -> list[str]:
        if self.clusters is None:
            return []
        over = over_clusters(self.clusters, "units", str(self.signature.parameters["cluster"]))
        return [f"{begun(over)}; so are the tests."]

    def _each(self) -> Sheet:
        kappa, kind = ("kappa", "Cohen's") if self.level == "nominal" else ("kappa_quadratic", "quadratic-weighted")
        return self.sheet(
            "Observed agreement of each person with the others, and with each judge",
            list(zip(self.people.leave_one_out, *(judge.with_each for judge in self.judges), strict=True)),
            "0.assessor 0.units 0.observed",
            Field("kappa", f"0.{kappa}", note=f"{kind}, {RANDOM_PERSON}"),
            *(Field(f"with {judge.judge}", f"{at}.observed", unit="%") for at, judge in enumerate(self.judges, 1)),
        )

    def _alternative(self) -> Sheet:
        epsilon = self.judges[0].alternative.epsilon if self.judges else 0.0
        return self.sheet(
            f"May it replace a person? Alternative-annotator test, epsilon {epsilon:g}",
            self.judges,
            "judge alternative.tested alternative.advantage alternative.winning_rate alternative.passes",
            notes=["It passes if it may replace at least half of the people tested.", CLOSE[self.level]],
        )

    def _replaced(self, judge: Judge) -> Sheet:
        tested = [row for row in judge.alternative.people if row.p == row.p]
        few = len(judge.alternative.people) - len(tested)
        return self.sheet(
            f"{judge.judge} in place of each person",
            tested,
            "assessor units",
            Field(judge.judge, "advantage"),
            "persons_advantage p p_corrected replaced",
            notes=[f"Not tested, with too few shared units (--fewest): {counted(few, 'person', 'people')}."]
            * bool(few),
        )

    def _confusion(self, judge: str, table: Confusion) -> Sheet:
        people = "people's majority" if self.level == "nominal" else "people's median"
        rows: list[list[Cell]] = [[label, *row] for label, row in zip(table.labels, table.counts, strict=True)]
        left_out = f"Left out: {counted(table.tied, 'unit')} on which people are tied."
        notes = [left_out] if table.tied else []
        return Sheet.listed(f"{judge} (columns) compared with {people} (rows)", (people, *table.labels), rows, notes)

    def _rates(self, judge: Judge) -> Sheet:
        labelled, alone = judge.rates.labelled, judge.rates.unlabelled
        over = {"human": labelled, "naive_alone": alone, "rogan_gladen": alone}
        rows = [
            (rate, name, over.get(field, labelled + alone), getattr(rate, field))
            for rate in judge.rates.labels
            for field, name in RATE_NAMES.items()
        ]
        notes = [
            f"{counted(labelled, 'unit')} with people's label, {alone:,} with the judge's only. The corrections assume "
            "that the units people judged are a random sample of all units.",
            "Compare Rogan–Gladen with the naive share of units only the judge judged, PPI and PPI++ with that of all "
            "units.",
        ]
        return self.sheet(
            f"Share of each label according to {judge.judge}, naive and corrected",
            rows,
            "0.label",
            Field("estimate", "1"),
            Field("units", "2", note="that the share refers to"),
            Field("value", "3.value", unit="%"),
            "3.interval",
            notes=notes if alone else notes[:1],
        )

    def _budget(self, judge: Judge) -> Sheet:
        width = f"{judge.rates.half_width:g}"
        title = f"Units that people must judge for a half-width of {width}, alone and with {judge.judge}"
        return self.sheet(title, judge.rates.labels, "label labels_alone labels_with_judge weight")

    def _ranking(self, name: str, ranking: JudgeRanking) -> Sheet:
        judges = f" and {len(self.judges):,} judges" * (len(self.judges) > 1)
        return self.sheet(
            f"Runs under the key of {name}",
            ranking.bias,
            "run human",
            Field(name, "judge"),
            "bias bias.interval relative",
            Field(f"relative, {self.percent} CI", "relative.interval"),
            notes=[
                f"On {counted(ranking.units, 'unit')}: tau = {_short(ranking.tau)}, tau-AP = {_short(ranking.tau_ap)}.",
                f"Intervals are simultaneous for all {counted(len(ranking.bias), 'run')}{judges} (Bonferroni "
                "correction).",
            ],
        )


def _short(value: float) -> str:
    return "–" if value != value else f"{value:.2f}"
