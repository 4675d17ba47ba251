"""What a campaign is: the tables of a campaign file, as the command line reads them and as pages edit them."""

from __future__ import annotations

import posixpath
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from functools import cache, cached_property
from itertools import pairwise
from typing import Annotated, Any, Literal, get_args, get_origin
from zoneinfo import ZoneInfo, available_timezones

import msgspec
from msgspec import Meta

from karat.campaign.dates import ORDER, Dates, MomentError, local, moment_of
from karat.errors import DataError, Problems, UsageError

Kind = Literal["entailment", "justifications", "questions", "nuggets", "ratings", "decomposition"]
Name = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,39}\Z")]
"""A name that can stand in a file name, an address and a table."""
NAME_RULE = "1 to 40 letters, digits, dots, dashes and underscores, beginning with a letter or digit"
RESERVED = frozenset({"new", "api", "static"})
"""Names that addresses of the server use."""
MOST_BYTES = 10 << 20
"""The largest file that can be submitted."""
MOST_UNPACKED = 50 << 20
"""What a gzip file can unpack to."""
WITHOUT_SECONDS = re.compile(
    r"(?m)^([ \t]*[\w.]+[ \t]*=[ \t]*\d{4}-\d\d-\d\d[T ]\d\d:\d\d)(?=[ \t]*(?:$|#|Z|[+-]\d\d:\d\d))"
)
"""A time without seconds, which TOML 1.1 allows and Python's reader of TOML 1.0 does not."""
SETTINGS = ("task", "length")
"""The attributes of RTE pairs, which say nothing about the label."""

BESIDE = ("documents", "patterns", "nuggets", "phenomena")
"""The files of a task that are for assessors alone."""

Read = Callable[[str], bytes]
"""The content of a file that a campaign names; raises `OSError` if there is none."""


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """One task of a campaign."""

    name: Name
    title: str = ""
    kind: Kind = "entailment"
    way: Literal[2, 3] = 3
    test: str
    """The file of the test set with its key; the blind set is made from it."""
    runs: Annotated[int, Meta(ge=1, le=99)] = 3
    """The most runs of a team."""
    public_share: Annotated[float, Meta(ge=0, le=1)] = 0.0
    """The share of units on a live board."""
    justifications: Literal["none", "optional", "required"] = "none"
    attributes: tuple[str, ...] = SETTINGS
    """The attributes of pairs that the blind set keeps."""
    documents: str | None = None
    """A table of documents (id, text), so that assessors see what an answer comes from."""
    link: str | None = None
    """The address of a document, with `{id}` in the place of its id, where the documents themselves are not here."""
    patterns: str | None = None
    """Regular expressions that accept answers; what they say is suggested to assessors."""
    nuggets: str | None = None
    """Lists of nuggets from which assessors start."""
    phenomena: str | None = None
    """A table of phenomena (category, phenomenon) into which pairs are decomposed, if not the usual ones."""

    @property
    def takes_runs(self) -> bool:
        """Whether teams submit to it; decomposition is for assessors alone."""
        return self.kind != "decomposition"

    @property
    def asks(self) -> bool:
        """Whether its units are questions; otherwise they are pairs."""
        return self.kind in ("questions", "nuggets", "ratings")

    def beside(self) -> dict[str, str]:
        """The files that help assessors, each with its use."""
        named = {use: getattr(self, use) for use in BESIDE}
        return {use: name for use, name in named.items() if name is not None}

    @property
    def needs_people(self) -> bool:
        """Whether runs are scored only when people have judged them."""
        return self.kind != "entailment"


