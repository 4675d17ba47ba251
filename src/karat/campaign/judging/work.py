"""The judging of a task so far: who judges what in which order, and what has been judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from math import inf

import msgspec
from immutables import Map, MapMutation
from msgspec.structs import replace

from karat.campaign.events import Assigned, Item, Judged, JudgmentUndone, Remarked, Stage, Unassigned
from karat.campaign.judging.answer_groups import grouped_otherwise
from karat.campaign.judging.dealing import deal, drawn, in_order
from karat.data.standings import Standing, standing_of

FIRST_HALF = 2


class Ballot(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A judgment that holds now."""

    said: Judged
    at: datetime
    sequence: int
    """The number of its entry in the record."""
    before: Ballot | None = None
    """What the assessor said before that, if the judgment was changed."""

    @property
    def label(self) -> str | None:
        """The label, if one was given."""
        return self.said.values.get("label")


def first_said(ballot: Ballot) -> Ballot:
    """What was said first, before it was changed."""
    while ballot.before is not None:
        ballot = ballot.before
    return ballot


def _place(ballot: Ballot) -> float:
    """Where an entry stands in its list: after all that have a place, if it has none."""
    given = ballot.said.values.get("place", "")
    return int(given) if given.isascii() and given.isdecimal() else inf


Items = Mapping[Item, None]
"""Items in order, among which one is found at once: an assessor can have tens of thousands."""


class Pool(msgspec.Struct, frozen=True, kw_only=True):
    """Units that wait for whoever comes first."""

    stage: Stage
    items: Items
    assessors: tuple[str, ...]
    per_unit: int

    @property
    def people(self) -> frozenset[str]:
        """Those who share it."""
        return frozenset(self.assessors)


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """Where a unit stands: the labels that people gave it, and the decision if there is one."""

    unit: str
    labels: dict[str, str]
    """By assessor; without skipped units, second judgments and programs."""
    complete: bool
    """Whether everybody who should judge it has, or nobody can any more."""
    wanted: int
    """How many people were to label it."""
    decision: Ballot | None = None

    @property
    def standing(self) -> Standing:
        """Agreed units are finished by themselves; units whose labels differ are adjudicated."""
        if self.decision is not None:
            return "adjudicated"
        if not self.complete:
            return "open"
        return standing_of(self.labels.values(), self.wanted)

    @property
    def label(self) -> str | None:
        """The label that all gave, or that the adjudicator decided on; None if there is none yet."""
        if self.decision is not None:
            return self.decision.label
        return next(iter(self.labels.values())) if self.standing == "agreed" else None


NOTHING: Map[Item, str] = Map()
UNWRITTEN: Map[Item, Ballot] = Map()


