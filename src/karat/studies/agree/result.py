"""The agreement of assessors: what `agree` returns, and how it is shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from karat.data.ballots import Level
from karat.data.result import Cell, Chart, Column, Sheet
from karat.studies.base import StudyResult

NAMES = {
    "agreement": "observed agreement",
    "kappa": "Cohen's kappa",
    "kappa_linear": "kappa, linear weights",
    "kappa_quadratic": "kappa, quadratic weights",
    "pi": "Scott's pi",
    "fleiss_kappa": "Fleiss' kappa",
    "alpha": "Krippendorff's alpha",
    "ac1": "Gwet's AC1",
    "brennan_prediger": "Brennan–Prediger",
}
"""As they are known to people."""


@dataclass(frozen=True)
class Coefficient:
    """A coefficient with its interval and standard error."""

    value: float
    low: float
    high: float
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
    mcnemar: McNemar | None
    per_label: list[PairLabel]


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
    folded: dict[str, View | None]

    def views(self) -> Iterator[tuple[str, View]]:
        """The labels as they are, and each fold that there is."""
        yield "", View(self.labels, self.coefficients, self.pairs, self.pairwise, self.per_label)
        yield from ((way, view) for way, view in self.folded.items() if view)

    def sheets(self) -> list[Sheet]:
        """Coefficients, labels, pairs of assessors and, where there is but one pair, its table."""
        who = f"{len(self.assessors)} {'ballots a unit at most' if self.exchangeable else 'assessors'}"
        made = []
        for way, view in self.views():
            title = f"{who}, {self.units} units, {self.ballots} ballots" if not way else f"{way}-way"
            made.append(_coefficients(title, view, self.level, whole=not way))
            if view.per_label:
                made.append(_labels(view))
            if view.pairwise:
                made += _pairs(view)
        return made

    def records(self) -> Sheet:
        """Every number with its interval, one a row."""
        rows = [row for way, view in self.views() for row in _records(way, view)]
        names = ("fold", "a", "b", "label", "name", "value", "low", "high", "error")
        return Sheet("agreement", tuple(Column(name, [row[at] for row in rows], 6) for at, name in enumerate(names)))

    def charts(self) -> list[Chart]:
        """The coefficients with their intervals."""
        shown = {name: one for name, one in self.coefficients.items() if one.value == one.value}
        ends = {end: [getattr(one, end) for one in shown.values()] for end in ("value", "low", "high")}
        lowest = min([0.0, *(number for numbers in ends.values() for number in numbers if number == number)])
        names = tuple(NAMES[name] for name in shown)
        return [Chart("dots", "Coefficients", names, ends, low=0.0 if lowest >= 0 else -1.0)] if shown else []

    def reasons_shown(self) -> list[str]:
        """Why coefficients or intervals have a dash."""
        by_reason: dict[str, dict[str, None]] = {}
        for one in self.undefined:
            if _told(one.path):
                by_reason.setdefault(one.reason, {})[_said(one.path)] = None
        return [f"{', '.join(names)}: {reason}" for reason, names in by_reason.items()]


def _told(path: str) -> bool:
    """Coefficients of the labels as they are, their value or else their interval."""
    return (path.startswith("/coefficients/") and path.endswith(("/value", "/low"))) or path == "/pairwise"


def _said(path: str) -> str:
    return NAMES[path.split("/")[2]] if path.count("/") > 1 else "pairs of assessors"


def _coefficients(title: str, view: View, level: str, whole: bool) -> Sheet:
    """Of a fold, what is defined; of the labels as they are, all, and why some are not."""
    shown = {name: one for name, one in view.coefficients.items() if whole or one.value == one.value}
    ones = shown.values()
    names = [NAMES[name] + (f", {level}" if name == "alpha" else "") for name in shown]
    return Sheet(
        title,
        (
            Column("coefficient", names),
            Column("value", [one.value for one in ones], 4),
            Column("low", [one.low for one in ones], 4, "of the interval"),
            Column("high", [one.high for one in ones], 4, "of the interval"),
            Column("error", [one.error for one in ones], 4, "standard error over units"),
        ),
    )


def _labels(view: View) -> Sheet:
    columns = [Column("label", [one.label for one in view.per_label])]
    columns.append(Column("ballots", [one.ballots for one in view.per_label]))
    columns += [
        Column(name, [getattr(one, name) for one in view.per_label], 4)
        for name in ("share", "agreement", "low", "high")
    ]
    return Sheet("Agreement on each label: where one ballot says it, how often another does too", tuple(columns))


def _pairs(view: View) -> list[Sheet]:
    pairs = view.pairwise
    left_out = f"{view.pairs - len(pairs)} more pairs have units in common" if view.pairs > len(pairs) else ""
    columns = (
        Column("first", [pair.a for pair in pairs]),
        Column("second", [pair.b for pair in pairs]),
        Column("units", [pair.units for pair in pairs]),
        Column("agreement", [pair.agreement.value for pair in pairs], 4),
        Column("kappa", [pair.kappa.value for pair in pairs], 4),
        Column("low", [pair.kappa.low for pair in pairs], 4),
        Column("high", [pair.kappa.high for pair in pairs], 4),
        Column("at most", [pair.kappa_max for pair in pairs], 4, "the largest kappa that the margins allow"),
        Column("p Bowker", [pair.bowker.p for pair in pairs], 6, "are confusions as common both ways?"),
        Column("p Stuart–Maxwell", [pair.stuart_maxwell.p for pair in pairs], 6, "are the labels used alike?"),
    )
    made = [Sheet("Pairs of assessors", columns, (left_out,) if left_out else ())]
    if len(pairs) == 1:
        (pair,) = pairs
        across = [Column(label, [row[at] for row in pair.table]) for at, label in enumerate(view.labels)]
        made.append(Sheet(f"Rows {pair.a}, columns {pair.b}", (Column(pair.a, view.labels), *across)))
    return made


def _records(way: str, view: View) -> Iterator[tuple[Cell, ...]]:
    nan = float("nan")
    for name, one in view.coefficients.items():
        yield way, None, None, None, name, one.value, one.low, one.high, one.error
    for label in view.per_label:
        yield way, None, None, label.label, "agreement", label.agreement, label.low, label.high, label.error
    for pair in view.pairwise:
        at = (way, pair.a, pair.b)
        for name in ("agreement", "kappa", "kappa_linear", "kappa_quadratic"):
            one = getattr(pair, name)
            yield *at, None, name, one.value, one.low, one.high, one.error
        yield *at, None, "kappa_max", pair.kappa_max, nan, nan, nan
        yield *at, None, "bowker_p", pair.bowker.p, nan, nan, nan
        yield *at, None, "stuart_maxwell_p", pair.stuart_maxwell.p, nan, nan, nan
        for part in pair.per_label:
            for name in ("agreement", "a_to_b", "b_to_a"):
                yield *at, part.label, name, getattr(part, name), nan, nan, nan
