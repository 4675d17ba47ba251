"""A page of several results: what they found, one section each, every run, every unit, and how all is computed."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

import msgspec

from karat.data.result import Items, Portrait, Result
from karat.render.html import fragment, prose, table


def body(result: Result) -> str:
    """What was found first, then the sections, the runs and the units, then what the report says of itself."""
    portraits, items = result.portraits(), result.shown_items()
    links = {portrait.run: f"run-{number}" for number, portrait in enumerate(portraits, start=1)}
    inside = {one.anchor: fragment(one.result, 3, one.anchor, links) for one in result.chapters()}
    headings = {one.anchor: one.heading for one in result.chapters()}
    if portraits:
        headings["runs"] = "Every run"
        inside["runs"] = "".join(_portrait(portrait, links, items is not None) for portrait in portraits)
    if items:
        headings["pairs"], inside["pairs"] = "Every pair", _items(items)
    headings["appendix"] = "Appendix"
    inside["appendix"] = "".join(table(sheet, 3, links=links) for sheet in result.sheets())
    parts = "".join(_section(anchor, heading, inside[anchor]) for anchor, heading in headings.items())
    return (
        f"<header><h1>{escape(result.heading)}</h1></header>\n<main>\n{_found(result, headings)}{parts}</main>\n"
        f'<footer id="signature"><p>{escape(str(result.signature))}</p></footer>\n'
    )


def _section(anchor: str, heading: str, inside: str) -> str:
    title = f'<h2 id="{anchor}-heading">{escape(heading)}</h2>'
    return f'<section id="{anchor}" aria-labelledby="{anchor}-heading">\n{title}\n{inside}</section>\n'


def _found(result: Result, headings: Mapping[str, str]) -> str:
    """What the results say together; then the menu, where each section says what should be seen first in it."""
    together = result.findings()
    said = {one.anchor: one.result.headlines() or one.result.findings()[:1] for one in result.chapters()}
    menu = "".join(
        f'<li><a href="#{anchor}">{escape(heading)}</a> '
        f"{prose(' '.join(sentence for sentence in said.get(anchor, []) if sentence not in together))}</li>\n"
        for anchor, heading in headings.items()
    )
    first = f'<ul class="first">{"".join(f"<li>{prose(sentence)}</li>" for sentence in together)}</ul>\n'
    listed = f'<nav aria-label="Sections"><ul>{menu}</ul></nav>\n'
    return _section("findings", "What was found", (first if together else "") + listed)


def _portrait(portrait: Portrait, links: Mapping[str, str], items: bool) -> str:
    """One run, closed until it is wanted; a link to what is inside opens it."""
    others = {run: where for run, where in links.items() if run != portrait.run}
    said = "".join(f"<li>{prose(sentence)}</li>" for sentence in portrait.findings)
    name = escape(portrait.run, quote=True)
    wrong = f'<p><a class="wrong" href="#pairs" data-run="{name}">The pairs it got wrong</a></p>\n' if items else ""
    sheets = "".join(table(sheet, 3, links=others) for sheet in portrait.sheets)
    return (
        f'<details class="run"><summary>{escape(portrait.run)}</summary>\n<div id="{links[portrait.run]}">\n'
        f'{f"<ul>{said}</ul>" if said else ""}{wrong}<div class="tiles">{sheets}</div></div></details>\n'
    )


def _items(items: Items) -> str:
    """The units as data; the script lists them, and makes what is shown of one when it is opened."""
    # A text may hold what would end the element: `<` is escaped as JSON allows.
    data = msgspec.json.encode(items).decode().replace("<", "\\u003c")
    return (
        '<noscript><p class="note">Pairs are listed by a script, which is switched off here.</p></noscript>\n'
        f'<div id="item-list"></div>\n<script type="application/json" id="item-data">{data}</script>\n'
    )
