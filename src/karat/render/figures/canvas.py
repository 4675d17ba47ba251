"""A canvas in pixels from the upper left corner: axes, words, strokes and marks in one style.

Each kind of chart registers its drawing under `drawn`; the settings are the same, whatever the user's own.
"""

from __future__ import annotations

import unicodedata
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import singledispatch
from typing import Any, Literal

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.transforms import Affine2D

from karat.arrays import NAN
from karat.data.charts import Chart
from karat.errors import spelled_out
from karat.render.figures.palette import LIGHT, SERIES
from karat.render.scale import LONGEST_NAME, cut, shortened

ROW, WIDTH, LABEL = 26, 480, 18
"""The height of a row, the width of the scale, the height of a name."""
INCH, EDGE = 72, 12
SLOPE = 0.72
"""The extent of a tilted name across and down, relative to its length."""
SHAPES = ("o", "D", "^", "s")
SIZES = (10, 8.5, 11, 9)
DASHES = ((), (7, 3), (2, 3), (9, 3, 2, 3), (12, 4))
"""Five, so that with six colours thirty lines differ."""
Align = Literal["left", "center", "right"]
Shown = tuple[str, str]
"""A name as written, and in full."""
KIND = "karat:"
"""The prefix of an artist's id; after it come its class in an SVG and, after another colon, its title."""
SETTINGS: dict[str, Any] = {
    "font.family": ["DejaVu Sans"],  # comes with matplotlib, and has ⊢ ◇ ⊣
    "font.size": 13,
    "text.parse_math": False,  # a dollar sign in a name is a dollar sign
    "text.usetex": False,
    "axes.unicode_minus": False,
    "axes.formatter.use_locale": False,
    "path.simplify": False,
    "path.sketch": None,
    "path.effects": [],
    "pdf.fonttype": 42,
    "svg.hashsalt": "karat",
    "savefig.bbox": None,
    "savefig.pad_inches": 0.0,
    "savefig.transparent": False,
}


def wide(text: str) -> float:
    """The approximate width of a text in pixels, with room to spare."""
    widths = (14 if unicodedata.east_asian_width(c) in "WF" else 10 if c.isupper() else 8 for c in spelled_out(text))
    return sum(widths)


def gid(kind: str, shown: Shown) -> str:
    """The id of a name: its kind, and the full name as title if it is shortened."""
    return f"{KIND}{kind}" + (f":{shown[1]}" if shown[0] != shown[1] else "")


def both(names: Sequence[str], longest: int = LONGEST_NAME) -> list[Shown]:
    """Names as written side by side, and in full."""
    return list(zip(shortened(names, longest), map(spelled_out, names), strict=True))


def colour_of(place: int) -> str:
    """The colour of a series, by its number."""
    return LIGHT[SERIES[place % len(SERIES)]]


def dashes_of(place: int) -> tuple[int, ...]:
    """The dashes of a series' line; empty for a solid line."""
    return DASHES[place % len(DASHES)]


def legend_rows(names: Iterable[str], mark: float = 12) -> list[tuple[float, int]]:
    """The positions of names beside their marks in a legend, in as many rows as needed: across, row."""
    made, at, row = [], 0.0, 0
    for name in names:
        if at and at + mark + wide(name) > WIDTH:
            at, row = 0.0, row + 1
        made.append((at, row))
        at += mark + 22 + wide(name)
    return made


