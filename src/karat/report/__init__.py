"""Renders results: text, JSON, CSV, LaTeX, HTML. Renderers see sheets, findings and charts, nothing else."""

from __future__ import annotations

import importlib

from karat.data.result import Result
from karat.errors import UsageError

RENDERERS = {
    "text": "text.render",
    "json": "json.render",
    "csv": "separated.render",
    "latex": "latex.render",
    "html": "html.page",
    "fragment": "html.fragment",
}
"""Loaded when they are asked for: rich takes longer to load than most results to render."""
FORMATS = ("text", "json", "csv", "latex", "html")


def render(result: Result, format: str) -> str:
    """The result in one of `FORMATS`."""
    if format not in RENDERERS:
        raise UsageError.unknown("output format", format, FORMATS)
    module, name = RENDERERS[format].split(".")
    rendered: str = getattr(importlib.import_module(f"karat.report.{module}"), name)(result)
    return rendered


__all__ = ["FORMATS", "render"]
