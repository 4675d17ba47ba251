"""Alternative keys: what `keys` returns, and how it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from karat.data.ballots import Reason
from karat.data.result import Column, Field, Sheet
from karat.data.undefined import Why, pointer
from karat.studies.base import StudyResult
from karat.studies.ranking_change import NO_SCORE, ONE_RUN, RANKED, RankingChange, tied_note
from karat.studies.wording import counted


@dataclass(frozen=True, kw_only=True)
class ScoredKey(RankingChange):
    """One key: its labels, and what it does to the ranking."""

    name: str
    rule: str
    units: int
    """Units it labels among those that are scored."""
    labels: dict[str, int]
    official_labels: dict[str, int]
    official: dict[str, float]
    """Labels and scores of the official key on the same units: what this one is held against."""
    changed: int
    """Units that it labels otherwise than the official key, in the way that is scored."""
    tau_interval: tuple[float, float]
    """Over resampled units, both rankings anew."""


@dataclass(frozen=True)
class Withheld:
    """A key that cannot be given, and why."""

    name: str
    reason: str


@dataclass(frozen=True)
class RandomRun:
    """One run under the keys of a random assessor a unit."""

    run: str
    official: float
    mean: float
    deviation: float
    """Both in closed form, over all keys there are."""
    drawn_mean: float
    drawn_deviation: float
    low: float
    high: float
    """Of the drawn scores, at the level of the intervals."""
    rank: float
    rank_low: float
    rank_high: float
    first: float
    """The share of drawn keys under which no run is better."""


@dataclass(frozen=True)
class RandomKeys:
    """For each unit the label of one of its assessors, drawn at random, many times over.

    Held against the official key on the same units, those that have ballots.
    """

    draws: int
    units: int
    tau_mean: float
    tau_low: float
    tau_high: float
    same_order: float
    """The share of drawn keys under which no two runs change places."""
    runs: list[RandomRun]


@dataclass(frozen=True)
class Settled:
    """Disputes that were adjudicated for one reason, and of one kind where that was said."""

    reason: Reason
    kind: str
    units: int
    otherwise: dict[str, int]
    """On how many of them each assessor said otherwise than was decided: with `error`, whose errors they are."""


@dataclass(frozen=True)
class Adjudications:
    """Why disputes were decided as they were. Disputed are units whose ballots, and decision, are not all the same."""

    disputed: int
    settled: int
    undisputed: int
    """Adjudicated though nobody said otherwise."""
    groups: list[Settled]

    def of(self, reason: Reason) -> int:
        """Units adjudicated for a reason."""
        return sum(one.units for one in self.groups if one.reason == reason)


@dataclass(frozen=True, kw_only=True)
class KeyComparison(StudyResult):
    """What `keys` returns."""

    way: str
    measure: str
    range: tuple[float, float]
    units: int
    assessors: int
    ballots: int
    exchangeable: bool
    """The ballots do not say who cast them; `assessors` is then how many a unit has at most."""
    disputed: int
    possible_change: float
    """Disputed units over those with ballots: the most that accuracy can change between keys made of them."""
    keys: list[ScoredKey]
    withheld: list[Withheld]
    random: RandomKeys
    adjudication: Adjudications

    METHOD: ClassVar[str] = (
        "Other keys are made from the same ballots (one assessor's, the majority's, with disputed units left out or "
        "called UNKNOWN, one assessor drawn at random for each unit); runs are scored and ranked under each."
    )
    SOURCES: ClassVar[tuple[str, ...]] = ("Voorhees 2008", "Kendall's tau", "Yilmaz et al. 2008", "Dawid and Skene")
    WHY: ClassVar[Why] = {
        **why_not_ranked("keys/*"),
        "keys/*/official/*": "the measure is undefined on this run's answers",
        "possible_change": "no unit that is scored has ballots",
        "keys/*/tau_interval/*": lambda it, _: "tau is undefined in every resample" if it.ranked else ONE_RUN,
        "random/runs/*/mean": lambda it, _: f"{it.measure} has no closed form; see the draws",
        "random/runs/*/deviation": lambda it, _: f"{it.measure} has no closed form; see the draws",
        "random/runs/*/*": NO_SCORE,
        "random/*": lambda it, _: NO_SCORE if it.ranked else ONE_RUN,
    }

    @property
    def measures(self) -> list[str]:
        """For the signature."""
        return [self.measure]

    def make_sheets(self) -> list[Sheet]:
        """Keys, scores under each, pairs that swap, the random assessor."""
        made = [self._keys(), self._scores(), *self._swaps()]
        if self.disputed:  # where nobody disagrees, every draw is the same key
            made.append(self._random())
        if self.adjudication.groups or self.adjudication.undisputed:
            made.append(self._adjudication())
        if self.withheld:
            made.append(Sheet.of("Keys not given", self.withheld, Field("key", "name"), Field("because", "reason")))
        return made

    def _keys(self) -> Sheet:
        who = f"{counted(self.ballots, 'ballot')} of {counted(self.assessors, 'assessor')}"
        if self.exchangeable:
            who = f"{counted(self.ballots, 'ballot')}, {self.assessors} a unit at most, which do not say who cast them"
        with_ballots = " with ballots" if self.random.units < self.units else ""
        disputes = (
            f"{who}; they disagree on {self.disputed} of {counted(self.random.units, 'unit')}{with_ballots}, so "
            f"accuracy could change by {self.possible_change:.4f} with who is asked."
        )
        fewer = "A key on fewer units is held against the official key on the same units."
        notes = (
            disputes if self.disputed else f"{who}; no unit is disputed.",
            *((fewer,) if any(key.units < self.units for key in self.keys) else ()),
            *(() if self.ranked else ("A ranking needs two runs: tau, swaps and ranks are left out.",)),
            *(("Keys are made three-way, as the ballots are, and folded to be scored.",) if self.folded else ()),
            *tied_note(self.keys[0].official, {key.name: key.official for key in self.keys}),
        )
        tau, *ranked = RANKED
        ends = [
            Field(end, f"tau_interval.{at}", 2, "of the interval of tau, over resampled units")
            for at, end in enumerate(("low", "high"))
        ]
        told = f"runs ranked by {self.measure}" if self.ranked else f"one run scored by {self.measure}"
        return Sheet.of(
            f"Keys from the same ballots, {told}, {self.way}-way",
            self.keys,
            Field("key", "name"),
            Field("units"),
            *(Field(label, ("labels", label)) for label in self.keys[0].labels),
            Field("differ", "changed", note="units labelled otherwise than officially"),
            *((tau, *ends, *ranked) if self.ranked else ()),
            Field("largest change", "largest_change", 4, "of any run's score, from the official one on the same units"),
            at="keys",
            notes=notes,
        )

    @property
    def ranked(self) -> bool:
        """Whether there are runs to be ranked."""
        return len(self.random.runs) > 1

    @property
    def folded(self) -> bool:
        """Whether the keys have three labels where the runs are scored by two."""
        return self.way == "2" and len(self.keys[0].labels) == 3

    def _scores(self) -> Sheet:
        runs = list(self.keys[0].scores)
        columns = [Column("run", runs)]
        for place, key in enumerate(self.keys):
            at = [pointer("keys", place, "scores", run) for run in runs]
            columns.append(Column(key.name, [key.scores[run] for run in runs], 4, at=at))
            if 0 < key.units < self.units:
                at = [pointer("keys", place, "official", run) for run in runs]
                note = f"under the official key on the {counted(key.units, 'unit')} of {key.name}"
                columns.append(Column("officially", [key.official[run] for run in runs], 4, note, at))
        return Sheet(f"{self.measure} under each key", tuple(columns))

    def _swaps(self) -> list[Sheet]:
        rows = [(key.name, swap, -swap.here) for key in self.keys for swap in key.swaps]
        fields = (
            Field("key", "0"),
            Field("officially better", "1.a"),
            Field("by", "1.official", 4),
            Field("here better", "1.b"),
            Field("by ", "2", 4),
        )
        return [Sheet.of("Pairs of runs that change places", rows, *fields)] if rows else []

    def _random(self) -> Sheet:
        fields = [
            Field("run"),
            Field("official", digits=4),
            Field("mean", digits=4, note="over all such keys, exactly"),
            Field("deviation", digits=4, note="over all such keys, exactly"),
            Field("low", digits=4, note="of the drawn scores"),
            Field("high", digits=4, note="of the drawn scores"),
        ]
        if self.ranked:
            fields += [
                Field("rank", digits=1, note="mean over the draws"),
                Field("best rank", "rank_low", 1),
                Field("worst rank", "rank_high", 1),
                Field("first", digits=3, note="share of keys under which no run is better"),
            ]
        drawn = self.random
        same = (
            f"tau {drawn.tau_mean:.3f} on average, {drawn.tau_low:.3f} to {drawn.tau_high:.3f}; no two runs change "
            f"places under {drawn.same_order:.1%} of the keys."
        )
        title = f"A random assessor for each of {counted(drawn.units, 'unit')}, {counted(drawn.draws, 'key')} drawn"
        return Sheet.of(title, drawn.runs, *fields, at="random/runs", notes=[same] if self.ranked else [])

    def _adjudication(self) -> Sheet:
        told = self.adjudication
        rows = [
            (one.reason, one.kind, one.units, ", ".join(f"{who} {units}" for who, units in one.otherwise.items()))
            for one in told.groups
        ]
        fields = [Field(name, str(at)) for at, name in enumerate(("reason", "kind", "units", "said otherwise"))]
        needless = f"{counted(told.undisputed, 'unit')} adjudicated on which nobody said otherwise."
        title = f"How disputes were settled: {told.settled} of {counted(told.disputed, 'disputed unit')} with a reason"
        return Sheet.of(title, rows, *fields, notes=[needless] if told.undisputed else [])

    def records(self) -> Sheet:
        """One row a key and run."""
        rows = [(key, run, place, key.scores[run]) for key in self.keys for place, run in enumerate(key.ranking, 1)]
        alike = [Field(name, f"0.{name}") for name in ("units", "tau", "tau_b", "tau_ap")]
        fields = [Field("key", "0.name"), Field("run", "1"), Field("place", "2"), Field(self.measure, "3"), *alike]
        more = [Field(f"tau_{end}", f"0.tau_interval.{at}") for at, end in enumerate(("low", "high"))]
        more += [Field("swaps", "0.swapped"), Field("largest_change", "0.largest_change")]
        return Sheet.of("keys", rows, *fields, *more)
