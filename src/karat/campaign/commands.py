"""What people can ask a campaign to do."""

from __future__ import annotations

from datetime import datetime

import msgspec

from karat.campaign.definition import Definition
from karat.campaign.events import Audience, Checked, Role, Scores, Sent


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """Something that somebody wants to happen."""


class Create(Command, frozen=True, kw_only=True):
    """Make a campaign."""

    definition: Definition
    files: dict[str, str]
    example: bool = False


class Edit(Command, frozen=True, kw_only=True):
    """Change the definition."""

    definition: Definition
    files: dict[str, str]
    reason: str


class Invite(Command, frozen=True, kw_only=True):
    """Make a one-time link."""

    role: Role
    name: str


class EndInvitation(Command, frozen=True, kw_only=True):
    """End a link that nobody has used."""

    role: str
    name: str


class Join(Command, frozen=True, kw_only=True):
    """Add an account to the campaign; `signed` names who accepted the agreement, on paper or by typing their name."""

    account: str
    role: Role
    team: str | None = None
    person: str
    contact: str = ""
    signed: str = ""
    on_paper: bool = True


class Sign(Command, frozen=True, kw_only=True):
    """Accept the agreement."""

    account: str
    person: str


class IssueToken(Command, frozen=True, kw_only=True):
    """Record a token for programs."""

    account: str
    fingerprint: str


class RevokeToken(Command, frozen=True, kw_only=True):
    """End a token."""

    account: str
    fingerprint: str


class Extend(Command, frozen=True, kw_only=True):
    """Give one team more time."""

    team: str
    until: datetime
    reason: str


class Submit(Command, frozen=True, kw_only=True):
    """Hand in a run that has been checked and scored."""

    account: str
    sent: Sent
    checked: Checked
    key: str
    """The SHA-256 of the test set with which it was scored."""
    instead_of: str | None = None
    """The run that the sender saw under this number; empty for none, None if the sender did not look."""


class Withdraw(Command, frozen=True, kw_only=True):
    """Take a run back."""

    account: str
    id: str
    reason: str = ""


class ChoosePrimary(Command, frozen=True, kw_only=True):
    """Choose the official run of a team."""

    account: str
    task: str
    number: int


class SendReport(Command, frozen=True, kw_only=True):
    """Hand in the paper about a system."""

    account: str
    file: str
    sha256: str
    size: int
    received: datetime


class Rekey(Command, frozen=True, kw_only=True):
    """Replace the key of some test sets, or the judgments of some tasks, with every run scored again."""

    files: dict[str, str] = {}
    """The new content of the test sets that change, by the name of their file."""
    judgments: dict[str, dict[str, str]] = {}
    """New files of judgments of the answers of all runs, such as verdicts or matches, by task."""
    scores: dict[str, Scores]
    """The new scores of every scored run of their tasks, by its id."""
    reason: str


class Release(Command, frozen=True, kw_only=True):
    """Show results: to each team its own, or to everybody all of them."""

    to: Audience


class NoteMail(Command, frozen=True, kw_only=True):
    """Record that messages were sent."""

    subject: str
    teams: tuple[str, ...]
