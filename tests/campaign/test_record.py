"""Tests of the record: whatever people do, it can be replayed, and whatever is changed in it afterwards is found."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from typing import Any

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from msgspec.structs import replace

from karat.campaign.commands import (
    ChoosePrimary,
    Edit,
    Extend,
    Join,
    Rekey,
    Release,
    SendReport,
    Sign,
    Submit,
    Withdraw,
)
from karat.campaign.events import Audience, Checked, Entry, RunReceived, Scores, broken_at, chained
from karat.campaign.refusing import StaleError
from karat.campaign.state import replay
from karat.errors import KaratError
from tests.campaign.worlds import CLOSES, DURING, FILES, OPENS, TASKS, World, digest, faults, sent

ACCOUNTS = st.sampled_from(["alder", "annie", "birch", "cedar", "nobody"])
TASK_NAMES = st.sampled_from([task.name for task in TASKS[:3]])
MOMENTS = st.sampled_from(
    [OPENS - timedelta(days=1), DURING, CLOSES, CLOSES + timedelta(days=1), CLOSES + timedelta(9)]
)


def scored_by(key: str, file: str) -> Scores:
    """Scores that no other key and no other file would give."""
    return {"3": {"accuracy": int(digest(key + file)[:8], 16) / 16**8}}


class Campaigns(RuleBasedStateMachine):
    """Anybody does anything at any time."""

    @initialize(grace=st.sampled_from([0, 5000 // 4]), practice=st.booleans(), begun=st.booleans())
    def begin(self, grace: int, practice: bool, begun: bool) -> None:
        """A campaign with two teams, one of which has two members, and perhaps runs."""
        self.world = World(grace=grace, practice=practice)
        self.board: dict[tuple[str, str, str, int], str] = {}
        self.world.join("alder", "birch")
        self.world.join("annie", team="alder")
        for account, task in (("alder", "three-way"), ("birch", "two-way")) if begun else ():
            scores = scored_by(FILES["pairs.xml"], digest("a"))
            self.note(self.world.accepted(account, task=task, scores=scores))

    def note(self, event: RunReceived) -> None:
        """Remember the newest file at its place; by hand, since the state is what is tested."""
        team = {"annie": "alder"}.get(event.account, event.account)
        self.board[team, event.sent.task, event.sent.area, event.number] = event.id

    def attempt(self, command: Any, at: datetime) -> None:
        """Carry out a command that may be refused; a refusal changes nothing."""
        before = self.world.campaign
        try:
            self.world.do(command, at)
        except KaratError:
            assert self.world.campaign is before

    @rule(
        account=ACCOUNTS,
        task=TASK_NAMES,
        run=st.sampled_from([None, None, 0, 1, 2, 3, 4]),
        content=st.sampled_from("abcd"),
        found=st.sampled_from([(), (), ("no-final-newline",), ("unknown-id",)]),
        area=st.sampled_from(["official", "official", "practice"]),
        looked=st.booleans(),
        at=MOMENTS,
    )
    def submit(
        self,
        account: str,
        task: str,
        run: int | None,
        content: str,
        found: tuple[str, ...],
        area: str,
        looked: bool,
        at: datetime,
    ) -> None:
        """Somebody sends a file, twice: the second time changes nothing unless the first was refused."""
        seen = next((one.received.id for one in self.world.campaign.active(task=task)), "") if looked else None
        key = self.world.campaign.files[self.world.campaign.definition.task(task).test]
        told: dict[str, Any] = {"task": task, "run": run, "area": area, "received": at, "instead_of": seen}
        told["scores"] = scored_by(key, digest(content))
        try:
            event = self.world.submit(account, content, *found, **told)
        except KaratError:
            return
        if isinstance(event, RunReceived):
            assert not found or found == ("no-final-newline",)
            assert run in (None, event.number)
            self.note(event)
            assert self.world.submit(account, content, *found, **told) is None

    @rule(
        account=st.sampled_from(["alder", "annie", "birch"]),
        task=st.sampled_from(["three-way", "two-way"]),
        run=st.sampled_from([None, 1, 2]),
        content=st.sampled_from("abcd"),
        found=st.sampled_from([(), (), (), ("unknown-id",)]),
    )
    def submit_in_time(self, account: str, task: str, run: int | None, content: str, found: tuple[str, ...]) -> None:
        """A team sends a file while submissions are open, often in the place of another."""
        self.submit(account, task, run, content, found, "official", looked=False, at=DURING)

    @precondition(lambda self: any(self.world.campaign.active()))
    @rule(place=st.integers(0, 30))
    def withdraw_in_time(self, place: int) -> None:
        """A team takes a run of its own back."""
        runs = self.world.campaign.active()
        chosen = runs[place % len(runs)].received
        self.withdraw(chosen.account, [*self.world.campaign.runs].index(chosen.id), DURING)

    @precondition(lambda self: any(self.world.campaign.active()))
    @rule(place=st.integers(0, 30), content=st.sampled_from("efgh"), found=st.sampled_from([(), (), ("unknown-id",)]))
    def replace_in_time(self, place: int, content: str, found: tuple[str, ...]) -> None:
        """A team sends another file for a run of its own; if it is refused, the old one stays."""
        runs = self.world.campaign.active()
        chosen = runs[place % len(runs)].received
        self.submit(chosen.account, chosen.sent.task, chosen.number, content, found, "official", False, DURING)

    @rule(team=st.sampled_from(["alder", "birch"]))
    def extend_in_time(self, team: str) -> None:
        """The organisers give a team a day more while submissions are open."""
        self.extend(team, CLOSES + timedelta(days=1), DURING)

    @rule(file=st.sampled_from(["pairs.xml", "others.xml"]), key=st.sampled_from(["x", "y", "z"]))
    def rekey_in_time(self, file: str, key: str) -> None:
        """The organisers replace a key, with all runs scored."""
        self.rekey(file, key, missed=False, at=DURING)

    @rule(account=st.sampled_from(["alder", "birch"]), content=st.sampled_from("abcd"))
    def submit_by_the_first_key(self, account: str, content: str) -> None:
        """Somebody's file was scored before the key was replaced: it is not stored with those scores."""
        key, before = FILES["pairs.xml"], self.world.campaign
        checked = Checked(problems=(), scores=scored_by(key, digest(content)))
        command = Submit(account=account, sent=sent(content), checked=checked, key=key)
        try:
            events = self.world.do(command, DURING)
        except StaleError:
            assert before.files["pairs.xml"] != key
            return
        except KaratError:
            return
        assert before.files["pairs.xml"] == key or not events
        for event in events:
            if isinstance(event, RunReceived):
                self.note(event)

    @rule(
        file=st.sampled_from(["pairs.xml", "others.xml", "agreement.md"]),
        key=st.sampled_from(["pairs", "x", "y"]),
        missed=st.sampled_from([False, False, False, True]),
        at=st.sampled_from([OPENS - timedelta(days=1), DURING, CLOSES + timedelta(9)]),
    )
    def rekey(self, file: str, key: str, missed: bool, at: datetime) -> None:
        """The organisers replace a key, perhaps without having scored the run that came in last."""
        state, new = self.world.campaign, digest(key)
        tasks = {task.name for task in state.definition.tasks if task.test == file}
        runs = [run.received for run in state.runs.values() if run.received.sent.task in tasks]
        scores = {run.id: scored_by(new, run.sent.sha256) for run in runs[: -1 if missed else None]}
        before = len(state.keys)
        self.attempt(Rekey(files={file: new}, scores=scores, reason="slips"), at)
        replaced = self.world.campaign is not state
        assert len(self.world.campaign.keys) == before + replaced
        assert not (replaced and missed and runs)
        assert not (replaced and state.files[file] == new), "the same key is no new version"

    @rule(to=st.sampled_from(["teams", "public"]), at=MOMENTS)
    def release(self, to: Audience, at: datetime) -> None:
        """The organisers release results, perhaps too early."""
        self.attempt(Release(to=to), at)

    @rule(account=ACCOUNTS, place=st.integers(0, 30), at=MOMENTS)
    def withdraw(self, account: str, place: int, at: datetime) -> None:
        """Somebody takes a run back, perhaps another team's."""
        before, runs = self.world.campaign, [*self.world.campaign.runs, "none"]
        id = runs[place % len(runs)]
        self.attempt(Withdraw(account=account, id=id), at)
        if self.world.campaign is not before:
            self.board = {place: one for place, one in self.board.items() if one != id}

    @rule(account=ACCOUNTS, task=TASK_NAMES, number=st.integers(0, 4), at=MOMENTS)
    def choose(self, account: str, task: str, number: int, at: datetime) -> None:
        """Somebody chooses the primary run."""
        self.attempt(ChoosePrimary(account=account, task=task, number=number), at)

    @rule(team=ACCOUNTS, until=MOMENTS, at=MOMENTS)
    def extend(self, team: str, until: datetime, at: datetime) -> None:
        """The organisers give a team more time."""
        self.attempt(Extend(team=team, until=until, reason="ill"), at)

    @rule(runs=st.integers(1, 4), title=st.sampled_from("AB"), key=st.sampled_from("ab"), at=MOMENTS)
    def edit(self, runs: int, title: str, key: str, at: datetime) -> None:
        """The organisers change the limit, the title or the key."""
        tasks = replace(TASKS[0], runs=runs), *TASKS[1:]
        definition = replace(self.world.campaign.definition, title=title, tasks=tasks)
        self.attempt(Edit(definition=definition, files={**FILES, "pairs.xml": digest(key)}, reason="better"), at)

    @rule(account=ACCOUNTS, signed=st.sampled_from(["", "Cedar"]), at=MOMENTS)
    def join(self, account: str, signed: str, at: datetime) -> None:
        """Somebody joins, perhaps without having signed."""
        self.attempt(Join(account=account, role="team", team=account, person="Cedar", signed=signed), at)

    @rule(account=ACCOUNTS, content=st.sampled_from("ab"), at=MOMENTS)
    def report(self, account: str, content: str, at: datetime) -> None:
        """Somebody sends a system report."""
        sent = SendReport(account=account, file="report.pdf", sha256=digest(content), size=1, received=at)
        self.attempt(sent, at)

    @precondition(lambda self: "cedar" in self.world.campaign.members)
    @rule(at=MOMENTS)
    def sign(self, at: datetime) -> None:
        """Somebody signs."""
        self.attempt(Sign(account="cedar", person="Cedar"), at)

    @invariant()
    def holds(self) -> None:
        """Nothing is wrong."""
        if hasattr(self, "world"):
            assert list(faults(self.world)) == []

    @invariant()
    def counted(self) -> None:
        """The runs that count are those of the board kept by hand: no bad file is there, and none hides a good one."""
        if hasattr(self, "world"):
            state = self.world.campaign
            found = [
                ((team, task.name, area, run.received.number), run.received.id)
                for team in state.teams
                for task in state.definition.tasks
                for area in ("official", "practice")
                for run in state.active(team, task.name, area)
            ]
            assert sorted(found) == sorted(self.board.items())

    @invariant()
    def newest(self) -> None:
        """Every score is that of the newest key, of whatever became of the run."""
        state = self.world.campaign if hasattr(self, "world") else None
        for run in state.runs.values() if state else ():
            key = state.files[state.definition.task(run.received.sent.task).test]
            assert run.scores == scored_by(key, run.received.sent.sha256)

    def teardown(self) -> None:
        """Written and read again, the record is the same."""
        if hasattr(self, "world"):
            stored = msgspec.json.encode(self.world.entries)
            read = msgspec.json.decode(stored, type=list[Entry])
            assert read == self.world.entries
            assert broken_at(read) is None
            assert replay(read) == self.world.campaign


