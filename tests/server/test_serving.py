"""Tests of the server process: how it stops, what it takes, and what it says behind a proxy."""

from __future__ import annotations

import http.client
import runpy
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from karat.server import serving
from tests.server.clients import Client, form, move_deadline, prepared, variant
from tests.server.conftest import Served, servers, write_campaign
from tests.surroundings import surroundings

NAME = "rte-2027"


@contextmanager
def locked(home: Path) -> Iterator[None]:
    """Hold the database, so that whatever the server wants to store has to wait."""
    with closing(sqlite3.connect(home / "karat.sqlite3", isolation_level=None)) as database:
        database.execute("BEGIN IMMEDIATE")
        yield
        database.execute("ROLLBACK")


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A home with a campaign, and the tokens of its teams."""
    folder = tmp_path_factory.mktemp("template")
    return folder / "home", prepared(folder / "home", write_campaign(folder, task="runs = 99"), "alder", "birch")


@pytest.fixture(scope="module")
def running(
    template: tuple[Path, dict[str, str]], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Served, Client]]:
    """One server for several tests, and a team."""
    folder = tmp_path_factory.mktemp("running")
    shutil.copytree(template[0], folder / "home")
    with servers(folder) as start:
        served = start()
        yield served, Client(served.address, template[1]["alder"])


@pytest.fixture
def started(
    template: tuple[Path, dict[str, str]], serve: Callable[..., Served], tmp_path: Path
) -> tuple[Served, Client]:
    """A server of the test's own, and a team."""
    shutil.copytree(template[0], tmp_path / "home")
    served = serve()
    return served, Client(served.address, template[1]["alder"])


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_what_has_been_begun_is_finished(
    started: tuple[Served, Client], serve: Callable[..., Served], number: int
) -> None:
    """A run that is being stored when the server is asked to stop is stored, and its receipt delivered; then exit 0."""
    served, client = started
    with ThreadPoolExecutor(1) as thread:
        with locked(served.home):
            answer = thread.submit(client.submit, NAME)
            _wait_until_read(served)
            time.sleep(0.7)
            served.process.send_signal(number)
            time.sleep(0.3)
            served.process.send_signal(number)  # impatience changes nothing
            assert served.process.poll() is None
        receipt = answer.result(timeout=120).json["receipt"]
    assert served.process.wait(timeout=120) == 0
    assert served.process.stderr.read().splitlines()[-1] == "stopped; everything is saved"
    again = Client(serve().address, client.token)
    assert [run["id"] for run in again.runs(NAME)] == [receipt["id"]]
    assert again.submit(NAME).json["receipt"] == receipt


def _wait_until_read(served: Served) -> None:
    """Wait until the server has a connection, and has read what came on it."""
    port = urlsplit(served.address).port
    for _ in range(600):
        inodes = _sockets(served.process.pid)
        for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
            fields = line.split()
            here, established = int(fields[1].rpartition(":")[2], 16) == port, fields[3] == "01"
            if here and established and fields[4].endswith(":00000000") and f"socket:[{fields[9]}]" in inodes:
                return
        time.sleep(0.05)
    pytest.fail("nothing has reached the server")


def test_stopped_at_once(serve: Callable[..., Served], tmp_path: Path) -> None:
    """A server that is stopped as soon as it has said that it serves ends in order as well."""
    served = serve(home=tmp_path / "home")
    assert served.stop() == 0
    assert served.link.startswith(f"{served.address}/enter/")


def test_large_bodies(running: tuple[Served, Client]) -> None:
    """A file over 10 MiB and a body over 12 MiB are refused with 413 and a problem; the server goes on."""
    _, client = running
    for size in (11 << 20, 13 << 20, 40 << 20):
        try:
            answer = client.submit(NAME, b"x" * size)
        except (ConnectionError, http.client.HTTPException):
            assert size > 12 << 20  # cut off while it was still being sent
            continue
        assert answer.status == 413
        if size < 12 << 20:
            assert [problem["code"] for problem in answer.json["problems"]] == ["too-large"]
    assert client.submit(NAME).status == 201


