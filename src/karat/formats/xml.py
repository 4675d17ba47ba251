"""XML as elements with places, treated as hostile.

A DOCTYPE is accepted, since real RTE and TREC files have one, but nothing it names is loaded. Entity declarations are
refused, so nothing can be expanded; depth, texts, attributes and the number of elements are limited.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from karat.align.columns import Columns
from karat.errors import Problems
from karat.formats.documents import MAX_LINE, UTF_16, Document, place_of

MAX_DEPTH = 32
MAX_ELEMENTS = 1 << 22
"""More than a million pairs; an element in memory takes a hundred times its shortest spelling."""
CHARACTERS_PER_ELEMENT = 64
"""What an element inside another counts towards the size of the outer one."""
MAX_ATTRIBUTES = 1000
"""Attributes of one element."""
MAX_GROWTH = 8
"""How many times its size a file may grow by default attributes of its DTD."""

_DECLARATION = re.compile(rb"""\s*(<\?xml\s[^>]{0,200}\?>)""")
_GLUED = re.compile(rb"""(["'])encoding""")
_REFERENCE = rb"#[0-9]+|#x[0-9a-fA-F]+|[A-Za-z_:][\w:.-]*"
_BARE = re.compile(rb"&(?!(?:" + _REFERENCE + rb");)")
_NAMED = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos);)[A-Za-z_:][\w:.-]*;")
_UNPARSED = re.compile(rb"<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)", re.DOTALL)


