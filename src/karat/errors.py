"""The tree of errors, and problems: where, what was found, what was expected and how to mend it."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from karat.catalogue import CATALOGUE as CATALOGUE
from karat.catalogue import Severity as Severity

MOST_KEPT = 10_000
"""How many problems of one code in one file are kept; a wrong key gives millions, all alike."""
FIRST = 3
"""How many of very many problems that belong to no line are told."""
REST = {
    "error": "karat check --format json lists all of a key or run",
    "warning": "--format json has all of them",
}
"""Where those are that are not shown: what has errors gives no result, whose JSON would have them."""
ALIKE = 0.65
"""How alike a name must be to be suggested for another: a slip or two in a word (`wya` for `way` has .667)."""
OPTION = re.compile(r"(?<!install )(?<![\w'\"`-])--([a-z][a-z-]*)")
"""An option in a message; not one of pip."""
ABBREVIATED = 3
"""The beginning of a name is taken for it from so many letters on."""
QUOTED = 300
"""How many characters of a file a sentence repeats at most."""
BARE = frozenset(
    "unreadable too-large gzip gzip-bomb parquet encoding nul control-character line-too-long byte-order-mark crlf "
    "no-final-newline empty-line empty-line-at-end empty-file".split()
)
"""Problems of any file, told without a word of what is in it."""
KARATS_OWN = frozenset({"what", "fix", "limit", "encoding", "role", "option", "labels"})
"""Facts of a problem that are karat's own words."""
STRANGE = "something else{kind} (nothing of it is shown, since nothing in the file is as expected)"


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

    @property
    def bare(self) -> Problem:
        """As results keep it: of a file that was named from the root, its name alone."""
        path = PurePath(self.file)
        return replace(self, file=path.name) if path.is_absolute() else self

    def __str__(self) -> str:
        parts = (spelled_out(self.file), self.line, self.column)
        place = ":".join(str(part) for part in parts if part is not None)
        return f"{place}: {self.code}: {self.found}; expected {self.expected}; {self.fix}"


class Problems:
    """Collects problems while a file is read, so that all of them are told at once."""

    def __init__(self) -> None:
        self._listed: list[Problem] = []
        self._counts: Counter[tuple[str, str]] = Counter()
        self._unlisted: Counter[tuple[str, str]] = Counter()
        self._failed: set[str] = set()
        self._strange: dict[str, Problem | None] = {}
        self._kinds: dict[str, str] = {}

    def suspect(self, file: str, kind: str = "") -> None:
        """From here on nothing is quoted of a file, until it is recognised: it may be any file of the machine.

        What `kind` of file it looks like may be said: an Excel workbook, say.
        """
        self._strange.setdefault(file, None)
        self._kinds[file] = f", {kind}" if kind else ""

    def recognise(self, file: str) -> None:
        """The file is of the expected kind, since something in it can only be there in such a file."""
        self._strange.pop(file, None)

    def first(self, rows: Sequence[int], code: str, file: str) -> Sequence[int]:
        """As many of the rows with a problem as are listed; the rest are counted, and cost nothing."""
        self._unlisted[file, code] += max(0, len(rows) - MOST_KEPT)
        return rows[:MOST_KEPT]

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
        if self._counts[file, code] > MOST_KEPT:
            self._unlisted[file, code] += 1
        else:
            facts = {name: printable(fact) for name, fact in facts.items()}
            self._listed.append(_problem(file, line, column, code, printable(found), facts))
            if code not in BARE and self._strange.get(file, self) is None:
                facts = {name: fact if name in KARATS_OWN else "…" for name, fact in facts.items()}
                self._strange[file] = _problem(file, line, column, code, STRANGE.format(kind=self._kinds[file]), facts)

    def __iter__(self) -> Iterator[Problem]:
        """File by file as they were read, line by line; what belongs to no line comes last.

        Of a file that has errors and was not recognised, the first is told, with nothing quoted.
        """
        files = {file: place for place, file in enumerate(dict.fromkeys(one.file for one in self._listed))}
        withheld = {file: one for file, one in self._strange.items() if one is not None and file in self._failed}
        shown = [one for one in self._listed if one.file not in withheld or one.code in BARE]
        shown += withheld.values()
        yield from sorted(shown, key=lambda one: (files[one.file], one.line is None, one.line or 0))
        more = CATALOGUE["more"]
        for (file, code), count in self._unlisted.items():
            if count and file not in withheld:
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


