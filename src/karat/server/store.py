"""Where the rules meet the database: one function that changes a campaign, one that reads it."""

from __future__ import annotations

import gc
import hashlib
import secrets
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from django.db import IntegrityError, connection, transaction

from karat.campaign.commands import Command, Create
from karat.campaign.definition import Task
from karat.campaign.events import (
    GENESIS,
    Entry,
    Happened,
    RunReceived,
    Scores,
    broken_at,
    chained,
    files_of,
)
from karat.campaign.judging.library import Library, Material
from karat.campaign.replaying import misfits
from karat.campaign.rules import decide
from karat.campaign.state import Campaign, apply, replay
from karat.errors import UsageError
from karat.server import models

if TYPE_CHECKING:
    from karat.campaign.checking import TestSet

_writing = threading.Lock()
"""SQLite has one writer; waiting here is fair and fast, waiting in SQLite is neither."""
_first = threading.RLock()
_states: dict[str, Campaign] = {}
"""The newest known state of each campaign; only what has been committed."""
CLOCK_STEP = timedelta(minutes=1)
"""How far a clock is set back by those who keep it exact."""
_event: msgspec.json.Decoder[Happened] = msgspec.json.Decoder(Happened)


Made = Callable[[Campaign], Command]
"""A command that depends on what is true when it is carried out."""


class Outcome(NamedTuple):
    """What a command has led to."""

    state: Campaign
    entries: list[Entry]


def now() -> datetime:
    """The time by which everything is decided."""
    return datetime.now(UTC)


def names() -> list[str]:
    """The campaigns, in the order in which they were made."""
    return list(models.Campaign.objects.order_by("id").values_list("name", flat=True))


def state_of(name: str) -> Campaign:
    """The state of a campaign; a `UsageError` if there is none of this name."""
    if name not in _states:
        # Whoever comes while it is read for the first time waits for that instead of reading it again.
        with _first, _uncollected():
            return _newest(name)
    return _newest(name)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without the search for garbage: a record makes millions of objects that all stay, and each search visits them."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        if was_on:
            gc.enable()


def _newest(name: str) -> Campaign:
    known = _states.get(name)
    entries = record_of(name, 0 if known is None else known.sequence)  # one by one: a record can be large
    first = next(entries, None)
    if known is None and first is None:
        raise UsageError.unknown("campaign", name, names())
    state = replay(chain([] if first is None else [first], entries), known)
    if not transaction.get_connection().in_atomic_block:
        _remember(name, state)
    return state


def _remember(name: str, state: Campaign) -> None:
    known = _states.get(name)
    if known is None or known.sequence < state.sequence:
        _states[name] = state


def record_of(name: str, since: int = 0, last: int | None = None, at_once: int = 1000) -> Iterator[Entry]:
    """The entries of a campaign after a number, up to another one, so many fetched at once."""
    rows = models.Event.objects.filter(campaign__name=name, sequence__gt=since).order_by("sequence")
    rows = rows if last is None else rows.filter(sequence__lte=last)
    values = rows.values_list("sequence", "at", "actor", "data", "hash")
    for sequence, at, actor, data, digest in values.iterator(at_once):
        yield Entry(sequence=sequence, at=at, actor=actor, event=_event.decode(data), hash=digest)


def execute(
    name: str,
    command: Command | Made,
    actor: str,
    contents: Mapping[str, bytes] | None = None,
    also: Callable[[Outcome], None] | None = None,
) -> Outcome:
    """Carry out a command: decide, and store events and files in one short transaction.

    `also` runs inside the transaction, for what must be stored with the events or not at all.
    """
    # Durable: nobody wraps this in a longer transaction, so that what is answered has been committed.
    with _writing, transaction.atomic(durable=True):
        row = _locked(name, isinstance(command, Create))
        at = now()
        state = None if isinstance(command, Create) and row is None else state_of(name)
        if row is None:
            row = _new(name)
        if not isinstance(command, Command):
            assert state is not None
            command = command(state)
        entries: list[Entry] = []
        for event in decide(state, command, at, secrets.token_bytes):
            before, sequence = (GENESIS, 0) if state is None else (state.head, state.sequence)
            entries.append(chained(before, sequence + 1, at, actor, event))
            state = apply(state, entries[-1])
        models.Event.objects.bulk_create(_row(row, entry) for entry in entries)
        for digest, data in (contents or {}).items() if entries else ():
            models.Content.objects.get_or_create(sha256=digest, defaults={"data": data})
        assert state is not None
        outcome = Outcome(state, entries)
        if also is not None:
            also(outcome)
    _remember(name, outcome.state)
    return outcome


def restore(
    entries: Sequence[Entry], contents: Mapping[str, bytes], also: Callable[[Campaign], None] | None = None
) -> Campaign:
    """Store a campaign that was exported, with its hashes; all of it or, if its name is taken, nothing.

    `also` runs inside the transaction, for what must be stored with it or not at all.
    """
    state = replay(entries)
    with _writing, transaction.atomic(durable=True):
        row = _new(state.definition.name, "import it into a home of its own: --home DIR")
        models.Event.objects.bulk_create((_row(row, entry) for entry in entries), batch_size=500)
        for digest, data in contents.items():
            models.Content.objects.get_or_create(sha256=digest, defaults={"data": data})
        if also is not None:
            also(state)
    _remember(state.definition.name, state)
    return state


