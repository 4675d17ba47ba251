"""How the format of a file is recognised by its beginning: each format declares columns, keys or texts that it has."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from enum import IntEnum

from karat.formats.documents import Head


class Fit(IntEnum):
    """How certain it is that a file is of a format."""

    NO = 0
    POSSIBLE = 1
    CERTAIN = 2
    SIGNED = 3
    """Only one program writes such files: they are of its format even if their fields would make a table too."""


XML = r"\A\s*<"
"""How XML begins."""
ARRAY = r"\A\s*\["
"""How a JSON array begins."""
Sniff = Callable[[Head], Fit]
"""How a format recognises its files by their beginning; most declare columns, keys or texts, as below."""


def anything(_: Head) -> Fit:
    """Any file may be of this format, whatever its beginning."""
    return Fit.POSSIBLE


def has_columns(
    *columns: Collection[str], without: Collection[str] = (), fit: Fit = Fit.CERTAIN, parquet: Fit = Fit.NO
) -> Sniff:
    """Recognise tables with all columns, each by any of its names, and none of `without`.

    The columns of Parquet and of workbooks are not known in advance: how well they fit is given.
    """

    def sniff(head: Head) -> Fit:
        if head.is_parquet or head.is_zip:
            return parquet
        return fit if _has(head.fields, columns) and head.fields.isdisjoint(without) else Fit.NO

    return sniff


def has_keys(*keys: Collection[str], fit: Fit = Fit.CERTAIN) -> Sniff:
    """Recognise JSON lines with all keys, each by any of its names."""
    return lambda head: fit if _has(head.json_object, keys) else Fit.NO


def _has(there: Collection[str], wanted: Iterable[Collection[str]]) -> bool:
    return all(any(name in there for name in names) for names in wanted)


def has_texts(*patterns: str, fit: Fit = Fit.CERTAIN) -> Sniff:
    """Recognise files whose beginning contains all of these regular expressions."""
    return lambda head: fit if all(re.search(pattern, head.text) for pattern in patterns) else Fit.NO


def delimited(head: Head) -> Fit:
    """Recognise tables of CSV or TSV; the least certain of several is their certainty."""
    return Fit.SIGNED if head.is_delimited else Fit.NO


def has_first_line(*patterns: re.Pattern[str]) -> Sniff:
    """Recognise files whose first line begins with one of these regular expressions."""
    return lambda head: Fit.CERTAIN if any(one.match(head.first_line) for one in patterns) else Fit.NO


def has_list(*keys: str) -> Sniff:
    """Recognise JSON objects in which one of these keys has a list, or null for an empty one."""

    def sniff(head: Head) -> Fit:
        found = [head.json_object[key] for key in keys if key in head.json_object]
        return Fit.SIGNED if any(isinstance(one, list | None) for one in found) else Fit.NO

    return sniff


def has_first_member(*names: bytes) -> Sniff:
    """Recognise zip files by how the name of their first member begins, which follows a header of 30 bytes."""
    return lambda head: Fit.SIGNED if head.is_zip and head.data[30:].startswith(names) else Fit.NO


def all_of(*sniffs: Sniff) -> Sniff:
    """Recognise files by several things at once; the least certain counts."""
    return lambda head: min(sniff(head) for sniff in sniffs)


def best_of(*sniffs: Sniff) -> Sniff:
    """Recognise files in several ways; the most certain counts."""
    return lambda head: max(sniff(head) for sniff in sniffs)
