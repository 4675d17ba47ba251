"""Files of ballots: one row per ballot, one column per assessor, a test set with ballots, or a table of counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np

from karat.align.columns import Columns
from karat.align.pairs import make_pairs
from karat.data.ballots import Adjudication, Ballots, Reason, Scale
from karat.data.pairs import Pairs
from karat.data.parameters import checked, parameters
from karat.data.reading import BallotReading, Reading
from karat.errors import Problems
from karat.formats.ballot_cells import Cell, cells_of
from karat.formats.ballot_counts import ballots_of_counts
from karat.formats.ballot_scales import scale_of
from karat.formats.documents import Document, FilePaths, listed, read_document
from karat.formats.reading import parse_columns
from karat.formats.registry import (
    XML,
    anything,
    ballot_formats,
    best_of,
    has_columns,
    has_texts,
    read_columns,
    without_errors,
)
from karat.formats.rows import read_rows


@checked
def read_ballots(paths: FilePaths, key: Pairs | None = None, **options: Any) -> Ballots:
    """Ballots from one file, or from several whose assessors judged the same units.

    Options are those of `BallotReading`. With a key, units and labels are those of the key, else those in the files.
    """
    problems, reading = Problems(), parameters(BallotReading, options)
    documents = [read_document(path, problems) for path in listed(paths)]
    whole = [document for document in documents if document is not None]
    ballots = parse_ballots(whole, key, reading, problems) if whole else None
    return replace(without_errors(ballots, problems), reading=reading, sources=tuple(one.source for one in whole))


def parse_ballots(
    documents: Sequence[Document], key: Pairs | None, reading: BallotReading, problems: Problems
) -> Ballots | None:
    """Ballots from documents; None if they have errors."""
    forms = [ballot_formats.first(one).name for one in documents]
    if len(forms) == 1 and forms[0] in MAKE:
        columns = read_columns(ballot_formats, documents[0], problems, reading=reading)
        return None if columns is None else MAKE[forms[0]](columns, reading, problems)
    for form, one in zip(forms, documents, strict=True):
        if form in MAKE:
            found = "a table of two assessors" if form == "counts" else "a test set with labels of its own"
            what, fix = "rows, where there are several files of ballots", "give it alone, or write it as rows"
            problems.recognise(one.name)
            problems.add("format", found, file=one.name, what=what, fix=fix)
    rest = [one for form, one in zip(forms, documents, strict=True) if form not in MAKE]
    files = [rows for one in rest if (rows := read_rows(one, problems)) is not None]
    if len(files) < len(documents):
        return None
    cells = cells_of(files, reading, problems)
    _check(cells, key, problems)
    cells = [cell for cell in cells if cell.label]
    failed = any(problems.failed(rows.file) for rows in files)
    if not cells and not failed:
        problems.add("empty-file", "no ballots", file=files[0].file, what="a ballot")
    if not cells or failed:
        return None
    scale, codes = scale_of(cells, key, reading, problems)
    if any(problems.failed(rows.file) for rows in files):
        return None
    decided = [cell for cell in cells if cell.reason]
    for name, count in Counter(cell.file for cell in decided).items():
        problems.add("adjudications", f"{count} with a reason", file=name)
    given = [cell for cell in cells if not cell.reason]
    if not given:
        problems.add("empty-file", "adjudications alone", file=files[0].file, what="a ballot")
        return None
    adjudications = tuple(
        Adjudication(cell.unit, cell.assessor, codes[cell.label], cast(Reason, cell.reason), cell.kind)
        for cell in decided
    )
    return replace(_ballots(given, scale, codes, key, reading), adjudications=adjudications)


@ballot_formats.register(
    "key",
    sniff=best_of(has_texts(XML), has_columns(("label_counter", "annotator_labels"))),
    write=None,
    what="a test set with several labels per pair: SNLI, ChaosNLI",
)
def read_key(document: Document, reading: BallotReading, problems: Problems) -> Columns | None:
    """Read a test set in its own format."""
    return parse_columns(document, Reading(label=reading.label), problems)


@ballot_formats.register(
    "rows",
    sniff=anything,
    write=None,
    what="one row per ballot, or one column per assessor: CSV, TSV, JSON lines or Parquet",
)
def read(document: Document, _: object, problems: Problems) -> Columns | None:
    """Read rows; their columns are found when all files are read."""
    return read_rows(document, problems)


def _of_key(columns: Columns, reading: BallotReading, problems: Problems) -> Ballots | None:
    ballots = make_pairs(columns, Reading(label=reading.label), problems).ballots
    if problems.failed(columns.file):
        return None
    if ballots is None:
        what = "several labels a pair, or rows of unit, assessor and label"
        problems.add("empty-file", "a test set without ballots", file=columns.file, what=what)
        return None
    return replace(ballots, scale=ballots.scale.at(reading.level))


MAKE = {"counts": ballots_of_counts, "key": _of_key}
"""Formats whose files cannot be combined with others, and the functions that make ballots of them."""


def _check(cells: Sequence[Cell], key: Pairs | None, problems: Problems) -> None:
    """Each assessor judges a unit once, a unit is adjudicated once, and all units are in the key."""
    seen: dict[tuple[str, str | None], Cell] = {}
    for cell in cells:
        if not cell.unit or not cell.assessor:
            message = f"a ballot of unit {cell.unit!r} without an assessor" if cell.unit else "a ballot on no unit"
            problems.add("no-id", message, file=cell.file, line=cell.line)
        if key is not None and cell.unit not in key.index:
            problems.add("unknown-id", f"unit {cell.unit!r}", file=cell.file, line=cell.line)
        if cell.label:
            first = seen.setdefault((cell.unit, None if cell.reason else cell.assessor), cell)
            if first is not cell:
                where = f" (first in {first.file}" if first.file != cell.file else " (first in"
                where = f"{where} line {first.line})" if first.line else ""
                done = "adjudicated" if cell.reason else "judged"
                found = f"unit {cell.unit!r} {done} again by {cell.assessor!r}{where}"
                problems.add("duplicate-id", found, file=cell.file, line=cell.line)


def _ballots(
    cells: Sequence[Cell], scale: Scale, codes: dict[str, int], key: Pairs | None, reading: BallotReading
) -> Ballots:
    units = key.ids if key is not None else tuple(dict.fromkeys(cell.unit for cell in cells))
    assessors = tuple(dict.fromkeys(cell.assessor for cell in cells))
    unit_place = {name: place for place, name in enumerate(units)}
    assessor_place = {name: place for place, name in enumerate(assessors)}
    return Ballots(
        units=units,
        assessors=assessors,
        scale=scale,
        unit=np.array([unit_place[cell.unit] for cell in cells], dtype=np.int32),
        assessor=np.array([assessor_place[cell.assessor] for cell in cells], dtype=np.int32),
        code=np.array([codes[cell.label] for cell in cells], dtype=np.int32),
        exchangeable=reading.exchangeable,
    )
