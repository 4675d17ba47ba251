"""Answer patterns: a question's id and a regular expression a line, several lines a question.

The documents that support an answer may follow. Where tabs divide the line they are all that follows a second tab. Else
they are the last words of the line that are spelled as the document ids of the TREC collections are (APW19980601.0001,
XIN_ENG_20050101.0001, FT923-5797, LA010190-0001); any other word is part of the expression. The same expression in
several lines is one answer with all their documents. Capital and small letters differ, unless a pattern says `(?i)`.
A line `ID NIL` says that no answer is known.
"""

from __future__ import annotations

import re
from dataclasses import replace

from karat.data.answers import NIL
from karat.data.patterns import Pattern, Patterns
from karat.data.questions import Questions
from karat.errors import Problems
from karat.formats.documents import Document, Head
from karat.formats.question_table import QUESTION_IDS
from karat.formats.registry import Fit, pattern_formats

_DOCUMENT = re.compile(
    r"(?:AFP|APW|CNA|LTW|NYT|XIE|XIN)(?:_ENG_)?\d{8}\.\d{4}"  # newswire of TREC 2002 to 2007
    r"|(?:AP|WSJ|LA)\d{6}-\d{4}|FT\d{3}-\d{1,5}|FBIS\d-\d{1,5}|SJMN\d{2}-\d{5,8}|FR\d{5,6}-\d-\d{5}"  # of 1999 to 2001
    r"|BLOG06-\d{8}-\d{3}-\d{10}"
)


def sniff(head: Head) -> Fit:
    """Certain of a number and something after it, possible wherever a line has two words."""
    if head.is_parquet or head.json_object or head.is_xml:
        return Fit.NO
    if re.match(r"\s*\d[\w.]*\s+\S", head.first_line):
        return Fit.CERTAIN
    return Fit.POSSIBLE if len(head.first_line.split(None, 1)) > 1 else Fit.NO


def write(patterns: Patterns) -> bytes:
    """A line a pattern, tabs between id, expression and documents."""
    lines = []
    for one in patterns.patterns:
        regex = one.spelled.replace("\t", r"\t").replace("\n", r"\n")
        fields = [patterns.units[one.question], regex, " ".join(sorted(one.documents))]
        lines.append("\t".join(fields).rstrip("\t") + "\n")
    return "".join(lines).encode()


@pattern_formats.register("patterns", sniff=sniff, write=write, what="an id, a regular expression, documents if any")
def read(document: Document, against: Questions, problems: Problems) -> Patterns | None:
    """Read answer patterns, each compiled."""
    file = document.name
    found: dict[tuple[int, str], Pattern] = {}
    supported: dict[tuple[int, str], frozenset[str] | None] = {}
    nil: dict[int, int] = {}
    for number, line in enumerate(document.lines(problems) or [], 1):
        name, spelled, documents = split_line(line)
        if not name or (number == 1 and name in QUESTION_IDS and name not in against.index):
            continue  # nothing, or a header
        if name not in against.index:
            if name not in against.dropped:
                problems.add("unknown-id", f"question {name!r}", file=file, line=number)
            continue
        if not spelled:
            problems.add("pattern", f"{line.strip()!r}, no expression", file=file, line=number)
            continue
        key = against.index[name], spelled
        if spelled == NIL:
            nil.setdefault(key[0], number)
            continue
        if key not in found:
            pattern = Pattern(*key)
            try:
                _ = pattern.regex  # compiled here, so that the line is told
            except ValueError as error:
                problems.add("pattern", f"{spelled!r} of question {name!r}: {error}", file=file, line=number)
                continue
            found[key] = pattern
            supported[key] = documents or None
            continue
        # Without documents a pattern is supported by all; one line that says so says it for all.
        before = supported[key]
        supported[key] = None if before is None or not documents else before | documents
    if not found and not nil and not problems.failed(file):
        problems.add("empty-file", "no patterns", file=file, what="at least one pattern")
    answered = {question for question, _ in found}
    for question, number in nil.items():
        if question in answered:
            told = f"NIL beside other patterns of question {against.questions[question].id!r}"
            problems.add("nil-key", told, file=file, line=number, what="incorrect, since one is right")
    patterns = tuple(replace(one, documents=supported[key] or frozenset()) for key, one in found.items())
    return Patterns(tuple(against.index), patterns, source=document.source)


def split_line(line: str) -> tuple[str, str, frozenset[str]]:
    """The id, the expression and the documents of a line; "" where one is missing."""
    tabbed = [part.strip() for part in line.strip().split("\t")]
    if len(tabbed) > 2:
        return tabbed[0], tabbed[1], frozenset(" ".join(tabbed[2:]).split())
    name, _, rest = line.strip().replace("\t", " ", 1).partition(" ")
    words = rest.split()
    kept = len(words)
    while kept and _DOCUMENT.fullmatch(words[kept - 1]):
        kept -= 1
    # Blanks inside the expression stay as they are.
    regex = rest.rsplit(None, len(words) - kept)[0].strip() if kept else ""
    return name, regex, frozenset(words[kept:])