class Work(msgspec.Struct, frozen=True, kw_only=True):
    """The judging of one task. Maps are never changed in place."""

    queues: dict[tuple[Stage, str], Items] = {}
    """What each assessor has to judge, in order, by stage; examples stand among the labels."""
    pools: tuple[Pool, ...] = ()
    adjudicators: tuple[str, ...] = ()
    ballots: Map[str, Map[Item, Ballot]] = Map()
    """By assessor."""
    written: Map[tuple[str, Item], Map[Item, Ballot]] = Map()
    """Of these, the entries of each list: looking through all judgments at each would take longer with every one."""
    latest: Map[str, Map[Item, str]] = Map()
    """By assessor, the id of what they did last about an item: a judgment, or taking one back."""
    holders: dict[str, tuple[str, ...]] = {}
    """Who was given a unit to label."""
    shares: dict[str, int] = {}
    """How many of those who share a unit are to label it."""
    labels: Map[str, Map[str, Ballot]] = Map()
    """The first labels of each unit, by assessor."""
    standings: Map[str, Standing] = Map()
    """Where each unit stands that was given out to be labelled, or was labelled."""
    disputed: Map[str, bool] = Map()
    """The units that wait for an adjudicator."""
    decisions: Map[str, Ballot] = Map()
    """By unit."""
    brought: int = 0
    """How many people were to label what was labelled elsewhere."""
    programs: frozenset[str] = frozenset()
    """The assessors that are programs."""
    closed: frozenset[Stage] = frozenset()
    revealed: bool = False
    changed: int = 0
    """The number of the last entry in the record that changed anything here."""
    remarks: tuple[tuple[datetime, Remarked], ...] = ()
    summaries: dict[str, str] = {}

    def of(self, assessor: str) -> Map[Item, Ballot]:
        """The judgments of an assessor."""
        return self.ballots.get(assessor, Map())

    def latest_of(self, assessor: str, item: Item) -> str:
        """The id of what an assessor did last about an item; empty if nothing."""
        return self.latest.get(assessor, NOTHING).get(item, "")

    def entries(self, assessor: str, item: Item) -> dict[str, Ballot]:
        """The entries of somebody's list by their places, or as they were made; those taken out are not among them."""
        mine = list(self.written.get((assessor, item), UNWRITTEN).items())
        mine.sort(key=lambda pair: (_place(pair[1]), first_said(pair[1]).sequence))
        return {one.entry: ballot for one, ballot in mine if not ballot.said.skipped}

    def judges_of(self, unit: str) -> set[str]:
        """Those who labelled a unit or grouped its answers; they do not decide where judgments of it differ."""
        return {*self.labels.get(unit, ()), *(who for who, of in self.ballots.items() if Item("lists", unit) in of)}

    def people(self) -> list[str]:
        """The assessors who are people and have anything to judge or have judged."""
        named = [name for _, name in self.queues] + [name for pool in self.pools for name in pool.assessors]
        everybody = dict.fromkeys([*named, *self.adjudicators, *self.ballots])
        return [name for name in everybody if name not in self.programs]

    @property
    def listed(self) -> list[str]:
        """The list questions whose answers were given out to be grouped."""
        of = [item.unit for (stage, _), items in self.queues.items() if stage == "lists" for item in items]
        return list(dict.fromkeys(of))

    @property
    def has_examples(self) -> bool:
        """Whether anybody was given examples."""
        return any(item.stage in ("qualification", "planted") for queue in self.queues.values() for item in queue)

    def outcome(self, unit: str) -> Outcome:
        """Where a unit stands."""
        given = {who: one for who, one in self.labels.get(unit, Map()).items() if who not in self.programs}
        holders = [who for who in self.holders.get(unit, ()) if who not in self.programs]
        others, shared = sum(who not in holders for who in given), self.shares.get(unit, 0)
        whole = all(who in given for who in holders) and others >= shared
        return Outcome(
            unit=unit,
            labels={who: given[who].said.values["label"] for who in sorted(given) if given[who].label is not None},
            complete=bool(given) and (whole or "labels" in self.closed),
            wanted=max(
                len(holders) + shared, len(given), *(self.brought for one in given.values() if one.said.imported)
            ),
            decision=self.decisions.get(unit),
        )

    def outcomes(self, head: str = "") -> list[Outcome]:
        """Where every unit stands that was given out to be labelled, or every one whose name begins so."""
        return [self.outcome(unit) for unit in {**self.holders, **self.shares} if unit.startswith(head)]


def _mixed(items: list[Item], others: Sequence[Item], start: int) -> list[Item]:
    """Items with others spread among them, from a place on."""
    step = (len(items) - start + 1) / (len(others) + 1)
    for number, other in reversed(list(enumerate(others, 1))):
        items.insert(start + round(number * step), other)
    return items


def assigned(work: Work, event: Assigned, seed: str, runs: Mapping[str, int] = {}) -> Work:
    """The work after units were given out; runs by the order in which they came in."""
    if event.stage == "adjudication":
        return replace(work, adjudicators=tuple(dict.fromkeys([*work.adjudicators, *event.assessors])))
    if event.shared:
        items = dict.fromkeys(Item(event.stage, unit) for unit in in_order(seed, event.task, event.units))
        pool = Pool(stage=event.stage, items=items, assessors=event.assessors, per_unit=event.per_unit)
        more = {unit: work.shares.get(unit, 0) + event.per_unit for unit in event.units if event.stage == "labels"}
        return settled(replace(work, pools=(*work.pools, pool), shares=work.shares | more), more)
    queues, holders = dict(work.queues), dict(work.holders)
    dealt = deal(seed, event.task, event.units, event.assessors, event.per_unit, having(work, event.stage))
    shown = Counter(item for (stage, _), items in queues.items() if stage == event.stage for item in items)
    for place, (who, units) in enumerate(dealt.items()):
        before = queues.get((event.stage, who), ())
        known = {item.unit for item in before if item.stage == "planted"}
        new = _queue(event, place, units, seed, known, runs)
        queues[event.stage, who] = dict.fromkeys((*before, *(new if event.as_judged else _turned(new, shown))))
        for unit in units if event.stage == "labels" else ():
            holders[unit] = (*holders.get(unit, ()), who)
    work = replace(work, queues=queues, holders=holders)
    return settled(work, event.units) if event.stage in ("labels", "lists") else work


