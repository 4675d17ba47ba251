"""Question files of TREC 1999 to 2003: `<top>` blocks of `<num>`, `<type>` (2003) and `<desc>`, which are not XML.

Relationship topics (TREC 2005) have the same form without types.
"""

from __future__ import annotations

import re

from karat.align.columns import Columns
from karat.errors import Problems
from karat.formats.documents import Document
from karat.formats.registry import question_formats
from karat.formats.sniffing import has_texts

_TAG = re.compile(r"\s*<(/?)(\w+)>\s*(?:(?:Number|Type|Description)\s*:)?(.*)", re.IGNORECASE)
_CLOSED = re.compile(r"</\w+>\s*$")
_RELATIONSHIP = re.compile(r"(?:^|[.?!] )The analyst\b")
"""The relationship topics of TREC 2005 describe what an analyst wants to know."""
FIELDS = ("num", "type", "desc")
Top = tuple[int, dict[str, list[str]]]
"""The first line of a block, and the lines of each of its fields."""


@question_formats.register(
    "trec-topics",
    sniff=has_texts(r"(?i)<top>\s*<num>"),
    what="TREC question files, 1999 to 2003",
)
def read(document: Document, _: object, problems: Problems) -> Columns:
    """Read single questions; without types they are factoids, unless they are relationship topics."""
    tops: list[Top] = []
    inside, field = False, ""
    for number, line in enumerate(document.lines(problems) or [], 1):
        match = _TAG.match(line)
        name = match[2].lower() if match else ""
        if match and name == "top":
            if inside == (not match[1]):
                message = "a <top> inside another" if inside else "a </top> without its <top>"
                what = "<top> … </top>, one after the other"
                problems.add("element", message, file=document.name, line=number, column=1, what=what)
            inside, field = not match[1], ""
            if inside:
                tops.append((number, {}))
            continue
        if match and name in FIELDS and not match[1]:
            field, line = name, match[3]
        elif match and not _CLOSED.fullmatch(line.strip()):
            field, line = name, match[3]  # a field that is not read, such as <narr>
        if inside and field:
            tops[-1][1].setdefault(field, []).append(_CLOSED.sub("", line))
        elif line.strip() and not match:
            what = "<num>, <type> or <desc> before a text"
            problems.add("element", repr(line.strip()), file=document.name, line=number, column=1, what=what)
    if inside:
        message, what = "a <top> that is not closed", "</top> at its end"
        problems.add("element", message, file=document.name, line=tops[-1][0], column=1, what=what)
    return _columns(document, tops)


def _columns(document: Document, tops: list[Top]) -> Columns:
    """The columns of the blocks; without types, relationship topics are recognised by their text."""
    typed = any("type" in top for _, top in tops)

    def column(name: str) -> list[str]:
        return [" ".join(" ".join(top.get(name, [])).split()) for _, top in tops]

    texts = column("desc")
    types = column("type") if typed else ["relationship" if _RELATIONSHIP.search(one) else "factoid" for one in texts]
    values = {"id": column("num"), "type": types, "question": texts}
    return Columns(document.source, values, [line for line, _ in tops])
