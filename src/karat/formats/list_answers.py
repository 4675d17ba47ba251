"""Known answers to list questions as TREC published them: `# ID`, `Q:` and the question, then an answer a line.

Each is the assessor's own correct answer, without document, in a group of its own. Empty lines mean nothing, and the
question may stand in the line of its id, or be missing.
"""

from __future__ import annotations

import re

from karat.align.verdicts import VerdictColumns
from karat.data.questions import Questions
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
def read(document: Document, against: Questions, problems: Problems) -> VerdictColumns:
    """Read the answers that assessors knew."""
    questions: list[str] = []
    strings: list[str] = []
    lines: list[int | None] = []
    question: str | None = None
    for number, line in enumerate(document.lines(problems) or [], 1):
        said = " ".join(line.split())
        if not said or said.startswith("Q:"):
            continue
        if said.startswith("#"):
            match = _ID.fullmatch(said)
            question = match["id"] if match else ""
            if match is None:
                what = "the id of a question after #"
                problems.add("run-line", repr(said), file=document.name, line=number, what=what)
            elif question not in against.index and question not in against.dropped:
                problems.add("unknown-id", f"question {question!r}", file=document.name, line=number)
                question = ""  # told once, not with every answer
        elif question is None:
            what = "`#` and the id of a question before its answers"
            problems.add("run-line", repr(said), file=document.name, line=number, what=what)
        elif question:
            questions.append(question)
            strings.append(said)
            lines.append(number)
    return VerdictColumns(
        file=document.name,
        source=document.source,
        question=questions,
        document=[""] * len(questions),
        string=strings,
        verdict=[CORRECT] * len(questions),
        group=[string.casefold() for string in strings],
        lines=lines,
    )
