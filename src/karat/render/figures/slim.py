"""Removes what is superfluous in matplotlib's SVG: six decimals, groups of one, one shape per colour."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from itertools import groupby

Element = ElementTree.Element
LONG_NUMBER = re.compile(r"-?(?<!\d)\d+\.\d{3,}")
LEVEL = re.compile(r"rotate\(-?0 [^)]*\)")
SHIFT = re.compile(r"translate\((-?[\d.]+) (-?[\d.]+)\)")
SPACES = re.compile(r"\s+")
N = r"(-?[\d.]+)"
RECTANGLE = re.compile(rf"M {N} {N} L {N} \2 L \3 {N} L \1 \4( L \1 \2)? z")
PLACED = ("d", "x", "y", "transform")
"""The attributes that contain coordinates, of which only two decimals are visible."""


def slimmed(root: Element) -> None:
    """Make the same picture smaller."""
    _shorten(root)
    _share(root)
    _unwrap(root)
    _gather(root)


def rounded(written: str) -> str:
    """Coordinates with at most two decimals; the factors of a scale keep theirs, because they apply to whole words."""
    if "scale(" in written:
        return re.sub(r"(translate|rotate)\([^()]*\)", lambda found: rounded(found[0]), written)
    return LONG_NUMBER.sub(lambda found: f"{float(found[0]):z.2f}".rstrip("0").rstrip("."), written)


def _shorten(root: Element) -> None:
    for node in root.iter():
        for name in PLACED:
            if name in node.attrib:
                places = SPACES.sub(" ", rounded(node.attrib[name])).strip()
                node.set(name, RECTANGLE.sub(r"M \1 \2 H \3 V \4 H \1 z", places))
        turn = node.get("transform", "")
        if LEVEL.fullmatch(turn):
            del node.attrib["transform"]
        elif node.tag == "use" and (shift := SHIFT.fullmatch(turn)):  # a letter of a word
            del node.attrib["transform"]
            for name, value in zip("xy", shift.groups(), strict=True):
                if value != "0":
                    node.set(name, value)


def _share(root: Element) -> None:
    """Define each shape once, whatever its colours, which move to its uses, or to their group if all agree."""
    shapes = {node.attrib["id"]: node for node in root.iter("path") if "id" in node.attrib}
    styles = {name: _declared(node.attrib.pop("style", "")) for name, node in shapes.items()}
    first: dict[tuple[str, str], str] = {}
    same = {
        name: first.setdefault((node.get("d", ""), node.get("transform", "")), name) for name, node in shapes.items()
    }
    for group in root.iter():
        uses = [child for child in group if child.tag == "use"]
        for use in uses:
            name = use.attrib["href"][1:]
            use.set("href", f"#{same[name]}")
            # The style of a shape takes precedence over the style of its use.
            use.set("style", _written({**_declared(use.get("style", "")), **styles[name]}))
        looks = {use.attrib["style"] for use in uses}
        if len(looks) == 1 and group.tag == "g":
            inherited = _written({**_declared(group.get("style", "")), **_declared(looks.pop())})
            for use in uses:
                del use.attrib["style"]
            if inherited:
                group.set("style", inherited)
    for parent in list(root.iter()):
        for child in [child for child in parent if same.get(child.get("id", ""), child.get("id")) != child.get("id")]:
            parent.remove(child)


def _declared(style: str) -> dict[str, str]:
    parts = (part.partition(":") for part in style.split(";") if part.strip())
    return {name.strip(): value.strip() for name, _, value in parts}


def _written(declared: dict[str, str]) -> str:
    return "; ".join(f"{name}: {value}" for name, value in declared.items())


def _unwrap(parent: Element) -> None:
    """Replace groups without attributes by their content, and groups of one element by that element."""
    made: list[Element] = []
    for child in list(parent):
        _unwrap(child)
        if child.tag in ("g", "defs") and not len(child):
            continue
        if child.tag == "path" and set(child.attrib) == {"d", "style"} and child.attrib["style"] == "fill: none":
            continue  # the background of something without one
        if child.tag == "g" and not child.attrib:
            made += child
        elif child.tag == "g" and len(child) == 1 and not set(child.attrib) & set(child[0].attrib) - {"x", "y"}:
            child[0].attrib |= child.attrib
            made.append(child[0])
        else:
            made.append(child)
    parent[:] = made


def _gather(root: Element) -> None:
    """Group consecutive texts of the same style and class."""
    made: list[Element] = []
    for (style, kind), found in groupby(root, key=_look):
        alike = list(found)
        if style and len(alike) > 2:
            group = ElementTree.Element("g", {"style": style, **({"class": kind} if kind else {})})
            for node in alike:
                node.attrib = {name: value for name, value in node.attrib.items() if name not in ("style", "class")}
            group.extend(alike)
            alike = [group]
        made += alike
    root[:] = made


def _look(node: Element) -> tuple[str, str]:
    return (node.get("style", ""), node.get("class", "")) if node.tag == "text" else ("", "")
