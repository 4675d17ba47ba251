"""The description of the interface for programs, as OpenAPI."""

from __future__ import annotations

from typing import get_args

from karat import __version__
from karat.campaign.events import Stage

Json = dict[str, object]


def _object(required: list[str] | None = None, /, **properties: object) -> Json:
    return {"type": "object", "properties": properties, "required": required or list(properties)}


def _list(of: object) -> Json:
    return {"type": "array", "items": of}


def _ref(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}


def _null(kind: str) -> Json:
    return {"type": [kind, "null"]}


def _json(description: str, schema: object) -> Json:
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _refusals(schema: str, **told: str) -> Json:
    """The responses to refusals: `_403="why"`."""
    common = {
        "_401": "no token, or one that does not work",
        "_404": "not there, or not yours to see",
        "_429": "too often; `Retry-After` says how many seconds to wait",
        "_500": "an error of the server; nothing was stored",
    }
    return {status[1:]: _json(why, _ref(schema)) for status, why in sorted((common | told).items())}


def _get(summary: str, response: Json, status: str = "200", **refusals: str) -> Json:
    return {"get": {"summary": summary, "responses": {status: response} | _refusals("Refusal", **refusals)}}


def _name(place: str, description: str) -> Json:
    return {"name": place, "in": "path", "required": True, "description": description, "schema": TEXT}


