"""The agreement of assessors: the result of `agree` and its tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any, ClassVar

from karat.data.ballots import Level
from karat.data.coincidences import MOST_TABLED
from karat.data.fields import Cell, Shown, Why
from karat.data.records import Records, RowsAt
from karat.data.result import Bounded, Estimate, Field, Sheet
from karat.labels import IN_WORDS
from karat.measures.agreement import ONE_LABEL, coefficients
from karat.studies.base import StudyResult, sources_of
from karat.studies.wording import P, counted, over_clusters

COEFFICIENT_NAMES = {
    "agreement": "observed agreement",
    "kappa": "Cohen's kappa",
    "kappa_linear": "linear-weighted kappa",
    "kappa_quadratic": "quadratic-weighted kappa",
    "pi": "Scott's pi",
    "fleiss_kappa": "Fleiss' kappa",
    "alpha": "Krippendorff's alpha",
    "ac1": "Gwet's AC1",
    "ac2": "Gwet's AC2, quadratic weights",
    "brennan_prediger": "Brennan–Prediger",
}
"""The coefficients by their usual names."""
UNSAID = "no unit with two ballots or more has this label"
INDEPENDENT_UNITS = "the test takes units as independent, and these are in clusters"
SLOTS = "{it} requires identified assessors, and these ballots do not say who cast them"
MANY_VALUES: str = f"there are more than {MOST_TABLED} different values"


def _no_pairs(view: Any, result: Any) -> str:
    if result.exchangeable:
        return SLOTS.format(it="a pair")
    if len(view.labels) > MOST_TABLED:
        return MANY_VALUES
    return f"{len(result.assessors):,} assessors of {result.units:,} units are too many to compare in pairs"


def _no_confusions(view: Any) -> str:
    return MANY_VALUES if view.confusions is None else UNSAID


def _not_more(result: Any) -> str:
    same = "all units with two ballots or more have the same number of them"
    return getattr(result.coefficients["agreement"].value, "why", same)


NeverApart = Why("the two never disagree")


@dataclass(frozen=True)
class Coefficient(Estimate):
    """A coefficient with its interval and standard error."""

    error: Annotated[float, Shown("standard error", 3, "over units, or over clusters of them")]


@dataclass(frozen=True)
class Homogeneity:
    """A test of whether two assessors use the labels with equal frequencies."""

    statistic: float
    freedom: int
    p: P


@dataclass(frozen=True)
class McNemar:
    """The same for two labels, by McNemar's test."""

    exact: Annotated[float, NeverApart]
    mid_p: Annotated[float, NeverApart]


@dataclass(frozen=True)
class PairLabel:
    """Agreement of two assessors on one label, and how often each gives it if the other does."""

    label: str
    agreement: Annotated[float, Why("neither gives this label")]
    a_to_b: Annotated[float, Why("the first assessor never gives this label")]
    b_to_a: Annotated[float, Why("the second assessor never gives this label")]


@dataclass(frozen=True)
class PairAgreement:
    """Two assessors on the units that both judged; rows of the table are the first's labels."""

    a: Annotated[str, Shown("first")]
    b: Annotated[str, Shown("second")]
    units: int
    table: list[list[int]]
    agreement: Annotated[Coefficient, Shown(unit="%")]
    kappa: Coefficient
    kappa_linear: Coefficient
    kappa_quadratic: Coefficient
    kappa_max: Annotated[float, Shown("largest kappa", 3, note="possible with these label frequencies"), Why(ONE_LABEL)]
    bowker: Annotated[Homogeneity, NeverApart]
    stuart_maxwell: Annotated[Homogeneity, NeverApart]
    p_below_chance: float
    """One-sided test against two assessors who judge independently with the same label frequencies."""
    mcnemar: Annotated[McNemar | None, Why("McNemar's test is for two labels; see bowker and stuart_maxwell")]
    per_label: list[PairLabel]


@dataclass(frozen=True)
class MoreBallots:
    """Units with more ballots than the mean compared with the others, among those with at least two."""

    mean: float
    """The mean number of ballots per unit."""
    more: int
    """The number of units with more."""
    agreement_more: float
    """How often two ballots on such a unit agree."""
    agreement_fewer: float
    """How often two ballots on another unit agree."""
    p: float
    """Two-sided Welch test of equal agreement, with one unit of full and one of no agreement added."""


@dataclass(frozen=True)
class LabelAgreement(Bounded):
    """One label: its frequency, and how often another ballot on the unit gives it if one does."""

    label: str
    ballots: int
    share: Annotated[float, Shown(unit="%")]
    agreement: Annotated[float, Shown(unit="%")]
    low: float
    high: float
    error: float


Pairwise = Annotated[list[PairAgreement] | None, Why(_no_pairs)]
PerLabel = Annotated[list[LabelAgreement] | None, Why(MANY_VALUES)]
Confusions = Annotated[list[list[float]] | None, Why(_no_confusions)]


@dataclass(frozen=True)
class AgreementView:
    """Agreement on one set of labels. `pairs` is the number of pairs of assessors with common units, listed or not."""

    labels: list[str]
    coefficients: dict[str, Coefficient]
    pairs: int
    pairwise: Pairwise
    per_label: PerLabel
    confusions: Confusions
    """If one ballot gives the row's label, how often another on the unit gives the column's; each row adds up to 1."""


