"""Excitement runs: `id TAB gold TAB prediction TAB confidence`, no header, any order, any case."""

from __future__ import annotations

from karat.align.columns import Columns, Place
from karat.errors import Problems
from karat.formats.documents import Document, Head
from karat.formats.registry import Fit, run_formats
from karat.formats.rows import report_empty_lines
from karat.labels import Spellings

FIELDS = ("id", "gold", "label", "confidence")


def sniff(head: Head) -> Fit:
    """Certain of four fields with labels in the second and third."""
    fields = head.first_line.split("\t")
    spelled = Spellings()
    return Fit.CERTAIN if len(fields) == 4 and spelled[fields[1]] and spelled[fields[2]] else Fit.NO


@run_formats.register("excitement", sniff=sniff, write=None, what="`id gold prediction confidence`, tab-separated")
def read(document: Document, _: object, problems: Problems) -> Columns | None:
    """Read the four columns; the gold label is compared with the key."""
    lines = document.lines(problems)
    if lines is None:
        return None
    rows: list[list[str]] = []
    numbers: list[int] = []
    report_empty_lines(document.name, lines, problems)
    for number, line in enumerate(lines, 1):
        fields = [field.strip() for field in line.split("\t")]
        if not line.strip():
            continue
        if len(fields) != 4:
            what = "id, gold, prediction and confidence with tabs between"
            problems.add("run-line", f"{len(fields)} fields", file=document.name, line=number, column=1, what=what)
        else:
            rows.append(fields)
            numbers.append(number)

    def place(row: int, what: str) -> Place:
        fields = lines[numbers[row] - 1].split("\t")
        before, field = fields[: FIELDS.index(what)], fields[FIELDS.index(what)]
        blanks = len(field) - len(field.lstrip())
        return numbers[row], sum(len(field) + 1 for field in before) + blanks + 1

    values = {name: [row[at] for row in rows] for at, name in enumerate(FIELDS)}
    return Columns(document.source, values, numbers, at=place)
