"""What an entry from elsewhere says that cannot have happened: a chain can be computed by anybody, for any content."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime

from karat.campaign.definition import Definition, check_name, parse, written
from karat.campaign.editing import check_files
from karat.campaign.entering import in_slot
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
    RunReceived,
    RunRefused,
    RunWithdrawn,
    commitment_to,
)
from karat.campaign.state import Campaign
from karat.errors import KaratError, UsageError

RUN_ID = re.compile(r"[0-9a-f]{16}")
SEED = re.compile(r"(?:[0-9a-f]{2}){16,64}")


def doubts(state: Campaign | None, entry: Entry) -> Iterator[str]:
    """Why an entry cannot follow on a state; nothing if it can be replayed."""
    event = entry.event
    if (state is None) != isinstance(event, Created):
        yield "a campaign begins with its creation, and has one alone"
        return
    yield from _no_names(("account", entry.actor))
    yield from (f"{moment} has no time zone" for moment in _moments(entry) if moment.utcoffset() is None)
    if isinstance(event, Created):
        if not SEED.fullmatch(event.seed):
            yield "a seed that is no hexadecimal number"
        yield from _of_definition(event.definition, event.files, event.nonce, event.commitment)
    elif state is not None:
        yield from _strangers(state, event)
        yield from _of_event(state, event)


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
        try:
            check_name(name, kind)
        except UsageError as error:
            yield str(error)


def _of_definition(definition: Definition, files: Mapping[str, str], nonce: str, commitment: str) -> Iterator[str]:
    """What is wrong with a definition that came as an event, where nothing checked it as it checks a file."""
    if missing := sorted(definition.files().keys() - files.keys()):
        yield f"no file is given for {', '.join(missing)}"
        return
    try:
        if parse(written(definition), "its definition") != definition:
            yield "a definition that no campaign file describes"
        check_files(definition, files)
    except (KaratError, ValueError, KeyError, OSError) as error:  # all but the first: a zone that there is not
        yield str(error) or "a definition that cannot be written"
        return
    if commitment != commitment_to(nonce, dict(files), definition):
        yield "a commitment that is not that of its test sets"


def _strangers(state: Campaign, event: Event) -> Iterator[str]:
    """Accounts, teams and tasks that the campaign does not have."""
    if isinstance(event, Joined):
        named = [("team", event.team)] if event.team is not None else []
        yield from _no_names(("account", event.account), *named)
        if event.account in state.members:
            yield f"the account {event.account!r} takes part already"
        if (event.role == "team") != (event.team is not None):
            yield "an account with a team that has another role, or without one"
        return
    if (account := getattr(event, "account", None)) is not None and account not in state.members:
        yield f"the account {account!r} is not a member"
    if (team := getattr(event, "team", None)) is not None and team not in state.teams:
        yield f"there is no team {team!r}"
    sent = getattr(event, "sent", event)
    if (task := getattr(sent, "task", None)) is not None and task not in {one.name for one in state.definition.tasks}:
        yield f"there is no task {task!r}"


def _of_event(state: Campaign, event: Event) -> Iterator[str]:
    """What else the event itself says."""
    match event:
        case Edited():
            tasks = {task.name for task in event.definition.tasks}
            if event.definition.name != state.definition.name:
                yield "another name of the campaign"
            elif any(run.received.sent.task not in tasks for run in state.runs.values()):
                yield "a task with runs has vanished"
            else:
                yield from _of_definition(event.definition, event.files, state.nonce, event.commitment)
        case Rekeyed():
            known = state.definition.tasks
            strange = event.files.keys() - {task.test for task in known}
            strange |= event.judgments.keys() - {task.name for task in known if task.kind == "questions"}
            if strange or event.scores.keys() - state.runs:
                yield "a key or scores of what is not there"
            else:
                files = state.files | event.files
                yield from _of_definition(state.definition, files, state.nonce, event.commitment)
        case RunReceived():
            if not RUN_ID.fullmatch(event.id) or event.id in state.runs or not 1 <= event.number <= 99:
                yield f"the run {event.id!r} is there already, or has no proper id or number"
            before = in_slot(state, event.team, event.sent.task, event.number, event.sent.area)
            if event.replaces != (before.received.id if before is not None else None):
                yield f"it replaces {event.replaces}, which is not the run with its number"
        case RunWithdrawn():
            if event.id not in state.runs:
                yield f"there is no run {event.id!r}"
        case PrimaryChosen():
            if event.number < 1:
                yield f"there is no run {event.number}"
