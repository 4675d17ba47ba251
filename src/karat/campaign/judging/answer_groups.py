"""Which answers to a list question are the same one: their names, and their groups."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

from karat.campaign.events import Item
from karat.data.standings import Standing

if TYPE_CHECKING:
    from karat.campaign.judging.work import Ballot, Work

GROUP = "group-"
"""How the names of the fields begin that say which answers are the same one."""
MANY = 2


def folded(string: str) -> str:
    """A string whatever its capitals and white space."""
    return " ".join(string.split()).casefold()


def group_name(string: str) -> str:
    """The name of the field for the group of a string."""
    return f"{GROUP}{hashlib.sha256(folded(string).encode()).hexdigest()[:12]}"


def partition(values: Mapping[str, str]) -> frozenset[frozenset[str]]:
    """Fields with the same value stand together, whatever the value is: groups are the same under other numbers."""
    groups: dict[str, set[str]] = {}
    for name, group in values.items():
        if name.startswith(GROUP):
            groups.setdefault(group.strip(), set()).add(name)
    return frozenset(map(frozenset, groups.values()))


def groupings(work: Work, question: str) -> dict[str, Ballot]:
    """By assessor, which answers to a list question are the same one; without skipped ones and programs."""
    item = Item("lists", question)
    held = {who: of[item] for who, of in work.ballots.items() if item in of and who not in work.programs}
    return {who: ballot for who, ballot in sorted(held.items()) if not ballot.said.skipped}


def _holders(work: Work, question: str) -> list[str]:
    """The people to whom the list of a question was given."""
    item = Item("lists", question)
    return [who for (_, who), items in work.queues.items() if item in items and who not in work.programs]


def is_grouped(work: Work, question: str) -> bool:
    """Whether all who should have grouped the answers to a list question, or nobody can any more."""
    late = [who for who in _holders(work, question) if Item("lists", question) not in work.of(who)]
    return not late or "lists" in work.closed


def further(work: Work, question: str) -> dict[str, dict[str, str]]:
    """By assessor, the groups of the further answers to a list question that they know; without programs."""
    found = {}
    for who in sorted(work.ballots):
        entries = work.entries(who, Item("lists", question)).values() if who not in work.programs else ()
        said = [one.said.values for one in entries if "group" in one.said.values]
        found[who] = {group_name(one["answer"]): one["group"] for one in said}
    return {who: groups for who, groups in found.items() if groups}


def groups_made(work: Work, question: str) -> dict[str, dict[str, str]]:
    """By assessor, the groups of the answers that all of them see, and of their own further ones."""
    held = groupings(work, question)
    own = further(work, question) if held else {}
    return {who: own.get(who, {}) | one.said.values for who, one in held.items()}


def grouped_otherwise(work: Work, question: str) -> bool:
    """Whether the answers to a question are grouped, and somebody has to decide on the groups."""
    made = groups_made(work, question)
    if not made or not is_grouped(work, question):
        return False
    # Verdicts can have changed between two lists: what only one of them has says nothing about the other.
    both = set.intersection(*map(set, made.values()))
    if len({partition({name: groups[name] for name in both}) for groups in made.values()}) >= MANY:
        return True
    # Nobody has seen the further answers of another: whether those of two people are the same, neither has said.
    apart = [who for who, groups in made.items() if set(groups.values()) - {groups[name] for name in both}]
    loose = {name for who, groups in further(work, question).items() if who not in made for name in groups}
    return len(apart) >= MANY or bool(loose - set().union(*made.values()))


def list_standing(work: Work, question: str) -> Standing:
    """Where the list of a question stands: as a unit does that was labelled, with groups in place of labels."""
    if question in work.decisions:
        return "adjudicated"
    if question in work.disputed:
        return "disputed"
    if not is_grouped(work, question):
        return "open"
    wanted = len(_holders(work, question))
    return "agreed" if len(groups_made(work, question)) >= min(wanted, MANY) > 0 else "undecided"
