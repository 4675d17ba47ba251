"""Question series of TREC 2004 to 2007: `<target id text>` with `<qa><q id type>` inside."""

from __future__ import annotations

from karat.align.columns import Columns, seen_before
from karat.errors import Problems
from karat.formats.documents import Document
from karat.formats.registry import question_formats
from karat.formats.sniffing import XML, Fit, best_of, has_texts
from karat.formats.xml import Element, parse

SNIFF = best_of(has_texts(XML, r"<trecqa[\s>]"), has_texts(XML, r"<target\s", r"<q\s", fit=Fit.POSSIBLE))
"""Certain of the root element of TREC files; possible for targets with questions under another root."""


@question_formats.register("trec-series", sniff=SNIFF, what="TREC question series XML, 2004 to 2007")
def read(document: Document, _: object, problems: Problems) -> Columns:
    """Read targets and their questions; a question outside a target is not in a series."""
    elements = parse(document, {"target", "q"}, problems)
    found: list[tuple[Element, str, str]] = []
    met: dict[str, int | None] = {}
    for element in elements:
        if element.name == "q":
            found.append((element, "", ""))
        else:
            series, target = _about(element, document, problems)
            if (first := seen_before(met, series, element.line)) is not None:
                message = f"target {series!r} again{first}"
                problems.add("duplicate-id", message, file=document.name, line=element.line, column=element.column)
            found += [(question, series, target) for question in _questions_in(element, document, problems)]
    if not elements and not problems.failed(document.name):
        what = "<target id text> with <qa><q id type> inside"
        problems.add("element", "no <target> and no <q>", file=document.name, line=1, column=1, what=what)
    rows = []
    for question, series, target in found:
        said = {name.lower(): value.strip() for name, value in question.attributes.items()}
        rows.append((question.line, said.get("id", ""), said.get("type", ""), question.text, series, target))
    return Columns.of_rows(document.source, ("id", "type", "question", "series", "target"), rows)


def _about(element: Element, document: Document, problems: Problems) -> tuple[str, str]:
    """Id and text of a target; the text is an attribute, a `<text>`, or the text of the element."""
    series = element.attributes.get("id", "").strip()
    target = element.attributes.get("text", "").strip() or element.child_text("text") or element.text
    if not series:
        problems.add("no-id", "a <target> without id", file=document.name, line=element.line, column=element.column)
    if not target:
        found = f"no text of target {series!r}"
        problems.add("empty-question", found, file=document.name, line=element.line, column=element.column)
    return series, " ".join(target.split())


def _questions_in(element: Element, document: Document, problems: Problems) -> list[Element]:
    found: list[Element] = []
    waiting = list(reversed(element.children))
    while waiting:
        inner = waiting.pop()
        if inner.name == "target":
            message, what = f"target {inner.attributes.get('id', '')!r} inside another", "one <target> after the other"
            problems.add("element", message, file=document.name, line=inner.line, column=inner.column, what=what)
        elif inner.name == "q":
            found.append(inner)
        else:
            waiting += reversed(inner.children)
    if not found:
        message, what = f"no <q> in target {element.attributes.get('id', '')!r}", "<q id type> in every <target>"
        problems.add("element", message, file=document.name, line=element.line, column=element.column, what=what)
    return found
