"""What a result that is made of others hands to the edges: its parts, every run by itself, and the units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from karat.data.result import Finding, Result, Sheet


@dataclass(frozen=True)
class Chapter:
    """A result as a part of another: what it is found by on a page, and the question that it answers."""

    anchor: str
    heading: str
    result: Result
    about: str = ""
    """Whose runs it is about: a run of the same name elsewhere is another one."""
    note: str = ""
    """What a reader has to know before anything else in it."""


@dataclass(frozen=True)
class Portrait:
    """One run, and whatever the parts have to say of it."""

    run: str
    about: str
    """What the run answers."""
    findings: tuple[Finding, ...]
    sheets: tuple[Sheet, ...]


@dataclass(frozen=True)
class Items:
    """The units of a test set with everybody's answers, as columns: a page shows one when it is opened."""

    ids: Sequence[str]
    texts: Sequence[str]
    hypotheses: Sequence[str]
    """Nothing in either where the key has ids and labels alone."""
    labels: tuple[str, ...]
    """What the letters stand for: a is the first label, b the second; a dash is none."""
    key: str
    """A letter for each unit."""
    answers: Mapping[str, str]
    """For each run a letter a unit."""
    way: str
    """In which right and wrong are told: as everywhere else on the page."""
    right: Mapping[str, str]
    """For each run 1 where it is right, 0 where not, a dash where nothing can be told."""
    assessors: Mapping[str, str]
    """For each assessor a letter a unit."""
