"""Figures: a chart drawn by matplotlib, one style for pages and for files.

matplotlib is loaded when something is drawn, and its state for interactive use is never touched.
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

from karat.data.charts import Chart
from karat.data.rounding import NOISE, rounded
from karat.errors import UsageError
from karat.files import write_whole
from karat.render.figures.alt_text import described

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FILES = (".svg", ".pdf", ".png")
"""The kinds of files a figure is saved as, by the end of their names."""


def draw(chart: Chart) -> Figure:
    """The chart as a figure, in the colours of the light theme."""
    from karat.render.figures.every import drawn
    from karat.render.figures.style import styled

    with styled():
        return drawn(chart)


@dataclass(frozen=True)
class Picture:
    """A chart that can be looked at: a notebook shows it, and `save` keeps it."""

    chart: Chart
    signature: str = ""

    def save(self, path: str | Path) -> None:
        """As .svg, .pdf or .png, by the end of the name; the signature goes with it."""
        save(self.chart, path, self.signature)

    def draw(self) -> Figure:
        """As matplotlib's own figure, to change what you like."""
        return draw(self.chart)

    def _repr_html_(self) -> str:
        return f'<img alt="{escape(described(self.chart))}" src="data:image/svg+xml;base64,{self._encoded()}">'

    def _encoded(self) -> str:
        return base64.b64encode(document(self.chart, self.signature).encode()).decode()


def svg(chart: Chart, place: str = "0") -> str:
    """The chart as one element of a page, whose colours it takes; `place` tells it from others of the same page."""
    from karat.render.figures import vector

    return vector.element(draw(chart), chart, f"chart-{place}-{_hash(chart)}")


def document(chart: Chart, signature: str = "") -> str:
    """The chart as an SVG file of its own, which says in words what it shows and where its numbers come from."""
    from karat.render.figures import vector

    return vector.document(draw(chart), chart, f"chart-{_hash(chart)}", signature)


def save(chart: Chart, path: str | Path, signature: str = "") -> None:
    """The chart as a file of its own: light theme, fonts inside, the same bytes every time."""
    from karat.render.figures import vector
    from karat.render.figures.style import styled

    path = Path(path)
    form = path.suffix.lower()
    if form not in FILES:
        raise UsageError.unknown("kind of figure file", path.suffix or path.name, FILES)
    made = io.BytesIO()  # drawn whole before anything is written
    if form == ".svg":
        made.write(document(chart, signature).encode())
    else:
        when, what = ("CreationDate", "Subject") if form == ".pdf" else ("Software", "Description")
        with styled():
            facts = {when: None, "Title": chart.title, what: signature or None}
            draw(chart).savefig(made, format=form[1:], facecolor=vector.PAPER, metadata=facts, dpi=200)
    write_whole(path, made.getvalue())


NUMBER, SEEN = re.compile(r"(?<!\d)\d+\.\d+(?:e-?\d+)?"), 6
"""A number in a chart's text, and the digits of it that an eye could see."""


def _hash(chart: Chart) -> str:
    """The same on every machine: a name that hangs on last digits would differ where the picture does not."""
    told = NUMBER.sub(lambda found: f"{_seen(float(found[0])):.{SEEN}g}", repr(chart))
    return hashlib.sha256(told.encode("utf-8", "backslashreplace")).hexdigest()[:8]


def _seen(value: float) -> float:
    """Rounded twice, so that no tie of six digits falls by the last digit of a double; what cancels is 0."""
    return 0.0 if value < NOISE else rounded(value)


__all__ = ["FILES", "Picture", "document", "draw", "save", "svg"]
