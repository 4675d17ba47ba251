"""Tests of the rules of judging: who gets what, what can be said about it, and what follows."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, groupby
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from karat.campaign.commands import Join
from karat.campaign.definition import Judging, Task
from karat.campaign.events import Item, Judged, Stage
from karat.campaign.judging.agenda import agenda, attempt, is_open, last_judged, next_item
from karat.campaign.judging.commands import (
    Assign,
    Judge,
    Reassign,
    Remark,
    Reveal,
    SetRound,
    Summarise,
    Undo,
)
from karat.campaign.judging.dealing import deal, head_of, in_order, token
from karat.campaign.judging.work import Work
from karat.errors import DataError, KaratError, UsageError
from tests.campaign.asks import form
from tests.campaign.worlds import AFTER, DEFINITION, DURING, World, faults

UNITS = tuple(f"u{number}" for number in range(12))
ANNA, BEN, CLEO, DORA = "anna", "ben", "cleo", "dora"
TASK = "three-way"
LABELS = ("ENTAILMENT", "UNKNOWN", "CONTRADICTION")


class Assessed(World):
    """A campaign with assessors."""

    now = AFTER

    def __init__(self, *people: str, **changes: Any) -> None:
        tasks = (*DEFINITION.tasks, Task(name="reasons", kind="justifications", test="pairs.xml"))
        super().__init__(agreement=None, tasks=tasks, **changes)
        self.ids = 0
        for name in people or (ANNA, BEN, CLEO):
            self.do(Join(account=name, role="assessor", person=name))

    def assign(self, *people: str, **more: Any) -> Any:
        """Give units to assessors."""
        units = () if more.get("stage") == "adjudication" else UNITS
        asked: dict[str, Any] = {"task": TASK, "stage": "labels", "units": units, "per_unit": 2, "assessors": people}
        return self.do(Assign(**asked | more))

    def judge(self, who: str, item: Item | str, label: str = "ENTAILMENT", **more: Any) -> Any:
        """Judge a unit."""
        self.ids += 1
        item = Item("labels", item) if isinstance(item, str) else item
        asked: dict[str, Any] = {
            "id": f"id-{self.ids}",
            "task": TASK,
            "account": who,
            "item": item,
            "asks": form(item.stage),
            "values": {"label": label},
        }
        return self.do(Judge(**asked | more))

    def rate(self, who: str, item: Item, wrong: bool = False, **values: int) -> Any:
        """Rate a justification."""
        said = {name: str(value) for name, value in values.items()}
        return self.judge(who, item, task="reasons", asks=form("ratings", wrong=wrong), values=said)

    def decide(self, who: str, unit: str, label: str, **more: str) -> Any:
        """Adjudicate a unit."""
        values = {"label": label, "reason": "error", **more}
        return self.judge(who, Item("adjudication", unit), values=values)

    @property
    def work(self) -> Work:
        """The judging of the task."""
        return self.campaign.work_of(TASK)

    def codes(self, call: Any, *args: Any, **more: Any) -> list[str]:
        """The kinds of problems for which something is refused; the state stays as it was."""
        before = self.campaign
        with pytest.raises(DataError) as error:
            call(*args, **more)
        assert self.campaign is before
        return [problem.code for problem in error.value.problems]


@given(units=st.integers(1, 60), people=st.integers(1, 7), per_unit=st.integers(1, 7), seed=st.integers(0, 9))
def test_units_are_dealt_evenly(units: int, people: int, per_unit: int, seed: int) -> None:
    """Everybody gets as many as anybody else, each unit goes to different people, and the seed decides all of it."""
    names, per_unit = [f"p{place}" for place in range(people)], min(per_unit, people)
    ids = [f"u{place}" for place in range(units)]
    dealt = deal(f"{seed}" * 64, "t", ids, names, per_unit)
    loads = [len(given) for given in dealt.values()]
    assert max(loads) - min(loads) <= 1
    assert Counter(unit for given in dealt.values() for unit in given) == dict.fromkeys(ids, per_unit)
    assert all(len(set(given)) == len(given) for given in dealt.values())
    assert dealt == deal(f"{seed}" * 64, "t", reversed(ids), names, per_unit)
    for mine in dealt.values():
        assert mine == [unit for unit in in_order(f"{seed}" * 64, "t", ids) if unit in mine]


def test_every_two_assessors_meet_equally_often() -> None:
    """So that the agreement of each two rests on about as many units."""
    dealt = deal("5" * 64, "t", map(str, range(300)), [ANNA, BEN, CLEO, DORA], 2)
    met = [len(set(dealt[one]) & set(dealt[other])) for one, other in combinations(dealt, 2)]
    assert max(met) - min(met) <= 2


def test_what_belongs_together_goes_to_the_same_people() -> None:
    """Answers to one question come one after the other, to whoever has that question; new ones too, nobody twice."""
    seed, people = "5" * 64, [ANNA, BEN, CLEO]
    units = [f"{question}\tD{number}\tan answer" for question in range(12) for number in range(question % 4 + 1)]
    dealt = deal(seed, "t", units, people, 2)
    of = {question: {who for who, mine in dealt.items() for unit in mine if head_of(unit) == question} for question in
          map(head_of, units)}  # fmt: skip
    assert {len(whose) for whose in of.values()} == {2}
    assert sorted(unit for mine in dealt.values() for unit in mine) == sorted([*units, *units])
    for mine in dealt.values():
        heads = [head_of(unit) for unit in mine]
        assert [head for head, _ in groupby(heads)] == list(dict.fromkeys(heads)), "no question comes in two parts"
    assert max(map(len, dealt.values())) - min(map(len, dealt.values())) <= 4
    having = {unit: [who for who, mine in dealt.items() if unit in mine] for unit in units}
    more = [f"{question}\tE\tanother" for question in range(12)]
    later = deal(seed, "t", more, people, 2, having)
    assert all({who for who, mine in later.items() if unit in mine} == of[head_of(unit)] for unit in more)
    split = {"q\tD\ta": [ANNA], "q\tD\tb": [BEN]}
    assert deal(seed, "t", split, [ANNA, BEN], 1, split) == {ANNA: ["q\tD\tb"], BEN: ["q\tD\ta"]}


def test_the_order_is_the_seeds_and_no_name_tells_anything() -> None:
    """The same for everybody; ids of items tell neither unit, nor run, nor that something comes again."""
    world = Assessed()
    world.assign(ANNA, BEN, repeats=3, planted=("x1", "x2"))
    state = world.campaign
    for who in (ANNA, BEN):
        items = agenda(state, TASK, who)
        first = [item.unit for item in items if item.stage == "labels" and item.copy == 1]
        assert first == in_order(state.seed, TASK, UNITS)
        again = [item for item in items if item.copy == 2]
        assert len(again) == 3
        assert all(items.index(item) - items.index(Item("labels", item.unit)) > 2 for item in again)
        assert sum(item.stage == "planted" for item in items) == 2
        names = [token(state.seed, TASK, item) for item in items]
        assert len(set(names)) == len(names) == 17
        assert not any(item.unit in name for item, name in zip(items, names, strict=True))


def test_two_judge_each_unit_blind_and_agreed_units_are_finished() -> None:
    """Units with different values are disputed, exactly those; a change of mind settles them."""
    world = Assessed()
    world.assign(ANNA, BEN)
    for place, unit in enumerate(UNITS):
        world.judge(ANNA, unit, LABELS[place % 3])
        assert world.work.outcome(unit).standing == "open"
        world.judge(BEN, unit, LABELS[0] if place < 6 else LABELS[place % 3])
    different = {unit for place, unit in enumerate(UNITS[:6]) if place % 3}
    assert set(world.work.disputed) == different
    assert {one.unit for one in world.work.outcomes() if one.standing == "agreed"} == set(UNITS) - different
    world.judge(BEN, "u1", LABELS[1])
    assert set(world.work.disputed) == different - {"u1"}
    assert world.work.outcome("u1").label == LABELS[1]


def test_what_can_be_judged_and_by_whom() -> None:
    """Refused with the reason: what was given to others, what no one asks for, and what does not answer."""
    world = Assessed()
    world.assign(ANNA, units=UNITS[:3], per_unit=1)
    assert world.codes(world.judge, BEN, "u1") == ["not-assigned"]
    assert world.codes(world.judge, ANNA, "u5") == ["not-assigned"]
    assert world.codes(world.judge, ANNA, Item("labels", "u1", copy=2)) == ["not-assigned"]
    assert world.codes(world.judge, ANNA, "u1", "YES") == ["ballot"]
    assert world.codes(world.judge, ANNA, "u1", values={"lable": "UNKNOWN"}) == ["ballot", "ballot"]
    assert world.codes(world.judge, ANNA, "u1", guidelines=1) == ["ballot"]
    assert world.codes(world.judge, ANNA, "u1", id="") == ["ballot"]
    assert world.codes(world.judge, ANNA, "u1", skipped="no idea") == ["ballot"]
    with pytest.raises(UsageError, match="account"):
        world.judge("nobody", "u1")


def test_a_judgment_sent_twice_is_stored_once() -> None:
    """An id belongs to one judgment."""
    world = Assessed()
    world.assign(ANNA, BEN)
    assert len(world.judge(ANNA, "u1", id="a")) == 1
    assert world.judge(ANNA, "u1", id="a") == ()
    assert world.codes(world.judge, ANNA, "u2", id="a") == ["ballot-id"]
    assert world.codes(world.judge, BEN, "u1", id="a") == ["ballot-id"]
    assert world.work.of(ANNA)[Item("labels", "u1")].label == "ENTAILMENT"


def test_a_judgment_is_undone_step_by_step() -> None:
    """What held before holds again; the record keeps everything."""
    world = Assessed()
    world.assign(ANNA, BEN)
    item = next_item(world.campaign, TASK, ANNA)
    assert item is not None
    world.judge(ANNA, item, "UNKNOWN")
    world.judge(ANNA, item, "CONTRADICTION")
    assert last_judged(world.campaign, TASK, ANNA) == item
    world.do(Undo(id="x", task=TASK, account=ANNA, item=item))
    assert world.do(Undo(id="x", task=TASK, account=ANNA, item=item)) == ()
    assert world.work.of(ANNA)[item].label == "UNKNOWN"
    world.do(Undo(id="y", task=TASK, account=ANNA, item=item))
    assert item not in world.work.of(ANNA)
    assert next_item(world.campaign, TASK, ANNA) == item
    undo = Undo(id="z", task=TASK, account=ANNA, item=item)
    assert world.codes(world.do, undo) == ["not-assigned"]
    assert sum(isinstance(entry.event, Judged) for entry in world.entries) == 2


def test_a_pool_gives_each_unit_to_so_many() -> None:
    """Units wait for whoever comes first; one at which somebody looks is not given to another; no work is lost."""
    world = Assessed()
    world.assign(ANNA, BEN, CLEO, shared=True)
    first = next_item(world.campaign, TASK, ANNA)
    assert first == next_item(world.campaign, TASK, BEN)
    assert first != next_item(world.campaign, TASK, BEN, leased=lambda item: 2 * (item == first))
    for who in (ANNA, BEN):
        world.judge(who, first or "")
    assert next_item(world.campaign, TASK, CLEO) != first
    world.judge(CLEO, first or "")  # whose lease had run out
    assert first is not None
    assert len(world.work.outcome(first.unit).labels) == 3


def test_a_unit_of_a_pool_can_be_passed_over() -> None:
    """What comes next is looked for behind it; at the end it comes again."""
    world = Assessed()
    world.assign(ANNA, BEN, shared=True)
    first, second, *others = (Item("labels", unit) for unit in in_order(world.campaign.seed, TASK, UNITS))
    assert next_item(world.campaign, TASK, ANNA, first) == second
    for item in (second, *others):
        assert next_item(world.campaign, TASK, ANNA, first) == item
        world.judge(ANNA, item)
    assert next_item(world.campaign, TASK, ANNA, others[-1]) == first
    assert next_item(world.campaign, TASK, ANNA, first) == first


def test_programs_bind_nobody() -> None:
    """They neither decide where people differ nor vote where people talk, whatever they were given."""
    world = Assessed()
    world.assign(ANNA, BEN)
    world.assign(CLEO, stage="adjudication")
    world.assign(CLEO, ANNA, stage="norming", units=UNITS[:2])
    world.judge(ANNA, "u1", "UNKNOWN")
    world.judge(BEN, "u1", "ENTAILMENT")
    decision = {"values": {"label": "UNKNOWN", "reason": "error"}, "program": "{}"}
    assert world.codes(world.judge, CLEO, Item("adjudication", "u1"), **decision) == ["ballot"]
    assert world.codes(world.judge, CLEO, Item("norming", "u1"), program="{}") == ["ballot"]


def test_a_program_takes_no_place_in_a_pool() -> None:
    """It judges every unit, and each unit still waits for as many people."""
    world = Assessed()
    world.assign(ANNA, BEN, CLEO, shared=True)
    for unit in in_order(world.campaign.seed, TASK, UNITS):
        coming = next_item(world.campaign, TASK, CLEO)
        assert coming == Item("labels", unit)
        world.judge(CLEO, unit, program="{}")
    for who in (ANNA, BEN):
        for unit in in_order(world.campaign.seed, TASK, UNITS):
            assert next_item(world.campaign, TASK, who) == Item("labels", unit)
            world.judge(who, unit)
    assert all(one.standing == "agreed" for one in world.work.outcomes())


def test_adjudication_is_about_what_differs() -> None:
    """Not by those who labelled it; with a reason; with a note if it overrules everybody; then labels stay."""
    world = Assessed()
    world.assign(ANNA, BEN)
    world.assign(CLEO, ANNA, stage="adjudication")
    for unit in UNITS[:4]:
        world.judge(ANNA, unit, "UNKNOWN")
        world.judge(BEN, unit, "UNKNOWN" if unit == "u0" else "ENTAILMENT")
    decided = {item.unit for item in agenda(world.campaign, TASK, CLEO)}
    assert decided == {"u1", "u2", "u3"}
    assert not any(item.stage == "adjudication" for item in agenda(world.campaign, TASK, ANNA))
    assert world.codes(world.decide, ANNA, "u1", "UNKNOWN") == ["not-assigned"]
    assert world.codes(world.decide, CLEO, "u0", "UNKNOWN") == ["not-assigned"]
    assert world.codes(world.decide, CLEO, "u1", "CONTRADICTION") == ["ballot"]
    assert world.codes(world.judge, CLEO, Item("adjudication", "u1"), values={"label": "UNKNOWN"}) == ["ballot"]
    world.decide(CLEO, "u1", "CONTRADICTION", note="Both missed the date.")
    world.decide(CLEO, "u2", "ENTAILMENT", reason="difference", kind="tense")
    outcome = world.work.outcome("u2")
    assert (outcome.standing, outcome.label) == ("adjudicated", "ENTAILMENT")
    assert set(world.work.disputed) == {"u3"}
    before = world.work.outcome("u2").label
    for label in LABELS:
        world.judge(ANNA, "u2", label)  # a refusal would tell that others differ
        assert (world.work.outcome("u2").label, world.work.outcome("u2").standing) == (before, "adjudicated")
    world.do(Undo(id="u", task=TASK, account=CLEO, item=Item("adjudication", "u2")))
    assert set(world.work.disputed) == {"u2", "u3"}


def rated() -> tuple[Assessed, list[Item]]:
    """A campaign in which two people rate the justifications of three runs."""
    world = Assessed()
    runs = dict.fromkeys(UNITS[:2], ("r1", "r2", "r3"))
    world.assign(ANNA, BEN, task="reasons", stage="ratings", units=UNITS[:2], runs=runs)
    return world, agenda(world.campaign, "reasons", ANNA)


def test_justifications_of_a_pair_come_together_in_one_order() -> None:
    """The same for every judge, another for every pair as it happens."""
    world, items = rated()
    assert items == agenda(world.campaign, "reasons", BEN)
    assert [item.unit for item in items] == sorted((item.unit for item in items), key=[i.unit for i in items].index)
    world = Assessed()
    many = tuple(map(str, range(30)))
    world.assign(ANNA, task="reasons", stage="ratings", units=many, per_unit=1, runs=dict.fromkeys(many, ("a", "b")))
    first = [item.run for item in agenda(world.campaign, "reasons", ANNA)][::2]
    assert set(first) == {"a", "b"}


def test_compelling_is_asked_of_what_can_be_understood() -> None:
    """Lowering the first score clears the second, with a record; a wrong decision cannot get 5."""
    world, (item, *_) = rated()
    assert world.codes(world.rate, ANNA, item, understandable=4) == ["ballot"]
    assert world.codes(world.rate, ANNA, item, understandable=2, compelling=3) == ["ballot"]
    assert world.codes(world.rate, ANNA, item, understandable=6) == ["ballot", "ballot"]
    assert world.codes(world.rate, ANNA, item, wrong=True, understandable=4, compelling=5) == ["ballot"]
    assert world.codes(world.rate, ANNA, item) == ["ballot"]
    world.rate(ANNA, item, wrong=True, understandable=4, compelling=4)
    (event,) = world.rate(ANNA, item, understandable=2)
    assert event.cleared == {"compelling": "4"}
    assert world.campaign.work_of("reasons").of(ANNA)[item].said.values == {"understandable": "2"}


def test_a_skipped_pair_is_skipped_with_all_its_justifications() -> None:
    """With a reason; another pair is not."""
    world, items = rated()
    events = world.judge(ANNA, items[1], task="reasons", asks=form("ratings"), values={}, skipped="The key is wrong.")
    assert [event.item for event in events] == [items[1], items[0], items[2]]
    left = next_item(world.campaign, "reasons", ANNA)
    assert left is not None
    assert left.unit != items[0].unit


def test_ratings_wait_for_the_close() -> None:
    """Else a run could come that nobody rates."""
    world = Assessed()
    world.now = DURING
    with pytest.raises(UsageError, match="still open"):
        world.assign(ANNA, BEN, task="reasons", stage="ratings", units=("u1",), runs={"u1": ("r",)})


QUALIFYING = Judging(qualify=0.75)


def test_whoever_judges_qualifies_first() -> None:
    """All examples, and again until enough of them are right; every attempt is kept."""
    world = Assessed(judging=QUALIFYING)
    examples = ("x1", "x2", "x3", "x4")
    world.assign(ANNA, BEN, examples=examples)
    assert world.codes(world.judge, ANNA, "u1") == ["not-qualified"]
    for number in (1, 2):
        items = agenda(world.campaign, TASK, ANNA)
        assert [(item.stage, item.copy) for item in items] == [("qualification", number)] * 4
        for place, item in enumerate(items):
            world.judge(ANNA, item, LABELS[place < 2 * number - (number == 2)], expected="UNKNOWN")
        # Its labels are shown now: what was wrong stays wrong.
        assert world.codes(world.judge, ANNA, items[0], "UNKNOWN") == ["round-closed"]
    made = attempt(world.campaign, TASK, ANNA)
    assert made is not None
    assert (made.number, made.right, made.passed) == (2, 3, True)
    world.judge(ANNA, "u1")
    assert world.codes(world.judge, BEN, "u1") == ["not-qualified"]
    world.assign(ANNA, CLEO, units=("v1",), examples=examples)
    assert ("qualification", CLEO) in world.work.queues
    assert len(world.work.queues["qualification", ANNA]) == 4


def test_norming_is_blind_until_it_is_revealed() -> None:
    """Then votes stay as they are, people talk, and vote again."""
    world = Assessed()
    world.assign(ANNA, BEN, stage="norming", units=UNITS[:2])
    remark = Remark(task=TASK, unit="u1", account=ANNA, text="Dates matter.")
    assert world.codes(world.do, remark) == ["not-assigned"]
    first, second = (Item("norming", unit) for unit in UNITS[:2])
    world.judge(ANNA, first)
    with pytest.raises(UsageError, match="anna, ben have not voted"):
        world.do(Reveal(task=TASK))
    for who, item in ((ANNA, second), (BEN, first), (BEN, second)):
        world.judge(who, item)
    world.do(Reveal(task=TASK))
    assert world.do(Reveal(task=TASK)) == ()
    assert world.codes(world.judge, ANNA, first, "UNKNOWN") == ["round-closed"]
    world.do(remark)
    after = Item("norming", "u1", copy=2)
    world.judge(ANNA, after, "UNKNOWN")
    assert world.work.of(ANNA)[second].label == "ENTAILMENT"
    assert [one.text for _, one in world.work.remarks] == ["Dates matter."]


def test_a_closed_round_takes_no_judgments() -> None:
    """Until it is opened again, with a reason."""
    world = Assessed()
    world.assign(ANNA, BEN)
    world.judge(ANNA, "u1")
    world.do(SetRound(task=TASK, stage="labels", open=False))
    assert world.codes(world.judge, ANNA, "u1", "UNKNOWN") == ["round-closed"]
    assert next_item(world.campaign, TASK, ANNA) is None
    with pytest.raises(UsageError, match="reason"):
        world.do(SetRound(task=TASK, stage="labels", open=True))
    world.do(SetRound(task=TASK, stage="labels", open=True, reason="one was late"))
    world.judge(ANNA, "u1", "UNKNOWN")


def test_a_unit_that_one_of_two_skipped_is_not_agreed_on() -> None:
    """Nobody has agreed with anybody; where one person was to label it, one label is enough."""
    world = Assessed()
    world.assign(ANNA, BEN, units=UNITS[:2])
    world.assign(CLEO, units=UNITS[2:3], per_unit=1)
    world.judge(ANNA, "u0")
    world.judge(BEN, "u0", values={}, skipped="no idea")
    world.judge(CLEO, "u2")
    assert [world.work.outcome(unit).standing for unit in UNITS[:3]] == ["undecided", "open", "agreed"]


def test_the_close_leaves_units_to_the_labels_that_they_have() -> None:
    """Those that differ are adjudicated, though somebody never came; one label alone decides nothing."""
    world = Assessed(ANNA, BEN, CLEO, DORA)
    world.assign(ANNA, BEN, CLEO, per_unit=3, units=UNITS[:3])
    world.assign(DORA, stage="adjudication")
    for unit, labels in (("u0", LABELS[:2]), ("u1", LABELS[:1] * 2), ("u2", LABELS[:1])):
        for who, label in zip((ANNA, BEN), labels, strict=False):
            world.judge(who, unit, label)
    assert {world.work.outcome(unit).standing for unit in UNITS[:3]} == {"open"}
    world.do(SetRound(task=TASK, stage="labels", open=False))
    assert [world.work.outcome(unit).standing for unit in UNITS[:3]] == ["disputed", "agreed", "undecided"]
    assert [item.unit for item in agenda(world.campaign, TASK, DORA)] == ["u0"]
    world.do(SetRound(task=TASK, stage="labels", open=True, reason="late"))
    assert not world.work.disputed


def test_open_units_go_to_somebody_else() -> None:
    """What was judged stays; nobody gets a unit twice."""
    world = Assessed()
    world.assign(ANNA, BEN)
    done = agenda(world.campaign, TASK, ANNA)[:4]
    for item in done:
        world.judge(ANNA, item)
    with pytest.raises(UsageError, match="already"):
        world.do(Reassign(task=TASK, stage="labels", assessor=ANNA, to=(BEN,), reason="ill"))
    world.do(Reassign(task=TASK, stage="labels", assessor=ANNA, to=(CLEO,), reason="ill"))
    assert agenda(world.campaign, TASK, ANNA) == done
    assert len(agenda(world.campaign, TASK, CLEO)) == 8
    assert all(len(world.work.holders[unit]) == 2 for unit in UNITS)


def test_programs_judge_beside_people() -> None:
    """What they say neither settles nor disputes a unit, and one account is one or the other."""
    world = Assessed()
    world.assign(ANNA, BEN, CLEO, per_unit=3)
    world.judge(ANNA, "u1", "UNKNOWN")
    world.judge(BEN, "u1", "ENTAILMENT")
    assert world.work.outcome("u1").standing == "open"
    world.judge(CLEO, "u2", "CONTRADICTION", program='{"model": "m"}')
    assert set(world.work.disputed) == {"u1"}
    world.judge(CLEO, "u1", "CONTRADICTION", program='{"model": "m"}')
    assert world.work.outcome("u1").labels == {ANNA: "UNKNOWN", BEN: "ENTAILMENT"}
    assert world.codes(world.judge, CLEO, "u3") == ["ballot"]
    assert world.codes(world.judge, ANNA, "u3", program="{}") == ["ballot"]


def test_what_cannot_be_assigned() -> None:
    """Each with its reason; what was assigned before changes nothing."""
    world = Assessed()
    world.join("alder")
    for people, more, found in (
        ((), {}, "nobody"),
        ((ANNA, ANNA), {}, "twice"),
        (("alder",), {"per_unit": 1}, "team"),
        ((ANNA,), {}, "1 named"),
        ((ANNA, BEN), {"units": ()}, "no units"),
        ((ANNA, BEN), {"task": "questions", "stage": "ratings"}, "of which assessors judge labels or norming"),
        ((ANNA, BEN), {"stage": "ratings"}, "labels or norming"),
        ((ANNA, BEN), {"shared": True, "repeats": 1}, "pool"),
    ):
        with pytest.raises(UsageError, match=found):
            world.assign(*people, **more)
    assert len(world.assign(ANNA, BEN)) == 1
    assert world.assign(ANNA, BEN) == ()
    with pytest.raises(UsageError, match="already with some"):
        world.assign(BEN, CLEO)
    assert len(world.assign(CLEO, per_unit=1)) == 1


def test_a_summary_follows_judgments() -> None:
    """It can be changed; the same again changes nothing."""
    world = Assessed()
    world.assign(ANNA, BEN)
    assert world.codes(world.do, Summarise(task=TASK, account=ANNA, text="x")) == ["not-assigned"]
    world.judge(ANNA, "u1")
    world.do(Summarise(task=TASK, account=ANNA, text="Tense was hard."))
    assert world.do(Summarise(task=TASK, account=ANNA, text="Tense was hard. ")) == ()
    assert world.work.summaries == {ANNA: "Tense was hard."}


PEOPLE = st.sampled_from([ANNA, BEN, CLEO, DORA])


class JudgingByAnybody(RuleBasedStateMachine):
    """Anybody judges, changes and takes back anything, while organisers assign and close."""

    @initialize()
    def begin(self) -> None:
        """Two have the same units; two more come later."""
        self.world = Assessed(ANNA, BEN, CLEO, DORA)
        self.world.assign(ANNA, BEN, repeats=2, planted=("x1",))
        self.world.assign(CLEO, stage="adjudication")
        self.said: dict[tuple[str, Item], list[dict[str, str]]] = {}

    def attempt(self, call: Any, *args: Any, **more: Any) -> bool:
        """Whether something was done; a refusal changes nothing."""
        before = self.world.campaign
        try:
            return bool(call(*args, **more))
        except KaratError:
            assert self.world.campaign is before
            return False

    @rule(
        who=PEOPLE, place=st.integers(0, 16), label=st.sampled_from(LABELS), program=st.sampled_from(["", "", "", "{}"])
    )
    def judge(self, who: str, place: int, label: str, program: str) -> None:
        """Somebody judges what they were given, or a unit of others."""
        items = agenda(self.world.campaign, TASK, who) or [Item("labels", "u1")]
        item = items[place % len(items)]
        values = {"label": label} | ({"reason": "error", "note": "x"} if item.stage == "adjudication" else {})
        if self.attempt(self.world.judge, who, item, values=values, program=program):
            self.said.setdefault((who, item), []).append(values)

    @rule(who=PEOPLE)
    def undo(self, who: str) -> None:
        """Somebody takes back what they said last."""
        item = last_judged(self.world.campaign, TASK, who)
        self.world.ids += 1
        if item and self.attempt(self.world.do, Undo(id=f"id-{self.world.ids}", task=TASK, account=who, item=item)):
            self.said[who, item].pop()

    @rule(who=PEOPLE, units=st.sets(st.sampled_from(UNITS)), shared=st.booleans())
    def assign(self, who: str, units: set[str], shared: bool) -> None:
        """More units are given out."""
        self.attempt(self.world.assign, who, units=tuple(sorted(units)), per_unit=1, shared=shared)

    @rule(who=PEOPLE, to=PEOPLE)
    def reassign(self, who: str, to: str) -> None:
        """Open units go to somebody else."""
        self.attempt(self.world.do, Reassign(task=TASK, stage="labels", assessor=who, to=(to,), reason="ill"))

    @rule(stage=st.sampled_from(["labels", "adjudication"]), opened=st.booleans())
    def set_round(self, stage: Stage, opened: bool) -> None:
        """A round is closed or opened again."""
        self.attempt(self.world.do, SetRound(task=TASK, stage=stage, open=opened, reason="so"))

    @invariant()
    def nothing_is_lost(self) -> None:
        """What somebody said last holds, and what is stored is what the record leads to."""
        if not hasattr(self, "world"):
            return
        work = self.world.work
        held = {(who, item): one.said.values for who, of in work.ballots.items() for item, one in of.items()}
        assert held == {place: said[-1] for place, said in self.said.items() if said}
        assert not list(faults(self.world))

    @invariant()
    def disputes_are_those_of_the_ballots(self) -> None:
        """Exactly the units that all have labelled, differently, and nobody has decided, counted the plain way."""
        if not hasattr(self, "world"):
            return
        work, people = self.world.work, self.world.work.people()
        expected = set()
        for unit in UNITS:
            item = Item("labels", unit)
            labels = {who: work.of(who)[item].label for who in people if item in work.of(who)}
            holders = [who for who in people if item in work.queues.get(("labels", who), ())]
            wanted = sum(pool.per_unit for pool in work.pools if item in pool.items)
            whole = set(holders) <= set(labels) and len(set(labels) - set(holders)) >= wanted
            whole = whole or "labels" in work.closed
            decided = any(Item("adjudication", unit) in of for of in work.ballots.values())
            if whole and len(set(labels.values())) > 1 and not decided:
                expected.add(unit)
        assert set(work.disputed) == expected
        given_out = {**work.holders, **work.shares}
        assert {unit: work.standings[unit] for unit in given_out} == {one.unit: one.standing for one in work.outcomes()}
        for who in people:
            coming = next_item(self.world.campaign, TASK, who)
            assert coming is None or (is_open(work, coming) and coming not in work.of(who))


TestJudgingByAnybody = JudgingByAnybody.TestCase
TestJudgingByAnybody.settings = settings(max_examples=40, stateful_step_count=40, deadline=None)


def test_an_id_stands_for_one_judgment() -> None:
    """The same id with another label is refused: an answer of "accepted" would lose it."""
    world = Assessed()
    world.assign(ANNA, BEN)
    world.judge(ANNA, "u1", "UNKNOWN", id="mine")
    assert world.judge(ANNA, "u1", "UNKNOWN", id="mine") == ()
    assert world.codes(world.judge, ANNA, "u1", "ENTAILMENT", id="mine") == ["ballot-id"]
    world.judge(ANNA, "u1", "ENTAILMENT", id="other")
    assert world.judge(ANNA, "u1", "UNKNOWN", id="mine") == ()
    assert world.work.of(ANNA)[Item("labels", "u1")].label == "ENTAILMENT"


def test_whoever_discussed_a_unit_does_not_label_it() -> None:
    """Not dealt, and not from a pool: a label after the discussion is not blind."""
    world = Assessed(ANNA, BEN, CLEO, DORA)
    world.assign(ANNA, BEN, stage="norming", units=UNITS[:3])
    world.assign(ANNA, BEN, CLEO, DORA)
    given = {who: {item.unit for item in world.work.queues["labels", who]} for who in (ANNA, BEN, CLEO, DORA)}
    assert not (given[ANNA] | given[BEN]) & set(UNITS[:3])
    assert given[CLEO] & set(UNITS[:3]) == given[DORA] & set(UNITS[:3]) == set(UNITS[:3])
    other = Assessed(ANNA, BEN, CLEO)
    other.assign(ANNA, BEN, stage="norming", units=UNITS[:3])
    other.assign(ANNA, BEN, CLEO, per_unit=1, shared=True)
    for unit in UNITS[:2]:
        other.judge(ANNA, Item("norming", unit))
    other.judge(ANNA, Item("norming", UNITS[2]))
    seen = set()
    while (item := next_item(other.campaign, TASK, ANNA)) is not None:
        seen.add(item.unit)
        other.judge(ANNA, item)
    assert seen == set(UNITS[3:])


def test_somebody_else_decides() -> None:
    """An adjudicator is replaced, with a reason; what was decided stays. Adjudication has no units of its own."""
    world = Assessed(ANNA, BEN, CLEO, DORA)
    world.assign(ANNA, BEN)
    for unit in UNITS[:3]:
        world.judge(ANNA, unit, "ENTAILMENT")
        world.judge(BEN, unit, "UNKNOWN")
    with pytest.raises(UsageError, match="name no units"):
        world.assign(CLEO, stage="adjudication", units=UNITS[:1])
    world.assign(CLEO, stage="adjudication")
    world.decide(CLEO, UNITS[0], "UNKNOWN")
    move = Reassign(task=TASK, stage="adjudication", assessor=CLEO, to=(DORA,), reason="on leave")
    world.do(move)
    assert agenda(world.campaign, TASK, CLEO) == []
    assert {item.unit for item in agenda(world.campaign, TASK, DORA)} == set(UNITS[1:3])
    assert world.work.outcome(UNITS[0]).label == "UNKNOWN"
    with pytest.raises(UsageError, match="does not decide"):
        world.do(move)
