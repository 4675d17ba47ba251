"""A campaign from the `competition.yaml` of a CodaLab or Codabench bundle: title, terms, dates and limits."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import date, datetime, time
from html.parser import HTMLParser
from typing import Any

from karat.campaign.definition import Definition, Read, build
from karat.data.provenance import Reading
from karat.errors import DataError, Problem, Problems
from karat.formats.documents import document_of
from karat.formats.pairs import parse_pairs
from karat.labels import TWO

MOST_RUNS = 99
LAST_SECOND = time(23, 59, 59)
OWN_TABLES = "karat makes the tables"
NO_PROGRAMS = "no programs are run: teams send answers, and karat scores them"
NO_PAGES = "put what teams need to know into the description"
REASONS = {
    "version": "",
    "image": "there are no logos",
    "pages": NO_PAGES,
    "html": NO_PAGES,
    "docker_image": NO_PROGRAMS,
    "competition_docker_image": NO_PROGRAMS,
    "queue": NO_PROGRAMS,
    "tasks": "the test set is what --key names",
    "solutions": NO_PROGRAMS,
    "leaderboard": OWN_TABLES,
    "leaderboards": OWN_TABLES,
    "admin_names": "invite them: karat campaign invite NAME --organiser O",
    "collaborators": "invite them: karat campaign invite NAME --organiser O",
    "max_submissions_per_day": "limits are per team and task, not per day",
}
"""Why parts of a competition are not taken over; those without a reason are not worth a word."""
IF_NOT_MEANT = "correct the file if something else is meant"
AMERICAN = re.compile(r"(\d{1,2})[-/](\d{1,2})[-/](\d{4})(?:[ T](\d{1,2}):(\d\d)(?::(\d\d))?)?")
UNKNOWN = "karat has nothing like it"
TAKEN = ("title", "description", "terms", "phases", "end_date", "registration_auto_approve", "has_registration")
PHASE_TAKEN = ("index", "phasenumber", "name", "label", "start", "start_date", "end", "end_date", "max_submissions")
OF_PROGRAMS = ("scoring_program", "reference_data", "input_data", "ingestion_program", "execution_time_limit")


def read(
    text: str, file: str, beside: Read, key: tuple[str, bytes] | None, closes: str | None = None
) -> tuple[Definition, Read, list[Problem]]:
    """The definition, who reads the files that it names, and what was not taken over; all problems at once.

    Many competitions never end: `closes` says when this one does.
    """
    problems = Problems()
    table = _loaded(text, file, problems)
    name, way = (None, 3) if key is None else (key[0], _way(*key))
    made = tables(table, file, problems, name, way, closes)
    terms = made.get("agreement")
    if terms and terms.lower().endswith((".html", ".htm")):
        made["agreement"] = terms.rpartition(".")[0] + ".md"
    found = list(problems)
    try:
        definition = build(made, file)
    except DataError as error:
        # Missing dates have been reported as what they are called in the competition.
        rest = [
            one for one in error.problems if not (one.code == "campaign-missing" and one.found.startswith("dates."))
        ]
        raise DataError([*found, *rest]) from None
    problems.raise_errors()

    def content(name: str) -> bytes:
        if key is not None and name == key[0]:
            return key[1]
        return plain_text(beside(terms)) if terms and name == definition.agreement != terms else beside(name)

    return definition, content, found


def _loaded(text: str, file: str, problems: Problems) -> dict[str, Any]:
    import yaml  # part of the extra `server`

    try:
        table = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        place = {} if mark is None else {"line": mark.line + 1, "column": mark.column + 1}
        problems.add("yaml", str(getattr(error, "problem", None) or error), file=file, **place)
        raise DataError(problems) from None
    if not isinstance(table, dict):
        problems.add("yaml", "no table of names and values", file=file)
        raise DataError(problems)
    return {str(name): value for name, value in table.items()}


def _way(name: str, raw: bytes) -> int:
    """Two-way if the key is; problems of the file are reported when the campaign is made."""
    problems = Problems()
    document = document_of(name, raw, problems)
    pairs = None if document is None else parse_pairs(document, Reading(), problems)
    return 2 if pairs is not None and pairs.way is TWO else 3


def tables(
    table: dict[str, Any], file: str, problems: Problems, key: str | None, way: int = 3, closing: str | None = None
) -> dict[str, Any]:
    """The tables of a campaign file from those of a competition; what is missing or left out is in `problems`."""

    def missing(name: str, what: str) -> None:
        problems.add("campaign-missing", f"{name}: {what}", file=file)

    phases = list(_phases(table.get("phases")))
    last = phases[-1] if phases else {}
    if not phases:
        missing("phases", "no phase with a start and an end")
    if key is None:
        missing("--key FILE", "no test set with its key")
    place = f"phases[{len(phases)}]"
    starts = last.get("start", last.get("start_date"))
    ends = closing or last.get("end", last.get("end_date", table.get("end_date")))
    for name, given in (("start", starts), ("end", ends)):
        if phases and given is None:
            missing(f"{place}.{name}", "nothing, and no --closes TIME" if name == "end" else "nothing")
        elif isinstance(given, str) and isinstance(read_as := _american(given), date):
            found = f"{place}.{name}: {given}, read as month, day and year: {read_as.isoformat()}"
            problems.add("not-taken-over", found, file=file, why=IF_NOT_MEANT)
    opens, closes = _moment(starts, time()), _moment(ends, LAST_SECOND)
    if isinstance(closes, datetime) and _is_day(ends):
        found = f"{place}.end: a day, taken to its last second in UTC"
        problems.add("not-taken-over", found, file=file, why=IF_NOT_MEANT)
    _tell_rest(table, phases, file, problems)
    title, terms = _text(table.get("title")), table.get("terms", _inside(table.get("html"), "terms"))
    open_to_all = table.get("registration_auto_approve") is True or table.get("has_registration") is False
    made: dict[str, Any] = {
        "name": slug(title) or "competition",
        "title": title,
        "description": _text(table.get("description")),
        "agreement": _text(terms) or None,
        "registration": "open" if open_to_all else "invited",
        "dates": {"opens": opens, "closes": closes},
        "tasks": [_task(last, key, way, place, file, problems)],
    }
    made["dates"] = {name: moment for name, moment in made["dates"].items() if moment is not None}
    return {name: value for name, value in made.items() if value not in ("", None)}


def _phases(given: object) -> Iterator[dict[str, Any]]:
    """The phases in order, from the list of Codabench or the numbered table of CodaLab."""
    listed = list(given.values()) if isinstance(given, dict) else given if isinstance(given, list) else []
    found = [{str(name): value for name, value in one.items()} for one in listed if isinstance(one, dict)]
    yield from sorted(found, key=_number)


def _number(phase: dict[str, Any]) -> int:
    number = phase.get("index", phase.get("phasenumber", 0))
    return number if isinstance(number, int) else 0


def _task(
    phase: dict[str, Any], key: str | None, way: int, place: str, file: str, problems: Problems
) -> dict[str, Any]:
    title = _text(phase.get("name", phase.get("label")))
    made: dict[str, Any] = {"name": slug(title) or "main", "title": title, "test": key or "", "way": way}
    limit = phase.get("max_submissions")
    if isinstance(limit, int) and limit > 0:
        made["runs"] = min(limit, MOST_RUNS)
        if limit > MOST_RUNS:
            found, why = f"{place}.max_submissions: {limit}", f"at most {MOST_RUNS} runs of a team are allowed"
            problems.add("not-taken-over", found, file=file, why=why)
    return made


def _tell_rest(table: dict[str, Any], phases: list[dict[str, Any]], file: str, problems: Problems) -> None:
    """What was not taken over, and why."""

    def tell(name: str, why: str) -> None:
        if why:
            problems.add("not-taken-over", name, file=file, why=why)

    for name in table.keys() - {*TAKEN}:
        html = table["html"] if name == "html" and isinstance(table["html"], dict) else None
        if html is None or html.keys() - {"terms"}:
            tell(name, REASONS.get(name, UNKNOWN))
    for number, phase in enumerate(phases, 1):
        if number < len(phases):
            tell(f"phases[{number}]", "a campaign has one time for submissions, that of the last phase")
            continue
        for name in phase.keys() - {*PHASE_TAKEN, "description", "tasks"}:
            tell(f"phases[{number}].{name}", NO_PROGRAMS if name in OF_PROGRAMS else REASONS.get(name, UNKNOWN))


def _text(value: object) -> str:
    """A text; numbers are texts too, and what is nested is none."""
    return str(value).strip() if isinstance(value, str | int | float) else ""


def _inside(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, dict) else None


def _moment(value: object, at: time) -> object:
    """A moment in UTC; a bare day gets a time."""
    if isinstance(value, str):
        value = _american(value)
    if _is_day(value):
        assert isinstance(value, date)
        return datetime.combine(value, at)
    return value if isinstance(value, datetime | str) else None if value is None else _text(value)


def _is_day(value: object) -> bool:
    value = _american(value) if isinstance(value, str) else value
    return isinstance(value, date) and not isinstance(value, datetime)


def _american(text: str) -> date | str:
    """A date as Codabench reads 12-31-2027, with a time or without; any other text as it is."""
    found = AMERICAN.fullmatch(text.strip())
    if found is None:
        return text
    month, day, year, hour, minute, second = (0 if part is None else int(part) for part in found.groups())
    try:
        return date(year, month, day) if found[4] is None else datetime(year, month, day, hour, minute, second)
    except ValueError:
        return text


def slug(title: str) -> str:
    """A name from a title: lower-case letters and digits, joined by dashes."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return "-".join(re.findall(r"[a-z0-9]+", plain))[:40].strip("-")


class _Text(HTMLParser):
    """Collects the text of a page."""

    BREAKS = frozenset("p div br li ul ol h1 h2 h3 h4 h5 h6 tr table section".split())
    HIDDEN = frozenset({"script", "style", "title"})

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A new line before a block."""
        del attrs
        self._hidden += tag in self.HIDDEN
        if tag in self.BREAKS:
            self.parts.append("\n- " if tag == "li" else "\n\n")

    def handle_endtag(self, tag: str) -> None:
        """What is hidden ends."""
        self._hidden -= tag in self.HIDDEN and self._hidden > 0

    def handle_data(self, data: str) -> None:
        """Text, with its white space as browsers show it."""
        if not self._hidden:
            self.parts.append(re.sub(r"\s+", " ", data))


def plain_text(page: bytes) -> bytes:
    """The text of an HTML page, as Markdown without marks."""
    parser = _Text()
    parser.feed(page.decode("utf-8", "replace"))
    parser.close()
    text = "\n".join(line.strip(" ") for line in "".join(parser.parts).split("\n"))
    return (re.sub(r"\n{3,}", "\n\n", text).strip() + "\n").encode()
