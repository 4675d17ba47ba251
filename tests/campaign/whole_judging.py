"""The judging of a random campaign: everything that can happen to it, with names and remarks that can be recognised."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from karat.campaign.commands import Command, Join
from karat.campaign.events import Item, Stage
from karat.campaign.judging.agenda import agenda, last_judged
from karat.campaign.judging.commands import (
    Assign,
    Brought,
    ImportBallots,
    Judge,
    Reassign,
    Remark,
    Reveal,
    SetRound,
    Summarise,
    Undo,
)
from karat.errors import KaratError
from tests.campaign.asks import form
from tests.campaign.whole_grades import STAGES as GRADED
from tests.campaign.whole_grades import grade
from tests.campaign.whole_grades import values_of as graded
from tests.campaign.whole_nuggets import Nuggets
from tests.campaign.worlds import AFTER

if TYPE_CHECKING:
    from tests.campaign.whole_worlds import WholeWorld

ASSESSORS = ("axolotl", "binturong", "cassowary", "dikdik")
ROBOT = "echidnabot"
LABELS = ("ENTAILMENT", "UNKNOWN", "CONTRADICTION")
KNOWN = {"x1": "ENTAILMENT", "x2": "CONTRADICTION", "x3": "UNKNOWN"}
UNITS = tuple(f"p{number}" for number in range(1, 13))
TASK, RATED = "three-way", "reasons"
SOME: tuple[Stage, ...] = ("labels", "ratings", "adjudication", "norming", "planted", "qualification")


class Assessors:
    """What assessors do, by the dice of a campaign."""

    def __init__(self, world: WholeWorld) -> None:
        self.world, self.dice, self.at = world, world.dice, AFTER + timedelta(days=1)

    def do(self, command: Command) -> bool:
        """Carry out a command that may be refused; whether it was not."""
        self.at += timedelta(seconds=self.dice.randint(1, 400))
        try:
            return bool(self.world.do(command, self.at))
        except KaratError:
            return False

    def said(self) -> str:
        """A remark with a name in it."""
        return self.world.remark(self.dice.choice(ASSESSORS))

    def join(self) -> None:
        """Assessors come, one of them a program."""
        for who in (*ASSESSORS, ROBOT):
            person = self.world.secret(f"{who.title()} Assessorsson")
            self.do(Join(account=self.world.secret(who), role="assessor", person=person, signed=person))

    def judge(self, who: str, task: str = TASK, item: Item | None = None, values: Any = None) -> None:
        """Somebody judges, or skips, something that they have, or changes what they said."""
        items = agenda(self.world.campaign, task, who)
        if item is None and not items:
            return
        item = item or self.dice.choice(items)
        comment = self.said() if self.dice.random() < 0.3 else ""
        given: dict[str, Any] = {"values": self.values(item) if values is None else values, "comment": comment}
        if self.dice.random() < 0.1:
            given = {"values": {}, "skipped": self.said()}
        command = Judge(
            id=self.world.secret(self.dice.randbytes(16).hex()),
            task=task,
            account=who,
            item=item,
            asks=form(item.stage, entry=item.entry),
            seconds=self.seconds(),
            expected=KNOWN.get(item.unit, ""),
            program=self.world.secret('{"model": "numbat-7b"}') if who == ROBOT else "",
            **given,
        )
        self.do(command)

    def seconds(self) -> float | None:
        """How long a unit was in sight, which is not always known."""
        return float(self.dice.randint(0, 90)) if self.dice.random() < 0.9 else None

    def values(self, item: Item) -> dict[str, str]:
        """Answers to what is asked."""
        if item.stage == "ratings":
            first = self.dice.randint(1, 5)
            more = {"compelling": str(self.dice.randint(1, 4))} if first >= 3 else {}  # 5 is for right answers alone
            return {"understandable": str(first)} | more
        if item.stage in GRADED:
            return graded(self, item)
        told = {"label": self.dice.choice(LABELS)}
        if item.stage == "adjudication":
            told |= {"reason": self.dice.choice(("error", "difference")), "kind": self.said(), "note": self.said()}
        return told

    def undo(self, who: str, task: str) -> None:
        """Somebody takes back what they said last."""
        item = last_judged(self.world.campaign, task, who)
        if item is not None:
            self.do(Undo(id=self.world.secret(self.dice.randbytes(16).hex()), task=task, account=who, item=item))

    def norm(self) -> None:
        """Two vote on the same units, talk, and vote again."""
        two = ASSESSORS[:2]
        self.do(Assign(task=TASK, stage="norming", units=UNITS[:2], assessors=two, per_unit=2))
        for who in two:
            for unit in UNITS[:2]:
                self.judge(who, item=Item("norming", unit))
                self.judge(who, item=Item("norming", unit), values={"label": LABELS[0]})
        self.do(Reveal(task=TASK))
        self.do(Remark(task=TASK, unit=UNITS[0], account=two[0], text=self.said()))

    def qualify(self, who: str) -> None:
        """Somebody labels the examples, all of them right."""
        for item in agenda(self.world.campaign, TASK, who):
            if item.stage == "qualification":
                self.judge(who, item=item, values={"label": KNOWN[item.unit]})

    def give_out(self) -> None:
        """Units are dealt, shared and decided on; justifications are rated."""
        everybody = (*ASSESSORS[:3], ROBOT)
        more: dict[str, Any] = {"repeats": 2, "planted": ("x3",), "examples": ("x1", "x2")}
        assert self.do(Assign(task=TASK, stage="labels", units=UNITS[:9], assessors=everybody, per_unit=2, **more))
        self.do(Assign(task=TASK, stage="labels", units=UNITS[9:], assessors=everybody[:3], per_unit=2, shared=True))
        self.do(Assign(task=TASK, stage="adjudication", assessors=("kinkajou", ASSESSORS[3]), per_unit=1))
        runs = tuple(run.received.id for run in self.world.campaign.active(task=RATED))
        given: dict[str, Any] = {"units": UNITS[:3], "runs": dict.fromkeys(UNITS[:3], runs), "per_unit": 2}
        if runs:
            self.do(Assign(task=RATED, stage="ratings", assessors=ASSESSORS[:2], **given))

    def take_apart(self) -> None:
        """Two decompose pairs and write questions; parts are changed, taken out and taken back."""
        units: dict[str, tuple[Stage, tuple[str, ...]]] = {"parts": ("parts", UNITS[:3])}
        units["questions"] = "development", ("S1", "S2")
        for task, (stage, names) in units.items():
            self.do(Assign(task=task, stage=stage, units=names, assessors=ASSESSORS[:2], per_unit=2))
            for who in ASSESSORS[:2]:
                for unit in names:
                    self.write(who, task, Item(stage, unit))
            work = self.world.campaign.work_of(task)
            assert any(work.entries(who, Item(stage, unit)) for who in ASSESSORS[:2] for unit in names)

    def write(self, who: str, task: str, item: Item) -> None:
        """Somebody writes a list, and finishes it."""
        own = item.stage == "parts"
        part = {"phenomenon": "lexical:synonymy", "lhs": "Text", "rhs": "Word", "label": self.dice.choice(LABELS)}
        asked = {"kind": "FACTOID", "text": "Who?", "answers": "Ada | d1", "place": "1"}
        first, second = (part | {"hypothesis": "A word."}, part | {"hypothesis": "Words."}) if own else (asked, asked)
        for values in (first, second | {"rhs": "Term"} if own else second | {"kind": "LIST"}):
            self.judge(who, task, replace(item, entry="a"), values)
        self.undo(who, task)
        last = part | {"hypothesis": "Word 2."} if own else {"kind": "OTHER", "place": "2"}
        self.judge(who, task, replace(item, entry="b"), last)
        self.judge(who, task, item, {} if own else {"target": "Ada", "definition": "A programmer."})

    def step(self) -> None:
        """Something happens."""
        dice, task = self.dice, self.dice.choice((TASK, TASK, RATED))
        who = dice.choice((*ASSESSORS, ROBOT, "kinkajou"))
        match dice.randrange(20):
            case 0 | 1:
                self.undo(who, task)
            case 2:
                self.do(SetRound(task=task, stage=dice.choice(SOME), open=dice.random() < 0.5, reason=self.said()))
            case 3:
                stage: Stage = "labels" if task == TASK else "ratings"
                to = () if dice.random() < 0.5 else (dice.choice(ASSESSORS),)
                self.do(Reassign(task=task, stage=stage, assessor=who, to=to, reason=self.said()))
            case 4:
                self.do(Summarise(task=task, account=who, text=self.said() * dice.randrange(2)))
            case _:
                self.judge(who, task)

    def go_through(self, who: str) -> None:
        """Somebody judges nearly everything that they have."""
        state = self.world.campaign
        for item in agenda(state, TASK, who):
            if item not in state.work_of(TASK).of(who) and self.dice.random() < 0.95:
                self.judge(who, item=item)

    def open_all(self) -> None:
        """Every round is opened, if it was closed."""
        rounds: list[tuple[str, Stage]] = [(TASK, "labels"), (TASK, "adjudication"), (RATED, "ratings")]
        for task, stage in rounds:
            self.do(SetRound(task=task, stage=stage, open=True, reason=self.said()))

    def bring(self) -> None:
        """Judgments that were given elsewhere are brought in."""
        name, who = self.world.secret("quokkas-ballots.tsv"), ASSESSORS[3]
        file = self.world.keep(f"unit\tassessor\tlabel\tcomment\np1\t{who}\tUNKNOWN\t{self.said()}\n".encode())
        self.world.secrets.add(file)
        one = Brought(line=2, account=who, item=Item("labels", "p1"), values={"label": "UNKNOWN"}, comment=self.said())
        self.do(ImportBallots(task=TASK, file=name, sha256=file, ballots=(one,)))


def assess(world: WholeWorld, steps: int = 40) -> None:
    """Assessors judge, in a week after the close."""
    people = Assessors(world)
    people.join()
    people.norm()
    people.give_out()
    people.take_apart()
    for who in (*ASSESSORS, ROBOT):
        people.qualify(who)
    for _ in range(steps):
        people.step()
    people.open_all()
    grade(people, ASSESSORS)
    people.bring()
    for who in (*ASSESSORS, "kinkajou"):
        people.go_through(who)
    for _ in range(steps // 4):
        people.step()
    Nuggets(people, *ASSESSORS[:2]).play()
