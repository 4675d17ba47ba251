"""HTML: one page that needs nothing else, readable on a phone and in the dark."""

from __future__ import annotations

from html import escape

from karat.data.result import Column, Result, Sheet
from karat.report.figures import svg
from karat.report.figures.palette import DARK, LIGHT, variables

STYLE = f"""
:root {{ color-scheme: light dark; {variables(LIGHT)} }}
@media (prefers-color-scheme: dark) {{ :root {{ {variables(DARK)} }} }}
"""
STYLE += """body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0 auto;
  max-width: 72rem; padding: 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
.scroll { overflow-x: auto; } svg.chart { min-width: 34rem; }
th:first-child, td:first-child { position: sticky; left: 0; background: var(--paper); max-width: 45vw;
  overflow: hidden; text-overflow: ellipsis; }
tbody tr:nth-child(even) td:first-child { background: var(--band); }
table { border-collapse: separate; border-spacing: 0; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .7rem; text-align: left; max-width: 28rem; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; } td.number, th.number { text-align: right; white-space: nowrap; }
td.figures { white-space: nowrap; }
td { overflow-wrap: break-word; min-width: 3rem; }
tbody tr:nth-child(even) { background: var(--band); }
li { overflow-wrap: anywhere; }
.note, footer { color: var(--soft); font-size: .875rem; overflow-wrap: anywhere; }
svg.chart { height: auto; font: 13px system-ui, sans-serif; }
"""


def page(result: Result) -> str:
    """The result as a whole page; one that is made of others has them as sections."""
    if result.chapters():
        from karat.report.composite import SCRIPT, STYLE_OF_PARTS, body

        return whole(result.heading, body(result), STYLE + STYLE_OF_PARTS.read_text("utf-8"), SCRIPT.read_text("utf-8"))
    return whole(result.heading, f"<h1>{escape(result.heading)}</h1>\n{fragment(result)}")


def whole(title: str, body: str, style: str = STYLE, script: str = "") -> str:
    """A page that needs nothing else."""
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}"
        f"{f'<script>{script}</script>' if script else ''}</body>\n</html>\n"
    )


def fragment(result: Result, level: int = 2) -> str:
    """The result as a piece of a page: findings first, then tables and charts, then the signature.

    Headings are of this level, so that the piece can stand in a section of a larger page.
    """
    parts = []
    if sentences := result.findings():
        parts.append("<ul>" + "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences) + "</ul>\n")
    tables, before = [table(sheet, level) for sheet in result.sheets()], result.SHEETS_BEFORE_CHARTS
    drawn = [
        f"<h{level}>{escape(chart.title)}</h{level}>\n"
        f'<div class="scroll" tabindex="0">{svg(chart, f"{result.study}{place}")}</div>\n'
        for place, chart in enumerate(result.charts())
    ]
    before = len(tables) if before is None else before
    parts += [*tables[:before], *drawn, *tables[before:]]
    if reasons := result.reasons_shown():
        parts.append(f'<p class="note">– is undefined: {escape("; ".join(reasons))}.</p>\n')
    parts.append(f"<footer><p>{escape(str(result.signature))}</p></footer>\n")
    return "".join(parts)


def _kind(column: Column) -> str:
    """Numbers are set flush right; an interval or a p in words is not broken either."""
    texts = [text for value in column.values if (text := column.text(value))]
    figures = all(text[0].isdigit() or text[0] in "-−–" for text in texts)
    return "number" if column.numeric else "figures" if texts and figures else ""


def table(sheet: Sheet, level: int = 2) -> str:
    """A sheet under its heading, with its notes."""
    kinds = [f' class="{kind}"' if (kind := _kind(column)) else "" for column in sheet.columns]
    titles = [f' title="{escape(column.note, quote=True)}"' if column.note else "" for column in sheet.columns]
    head = "".join(
        f'<th scope="col"{kind}{title}>{escape(column.name)}</th>'
        for kind, title, column in zip(kinds, titles, sheet.columns, strict=True)
    )
    rows = [
        "".join(f"<td{kind}>{escape(cell)}</td>" for kind, cell in zip(kinds, row, strict=True)) for row in sheet.rows()
    ]
    body = "".join(f"<tr>{row}</tr>\n" for row in rows)
    notes = "".join(f'<p class="note">{escape(note)}</p>\n' for note in sheet.notes)
    rows_and_head = f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody></table>"
    return (
        f'<h{level}>{escape(sheet.title)}</h{level}>\n<div class="scroll" tabindex="0">{rows_and_head}</div>\n{notes}'
    )
