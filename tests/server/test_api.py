"""What programs can rely on: every status of the contract, in JSON, and nothing that is not theirs."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from karat import examples
from karat.campaign import checking
from karat.campaign.definition import MOST_BYTES

RUN = (examples.HERE / "runs" / "careful.jsonl").read_bytes()
OTHER = (examples.HERE / "runs" / "cautious.txt").read_bytes()


@dataclass
class World:
    """A campaign with two teams, an assessor and an organiser, each with a token."""

    name: str
    tokens: dict[str, str]

    def get(self, who: str, path: str = "", **more: Any) -> Any:
        """A request of somebody."""
        return client().get(f"/api/campaigns/{self.name}{path}", headers=self.headers(who), **more)

    def headers(self, who: str) -> dict[str, str]:
        """Their token."""
        return {"Authorization": f"Bearer {self.tokens.get(who, who)}"}

    def send(
        self, who: str = "Ash", raw: bytes = RUN, task: str = "three-way", file: str = "r.jsonl", **said: Any
    ) -> Any:
        """Submit a file."""
        from django.core.files.uploadedfile import SimpleUploadedFile

        data = {"file": SimpleUploadedFile(file, raw), **said}
        path = f"/api/campaigns/{self.name}/tasks/{task}/runs"
        return client().post(path, data, headers=self.headers(who))

    def events(self) -> int:
        """How many entries the record has."""
        from karat.server.store import state_of

        return state_of(self.name).sequence


def client() -> Any:
    """A client without cookies, which checks for CSRF as a browser's request would be."""
    from django.test import Client

    return Client(enforce_csrf_checks=True, headers={"Host": "localhost"})


