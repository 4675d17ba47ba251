"""TREC's judgments of relevance (qrels): `topic 0 document grade`, one file per assessor, who is called by it."""

from __future__ import annotations

import re

from karat.align.columns import Columns
from karat.errors import Problems
from karat.formats.documents import Document, Head
from karat.formats.registry import ballot_formats
from karat.formats.rows import report_empty_lines
from karat.formats.sniffing import Fit

LINE = re.compile(r"\s*(\S+)\s+(?:0|Q0)\s+(\S+)\s+(-?\d+)\s*")


def sniff(head: Head) -> Fit:
    """Certain if the first line has four fields, the second of which is 0; what is wrong below it is told by line."""
    return Fit.CERTAIN if LINE.fullmatch(head.first_line) else Fit.NO


def read_grades(document: Document, problems: Problems) -> list[tuple[int, str, str, str]] | None:
    """Line, topic, document and grade of every judgment; lines of another form are reported."""
    lines = document.lines(problems)
    if lines is None:
        return None
    problems.recognise(document.name)
    report_empty_lines(document.name, lines, problems)
    rows = []
    for number, line in enumerate(lines, 1):
        if found := LINE.fullmatch(line):
            rows.append((number, found[1], found[2], found[3]))
        elif line.strip():
            what = "`topic 0 document grade`, the grade an integer"
            problems.add("run-line", f"{line.strip()[:60]!r}", file=document.name, line=number, column=1, what=what)
    return rows


@ballot_formats.register("qrels", sniff=sniff, what="TREC qrels, `topic 0 document grade`, one file per assessor")
def read(document: Document, _: object, problems: Problems) -> Columns | None:
    """One ballot per line; the unit is the topic with the document."""
    rows = read_grades(document, problems)
    if rows is None:
        return None
    made = [(number, f"{topic} {doc}", document.source.stem, grade, topic) for number, topic, doc, grade in rows]
    return Columns.of_rows(document.source, ("unit", "assessor", "label", "topic"), made)
