"""Figures: charts drawn by matplotlib, in one style for pages and for files.

matplotlib is loaded when something is drawn, and its state for interactive use is never changed.
"""

from __future__ import annotations

import base64
import hashlib
import io
import re
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from karat.arrays import EXACT_TOLERANCE
from karat.data.charts import Chart
from karat.data.fields import rounded
from karat.errors import UsageError
from karat.files import write_whole
from karat.render.figures.alt_text import described

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FILES = (".svg", ".pdf", ".png")
"""The kinds of files a figure can be saved as, by suffix."""


def draw(chart: Chart) -> Figure:
    """The chart as a figure, in the colours of the light theme."""
    from karat.render.figures import bars, counts, heat, lines, points, rows  # noqa: F401 - each registers its charts
    from karat.render.figures.canvas import drawn, styled

    with styled():
        return drawn(chart)


@dataclass(frozen=True)
class Picture:
    """A chart to look at: a notebook displays it, and `save` writes it to a file."""

    chart: Chart
    signature: str = ""

    def save(self, path: str | Path) -> None:
        """Save as .svg, .pdf or .png, by the suffix, with the signature."""
        save(self.chart, path, self.signature)

    def draw(self) -> Figure:
        """The chart as a matplotlib figure, for further changes."""
        return draw(self.chart)

    def _repr_html_(self) -> str:
        return f'<img alt="{escape(described(self.chart))}" src="data:image/svg+xml;base64,{self._encoded()}">'

    def _encoded(self) -> str:
        return base64.b64encode(document(self.chart, self.signature).encode()).decode()


def svg(chart: Chart, place: str = "0") -> str:
    """The chart as an element of a page, in the page's colours; `place` distinguishes it from others on the page."""
    from karat.render.figures import vector

    return vector.element(draw(chart), chart, f"chart-{place}-{_hash(chart)}")


def document(chart: Chart, signature: str = "") -> str:
    """The chart as an SVG file, with a description in words and the source of its numbers."""
    from karat.render.figures import vector

    return vector.document(draw(chart), chart, f"chart-{_hash(chart)}", signature)


def save(chart: Chart, path: str | Path, signature: str = "") -> None:
    """Save the chart to a file: light theme, embedded fonts, the same bytes every time."""
    from karat.render.figures import vector
    from karat.render.figures.canvas import styled

    path = Path(path)
    form = path.suffix.lower()
    if form not in FILES:
        raise UsageError.unknown("kind of figure file", path.suffix or path.name, FILES)
    made = io.BytesIO()  # drawn completely before anything is written
    if form == ".svg":
        made.write(document(chart, signature).encode())
    else:
        when, what = ("CreationDate", "Subject") if form == ".pdf" else ("Software", "Description")
        with styled():
            facts = {when: None, "Title": chart.title, what: signature or None}
            draw(chart).savefig(made, format=form[1:], facecolor=vector.PAPER, metadata=facts, dpi=200)
    write_whole(path, made.getvalue())


NUMBER, VISIBLE_DIGITS = re.compile(r"(?<!\d)\d+\.\d+(?:e-?\d+)?"), 6
"""A number in a chart's text, and how many of its digits are visible in a figure."""


def _hash(chart: Chart) -> str:
    """A hash that is the same on every machine: it ignores last digits, which do not change the picture."""
    told = NUMBER.sub(lambda found: f"{_seen(float(found[0])):.{VISIBLE_DIGITS}g}", repr(chart))
    return hashlib.sha256(told.encode("utf-8", "backslashreplace")).hexdigest()[:8]


def _seen(value: float) -> float:
    """A value rounded twice, so that last digits do not decide how six digits are rounded; noise becomes 0."""
    return 0.0 if value < EXACT_TOLERANCE else rounded(value)


__all__ = ["FILES", "Picture", "document", "draw", "save", "svg"]
