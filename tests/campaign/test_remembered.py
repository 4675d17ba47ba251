"""Tests of what makes large campaigns quick: judgments taken in together, answers kept while nothing changes."""

from __future__ import annotations

from functools import reduce

from karat.campaign.events import Item
from karat.campaign.judging.work import Work, all_judged, assigned, judged
from karat.campaign.judging_events import Assigned, Judged
from karat.campaign.remembered import Remembered
from tests.campaign.worlds import OPENS

TASK, PEOPLE = "task", ("anna", "ben", "cleo")
LABELS = ("ENTAILMENT", "UNKNOWN", "CONTRADICTION")


def test_judgments_together_are_as_one_by_one() -> None:
    """Labels, changed ones, skipped ones, second ones and decisions, taken in at once or one after the other."""
    units = tuple(f"u{number}" for number in range(12))
    given = Assigned(task=TASK, stage="labels", units=units, assessors=PEOPLE, per_unit=3, repeats=2)
    work = assigned(Work(), given, "00" * 32)
    work = assigned(
        work, Assigned(task=TASK, stage="adjudication", units=(), assessors=("dora",), per_unit=1), "00" * 32
    )
    said = [
        Judged(
            id=f"{who}-{unit}-{copy}",
            task=TASK,
            item=Item("labels", unit, copy=copy),
            assessor=who,
            values={"label": LABELS[(place + at * (place % 3)) % 3]},
            skipped="no text" if (place, at) == (5, 1) else "",
        )
        for copy in (1, 2, 1)
        for place, unit in enumerate(units)
        for at, who in enumerate(PEOPLE)
    ]
    decided = Item("adjudication", units[1])
    said.append(Judged(id="d", task=TASK, item=decided, assessor="dora", values={"label": "UNKNOWN"}))
    numbered = [(event, OPENS, number) for number, event in enumerate(said, 1)]
    one_by_one = reduce(lambda so_far, one: judged(so_far, *one), numbered, work)
    assert all_judged(work, numbered) == one_by_one
    assert one_by_one.disputed
    assert one_by_one.decisions


def test_what_has_not_changed_is_not_made_again() -> None:
    """An answer holds as long as it is made from the same objects; the oldest questions are forgotten."""
    kept: Remembered[int] = Remembered(2)
    made: list[int] = []
    one, like_it = [1], [1]

    def make() -> int:
        made.append(1)
        return len(made)

    assert [kept.of("a", (one,), make), kept.of("a", (one,), make)] == [1, 1]
    assert kept.of("a", (like_it,), make) == 2
    assert kept.of("a", (like_it, one), make) == 3
    assert [kept.of("b", (), make), kept.of("c", (), make), kept.of("a", (like_it, one), make)] == [4, 5, 6]
