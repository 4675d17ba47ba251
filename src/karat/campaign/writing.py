"""A campaign as its file."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import msgspec

from karat.campaign.dates import MomentError, local, moment_of
from karat.campaign.definition import Definition


def written(definition: Definition) -> str:
    """The definition as a campaign file, with local times; reading it gives the same definition."""
    lines = [f"{name} = {_toml(value)}" for name, value in _plain(definition, definition.clock)]
    lines += ["", "[dates]", *(f"{k} = {_toml(v)}" for k, v in _plain(definition.dates, definition.clock))]
    for task in definition.tasks:
        lines += ["", "[[tasks]]", *(f"{k} = {_toml(v)}" for k, v in _plain(task, definition.clock))]
    lines += ["", "[judging]", *(f"{k} = {_toml(v)}" for k, v in _plain(definition.judging, definition.clock))]
    return "\n".join(lines) + "\n"


def _plain(struct: msgspec.Struct, zone: ZoneInfo) -> Iterator[tuple[str, object]]:
    """The values of a struct that differ from their defaults or have none."""
    for field in msgspec.structs.fields(struct):
        value = getattr(struct, field.name)
        if (
            isinstance(value, msgspec.Struct)
            or field.name == "tasks"
            or (not field.required and value == field.default)
        ):
            continue
        yield field.name, _local(value, zone) if isinstance(value, datetime) else value


def _local(moment: datetime, zone: ZoneInfo) -> datetime:
    """A moment without an offset, unless the local time comes twice."""
    there = local(moment, zone)
    try:
        bare = there.replace(tzinfo=None, fold=0)
        return bare if moment_of(bare, zone) == moment.astimezone(UTC) else there
    except MomentError:
        return there


def _toml(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    # Strings, numbers, booleans and lists are written alike, but for one character that TOML wants escaped.
    return msgspec.json.encode(value).decode().replace("\x7f", "\\u007f")
