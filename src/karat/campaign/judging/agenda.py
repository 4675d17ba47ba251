"""What an assessor has to judge now, and what comes next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from math import ceil
from typing import get_args

import msgspec
from immutables import Map
from msgspec.structs import replace

from karat.campaign.events import Item, Stage
from karat.campaign.judging.dealing import in_order
from karat.campaign.judging.work import Ballot, Work
from karat.campaign.remembered import Remembered
from karat.campaign.state import Campaign

Leased = Callable[[Item], int]
"""How many others are looking at an item of a pool now."""
IN_ORDER: tuple[Stage, ...] = tuple(
    stage for stage in get_args(Stage) if stage not in ("qualification", "planted", "adjudication")
)
"""What is dealt out comes in this order; of one task, assessors seldom have two kinds."""
NOBODY: Map[str, Ballot] = Map()
BEFORE: Mapping[Stage, Stage] = {"matches": "nuggets"}
"""What has to be closed, if it was given out at all, before something else is judged by it."""


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """An attempt to qualify."""

    number: int
    items: tuple[Item, ...]
    done: int
    right: int
    passed: bool

    @property
    def over(self) -> bool:
        """Whether all examples were judged."""
        return self.done == len(self.items)


def needed(state: Campaign, examples: int) -> int:
    """How many of so many examples have to be right; 55% of 20 are 11, although 0.55 * 20 is a little more."""
    return ceil(round(state.definition.judging.qualify * examples, 9))


def attempt(state: Campaign, task: str, who: str) -> Attempt | None:
    """The newest attempt of somebody to qualify; None if they need not."""
    work = state.work_of(task)
    first = work.queues.get(("qualification", who), {})
    if not first:
        return None
    mine, number = work.of(who), 1
    while True:
        items = tuple(replace(item, copy=number) for item in first)
        given = [mine[item].said for item in items if item in mine]
        right = sum(said.values.get("label") == said.expected for said in given)
        passed = len(given) == len(items) and right >= needed(state, len(items))
        # A program is measured by the examples, but it has nothing to learn from trying again.
        if passed or len(given) < len(items) or who in work.programs:
            return Attempt(number=number, items=items, done=len(given), right=right, passed=passed)
        number += 1


def may_begin(state: Campaign, task: str, who: str) -> bool:
    """Whether somebody has qualified, or need not."""
    made = attempt(state, task, who)
    return made is None or made.passed or (made.over and who in state.work_of(task).programs)


def agenda(state: Campaign, task: str, who: str, leased: Leased = lambda _: 0, after: Item | None = None) -> list[Item]:
    """Everything that somebody has to judge and has judged, in order; of pools, what is judged and the next unit.

    With `after`, the next unit is the one that waits after this one, and then from the beginning.
    """
    work = state.work_of(task)
    made = attempt(state, task, who)
    if made is not None and not may_begin(state, task, who):
        return list(made.items)
    found: list[Item] = []
    for stage in IN_ORDER:
        items = work.queues.get((stage, who), {})
        found += items
        if stage == "norming" and work.revealed:
            found += [replace(item, copy=2) for item in items]
    found += _pooled(work, who, leased, after)
    if who in work.adjudicators:
        found += _to_decide(state, task, work, who)
    return found


def _pooled(work: Work, who: str, leased: Leased, after: Item | None) -> list[Item]:
    """Of units in pools, those that somebody has labelled, and the next one that still needs people."""
    found: list[Item] = []
    for pool in work.pools:
        if who not in pool.assessors:
            continue
        # Programs judge beside people: they take no place from them, and find none taken. Whoever was dealt a unit does
        # not share it: it waits for as many others.
        people, free = pool.people - work.programs, who in work.programs
        discussed = {item.unit for item in work.queues.get(("norming", who), ())}
        start = [*pool.items].index(after) + 1 if after is not None and after in pool.items else 0
        waiting = dict[bool, Item]()
        for place, item in enumerate(pool.items):
            given, holders = work.labels.get(item.unit, NOBODY), work.holders.get(item.unit, ())
            if who in holders or item.unit in discussed:
                continue
            if who in given or (item == after and place + 1 == start):
                found.append(item)
            elif (place >= start) not in waiting and (
                free or sum(one in people and one not in holders for one in given) + leased(item) < pool.per_unit
            ):
                waiting[place >= start] = item
        if waiting and pool.stage not in work.closed:
            found.append(waiting[max(waiting)])
    return found


def _to_decide(state: Campaign, task: str, work: Work, who: str) -> Sequence[Item]:
    """Units on which people differ of whom somebody is none, and those that they have decided."""
    made_from = (work.disputed, work.labels, work.ballots.get(who))
    return _decided.of((state.seed, task, who), made_from, lambda: _found_to_decide(state, task, work, who))


def _found_to_decide(state: Campaign, task: str, work: Work, who: str) -> Sequence[Item]:
    mine = {item.unit for item in work.of(who) if item.stage == "adjudication"}
    own = work.of(who)
    open_ = {
        unit for unit in work.disputed if who not in work.labels.get(unit, NOBODY) and Item("lists", unit) not in own
    }
    return [Item("adjudication", unit) for unit in _ordered(state.seed, task, frozenset(mine | open_))]


_decided: Remembered[Sequence[Item]] = Remembered(32)


@lru_cache(maxsize=32)
def _ordered(seed: str, task: str, units: frozenset[str]) -> tuple[str, ...]:
    """Units in the order in which everybody judges them, kept: one page asks for it several times."""
    return tuple(in_order(seed, task, units))


def is_open(work: Work, item: Item) -> bool:
    """Whether a judgment can be given or changed."""
    stage: Stage = "labels" if item.stage == "planted" else item.stage
    if stage in work.closed or _waits(work, stage):
        return False
    # A label stays open when an adjudicator has decided, and the decision stands: to refuse a change would tell its
    # assessor, before the close, that somebody said something else.
    return not (stage == "norming" and item.copy == 1 and work.revealed)


def _waits(work: Work, stage: Stage) -> bool:
    """Whether something else was given out that has to be closed first."""
    before = BEFORE.get(stage)
    if before is None or before in work.closed:
        return False
    return any(of == before and items for (of, _), items in work.queues.items())


def can_change(work: Work, who: str, item: Item) -> bool:
    """Whether somebody can still change a judgment; an attempt to qualify that is over counts as it was."""
    examples = work.queues.get(("qualification", who), ()) if item.stage == "qualification" else ()
    over = bool(examples) and all(replace(one, copy=item.copy) in work.of(who) for one in examples)
    return is_open(work, item) and not over


def waiting_items(
    state: Campaign,
    task: str,
    who: str,
    after: Item | None = None,
    leased: Leased = lambda _: 0,
    items: Sequence[Item] | None = None,
) -> Iterator[Item]:
    """The items that wait for a judgment, from a place on; then those from the beginning.

    `items` is the agenda, if it is known.
    """
    work, items = state.work_of(task), agenda(state, task, who, leased, after) if items is None else items
    mine = work.of(who)
    start = items.index(after) + 1 if after in items else 0
    return (item for item in chain(items[start:], items[:start]) if item not in mine and is_open(work, item))


def next_item(
    state: Campaign,
    task: str,
    who: str,
    after: Item | None = None,
    leased: Leased = lambda _: 0,
    items: Sequence[Item] | None = None,
) -> Item | None:
    """The first item that waits for a judgment, from a place on; then from the beginning; None if nothing is left."""
    return next(waiting_items(state, task, who, after, leased, items), None)


def last_judged(state: Campaign, task: str, who: str) -> Item | None:
    """What somebody judged last and can still change; of justifications that were skipped together, the one shown."""
    work = state.work_of(task)
    mine = [ballot for item, ballot in work.of(who).items() if can_change(work, who, item)]
    if not mine:
        return None
    last = max(mine, key=lambda ballot: ballot.sequence)
    together = skipped_together(work, who, last.said.item)
    return min(together, key=lambda item: work.of(who)[item].sequence, default=last.said.item)


def skipped_together(work: Work, who: str, item: Item) -> list[Item]:
    """The justifications that somebody skipped by one act, since they disagree with the key; none if they did not."""
    mine = work.of(who)
    if item.stage != "ratings" or item not in mine or not mine[item].said.skipped:
        return []
    ids = {one: ballot.said.id for one, ballot in mine.items() if one.stage == "ratings" and one.unit == item.unit}
    act = ids[item] if f"{ids[item]}/2" in ids.values() else ids[item].rpartition("/")[0]
    return [one for one, id in ids.items() if act and (id == act or id.rpartition("/")[0] == act)]


def has_work(work: Work, who: str) -> bool:
    """Whether anything was ever given to somebody to judge."""
    dealt = any(name == who and items for (_, name), items in work.queues.items())
    return dealt or who in work.adjudicators or any(who in pool.assessors for pool in work.pools)
