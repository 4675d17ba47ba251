"""Types of targets as in TREC 2004: a line `#PERSON Fred Durst` for each series, in the order of the questions.

A line may also begin with the id of its series, and the number sign may be missing. Names may be escaped as in XML.
"""

from __future__ import annotations

import re

from karat.align.columns import Columns
from karat.errors import Problems
from karat.formats.documents import Document
from karat.formats.registry import target_formats
from karat.formats.sniffing import anything

_KINDS = "PERSON|ORG(?:ANI[SZ]ATION)?|THING|EVENT"
_LINE = re.compile(rf"(?:(?P<id>\S+)\s+)??#?(?P<kind>{_KINDS})\b\s*(?P<name>.*)", re.IGNORECASE)


@target_formats.register("trec", sniff=anything, what="lines `#PERSON Fred Durst`, TREC 2004")
def read(document: Document, _: object, problems: Problems) -> Columns:
    """Read the lines: the id of a series, a kind and a name, if the line has them."""
    lines = [(number, line.strip()) for number, line in enumerate(document.lines(problems) or [], 1) if line.strip()]
    names = ("id", "kind", "name")
    matches = [_LINE.fullmatch(line) for _, line in lines]
    rows = [(*line, *(match and match[name] for name in names)) for line, match in zip(lines, matches, strict=True)]
    return Columns.of_rows(document.source, ("line", *names), rows)
