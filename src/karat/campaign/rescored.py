"""What a new key changes: labels, scores, places, who passes whom, and what the tests say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from karat.campaign.events import SCORED
from karat.data.composite import RANKS_MEAN, Ranks
from karat.data.fields import Shown, Why, readable, span
from karat.data.result import Finding, Result, Sheet, headline
from karat.studies.wording import counted, in_points, listed, said

NO_LABEL = "none"
MOST_SAID = 5
"""The sentences of one kind about one task; the tables have the rest."""
MOST_SHOWN = 100
"""The pairs of runs in a table: of a thousand runs there are half a million."""
WAYS = {
    "3": f"scored {SCORED['3']}",
    "2": f"scored {SCORED['2']}",
    "series": "series of questions",
    "factoid": "factoid questions",
    "list": "list questions",
    "other": "other questions",
}
CAUTION = (
    "a changed verdict is not a test of the change; close to the significance level, a few labels can tip it either way"
)
UNSCORED = Why("nothing that counts has a label, or not every answer is judged")
UNTESTED = Why("only two to a thousand runs are tested against each other")


@dataclass(frozen=True)
class View:
    """A task in one way of scoring."""

    task: str
    way: str
    measure: str
    """By which runs are ranked."""
    units: int
    """Pairs, or answers that were judged."""
    old_units: int
    """Those by which runs were scored."""
    new_units: int
    live: int
    """Labels that change on the live board, where they do not count."""
    old_test: Annotated[str | None, UNTESTED]
    new_test: Annotated[str | None, UNTESTED]

    @property
    def name(self) -> str:
        """In a sentence."""
        return f"{self.task}, {WAYS[self.way]}"

    @property
    def unit(self) -> str:
        """What has a label or a verdict."""
        return "pair" if self.way in ("2", "3") else "answer"

    @property
    def label(self) -> str:
        """What a unit has."""
        return "label" if self.way in ("2", "3") else "verdict"

    @property
    def tests(self) -> str:
        """The tests of the differences, of which both keys usually need the same."""
        return "; by the new key, ".join(test for test in dict.fromkeys([self.old_test, self.new_test]) if test)


@dataclass(frozen=True)
class ChangedLabel:
    """How many units change from one label, or verdict, to another."""

    task: str
    way: str
    old: Annotated[str, Shown("from")]
    new: Annotated[str, Shown("to")]
    units: int


@dataclass(frozen=True)
class RescoredRun:
    """A run with its scores by both keys."""

    task: str
    way: str
    run: str
    old: Annotated[float, Shown("key {it.old_version}", unit="%"), UNSCORED]
    new: Annotated[float, Shown("key {it.new_version}", unit="%"), UNSCORED]
    change: Annotated[float, Shown(unit="points"), UNSCORED]
    old_place: Annotated[int | None, Shown("place by key {it.old_version}"), UNSCORED]
    new_place: Annotated[int | None, Shown("place by key {it.new_version}"), UNSCORED]
    old_ranks: Annotated[Ranks | None, Shown("ranks by key {it.old_version}", note=RANKS_MEAN, form=span), UNTESTED]
    new_ranks: Annotated[Ranks | None, Shown("ranks by key {it.new_version}", form=span), UNTESTED]


@dataclass(frozen=True)
class Overtaking:
    """A run that passes another; differences are its score minus that of the other."""

    task: str
    way: str
    run: str
    passed: Annotated[str, Shown("passes")]
    old: Annotated[float, Shown("by key {it.old_version}", unit="points")]
    new: Annotated[float, Shown("by key {it.new_version}", unit="points")]
    verdict: Annotated[str, Shown("now")]
    """What the test says of it by the new key."""


@dataclass(frozen=True)
class ChangedVerdict:
    """Two runs of which the test says something else now; verdicts are about the first."""

    task: str
    way: str
    a: Annotated[str, Shown("run a")]
    b: Annotated[str, Shown("run b")]
    old: Annotated[float, Shown("a − b, key {it.old_version}", unit="points"), UNSCORED]
    new: Annotated[float, Shown("a − b, key {it.new_version}", unit="points"), UNSCORED]
    old_verdict: Annotated[str, Shown("a by key {it.old_version}")]
    new_verdict: Annotated[str, Shown("a by key {it.new_version}")]


@dataclass(frozen=True, kw_only=True)
class Rescoring(Result):
    """What a new key changes, by task and way of scoring; only runs that count are in it."""

    old_version: int
    new_version: int
    """The same if no label changes."""
    views: list[View]
    labels: list[ChangedLabel]
    runs: list[RescoredRun]
    passes: list[Overtaking]
    verdicts: list[ChangedVerdict]

    @property
    def heading(self) -> str:
        """The heading of a page."""
        return f"Key version {self.new_version} instead of {self.old_version}"

    @property
    def moved(self) -> list[RescoredRun]:
        """The runs that get another place."""
        return [run for run in self.runs if run.old_place != run.new_place]

    def make_sheets(self) -> list[Sheet]:
        """For each task and way: the labels that change, the runs, who passes whom, changed verdicts."""
        return [sheet for view in self.views for sheet in self._sheets(view)]

    def _sheets(self, view: View) -> Iterator[Sheet]:
        def of(rows: Sequence[Any], title: str, columns: str, *notes: str) -> Iterator[Sheet]:
            rows = of_view(rows, view)
            first = rows if rows and isinstance(rows[0], RescoredRun) else rows[:MOST_SHOWN]
            few = [f"the first {len(first):,} of {len(rows):,}; JSON lists all"] if len(first) < len(rows) else []
            if first:
                yield self.sheet(f"{view.name}: {title}", first, columns, notes=[*few, *notes])

        tested = [f"test: {view.tests}"] if view.tests else []
        yield from of(self.labels, f"{view.label}s that change", "old new units")
        scores = "run old new change old_place new_place" + " old_ranks new_ranks" * bool(tested)
        yield from of(self.runs, readable(view.measure), scores, "runs with the same score share a place", *tested)
        yield from of(self.passes, "runs that pass others", "run passed old new verdict", *tested)
        columns = "a b old new old_verdict new_verdict"
        yield from of(self.verdicts, "differences whose verdict changes", columns, CAUTION, *tested)

    def findings(self) -> list[Finding]:
        """What an organiser should know before the key is replaced."""
        return [one for view in self.views for kind in SENTENCES for one in kind(self, view)]


def of_view(rows: Iterable[Any], view: View) -> list[Any]:
    """The rows about one task and way."""
    return [row for row in rows if (row.task, row.way) == (view.task, view.way)]


def _labels(result: Rescoring, view: View) -> Iterator[Finding]:
    """How many labels change, and how many pairs are no longer scored, or newly."""
    changed = of_view(result.labels, view)
    if view.live:
        change = "label changes" if view.live == 1 else "labels change"
        yield headline(f"{view.name}: {view.live:,} {change} on the live board, where they do not count.")
    if not changed:
        yield headline(f"{view.name}: no {view.label} changes.")
        return
    gone, come = (sum(one.units for one in changed if getattr(one, end) == NO_LABEL) for end in ("new", "old"))
    other = sum(one.units for one in changed) - gone - come
    get = "gets" if other == 1 else "get"
    parts = [f"{other:,} of {counted(view.units, view.unit)} {get} another {view.label}"] if other else []
    parts += [f"{counted(gone, f'{view.unit} is', f'{view.unit}s are')} no longer scored"] if gone else []
    parts += [f"{counted(come, f'{view.unit} is', f'{view.unit}s are')} scored for the first time"] if come else []
    yield headline(f"{view.name}: {listed(parts)}.")


def _places(result: Rescoring, view: View) -> Iterator[Finding]:
    """How many runs move to another place, and whether others are first."""
    rows, moved = of_view(result.runs, view), of_view(result.moved, view)
    if not rows:
        return
    if not moved:
        yield headline(f"{view.name}: every run keeps its place.")
        return
    first, before = ([row.run for row in rows if getattr(row, place) == 1] for place in ("new_place", "old_place"))
    others = ""
    if set(first) != set(before) and first and before:
        verb = "has" if len(first) == 1 else "share"
        others = f"; {listed(first)} {verb} the highest {readable(view.measure)}, which {listed(before)} had before"
    move = "moves" if len(moved) == 1 else "move"
    told = f"{len(moved):,} of {counted(len(rows), 'run')} {move} to another place{others}"
    yield headline(f"{view.name}: {told}.", first)


def _passes(result: Rescoring, view: View) -> Iterator[Finding]:
    """Who passes whom, which is about the order of their scores alone, and what the test says."""
    rows, scores = of_view(result.passes, view), {row.run: row.new for row in of_view(result.runs, view)}
    for one in rows[:MOST_SAID]:
        values = f"{said(view.measure, scores[one.run])} against {said(view.measure, scores[one.passed])}"
        what = f"it is {one.verdict}" if one.verdict.startswith("significantly") else f"they are {one.verdict}"
        what = "they were not tested" if one.verdict == "not tested" else what
        yield Finding(f"{view.name}: {one.run} passes {one.passed}, with {values}; {what}.", [one.run, one.passed])
    yield from _more(view, len(rows), "pair of runs changes its order", "pairs of runs change their order")


def _verdicts(result: Rescoring, view: View) -> Iterator[Finding]:
    """What the test says now of differences of which it said something else."""
    rows = of_view(result.verdicts, view)
    for one in rows[:MOST_SAID]:
        points = f"{in_points(view.measure, abs(one.old))} before, {in_points(view.measure, abs(one.new))} now"
        now, before = (verdict.startswith("significantly") for verdict in (one.new_verdict, one.old_verdict))
        what = "is no longer significant" if before and not now else "becomes significant"
        if now and before:
            what = "changes sign, and is significant both times"
        elif not now and not before:
            what = f"is {one.new_verdict} now, and was {one.old_verdict} before"
        pair = f"the difference between {one.a} and {one.b}"
        yield Finding(f"{view.name}: {pair} {what} ({points}).", [one.a, one.b])
    yield from _more(view, len(rows), "verdict changes", "verdicts change")
    if rows:
        yield Finding(f"{view.name}: {CAUTION}.")


def _tests(result: Rescoring, view: View) -> Iterator[Finding]:
    """What decides on significance."""
    if view.new_test and (of_view(result.passes, view) or of_view(result.verdicts, view)):
        yield Finding(f"{view.name}: differences are tested with the {view.tests}.")


def _more(view: View, count: int, one: str, many: str) -> Iterator[Finding]:
    if (more := count - MOST_SAID) > 0:
        yield Finding(f"{view.name}: {counted(more, f'more {one}', f'more {many}')}.")


SENTENCES: tuple[Callable[[Rescoring, View], Iterator[Finding]], ...] = (_labels, _places, _passes, _verdicts, _tests)
