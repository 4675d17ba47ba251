"""Sensitivity to arbitrary choices: the result of `sensitivity`, its tables, findings and figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, ClassVar

import numpy as np

from karat.arrays import Floats
from karat.data.charts import Chart, Figures
from karat.data.fields import Shown, Why, readable, written
from karat.data.provenance import Source
from karat.data.records import Records, RowsAt
from karat.data.result import Field, Finding, Findings, RunName, Sheet, all_marked, headline
from karat.labels import IN_WORDS, WAYS
from karat.studies.base import LeftOut, StudyResult
from karat.studies.counted_runs import not_counted
from karat.studies.rankings import (
    RANKING_COLUMNS,
    UNMEASURED,
    RankingChange,
    ScoredRanking,
    places,
    rank_grid,
    ranking_change,
    tau_dots,
    tied_note,
)
from karat.studies.wording import counted, leaders, listed, some_of

MOST_CROSSINGS = 40
"""The most crossings in a table; JSON has all of them."""
CROSSING_TITLES = {
    "weight": "Weights of decided F at which two runs swap ranks: a is better below",
    "prior": "Label mixes at which two runs swap ranks",
    "beta": "Every β at which two runs swap ranks by F of nuggets: a is better below",
}
"""The titles of the tables of crossings, by setting."""


SETTING_NAMES = {"weight": "decided F with weight", "prior": "label mix"}
"""The settings whose names are not words that people use."""


class Choice:
    """A setting and its value, as people read them."""

    setting: str
    value: str

    @property
    def kind(self) -> Annotated[str, Shown("setting")]:
        """What is set."""
        return SETTING_NAMES.get(self.setting, self.setting)

    @property
    def shown(self) -> Annotated[str, Shown("value")]:
        """The value in words."""
        return IN_WORDS[self.value] if self.setting == "way" else readable(self.value)

    @property
    def label(self) -> str:
        """The setting with its value, on a figure and in a sentence."""
        if self.setting in ("measure", "way"):
            return self.shown
        return f"{self.kind} {self.shown}"


@dataclass(frozen=True, kw_only=True)
class ScoredSetting(RankingChange, Choice):
    """One alternative choice, and how it changes the ranking."""

    setting: str
    value: str
    units: int
    official: Annotated[dict[str, float], Why(UNMEASURED)]
    """The runs' official scores on the same units, with which this setting is compared."""

    @cached_property
    def ranks(self) -> dict[str, float]:
        """The rank of every run; tied runs share their mean rank."""
        return places(self.scores)

    @property
    def leaders(self) -> list[str]:
        """The run that is first; several if they tie, none if no run has a score."""
        return leaders(self.scores)

    @property
    def first(self) -> str:
        """The leaders in one cell."""
        if len(self.leaders) == 1:
            return RunName.of(self.leaders[0])
        return f"{some_of(self.leaders)} (tied)" if self.leaders else "no run has a score"


@dataclass(frozen=True, eq=False)
class Setting:
    """One alternative choice, and the runs' scores under it."""

    setting: str
    value: str
    scores: Floats
    units: int
    """The number of units that it scores."""
    comparable: bool = False
    """Whether the scores are of the official measure, so that their differences are meaningful."""
    reference: Floats | None = None
    """The official scores on the same units, if it does not score all of them."""


def scored_settings(names: tuple[str, ...], settings: Sequence[Setting]) -> list[ScoredSetting]:
    """Every setting's ranking compared with that of the first, the official one, on the same units."""
    made = []
    for one in settings:
        official = settings[0].scores if one.reference is None else one.reference
        change = vars(ranking_change(names, official, one.scores, one.comparable))
        there = dict(zip(names, official.tolist(), strict=True))
        made.append(ScoredSetting(**change, setting=one.setting, value=one.value, units=one.units, official=there))
    return made


@dataclass(frozen=True)
class SettingWithheld(Choice):
    """A setting that cannot be tried, and why."""

    setting: str
    value: str
    reason: Annotated[str, Shown("why")]


@dataclass(frozen=True)
class CrossingPoint:
    """Where runs a and b swap ranks: weights, β, or label mixes (the ends of a line)."""

    setting: str
    way: str
    a: str
    b: str
    at: list[list[float]]

    @property
    def points(self) -> str:
        """The points in one cell."""
        form = ".1%" if self.setting == "prior" else ".3f"
        return "  –  ".join(" ".join(f"{part:{form}}" for part in point) for point in self.at)


