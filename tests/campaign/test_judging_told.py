"""Tests of what assessors are told, and when."""

from __future__ import annotations

import pytest

from karat.campaign.commands import Join
from karat.campaign.definition import Judging
from karat.campaign.events import Item
from karat.campaign.judging import told
from karat.campaign.judging.agenda import last_judged, needed
from karat.campaign.judging.commands import Remark, Reveal, SetRound
from karat.campaign.judging.dealing import held_out
from karat.errors import UsageError
from tests.campaign.test_judging import ANNA, BEN, CLEO, LABELS, TASK, UNITS, Assessed

EXAMPLES = ("x1", "x2", "x3", "x4", "x5")


def normed() -> Assessed:
    """A norming round in which all have voted."""
    world = Assessed()
    world.assign(ANNA, BEN, CLEO, stage="norming", per_unit=3, units=UNITS)
    for place, who in enumerate((ANNA, BEN, CLEO)):
        for number, unit in enumerate(UNITS):
            world.judge(who, Item("norming", unit), LABELS[(number * place) % 3])
    return world


def test_attempts_are_told_when_they_are_over() -> None:
    """An attempt that is not finished is none, and one that is stays as it was."""
    world = Assessed(judging=Judging(qualify=0.8))
    world.assign(ANNA, BEN, examples=EXAMPLES)
    for number, label in ((1, "UNKNOWN"), (2, "ENTAILMENT")):
        for unit in EXAMPLES:
            assert len(told.attempts(world.campaign, TASK, ANNA)) == number - 1
            world.judge(ANNA, Item("qualification", unit, copy=number), label, expected="ENTAILMENT")
    first, second = told.attempts(world.campaign, TASK, ANNA)
    assert (first.right, first.passed, second.right, second.passed) == (0, False, 5, True)
    assert told.attempts(world.campaign, TASK, BEN) == []
    assert needed(world.campaign, 5) == 4
    assert needed(world.campaign, 6) == 5
    assert needed(Assessed(judging=Judging(qualify=0.55)).campaign, 20) == 11  # although 0.55 * 20 > 11
    item = Item("qualification", "x1", copy=1)
    assert world.codes(world.judge, ANNA, item, "ENTAILMENT", expected="ENTAILMENT") == ["round-closed"]
    assert last_judged(world.campaign, TASK, ANNA) is None


def test_nobody_qualifies_by_what_is_planted() -> None:
    """Whoever has seen an example with its label would know it again."""
    world = Assessed()
    with pytest.raises(UsageError, match="x1: assessors qualify by these examples"):
        world.assign(ANNA, BEN, examples=EXAMPLES, planted=("x1",))
    world.assign(ANNA, BEN, examples=EXAMPLES[:3], planted=EXAMPLES[3:], units=UNITS[:6])
    before = list(world.work.queues["labels", ANNA])
    with pytest.raises(UsageError, match="x2: assessors qualify by these examples"):
        world.assign(ANNA, BEN, planted=("x2",), units=UNITS[6:])
    world.assign(ANNA, BEN, planted=EXAMPLES[3:], units=UNITS[6:])
    queue = list(world.work.queues["labels", ANNA])
    assert {item.unit for item in queue[len(before) :]} <= set(UNITS[6:])
    assert queue[: len(before)] == before
    assert len(held_out("ab" * 32, EXAMPLES, 2)) == 2


def test_nothing_is_told_before_the_reveal() -> None:
    """Not even how many gave which label; afterwards each unit has its votes under letters."""
    world = normed()
    assert told.discussion(world.campaign, TASK, ANNA) == []
    world.do(Reveal(task=TASK))
    found = told.discussion(world.campaign, TASK, ANNA)
    assert {one.unit for one in found} == set(UNITS)
    for one in found:
        assert [vote.letter for vote in one.votes] == ["A", "B", "C"]
        assert [vote.ballot.said.assessor for vote in one.votes if vote.own] == [ANNA]
    places = {tuple(vote.ballot.said.assessor for vote in one.votes) for one in found}
    assert len(places) > 1, "a letter stands for different people in different units"


