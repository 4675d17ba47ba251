"""A page of several results: what they found, one section each, and how all of it is computed."""

from __future__ import annotations

from html import escape
from pathlib import Path

import msgspec

from karat.data.result import Items, Result
from karat.report.html import fragment, table

SCRIPT, STYLE_OF_PARTS = (Path(__file__).parent / name for name in ("page.js", "page.css"))
"""What makes tables sort and filter, and what only such a page needs of style; both stand in the page itself."""


def body(result: Result) -> str:
    """Findings by section first, then the sections, then what the report says of itself."""
    parts = result.chapters()
    found = "".join(_found(anchor, question, inside) for anchor, question, inside in parts)
    items = result.shown_items()
    places = [*((anchor, question) for anchor, question, _ in parts), *[("pairs", "Every pair")] * (items is not None)]
    menu = "".join(f'<li><a href="#{at}">{escape(name)}</a></li>' for at, name in [*places, ("appendix", "Appendix")])
    sections = "".join(
        f'<section id="{anchor}" aria-labelledby="{anchor}-heading">\n'
        f'<h2 id="{anchor}-heading">{escape(question)}</h2>\n{fragment(inside, level=3)}</section>\n'
        for anchor, question, inside in parts
    )
    listed = _items(items) if items else ""
    own = "".join(table(sheet, level=3) for sheet in result.sheets())
    return (
        f"<header><h1>{escape(result.heading)}</h1>\n"
        f'<nav aria-label="Sections"><ul class="menu">{menu}</ul></nav>\n'
        f"</header>\n<main>\n"
        f'<section id="findings" aria-labelledby="findings-heading">\n<h2 id="findings-heading">What was found</h2>\n'
        f"{found}</section>\n{sections}{listed}"
        f'<section id="appendix" aria-labelledby="appendix-heading">\n<h2 id="appendix-heading">Appendix</h2>\n'
        f"{own}</section>\n</main>\n<footer><p>{escape(str(result.signature))}</p></footer>\n"
    )


def _found(anchor: str, question: str, result: Result) -> str:
    """What one section found, under its question."""
    sentences = "".join(f"<li>{escape(sentence)}</li>" for sentence in result.findings())
    return f'<h3><a href="#{anchor}">{escape(question)}</a></h3>\n<ul>{sentences}</ul>\n' if sentences else ""


def _items(items: Items) -> str:
    """The units as data; the script lists them, and makes what is shown of one when it is opened."""
    # A text may hold what would end the element: `<` is escaped as JSON allows.
    data = msgspec.json.encode(items).decode().replace("<", "\\u003c")
    return (
        '<section id="pairs" aria-labelledby="pairs-heading">\n<h2 id="pairs-heading">Every pair</h2>\n'
        '<noscript><p class="note">Pairs are listed by a script, which is switched off here.</p></noscript>\n'
        f'<div id="item-list"></div>\n<script type="application/json" id="item-data">{data}</script>\n</section>\n'
    )
