"""What a page of several results shows: its first screen with the leaderboard, its chapters, and every run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite
from typing import Annotated, Literal

from karat.arrays import DISPLAY_TOLERANCE
from karat.data.fields import Shown, Why, decimals, readable, span, written
from karat.data.result import Cell, Ends, Field, Finding, Result, Sheet, ends
from karat.errors import counted
from karat.labels import IN_WORDS


@dataclass(frozen=True)
class Chapter:
    """A result as part of another: its anchor on the page, and the question it answers as heading."""

    anchor: str
    heading: str
    result: Result
    about: str = ""
    """Whose runs it is about: elsewhere, a run of the same name is a different one."""
    note: str = ""
    """What a reader has to know first."""


@dataclass(frozen=True)
class Portrait:
    """One run, and everything the parts say about it."""

    run: str
    about: str
    """What the run answers."""
    findings: tuple[Finding, ...]
    sheets: tuple[Sheet, ...]


def runs_by_rank(chapters: Sequence[Chapter], portraits: Sequence[Portrait], about: str) -> tuple[str, ...]:
    """The runs on some units in the order of their first leaderboard, then those that are on none."""
    boards = [board for one in chapters if one.about == about and (board := one.result.board())]
    ranked = [entry.run for board in boards for entry in board.entries]
    return tuple(dict.fromkeys([*ranked, *(one.run for one in portraits if one.about == about)]))


Ranks = tuple[int, int]
"""The best and the worst rank that a run could hold."""
RANKS_MEAN = "possible ranks: below all runs that are significantly better, above all that are significantly worse"
SHOWN = 25
"""The entries of a leaderboard that are shown first."""


PLAIN = str.maketrans({"−": "-", ",": None})
"""From a number as it is shown to one that can be read."""


@dataclass(frozen=True)
class Baseline:
    """The best system that does not read its input."""

    name: str
    value: float


@dataclass(frozen=True)
class Entry:
    """One run on a leaderboard.

    Its best possible rank comes after all runs that are significantly better than it, and its worst before all that are
    significantly worse. If the tests control the familywise error rate, all these ranges hold at once at the level of
    the board.
    """

    run: str
    ranks: Annotated[Ranks, Shown("rank", note=RANKS_MEAN, form=span)]
    value: float
    interval: Ends
    difference: Annotated[float, Shown("vs leader"), Why("the run and the leader share no unit")]
    """Its value minus the leader's, on the units that both were scored on."""
    different: Annotated[
        bool | None, Shown("significantly different"), Why("it leads, or was not tested against the leader")
    ]
    """Whether it differs significantly from the leader."""
    flags: Annotated[tuple[str, ...], Shown(form=", ".join)] = ()
    """What a reader should know before believing the value, in two or three words each."""


