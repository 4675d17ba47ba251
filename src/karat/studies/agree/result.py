"""The agreement of assessors: what `agree` returns, and how it is shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import ClassVar

from karat.data.ballots import Level
from karat.data.result import Cell, Column, Estimate, Field, Sheet
from karat.data.undefined import Why
from karat.measures.agreement import ONE_LABEL, coefficients
from karat.studies.base import StudyResult, sources_of
from karat.studies.wording import counted, p_value

NAMES = {
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
"""As they are known to people."""
NEVER_APART = "the two never disagree"
SAME_NUMBER = "all units with two ballots or more have the same number of them"
UNSAID = "nobody says it of a unit with two ballots"


@dataclass(frozen=True)
class Coefficient(Estimate):
    """A coefficient with its interval and standard error."""

    error: float


@dataclass(frozen=True)
class Homogeneity:
    """A test of whether two assessors use the labels alike."""

    statistic: float
    freedom: int
    p: float


@dataclass(frozen=True)
class McNemar:
    """The same for two labels, exactly."""

    exact: float
    mid_p: float


@dataclass(frozen=True)
class PairLabel:
    """One label between two assessors: agreement on it, and how often either says it where the other does."""

    label: str
    agreement: float
    a_to_b: float
    b_to_a: float


@dataclass(frozen=True)
class PairAgreement:
    """Two assessors on the units that both judged; rows of the table are the first's labels."""

    a: str
    b: str
    units: int
    table: list[list[int]]
    agreement: Coefficient
    kappa: Coefficient
    kappa_linear: Coefficient
    kappa_quadratic: Coefficient
    kappa_max: float
    bowker: Homogeneity
    stuart_maxwell: Homogeneity
    p_below_chance: float
    """One-sided: of two who judge independently, with labels as common as theirs."""
    mcnemar: McNemar | None
    per_label: list[PairLabel]


@dataclass(frozen=True)
class MoreBallots:
    """Units with more ballots than the mean number against the others, of those with two or more."""

    mean: float
    """Ballots a unit."""
    more: int
    """How many units have more."""
    agreement_more: float
    """Of two ballots of such a unit, how often they agree."""
    agreement_fewer: float
    """The same for the others."""
    p: float
    """Two-sided: both kinds of units agree alike (Welch's test, a unit of full and one of no agreement added)."""


@dataclass(frozen=True)
class LabelAgreement:
    """One label: how common it is, and how often another ballot of the unit says it too where one does."""

    label: str
    ballots: int
    share: float
    agreement: float
    low: float
    high: float
    error: float


@dataclass(frozen=True)
class View:
    """Agreement on one set of labels. `pairs` counts the pairs of assessors with common units, told or not."""

    labels: list[str]
    coefficients: dict[str, Coefficient]
    pairs: int
    pairwise: list[PairAgreement]
    per_label: list[LabelAgreement]
    confusions: list[list[float]]
    """Where one ballot says the row's label, how often another of the unit says the column's: each row adds up to 1."""


@dataclass(frozen=True, kw_only=True)
class Agreement(StudyResult):
    """What `agree` returns; `paired` units have two ballots or more."""

    level: Level
    assessors: list[str]
    units: int
    paired: int
    ballots: int
    exchangeable: bool
    labels: list[str]
    coefficients: dict[str, Coefficient]
    pairs: int
    pairwise: list[PairAgreement]
    per_label: list[LabelAgreement]
    confusions: list[list[float]]
    folded: dict[str, View | None]
    more_ballots: MoreBallots | None

    METHOD: ClassVar[str] = (
        "Every two ballots on a unit are counted as a pair of labels. Coefficients set how often they agree against "
        "what chance would give, and differ in what they take for chance. Units are the sample that the intervals know."
    )
    SOURCES: ClassVar[tuple[str, ...]] = ("Bowker 1948", "Stuart 1955", "Maxwell 1970", "McNemar")
    # Coefficients are told as they are computed; patterns are of pairs of assessors, on all labels and folded.
    WHY: ClassVar[Why] = {
        "folded/*": "only three-way labels fold to two",
        "more_ballots": SAME_NUMBER,
        "confusions/**": UNSAID,
        "folded/*/confusions/**": UNSAID,
        "**/kappa_max": ONE_LABEL,
        "**/bowker/*": NEVER_APART,
        "**/stuart_maxwell/*": NEVER_APART,
        "**/mcnemar": "McNemar's test is of two labels; see bowker and stuart_maxwell",
        "**/mcnemar/*": NEVER_APART,
        "**/per_label/*/agreement": "neither says it",
        "**/per_label/*/a_to_b": "the first never says it",
        "**/per_label/*/b_to_a": "the second never says it",
    }

    @property
    def level_of_intervals(self) -> float:
        """Of every interval."""
        return float(self.signature.parameters.get("interval", 0.95))

    def views(self) -> Iterator[tuple[str, View]]:
        """The labels as they are, and each fold that there is."""
        parts = {one.name: getattr(self, one.name) for one in fields(View)}
        yield "", View(**parts)
        yield from ((way, view) for way, view in self.folded.items() if view)

    def citations(self) -> list[str]:
        """The sources of the coefficients as well."""
        return [*super().citations(), *sources_of(coefficients, self.coefficients)]

    def make_sheets(self) -> list[Sheet]:
        """Coefficients, labels, pairs of assessors and, where there is but one pair, its table."""
        size = len(self.assessors)
        who = f"{counted(size, 'ballot')} a unit at most" if self.exchangeable else counted(size, "assessor")
        made = []
        for way, view in self.views():
            title = (
                f"{who}, {counted(self.units, 'unit')}, {counted(self.ballots, 'ballot')}" if not way else f"{way}-way"
            )
            if way and all(one.value != one.value for one in view.coefficients.values()):
                continue  # for the reason that the labels as they are have none either
            at = f"folded/{way}/" if way else ""
            made.append(self._coefficients(title, view, at))
            if view.per_label:
                made.append(_labels(view, at))
            if view.pairwise:
                made += _pairs(view, at)
        return made

    def _coefficients(self, title: str, view: View, at: str) -> Sheet:
        """Of a fold, what is defined; of the labels as they are, all, and why some are not."""
        shown = [name for name, one in view.coefficients.items() if not at or one.value == one.value]
        columns = [Column("coefficient", [NAMES[name] + f", {self.level}" * (name == "alpha") for name in shown])]
        notes = {"low": "of the interval", "high": "of the interval", "error": "standard error over units"}
        for part in ("value", "low", "high", "error"):
            values = [getattr(view.coefficients[name], part) for name in shown]
            places = [f"/{at}coefficients/{name}/{part}" for name in shown]
            columns.append(Column(part, values, 4, notes.get(part, ""), places))
        untold = [one.reason for one in self.undefined if one.path == "/pairwise" and not at and not self.exchangeable]
        return Sheet(title, tuple(columns), tuple(f"Pairs of assessors are not told: {reason}." for reason in untold))

    def records(self) -> Sheet:
        """Every number with its interval, one a row."""
        rows = [row for way, view in self.views() for row in _records(way, view)]
        names = ("fold", "a", "b", "label", "name", "value", "low", "high", "error")
        return Sheet.of("agreement", rows, *(Field(name, str(at)) for at, name in enumerate(names)))


