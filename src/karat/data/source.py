"""Where data came from: what every signature names."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Source:
    """A file's name and the SHA-256 of its bytes; for data made in memory, of its columns."""

    name: str
    sha256: str

    @classmethod
    def of_bytes(cls, name: str, data: bytes) -> Source:
        """The source of a file as it lies on the disk."""
        return cls(name, hashlib.sha256(data).hexdigest())

    @classmethod
    def of_columns(cls, name: str, *columns: Iterable[object]) -> Source:
        """The source of data that never was a file."""
        digest = hashlib.sha256()
        for column in columns:
            for value in column:
                digest.update(repr(value).encode() + b"\x1f")
            digest.update(b"\x1e")
        return cls(name, digest.hexdigest())


IN_MEMORY = Source("", "")
"""Of data that was never read from anywhere."""
