"""Pages: one self-contained file, readable on a phone, in dark mode and on paper.

A page of several results has a menu, a first screen, one section per result, every run and every unit.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from html import escape
from itertools import groupby
from pathlib import Path
from urllib.parse import urlencode

import msgspec

from karat.data.composite import Chapter, Graded, Opening, Portrait, View, runs_by_rank
from karat.data.explored import Explored
from karat.data.result import Result
from karat.labels import IN_WORDS
from karat.progress import track
from karat.render.bibliography import bibliography, citation_keys
from karat.render.escaped import Sections, named, prose
from karat.render.figures.palette import DARK, LIGHT, variables
from karat.render.html import folded, fragment, piece, sentence, signature, table, warned
from karat.render.leaderboard import board_names, leaderboard, standing

HERE = Path(__file__).parent


def _joined(*names: str) -> str:
    return "\n".join((HERE / name).read_text("utf-8") for name in names)


TABLES = _joined("page.js", "export.js")
"""The script of a page of tables, …"""
SCRIPT = "\n".join([TABLES, _joined("explored.js", "explorer.js")])
"""… and of one with units to explore."""
STYLE = (
    f":root {{ color-scheme: light dark; {variables(LIGHT)} }}\n"
    f"@media (prefers-color-scheme: dark) {{ :root {{ {variables(DARK)} }} }}\n"
    f"{_joined('page.css', 'board.css', 'explorer.css')}"
)
Links = Mapping[str, Mapping[str, str]]
"""The anchors of runs that have their own section, by what the runs answer."""
MENU = '<nav class="menu" aria-label="Sections"><ul>'
INSTEAD = 2
"""The findings that a page without a ranking opens with."""
ATTENTION = ("caution", "bad")
"""Grades at which the menu has a mark."""
MARKED = "a reason for caution: about the test set, the lead, the choices, the key or the judge"


def page(result: Result, date: str = "") -> str:
    """The result as a complete page; the parts of a composite result are its sections."""
    if result.chapters():
        return _whole(result.heading, body(result, date), SCRIPT)
    signed = result.signature
    facts = [f"karat {signed.study}", f"version {signed.version}", date, f"signature {signed.short.split()[-1]}"]
    line = " · ".join(escape(fact) for fact in facts if fact)
    head = f'<h1>{escape(result.heading)}</h1>\n<p class="facts">{line}</p>\n'
    whole = f"<main>\n{head}{fragment(result)}{_bibliography(result)}</main>\n"
    return _whole(result.heading, whole, TABLES)


def policy(script: str) -> str:
    """The content security policy of a page: it may be displayed and run the one script that karat wrote.

    Figures have style attributes, which cannot be allowed by a hash; but anything they could load is forbidden.
    """
    allowed = f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
        "form-action 'none'"
    )


def _whole(title: str, body: str, script: str) -> str:
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy(script)}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}<script>{script}</script></body>\n</html>\n"
    )


def body(result: Result, date: str = "") -> str:
    """The menu and the first screen, then the sections, the runs and the units, then the report's own tables."""
    chapters, portraits, pairs = result.chapters(), result.portraits(), result.explored()
    links: dict[str, dict[str, str]] = {chapter.about: {} for chapter in chapters}
    runs = {about: runs_by_rank(chapters, portraits, about) for about in links}
    portraits = sorted(portraits, key=lambda one: (list(links).index(one.about), runs[one.about].index(one.run)))
    for number, portrait in enumerate(portraits, start=1):
        links[portrait.about][portrait.run] = f"run-{number}"
    sections = {
        about: {f"karat {one.result.study}": (one.anchor, one.heading) for one in chapters if one.about == about}
        for about in links
    }
    opening = result.first_screen() or Opening((), (), ())
    headings = {one.anchor: one.heading for one in chapters}
    told = _told(result, opening, chapters)
    on_top = {view.board.measure for view in opening.views}
    inside = {
        one.anchor: _note(one.note)
        + piece(
            one.result,
            3,
            one.anchor,
            links[one.about],
            brief=True,
            board_on_top=_on_top(one.result, on_top),
            runs=runs[one.about],
            sections=sections[one.about],
            told=told,
        )
        for one in track(chapters, lambda one: f"drawing {one.anchor}")
    }
    if portraits:
        ranked = max((len(view.board.entries) for view in opening.views), default=0)
        shown = sum(one.about == portraits[0].about for one in portraits)
        headings["runs"] = "Every run" if shown >= ranked else f"The {shown:,} leading runs"
        inside["runs"] = _runs(portraits, links, pairs, opening.views, sections)
    if pairs:
        headings["pairs"], inside["pairs"] = f"Errors: all {len(pairs.ids):,} pairs", explorer(pairs)
    headings["appendix"] = "Methods and signatures"
    own = links[chapters[0].about] if len(links) == 1 or pairs else {}
    inside["appendix"] = "".join(folded(sheet.title, table(sheet, 3, links=own)) for sheet in result.sheets())
    signed = {"report": result.signature, **{one.anchor: one.result.signature for one in chapters}}
    inside["appendix"] += "".join(signature(one, anchor) for anchor, one in signed.items()) + _bibliography(result)
    marked = [*opening.attention, *(one.section for one in opening.grades if one.grade.level in ATTENTION)]
    parts = "".join(_section(anchor, heading, inside[anchor]) for anchor, heading in headings.items())
    first = _first_screen(result, opening, links[chapters[0].about], date)
    return f'{_menu(headings, marked)}<main>\n<header id="result">\n{first}</header>\n{parts}</main>\n'


