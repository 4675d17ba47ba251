"""FraCaS XML: `<problem id fracas_answer>` with one to five premises, a question and a hypothesis."""

from __future__ import annotations

from karat.align.columns import Columns
from karat.data.provenance import ROLES
from karat.errors import Problems
from karat.formats.documents import Document
from karat.formats.registry import pair_formats
from karat.formats.sniffing import has_texts
from karat.formats.xml import Element, of_elements, parse
from karat.labels import CONTRADICTION


@pair_formats.register("fracas", sniff=has_texts("<fracas-problems"), what="FraCaS XML; sections become attributes")
def read(document: Document, _: object, problems: Problems) -> Columns:
    """Read FraCaS: premises are joined into one text, `undef` is not a label, and sections become attributes."""
    rows: list[dict[str, str | None]] = []
    found: list[Element] = []
    kept = ("section", "subsection", "subsubsection", "premises", "question", "fracas_nonstandard")
    sections: dict[str, str | None] = dict.fromkeys(kept[:3])
    for element in parse(document, {"problem", "comment"}, problems):
        if element.name == "comment":
            level = element.attributes.get("class", "")
            if level in sections:
                sections[level] = element.text
                # A new section ends the subsections of the previous one.
                for lower in kept[kept.index(level) + 1 : 3]:
                    sections[lower] = None
            continue
        premises = [child.text for child in element.children if child.name == "p"]
        _check_once(element, document, problems)
        answer = element.attributes.get("fracas_answer")
        found.append(element)
        row = {
            "id": element.attributes.get("id", "").strip(),
            "text": " ".join(premises),
            "hypothesis": element.child_text("h") or "",
            # FraCaS always has three answers, even in an excerpt without "unknown".
            "label": CONTRADICTION if answer == "no" else answer,
            **sections,
            "premises": str(len(premises)),
            "question": element.child_text("q"),
            "fracas_nonstandard": element.attributes.get("fracas_nonstandard"),
        }
        rows.append(row)
    values = {name: [row[name] for row in rows] for name in ROLES}
    attributes = {name: [row[name] for row in rows] for name in kept}
    return of_elements(document, found, values, attributes=attributes)


def _check_once(element: Element, document: Document, problems: Problems) -> None:
    """A problem must have one hypothesis and one question: a second would be ignored."""
    met: set[str] = set()
    for child in element.children:
        if child.name in ("h", "q") and child.name in met:
            found = f"a second <{child.name}> in problem {element.attributes.get('id', '')!r}"
            what = f"one <{child.name}> in a <problem>"
            problems.add("element", found, file=document.name, line=child.line, column=child.column, what=what)
        met.add(child.name)
