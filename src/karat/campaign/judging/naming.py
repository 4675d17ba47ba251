"""Names that people and programs make up: ids of judgments, entries of lists, and units that are in no file."""

from __future__ import annotations

import re

from karat.campaign.refusing import refuse
from karat.errors import UsageError

MOST_ID = 100
ENTRY = re.compile(r"[A-Za-z0-9-]{1,40}")
UNIT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
"""Without dots, since `S1.2` is the second question of the series `S1`."""


def check_id(id: str) -> None:
    """Refuse the id of a judgment that cannot be one."""
    if not 1 <= len(id) <= MOST_ID or not id.isascii() or not id.isprintable() or "/" in id:
        what = f"1 to {MOST_ID} printable characters without a slash, as of a UUID"
        raise refuse("ballot", f"the id {id[:MOST_ID]!r}", what=what)


def check_entry_name(name: str) -> None:
    """Refuse an entry of a list that has no proper name."""
    if not ENTRY.fullmatch(name):
        raise refuse("ballot", f"the entry {name[:MOST_ID]!r}", what="1 to 40 letters, digits and dashes")


def check_unit_name(unit: str) -> None:
    """Refuse the name of a unit from which no ids of questions could be made."""
    if not UNIT.fullmatch(unit):
        what = "1 to 40 letters, digits, dashes and underscores, beginning with a letter or digit"
        raise UsageError(f"{unit[:MOST_ID]!r} cannot be the name of a unit: expected {what}")
