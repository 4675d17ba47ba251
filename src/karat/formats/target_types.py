"""What targets are: a line `#PERSON Fred Durst` for each series, in the order of the questions file.

So TREC 2004 gave them. A line may also begin with the id of its series, and the number sign may be missing. Names may
be escaped as in XML.
"""

from __future__ import annotations

import re

from karat.align.columns import Columns
from karat.errors import Problems
from karat.formats.documents import Document
from karat.formats.registry import anything, target_formats

_KINDS = "PERSON|ORG(?:ANI[SZ]ATION)?|THING|EVENT"
_LINE = re.compile(rf"(?:(?P<id>\S+)\s+)??#?(?P<kind>{_KINDS})\b\s*(?P<name>.*)", re.IGNORECASE)


@target_formats.register("trec", sniff=anything, write=None, what="lines `#PERSON Fred Durst`, TREC 2004")
def read(document: Document, _: object, problems: Problems) -> Columns:
    """Read the lines, and of each what it says: the id of a series, a kind and a name, where it does."""
    lines = [(number, line.strip()) for number, line in enumerate(document.lines(problems) or [], 1) if line.strip()]
    matches = [_LINE.fullmatch(line) for _, line in lines]
    values = {name: [match and match[name] for match in matches] for name in ("id", "kind", "name")}
    return Columns(document.source, {"line": [line for _, line in lines], **values}, [number for number, _ in lines])
