"""The judging of answers in a random campaign: verdicts, decisions, and lists with further answers."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from karat.campaign.events import Item, Stage
from karat.campaign.judging.agenda import agenda, last_judged
from karat.campaign.judging.commands import Assign, Judge, SetRound, Undo
from karat.campaign.judging.kinds import kind_of, kinds_of
from karat.campaign.judging.library import Library, Material
from tests.campaign.whole_judging import ASSESSORS, Assessors

if TYPE_CHECKING:
    from tests.campaign.whole_worlds import WholeWorld

TASK = "questions"
SOME = 12


class AnswerAssessors(Assessors):
    """What assessors do with answers, by the dice of a campaign."""

    @property
    def about(self) -> Material:
        """What is judged."""
        return Library(self.world.contents.__getitem__).material(self.world.campaign, TASK)

    def say(self, who: str, item: Item) -> None:
        """Somebody judges something by the dice, or skips it."""
        about = self.about
        kind = kind_of(about.task, item)
        asks = tuple(kind.asked(about, item, who))
        written = {ask.name: ask.start or ("5" if ask.number else "an answer") for ask in asks if not ask.values}
        values = {ask.name: self.dice.choice(ask.values) for ask in asks if ask.values} | written
        if item.stage == "adjudication":
            values |= {"kind": self.said(), "note": self.said()}
        skipped = self.said() if self.dice.random() < 0.1 and item.stage == "labels" else ""
        command = Judge(
            id=self.world.secret(self.dice.randbytes(16).hex()),
            task=TASK,
            account=who,
            item=item,
            asks=asks,
            values={} if skipped else values,
            skipped=skipped,
            comment=self.said(),
            suggested=kind.suggest(about, item, who),
        )
        self.do(command)

    def go(self, who: str, stage: Stage) -> None:
        """Somebody judges everything of a stage."""
        for item in agenda(self.world.campaign, TASK, who):
            if item.stage == stage:
                self.say(who, item)


def assess_answers(world: WholeWorld) -> None:
    """Two give verdicts, a third decides, and one makes lists."""
    people = AnswerAssessors(world)
    people.at += timedelta(days=30)
    units = tuple(kinds_of(people.about.task)["labels"].units(people.about)[:SOME])
    if not units:
        return
    two, third = ASSESSORS[:2], ASSESSORS[2]
    assert people.do(Assign(task=TASK, stage="labels", units=units, assessors=two, per_unit=2, repeats=1))
    for who in two:
        people.go(who, "labels")
    item = last_judged(world.campaign, TASK, two[0])
    assert item is not None
    people.do(Undo(id=world.secret(people.dice.randbytes(16).hex()), task=TASK, account=two[0], item=item))
    people.do(Assign(task=TASK, stage="adjudication", assessors=(third,), per_unit=1))
    people.go(third, "adjudication")
    assert people.do(SetRound(task=TASK, stage="labels", open=False))
    questions = tuple(dict.fromkeys(unit.partition("\t")[0] for unit in units))
    assert people.do(Assign(task=TASK, stage="lists", units=questions, assessors=(third,), per_unit=1))
    people.say(third, Item("lists", questions[0], entry="mine"))
    people.go(third, "lists")
