"""The hierarchy of errors; and problems, which say where, what was found, what was expected and how to fix it."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from karat.catalogue import CATALOGUE as CATALOGUE
from karat.catalogue import Severity as Severity

MOST_KEPT = 10_000
"""How many problems of one code in one file are kept; a wrong key causes millions of identical ones."""
UNPLACED_SHOWN = 3
"""How many problems without a line number are listed if there are very many."""
REST = {
    "error": "`karat check --format json` lists all of a key or run",
    "warning": "--format json has all of them",
}
"""Where to find the problems that are not listed: after an error there is no result whose JSON has them."""
WARNINGS_SHOWN = 5
"""How many warnings of one code in one file stand above a result."""
MEANING = re.compile(r"--label (?:'[^']*'|\S+)=LABEL")
"""The option that gives a spelling its meaning; problems that differ in it share one line with all of them."""
MEANINGS_SHOWN = 6
SIMILARITY = 0.65
"""How similar a name must be to be suggested, allowing a slip or two (`wya` for `way` has .667)."""
PAIR = r"(?<![^\s=',;()])('[^']*'|[^\s=',;()]+)=('[^']*'|[\w.+-]+)"
OPTION = re.compile(
    rf"`[^`]*`|(?:pip install|optimum-cli|inspect log)[^;]*|(?<![\w'\"-])--([a-z][a-z-]*)"
    rf"(?:((?:\s{PAIR})(?:\s(?:--\1\s)?{PAIR})*)|(\s[A-Z]+(?:,[A-Z]+)*\b)|\s('[^']*'|[\w.+,/|-]*\w(?:\([^)]*\))?))?"
)
"""What is quoted, a command of another program, or an option in a message with its value or what stands for one."""
QUOTE, NUMBER = "'", re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")
NO_VALUE = frozenset(
    "and applies are asks both by draws explains for gives groups if is leaves means must names needs of or out says "
    "shares shows that to was with".split()
)
"""Words of messages that follow an option without being its value."""
TEXTUAL = frozenset({"way"})
"""Options whose values are texts even if they look like numbers."""
SHORTEST_BEGINNING = 3
"""From this many letters on, the beginning of a name suggests the name."""
QUOTED_CHARACTERS = 300
"""The most characters of a file that a message quotes."""
OF_ANY_FILE = frozenset(
    "unreadable too-large gzip gzip-bomb parquet encoding nul control-character line-too-long carriage-return "
    "no-final-newline empty-line empty-line-at-end empty-file".split()
)
"""Problems that any file can have, reported without quoting its content."""
KARATS_OWN = frozenset({"what", "fix", "limit", "encoding", "role", "option", "labels"})
"""Facts of a problem in karat's own words, not from the file."""
UNRECOGNISED = "something else{kind} (its content is not shown, since nothing in the file is as expected)"


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
        """The problem as kept in results: a file given by an absolute path is reduced to its name."""
        path = PurePath(self.file)
        return replace(self, file=path.name) if path.is_absolute() else self

    def __str__(self) -> str:
        return self.said(in_python)

    def said(self, say: Callable[[str], str]) -> str:
        """The problem in a line; `say` is how its sentences, but not what was found, name options."""
        parts = (spelled_out(self.file), self.line, self.column)
        place = ":".join(str(part) for part in parts if part is not None)
        return f"{place}{': ' * bool(place)}{self.code}: {self.found}; expected {say(self.expected)}; {say(self.fix)}"