@dataclass(frozen=True, kw_only=True, repr=False)
class Sensitivity(StudyResult):
    """The result of `sensitivity`."""

    way: Annotated[str | None, Why("scores and questions have no labels")]
    measure: str
    runs: list[str]
    settings: list[ScoredSetting]
    """The first is the official one."""
    crossings: list[CrossingPoint]
    withheld: list[SettingWithheld]
    left_out: list[LeftOut] = field(default_factory=list)
    """The runs that are not counted, and why."""
    sources: list[Source] = field(default_factory=list)
    """Files besides those of the subjects themselves: the nuggets against which answers were scored."""

    RECORDS: ClassVar[Records] = Records(
        "setting, value, units, run, rank=ranks.{run}, score=scores.{run}, tau, tau_ap",
        RowsAt("settings.*.ranking.*", run="."),
    )
    METHOD: ClassVar[str] = (
        "Runs are ranked again under every alternative setting (measure, two-way or three-way, weight, label mix, "
        "key), and each ranking is compared with the official one."
    )
    SOURCES: ClassVar[tuple[str, ...]] = ("Kendall's tau", "Yilmaz et al. 2008")

    @cached_property
    def alternatives(self) -> list[ScoredSetting]:
        """The settings that could change the ranking, each once.

        Left out are those that give the official scores, or those of an earlier setting, on another scale.
        """
        kept: list[ScoredSetting] = []
        seen: list[Floats] = []
        for one in self.settings:
            scores = _standardised(one) if one.leaders else None
            if scores is not None and not any(np.allclose(scores, old) for old in seen):
                kept.append(one)
                seen.append(scores)
        return [one for one in kept if one is not self.settings[0]]

    @property
    def fixed(self) -> bool:
        """Whether no setting could change the ranking, which takes a sentence and no table."""
        return not self.alternatives and any(one.leaders for one in self.settings[1:])

    @property
    def keeping(self) -> list[ScoredSetting]:
        """The alternatives under which the official leaders are first."""
        return [one for one in self.alternatives if one.leaders == self.settings[0].leaders]

    def who_is_first(self) -> str:
        """Under how many alternatives the official leaders are first, in words with names that are marked."""
        could = " that could change the ranking"
        return f"{_first(self.settings[0].leaders)} {self.first_under}{could}"

    @property
    def first_under(self) -> str:
        """Under how many alternatives the same runs are first as officially."""
        tried, kept = len(self.alternatives), len(self.keeping)
        settings = f"alternative setting{'s' * (tried > 1)}"
        if kept == tried:
            return f"under the only {settings}" if tried == 1 else f"under all {tried} {settings}"
        if kept:
            return f"officially and under {kept} of the {tried} {settings}"
        return (
            f"officially, but not under the only {settings}"
            if tried == 1
            else (f"officially, but under none of the {tried} {settings}")
        )

    def runs_by_rank(self) -> tuple[str, ...]:
        """The runs in the official ranking."""
        return tuple(self.settings[0].ranking)

    def make_sheets(self) -> list[Sheet]:
        """The settings with their rankings, crossings, and settings not tried."""
        notes = tied_note(self.settings[0].official, {one.label: one.official for one in self.settings})
        if any(one.units < self.settings[0].units for one in self.settings):
            notes.append("A setting that scores fewer units is compared with the official ranking on the same units.")
        if (same := sum(bool(one.leaders) for one in self.settings[1:]) - len(self.alternatives)) > 0:
            notes.append(
                f"{counted(same, 'setting ranks', 'settings rank')} the runs as the official setting or another "
                "one does, by definition: the scores are the same on another scale."
            )
        way = f", {IN_WORDS[self.way]}" if self.way else ""
        title = f"Rankings under alternative settings, compared with {readable(self.measure)}{way}"
        made = []
        if not self.fixed:
            made.append(self.sheet(title, self.settings, "kind shown units", RANKING_COLUMNS, "first", notes=notes))
        for setting, heading in CROSSING_TITLES.items():
            if rows := [one for one in self.crossings if one.setting == setting]:
                if setting == "prior" and self.way is not None:
                    labels = WAYS[self.way].labels
                    heading += f": shares of {listed(labels)}{', the two ends of a line' * (len(labels) > 2)}"
                more = [f"{len(rows) - MOST_CROSSINGS:,} more in JSON."] if len(rows) > MOST_CROSSINGS else []
                made.append(self.sheet(heading, rows[:MOST_CROSSINGS], "a b", Field("at", "points"), notes=more))
        if self.withheld:
            made.append(self.sheet("Settings not tried", self.withheld, "kind shown reason"))
        return made


def _standardised(setting: ScoredSetting) -> Floats:
    """The scores with mean 0 and deviation 1, on as many units.

    Two different scores are always those of another two on another scale, so they stay as they are.
    """
    scores = np.array([*setting.scores.values()], dtype=float)
    if len(np.unique(scores[~np.isnan(scores)])) == 2:
        return np.append(scores, setting.units)
    spread = np.nanstd(scores)
    return np.append((scores - np.nanmean(scores)) / (spread if spread > 0 else 1.0), setting.units)


SETTINGS_NAMED, LEADERS_NAMED = 4, 3
"""A sentence names so many settings under which another run is first; of more, it counts those of so many leaders."""


