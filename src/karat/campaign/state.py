"""The state of a campaign, and what each event changes in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from functools import singledispatch

import msgspec
from immutables import Map
from msgspec.structs import replace

from karat.campaign.dates import Phase
from karat.campaign.definition import Definition
from karat.campaign.events import (
    GENESIS,
    Assigned,
    Audience,
    Created,
    Edited,
    Entry,
    Event,
    Extended,
    Item,
    Joined,
    Judged,
    JudgmentUndone,
    Mailed,
    PrimaryChosen,
    Rekeyed,
    Released,
    Remarked,
    ReportReceived,
    Revealed,
    RoundSet,
    RunReceived,
    RunRefused,
    RunWithdrawn,
    Signed,
    Summarised,
    TokenIssued,
    TokenRevoked,
    Unassigned,
    tests_of,
)
from karat.campaign.guidelines import GuidelinesVersion, with_newest
from karat.campaign.judging.work import Work, all_judged, assigned, judged, settled, unassigned, undone
from karat.campaign.parts import SCORED_BY as SCORED_BY
from karat.campaign.parts import KeyVersion as KeyVersion
from karat.campaign.parts import Member as Member
from karat.campaign.parts import Run as Run
from karat.campaign.parts import Signature as Signature
from karat.campaign.parts import Team as Team
from karat.campaign.parts import active
from karat.campaign.remembered import Remembered
from karat.errors import UsageError

WHOLE_SECOND = timedelta(seconds=1)
"""A deadline of 23:59:59 is the end of that second, as a clock shows it."""


AT_ONCE = 10_000
"""Judgments taken in together."""
_active: Remembered[list[Run]] = Remembered()


class Campaign(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that follows from the events so far. Maps are never changed in place."""

    definition: Definition
    files: dict[str, str]
    nonce: str
    seed: str
    keys: tuple[KeyVersion, ...]
    example: bool
    judgments: dict[str, dict[str, str]] = {}
    """The files of judgments by which answers are scored, by task."""
    released: dict[Audience, datetime] = {}
    """When results were shown to whom."""
    members: dict[str, Member] = {}
    teams: dict[str, Team] = {}
    runs: dict[str, Run] = {}
    entered: Map[str, tuple[str, ...]] = Map()
    """By team, the ids of its runs, those that do not count any more among them."""
    refused: tuple[tuple[int, RunRefused], ...] = ()
    """Attempts that were not accepted, with the number of their entry."""
    tokens: dict[str, str] = {}
    """The account of each token that works, by fingerprint."""
    mailed: tuple[tuple[datetime, Mailed], ...] = ()
    """Which messages were sent to which teams, and when."""
    guidelines: tuple[GuidelinesVersion, ...] = ()
    """Every version of the guidelines."""
    work: dict[str, Work] = {}
    """What is judged, by task."""
    ballot_ids: Map[str, tuple[str, str, Item, str]] = Map()
    """By the id of a judgment, or of what took one back: the task, the assessor, the item, and which of both it is."""
    sequence: int = 0
    head: str = GENESIS

    @property
    def commitment(self) -> str:
        """The promise of the newest key."""
        return self.keys[-1].commitment

    def member(self, account: str) -> Member:
        """A member by account."""
        if account not in self.members:
            raise UsageError.unknown(f"account of {self.definition.name}", account, self.members)
        return self.members[account]

    def team(self, name: str) -> Team:
        """A team by name."""
        if name not in self.teams:
            raise UsageError.unknown(f"team of {self.definition.name}", name, self.teams)
        return self.teams[name]

    def judged_by(self, task: str) -> tuple[tuple[str, str], ...]:
        """The files of judgments by which the runs of a task are scored, with their SHA-256; none before that."""
        return tuple(sorted(self.judgments.get(task, {}).items()))

    def work_of(self, task: str) -> Work:
        """The judging of a task."""
        return self.work.get(task, Work())

    def deadline(self, team: str | None = None) -> datetime:
        """The last moment for a team's runs, without grace."""
        own = self.teams[team].until if team in self.teams else None
        return max(own or self.definition.dates.closes, self.definition.dates.closes)

    def phase(self, now: datetime, team: str | None = None) -> Phase:
        """The stage of the campaign, for a team with its own deadline."""
        dates, closes = self.definition.dates, self.deadline(team) + WHOLE_SECOND
        if now >= closes + timedelta(minutes=self.definition.grace):
            return "closed"
        if now >= closes:
            return "grace"
        if now >= dates.opens:
            return "open"
        if now >= (dates.data or dates.opens):
            return "data"
        return "registering" if dates.register is None or now >= dates.register else "preparing"

    def has_signed(self, member: Member) -> bool:
        """Whether a member has accepted the agreement as it is now; True if there is none."""
        name = self.definition.agreement
        return name is None or (member.signature is not None and member.signature.agreement == self.files[name])

    def active(self, team: str | None = None, task: str | None = None, area: str = "official") -> list[Run]:
        """Runs that count, by task, team and number."""
        if team is not None:
            return active([self.runs[id] for id in self.entered.get(team, ())], task, area)
        question = self.definition.name, task, area  # a page asks several times, and there may be thousands
        return [*_active.of(question, (self.runs,), lambda: active(self.runs.values(), task, area))]

    def changeable(self, run: Run, now: datetime) -> bool:
        """Whether a team can still withdraw a run: an official one until the close, one to practise at any time."""
        official = run.received.sent.area == "official"
        return run.status == "active" and not (official and self.phase(now, run.received.team) == "closed")

    def primary(self, team: str, task: str) -> int | None:
        """The number of the run that a team chose, or of its first one; None if it has none."""
        numbers = [run.received.number for run in self.active(team, task)]
        chosen = self.teams[team].primary.get(task)
        return chosen if chosen in numbers else min(numbers, default=None)


