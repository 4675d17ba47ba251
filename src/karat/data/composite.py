"""The parts of a composite result for rendering: its chapters, every run by itself, and the units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


@dataclass(frozen=True)
class UnitAnswers:
    """The units of a test set with all answers, as columns; a page shows the details of one when it is opened."""

    ids: Sequence[str]
    texts: Sequence[str]
    hypotheses: Sequence[str]
    """Texts and hypotheses are empty if the key has only ids and labels."""
    labels: tuple[str, ...]
    """The meaning of the letters: a is the first label, b the second; a dash is none."""
    key: str
    """One letter per unit."""
    answers: Mapping[str, str]
    """For each run, one letter per unit."""
    way: str
    """The way in which answers are right or wrong, as everywhere else on the page."""
    right: Mapping[str, str]
    """For each run and unit, 1 if it is right, 0 if not, a dash if unknown."""
    assessors: Mapping[str, str]
    """For each assessor, one letter per unit."""
