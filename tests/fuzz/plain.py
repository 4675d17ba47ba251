"""Plain readers: a few lines each, of Python's own modules, that a file which karat accepts is held against.

A `ValueError` says that nobody should accept the file; `NoOpinion`, that it is nothing for so plain a reader.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from typing import Any
from xml.etree import ElementTree

Row = dict[str, str]
Facts = list[tuple[Any, ...]]
ENTAILS = set("entailment yes true entails entailed e ⊢ △ supports supported consistent faithful attributable".split())
DOES_NOT = set(
    "unknown neutral neither n ◇ contradiction contradicts contradicted contradictory c ⊣ noentailment false"
    " notentailment nonentailment notentailed ▽ no notenoughinfo notenoughinformation notenoughevidence nei"
    " undetermined refutes refuted unsupported notsupported inconsistent unfaithful notfaithful hallucinated"
    " notattributable".split()
)


class NoOpinion(Exception):  # noqa: N818 - it is a reader's right
    """The file is not one that a plain reader knows."""


def text_of(data: bytes) -> str:
    """UTF-8, with or without a mark, unpacked, line breaks of any kind; no other control characters."""
    if data.startswith(b"\x1f\x8b"):
        data = gzip.decompress(data)
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    text = data.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")
    if re.search("[\0\x0b\x0c\x1c-\x1f]", text):
        raise ValueError("control characters")
    return text


def number(text: str) -> float:
    """A decimal number in ASCII."""
    if not re.fullmatch(r"\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*", text):
        raise ValueError(f"no number: {text}")
    return float(text)


def entails(label: str) -> bool | None:
    """Whether a label is entailment; None where there is none."""
    word = re.sub(r"[-_\s]", "", label.casefold()).strip("'\"`‘’“”*(){}[].,:!#$")
    if label.strip().casefold() in ("", "-", "-1", "undef"):
        return None
    if word not in ENTAILS | DOES_NOT:
        raise ValueError(f"no label: {label}")
    return word in ENTAILS


def words(text: str | None) -> str:
    """Blanks made single."""
    return " ".join((text or "").split())


def rows(data: bytes) -> list[Row]:
    """JSON lines, tab-separated or comma-separated rows with a header, every cell as text."""
    if data.startswith(b"PAR1"):
        raise NoOpinion
    lines = [line for line in text_of(data).split("\n") if line.strip()]
    if not lines:
        raise ValueError("nothing in it")
    if _is_object(lines[0]):
        objects = [json.loads(line, object_pairs_hook=once) for line in lines]
        if not all(isinstance(one, dict) for one in objects):
            raise ValueError("no object")
        names = {name for one in objects for name in one}
        return [{name: _cell(one.get(name)) for name in names} for one in objects]
    table = (
        [line.split("\t") for line in lines]
        if "\t" in lines[0]
        else list(csv.reader(io.StringIO("\n".join(lines) + "\n"), strict=True))
    )
    if any(cell.startswith("'") for row in table for cell in row):
        raise NoOpinion  # the formula guard's, or a text's own
    header = [name.strip() for name in table[0]]
    if len(set(header)) < len(header) or any(len(row) != len(header) for row in table):
        raise ValueError("columns")
    return [dict(zip(header, row, strict=True)) for row in table[1:]]


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        if line.lstrip().startswith("{"):
            raise NoOpinion from None  # it may be the name of a column
        return False


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys all differ."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key twice")
    return dict(pairs)


def _cell(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case str() | int():
            return str(value)
        case float():
            return str(int(value)) if value.is_integer() else str(value)
    raise NoOpinion


def columns(data: bytes, *names: str) -> Facts:
    """Some columns of a table, stripped."""
    found = rows(data)
    if any(name not in row for row in found for name in names):
        raise NoOpinion  # another name may stand for it
    return [tuple(row[name].strip() for name in names) for row in found]


def pairs(
    data: bytes, name: str = "id", text: str = "text", hypothesis: str = "hypothesis", label: str = "label"
) -> Facts:
    """The pairs of a table."""
    return [
        (one, words(t), words(h), entails(said)) for one, t, h, said in columns(data, name, text, hypothesis, label)
    ]


def rte(data: bytes) -> Facts:
    """The pairs of RTE's XML."""
    return [
        (one.get("id", "").strip(), *(words(_one(one, tag)) for tag in "th"), entails(one.get("entailment", "")))
        for one in _elements(data, "pair", {"t", "h"})
    ]


