"""Tests that judging does not become slower with every judgment, whatever is judged."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any

from karat.campaign.events import Item
from karat.campaign.judging.work import Work, assigned, judged
from karat.campaign.judging_events import Assigned, Judged, Stage
from tests.campaign.worlds import OPENS

TASK, PEOPLE = "task", ("anna", "ben", "cleo")


def steps_of(do: Callable[[], object]) -> int:
    """How many instructions of Python are carried out: the same on every machine, however busy it is."""
    count = 0

    def seen(frame: FrameType, event: str, _: object) -> Any:
        nonlocal count
        frame.f_trace_opcodes = True
        count += event == "opcode"
        return seen

    before = sys.gettrace()
    sys.settrace(seen)
    try:
        do()
    finally:
        sys.settrace(before)
    return count


def last_steps(stage: Stage, units: int, entries: int = 0) -> int:
    """The instructions that one more judgment takes after so many units, each with some entries, were judged."""
    names = tuple(f"u{number}" for number in range(units + 1))
    given = Assigned(task=TASK, stage=stage, units=names, assessors=PEOPLE, per_unit=len(PEOPLE))
    work = assigned(Work(), given, "00" * 32)
    number = 0
    for unit in names:
        for who in PEOPLE:
            for entry in (*(f"e{one}" for one in range(entries)), ""):
                number += 1
                item = Item(stage, unit, entry=entry)
                values = {"answer": entry, "group": "1"} if entry else {"label": "UNKNOWN"}
                said = Judged(id=f"{number}", task=TASK, item=item, assessor=who, values=values)
                if unit == names[-1]:
                    return steps_of(partial(judged, work, said, OPENS, number))
                work = judged(work, said, OPENS, number)
    raise AssertionError


def test_a_label_takes_as_long_after_a_thousand_others() -> None:
    """What follows from a label is looked up, not searched for among all judgments."""
    assert last_steps("labels", 400) <= 1.2 * last_steps("labels", 10)


def test_a_list_takes_as_long_after_many_others() -> None:
    """The entries of a list are found without those of other lists."""
    assert last_steps("lists", 100, entries=3) <= 1.2 * last_steps("lists", 10, entries=3)