def test_blind_votes_stay_as_they_were() -> None:
    """After the reveal they can be neither changed nor taken back; the vote after it is another one."""
    from karat.campaign.judging.commands import Undo

    world = normed()
    world.do(Reveal(task=TASK))
    item = Item("norming", "u1")
    before = told.discussed(world.campaign, TASK, "u1", ANNA).votes
    assert world.codes(world.judge, ANNA, item, "UNKNOWN") == ["round-closed"]
    assert world.codes(world.do, Undo(task=TASK, id="z", account=ANNA, item=item)) == ["round-closed"]
    world.judge(ANNA, Item("norming", "u1", copy=2), "CONTRADICTION")
    after = told.discussed(world.campaign, TASK, "u1", ANNA)
    assert after.votes == before
    assert after.again is not None
    assert after.again.label == "CONTRADICTION"
    assert told.discussed(world.campaign, TASK, "u1", BEN).again is None


def test_remarks_have_no_names() -> None:
    """They are signed with the letter of the vote; whoever has not voted cannot make one."""
    world = normed()
    world.do(Join(account="olga", role="organiser", person="Olga"))
    world.do(Join(account="dora", role="assessor", person="Dora"))
    remark = Remark(task=TASK, unit="u1", account=BEN, text="It says “may”.")
    assert world.codes(world.do, remark) == ["not-assigned"]
    world.do(Reveal(task=TASK))
    world.do(remark)
    world.do(Remark(task=TASK, unit="u1", account="olga", text="Read section 2."))
    one = told.discussed(world.campaign, TASK, "u1", ANNA)
    letter = next(vote.letter for vote in one.votes if vote.ballot.said.assessor == BEN)
    assert [(said.by, said.own) for said in one.remarks] == [(letter, False), ("an organiser", False)]
    assert told.discussed(world.campaign, TASK, "u1", BEN).remarks[0].own
    assert world.codes(world.do, Remark(task=TASK, unit="u1", account="dora", text="I")) == ["not-assigned"]


def test_programs_do_not_vote() -> None:
    """Votes are shown to those who voted, and people stay blind to automatic judges."""
    world = Assessed()
    world.assign(ANNA, BEN, stage="norming", units=UNITS[:2])
    assert world.codes(world.judge, ANNA, Item("norming", "u1"), program="a model") == ["ballot"]


def test_outcomes_come_after_the_close() -> None:
    """With the reason, the kind and the note where somebody was overruled; repeats and examples are left out."""
    world = Assessed()
    world.assign(ANNA, BEN, units=UNITS[:4], repeats=2, planted=("x1",))
    world.assign(CLEO, stage="adjudication")
    for who in (ANNA, BEN):
        for item in world.work.queues["labels", who]:
            differs = who == BEN and item.unit == "u1"
            world.judge(
                who, item, "UNKNOWN" if differs else "ENTAILMENT", expected="UNKNOWN" * (item.stage == "planted")
            )
    world.decide(CLEO, "u1", "CONTRADICTION", kind="tense", note="It is over.")
    assert told.outcomes(world.campaign, TASK, ANNA) is None
    world.do(SetRound(task=TASK, stage="labels", open=False))
    found = told.outcomes(world.campaign, TASK, ANNA)
    assert found is not None
    assert sorted(one.unit for one in found) == ["u0", "u1", "u2", "u3"]
    (lost,) = (one for one in found if one.overruled)
    assert (lost.unit, lost.label, lost.standing) == ("u1", "CONTRADICTION", "adjudicated")
    assert (lost.decision["reason"], lost.decision["kind"], lost.decision["note"]) == ("error", "tense", "It is over.")
    world.do(SetRound(task=TASK, stage="labels", open=True, reason="one more day"))
    assert told.outcomes(world.campaign, TASK, ANNA) is None
