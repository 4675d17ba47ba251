"""The parts of a composite result for rendering: its chapters, and every run by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from karat.data.result import Finding, Result, Sheet


@dataclass(frozen=True)
class Chapter:
    """A result as part of another: its anchor on the page, and the question it answers as heading."""

    anchor: str
    heading: str
    result: Result
    about: str = ""
    """Whose runs it is about: elsewhere, a run of the same name is a different one."""
    note: str = ""
    """What a reader has to know first."""


@dataclass(frozen=True)
class Portrait:
    """One run, and everything the parts say about it."""

    run: str
    about: str
    """What the run answers."""
    findings: tuple[Finding, ...]
    sheets: tuple[Sheet, ...]


def runs_by_rank(chapters: Sequence[Chapter], portraits: Sequence[Portrait], about: str) -> tuple[str, ...]:
    """The runs on some units in the order of their first leaderboard, then those that are on none."""
    boards = [board for one in chapters if one.about == about and (board := one.result.board())]
    ranked = [entry.run for board in boards for entry in board.entries]
    return tuple(dict.fromkeys([*ranked, *(one.run for one in portraits if one.about == about)]))
