"""Judgments in files that organisers bring: every kind as JSON lines; ballots and ratings also as tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from karat.align.ballot_cells import COLUMN_NAMES
from karat.align.columns import Columns, find_column, texts_of
from karat.align.ratings import SKIP
from karat.campaign.events import Item, Stage
from karat.campaign.judging.commands import Brought
from karat.campaign.judging.files import EXAMPLES, Line
from karat.data.criteria import JUSTIFICATIONS
from karat.errors import Problems
from karat.formats.documents import document_of
from karat.formats.rating_table import RATING_COLUMNS
from karat.formats.rows import read_rows
from karat.labels import label_of

Report = Callable[[str, str, int | None], None]
"""Reports what was found, what was expected, and the line."""
NOT_BROUGHT = (
    "anything but judgments of examples, which measure people by the known labels of one campaign: nobody qualifies by "
    "a file; leave these lines out"
)
EXTRA = ("note", "comment", "guidelines", "seconds", "program")
"""Columns that a table need not have."""
A_RUN = "a run of this task that counts"


def reporting(file: str, problems: Problems) -> Report:
    """What reports the problems of a file."""
    return lambda found, what, line: problems.add("ballot", found, file=file, line=line, what=what)


def read(name: str, raw: bytes, runs: Mapping[str, str], problems: Problems) -> list[Brought]:
    """The judgments of a file: lines of all kinds, ballots as `karat agree` reads them, or ratings as `karat justify`
    does. Runs are found by their names.
    """
    document = document_of(name, raw, problems)
    rows = None if document is None else read_rows(document, problems)
    if rows is None or problems.failed(name):
        return []
    report = reporting(name, problems)
    if whole := {"stage", "unit", "assessor"} <= rows.values.keys():
        problems.recognise(name)
    made = _of_lines(rows, runs, report) if whole else _of_table(name, rows, runs, report, problems)
    if not made and not problems.failed(name):
        problems.add("empty-file", "no judgments", file=name, what="a judgment")
    return made


def _of_lines(rows: Columns, runs: Mapping[str, str], report: Report) -> list[Brought]:
    """Judgments of all kinds."""
    made = []
    for place, line in enumerate(rows.lines):
        row = {name: cells[place] for name, cells in rows.values.items() if cells[place] is not None}
        try:
            one = msgspec.convert(row, Line)
        except msgspec.ValidationError as error:
            what = "a line as `karat campaign ballots --file all` writes it"
            report(f"a judgment that cannot be read ({error})", what, line)
            continue
        if one.stage in EXAMPLES:
            report(f"a judgment of an example (stage {one.stage})", NOT_BROUGHT, line)
            continue
        if strange := [run for run in one.runs if run not in runs]:
            report(f"the run {strange[0]!r}", A_RUN, line)
            continue
        if one.seconds is not None and not 0 <= one.seconds < float("inf"):
            report(f"seconds {one.seconds:g}", "a number from 0 on", line)
        made.append(
            Brought(
                line=line,
                account=one.assessor,
                item=Item(one.stage, one.unit, "+".join(runs[run] for run in one.runs), 1 + one.again, one.entry),
                values={name: str(value) for name, value in one.values.items()},
                skipped=one.skipped,
                comment=one.comment,
                guidelines=one.guidelines,
                seconds=one.seconds,
                suggested=one.suggested,
                program=one.program,
            )
        )
    return made


def _of_table(name: str, rows: Columns, runs: Mapping[str, str], report: Report, problems: Problems) -> list[Brought]:
    """Ballots, or ratings of justifications."""
    rated = JUSTIFICATIONS[0].name in rows.values
    names = {role: col.names for role, col in RATING_COLUMNS.items()} if rated else COLUMN_NAMES
    optional = ("reason", "kind", "comment")
    found = {}
    for role, known in names.items():
        option = None if role in optional else "a column of this name"
        column = find_column(rows, role, known, problems, option, needed=role not in optional)
        found[role] = [""] * len(rows.lines) if column is None else texts_of(rows, column)
    if problems.failed(name):
        return []
    extra = {role: _column(rows, role) for role in EXTRA}
    made = []
    for place, line in enumerate(rows.lines):
        row = {role: cells[place] for role, cells in (found | extra).items()}
        if not row["unit"] or not row["assessor"]:
            problems.add("no-id", "a judgment without a unit or an assessor", file=name, line=line)
            continue
        scores = {one.name: _column(rows, one.name)[place] for one in JUSTIFICATIONS} if rated else {}
        if rated and row["run"] not in runs:
            report(f"the run {row['run']!r}", A_RUN, line)
            continue
        made.append(_brought(row, line, scores, runs, report))
    return made


def _column(rows: Columns, name: str) -> Sequence[str]:
    return texts_of(rows, name) if name in rows.values else [""] * len(rows.lines)


def _brought(
    row: Mapping[str, str], line: int | None, scores: Mapping[str, str], runs: Mapping[str, str], report: Report
) -> Brought:
    """One row of a table as a judgment."""
    stage: Stage = "ratings" if scores else "adjudication" if row["reason"] else "labels"
    made = Brought(
        line=line,
        account=row["assessor"],
        item=Item(stage, row["unit"]),
        values={name: said for name, said in scores.items() if said},
        comment=row["comment"],
        guidelines=_number(row["guidelines"], line, report),
        seconds=_seconds(row["seconds"], line, report),
        program=row["program"],
    )
    if not scores:
        words = {"reason": row["reason"].casefold(), "kind": row["kind"], "note": row["note"]}
        meant = label_of(row["label"])
        values = {"label": meant or row["label"]} | {name: said for name, said in words.items() if said}
        return replace(made, values=values)
    made = replace(made, item=Item(stage, row["unit"], runs[row["run"]]))
    if SKIP not in (said.casefold() for said in scores.values()):
        return made
    return replace(made, values={}, skipped=row["comment"] or "no reason was given", comment="")


def _number(text: str, line: int | None, report: Report) -> int:
    if not text:
        return 0
    if not (text.isascii() and text.isdecimal() and len(text) < 7):
        report(f"guidelines {text!r}", "the number of a version, or nothing", line)
        return 0
    return int(text)


def _seconds(text: str, line: int | None, report: Report) -> float | None:
    try:
        seconds = float(text) if text else None
    except ValueError:
        seconds = -1.0
    if seconds is not None and not 0 <= seconds < float("inf"):
        report(f"seconds {text!r}", "a number from 0 on, or nothing", line)
        return None
    return seconds