def replay(entries: Iterable[Entry], state: Campaign | None = None) -> Campaign:
    """The state after these entries; judgments that follow one another are taken in together, which is faster."""
    coming, alike = iter(entries), list[Entry]()
    while (entry := next(coming, None)) is not None or alike:
        if entry is not None and state is not None and _plain(entry, alike):
            alike.append(entry)
            continue
        if alike and state is not None:
            state = apply(state, alike[0]) if len(alike) == 1 else _all_judged(state, alike)
            alike = []
        if entry is not None:
            state = apply(state, entry)
    if state is None:
        raise ValueError("a campaign begins with its creation")
    return state


def _plain(entry: Entry, alike: list[Entry]) -> bool:
    """Whether an entry is a judgment that can be taken in together with these, which come before it."""
    event = entry.event
    if not isinstance(event, Judged) or event.imported or event.program or event.item.entry:
        return False
    before = alike[0].event if alike else event
    return isinstance(before, Judged) and before.task == event.task and len(alike) < AT_ONCE


def _all_judged(state: Campaign, alike: list[Entry]) -> Campaign:
    """The state after judgments of one task that follow one another."""
    given = [(entry.event, entry.at, entry.sequence) for entry in alike if isinstance(entry.event, Judged)]
    task, last, ids = given[0][0].task, alike[-1], state.ballot_ids.mutate()
    for event, _, _ in given:
        ids[event.id] = (task, event.assessor, event.item, "judged")
    work = replace(all_judged(state.work_of(task), given), changed=last.sequence)
    return replace(
        state, work=state.work | {task: work}, ballot_ids=ids.finish(), sequence=last.sequence, head=last.hash
    )


def apply(state: Campaign | None, entry: Entry) -> Campaign:
    """The state after one entry."""
    event = entry.event
    if state is None:
        if not isinstance(event, Created):
            raise ValueError("a campaign begins with its creation")
        state = Campaign(
            definition=event.definition,
            files=event.files,
            nonce=event.nonce,
            seed=event.seed,
            keys=(_key(entry.at, event.commitment, "", tests_of(event.files, event.definition)),),
            example=event.example,
            guidelines=with_newest((), event.definition, event.files, entry.at, ""),
        )
    else:
        state = after(event, state, entry)
    return replace(state, sequence=entry.sequence, head=entry.hash)


@singledispatch
def after(event: Event, state: Campaign, _: Entry) -> Campaign:
    """The state after an event; one that nothing follows from leaves it as it was."""
    del event
    return state


@after.register
def _(event: Edited, state: Campaign, entry: Entry) -> Campaign:
    keys = state.keys
    if event.commitment != state.commitment:
        key = _key(entry.at, event.commitment, event.reason, tests_of(event.files, event.definition))
        keys = (*keys, replace(key, judgments=state.judgments))
    guidelines = with_newest(state.guidelines, event.definition, event.files, entry.at, event.reason)
    return replace(state, definition=event.definition, files=event.files, keys=keys, guidelines=guidelines)


@after.register
def _(event: Rekeyed, state: Campaign, entry: Entry) -> Campaign:
    files = state.files | event.files
    judgments = state.judgments | {task: dict(state.judged_by(task)) | new for task, new in event.judgments.items()}
    runs = dict(state.runs)
    for id, scores in event.scores.items():
        judged = runs[id].received.sent.task in event.judgments
        runs[id] = replace(runs[id], scores=scores, state="scored" if judged else runs[id].state)
    key = replace(
        _key(entry.at, event.commitment, event.reason, tests_of(files, state.definition)), judgments=judgments
    )
    return replace(state, files=files, judgments=judgments, keys=(*state.keys, key), runs=runs)


@after.register
def _(event: Released, state: Campaign, entry: Entry) -> Campaign:
    return replace(state, released=state.released | {event.to: entry.at})


@after.register
def _(event: Mailed, state: Campaign, entry: Entry) -> Campaign:
    return replace(state, mailed=(*state.mailed, (entry.at, event)))


