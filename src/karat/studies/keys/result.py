"""Alternative keys: what `keys` returns, and how it is shown."""

from __future__ import annotations

from dataclasses import dataclass

from karat.data.result import Chart, Column, Sheet
from karat.studies.base import StudyResult
from karat.studies.ranking_change import COEFFICIENTS, TIED_NOTE, RankingChange


@dataclass(frozen=True, kw_only=True)
class ScoredKey(RankingChange):
    """One key: its labels, and what it does to the ranking."""

    name: str
    rule: str
    units: int
    """Units it labels among those that are scored."""
    labels: dict[str, int]
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
    """For each unit the label of one of its assessors, drawn at random, many times over."""

    draws: int
    units: int
    tau_mean: float
    tau_low: float
    tau_high: float
    same_order: float
    """The share of drawn keys under which no two runs change places."""
    runs: list[RandomRun]


@dataclass(frozen=True, kw_only=True)
class KeyComparison(StudyResult):
    """What `keys` returns."""

    way: str
    measure: str
    range: tuple[float, float]
    units: int
    assessors: int
    ballots: int
    disputed: int
    possible_change: float
    """Disputed units over all: the most that accuracy can change between keys made from these ballots."""
    keys: list[ScoredKey]
    withheld: list[Withheld]
    random: RandomKeys

    @property
    def measures(self) -> list[str]:
        """For the signature."""
        return [self.measure]

    def sheets(self) -> list[Sheet]:
        """Keys, scores under each, pairs that swap, the random assessor."""
        made = [self._keys(), self._scores(), *self._swaps(), self._random()]
        if self.withheld:
            columns = (
                Column("key", [one.name for one in self.withheld]),
                Column("because", [one.reason for one in self.withheld]),
            )
            made.append(Sheet("Keys not given", columns))
        return made

    def _keys(self) -> Sheet:
        labels = list(self.keys[0].labels)
        columns = [
            Column("key", [key.name for key in self.keys]),
            Column("units", [key.units for key in self.keys]),
            *(Column(label, [key.labels[label] for key in self.keys]) for label in labels),
            Column("differ", [key.changed for key in self.keys], note="units labelled otherwise than officially"),
        ]
        for field in ("tau", "tau_b", "tau_ap", "tau_ap_b"):
            values = [getattr(key, field) for key in self.keys]
            columns.append(Column(field, values, 4, COEFFICIENTS[field]))
        columns += [
            Column("swaps", [len(key.swaps) for key in self.keys], note="pairs of runs that change places"),
            Column("ties", [key.tied for key in self.keys], note="pairs of runs with the same score"),
            Column("ranks", [key.largest_move for key in self.keys], 1, "the largest move of a run"),
            Column("largest change", [key.largest_change for key in self.keys], 4, "of any run's score"),
        ]
        notes = (
            f"{self.ballots} ballots of {self.assessors} assessors; they disagree on {self.disputed} of {self.units} "
            f"units, so accuracy could change by {self.possible_change:.4f} with who is asked.",
            *(("Keys are made three-way, as the ballots are, and folded to be scored.",) if self.folded else ()),
            *((TIED_NOTE,) if self.keys[0].tied else ()),
        )
        return Sheet(
            f"Keys from the same ballots, runs ranked by {self.measure}, {self.way}-way", tuple(columns), notes
        )

    @property
    def folded(self) -> bool:
        """Whether the keys have three labels where the runs are scored by two."""
        return self.way == "2" and len(self.keys[0].labels) == 3

    def _scores(self) -> Sheet:
        runs = list(self.keys[0].scores)
        columns = [Column("run", runs)]
        columns += [Column(key.name, [key.scores[run] for run in runs], 4) for key in self.keys]
        return Sheet(f"{self.measure} under each key", tuple(columns))

    def _swaps(self) -> list[Sheet]:
        rows = [(key.name, swap) for key in self.keys for swap in key.swaps]
        columns = (
            Column("key", [name for name, _ in rows]),
            Column("officially better", [swap.a for _, swap in rows]),
            Column("by", [swap.official for _, swap in rows], 4),
            Column("here better", [swap.b for _, swap in rows]),
            Column("by ", [-swap.here for _, swap in rows], 4),
        )
        return [Sheet("Pairs of runs that change places", columns)] if rows else []

    def _random(self) -> Sheet:
        rows = self.random.runs
        columns = (
            Column("run", [row.run for row in rows]),
            Column("official", [row.official for row in rows], 4),
            Column("mean", [row.mean for row in rows], 4, "over all such keys, exactly"),
            Column("deviation", [row.deviation for row in rows], 4, "over all such keys, exactly"),
            Column("low", [row.low for row in rows], 4, "of the drawn scores"),
            Column("high", [row.high for row in rows], 4, "of the drawn scores"),
            Column("rank", [row.rank for row in rows], 1, "mean over the draws"),
            Column("best rank", [row.rank_low for row in rows], 1),
            Column("worst rank", [row.rank_high for row in rows], 1),
            Column("first", [row.first for row in rows], 3, "share of keys under which no run is better"),
        )
        drawn = self.random
        notes = (
            f"tau {drawn.tau_mean:.3f} on average, {drawn.tau_low:.3f} to {drawn.tau_high:.3f}; no two runs change "
            f"places under {drawn.same_order:.1%} of the keys.",
        )
        return Sheet(f"A random assessor for each of {drawn.units} units, {drawn.draws} keys drawn", columns, notes)

    def records(self) -> Sheet:
        """One row a key and run."""
        rows = [(key, place, run) for key in self.keys for place, run in enumerate(key.ranking, 1)]
        columns = [
            Column("key", [key.name for key, _, _ in rows]),
            Column("run", [run for _, _, run in rows]),
            Column("place", [place for _, place, _ in rows]),
            Column(self.measure, [key.scores[run] for key, _, run in rows]),
            Column("units", [key.units for key, _, _ in rows]),
            Column("tau", [key.tau for key, _, _ in rows]),
            Column("tau_b", [key.tau_b for key, _, _ in rows]),
            Column("tau_ap", [key.tau_ap for key, _, _ in rows]),
            Column("swaps", [len(key.swaps) for key, _, _ in rows]),
            Column("largest_change", [key.largest_change for key, _, _ in rows]),
        ]
        return Sheet("keys", tuple(columns))

    def charts(self) -> list[Chart]:
        """Scores under a random assessor, and how alike the rankings are."""
        rows = self.random.runs
        series = {
            "official": [row.official for row in rows],
            "random: low": [row.low for row in rows],
            "mean": [row.drawn_mean for row in rows],
            "high": [row.high for row in rows],
        }
        title = f"{self.measure}, official and under a random assessor's labels"
        alike = {"tau": [key.tau for key in self.keys], "tau_ap": [key.tau_ap for key in self.keys]}
        lowest = min([0.0, *(value for values in alike.values() for value in values if value == value)])
        names = tuple(key.name for key in self.keys)
        return [
            Chart("dots", title, tuple(row.run for row in rows), series, *self.range),
            Chart("dots", "How alike the rankings are", names, alike, -1.0 if lowest < 0 else 0.0),
        ]

    def reasons_shown(self) -> list[str]:
        """Why cells are dashes."""
        return list(dict.fromkeys(one.reason for one in self.undefined))
