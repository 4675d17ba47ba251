"""RTE XML of every year: `<pair id task length entailment|value>` with `<t>` and `<h>`."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

from karat.data.pairs import PairColumns, Pairs
from karat.data.reading import Reading
from karat.errors import Problems
from karat.formats.documents import Document, Head
from karat.formats.registry import Fit, pair_formats
from karat.formats.xml import Element, parse

ROOTS = {"entailment-corpus", "devset", "testset"}
LABELS = ("entailment", "value")
"""The attribute that holds the label: `entailment`, in RTE-1 `value`."""


def sniff(head: Head) -> Fit:
    """Certain of the roots that RTE files have."""
    if not head.is_xml:
        return Fit.NO
    roots = "|".join(ROOTS)
    if re.search(rf"<({roots})[\s>]", head.text):
        return Fit.CERTAIN
    return Fit.POSSIBLE if re.search(r"<pair\s", head.text) else Fit.NO


def write(pairs: Pairs) -> bytes:
    """The pairs as RTE-4 wrote them."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<entailment-corpus>"]
    for place, name in enumerate(pairs.ids):
        attributes = {"id": name}
        if pairs.way and pairs.labels[place] >= 0:
            attributes["entailment"] = pairs.way.labels[pairs.labels[place]].replace("_", " ")
        attributes |= {key: v for key, values in pairs.attributes.items() if (v := values[place]) is not None}
        inside = " ".join(f"{key}={quoteattr(value)}" for key, value in attributes.items())
        lines.append(f"\t<pair {inside}>")
        lines += [f"\t\t<t>{escape(pairs.texts[place])}</t>", f"\t\t<h>{escape(pairs.hypotheses[place])}</h>"]
        lines.append("\t</pair>")
    return "\n".join([*lines, "</entailment-corpus>", ""]).encode()


@pair_formats.register("rte", sniff=sniff, write=write, what="RTE XML, 2005 to 2011")
def read(document: Document, reading: Reading, problems: Problems) -> PairColumns:
    """Read RTE XML of any year, with or without a key."""
    elements = parse(document, {"pair"}, problems)
    columns = PairColumns(document.name, [], [], [], [], [])
    names = dict.fromkeys(key for element in elements for key in element.attributes)
    label = next((name for name in LABELS if name in names), None)
    label = reading.column.get("label", label)
    others = [name for name in names if name not in ("id", label)]
    columns.attributes = {name: [] for name in others}
    for element in elements:
        columns.ids.append(element.attributes.get("id", "").strip())
        columns.texts.append(_text(element, "t", document, problems))
        columns.hypotheses.append(_text(element, "h", document, problems))
        columns.labels.append(element.attributes.get(label) if label else None)
        columns.places.append((element.line, element.column))
        for name in others:
            columns.attributes[name].append(element.attributes.get(name))
    return columns


def _text(element: Element, child: str, document: Document, problems: Problems) -> str:
    """The text of `<t>` or `<h>`; its absence is told here, with the place of the pair."""
    text = element.child_text(child)
    if text is None:
        found = f"a pair {element.attributes.get('id', '')!r} without <{child}>"
        what = f"<{child}> inside <pair>"
        problems.add("element", found, file=document.name, line=element.line, column=element.column, what=what)
        return "?"  # told already: not an empty text as well
    return text
