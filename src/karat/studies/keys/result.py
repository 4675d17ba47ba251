"""Alternative keys: the result of `keys` and its tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from karat.data.ballots import Reason
from karat.data.fields import Shown, Why, readable
from karat.data.records import Records, RowsAt
from karat.data.result import TITLED, Ends, Field, Sheet
from karat.labels import IN_WORDS
from karat.studies.base import LeftOut, StudyResult
from karat.studies.rankings import NO_SCORE, ONE_RUN, RANKING_COLUMNS, UNMEASURED, RankingChange, best, tied_note
from karat.studies.wording import begun, counted, in_points, per_cent


def _no_tau(result: Any) -> str:
    return "it takes three runs whose scores are defined in every resample" if result.ranked else ONE_RUN


def _no_closed_form(result: Any) -> str:
    return f"{readable(result.measure)} has no closed form; see the drawn keys"


def _unranked(result: Any) -> str:
    return NO_SCORE if result.ranked else ONE_RUN


@dataclass(frozen=True, kw_only=True)
class ScoredKey(RankingChange):
    """One key: its labels, and how it changes the ranking."""

    name: Annotated[str, Shown("key")]
    rule: str
    units: int
    """The scored units that it labels."""
    labels: dict[str, int]
    official_labels: dict[str, int]
    official: Annotated[dict[str, float], Why(UNMEASURED)]
    """Scores under the official key on the same units, with which this key is compared."""
    changed: Annotated[int, Shown("changed", note="units whose label differs from the official one")]
    """Units whose label differs from the official key, in the way that is scored."""
    tau_interval: Annotated[
        Ends, Shown("{it.percent} CI", note="of tau between the rankings by the true scores"), Why(_no_tau)
    ]
    """The interval of tau between the rankings by the true scores; tau itself, with sampling errors, may be lower."""


Exactly = Annotated[float, Shown(note="exact, over all such keys"), Why(_no_closed_form)]
Scored = Annotated[float, Shown(unit="{it.in_percent}")]


@dataclass(frozen=True)
class RandomRun:
    """One run under the keys of one random assessor per unit."""

    run: str
    official: Scored
    mean: Annotated[Exactly, Shown(unit="{it.in_percent}")]
    deviation: Annotated[Exactly, Shown(unit="{it.in_points}")]
    """The standard deviation, like the mean in closed form over all such keys."""
    drawn_mean: float
    drawn_deviation: float
    low: Scored
    high: Scored
    """The upper end of the central interval of the simulated scores."""
    rank: Annotated[float, Shown(digits=1, note="mean over the drawn keys")]
    rank_low: Annotated[float, Shown("best rank", 1)]
    rank_high: Annotated[float, Shown("worst rank", 1)]
    first: Annotated[float, Shown(note="share of keys under which it ranks first, ties included", unit="%")]
    """The share of simulated keys under which no run is better."""

    @property
    def drawn(self) -> Annotated[Ends, Shown("{it.percent} of keys", note="central range of the scores")]:
        """The central interval of the simulated scores."""
        return self.low, self.high


@dataclass(frozen=True)
class RandomKeys:
    """Keys that take the label of one random assessor for each unit, simulated many times.

    They are compared with the official key on the same units, those that have ballots.
    """

    draws: int
    units: int
    tau_mean: float
    tau_low: float
    tau_high: float
    same_order: float
    """The share of simulated keys under which no two runs swap ranks."""
    runs: Annotated[list[RandomRun], Why(NO_SCORE)]


@dataclass(frozen=True)
class Settled:
    """Disputes that were adjudicated for one reason, and of one kind if it was given."""

    reason: Reason
    kind: str
    units: int
    otherwise: dict[str, int]
    """The number of these units on which each assessor disagreed with the decision: with `error`, their errors."""


@dataclass(frozen=True)
class Adjudications:
    """The reasons for adjudications. A unit is disputed if its ballots and the decision are not all the same."""

    disputed: int
    settled: int
    undisputed: int
    """Units adjudicated although nobody disagreed."""
    groups: list[Settled]

    def of(self, reason: Reason) -> int:
        """The number of units adjudicated for a reason."""
        return sum(one.units for one in self.groups if one.reason == reason)


@dataclass(frozen=True, kw_only=True, repr=False)
class KeyComparison(StudyResult):
    """The result of `keys`."""

    way: str
    measure: str
    range: tuple[float, float]
    units: int
    assessors: int
    ballots: int
    exchangeable: bool
    """The ballots do not say who cast them; `assessors` is then the largest number of ballots on a unit."""
    disputed: int
    possible_change: Annotated[float, Why("no scored unit has ballots")]
    """The share of units with ballots that are disputed: the largest possible change of accuracy between keys."""
    keys: list[ScoredKey]
    withheld: list[LeftOut]
    random: Annotated[RandomKeys, Why(_unranked)]
    adjudication: Adjudications

    RECORDS: ClassVar[Records] = Records(
        "key=name, run, rank, {it.measure}=scores.{run}, units, tau, tau_b, tau_ap, tau_low=tau_interval.0, "
        "tau_high=tau_interval.1, swaps=swapped, largest_change",
        RowsAt("keys.*.ranking.*rank", run="."),
    )
    METHOD: ClassVar[str] = (
        "Alternative keys are made from the same ballots: each assessor's labels, the majority's, disputed units "
        "left out or labelled UNKNOWN, and a random assessor's label for each unit. Runs are scored and ranked under "
        "each."
    )
    SOURCES: ClassVar[tuple[str, ...]] = ("Voorhees 2008", "Kendall's tau", "Yilmaz et al. 2008", "Dawid and Skene")

    def runs_by_rank(self) -> tuple[str, ...]:
        """The runs by their score under the official key."""
        return tuple(best({row.run: row.official for row in self.random.runs}, len(self.random.runs)))

    def make_sheets(self) -> list[Sheet]:
        """The keys, scores under each, pairs that swap ranks, random assessors, adjudications, and keys withheld."""
        made = [self._keys(), self._scores(), *self._swaps()]
        if self.disputed:  # otherwise every random key is the same
            made.append(self._random())
        if self.adjudication.groups or self.adjudication.undisputed:
            made.append(self._adjudication())
        if self.withheld:
            made.append(self.sheet("Keys not made", self.withheld, Field("key", "name"), "reason"))
        return made

    def _keys(self) -> Sheet:
        who = f"{counted(self.ballots, 'ballot')} from {counted(self.assessors, 'assessor')}"
        if self.exchangeable:
            who = (
                f"{counted(self.ballots, 'ballot')}, at most {self.assessors} per unit, which do not say who cast them"
            )
        with_ballots = " with ballots" if self.random.units < self.units else ""
        disputes = (
            f"{who}; they disagree on {self.disputed:,} of {counted(self.random.units, 'unit')}{with_ballots}"
            f"{', merged to two labels' if self.folded else ''}, so "
            f"accuracy could change by up to {in_points('accuracy', self.possible_change)} with another assessor."
        )
        fewer = "A key that labels fewer units is compared with the official key on the same units."
        notes = (
            disputes if self.disputed else f"{who}; no unit is disputed.",
            *((fewer,) if any(key.units < self.units for key in self.keys) else ()),
            *(() if self.ranked else ("A ranking needs at least two runs, so tau, swaps and ranks are left out.",)),
            *(
                ("Keys are three-way, as the ballots are, and are merged to two labels for scoring.",)
                if self.folded
                else ()
            ),
            *self._outside(),
            *tied_note(self.keys[0].official, {key.name: key.official for key in self.keys}),
        )
        runs = (
            f"runs ranked by {readable(self.measure)}" if self.ranked else f"one run scored by {readable(self.measure)}"
        )
        tau, others = RANKING_COLUMNS.split(maxsplit=1)
        return self.sheet(
            f"Keys from the same ballots, {runs}, {IN_WORDS[self.way]}",
            self.keys,
            "name units",
            *(Field(label, ("labels", label)) for label in self.keys[0].labels),
            "changed",
            f"{tau} tau_interval {others}" * self.ranked,
            "largest_change",
            notes=notes,
        )

    def _outside(self) -> Iterator[str]:
        """That an interval is of another tau than the one beside it, if that can be seen."""
        if any(not key.tau_interval[0] <= key.tau <= key.tau_interval[1] for key in self.keys if key.tau == key.tau):
            yield (
                f"The {self.percent} CI is of tau between the rankings by the true scores. Ties and sampling errors "
                "lower tau itself, which may lie below it."
            )

    @property
    def ranked(self) -> bool:
        """Whether there are several runs to rank."""
        return len(self.random.runs) > 1

    @property
    def folded(self) -> bool:
        """Whether the keys have three labels but the runs are scored two-way."""
        return self.way == "2" and len(self.keys[0].labels) == 3

    @property
    def _best_first(self) -> list[str]:
        """The runs by their official score; those without one last."""
        official = self.keys[0].official
        return sorted(self.keys[0].scores, key=lambda run: (official[run] != official[run], -official[run]))

    def _scores(self) -> Sheet:
        columns = [Field("run", str)]
        unit = TITLED if self.in_percent else ""
        for key in self.keys:
            columns.append(Field(key.name, key.scores.get, unit=unit))
            if 0 < key.units < self.units:
                note = f"under the official key on the {counted(key.units, 'unit')} of {key.name}"
                columns.append(Field("official there", key.official.get, note=note, unit=unit))
        title = f"{begun(readable(self.measure))}{' %' * bool(unit)} under each key"
        return self.sheet(title, self._best_first, *columns)

    def _swaps(self) -> list[Sheet]:
        swaps = [(key, one) for key in self.keys for one in key.swaps]
        columns = Field("key", "0.name"), "1.a 1.official 1.b 1.lead_here"
        return [self.sheet("Pairs of runs that swap ranks", swaps, *columns)] if swaps else []

    def _random(self) -> Sheet:
        drawn = self.random
        same = (
            f"Mean tau {drawn.tau_mean:.2f} ({self.percent} of the keys: {drawn.tau_low:.2f} to "
            f"{drawn.tau_high:.2f}); no two runs swap ranks under {per_cent(drawn.same_order)} of the keys."
        )
        title = f"A random assessor for each of {counted(drawn.units, 'unit')}, {counted(drawn.draws, 'key')} drawn"
        columns = "run official mean drawn deviation" + " rank rank_low rank_high first" * self.ranked
        rows = sorted(drawn.runs, key=lambda row: (row.official != row.official, -row.official))
        return self.sheet(title, rows, columns, notes=[same] if self.ranked else [], sorted_by="official")

    def _adjudication(self) -> Sheet:
        found = self.adjudication
        rows = [
            (one.reason, one.kind, one.units, ", ".join(f"{who} {units:,}" for who, units in one.otherwise.items()))
            for one in found.groups
        ]
        names = ("reason", "kind", "units", "disagreed")
        needless = f"Adjudicated although nobody disagreed: {counted(found.undisputed, 'unit')}."
        title = (
            f"How disputes were settled: {found.settled} of {counted(found.disputed, 'disputed unit')} with a reason"
        )
        return Sheet.listed(title, names, rows, notes=[needless] if found.undisputed else [])
