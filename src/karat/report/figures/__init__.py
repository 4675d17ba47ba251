"""Figures: a chart drawn by matplotlib, one style for pages and for files.

matplotlib is loaded when something is drawn, and its state for interactive use is never touched.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from karat.data.result import Chart
from karat.errors import UsageError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FILES = (".svg", ".pdf", ".png")
"""The kinds of files a figure is saved as, by the end of their names."""


def draw(chart: Chart) -> Figure:
    """The chart as a figure, in the colours of the light theme."""
    from karat.report.figures import counts, lines, rows
    from karat.report.figures.style import styled

    with styled():
        match chart.kind:
            case "lines":
                return lines.draw(chart)
            case "counts":
                return counts.draw(chart)
            case "boxes":
                return rows.draw_boxes(chart)
            case _:
                return rows.draw_dots(chart)


def svg(chart: Chart, place: str = "0") -> str:
    """The chart as one element of a page, whose colours it takes; `place` tells it from others of the same page."""
    from karat.report.figures import vector

    return vector.element(draw(chart), chart, f"chart-{place}-{_hash(chart)}")


def save(chart: Chart, path: str | Path) -> None:
    """The chart as a file of its own: light theme, fonts inside, the same bytes every time."""
    from karat.report.figures import vector
    from karat.report.figures.style import styled

    path = Path(path)
    form = path.suffix.lower()
    if form not in FILES:
        raise UsageError.unknown("kind of figure file", path.suffix or path.name, FILES)
    figure = draw(chart)
    if form == ".svg":
        path.write_text(vector.document(figure, chart, f"chart-{_hash(chart)}"), encoding="utf-8")
        return
    facts = {"CreationDate": None, "Title": chart.title} if form == ".pdf" else {"Software": None, "Title": chart.title}
    with styled():
        figure.savefig(path, format=form[1:], facecolor=vector.PAPER, metadata=facts, dpi=200)


def _hash(chart: Chart) -> str:
    return hashlib.sha256(repr(chart).encode("utf-8", "backslashreplace")).hexdigest()[:8]


__all__ = ["FILES", "draw", "save", "svg"]
