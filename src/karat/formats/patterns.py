"""Answer patterns: a question's id and a regular expression on each line; a question may have several lines.

Documents that support the answer may follow. If the line is separated by tabs, they follow the second tab. Otherwise
they are the last words of the line that look like document ids of the TREC collections (APW19980601.0001,
XIN_ENG_20050101.0001, FT923-5797, LA010190-0001); all other words are part of the expression. The same expression in
several lines is one answer with the documents of all of them. Case matters, unless a pattern contains `(?i)`.
A line `ID NIL` says that no answer is known, so that NIL is right; a factoid question without a line is not scored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from karat.align.columns import Columns
from karat.align.patterns import align_patterns
from karat.data.answers import NIL
from karat.data.parameters import checked
from karat.data.patterns import Patterns
from karat.data.questions import Questions
from karat.errors import Problems
from karat.formats.documents import Document, FilePaths, Head, read_documents
from karat.formats.registry import columns_of, pattern_formats, without_errors
from karat.formats.sniffing import Fit

_DOCUMENT = re.compile(
    r"(?:AFP|APW|CNA|LTW|NYT|XIE|XIN)(?:_ENG_)?\d{8}\.\d{4}"  # newswire of TREC 2002 to 2007
    r"|(?:AP|WSJ|LA)\d{6}-\d{4}|FT\d{3}-\d{1,5}|FBIS\d-\d{1,5}|SJMN\d{2}-\d{5,8}|FR\d{5,6}-\d-\d{5}"  # of 1999 to 2001
    r"|BLOG06-\d{8}-\d{3}-\d{10}"
)


def sniff(head: Head) -> Fit:
    """Certain of a number followed by a word, possible for any two words."""
    if head.is_parquet or head.is_zip or head.json_object or head.is_xml:
        return Fit.NO
    if re.match(r"\s*\d[\w.]*\s+\S", head.first_line):
        return Fit.CERTAIN
    return Fit.POSSIBLE if len(head.first_line.split(None, 1)) > 1 else Fit.NO


def write(patterns: Patterns) -> bytes:
    """One line per pattern, separated by tabs; then the questions without a known answer."""
    lines = []
    for one in patterns.patterns:
        regex = one.spelled.replace("\t", r"\t").replace("\n", r"\n")
        fields = [patterns.units[one.question], regex, " ".join(sorted(one.documents))]
        lines.append("\t".join(fields).rstrip("\t") + "\n")
    lines += [f"{patterns.units[question]}\t{NIL}\n" for question in sorted(patterns.nil)]
    return "".join(lines).encode()


@pattern_formats.register("patterns", sniff=sniff, write=write, what="an id, a regular expression, documents if any")
def read(document: Document, _: object, problems: Problems) -> Columns | None:
    """Read all lines that are not empty."""
    lines = document.lines(problems)
    if lines is None:
        return None
    rows = [(number, *split_line(line)) for number, line in enumerate(lines, 1) if line.strip()]
    return Columns.of_rows(document.source, ("question", "regex", "documents"), rows)


def split_line(line: str) -> tuple[str, str, frozenset[str]]:
    """The id, expression and documents of a line, empty if missing."""
    tabbed = [part.strip() for part in line.strip().split("\t")]
    if len(tabbed) > 2:
        return tabbed[0], tabbed[1], frozenset(" ".join(tabbed[2:]).split())
    name, _, rest = line.strip().replace("\t", " ", 1).partition(" ")
    words = rest.split()
    kept = len(words)
    while kept and _DOCUMENT.fullmatch(words[kept - 1]):
        kept -= 1
    # Blanks inside the expression are kept.
    regex = rest.rsplit(None, len(words) - kept)[0].strip() if kept else ""
    return name, regex, frozenset(words[kept:])


@checked
def read_patterns(paths: FilePaths, questions: Questions, ignore_case: bool = False) -> Patterns:
    """Regular expressions that accept answers, from files or folders; case matters unless `ignore_case`."""
    problems = Problems()
    patterns = without_errors(gather_patterns(read_documents(paths, problems), questions, problems), problems)
    return patterns.ignoring_case() if ignore_case else patterns


def gather_patterns(documents: Iterable[Document], questions: Questions, problems: Problems) -> Patterns | None:
    """All patterns in documents; None if there are none, or one has errors."""
    columns = list(columns_of(pattern_formats, documents, problems))
    return align_patterns(questions, columns, problems) if columns else None