@dataclass(slots=True)
class Element:
    """An element: its name, attributes, text, children and place."""

    name: str
    attributes: dict[str, str]
    line: int
    column: int
    pieces: list[str] = field(default_factory=list)
    children: list[Element] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The stripped text; line breaks with their indentation become single blanks."""
        lines = (line.strip() for line in "".join(self.pieces).split("\n"))
        return " ".join(line for line in lines if line)

    def child_text(self, name: str) -> str | None:
        """The text of the first child of that name; None if there is none."""
        return next((child.text for child in self.children if child.name == name), None)


@dataclass(frozen=True, slots=True)
class _Outer:
    """An element that is not wanted, with the number of found and of stray elements when it began."""

    name: str
    line: int
    column: int
    found: int
    strays: int


class _Refused(Exception):  # noqa: N818 - it only stops the parser
    """Stops the parser after the problem has been reported."""


def parse(document: Document, wanted: set[str], problems: Problems) -> list[Element]:
    """The wanted elements, with their contents, in file order."""
    name = document.name
    data = _declared_well(name, document.data, problems)
    builder = _Builder(name, wanted, MAX_GROWTH * len(data) + MAX_LINE, problems)
    try:
        builder.parser.Parse(data, True)
    except _Refused:
        pass
    except (LookupError, ValueError) as error:  # an unknown encoding, or a multi-byte one
        problems.add("xml", f"an encoding that cannot be read ({error})", file=name, line=1, column=1)
    except expat.ExpatError as error:
        _report(name, data, error, builder.parser.ErrorByteIndex, problems)
    else:
        # With a DTD the parser silently skips unknown entities in attributes.
        if builder.doctype:
            _report_each(name, data, _NAMED, problems)
        what = f"{' or '.join(f'<{one}>' for one in sorted(wanted))}, in the same upper and lower case"
        for stray in builder.strays if builder.found else ():
            problems.add("element", f"<{stray.name}>", file=name, line=stray.line, column=stray.column, what=what)
    return builder.found


def _declared_well(name: str, data: bytes, problems: Problems) -> bytes:
    """The bytes with a corrected XML declaration; line numbers do not change."""
    match = _DECLARATION.match(data)
    if not match:
        return data
    if match.start(1):
        found, what = "blanks before the XML declaration", "the declaration at the very beginning"
        problems.add("xml-declaration", found, file=name, line=1, column=1, what=what)
        data = match[1] + data[: match.start(1)] + data[match.end(1) :]
    if _GLUED.search(match[1]):
        found, what = "version and encoding run together", "a blank before `encoding` in the XML declaration"
        problems.add("xml-declaration", found, file=name, line=1, column=1, what=what)
        data = _GLUED.sub(rb"\1 encoding", data, count=1)
    return data


def _report(name: str, data: bytes, error: expat.ExpatError, offset: int, problems: Problems) -> None:
    """Report a syntax error; if it is an ampersand, report all such ampersands."""
    message = expat.errors.messages[error.code]
    if message == expat.errors.XML_ERROR_UNDEFINED_ENTITY and _report_each(name, data, _NAMED, problems):
        return
    if message == expat.errors.XML_ERROR_INVALID_TOKEN:
        if _is_bare(data, offset) and _report_each(name, data, _BARE, problems):
            return
        if data[offset : offset + 1] >= b"\x80":
            line, column = place_of(data, offset)
            found = f"byte 0x{data[offset]:02x} that is not UTF-8, in a file that declares no other encoding"
            problems.add("encoding", found, file=name, line=line, column=column, encoding="LATIN1")
            return
    problems.add("xml", message, file=name, line=error.lineno, column=error.offset + 1)


def _is_bare(data: bytes, offset: int) -> bool:
    """Whether the parser stopped at a bare ampersand, or at the name after it."""
    start = data.rfind(b"&", 0, offset + 1)
    bare = _BARE.match(data, start) if start >= 0 else None
    return bare is not None and re.fullmatch(rb"#?[\w:.-]*", data[bare.end() : offset]) is not None


def _report_each(name: str, data: bytes, pattern: re.Pattern[bytes], problems: Problems) -> bool:
    """Report every match outside comments and CDATA; returns whether there was any."""
    if data.startswith(UTF_16):
        return False
    data = _UNPARSED.sub(lambda match: re.sub(rb"[^\n]", b" ", match[0]), data)
    line, column, walked = 1, 1, 0
    for match in pattern.finditer(data):
        between = data[walked : match.start()]
        if breaks := between.count(b"\n"):
            line, column, between = line + breaks, 1, between[between.rindex(b"\n") + 1 :]
        column, walked = column + len(between.decode("utf-8", errors="replace")), match.start()
        code, found = (
            ("bare-ampersand", "a bare &")
            if pattern is _BARE
            else ("undefined-entity", f"the entity {match[0].decode()}")
        )
        problems.add(code, found, file=name, line=line, column=column)
    return walked > 0


class _Builder:
    """Handlers that build the wanted elements and refuse anything dangerous."""

    def __init__(self, name: str, wanted: set[str], limit: int, problems: Problems) -> None:
        self.name, self.wanted, self.limit, self.problems = name, wanted, limit, problems
        self.found: list[Element] = []
        self.stack: list[Element | None] = []
        self.outer: list[_Outer] = []
        self.strays: list[_Outer] = []
        self.size = self.total = self.elements = 0
        self.prefixes = {"xml", "xmlns"}
        self.doctype = False
        self.parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self.start_doctype
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

    def start_doctype(self, *_: object) -> None:
        self.doctype = True

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self.stack) >= MAX_DEPTH:
            self.refuse("xml-too-deep", f"<{name}> at depth {len(self.stack) + 1}", limit=str(MAX_DEPTH))
        if len(attributes) > MAX_ATTRIBUTES:
            limit = f"{MAX_ATTRIBUTES} attributes per element"
            self.refuse("too-large", f"<{name}> with {len(attributes):,} attributes", limit=limit)
        self.check_names(name, attributes)
        outer = self.stack[-1] if self.stack else None
        element = None
        if outer is not None or name in self.wanted:
            element = self.element(name, attributes, inside=outer is not None)
            if outer is not None:
                outer.children.append(element)
        self.stack.append(element)
        if element is None:
            place = self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1
            self.outer.append(_Outer(name, *place, len(self.found), len(self.strays)))

    def check_names(self, name: str, attributes: dict[str, str]) -> None:
        """Refuse wanted elements nested in each other, and undeclared prefixes."""
        if name in self.wanted and any(one is not None and one.name == name for one in self.stack):
            self.refuse("element", f"<{name}> inside <{name}>", what=f"</{name}> before the next one begins")
        self.prefixes |= {one.partition(":")[2] for one in attributes if one.startswith("xmlns:")}
        for one in (name, *attributes):
            prefix, colon, _ = one.partition(":")
            if colon and prefix not in self.prefixes:
                self.refuse("xml", f"the prefix {prefix!r} of {one!r}, which is not declared")

    def element(self, name: str, attributes: dict[str, str], inside: bool) -> Element:
        self.elements += 1
        if self.elements > MAX_ELEMENTS:
            self.refuse("too-large", "more elements than that", limit=f"{MAX_ELEMENTS:,} elements")
        size = sum(map(len, attributes.values()))
        self.total += size
        self.size = self.size + size + CHARACTERS_PER_ELEMENT if inside else size
        element = Element(name, attributes, self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1)
        self.bound(element)
        return element

    def bound(self, element: Element) -> None:
        if self.size > MAX_LINE or self.total > self.limit:
            limit = f"{MAX_LINE:,} characters per element, and {self.limit:,} in all"
            found = f"<{element.name}> with {self.size:,} characters, {self.total:,} in all"
            self.refuse("too-large", found, limit=limit)

    def end(self, _: str) -> None:
        element = self.stack.pop()
        if element is None:
            closed = self.outer.pop()
            if self.outer and closed.found == len(self.found):  # it contains nothing wanted and is not the root
                self.strays[closed.strays :] = [closed]
        # Only closed elements are found: if the parser stops, the current element is not checked.
        if element is not None and (not self.stack or self.stack[-1] is None):
            self.found.append(element)

    def characters(self, text: str) -> None:
        if self.stack and (element := self.stack[-1]) is not None:
            self.size += len(text)
            self.total += len(text)
            self.bound(element)
            element.pieces.append(text)

    def entity(self, name: str, *_: object) -> None:
        self.refuse("entity", f"a declaration of the entity {name!r}")

    def skipped(self, name: str, is_parameter: bool) -> None:
        self.refuse("undefined-entity", f"the entity {'%' if is_parameter else '&'}{name};")

    def external(self, *_: object) -> int:
        self.refuse("entity", "a reference to an external entity")
        return 0


def of_elements(document: Document, elements: Sequence[Element], values: dict[str, Any], **facts: object) -> Columns:
    """Columns with one row per element, and its place."""
    places = [(element.line, element.column) for element in elements]
    return Columns(document.source, values, [line for line, _ in places], facts, lambda row, _: places[row])
