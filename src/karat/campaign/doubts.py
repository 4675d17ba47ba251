"""What an entry from elsewhere says that cannot have happened: a chain can be computed by anybody, for any content."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta

from karat.campaign.commands import Extend
from karat.campaign.dates import YEARS, exact
from karat.campaign.definition import Definition, check_name, parse
from karat.campaign.editing import check_edit, check_files
from karat.campaign.entering import check_entry, in_slot, number_of
from karat.campaign.events import (
    Created,
    Edited,
    Entry,
    Event,
    Extended,
    Invited,
    Joined,
    PrimaryChosen,
    Rekeyed,
    Released,
    RunReceived,
    RunRefused,
    RunWithdrawn,
    Signed,
    commitment_to,
)
from karat.campaign.judging.doubts import misjudged
from karat.campaign.releasing import hindrances
from karat.campaign.rules import check_account, check_team, events_of, scored_anew
from karat.campaign.state import SCORED_BY, Campaign
from karat.campaign.writing import written
from karat.errors import KaratError, Problems

RUN_ID = re.compile(r"[0-9a-f]{16}")
SEED = re.compile(r"(?:[0-9a-f]{2}){16,64}")
LONGEST_WAIT = timedelta(days=1)
"""A run is entered within seconds, unless the computer slept or its clock was set meanwhile."""


def doubts(state: Campaign | None, entry: Entry) -> Iterator[str]:
    """Why an entry cannot follow on a state; nothing if it can be replayed."""
    event = entry.event
    if (state is None) != isinstance(event, Created):
        yield "a campaign begins with its creation, which happens once"
        return
    yield from _no_names(("account", entry.actor))
    if odd := [moment for moment in _moments(entry) if moment.utcoffset() is None or moment.year not in YEARS]:
        # Times cannot be compared with these.
        yield from (f"{moment} has no time zone, or a year before {YEARS[0]} or after {YEARS[-1]}" for moment in odd)
        return
    if isinstance(event, Created):
        if not SEED.fullmatch(event.seed):
            yield "a seed that is not a hexadecimal number"
        yield from _of_definition(event.definition, event.files, event.nonce, event.commitment)
    elif state is not None:
        strangers = list(_strangers(state, event))
        yield from strangers or _of_event(state, event, entry.at)


def _moments(entry: Entry) -> Iterator[datetime]:
    event = entry.event
    yield entry.at
    match event:
        case Extended():
            yield event.until
        case Invited():
            yield event.expires
        case RunReceived() | RunRefused():
            yield event.sent.received


def _no_names(*named: tuple[str, str]) -> Iterator[str]:
    for kind, name in named:
        yield from _refusal(check_name, name, kind)


def _refusal(rule: Callable[..., object], *given: object) -> Iterator[str]:
    """What a rule of the campaign says against it."""
    try:
        rule(*given)
    except KaratError as error:
        yield str(error)


def _of_definition(definition: Definition, files: Mapping[str, str], nonce: str, commitment: str) -> Iterator[str]:
    """What is wrong with a definition that came as an event, where nothing checked it as it checks a file."""
    if missing := sorted(definition.files().keys() - files.keys()):
        yield f"no file is given for {', '.join(missing)}"
        return
    try:
        if parse(written(definition), "its definition") != definition:
            yield "a definition that no campaign file could contain"
        check_files(definition, files)
    except (KaratError, ValueError, KeyError, OSError) as error:  # all but the first: a zone that there is not
        yield str(error) or "a definition that cannot be written"
        return
    if commitment != commitment_to(nonce, dict(files), definition):
        yield "a commitment that does not match its test sets"


def _strangers(state: Campaign, event: Event) -> Iterator[str]:
    """Accounts, teams and tasks that the campaign does not have."""
    if isinstance(event, Joined):
        named = [("team", event.team)] if event.team is not None else []
        yield from _no_names(("account", event.account), *named)
        yield from _refusal(check_account, state, event.account)
        if event.team is not None:
            yield from _refusal(check_team, state, event.team)
        if (event.role == "team") != (event.team is not None):
            yield "an account whose role and team do not go together"
        return
    if (account := getattr(event, "account", None)) is not None and account not in state.members:
        yield f"the account {account!r} is not a member"
    if (team := getattr(event, "team", None)) is not None and team not in state.teams:
        yield f"there is no team {team!r}"
    if account in state.members and team is not None and state.members[account].team != team:
        yield f"the account {account!r} does not belong to the team {team!r}"
    sent = getattr(event, "sent", event)
    if (task := getattr(sent, "task", None)) is not None and task not in {one.name for one in state.definition.tasks}:
        yield f"there is no task {task!r}"


def _of_event(state: Campaign, event: Event, at: datetime) -> Iterator[str]:
    """What else the event itself says, by the rules as they were at its time."""
    match event:
        case Edited():
            wrong = list(_of_definition(event.definition, event.files, state.nonce, event.commitment))
            yield from wrong or _refusal(check_edit, state, event.definition, event.files, at)
        case Signed():
            if (name := state.definition.agreement) is None or state.files[name] != event.agreement:
                yield "a signature under a text that is not the agreement"
        case Extended():
            command = Extend(team=event.team, until=event.until, reason=event.reason)
            yield from _refusal(events_of, command, state, at, bytes)
        case Rekeyed():
            yield from _of_key(state, event, at)
        case Released():
            if event.to in state.released:
                yield f"a second release to {event.to}"
            yield from (f"a release too early: {why}" for why in hindrances(state, event.to, at))
        case RunReceived():
            yield from _of_run(state, event, at)
        case RunWithdrawn():
            if event.id not in state.runs or not state.changeable(state.runs[event.id], at):
                yield f"there was no run {event.id!r} that could be withdrawn at that time"
        case PrimaryChosen():
            if in_slot(state, event.team, event.task, event.number) is None:
                yield f"there is no run {event.number}"
            if state.phase(at, event.team) == "closed":
                yield "a choice of the primary run after the deadline"
        case _:
            yield from misjudged(state, event, at)


def _of_key(state: Campaign, event: Rekeyed, at: datetime) -> Iterator[str]:
    """What is wrong with a new key."""
    tasks = state.definition.tasks
    strange = event.files.keys() - {task.test for task in tasks}
    known = {(task.name, name) for task in tasks for name in SCORED_BY.get(task.kind, ())}
    strange |= {task for task, files in event.judgments.items() for name in files if (task, name) not in known}
    if strange or event.scores.keys() - state.runs:
        yield "a key for a test set, or scores for a run, that the campaign does not have"
        return
    if at < state.definition.dates.opens:
        yield "a new key before submissions opened"
    if event.scores.keys() != scored_anew(state, event.files, event.judgments):
        yield "a new key with new scores for too few runs, or for too many"
    yield from _of_definition(state.definition, state.files | event.files, state.nonce, event.commitment)


def _of_run(state: Campaign, event: RunReceived, at: datetime) -> Iterator[str]:
    """What is wrong with a run that was accepted."""
    sent = event.sent
    if not RUN_ID.fullmatch(event.id) or event.id in state.runs or not 1 <= event.number <= 99:
        yield f"the run {event.id!r} exists already, or its id or number is not valid"
    before = in_slot(state, event.team, sent.task, event.number, sent.area)
    if event.replaces != (before.received.id if before is not None else None):
        yield f"it replaces {event.replaces}, which is not the run with its number"
    problems = Problems()
    if number_of(sent, None, state, event.team, problems) != event.number:
        yield f"the run has the number {event.number}, which is not the number that it was sent for"
    check_entry(state, state.members[event.account], sent, problems)
    yield from (f"a run that would have been refused: {one.found}, expected {one.expected}" for one in problems)
    if event.late != (state.phase(sent.received, event.team) == "grace"):
        yield f"a run that is {'' if event.late else 'not '}marked as late, received at {exact(sent.received)}"
    # The runs of the finished example were received in a past that it never had.
    if abs(at - sent.received) > LONGEST_WAIT and not state.example:
        yield f"a run received at {exact(sent.received)}, and entered at {exact(at)}"
