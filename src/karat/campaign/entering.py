"""Whether a run can be submitted: its number, its time, whether it is there already."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec

from karat.campaign.dates import exact
from karat.campaign.events import Sent
from karat.campaign.state import Campaign, Member, Run
from karat.errors import Problem, Problems, UsageError

MOST_TEXT = 10_000
"""The characters of a text that the record keeps."""
FREE_TEXTS = ("reason", "person", "contact", "signed")


def check_lengths(command: msgspec.Struct) -> None:
    """Refuse a text that is far too long for the record, which keeps it forever."""
    for name in FREE_TEXTS:
        if (size := len(getattr(command, name, ""))) > MOST_TEXT:
            raise UsageError(f"{name}: at most {MOST_TEXT:,} characters are kept; this has {size:,}, so shorten it")


def receipt_of(state: Campaign, team: str, sent: Sent) -> Run | None:
    """The run that the same file, sent before for the same number, has become: its reply may have been lost."""
    told = msgspec.structs.replace(sent, received=datetime.min, run=None, file="")
    for run in state.active(team, sent.task, sent.area):
        as_before = msgspec.structs.replace(run.received.sent, received=datetime.min, run=None, file="")
        if as_before == told and sent.run in (None, run.received.number):
            return run
    return None


def in_slot(state: Campaign, team: str, task: str, number: int, area: str = "official") -> Run | None:
    """The run of a team under a number."""
    return next((run for run in state.active(team, task, area) if run.received.number == number), None)


def number_of(sent: Sent, instead_of: str | None, state: Campaign, team: str, problems: Problems) -> int:
    """The number of the run; a problem if there is none left, or if it is no longer what the sender saw."""
    limit = state.definition.task(sent.task).runs
    taken = {run.received.number for run in state.active(team, sent.task, sent.area)}
    free = next((one for one in range(1, limit + 1) if one not in taken), limit + 1)
    number = free if sent.run is None else sent.run
    if not 1 <= number <= limit:
        found = f"run {number}" if sent.run is not None else f"one run more than the {limit} allowed"
        problems.add("run-limit", found, file=sent.file, limit=f"{limit} run{'s' * (limit != 1)}")
    before = in_slot(state, team, sent.task, number, sent.area)
    if instead_of is not None and instead_of != (before.received.id if before else ""):
        found = f"run {number} was " + (f"sent by {before.received.account} in the meantime" if before else "withdrawn")
        problems.add("run-changed", found, file=sent.file)
    return number


def check_entry(state: Campaign, member: Member, sent: Sent, problems: Problems) -> None:
    """Whether this team can submit this, now."""
    task, phase = state.definition.task(sent.task), state.phase(sent.received, member.team)
    if not task.takes_runs:
        problems.add("no-runs-taken", f"{task.name}, which is for assessors", file=sent.file)
    if not state.has_signed(member):
        problems.add("not-signed", f"{member.account} has not accepted the agreement", file=sent.file)
    received, deadline = f"received at {exact(sent.received)}", exact(state.deadline(member.team))
    if phase in ("preparing", "registering", "data"):
        problems.add("not-open", received, file=sent.file, opens=exact(state.definition.dates.opens))
    elif phase == "closed" and not (sent.area == "practice" and state.definition.practice):
        problems.add("closed", received, file=sent.file, closes=deadline)
    elif sent.area == "practice" and phase != "closed":
        over = state.deadline(member.team) + timedelta(minutes=state.definition.grace)
        problems.add("not-open", f"a practice run, {received}", file=sent.file, opens=exact(over))


def same_as_fold(state: Campaign, team: str, sent: Sent, answers: str) -> tuple[Problem, ...]:
    """A warning about a two-way run that is a three-way run of the team with fewer labels."""
    problems, definition = Problems(), state.definition
    task = definition.task(sent.task)
    for run in state.active(team) if task.way == 2 and answers else ():
        other = definition.task(run.received.sent.task)
        same_pairs = other.way == 3 and state.files[other.test] == state.files[task.test]
        if same_pairs and run.received.answers == answers:
            found = f"the same answers as {run.name} in {run.received.sent.task}, two-way"
            problems.add("same-as-fold", found, file=sent.file)
    return problems.warnings