@after.register
def _(event: Joined, state: Campaign, entry: Entry) -> Campaign:
    member = Member(
        account=event.account,
        role=event.role,
        team=event.team,
        person=event.person,
        contact=event.contact,
        joined=entry.at,
    )
    teams = state.teams
    if event.team is not None and event.team not in teams:
        teams = teams | {event.team: Team(name=event.team)}
    return replace(state, members=state.members | {event.account: member}, teams=teams)


@after.register
def _(event: Signed, state: Campaign, entry: Entry) -> Campaign:
    signature = Signature(person=event.person, at=entry.at, agreement=event.agreement, on_paper=event.on_paper)
    member = replace(state.members[event.account], signature=signature)
    return replace(state, members=state.members | {event.account: member})


@after.register
def _(event: TokenIssued, state: Campaign, _: Entry) -> Campaign:
    return replace(state, tokens=state.tokens | {event.fingerprint: event.account})


@after.register
def _(event: TokenRevoked, state: Campaign, _: Entry) -> Campaign:
    return replace(state, tokens=_without(state.tokens, event.fingerprint))


@after.register
def _(event: Extended, state: Campaign, _: Entry) -> Campaign:
    return replace(state, teams=state.teams | {event.team: replace(state.teams[event.team], until=event.until)})


@after.register
def _(event: RunReceived, state: Campaign, _: Entry) -> Campaign:
    runs = state.runs | {event.id: Run(received=event, scores=event.scores, state=event.state)}
    if event.replaces is not None:
        runs[event.replaces] = replace(runs[event.replaces], status="replaced")
    mine = (*state.entered.get(event.team, ()), event.id)
    return replace(state, runs=runs, entered=state.entered.set(event.team, mine))


@after.register
def _(event: RunRefused, state: Campaign, entry: Entry) -> Campaign:
    return replace(state, refused=(*state.refused, (entry.sequence, event)))


@after.register
def _(event: RunWithdrawn, state: Campaign, _: Entry) -> Campaign:
    return replace(state, runs=state.runs | {event.id: replace(state.runs[event.id], status="withdrawn")})


@after.register
def _(event: PrimaryChosen, state: Campaign, _: Entry) -> Campaign:
    team = state.teams[event.team]
    return replace(
        state, teams=state.teams | {team.name: replace(team, primary=team.primary | {event.task: event.number})}
    )


@after.register
def _(event: ReportReceived, state: Campaign, _: Entry) -> Campaign:
    return replace(state, teams=state.teams | {event.team: replace(state.teams[event.team], report=event)})


@after.register
def _(event: Assigned, state: Campaign, _: Entry) -> Campaign:
    runs = {id: number for number, id in enumerate(state.runs)}
    return _worked(state, event.task, assigned(state.work_of(event.task), event, state.seed, runs))


@after.register
def _(event: Unassigned, state: Campaign, _: Entry) -> Campaign:
    return _worked(state, event.task, unassigned(state.work_of(event.task), event))


@after.register
def _(event: Judged, state: Campaign, entry: Entry) -> Campaign:
    work = state.work_of(event.task)
    if event.imported:
        work = replace(work, brought=state.definition.judging.per_unit)
    state = _worked(state, event.task, judged(work, event, entry.at, entry.sequence))
    return replace(state, ballot_ids=state.ballot_ids.set(event.id, (event.task, event.assessor, event.item, "judged")))


@after.register
def _(event: JudgmentUndone, state: Campaign, _: Entry) -> Campaign:
    state = _worked(state, event.task, undone(state.work_of(event.task), event))
    return replace(state, ballot_ids=state.ballot_ids.set(event.id, (event.task, event.assessor, event.item, "undone")))


@after.register
def _(event: RoundSet, state: Campaign, _: Entry) -> Campaign:
    work = state.work_of(event.task)
    closed = work.closed - {event.stage} if event.open else work.closed | {event.stage}
    work = replace(work, closed=closed)
    # What has fewer labels than it should have is settled, or disputed, by those that it has.
    units = {"labels": list(work.labels), "lists": list(work.listed)}.get(event.stage, [])
    return _worked(state, event.task, settled(work, units))


@after.register
def _(event: Revealed, state: Campaign, _: Entry) -> Campaign:
    return _worked(state, event.task, replace(state.work_of(event.task), revealed=True))


@after.register
def _(event: Remarked, state: Campaign, entry: Entry) -> Campaign:
    work = state.work_of(event.task)
    return _worked(state, event.task, replace(work, remarks=(*work.remarks, (entry.at, event))))


@after.register
def _(event: Summarised, state: Campaign, _: Entry) -> Campaign:
    work = state.work_of(event.task)
    return _worked(state, event.task, replace(work, summaries=work.summaries | {event.assessor: event.text}))


def _worked(state: Campaign, task: str, work: Work) -> Campaign:
    return replace(state, work=state.work | {task: replace(work, changed=state.sequence + 1)})


def _key(at: datetime, commitment: str, reason: str, tests: dict[str, str]) -> KeyVersion:
    return KeyVersion(at=at, commitment=commitment, reason=reason, tests=tests)


def _without(given: Mapping[str, str], name: str) -> dict[str, str]:
    return {key: value for key, value in given.items() if key != name}