@dataclass(frozen=True)
class Board:
    """Runs by their value, with the ranks they could hold, and how they compare with the leader."""

    measure: str
    way: Annotated[str | None, Why("scores and questions have no labels")]
    units: int
    unit: str
    level: float
    test: str
    """The test and its correction, in words."""
    leaders: tuple[str, ...]
    """The run with the highest value; several if they tie."""
    entries: tuple[Entry, ...]
    baseline: Annotated[Baseline | None, Why("no baseline applies")] = None
    left_out: int = 0
    """Runs that are not compared: too many, or not scored in this way. Ranks are among the others."""
    percent: bool = False
    """Whether people give the measure in per cent; the numbers here are shares all the same."""

    @property
    def heading(self) -> str:
        """The name of the measure."""
        return readable(self.measure)

    @property
    def plural(self) -> str:
        """Several of the units."""
        return self.unit if self.unit.endswith("s") else f"{self.unit}s"

    @cached_property
    def digits(self) -> int:
        """As many decimals as the intervals allow."""
        found = decimals((one.interval for one in self.entries), "%" * self.percent)
        return found or (1 if self.percent else 2)

    @cached_property
    def first(self) -> Entry:
        """The leader; of several, the first."""
        return next(one for one in self.entries if one.run in self.leaders)

    @cached_property
    def others(self) -> list[Entry]:
        """The entries that do not lead."""
        return [one for one in self.entries if one.run not in self.leaders]

    @property
    def better(self) -> list[str]:
        """The runs that are significantly better than the leader where both are scored."""
        return [one.run for one in self.entries if one.different and one.difference > 0]

    @property
    def not_separated(self) -> int:
        """How many entries from the top are not significantly different from the leader."""
        others = [place for place, one in enumerate(self.entries) if one.run not in self.leaders]
        return next((place for place in others if self.entries[place].different is not False), len(self.entries))

    @property
    def runs(self) -> list[str]:
        """The runs from the top."""
        return [one.run for one in self.entries]

    @property
    def named(self) -> list[str]:
        """The runs that a verdict may name.

        These are the leaders, the next, any that is better where both are scored, and one with an outcome of its own.
        """
        outcomes = ([one.run for one in self.others if one.different is outcome] for outcome in (False, True))
        alone = [runs[0] for runs in outcomes if len(runs) == 1]
        return list(dict.fromkeys([*self.leaders, *(one.run for one in self.others[:1]), *self.better, *alone]))

    @cached_property
    def _far_from_1(self) -> bool:
        """Whether the values are so large or so small that they are written in significant digits."""
        sizes = [abs(one.value) for one in self.entries if one.value]
        return not self.percent and bool(sizes) and not 1e-3 <= max(sizes) < 1e6

    def text(self, value: float, signed: bool = False) -> str:
        """A value in the digits of this board; a difference has its sign. The per cent sign is left to the heading."""
        if self._far_from_1 and value == value:
            return f"{value:{'+' * signed}.4g}".replace("-", "−")
        return written(100 * value if self.percent else value, self.digits, signed)

    def said(self, value: float) -> str:
        """A value in a sentence."""
        return self.text(value) + "%" * self.percent

    @cached_property
    def rounding(self) -> str:
        """A note if some difference, as it is shown, is not that of the two values as they are shown; else empty."""
        for one in self.entries:
            best = self.first.value
            exact = one.value - best
            if not isfinite(exact) or abs(one.difference - exact) > DISPLAY_TOLERANCE:
                continue  # on other units, or undefined
            here, first, apart = (float(self.text(each).translate(PLAIN)) for each in (one.value, best, exact))
            if abs(here - first - apart) > 0.1 * 10**-self.digits:
                return "Differences are computed before rounding."
        return ""

    def outcome(self, one: Entry) -> str:
        """How an entry compares with the leader, in two words."""
        if one.different is None:
            return "leader" if one.run in self.leaders else "not tested"
        return "not significant" if not one.different else "lower" if one.difference < 0 else "higher"

    @property
    def line(self) -> str:
        """What holds of the entries above the line; empty if there is none below it."""
        if not 0 < self.not_separated < len(self.entries):
            return ""
        below = self.entries[self.not_separated :]
        if self.not_separated == 1 and all(one.different and one.difference < 0 for one in below):
            return f"significantly better than every run below ({self.test})"
        further = sum(one.different is False for one in below)
        more = f", and {counted(further, 'run')} below {'is' if further == 1 else 'are'} not either" if further else ""
        leader = "the leader" if len(self.leaders) == 1 else "the leaders"
        return f"not significantly different from {leader} ({self.test}){more}"

    def first_sheet(self, narrow: bool = False) -> Sheet:
        """The first entries as a plain table, for output without a page; if narrow, a star says what a column would."""
        first = self.entries[:SHOWN]

        def value(one: Entry) -> Cell:
            return self.text(one.value) if self._far_from_1 else one.value

        def interval(one: Entry) -> Cell:
            return ends(one.interval if one.interval[0] == one.interval[0] else None)

        def behind(one: Entry) -> str:
            star = "*" * bool(narrow and one.different)
            return "—" + star if one.run in self.leaders else self.text(one.difference, True) + star

        way = f"{IN_WORDS[self.way]} " if self.way else ""
        stars = narrow and any(one.different for one in first)
        return Sheet.of(
            f"Ranking by {way}{self.heading}",
            first,
            Field("rank", lambda one: span(one.ranks)),
            "run",
            Field(self.heading, value, self.digits, unit="%" * self.percent),
            Field(f"{100 * self.level:g}% CI", interval, self.digits),
            Field("vs leader", behind),
            *([] if narrow else [Field("difference", self.outcome)]),
            "flags" * any(one.flags for one in first),
            notes=[*["* significantly different from the leader"] * stars, *self._notes()],
        )

    def _notes(self) -> Iterator[str]:
        if self.line:
            named = f"The first {self.not_separated:,} are" if self.not_separated > 1 else "The first is"
            yield f"{named} {self.line}."
        if self.baseline:
            yield f"The best baseline, {self.baseline.name}, scores {self.said(self.baseline.value)}."
        if self.rounding:
            yield self.rounding
        if len(self.entries) > SHOWN:
            yield f"The first {SHOWN} of {len(self.entries):,} runs; the sections have all of them."

    def sheet(self) -> Sheet:
        """The same as a table."""
        unit = "%" * self.percent
        value = Field(self.heading, "value", self.digits, unit=unit)
        interval = Field(f"{100 * self.level:g}% CI", "interval", self.digits, unit=unit)
        difference = Field("", "difference", self.digits, unit="points" * self.percent)
        way = f"{IN_WORDS[self.way]} " if self.way else ""
        title = f"{way}{self.heading}, {len(self.entries):,} runs on {self.units:,} {self.plural}"
        notes = [f"differences: {self.test}"] if self.test else []
        columns = "ranks run", value, interval, difference, "different flags"
        return Sheet.of(title, self.entries, *columns, notes=notes, sorted_by=self.heading)

    def flagged(self, flags: Mapping[str, tuple[str, ...]]) -> Board:
        """The same with flags by run."""
        return replace(self, entries=tuple(replace(one, flags=flags.get(one.run, ())) for one in self.entries))


