"""RTE XML of every year: `<pair id task length entailment|value>` with `<t>` and `<h>`."""

from __future__ import annotations

import re

from karat.align.columns import Columns
from karat.data.pairs import Pairs
from karat.data.provenance import Reading
from karat.errors import Problems, UsageError
from karat.formats.documents import Document
from karat.formats.registry import pair_formats
from karat.formats.rows import too_sparse
from karat.formats.sniffing import XML, Fit, best_of, has_texts
from karat.formats.xml import Element, of_elements, parse

ROOTS = ("entailment-corpus", "devset", "testset")
LABELS = ("entailment", "value")
"""The attribute with the label: `entailment`, or `value` in RTE-1."""
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


SNIFF = best_of(has_texts(XML, rf"<({'|'.join(ROOTS)})[\s>]"), has_texts(XML, r"<pair\s", fit=Fit.POSSIBLE))
"""Certain of the root elements of RTE files, possible for pairs under another root."""


def write(pairs: Pairs) -> bytes:
    """The pairs in the format of RTE-4."""
    pairs.need_texts("RTE XML")
    from xml.sax.saxutils import escape, quoteattr  # here: it loads urllib, which is not needed for reading

    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<entailment-corpus>"]
    named = {_attribute_name(name): values for name, values in pairs.attributes.items()}
    for place, name in enumerate(pairs.ids):
        attributes = {"id": name}
        if pairs.way and pairs.labels[place] >= 0:
            attributes["entailment"] = pairs.way.labels[pairs.labels[place]].replace("_", " ")
        attributes |= {key: value for key, values in named.items() if (value := values[place]) is not None}
        for content in (*attributes.values(), pairs.texts[place], pairs.hypotheses[place]):
            _check_characters(name, content)
        inside = " ".join(f"{key}={quoteattr(value)}" for key, value in attributes.items())
        lines.append(f"\t<pair {inside}>")
        lines += [f"\t\t<t>{escape(pairs.texts[place])}</t>", f"\t\t<h>{escape(pairs.hypotheses[place])}</h>"]
        lines.append("\t</pair>")
    return "\n".join([*lines, "</entailment-corpus>", ""]).encode()


def _attribute_name(name: str) -> str:
    """The name of a column as a valid XML name that differs from the id and the label."""
    plain = re.sub(r"[^\w.-]", "_", name, flags=re.ASCII)
    return plain if re.match(r"[A-Za-z_]", plain) and plain not in ("id", *LABELS) else f"_{plain}"


def _check_characters(name: str, text: str) -> None:
    if match := _NOT_XML.search(text):
        found = f"pair {name!r} has the character U+{ord(match[0]):04X}"
        raise UsageError(f"{found}, which XML does not allow; write the pairs as .jsonl instead")


@pair_formats.register("rte", sniff=SNIFF, write=write, what="RTE XML, 2005 to 2011")
def read(document: Document, reading: Reading, problems: Problems) -> Columns:
    """Read RTE XML of any year, with or without labels."""
    elements = parse(document, {"pair"}, problems)
    names = dict.fromkeys(key for element in elements for key in element.attributes)
    label = next((name for name in LABELS if name in names), None)
    label = reading.column.get("label", label)
    others = [name for name in names if name not in ("id", label)]
    if too_sparse(document, len(elements), len(others), "different attributes", problems):
        return Columns(document.source, {}, [])
    texts = [_texts(element, document, problems) for element in elements]
    values = {
        "id": [element.attributes.get("id", "").strip() for element in elements],
        "text": [text for text, _ in texts],
        "hypothesis": [hypothesis for _, hypothesis in texts],
        "label": [element.attributes.get(label) if label else None for element in elements],
    }
    attributes = {name: [element.attributes.get(name) for element in elements] for name in others}
    return of_elements(document, elements, values, attributes=attributes)


def _texts(element: Element, document: Document, problems: Problems) -> tuple[str, str]:
    for inner in element.children:
        if inner.name == "pair":
            found = f"pair {inner.attributes.get('id', '')!r} inside another"
            what = "one <pair> after the other"
            problems.add("element", found, file=document.name, line=inner.line, column=inner.column, what=what)
    return _text(element, "t", document, problems), _text(element, "h", document, problems)


def _text(element: Element, child: str, document: Document, problems: Problems) -> str:
    """The text of the only `<t>` or `<h>`; if there is none, or more than one, a problem is reported."""
    texts = [inner for inner in element.children if inner.name == child]
    pair = f"pair {element.attributes.get('id', '')!r}"
    found, at = "", element
    if len(texts) != 1:
        found = f"{pair} with {len(texts) or 'no'} <{child}>"
    elif texts[0].children:
        at = texts[0].children[0]
        found = f"{pair} with <{at.name}> inside <{child}>"
    if found:
        what = f"one <{child}> in every <pair>, with nothing but text in it"
        problems.add("element", found, file=document.name, line=at.line, column=at.column, what=what)
        return "?"  # already reported: not an empty text as well
    return texts[0].text
