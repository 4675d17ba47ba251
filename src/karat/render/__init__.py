"""Renders results as text, JSON, CSV, LaTeX, Markdown, HTML, BibTeX and JUnit, from sheets, findings and charts."""

from __future__ import annotations

import importlib
from collections.abc import Callable

from karat.data.result import Result
from karat.errors import UsageError
from karat.render.selection import checked_label, selected

RENDERERS = {
    "text": "text.render",
    "json": "json.render",
    "csv": "separated.render",
    "latex": "latex.render",
    "markdown": "markdown.render",
    "html": "page.page",
    "bibtex": "bibliography.render",
    "junit": "junit.render",
    "notebook": "notebook.render",
}
"""Loaded when needed, since rich takes longer to load than most results take to render."""
OUTPUT_FORMATS = ("text", "json", "csv", "latex", "markdown", "html", "bibtex", "junit")


TABLES = {"csv": "separated.table", "latex": "latex.table", "markdown": "markdown.table", "text": "text.table"}
"""The formats in which a single table of a result is available."""


def render(
    result: Result,
    format: str,
    table: str | None = None,
    date: str = "",
    *,
    columns: str = "",
    caption: str = "",
    label: str = "",
    all_rows: bool = False,
    verbose: bool = False,
) -> str:
    """The result in one of `OUTPUT_FORMATS`; in some also a single table, by number or title, with chosen columns.

    `columns` are headings, separated by commas. A page has the date; CSV always has all rows; text has the whole
    signature only if verbose.
    """
    if format not in RENDERERS:
        raise UsageError.unknown("output format", format, OUTPUT_FORMATS)
    alone = table is not None or bool(columns or caption or label)
    if all_rows or (alone and format == "csv"):
        result = result.in_full()
    if not alone:
        each: dict[str, dict[str, object]] = {"text": {"verbose": verbose}, "html": {"date": date}}
        settings = each.get(format, {})
        return _loaded(RENDERERS[format])(result, **settings)
    if format not in TABLES:
        raise UsageError(f"one table alone is available as csv, latex, markdown or text, not as {format}")
    part, sheet, shown = selected(result, table, columns, caption)
    if format == "latex":
        return _loaded(TABLES[format])(part, shown, checked_label(label) or _loaded("latex.label_of")(part, sheet))
    if format == "text":
        return _loaded(TABLES[format])(part, shown, verbose)
    return _loaded(TABLES[format])(part, shown)


def _loaded(path: str) -> Callable[..., str]:
    module, name = path.split(".")
    function: Callable[..., str] = getattr(importlib.import_module(f"karat.render.{module}"), name)
    return function
