"""The tree of errors, and the catalogue of every problem that data can have.

A `Problem` says where, what was found, what was expected and how to mend it. The catalogue holds the
expected and the fix for each code once; readers, the command line, the server and the documentation
all take their words from here.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Kind:
    """One entry of the catalogue; `{names}` in the sentences are filled in where the problem is met."""

    severity: Severity
    expected: str
    fix: str


CATALOGUE: dict[str, Kind] = {
    # files
    "unreadable": Kind("error", "a file that can be read", "check the path and its permissions"),
    "too-large": Kind("error", "at most {limit}", "split the file, or check that it is what you meant"),
    "gzip": Kind("error", "a whole gzip file", "compress it again, or give it uncompressed"),
    "gzip-bomb": Kind("error", "data that unpacks to at most {limit}", "give the file uncompressed"),
    "encoding": Kind("error", "UTF-8", "convert it: iconv -f {encoding} -t UTF-8 FILE > NEW"),
    "nul": Kind("error", "text without NUL bytes", "export the file again as plain UTF-8 text"),
    "line-too-long": Kind(
        "error", "lines of at most {limit}", "check for missing line breaks, or a file of another format"
    ),
    "byte-order-mark": Kind("warning", "no byte-order mark", "nothing to do; it is ignored"),
    "crlf": Kind("warning", "lines that end in LF", "nothing to do; CRLF is read as LF"),
    "no-final-newline": Kind("warning", "a newline at the end", "check that the file was not cut off in its last line"),
    "empty-line-at-end": Kind("warning", "nothing after the last row", "nothing to do; it is ignored"),
    "empty-line": Kind("error", "a row on every line", "remove the empty line, or fill it in"),
    "format": Kind("error", "{what}", "{fix}"),
    "empty-file": Kind("error", "{what}", "check that the right file was given"),
    # XML
    "xml": Kind("error", "well-formed XML", "mend the file at that place, or just before it"),
    "bare-ampersand": Kind("error", "&amp;", "write &amp; for a literal &"),
    "entity": Kind("error", "a file without entities of its own", "remove it and write the text itself"),
    "undefined-entity": Kind(
        "error", "only &amp; &lt; &gt; &quot; &apos; and numbers as &#233;", "write the character itself"
    ),
    "xml-too-deep": Kind(
        "error", "elements nested at most {limit} deep", "check that it is the right file; RTE needs three"
    ),
    "xml-declaration": Kind("warning", "{what}", "nothing to do; it was read as meant"),
    "element": Kind("error", "{what}", "correct the elements there"),
    # tables
    "json": Kind("error", "one JSON object a line", "mend the line; each must be valid JSON by itself"),
    "columns": Kind("error", "{what}", "mend it there; look for a stray delimiter or a missing field"),
    "no-column": Kind("error", "{what}", "name it: {option} {role}=NAME"),
    "quoting": Kind("error", "balanced quotes", "close the quote, or double a quote inside quotes"),
    # pairs
    "no-id": Kind("error", "an id for every pair or question", "give it an id"),
    "duplicate-id": Kind("error", "each id once", "remove one of the two, or correct its id"),
    "label": Kind(
        "error",
        "a label as it is usually spelled (ENTAILMENT, YES, neutral, not_entailment…)",
        "correct it, or say what it means: --label {spelled}=LABEL",
    ),
    "label-outside-task": Kind("error", "one of {labels}", "correct it, or say what it means: --label {spelled}=LABEL"),
    "label-code": Kind(
        "error",
        "a label in words, since integer codes differ between files",
        "say what it stands for: --label {spelled}=LABEL",
    ),
    "unlabelled": Kind("warning", "a label for every pair", "nothing to do; they are left out of all scores"),
    "empty-text": Kind("error", "a text and a hypothesis", "fill it in"),
    # runs
    "unknown-id": Kind("error", "an id of the test set", "correct it, or check that run and key belong together"),
    "missing-id": Kind("error", "an answer to every pair", "add a line for it; partial runs are not accepted"),
    "not-ascii": Kind(
        "error", "plain ASCII in id and label", "replace it; a typographic dash or blank looks like a plain one"
    ),
    "run-line": Kind("error", "{what}", "mend the line"),
    "ambiguous-no": Kind(
        "error",
        "a run that shows what its NO means, since the key is three-way",
        "say --way 2 if NO means no entailment, --label NO=CONTRADICTION if it means that",
    ),
    "folded": Kind(
        "warning",
        "two-way labels, as in the key",
        "nothing to do; UNKNOWN and CONTRADICTION are no entailment",
    ),
    "confidence": Kind("error", "a finite number as confidence", "correct it, or leave the column out"),
    "score": Kind("error", "a finite number, or nothing where a unit is not scored", "correct it, or leave it empty"),
    "ranked-otherwise": Kind(
        "warning", "the ranking that --ranked-by names", "nothing to do; the file's own word counts"
    ),
    "weight": Kind("error", "weights that are finite, not negative and not all zero", "correct the weights"),
    "gold-differs": Kind(
        "warning", "the key's label in the run's gold column", "check that run and key are of one test set"
    ),
    "ranked-by": Kind(
        "warning",
        "a line `ranked-by: entailment` or `ranked-by: response` before the first pair",
        "add it, or say --ranked-by entailment (as in RTE-4) or --ranked-by response (as in TREC 2002)",
    ),
    "not-sound": Kind(
        "warning",
        "all ENTAILMENT lines before the others",
        "see `sound` in the scores: labels against ranking",
    ),
    # questions
    "question-type": Kind("error", "FACTOID, LIST or OTHER", "correct the type"),
    "empty-question": Kind("error", "a text for every question, and a target for its series", "fill it in"),
    "series": Kind("warning", "one target and one kind in all rows of a series", "nothing to do; the first counts"),
    "target-type": Kind(
        "error", "a line `#PERSON NAME` for each target, in their order", "check that targets and types belong together"
    ),
    "other-last": Kind(
        "warning", "one OTHER question in a series, the last", "nothing to do; check that the series is as meant"
    ),
    "no-answer": Kind(
        "error", "an answer to every factoid question", "add one; NIL as its document says that there is none"
    ),
    "several-answers": Kind(
        "error", "one answer to a factoid question", "keep the best, or say --answers 5 where answers are ranked"
    ),
    "empty-answer": Kind("error", "an answer string", "fill it in; NIL as its document says that there is none"),
    "nil-beside": Kind(
        "warning", "NIL alone, or answers", "nothing to do; beside answers NIL is one more that is not right"
    ),
    "no-document": Kind(
        "warning", "a document for every answer, as elsewhere in the file", "nothing to do; none supports the answer"
    ),
    "no-response": Kind("warning", "something to every list and other question", "nothing to do; it scores 0"),
    "same-answer": Kind("warning", "each document and string once", "nothing to do; lists count it as given twice"),
    "verdict": Kind("error", "R (correct), X (inexact), U (unsupported) or W (incorrect)", "correct the verdict"),
    "verdicts-differ": Kind("error", "one verdict on a document and string", "keep the right one of the two"),
    "judged-twice": Kind("warning", "each document and string judged once", "nothing to do; the verdicts agree"),
    "odd-verdict": Kind("warning", "{what}", "nothing to do; check the judgments there"),
    "no-group": Kind(
        "warning", "a group for every correct answer to a list question", "nothing to do; each string is its own group"
    ),
    "unjudged": Kind(
        "error", "a verdict on every answer", "judge it, give --patterns FILE, or say --unjudged wrong to count it so"
    ),
    "nil-key": Kind(
        "warning", "NIL judged as the answers known have it: {what}", "nothing to do; the answers known count"
    ),
    "pattern": Kind("error", "a question's id, a blank and a regular expression", "mend the line"),
    "long-answer": Kind("warning", "answers of at most {limit} characters", "nothing to do; the rest is not searched"),
    # nuggets
    "empty-nugget": Kind("error", "a topic, a name and a text for every nugget", "fill it in"),
    "importance": Kind(
        "warning", "vital or okay", "nothing to do; the nugget is left out (--missing zero: it weighs nothing)"
    ),
    "assignment": Kind(
        "warning",
        "support, partial_support or not_support",
        "nothing to do; the nugget is left out for this run (--missing zero: it is not supported)",
    ),
    "no-vital": Kind("error", "a vital nugget in every list", "mark one as vital, or take the question out"),
    "unknown-nugget": Kind("error", "a nugget of the list", "correct it, or check that the files belong together"),
    "nugget-list": Kind(
        "warning", "the nuggets of the list given", "nothing to do; the run is held against the nuggets of its own file"
    ),
    "degree": Kind("error", "support, partial_support or not_support, or 1, 0.5 or 0", "correct the degree"),
    "run-without": Kind("error", "{what}", "add what is missing, or leave the run out"),
    "run-beside": Kind("warning", "the runs whose answers are given", "nothing to do; the other runs are left out"),
    "citation": Kind("warning", "citations of the answer's own references", "nothing to do; citations are not scored"),
    "duplicate-run": Kind("error", "runs of different names", "rename one of the two"),
    # ballots
    "no-label": Kind(
        "warning", "a text that begins with {labels}", "nothing to do; it is no ballot, and counted as missing"
    ),
    "other-unit": Kind("warning", "{what}", "check that the rows belong together; its ballots are left out"),
    "rare-label": Kind("warning", "labels that are cast more often ({labels})", "{fix}; else nothing to do"),
    "many-labels": Kind(
        "warning",
        "a handful of names where labels have no order",
        "check the column (--ballot-column label=NAME), or say --level ordinal or interval where they are numbers",
    ),
    "more": Kind("error", "fewer of one kind", "mend those listed first; the rest is like them"),
}

LISTED = 10_000
"""How many problems of one code in one file are kept; a wrong key gives millions, all alike."""
NEAR = 0.65
"""How alike a name must be to be suggested for another: a slip or two in a word (`wya` for `way` has .667)."""
ABBREVIATED = 3
"""The beginning of a name is taken for it from so many letters on."""
QUOTED = 300
"""How many characters of a file a sentence repeats at most."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong at one place of one file, in words a person can act on."""

    file: str
    line: int | None
    column: int | None
    code: str
    found: str
    expected: str
    fix: str
    severity: Severity

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        return f"{place}: {self.code}: {self.found}; expected {self.expected}; {self.fix}"


