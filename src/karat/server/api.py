"""What programs use: the HTTP interface with tokens, in JSON. Every refusal lists its problems."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar

import msgspec
from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.urls import path, re_path
from django.utils.http import content_disposition_header
from django.views.decorators.csrf import csrf_exempt

from karat.campaign.definition import Task
from karat.campaign.refusing import refuse
from karat.campaign.sight import Sight, check_data, runs_for, sees_score, shown_dates, sight
from karat.campaign.state import Campaign, Member, Run
from karat.errors import DataError, Problem, UsageError
from karat.server import judging, openapi
from karat.server.accounts import find_link
from karat.server.home import MOST_BODY
from karat.server.middleware import received
from karat.server.store import content, now, state_of, test_set
from karat.server.submitting import TooOftenError, count_sending, declared, receipt, submit
from karat.server.throttle import Delays, Rate

REQUESTS_A_MINUTE = 1200
"""A program that judges makes two for each unit."""
STATUS = {
    "token": 401,
    "closed": 403,
    "not-open": 403,
    "not-signed": 403,
    "no-runs-taken": 403,
    "not-allowed": 403,
    "not-found": 404,
    "run-limit": 409,
    "run-changed": 409,
    "ballot-id": 409,
    "judgment-changed": 409,
    "other-account": 409,
    "not-assigned": 403,
    "not-qualified": 403,
    "round-closed": 403,
    "too-large": 413,
    "gzip-bomb": 413,
    "too-often": 429,
    "failed": 500,
}
"""The status for a problem; the first of this order that applies, otherwise 422."""
log = logging.getLogger("karat.server")
wrong_tokens = Delays()
requests = Rate(REQUESTS_A_MINUTE, 60.0)
P = ParamSpec("P")
T = TypeVar("T", bound=msgspec.Struct)


class Caller(NamedTuple):
    """Who sends a request, and what about."""

    request: HttpRequest
    state: Campaign
    member: Member

    @property
    def seeing(self) -> Sight:
        """What they see now."""
        member = self.member
        return sight(self.state, member.role, now(), member.team, self.state.has_signed(member))


def reply(value: object, status: int = 200) -> HttpResponse:
    """A response in JSON."""
    return HttpResponse(msgspec.json.encode(value), content_type="application/json", status=status)


def status_of(problems: tuple[Problem, ...]) -> int:
    """The status of a refusal."""
    codes = {problem.code for problem in problems}
    return next((status for code, status in STATUS.items() if code in codes), 422)


def answers(method: str, submitting: bool = False) -> Callable[..., Callable[..., HttpResponse]]:
    """A view that one method reaches, with a token of the campaign; refusals are answers too."""

    def wrap(view: Callable[Concatenate[Caller, P], HttpResponse]) -> Callable[..., HttpResponse]:
        @csrf_exempt
        @wraps(view)
        def answer(request: HttpRequest, name: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            if request.method not in ({"GET", "HEAD"} if method == "GET" else {method}):
                return _wrong_method(request, method)
            try:
                return view(_caller(request, name, submitting), *args, **kwargs)
            except DataError as error:
                return _refusal(error, submitting)
            except Exception:
                log.exception("%s %s failed", request.method, request.path)
                return _refusal(refuse("failed", "an error of the server"), submitting)

        return answer

    return wrap


def _refusal(error: DataError, submitting: bool = False) -> HttpResponse:
    body: dict[str, object] = {"accepted": False, "receipt": None} if submitting else {}
    response = reply(body | {"problems": error.problems}, status_of(error.problems))
    if response.status_code == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    if isinstance(error, TooOftenError):
        response.headers["Retry-After"] = str(error.seconds)
    return response


def _wrong_method(request: HttpRequest, *allowed: str) -> HttpResponse:
    response = reply({"problems": refuse("request", str(request.method), what=" or ".join(allowed)).problems}, 405)
    response.headers["Allow"] = ", ".join(allowed)
    return response


def _caller(request: HttpRequest, name: str, submitting: bool) -> Caller:
    """Who holds the token of a request.

    A token that works is never delayed by what others try from the same address; those who guess are.
    """
    scheme, _, given = request.headers.get("Authorization", "").partition(" ")
    token = find_link(given.strip(), "token")
    moment, address = time.monotonic(), request.META.get("REMOTE_ADDR")
    if token is None or scheme.lower() != "bearer":
        _check_wait(wrong_tokens.wait(address, moment), "a few wrong tokens from one address")
        if given:
            wrong_tokens.failed(address, moment)
        raise refuse("token", "a token that does not work" if given else "no `Authorization: Bearer TOKEN`")
    if token.campaign != name:
        raise refuse("not-found", f"the campaign {name!r}")
    if submitting:
        count_sending(name, token.name)
    else:
        _check_wait(
            requests.wait((name, token.name), moment), f"{REQUESTS_A_MINUTE} requests of an account in a minute"
        )
    state = state_of(name)
    if state.tokens.get(token.sha256[:12]) != token.name:
        raise refuse("token", "a token that is not in the record of the campaign")
    return Caller(request, state, state.member(token.name))


def _check_wait(seconds: float, limit: str) -> None:
    if seconds > 0:
        raise TooOftenError(math.ceil(seconds), limit)


def _task(caller: Caller, name: str) -> Task:
    try:
        return caller.state.definition.task(name)
    except UsageError:
        raise refuse("not-found", f"the task {name!r}") from None


@answers("GET")
def campaign(caller: Caller) -> HttpResponse:
    """What this account sees of its campaign."""
    state, member, moment = caller.state, caller.member, now()
    made = state.definition
    return reply(
        {
            "name": made.name,
            "title": made.title,
            "description": made.description,
            "phase": state.phase(moment, member.team),
            "now": moment,
            "zone": made.zone,
            "dates": shown_dates(state, moment, member.team),
            "grace_minutes": made.grace,
            "practice": made.practice,
            "commitment": state.commitment,
            "account": member.account,
            "role": member.role,
            "team": member.team,
            "signed": state.has_signed(member),
            "sees": caller.seeing,
            "key_version": len(state.keys),
            "tasks": [_described(state, member, task) for task in made.tasks],
        }
    )


def _described(state: Campaign, member: Member, task: Task) -> dict[str, object]:
    own = [] if member.team is None else state.active(member.team, task.name)
    return {
        "name": task.name,
        "title": task.title,
        "kind": task.kind,
        "way": task.way,
        "runs": task.runs,
        "justifications": task.justifications,
        "takes_runs": task.takes_runs,
        "own_runs": [run.received.number for run in own],
        "primary": None if member.team is None else state.primary(member.team, task.name),
    }


@answers("GET")
def data(caller: Caller, task: str) -> HttpResponse:
    """The blind test set of a task."""
    found = _task(caller, task)
    check_data(caller.state, caller.member, now())
    test = test_set(caller.state, found)
    headers = {"Content-Disposition": content_disposition_header(True, test.blind_name.rpartition("/")[2])}
    return HttpResponse(test.blind, content_type="application/octet-stream", headers=headers)


@answers("GET")
def list_runs(caller: Caller, task: str) -> HttpResponse:
    """The runs of a task that this account sees."""
    name = _task(caller, task).name
    return reply({"runs": [_run(caller, run) for run in runs_for(caller.state, caller.member, name)]})


@answers("GET")
def one_run(caller: Caller, task: str, id: str) -> HttpResponse:
    """One run."""
    name = _task(caller, task).name
    for run in runs_for(caller.state, caller.member, name):
        if run.received.id == id:
            return reply(_run(caller, run) | {"problems": run.received.warnings})
    raise refuse("not-found", f"the run {id!r}")


def _run(caller: Caller, run: Run) -> dict[str, object]:
    sent = run.received.sent
    said = {name: getattr(sent, name) for name in ("file", "size", "ranked", "manual", "justifications", "statement")}
    primary = caller.state.primary(run.received.team, sent.task)
    seeing = caller.seeing
    told = receipt(caller.state, run.received, seeing) | said
    told["primary"] = run.status == "active" and sent.area == "official" and run.received.number == primary
    seen = sees_score(seeing, run)
    return told | {"scores": run.scores if seen else None, "key_version": len(caller.state.keys) if seen else None}


@answers("POST", submitting=True)
def send_run(caller: Caller, task: str) -> HttpResponse:
    """Take a run, or with `dry_run` say what would become of it."""
    at, name = received(caller.request), _task(caller, task).name
    if caller.member.team is None:
        found = f"the account of an {caller.member.role}"
        raise refuse("not-allowed", found, what="the account of a team", fix="use the token of a team")
    upload, fields = _parsed(caller.request)
    said, dry_run = declared(name, fields)
    file = upload.name or "run"
    account, raw = caller.member.account, upload.read()
    made = submit(caller.state.definition.name, account, file, raw, said, at, dry_run)
    if made.run is None:
        raise DataError(made.problems)
    newest = caller._replace(state=state_of(caller.state.definition.name))
    told = None if dry_run else receipt(newest.state, made.run, newest.seeing)
    return reply({"accepted": True, "receipt": told, "problems": made.problems}, 201)


def _parsed(request: HttpRequest) -> tuple[UploadedFile, dict[str, list[str]]]:
    """The file and the fields of a form."""
    if int(request.META.get("CONTENT_LENGTH") or 0) > MOST_BODY:
        raise refuse("too-large", "a larger request", limit=f"{MOST_BODY >> 20} MiB")
    try:
        files, fields = request.FILES, dict(request.POST.lists())
    except RequestDataTooBig:
        raise refuse("too-large", "larger fields", limit="2 MiB beside the file") from None
    except (MultiPartParserError, SuspiciousOperation) as error:
        raise refuse("request", str(error), what="multipart/form-data with the field `file`") from None
    given = files.getlist("file")
    if len(given) != 1 or set(files) != {"file"}:
        found = f"{sum(map(len, dict(files.lists()).values()))} files" if files else "no file"
        raise refuse("request", found, what="multipart/form-data with one file, in the field `file`")
    return given[0], fields


@answers("GET")
def next_unit(caller: Caller, task: str) -> HttpResponse:
    """The next unit for an assessor to judge; 204 if nothing is left."""
    name = _judged(caller, task)
    after = caller.request.GET.get("after", "")
    found = judging.next_unit(caller.state.definition.name, caller.member.account, name, after)
    return HttpResponse(status=204) if found is None else reply(found)


@answers("POST")
def ballots(caller: Caller, task: str) -> HttpResponse:
    """Take a judgment; one that is sent twice is stored once and answered alike."""
    name, sheet = _judged(caller, task), _body(caller.request, judging.Sent).sheet()
    return reply(judging.judge(caller.state.definition.name, caller.member.account, name, sheet), 201)


@answers("POST")
def undo(caller: Caller, task: str) -> HttpResponse:
    """Take a judgment back."""
    name, said = _judged(caller, task), _body(caller.request, judging.TakenBack)
    campaign, who = caller.state.definition.name, caller.member.account
    return reply(judging.undo(campaign, who, name, said.id, said.unit, said.instead_of), 201)


@answers("GET")
def guidelines(caller: Caller) -> HttpResponse:
    """The guidelines for those who judge: the newest version, or the one that is asked for."""
    _check_judge(caller)
    versions = caller.state.guidelines
    asked = caller.request.GET.get("version", str(len(versions)))
    if not asked.isascii() or not asked.isdecimal() or not 1 <= int(asked) <= len(versions):
        raise refuse("not-found", f"version {asked[:20]!r} of the guidelines")
    text = content(versions[int(asked) - 1].sha256).decode("utf-8", "replace")
    return reply({"version": int(asked), "text": text})


def _judged(caller: Caller, task: str) -> str:
    """The name of a task, for somebody who can judge."""
    name = _task(caller, task).name
    _check_judge(caller)
    return name


def _check_judge(caller: Caller) -> None:
    if caller.member.role == "team":
        fix = "use the token of an assessor"
        raise refuse("not-allowed", "the account of a team", what="the account of an assessor", fix=fix)
    if not caller.state.has_signed(caller.member):
        raise refuse("not-signed", f"{caller.member.account} has not accepted the agreement")


def _body(request: HttpRequest, kind: type[T]) -> T:
    """A request in JSON."""
    try:
        return msgspec.json.decode(request.body, type=kind)
    except RequestDataTooBig:
        raise refuse("too-large", "a larger request", limit="2 MiB") from None
    except msgspec.MsgspecError as error:
        what = f"JSON with {', '.join(field.name for field in msgspec.structs.fields(kind))}"
        raise refuse("request", str(error), what=what) from None


def description(request: HttpRequest) -> HttpResponse:
    """The description of this interface, for programs."""
    del request
    return reply(openapi.DESCRIPTION)


@csrf_exempt
def unknown(request: HttpRequest) -> HttpResponse:
    """The answer to any other address."""
    return _refusal(refuse("not-found", f"{request.method} {request.path}"))


@csrf_exempt
def runs(request: HttpRequest, name: str, task: str) -> HttpResponse:
    """The list of runs, or a new one, by the method."""
    if request.method in ("GET", "HEAD"):
        return list_runs(request, name, task)
    return send_run(request, name, task) if request.method == "POST" else _wrong_method(request, "GET", "POST")


TASK = "campaigns/<str:name>/tasks/<str:task>"
urlpatterns = [
    path("openapi.json", description, name="openapi"),
    path("campaigns/<str:name>", campaign, name="api-campaign"),
    path("campaigns/<str:name>/guidelines", guidelines, name="api-guidelines"),
    path(f"{TASK}/data", data, name="api-data"),
    path(f"{TASK}/runs", runs, name="api-runs"),
    path(f"{TASK}/runs/<str:id>", one_run, name="api-run"),
    path(f"{TASK}/next", next_unit, name="api-next"),
    path(f"{TASK}/ballots", ballots, name="api-ballots"),
    path(f"{TASK}/undo", undo, name="api-undo"),
    re_path("", unknown, name="api-unknown"),
]
