"""HTML: a result as part of a page, or as a page: one self-contained file, readable on a phone, in the dark, on paper.

The page of a composite result shows what was found, one section per result, every run and every unit.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from itertools import groupby
from pathlib import Path

import msgspec

from karat.data.charts import Chart
from karat.data.composite import Portrait, UnitAnswers
from karat.data.result import Column, Result, Sheet, Signature, run_of
from karat.errors import summary
from karat.progress import track
from karat.render.figures import svg
from karat.render.figures.palette import DARK, LIGHT, variables

FINDINGS_SHOWN, ROWS_SHOWN = 6, 12
"""On a folded page, how many findings and further rows are shown before anything is opened."""
NO_LINKS: Mapping[str, str] = {}
LONGEST_UNBROKEN = 24
"""Texts up to this length are not broken."""
HERE = Path(__file__).parent
STYLE = (
    f":root {{ color-scheme: light dark; {variables(LIGHT)} }}\n"
    f"@media (prefers-color-scheme: dark) {{ :root {{ {variables(DARK)} }} }}\n"
    f"{(HERE / 'page.css').read_text('utf-8')}"
)
Links = Mapping[str, Mapping[str, str]]
"""The anchors of runs that have their own section, by what the runs answer."""


def prose(sentence: str) -> str:
    """A sentence as HTML, with text between backticks as code."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(sentence))


def fragment(result: Result) -> str:
    """The result as the whole content of a page."""
    return warned(result) + piece(result, 2, result.study or "result")


