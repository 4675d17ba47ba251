"""Campaigns leave this server as one file, come back from one, and begin anew in another year."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, BinaryIO, NamedTuple

from django.db.models import Max
from django.db.models.functions import Lower
from msgspec.structs import replace

from karat.campaign.archive import Verified, named, pack
from karat.campaign.commands import Create
from karat.campaign.dates import Dates, faces, local
from karat.campaign.definition import Definition, check_name, parse
from karat.campaign.events import Entry, linked
from karat.campaign.judging.library import Content
from karat.campaign.state import Campaign
from karat.campaign.writing import written
from karat.errors import UsageError
from karat.server import models
from karat.server.accounts import HOST, beyond_reach
from karat.server.store import content, digest_of, execute, names, now, record_of, restore, state_of, verify

Shown = dict[str, Any]


class Exported(NamedTuple):
    """An archive, in a nameless file that is gone when it is closed, and what is said of it."""

    file: BinaryIO
    facts: Shown

    @property
    def data(self) -> bytes:
        """The archive in memory, after which the file is gone."""
        with self.file as file:
            return file.read()


def export(campaign: str, anonymous: bool = False) -> Exported:
    """A campaign as an archive, with the names of those who took part or without.

    Entries and files pass through memory one by one, except without names: then all of them are held.
    """
    newest = models.Event.objects.filter(campaign__name=campaign).aggregate(last=Max("sequence"))["last"]
    if newest is None:
        raise UsageError.unknown("campaign", campaign, names())
    damaged = UsageError(f"the record of {campaign} or its files are damaged: see karat campaign verify {campaign}")

    def entries() -> Iterator[Entry]:
        for entry, follows in linked(record_of(campaign, last=newest)):
            if not follows:
                raise damaged
            yield entry

    def whole(sha256: str) -> bytes:
        row = models.Content.objects.filter(sha256=sha256).first()
        if row is None or digest_of(data := bytes(row.data)) != sha256:
            raise damaged
        return data

    made = entries()
    content: Content = whole
    if anonymous:
        from karat.campaign.anonymous import anonymised

        held = list(made)
        masked, contents = anonymised(held, {sha256: whole(sha256) for sha256 in named(held)})
        made, content = iter(masked), contents.__getitem__
    file = tempfile.TemporaryFile()  # noqa: SIM115 - whoever gets it closes it
    try:
        found = pack(file, made, content)
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        file.seek(0)
    except BaseException:
        file.close()
        raise
    facts = {"campaign": campaign, "anonymous": anonymous, "entries": found.last.sequence}
    facts |= {"files": found.files, "head": found.last.hash}
    return Exported(file, facts | {"sha256": digest, "size": size})


def import_archive(archive: Verified) -> Shown:
    """Rebuild a campaign from an archive that was found to be as it should; all or nothing."""
    made: list[str] = []
    state = restore(archive.entries, archive.contents, lambda state: made.extend(_add_accounts(state)))
    name = state.definition.name
    facts = {"campaign": name, "entries": len(archive.entries), "files": len(archive.contents), "head": state.head}
    return facts | {"accounts": made, "equal": verify(name)["equal"]}


def _add_accounts(state: Campaign) -> list[str]:
    """Make the accounts of members, without a password; refuse those behind whom others may be here."""
    example, members = state.example, {name for name in state.members if name != HOST}
    folded = {name.lower() for name in members}
    there = models.Account.objects.annotate(folded=Lower("name")).filter(folded__in=folded)
    busy = beyond_reach(state.definition.name)
    free = {one.name for one in there if not one.has_usable_password() and one.example == example} & members - busy
    taken = {one.name for one in there} - free
    if HOST in folded or (HOST in state.members and state.members[HOST].role != "organiser"):
        taken.add(HOST)
    if taken:
        raise UsageError(
            "these accounts exist both here and in the archive, perhaps with other capitals, and may belong to "
            f"different people: {', '.join(sorted(taken))}; import the archive into a home of its own: --home DIR"
        )
    new = [name for name in state.members if name in members - free]
    models.Account.objects.bulk_create(models.Account(name=name, password="!", example=example) for name in new)
    return new


def clone(campaign: str, new: str, actor: str = HOST) -> Shown:
    """The same campaign for another year: its definition and files, but no members, runs or secrets."""
    check_name(new, "campaign")
    state = state_of(campaign)
    definition, years = in_future(replace(state.definition, name=new), now())
    files = {name: state.files[name] for name in definition.files()}
    contents = {sha256: content(sha256) for sha256 in files.values()}
    made = execute(new, Create(definition=definition, files=files, example=False), actor, contents).state
    zone = definition.clock
    return {
        "campaign": new,
        "tasks": [task.name for task in definition.tasks],
        "commitment": made.commitment,
        "years": years,
        "dates": {name: faces(moment, zone)[zone.key] for name, moment in _set(definition.dates).items()},
        "warnings": [
            f"the test sets are those of {campaign}, with the same key: replace {', '.join(_tests(definition))} "
            f"before {faces(definition.dates.data or definition.dates.opens, zone)['UTC']} UTC, when teams get them"
        ],
    }


def _tests(definition: Definition) -> list[str]:
    return list(dict.fromkeys(task.test for task in definition.tasks))


def _set(dates: Dates) -> dict[str, datetime]:
    return {name: moment for name in dates.__struct_fields__ if (moment := getattr(dates, name)) is not None}


def in_future(definition: Definition, moment: datetime) -> tuple[Definition, int]:
    """A definition with all dates moved by as many years as it takes until it opens in the future, and how many.

    Clocks of its zone show the same time; 29 February becomes the 28th.
    """
    years, zone = 0, definition.clock

    def moved(one: datetime) -> datetime:
        there = local(one, zone)
        year, day = there.year + years, there.day
        if (there.month, there.day) == (2, 29) and (year % 4 or (year % 100 == 0 and year % 400)):
            day = 28
        return there.replace(year=year, day=day).astimezone(UTC)

    while moved(definition.dates.opens) <= moment:
        years += 1
    dates = replace(definition.dates, **{name: moved(one) for name, one in _set(definition.dates).items()})
    # Read again, so that dates which no longer follow each other are refused.
    return parse(written(replace(definition, dates=dates)), "campaign.toml"), years