def test_all_of_it_happens() -> None:
    """The properties are about something: runs are replaced and withdrawn, keys replaced, results released."""
    seen = Counter[str]()

    class Counted(Campaigns):
        """Counts what has happened in each campaign."""

        def teardown(self) -> None:
            if hasattr(self, "world"):
                state = self.world.campaign
                seen.update(run.status for run in state.runs.values())
                seen.update(["rescored"] * (len(state.keys) > 1 and any(state.runs)), released=len(state.released))
                seen.update(
                    refused=len(state.refused), extended=sum(one.until is not None for one in state.teams.values())
                )
            super().teardown()

    run_state_machine_as_test(
        Counted, settings=settings(max_examples=60, stateful_step_count=30, deadline=None, derandomize=True)
    )
    wanted = ("active", "replaced", "withdrawn", "refused", "rescored", "released", "extended")
    assert all(seen[what] > 5 for what in wanted), seen


TestCampaigns = pytest.mark.filterwarnings("ignore::hypothesis.errors.NonInteractiveExampleWarning")(Campaigns.TestCase)
TestCampaigns.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)


def busy() -> World:
    """A campaign in which something has happened."""
    world = World()
    world.join("alder", "birch")
    for content in "abc":
        world.submit("alder", content)
        world.submit("birch", content, "unknown-id")
    return world