Level = Literal["good", "caution", "bad", "unknown"]


@dataclass(frozen=True)
class Grade:
    """How far one part of an evaluation can be trusted: a word, the figures behind it, and the rule that grades."""

    part: str
    level: Level
    word: str
    text: str
    rule: str
    """The thresholds, and where they come from."""


@dataclass(frozen=True)
class View:
    """The runs in one way of scoring them: the verdict, what the test set can resolve, and the leaderboard."""

    verdict: str
    """Like the resolution a finding, which knows the names in it."""
    resolution: str
    board: Board


@dataclass(frozen=True)
class Graded:
    """A grade, and the section of the page that it summarises."""

    section: str
    grade: Grade
    way: str = ""
    """In which way runs are scored, if there is a grade of the same in the other way."""


@dataclass(frozen=True)
class Opening:
    """The first screen of a page."""

    facts: tuple[str, ...]
    views: tuple[View, ...]
    """The official way first; no view without runs."""
    grades: tuple[Graded, ...]
    attention: tuple[str, ...] = ()
    """Sections with a reason for caution, beside those that a grade which is not good links to."""

    def in_words(self) -> list[tuple[str, View | None, list[Graded]]]:
        """The verdict, view and grades of each way, the official one first; verdicts in other ways say the way.

        Grades that hold for all ways come with the first.
        """
        first, *others = self.views or (None,)
        official = {"", first.board.way if first else ""}
        made = [(first.verdict if first else "", first, [one for one in self.grades if one.way in official])]
        for view in others:
            said = f"{IN_WORDS[view.board.way or ''].capitalize()}: {view.verdict}"
            made.append((said, view, [one for one in self.grades if one.way == view.board.way]))
        return made