def warned(result: Result) -> str:
    """The warnings from reading the files, folded."""
    if not result.warnings:
        return ""
    lines = summary(result.warnings).splitlines()[1:]
    count = f"{len(result.warnings)} warning{'s' * (len(result.warnings) > 1)} about the files"
    return _folded(count, f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>")


def piece(result: Result, level: int, anchor: str, links: Mapping[str, str] = NO_LINKS, folded: bool = False) -> str:
    """The result as part of a page: findings first, then tables and charts, then the signature.

    Headings have this level; the anchor makes ids unique on the page; links lead to the sections of runs; if folded,
    all tables but the first can be opened.
    """
    sentences, shown = [f"<li>{prose(said)}</li>" for said in result.findings()], FINDINGS_SHOWN if folded else None
    parts = [_listed(sentences[:shown])]
    if shown and sentences[shown:]:
        parts.append(_folded(f"{len(sentences) - shown} more findings", _listed(sentences[shown:])))
    signed = _signed(result.signature, anchor)
    sheets = result.sheets()
    tables = [table(sheet, level, signed, links) for sheet in sheets]
    drawn = [figure(chart, level, signed, f"{anchor}-{place}") for place, chart in enumerate(result.charts())]
    first, rest = tables[: result.first_sheets], "".join(tables[result.first_sheets :])
    if folded and sum(len(sheet.columns[0].values) for sheet in sheets[result.first_sheets :]) > ROWS_SHOWN:
        titles = [sheet.title for sheet in sheets[result.first_sheets :]]
        rest = _folded(f"{len(titles)} more table{'s' * (len(titles) > 1)}: {'; '.join(titles)}", rest)
    parts += [*first, *drawn, rest]
    if reasons := result.reasons_shown():
        parts.append(f'<p class="note">– is undefined: {escape("; ".join(reasons))}.</p>\n')
    parts.append(signature(result.signature, anchor))
    return "".join(parts)


def _listed(sentences: list[str]) -> str:
    return f'<ul class="found">{"".join(sentences)}</ul>\n' if sentences else ""


def _folded(summary: str, inside: str) -> str:
    return f'<details class="more"><summary>{escape(summary)}</summary>\n{inside}</details>\n'


def signature(signed: Signature, anchor: str) -> str:
    """The complete signature, folded because it is long if there are many files."""
    whole = f"<details><summary>Signature {escape(signed.short)}</summary><p>{escape(str(signed))}</p></details>"
    return f'<footer id="signature-{anchor}">{whole}</footer>\n'


def _signed(signature: Signature, anchor: str) -> str:
    """The short signature below a table or a figure, with a link to the complete one."""
    return f'<a class="signed" href="#signature-{anchor}">{escape(signature.short)}</a>'


def figure(chart: Chart, level: int, signed: str, place: str) -> str:
    """A chart under its heading, with its caption and how to read it."""
    caption = "".join(f"<p>{escape(' '.join(part.split()))}</p>" for part in chart.caption.split("\n\n") if part)
    return (
        f'<figure>\n<h{level}>{escape(chart.title)}</h{level}>\n<div class="scroll" tabindex="0">{svg(chart, place)}'
        f'</div>\n<figcaption class="note">{caption}<p>{signed}</p></figcaption>\n</figure>\n'
    )


def _kind(column: Column) -> str:
    """The class of a column: numbers are aligned right, and short texts such as intervals are not broken."""
    texts = [column.text(value) for value in column.values]
    return "number" if column.numeric else "whole" if max(map(len, texts), default=0) <= LONGEST_UNBROKEN else ""


def table(sheet: Sheet, level: int = 2, signed: str = "", links: Mapping[str, str] = NO_LINKS) -> str:
    """A sheet under its heading, with its notes; names of runs link to their sections, if there are any."""
    kinds = [f' class="{kind}"' if (kind := _kind(column)) else "" for column in sheet.columns]
    titles = [f' title="{escape(column.note, quote=True)}"' if column.note else "" for column in sheet.columns]
    head = "".join(
        f'<th scope="col"{kind}{title}>{escape(column.name)}</th>'
        for kind, title, column in zip(kinds, titles, sheet.columns, strict=True)
    )
    # The first cell is the heading of its row, unless it is a number.
    tags = ["td" if place or sheet.columns[0].numeric else 'th scope="row"' for place in range(len(sheet.columns))]
    cells = [_cells(column, tag, kind, links) for column, tag, kind in zip(sheet.columns, tags, kinds, strict=True)]
    rows = map("".join, zip(*cells, strict=True))
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


def _cells(column: Column, tag: str, kind: str, links: Mapping[str, str]) -> list[str]:
    """The cells of a column; the name of a run links to its section, if it has one."""
    made = []
    for value in column.values:
        text = escape(column.text(value))
        if column.names_runs and (where := links.get(run_of(value) or "")):
            text = f'<a href="#{where}">{text}</a>'
        made.append(f"<{tag}{kind}>{text}</{tag[:2]}>")
    return made


def page(result: Result) -> str:
    """The result as a complete page; the parts of a composite result are its sections."""
    if result.chapters():
        return _whole(result.heading, _chapters(result), (HERE / "page.js").read_text("utf-8"))
    return _whole(result.heading, f"<main>\n<h1>{escape(result.heading)}</h1>\n{fragment(result)}</main>\n")


def policy(script: str) -> str:
    """The content security policy of a page: it may be displayed and run the one script that karat wrote.

    Figures have style attributes, which cannot be allowed by a hash; but anything they could load is forbidden.
    """
    allowed = f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" if script else "'none'"
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
        "form-action 'none'"
    )


def _whole(title: str, body: str, script: str = "") -> str:
    run = f"<script>{script}</script>" if script else ""
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy(script)}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}{run}</body>\n</html>\n"
    )


