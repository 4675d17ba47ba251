"""Renders results as text, JSON, CSV, LaTeX, HTML and BibTeX, from their sheets, findings, charts and citations."""

from __future__ import annotations

import importlib
from collections.abc import Callable

from karat.data.result import Result
from karat.errors import UsageError

RENDERERS = {
    "text": "text.render",
    "json": "json.render",
    "csv": "separated.render",
    "latex": "latex.render",
    "html": "page.page",
    "bibtex": "bibliography.render",
    "notebook": "notebook.render",
}
"""Loaded when needed, since rich takes longer to load than most results take to render."""
FORMATS = ("text", "json", "csv", "latex", "html", "bibtex")


TABLES = {"csv": "separated.table", "latex": "latex.table"}
"""The formats in which a single table of a result is available."""


def render(result: Result, format: str, table: str | None = None) -> str:
    """The result in one of `FORMATS`; in CSV or LaTeX also a single table, by number or title."""
    if format not in RENDERERS:
        raise UsageError.unknown("output format", format, FORMATS)
    if table is None:
        return _loaded(RENDERERS[format])(result)
    if format not in TABLES:
        raise UsageError(f"one table alone is available as {' or '.join(TABLES)}, not as {format}")
    return _loaded(TABLES[format])(result, result.sheet_named(table))


def _loaded(path: str) -> Callable[..., str]:
    module, name = path.split(".")
    function: Callable[..., str] = getattr(importlib.import_module(f"karat.render.{module}"), name)
    return function


__all__ = ["FORMATS", "render"]