PART = b'--x\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n'
FILE = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n1\r\n'
END = b"--x--\r\n"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"nonsense",
        b"--x\r\n",
        b"--x\r\nContent-Disposition: form-data\r\n\r\n",
        FILE.replace(b"\r\n\r\n", b"\r\nContent-Transfer-Encoding: base64\r\n\r\n!", 1),
        PART % (b"file", b"no file") + END,
        PART % (b"run", b"1" * 3_000_000) + END,
        b"".join(PART % (b"a%d" % n, b"1") for n in range(1500)) + END,
        FILE * 30 + END,
    ],
    ids=["empty", "nonsense", "begun", "no name", "base64", "no file", "long field", "many fields", "many files"],
)
def test_malformed_forms(running: tuple[Served, Client], template: tuple[Path, dict[str, str]], body: bytes) -> None:
    """A broken form is refused in words, never with a fault of the server."""
    client = Client(running[0].address, template[1]["birch"])
    path = f"/api/campaigns/{NAME}/tasks/three-way/runs"
    for kind in ("multipart/form-data; boundary=x", "multipart/form-data", "text/plain", ""):
        answer = client.ask("POST", path, body, **({"Content-Type": kind} if kind else {}))
        assert answer.status in (413, 422), (kind, answer)
        assert answer.json["problems"]
        assert answer.json["accepted"] is False


def test_a_request_in_chunks(running: tuple[Served, Client]) -> None:
    """A client that does not know the length in advance is served alike, and capped alike."""
    served, client = running
    path = f"/api/campaigns/{NAME}/tasks/three-way/runs"
    for content, status in ((variant(55), 201), (b"x" * (13 << 20), 413)):
        body, kind = form(content)
        pieces = (body[at : at + 65536] for at in range(0, len(body), 65536))
        connection = http.client.HTTPConnection(urlsplit(served.address).netloc, timeout=30)
        try:
            headers = {"Content-Type": kind, "Authorization": f"Bearer {client.token}"}
            connection.request("POST", path, pieces, headers, encode_chunked=True)
            assert connection.getresponse().status == status
        except ConnectionError:
            assert status == 413  # cut off while it was still being sent
        finally:
            connection.close()


def raw(served: Served) -> socket.socket:
    """A bare connection."""
    address = urlsplit(served.address)
    return socket.create_connection((address.hostname, address.port), timeout=30)


def test_a_slow_client_holds_nobody_up(running: tuple[Served, Client]) -> None:
    """While twenty clients dribble their requests, others are answered; what arrives complete in the end is taken."""
    served, client = running
    body, kind = form(variant(1))
    head = f"POST /api/campaigns/{NAME}/tasks/three-way/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\n"
    head += f"Authorization: Bearer {client.token}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    slow = [raw(served) for _ in range(20)]
    try:
        for one in slow:
            one.sendall(head.encode()[:40])
        for one in slow:
            one.sendall(head.encode()[40:] + body[:100])
            assert client.ask("GET", "/healthz").json == {"ok": True}
        slow[0].sendall(body[100:])
        answer = b"".join(iter(lambda: slow[0].recv(65536), b""))
    finally:
        for one in slow:
            one.close()
    assert answer.startswith(b"HTTP/1.1 201")


@pytest.mark.parametrize(
    "request_",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        b"\x00\xff\r\n\r\n",
        b"GET /%00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /static/..%2f..%2fsettings.py HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"POST /api/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
        b"POST /api/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"GET /" + b"a" * 300_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: y\r\n" * 100_000 + b"\r\n",
    ],
)
def test_odd_requests(running: tuple[Served, Client], request_: bytes) -> None:
    """What no browser sends gets a 3xx or 4xx, or the connection is closed; nothing of the server is shown."""
    served, client = running
    with raw(served) as connection:
        try:
            connection.sendall(request_)
            connection.shutdown(socket.SHUT_WR)
            answer = b"".join(iter(lambda: connection.recv(65536), b""))
        except OSError:  # closed while the request was still being sent
            answer = b""
    assert not answer or answer[9:10] in b"34", answer[:300]
    assert b"Traceback" not in answer
    assert b"SECRET" not in answer
    assert client.ask("GET", "/healthz").status == 200


