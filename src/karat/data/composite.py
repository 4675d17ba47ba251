"""The parts of a composite result for rendering: its chapters, and every run by itself."""

from __future__ import annotations

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
