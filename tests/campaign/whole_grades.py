"""Whole answers graded and compared in a random campaign."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from karat.campaign.events import Item, Stage
from karat.campaign.judging.agenda import agenda
from karat.campaign.judging.commands import Assign, SetRound
from karat.campaign.judging.kinds import kinds_of
from karat.campaign.judging.kinds.grades import PREFERENCES
from karat.campaign.judging.library import Library

if TYPE_CHECKING:
    from tests.campaign.whole_judging import Assessors

ASKED = "questions"
UNITS = ("1.5", "2.6")
"""OTHER questions of the examples, which every run answers."""
STAGES: tuple[Stage, ...] = ("quality", "preferences")


def values_of(people: Assessors, item: Item) -> dict[str, str]:
    """Two grades, or a preference."""
    if item.stage == "preferences":
        return {"preference": people.dice.choice(PREFERENCES)}
    return {name: str(people.dice.randint(0, 10)) for name in ("content", "organisation")}


def grade(people: Assessors, everybody: tuple[str, ...]) -> None:
    """Two grade and compare the answers to two questions, change their minds, and one takes something back."""
    about = Library(people.world.contents.__getitem__).material(people.world.campaign, ASKED)
    for stage in STAGES:
        kind = kinds_of(about.task)[stage]
        units = tuple(unit for unit in UNITS if unit in kind.units(about))
        assert kind.runs is not None
        given: dict[str, Any] = {"units": units, "runs": {unit: kind.runs(about, unit) for unit in units}}
        if units:
            assert people.do(Assign(task=ASKED, stage=stage, assessors=everybody[:2], per_unit=2, **given))
    for who in everybody[:2]:
        for item in agenda(people.world.campaign, ASKED, who):
            if item.stage in STAGES and people.dice.random() < 0.9:
                people.judge(who, ASKED, item, values_of(people, item))
        people.judge(who, ASKED)
        people.undo(who, ASKED)
    people.do(SetRound(task=ASKED, stage="preferences", open=False, reason=""))