TEXT: Json = {"type": "string"}
FLAG: Json = {"type": "boolean"}
NUMBER: Json = {"type": "integer"}
MOMENT: Json = {"type": "string", "format": "date-time"}
PROBLEM = _object(
    file=TEXT,
    line=_null("integer"),
    column=_null("integer"),
    code=TEXT,
    found=TEXT,
    expected=TEXT,
    fix=TEXT,
    severity={"type": "string", "enum": ["error", "warning"]},
)
RECEIPT: dict[str, object] = {
    "id": TEXT,
    "sha256": TEXT,
    "received": MOMENT,
    "state": {"type": "string", "enum": ["scored", "awaiting judgment", "replaced", "withdrawn"]},
    "team": TEXT,
    "task": TEXT,
    "run": NUMBER,
    "replaces": _null("string"),
    "late": FLAG,
    "area": {"type": "string", "enum": ["official", "practice"]},
}
RUN = RECEIPT | {
    "file": TEXT,
    "size": NUMBER,
    "ranked": FLAG,
    "manual": FLAG,
    "justifications": FLAG,
    "statement": TEXT,
    "primary": FLAG,
    "scores": {"type": ["object", "null"], "description": "measures by way; null if they are not yours to see"},
    "key_version": _null("integer"),
}
DATE = _object(at=MOMENT, faces={"type": "object", "additionalProperties": TEXT}, **{"in": TEXT})
CAMPAIGN = _object(
    name=TEXT,
    title=TEXT,
    description=TEXT,
    phase={"type": "string", "enum": ["preparing", "registering", "data", "open", "grace", "closed"]},
    now=MOMENT,
    zone=TEXT,
    dates={"type": "object", "additionalProperties": {"anyOf": [DATE, {"type": "null"}]}},
    grace_minutes=NUMBER,
    practice=FLAG,
    commitment=TEXT,
    account=TEXT,
    role={"type": "string", "enum": ["organiser", "team", "assessor"]},
    team=_null("string"),
    signed=FLAG,
    sees={"type": "object", "additionalProperties": FLAG},
    key_version=NUMBER,
    tasks=_list(
        _object(
            name=TEXT,
            title=TEXT,
            kind=TEXT,
            way=NUMBER,
            runs=NUMBER,
            justifications=TEXT,
            takes_runs=FLAG,
            own_runs=_list(NUMBER),
            primary=_null("integer"),
        )
    ),
)
FORM = _object(
    ["file"],
    file={"type": "string", "format": "binary", "description": "the run, plain or gzip, at most 10 MiB"},
    run={"type": "integer", "minimum": 1, "description": "its number; without one, the next that is free"},
    ranked=FLAG,
    manual=FLAG,
    justifications=FLAG,
    statement={"type": "string", "description": "anything done specifically for the test set"},
    dry_run=FLAG | {"description": "check and score, but store nothing; the receipt is null"},
    practice=FLAG | {"description": "after the close, beside the official runs"},
    instead_of={"type": "string", "description": "the id of the run that it replaces, empty if there is none"},
)
SUBMIT: Json = {
    "summary": "Submit a run. The same file sent again for the same run is answered with the same receipt.",
    "requestBody": {"required": True, "content": {"multipart/form-data": {"schema": FORM}}},
    "responses": {"201": _json("accepted; on disk", _ref("Submission"))}
    | _refusals(
        "Submission",
        _403="closed, not open yet, or not yours to do",
        _409="no run left, or the run has changed since",
        _413="too large",
        _422="every problem of the file or the form",
    ),
}
VALUES: Json = {"type": "object", "additionalProperties": {"type": ["string", "integer"]}}
ASK = _object(
    name=TEXT,
    text=TEXT,
    values=_list(TEXT) | {"description": "the answers to choose from; none if any words do"},
    keys=_list(TEXT),
    ends=_list(TEXT) | {"description": "what the lowest and the highest number mean"},
    hints=_list(TEXT),
    asked_if=TEXT | {"description": "asked only if this question was answered with `at_least` or more"},
    at_least=NUMBER,
    required=FLAG,
    long=FLAG,
    most=NUMBER | {"description": "the characters of an answer in words"},
    number=FLAG | {"description": "whether an answer in words is a number, in digits"},
    within=TEXT | {"description": "a text of which the answer is a part"},
    key=TEXT,
    help=TEXT,
)
UNIT = _object(
    unit=TEXT | {"description": "the name under which it is judged; it says nothing about the unit"},
    stage={"type": "string", "enum": [stage for stage in get_args(Stage) if stage != "planted"]},
    show={"type": "object", "description": "what is judged: texts by name; labels and remarks where they are shown"},
    ask=_list(ASK),
    entry=_list(ASK)
    | {
        "type": ["array", "null"],
        "description": "asked about each entry of its list, which is judged as UNIT/NAME; null without a list",
    },
    entries={"type": "object", "description": "the list so far: what was answered, by the name of the entry"},
    suggested=TEXT | {"description": "what is suggested, and where that comes from"},
    guidelines=NUMBER | {"description": "the newest version of the guidelines, 0 if there are none"},
    lease=_null("string") | {"description": "until when nobody else gets this unit; null if it is yours alone"},
    done=NUMBER,
    total=NUMBER,
    open=FLAG | {"description": "whether a judgment can be given or changed"},
    values={"type": "object", "additionalProperties": TEXT, "description": "what you have said about it"},
    skipped=TEXT,
    comment=TEXT,
    latest=TEXT | {"description": "the id of what you did last about it, empty if nothing"},
    latest_entries={"type": "object", "additionalProperties": TEXT, "description": "the same, by entry of the list"},
)
INSTEAD_OF = TEXT | {
    "description": "`latest` as you saw it: refused if you have judged this since, or taken it back; "
    "without it, whatever is stored is replaced"
}
CLIENT_ID = TEXT | {"description": "your own id, as a UUID; what is sent twice under one id is stored once"}
JUDGED_UNIT = TEXT | {
    "description": "the unit; or, for an entry of its list such as a nugget or a further answer, the unit, a slash and "
    "a name for the entry: 1 to 40 letters, digits and dashes, the same again to change it"
}
BALLOT = _object(
    ["id", "unit"],
    id=CLIENT_ID,
    unit=JUDGED_UNIT,
    values=VALUES | {"description": "an answer for every question of `ask`, or `entry`, that is asked; none to skip"},
    guidelines=NUMBER | {"description": "the version of the guidelines that you had"},
    skipped=TEXT | {"description": "why nothing is judged; of an entry, why it is taken out"},
    comment=TEXT,
    suggested=TEXT | {"description": "the suggestion that was shown, if there was one"},
    program={"type": "object", "description": "of a program: kind, model, prompt, parameters; never of a person"},
    instead_of=INSTEAD_OF,
) | {"additionalProperties": False}
BACK = _object(["id", "unit"], id=CLIENT_ID, unit=JUDGED_UNIT, instead_of=INSTEAD_OF) | {"additionalProperties": False}
STORED = _object(accepted=FLAG, id=TEXT, unit=TEXT, problems=_list(_ref("Problem")))
GUIDELINES = _object(version=NUMBER, text=TEXT)


