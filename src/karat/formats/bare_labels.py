"""Labels without a header: one label per line or a JSON list of labels, in the order of the test set, or an id and a
label with a comma between.
"""

from __future__ import annotations

import csv
import json
from dataclasses import replace

from karat.align.columns import Columns, text_of
from karat.data.provenance import Reading
from karat.errors import Problems, counted
from karat.files import unguarded_cell
from karat.formats.documents import Document, Head
from karat.formats.pair_table import LAYOUT, read_layout
from karat.formats.registry import pair_formats, run_formats
from karat.formats.rows import report_empty_lines
from karat.formats.sniffing import Fit
from karat.labels import Spellings

LINES_LOOKED_AT, FEWEST_LINES = 10, 2
LIST, FIELDS = "[", ("id", "label")


def sniff(head: Head) -> Fit:
    """Sure of labels on all of the first lines, and nothing else on them, or of a list that begins with a label."""
    spelled = Spellings()
    if head.json_object:
        return Fit.NO
    if head.first_line.lstrip().startswith(LIST):
        first = head.text.lstrip().removeprefix(LIST).lstrip().partition(",")[0]
        return Fit.SIGNED if first.startswith('"') and spelled[first.strip('"\n ]')] else Fit.NO
    lines = [line for line in head.text.split("\n")[:LINES_LOOKED_AT] if line.strip()]
    if len(lines) >= FEWEST_LINES and all(spelled[line.strip()] for line in lines):
        return Fit.SIGNED
    return Fit.SIGNED if _in_rows(head) else Fit.NO


def _in_rows(head: Head) -> bool:
    """Whether the first two rows have labels in the same fields, after an id; with tabs they are of another format."""
    if head.json_object or head.is_xml or head.is_parquet or head.is_zip or head.delimiter == "\t":
        return False
    spelled = Spellings()
    first, second = (
        [bool(spelled[field.strip().strip('"')]) for field in line.split(head.delimiter)]
        for line in (head.first_line, head.second_line)
    )
    return first == second and any(first) and not first[0]


@run_formats.register(
    "labels", sniff=sniff, what="labels alone, one per line or a JSON list, or `id,label`, without a header"
)
def read(document: Document, _: object, problems: Problems) -> Columns | None:
    """Read the labels; rows are numbered from 0."""
    if document.head.first_line.lstrip().startswith(LIST):
        text = document.text(problems)
        try:
            said = None if text is None else list(map(text_of, json.loads(text)))
        except (ValueError, RecursionError) as error:
            problems.add("json-array", f"invalid JSON ({error})", file=document.name, line=1, column=1)
            return None
        numbers: list[int | None] = [None] * len(said or ())
    elif _in_rows(document.head):
        return _rows(document, problems)
    else:
        lines = document.lines(problems)
        report_empty_lines(document.name, lines or [], problems)
        said = None if lines is None else [line.strip() for line in lines if line.strip()]
        numbers = [number for number, line in enumerate(lines or [], 1) if line.strip()]
    if said is None:
        return None
    values = {"id": list(map(str, range(len(said)))), "label": said}
    return Columns(document.source, values, numbers, {"numbered": True})


@pair_formats.register(
    "labels", sniff=sniff, what="labels alone, one per line or a JSON list, or `id,label`, without a header"
)
def read_key(document: Document, reading: Reading, problems: Problems) -> Columns | None:
    """Read the labels of the key, in the same forms; pairs without ids are numbered from 0."""
    rows = read(document, reading, problems)
    if rows is not None and rows.facts.get("numbered"):
        rows = replace(rows, values={"label": rows.values["label"]})
    return None if rows is None else read_layout(rows, LAYOUT, document, reading, problems)


def _rows(document: Document, problems: Problems) -> Columns | None:
    """Rows of an id and a label; more fields need a header, which says which of them is the answer."""
    lines = document.lines(problems)
    if lines is None:
        return None
    numbers = [number for number, line in enumerate(lines, 1) if line.strip()]
    report_empty_lines(document.name, lines, problems)
    rows = list(csv.reader((line for line in lines if line.strip()), delimiter=document.head.delimiter))
    for number, row in zip(numbers, rows, strict=False):
        if len(row) != len(FIELDS):
            what = "an id and a label; if there is more, a first line with the names of the columns"
            found = counted(len(row), "field")
            problems.add("run-line", found, file=document.name, line=number, column=1, what=what)
    if any(len(row) != len(FIELDS) for row in rows):
        return None
    columns = {name: [unguarded_cell(row[at]).strip() for row in rows] for at, name in enumerate(FIELDS)}
    return Columns(document.source, columns, numbers[: len(rows)])
