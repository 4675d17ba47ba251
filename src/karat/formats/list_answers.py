"""Known answers to list questions as published by TREC: `# ID`, `Q:` and the question, then one answer per line.

Each is a correct answer of the assessor, without a document, in its own group. Empty lines are ignored, and the
question may be on the line of its id, or missing.
"""

from __future__ import annotations

import re

from karat.align.columns import Columns
from karat.data.verdicts import CORRECT
from karat.errors import Problems
from karat.formats.documents import Document, Head
from karat.formats.registry import verdict_formats
from karat.formats.sniffing import Fit

_ID = re.compile(r"#\s*(?P<id>[\w.-]+?)\s*(?:Q:.*)?", re.DOTALL)


def sniff(head: Head) -> Fit:
    """Certain of a number sign and an id with a question on the next line; possible without the question."""
    if not _ID.fullmatch(head.first_line.strip()):
        return Fit.NO
    lines = [line.strip() for line in head.text.split("\n") if line.strip()]
    return Fit.CERTAIN if len(lines) > 1 and lines[1].startswith("Q:") else Fit.POSSIBLE


@verdict_formats.register("list-answers", sniff=sniff, what="known list answers of TREC, 2003 to 2007")
def read(document: Document, _: object, problems: Problems) -> Columns:
    """Read the known answers, each with the line of its question; questions are rows without a verdict."""
    rows: list[tuple[int, str, str, int | None, str]] = []
    heads: list[int] = []
    question: str | None = None
    head = 0
    for number, line in enumerate(document.lines(problems) or [], 1):
        said = " ".join(line.split())
        if not said or said.startswith("Q:"):
            continue
        match = _ID.fullmatch(said)
        if said.startswith("#"):
            question, head = match["id"] if match else "", number
            if match is None:
                what = "the id of a question after #"
                problems.add("run-line", repr(said), file=document.name, line=number, what=what)
        elif question is None:
            what = "`#` and the id of a question before its answers"
            problems.add("run-line", repr(said), file=document.name, line=number, what=what)
        if question:
            rows.append((number, question, said, None if said.startswith("#") else CORRECT, said.casefold()))
            heads.append(head)
    columns = Columns.of_rows(document.source, ("question", "string", "verdict", "group"), rows)
    columns.at = lambda row, name: (heads[row] if name == "question" else columns.lines[row], None)
    return columns
