"""JSON: the result itself. NaN is null, and `undefined` says why."""

from __future__ import annotations

import msgspec

from karat.data.result import Result


def render(result: Result) -> str:
    """One object, indented, keys in the order of the dataclass, `study` and `signature` first."""
    return msgspec.json.format(msgspec.json.encode(result), indent=2).decode() + "\n"
