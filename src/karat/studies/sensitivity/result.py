"""Sensitivity to arbitrary choices: what `sensitivity` returns, and how it is shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from karat.data.result import Chart, Column, Sheet
from karat.studies.base import StudyResult, finding
from karat.studies.ranking_change import COEFFICIENTS, TIED_NOTE, RankingChange

SHOWN = 40
"""Crossings in the table for people; JSON has all."""


@dataclass(frozen=True, kw_only=True)
class ScoredSetting(RankingChange):
    """One choice made otherwise, and what it does to the ranking."""

    setting: str
    value: str


@dataclass(frozen=True)
class SettingWithheld:
    """A setting that cannot be tried, and why."""

    setting: str
    value: str
    reason: str


@dataclass(frozen=True)
class CrossingPoint:
    """Where runs a and b change places: weights, or mixes of labels (the ends of a line of them)."""

    setting: str
    way: str
    a: str
    b: str
    at: list[list[float]]


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

    @property
    def measures(self) -> list[str]:
        """For the signature."""
        return [self.measure]

    def sheets(self) -> list[Sheet]:
        """Settings, ranks under each, crossings, what was not tried."""
        columns = [
            Column("setting", [one.setting for one in self.settings]),
            Column("value", [one.value for one in self.settings]),
        ]
        for field in ("tau", "tau_b", "tau_ap", "tau_ap_b"):
            columns.append(Column(field, [getattr(one, field) for one in self.settings], 4, COEFFICIENTS[field]))
        columns += [
            Column("swaps", [len(one.swaps) for one in self.settings], note="pairs of runs that change places"),
            Column("ties", [one.tied for one in self.settings], note="pairs of runs with the same score"),
            Column("ranks", [one.largest_move for one in self.settings], 1, "the largest move of a run"),
            Column("first", [one.ranking[0] for one in self.settings]),
        ]
        notes = (TIED_NOTE,) if self.settings[0].tied else ()
        made = [
            Sheet(
                "Rankings as choices vary, against " + self.measure + (f", {self.way}-way" if self.way else ""),
                tuple(columns),
                notes,
            )
        ]
        made += [self._crossings(setting) for setting in ("weight", "prior") if self._of(setting)]
        if self.withheld:
            rows = self.withheld
            told = (
                Column("setting", [one.setting for one in rows]),
                Column("value", [one.value for one in rows]),
                Column("because", [one.reason for one in rows]),
            )
            made.append(Sheet("Not tried", told))
        return made

    def _of(self, setting: str) -> list[CrossingPoint]:
        return [one for one in self.crossings if one.setting == setting]

    def _crossings(self, setting: str) -> Sheet:
        rows = self._of(setting)
        shown = rows[:SHOWN]
        points = ["  –  ".join(" ".join(f"{part:.4f}" for part in point) for point in one.at) for one in shown]
        columns = (Column("a", [one.a for one in shown]), Column("b", [one.b for one in shown]), Column("at", points))
        title = {
            "weight": "Weights of decided F at which two runs change places: a is better below",
            "prior": "Mixes of labels at which two runs change places (three-way: a line, by its ends)",
        }[setting]
        rest = len(rows) - len(shown)
        return Sheet(title, columns, (f"{rest} more in JSON.",) if rest else ())

    def records(self) -> Sheet:
        """One row a setting and run."""
        rows = [(one, place, run) for one in self.settings for place, run in enumerate(one.ranking, 1)]
        columns = (
            Column("setting", [one.setting for one, _, _ in rows]),
            Column("value", [one.value for one, _, _ in rows]),
            Column("run", [run for _, _, run in rows]),
            Column("place", [place for _, place, _ in rows]),
            Column("score", [one.scores[run] for one, _, run in rows]),
            Column("tau", [one.tau for one, _, _ in rows]),
            Column("tau_ap", [one.tau_ap for one, _, _ in rows]),
        )
        return Sheet("sensitivity", columns)

    def charts(self) -> list[Chart]:
        """How alike the rankings are."""
        others = self.settings[1:]
        series = {"tau": [one.tau for one in others], "tau_ap": [one.tau_ap for one in others]}
        lowest = min([0.0, *(value for values in series.values() for value in values if value == value)])
        names = tuple(f"{one.setting} {one.value}" for one in others)
        return [Chart("dots", "How alike the rankings are", names, series, -1.0 if lowest < 0 else 0.0)]

    def reasons_shown(self) -> list[str]:
        """Why cells are dashes."""
        shown = [one for one in self.undefined if not one.path.endswith(("largest_change", "changed_run"))]
        return list(dict.fromkeys(one.reason for one in shown))


@finding("sensitivity-leader", study="sensitivity")
def leader(result: Sensitivity) -> Iterable[str]:
    """Whether the best run stays the best."""
    best = result.settings[0].ranking[0]
    others = [f"{one.setting} {one.value}" for one in result.settings[1:] if one.ranking[0] != best]
    if others:
        yield f"{best} is not first under {', '.join(others)}."
    elif len(result.settings) > 1:
        yield f"{best} is first under every setting tried ({len(result.settings) - 1})."


@finding("sensitivity-most", study="sensitivity")
def most(result: Sensitivity) -> Iterable[str]:
    """Which choice matters most."""
    others = [one for one in result.settings[1:] if one.tau == one.tau]
    if others:
        worst = min(others, key=lambda one: one.tau)
        if worst.swaps:
            yield (
                f"The ranking depends most on {worst.setting} {worst.value}: tau {worst.tau:.3f}, "
                f"{len(worst.swaps)} pairs of runs swapped."
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