class Judging(msgspec.Struct, frozen=True, kw_only=True):
    """How units are judged."""

    per_unit: Annotated[int, Meta(ge=1, le=99)] = 2
    examples: str | None = None
    """Pairs with known labels: whoever judges begins with most of them; the others stand among the units."""
    qualify: Annotated[float, Meta(ge=0, le=1)] = 0.8
    """The share of the examples that an assessor has to get right before the first judgment."""
    repeats: Annotated[int, Meta(ge=0, le=999)] = 0
    """How many units each assessor judges twice."""
    planted: Annotated[int, Meta(ge=0, le=999)] = 0
    """How many of the examples stand among the units of each assessor; nobody qualifies by these."""
    lease: Annotated[int, Meta(ge=1, le=1440)] = 30
    """Minutes after which a unit that nobody has judged returns to the pool."""


class Definition(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A campaign as its file describes it; times are exact, and files are named, not contained."""

    name: Name
    title: Annotated[str, Meta(min_length=1, max_length=200)]
    description: str = ""
    zone: str = "UTC"
    agreement: str | None = None
    """The file that a team accepts before it gets data."""
    guidelines: str | None = None
    registration: Literal["invited", "open"] = "invited"
    """Whether teams need an invitation."""
    grace: Annotated[int, Meta(ge=0, le=1440)] = 0
    """Minutes after the deadline in which runs are accepted and marked as late."""
    practice: bool = False
    """Whether runs can be tried out after the close; they never appear among the official runs."""
    key_with_results: bool = False
    """Whether teams get the key, and so see their errors, with their own results; otherwise when all is public."""
    baselines: tuple[str, ...] = ()
    """Teams whose runs are marked as baselines."""
    dates: Dates
    tasks: Annotated[tuple[Task, ...], Meta(min_length=1)]
    judging: Judging = Judging()

    @cached_property
    def clock(self) -> ZoneInfo:
        """The organisers' zone."""
        return ZoneInfo(self.zone)

    def task(self, name: str) -> Task:
        """A task by name."""
        for task in self.tasks:
            if task.name == name:
                return task
        raise UsageError.unknown(f"task of {self.name}", name, [task.name for task in self.tasks])

    def files(self) -> dict[str, str]:
        """The files that it names, each with its use."""
        named = {self.agreement: "agreement", self.guidelines: "guidelines", self.judging.examples: "examples"}
        named |= {name: use for one in self.tasks for use, name in one.beside().items()}
        named |= {one.test: "test" for one in self.tasks}
        return {name: use for name, use in named.items() if name is not None}


def check_name(name: str, kind: str) -> None:
    """Refuse a name that cannot stand in an address or a file name."""
    try:
        msgspec.convert(name, Name)
    except msgspec.ValidationError:
        article = "an" if kind[0] in "ao" else "a"
        raise UsageError(f"{name!r} cannot be the name of {article} {kind}: a name is {NAME_RULE}") from None


def parse(text: str, file: str, read: Read | None = None) -> Definition:
    """A definition from the text of a campaign file; all problems of the file are reported together.

    `read` finds out whether the files that it names are there, if it has other problems too.
    """
    problems = Problems()
    try:
        table = tomllib.loads(WITHOUT_SECONDS.sub(r"\1:00", text))
    except tomllib.TOMLDecodeError as error:
        found = re.fullmatch(r"(.*?) \(at (?:line (\d+), column (\d+)|end of document)\)", str(error))
        what, *place = found.groups() if found else (str(error), None, None)
        line, column = (None if one is None else int(one) for one in place)
        problems.add("toml", what, file=file, line=line, column=column)
        raise DataError(problems) from None
    return build(table, file, text, read)


def build(table: dict[str, Any], file: str, text: str = "", read: Read | None = None) -> Definition:
    """A definition from its tables, whether they were read from a file or filled in on a page."""
    problems = Problems()
    places = dict(_places(text))

    def report(path: tuple[str | int, ...], code: str, found: str, **facts: str) -> None:
        line = next((places[path[:end]] for end in range(len(path), 0, -1) if path[:end] in places), None)
        problems.add(code, f"{spelled(path)}: {found}", file=file, line=line, column=None, **facts)

    zone = _zone(table.get("zone", "UTC"), report)
    made = _struct(Definition, table, (), report, zone)
    if made is None and read is not None:
        _check_files(table, read, report)
    if made is not None:
        _check_uses(made, report)
    problems.raise_errors()
    assert made is not None
    return made


Report = Callable[..., None]


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())  # looked up in hundreds of files


