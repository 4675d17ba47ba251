"""XML as events with places, hostile until proven otherwise.

A DOCTYPE is accepted, since real RTE and TREC files carry one, and nothing it names is loaded. An entity
declaration is refused, so nothing can grow; depth and size are bounded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from xml.parsers import expat

from karat.errors import Problems
from karat.formats.documents import MAX_LINE, Document, place_of, readable_size

MAX_DEPTH = 32
_DECLARATION = re.compile(rb"""<\?xml\s[^>]*?["']encoding""")
_BARE = re.compile(rb"&(?!#[0-9]+;|#x[0-9a-fA-F]+;|[A-Za-z_:][\w:.-]*;)")


@dataclass
class Element:
    """An element that was closed: its name, attributes, text, children and place."""

    name: str
    attributes: dict[str, str]
    line: int
    column: int
    text: str = ""
    children: list[Element] = field(default_factory=list)

    def child_text(self, name: str) -> str | None:
        """The text of the first child of that name, blanks around it taken off; None where there is none."""
        return next((" ".join(child.text.split()) for child in self.children if child.name == name), None)


class _Refused(Exception):  # noqa: N818 - it stops, it is no error
    """Stops the parser; the problem is already told."""


def parse(document: Document, wanted: set[str], problems: Problems) -> list[Element]:
    """The wanted elements (with all that is in them) in file order."""
    name, data = document.name, document.data
    if _DECLARATION.match(data.lstrip(b"\xef\xbb\xbf \t\r\n")[:200]):
        problems.add("xml-declaration", "an XML declaration without that blank", file=name, line=1, column=1)
        data = re.sub(rb"""(["'])encoding""", rb"\1 encoding", data, count=1)
    builder = _Builder(name, wanted, problems)
    try:
        builder.parser.Parse(data, True)
    except _Refused:
        pass
    except expat.ExpatError as error:
        _tell(name, data, error, problems)
    return builder.found


def _tell(name: str, data: bytes, error: expat.ExpatError, problems: Problems) -> None:
    """A syntax error; where bare ampersands are about, every one of them."""
    bare = [place_of(data, match.start()) for match in _BARE.finditer(data)]
    for line, column in bare:
        problems.add("bare-ampersand", "a bare &", file=name, line=line, column=column)
    if not bare:
        found = expat.errors.messages[error.code]
        problems.add("xml", found, file=name, line=error.lineno, column=error.offset + 1)


class _Builder:
    """Handlers that build the wanted elements and refuse what is not harmless."""

    def __init__(self, name: str, wanted: set[str], problems: Problems) -> None:
        self.name, self.wanted, self.problems = name, wanted, problems
        self.found: list[Element] = []
        self.stack: list[Element | None] = []
        self.size = 0
        self.parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.characters
        parser.EntityDeclHandler = self.entity
        parser.SkippedEntityHandler = self.skipped
        parser.ExternalEntityRefHandler = self.external

    def refuse(self, code: str, found: str, **facts: str) -> None:
        line, column = self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1
        self.problems.add(code, found, file=self.name, line=line, column=column, **facts)
        raise _Refused

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self.stack) >= MAX_DEPTH:
            self.refuse("xml-too-deep", f"<{name}> at depth {len(self.stack) + 1}", limit=str(MAX_DEPTH))
        outer = self.stack[-1] if self.stack else None
        element = None
        if outer is not None or name in self.wanted:
            element = Element(name, attributes, self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1)
            self.size = self.size if outer else 0
            (outer.children if outer else self.found).append(element)
        self.stack.append(element)

    def end(self, _: str) -> None:
        self.stack.pop()

    def characters(self, text: str) -> None:
        self.size += len(text)
        if self.stack and (element := self.stack[-1]) is not None:
            if self.size > MAX_LINE:
                limit = f"{readable_size(MAX_LINE)} characters an element"
                self.refuse("too-large", f"<{element.name}> with more text than that", limit=limit)
            element.text += text

    def entity(self, name: str, *_: object) -> None:
        self.refuse("entity", f"a declaration of the entity {name!r}")

    def skipped(self, name: str, is_parameter: bool) -> None:
        if not is_parameter:
            self.refuse("undefined-entity", f"&{name};")

    def external(self, *_: object) -> int:
        self.refuse("entity", "a reference to an external entity")
        return 0