def _chapters(result: Result) -> str:
    """The findings first, then the sections, the runs and the units, then the report's own tables."""
    chapters, portraits, items = result.chapters(), result.portraits(), result.shown_items()
    links: dict[str, dict[str, str]] = {chapter.about: {} for chapter in chapters}
    for number, portrait in enumerate(portraits, start=1):
        links[portrait.about][portrait.run] = f"run-{number}"
    headings = {one.anchor: one.heading for one in chapters}
    inside = {
        one.anchor: _note(one.note) + piece(one.result, 3, one.anchor, links[one.about], folded=True)
        for one in track(chapters, lambda one: f"drawing {one.anchor}")
    }
    if portraits:
        headings["runs"], inside["runs"] = "Every run", _runs(portraits, links, items)
    if items:
        headings["pairs"], inside["pairs"] = "Every pair", _items(items)
    headings["appendix"] = "Appendix"
    own = links[chapters[0].about] if len(links) == 1 or items else {}
    inside["appendix"] = "".join(table(sheet, 3, links=own) for sheet in result.sheets())
    inside["appendix"] += signature(result.signature, "report")
    parts = "".join(_section(anchor, heading, inside[anchor]) for anchor, heading in headings.items())
    top = '<p class="top"><a href="#findings">What was found</a></p>\n'
    return (
        f"<header><h1>{escape(result.heading)}</h1></header>\n<main>\n{_found(result, headings)}{parts}</main>\n{top}"
    )


def _note(text: str) -> str:
    return f'<p class="note">{prose(text)}</p>\n' if text else ""


def _section(anchor: str, heading: str, inside: str) -> str:
    title = f'<h2 id="{anchor}-heading">{escape(heading)}</h2>'
    return f'<section id="{anchor}" aria-labelledby="{anchor}-heading">\n{title}\n{inside}</section>\n'


def _found(result: Result, headings: Mapping[str, str]) -> str:
    """The joint findings; then the menu, with the headline of each section."""
    together = result.findings()
    said = {one.anchor: one.result.headlines() or one.result.findings()[:1] for one in result.chapters()}
    menu = "".join(
        f'<li><a href="#{anchor}">{escape(heading)}</a> '
        f"{prose(' '.join(sentence for sentence in said.get(anchor, []) if sentence not in together))}</li>\n"
        for anchor, heading in headings.items()
    )
    first = f'<ul class="first">{"".join(f"<li>{prose(sentence)}</li>" for sentence in together)}</ul>\n'
    listed = f'<nav aria-label="Sections"><ul>{menu}</ul></nav>\n'
    return _section("findings", "What was found", (first if together else "") + warned(result) + listed)


def _runs(portraits: list[Portrait], links: Links, items: UnitAnswers | None) -> str:
    """The runs, grouped by what they answer."""
    made = []
    for about, group in groupby(portraits, key=lambda portrait: portrait.about):
        made.append(f"<h3>{escape(f'Runs on the {about}')}</h3>\n" if len(links) > 1 else "")
        for portrait in group:
            others = {run: where for run, where in links[about].items() if run != portrait.run}
            listed = items is not None and about == portraits[0].about and portrait.run in items.answers
            made.append(_portrait(portrait, links[about][portrait.run], others, listed, 4 if len(links) > 1 else 3))
    return "".join(made)


def _portrait(portrait: Portrait, anchor: str, others: Mapping[str, str], listed: bool, level: int) -> str:
    """One run, folded; a link to its content opens it."""
    said = "".join(f"<li>{prose(sentence)}</li>" for sentence in portrait.findings)
    name = escape(portrait.run, quote=True)
    wrong = f'<p><a class="wrong" href="#pairs" data-run="{name}">The pairs it got wrong</a></p>\n' if listed else ""
    sheets = "".join(table(sheet, level, links=others) for sheet in portrait.sheets)
    return (
        f'<details class="run"><summary>{escape(portrait.run)}</summary>\n<div id="{anchor}">\n'
        f'{f"<ul>{said}</ul>" if said else ""}{wrong}<div class="tiles">{sheets}</div></div></details>\n'
    )


def _items(items: UnitAnswers) -> str:
    """The units as data; a script lists them, and shows the details of one when it is opened."""
    # A text may contain what would end the element, so `<` is escaped as JSON allows.
    data = msgspec.json.encode(items).decode().replace("<", "\\u003c")
    return (
        f'<p class="note">Right and wrong are told {escape(items.way)}-way.</p>\n'
        '<noscript><p class="note">Pairs are listed by a script, which is switched off here.</p></noscript>\n'
        f'<div id="item-list"></div>\n<script type="application/json" id="item-data">{data}</script>\n'
    )
