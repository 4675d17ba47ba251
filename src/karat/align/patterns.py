"""Align patterns: match the expressions of one or more files with the questions, and report everything wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from karat.data.answers import NIL
from karat.data.patterns import Pattern, Patterns
from karat.data.questions import Questions
from karat.data.source import Source
from karat.errors import Problems
from karat.kernels.regex import accepts_everything


@dataclass
class PatternColumns:
    """What a reader found in a file of patterns: one row for each line, as spelled; "" where nothing is said."""

    file: str
    source: Source
    question: Sequence[str]
    spelled: Sequence[str]
    documents: Sequence[frozenset[str]]
    lines: Sequence[int]


def align_patterns(questions: Questions, parts: Sequence[PatternColumns], problems: Problems) -> Patterns | None:
    """The patterns of some files, each compiled, or None where a file has errors (all of them in `problems`).

    The same expression in several lines is one answer with all their documents. One that accepts every string is left
    out and counted.
    """
    found: dict[tuple[int, str], Pattern] = {}
    everywhere: set[tuple[int, str]] = set()
    nil: dict[int, tuple[str, int]] = {}
    wide = 0
    for part in parts:
        if not part.spelled and not problems.failed(part.file):
            problems.add("empty-file", "no patterns", file=part.file, what="at least one pattern")
        for row, name in enumerate(part.question):
            line, spelled = part.lines[row], part.spelled[row]
            place = questions.index.get(name)
            if place is None:
                if name not in questions.dropped:
                    problems.add("unknown-id", f"question {name!r}", file=part.file, line=line)
                continue
            problems.recognise(part.file)
            key = place, spelled
            if not spelled:
                problems.add("pattern", f"no expression for question {name!r}", file=part.file, line=line)
            elif spelled == NIL:
                nil.setdefault(place, (part.file, line))
            elif key in found or _compiled(Pattern(*key), name, part.file, line, problems):
                before = found.get(key, Pattern(*key))
                found[key] = replace(before, documents=before.documents | part.documents[row])
                if not part.documents[row]:  # supported by every document, whatever other lines name
                    everywhere.add(key)
            else:
                wide += 1
    answered = {question for question, _ in found}
    for place, (file, line) in nil.items():
        if place in answered:
            told = f"NIL beside other patterns of question {questions.questions[place].id!r}"
            problems.add("nil-key", told, file=file, line=line, what="incorrect, since one is right")
    if any(problems.failed(part.file) for part in parts):
        return None
    return Patterns(
        units=tuple(questions.index),
        patterns=tuple(replace(one, documents=frozenset()) if key in everywhere else one for key, one in found.items()),
        nil=frozenset(nil) - answered,
        left_out=wide,
        sources=tuple(part.source for part in parts),
    )


def _compiled(pattern: Pattern, name: str, file: str, line: int, problems: Problems) -> bool:
    """Whether a pattern can judge answers; what is wrong with it is reported here, with its line."""
    try:
        wide = accepts_everything(pattern.regex)
    except ValueError as error:
        problems.add("pattern", f"{pattern.spelled!r} of question {name!r}: {error}", file=file, line=line)
        return False
    if wide:
        problems.add("wide-pattern", f"{pattern.spelled!r} of question {name!r}", file=file, line=line)
    return not wide
