"""Figures as SVG, in the colours of a page or as separate files, with a description in words.

What is superfluous in matplotlib's SVG is removed: six decimals, groups of one, one shape per colour.
"""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ElementTree
from itertools import groupby

from matplotlib.figure import Figure

from karat.data.charts import Chart
from karat.errors import spelled_out
from karat.render.figures.alt_text import described
from karat.render.figures.canvas import KIND, styled
from karat.render.figures.palette import LIGHT

PAPER = LIGHT["paper"]
NAMED = {colour: f"var(--{name})" for name, colour in LIGHT.items()}
COLOUR = re.compile("|".join(NAMED))
REFERENCE = re.compile(r"url\(#([^()]+)\)")
NAMESPACE = "http://www.w3.org/2000/svg"
Element = ElementTree.Element
LONG_NUMBER = re.compile(r"-?(?<!\d)\d+\.\d{3,}")
LEVEL = re.compile(r"rotate\(-?0 [^)]*\)")
SHIFT = re.compile(r"translate\((-?[\d.]+) (-?[\d.]+)\)")
SPACES = re.compile(r"\s+")
N = r"(-?[\d.]+)"
RECTANGLE = re.compile(rf"M {N} {N} L {N} \2 L \3 {N} L \1 \4( L \1 \2)? z")
FONT = re.compile(r"font: (\d+ )?([\d.]+px) [^;]*")
FAMILY = re.compile(r"; font-family: [^;]*")
"""A font as matplotlib writes it in one property or, by version, in several, with the fonts that are installed here."""
FAMILIES = (
    "'DejaVu Sans', Verdana, 'Noto Sans', 'Noto Sans CJK JP', 'Noto Sans CJK SC', 'Noto Sans CJK KR', 'Hiragino Sans', "
    "'PingFang SC', 'Apple SD Gothic Neo', 'Yu Gothic', 'Microsoft YaHei', 'Malgun Gothic', sans-serif"
)
"""The fonts of a file, which a viewer tries in this order for every character."""
PLACED = ("d", "x", "y", "transform")
"""The attributes that contain coordinates, of which only two decimals are visible."""


def element(figure: Figure, chart: Chart, key: str, variant: str = "", signature: str = "") -> str:
    """An element of a page: text as text, the page's colours, and ids that start with the key."""
    root = _finished(_written(figure, "none"), chart, key)
    root.set("class", f"chart {variant}".strip())
    if variant == "narrow":  # where there is no style sheet, as in a notebook, the wide one is enough
        root.set("style", f"{root.attrib['style']}; display: none")
    for node in root.iter():
        declared = [part.strip() for part in node.get("style", "").split(";") if part.strip()]
        declared = [part for part in declared if not part.startswith("font")]
        if declared:
            node.set("style", COLOUR.sub(lambda found: NAMED[found[0]], "; ".join(declared)))
    _sign(root, signature)
    return _serialised(root)


def document(figure: Figure, chart: Chart, key: str, signature: str = "", inches: float | None = None) -> str:
    """A file with text as text, in fonts that also have East Asian characters, and the source of its numbers."""
    root = _finished(_written(figure, PAPER), chart, key)
    if inches is not None:
        width, height = figure.get_size_inches()
        root.set("width", f"{inches:g}in")
        root.set("height", f"{inches * height / width:.3f}in")
    for node in root.iter():
        if "style" in node.attrib:
            node.set("style", FAMILY.sub("", FONT.sub(_sized, node.attrib["style"])))
    root.set("style", f"{root.attrib['style']}; font-family: {FAMILIES}")
    _sign(root, signature)
    return f"{_serialised(root)}\n"


def _sign(root: Element, signature: str) -> None:
    if signature:
        root.insert(2, _worded("metadata", spelled_out(signature)))


def _sized(found: re.Match[str]) -> str:
    """A font without its family, which is the same for the whole file."""
    weight = f"; font-weight: {found[1].strip()}" if found[1] else ""
    return f"font-size: {found[2]}{weight}"


def _written(figure: Figure, paper: str) -> Element:
    made = io.StringIO()
    with styled(**{"svg.fonttype": "none"}):
        figure.savefig(made, format="svg", facecolor=paper, metadata={"Date": None})
    return ElementTree.fromstring(made.getvalue())


def _finished(root: Element, chart: Chart, key: str) -> Element:
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


def _name(root: Element, key: str) -> None:
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


def _worded(tag: str, text: str, name: str = "") -> Element:
    made = Element(tag, {"id": name} if name else {})
    made.text = text
    return made


def _serialised(root: Element) -> str:
    return ElementTree.tostring(root, encoding="unicode")


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
            use.set("style", _spelled({**_declared(use.get("style", "")), **styles[name]}))
        looks = {use.attrib["style"] for use in uses}
        if len(looks) == 1 and group.tag == "g":
            inherited = _spelled({**_declared(group.get("style", "")), **_declared(looks.pop())})
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


def _spelled(declared: dict[str, str]) -> str:
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
            group = Element("g", {"style": style, **({"class": kind} if kind else {})})
            for node in alike:
                node.attrib = {name: value for name, value in node.attrib.items() if name not in ("style", "class")}
            group.extend(alike)
            alike = [group]
        made += alike
    root[:] = made


def _look(node: Element) -> tuple[str, str]:
    return (node.get("style", ""), node.get("class", "")) if node.tag == "text" else ("", "")
