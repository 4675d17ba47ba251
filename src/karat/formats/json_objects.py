"""JSON objects with each of their keys once, since readers silently take the last of several values."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import msgspec

from karat.errors import printable

Value = Any
"""A JSON value."""
_decode = msgspec.json.Decoder().decode


def object_in(line: str) -> dict[str, Value]:
    """The JSON object on a line; a `ValueError` says what else is there."""
    try:
        value = _decode(line)
        if not isinstance(value, dict) or not _surely_unique(line, value):
            check_keys(line)
    except (ValueError, RecursionError) as error:  # ValueError: from msgspec, and for huge numbers
        raise ValueError(f"invalid JSON ({error})") from None
    if not isinstance(value, dict):
        raise ValueError(f"JSON that is not an object: {line[:40]!r}")
    return value


def check_keys(text: str) -> None:
    """A `ValueError` if a JSON object has a key twice."""
    json.loads(text, object_pairs_hook=unique_keys)


def _surely_unique(line: str, value: dict[str, Value]) -> bool:
    """A fast check that no key occurs twice: one colon per key, or one object with each quoted key once."""
    if line.count(":") == len(value):
        return True
    return line.count("{") == 1 and "\\" not in line and all(line.count(f'"{key}"') == 1 for key in value)


def unique_keys(pairs: list[tuple[str, Value]]) -> dict[str, Value]:
    """An object of JSON; a `ValueError` if it has a key twice."""
    held = dict(pairs)
    if len(held) < len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise ValueError(f"the key {printable(twice)!r} twice")
    return held