def _check_files(table: dict[str, Any], read: Read, report: Report) -> None:
    """Report files that a definition names and that cannot be read."""
    tasks = table.get("tasks")
    judging = table.get("judging")
    named: list[tuple[tuple[str | int, ...], Any]] = [((use,), table.get(use)) for use in ("agreement", "guidelines")]
    named += [(("judging", "examples"), judging.get("examples"))] if isinstance(judging, dict) else []
    named += [
        (("tasks", place, use), task.get(use))
        for place, task in enumerate(tasks if isinstance(tasks, list) else ())
        if isinstance(task, dict)
        for use in ("test", *BESIDE)
    ]
    for path, name in named:
        try:
            if isinstance(name, str):
                read(name)
        except (OSError, ValueError) as error:
            found = f"{name!r}: {getattr(error, 'strerror', None) or error}"
            report(path, "campaign-file", found, what="a file beside the campaign file")


def _zone(name: object, report: Report) -> ZoneInfo:
    if isinstance(name, str) and name in _zones():
        return ZoneInfo(name)
    found = f"{name!r}{_meant(str(name), _zones())}"
    report(("zone",), "campaign-value", found, what="a zone of the tz database, as Europe/Berlin or UTC")
    return ZoneInfo("UTC")


def _meant(name: str, known: Iterable[str]) -> str:
    """The known name that is most similar, as a question; empty if none is."""
    hint = str(UsageError.unknown("", name, known)).partition("; did you mean ")[2].partition("?")[0]
    return f" (did you mean {hint}?)" if hint else ""


def _struct(kind: type[Any], table: object, path: tuple[str | int, ...], report: Report, zone: ZoneInfo) -> Any:
    """A struct from a table, or None if anything in it is wrong; every problem is reported."""
    if not isinstance(table, dict):
        report(path, "campaign-value", repr(table), what="a table")
        return None
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    for stray in (name for name in table if name not in fields):
        report((*path, stray), "campaign-key", f"an unknown key{_meant(stray, fields)}", known=", ".join(fields))
    sound = table.keys() <= fields.keys()
    values = {}
    for name, field in fields.items():
        if name not in table:
            if field.required:
                report((*path, name), "campaign-missing", "nothing")
                sound = False
            continue
        value = _value(field.type, table[name], (*path, name), report, zone)
        sound = sound and value is not _BAD
        values[name] = value
    if kind is Dates:
        _check_order({name: moment for name, moment in values.items() if moment is not _BAD}, zone, report)
    return kind(**values) if sound else None


_BAD = object()
PLAIN = {int: "a whole number", float: "a number", bool: "true or false", str: "a text", tuple: "a list of texts"}


def _value(hint: Any, value: object, path: tuple[str | int, ...], report: Report, zone: ZoneInfo) -> Any:
    """One value of the type that its field has, or `_BAD`."""
    inner = get_args(hint)
    if hint in (Dates, Judging):
        made = _struct(hint, value, path, report, zone)
        return _BAD if made is None else made
    if path == ("tasks",):
        if not isinstance(value, list) or not value:
            report(path, "campaign-value", "no table", what="at least one table [[tasks]]")
            return _BAD
        made = [_struct(Task, one, (*path, place), report, zone) for place, one in enumerate(value)]
        _check_names(value, report)
        return _BAD if None in made else tuple(made)
    if hint is datetime or datetime in inner:
        try:
            return moment_of(value, zone)
        except MomentError as error:
            report(path, "campaign-value", str(value), what=str(error))
            return _BAD
    if path == ("zone",):
        return value  # looked at before, since times need it
    if path == ("name",) and isinstance(value, str) and value in RESERVED:
        report(path, "campaign-value", repr(value), what="another name: the server uses this one")
        return _BAD
    try:
        return msgspec.convert(value, hint)
    except msgspec.ValidationError as error:
        what = NAME_RULE if path[-1] == "name" else _expected(hint) or str(error)
        report(path, "campaign-value", repr(value), what=what)
        return _BAD


