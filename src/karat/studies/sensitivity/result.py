"""Sensitivity to arbitrary choices: what `sensitivity` returns, and how it is shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from karat.data.result import Field, Finding, Findings, Sheet, headline
from karat.data.shown import Shown, Why
from karat.data.source import Source
from karat.studies.base import StudyResult
from karat.studies.drawing import places
from karat.studies.ranking_change import RANKED, UNMEASURED, RankingChange, leaders, tied_note
from karat.studies.wording import counted, some_of

MOST_CROSSINGS = 40
"""Crossings in the table for people; JSON has all."""


@dataclass(frozen=True, kw_only=True)
class ScoredSetting(RankingChange):
    """One choice made otherwise, and what it does to the ranking."""

    setting: str
    value: str
    units: int
    official: Annotated[dict[str, float], Why(UNMEASURED)]
    """The runs' official scores on the same units: what it is held against."""

    @property
    def leaders(self) -> list[str]:
        """The run that is first; several where they tie, none where no run has a score."""
        return leaders(self.scores)

    @property
    def first(self) -> str:
        """Those in one cell."""
        if not self.leaders:
            return "no run has a score"
        return some_of(self.leaders) + (" (tied)" if len(self.leaders) > 1 else "")


@dataclass(frozen=True)
class SettingWithheld:
    """A setting that cannot be tried, and why."""

    setting: str
    value: str
    reason: Annotated[str, Shown("because")]


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

    way: Annotated[str | None, Why("scores and questions have no labels")]
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

    @property
    def measures(self) -> list[str]:
        """For the signature."""
        return [self.measure]

    def make_sheets(self) -> list[Sheet]:
        """Settings, ranks under each, crossings, what was not tried."""
        notes = tied_note(
            self.settings[0].official, {f"{one.setting} {one.value}": one.official for one in self.settings}
        )
        if any(one.units < self.settings[0].units for one in self.settings):
            notes.append("What scores fewer units is held against the official ranking on the same units.")
        title = "Rankings as choices vary, against " + self.measure + (f", {self.way}-way" if self.way else "")
        made = [self.sheet(title, self.settings, "setting value units", RANKED, "first", notes=notes)]
        made += [self._crossings(setting) for setting in ("weight", "prior", "beta") if self._of(setting)]
        if self.withheld:
            made.append(self.sheet("Not tried", self.withheld, "setting value reason"))
        return made

    def _of(self, setting: str) -> list[CrossingPoint]:
        return [one for one in self.crossings if one.setting == setting]

    def _crossings(self, setting: str) -> Sheet:
        rows = self._of(setting)
        shown = rows[:MOST_CROSSINGS]
        title = {
            "weight": "Weights of decided F at which two runs change places: a is better below",
            "beta": "Every β at which two runs change places on other questions: a is better below",
            "prior": "Mixes of labels at which two runs change places (three-way: a line, by its ends)",
        }[setting]
        rest = len(rows) - len(shown)
        notes = [f"{rest} more in JSON."] if rest else []
        return self.sheet(title, shown, "a b", Field("at", "told"), notes=notes)

    def records(self) -> Sheet:
        """One row per setting and run."""
        rows = [
            (one.setting, one.value, one.units, run, place[run], one.scores[run], one.tau, one.tau_ap)
            for one in self.settings
            for place in [places(one.scores)]
            for run in one.ranking
        ]
        names = ("setting", "value", "units", "run", "place", "score", "tau", "tau_ap")
        return Sheet.listed("sensitivity", names, rows)


def _first(runs: list[str]) -> str:
    """That a run is first, or that several tie."""
    return f"{runs[0]} is first" if len(runs) == 1 else f"{some_of(runs)} tie for first"


def leader(result: Sensitivity) -> Iterable[Finding]:
    """Whether the best run stays the best, setting by setting as the table has it."""
    official, *others = result.settings
    tried = [one for one in others if one.leaders]
    kept = [one for one in tried if one.leaders == official.leaders]
    if not official.leaders or not tried:
        return
    if len(kept) == len(tried):
        yield headline(f"{_first(official.leaders)} under every other setting tried ({len(tried)}).", official.leaders)
        return
    instead: dict[str, list[str]] = {}
    runs = [*official.leaders]
    for one in tried:
        if one.leaders != official.leaders:
            instead.setdefault(_first(one.leaders), []).append(_named(one, result))
            runs += [*one.leaders, *_moved(one, result)]
    changes = "; ".join(f"{first} under {', '.join(named)}" for first, named in instead.items())
    first = f"{_first(official.leaders)} officially and under {len(kept)} of {len(tried)} other settings"
    yield headline(f"{first}. {changes}.", runs)


def _moved(one: ScoredSetting, result: Sensitivity) -> list[str]:
    """Who is first officially on the units of a setting, where those are fewer and that is another run."""
    official = result.settings[0]
    there = [] if one.units == official.units else leaders(one.official)
    return there if there and there != official.leaders else []


def _named(one: ScoredSetting, result: Sensitivity) -> str:
    """A setting; where it has fewer units, how few, and who is first officially on those if that is another run."""
    what, units = f"{'decided F with weight' if one.setting == 'weight' else one.setting} {one.value}", one.units
    moved = f", where {_first(there)} officially" if (there := _moved(one, result)) else ""
    every = result.settings[0].units
    return what if units == every else f"{what} (on {units:,} of {every:,} units{moved})"


def most(result: Sensitivity) -> Iterable[Finding]:
    """Which choice changes the ranking most."""
    most_pairs = max((one.swapped for one in result.settings[1:]), default=0)  # ties alone are no change
    worst = [one for one in result.settings[1:] if one.swapped == most_pairs]
    if most_pairs:
        tau = f" (tau {worst[0].tau:.3f})" if len(worst) == 1 and worst[0].tau == worst[0].tau else ""
        swapped = f"{counted(most_pairs, 'pair')} of runs {'changes' if most_pairs == 1 else 'change'} places"
        named = some_of([_named(one, result) for one in worst], 3)
        runs = [run for one in worst for run in _moved(one, result)]
        yield Finding(f"The ranking changes most under {named}: {swapped}{tau}.", runs)


def weight(result: Sensitivity) -> Iterable[Finding]:
    """How much hangs on a weight that nobody derived."""
    points = sorted(one.at[0][0] for one in result.crossings if one.setting == "weight")
    near = [point for point in points if 1 / 9 <= point <= 1]
    if near:
        swapped = f"{counted(len(near), 'pair')} of runs {'changes' if len(near) == 1 else 'change'} places"
        yield Finding(
            f"Between weights 1/9 and 1 of decided F, {swapped}, first at {near[0]:.3f}: report the whole range if the "
            "weight was chosen after the results were known."
        )


FINDINGS: Findings = (leader, most, weight)
