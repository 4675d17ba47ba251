"""Notebooks: a result below a cell, in its own styles, light or dark, which touch nothing around it."""

from __future__ import annotations

from functools import cache
from html import escape
from pathlib import Path

from karat.data.composite import View
from karat.data.result import Result
from karat.labels import IN_WORDS
from karat.render.escaped import prose
from karat.render.figures.palette import in_theme
from karat.render.html import folded, piece, signature, warned
from karat.render.leaderboard import board_names, leaderboard

HERE = Path(__file__).parent


@cache
def style() -> str:
    """The styles of a page inside `.karat`, in the theme of JupyterLab or VS Code, or else in that of the browser."""
    rules = "\n".join((HERE / name).read_text("utf-8") for name in ("page.css", "board.css"))
    return (
        in_theme(".karat")
        # Three times, so that these rules are stronger than the ones that JupyterLab has for all tables and headings.
        + ".karat.karat.karat { font: 14px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);"
        " padding: .5rem;\n"
        f"{rules}\n}}\n"
    )


def render(result: Result) -> str:
    """Findings, leaderboard, the first figure and table, and all else closed; of a report, what it opens with."""
    anchor = result.study or "result"
    shown = (
        _report(result, anchor) if result.chapters() else piece(result, 3, anchor, brief=True, open_beside_board=True)
    )
    named = escape(result.heading, quote=True)
    return f'<style>{style()}</style>\n<div class="karat" aria-label="{named}">\n{warned(result)}{shown}</div>\n'


def _report(result: Result, anchor: str) -> str:
    """The verdict and the leaderboard, findings of no section, and what opens: the other way, and the sections."""
    opening = result.first_screen()
    views = opening.views if opening else ()
    found = "".join(f"<li>{prose(one)}</li>\n" for one in result.beside())
    closed = [(f"Scored {IN_WORDS.get(view.board.way or '', '')}", _view(view)) for view in views[1:]]
    closed += [
        (chapter.heading, piece(chapter.result, 3, f"{anchor}-{chapter.anchor}", brief=True))
        for chapter in result.chapters()
    ]
    return (
        "".join(map(_view, views[:1]))
        + f'<ul class="found">{found}</ul>\n' * bool(found)
        + "".join(folded(heading, inside) for heading, inside in closed)
        + signature(result.signature, anchor)
    )


def _view(view: View) -> str:
    short = board_names(view.board.runs)
    said = {"verdict": view.verdict, "resolution": view.resolution}
    words = "".join(f'<p class="{kind}">{prose(text, short=short)}</p>\n' for kind, text in said.items())
    return words + leaderboard(view.board, {}, view.board.heading)
