"""Whether results can be released, and what the organisers should know before they do."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from karat.campaign.dates import exact
from karat.campaign.events import Audience
from karat.campaign.state import WHOLE_SECOND, Campaign


class Check(NamedTuple):
    """One line of the checklist before a release."""

    level: str
    """`good`; `caution` for what an organiser should know; `bad` for what prevents the release."""
    text: str


def last_deadline(state: Campaign) -> datetime:
    """When the last team can no longer submit."""
    latest = max([state.deadline(team) for team in state.teams], default=state.deadline())
    return latest + WHOLE_SECOND + timedelta(minutes=state.definition.grace)


def hindrances(state: Campaign, to: Audience, now: datetime) -> list[str]:
    """What prevents a release."""
    dates, found = state.definition.dates, []
    if now < (over := last_deadline(state)):
        found.append(f"teams can submit until {exact(over)}")
    earliest = dates.results if to == "teams" else dates.public
    if earliest is not None and now < earliest:
        found.append(f"the date `{'results' if to == 'teams' else 'public'}` is {exact(earliest)}")
    return found


def checklist(state: Campaign, to: Audience, now: datetime) -> list[Check]:
    """Everything to look at before a release."""
    checks = [Check("bad", f"Not yet: {one}.") for one in hindrances(state, to, now)]
    if now >= last_deadline(state):
        checks.append(Check("good", "No team can submit any more."))
    runs = state.active()
    waiting = [run.name for run in runs if run.received.state != "scored"]
    checks += _counted("good", len(runs) - len(waiting), "run is scored", "runs are scored")
    checks += _named("runs that people have yet to judge have no scores", waiting)
    checks += _named("late runs are marked as such", [run.name for run in runs if run.received.late])
    having = {run.received.team for run in runs}
    tried = {event.team for _, event in state.refused} - having
    checks += _named("teams whose files were all refused have no run", sorted(tried))
    checks += _named("teams without any run", sorted(set(state.teams) - having - tried))
    mute = [team for team in state.teams if not any(one.contact for one in state.members.values() if one.team == team)]
    checks += _named("teams without an address cannot be mailed", mute)
    version = len(state.keys)
    reason = f": {state.keys[-1].reason}" if version > 1 else ""
    checks.append(Check("good", f"Scores are those of key version {version}{reason}."))
    if to == "public":
        checks += _named(
            "teams without a system report", sorted(team for team in having if state.teams[team].report is None)
        )
        names = state.definition.dates.names
        if names is not None and now < names:
            checks.append(Check("good", f"Teams stay anonymous until {exact(names)}."))
        if "teams" not in state.released:
            checks.append(Check("caution", "The teams have not had their own results first."))
    return checks


def _counted(level: str, count: int, one: str, many: str) -> list[Check]:
    return [Check(level if count else "caution", f"{count:,} {one if count == 1 else many}.")]


def _named(what: str, names: list[str]) -> list[Check]:
    return [Check("caution", f"{what[0].upper()}{what[1:]}: {', '.join(names)}.")] if names else []
