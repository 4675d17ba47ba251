"""Two assessors' ballots as a table in JSON: {"labels": […], "table": [[…], …]}, square or a triangle."""

from __future__ import annotations

import re

import msgspec

from karat.data.ballots import Ballots, Level, Scale
from karat.data.coincidences import table_ballots
from karat.errors import Problems, UsageError
from karat.formats.documents import Document
from karat.formats.rows import check_keys

MAX_UNITS = 1_000_000
"""A count is cheap to write and dear to unfold."""
WHAT = '{"labels": ["YES", "NO"], "table": [[20, 5], [10, 15]]}, or a triangle: [[20], [15, 15]]'


class Tabled(msgspec.Struct, forbid_unknown_fields=True):
    """What such a file holds; without assessors' names they are the first and the second."""

    labels: list[str]
    table: list[list[int]]
    assessors: tuple[str, str] = ("first", "second")


def is_table(document: Document) -> bool:
    """Whether it is JSON with a `table` in it, on one line or on several."""
    text = document.head.text
    return text.lstrip().startswith("{") and re.search(r'"table"\s*:\s*\[', text) is not None


def parse_table(document: Document, level: Level | None, problems: Problems) -> Ballots | None:
    """The ballots that the table counts; None where it has errors."""
    try:
        held = msgspec.json.decode(document.data, type=Tabled)
        problems.recognise(document.name)
        check_keys(document.data.decode())
        if len(set(held.labels)) < len(held.labels) or held.assessors[0] == held.assessors[1]:
            raise UsageError("a label or an assessor is named twice")
        if sum(map(sum, held.table)) > MAX_UNITS:
            raise UsageError(f"more than {MAX_UNITS:,} units")
        scale = Scale(tuple(held.labels), level or "nominal", said=level is not None)
        return table_ballots(held.table, scale, held.assessors)
    except (ValueError, RecursionError, UsageError) as error:  # ValueError: msgspec's own, too
        problems.add("format", str(error), file=document.name, what=WHAT, fix="correct the table")
        return None
