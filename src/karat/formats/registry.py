"""The registry of formats, and how a file finds its reader."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from karat.errors import Problems
from karat.formats.documents import Document, Head
from karat.registry import Entry, Registry

pair_formats = Registry("pair format", "sniff", "write", "what")
run_formats = Registry("run format", "sniff", "write", "what")


class Fit(Enum):
    """How sure a format is that a file is its own."""

    CERTAIN = 2
    POSSIBLE = 1
    NO = 0


Sniff = Callable[[Head], Fit]


def find_format(registry: Registry, document: Document, named: str | None, problems: Problems) -> Entry | None:
    """The named format, or the one that is certain; else the only one that is possible; else a problem."""
    if named is not None:
        return registry[named]
    if not document.data or document.data.isspace():
        what = "a test set" if registry is pair_formats else "a run"
        problems.add("empty-file", "an empty file", file=document.name, what=what)
        return None
    option = "--reader" if registry is pair_formats else "--run-reader"
    fix = f"name the format: {option} NAME"
    fits = {entry.name: entry.facts["sniff"](document.head) for entry in registry}
    for wanted in (Fit.CERTAIN, Fit.POSSIBLE):
        candidates = [name for name, fit in fits.items() if fit is wanted]
        if len(candidates) == 1:
            return registry[candidates[0]]
        if candidates:
            found = f"what could be {' or '.join(candidates)}"
            problems.add("format", found, file=document.name, what="a file of one format", fix=fix)
            return None
    found = f"{document.head.first_line[:60]!r} at the beginning"
    what = f"one of the {registry.kind}s {', '.join(fits)}"
    column = "--column text=NAME" if registry is pair_formats else "--run-column label=NAME"
    problems.add("format", found, file=document.name, what=what, fix=f"{fix}, or a table's columns: {column}")
    return None
