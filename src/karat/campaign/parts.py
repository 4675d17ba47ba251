"""What the state of a campaign is made of: members, teams, runs and versions of the key."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Literal

import msgspec

from karat.campaign.events import ReportReceived, Role, RunReceived, RunState, Scores


class Signature(msgspec.Struct, frozen=True, kw_only=True):
    """An agreement accepted."""

    person: str
    at: datetime
    agreement: str
    on_paper: bool


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """An account in a campaign."""

    account: str
    role: Role
    team: str | None
    person: str
    contact: str
    joined: datetime
    signature: Signature | None = None


class Team(msgspec.Struct, frozen=True, kw_only=True):
    """What a team has beside its members and runs."""

    name: str
    until: datetime | None = None
    """Its own deadline."""
    primary: dict[str, int] = {}
    """The number of the run that it chose, by task."""
    report: ReportReceived | None = None
    """The paper about its system."""


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """A run and what became of it."""

    received: RunReceived
    scores: Scores
    """By the newest key; empty until people have judged."""
    state: RunState
    status: Literal["active", "replaced", "withdrawn"] = "active"

    @property
    def name(self) -> str:
        """Its name in tables."""
        return f"{self.received.team}-{self.received.number}"


SCORED_BY = {
    "questions": ("verdicts", "nuggets", "matches"),
    "nuggets": ("nuggets", "matches"),
    "ratings": ("quality",),
}
"""The files of judgments by which the answers of runs are scored, by the kind of the task."""


class KeyVersion(msgspec.Struct, frozen=True, kw_only=True):
    """A key that the campaign has had."""

    at: datetime
    commitment: str
    reason: str
    """Why it replaced the one before; empty for the first."""
    tests: dict[str, str]
    """The SHA-256 of the test set of each task, key included."""
    judgments: dict[str, dict[str, str]] = {}
    """The SHA-256 of each file of judgments, by task."""

    def judged_since(self, former: KeyVersion) -> list[str]:
        """The tasks whose judgments are other ones than those of a former version, or their first."""
        return [task for task, files in self.judgments.items() if former.judgments.get(task) != files]


def active(among: Iterable[Run], task: str | None, area: str) -> list[Run]:
    """Those of some runs that count, by task, team and number."""
    found = [
        run
        for run in among
        if run.status == "active" and run.received.sent.area == area and task in (None, run.received.sent.task)
    ]
    return sorted(found, key=lambda run: (run.received.sent.task, run.received.team, run.received.number))
