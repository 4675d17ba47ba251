"""Known answers to list questions as TREC published them: `# ID`, `Q:` and the question, then an answer a line.

Each is the assessor's own correct answer, without document, in a group of its own. Empty lines mean nothing, and the
question may stand in the line of its id, or be missing.
"""

from __future__ import annotations

import re

from karat.align.columns import Columns, Place
from karat.data.verdicts import CORRECT
from karat.errors import Problems
from karat.formats.documents import Document, Head
from karat.formats.registry import Fit, verdict_formats

_ID = re.compile(r"#\s*(?P<id>[\w.-]+?)\s*(?:Q:.*)?", re.DOTALL)


def sniff(head: Head) -> Fit:
    """Certain of an id after a number sign and a question in the next line; possible without the question."""
    if not _ID.fullmatch(head.first_line.strip()):
        return Fit.NO
    lines = [line.strip() for line in head.text.split("\n") if line.strip()]
    return Fit.CERTAIN if len(lines) > 1 and lines[1].startswith("Q:") else Fit.POSSIBLE


@verdict_formats.register("list-answers", sniff=sniff, write=None, what="known list answers of TREC, 2003 to 2007")
def read(document: Document, _: object, problems: Problems) -> Columns:
    """Read the answers that assessors knew, each with the line of its question; and the questions without a verdict."""
    rows: list[tuple[str, str, int | None]] = []
    lines: list[int | None] = []
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
            rows.append((question, said, None if said.startswith("#") else CORRECT))
            lines.append(number)
            heads.append(head)
    values = {
        "question": [question for question, _, _ in rows],
        "string": [string for _, string, _ in rows],
        "verdict": [verdict for _, _, verdict in rows],
        "group": [string.casefold() for _, string, _ in rows],
    }

    def place(row: int, name: str) -> Place:
        return heads[row] if name == "question" else lines[row], None

    return Columns(document.source, values, lines, at=place)
