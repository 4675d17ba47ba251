"""What people can ask of the judging of a task."""

from __future__ import annotations

import msgspec

from karat.campaign.commands import Command
from karat.campaign.events import Item, Stage
from karat.campaign.judging.asking import Ask


class JudgingCommand(Command, frozen=True, kw_only=True):
    """Something that is asked of the judging of a task."""

    task: str


class Assign(JudgingCommand, frozen=True, kw_only=True):
    """Give units to assessors."""

    stage: Stage
    units: tuple[str, ...] = ()
    assessors: tuple[str, ...]
    per_unit: int
    shared: bool = False
    runs: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    repeats: int = 0
    planted: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    """With these, assessors who have not tried before qualify first."""
    as_judged: bool = False


class Reassign(JudgingCommand, frozen=True, kw_only=True):
    """Take the open units of one assessor, and give them to others, if any are named."""

    stage: Stage
    assessor: str
    to: tuple[str, ...] = ()
    reason: str


class Judge(JudgingCommand, frozen=True, kw_only=True):
    """Judge something, or change a judgment."""

    id: str
    account: str
    item: Item
    asks: tuple[Ask, ...] | None
    """What was asked; None if nobody can tell, since the files are not at hand."""
    wrong: tuple[tuple[str, str], ...] = ()
    """What the files say against the answers, and what was expected."""
    values: dict[str, str]
    skipped: str = ""
    comment: str = ""
    guidelines: int = 0
    seconds: float | None = None
    """How long it was in sight, if that is known."""
    expected: str = ""
    suggested: str = ""
    program: str = ""
    instead_of: str | None = None
    """The id of what the assessor did last about it, as far as their page knew; None replaces whatever there is."""


class Undo(JudgingCommand, frozen=True, kw_only=True):
    """Take a judgment back."""

    id: str
    account: str
    item: Item
    instead_of: str | None = None


class SetRound(JudgingCommand, frozen=True, kw_only=True):
    """Close a round, or open it again."""

    stage: Stage
    open: bool
    reason: str = ""


class Reveal(JudgingCommand, frozen=True, kw_only=True):
    """Show the votes of the norming round to those who voted."""


class Remark(JudgingCommand, frozen=True, kw_only=True):
    """Say something about a unit of the norming round."""

    unit: str
    account: str
    text: str


class Summarise(JudgingCommand, frozen=True, kw_only=True):
    """Write a closing summary."""

    account: str
    text: str


class Brought(msgspec.Struct, frozen=True, kw_only=True):
    """One judgment of a file, with its line."""

    line: int | None
    account: str
    item: Item
    values: dict[str, str]
    skipped: str = ""
    comment: str = ""
    guidelines: int = 0
    seconds: float | None = None
    suggested: str = ""
    program: str = ""


class ImportBallots(JudgingCommand, frozen=True, kw_only=True):
    """Bring in judgments that were given elsewhere."""

    file: str
    sha256: str
    ballots: tuple[Brought, ...]
