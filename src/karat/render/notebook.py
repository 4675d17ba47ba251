"""Notebooks: a result below a cell, in its own styles, light or dark, which touch nothing around it."""

from __future__ import annotations

from functools import cache
from html import escape
from pathlib import Path

from karat.data.result import Result
from karat.render.figures.palette import DARK, LIGHT, variables
from karat.render.html import folded, piece, prose, warned
from karat.render.leaderboard import leaderboard


@cache
def style() -> str:
    """The styles of a page inside `.karat`, in the theme of JupyterLab or VS Code, or else in that of the browser."""
    light, dark = variables(LIGHT), variables(DARK)
    rules = (Path(__file__).parent / "page.css").read_text("utf-8")
    return (
        f".karat {{ color-scheme: light; {light} }}\n"
        f"@media (prefers-color-scheme: dark) {{ .karat {{ color-scheme: dark; {dark} }} }}\n"
        f"[data-jp-theme-light=true] .karat, .vscode-light .karat {{ color-scheme: light; {light} }}\n"
        f"[data-jp-theme-light=false] .karat, .vscode-dark .karat {{ color-scheme: dark; {dark} }}\n"
        ".karat { font: 14px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); padding: .5rem;\n"
        f"{rules}\n}}\n"
    )


def render(result: Result) -> str:
    """The findings, the leaderboard, the first figure and the first table; everything else opens."""
    opening, anchor = result.first_screen(), result.study or "result"
    parts = [warned(result)]
    for view in opening.views if opening else ():
        parts.append(
            f'<p class="verdict">{prose(view.verdict)}</p>\n<p class="resolution">{prose(view.resolution)}</p>\n'
        )
        parts.append(leaderboard(view.board, {}, view.board.heading))
    parts += [
        folded(chapter.heading, piece(chapter.result, 3, f"{anchor}-{chapter.anchor}", brief=True))
        for chapter in result.chapters()
    ]
    parts.append(piece(result, 3, anchor, brief=True, open_beside_board=True))
    return (
        f'<style>{style()}</style>\n<div class="karat" aria-label="{escape(result.heading)}">\n{"".join(parts)}</div>\n'
    )
