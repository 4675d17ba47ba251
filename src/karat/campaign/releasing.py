"""Whether results can be released, and what the organisers should know before they do."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from karat.campaign.dates import plain
from karat.campaign.events import Audience, Released, chained
from karat.campaign.state import WHOLE_SECOND, Campaign, apply
from karat.errors import counted


class Check(NamedTuple):
    """One line of the checklist before a release."""

    level: str
    """`good`; `caution` for what an organiser should know; `bad` for what prevents the release."""
    text: str


def last_deadline(state: Campaign) -> datetime:
    """When the last team can no longer submit."""
    latest = max([state.deadline(team) for team in state.teams], default=state.deadline())
    return latest + WHOLE_SECOND + timedelta(minutes=state.definition.grace)


def still_open(state: Campaign, now: datetime) -> str:
    """Until when teams can submit, also one that was given more time; empty if none can any more."""
    over = last_deadline(state)
    return f"teams can submit until {plain(over - WHOLE_SECOND)}" if now < over else ""


def earliest(state: Campaign, to: Audience) -> datetime:
    """When nothing prevents a release any more."""
    promised = state.definition.dates.results if to == "teams" else state.definition.dates.public
    return max(last_deadline(state), promised or last_deadline(state))


def hindrances(state: Campaign, to: Audience, now: datetime) -> list[str]:
    """What prevents a release."""
    dates, found = state.definition.dates, []
    if can_submit := still_open(state, now):
        found.append(can_submit)
    promised = dates.results if to == "teams" else dates.public
    if promised is not None and now < promised:
        found.append(f"these results were promised for {plain(promised)} at the earliest")
    return found


def after_release(state: Campaign, to: Audience, now: datetime) -> Campaign:
    """The state as a release would leave it, found by applying the event to a copy."""
    if to in state.released:
        return state
    return apply(state, chained(state.head, state.sequence + 1, now, "", Released(to=to)))


def checklist(state: Campaign, to: Audience, now: datetime) -> list[Check]:
    """Everything to look at before a release."""
    checks = []
    if (done := state.released.get(to)) is not None:
        checks.append(Check("good", f"Released on {plain(done)}."))
    else:
        checks += [Check("bad", f"Not yet: {one}.") for one in hindrances(state, to, now)]
    if now >= last_deadline(state):
        checks.append(Check("good", "No team can submit an official run any more."))
    checks += [*_about_runs(state), *_about_teams(state)]
    version = len(state.keys)
    reason = f": {state.keys[-1].reason}" if version > 1 else ""
    checks.append(Check("good", f"Scores are those of key version {version}{reason}."))
    return [*checks, *(_for_teams(state) if to == "teams" else _for_everybody(state, now))]


def _about_runs(state: Campaign) -> list[Check]:
    runs = state.active()
    scored = [run for run in runs if run.scores]
    waiting = [run.name for run in runs if not run.scores]
    with_scores = {run.received.sent.task for run in scored}
    empty = [task.name for task in state.definition.tasks if task.takes_runs and task.name not in with_scores]
    return [
        *_counted("good", len(scored), "run is scored", "runs are scored"),
        *_named("runs without scores, which people have yet to judge", waiting),
        *_named("tasks without a scored run", empty),
        *_named("late runs, which are marked as such", [run.name for run in runs if run.received.late]),
    ]


def _about_teams(state: Campaign) -> list[Check]:
    having = {run.received.team for run in state.active()}
    tried = {event.team for _, event in state.refused} - having
    people = {team: [one for one in state.members.values() if one.team == team] for team in state.teams}
    unsigned = [team for team, members in people.items() if not any(map(state.has_signed, members))]
    mute = [team for team, members in people.items() if not any(one.contact for one in members)]
    strange = [team for team in state.definition.baselines if team not in having]
    return [
        *_named("teams without a run, since all their files were refused", sorted(tried)),
        *_named("teams without a run", sorted(set(state.teams) - having - tried)),
        *_named("teams that have not accepted the agreement", unsigned),
        *_named("teams that cannot be mailed, since they have given no address", mute),
        *_named("baselines without a run", strange),
    ]


def _for_teams(state: Campaign) -> list[Check]:
    if state.definition.key_with_results:
        return [Check("caution", "Teams get the key with their results; from then on it is no longer secret.")]
    return [Check("good", "The key stays secret until everything is public.")]


def _for_everybody(state: Campaign, now: datetime) -> list[Check]:
    having = {run.received.team for run in state.active()}
    checks = _named("teams without a system report", sorted(one for one in having if state.teams[one].report is None))
    names, due = state.definition.dates.names, state.definition.dates.reports
    if due is not None and now < due + WHOLE_SECOND:
        checks.append(Check("caution", f"System reports are not due until {plain(due)}."))
    if names is not None and now < names:
        checks.append(Check("good", f"Teams stay anonymous until {plain(names)}."))
    else:
        checks.append(Check("caution", "Everybody sees which team is behind each run."))
    checks.append(Check("caution", "Everybody gets the key, and it can never be secret again."))
    if "teams" not in state.released:
        checks.append(Check("caution", "The teams have not been given their own results first."))
    return checks


def _counted(level: str, count: int, one: str, many: str) -> list[Check]:
    return [Check(level if count else "caution", f"{counted(count, one, many)}.")]


def _named(what: str, names: list[str]) -> list[Check]:
    return [Check("caution", f"{what[0].upper()}{what[1:]}: {', '.join(names)}.")] if names else []