def _judge(summary: str, body: Json, **refusals: str) -> Json:
    """A request with a judgment, or about one."""
    told = _refusals(
        "Refusal",
        _403="not yours to judge, or no longer",
        _409="an id that was used before, or judged since",
        **refusals,
    )
    return {
        "summary": summary,
        "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
        "responses": {"201": _json("stored; on disk", STORED)} | told,
    }


TASK_NAMES = [_name("name", "the campaign"), _name("task", "the task")]
OF_TASK = "/api/campaigns/{name}/tasks/{task}"
NOT_YOURS = "not open yet, or not yours to do"
FILE: Json = {"description": "the pairs or questions", "content": {"application/octet-stream": {}}}
NEXT: Json = {"200": _json("a unit to judge", UNIT), "204": {"description": "nothing is left"}}
AFTER: Json = {"name": "after", "in": "query", "description": "the unit after which to look first", "schema": TEXT}
VERSION: Json = {"name": "version", "in": "query", "description": "an earlier version", "schema": NUMBER}
INVALID = "every problem of the judgment"
PATHS: dict[str, Json] = {
    "/healthz": {
        "get": {
            "summary": "Whether the server answers",
            "security": [],
            "responses": {"200": _json("it does", _object(ok=FLAG))},
        }
    },
    "/api/openapi.json": {
        "get": {
            "summary": "This description",
            "security": [],
            "responses": {"200": _json("it", {"type": "object"})},
        }
    },
    "/api/campaigns/{name}": {
        "parameters": TASK_NAMES[:1],
        **_get("What this account sees of its campaign", _json("the campaign", _ref("Campaign"))),
    },
    f"{OF_TASK}/data": {"parameters": TASK_NAMES, **_get("The blind test set", FILE, _403=NOT_YOURS)},
    f"{OF_TASK}/runs": {
        "parameters": TASK_NAMES,
        **_get("Own runs; all for an organiser", _json("the runs", _object(runs=_list(_object(**RUN))))),
        "post": SUBMIT,
    },
    f"{OF_TASK}/runs/{{id}}": {
        "parameters": [*TASK_NAMES, _name("id", "the id on the receipt")],
        **_get("One run", _json("the run", _object(**RUN, problems=_list(_ref("Problem"))))),
    },
    "/api/campaigns/{name}/guidelines": {
        "parameters": [*TASK_NAMES[:1], VERSION],
        **_get("The guidelines for assessors", _json("the newest version", GUIDELINES), _403=NOT_YOURS),
    },
    f"{OF_TASK}/next": {
        "parameters": [*TASK_NAMES, AFTER],
        "get": {"summary": "A unit to judge", "responses": NEXT | _refusals("Refusal", _403=NOT_YOURS)},
    },
    f"{OF_TASK}/ballots": {
        "parameters": TASK_NAMES,
        "post": _judge("Judge a unit, or change a judgment", BALLOT, _422=INVALID, _413="larger than 2 MiB"),
    },
    f"{OF_TASK}/undo": {
        "parameters": TASK_NAMES,
        "post": _judge("Take a judgment back; the one before it holds again", BACK, _422=INVALID),
    },
}
DESCRIPTION: Json = {
    "openapi": "3.1.0",
    "info": {"title": "karat", "version": __version__, "summary": "What programs can do on a campaign server"},
    "security": [{"token": []}],
    "paths": PATHS,
    "components": {
        "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        "schemas": {
            "Problem": PROBLEM,
            "Refusal": _object(problems=_list(_ref("Problem"))),
            "Receipt": _object(**RECEIPT),
            "Submission": _object(
                accepted=FLAG,
                receipt={"anyOf": [_ref("Receipt"), {"type": "null"}]},
                problems=_list(_ref("Problem")),
            ),
            "Campaign": CAMPAIGN,
        },
    },
}
