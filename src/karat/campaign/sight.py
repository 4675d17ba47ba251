"""Who sees what: one place decides what an account gets to see of a campaign at a moment."""

from __future__ import annotations

from datetime import datetime

from karat.campaign.dates import exact, faces, remaining
from karat.campaign.events import Role
from karat.campaign.rules import refuse
from karat.campaign.state import Campaign, Member, Run

WITH_DATA = ("data", "open", "grace", "closed")
"""The phases in which teams can get the blind test set."""
TAKING_RUNS = ("open", "grace")


def check_data(state: Campaign, member: Member, now: datetime) -> None:
    """Refuse the blind set to those who cannot have it yet."""
    if member.role == "organiser":
        return
    if member.role != "team":
        what = "the account of a team"
        raise refuse("not-allowed", f"the account of an {member.role}", what=what, fix="use the token of a team")
    if not state.has_signed(member):
        raise refuse("not-signed", f"{member.account} has not accepted the agreement")
    if state.phase(now, member.team) not in WITH_DATA:
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


def sees_scores(member: Member) -> bool:
    """Whether an account sees scores; teams do when their results are released."""
    return member.role == "organiser"


def sight(state: Campaign, now: datetime) -> dict[Role, dict[str, bool]]:
    """What each role can see or do now, a team that has accepted the agreement."""
    phase = state.phase(now)
    team = {
        "data": phase in WITH_DATA,
        "submit": phase in TAKING_RUNS or (phase == "closed" and state.definition.practice),
        "own_runs": True,
        "all_runs": False,
        "scores": False,
        "key": False,
    }
    nothing = dict.fromkeys(team, False)
    organiser = dict.fromkeys(team, True) | {"submit": False, "own_runs": False}
    return {"organiser": organiser, "team": team, "assessor": nothing}


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
