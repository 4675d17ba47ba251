"""A canvas in pixels from the upper left corner: axes, words, strokes and marks in one style.

Each kind of chart registers its drawing under `drawn`; the settings are the same, whatever the user's own.
"""

from __future__ import annotations

import logging
import unicodedata
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, singledispatch
from typing import Any, Literal, NamedTuple

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.text import Text as Words
from matplotlib.transforms import Affine2D

from karat.arrays import NAN
from karat.data.charts import Chart
from karat.data.result import run_of
from karat.errors import spelled_out
from karat.render.figures.palette import LABELS, LIGHT, RUN_COLOURS
from karat.render.scale import LONGEST_NAME, cut, shortened

ROW, WIDTH, LABEL = 26, 480, 18
"""The height of a row, the width of the scale, the height of a name."""
INCH, EDGE, FONT = 72, 12, 13
NARROWEST_SCALE = 120
"""The smallest width of a scale, however little room there is."""
NARROW_NAME = 20
"""The longest name beside a narrow scale."""
SLOPE = 0.72
"""The extent of a tilted name across and down, relative to its length."""
SHAPES = ("o", "D", "^", "s", "v", "P", "X", "p")
SIZES = (10, 8.5, 11, 9, 11, 11, 11, 11)
SHAPES_OF_OTHERS = 4
"""The shapes of what is no run; each comes full and hollow, while those of runs are always full."""
DASHES = ((), (7, 3), (2, 3), (9, 3, 2, 3), (12, 4))
"""Five, so that with six colours thirty lines differ."""
Align = Literal["left", "center", "right"]
WrittenName = tuple[str, str]
"""A name as written, and in full."""
KIND = "karat:"
"""The prefix of an artist's id; after it come its class in an SVG and, after another colon, its title."""
SETTINGS: dict[str, Any] = {
    "font.size": FONT,
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


EAST_ASIAN_FONTS = (
    "Noto Sans CJK JP", "Noto Sans CJK SC", "Noto Sans CJK KR", "Noto Sans JP", "Noto Sans SC", "Source Han Sans",
    "IPAGothic", "IPAexGothic", "TakaoGothic", "WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "Droid Sans Fallback",
    "Hiragino Sans", "PingFang SC", "Apple SD Gothic Neo", "Arial Unicode MS", "Yu Gothic", "Microsoft YaHei",
    "Malgun Gothic", "SimHei", "Unifont",
)  # fmt: skip
"""Fonts with Chinese, Japanese and Korean characters, of which those that are installed complete the first font."""


@cache
def fonts() -> list[str]:
    """The font that comes with matplotlib and has ⊢ ◇ ⊣, and those installed for the characters that it lacks."""
    from matplotlib.font_manager import fontManager

    if not set(EAST_ASIAN_FONTS) & set(fontManager.get_font_names()):
        _find_new_fonts()
    installed = set(fontManager.get_font_names())
    return ["DejaVu Sans", *(name for name in EAST_ASIAN_FONTS if name in installed)]


def _find_new_fonts() -> None:
    """Make those known that were installed after matplotlib last made its list of fonts, which it keeps."""
    from matplotlib.font_manager import findSystemFonts, fontManager

    for path in set(findSystemFonts()) - {entry.fname for entry in fontManager.ttflist}:
        with suppress(OSError, RuntimeError):  # a font that cannot be read is none
            fontManager.addfont(path)


def without_glyph(figure: Figure) -> str:
    """The characters of a figure that no installed font has, and that are drawn as boxes."""
    from matplotlib.font_manager import findfont, get_font

    known = [get_font(findfont(name)) for name in fonts()]
    said = {sign for words in figure.findobj(Words) for sign in words.get_text() if sign.isprintable()}
    return "".join(sorted(sign for sign in said if not any(font.get_char_index(ord(sign)) for font in known)))


@dataclass(frozen=True)
class Space:
    """The room for a figure: its width in pixels as far as it can be kept, a title, and how much smaller to draw."""

    width: float = 10_000
    title: str = ""
    scale: float = 1.0

    @property
    def narrow(self) -> bool:
        """Whether names have to be short."""
        return self.width < WIDTH

    def scale_width(self, taken: float, widest: float = WIDTH) -> float:
        """The width that is left for a scale beside what is taken."""
        return max(min(widest, self.width - taken), NARROWEST_SCALE)

    def longest(self, name: int = LONGEST_NAME) -> int:
        """The longest name that there is room for."""
        return NARROW_NAME if self.narrow else name


NATURAL = Space()
"""As wide as a figure likes to be, without a title."""


class Style(NamedTuple):
    """How a series is recognised."""

    colour: str
    shape: int
    hollow: bool
    dashes: tuple[int, ...]


def run_look(rank: int) -> Style:
    """The look of a run, by its rank from 0: six colours and eight shapes."""
    return Style(LIGHT[RUN_COLOURS[rank % len(RUN_COLOURS)]], rank % len(SHAPES), False, DASHES[rank % len(DASHES)])


def look_of(chart: Chart, name: str, place: int) -> Style:
    """The look of a run by its rank, of a label by its name, of anything else by its place, without a colour."""
    if (run := run_of(name)) in chart.runs:
        return run_look(chart.runs.index(run))
    if name in LABELS:
        at = list(LABELS).index(name)
        return Style(LIGHT[LABELS[name]], at, False, DASHES[at])
    colour = LIGHT["soft" if place // 2 % 2 else "ink"]
    hollow = bool((place + place // SHAPES_OF_OTHERS) % 2)
    return Style(colour, place % SHAPES_OF_OTHERS, hollow, DASHES[place % len(DASHES)])


def wide(text: str) -> float:
    """The approximate width of a text in pixels, with room to spare."""
    return sum(_advance(sign) for sign in spelled_out(text))


def _advance(sign: str) -> int:
    if unicodedata.east_asian_width(sign) in "WF":
        return 14
    if sign in "…—@":
        return 13
    return 11 if sign in "mw+=<>~%" else 10 if sign.isupper() else 8


def gid(kind: str, shown: WrittenName) -> str:
    """The id of a name: its kind, and the full name as title if it is shortened."""
    return f"{KIND}{kind}" + (f":{shown[1]}" if shown[0] != shown[1] else "")


def both(names: Sequence[str], longest: int = LONGEST_NAME) -> list[WrittenName]:
    """Names as written side by side, and in full."""
    return list(zip(shortened(names, longest), map(spelled_out, names), strict=True))


def legend_rows(names: Iterable[str], mark: float = 12, width: float = WIDTH) -> list[tuple[float, int]]:
    """The positions of names beside their marks in a legend, in as many rows as needed: across, row."""
    made, at, row = [], 0.0, 0
    for name in names:
        if at and at + mark + wide(name) > width:
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
    """A figure of this width and height in pixels, extended above for a title and below for notes."""

    def __init__(self, space: Space, width: float, height: float, *notes: str) -> None:
        heads = wrapped(space.title, width - 2 * EDGE) if space.title else []
        lines = [line for note in notes for line in wrapped(note, width - 2 * EDGE)]
        self.above = LABEL * len(heads) + (EDGE if heads else 0)
        top, height = height, height + self.above + LABEL * len(lines) + (EDGE / 2 if lines else 0)
        self.width, self.height, self.scale = width, height, space.scale
        inch = INCH / space.scale
        self.figure = Figure(figsize=(width / inch, height / inch), dpi=INCH, facecolor="none")
        placed = Affine2D().scale(1 / inch, -1 / inch).translate(0, (height - self.above) / inch)
        self.pixels = placed + self.figure.dpi_scale_trans
        for place, line in enumerate(heads):
            self.text(EDGE, LABEL * (place + 0.5) + EDGE / 2 - self.above, line, kind="title")
        for place, line in enumerate(lines):
            self.text(EDGE, top + LABEL * (place + 0.5), line, kind="noted")

    def axes(self, left: float, top: float, right: float, bottom: float) -> Axes:
        """Axes between four edges, without a frame."""
        low = 1 - (bottom + self.above) / self.height
        box = (left / self.width, low, (right - left) / self.width, (bottom - top) / self.height)
        made = self.figure.add_axes(box, frameon=False)
        made.tick_params(which="both", length=0, labelcolor=LIGHT["ink"], colors=LIGHT["line"])
        made.tick_params(which="both", pad=7 * self.scale, labelsize=FONT * self.scale)
        made.set_axisbelow(True)
        return made

    def ruled(self, axes: Axes, which: Literal["x", "y"]) -> None:
        """Grid lines at the ticks of one axis, complete also at the edges."""
        axes.grid(axis=which, color=LIGHT["line"], linewidth=self.scale)
        for line in axes.get_xgridlines() if which == "x" else axes.get_ygridlines():
            line.set_clip_on(False)

    def text(self, x: float, y: float, words: str, align: Align = "left", kind: str = "label") -> None:
        """Words, centred vertically."""
        made = self._written(x, y, spelled_out(words), align)
        made.set_color(LIGHT["soft" if kind in ("soft", "noted") else "ink"])
        made.set_fontweight("bold" if kind in ("title", "marked") else "normal")
        made.set_gid(f"{KIND}{kind}")

    def _written(self, x: float, y: float, words: str, align: Align, baseline: str = "center_baseline") -> Words:
        size = FONT * self.scale
        return self.figure.text(x, y, words, ha=align, va=baseline, transform=self.pixels, fontsize=size)

    def axis_name(self, middle: float, y: float, words: str) -> None:
        """What an axis shows, below its middle, or as near to it as there is room, in as many lines as needed."""
        lines = wrapped(words, self.width - EDGE)
        half = min(max(map(wide, lines), default=0.0), self.width - EDGE) / 2
        x = min(max(middle, half + EDGE / 2), self.width - EDGE / 2 - half)
        for place, line in enumerate(lines):
            self.text(x, y + LABEL * place, line, "center", "axis")

    def name(self, x: float, y: float, shown: WrittenName, align: Align = "left", kind: str = "name") -> None:
        """A name, centred vertically; if it is shortened, its title is the full name."""
        made = self._written(x, y, shown[0], align)
        made.set(color=LIGHT["ink"], gid=gid(kind, shown))

    def turned(self, x: float, y: float, words: str) -> None:
        """Words rotated to read upwards."""
        made = self._written(x, y, spelled_out(words), "center", "baseline")
        made.set(rotation=90, rotation_mode="anchor", color=LIGHT["ink"], gid=f"{KIND}axis")

    def tilted(self, x: float, y: float, shown: WrittenName, kind: str = "name", angle: float = 45) -> None:
        """A name rising to the right from its start, or upwards."""
        made = self._written(x, y, shown[0], "left")
        made.set(rotation=angle, rotation_mode="anchor", color=LIGHT["ink"], gid=gid(kind, shown))

    def below(self, axes: Axes, names: Sequence[tuple[float, WrittenName]], tilted: bool) -> None:
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
        made = Line2D(*zip(*points, strict=True), color=colour, linewidth=width * self.scale, solid_capstyle="butt")
        if dashes:
            made.set_linestyle((0, [length / width for length in dashes]))  # matplotlib multiplies by the width
        self._add(made, kind, on)

    def marks(
        self,
        look: Style,
        points: Sequence[tuple[float, float]],
        on: Axes | None = None,
        kind: str = "mark",
        size: float = 1.0,
    ) -> None:
        """Marks that look alike."""
        if not points:
            return
        across, down = zip(*points, strict=True)
        made = Line2D(across, down, linestyle="none", marker=SHAPES[look.shape])
        made.set_markersize(self.scale * size * (SIZES[look.shape] - 2 * look.hollow))
        made.set(markeredgecolor=look.colour, markeredgewidth=self.scale * (2 if look.hollow else 1))
        made.set_markerfacecolor(LIGHT["paper"] if look.hollow else look.colour)
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
            made = Line2D(across, down, linestyle="none", marker=shape, markersize=size * self.scale, color=colour)
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
    # Some versions of matplotlib type the keys as literals, others do not.
    settings: Any = {**SETTINGS, "font.family": fonts(), **more}
    log = logging.getLogger("matplotlib.font_manager")
    before = log.level
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*[Gg]lyph|.*font family|.*Matplotlib currently does not support")
        log.setLevel(logging.ERROR)  # that a font for a few characters is not bold
        try:
            yield
        finally:
            log.setLevel(before)


@singledispatch
def drawn(chart: Chart, space: Space) -> Figure:
    """The chart as a matplotlib figure."""
    del space
    raise TypeError(f"no figure of {type(chart).__name__}")
