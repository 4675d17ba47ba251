"""Editing a campaign: the same values as in its file, field by field."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from karat.campaign.checking import read_files
from karat.campaign.commands import Edit
from karat.campaign.dates import Dates
from karat.campaign.definition import Definition, Judging, Task, build
from karat.campaign.state import Campaign
from karat.campaign.writing import written
from karat.errors import DataError, KaratError, Problem
from karat.server.assigning import check_units
from karat.server.developing import UNWRITTEN, UNWRITTEN_NAME
from karat.server.pages import Visit, download, in_campaign, say, show, text_of
from karat.server.pages.dating import MEANING
from karat.server.pages.forms import Field, in_words, mark, sentence, wrong
from karat.server.pages.starting import ZONES
from karat.server.store import content, digest_of, execute

TEXTS = {"agreement": "agreement.md", "guidelines": "guidelines.md"}
"""The texts of a campaign that are written on the page, and the files they become."""
WHOLE = {"grace", "runs", "way", "per_unit", "repeats", "planted", "lease"}
NUMBERS = {"public_share", "qualify"}
LISTS, BOXES = {"attributes", "baselines"}, {"practice", "key_with_results"}
KINDS = ("entailment", "justifications", "questions", "nuggets", "ratings", "decomposition")


def _same(*values: object) -> tuple[tuple[str, str], ...]:
    return tuple((str(one), str(one)) for one in values)


def fields_of(values: Mapping[str, str], tasks: int) -> dict[str, list[Field]]:
    """The fields of a definition, by the part of the page that they stand in."""

    def field(name: str, label: str, kind: str = "text", note: str = "", required: bool = False, **facts: Any) -> Field:
        return Field(name, label, kind, values.get(name, ""), note, required, **facts)

    parts = {
        "Campaign": [
            field("title", "Title", required=True, wide=True),
            field("description", "Description", "textarea"),
            field("zone", "Time zone", "select", "All times below are in this zone.", True, choices=ZONES),
            field("registration", "Teams join", "select", choices=(("invited", "by invitation"), ("open", "freely"))),
            field("agreement", "Agreement", "textarea", "Accepted before a team gets data or submits; may be empty."),
            field("guidelines", "Guidelines for assessors", "textarea"),
        ],
        "Dates": [
            *(
                replace(field(f"dates.{name}", label, _clock(values.get(f"dates.{name}", ""))), required=name in NEEDED)
                for name, label in MEANING.items()
            ),
            field(
                "grace", "Minutes of grace", "number", "Runs are accepted this long after the close, marked as late."
            ),
            field("practice", "A practice area after the close", "checkbox"),
            field(
                "key_with_results",
                "Teams get the key with their own results",
                "checkbox",
                "So they can see their errors.",
            ),
            field("baselines", "Teams marked as baselines", note="Names with commas between them."),
        ],
        "Judging": [
            field("judging.per_unit", "Assessors per unit", "number"),
            field(
                "judging.examples",
                "Pairs with known labels",
                "file",
                _kept(values.get("judging.examples", "")) or ABOUT,
            ),
            field("judging.qualify", "Share of them to get right", note="From 0 to 1."),
            field("judging.planted", "Of these, among the units", "number", "Nobody qualifies by those."),
            field("judging.repeats", "Units judged twice", "number", "By each assessor, unmarked."),
            field("judging.lease", "Minutes until a unit returns to the pool", "number"),
        ],
    }
    for place in range(tasks):
        path = f"tasks.{place}"
        new = not values.get(f"{path}.name")
        parts["Further task" if new else f"Task {place + 1}"] = [
            field(f"{path}.name", "Name", note="Leave it empty to add no task." if new else ""),
            field(f"{path}.title", "Title"),
            field(f"{path}.kind", "Kind", "select", choices=_same(*KINDS)),
            field(f"{path}.way", "Labels", "select", choices=(("3", "three-way"), ("2", "two-way"))),
            field(f"{path}.runs", "Runs per team", "number"),
            field(f"{path}.justifications", "Justifications", "select", choices=_same("none", "optional", "required")),
            field(f"{path}.public_share", "Share of units on a live board", "text", "From 0 to 1."),
            field(f"{path}.attributes", "Attributes that teams see", note="Names with commas between them."),
            field(f"{path}.test", "Test set with key", "file", _kept(values.get(f"{path}.test", "")) or UNCHOSEN),
            *(field(f"{path}.{use}", label, "file", _kept(values.get(f"{path}.{use}", ""))) for use, label in BESIDE),
            field(f"{path}.link", "Address of a document", note="With {id} in the place of its id."),
        ]
    return parts


NEEDED = ("opens", "closes")
ABOUT = "Whoever judges begins with these, if there are any."
BESIDE = (
    ("documents", "Documents, for assessors"),
    ("patterns", "Patterns that accept answers"),
    ("nuggets", "Nuggets to start from"),
    ("phenomena", "Phenomena"),
)


UNCHOSEN = "Questions and nuggets can do without: then assessors write the questions here."


def _kept(name: str) -> str:
    return f"Now: {name}. Choose a file only to replace it." if name else ""


def _clock(value: str) -> str:
    """The kind of input for a time: one with an offset fits into no calendar."""
    return "datetime-local" if re.fullmatch(r"(\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?)?", value) else "text"


def values_of(definition: Definition, texts: Mapping[str, str]) -> dict[str, str]:
    """What stands in each field."""
    table = tomllib.loads(written(definition))
    values = {name: _plain(value) for name, value in _leaves(definition)}
    for name, value in table["dates"].items():
        values[f"dates.{name}"] = value.isoformat()
    return values | dict(texts)


def _leaves(struct: msgspec.Struct, path: str = "") -> Iterator[tuple[str, object]]:
    for one in msgspec.structs.fields(struct):
        value = getattr(struct, one.name)
        if isinstance(value, Dates):
            continue
        if isinstance(value, Judging):
            yield from _leaves(value, f"{path}{one.name}.")
        elif one.name == "tasks":
            for place, task in enumerate(value):
                yield from _leaves(task, f"tasks.{place}.")
        else:
            yield f"{path}{one.name}", value


def _plain(value: object) -> str:
    return ", ".join(value) if isinstance(value, tuple) else "" if value is None else str(value)


def table_of(values: Mapping[str, str], tasks: int) -> dict[str, Any]:
    """The tables of a campaign file from the values of the fields; what was left empty is left out."""
    table: dict[str, Any] = {"dates": {}, "judging": {}, "tasks": []}
    for name in ("title", "description", "zone", "registration", "grace", "practice", "key_with_results", "baselines"):
        _put(table, name, values.get(name, ""))
    for name in MEANING:
        _put(table["dates"], name, values.get(f"dates.{name}", ""))
    for judged in msgspec.structs.fields(Judging):
        _put(table["judging"], judged.name, values.get(f"judging.{judged.name}", ""))
    for place in range(tasks):
        task: dict[str, Any] = {}
        for one in msgspec.structs.fields(Task):
            _put(task, one.name, values.get(f"tasks.{place}.{one.name}", ""))
        if "name" in task:
            table["tasks"].append(task)
    return table


def _put(table: dict[str, Any], name: str, value: str) -> None:
    value = value.strip()
    if name in BOXES:
        table[name] = value == "yes"
    elif name in LISTS:
        table[name] = [one.strip() for one in value.split(",") if one.strip()]
    elif value:
        table[name] = _number(value, int if name in WHOLE else float) if name in WHOLE | NUMBERS else value


def _number(value: str, kind: type[int] | type[float]) -> object:
    try:
        return kind(value)
    except ValueError:
        return value  # the definition says what it expected instead


@in_campaign("organiser")
def edit(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Change a campaign; every problem is shown beside its field, and nothing is changed until all are gone."""
    state, count = visit.state, len(visit.state.definition.tasks) + 1
    if request.method != "POST":
        texts = {name: text_of(state, name) for name in TEXTS}
        values = values_of(state.definition, texts) | {f"tasks.{count - 1}.{k}": v for k, v in NEW_TASK.items()}
        return _form(request, visit, fields_of(values, count), values)
    values = {name: str(value).replace("\r\n", "\n") for name, value in request.POST.items()}
    if values.get("version") != version_of(state):
        top = ["Somebody else has changed the campaign in the meantime. Reload this page to see what it is like now."]
        return _form(request, visit, fields_of(values, count), values, top)
    contents = _contents(request, visit, values)
    parts = fields_of(values, count)
    try:
        made = build(_table(visit, values, contents), "the form")
        read_files(made, contents.__getitem__, "the form")
        check_units(state, made, contents)
        digests = {name: digest_of(contents[name]) for name in made.files()}
        stored = {digest: contents[name] for name, digest in digests.items()}
        command = Edit(definition=made, files=digests, reason=values.get("reason", ""))
        outcome = execute(visit.name, command, visit.account.name, stored)
    except DataError as error:
        return _form(request, visit, *beside(parts, error.problems, values))
    except KaratError as error:
        return _form(request, visit, parts, values, [sentence(str(error))])
    say(request, "The changes are saved." if outcome.entries else "Nothing was changed.")
    return redirect("campaign", name=visit.name)