def test_a_planted_fault_is_found() -> None:
    """The invariants fail on a run that vanished, on one too many, on one with errors and on a state that differs."""
    world = busy()
    assert list(faults(world)) == []
    first, second = world.campaign.runs.values()
    sound = world.campaign
    left = {first.received.team: (first.received.id,)}
    world.state = replace(sound, runs={first.received.id: first}, entered=type(sound.entered)(left))
    assert [*faults(world)] == ["the state is not what the record leads to", "a run has vanished, or came from nowhere"]
    doubled = replace(second, received=replace(second.received, number=1))
    world.state = replace(sound, runs={first.received.id: first, second.received.id: doubled})
    assert "alder has the runs [1, 1] in three-way, official" in faults(world)
    refused = sound.refused[0][1].problems
    world.state = replace(
        sound, runs=sound.runs | {"x": replace(first, received=replace(first.received, warnings=refused))}
    )
    assert [one for one in faults(world) if "accepted with errors" in one]


def test_a_changed_entry_is_found_at_its_number() -> None:
    """Whatever is changed, removed, inserted or swapped in the record is found at the first place that is wrong."""
    entries = busy().entries
    assert broken_at(entries) is None
    later = timedelta(microseconds=1)
    for place in range(len(entries)):
        entry = entries[place]
        forged = chained("0" * 64, entry.sequence, entry.at, entry.actor, entry.event)
        changed = [
            replace(entry, at=entry.at - later),
            replace(entry, actor="somebody else"),
            replace(entry, hash="f" * 64),
            replace(entry, sequence=entry.sequence + 1),
            replace(entry, event=entries[place - 1].event),
            *([forged] if place else []),
        ]
        for one in changed:
            assert broken_at([*entries[:place], one, *entries[place + 1 :]]) == place + 1
        if place + 1 < len(entries):
            assert broken_at([*entries[:place], *entries[place + 1 :]]) == place + 1
            swapped = [*entries[:place], entries[place + 1], entry, *entries[place + 2 :]]
            assert broken_at(swapped) == place + 1
        assert broken_at([*entries[:place], entry, *entries[place:]]) == place + 2


def test_a_changed_score_is_found() -> None:
    """A better score written into an accepted run breaks the chain there."""
    entries = busy().entries
    place = next(place for place, entry in enumerate(entries) if isinstance(entry.event, RunReceived))
    better = replace(entries[place].event, scores={"3": {"accuracy": 1.0}})
    assert broken_at([*entries[:place], replace(entries[place], event=better), *entries[place + 1 :]]) == place + 1


def test_a_record_begins_with_the_creation() -> None:
    """Nothing can be replayed from the middle, nor from nothing."""
    with pytest.raises(ValueError, match="begins with its creation"):
        replay(busy().entries[1:])
    with pytest.raises(ValueError, match="begins with its creation"):
        replay([])
