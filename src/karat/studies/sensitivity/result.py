"""Sensitivity to arbitrary choices: what `sensitivity` returns, and how it is shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import ClassVar

from karat.data.result import Field, Sheet
from karat.data.source import Source
from karat.data.undefined import Why
from karat.studies.base import StudyResult, finding
from karat.studies.ranking_change import RANKED, RankingChange, leads, tied_note, why_not_ranked
from karat.studies.words import counted

SHOWN = 40
"""Crossings in the table for people; JSON has all."""


@dataclass(frozen=True, kw_only=True)
class ScoredSetting(RankingChange):
    """One choice made otherwise, and what it does to the ranking."""

    setting: str
    value: str
    units: int
    official: dict[str, float]
    """The runs' official scores on the same units: what it is held against."""


@dataclass(frozen=True)
class SettingWithheld:
    """A setting that cannot be tried, and why."""

    setting: str
    value: str
    reason: str


@dataclass(frozen=True)
class CrossingPoint:
    """Where runs a and b change places: weights, β, or mixes of labels (the ends of a line of them)."""

    setting: str
    way: str
    a: str
    b: str
    at: list[list[float]]

    @property
    def told(self) -> str:
        """The points in one cell."""
        return "  –  ".join(" ".join(f"{part:.4f}" for part in point) for point in self.at)


@dataclass(frozen=True, kw_only=True)
class Sensitivity(StudyResult):
    """What `sensitivity` returns."""

    way: str | None
    measure: str
    runs: list[str]
    settings: list[ScoredSetting]
    """The first is the official one."""
    crossings: list[CrossingPoint]
    withheld: list[SettingWithheld]
    sources: list[Source] = field(default_factory=list)
    """Files beside those of the subjects themselves: the nuggets that answers were held against."""

    METHOD: ClassVar[str] = (
        "Runs are ranked anew under every other setting (measure, fold, weight, mix of labels, key), and each ranking "
        "is held against the official one."
    )
    SOURCES: ClassVar[tuple[str, ...]] = ("Kendall's tau", "Yilmaz et al. 2008")
    WHY: ClassVar[Why] = {"way": "scores and questions have no labels", **why_not_ranked("settings/*"),
                          "settings/*/official/*": "the measure is undefined on this run's answers"}  # fmt: skip

    @property
    def measures(self) -> list[str]:
        """For the signature."""
        return [self.measure]

    def sheets(self) -> list[Sheet]:
        """Settings, ranks under each, crossings, what was not tried."""
        notes = tied_note(
            self.settings[0].official, {f"{one.setting} {one.value}": one.official for one in self.settings}
        )
        if any(one.units < self.settings[0].units for one in self.settings):
            notes.append("What scores fewer units is held against the official ranking on the same units.")
        made = [
            Sheet.of(
                "Rankings as choices vary, against " + self.measure + (f", {self.way}-way" if self.way else ""),
                self.settings,
                Field("setting"),
                Field("value"),
                Field("units"),
                *RANKED,
                Field("first", "ranking.0"),
                at="settings",
                notes=notes,
            )
        ]
        made += [self._crossings(setting) for setting in ("weight", "prior", "beta") if self._of(setting)]
        if self.withheld:
            fields = Field("setting"), Field("value"), Field("because", "reason")
            made.append(Sheet.of("Not tried", self.withheld, *fields))
        return made

    def _of(self, setting: str) -> list[CrossingPoint]:
        return [one for one in self.crossings if one.setting == setting]

    def _crossings(self, setting: str) -> Sheet:
        rows = self._of(setting)
        shown = rows[:SHOWN]
        title = {
            "weight": "Weights of decided F at which two runs change places: a is better below",
            "beta": "Every β at which two runs change places on other questions: a is better below",
            "prior": "Mixes of labels at which two runs change places (three-way: a line, by its ends)",
        }[setting]
        rest = len(rows) - len(shown)
        notes = [f"{rest} more in JSON."] if rest else []
        return Sheet.of(title, shown, Field("a"), Field("b"), Field("at", "told"), notes=notes)

    def records(self) -> Sheet:
        """One row a setting and run."""
        rows = [
            (one.setting, one.value, one.units, run, place, one.scores[run], one.tau, one.tau_ap)
            for one in self.settings
            for place, run in enumerate(one.ranking, 1)
        ]
        names = ("setting", "value", "units", "run", "place", "score", "tau", "tau_ap")
        return Sheet.of("sensitivity", rows, *(Field(name, str(at)) for at, name in enumerate(names)))


@finding("sensitivity-leader", study="sensitivity", headline=True)
def leader(result: Sensitivity) -> Iterable[str]:
    """Whether the best run stays the best."""
    best, official = result.settings[0].ranking[0], result.settings[0].scores
    if sum(leads(run, official) for run in official) > 1:
        return  # several share the first place
    # A key on fewer units has a say only where the official one has the same run first on those.
    tried = [one for one in result.settings[1:] if leads(best, one.official) and one.scores[best] == one.scores[best]]
    others = [_named(one, result) for one in tried if not leads(best, one.scores)]
    if others:
        yield f"{best} is not first under {', '.join(others)}."
    elif tried:
        yield f"{best} is first under every setting tried ({len(tried)})."


def _named(one: ScoredSetting, result: Sensitivity) -> str:
    """A setting, and how few units it has where they are not all."""
    units = result.settings[0].units
    what = "decided F with weight" if one.setting == "weight" else one.setting
    return f"{what} {one.value}" + (f" (on {one.units:,} of {units:,} units)" if one.units < units else "")


@finding("sensitivity-most", study="sensitivity")
def most(result: Sensitivity) -> Iterable[str]:
    """Which choice matters most."""
    swapped = [one for one in result.settings[1:] if one.swaps]  # ties alone lower tau too
    if swapped:
        worst = min(swapped, key=lambda one: one.tau)
        yield (
            f"The ranking depends most on {_named(worst, result)}: tau {worst.tau:.3f}, "
            f"{counted(len(worst.swaps), 'pair')} of runs swapped."
        )


@finding("sensitivity-weight", study="sensitivity")
def weight(result: Sensitivity) -> Iterable[str]:
    """How much hangs on a weight that nobody derived."""
    points = sorted(one.at[0][0] for one in result.crossings if one.setting == "weight")
    near = [point for point in points if 1 / 9 <= point <= 1]
    if near:
        yield (
            f"Between weights 1/9 and 1 of decided F, {len(near)} pairs of runs change places, first at {near[0]:.3f}: "
            "report the whole range where the weight was chosen after the results."
        )