def _form(
    request: HttpRequest,
    visit: Visit,
    parts: dict[str, list[Field]],
    values: Mapping[str, str],
    top: Sequence[str] = (),
) -> HttpResponse:
    """The form, with what was entered and what is wrong with it."""
    reason = Field("reason", "Reason", value=values.get("reason", ""))
    bad = [field for fields in parts.values() for field in wrong(fields)]
    version = values.get("version") or version_of(visit.state)
    facts = {"reason": reason, "top": top, "bad": bad, "edited": version}
    return show(request, "edit", visit, 422 if top or bad else 200, parts=parts, **facts)


def version_of(state: Campaign) -> str:
    """What a form was filled in for: nobody overwrites what another organiser has changed meanwhile."""
    return digest_of(msgspec.json.encode([state.definition, state.files], order="deterministic"))[:16]


def _contents(request: HttpRequest, visit: Visit, values: dict[str, str]) -> dict[str, bytes]:
    """The files of the campaign, with those that were sent; `values` gets their names."""
    definition = visit.state.definition
    tasks, texts = definition.tasks, {definition.agreement, definition.guidelines, *TEXTS.values()}
    contents = {name: content(digest) for name, digest in visit.state.files.items()}
    named = {
        f"tasks.{place}.{use}": name
        for place, task in enumerate(tasks)
        for use, name in {"test": task.test, **task.beside()}.items()
    }
    if definition.judging.examples is not None:
        named["judging.examples"] = definition.judging.examples
    paths = [f"tasks.{place}.{use}" for place in range(len(tasks) + 1) for use in ("test", *dict(BESIDE))]
    for path in (*paths, "judging.examples"):
        values[path] = named.get(path, "")
        if (sent := request.FILES.get(path)) is not None:
            others = {name for other, name in named.items() if other != path}
            data, used = sent.read(), sent.name in others | texts
            same = sent.name not in texts and contents.get(sent.name) == data
            own = values.get(f"{path.rpartition('.')[0]}.name", "")
            name = f"{own}-{sent.name}" if used and not same else sent.name
            contents[name], values[path], named[path] = data, name, name
    last, new = f"tasks.{len(tasks)}", values.get(f"tasks.{len(tasks)}.name", "").strip()
    if new and not values[f"{last}.test"] and values.get(f"{last}.kind") in ("questions", "nuggets"):
        values[f"{last}.test"] = f"{new}-{UNWRITTEN_NAME}"
        contents[f"{new}-{UNWRITTEN_NAME}"] = UNWRITTEN
    return contents


