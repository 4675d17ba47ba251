"""What tests ask of a chart drawn as SVG, or as characters."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ElementTree

from karat.data.charts import Chart
from karat.render.characters import Terminal, draw

Element = ElementTree.Element
Spot = tuple[float, float]
COMMAND = re.compile(r"([MLHVCz])([^MLHVCz]*)")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def lines_of(chart: Chart, width: int = 200) -> list[str]:
    """The chart as a page without colour shows it."""
    console = Terminal(file=io.StringIO(), width=width, no_color=True)
    draw(chart, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def size(drawn: str) -> Spot:
    """Width and height."""
    root = ElementTree.fromstring(drawn)
    return float(root.attrib["width"]), float(root.attrib["height"])


def named(drawn: str, kind: str) -> list[Element]:
    """What is of one kind, in the order in which it is drawn."""
    return [node for node in ElementTree.fromstring(drawn).iter() if node.get("class") == kind]


def tagged(node: Element, tag: str) -> list[Element]:
    """The elements of one tag below another."""
    return [one for one in node.iter() if one.tag.endswith(f"}}{tag}")]


def texts(drawn: str) -> list[Element]:
    """All words that are seen."""
    return tagged(ElementTree.fromstring(drawn), "text")


def words(drawn: str, kind: str) -> list[Element]:
    """The words of one kind."""
    return [text for node in named(drawn, kind) for text in tagged(node, "text")]


def told(drawn: str) -> str:
    """What the chart says of itself, found as a screen reader finds it."""
    root = ElementTree.fromstring(drawn)
    (found,) = (node for node in root.iter() if node.get("id") == root.attrib["aria-describedby"])
    return found.text or ""


def pieces(group: Element) -> list[list[Spot]]:
    """The points of every piece of the last path of a group; those that only bend a curve too."""
    made: list[list[Spot]] = []
    for command, after in COMMAND.findall(tagged(group, "path")[-1].attrib["d"]):
        numbers = [float(one) for one in NUMBER.findall(after)]
        if command == "M":
            made.append([(numbers[0], numbers[1])])
        elif command == "H":
            made[-1].append((numbers[0], made[-1][-1][1]))
        elif command == "V":
            made[-1].append((made[-1][-1][0], numbers[0]))
        else:
            made[-1] += zip(numbers[::2], numbers[1::2], strict=True)
    return made


def path(group: Element) -> list[Spot]:
    """The points of a path that is in one piece."""
    (piece,) = pieces(group)
    return piece


def box(piece: list[Spot]) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of what is drawn."""
    across, down = [x for x, _ in piece], [y for _, y in piece]
    return min(across), min(down), max(across), max(down)


def spots(drawn: str, kind: str) -> list[Spot]:
    """Where marks of one kind stand."""
    uses = [use for node in named(drawn, kind) for use in tagged(node, "use")]
    return [(float(use.attrib["x"]), float(use.attrib["y"])) for use in uses]


def look(group: Element) -> tuple[str, str]:
    """Shape and colours of marks, or colour and dashes of a line, wherever they stand."""
    if uses := tagged(group, "use"):
        return uses[0].attrib["href"], next(node.attrib["style"] for node in group.iter() if "style" in node.attrib)
    return "", tagged(group, "path")[-1].attrib["style"]