def _locked(name: str, missing_ok: bool) -> models.Campaign | None:
    """The row of a campaign, locked until the end of the transaction."""
    row = models.Campaign.objects.select_for_update().filter(name=name).first()
    if row is None and not missing_ok:
        raise UsageError.unknown("campaign", name, names())
    return row


def _new(name: str, remedy: str = "choose another name") -> models.Campaign:
    """The row of a new campaign; a `UsageError` if another process has just made one."""
    try:
        with transaction.atomic():
            return models.Campaign.objects.create(name=name)
    except IntegrityError:
        raise UsageError(f"there is a campaign called {name!r} already; {remedy}") from None


def _row(campaign: models.Campaign, entry: Entry) -> models.Event:
    data = msgspec.json.encode(entry.event).decode()
    return models.Event(
        campaign=campaign, sequence=entry.sequence, at=entry.at, actor=entry.actor, data=data, hash=entry.hash
    )


def digest_of(data: bytes) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(data).hexdigest()


def content(sha256: str) -> bytes:
    """A stored file."""
    return bytes(models.Content.objects.values_list("data", flat=True).get(sha256=sha256))


def test_set(state: Campaign, task: Task) -> TestSet:
    """The test set of a task, read once."""
    return keyed(task, state.files[task.test], state.seed, state.judged_by(task.name))


LIBRARY = Library(content)
"""The files of all campaigns, each read once."""


def keyed(task: Task, sha256: str, seed: str, judged: tuple[tuple[str, str], ...] = ()) -> TestSet:
    """The test set of a task with one of its keys, or with judgments."""
    return LIBRARY.test(task, sha256, seed, judged)


def material(state: Campaign, task: Task | str) -> Material:
    """What the judging of a task is about."""
    return LIBRARY.material(state, task)


def verify(name: str) -> dict[str, object]:
    """Replay a campaign: is the chain unbroken, and is what is stored what the events and files lead to?"""
    events = models.Event.objects.filter(campaign__name=name).count()
    if not events and name not in names():
        raise UsageError.unknown("campaign", name, names())
    read = Read()
    try:
        broken = broken_at(read.of(name)) if events else 1
    except (msgspec.MsgspecError, ValueError):  # no event, or no date
        broken = read.entries + 1
    differences = [] if broken is not None else list(_differences(name, read))
    return {
        "events": events,
        "chain": broken is None,
        "equal": broken is None and not differences,
        "broken_at": broken,
        "differences": differences,
    }


class Read:
    """What is noted while a record is read for the first time; all entries at once could be larger than memory."""

    def __init__(self) -> None:
        self.entries = 0
        self.files: dict[str, None] = {}
        """Of all events, so that former files are among them: people have signed and sent those."""
        self.backwards: list[int] = []
        """The entries with an earlier date than the one before."""

    def of(self, name: str) -> Iterator[Entry]:
        """The entries of a campaign, one by one, so that what cannot be read hides nothing before it."""
        last: datetime | None = None
        for entry in record_of(name, at_once=1):
            self.entries += 1
            self.files.update(dict.fromkeys(files_of(entry.event)))
            yield entry  # nobody asks for another one after a broken one, whose date may be no date
            if last is not None and entry.at < last - CLOCK_STEP:
                self.backwards.append(entry.sequence)
            last = entry.at


def _differences(name: str, read: Read) -> Iterator[str]:
    """Whatever cannot be as it was written: triggers, dates, the bytes of files, the scores of runs."""
    if not _guarded():
        yield "the database no longer protects the record from changes: its triggers are missing"
    for number in read.backwards:
        yield f"event {number} has an earlier date than the one before: was the clock set back?"
    damaged = False
    for sha256 in read.files:
        found = models.Content.objects.filter(sha256=sha256).first()
        if found is None or digest_of(bytes(found.data)) != sha256:
            damaged = True
            yield f"the file {sha256} is {'missing' if found is None else 'damaged'}"
    if damaged:
        return
    entries = record_of(name, last=read.entries)
    yield from misfits(entries, lambda state, run: rescored(state, run), Library(content))


def _guarded() -> bool:
    """Whether the triggers are there that refuse to change the record."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'server_event'")
            return bool(cursor.fetchone()[0] == len(("update", "delete")))
        cursor.execute(
            "SELECT count(*) FROM pg_trigger "
            "WHERE tgrelid = 'server_event'::regclass AND tgname = 'event_append_only' AND tgenabled = 'O'"
        )
        return bool(cursor.fetchone()[0] == 1)


def rescored(state: Campaign, run: RunReceived) -> Scores:
    """The scores of a stored run, computed again."""
    from karat.campaign import checking

    test = test_set(state, state.definition.task(run.sent.task))
    return checking.rescored(test, run.id, run.sent, content(run.sent.sha256))