def _table(visit: Visit, values: Mapping[str, str], contents: dict[str, bytes]) -> dict[str, Any]:
    """The tables of the campaign file; texts that were changed become files among `contents`."""
    definition = visit.state.definition
    table = table_of(values, len(definition.tasks) + 1) | {"name": definition.name}
    for name in TEXTS:
        if text := values.get(name, "").strip():
            table[name] = getattr(definition, name) or TEXTS[name]
            if text != text_of(visit.state, name).strip():
                contents[table[name]] = values[name].encode()
    return table


NEW_TASK = {"kind": "entailment", "way": "3", "runs": "3", "justifications": "none", "attributes": "task, length"}


def beside(
    parts: dict[str, list[Field]], problems: tuple[Problem, ...], values: Mapping[str, str]
) -> tuple[dict[str, list[Field]], Mapping[str, str], list[str]]:
    """Fields with their problems, and the problems of no field."""
    known = {field.name for fields in parts.values() for field in fields}
    files = ("test", "examples", *dict(BESIDE))
    tests = {value: name for name, value in values.items() if name.rpartition(".")[2] in files and value}
    # A task whose name was emptied is left out, so that those behind it move up.
    kept = [place for place in range(len(values)) if values.get(f"tasks.{place}.name", "").strip()] or [0]
    top = []
    for problem in problems:
        path, _, found = problem.found.partition(": ")
        name = re.sub(r"\[(\d+)\]", lambda place: f".{kept[int(place[1]) - 1]}", path)
        text = in_words(replace(problem, found=found))
        if problem.file in tests:
            name, text = (
                tests[problem.file],
                f"Line {problem.line}: {in_words(problem)}" * bool(problem.line) or in_words(problem),
            )
        if name in known:
            parts = {title: mark(fields, name, text) for title, fields in parts.items()}
        else:
            top.append(in_words(problem))
    return parts, values, top


@require_safe
@in_campaign("organiser")
def campaign_file(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The campaign as a file."""
    del request
    return download(written(visit.state.definition).encode(), f"{visit.name}.toml")
