"""What can happen to a campaign, and the record of it: entries that each contain the hash of the one before."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Literal

import msgspec

from karat.campaign.definition import Definition
from karat.campaign.judging_events import Assigned as Assigned
from karat.campaign.judging_events import BallotsImported as BallotsImported
from karat.campaign.judging_events import Event as Event
from karat.campaign.judging_events import Item as Item
from karat.campaign.judging_events import Judged as Judged
from karat.campaign.judging_events import JudgmentUndone as JudgmentUndone
from karat.campaign.judging_events import Remarked as Remarked
from karat.campaign.judging_events import Revealed as Revealed
from karat.campaign.judging_events import RoundSet as RoundSet
from karat.campaign.judging_events import Stage as Stage
from karat.campaign.judging_events import Summarised as Summarised
from karat.campaign.judging_events import Unassigned as Unassigned
from karat.campaign.promises import commitment_to as commitment_to
from karat.campaign.promises import drawing as drawing
from karat.campaign.promises import promise as promise
from karat.campaign.promises import tests_of as tests_of
from karat.campaign.sending import Area as Area
from karat.campaign.sending import Checked as Checked
from karat.campaign.sending import Scores as Scores
from karat.campaign.sending import Sent as Sent
from karat.errors import Problem

Role = Literal["organiser", "team", "assessor"]
RunState = Literal["scored", "awaiting judgment"]
Audience = Literal["teams", "public"]
"""Who gets results: each team its own, or everybody all of them."""
SCORED = {
    "3": "three-way",
    "2": "two-way",
    "questions": "by judgments",
    "nuggets": "by nuggets",
    "ratings": "by grades",
}
"""The ways in which runs are scored, in words."""
GENESIS = "0" * 64
"""Stands for the hash of the entry before the first."""


class Created(Event, frozen=True, kw_only=True, tag="created"):
    """The campaign was made."""

    definition: Definition
    files: dict[str, str]
    """The SHA-256 of every file that the definition names."""
    nonce: str
    """Kept secret until the key is released: without it, the key of a small test set could be guessed from its hash."""
    seed: str
    """Its first half draws the units of live boards; all of it hides the names of anonymous teams."""
    commitment: str
    example: bool = False


class Edited(Event, frozen=True, kw_only=True, tag="edited"):
    """The definition was changed."""

    definition: Definition
    files: dict[str, str]
    commitment: str
    reason: str


class Invited(Event, frozen=True, kw_only=True, tag="invited"):
    """A one-time link was made."""

    role: Role
    name: str
    expires: datetime


class InvitationEnded(Event, frozen=True, kw_only=True, tag="invitation ended"):
    """A link was ended before anybody used it."""

    role: str
    """What the link was for: a role, or a new password."""
    name: str


class Joined(Event, frozen=True, kw_only=True, tag="joined"):
    """An account takes part."""

    account: str
    role: Role
    team: str | None
    person: str
    contact: str = ""


class Signed(Event, frozen=True, kw_only=True, tag="signed"):
    """The agreement was accepted by typing a name, or was signed on paper."""

    account: str
    person: str
    agreement: str
    """The SHA-256 of the text that was accepted."""
    on_paper: bool = False


class TokenIssued(Event, frozen=True, kw_only=True, tag="token issued"):
    """A token for programs was made; the token itself is stored nowhere."""

    account: str
    fingerprint: str


class TokenRevoked(Event, frozen=True, kw_only=True, tag="token revoked"):
    """A token no longer works."""

    account: str
    fingerprint: str


class Extended(Event, frozen=True, kw_only=True, tag="extended"):
    """One team has more time."""

    team: str
    until: datetime
    reason: str


class RunReceived(Event, frozen=True, kw_only=True, tag="run received"):
    """A run was accepted."""

    id: str
    team: str
    account: str
    number: int
    sent: Sent
    state: RunState
    scores: Scores
    """Empty until people have judged."""
    answers: str
    """A hash of the two-way answers, by which a run is recognised as the fold of another."""
    warnings: tuple[Problem, ...] = ()
    replaces: str | None = None
    late: bool = False


class RunRefused(Event, frozen=True, kw_only=True, tag="run refused"):
    """A file was not accepted; it is kept, so that the organisers can help."""

    team: str
    account: str
    sent: Sent
    problems: tuple[Problem, ...]
    """The first ones."""
    count: int


class RunWithdrawn(Event, frozen=True, kw_only=True, tag="run withdrawn"):
    """A team took a run back; it stays in the record."""

    id: str
    reason: str


class PrimaryChosen(Event, frozen=True, kw_only=True, tag="primary chosen"):
    """A team says which of its runs is its official one."""

    team: str
    task: str
    number: int
    """The number of the run: what replaces it is primary too."""


class ReportReceived(Event, frozen=True, kw_only=True, tag="report received"):
    """A team sent the paper about its system; it replaces the one before."""

    team: str
    account: str
    file: str
    sha256: str
    size: int


class Rekeyed(Event, frozen=True, kw_only=True, tag="rekeyed"):
    """Some test sets have a new key, or some tasks new judgments, by which every run was scored again."""

    files: dict[str, str] = msgspec.field(default_factory=dict)
    """The new content of these test sets, by the name of their file."""
    judgments: dict[str, dict[str, str]] = msgspec.field(default_factory=dict)
    """New files of judgments of the answers of all runs, such as verdicts or matches, by task."""
    commitment: str
    reason: str
    scores: dict[str, Scores]
    """The new scores of every scored run of their tasks, by its id."""


class Released(Event, frozen=True, kw_only=True, tag="released"):
    """Results were shown to the teams or to everybody."""

    to: Audience


class Mailed(Event, frozen=True, kw_only=True, tag="mailed"):
    """Messages were sent, or written to the outbox."""

    subject: str
    teams: tuple[str, ...]


Happened = (
    Created
    | Edited
    | Invited
    | InvitationEnded
    | Joined
    | Signed
    | TokenIssued
    | TokenRevoked
    | Extended
    | RunReceived
    | RunRefused
    | RunWithdrawn
    | PrimaryChosen
    | ReportReceived
    | Rekeyed
    | Released
    | Mailed
    | Assigned
    | Unassigned
    | Judged
    | BallotsImported
    | JudgmentUndone
    | RoundSet
    | Revealed
    | Remarked
    | Summarised
)


def files_of(event: Event) -> Iterable[str]:
    """The files that an event names, by their SHA-256."""
    match event:
        case Created() | Edited():
            return event.files.values()
        case Rekeyed():
            return (*event.files.values(), *(one for files in event.judgments.values() for one in files.values()))
        case RunReceived() | RunRefused():
            return (event.sent.sha256,)
        case ReportReceived() | BallotsImported():
            return (event.sha256,)
    return ()


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the record."""

    sequence: int
    at: datetime
    actor: str
    event: Happened
    hash: str


def chained(before: str, sequence: int, at: datetime, actor: str, event: Event) -> Entry:
    """An entry that follows the one with the hash `before`."""
    return Entry(sequence=sequence, at=at, actor=actor, event=event, hash=_hash(before, sequence, at, actor, event))  # type: ignore[arg-type]


def _hash(before: str, sequence: int, at: datetime, actor: str, event: Event) -> str:
    content = msgspec.json.encode([before, sequence, at, actor, event], order="deterministic")
    return hashlib.sha256(content).hexdigest()


def linked(entries: Iterable[Entry]) -> Iterator[tuple[Entry, bool]]:
    """Each entry, and whether it follows from the one before."""
    before = GENESIS
    for number, entry in enumerate(entries, 1):
        content = (before, number, entry.at, entry.actor, entry.event)
        yield entry, entry.sequence == number and entry.hash == _hash(*content)
        before = entry.hash


def broken_at(entries: Iterable[Entry]) -> int | None:
    """The sequence number of the first entry that does not follow from the one before; None if all do."""
    return next((number for number, (_, follows) in enumerate(linked(entries), 1) if not follows), None)