def _expected(hint: Any) -> str:
    """What a value can be, in words."""
    inner = get_args(hint)
    if get_origin(hint) is Literal:
        return " or ".join(map(str, inner))
    kind = next((PLAIN[one] for one in (hint, get_origin(hint), *inner) if one in PLAIN), "")
    limits = next((one for one in inner if isinstance(one, Meta)), Meta())
    if limits.max_length is not None:
        return f"{kind} of {limits.min_length} to {limits.max_length} characters"
    return f"{kind} from {limits.ge} to {limits.le}" if limits.ge is not None else kind


def _check_order(dates: dict[str, datetime], zone: ZoneInfo, report: Report) -> None:
    """Report dates that come before one that has to precede them."""
    ordered = [(name, dates[name]) for name in ORDER if name in dates]
    for (before, first), (after, second) in pairwise(ordered):
        if second < first or (after == "closes" and second == first):
            found = f"{local(second, zone):%Y-%m-%dT%H:%M:%S}, {'before' if second < first else 'the same as'} {before}"
            report(("dates", after), "campaign-value", found, what=f"a time after {before}")
    closes = dates.get("closes")
    for name in ("reports", "names"):
        moment = dates.get(name)
        if moment is not None and closes is not None and moment < closes:
            found = f"{local(moment, zone):%Y-%m-%dT%H:%M:%S}, before closes"
            report(("dates", name), "campaign-value", found, what="a time after closes")


def _check_names(tasks: list[Any], report: Report) -> None:
    """Report tasks that have the name of another."""
    met: set[str] = set()
    for place, task in enumerate(tasks):
        name = task.get("name") if isinstance(task, dict) else None
        if isinstance(name, str) and name in met:
            report(("tasks", place, "name"), "campaign-value", repr(name), what="a name for each task")
        met.add(str(name))


def _check_uses(made: Definition, report: Report) -> None:
    """Report a text that is also something else: teams read the agreement, and must not read a key there.

    Tasks may have the same documents.
    """
    taken = {posixpath.normpath(task.test): spelled(("tasks", place, "test")) for place, task in enumerate(made.tasks)}
    named: list[tuple[tuple[str | int, ...], str | None]] = [
        (("agreement",), made.agreement),
        (("guidelines",), made.guidelines),
        (("judging", "examples"), made.judging.examples),
    ]
    for path, name in named + [
        (("tasks", place, use), name) for place, task in enumerate(made.tasks) for use, name in task.beside().items()
    ]:
        if name is not None:
            place = posixpath.normpath(name)
            if place in taken and (path[-1] != "documents" or not taken[place].endswith(".documents")):
                report(path, "campaign-value", f"{name!r}, which is {taken[place]} too", what="a file of its own")
            taken[place] = spelled(path)


def spelled(path: tuple[str | int, ...]) -> str:
    """The place of a value as people write it: `tasks[2].way`, counted from 1."""
    said = ""
    for part in path:
        said += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if said else part
    return said


def _places(text: str) -> Iterator[tuple[tuple[str | int, ...], int]]:
    """The line of every key of a TOML file that is written plainly."""
    table: tuple[str | int, ...] = ()
    counts: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[\[\s*(\w+)\s*\]\]", line):
            counts[header[1]] = counts.get(header[1], -1) + 1
            table = (header[1], counts[header[1]])
            yield table, number
        elif header := re.match(r"\s*\[\s*(\w+)\s*\]", line):
            table = (header[1],)
            yield table, number
        elif key := re.match(r"\s*([\w-]+)\s*=", line):
            yield (*table, key[1]), number
