"""Submitting a run, the same from the page and from programs."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from karat.campaign.commands import Submit
from karat.campaign.dates import exact
from karat.campaign.definition import MOST_BYTES
from karat.campaign.entering import MOST_TEXT, check_entry, receipt_of
from karat.campaign.events import Checked, RunReceived, RunRefused, Sent
from karat.campaign.refusing import StaleError, refuse
from karat.campaign.rules import decide
from karat.campaign.sight import Sight, state_seen
from karat.campaign.state import Campaign, Run
from karat.errors import DataError, Problem, Problems, UsageError
from karat.server.store import digest_of, execute, state_of, test_set
from karat.server.throttle import Rate

SENT_A_MINUTE = 60
MOST_TRIES = 3
submissions = Rate(SENT_A_MINUTE, 60.0)
FLAGS = {"": False, "0": False, "false": False, "no": False, "off": False}
FLAGS |= {"1": True, "true": True, "yes": True, "on": True}
FIELDS = ("run", "ranked", "manual", "justifications", "statement", "dry_run", "practice", "instead_of")

_checking = threading.BoundedSemaphore(2)
"""Checking takes all of a core; more at a time would only delay everybody else."""


class TooOftenError(DataError):
    """A request that comes too soon after others."""

    def __init__(self, seconds: int, limit: str) -> None:
        super().__init__(refuse("too-often", "more requests", limit=limit, seconds=str(seconds)).problems)
        self.seconds = seconds


def count_sending(campaign: str, account: str) -> None:
    """Count what an account sends to a campaign, by pages and programs together; too much in a minute is refused."""
    seconds = submissions.wait((campaign, account), time.monotonic())
    if seconds > 0:
        raise TooOftenError(math.ceil(seconds), f"{SENT_A_MINUTE} requests of an account in a minute")


class Submission(NamedTuple):
    """The answer to a submission."""

    run: RunReceived | None
    """The accepted run; for a dry run, what it would be."""
    problems: tuple[Problem, ...]
    """Every problem, or the warnings about an accepted run."""


class Declared(msgspec.Struct, frozen=True, kw_only=True):
    """What a team says about a run, on the form, on the command line and in a request."""

    task: str
    run: int | None = None
    ranked: bool = False
    manual: bool = False
    justifications: bool = False
    statement: str = ""
    practice: bool = False
    instead_of: str | None = None


def declared(task: str, fields: Mapping[str, list[str]]) -> tuple[Declared, bool]:
    """What a team says about its run; every wrong field is a problem."""
    problems, values = Problems(), dict[str, Any]()
    for name, given in fields.items():
        try:
            values[name] = _field(name, given)
        except ValueError as error:
            problems.add("request", f"{name}: {', '.join(given) or 'nothing'}", file="", what=str(error))
    problems.raise_errors()
    dry_run = values.pop("dry_run", False)
    return Declared(task=task, **values), dry_run


def _field(name: str, given: list[str]) -> object:
    """The value of one field; a `ValueError` says what was expected."""
    if name not in FIELDS:
        raise ValueError(str(UsageError.unknown("field", name, FIELDS)))
    if len(given) != 1:
        raise ValueError("one value")
    text = given[0].strip()
    if name == "run":
        if not (text.isascii() and text.isdigit() and len(text) < 4 and int(text)):
            raise ValueError("the number of the run, from 1 on")
        return int(text)
    if name in ("statement", "instead_of"):
        if len(text) > MOST_TEXT:
            raise ValueError(f"at most {MOST_TEXT:,} characters")
        return text
    if text.lower() not in FLAGS:
        raise ValueError("true or false")
    return FLAGS[text.lower()]


def submit(
    campaign: str, account: str, file: str, raw: bytes, said: Declared, received: datetime, dry_run: bool = False
) -> Submission:
    """Check and score a file, then store it with its events; nothing is stored by a dry run."""
    for _ in range(MOST_TRIES):
        try:
            return _submit(campaign, account, file, raw, said, received, dry_run)
        except StaleError:
            continue  # the key was replaced while the run was scored
    raise UsageError("the key is being replaced; send the run again in a minute")


def _submit(
    campaign: str, account: str, file: str, raw: bytes, said: Declared, received: datetime, dry_run: bool
) -> Submission:
    state = state_of(campaign)
    task, team = state.definition.task(said.task), state.member(account).team
    sent = Sent(
        task=task.name,
        run=said.run,
        file=file[:200],
        sha256=digest_of(raw),
        size=len(raw),
        received=received,
        ranked=said.ranked,
        manual=said.manual,
        justifications=said.justifications,
        statement=said.statement.strip(),
        area="practice" if said.practice else "official",
    )
    if team is None:
        raise UsageError("only teams can submit runs")
    if not dry_run and (before := receipt_of(state, team, sent)) is not None:
        return _answer(before.received, before)
    from karat.campaign.checking import check_run  # here: it loads scipy

    if len(raw) > MOST_BYTES:
        # Not kept with the refused attempts, which would let a team fill the disk.
        return Submission(None, check_run(test_set(state, task), sent.file, raw).problems)
    # Before the transaction: checking takes far longer than storing, and needs no lock.
    check_entry(state, state.member(account), sent, early := Problems())
    if [*early]:
        # What is wrong with a file tells of the test set, which those who cannot submit may not have.
        checked = Checked(problems=tuple(early))
    else:
        with _checking:
            test = test_set(state, task)
            checked = check_run(test, sent.file, raw, ranked=said.ranked, justifications=said.justifications)
    key = state.files[task.test]
    command = Submit(account=account, sent=sent, checked=checked, key=key, instead_of=said.instead_of)
    if dry_run:
        events = decide(state, command, received, lambda count: b"\0" * count)
        return _answer(events[0] if events else None, receipt_of(state, team, sent), checked.problems)
    outcome = execute(campaign, command, account, {sent.sha256: raw})
    event = outcome.entries[0].event if outcome.entries else None
    return _answer(event, receipt_of(outcome.state, team, sent), checked.problems)


def _answer(event: object, before: Run | None, found: tuple[Problem, ...] = ()) -> Submission:
    if isinstance(event, RunRefused):
        # The record keeps the first problems of a file; its team sees all of them.
        own = [problem for problem in event.problems if problem not in found]
        return Submission(None, (*own, *found))
    run = event if isinstance(event, RunReceived) else before.received if before else None
    return Submission(run, () if run is None else run.warnings)


def receipt(state: Campaign, run: RunReceived, seeing: Sight) -> dict[str, object]:
    """A receipt, as every door shows it to those who see the run."""
    return {
        "id": run.id,
        "sha256": run.sent.sha256,
        "received": exact(run.sent.received),
        "state": state_seen(state, seeing, state.runs[run.id]),
        "team": run.team,
        "task": run.sent.task,
        "run": run.number,
        "replaces": run.replaces,
        "late": run.late,
        "area": run.sent.area,
    }
