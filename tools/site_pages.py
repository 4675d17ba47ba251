"""A hook of the site: pages are written for a repository, and what a site reads otherwise is put its way.

A link out of docs/ leads nowhere on a site: it becomes the name of the file. In the cells of tables Python-Markdown
takes a bar inside code for what it is, and shows the backslash that others need before it. Long lists and
decisions come last in a search, and a page without headings needs no column for them.
"""

from __future__ import annotations

import posixpath
import re
from typing import Any

LINK = re.compile(r"\[([^\]]+)\]\((\.\./[^)#]+)(#[^)]*)?\)")
ROW = re.compile(r"^\|.*$", re.M)
CODE = re.compile(r"`[^`\n]*`")
LISTS = {"calibration.md", "cli.md", "papers.md", "problems.md"}


def links_named(markdown: str, page: str) -> str:
    """The page with links that leave docs/ replaced by their words and the file's name."""

    def replace(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page), link[2]))
        return link[0] if target.startswith("docs/") else f"{link[1]} (`{target}`)"

    return LINK.sub(replace, markdown)


def bars_plain(markdown: str) -> str:
    """The page with no backslash before a bar that stands in code in a table."""
    return ROW.sub(lambda row: CODE.sub(lambda code: code[0].replace("\\|", "|"), row[0]), markdown)


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """What mkdocs calls for every page."""
    if page.file.src_uri in LISTS or page.file.src_uri.startswith("decisions/"):
        page.meta["search"] = {"boost": 0.001}
    if "\n## " not in markdown:
        page.meta["hide"] = ["toc"]
    return bars_plain(links_named(markdown, page.file.src_uri))
