"""Which answers to a list question are the same one: their names, and their groups."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

GROUP = "group-"
"""How the names of the fields begin that say which answers are the same one."""


def folded(string: str) -> str:
    """A string whatever its capitals and white space."""
    return " ".join(string.split()).casefold()


def group_name(string: str) -> str:
    """The name of the field for the group of a string."""
    return f"{GROUP}{hashlib.sha256(folded(string).encode()).hexdigest()[:12]}"


def partition(values: Mapping[str, str]) -> frozenset[frozenset[str]]:
    """Fields with the same value stand together, whatever the value is: groups are the same under other numbers."""
    groups: dict[str, set[str]] = {}
    for name, group in values.items():
        if name.startswith(GROUP):
            groups.setdefault(group.strip(), set()).add(name)
    return frozenset(map(frozenset, groups.values()))