def _told(result: Result, opening: Opening, chapters: Sequence[Chapter]) -> set[str]:
    """Findings of sections that the first screen tells: its first sentences, and who leads runs that are compared."""
    if not opening.views:
        return set(result.findings()[:INSTEAD])
    compared = {one.about for one in chapters if one.result.board() is not None}
    return {said for one in chapters if one.about in compared for said in one.result.findings() if said.leads}


def _on_top(result: Result, measures: set[str]) -> bool:
    """Whether the leaderboard of a result is on the first screen."""
    board = result.board()
    return board is not None and board.measure in measures


def _menu(headings: Mapping[str, str], marked: Sequence[str]) -> str:
    """The sections, with a mark at those that need attention."""
    mark = f'<span class="mark" title="{MARKED}">!</span>'
    listed = "".join(
        f'<li><a href="#{anchor}">{escape(heading)}{mark * (anchor in marked)}</a></li>\n'
        for anchor, heading in {"result": "Result", **headings}.items()
    )
    return f"{MENU}{listed}</ul></nav>\n"


def linked_back(whole: bytes, address: str, words: str) -> bytes:
    """A page of several results with a link to where it belongs at the top of its menu; one in a file has none."""
    link = f'<li><a href="{escape(address)}">{escape(words)}</a></li>\n'
    return whole.replace(MENU.encode(), f"{MENU}{link}".encode(), 1)


def _first_screen(result: Result, opening: Opening, links: Mapping[str, str], date: str) -> str:
    signed = result.signature
    facts = [*opening.facts, date, f"karat {signed.version}", f"signature {signed.short.split()[-1]}"]
    line = " · ".join(escape(fact) for fact in facts if fact)
    views = opening.views
    several = len(views) > 1
    switch = "".join(
        f'<label><input type="radio" name="way" id="way-{view.board.way}"{" checked" * (place == 0)}> '
        f"{IN_WORDS.get(view.board.way or '', '')}</label>"
        for place, view in enumerate(views)
    )
    shown = "".join(_view(view, links, several) for view in views)
    beside = result.beside()
    return (
        f'<h1>{escape(result.heading)}</h1>\n<p class="facts">{line}</p>\n'
        + (f'<fieldset class="switch"><legend>Scored</legend>{switch}</fieldset>\n' if several else "")
        + "".join(
            f'<div{_way_class(view, several)}><p class="verdict">{prose(view.verdict, short=short)}</p>\n'
            f'<p class="resolution">{prose(view.resolution, short=short)}</p></div>\n'
            for view in views
            for short in [board_names(view.board.runs)]
        )
        + "".join(_instead(result.findings()) if not views else ())
        + (f'<div class="grades">{"".join(map(_tile, opening.grades))}</div>\n' if opening.grades else "")
        + shown
        + _rules(opening.grades)
        + (f'<ul class="found">{"".join(map(sentence, beside))}</ul>\n' if beside else "")
        + warned(result)
    )


def _instead(findings: Sequence[str]) -> Iterator[str]:
    """The first findings, where there is no ranking to open with."""
    for kind, said in zip(("verdict", "resolution"), findings[:INSTEAD], strict=False):
        yield f'<p class="{kind}">{prose(said)}</p>\n'


def _way_class(view: View, several: bool) -> str:
    return f' class="way-{view.board.way}"' if several else ""