def _first(runs: list[str]) -> str:
    named = all_marked(runs)
    return f"{named[0]} ranks first" if len(runs) == 1 else f"{some_of(named)} tie for first"


def leader(result: Sensitivity) -> Iterable[Finding]:
    """Under which settings the best run is first, and which runs are first under the others."""
    official, *others = result.settings
    if not official.leaders or not others:
        return
    if result.fixed:
        scored = sum(bool(one.leaders) for one in others)
        which = "The alternative setting gives" if scored == 1 else f"All {scored} alternative settings give"
        yield Finding(f"{which} the runs the same scores on another scale, so the ranking could not change.")
    if not result.alternatives:
        return
    instead: dict[str, list[str]] = {}
    runs = [*official.leaders]
    for one in result.alternatives:
        if one not in result.keeping:
            instead.setdefault(_first(one.leaders), []).append(_named(one, result))
            runs += [*one.leaders, *_moved(one, result)]
    if sum(map(len, instead.values())) > SETTINGS_NAMED:
        changes = "; ".join(_counted(instead))
    else:
        changes = "; ".join(f"{first} under {', '.join(named)}" for first, named in instead.items())
    yield headline(f"{result.who_is_first()}.{f' {changes}.' * bool(changes)}", runs)


def _counted(instead: Mapping[str, list[str]]) -> Iterator[str]:
    """Under how many settings other runs are first, those of most settings by name; the table has all."""
    by_number = sorted(((first, len(named)) for first, named in instead.items()), key=lambda one: -one[1])
    for first, number in by_number[:LEADERS_NAMED]:
        yield f"{first} under {number} of them"
    if rest := sum(number for _, number in by_number[LEADERS_NAMED:]):
        yield f"others rank first under {rest} of them"


def _moved(one: ScoredSetting, result: Sensitivity) -> list[str]:
    """The official leaders on the units of a setting, if these are fewer and the leaders differ."""
    official = result.settings[0]
    there = [] if one.units == official.units else leaders(one.official)
    return there if there and there != official.leaders else []


def _named(one: ScoredSetting, result: Sensitivity) -> str:
    """A setting; with fewer units, their number, and the official leader on them if it is another run."""
    what, units = one.label, one.units
    moved = f", where {_first(there)} officially" if (there := _moved(one, result)) else ""
    every = result.settings[0].units
    return what if units == every else f"{what} (on {units:,} of {every:,} units{moved})"


def most(result: Sensitivity) -> Iterable[Finding]:
    """Which choice changes the ranking most."""
    most_pairs = max((one.swapped for one in result.settings[1:]), default=0)  # ties alone do not count as a change
    worst = [one for one in result.settings[1:] if one.swapped == most_pairs]
    if most_pairs:
        tau = worst[0].tau_b if len(worst) == 1 else float("nan")
        tau_b = f" (tau-b = {written(tau, 3)})" if tau == tau else ""
        swapped = f"{counted(most_pairs, 'pair of runs swaps', 'pairs of runs swap')} ranks"
        named = some_of([_named(one, result) for one in worst], 3)
        runs = [run for one in worst for run in _moved(one, result)]
        yield Finding(f"The ranking changes most under {named}: {swapped}{tau_b}.", runs)


def weight(result: Sensitivity) -> Iterable[Finding]:
    """How many pairs of runs swap ranks within the usual range of weights."""
    points = sorted(one.at[0][0] for one in result.crossings if one.setting == "weight")
    near = [point for point in points if 1 / 9 <= point <= 1]
    if near:
        swapped = f"{counted(len(near), 'pair of runs swaps', 'pairs of runs swap')} ranks"
        yield Finding(
            f"As the weight of decided F goes from 1/9 to 1, {swapped}, the first at {near[0]:.3f}. Report the whole "
            "range if the weight was chosen after the results were known."
        )


def sensitivity(result: Sensitivity) -> Iterable[Chart]:
    """How similar the ranking under each alternative setting is to the official one: 1 is identical, 0 unrelated.

    tau-b counts all pairs of runs that swap ranks equally; tau-AP-b gives more weight to the top of the ranking. Both
    allow for ties.
    """
    if not result.alternatives:
        return
    yield from tau_dots([(one.label, one) for one in result.settings[1:]])


def setting_ranks(result: Sensitivity) -> Iterable[Chart]:
    """Each run's rank under every alternative setting, starting with the official one; one row per run.

    A row of equal numbers keeps its rank. A rank is outlined if it is not the official one on the same units: the
    setting changes it. Tied runs share a rank. If no setting could change the ranking, nothing is drawn.
    """
    if len(result.runs) > 1 and result.alternatives:
        rankings = [ScoredRanking(one.label, one.scores, one.official) for one in result.settings]
        yield rank_grid("Ranks under alternative settings", rankings, ("setting", "run"))


FINDINGS: Findings = (leader, most, weight, not_counted)
FIGURES: Figures = (setting_ranks, sensitivity)
