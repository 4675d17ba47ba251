"""What assessors are told about their work and about that of others, and when: nothing before a round is over."""

from __future__ import annotations

from datetime import datetime
from string import ascii_uppercase
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from karat.campaign.events import Item
from karat.campaign.judging.agenda import Attempt, needed
from karat.campaign.judging.dealing import drawn, in_order
from karat.campaign.judging.work import Ballot, Work
from karat.campaign.state import Campaign
from karat.data.standings import Standing

ORGANISER = "an organiser"
"""What a remark is signed with that none of the voters made."""


class Vote(NamedTuple):
    """A vote of a norming round, without the name of the voter."""

    letter: str
    ballot: Ballot
    own: bool


class Said(NamedTuple):
    """A remark, without the name of whoever made it."""

    by: str
    at: datetime
    text: str
    own: bool


class Discussed(msgspec.Struct, frozen=True, kw_only=True):
    """A unit of a norming round after the reveal."""

    unit: str
    votes: tuple[Vote, ...]
    """The blind votes."""
    remarks: tuple[Said, ...]
    again: Ballot | None
    """How whoever asks has voted after the discussion."""

    @property
    def differ(self) -> bool:
        """Whether the blind votes were different labels."""
        return len({vote.ballot.label for vote in self.votes if vote.ballot.label is not None}) > 1


class Own(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a unit that somebody labelled."""

    unit: str
    given: Ballot
    label: str | None
    """The outcome; None if there is none."""
    standing: Standing
    decision: dict[str, str]
    """What the adjudicator said; empty if nobody had to decide."""

    @property
    def overruled(self) -> bool:
        """Whether the adjudicator decided on another label."""
        return bool(self.decision) and self.given.label is not None and self.given.label != self.label


def attempts(state: Campaign, task: str, who: str) -> list[Attempt]:
    """Every attempt of somebody to qualify that is over; labels of the examples are shown for these alone."""
    work, found = state.work_of(task), list[Attempt]()
    first = work.queues.get(("qualification", who), ())
    mine = work.of(who)
    while first:
        items = tuple(replace(item, copy=len(found) + 1) for item in first)
        if any(item not in mine for item in items):
            break
        right = sum(mine[item].label == mine[item].said.expected for item in items)
        passed = right >= needed(state, len(items))
        found.append(Attempt(number=len(found) + 1, items=items, done=len(items), right=right, passed=passed))
    return found


def voters(work: Work) -> list[str]:
    """The people who take part in the norming round; what programs said is not shown to them."""
    among = [who for (stage, who), items in work.queues.items() if stage == "norming" and items]
    return [who for who in among if who not in work.programs]


def in_discussion(work: Work) -> list[str]:
    """The units of the norming round."""
    queues = [items for (stage, _), items in work.queues.items() if stage == "norming"]
    return list(dict.fromkeys(item.unit for items in queues for item in items))


def letters(state: Campaign, task: str, unit: str) -> dict[str, str]:
    """A letter for each voter, in an order of its own for every unit, so that nobody learns who is who."""
    places = {who: str(place) for place, who in enumerate(voters(state.work_of(task)))}  # names can be masked
    among = sorted(places, key=lambda who: drawn(state.seed, "who", task, unit, places[who]))
    return {who: ascii_uppercase[place % 26] + ascii_uppercase[: place // 26] for place, who in enumerate(among)}


def discussed(state: Campaign, task: str, unit: str, who: str) -> Discussed:
    """A unit of the norming round as somebody sees it after the reveal."""
    work, item = state.work_of(task), Item("norming", unit)
    assert work.revealed
    named = letters(state, task, unit)
    remarks = [(at, one) for at, one in work.remarks if one.unit == unit]
    return Discussed(
        unit=unit,
        votes=tuple(
            Vote(letter, work.of(voter)[item], voter == who)
            for voter, letter in named.items()
            if item in work.of(voter)
        ),
        remarks=tuple(Said(named.get(one.account, ORGANISER), at, one.text, one.account == who) for at, one in remarks),
        again=work.of(who).get(replace(item, copy=2)),
    )


def discussion(state: Campaign, task: str, who: str) -> list[Discussed]:
    """Every unit of the norming round, in order; nothing before the votes are revealed."""
    work = state.work_of(task)
    if not work.revealed:
        return []
    return [discussed(state, task, unit, who) for unit in in_order(state.seed, task, in_discussion(work))]


def outcomes(state: Campaign, task: str, who: str) -> list[Own] | None:
    """What became of the units that somebody labelled; None until the round of labels is closed.

    Second labels of a unit and examples with known labels are not among them.
    """
    work = state.work_of(task)
    if "labels" not in work.closed:
        return None
    mine = {item.unit: one for item, one in work.of(who).items() if item.stage == "labels" and item.copy == 1}
    found = []
    for unit in in_order(state.seed, task, mine):
        of = work.outcome(unit)
        found.append(
            Own(
                unit=unit,
                given=mine[unit],
                label=of.label,
                standing=of.standing,
                decision={} if of.decision is None else of.decision.said.values,
            )
        )
    return found
