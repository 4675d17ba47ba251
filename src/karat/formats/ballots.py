"""Ballots files: long (a row a ballot), wide (a column an assessor), a key's own labels, two assessors' table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from typing import Any, cast

import numpy as np

from karat.data.arguments import checked
from karat.data.ballots import Adjudication, Ballots, Reason, Scale
from karat.data.pairs import Pairs
from karat.data.parameters import parameters
from karat.data.reading import BallotReading, Reading
from karat.errors import Problems
from karat.formats.ballot_cells import Cell, cells_of
from karat.formats.ballot_scales import scale_of
from karat.formats.ballot_tables import is_table, parse_table
from karat.formats.documents import Document, FilePaths, read_document
from karat.formats.reading import parse_pairs
from karat.formats.rows import read_rows


@checked
def read_ballots(paths: FilePaths, key: Pairs | None = None, **options: Any) -> Ballots:
    """Ballots from a file, or from several whose assessors judged the same units; options are `BallotReading`'s.

    With a key they have its units and its labels, else those that are found.
    """
    problems, reading = Problems(), parameters(BallotReading, options)
    named = [paths] if isinstance(paths, str | PathLike) else list(paths)
    documents = [read_document(path, problems) for path in named]
    whole = [document for document in documents if document is not None]
    ballots = parse_ballots(whole, key, reading, problems) if whole else None
    problems.raise_errors()
    assert ballots is not None
    return replace(ballots, reading=reading, sources=tuple(one.source for one in whole), warnings=problems.warnings)


def parse_ballots(
    documents: Sequence[Document], key: Pairs | None, reading: BallotReading, problems: Problems
) -> Ballots | None:
    """Ballots from documents at hand; None where they have errors."""
    special = [one for one in documents if is_table(one) or _is_key(one)]
    if special and len(documents) == 1:
        return (
            _from_table(special[0], reading, problems)
            if is_table(special[0])
            else _from_key(special[0], reading, problems)
        )
    for one in special:
        found = "a table of two assessors" if is_table(one) else "a test set with labels of its own"
        fix = "give it alone, or write it as rows"
        problems.recognise(one.name)
        problems.add("format", found, file=one.name, what="rows, where there are several files of ballots", fix=fix)
    read = [(one.name, read_rows(one, problems)) for one in documents if one not in special]
    files = [(name, rows) for name, rows in read if rows is not None]
    if len(files) < len(documents):
        return None
    cells = cells_of(files, reading, problems)
    _check(cells, key, problems)
    cells = [cell for cell in cells if cell.label]
    failed = any(problems.failed(name) for name, _ in files)
    if not cells and not failed:
        problems.add("empty-file", "no ballots", file=files[0][0], what="a ballot")
    if not cells or failed:
        return None
    scale, codes = scale_of(cells, key, reading, problems)
    if any(problems.failed(name) for name, _ in files):
        return None
    decided = [cell for cell in cells if cell.reason]
    for name, count in Counter(cell.file for cell in decided).items():
        problems.add("adjudications", f"{count} with a reason", file=name)
    given = [cell for cell in cells if not cell.reason]
    if not given:
        problems.add("empty-file", "adjudications alone", file=files[0][0], what="a ballot")
        return None
    ballots = _ballots(given, scale, codes, key, reading)
    return replace(ballots, adjudications=_adjudications(decided, codes))


def _adjudications(cells: Sequence[Cell], codes: dict[str, int]) -> tuple[Adjudication, ...]:
    return tuple(
        Adjudication(cell.unit, cell.assessor, codes[cell.label], cast(Reason, cell.reason), cell.kind)
        for cell in cells
    )


def _is_key(document: Document) -> bool:
    return document.head.is_xml or bool({"label_counter", "annotator_labels"} & document.head.fields)


def _from_key(document: Document, reading: BallotReading, problems: Problems) -> Ballots | None:
    pairs = parse_pairs(document, Reading(label=reading.label), problems)
    if pairs is not None and pairs.ballots is None:
        what = "several labels a pair, or rows of unit, assessor and label"
        problems.add("empty-file", "a test set without ballots", file=document.name, what=what)
    if pairs is None or pairs.ballots is None:
        return None
    return replace(pairs.ballots, scale=pairs.ballots.scale.at(reading.level))


def _from_table(document: Document, reading: BallotReading, problems: Problems) -> Ballots | None:
    ballots = parse_table(document, reading.level, problems)
    return replace(ballots, exchangeable=True) if ballots and reading.exchangeable else ballots


def _check(cells: Sequence[Cell], key: Pairs | None, problems: Problems) -> None:
    """Each assessor judges a unit once, a unit is adjudicated once, and units are the key's."""
    seen: dict[tuple[str, str | None], Cell] = {}
    for cell in cells:
        if not cell.unit or not cell.assessor:
            told = f"a ballot of unit {cell.unit!r} without an assessor" if cell.unit else "a ballot on no unit"
            problems.add("no-id", told, file=cell.file, line=cell.line)
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
