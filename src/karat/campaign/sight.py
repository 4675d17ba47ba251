"""Who sees what: one function decides what somebody gets to see of a campaign at a moment; every door asks it."""

from __future__ import annotations

import hashlib
import hmac
import re
from datetime import datetime
from typing import Literal

import msgspec
from msgspec.structs import replace

from karat.campaign.dates import exact, faces, remaining
from karat.campaign.events import Role
from karat.campaign.refusing import refuse
from karat.campaign.state import WHOLE_SECOND, Campaign, Member, Run

WITH_DATA = ("data", "open", "grace", "closed")
"""The phases in which teams can get the blind test set."""
TAKING_RUNS = ("open", "grace")
ALIAS_DIGITS = 10
"""Of each alias: so many that no two of 1,000 teams share one (a chance of one in two million)."""
ALIAS = re.compile(f"team-[0-9a-f]{{{ALIAS_DIGITS}}}")
"""What no team can be called."""
Eyes = Role | Literal["public"]
ROLES: tuple[Eyes, ...] = ("organiser", "team", "assessor", "public")


class Sight(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody can see and do."""

    data: bool = False
    """The test set without its key."""
    submit: bool = False
    report: bool = False
    """Send a system report."""
    own_runs: bool = False
    live: bool = False
    """The scores of all runs on the public share of the units."""
    own_scores: bool = False
    all_runs: bool = False
    scores: bool = False
    """The scores of all runs."""
    key: bool = False
    names: bool = False
    """Which team is behind a run of others."""
    judge: bool = False
    """Judge what one was given, and see what became of it."""
    manage: bool = False

    @property
    def official(self) -> bool:
        """Whether any official scores are seen, of one's own runs or of all, and with them why the key was replaced."""
        return self.scores or self.own_scores

    @property
    def others(self) -> bool:
        """Whether anything of other teams is seen."""
        return self.live or self.scores or self.all_runs

    @property
    def anything(self) -> bool:
        """Whether there is anything to see at all."""
        return any(getattr(self, name) for name in self.__struct_fields__ if name != "names")


def sight(state: Campaign, role: Eyes, now: datetime, team: str | None = None, signed: bool = True) -> Sight:
    """What somebody with a role sees now; a team has its own deadline, and sees little before it has signed."""
    shown = sees_all(state, now)
    if role == "organiser":
        everything = Sight(data=True, all_runs=True, scores=True, key=True, names=True, judge=True, manage=True)
        return replace(everything, live=shares(state))
    if role != "team":
        return replace(shown, judge=role == "assessor" and signed)
    phase, definition = state.phase(now, team), state.definition
    due = definition.dates.reports
    return Sight(
        data=shown.data or (signed and phase in WITH_DATA),
        submit=signed and (phase in TAKING_RUNS or (phase == "closed" and definition.practice)),
        report=phase in (*TAKING_RUNS, "closed") and (due is None or now < due + WHOLE_SECOND),
        own_runs=True,
        live=signed and shares(state) and phase in (*TAKING_RUNS, "closed"),
        own_scores=bool(state.released),
        all_runs=shown.all_runs,
        scores=shown.scores,
        key=shown.key or (signed and "teams" in state.released and definition.key_with_results),
        names=shown.names,
    )


def sees_all(state: Campaign, now: datetime) -> Sight:
    """What everybody sees."""
    public = "public" in state.released
    return Sight(data=public, all_runs=public, scores=public, key=public, names=public and named(state, now))


def named(state: Campaign, now: datetime) -> bool:
    """Whether the date has passed until which teams are anonymous."""
    until = state.definition.dates.names
    return until is None or now >= until


def shares(state: Campaign) -> bool:
    """Whether a task has a live board."""
    return any(task.public_share for task in state.definition.tasks)


def alias(state: Campaign, team: str) -> str:
    """What a team is called while it is anonymous; nobody can find its name from this without the seed."""
    return "team-" + hmac.new(bytes.fromhex(state.seed), team.encode(), hashlib.sha256).hexdigest()[:ALIAS_DIGITS]


def seen_as(state: Campaign, team: str, seeing: Sight, own: str | None = None) -> str:
    """The name under which somebody sees a team; a team knows itself."""
    return team if seeing.names or team == own else alias(state, team)


def check_data(state: Campaign, member: Member, now: datetime) -> None:
    """Refuse the blind set to those who cannot have it yet."""
    if sight(state, member.role, now, member.team, state.has_signed(member)).data:
        return
    if member.role != "team":
        what = "the account of a team"
        raise refuse("not-allowed", f"the account of an {member.role}", what=what, fix="use the token of a team")
    if not state.has_signed(member):
        raise refuse("not-signed", f"{member.account} has not accepted the agreement")
    dates = state.definition.dates
    what = f"a request from {exact(dates.data or dates.opens)} on"
    raise refuse("not-allowed", f"a request at {exact(now)}", what=what, fix="ask again then")


def runs_for(state: Campaign, member: Member, task: str | None = None) -> list[Run]:
    """The runs that an account sees, replaced and withdrawn ones too: its team's, or all for an organiser."""
    return [
        run
        for run in state.runs.values()
        if task in (None, run.received.sent.task)
        and (member.role == "organiser" or (member.team is not None and run.received.team == member.team))
    ]


def sees_score(seeing: Sight, run: Run) -> bool:
    """Whether somebody who sees a run sees its score.

    Without the key, a team sees only what counts: the score of a run that differs in one answer would tell it a label.
    """
    counts = run.status == "active" and run.received.sent.area == "official"
    return seeing.manage or (seeing.own_scores and (seeing.key or counts))


def state_seen(state: Campaign, seeing: Sight, run: Run) -> str:
    """How far a run is, as somebody is told: whether people have judged it by now is seen with its score.

    Also of a run that is scored when it comes in, since people have judged the same answers of others.
    """
    if run.status != "active":
        return run.status
    seen = seeing.scores or sees_score(seeing, run) or not state.definition.task(run.received.sent.task).asks
    return run.state if seen else "awaiting judgment"


def sights(state: Campaign, now: datetime) -> dict[Eyes, Sight]:
    """What each role can see or do now; a team that has accepted the agreement."""
    return {role: sight(state, role, now) for role in ROLES}


def shown_dates(state: Campaign, now: datetime, team: str | None = None) -> dict[str, dict[str, object] | None]:
    """Every date, to the microsecond, in the zones that matter, and how far away it is; null where none is set."""
    dates = state.definition.dates
    moments = {name: getattr(dates, name) for name in dates.__struct_fields__} | {"closes": state.deadline(team)}
    return {
        name: None
        if moment is None
        else {"at": exact(moment), "faces": faces(moment, state.definition.clock), "in": remaining(moment, now)}
        for name, moment in moments.items()
    }
