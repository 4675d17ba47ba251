"""A new key for a test set: read in whatever format, and checked against what teams were given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from karat.align.columns import Columns
from karat.align.pairs import make_pairs
from karat.campaign.checking import FREE_LINES, TestSet, read_test
from karat.campaign.definition import MOST_UNPACKED
from karat.data.pairs import Pairs
from karat.data.provenance import Reading
from karat.errors import KaratError, Problems
from karat.formats.documents import document_of
from karat.formats.pairs import parse_columns
from karat.formats.registry import pair_formats, read_columns, run_formats
from karat.labels import TWO

MOST_LINES = 100
"""The lines of a key for each pair: texts may be broken into lines."""


def new_key(test: TestSet, name: str, raw: bytes, *others: TestSet) -> bytes:
    """The content of a test set with the key in a file: whole pairs, a table of ids and labels, or lines `id LABEL`.

    `others` are the test sets of further tasks on the same file. What teams were given stays the same, byte by byte:
    the file itself is returned if it leads to that, otherwise the old pairs with the new labels.
    """
    tests, problems = (test, *others), Problems()
    columns = _columns(name, raw, len(test.units), problems)
    if columns is not None and not set(columns["id"]).isdisjoint(test.units.ids):
        problems.recognise(name)
    given = None if columns is None else make_pairs(columns, Reading(), problems)
    if columns is not None and given is not None and not problems.failed(name):
        _check(columns, given, tests, problems)
    problems.raise_errors()
    assert given is not None
    pairs = replace(test.units, labels=given.labels[given.places(test.units.ids)], way=given.way)
    for content in _contents(raw, pairs):
        if all(_keeps(one, content, pairs) for one in tests):
            return content
    problems.add("key-text", "pairs that cannot be written again as they were", file=name)
    problems.raise_errors()
    raise AssertionError


def _columns(name: str, raw: bytes, units: int, problems: Problems) -> Columns | None:
    """The ids and labels of a file, with texts if it has them."""
    document = document_of(name, raw, problems, MOST_UNPACKED)
    if document is None:
        return None
    if (lines := document.data.count(b"\n")) > (most := MOST_LINES * units + FREE_LINES):
        problems.recognise(name)
        limit = f"{most:,} for {units:,} pairs"
        problems.add("too-many-lines", f"{lines:,} lines", file=name, limit=limit)
        return None
    if not document.data or document.data.isspace() or pair_formats.fits(document):
        return parse_columns(document, Reading(), problems)
    plain = read_columns(run_formats, document, problems, "plain")
    if plain is None:
        return None
    values = {column: plain[column] for column in ("id", "text", "hypothesis", "label")}
    return Columns(plain.source, values, plain.lines, {"textless": True}, plain.at)


def ids_in(name: str, raw: bytes, units: int) -> set[str]:
    """The ids of the pairs in a file, by which it is known what it is a key of; none if it cannot be read.

    A file for so many units, or fewer, is not longer than that.
    """
    columns = _columns(name, raw, units, Problems())
    return set() if columns is None else set(columns["id"])


def _check(columns: Columns, given: Pairs, tests: Sequence[TestSet], problems: Problems) -> None:
    """Report what is not a key of these test sets."""
    file, units = columns.file, tests[0].units
    for row in np.flatnonzero(units.places(given.ids) < 0).tolist():
        columns.report(problems, "key-unknown", f"pair {given.ids[row]!r}", row, "id")
    for place in np.flatnonzero(given.places(units.ids) < 0).tolist():
        problems.add("key-missing", f"no pair {units.ids[place]!r}", file=file)
    if problems.failed(file):
        return
    if given.has_texts:
        for row, place in enumerate(units.places(given.ids).tolist()):
            before, here = ((one.texts[at], one.hypotheses[at]) for one, at in ((units, place), (given, row)))
            if [part.split() for part in before] != [part.split() for part in here]:
                columns.report(problems, "key-text", f"another text in pair {given.ids[row]!r}", row)
    if given.blind:
        problems.add("key-labels", "no pair with a label", file=file, what="a label for each pair that is scored")
    elif given.way is TWO and (three := [one.task.name for one in tests if one.task.way == 3]):
        what = f"ENTAILMENT, UNKNOWN and CONTRADICTION, since {three[0]!r} is three-way"
        problems.add("key-labels", "a two-way key", file=file, what=what)


def _contents(raw: bytes, pairs: Pairs) -> Iterator[bytes]:
    """What the new test set could be, the first choice first."""
    yield raw
    for name in ("rte", "table"):  # a table keeps what XML does not: odd characters, odd names of attributes
        try:
            yield bytes(pair_formats[name].facts["write"](pairs))
        except KaratError:
            continue


def _keeps(test: TestSet, content: bytes, wanted: Pairs) -> bool:
    """Whether a content has the wanted labels, and gives teams what they have."""
    try:
        found = read_test(test.task, content)
    except KaratError:
        return False
    return found.blind == test.blind and bool(np.array_equal(found.units.labels, wanted.labels))


def rekeyed(old: TestSet, content: bytes, seed: str) -> TestSet:
    """The test set with its new key; refused if nothing could be scored by it any more."""
    made = read_test(old.task, content, seed)
    if (old.scored.labels >= 0).any() and not (made.scored.labels >= 0).any():
        problems, what = Problems(), "a label for some of the pairs that are not on the live board"
        problems.add("key-labels", "labels for pairs on the live board alone", file=old.task.test, what=what)
        problems.raise_errors()
    return made