VIEW = (
    RowsAt("coefficients.*name"),
    RowsAt("per_label.*", name="=agreement", value="agreement"),
    RowsAt("confusions.*label:labels.*other:labels", name="=another gives {other}", value="."),
    RowsAt(
        "pairwise.*",
        *(RowsAt(name, name=f"={name}") for name in ("agreement", "kappa", "kappa_linear", "kappa_quadratic")),
        RowsAt("kappa_max", name="=kappa_max", value="."),
        RowsAt("bowker.p", name="=bowker_p", value="."),
        RowsAt("stuart_maxwell.p", name="=stuart_maxwell_p", value="."),
        RowsAt("p_below_chance", name="=p_below_chance", value="."),
        RowsAt(
            "per_label.*", *(RowsAt(name, name=f"={name}", value=".") for name in ("agreement", "a_to_b", "b_to_a"))
        ),
    ),
)
"""The records of the original labels, or of a fold: one row per number, with its interval."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Agreement(StudyResult):
    """The result of `agree`; `paired` is the number of units with at least two ballots."""

    level: Level
    assessors: list[str]
    units: int
    paired: int
    ballots: int
    clusters: Annotated[int | None, Why("units are not clustered")]
    """The number of clusters of units with at least two ballots, which intervals are over."""
    exchangeable: bool
    labels: list[str]
    coefficients: dict[str, Coefficient]
    pairs: int
    pairwise: Pairwise
    per_label: PerLabel
    confusions: Confusions
    folded: Annotated[dict[str, AgreementView | None], Why("only three-way labels can be merged into two")]
    more_ballots: Annotated[MoreBallots | None, Why(_not_more)]

    RECORDS: ClassVar[Records] = Records(
        "fold, a, b, label, name, value, low, high, error", *VIEW, RowsAt("folded.*fold", *VIEW)
    )
    METHOD: ClassVar[str] = (
        "Every pair of ballots on a unit is counted as a pair of labels. Coefficients compare how often they agree "
        "with the agreement expected by chance, and differ in how they define chance. Intervals treat units as the "
        "sample."
    )
    SOURCES: ClassVar[tuple[str, ...]] = ("Bowker 1948", "Stuart 1955", "Maxwell 1970", "McNemar")

    def views(self) -> Iterator[tuple[str, AgreementView]]:
        """The agreement on the original labels, and on each fold."""
        yield "", AgreementView(**{one.name: getattr(self, one.name) for one in fields(AgreementView)})
        yield from ((way, view) for way, view in self.folded.items() if view)

    def citations(self) -> list[str]:
        """The sources of the coefficients as well."""
        return [*super().citations(), *sources_of(coefficients, self.coefficients)]

    def make_sheets(self) -> list[Sheet]:
        """Coefficients, agreement on each label, pairs of assessors, and the table of a single pair."""
        size = len(self.assessors)
        who = f"Up to {counted(size, 'ballot')} per unit" if self.exchangeable else counted(size, "assessor")
        made = []
        for way, view in self.views():
            if way and all(one.value != one.value for one in view.coefficients.values()):
                continue  # undefined for the same reason as on the original labels
            made.append(self._coefficients(way, view, who))
            more = []
            if view.per_label:
                title = "Agreement on each label: if one ballot has it, how often another does too"
                more.append(self.sheet(title, view.per_label, "label ballots share agreement interval"))
            if view.pairwise:
                more += self._pairs(view, view.pairwise)
            made += [replace(one, title=f"{one.title}, {IN_WORDS[way]}") for one in more] if way else more
        return made

    def _coefficients(self, way: str, view: AgreementView, who: str) -> Sheet:
        """All coefficients on the original labels; on a fold, those that are defined."""
        among = f" in {counted(self.clusters, 'cluster')}" if self.clusters is not None else ""
        title = (
            f"Coefficients, {IN_WORDS[way]}"
            if way
            else f"{who}, {counted(self.units, 'unit')}{among}, {counted(self.ballots, 'ballot')}"
        )
        shown = {name: one for name, one in view.coefficients.items() if not way or one.value == one.value}
        names = Field("coefficient", lambda row: COEFFICIENT_NAMES[row[0]] + f", {self.level}" * (row[0] == "alpha"))
        notes = []
        if self.clusters is not None:
            notes.append(over_clusters(self.clusters, "units", str(self.signature.parameters["cluster"])))
        if self.pairwise is None and not way and not self.exchangeable:
            notes.append(f"Pairs of assessors are not shown: {_no_pairs(self, self)}.")
        return self.sheet(title, list(shown.items()), names, "1.value 1.interval 1.error", notes=notes)

    def _pairs(self, view: AgreementView, pairs: list[PairAgreement]) -> list[Sheet]:
        more = view.pairs - len(pairs)
        left_out = f"{counted(more, 'more pair has', 'more pairs have')} units in common (--pairs)"
        sheet = self.sheet(
            "Pairs of assessors",
            pairs,
            "a b units agreement kappa kappa.interval kappa_max",
            Field("p Bowker", "bowker.p", note="test of whether confusions are equally common in both directions"),
            Field("p Stuart–Maxwell", "stuart_maxwell.p", note="test of whether both use the labels equally often"),
            notes=[left_out] if more else [],
        )
        if len(pairs) > 1:
            return [sheet]
        (pair,) = pairs
        rows: list[list[Cell]] = [[label, *row] for label, row in zip(view.labels, pair.table, strict=True)]
        return [sheet, Sheet.listed(f"Rows {pair.a}, columns {pair.b}", (pair.a, *view.labels), rows)]