class Problems:
    """Collects problems while a file is read, so that all of them are reported at once."""

    def __init__(self) -> None:
        self._listed: list[Problem] = []
        self._counts: Counter[tuple[str, str]] = Counter()
        self._unlisted: Counter[tuple[str, str]] = Counter()
        self._failed: set[str] = set()
        self._strange: dict[str, Problem | None] = {}
        self._kinds: dict[str, str] = {}

    def suspect(self, file: str, kind: str = "") -> None:
        """Quote nothing of a file until it is recognised, because it may be any file on the machine.

        `kind` says what the file looks like, for example an Excel workbook.
        """
        self._strange.setdefault(file, None)
        self._kinds[file] = f", {kind}" if kind else ""

    def apart(self) -> Problems:
        """A collector for a part of the data that may be left out; `take_in` adds what it found to this one."""
        other = Problems()
        other._strange, other._kinds = dict(self._strange), dict(self._kinds)
        return other

    def take_in(self, other: Problems) -> None:
        """Add the problems of a part that was kept, and what is known about its files."""
        self._listed += other._listed
        self._counts += other._counts
        self._unlisted += other._unlisted
        self._failed |= other._failed
        self._strange = {file: self._strange[file] for file in self._strange if file in other._strange}

    def recognise(self, file: str) -> None:
        """Mark a file as being of the expected kind, because it contains something that only such a file has."""
        self._strange.pop(file, None)

    def first(self, rows: Sequence[int], code: str, file: str) -> Sequence[int]:
        """The rows with a problem that will be listed; the rest are only counted, at no cost."""
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
        """Add a problem by its catalogue code; `facts` fill in the catalogue's sentences."""
        kind = CATALOGUE[code]
        if kind.severity == "error":
            self._failed.add(file)
        self._counts[file, code] += 1
        if self._counts[file, code] > MOST_KEPT:
            self._unlisted[file, code] += 1
        else:
            facts = {name: printable(fact) for name, fact in facts.items()}
            self._listed.append(_problem(file, line, column, code, printable(found), facts))
            if code not in OF_ANY_FILE and self._strange.get(file, self) is None:
                facts = {name: fact if name in KARATS_OWN else "…" for name, fact in facts.items()}
                self._strange[file] = _problem(
                    file, line, column, code, UNRECOGNISED.format(kind=self._kinds[file]), facts
                )

    def __iter__(self) -> Iterator[Problem]:
        """In the order of files and lines; problems without a line come last in their file.

        For a file that has errors and was not recognised, only the first is reported, and nothing is quoted.
        """
        files = {file: place for place, file in enumerate(dict.fromkeys(one.file for one in self._listed))}
        withheld = {file: one for file, one in self._strange.items() if one is not None and file in self._failed}
        shown = [one for one in self._listed if one.file not in withheld or one.code in OF_ANY_FILE]
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
        """The problems that did not prevent reading."""
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


