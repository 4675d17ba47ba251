"""What tests ask of a chart drawn as SVG."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

Element = ElementTree.Element
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def named(drawn: str, kind: str) -> list[Element]:
    """The groups of one kind, in the order in which they are drawn."""
    return [node for node in ElementTree.fromstring(drawn).iter() if node.get("class") == kind]


def tagged(node: Element, tag: str) -> list[Element]:
    """The elements of one tag below another."""
    return [one for one in node.iter() if one.tag.endswith(f"}}{tag}")]


def texts(drawn: str) -> list[Element]:
    """All words that are seen."""
    return tagged(ElementTree.fromstring(drawn), "text")


def told(drawn: str) -> str:
    """What the chart says of itself, found as a screen reader finds it."""
    root = ElementTree.fromstring(drawn)
    (words,) = (node for node in root.iter() if node.get("id") == root.attrib["aria-describedby"])
    return words.text or ""


def path(group: Element) -> list[tuple[float, float]]:
    """The points of the last path of a group; those that only bend a curve too."""
    numbers = [float(one) for one in NUMBER.findall(tagged(group, "path")[-1].attrib["d"])]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def spot(group: Element) -> tuple[float, float]:
    """Where a mark stands."""
    (use,) = tagged(group, "use")
    return float(use.attrib["x"]), float(use.attrib["y"])


def look(group: Element) -> tuple[str, str]:
    """Shape and colours of a mark, or colour and dashes of a line, wherever it stands."""
    last = tagged(group, "path")[-1]
    uses = tagged(group, "use")
    return (last.attrib["d"], uses[0].attrib["style"]) if uses else ("", last.attrib["style"])