class Problems:
    """Collects problems while a file is read, so that all of them are told at once."""

    def __init__(self) -> None:
        self._listed: list[Problem] = []
        self._counts: Counter[tuple[str, str]] = Counter()
        self._unlisted: Counter[tuple[str, str]] = Counter()
        self._failed: set[str] = set()

    def first(self, rows: Sequence[int], code: str, file: str) -> Sequence[int]:
        """As many of the rows with a problem as are listed; the rest are counted, and cost nothing."""
        self._unlisted[file, code] += max(0, len(rows) - LISTED)
        return rows[:LISTED]

    def add(
        self,
        code: str,
        found: str,
        *,
        file: str,
        line: int | None = None,
        column: int | None = None,
        **facts: str,
    ) -> None:
        """File one problem under its catalogue code; `facts` fill in the catalogue's sentences."""
        kind = CATALOGUE[code]
        if kind.severity == "error":
            self._failed.add(file)
        self._counts[file, code] += 1
        if self._counts[file, code] > LISTED:
            self._unlisted[file, code] += 1
        else:
            facts = {name: printable(fact) for name, fact in facts.items()}
            expected, fix = kind.expected.format(**facts), kind.fix.format(**facts)
            self._listed.append(Problem(file, line, column, code, printable(found), expected, fix, kind.severity))

    def __iter__(self) -> Iterator[Problem]:
        """File by file as they were read, line by line; what belongs to no line comes last."""
        files = {file: place for place, file in enumerate(dict.fromkeys(one.file for one in self._listed))}
        yield from sorted(self._listed, key=lambda one: (files[one.file], one.line is None, one.line or 0))
        more = CATALOGUE["more"]
        for (file, code), count in self._unlisted.items():
            if count:
                found = f"{count} more of {code}"
                yield Problem(file, None, None, "more", found, more.expected, more.fix, CATALOGUE[code].severity)

    def failed(self, file: str) -> bool:
        """Whether `file` has an error (warnings alone do not count)."""
        return file in self._failed

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """The problems that were read over."""
        return tuple(problem for problem in self if problem.severity == "warning")

    def raise_errors(self) -> None:
        """Raise a `DataError` with everything found, if any of it is an error."""
        if self._failed:
            raise DataError(self)


