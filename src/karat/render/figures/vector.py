"""Figures as SVG, in the colours of a page or as separate files, with a description in words."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ElementTree

from matplotlib.figure import Figure

from karat.data.charts import Chart
from karat.errors import spelled_out
from karat.render.figures.alt_text import described
from karat.render.figures.canvas import KIND
from karat.render.figures.palette import LIGHT
from karat.render.figures.slim import slimmed
from karat.render.figures.style import styled

PAPER = LIGHT["paper"]
NAMED = {colour: f"var(--{name})" for name, colour in LIGHT.items()}
COLOUR = re.compile("|".join(NAMED))
REFERENCE = re.compile(r"url\(#([^()]+)\)")
NAMESPACE = "http://www.w3.org/2000/svg"


def element(figure: Figure, chart: Chart, key: str) -> str:
    """An element of a page: text as text, the page's colours, and ids that start with the key."""
    root = _finished(_written(figure, "none", "none"), chart, key)
    for node in root.iter():
        declared = [part.strip() for part in node.get("style", "").split(";") if part.strip()]
        declared = [part for part in declared if not part.startswith("font")]
        if declared:
            node.set("style", COLOUR.sub(lambda found: NAMED[found[0]], "; ".join(declared)))
    return _serialised(root)


def document(figure: Figure, chart: Chart, key: str, signature: str = "") -> str:
    """A file that looks the same everywhere, with text as paths, and the source of its numbers as metadata."""
    root = _finished(_written(figure, "path", PAPER), chart, key)
    if signature:
        root.insert(2, _worded("metadata", spelled_out(signature)))
    return f"{_serialised(root)}\n"


def _written(figure: Figure, letters: str, paper: str) -> ElementTree.Element:
    made = io.StringIO()
    with styled(**{"svg.fonttype": letters}):
        figure.savefig(made, format="svg", facecolor=paper, metadata={"Date": None})
    return ElementTree.fromstring(made.getvalue())


def _finished(root: ElementTree.Element, chart: Chart, key: str) -> ElementTree.Element:
    """The SVG without matplotlib's extras, with classes for what was drawn and a description."""
    for node in root.iter():
        node.tag = node.tag.rpartition("}")[2]
        for name in [name for name in node.attrib if name.endswith("}href")]:
            node.set("href", node.attrib.pop(name))
    _name(root, key)
    for parent in list(root.iter()):  # a style sheet would apply to the whole page
        for child in [child for child in parent if child.tag in ("style", "metadata")]:
            parent.remove(child)
    _, _, width, height = root.attrib["viewBox"].split()
    root.attrib = {
        "xmlns": NAMESPACE,
        "viewBox": f"0 0 {width} {height}",
        "width": width,
        "height": height,
        "role": "img",
        "aria-labelledby": f"{key}-title",
        "aria-describedby": f"{key}-words",
        "class": "chart",
        "style": f"--wide: {width}px; stroke-linejoin: round; stroke-linecap: butt",
    }
    slimmed(root)
    root.insert(0, _worded("title", spelled_out(chart.title), f"{key}-title"))
    root.insert(1, _worded("desc", described(chart), f"{key}-words"))
    return root


def _name(root: ElementTree.Element, key: str) -> None:
    """Keep only ids that are referred to, shortened and prefixed by the key; other names become classes."""
    used = [node.get("href", "")[1:] for node in root.iter()]
    used += [found for node in root.iter() for value in node.attrib.values() for found in REFERENCE.findall(value)]
    ids = {name: f"{key}-{number}" for number, name in enumerate(dict.fromkeys(filter(None, used)))}
    for node in list(root.iter()):
        node.text, node.tail = (node.text if node.tag == "text" else None), None
        name = node.attrib.pop("id", "")
        if "href" in node.attrib:
            node.set("href", f"#{ids[node.attrib['href'][1:]]}")
        for attribute, value in node.attrib.items():
            node.set(attribute, REFERENCE.sub(lambda found: f"url(#{ids[found[1]]})", value))
        if name.startswith(KIND):
            kind, _, title = name.removeprefix(KIND).partition(":")
            node.set("class", kind)
            if title:
                node.insert(0, _worded("title", title))
        elif name in ids:
            node.set("id", ids[name])


def _worded(tag: str, text: str, name: str = "") -> ElementTree.Element:
    made = ElementTree.Element(tag, {"id": name} if name else {})
    made.text = text
    return made


def _serialised(root: ElementTree.Element) -> str:
    return ElementTree.tostring(root, encoding="unicode")
