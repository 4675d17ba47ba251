"""Tests of how far somebody is with judging, and of taking back what was skipped by one act."""

from __future__ import annotations

from karat.campaign.events import Item
from karat.campaign.judging.agenda import agenda, has_work, last_judged, next_item, waiting_items
from karat.campaign.judging.commands import SetRound, Undo
from karat.campaign.judging.progress import FEWEST_TIMES, progress, progresses
from tests.campaign.test_judging import ANNA, BEN, CLEO, TASK, UNITS, Assessed, rated


def test_time_is_told_from_the_median_of_enough_judgments() -> None:
    """One long break changes nothing, and fewer than five judgments say nothing."""
    world = Assessed()
    world.assign(ANNA, BEN)
    for number, unit in enumerate(UNITS[:FEWEST_TIMES]):
        (told,) = progresses(world.campaign, TASK, ANNA)
        assert (told.done, told.total, told.waiting, told.seconds) == (number, 12, 12 - number, None)
        world.judge(ANNA, unit, seconds=7200.0 if number == 2 else 6.0)
    told = progress(world.campaign, TASK, ANNA, Item("labels", "u9"))
    assert told.seconds == 6 * (12 - FEWEST_TIMES)
    world.do(SetRound(task=TASK, stage="labels", open=False))
    told = progress(world.campaign, TASK, ANNA, Item("labels", "u9"))
    assert (told.closed, told.waiting, told.seconds) == (True, 0, None)


def test_a_pool_has_no_total() -> None:
    """Nobody knows how many units they will get."""
    world = Assessed()
    world.assign(ANNA, BEN, shared=True)
    for _ in range(FEWEST_TIMES):
        item = next_item(world.campaign, TASK, ANNA)
        assert item is not None
        world.judge(ANNA, item, seconds=1.0)
    (told,) = progresses(world.campaign, TASK, ANNA)
    assert (told.done, told.total, told.seconds) == (5, None, None)


def test_what_waits_comes_in_order_and_then_from_the_beginning() -> None:
    """What was put aside comes last."""
    world = Assessed()
    world.assign(ANNA, BEN)
    items = agenda(world.campaign, TASK, ANNA)
    world.judge(ANNA, items[4])
    found = list(waiting_items(world.campaign, TASK, ANNA, items[2]))
    assert found == [items[3], *items[5:], *items[:3]]
    assert has_work(world.work, ANNA)
    assert not has_work(world.work, CLEO)


def test_a_skipped_pair_is_taken_back_with_all_its_justifications() -> None:
    """By one act, as it was skipped; the justification that was shown is shown again."""
    world, items = rated()
    world.rate(ANNA, items[0], understandable=2)
    world.judge(ANNA, items[1], task="reasons", values={}, skipped="the key is wrong")
    assert last_judged(world.campaign, "reasons", ANNA) == items[1]
    world.do(Undo(task="reasons", id="back", account=ANNA, item=items[1]))
    mine = world.campaign.work_of("reasons").of(ANNA)
    assert {item: ballot.said.values for item, ballot in mine.items()} == {items[0]: {"understandable": "2"}}
    assert world.do(Undo(task="reasons", id="back", account=ANNA, item=items[1])) == ()