def _problem(
    file: str, line: int | None, column: int | None, code: str, found: str, facts: Mapping[str, str]
) -> Problem:
    kind = CATALOGUE[code]
    return Problem(
        file, line, column, code, found, kind.expected.format(**facts), kind.fix.format(**facts), kind.severity
    )


def printable(text: str) -> str:
    """What a file says, fit for a terminal: not without end, and with nothing a terminal would obey."""
    return spelled_out(text if len(text) <= QUOTED else text[:QUOTED] + "…")


def spelled_out(text: str) -> str:
    """A text with whatever a terminal would obey, or XML forbids, in letters."""
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


class KaratError(Exception):
    """Everything karat raises on purpose."""

    warnings: tuple[Problem, ...] = ()
    """What the readers warned of before: it may be the reason."""

    @property
    def on_command_line(self) -> str:
        """The message with options as a command takes them."""
        return super().__str__()


class UsageError(KaratError):
    """The call is wrong: an unknown name, an impossible combination (exit status 2); told on one line.

    Messages name parameters as the command line does, `--way`. Python has no such options: there they are named as
    they are spelled in a call.
    """

    def __init__(self, message: str) -> None:
        super().__init__(spelled_out(message))

    def __str__(self) -> str:
        return OPTION.sub(lambda found: found[1].replace("-", "_"), self.on_command_line)

    @classmethod
    def unknown(cls, kind: str, name: str, known: Iterable[str]) -> UsageError:
        """An error for a name that is not there, with the nearest one that is."""
        names = sorted(known)
        by_fold = {known.casefold(): known for known in names}
        spelled = name.casefold()
        begun = [known for known in by_fold if len(spelled) >= ABBREVIATED and known.startswith(spelled)]
        near = difflib.get_close_matches(spelled, by_fold, n=1, cutoff=ALIKE) or begun
        hint = f"; did you mean {by_fold[near[0]]!r}?" if near else "."
        return cls(
            f"no {kind} is called {name!r}{hint} " + (f"Known: {', '.join(names)}" if names else "There are none")
        )


class NotApplicable(KaratError):  # noqa: N818 - it says why a value is undefined; nothing went wrong
    """A measure asked of something it is not defined on; the message is the reason shown beside the NaN."""


class DataError(KaratError):
    """The data has problems (exit status 1); `problems` holds every one."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__(summary(self.problems))


def summary(problems: Iterable[Problem], shown: int = 20) -> str:
    """The problems as lines, errors before warnings, of one code in one file at most `shown` and the count.

    More that belong to no line, the missing pairs of a run that was cut off, are one line: twenty that differ in an id
    tell no more than the first few.
    """
    problems = list(problems)
    errors = [problem for problem in problems if problem.severity == "error"]
    warnings = [problem for problem in problems if problem.severity == "warning"]
    parts = [_lines(errors, shown)] if errors else []
    parts += [f"warnings, read all the same:\n{_lines(warnings, shown)}"] if warnings else []
    return "\n".join(parts)


def _lines(problems: Sequence[Problem], shown: int) -> str:
    alike: dict[tuple[str, str], list[int]] = {}
    for place, problem in enumerate(problems):
        alike.setdefault((problem.file, problem.code), []).append(place)
    told: dict[int, str] = {}
    more = []
    for (file, code), places in alike.items():
        them = [problems[place] for place in places]
        count, rest = f"{spelled_out(file)}: {code}: {len(them)} in all", REST[them[0].severity]
        if len(them) > shown and all(one.line is None for one in them):
            found = ", ".join(one.found for one in them[:FIRST])
            told[places[0]] = f"{count}: {found} …; expected {them[0].expected}; {them[0].fix} ({rest})"
            continue
        told |= {place: str(problems[place]) for place in places[:shown]}
        if len(them) > shown:
            more.append(f"{count}, {shown} shown ({rest})")
    return "\n".join([*(told[place] for place in sorted(told)), *more])
