"""How far somebody is with judging, and how long the rest will take at their own pace."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import msgspec
from msgspec.structs import replace

from karat.campaign.events import Item, Stage
from karat.campaign.judging.agenda import agenda, is_open
from karat.campaign.judging.kinds import kind_of
from karat.campaign.state import Campaign

FEWEST_TIMES = 5
"""From fewer judgments nothing is said about the time that is left."""


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far somebody is with one kind of judging."""

    stage: Stage
    title: str
    """What it is called on pages."""
    verb: str
    again: bool = False
    """Whether it is the vote after a discussion."""
    done: int
    total: int | None
    """None in a pool, of which nobody knows how much they will get."""
    skipped: int
    waiting: int
    """What can be judged now."""
    closed: bool
    seconds: float | None
    """What the rest will take, if each unit takes as long as the median so far; None where that is not known."""


def counted_as(item: Item) -> tuple[Stage, int]:
    """What items are counted together by: examples are not told from the units among which they stand."""
    if item.stage in ("labels", "planted"):
        return "labels", 1
    return item.stage, item.copy


def progress(state: Campaign, task: str, who: str, item: Item) -> Progress:
    """How far somebody is with items like this one."""
    if item.stage == "qualification":  # an attempt that is over is on no agenda
        examples = state.work_of(task).queues.get(("qualification", who), ())
        return _counted(state, task, who, item, [replace(one, copy=item.copy) for one in examples])
    alike = [one for one in agenda(state, task, who) if counted_as(one) == counted_as(item)]
    return _counted(state, task, who, item, alike)


def progresses(state: Campaign, task: str, who: str) -> list[Progress]:
    """How far somebody is with everything that they have to judge in a task now."""
    kinds: dict[tuple[Stage, int], list[Item]] = {}
    for item in agenda(state, task, who):
        kinds.setdefault(counted_as(item), []).append(item)
    return [_counted(state, task, who, items[0], items) for items in kinds.values()]


def _counted(state: Campaign, task: str, who: str, one: Item, items: Sequence[Item]) -> Progress:
    """How far somebody is with items like one of them."""
    work, (stage, copy) = state.work_of(task), counted_as(one)
    mine, kind = work.of(who), kind_of(state.definition.task(task), Item(stage, one.unit))
    given = [mine[item].said for item in items if item in mine]
    waiting = sum(item not in mine and is_open(work, item) for item in items)
    pooled = any(pool.stage == stage and who in pool.assessors for pool in work.pools)
    times = [said.seconds for said in given if said.seconds is not None and not said.skipped]
    known = len(times) >= FEWEST_TIMES and not pooled
    return Progress(
        stage=stage,
        title=kind.title,
        verb=kind.verb,
        again=stage == "norming" and copy > 1,
        done=len(given),
        total=None if pooled else len(items),
        skipped=sum(bool(said.skipped) for said in given),
        waiting=waiting,
        closed=stage in work.closed,
        seconds=median(times) * waiting if known and waiting else None,
    )