def test_a_wrong_host_fills_no_log(started: tuple[Served, Client]) -> None:
    """Anybody can send one; the server says 400, and nothing to its own people."""
    served, _ = started
    with raw(served) as connection:
        connection.sendall(b"GET /login/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
        assert connection.recv(100).startswith(b"HTTP/1.1 400")
    assert served.stop() == 0
    assert served.process.stderr is not None
    told = served.process.stderr.read()
    assert "evil.example" not in told
    assert "Traceback" not in told


def test_headers(running: tuple[Served, Client]) -> None:
    """Every answer forbids scripts from elsewhere, frames and guessing of types, and says nothing of the machinery."""
    _, client = running
    for path in ("/healthz", "/login/", "/nowhere", "/api/openapi.json"):
        found = client.ask("GET", path).headers
        policy = found["Content-Security-Policy"]
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy
        assert found["X-Frame-Options"] == "DENY"
        assert found["X-Content-Type-Options"] == "nosniff"
        assert found["Cache-Control"] == "no-store"
        assert "Python" not in found.get("Server", "")


def test_another_address(serve: Callable[..., Served], tmp_path: Path) -> None:
    """A server that listens elsewhere answers under that address and no other, and warns that it lacks https."""
    served = serve("--host", "127.0.0.2", home=tmp_path / "home")
    client = Client(served.address)
    assert client.ask("GET", "/login/").status == 200
    assert client.ask("GET", "/login/", Host="elsewhere.example").status == 400
    served.stop()
    assert "without https" in served.process.stderr.read()


@pytest.mark.parametrize(
    ("address", "hosts"),
    [
        ("https://eval.example.org", ["127.0.0.1", "[::1]", "eval.example.org", "localhost"]),
        ("http://[fe80::1]:8000", ["127.0.0.1", "[::1]", "[fe80::1]", "localhost"]),
        ("http://0.0.0.0:8000", ["*"]),
    ],
)
def test_names(address: str, hosts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server answers to the names by which it can be reached; to all if it listens everywhere without saying."""
    monkeypatch.setenv("KARAT_URL", address)
    monkeypatch.setenv("KARAT_HOME", str(tmp_path))
    found = runpy.run_path(str(Path(serving.__file__).with_name("settings.py")))
    assert found["ALLOWED_HOSTS"] == hosts
    assert found["SESSION_COOKIE_SECURE"] == address.startswith("https")


def test_behind_a_proxy(serve: Callable[..., Served], tmp_path: Path) -> None:
    """Under https, plain requests are sent there, forwarded ones are answered, and cookies travel encrypted alone."""
    served = serve("--url", "https://eval.example.org", home=tmp_path / "home")
    assert served.address == "https://eval.example.org"
    pid = served.process.pid
    port = next(port for port in _listening(pid))
    client = Client(f"http://127.0.0.1:{port}", headers={"Host": "eval.example.org"})
    plain = client.ask("GET", "/login/")
    assert (plain.status, plain.headers["Location"]) == (301, "https://eval.example.org/login/")
    client.headers |= {"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.9"}
    page = client.ask("GET", "/login/")
    assert page.status == 200
    assert page.headers["Strict-Transport-Security"].startswith("max-age=31536000")
    assert "Secure" in page.headers["Set-Cookie"]
    client.headers["Host"] = "elsewhere.example"
    assert client.ask("GET", "/login/").status == 400


def _sockets(pid: int) -> set[str]:
    """What a process has open; a file may be closed while they are listed."""
    found = set()
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):
            found.add(str(link.readlink()))
    return found


def _listening(pid: int) -> Iterator[int]:
    """The ports on which a process listens."""
    inodes = _sockets(pid)
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if fields[3] == "0A" and f"socket:[{fields[9]}]" in inodes:
            yield int(fields[1].rpartition(":")[2], 16)


CHECK = """
import sys
from karat.server.serving import prepare
prepare(sys.argv[1], "https://eval.example.org")
from django.core.management import call_command
call_command("check", deploy=True, fail_level="WARNING")
call_command("makemigrations", check=True, dry_run=True)
"""


def test_check_deploy(tmp_path: Path) -> None:
    """Django's own list of what a server on the net needs is clean, and no model has changed without a migration."""
    code = "from karat.server.serving import prepare; import sys; prepare(sys.argv[1], 'https://eval.example.org')\n"
    code += (
        "from django.core.management import call_command\ncall_command('check', deploy=True, fail_level='WARNING')\n"
    )
    code += "call_command('makemigrations', check=True, dry_run=True)"
    command = [sys.executable, "-W", "error", "-c", code, str(tmp_path / "home")]
    done = subprocess.run(command, capture_output=True, text=True, env=surroundings(), timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "System check identified no issues (0 silenced)" in done.stdout + done.stderr


def test_a_deadline_in_real_time(started: tuple[Served, Client]) -> None:
    """A deadline two seconds ahead: until then every run is accepted, from the second after it on none."""
    served, client = started
    answers = [client.submit(NAME, variant(0))]
    closes = move_deadline(served.home, NAME, 2.0)
    while answers[-1].status == 201 and len(answers) < 90:  # of 99 runs
        time.sleep(0.1)  # within the limit of requests
        answers.append(client.submit(NAME, variant(len(answers))))
    assert len(answers) > 1
    last = answers[-1]
    assert (last.status, [one["code"] for one in last.json["problems"]]) == (403, ["closed"])
    deadline = closes + timedelta(seconds=1)  # the end of the second that is named
    for answer in answers[:-1]:
        assert datetime.fromisoformat(answer.json["receipt"]["received"]) < deadline
    assert datetime.now(deadline.tzinfo) >= deadline
    assert client.submit(NAME, variant(0)).json["receipt"] == answers[0].json["receipt"]  # sent again, after the close
