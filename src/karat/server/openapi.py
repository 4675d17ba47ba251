"""The description of the interface for programs, as OpenAPI."""

from __future__ import annotations

from karat import __version__

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
BALLOT = _object(id={"type": "string", "format": "uuid"}, unit=TEXT, values={"type": "object"}, guidelines=TEXT)
UNIT = _object(unit=TEXT, show={"type": "object"}, ask={"type": "object"}, lease=MOMENT)
TASK_NAMES = [_name("name", "the campaign"), _name("task", "the task")]
OF_TASK = "/api/campaigns/{name}/tasks/{task}"
NOT_YOURS = "not open yet, or not yours to do"
FILE: Json = {"description": "the pairs or questions", "content": {"application/octet-stream": {}}}
NEXT: Json = {"200": _json("a unit to judge", UNIT), "204": {"description": "nothing is left"}}
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
    f"{OF_TASK}/next": {
        "parameters": TASK_NAMES,
        "get": {"summary": "A unit to judge", "responses": NEXT | _refusals("Refusal", _403=NOT_YOURS)},
    },
    f"{OF_TASK}/ballots": {
        "parameters": TASK_NAMES,
        "post": {
            "summary": "Send a ballot; sent twice, it is stored once",
            "requestBody": {"required": True, "content": {"application/json": {"schema": BALLOT}}},
            "responses": {"201": _json("stored", BALLOT)} | _refusals("Refusal", _403=NOT_YOURS),
        },
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
