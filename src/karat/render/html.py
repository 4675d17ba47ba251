"""HTML: one page that needs nothing else, readable on a phone and in the dark."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from pathlib import Path

from karat.data.charts import Chart
from karat.data.result import Column, Result, Sheet, Signature
from karat.render.figures import svg
from karat.render.figures.palette import DARK, LIGHT, variables

HERE = Path(__file__).parent
STYLE = (
    f":root {{ color-scheme: light dark; {variables(LIGHT)} }}\n"
    f"@media (prefers-color-scheme: dark) {{ :root {{ {variables(DARK)} }} }}\n"
    f"{(HERE / 'page.css').read_text('utf-8')}"
)
NO_LINKS: Mapping[str, str] = {}


def page(result: Result) -> str:
    """The result as a whole page; one that is made of others has them as sections."""
    if result.chapters():
        from karat.render.composite import body

        script = (HERE / "page.js").read_text("utf-8")
        return whole(result.heading, body(result), script)
    return whole(result.heading, f"<h1>{escape(result.heading)}</h1>\n<main>\n{fragment(result)}</main>\n")


def whole(title: str, body: str, script: str = "") -> str:
    """A page that needs nothing else."""
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}"
        f"{f'<script>{script}</script>' if script else ''}</body>\n</html>\n"
    )


def prose(sentence: str) -> str:
    """A sentence; what stands between backticks is to be typed."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(sentence))


def fragment(result: Result, level: int = 2, anchor: str = "", links: Mapping[str, str] = NO_LINKS) -> str:
    """The result as a piece of a page: findings first, then tables and charts, then the signature.

    Headings are of this level, so that the piece can stand in a section of a larger page, whose anchor makes ids
    unlike those of other sections; links are where runs have sections of their own.
    """
    anchor = anchor or result.study or "result"
    parts = []
    if sentences := result.findings():
        parts.append('<ul class="found">' + "".join(f"<li>{prose(said)}</li>" for said in sentences) + "</ul>\n")
    signed = _signed(result.signature, anchor)
    tables = [table(sheet, level, signed, links) for sheet in result.sheets()]
    drawn = [figure(chart, level, signed, f"{anchor}-{place}") for place, chart in enumerate(result.charts())]
    first, rest = tables[: result.first_sheets], tables[result.first_sheets :]
    if level > 2 and len(rest) > 1:  # in a larger page
        titles = "; ".join(sheet.title for sheet in result.sheets()[result.first_sheets :])
        summary = f"<summary>{len(rest)} more tables: {escape(titles)}</summary>\n"
        rest = [f'<details class="more">{summary}{"".join(rest)}</details>\n']
    parts += [*first, *drawn, *rest]
    if reasons := result.reasons_shown():
        parts.append(f'<p class="note">– is undefined: {escape("; ".join(reasons))}.</p>\n')
    parts.append(f'<footer id="signature-{anchor}"><p>{escape(str(result.signature))}</p></footer>\n')
    return "".join(parts)


def _signed(signature: Signature, anchor: str) -> str:
    """What stands below a table or a figure, and leads to the whole signature."""
    return f'<a class="signed" href="#signature-{anchor}">{escape(signature.short)}</a>'


def figure(chart: Chart, level: int, signed: str, place: str) -> str:
    """A chart under its heading, with what is seen and how to read it."""
    caption = "".join(f"<p>{escape(' '.join(part.split()))}</p>" for part in chart.caption.split("\n\n") if part)
    return (
        f'<figure>\n<h{level}>{escape(chart.title)}</h{level}>\n<div class="scroll" tabindex="0">{svg(chart, place)}'
        f'</div>\n<figcaption class="note">{caption}<p>{signed}</p></figcaption>\n</figure>\n'
    )


WHOLE = 24
"""Texts up to this length are not broken."""


def _kind(column: Column) -> str:
    """Numbers are set flush right; what is short, as an interval or a verdict, is not broken."""
    texts = [column.text(value) for value in column.values]
    return "number" if column.numeric else "whole" if max(map(len, texts), default=0) <= WHOLE else ""


def table(sheet: Sheet, level: int = 2, signed: str = "", links: Mapping[str, str] = NO_LINKS) -> str:
    """A sheet under its heading, with its notes; names of runs lead to their sections, where there are any."""
    kinds = [f' class="{kind}"' if (kind := _kind(column)) else "" for column in sheet.columns]
    titles = [f' title="{escape(column.note, quote=True)}"' if column.note else "" for column in sheet.columns]
    head = "".join(
        f'<th scope="col"{kind}{title}>{escape(column.name)}</th>'
        for kind, title, column in zip(kinds, titles, sheet.columns, strict=True)
    )
    linked = [links if _names_runs(column) else NO_LINKS for column in sheet.columns]
    # What a row is of heads it, unless that is a number.
    tags = ["td" if place or sheet.columns[0].numeric else 'th scope="row"' for place in range(len(sheet.columns))]
    rows = [
        "".join(
            f"<{tag}{kind}>{_cell(cell, where)}</{tag[:2]}>"
            for tag, kind, cell, where in zip(tags, kinds, row, linked, strict=True)
        )
        for row in sheet.rows()
    ]
    body = "".join(f"<tr>{row}</tr>\n" for row in rows)
    notes = "".join(f"<p>{prose(note)}</p>\n" for note in sheet.notes) + (f"<p>{signed}</p>" if signed else "")
    title = escape(sheet.title)
    rows_and_head = (
        f"<table>\n<caption>{title}</caption>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody></table>"
    )
    return (
        f'<figure>\n<h{level}>{title}</h{level}>\n<div class="scroll" tabindex="0">{rows_and_head}</div>\n'
        + (f'<figcaption class="note">{notes}</figcaption>\n' if notes else "")
        + "</figure>\n"
    )


def _names_runs(column: Column) -> bool:
    return re.fullmatch(r"run( [ab])?", column.name) is not None


def _cell(text: str, links: Mapping[str, str]) -> str:
    where = links.get(text.removesuffix("*"))
    return escape(text) if where is None else f'<a href="#{where}">{escape(text)}</a>'
