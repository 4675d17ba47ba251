"""Nuggets in a random campaign: lists are written, merged, finished and closed, and responses matched with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from karat.campaign.events import Item
from karat.campaign.judging.agenda import agenda
from karat.campaign.judging.commands import Assign, Judge, SetRound, Undo
from karat.campaign.judging.kinds import kind_of, kinds_of
from karat.campaign.judging.library import Library, Material

if TYPE_CHECKING:
    from tests.campaign.whole_judging import Assessors

TASK = "questions"


class Nuggets:
    """What assessors do with the OTHER questions, by the dice of a campaign."""

    def __init__(self, people: Assessors, *assessors: str) -> None:
        self.people, self.assessors, self.dice = people, assessors, people.dice
        self.library = Library(people.world.contents.__getitem__)

    @property
    def material(self) -> Material:
        """What the judging is about now."""
        return self.library.material(self.people.world.campaign, TASK)

    def judge(self, who: str, item: Item, values: dict[str, str], skipped: str = "") -> bool:
        """Somebody judges something, and may take it back."""
        asks = tuple(kind_of(self.material.task, item).asked(self.material, item, who))
        made, secret = (
            Judge(id="", task=TASK, account=who, item=item, asks=asks, values=values),
            self.people.world.secret,
        )
        stored = self.people.do(replace(made, id=secret(self.dice.randbytes(16).hex()), skipped=skipped))
        if stored and self.dice.random() < 0.1:
            self.people.do(Undo(id=secret(self.dice.randbytes(16).hex()), task=TASK, account=who, item=item))
        return stored

    def give_out(self, stage: str) -> bool:
        """Everything is given to both."""
        kind = kinds_of(self.material.task)[stage]
        units = tuple(kind.units(self.material))[:3]
        runs = {} if kind.runs is None else {unit: kind.runs(self.material, unit) for unit in units}
        if not units:
            return False
        given = Assign(task=TASK, stage=kind.stage, units=units, assessors=self.assessors, per_unit=2, runs=runs)
        return self.people.do(given)

    def play(self) -> None:
        """Lists, then matches; opening the lists again is refused."""
        if not self.give_out("nuggets"):
            return
        for who in self.assessors:
            for item in agenda(self.people.world.campaign, TASK, who):
                for number in range(self.dice.randint(1, 4)):
                    values = {"text": f"nugget {number}", "importance": self.dice.choice(("vital", "okay"))}
                    self.judge(who, replace(item, entry=f"n{number}"), values)
                if self.dice.random() < 0.5:
                    self.judge(who, replace(item, entry="n0"), {}, skipped=self.people.said())
                self.judge(who, item, {})
                self.judge(who, item, {"vital": "no_vital"})
        self.people.do(SetRound(task=TASK, stage="nuggets", open=False))
        if not self.give_out("matches"):
            return
        for who in self.assessors:
            for item in agenda(self.people.world.campaign, TASK, who):
                if item.stage == "matches":
                    asks = kind_of(self.material.task, item).asked(self.material, item, who)
                    self.judge(who, item, {ask.name: self.dice.choice(ask.values) for ask in asks if ask.values})
        assert not self.people.do(SetRound(task=TASK, stage="nuggets", open=True, reason=self.people.said()))
