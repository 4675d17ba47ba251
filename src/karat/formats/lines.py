"""Tables without a header: a line has the same fields in the same order, and the last is the rest of the line.

A form is declared by the names of its fields, which are those of the columns of a table, so that lines and tables with
the same content are read alike.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

from karat.align.columns import Columns
from karat.errors import Problems
from karat.files import as_number
from karat.formats.documents import Document, Head
from karat.formats.sniffing import Fit, Sniff

SNIFFED = 200
"""The lines by which a form is recognised."""
SHOWN = 60
"""The characters of a line that a problem shows."""
_ID = re.compile(r"(?=[^\d\s]*\d)[\w.-]+")


def _names_document(cell: str) -> bool:
    """NIL, or with a digit, since a word may be the answer, but no number, which may be a verdict or a count."""
    return cell.lower() == "nil" or (any(map(str.isdecimal, cell)) and not cell.removeprefix("-").isdecimal())


FIELDS: dict[str, Callable[[str], object]] = {
    "qid": _ID.fullmatch,
    "Q0": "Q0".__eq__,
    "run": "Q0".__ne__,
    "doc": _names_document,
    "rank": str.isdecimal,
    "score": lambda cell: math.isfinite(as_number(cell)),
    "verdict": re.compile("-1|[1-3]|[WUXRL]").fullmatch,
    "distinct": re.compile("[01]").fullmatch,
    "item": str.isdecimal,
    "nugget": str.isdecimal,
    "answer": lambda _: True,
}
"""Whether a cell looks as described, by which files are recognised; what is wrong with one that does not, its column
says."""
_BLANKS = re.compile(r"[ \t]+")


class Form:
    """The form of a line: its fields by name, `answer` being the rest of the line, which may be empty."""

    def __init__(self, fields: str) -> None:
        """`fields` are their names with blanks between, as descriptions of the format write them."""
        self.fields = fields
        self.names = tuple(fields.split())
        self.has_rest = self.names[-1] == "answer"

    def fits(self, line: str) -> bool:
        """Whether a line looks like this."""
        cells = self.cells(line)
        return cells is not None and all(FIELDS[name](cell) for name, cell in zip(self.names, cells, strict=True))

    def cells(self, line: str) -> list[str] | None:
        """The fields of a line; None if there are too few or too many."""
        cells = _BLANKS.split(line.strip(" \t"), len(self.names) - 1 if self.has_rest else 0)
        if self.has_rest and len(cells) == len(self.names) - 1:
            cells.append("")
        return cells if len(cells) == len(self.names) else None


def has_lines(*forms: Form, fit: Fit = Fit.CERTAIN) -> Sniff:
    """Recognise files of which at least half of the first lines are of one of the forms, and which have no header.

    Half of them will do, so that the others are reported line by line.
    """

    def sniff(head: Head) -> Fit:
        if head.is_parquet or head.is_zip or head.is_xml or not _ID.match(head.first_line.lstrip()):
            return Fit.NO
        lines = list(islice((line for line in head.text.split("\n") if line.strip()), SNIFFED))
        fitting = sum(any(form.fits(line) for form in forms) for line in lines)
        return fit if fitting and 2 * fitting >= len(lines) else Fit.NO

    return sniff


def read_lines(document: Document, forms: Sequence[Form], problems: Problems) -> list[Columns] | None:
    """The lines of each form as columns, by the names of its fields; None if the file is not text.

    A line belongs to the first form that it fits, or else to the one of which it has the fields. Empty lines are
    ignored, and other lines are reported.
    """
    lines = document.lines(problems)
    if lines is None:
        return None
    rows: dict[Form, list[tuple[Any, ...]]] = {form: [] for form in forms}
    what = ", or ".join(f"`{form.fields}`" for form in forms)
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        tried = [form for form in forms if form.fits(line)] or forms
        found = next(((form, cells) for form in tried if (cells := form.cells(line)) is not None), None)
        if found is None:
            problems.add("run-line", repr(line.strip()[:SHOWN]), file=document.name, line=number, column=1, what=what)
        else:
            rows[found[0]].append((number, *found[1]))
    return [Columns.of_rows(document.source, form.names, found) for form, found in rows.items()]
