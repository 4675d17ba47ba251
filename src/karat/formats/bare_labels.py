"""Answers alone, one label per line or a JSON list of labels: the order of the test set says which pair each is of."""

from __future__ import annotations

import json

from karat.align.columns import Columns, text_of
from karat.errors import Problems
from karat.formats.documents import Document, Head
from karat.formats.registry import run_formats
from karat.formats.rows import report_empty_lines
from karat.formats.sniffing import Fit
from karat.labels import Spellings

LINES_LOOKED_AT, FEWEST_LINES = 10, 2
LIST = "["


def sniff(head: Head) -> Fit:
    """Sure of labels on all of the first lines, and nothing else on them, or of a list that begins with a label."""
    spelled = Spellings()
    if head.first_line.lstrip().startswith(LIST):
        first = head.text.lstrip().removeprefix(LIST).lstrip().partition(",")[0]
        return Fit.SIGNED if first.startswith('"') and spelled[first.strip('"\n ]')] else Fit.NO
    lines = [line for line in head.text.split("\n")[:LINES_LOOKED_AT] if line.strip()]
    return Fit.SIGNED if len(lines) >= FEWEST_LINES and all(spelled[line.strip()] for line in lines) else Fit.NO


@run_formats.register("labels", sniff=sniff, what="labels alone, one per line or a JSON list, in the order of the key")
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
    else:
        lines = document.lines(problems)
        report_empty_lines(document.name, lines or [], problems)
        said = None if lines is None else [line.strip() for line in lines if line.strip()]
        numbers = [number for number, line in enumerate(lines or [], 1) if line.strip()]
    if said is None:
        return None
    values = {"id": list(map(str, range(len(said)))), "label": said}
    return Columns(document.source, values, numbers, {"numbered": True})