def printable(text: str) -> str:
    """What a file says, fit for a terminal: not without end, and with nothing a terminal would obey."""
    text = text if len(text) <= QUOTED else text[:QUOTED] + "…"
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


class KaratError(Exception):
    """Everything karat raises on purpose."""


class UsageError(KaratError):
    """The call is wrong: an unknown name, an impossible combination (exit status 2)."""

    @classmethod
    def unknown(cls, kind: str, name: str, known: Iterable[str]) -> UsageError:
        """An error for a name that is not there, with the nearest one that is."""
        names = sorted(known)
        by_fold = {known.casefold(): known for known in names}
        spelled = name.casefold()
        begun = [known for known in by_fold if len(spelled) >= ABBREVIATED and known.startswith(spelled)]
        near = difflib.get_close_matches(spelled, by_fold, n=1, cutoff=NEAR) or begun
        hint = f"; did you mean {by_fold[near[0]]!r}?" if near else "."
        return cls(f"no {kind} is called {name!r}{hint} Known: {', '.join(names)}")


class NotApplicable(KaratError):  # noqa: N818 - it says why a value is undefined; nothing went wrong
    """A measure asked of something it is not defined on; the message is the reason shown beside the NaN."""


class DataError(KaratError):
    """The data has problems (exit status 1); `problems` holds every one."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__(summary(self.problems))


def summary(problems: Iterable[Problem], shown: int = 20) -> str:
    """The problems as lines, errors before warnings, of one code in one file at most `shown` and the count."""
    problems = list(problems)
    errors = [problem for problem in problems if problem.severity == "error"]
    warnings = [problem for problem in problems if problem.severity == "warning"]
    parts = [_lines(errors, shown)] if errors else []
    parts += [f"warnings, read all the same:\n{_lines(warnings, shown)}"] if warnings else []
    return "\n".join(parts)


def _lines(problems: Iterable[Problem], shown: int) -> str:
    lines: list[str] = []
    counts: Counter[tuple[str, str]] = Counter()
    for problem in problems:
        counts[problem.file, problem.code] += 1
        if counts[problem.file, problem.code] <= shown:
            lines.append(str(problem))
    lines += [
        f"{file}: {code}: {count} in all, {shown} shown (karat check --format json lists them)"
        for (file, code), count in counts.items()
        if count > shown
    ]
    return "\n".join(lines)
