"""Renders results: text, JSON, CSV, LaTeX, HTML. Renderers see sheets, findings and charts, nothing else."""

from __future__ import annotations

from collections.abc import Callable

from karat.data.result import Result
from karat.errors import UsageError
from karat.report import html, json, latex, separated, text

RENDERERS: dict[str, Callable[[Result], str]] = {
    "text": text.render,
    "json": json.render,
    "csv": separated.render,
    "latex": latex.render,
    "html": html.page,
    "fragment": html.fragment,
}
FORMATS = ("text", "json", "csv", "latex", "html")


def render(result: Result, format: str) -> str:
    """The result in one of `FORMATS`."""
    if format not in RENDERERS:
        raise UsageError.unknown("output format", format, FORMATS)
    return RENDERERS[format](result)


__all__ = ["FORMATS", "render"]