def counted(number: int, one: str, many: str = "") -> str:
    """A number and what it counts: 1 unit, 2,000 units; `many` is an irregular plural."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def printable(text: str) -> str:
    """Text from a file for a terminal: shortened, and without control characters."""
    return spelled_out(text if len(text) <= QUOTED_CHARACTERS else text[:QUOTED_CHARACTERS] + "…")


def spelled_out(text: str) -> str:
    """A text with control characters, and those XML forbids, spelled out as escapes."""
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


class KaratError(Exception):
    """Base class of everything karat raises on purpose."""

    warnings: tuple[Problem, ...] = ()
    """Earlier warnings of the readers, which may be the reason."""
    status = 2
    """The exit status of a command that ends with it."""

    def alone(self) -> KaratError:
        """The same error without the warnings."""
        self.warnings = ()
        return self

    @property
    def on_command_line(self) -> str:
        """The message with options spelled as on the command line."""
        return super().__str__()


class UsageError(KaratError):
    """The call is wrong: an unknown name, or an impossible combination (exit status 2); the message is one line.

    Messages name parameters as on the command line, `--way` or `--train FILE`; from Python as in a call.
    """

    def __init__(self, message: str) -> None:
        super().__init__(spelled_out(message))

    def __str__(self) -> str:
        return in_python(self.on_command_line)

    @classmethod
    def unknown(cls, kind: str, name: str, known: Iterable[str]) -> UsageError:
        """An error for an unknown name, suggesting the most similar known one."""
        names = sorted(known)
        by_fold = {known.casefold(): known for known in names}
        spelled = name.casefold()
        begun = [known for known in by_fold if len(spelled) >= SHORTEST_BEGINNING and known.startswith(spelled)]
        near = difflib.get_close_matches(spelled, by_fold, n=1, cutoff=SIMILARITY) or begun
        hint = f"; did you mean {by_fold[near[0]]!r}?" if near else "."
        return cls(
            f"no {kind} is called {name!r}{hint} " + (f"Known: {', '.join(names)}" if names else "There are none")
        )


def in_python(text: str) -> str:
    """A message for Python: options as in a call, `--missing wrong` as missing='wrong'; what is quoted stays."""
    return OPTION.sub(_as_keyword, text)


def _as_keyword(found: re.Match[str]) -> str:
    option, pairs, placeholder, value = found[1], found[2], found[7], found[8]
    if not option:
        return found[0]
    keyword, said = option.replace("-", "_"), re.findall(PAIR, pairs or "")
    if placeholder or said == [("SPELLING", "LABEL")]:
        return f"{keyword}=…"
    if said:
        meanings = [f"{key.strip(QUOTE)!r}: {_meaning(meaning, place)}" for place, (key, meaning) in enumerate(said)]
        return f"{keyword}={{{', '.join(meanings)}{', …' * (len(said) == 1 and said[0][1] == 'LABEL')}}}"
    if value is None or value in NO_VALUE:
        return keyword + found[0].removeprefix(f"--{option}")
    if "," in value:
        return f"{keyword}={value.split(',')}"
    choices = [repr(value)] if keyword in TEXTUAL else map(_value, value.split("|"))
    return f"{keyword}={' or '.join(choices)}"


def _meaning(said: str, place: int) -> str:
    """The value of an entry of a dict; what a spelling may mean is shown by an example."""
    return _value(said) if said != "LABEL" else "'…'" if place else "'ENTAILMENT'"


def _value(said: str) -> str:
    """A value as in a call: a number, or a text in quotes."""
    return said if NUMBER.fullmatch(said) else repr(said.strip(QUOTE))


class NotApplicable(KaratError):  # noqa: N818 - it explains an undefined value and is not a failure
    """A measure was applied to something it is not defined for; the message is the reason shown with the NaN."""


class DataError(KaratError):
    """The data has problems (exit status 1); `problems` holds every one."""

    status = 1

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__(summary(self.problems))

    def __str__(self) -> str:
        return summary(self.problems, python=True)

    def alone(self) -> DataError:
        """Only the errors."""
        return DataError(one for one in self.problems if one.severity == "error")


def summary(problems: Iterable[Problem], shown: int = 20, python: bool = False) -> str:
    """The problems as lines, errors before warnings, with at most `shown` of one code in one file, and the count.

    Options are named as on the command line or, in what `python` users see, as in a call.

    If more than that have no line number, such as the missing pairs of a truncated run, they share one line: twenty
    that differ only in an id say no more than the first few.
    """
    problems = list(problems)
    errors = [problem for problem in problems if problem.severity == "error"]
    warnings = [problem for problem in problems if problem.severity == "warning"]
    parts = [_lines(errors, shown, python)] if errors else []
    parts += [f"warnings (the files were read):\n{_lines(warnings, shown, python)}"] if warnings else []
    return "\n".join(parts)


def _lines(problems: Sequence[Problem], shown: int, python: bool) -> str:
    say: Callable[[str], str] = in_python if python else str
    alike: dict[tuple[str, str], list[int]] = {}
    for place, problem in enumerate(problems):
        alike.setdefault((problem.file, problem.code), []).append(place)
    told: dict[int, str] = {}
    more = []
    for (file, code), places in alike.items():
        them = [problems[place] for place in places]
        count, rest = f"{spelled_out(file)}: {code}: {len(them)} in total", say(REST[them[0].severity])
        if len(them) > shown and all(one.line is None for one in them):
            found = ", ".join(one.found for one in them[:UNPLACED_SHOWN])
            told[places[0]] = f"{count}: {found} …; expected {say(them[0].expected)}; {say(them[0].fix)} ({rest})"
            continue
        options = list(dict.fromkeys(option for one in them for option in MEANING.findall(one.fix)))
        if len(them) > UNPLACED_SHOWN and options:
            every = " ".join(options[:MEANINGS_SHOWN]) + " …" * (len(options) > MEANINGS_SHOWN)
            before, _, after = them[0].fix.partition(options[0])
            first = replace(them[0], fix=before + every + after)
            told[places[0]] = f"{first.said(say)} ({len(them):,} in total; {rest})"
            continue
        told |= {place: problems[place].said(say) for place in places[:shown]}
        if len(them) > shown:
            more.append(f"{count}, {shown} shown ({rest})")
    return "\n".join([*(told[place] for place in sorted(told)), *more])
