"""A client of real servers: teams with tokens, and what they send."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import time
import uuid
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from karat import examples
from tests.surroundings import surroundings

RUN = (examples.RUNS / "cautious.txt").read_bytes()
LINES = RUN.splitlines(keepends=True)


def variant(number: int) -> bytes:
    """A valid run that differs from every other one: its confidences do."""
    return b"".join(line.rstrip() + f" 0.{number:06d}\n".encode() for line in LINES)


@dataclass
class Answer:
    """A response."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """Its content."""
        return json.loads(self.body)


@dataclass
class Client:
    """Requests to a server on this machine."""

    address: str
    token: str = ""
    timeout: float = 60.0
    headers: dict[str, str] = field(default_factory=dict)

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        """One request on a connection of its own."""
        connection = http.client.HTTPConnection(urlsplit(self.address).netloc, timeout=self.timeout)
        given = {**self.headers, **headers, **({"Authorization": f"Bearer {self.token}"} if self.token else {})}
        try:
            connection.request(method, path, body, given)
            got = connection.getresponse()
            return Answer(got.status, dict(got.getheaders()), got.read())
        finally:
            connection.close()

    def submit(self, campaign: str, raw: bytes = RUN, task: str = "three-way", **said: str) -> Answer:
        """Hand in a run."""
        body, kind = form(raw, **said)
        return self.ask("POST", f"/api/campaigns/{campaign}/tasks/{task}/runs", body, **{"Content-Type": kind})

    def made(self, path: str) -> Answer:
        """A page, as soon as it is made: until then the server says that it takes a moment."""
        for _ in range(120):
            if (answer := self.ask("GET", path)).status != 202:
                break
            time.sleep(0.5)
        return answer

    def runs(self, campaign: str, task: str = "three-way") -> list[dict[str, Any]]:
        """The team's runs."""
        found: list[dict[str, Any]] = self.ask("GET", f"/api/campaigns/{campaign}/tasks/{task}/runs").json["runs"]
        return found


def form(raw: bytes, **said: str) -> tuple[bytes, str]:
    """A form with a file, and its type."""
    mark = uuid.uuid4().hex
    head = f"--{mark}\r\nContent-Disposition: form-data; name="
    fields = "".join(f'{head}"{name}"\r\n\r\n{text}\r\n' for name, text in said.items())
    file = f'{head}"file"; filename="run.txt"\r\n\r\n'
    return (fields + file).encode() + raw + f"\r\n--{mark}--\r\n".encode(), f"multipart/form-data; boundary={mark}"


PREPARE = """
import json, sys
from karat.server.serving import prepare
prepare(sys.argv[1])
from pathlib import Path
from karat.campaign.definition import parse
from karat.server import accounts, operations
file = Path(sys.argv[2])
made = parse(file.read_text("utf-8"), file.name)
operations.create(made, lambda name: (file.parent / name).read_bytes(), file.name)
teams = sys.argv[3:]
for team in teams:
    operations.enrol(made.name, "team", team, "Ada Lovelace")
print(json.dumps({team: accounts.issue_token(made.name, team, "organiser") for team in teams}))
"""
"""Makes a campaign with teams in a home, and prints the token of each."""


def prepared(home: Path, file: Path, *teams: str, **environment: str) -> dict[str, str]:
    """A campaign in a home, with these teams: the token of each."""
    command = [sys.executable, "-c", PREPARE, str(home), str(file), *teams]
    done = subprocess.run(command, capture_output=True, text=True, env={**surroundings(), **environment}, timeout=120)
    assert done.returncode == 0, done.stderr
    told: dict[str, str] = json.loads(done.stdout)
    return told


MOVE = """
import sys
from datetime import timedelta
from msgspec.structs import replace
from karat.server.serving import prepare
prepare(sys.argv[1])
from karat.campaign.commands import Edit
from karat.server.store import execute, now, state_of
state = state_of(sys.argv[2])
closes = now() + timedelta(seconds=float(sys.argv[3]))
definition = replace(state.definition, dates=replace(state.definition.dates, closes=closes))
execute(sys.argv[2], Edit(definition=definition, files=state.files, reason="sooner"), "organiser")
print(closes.isoformat())
"""


def move_deadline(home: Path, campaign: str, seconds: float) -> datetime:
    """Let a campaign close so many seconds from now; the moment that is its deadline."""
    command = [sys.executable, "-c", MOVE, str(home), campaign, str(seconds)]
    done = subprocess.run(command, capture_output=True, text=True, env=surroundings(), timeout=60, check=True)
    return datetime.fromisoformat(done.stdout.strip())
