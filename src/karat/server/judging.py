"""Judging, the same from pages and from programs: what is shown of a unit, and what becomes of a judgment."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from karat.campaign.definition import Task
from karat.campaign.events import Item
from karat.campaign.judging.agenda import Leased, agenda, can_change, next_item
from karat.campaign.judging.asking import Ask, unasked
from karat.campaign.judging.commands import Judge, Undo
from karat.campaign.judging.dealing import by_token, token
from karat.campaign.judging.kinds import kind_of
from karat.campaign.judging.progress import counted_as
from karat.campaign.judging.work import NOTHING
from karat.campaign.refusing import refuse
from karat.campaign.state import Campaign
from karat.server.store import execute, material, now, state_of

MOST_SHOWN = 100_000
"""The units for which it is remembered when they were shown; the oldest are forgotten first."""
RENEWED = ("qualification", "norming")
"""Stages whose items come again: which of them counts is for the agenda to say."""
DAY = 86_400.0
_lock = threading.Lock()
_shown: OrderedDict[tuple[str, str, Item], dict[str, datetime]] = OrderedDict()
"""When an item was first shown to assessors who have not judged it yet, by campaign, task and item.

It is not in the record: a server that starts again gives a unit of a pool to one more assessor at worst.
"""


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """A unit as an assessor sees it."""

    unit: str
    """A name that says nothing."""
    stage: str
    show: dict[str, Any]
    """What is judged: texts by name, and lists of labels or remarks of others where they are shown."""
    ask: tuple[Ask, ...]
    entry: tuple[Ask, ...] | None
    """What is asked about each entry, if a list is asked for."""
    entries: dict[str, dict[str, str]]
    """The list so far, by the names of its entries."""
    suggested: str
    """What is suggested, and where that comes from; a judgment that follows is stored with it."""
    guidelines: int
    lease: datetime | None
    """Until when nobody else gets this unit, in a pool."""
    done: int
    total: int
    open: bool
    """Whether a judgment can be given or changed."""
    values: dict[str, str]
    """What the assessor has said about it."""
    skipped: str
    comment: str
    latest: str
    """The id of what the assessor did last about it, empty if nothing: a judgment that was made instead of that."""
    latest_entries: dict[str, str]
    """The same for the entries of the list that the assessor wrote or changed."""


class Sheet(NamedTuple):
    """A judgment as it is sent."""

    id: str
    unit: str
    values: dict[str, str]
    guidelines: int = 0
    skipped: str = ""
    comment: str = ""
    program: str = ""
    suggested: str = ""
    """What the assessor saw as a suggestion when they judged."""
    seconds: float | None = None
    """How long it was in sight, if a page says so: one that fetches units ahead shows them later."""
    instead_of: str | None = None
    """The id of what the assessor did last about it, as far as they knew."""


def next_unit(campaign: str, account: str, task: str, after: str = "") -> Shown | None:
    """The next unit for an assessor; None if nothing is left."""
    state = state_of(campaign)
    item, items = _next(state, account, task, find(state, account, task, after) if after else None)
    return None if item is None else shown(state, account, task, item, items)


def next_for(state: Campaign, account: str, task: str, after: Item | None = None, note: bool = True) -> Item | None:
    """What comes next for an assessor, who is shown it now if it is to be noted."""
    return _next(state, account, task, after, note)[0]


def _next(
    state: Campaign, account: str, task: str, after: Item | None, note: bool = True
) -> tuple[Item | None, list[Item]]:
    """What comes next for an assessor, and the agenda in which it stands."""
    with _lock:
        if state.work_of(task).pools:
            # Whoever has just judged a unit looks at it no more, and has judged it: both must be known, or neither.
            state = state_of(state.definition.name)
        items = agenda(state, task, account, _leased(state, task, account), after)
        item = next_item(state, task, account, after, items=items)
        if item is not None and note:
            _note(state, task, account, item)
    return item, items


def note_shown(state: Campaign, account: str, task: str, item: Item) -> None:
    """Note that an assessor is shown an item now, unless they have judged it."""
    if item not in state.work_of(task).of(account):
        with _lock:
            _note(state, task, account, item)


def find(state: Campaign, account: str, task: str, unit: str) -> Item:
    """An item by the name that its assessor knows; refused if it was not given to them."""
    work, seed = state.work_of(task), state.seed
    whole, _, entry = unit.partition("/")
    if entry:
        return replace(find(state, account, task, whole), entry=entry)
    given = [tuple(items) for (_, who), items in work.queues.items() if who == account]
    given += [tuple(pool.items) for pool in work.pools if account in pool.assessors]
    for items in given:
        if (found := by_token(seed, task, items).get(unit)) is not None and found.stage not in RENEWED:
            return found
    # What was taken back from them after they had judged it, what they decide, and what they judge anew.
    for others in (work.of(account), agenda(state, task, account)):
        for item in others:
            if token(seed, task, item) == unit:
                return item
    raise refuse("not-assigned", f"the unit {unit[:100]!r}")


def _leased(state: Campaign, task: str, account: str) -> Leased:
    """How many other people look at an item of a pool."""
    since = now() - timedelta(minutes=state.definition.judging.lease)
    name, work = state.definition.name, state.work_of(task)

    def leased(item: Item) -> int:
        looking = _shown.get((name, task, item))
        if looking is None:
            return 0
        # Whoever has judged it no longer counts, even where that has not been forgotten yet.
        done = {account, *work.programs, *work.labels.get(item.unit, ())}
        return sum(at > since and who not in done for who, at in looking.items())

    return leased


def _note(state: Campaign, task: str, account: str, item: Item) -> None:
    """Note that an item is shown now; one that was shown before keeps its time until its lease has run out."""
    place, at = (state.definition.name, task, item), now()
    before = _shown.get(place, {}).get(account)
    if before is None or before < at - timedelta(minutes=state.definition.judging.lease):
        _shown[place] = _shown.get(place, {}) | {account: at}
        _shown.move_to_end(place)
    while len(_shown) > MOST_SHOWN:
        _shown.popitem(last=False)


def _shown_at(state: Campaign, task: str, account: str, item: Item) -> datetime | None:
    """When an item was shown to somebody, if they have not judged it since."""
    return _shown.get((state.definition.name, task, item), {}).get(account)


def _forget(state: Campaign, task: str, account: str, item: Item) -> None:
    place = (state.definition.name, task, item)
    with _lock:
        others = {who: at for who, at in _shown.get(place, {}).items() if who != account}
        if others:
            _shown[place] = others
        else:
            _shown.pop(place, None)


def shown(state: Campaign, account: str, task: str, item: Item, items: Sequence[Item] | None = None) -> Shown:
    """A unit as an assessor sees it, with what they have said about it; `items` is their agenda, if it is known."""
    work = state.work_of(task)
    mine, wanted = work.of(account), state.definition.task(task)
    items = agenda(state, task, account) if items is None else items
    kind, about = kind_of(wanted, item), material(state, wanted)
    counted = [one for one in items if counted_as(one) == counted_as(item)]
    pooled = any(account in pool.assessors and item in pool.items for pool in work.pools if pool.stage == item.stage)
    said = mine[item].said if item in mine else None
    at = _shown_at(state, task, account, item)
    latest = work.latest.get(account, NOTHING).items() if kind.entry is not None else ()
    lease = timedelta(minutes=state.definition.judging.lease)
    return Shown(
        unit=token(state.seed, task, item),
        stage="labels" if item.stage == "planted" else item.stage,
        show=kind.show(about, item, account),
        ask=tuple(kind.ask(about, item, account)),
        entry=None if kind.entry is None else tuple(kind.entry(about, item, account)),
        entries=kind.entries(about, item, account),
        suggested=kind.suggest(about, item, account),
        guidelines=len(state.guidelines),
        lease=at + lease if pooled and at is not None and said is None else None,
        done=sum(one in mine for one in counted),
        total=len(counted),
        open=can_change(work, account, item),
        values={} if said is None else said.values,
        skipped="" if said is None else said.skipped,
        comment="" if said is None else said.comment,
        latest=work.latest_of(account, item),
        latest_entries={one.entry: id for one, id in latest if one.entry and one.whole == item},
    )


def asked(state: Campaign, task: Task, item: Item, account: str) -> tuple[Ask, ...]:
    """What is asked about an item."""
    return tuple(kind_of(task, item).asked(material(state, task), item, account))


def judge(campaign: str, account: str, task: str, sheet: Sheet, drop: bool = False) -> dict[str, Any]:
    """Store a judgment; what is sent twice is stored once and answered alike.

    `drop` leaves out answers to what is not asked: a form without scripts sends them along.
    """
    state = state_of(campaign)
    wanted = state.definition.task(task)
    about = material(state, wanted)
    item = _named(state, account, task, sheet.id, sheet.unit)
    gone = unasked(asked(state, wanted, item, account), sheet.values) if drop else set()
    values = {name: value for name, value in sheet.values.items() if name not in gone}
    values = kind_of(wanted, item).complete(about, item, values)
    command = Judge(
        task=task,
        id=sheet.id,
        account=account,
        item=item,
        asks=None,
        values=values,
        skipped=sheet.skipped,
        comment=sheet.comment,
        guidelines=sheet.guidelines,
        seconds=_in_sight(_shown_at(state, task, account, item), sheet.seconds),
        expected=about.known_label(item.unit) if item.stage in ("qualification", "planted") else "",
        suggested=sheet.suggested,
        program=sheet.program,
        instead_of=sheet.instead_of,
    )

    def now_asked(newest: Campaign) -> Judge:
        """What is asked can depend on what the assessor has just said in another window: on the nuggets of a list."""
        about = material(newest, task)
        wrong = () if sheet.skipped.strip() else tuple(kind_of(about.task, item).against(about, item, account, values))
        return replace(command, asks=asked(newest, about.task, item, account), wrong=wrong)

    execute(campaign, now_asked, account)
    _forget(state, task, account, item)
    return {"accepted": True, "id": sheet.id, "unit": token(state.seed, task, item), "problems": []}


def _named(state: Campaign, account: str, task: str, id: str, unit: str) -> Item:
    """The item that something with this id is about: what was stored before is known even if the unit is gone."""
    known = state.ballot_ids.get(id)
    if known is not None and known[:2] == (task, account) and token(state.seed, task, known[2]) == unit:
        return known[2]
    return find(state, account, task, unit)


def _in_sight(given: datetime | None, seconds: float | None) -> float | None:
    """How long an assessor has seen a unit: as long as their page says, but not from before they were given it."""
    most = None if given is None else (now() - given).total_seconds()
    if seconds is None or not 0 <= seconds < DAY:
        return most
    return seconds if most is None else min(seconds, most)


def undo(campaign: str, account: str, task: str, id: str, unit: str, instead_of: str | None = None) -> dict[str, Any]:
    """Take a judgment back."""
    state = state_of(campaign)
    item = _named(state, account, task, id, unit)
    with _lock:
        _note(state, task, account, item)  # in a pool, nobody else gets it meanwhile: it is in hand again
    execute(campaign, Undo(task=task, id=id, account=account, item=item, instead_of=instead_of), account)
    return {"accepted": True, "id": id, "unit": token(state.seed, task, item), "problems": []}


class Sent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A judgment as a program sends it."""

    id: str
    unit: str
    values: dict[str, str | int] = msgspec.field(default_factory=dict)
    guidelines: int = 0
    skipped: str = ""
    comment: str = ""
    suggested: str = ""
    program: dict[str, Any] = msgspec.field(default_factory=dict)
    """The model, prompt and parameters of a program that judged."""
    instead_of: str | None = None

    def sheet(self) -> Sheet:
        """As it is stored: numbers as people write them."""
        program = msgspec.json.encode(self.program, order="deterministic").decode() if self.program else ""
        values = {name: str(value) for name, value in self.values.items()}
        return Sheet(
            id=self.id,
            unit=self.unit,
            values=values,
            guidelines=self.guidelines,
            skipped=self.skipped,
            comment=self.comment,
            program=program,
            suggested=self.suggested,
            instead_of=self.instead_of,
        )


class TakenBack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a program takes back, and the id of that."""

    id: str
    unit: str
    instead_of: str | None = None
