"""Where data came from, as named in every signature."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePath

PROVENANCE = ("source", "sources", "reading", "warnings", "places", "lines")
"""Fields of a noun that say where it came from, not what it contains."""


@dataclass(frozen=True)
class Source:
    """A file's name and the SHA-256 of its bytes; for data made in memory, of its columns."""

    name: str
    sha256: str

    @property
    def bare(self) -> Source:
        """The same without its folder, which is private."""
        return Source(PurePath(self.name).name, self.sha256)

    @property
    def stem(self) -> str:
        """The name without folder and suffix: what a run is called."""
        name = PurePath(self.name).name.removesuffix(".gz")
        return PurePath(name).stem if "." in name.lstrip(".") else name

    @classmethod
    def of_bytes(cls, name: str, data: bytes) -> Source:
        """The source of a file with these bytes."""
        return cls(name, hashlib.sha256(data).hexdigest())

    @classmethod
    def of_columns(cls, name: str, *columns: Iterable[object]) -> Source:
        """The source of data that was never a file."""
        digest = hashlib.sha256()
        for column in columns:
            for value in column:
                digest.update(repr(value).encode() + b"\x1f")
            digest.update(b"\x1e")
        return cls(name, digest.hexdigest())

    @classmethod
    def of_noun(cls, noun: object) -> Source:
        """The source of a noun made in memory: a hash of all its columns."""
        kind = type(noun).__name__.lower()
        fields = getattr(noun, "__dataclass_fields__", ())
        held = [getattr(noun, name) for name in fields if name not in PROVENANCE]
        return cls.of_columns(f"{kind} in memory", *(_values(value) for value in held))


def _values(column: object) -> Iterable[object]:
    """A column as plain values; a noun inside another as the hash of its columns."""
    if hasattr(column, "tolist"):
        return [column.tolist()]
    if hasattr(column, "__dataclass_fields__"):
        return [Source.of_noun(column).sha256]
    return column if isinstance(column, tuple | list) else [column]


IN_MEMORY = Source("", "")
"""The source of data that was not read from a file."""