def wrapped(words: str, width: float) -> list[str]:
    """Words in lines no wider than this; a wider word loses its middle."""
    lines: list[str] = []
    for word in (cut(word, max(int(width // 10), 4)) for word in spelled_out(words).split()):
        if lines and wide(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


class Canvas:
    """A figure of this width and height in pixels, extended below for notes."""

    def __init__(self, width: float, height: float, *notes: str) -> None:
        lines = [line for note in notes for line in wrapped(note, width - 2 * EDGE)]
        top, height = height, height + LABEL * len(lines) + (EDGE / 2 if lines else 0)
        self.width, self.height = width, height
        self.figure = Figure(figsize=(width / INCH, height / INCH), dpi=INCH, facecolor="none")
        self.pixels = Affine2D().scale(1 / INCH, -1 / INCH).translate(0, height / INCH) + self.figure.dpi_scale_trans
        for place, line in enumerate(lines):
            self.text(EDGE, top + LABEL * (place + 0.5), line, kind="noted")

    def axes(self, left: float, top: float, right: float, bottom: float) -> Axes:
        """Axes between four edges, without a frame."""
        box = (left / self.width, 1 - bottom / self.height, (right - left) / self.width, (bottom - top) / self.height)
        made = self.figure.add_axes(box, frameon=False)
        made.tick_params(which="both", length=0, pad=7, labelcolor=LIGHT["ink"], colors=LIGHT["line"], labelsize=13)
        made.set_axisbelow(True)
        return made

    def ruled(self, axes: Axes, which: Literal["x", "y"]) -> None:
        """Grid lines at the ticks of one axis, complete also at the edges."""
        axes.grid(axis=which, color=LIGHT["line"], linewidth=1)
        for line in axes.get_xgridlines() if which == "x" else axes.get_ygridlines():
            line.set_clip_on(False)

    def text(self, x: float, y: float, words: str, align: Align = "left", kind: str = "label") -> None:
        """Words, centred vertically."""
        made = self.figure.text(x, y, spelled_out(words), ha=align, va="center_baseline", transform=self.pixels)
        made.set_color(LIGHT["soft" if kind in ("soft", "noted") else "ink"])
        made.set_gid(f"{KIND}{kind}")

    def name(self, x: float, y: float, shown: Shown, align: Align = "left", kind: str = "name") -> None:
        """A name, centred vertically; if it is shortened, its title is the full name."""
        made = self.figure.text(x, y, shown[0], ha=align, va="center_baseline", transform=self.pixels)
        made.set(color=LIGHT["ink"], gid=gid(kind, shown))

    def turned(self, x: float, y: float, words: str) -> None:
        """Words rotated to read upwards."""
        made = self.figure.text(x, y, spelled_out(words), ha="center", va="baseline", transform=self.pixels)
        made.set(rotation=90, rotation_mode="anchor", color=LIGHT["ink"], gid=f"{KIND}axis")

    def tilted(self, x: float, y: float, shown: Shown, kind: str = "name") -> None:
        """A name rising to the right from its start."""
        made = self.figure.text(x, y, shown[0], ha="left", va="center_baseline", transform=self.pixels)
        made.set(rotation=45, rotation_mode="anchor", color=LIGHT["ink"], gid=gid(kind, shown))

    def below(self, axes: Axes, names: Sequence[tuple[float, Shown]], tilted: bool) -> None:
        """Names below an axis at some x, tilted if they would touch."""
        axes.set_xticks([x for x, _ in names], [shown[0] for _, shown in names])
        for label, (_, shown) in zip(axes.get_xticklabels(), names, strict=True):
            if shown[0] != shown[1]:
                label.set_gid(gid("below", shown))
            if tilted:
                label.set(rotation=45, rotation_mode="anchor", ha="right", va="center_baseline")

    def strokes(
        self,
        lines: Iterable[Iterable[tuple[float, float]]],
        kind: str,
        colour: str,
        width: float = 1,
        dashes: Sequence[float] = (),
        on: Axes | None = None,
    ) -> None:
        """Lines in the same style as one artist, in the coordinates of some axes or in pixels."""
        points = [point for line in lines for point in (*line, (NAN, NAN))][:-1]  # NaN lifts the pen between lines
        if not points:
            return
        made = Line2D(*zip(*points, strict=True), color=colour, linewidth=width, solid_capstyle="butt")
        if dashes:
            made.set_linestyle((0, [length / width for length in dashes]))  # matplotlib multiplies by the width
        self._add(made, kind, on)

    def marks(
        self,
        place: int,
        points: Sequence[tuple[float, float]],
        on: Axes | None = None,
        kind: str = "mark",
        size: float = 1.0,
    ) -> None:
        """Marks of a series: four shapes, filled and then hollow, in six colours, so that two dozen series differ."""
        if not points:
            return
        shape, hollow = place % len(SHAPES), bool(place // len(SHAPES) % 2)
        across, down = zip(*points, strict=True)
        made = Line2D(
            across, down, linestyle="none", marker=SHAPES[shape], markersize=size * (SIZES[shape] - 2 * hollow)
        )
        made.set(markeredgecolor=colour_of(place), markeredgewidth=2 if hollow else 1)
        made.set_markerfacecolor(LIGHT["paper"] if hollow else colour_of(place))
        self._add(made, kind, on)

    def shapes(
        self,
        points: Sequence[tuple[float, float]],
        shape: str,
        kind: str,
        colour: str,
        size: float,
        on: Axes | None = None,
    ) -> None:
        """Small shapes that belong to no series: an isolated point, a knot, the head of an arrow."""
        if points:
            across, down = zip(*points, strict=True)
            made = Line2D(across, down, linestyle="none", marker=shape, markersize=size, color=colour)
            self._add(made, kind, on)

    def boxes(
        self,
        corners: Sequence[tuple[float, float, float, float]],
        kind: str,
        colour: str,
        opacity: float | None = None,
        on: Axes | None = None,
    ) -> None:
        """Rectangles (left, top, right, bottom) in the same style as one artist."""
        shapes = [Path([(a, b), (c, b), (c, d), (a, d), (a, b)], closed=True) for a, b, c, d in corners]
        made = PathPatch(Path.make_compound_path(*shapes), facecolor=colour, linewidth=0, alpha=opacity)
        self._add(made, kind, on)

    def _add(self, made: Line2D | PathPatch, kind: str, on: Axes | None) -> None:
        made.set_gid(f"{KIND}{kind}")
        if on is None:
            made.set_transform(self.pixels)
            made.set_zorder(-1 if kind == "leader" else made.get_zorder())  # below the mark it starts from
            self.figure.add_artist(made)
        elif isinstance(made, Line2D):
            on.add_line(made)
        else:
            on.add_patch(made)
        made.set_clip_on(False)


@contextmanager
def styled(**more: Any) -> Iterator[None]:
    """Apply the settings temporarily, without warnings about characters missing in the font."""
    settings: Any = {**SETTINGS, **more}  # some versions of matplotlib type the keys as literals, others do not
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*[Gg]lyph|.*font family|.*Matplotlib currently does not support")
        yield


@singledispatch
def drawn(chart: Chart) -> Figure:
    """The chart as a matplotlib figure."""
    raise TypeError(f"no figure of {type(chart).__name__}")