def _labels(view: View, at: str) -> Sheet:
    return Sheet.of(
        "Agreement on each label: where one ballot says it, how often another does too",
        view.per_label,
        Field("label"),
        Field("ballots"),
        *(Field(name, digits=4) for name in ("share", "agreement", "low", "high")),
        at=f"{at}per_label",
    )


def _pairs(view: View, at: str) -> list[Sheet]:
    pairs = view.pairwise
    more = view.pairs - len(pairs)
    left_out = f"{more} more {'pair has' if more == 1 else 'pairs have'} units in common (--pairs)"
    sheet = Sheet.of(
        "Pairs of assessors",
        pairs,
        Field("first", "a"),
        Field("second", "b"),
        Field("units"),
        Field("agreement", "agreement.value", 4),
        Field("kappa", "kappa.value", 4),
        Field("low", "kappa.low", 4),
        Field("high", "kappa.high", 4),
        Field("at most", "kappa_max", 4, "the largest kappa that the margins allow"),
        at=f"{at}pairwise",
        notes=[left_out] if more else [],
    )
    tests = {
        "bowker": ("p Bowker", "are confusions as common both ways?"),
        "stuart_maxwell": ("p Stuart–Maxwell", "are the labels used alike?"),
    }
    columns = [
        Column(
            name,
            [p_value(getattr(pair, test).p) for pair in pairs],
            note=note,
            at=[f"/{at}pairwise/{place}/{test}/p" for place in range(len(pairs))],
        )
        for test, (name, note) in tests.items()
    ]
    made = [replace(sheet, columns=(*sheet.columns, *columns))]
    if len(pairs) == 1:
        (pair,) = pairs
        across = [Column(label, [row[code] for row in pair.table]) for code, label in enumerate(view.labels)]
        made.append(Sheet(f"Rows {pair.a}, columns {pair.b}", (Column(pair.a, view.labels), *across)))
    return made


def _records(way: str, view: View) -> Iterator[tuple[Cell, ...]]:
    nan = float("nan")
    for name, one in view.coefficients.items():
        yield way, None, None, None, name, one.value, one.low, one.high, one.error
    for label in view.per_label:
        yield way, None, None, label.label, "agreement", label.agreement, label.low, label.high, label.error
    for said, row in zip(view.labels, view.confusions, strict=False):
        for other, share in zip(view.labels, row, strict=True):
            yield way, None, None, said, f"another says {other}", share, nan, nan, nan
    for pair in view.pairwise:
        at = (way, pair.a, pair.b)
        for name in ("agreement", "kappa", "kappa_linear", "kappa_quadratic"):
            one = getattr(pair, name)
            yield *at, None, name, one.value, one.low, one.high, one.error
        yield *at, None, "kappa_max", pair.kappa_max, nan, nan, nan
        yield *at, None, "bowker_p", pair.bowker.p, nan, nan, nan
        yield *at, None, "stuart_maxwell_p", pair.stuart_maxwell.p, nan, nan, nan
        yield *at, None, "p_below_chance", pair.p_below_chance, nan, nan, nan
        for part in pair.per_label:
            for name in ("agreement", "a_to_b", "b_to_a"):
                yield *at, part.label, name, getattr(part, name), nan, nan, nan
