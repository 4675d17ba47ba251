"""The registries of formats, a kind of file each, and how a file finds its reader."""

from __future__ import annotations

from enum import Enum

from karat.errors import Problems
from karat.formats.documents import Document
from karat.registry import Entry, Registry


class Fit(Enum):
    """How sure a format is that a file is its own."""

    CERTAIN = 2
    POSSIBLE = 1
    NO = 0


class Formats(Registry):
    """The formats of one kind of file, and the words that errors about such files need."""

    def __init__(
        self, kind: str, noun: str, option: str | None = None, columns: str | None = None, header: str | None = None
    ) -> None:
        """`noun` is what such a file holds; `option` names the format, `columns` a table's columns, where one does.

        `header` is the first line of a table of this kind.
        """
        super().__init__(f"{kind} format", "sniff", "write", "what")
        self.holds = kind
        self.noun = noun
        named = f"name the format: {option} NAME" if option else "check that the right file was given"
        self.fix = named
        self.fix_unknown = f"{named}, or a table's columns: {columns}" if columns else named
        if header:
            self.fix_unknown = f"{named}; a table begins with the header {header.replace(' ', ', ')}"


pair_formats = Formats("pair", "a test set", "--reader", "--column text=NAME")
run_formats = Formats("run", "a run", "--run-reader", "--run-column label=NAME")
question_formats = Formats("question", "questions", "--question-reader", header="id series target kind type question")
answer_formats = Formats("answer", "answers to the questions", header="run qid rank doc answer")
verdict_formats = Formats("verdict", "judged answers", header="qid doc answer verdict group")
pattern_formats = Formats("pattern", "answer patterns")
nugget_formats = Formats("nugget", "nuggets", header="qid nugget assessor importance text")
match_formats = Formats("match", "nuggets matched with answers", header="run qid nugget assessor degree")
FORMATS = (
    pair_formats,
    run_formats,
    question_formats,
    answer_formats,
    verdict_formats,
    pattern_formats,
    nugget_formats,
    match_formats,
)
"""Every kind of file whose format is found by looking at it."""


def known(formats: Formats, document: Document) -> bool:
    """Whether any format could read a document."""
    return any(entry.facts["sniff"](document.head) is not Fit.NO for entry in formats)


def find_format(formats: Formats, document: Document, named: str | None, problems: Problems) -> Entry | None:
    """The named format, or the one that is certain; else the only one that is possible; else a problem."""
    if named is not None:
        return formats[named]
    if not document.data or document.data.isspace():
        problems.add("empty-file", "an empty file", file=document.name, what=formats.noun)
        return None
    fits = {entry.name: entry.facts["sniff"](document.head) for entry in formats}
    for wanted in (Fit.CERTAIN, Fit.POSSIBLE):
        candidates = [name for name, fit in fits.items() if fit is wanted]
        if len(candidates) > 1 or (candidates and wanted is Fit.CERTAIN and formats is not pattern_formats):
            problems.recognise(document.name)  # but a number and a word, which may be a pattern, prove nothing
        if len(candidates) == 1:
            return formats[candidates[0]]
        if candidates:
            found = f"what could be {' or '.join(candidates)}"
            problems.add("format", found, file=document.name, what="a file of one format", fix=formats.fix)
            return None
    found = "a beginning that none of them has"
    what = f"one of the {formats.kind}s {', '.join(fits)}"
    problems.add("format", found, file=document.name, what=what, fix=formats.fix_unknown)
    return None
