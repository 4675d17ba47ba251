"""`karat submit` against servers that misbehave: what it says, and what it never does."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from karat.campaign.definition import MOST_BYTES
from karat.cli import submit
from tests.cli.calls import Done, karat
from tests.test_house import HEAVY, loaded

RUN = b"1 YES\n"
TOKEN = "karat_secret"


def receipt(raw: bytes = RUN) -> dict[str, Any]:
    """A receipt for some bytes."""
    told = {"id": "7", "received": "2027-01-01T00:00:00.000000Z", "state": "scored", "team": "A", "task": "t", "run": 1}
    return told | {"sha256": hashlib.sha256(raw).hexdigest(), "replaces": None}


ACCEPTED = {"accepted": True, "receipt": receipt(), "problems": []}
PROBLEM = {
    "file": "r.txt",
    "line": 3,
    "column": None,
    "code": "label",
    "found": "PERHAPS",
    "expected": "a label",
    "fix": "correct it",
    "severity": "error",
}
REFUSED = {"accepted": False, "receipt": None, "problems": [PROBLEM]}
Reply = tuple[int, bytes | dict[str, Any], dict[str, str]]


class Server(ThreadingHTTPServer):
    """A server that gives the replies it was told to; None drops the connection."""

    replies: list[Reply | None]
    met: list[tuple[str, dict[str, str], bytes]]

    @property
    def address(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    """Answers with the next reply."""

    server: Server

    def do_POST(self) -> None:
        """Note the request, and reply."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.met.append((self.path, dict(self.headers), body))
        reply = self.server.replies.pop(0)
        if reply is None:
            self.close_connection = True
            return
        status, content, headers = reply
        raw = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(raw))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed."""


@pytest.fixture
def serving(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Server]]:
    """Servers on this machine, without the pauses of the client."""
    monkeypatch.setattr(submit, "PAUSE", 0.0)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    started: list[Server] = []

    def start(*replies: Reply | None) -> Server:
        server = Server(("127.0.0.1", 0), Handler)
        server.replies, server.met = list(replies), []
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        started.append(server)
        return server

    yield start
    for server in started:
        server.shutdown()
        server.server_close()


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run."""
    file = tmp_path / "r.txt"
    file.write_bytes(RUN)
    return file


def send(file: Path, to: str, *words: str) -> Done:
    """Submit it."""
    return karat("submit", file, "--to", to, "--token", TOKEN, "--campaign", "c 1", "--task", "t", *words)


def test_what_is_sent(serving: Callable[..., Server], tmp_path: Path) -> None:
    """The file as it is, and only what was said; names are quoted in the address and in the form."""
    server = serving((201, ACCEPTED, {}))
    file = tmp_path / 'a "b".txt'
    file.write_bytes(RUN)
    done = send(file, f"{server.address}/", "--run", "2", "--ranked", "--statement", "nöthing")
    assert done.returncode == 0, done.stderr
    ((path, headers, body),) = server.met
    assert path == "/api/campaigns/c%201/tasks/t/runs"
    assert headers["Authorization"] == f"Bearer {TOKEN}"
    assert b"\r\n\r\n1 YES\n\r\n" in body
    assert b'filename="a %22b%22.txt"' in body
    for field in (b'"run"\r\n\r\n2\r\n', b'"ranked"\r\n\r\nTrue\r\n', "nöthing".encode()):
        assert field in body
    for field in (b"manual", b"dry_run", b"practice", b"justifications"):
        assert field not in body


def test_the_receipt(serving: Callable[..., Server], run: Path) -> None:
    """As text or as JSON, with every key."""
    server = serving((201, ACCEPTED, {}), (201, ACCEPTED, {}))
    assert json.loads(send(run, server.address, "--format", "json").stdout) == ACCEPTED
    text = send(run, server.address).stdout
    assert "r.txt was accepted" in text
    assert receipt()["sha256"] in text


