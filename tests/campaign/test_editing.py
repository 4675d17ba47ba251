"""Tests of what of a campaign can still be changed, and of the promise about its key."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from karat.campaign.commands import Edit, Extend, Release, Withdraw
from karat.campaign.dates import Dates
from karat.campaign.definition import Definition, Task
from karat.campaign.events import commitment_to
from karat.errors import UsageError
from tests.campaign.worlds import AFTER, CLOSES, DURING, FILES, OPENS, TASKS, World, digest

BEFORE = OPENS - timedelta(days=1)


def edit(world: World, reason: str = "a mistake", files: dict[str, str] | None = None, **changes: Any) -> Edit:
    """A command that changes the definition."""
    return Edit(definition=replace(world.campaign.definition, **changes), files=files or FILES, reason=reason)


def with_task(**changes: Any) -> tuple[Task, ...]:
    """The tasks, with the first one changed."""
    return replace(TASKS[0], **changes), *TASKS[1:]


def test_what_can_change() -> None:
    """Titles and dates change at any time, with a reason; the same definition again changes nothing."""
    world = World()
    assert world.do(edit(world)) == ()
    with pytest.raises(UsageError, match="a reason"):
        world.do(edit(world, "", title="Another"))
    world.do(edit(world, title="Another", dates=Dates(opens=OPENS, closes=CLOSES + timedelta(days=1))))
    assert world.campaign.definition.title == "Another"
    assert world.campaign.deadline() == CLOSES + timedelta(days=1)


def test_a_later_deadline_is_for_all() -> None:
    """Who was given more time has no less than the others when the deadline is moved past it."""
    world = World()
    world.join("alder")
    world.do(Extend(team="alder", until=CLOSES + timedelta(days=1), reason="ill"))
    later = CLOSES + timedelta(days=3)
    world.do(edit(world, dates=Dates(opens=OPENS, closes=later)))
    assert world.campaign.deadline("alder") == world.campaign.deadline() == later


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": "other"}, "keeps its name"),
        ({"tasks": TASKS[1:]}, "cannot be removed"),
        ({"tasks": with_task(way=2)}, "can no longer change"),
        ({"tasks": with_task(kind="justifications")}, "can no longer change"),
        ({"tasks": with_task(justifications="required")}, "can no longer change"),
        ({"tasks": with_task(runs=1)}, "allow at least 2 runs"),
    ],
)
def test_what_runs_would_contradict(changes: dict[str, Any], said: str) -> None:
    """A task with runs stays what it was when they were checked, and has room for them."""
    world = World()
    world.join("alder")
    second = world.accepted("alder", run=2)
    before = world.campaign
    with pytest.raises(UsageError, match=said):
        world.do(edit(world, **changes))
    assert world.campaign == before
    world.do(Withdraw(account="alder", id=second.id))
    if "runs" in said:
        world.do(edit(world, **changes))


def test_the_key_is_promised() -> None:
    """The key can be changed until submissions open, and no longer, also not with a clock that is set back."""
    other = {**FILES, "pairs.xml": digest("another key")}
    world = World()
    first = world.campaign.commitment
    world.do(edit(world, files=other), BEFORE)
    second = world.campaign.commitment
    assert first != second
    with pytest.raises(UsageError, match="promised the key of"):
        world.do(edit(world), OPENS)
    world.join("alder")
    world.accepted("alder")
    with pytest.raises(UsageError, match="promised the key of"):
        world.do(edit(world), BEFORE)
    assert world.campaign.commitment == second


def test_a_task_can_be_added_after_the_opening() -> None:
    """A further task breaks no promise about the others; taking one away does."""
    world = World()
    more = Task(name="late", test="late.xml")
    files = {**FILES, "late.xml": digest("late")}
    world.do(edit(world, files=files, tasks=(*TASKS, more)), DURING)
    assert [task.name for task in world.campaign.definition.tasks][-1] == "late"
    with pytest.raises(UsageError, match="promised the key of 'late'"):
        world.do(edit(world, tasks=TASKS), DURING)


def test_what_has_begun_is_not_undone() -> None:
    """Dates that have passed stay in the past, also without any run, so that the key cannot be exchanged meanwhile."""
    world = World()
    later = DURING + timedelta(days=1)
    for name, dates in (
        ("data", Dates(opens=later, closes=CLOSES)),
        ("opens", Dates(data=OPENS, opens=later, closes=CLOSES)),
    ):
        with pytest.raises(UsageError, match=f"`{name}` has passed"):
            world.do(edit(world, dates=dates), DURING)
    world.do(edit(world, dates=Dates(data=BEFORE, opens=later, closes=CLOSES)), BEFORE)
    with pytest.raises(UsageError, match="`data` has passed"):
        world.do(edit(world, dates=Dates(opens=later, closes=CLOSES)), DURING)
    world.do(edit(world, dates=Dates(data=BEFORE, opens=later + timedelta(hours=1), closes=CLOSES)), DURING)
    assert world.campaign.definition.dates.opens == later + timedelta(hours=1)


def test_no_text_is_a_key() -> None:
    """The content of a test set under another name is refused as agreement or guidelines."""
    from karat.campaign.commands import Create
    from karat.campaign.rules import decide

    world = World()
    leaking = {**FILES, "agreement.md": FILES["pairs.xml"], "guide.md": FILES["others.xml"]}
    with pytest.raises(UsageError, match="agreement: this is the test set of"):
        world.do(edit(world, files=leaking), BEFORE)
    with pytest.raises(UsageError, match="guidelines: this is the test set of"):
        world.do(edit(world, files={**leaking, "agreement.md": digest("x")}, guidelines="guide.md"), BEFORE)
    with pytest.raises(UsageError, match="agreement: this is the test set of"):
        decide(None, Create(definition=world.campaign.definition, files=leaking), BEFORE, bytes)


def test_the_commitment_can_be_checked() -> None:
    """With the secret number and the files, anybody computes what was published; a changed key gives something else."""
    state = World().campaign
    assert state.commitment == commitment_to(state.nonce, state.files, state.definition)
    changes: list[Callable[[], tuple[str, dict[str, str], Definition]]] = [
        lambda: ("0" * 32, state.files, state.definition),
        lambda: (state.nonce, {**state.files, "pairs.xml": digest("x")}, state.definition),
        lambda: (state.nonce, state.files, replace(state.definition, tasks=TASKS[:1])),
    ]
    for change in changes:
        assert commitment_to(*change()) != state.commitment
    titled = replace(state.definition, title="Another")
    assert commitment_to(state.nonce, {**state.files, "agreement.md": digest("x")}, titled) == state.commitment


def test_a_new_agreement_is_signed_anew() -> None:
    """Who accepted an earlier text has not accepted the new one."""
    world = World()
    world.join("alder")
    world.do(edit(world, files={**FILES, "agreement.md": digest("stricter")}))
    assert world.refused("alder") == ["not-signed"]


def test_a_second_campaign_of_a_name() -> None:
    """A campaign is made once."""
    from karat.campaign.commands import Create

    world = World()
    with pytest.raises(UsageError, match="there is a campaign called 'rte' already"):
        world.do(Create(definition=world.campaign.definition, files=FILES))


def test_what_is_promised_with_a_release() -> None:
    """Once results are out, nobody gets more time: not one team, and not all of them."""
    world = World()
    world.join("alder")
    world.do(Release(to="teams"), AFTER)
    changes: list[dict[str, Any]] = [{"dates": Dates(opens=OPENS, closes=AFTER + timedelta(days=9))}, {"grace": 60}]
    for change in changes:
        with pytest.raises(UsageError, match="results have been released: the deadline and its grace"):
            world.do(edit(world, **change), AFTER)
    with pytest.raises(UsageError, match="results have been released: no team"):
        world.do(Extend(team="alder", until=AFTER + timedelta(days=9), reason="ill"), AFTER)


def test_the_live_board_is_drawn_once() -> None:
    """Its share can change until submissions open."""
    world = World()
    command = edit(world, tasks=with_task(public_share=0.5))
    with pytest.raises(UsageError, match="the share of 'three-way' on the live board can no longer change"):
        world.do(command, DURING)
    world.do(command, BEFORE)
    assert world.campaign.definition.tasks[0].public_share == 0.5
