"""Ballots out of rows: long (one row per ballot) or wide (one column per assessor), from one file or several."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import NamedTuple, get_args

from karat.align.columns import Columns, find_column, texts_of
from karat.data.ballots import Reason
from karat.data.provenance import BallotReading
from karat.errors import Problems, counted

REASONS = get_args(Reason)
COLUMN_NAMES = {
    "unit": (
        *("unit", "id", "pair", "pair_id", "item", "orig_id", "pairID", "pair_ID", "uid", "idx", "item_id", "qid"),
        *("question_id", "example_id", "unit_id", "Unit", "ID", "Id"),
    ),
    "assessor": ("assessor", "annotator", "judge", "rater", "worker", "!amt_worker_ids"),
    "label": ("label", "judgment", "rating", "value", "response"),
    "reason": ("reason",),
    "kind": ("kind",),
    "comment": ("comment", "note", "remark", "explanation"),
}
"""The usual names of each column."""
OPTIONAL = ("reason", "kind", "comment")
"""Optional columns; rows with a reason are adjudications."""

PROGRAM = "program"
"""The column of those who are programs, as a campaign writes it."""
RUN = "run"
"""The column of the runs whose answers are judged."""
ROW = "row"
"""With `unit=row`, rows are the units, unless a column has this name."""


class BallotCell(NamedTuple):
    """One ballot of a file; without a label it was not cast, and with a reason it is an adjudication."""

    file: str
    line: int | None
    unit: str
    assessor: str
    label: str
    reason: str = ""
    kind: str = ""
    program: str = ""
    """The program that cast it; empty for people."""
    comment: str = ""


@dataclass(frozen=True)
class BallotFile:
    """The rows of a file: the unit of each, and one assessor and label per row (long) or several (wide)."""

    rows: Columns
    units: Sequence[str]
    said: Sequence[tuple[Sequence[str], Sequence[str]]]
    reasons: Sequence[tuple[str, str]] = ()
    """Reason and kind of each row, if the file has them."""
    programs: Sequence[str] = ()
    """The program that cast the ballot of each row, if the file has a column for that."""
    comments: Sequence[str] = ()
    """What was said about each row."""

    def cells(self, stray: set[int]) -> Iterator[BallotCell]:
        """The ballots, row by row; those of stray rows are empty."""
        for row, (line, unit) in enumerate(zip(self.rows.lines, self.units, strict=True)):
            why = self.reasons[row] if self.reasons and row not in stray else ()
            for assessors, labels in self.said:
                label, program = "" if row in stray else labels[row], self.programs[row] if self.programs else ""
                cell = BallotCell(self.rows.file, line, unit, assessors[row], label, *why)
                comment = self.comments[row] if self.comments else ""
                yield cell._replace(program=program, comment=comment) if program or comment else cell


def cells_of(
    files: Sequence[Columns], reading: BallotReading, problems: Problems
) -> tuple[list[BallotCell], dict[str, dict[str, str | None]]]:
    """The ballots of all files, in order, and the attributes of their units by name; empty if there are errors."""
    sheets = _wide(files, reading, problems) if reading.assessor else _long(files, reading, problems)
    strays = _strays(sheets, reading.same, problems)
    if any(problems.failed(rows.file) for rows in files):
        return [], {}
    cells = [cell for sheet, stray in zip(sheets, strays, strict=True) for cell in sheet.cells(stray)]
    cells = _leading(cells, reading.leading, problems) if reading.leading else cells
    return cells, _attributes(sheets, {*COLUMN_NAMES["assessor"], *COLUMN_NAMES["label"], *reading.assessor})


def _attributes(sheets: Sequence[BallotFile], roles: set[str]) -> dict[str, dict[str, str | None]]:
    """The other columns that have one value in all rows of a unit, and so say something about the unit."""
    found: dict[str, dict[str, str | None]] = {}
    varying = set(roles)
    for sheet in sheets:
        for name in sheet.rows.values:
            values = {} if name in varying else found.setdefault(name, {})
            for unit, text in zip(sheet.units, () if name in varying else texts_of(sheet.rows, name), strict=False):
                if values.setdefault(unit, text or None) != (text or None):
                    varying.add(name)
                    break
    return {name: values for name, values in found.items() if name not in varying}


def _leading(cells: Sequence[BallotCell], labels: Sequence[str], problems: Problems) -> list[BallotCell]:
    """Replace texts by the labels with which they begin; texts without one are reported and are not ballots."""
    find, made = leading_label(labels), []
    for cell in cells:
        label = find(cell.label)
        if cell.label and not label:
            found = f"{cell.label[:60]!r} of unit {cell.unit!r} by {cell.assessor!r}"
            what = f"a text that begins with {' or '.join(labels)}"
            problems.add("no-label", found, file=cell.file, line=cell.line, what=what)
        made.append(cell._replace(label=label))
    return made


def _long(files: Sequence[Columns], reading: BallotReading, problems: Problems) -> list[BallotFile]:
    sheets = []
    judges = _judges_of_folders(files)
    for rows in files:
        columns: dict[str, list[str]] = {}
        for role, names in COLUMN_NAMES.items():
            # If assessors are exchangeable, or each has a file, they need not be named.
            each = len(files) > 1 and "assessor" not in reading.ballot_column
            unnamed = role == "assessor" and (reading.exchangeable or each)
            option = None if unnamed else "--ballot-column"
            name = find_column(rows, role, names, problems, option, reading.ballot_column, role not in OPTIONAL)
            if name is not None:
                columns[role] = texts_of(rows, name)
        if not problems.failed(rows.file):
            unit, label = columns["unit"], columns["label"]
            reasons = _reasons(columns, "reason" in reading.ballot_column)
            _check_reasons(rows, label, reasons, problems)
            cast = ["" if reason else one for one, (reason, _) in zip(label, reasons, strict=True)]
            assessor = columns.get("assessor")
            if assessor is None:
                judge = judges.get(rows.file, rows.source.stem)
                assessor = _slots(unit, cast) if reading.exchangeable else [judge] * len(unit)
            programs = texts_of(rows, PROGRAM) if PROGRAM in rows.values else ()
            comments = columns.get("comment", ())
            sheets.append(BallotFile(rows, unit, [(assessor, label)], reasons, programs, comments))
    return sheets


def _judges_of_folders(files: Sequence[Columns]) -> dict[str, str]:
    """Files of a folder that are about different runs are those of one assessor, who is called like the folder."""
    folders: dict[PurePath, list[Columns]] = {}
    for rows in files:
        folders.setdefault(PurePath(rows.file).parent, []).append(rows)
    judges: dict[str, str] = {}
    for folder, inside in folders.items():
        runs = [run for rows in inside for run in set(texts_of(rows, RUN) if RUN in rows.values else [""])]
        if folder.name and len(inside) > 1 and "" not in runs and len(set(runs)) == len(runs):
            judges |= {rows.file: folder.name for rows in inside}
    return judges


def _reasons(columns: dict[str, list[str]], named: bool) -> list[tuple[str, str]]:
    """Reason and kind of each row. A column called `reason` without valid reasons contains remarks."""
    nothing = [""] * len(columns["unit"])
    reasons = [reason.casefold() for reason in columns.get("reason", nothing)]
    if not named and not set(REASONS) & set(reasons):
        return list(zip(nothing, nothing, strict=True))
    return list(zip(reasons, columns.get("kind", nothing), strict=True))


def _check_reasons(
    rows: Columns, labels: Sequence[str], reasons: Sequence[tuple[str, str]], problems: Problems
) -> None:
    """A reason must be known and have a label; a kind must have a reason."""
    fix = "correct it, or name the column of reasons: --ballot-column reason=NAME"
    for row, (label, (reason, kind)) in enumerate(zip(labels, reasons, strict=True)):
        if reason and reason not in REASONS:
            found, what = f"reason {reason[:60]!r}", f"{' or '.join(REASONS)}, or nothing if it is a ballot"
        elif reason and not label:
            found, what = f"reason {reason!r} without a label", "the label that was decided on"
        elif kind and not reason:
            found, what = f"kind {kind[:60]!r} without a reason", f"a reason, {' or '.join(REASONS)}, with it"
        else:
            continue
        rows.report(problems, "format", found, row, what=what, fix=fix)


def _slots(units: Sequence[str], labels: Sequence[str]) -> list[str]:
    """Number the ballots of each unit, in place of assessors."""
    met: Counter[str] = Counter()
    slots = []
    for unit, label in zip(units, labels, strict=True):
        met[unit] += bool(label)
        slots.append(f"slot {met[unit]}")
    return slots


def _wide(files: Sequence[Columns], reading: BallotReading, problems: Problems) -> list[BallotFile]:
    """One row per unit: files are joined by their column of units, or by row if none has one."""
    _report_absent(files, reading.assessor, problems)
    names = _unit_names(files, reading)
    if not names and len(files) > 1 and reading.ballot_column.get("unit") != ROW:
        what = "a column of units, by which several files are joined"
        fix = f"name it: --ballot-column unit=NAME; or use unit={ROW}, if all have the same units in the same order"
        for rows in files:
            problems.add("format", f"columns {', '.join(rows.values)}", file=rows.file, line=1, what=what, fix=fix)
        return []
    sheets: list[BallotFile] = []
    for rows in files:
        size = len(rows)
        if names:
            named = find_column(rows, "unit", names, problems, "--ballot-column")
            units = [""] * size if named is None else texts_of(rows, named)
            _report_repeated(rows, units, problems)
        else:
            units = [str(row) for row in range(1, size + 1)]
        said = [([name] * size, texts_of(rows, name)) for name in reading.assessor if name in rows.values]
        if not names and sheets and size != len(sheets[0].units) and not problems.failed(rows.file):
            what = f"{len(sheets[0].units)} as in {sheets[0].rows.file}, since rows are the units"
            fix = "name a column of units: --ballot-column unit=NAME"
            problems.add("format", f"{size} rows", file=rows.file, what=what, fix=fix)
        if not problems.failed(rows.file):
            sheets.append(BallotFile(rows, units, said))
    return sheets


def _unit_names(files: Sequence[Columns], reading: BallotReading) -> list[str]:
    """Possible names of the column of units, those in all files first; empty if rows are the units."""
    said = reading.ballot_column.get("unit")
    names = [name for name in COLUMN_NAMES["unit"] if name not in reading.assessor] if said is None else [said]
    if said in (None, ROW) and not any(name in rows.values for name in names for rows in files):
        return []
    return sorted(names, key=lambda name: not all(name in rows.values for rows in files))


def _report_repeated(rows: Columns, units: Sequence[str], problems: Problems) -> None:
    """A unit with several rows cannot be joined with other files."""
    first: dict[str, int | None] = {}
    for row, (unit, line) in enumerate(zip(units, rows.lines, strict=True)):
        if unit and unit in first:
            where = f" (first on line {first[unit]})" if first[unit] else ""
            rows.report(problems, "duplicate-unit", f"unit {unit!r} again{where}", row)
        first.setdefault(unit, line)


def _report_absent(files: Sequence[Columns], assessors: Sequence[str], problems: Problems) -> None:
    """Every assessor must be a column of a file, and every file must have one of them."""
    fix = "name a column that is there: --assessor NAME"
    lacking = [name for name in assessors if not any(name in rows.values for rows in files)]
    for rows in files:
        has = f"columns {', '.join(rows.values) or 'none'}"
        absent = rows.values.keys().isdisjoint(assessors)
        if not absent:
            problems.recognise(rows.file)
        if lacking or absent:
            what = " and ".join(f"a column {name}" for name in lacking) or f"a column {' or '.join(assessors)}"
            problems.add("format", has, file=rows.file, line=1, what=what, fix=fix)


def _strays(sheets: Sequence[BallotFile], same: Sequence[str], problems: Problems) -> list[set[int]]:
    """The rows of each file that disagree with an earlier file about their unit."""
    for column in same:
        there = [sheet for sheet in sheets if column in sheet.rows.values]
        if len(there) < 2 and sheets:
            has = f"{counted(len(there), 'file')} with a column {column}"
            what = "at least two, since it is compared between files"
            fix = "leave --same out, or name a column that several files have"
            problems.add("format", has, file=sheets[0].rows.file, line=1, what=what, fix=fix)
    known: dict[tuple[str, str], tuple[str, str]] = {}
    strays = []
    for sheet in sheets:
        stray = set()
        for column in same:
            rows = sheet.rows
            for row, text in enumerate(texts_of(rows, column) if column in rows.values else []):
                unit, line = sheet.units[row], rows.lines[row]
                place = rows.file if line is None else f"{rows.file}:{line}"
                first, where = known.setdefault((column, unit), (text, place))
                if _letters(text) != _letters(first):
                    stray.add(row)
                    found, what = f"{text!r} as {column} of unit {unit!r}", f"{first!r} as in {where}"
                    rows.report(problems, "other-unit", found, row, what=what)
        strays.append(stray)
    return strays


def _letters(text: str) -> str:
    """Only letters and digits, since files quote differently."""
    return re.sub(r"\W", "", text).casefold()


def leading_label(labels: Sequence[str]) -> Callable[[str], str]:
    """A function that finds the label at the beginning of a text, as a whole word, ignoring case and punctuation."""
    spelled = {label.casefold(): label for label in labels}
    words = "|".join(re.escape(label) for label in sorted(labels, key=len, reverse=True))
    begins = re.compile(rf"\W*?({words})(?!\w|\.\d)", re.IGNORECASE)

    def find(text: str) -> str:
        found = begins.match(text)
        return "" if found is None else spelled[found[1].casefold()]

    return find
