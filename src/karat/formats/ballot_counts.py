"""Ballots of two assessors as a table in JSON: {"labels": […], "table": [[…], …]}, square or a triangle."""

from __future__ import annotations

import msgspec

from karat.align.columns import Columns
from karat.errors import Problems, UsageError
from karat.formats.documents import Document
from karat.formats.json_objects import check_keys
from karat.formats.registry import ballot_formats
from karat.formats.sniffing import has_texts

MAX_UNITS = 1_000_000
"""A count is short to write, but every unit takes memory."""
WHAT = '{"labels": ["YES", "NO"], "table": [[20, 5], [10, 15]]}, or a triangle: [[20], [15, 15]]'


class Tabled(msgspec.Struct, forbid_unknown_fields=True):
    """The contents of the file; assessors without names are called first and second."""

    labels: list[str]
    table: list[list[int]]
    assessors: tuple[str, str] = ("first", "second")


@ballot_formats.register(
    "counts",
    sniff=has_texts(r"\A\s*\{", r'"table"\s*:\s*\['),
    what="two assessors' table in JSON, square or a triangle",
)
def read(document: Document, _: object, problems: Problems) -> Columns | None:
    """Read the labels; the counts and the names of the assessors are facts."""
    try:
        held = msgspec.json.decode(document.data, type=Tabled)
        problems.recognise(document.name)
        check_keys(document.data.decode())
        if len(set(held.labels)) < len(held.labels) or held.assessors[0] == held.assessors[1]:
            raise UsageError("a label or an assessor is named twice")
        if sum(map(sum, held.table)) > MAX_UNITS:
            raise UsageError(f"more than {MAX_UNITS:,} units")
    except (ValueError, RecursionError, UsageError) as error:  # ValueError: also from msgspec
        problems.add("format", str(error), file=document.name, what=WHAT, fix="correct the table")
        return None
    facts = {"table": held.table, "assessors": held.assessors, "what": WHAT}
    return Columns(document.source, {"label": held.labels}, [None] * len(held.labels), facts)