@pytest.fixture(autouse=True)
def fresh_limits(home: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test is throttled by what another has sent."""
    del home
    from karat.server import api, submitting
    from karat.server.throttle import Delays, Rate

    monkeypatch.setattr(api, "wrong_tokens", Delays())
    monkeypatch.setattr(submitting, "submissions", Rate(submitting.SENT_A_MINUTE, 60))
    monkeypatch.setattr(api, "requests", Rate(api.REQUESTS_A_MINUTE, 60))


@pytest.fixture
def world(home: Any, campaign_file: Callable[..., Path]) -> Callable[..., World]:
    """Make campaigns, each of a name of its own."""
    del home
    from karat.campaign.definition import parse
    from karat.server import accounts, operations
    from karat.server.store import names

    def make(**how: Any) -> World:
        name = f"api-{len(names())}"
        file = campaign_file(name, **how)
        operations.create(parse(file.read_text(), file.name), lambda one: (file.parent / one).read_bytes(), file.name)
        people = {"Ash": "team", "Beech": "team", "Rook": "assessor", "Olga": "organiser"}
        for account, role in people.items():
            operations.enrol(name, role, account, f"{account} Example")  # type: ignore[arg-type]
        return World(name, {one: accounts.issue_token(name, one, "organiser") for one in people})

    return make


def test_a_token_that_was_written_into_the_database(world: Callable[..., World]) -> None:
    """A token works only if the record says that it was made, and for whom."""
    from karat.server.accounts import make_link
    from karat.server.models import Secret
    from karat.server.store import digest_of

    here = world()
    here.tokens["Forged"] = make_link("token", "Ash", None, here.name)
    assert here.send("Forged").status_code == 401
    Secret.objects.filter(sha256=digest_of(here.tokens["Beech"].encode())).update(name="Ash")
    assert here.send("Beech").status_code == 401
    assert here.send("Ash").status_code == 201


def test_a_run_is_accepted(world: Callable[..., World]) -> None:
    """201, with a receipt that names what was received."""
    here = world()
    answer = here.send(run="2", ranked="false", statement="none")
    assert answer.status_code == 201
    told = answer.json()
    assert set(told) == {"accepted", "receipt", "problems"}
    assert told["accepted"] is True
    receipt = told["receipt"]
    assert {"id", "sha256", "received", "state", "team", "task", "run", "replaces"} <= set(receipt)
    assert (receipt["team"], receipt["task"], receipt["run"]) == ("Ash", "three-way", 2)
    assert receipt["state"] == "scored"
    assert receipt["replaces"] is None
    assert len(receipt["received"]) == len("2026-01-01T00:00:00.000000Z")
    again = here.get("Ash", f"/tasks/three-way/runs/{receipt['id']}")
    assert again.status_code == 200
    assert again.json()["statement"] == "none"


def test_the_next_free_number(world: Callable[..., World]) -> None:
    """Without a number a run gets the next; gzip is unpacked; after the last there is 409."""
    here = world()
    for number, raw in enumerate((RUN, OTHER, gzip.compress(RUN, mtime=0)), 1):
        answer = here.send(raw=raw, file="r.gz" if number == 3 else "r")
        assert (answer.status_code, answer.json()["receipt"]["run"]) == (201, number)
    refused = here.send(raw=gzip.compress(OTHER, mtime=0), file="r.gz")
    assert refused.status_code == 409
    assert [problem["code"] for problem in refused.json()["problems"]] == ["run-limit"]


def test_sent_twice_stored_once(world: Callable[..., World]) -> None:
    """The same bytes for the same run are answered with the same receipt."""
    here = world()
    first, events = here.send(run="1"), here.events()
    second = here.send(run="1")
    assert second.status_code == 201
    assert second.json() == first.json()
    assert here.events() == events


def test_a_dry_run_stores_nothing(world: Callable[..., World]) -> None:
    """A dry run says whether the file would be accepted, and there is no receipt."""
    here = world()
    events = here.events()
    good, bad = here.send(dry_run="true"), here.send(raw=b"1 PERHAPS\n", dry_run="1")
    assert (good.status_code, good.json()["accepted"], good.json()["receipt"]) == (201, True, None)
    assert (bad.status_code, bad.json()["accepted"]) == (422, False)
    assert here.events() == events


def test_every_problem_by_line(world: Callable[..., World]) -> None:
    """422 lists every problem, each with all its keys."""
    answer = world().send(raw=b"1 PERHAPS\n2 MAYBE\n", file="bad.txt")
    assert answer.status_code == 422
    problems = answer.json()["problems"]
    assert {problem["line"] for problem in problems} >= {1, 2}
    keys = {"file", "line", "column", "code", "found", "expected", "fix", "severity"}
    assert all(set(problem) == keys for problem in problems)
    assert answer.json()["receipt"] is None


@pytest.mark.parametrize(
    "said",
    [
        {"run": "abc"},
        {"run": "0"},
        {"run": "-1"},
        {"run": "²"},
        {"run": "99999999999999999999"},
        {"run": ["1", "2"]},
        {"ranked": "maybe"},
        {"dry_run": "perhaps"},
        {"rankd": "true"},
        {"statement": "x" * 20_000},
    ],
)
def test_wrong_fields(world: Callable[..., World], said: dict[str, Any]) -> None:
    """A wrong field is a problem that names it, and nothing is stored."""
    here = world()
    events = here.events()
    answer = here.send(**said)
    assert answer.status_code == 422
    (problem,) = answer.json()["problems"]
    assert problem["code"] == "request"
    assert problem["found"].startswith(next(iter(said)))
    assert here.events() == events


BOUNDARY = "multipart/form-data; boundary=x"
BODIES = {
    "no boundary": ("multipart/form-data", b"abc"),
    "bad boundary": ("multipart/form-data; boundary=\xff", b"abc"),
    "nothing": (BOUNDARY, b""),
    "garbage": (BOUNDARY, b"\0\1\2"),
    "cut": (BOUNDARY, b'--x\r\nContent-Disposition: form-data; name="file"; filename="r.txt"\r\n\r\n1 YES'),
    "json": ("application/json", b'{"file": 1}'),
    "form": ("application/x-www-form-urlencoded", b"file=1"),
    "base64": (
        BOUNDARY,
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="r"\r\n'
        b"Content-Transfer-Encoding: base64\r\n\r\n!\r\n--x--\r\n",
    ),
    "two files": (
        BOUNDARY,
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="r"\r\n\r\n1 YES\r\n' * 2 + b"--x--\r\n",
    ),
    "many fields": (BOUNDARY, b'--x\r\nContent-Disposition: form-data; name="run"\r\n\r\n1\r\n' * 1001 + b"--x--\r\n"),
}


@pytest.mark.parametrize("body", BODIES)
def test_malformed_bodies(world: Callable[..., World], body: str) -> None:
    """A body that is no form with one file is refused with a problem."""
    here = world()
    kind, raw = BODIES[body]
    path = f"/api/campaigns/{here.name}/tasks/three-way/runs"
    answer = client().post(path, raw, content_type=kind, headers=here.headers("Ash"))
    assert answer.status_code == 422, answer.content
    assert answer.json()["problems"][0]["expected"]


def test_too_large(world: Callable[..., World]) -> None:
    """413 for a file over the limit, for one that is far over it and for fields that are; none of it is kept."""
    here = world()
    events = here.events()
    for size in (MOST_BYTES + 1, 13 << 20):
        answer = here.send(raw=b"x" * size)
        assert answer.status_code == 413
        assert [problem["code"] for problem in answer.json()["problems"]] == ["too-large"]
    assert here.send(statement="x" * (3 << 20)).status_code == 413
    assert here.events() == events
    packed = here.send(raw=gzip.compress(b"x" * (60 << 20)))
    assert (packed.status_code, packed.json()["problems"][0]["code"]) == (413, "gzip-bomb")


def test_closed_and_not_open(world: Callable[..., World]) -> None:
    """403 after the close, also for a file that has problems of its own; practice only after the close."""
    closed = world(closes=timedelta(hours=-1))
    for raw in (RUN, b"1 PERHAPS\n"):
        answer = closed.send(raw=raw)
        assert answer.status_code == 403
        assert "closed" in {problem["code"] for problem in answer.json()["problems"]}
    answer = world(extra="practice = true").send(practice="true")
    assert (answer.status_code, answer.json()["problems"][0]["code"]) == (403, "not-open")
    practice = world(extra="practice = true", closes=timedelta(hours=-1))
    answer = practice.send(practice="yes")
    assert (answer.status_code, answer.json()["receipt"]["area"]) == (201, "practice")
    assert practice.send().status_code == 403


def test_the_run_was_changed_meanwhile(world: Callable[..., World]) -> None:
    """`instead_of` names the run that is replaced: 409 if it is no longer that one."""
    here = world()
    first = here.send(run="1", instead_of="").json()["receipt"]
    assert here.send(raw=OTHER, run="1", instead_of="").status_code == 409
    second = here.send(raw=OTHER, run="1", instead_of=first["id"])
    assert (second.status_code, second.json()["receipt"]["replaces"]) == (201, first["id"])
    states = [run["state"] for run in here.get("Ash", "/tasks/three-way/runs").json()["runs"]]
    assert states == ["replaced", "scored"]


def test_the_agreement_comes_first(world: Callable[..., World], tmp_path: Path) -> None:
    """Neither data nor submission before the agreement is accepted."""
    (tmp_path / "agreement.md").write_text("We agree.")
    here = world(extra='agreement = "agreement.md"')
    from karat.campaign.commands import Join
    from karat.server.accounts import issue_token
    from karat.server.store import execute

    execute(here.name, Join(account="Cypress", role="team", team="Cypress", person="Carl"), "organiser")
    here.tokens["Cypress"] = issue_token(here.name, "Cypress", "organiser")
    for answer in (here.send("Cypress"), here.get("Cypress", "/tasks/three-way/data")):
        assert answer.status_code == 403
        assert answer.json()["problems"][0]["code"] == "not-signed"
    assert here.get("Cypress").json()["signed"] is False
    assert here.get("Ash", "/tasks/three-way/data").status_code == 200


def test_the_blind_set(world: Callable[..., World]) -> None:
    """Teams get the pairs without the key; assessors do not; before its date nobody but an organiser does."""
    here = world()
    answer = here.get("Ash", "/tasks/three-way/data")
    assert answer.status_code == 200
    assert b"<pair" in answer.content
    assert b"entailment=" not in answer.content
    assert 'filename="three-way.xml"' in answer["Content-Disposition"]
    assert here.get("Rook", "/tasks/three-way/data").status_code == 403
    from karat.server import store

    early = datetime.now(UTC) - timedelta(days=2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("karat.server.api.now", lambda: early)
        refused = here.get("Ash", "/tasks/three-way/data")
        assert (refused.status_code, refused.json()["problems"][0]["code"]) == (403, "not-allowed")
        assert here.get("Olga", "/tasks/three-way/data").content == answer.content
    assert store.now() > early


def test_nobody_sees_what_is_not_theirs(world: Callable[..., World]) -> None:
    """404 for runs of others and for other campaigns; teams see no scores, organisers all runs with theirs."""
    here, elsewhere = world(), world()
    made = here.send().json()["receipt"]["id"]
    assert here.get("Beech", f"/tasks/three-way/runs/{made}").status_code == 404
    assert here.get("Beech", "/tasks/three-way/runs").json() == {"runs": []}
    assert here.get("Rook", "/tasks/three-way/runs").json() == {"runs": []}
    assert here.get("Ash", f"/tasks/three-way/runs/{made}").json()["scores"] is None
    assert here.get("Olga", f"/tasks/three-way/runs/{made}").json()["scores"]["3"]["accuracy"] == 0.7625
    assert elsewhere.get(here.tokens["Ash"]).status_code == 404
    assert client().get("/api/campaigns/nowhere", headers=here.headers("Ash")).status_code == 404
    assert here.get("Ash", "/tasks/no-such/runs").status_code == 404
    assert here.send(task="no-such").status_code == 404
    for who in ("Rook", "Olga"):
        assert here.send(who).status_code == 403


def test_nothing_tells_of_the_key(world: Callable[..., World], monkeypatch: pytest.MonkeyPatch) -> None:
    """A team cannot learn from warnings how many labels it has guessed right."""
    here = world()
    text = (examples.HERE / "pairs.xml").read_text()
    key = re.findall(r'<pair id="([^"]+)"[^>]*entailment="(\w+)"', text)
    perfect = "".join(f"{number} {label}\n" for number, label in key).encode()
    answer = here.send(raw=perfect, file="perfect.txt")
    assert answer.status_code == 201, answer.content
    assert answer.json()["problems"] == []
    rows = "".join(f"{number},{label},UNKNOWN\n" for number, label in key)
    answer = here.send(raw=f"id,label,gold\n{rows}".encode(), file="guess.csv", dry_run="1")
    assert answer.json()["problems"] == []
    monkeypatch.setattr(checking, "TELLING", ())
    told = here.send(raw=f"id,label,gold\n{rows}".encode(), file="guess.csv", dry_run="1").json()["problems"]
    # Even unfiltered, what is found does not come from the key: a perfect run is not told apart.
    assert {problem["code"] for problem in told} == {"gold-differs"}


def test_wrong_tokens_are_slowed_down(world: Callable[..., World]) -> None:
    """401, after some 429 with `Retry-After`; a token that works still does, from the same address."""
    here = world()
    answers = [here.get(f"wrong{attempt}") for attempt in range(6)]
    assert [answer.status_code for answer in answers] == [401] * 5 + [429]
    assert answers[0]["WWW-Authenticate"] == "Bearer"
    assert int(answers[5]["Retry-After"]) >= 1
    assert here.get("Ash").status_code == 200
    assert client().get(f"/api/campaigns/{here.name}").status_code in (401, 429)


def test_revoked_tokens(world: Callable[..., World]) -> None:
    """A token that was revoked no longer works."""
    here = world()
    from karat.server.accounts import revoke_token
    from karat.server.store import digest_of

    revoke_token(here.name, "Ash", digest_of(here.tokens["Ash"].encode())[:12], "Ash")
    assert here.get("Ash").status_code == 401
    assert here.get("Beech").status_code == 200


def test_too_often(world: Callable[..., World], monkeypatch: pytest.MonkeyPatch) -> None:
    """429 with `Retry-After` for an account that sends too often; others are not delayed."""
    from karat.server import submitting
    from karat.server.throttle import Rate

    here = world()
    monkeypatch.setattr(submitting, "submissions", Rate(2, 60))
    assert [here.send().status_code for _ in range(3)] == [201, 201, 429]
    answer = here.send()
    assert 1 <= int(answer["Retry-After"]) <= 60
    assert answer.json()["accepted"] is False
    assert here.send("Beech").status_code == 201


def test_an_error_of_the_server(world: Callable[..., World], monkeypatch: pytest.MonkeyPatch) -> None:
    """A scorer that fails is a 500 in JSON: nothing is stored, and the same file can be sent again."""
    here = world()
    events = here.events()
    with monkeypatch.context() as broken:
        broken.setattr("karat.campaign.checking.check_run", lambda *_, **__: 1 / 0)
        answer = here.send()
    assert answer.status_code == 500
    assert (answer.json()["accepted"], answer.json()["problems"][0]["code"]) == (False, "failed")
    assert here.events() == events
    assert here.send().status_code == 201


def test_what_an_account_sees_of_its_campaign(world: Callable[..., World]) -> None:
    """Dates in several zones, its own deadline, its runs, what it may do."""
    here = world()
    here.send(run="2")
    told = here.get("Ash").json()
    assert (told["account"], told["role"], told["team"], told["phase"]) == ("Ash", "team", "Ash", "open")
    assert told["tasks"][0]["own_runs"] == [2]
    assert set(told["dates"]["closes"]["faces"]) == {"UTC", "anywhere on earth"}
    assert told["dates"]["results"] is None
    assert told["sees"] == {
        "data": True,
        "submit": True,
        "report": True,
        "own_runs": True,
        "live": False,
        "own_scores": False,
        "all_runs": False,
        "scores": False,
        "key": False,
        "names": False,
        "judge": False,
        "manage": False,
    }
    assert "Beech" not in json.dumps(told)


def test_assessors_wait(world: Callable[..., World]) -> None:
    """Nothing to judge yet: 204; a ballot is refused with the reason."""
    here = world()
    assert here.get("Rook", "/tasks/three-way/next").status_code == 204
    path = f"/api/campaigns/{here.name}/tasks/three-way/ballots"
    for who, code in (("Rook", "not-assigned"), ("Ash", "not-allowed")):
        body = {"id": "1", "unit": "x", "values": {"label": "UNKNOWN"}}
        answer = client().post(path, body, content_type="application/json", headers=here.headers(who))
        assert (answer.status_code, answer.json()["problems"][0]["code"]) == (403, code)
    assert here.get("Ash", "/tasks/three-way/next").status_code == 403


@pytest.mark.parametrize("path", ["", "nonsense", "campaigns", "campaigns/a/b", "campaigns/a/tasks/b/runs/"])
def test_unknown_addresses(path: str) -> None:
    """An unknown address is a 404 in JSON."""
    for answer in (client().get(f"/api/{path}"), client().post(f"/api/{path}")):
        assert answer.status_code == 404
        assert answer.json()["problems"][0]["code"] == "not-found"


def test_wrong_methods(world: Callable[..., World]) -> None:
    """405 says which methods there are."""
    here = world()
    for path, allowed in (("", "GET"), ("/tasks/three-way/runs", "GET, POST"), ("/tasks/three-way/ballots", "POST")):
        answer = client().delete(f"/api/campaigns/{here.name}{path}", headers=here.headers("Ash"))
        assert (answer.status_code, answer["Allow"]) == (405, allowed)


STATUSES = {
    # route: no token, token of another campaign, Ash whose run it is, another team, assessor, organiser
    "api-campaign": (401, 404, 200, 200, 200, 200),
    "api-data": (401, 404, 200, 200, 403, 200),
    "api-runs": (401, 404, 200, 200, 200, 200),
    "api-run": (401, 404, 200, 404, 404, 200),
    "api-guidelines": (401, 404, 403, 403, 404, 404),
    "api-next": (401, 404, 403, 403, 204, 204),
    "api-ballots": (401, 404, 403, 403, 422, 422),
    "api-undo": (401, 404, 403, 403, 422, 422),
    "openapi": (200, 200, 200, 200, 200, 200),
    "api-unknown": (404, 404, 404, 404, 404, 404),
}


def test_every_address_by_role(world: Callable[..., World]) -> None:
    """What each role gets at each address; an address that is not in the table fails, and nothing there tells tales."""
    from django.urls import reverse

    from karat.server.api import urlpatterns

    here, elsewhere = world(), world()
    made = here.send().json()["receipt"]["id"]
    headers = [{}, elsewhere.headers("Ash"), *(here.headers(who) for who in ("Ash", "Beech", "Rook", "Olga"))]
    assert {one.name for one in urlpatterns} == set(STATUSES)
    for route in urlpatterns:
        given = {"name": here.name, "task": "three-way", "id": made}
        known = {name: given[name] for name in route.pattern.converters}
        path = reverse(route.name, kwargs=known)
        send = client().post if route.name in ("api-ballots", "api-undo") else client().get
        answers = [send(path, headers=one) for one in headers]
        assert tuple(answer.status_code for answer in answers) == STATUSES[route.name], route.name
        if route.name != "openapi":
            for answer in (answers[3], answers[4]):
                assert not re.search(rb"Ash|accuracy|0\.7625|entailment=|Olga", answer.content), route.name


def description() -> Any:
    """The description as it is served."""
    return client().get("/api/openapi.json").json()


def test_every_address_is_described() -> None:
    """The description has every address of the interface, and no other."""
    from karat.server.api import urlpatterns

    def described(route: str) -> str:
        return "/api/" + route.replace("<str:", "{").replace(">", "}")

    routes = {described(str(one.pattern)) for one in urlpatterns if one.name != "api-unknown"}
    assert set(description()["paths"]) == routes | {"/healthz"}


def test_every_status_is_described() -> None:
    """The description has every status that the contract names."""
    paths = description()["paths"]
    task = "/api/campaigns/{name}/tasks/{task}"
    submit = set(paths[f"{task}/runs"]["post"]["responses"])
    assert submit == {"201", "401", "403", "404", "409", "413", "422", "429", "500"}
    assert set(paths[f"{task}/data"]["get"]["responses"]) == {"200", "401", "403", "404", "429", "500"}
    assert {"200", "204"} <= set(paths[f"{task}/next"]["get"]["responses"])


def test_answers_are_as_described(world: Callable[..., World]) -> None:
    """What is answered has the shape that the description gives; a key that is missing would be found."""
    here, told = world(), description()
    made = here.send()

    def check(answer: Any, path: str, method: str = "get") -> None:
        content = told["paths"][path][method]["responses"][str(answer.status_code)]["content"]
        schema = content["application/json"]["schema"] | {"components": told["components"]}
        jsonschema.Draft202012Validator.check_schema(schema)
        jsonschema.validate(answer.json(), schema)
        if answer.json():
            with pytest.raises(jsonschema.ValidationError):
                jsonschema.validate({}, schema)

    task = "/api/campaigns/{name}/tasks/{task}"
    check(made, f"{task}/runs", "post")
    check(here.send(raw=b"1 PERHAPS\n"), f"{task}/runs", "post")
    check(here.send("nobody"), f"{task}/runs", "post")
    for who in here.tokens:
        check(here.get(who), "/api/campaigns/{name}")
        check(here.get(who, "/tasks/three-way/runs"), f"{task}/runs")
    check(here.get("Ash", f"/tasks/three-way/runs/{made.json()['receipt']['id']}"), f"{task}/runs/{{id}}")
    check(here.get("Beech", f"/tasks/three-way/runs/{made.json()['receipt']['id']}"), f"{task}/runs/{{id}}")
    check(here.get("Rook", "/tasks/three-way/data"), f"{task}/data")
