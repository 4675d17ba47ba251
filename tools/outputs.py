"""Fills in what commands print, on pages that are otherwise written by hand.

A comment below a block marked `sh` asks for it, and `make docs` writes the block marked `output` below the comment:

    <!-- prints: 2 paragraphs, 1 finding -->

It holds the first paragraphs of what the first command of the block prints on a terminal, then its first findings, with
three dots for what is left out.
"""

from __future__ import annotations

import io
import re
from itertools import takewhile
from pathlib import Path

from karat.data.result import Result
from karat.render.characters import Terminal
from karat.render.text import show
from tools.examples import result_of

ROOT = Path(__file__).parent.parent
WIDTH = 96
"""Columns of the terminal: as many as fit on the site, and on a page of a repository."""
BULLET = "• "
ASKED = re.compile(
    r"(?P<before>^```sh\nkarat (?P<command>\w+) ?(?P<arguments>(?:[^\n\\]|\\\n)*)\n(?:(?!```).*\n)*```\n\n"
    r"<!-- prints: (?P<paragraphs>\d+) paragraphs?(?:, (?P<findings>\d+) findings?)? -->\n\n)"
    r"```output\n(?:(?!```).*\n)*```$",
    re.M,
)


def printed(result: Result) -> list[str]:
    """The lines that a terminal would show, without colour."""
    console = Terminal(file=io.StringIO(), width=WIDTH, no_color=True)
    show(result, console)
    assert isinstance(console.file, io.StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def excerpt(lines: list[str], paragraphs: int, findings: int) -> list[str]:
    """The first paragraphs and the first findings; dots for the rest."""
    starts = [place for place, line in enumerate(lines) if line and not (place and lines[place - 1])]
    bullets = [place for place, line in enumerate(lines) if line.startswith(BULLET)]
    if paragraphs > len(starts) or findings > len(bullets):
        raise LookupError(f"there are {len(starts)} paragraphs and {len(bullets)} findings only")
    ends = [*starts, bullets[0] if bullets else len(lines)]
    shown = lines[: min(ends[paragraphs], ends[-1])]
    while shown and not shown[-1]:
        shown.pop()
    said = [line for place in bullets[:findings] for line in _finding(lines, place)]
    return [*shown, *(["…"] if shown else []), *said, *(["…"] if said else [])]


def _finding(lines: list[str], place: int) -> list[str]:
    """A finding and the lines that it continues on."""
    more = takewhile(
        lambda line: line and not line.startswith((BULLET, "karat ", "– ", "signature: ")), lines[place + 1 :]
    )
    return [lines[place], *more]


def with_outputs(page: str) -> str:
    """A page with what its commands print today."""

    def fill(found: re.Match[str]) -> str:
        arguments = found["arguments"].replace("\\\n", " ").partition(" #")[0]
        lines = printed(result_of(found["command"], arguments))
        shown = excerpt(lines, int(found["paragraphs"]), int(found["findings"] or 0))
        return f"{found['before']}```output\n" + "".join(f"{line}\n" for line in shown) + "```"

    return ASKED.sub(fill, page)


def refreshed(name: str) -> str:
    """A written page of the repository, with what its commands print today."""
    return with_outputs((ROOT / name).read_text(encoding="utf-8"))


def pages_with_outputs() -> list[str]:
    """The written pages that show what a command prints."""
    files = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    return [file.relative_to(ROOT).as_posix() for file in files if "<!-- prints: " in file.read_text(encoding="utf-8")]
