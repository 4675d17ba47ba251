"""Ratings of justifications on declared criteria: one row per rated justification."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any

from karat.align.columns import Columns, find_column, texts_of
from karat.align.justifications import RatedRows
from karat.align.ratings import check_names, check_skips
from karat.data.criteria import declared
from karat.data.parameters import takes
from karat.data.provenance import RatingReading
from karat.data.ratings import Ratings
from karat.errors import SIMILARITY, Problems
from karat.formats.documents import Document, FilePath, FilePaths, listed, read_document
from karat.formats.rating_table import RATING_COLUMNS, ROLE_NAMES
from karat.formats.registry import justification_formats, read_columns, without_errors
from karat.formats.rows import read_rows
from karat.formats.sniffing import anything


@takes(RatingReading)
def read_justifications(paths: FilePaths, reading: RatingReading) -> Ratings:
    """Ratings on declared criteria, from one file or several.

    Columns that are not criteria are ignored. Without a column of assessors, they are exchangeable, which is reported;
    without a column of runs, a file is one run with its name.
    """
    problems = Problems()
    documents = [read_document(path, problems) for path in listed(paths)]
    return parse_justifications(documents, reading, problems)


def parse_justifications(documents: Sequence[Document | None], reading: RatingReading, problems: Problems) -> Ratings:
    """Ratings from documents; a `DataError` if they have errors."""
    rows = RatedRows(reading, problems)
    for document in documents:
        columns = None if document is None else read_columns(justification_formats, document, problems, reading=reading)
        if columns is not None:
            rows.add(columns)
    made = rows.ratings()
    if not len(made):
        problems.add("empty-file", "no ratings", file=rows.files[0].file, what="at least one rated justification")
        problems.raise_errors()
    check_skips(made, problems)
    check_names(made, problems)
    return without_errors(made, problems)


@justification_formats.register("table", sniff=anything, what="run, unit, assessor, and one column per criterion")
def read(document: Document, reading: RatingReading, problems: Problems) -> Columns | None:
    """Read the columns named by --rating-column, or else by common names; run and assessor are optional."""
    rows = read_rows(document, problems)
    if rows is None:
        return None
    scales = [scale.name for scale in declared(reading.criterion)]
    found = {role: _column(rows, role, role == "unit", reading, problems) for role in RATING_COLUMNS}
    if reading.exchangeable:
        found["assessor"] = None
    criteria = [_column(rows, name, True, reading, problems) for name in scales]
    if found["unit"] is None or None in criteria:
        return None
    values: dict[str, Any] = {role: texts_of(rows, name) for role, name in found.items() if name is not None}
    values["cells"] = list(zip(*(texts_of(rows, name) for name in criteria if name is not None), strict=True))
    return Columns(rows.source, values, rows.lines)


def _column(rows: Columns, role: str, required: bool, reading: RatingReading, problems: Problems) -> str | None:
    said = reading.rating_column.get(role)
    names = (said,) if said else RATING_COLUMNS[role].names if role in RATING_COLUMNS else (role,)
    required = required or said is not None
    found = find_column(rows, role, names, problems, "--rating-column" if required else None)
    if found is None and not required and not (role == "assessor" and reading.exchangeable):
        _report_near(rows, role, reading, problems)
    return found


def _report_near(rows: Columns, role: str, reading: RatingReading, problems: Problems) -> None:
    """Report a name similar to that of an optional column, which may be misspelled."""
    known = {*ROLE_NAMES, *(scale.name for scale in declared(reading.criterion)), *reading.rating_column.values()}
    for name in rows.values:
        near = difflib.get_close_matches(name.casefold(), RATING_COLUMNS[role].names, n=1, cutoff=SIMILARITY)
        if name not in known and near:
            found, what = f"a column {name!r}", f"a column {near[0]}, which it may be meant for"
            problems.add(
                "no-column", found, file=rows.file, line=1, what=what, role=f"{role}=", option="--rating-column"
            )


def holds_ratings(path: FilePath, reading: RatingReading) -> bool:
    """Whether a file has the columns of ratings: the units and the first criterion."""
    problems = Problems()
    document = read_document(path, problems)
    rows = None if document is None else read_rows(document, problems)
    if rows is None:
        return False
    wanted = {"unit": RATING_COLUMNS["unit"].names, (name := declared(reading.criterion)[0].name): (name,)}
    said = reading.rating_column
    return all(any(one in rows.values for one in (said.get(role, ""), *names)) for role, names in wanted.items())
