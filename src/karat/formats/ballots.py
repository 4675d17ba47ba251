"""Files of ballots: one row per ballot, one column per assessor, a test set with ballots, or a table of counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from karat.align.ballot_cells import COLUMN_NAMES, REASONS
from karat.align.ballots import ballots_of_counts, ballots_of_key, ballots_of_rows
from karat.align.columns import Columns, find_column, texts_of
from karat.data.ballots import Ballots
from karat.data.pairs import Pairs
from karat.data.parameters import takes
from karat.data.provenance import BallotReading, Reading
from karat.errors import Problems
from karat.formats.documents import Document, FilePaths, read_documents
from karat.formats.pairs import parse_columns
from karat.formats.registry import ballot_formats, read_columns, without_errors
from karat.formats.rows import read_rows
from karat.formats.sniffing import XML, anything, best_of, has_columns, has_texts
from karat.formats.writing import CONTROL, write_rows

HISTORY = ("unit", "assessor", "label", "reason", "kind", "note", "comment")
"""The columns of ballots and decisions together: who said what, who decided, and why."""


def table(columns: Sequence[str], rows: Sequence[Sequence[str | None]], suffix: str = ".tsv") -> bytes:
    """Rows as a file that readers of tables take, whatever people wrote."""
    # A remark can contain what no reader of tables takes, such as the line break that a word processor copies.
    cells = [[value and CONTROL.sub(" ", value) for value in row] for row in rows]
    return write_rows({name: [row[place] for row in cells] for place, name in enumerate(columns)}, suffix)


@takes(BallotReading)
def read_ballots(paths: FilePaths, reading: BallotReading, key: Pairs | None = None) -> Ballots:
    """Ballots from one file, or from several, or a folder of them, whose assessors judged the same units.

    Of several files, one without a column of assessors is that of one assessor, who is called like the file; files of
    a folder that judge different runs are those of one, called like the folder. With a key, units and labels are those
    of the key, else those in the files.
    """
    problems = Problems()
    whole = list(read_documents(paths, problems))
    ballots = parse_ballots(whole, key, reading, problems) if whole else None
    return replace(without_errors(ballots, problems), reading=reading, sources=tuple(one.source for one in whole))


@takes(BallotReading)
def check_decisions(paths: FilePaths, reading: BallotReading) -> None:
    """Raise an error if a decision lacks its label, or a known reason: it would be one more ballot."""
    problems = Problems()
    for document in read_documents(paths, problems):
        rows = read_rows(document, problems)
        if rows is None:
            continue
        named = reading.ballot_column
        found = {
            role: find_column(rows, role, COLUMN_NAMES[role], problems, "--ballot-column", named)
            for role in ("label", "reason")
        }
        if None in found.values():
            continue
        labels, reasons = (texts_of(rows, name or "") for name in found.values())
        for row, (label, reason) in enumerate(zip(labels, reasons, strict=True)):
            what, fix = (
                f"both or neither: a label, and why ({' or '.join(REASONS)})",
                "fill in the other, or empty both",
            )
            if bool(label) != bool(reason):
                said = f"a decision with {'a label' if label else 'a reason'} alone"
                rows.report(problems, "format", said, row, what=what, fix=fix)
            elif reason and reason.casefold() not in REASONS:
                said, what = f"reason {reason[:60]!r} of a decision", f"{' or '.join(REASONS)} in the column of reasons"
                fix = "put what happened in the column kind, or what you want to say in the column comment"
                rows.report(problems, "format", said, row, what=what, fix=fix)
    problems.raise_errors()


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
    files = [rows for one in rest if (rows := read_columns(ballot_formats, one, problems, reading=reading)) is not None]
    if len(files) < len(documents):
        return None
    return ballots_of_rows(files, key, reading, problems)


@ballot_formats.register(
    "key",
    sniff=best_of(has_texts(XML), has_columns(("label_counter", "annotator_labels"))),
    what="a test set with several labels per pair: SNLI, ChaosNLI",
)
def read_key(document: Document, reading: BallotReading, problems: Problems) -> Columns | None:
    """Read a test set in its own format."""
    return parse_columns(document, Reading(label=reading.label), problems)


@ballot_formats.register(
    "rows",
    sniff=anything,
    what="one row per ballot, or one column per assessor: CSV, TSV, JSON lines or Parquet",
)
def read(document: Document, reading: BallotReading, problems: Problems) -> Columns | None:
    """Read rows; their columns are found when all files are read."""
    rows = read_rows(document, problems)
    if rows is not None:
        join_units(rows, reading)
    return rows


def join_units(rows: Columns, reading: BallotReading) -> None:
    """Several columns may name a unit: `run+qid`."""
    unit = reading.ballot_column.get("unit", "")
    if unit not in rows.values and all(part in rows.values for part in unit.split("+")):
        cells = zip(*(texts_of(rows, part) for part in unit.split("+")), strict=True)
        rows.values[unit] = [" ".join(row) for row in cells]


MAKE = {"counts": ballots_of_counts, "key": ballots_of_key}
"""Formats whose files cannot be combined with others, and the functions that make ballots of them."""
