"""Figures: charts drawn by matplotlib, in one style for pages and for files.

matplotlib is loaded when something is drawn, and its state for interactive use is never changed.
"""

from __future__ import annotations

import hashlib
import importlib.util
import io
import re
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from karat.arrays import EXACT_TOLERANCE
from karat.data.charts import Chart
from karat.data.fields import rounded
from karat.errors import UsageError
from karat.files import write_whole
from karat.render.figures.alt_text import described
from karat.render.figures.palette import in_theme
from karat.render.scale import in_unit

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FILES = (".svg", ".pdf", ".png")
"""The kinds of files a figure can be saved as, by suffix."""


WIDTHS = {"column": 3.3, "text": 6.9}
"""The widths of a paper's column and of its text, in inches."""
ROOM = {"column": 358, "text": 760}
"""The width in pixels on which figures of these widths are laid out; the first is also that of a phone."""


ALONE = (
    ".karat-figure svg { height: auto; max-width: 100%; font: 13px system-ui, sans-serif; }\n"
    ".karat-figure :is(.title, .marked) { font-weight: 700; }\n"
)
"""The style of a figure in a notebook; it has no ground of its own."""
NEEDS_MATPLOTLIB = "figures need matplotlib: pip install 'karat[figures]'"


def drawable() -> bool:
    """Whether figures can be drawn."""
    return importlib.util.find_spec("matplotlib") is not None


def _need_matplotlib() -> None:
    if not drawable():
        raise UsageError(NEEDS_MATPLOTLIB)


def draw(chart: Chart, width: str | None = None, title: bool = False) -> Figure:
    """The chart as a figure in the colours of the light theme, of a paper's width if one is named."""
    _need_matplotlib()
    from karat.render.figures import bars, counts, heat, lines, points, rows  # noqa: F401 - each registers its charts
    from karat.render.figures.canvas import NATURAL, drawn, styled

    chart, space = in_unit(chart), replace(NATURAL, title=chart.title if title else "")
    with styled():
        if width is None:
            return drawn(chart, space)
        if width not in WIDTHS:
            raise UsageError.unknown("width of a figure", width, WIDTHS)
        space = replace(space, width=ROOM[width])
        # How wide the layout becomes is known when it is drawn, and with it how much smaller it has to be.
        scale = WIDTHS[width] / drawn(chart, space).get_size_inches()[0]
        return drawn(chart, replace(space, scale=scale))


def draw_narrow(chart: Chart) -> Figure:
    """The chart laid out for a phone, in full size."""
    from karat.render.figures import bars, counts, heat, lines, points, rows  # noqa: F401 - each registers its charts
    from karat.render.figures.canvas import NATURAL, drawn, styled

    with styled():
        return drawn(in_unit(chart), replace(NATURAL, width=ROOM["column"]))


@dataclass(frozen=True)
class Picture:
    """A chart to look at: a notebook displays it, and `save` writes it to a file."""

    chart: Chart
    signature: str = ""

    def save(self, path: str | Path, width: str | None = None) -> str:
        """Save as .svg, .pdf or .png, by the suffix, with title and signature; `width` is "column" or "text".

        Returns the characters that a PDF or PNG lacks because no installed font has them.
        """
        return save(self.chart, path, self.signature, width)

    def draw(self, width: str | None = None) -> Figure:
        """The chart as a matplotlib figure, for further changes."""
        return draw(self.chart, width)

    def _repr_html_(self) -> str:
        """The figure on the page's own ground, which may be dark."""
        _need_matplotlib()
        from karat.render.figures import vector

        drawn = vector.element(
            draw(self.chart, title=True), self.chart, f"chart-{_hash(self.chart)}", "", self.signature
        )
        return f'<style>{in_theme(".karat-figure")}{ALONE}</style>\n<div class="karat-figure">{drawn}</div>'


def svg(chart: Chart, place: str = "0") -> str:
    """The chart as an element of a page, in the page's colours; `place` distinguishes it from others on the page."""
    from karat.render.figures import vector

    return vector.element(draw(chart), chart, f"chart-{place}-{_hash(chart)}")


def svg_pair(chart: Chart, place: str = "0") -> str:
    """The chart as an element of a page, and again for phones unless it is as narrow; a style sheet shows one.

    Where it cannot be drawn, it is described in words.
    """
    if not drawable():
        return f'<p class="note">{escape(described(chart))} ({escape(NEEDS_MATPLOTLIB)})</p>'
    from karat.render.figures import vector

    key = f"chart-{place}-{_hash(chart)}"
    figure, narrow = draw(chart), draw_narrow(chart)
    if narrow.get_size_inches()[0] >= figure.get_size_inches()[0]:
        return vector.element(figure, chart, key)
    return vector.element(figure, chart, key, "wide") + vector.element(narrow, chart, f"{key}-n", "narrow")


def document(chart: Chart, signature: str = "", width: str | None = None, title: bool = True) -> str:
    """The chart as an SVG file, with a description in words and the source of its numbers."""
    _need_matplotlib()
    from karat.render.figures import vector

    inches = WIDTHS[width] if width else None
    return vector.document(draw(chart, width, title), chart, f"chart-{_hash(chart)}", signature, inches)


def save(chart: Chart, path: str | Path, signature: str = "", width: str | None = None) -> str:
    """Save the chart to a file with its title: light theme, embedded fonts, the same bytes every time.

    Returns the characters that a PDF or PNG lacks because no installed font has them.
    """
    _need_matplotlib()
    from karat.render.figures import vector
    from karat.render.figures.canvas import styled, without_glyph

    path = Path(path)
    form = path.suffix.lower()
    if form not in FILES:
        raise UsageError.unknown("kind of figure file", path.suffix or path.name, FILES)
    made, lacking = io.BytesIO(), ""  # drawn completely before anything is written
    if form == ".svg":
        made.write(document(chart, signature, width).encode())
    else:
        when, what = ("CreationDate", "Subject") if form == ".pdf" else ("Software", "Description")
        with styled():
            facts = {when: None, "Title": chart.title, what: signature or None}
            dpi = 200 if width is None else 400
            figure = draw(chart, width, title=True)
            figure.savefig(made, format=form[1:], facecolor=vector.PAPER, metadata=facts, dpi=dpi)
            lacking = without_glyph(figure)
    write_whole(path, made.getvalue())
    return lacking


NUMBER, VISIBLE_DIGITS = re.compile(r"(?<!\d)\d+\.\d+(?:e-?\d+)?"), 6
"""A number in a chart's text, and how many of its digits are visible in a figure."""


def _hash(chart: Chart) -> str:
    """A hash that is the same on every machine: it ignores last digits, which do not change the picture."""
    told = NUMBER.sub(lambda found: f"{_seen(float(found[0])):.{VISIBLE_DIGITS}g}", repr(chart))
    return hashlib.sha256(told.encode("utf-8", "backslashreplace")).hexdigest()[:8]


def _seen(value: float) -> float:
    """A value rounded twice, so that last digits do not decide how six digits are rounded; noise becomes 0."""
    return 0.0 if value < EXACT_TOLERANCE else rounded(value)


__all__ = ["FILES", "WIDTHS", "Picture", "document", "draw", "save", "svg", "svg_pair"]
