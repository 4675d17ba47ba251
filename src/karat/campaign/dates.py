"""The dates of a campaign: local times made exact, the phase at a moment, and how a moment reads in several zones."""

from __future__ import annotations

import contextlib
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Literal
from zoneinfo import ZoneInfo

import msgspec

ANYWHERE = timezone(timedelta(hours=-12), "anywhere on earth")
"""The zone in which a day ends last: what is not over there is over nowhere."""
YEARS = range(1970, 9000)
"""The years of dates that can be shown in every zone, and have a second after them."""
ORDER = ("register", "data", "opens", "closes", "results", "public")
"""The dates in the order in which they have to come."""
Phase = Literal["preparing", "registering", "data", "open", "grace", "closed"]


class Dates(msgspec.Struct, frozen=True, kw_only=True):
    """When each stage of a campaign begins; all moments are exact."""

    register: datetime | None = None
    """Teams can join; without a date, at once."""
    data: datetime | None = None
    """Teams can get the blind test set; without a date, when submissions open."""
    opens: datetime
    closes: datetime
    results: datetime | None = None
    """The earliest time for a team's own results; an organiser releases them by hand."""
    public: datetime | None = None
    reports: datetime | None = None
    """The deadline for system reports."""
    names: datetime | None = None
    """Until then, whoever sees the results of other teams does not see who they are."""

    def in_order(self) -> list[tuple[str, datetime]]:
        """The dates that are set, in the order in which they have to come."""
        return [(name, moment) for name in ORDER if (moment := getattr(self, name)) is not None]


class MomentError(ValueError):
    """A value that names no moment, or two; the message says what was expected."""


def moment_of(value: object, zone: ZoneInfo) -> datetime:
    """A date and time, local in `zone` unless it has an offset of its own."""
    if isinstance(value, str):
        value = _read(value.strip())
    if not isinstance(value, datetime):
        bare = isinstance(value, date)
        raise MomentError(f"a date and a time{', since a day has 24 hours' * bare}, as 2027-05-08T23:59:59")
    if value.year not in YEARS:
        raise MomentError(f"a year from {YEARS[0]} to {YEARS[-1]}")
    if value.tzinfo is not None:
        return value.astimezone(UTC)
    first, second = (value.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    if first == second:
        return first
    offsets = " or ".join(local(moment, zone).isoformat() for moment in sorted((first, second)))
    if first.astimezone(zone).replace(tzinfo=None) != value:
        raise MomentError(f"a time that exists: clocks in {zone.key} skip it when summer time begins; write {offsets}")
    raise MomentError(f"a time that comes once: clocks in {zone.key} show it twice, as {offsets}; write one of these")


def _read(text: str) -> date | None:
    """A date and time, or a date alone, as it is written."""
    for kind in (date, datetime):
        with contextlib.suppress(ValueError):
            return kind.fromisoformat(text)
    return None


def local(moment: datetime, zone: ZoneInfo | timezone) -> datetime:
    """A moment as the clocks of a zone show it."""
    return moment.astimezone(zone)


def faces(moment: datetime, zone: ZoneInfo) -> dict[str, str]:
    """A moment in universal time, in the organisers' zone and anywhere on earth."""
    named: dict[str, ZoneInfo | timezone] = {"UTC": UTC, zone.key: zone, "anywhere on earth": ANYWHERE}
    there = {name: local(moment, one) for name, one in named.items()}
    return {name: f"{time:%a} {time.day} {time:%b %Y, %H:%M:%S}" for name, time in there.items()}


def remaining(moment: datetime, now: datetime) -> str:
    """How long it is until a moment, or how long ago it was, in its largest unit and the next smaller one."""
    seconds = int(abs(moment - now).total_seconds())
    units = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))
    parts: list[str] = []
    for name, size in units:
        count, seconds = divmod(seconds, size)
        if count or parts:
            parts.append(f"{count} {name}{'s' * (count != 1)}" if count else "")
    said = " ".join(parts[:2]).strip() or "0 seconds"
    return f"in {said}" if moment > now else f"{said} ago"


def plain(moment: datetime) -> str:
    """A moment to the second in universal time, as sentences state it."""
    there = moment.astimezone(UTC)
    return f"{there.day} {there:%b %Y, %H:%M:%S} UTC"


def exact(moment: datetime) -> str:
    """A moment to the microsecond, as receipts state it."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