def test_the_token_comes_from_the_environment(
    serving: Callable[..., Server], run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that it is in no list of processes."""
    server = serving((201, ACCEPTED, {}))
    monkeypatch.setenv("KARAT_TOKEN", "karat_other")
    done = karat("submit", run, "--to", server.address, "--campaign", "c", "--task", "t")
    assert done.returncode == 0, done.stderr
    assert server.met[0][1]["Authorization"] == "Bearer karat_other"


@pytest.mark.parametrize("status", [403, 409, 413, 422, 429])
def test_refused(serving: Callable[..., Server], run: Path, status: int) -> None:
    """Exit status 1, and every problem on a line that begins with its place."""
    server = serving((status, REFUSED, {}), (status, REFUSED, {}))
    done = send(run, server.address)
    assert done.returncode == 1
    assert "r.txt:3: label: PERHAPS; expected a label; correct it\n" in done.stdout
    assert json.loads(send(run, server.address, "--format", "json").stdout) == REFUSED


@pytest.mark.parametrize("status", [401, 404])
def test_a_wrong_call(serving: Callable[..., Server], run: Path, status: int) -> None:
    """A wrong token or a wrong name is exit status 2."""
    done = send(run, serving((status, REFUSED, {})).address)
    assert done.returncode == 2
    assert TOKEN not in done.stdout + done.stderr


def test_a_lost_connection_is_tried_again(serving: Callable[..., Server], run: Path) -> None:
    """Three times in all, with the same bytes; then there is no server."""
    server = serving(None, None, (201, ACCEPTED, {}))
    assert send(run, server.address).returncode == 0
    assert len({body for _, _, body in server.met}) == 1
    gone = serving(None, None, None, (201, ACCEPTED, {}))
    done = send(run, gone.address)
    assert done.returncode == 2
    assert "no answer from" in done.stderr
    assert len(gone.met) == 3


def test_a_server_that_fails(serving: Callable[..., Server], run: Path) -> None:
    """It is asked three times, as a run that is sent again is stored once."""
    failure: Reply = (500, b"<h1>Server Error (500)</h1>", {})
    server = serving(failure, (503, b"", {}), (201, ACCEPTED, {}), failure, failure, failure)
    assert send(run, server.address).returncode == 0
    done = send(run, server.address)
    assert (done.returncode, done.stdout, len(server.met)) == (2, "", 6)
    assert "failed with status 500" in done.stderr


def test_no_server(run: Path, serving: Callable[..., Server]) -> None:
    """Exit status 2, and what to check; the same for what is no address."""
    server = serving()
    server.shutdown()
    server.server_close()
    done = send(run, server.address)
    assert (done.returncode, done.stdout) == (2, "")
    assert "check --to" in done.stderr
    for wrong in ("ftp://127.0.0.1", "eval.example.org", "http://", "http://[::1", "http://127.0.0.1:99999"):
        assert send(run, wrong).returncode == 2, wrong


@pytest.mark.parametrize(
    "reply",
    [
        (200, b"<html>", {}),
        (200, {"ok": True}, {}),
        (200, {"accepted": "yes", "receipt": [], "problems": 3}, {}),
    ],
)
def test_not_a_karat_server(serving: Callable[..., Server], run: Path, reply: Reply) -> None:
    """Whatever else answers is no receipt."""
    done = send(run, serving(reply).address)
    assert (done.returncode, done.stdout) == (2, "")
    assert "check --to" in done.stderr


def test_a_receipt_for_something_else(serving: Callable[..., Server], run: Path) -> None:
    """A receipt with another hash is not passed on as one."""
    done = send(run, serving((201, ACCEPTED | {"receipt": receipt(b"other")}, {})).address)
    assert (done.returncode, done.stdout) == (2, "")


def test_the_token_goes_nowhere_else(serving: Callable[..., Server], run: Path) -> None:
    """A redirection is not followed."""
    elsewhere = serving((201, ACCEPTED, {}))
    for status in (301, 302, 307, 308):
        done = send(run, serving((status, b"", {"Location": elsewhere.address})).address)
        assert done.returncode == 2
        assert f"redirects to {elsewhere.address}" in done.stderr
    assert elsewhere.met == []


def test_too_large(serving: Callable[..., Server], tmp_path: Path, run: Path) -> None:
    """A file over the limit is not sent at all; a proxy with a lower limit is understood."""
    server = serving((413, b"<html>413 Request Entity Too Large", {}))
    large = tmp_path / "large.txt"
    large.write_bytes(b"x" * (MOST_BYTES + 1))
    done = send(large, server.address, "--format", "json")
    assert (done.returncode, server.met) == (1, [])
    assert [problem["code"] for problem in json.loads(done.stdout)["problems"]] == ["too-large"]
    done = send(run, server.address)
    assert done.returncode == 1
    assert "too-large" in done.stdout


def test_a_damaged_token(run: Path, serving: Callable[..., Server]) -> None:
    """A token with a line break or an umlaut is refused, and not quoted."""
    server = serving()
    for token in ("karat_a\nb", "karat_ä"):
        done = karat("submit", run, "--to", server.address, "--token", token, "--campaign", "c", "--task", "t")
        assert done.returncode == 2
        assert token not in done.stderr
        assert "copy it again" in done.stderr


def test_without_encryption(run: Path, serving: Callable[..., Server]) -> None:
    """Over http to another machine there is a warning; on this one there is none."""
    done = send(run, "http://karat.invalid")
    assert (done.returncode, "can be read on the way" in done.stderr) == (2, True)
    assert "warning" not in send(run, serving((201, ACCEPTED, {})).address).stderr


def test_nothing_heavy_is_loaded() -> None:
    """A team's script submits without waiting for numpy, and without the packages of the server."""
    code = "from karat.cli import main\ntry: main(['submit', '--help'])\nexcept SystemExit: pass"
    assert not loaded(code) & HEAVY
