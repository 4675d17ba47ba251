"""What can happen to the judging of a task."""

from __future__ import annotations

from typing import Literal

import msgspec

Stage = Literal[
    "qualification",
    "norming",
    "labels",
    "planted",
    "adjudication",
    "ratings",
    "lists",
    "nuggets",
    "matches",
    "citations",
    "quality",
    "preferences",
    "parts",
    "development",
]
"""What a judgment is for. Of pairs: labels of examples before one begins, votes that are discussed, labels, labels of
examples among them, the decision where labels differ, ratings of justifications. Of answers: labels (verdicts) and
decisions, lists of distinct answers, lists of nuggets, nuggets in a response, support by what it cites, its content and
organisation, the better of two. Beside them: the parts of a pair, and new questions."""


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event"):
    """Something that has happened."""


class Assigned(Event, frozen=True, kw_only=True, tag="assigned"):
    """Units were given to assessors to judge; who gets which follows from the campaign's seed."""

    task: str
    stage: Stage
    units: tuple[str, ...]
    """Empty for adjudication, which is about the units whose labels differ."""
    assessors: tuple[str, ...]
    per_unit: int
    """How many of the assessors judge each unit."""
    shared: bool = False
    """Whether units wait for whoever comes first, instead of being dealt out."""
    runs: dict[str, tuple[str, ...]] = {}
    """The runs that are judged one by one, by unit; none where a unit is judged for all of them together."""
    repeats: int = 0
    """How many of their units assessors judge twice, to see whether they agree with themselves."""
    planted: tuple[str, ...] = ()
    """Examples with known labels that everybody gets among the units."""
    as_judged: bool = False
    """Whether two runs that are compared stand as they are named: they were judged like that elsewhere."""


class Unassigned(Event, frozen=True, kw_only=True, tag="unassigned"):
    """Units that an assessor had not judged were taken back."""

    task: str
    stage: Stage
    assessor: str
    units: tuple[str, ...]
    reason: str


class Item(msgspec.Struct, frozen=True, order=True, cache_hash=True, gc=False):
    """One thing to judge."""

    stage: Stage
    unit: str
    run: str = ""
    """The run whose answer is judged; two with a plus between them, the left one first, if they are compared."""
    copy: int = 1
    """2 for a repeated unit, and for a vote after the discussion; the number of the attempt to qualify."""
    entry: str = ""
    """One entry of the list that the item asks for, such as a nugget; empty for the item itself."""

    @property
    def whole(self) -> Item:
        """The item that an entry belongs to."""
        return msgspec.structs.replace(self, entry="") if self.entry else self


class Judged(Event, frozen=True, kw_only=True, tag="judged", gc=False):
    """An assessor judged something, or changed the judgment."""

    id: str
    """Made by the assessor's browser or program: what is sent twice is stored once."""
    task: str
    item: Item
    assessor: str
    values: dict[str, str]
    """Empty if it was skipped."""
    skipped: str = ""
    """Why it was skipped."""
    comment: str = ""
    guidelines: int = 0
    """The version of the guidelines that the assessor had."""
    seconds: float | None = None
    """From when it was shown until it was judged."""
    expected: str = ""
    """The known label of an example."""
    suggested: str = ""
    """What the assessor was shown as a suggestion, and where it came from."""
    cleared: dict[str, str] = {}
    """Values of the judgment before that are no longer asked for."""
    program: str = ""
    """The program that judged, with its model, prompt and parameters; empty for people."""
    imported: str = ""
    """The SHA-256 of the file that it came in, if it was not given here: nobody knows when it was."""


class BallotsImported(Event, frozen=True, kw_only=True, tag="ballots imported"):
    """Judgments that were given elsewhere were brought in; they follow in the record, one by one."""

    task: str
    file: str
    sha256: str
    count: int


class JudgmentUndone(Event, frozen=True, kw_only=True, tag="judgment undone"):
    """An assessor took a judgment back; the one before it holds again, if there was one."""

    id: str
    task: str
    item: Item
    assessor: str


class RoundSet(Event, frozen=True, kw_only=True, tag="round set"):
    """A round of judging was closed, or opened again."""

    task: str
    stage: Stage
    open: bool
    reason: str


class Revealed(Event, frozen=True, kw_only=True, tag="revealed"):
    """The votes of a norming round were shown to those who voted; they can no longer be changed."""

    task: str


class Remarked(Event, frozen=True, kw_only=True, tag="remarked"):
    """Somebody said something about a unit of a norming round."""

    task: str
    unit: str
    account: str
    text: str


class Summarised(Event, frozen=True, kw_only=True, tag="summarised"):
    """An assessor wrote a closing summary."""

    task: str
    assessor: str
    text: str