def fracas(data: bytes) -> Facts:
    """The problems of FraCaS."""
    return [
        (
            one.get("id", "").strip(),
            words(" ".join(_inside(p) for p in one.findall("p"))),
            words(_one(one, "h")),
            entails(one.get("fracas_answer", "")),
        )
        for one in _elements(data, "problem", {"p", "q", "h", "comment"})
    ]


def series(data: bytes) -> Facts:
    """The questions of TREC's XML."""
    found = [
        (one.get("id", "").strip(), one.get("type", "").strip().upper(), words(_inside(one)))
        for one in _elements(data, "q", {"target", "qa"})
    ]
    if any(kind not in ("FACTOID", "LIST", "OTHER") for _, kind, _ in found):
        raise ValueError("no type")
    return found


def _elements(data: bytes, name: str, known: set[str]) -> list[ElementTree.Element]:
    if data.startswith(b"\x1f\x8b"):
        data = gzip.decompress(data)
    if b"<!ATTLIST" in data or re.search(rb"<\?xml[^>]*[\"']encoding", data):
        raise NoOpinion  # defaults of a DTD; a declaration that karat mends
    root = ElementTree.fromstring(data.lstrip())
    if strange := {one.tag for one in root} - {name} - known:
        raise ValueError(f"unknown elements {strange}")
    return list(root.iter(name))


def _one(element: ElementTree.Element, tag: str) -> str:
    found = element.findall(tag)
    if len(found) != 1:
        raise ValueError(f"{len(found)} <{tag}>")
    return _inside(found[0])


def _inside(element: ElementTree.Element) -> str:
    if len(element):
        raise NoOpinion
    return element.text or ""


def run_lines(data: bytes) -> Facts:
    """Lines `id label [confidence]`, after headers or banners."""
    found = []
    for line in text_of(data).split("\n"):
        if (
            not line.strip()
            or line.startswith(("===", "%%%"))
            or re.match(r"\s*(ranked|ranked-by|type)\s*:", line, re.I)
        ):
            continue
        name, label, *rest = re.split(r"[ \t]+", line.strip(" \t"))
        while rest and re.fullmatch(r"[A-Za-z_-]+[(){}\[\].,:!#$]*", rest[0]):
            label = f"{label} {rest.pop(0)}"
        if len(rest) > 1:
            raise NoOpinion  # a justification
        found.append((name, entails(label), *map(number, rest)))
    return found


def run(data: bytes) -> Facts:
    """Lines `id gold label confidence` with tabs between, or plain ones."""
    fields = [[cell.strip() for cell in line.split("\t")] for line in text_of(data).split("\n") if line.strip()]
    if not fields or len(fields[0]) != 4 or not all(fields[0]):
        return run_lines(data)  # where a field is empty, tabs are blanks between words
    if re.fullmatch(r"[0-9.]+", fields[0][2]):
        raise NoOpinion  # a plain run with justifications
    return [(name, entails(label), number(confidence)) for name, _, label, confidence in fields]


def scores(data: bytes) -> Facts:
    """Runs by units; an empty cell is no score."""
    found = rows(data)
    name, *units = found[0] if found else [""]
    if data.lstrip().startswith(b"{") or any(row[name].strip() == "cluster" for row in found):
        raise NoOpinion
    values = [
        (row[name].strip(), unit, number(row[unit]) if row[unit].strip() else None) for row in found for unit in units
    ]
    if len({run for run, _, _ in values}) * len(units) < len(values):
        raise ValueError("a run twice")
    return values


def weights(data: bytes) -> Facts:
    """An id and a weight a line."""
    found = [line.split() for line in text_of(data).split("\n") if line.strip()]
    return [(name, number(weight)) for name, weight in found]
