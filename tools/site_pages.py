"""A hook of the site, which adapts pages written for a repository.

A link out of docs/ leads nowhere on a site, so it becomes the name of the file. In table cells, Python-Markdown
reads a bar inside code literally, and would show the backslash that other readers need before it. Long lists and
decisions come last in a search, and a page without headings has no table of contents.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

LINK = re.compile(r"\[([^\]]+)\]\((\.\./[^)#]+)(#[^)]*)?\)")
ROW = re.compile(r"^\|.*$", re.M)
CODE = re.compile(r"`[^`\n]*`")
MENU = Path(__file__).parent.parent / "mkdocs.yml"
ENTRY = re.compile(r"^ +- (.+): (\S+\.md)$", re.M)
LISTS = {"calibration.md", "cli.md", "papers.md", "problems.md"}


def titles() -> dict[str, str]:
    """What the menu calls each page, which is its title."""
    return {page: title for title, page in ENTRY.findall(MENU.read_text(encoding="utf-8"))}


def links_named(markdown: str, page: str) -> str:
    """The page with links out of docs/ replaced by their text and the file's name."""

    def replace(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page), link[2]))
        return link[0] if target.startswith("docs/") else f"{link[1]} (`{target}`)"

    return LINK.sub(replace, markdown)


def bars_plain(markdown: str) -> str:
    """The page without the backslash before a bar inside code in a table."""
    return ROW.sub(lambda row: CODE.sub(lambda code: code[0].replace("\\|", "|"), row[0]), markdown)


def on_post_page(output: str, **_: Any) -> str:
    """Called by mkdocs for every page that is built: the theme's search has a name for people who hear the page."""
    return output.replace(
        'data-md-component="search" role="dialog"', 'data-md-component="search" role="dialog" aria-label="Search"'
    )


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Called by mkdocs for every page."""
    if page.file.src_uri in LISTS or page.file.src_uri.startswith("decisions/"):
        page.meta["search"] = {"boost": 0.001}
    if "\n## " not in markdown:
        page.meta["hide"] = ["toc"]
    return bars_plain(links_named(markdown, page.file.src_uri))
