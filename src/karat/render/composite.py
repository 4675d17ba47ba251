"""The body of a page of several results: what they found, one section per result, every run, every unit."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from itertools import groupby

import msgspec

from karat.data.composite import Items, Portrait
from karat.data.result import Result
from karat.progress import track
from karat.render.html import piece, prose, signature, table, warned

Links = Mapping[str, Mapping[str, str]]
"""The anchors of runs that have their own section, by what the runs answer."""


def body(result: Result) -> str:
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


def _runs(portraits: list[Portrait], links: Links, items: Items | None) -> str:
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


def _items(items: Items) -> str:
    """The units as data; a script lists them, and shows the details of one when it is opened."""
    # A text may contain what would end the element, so `<` is escaped as JSON allows.
    data = msgspec.json.encode(items).decode().replace("<", "\\u003c")
    return (
        f'<p class="note">Right and wrong are told {escape(items.way)}-way.</p>\n'
        '<noscript><p class="note">Pairs are listed by a script, which is switched off here.</p></noscript>\n'
        f'<div id="item-list"></div>\n<script type="application/json" id="item-data">{data}</script>\n'
    )