def having(work: Work, stage: Stage) -> dict[str, list[str]]:
    """Who has which units of a stage, to judge or judged; whoever shares a pool has all units of it.

    Whoever votes on a unit in the norming round cannot label it by themselves any more.
    """
    found: dict[str, list[str]] = {}
    stages = (stage, "norming") if stage == "labels" else (stage,)
    for (of, who), items in work.queues.items():
        for unit in dict.fromkeys(item.unit for item in items if of in stages and item.stage == of):
            found.setdefault(unit, []).append(who)
    for pool in work.pools:
        for item in pool.items if pool.stage == stage else ():
            sharing = found.setdefault(item.unit, [])
            sharing += [who for who in pool.assessors if who not in sharing]
    return found


def _queue(
    event: Assigned, place: int, units: list[str], seed: str, known: set[str], runs: Mapping[str, int]
) -> Iterable[Item]:
    """The items of the assessor in this place, in order; without examples that they have among others."""
    if event.runs:
        # By the number of a run: its id is another one in an anonymous archive.
        return [
            Item(event.stage, unit, run)
            for unit in units
            for run in sorted(event.runs[unit], key=lambda run: drawn(seed, event.task, unit, _numbered(run, runs)))
        ]
    items = [Item(event.stage, unit) for unit in units]
    again = [replace(item, copy=2) for item in items[: min(event.repeats, len(items) // FIRST_HALF)]]
    new = [unit for unit in event.planted if unit not in known]
    planted = sorted(new, key=lambda unit: drawn(seed, event.task, "planted", str(place), unit))
    _mixed(items, [Item("planted", unit) for unit in planted], 0)
    return _mixed(items, again, (len(items) + 1) // FIRST_HALF)


def _turned(items: Iterable[Item], shown: Counter[Item]) -> Iterator[Item]:
    """Two runs that are compared, turned round if more people see them as they are: the second sees them mirrored."""
    for item in items:
        left, compared, right = item.run.partition("+")
        other = replace(item, run=f"{right}+{left}") if compared else item
        chosen = other if shown[other] < shown[item] else item
        shown[chosen] += 1
        yield chosen


def _numbered(run: str, runs: Mapping[str, int]) -> str:
    """A run, or the two that are compared, by their numbers."""
    return "+".join(str(runs.get(one, one)) for one in run.split("+"))


def unassigned(work: Work, event: Unassigned) -> Work:
    """The work after an assessor's open units were taken back."""
    if event.stage == "adjudication":
        return replace(work, adjudicators=tuple(who for who in work.adjudicators if who != event.assessor))
    place = (event.stage, event.assessor)
    gone = {Item(event.stage, unit) for unit in event.units}
    kept = dict.fromkeys(item for item in work.queues[place] if Item(item.stage, item.unit) not in gone)
    work = replace(work, queues=work.queues | {place: kept})
    if event.stage != "labels":
        return settled(work, event.units) if event.stage == "lists" else work
    fewer = {unit: tuple(who for who in work.holders[unit] if who != event.assessor) for unit in event.units}
    return settled(replace(work, holders=work.holders | fewer), event.units)


def judged(work: Work, event: Judged, at: datetime, sequence: int) -> Work:
    """The work after a judgment."""
    mine = work.of(event.assessor)
    ballot = Ballot(said=event, at=at, sequence=sequence, before=mine.get(event.item))
    work = _noted(_held(work, event, mine.set(event.item, ballot), ballot), event)
    if event.program and event.assessor not in work.programs:
        # Whatever waited for it no longer does: programs do not count among the people who label a unit.
        held = [unit for unit, who in work.holders.items() if event.assessor in who]
        work = settled(replace(work, programs=work.programs | {event.assessor}), held)
    return _follow(work, event.assessor, event.item, ballot)


def all_judged(work: Work, given: Iterable[tuple[Judged, datetime, int]]) -> Work:
    """The work after many judgments, with when and as which entry each came: where a unit stands is looked up once."""
    labels, decisions, touched = work.labels.mutate(), work.decisions.mutate(), dict[str, None]()
    mine = {who: of.mutate() for who, of in work.ballots.items()}
    last = {who: of.mutate() for who, of in work.latest.items()}
    of_units: dict[str, MapMutation[str, Ballot]] = {}
    for event, at, sequence in given:
        who, item = event.assessor, event.item
        own = mine.setdefault(who, Map().mutate())
        ballot = own[item] = Ballot(said=event, at=at, sequence=sequence, before=own.get(item))
        last.setdefault(who, NOTHING.mutate())[item] = event.id.partition("/")[0]
        if item.stage == "adjudication":
            decisions[item.unit] = ballot
        elif item.stage == "labels" and item.copy == 1:
            if item.unit not in of_units:
                of_units[item.unit] = work.labels.get(item.unit, Map()).mutate()
            of_units[item.unit][who] = ballot
        if item.stage in ("adjudication", "lists") or (item.stage == "labels" and item.copy == 1):
            touched[item.unit] = None
    for unit, of in of_units.items():
        labels[unit] = of.finish()
    work = replace(
        work,
        ballots=Map({who: of.finish() for who, of in mine.items()}),
        latest=Map({who: of.finish() for who, of in last.items()}),
        labels=labels.finish(),
        decisions=decisions.finish(),
    )
    return settled(work, touched)


def undone(work: Work, event: JudgmentUndone) -> Work:
    """The work after a judgment was taken back."""
    mine = work.of(event.assessor)
    before = mine[event.item].before
    mine = mine.delete(event.item) if before is None else mine.set(event.item, before)
    work = _noted(_held(work, event, mine, before), event)
    return _follow(work, event.assessor, event.item, before)


def _held(work: Work, event: Judged | JudgmentUndone, mine: Map[Item, Ballot], ballot: Ballot | None) -> Work:
    """The work with what holds of an assessor's judgments, and among them what holds of the list that one is about."""
    work, item = replace(work, ballots=work.ballots.set(event.assessor, mine)), event.item
    if not item.entry:
        return work
    place = (event.assessor, item.whole)
    entries = work.written.get(place, UNWRITTEN)
    entries = entries.delete(item) if ballot is None else entries.set(item, ballot)
    return replace(work, written=work.written.set(place, entries))


def _noted(work: Work, event: Judged | JudgmentUndone) -> Work:
    """The work with what an assessor did last; what follows for several items from one act has the id of that act."""
    mine = work.latest.get(event.assessor, NOTHING).set(event.item, event.id.partition("/")[0])
    return replace(work, latest=work.latest.set(event.assessor, mine))


def _follow(work: Work, who: str, item: Item, ballot: Ballot | None) -> Work:
    """What follows for a unit from a judgment about it, or from its end."""
    if item.stage == "adjudication":
        decided = work.decisions.delete(item.unit) if ballot is None else work.decisions.set(item.unit, ballot)
        return settled(replace(work, decisions=decided), (item.unit,))
    if item.stage == "lists":
        return settled(work, (item.unit,))
    if item.stage != "labels" or item.copy != 1:
        return work
    given = work.labels.get(item.unit, Map())
    given = given.delete(who) if ballot is None else given.set(who, ballot)
    return settled(replace(work, labels=work.labels.set(item.unit, given)), (item.unit,))


def settled(work: Work, units: Iterable[str]) -> Work:
    """The work with where these units stand, and with those that are disputed among the disputed ones."""
    disputed, standings = work.disputed.mutate(), work.standings.mutate()
    for unit in units:
        standings[unit] = standing = work.outcome(unit).standing
        differ = standing == "disputed" or grouped_otherwise(work, unit)
        if differ and unit not in work.decisions:
            disputed[unit] = True
        elif unit in disputed:
            del disputed[unit]
    return replace(work, disputed=disputed.finish(), standings=standings.finish())
