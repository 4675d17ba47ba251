"""JSON: the result itself, with twelve digits. NaN is null, and `undefined` says why."""

from __future__ import annotations

from typing import Any

import msgspec

from karat.data.fields import rounded
from karat.data.result import Result


def render(result: Result) -> str:
    """One object, indented, with keys in the order of the dataclass, `study` and `signature` first."""
    plain = _plain(msgspec.to_builtins(result, enc_hook=_of_parent))
    return msgspec.json.format(msgspec.json.encode(plain), indent=2).decode() + "\n"


def _of_parent(value: Any) -> str | float:
    """A finding as a string, a number with its reason as a number."""
    return str(value) if isinstance(value, str) else float(value)


def _plain(value: Any) -> Any:
    """The same objects with numbers rounded, and bytes that are not UTF-8 in file names spelled out."""
    if isinstance(value, float):
        return rounded(value)
    if isinstance(value, str):
        return value if value.isascii() else value.encode(errors="backslashreplace").decode()
    if isinstance(value, dict):
        return {_plain(name): _plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value