def _view(view: View, links: Mapping[str, str], several: bool) -> str:
    board = view.board
    way = f"{IN_WORDS[board.way]} " if board.way else ""
    return f"<div{_way_class(view, several)}>\n{leaderboard(board, links, f'{way}{board.heading}')}</div>\n"


def _tile(graded: Graded) -> str:
    one, way = graded.grade, f" way-{graded.way}" if graded.way else ""
    return (
        f'<a class="grade {one.level}{way}" href="#{graded.section}" title="{escape(one.rule, quote=True)}">'
        f"<strong>{escape(one.part)}: {escape(one.word)}</strong><span>{prose(one.text)}</span></a>\n"
    )


def _rules(grades: Sequence[Graded]) -> str:
    """The rules of the grades for paper, where nothing appears under a pointer."""
    rules = {one.grade.part: one.grade.rule for one in grades}
    told = "".join(f"<p><strong>{escape(part)}.</strong> {escape(rule)}</p>\n" for part, rule in rules.items())
    return f'<div class="rules">{told}</div>\n' if told else ""


def _bibliography(result: Result) -> str:
    """The BibTeX entries of all sections as data, from which a script takes those of one table."""
    cited_by = {one.anchor: citation_keys(one.result.citations()) for one in result.chapters()}
    cited_by["result"] = citation_keys(result.citations())
    entries = {key: bibliography()[key] for keys in cited_by.values() for key in keys}
    data = msgspec.json.encode({"entries": entries, "sections": cited_by}).decode().replace("<", "\\u003c")
    return f'<script type="application/json" id="bibliography">{data}</script>\n'


def _note(text: str) -> str:
    return f'<p class="note">{prose(text)}</p>\n' if text else ""


def _section(anchor: str, heading: str, inside: str) -> str:
    title = f'<h2 id="{anchor}-heading">{escape(heading)}</h2>'
    return f'<section id="{anchor}" aria-labelledby="{anchor}-heading">\n{title}\n{inside}</section>\n'


def _runs(
    portraits: list[Portrait],
    links: Links,
    pairs: Explored | None,
    views: Sequence[View],
    sections: Mapping[str, Sections],
) -> str:
    """The runs, grouped by what they answer."""
    made = []
    for about, group in groupby(portraits, key=lambda portrait: portrait.about):
        made.append(f"<h3>{escape(f'Runs on the {about}')}</h3>\n" if len(links) > 1 else "")
        short = board_names(tuple(links[about]))
        for portrait in group:
            others = {run: where for run, where in links[about].items() if run != portrait.run}
            listed = pairs is not None and about == portraits[0].about and portrait.run in pairs.answers
            stands = _stands(views, portrait.run) if about == portraits[0].about else ""
            level = 4 if len(links) > 1 else 3
            said = "".join(sentence(one, sections[about], short) for one in portrait.findings)
            stands += f"<ul>{said}</ul>" if said else ""
            made.append(_portrait(portrait, links[about][portrait.run], others, listed, level, stands))
    return "".join(made)


def _stands(views: Sequence[View], run: str) -> str:
    """How a run stands on the first screen, in every way."""
    lines = [(view, standing(view.board, run)) for view in views]
    return "".join(f"<p{_way_class(view, len(views) > 1)}>{named(line)}</p>\n" for view, line in lines if line)


def _portrait(portrait: Portrait, anchor: str, others: Mapping[str, str], listed: bool, level: int, said: str) -> str:
    """One run, folded, with what is said about it; a link to its content opens it."""
    wrong = f'<p><a href="{escape(wrong_by(portrait.run))}">The pairs it got wrong</a></p>\n' if listed else ""
    sheets = "".join(table(sheet, level, links=others) for sheet in portrait.sheets)
    return (
        f'<details class="run"><summary>{named(portrait.run)}</summary>\n<div id="{anchor}">\n'
        f'{said}{wrong}<div class="tiles">{sheets}</div></div></details>\n'
    )


def explorer(pairs: Explored) -> str:
    """The pairs as data, and the place where `explorer.js` lists them."""
    # A text may contain what would end the element, so `<` is escaped as JSON allows.
    data = msgspec.json.encode(pairs).decode().replace("<", "\\u003c")
    return (
        '<noscript><p class="note">The pairs are listed by a script, and scripts are switched off.</p></noscript>\n'
        f'<div id="explorer"></div>\n<script type="application/json" id="explorer-data">{data}</script>\n'
    )


def wrong_by(run: str) -> str:
    """The address of the list of pairs that a run got wrong."""
    return f"#pairs?{urlencode({'wrong': run})}"
