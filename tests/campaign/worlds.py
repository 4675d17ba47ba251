"""A campaign for tests of its rules: no server, no database, and a clock that tests set."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from msgspec.structs import replace

from karat.campaign.commands import Command, Create, Join, Submit
from karat.campaign.dates import Dates
from karat.campaign.definition import Definition, Task
from karat.campaign.events import GENESIS, Checked, Entry, Event, RunReceived, RunRefused, Sent, chained
from karat.campaign.rules import decide
from karat.campaign.state import Campaign, Run, apply
from karat.errors import Problem, Problems

OPENS = datetime(2027, 5, 1, tzinfo=UTC)
CLOSES = datetime(2027, 5, 8, 23, 59, 59, tzinfo=UTC)
DURING = datetime(2027, 5, 4, 12, tzinfo=UTC)
AFTER = CLOSES + timedelta(days=2)
Scores = dict[str, dict[str, float | None]]
SCORES: Scores = {"3": {"accuracy": 0.5, "average_precision": None}, "2": {"accuracy": 0.75}}


def digest(text: str) -> str:
    """A SHA-256."""
    return hashlib.sha256(text.encode()).hexdigest()


FILES = {"pairs.xml": digest("pairs"), "others.xml": digest("others"), "agreement.md": digest("agreement")}
TASKS = (
    Task(name="three-way", test="pairs.xml", runs=2),
    Task(name="two-way", way=2, test="pairs.xml"),
    Task(name="elsewhere", way=2, test="others.xml"),
    Task(name="questions", kind="questions", test="others.xml"),
    Task(name="parts", kind="decomposition", test="others.xml"),
)
DEFINITION = Definition(
    name="rte",
    title="RTE",
    agreement="agreement.md",
    practice=True,
    dates=Dates(opens=OPENS, closes=CLOSES),
    tasks=TASKS,
)


def problems_of(*codes: str) -> tuple[Problem, ...]:
    """Problems of these kinds, as a check would find them."""
    problems = Problems()
    for code in codes:
        problems.add(code, "something", file="run.txt", line=1, what="something else", fix="change it")
    return tuple(problems)


def sent(content: str = "a", **more: Any) -> Sent:
    """A file as a team sends it, in the middle of the week."""
    told = {"task": "three-way", "run": None, "file": "run.txt", "received": DURING, **more}
    return Sent(sha256=digest(content), size=len(content), **told)


class World:
    """A campaign and its record; commands are carried out at a time of the test's choice."""

    now = DURING

    def __init__(self, definition: Definition = DEFINITION, files: dict[str, str] = FILES, **changes: Any) -> None:
        self.state: Campaign | None = None
        self.entries: list[Entry] = []
        self._counter = count(1)
        self.do(Create(definition=replace(definition, **changes), files=files))

    @property
    def campaign(self) -> Campaign:
        """The state now."""
        assert self.state is not None
        return self.state

    def random(self, size: int) -> bytes:
        """Bytes that differ from call to call."""
        return next(self._counter).to_bytes(size, "big")

    def do(self, command: Command, at: datetime | None = None) -> tuple[Event, ...]:
        """Carry out a command; the events that follow."""
        moment = at or self.now
        events = decide(self.state, command, moment, self.random)
        for event in events:
            before = self.entries[-1].hash if self.entries else GENESIS
            self.entries.append(chained(before, len(self.entries) + 1, moment, "somebody", event))
            self.state = apply(self.state, self.entries[-1])
        return events

    def join(self, *accounts: str, team: str | None = None, signed: bool = True) -> None:
        """Add members of teams, each of its own unless the call says otherwise."""
        for account in accounts:
            paper = "Ada Lovelace" * signed
            self.do(Join(account=account, role="team", team=team or account, person="Ada Lovelace", signed=paper))

    def submit(
        self,
        account: str,
        content: str = "a",
        *found: str,
        instead_of: str | None = None,
        answers: str = "",
        scores: Scores | None = None,
        **more: Any,
    ) -> RunReceived | RunRefused | None:
        """Hand in a file in which these problems were found; None if it was there already."""
        checked = Checked(problems=problems_of(*found), scores=SCORES if scores is None else scores, answers=answers)
        given = sent(content, **more)
        key = self.campaign.files[self.campaign.definition.task(given.task).test]
        command = Submit(account=account, sent=given, checked=checked, key=key, instead_of=instead_of)
        events = self.do(command, more.get("received"))
        assert len(events) <= 1
        event = events[0] if events else None
        assert event is None or isinstance(event, RunReceived | RunRefused)
        return event

    def accepted(self, account: str, content: str = "a", *found: str, **more: Any) -> RunReceived:
        """Hand in a file that is accepted."""
        event = self.submit(account, content, *found, **more)
        assert isinstance(event, RunReceived), event
        return event

    def refused(self, account: str, content: str = "a", *found: str, **more: Any) -> list[str]:
        """Hand in a file that is refused; the kinds of its problems."""
        event = self.submit(account, content, *found, **more)
        assert isinstance(event, RunRefused), event
        return [problem.code for problem in event.problems]


def faults(world: World, once_active: Callable[[Run], bool] = lambda _: True) -> Iterator[str]:
    """What is wrong with the state of a campaign, whatever has happened to it."""
    from karat.campaign.events import broken_at
    from karat.campaign.state import replay

    state = world.campaign
    if replay(world.entries) != state:
        yield "the state is not what the record leads to"
    if broken_at(world.entries) is not None:
        yield "the chain is broken"
    received = {entry.event.id for entry in world.entries if isinstance(entry.event, RunReceived)}
    if received != set(state.runs):
        yield "a run has vanished, or came from nowhere"
    if len(state.refused) != sum(isinstance(entry.event, RunRefused) for entry in world.entries):
        yield "a refused file has vanished"
    for area in ("official", "practice"):
        for team in state.teams:
            for task in state.definition.tasks:
                numbers = [run.received.number for run in state.active(team, task.name, area)]
                if len(numbers) > task.runs or len(set(numbers)) < len(numbers):
                    yield f"{team} has the runs {numbers} in {task.name}, {area}"
                if area == "official" and state.primary(team, task.name) not in (*numbers, None):
                    yield f"the primary run of {team} in {task.name} is not there"
    for run in state.runs.values():
        if any(problem.severity == "error" for problem in run.received.warnings) or not once_active(run):
            yield f"{run.received.id} was accepted with errors"
