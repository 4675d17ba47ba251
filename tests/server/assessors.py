"""Assessors at a real server: a campaign with units for them, and what they send."""

from __future__ import annotations

import json
import subprocess
import sys
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tests.server.clients import Answer, Client
from tests.surroundings import surroundings

TASK = "three-way"
PREPARE = """
import json, sys
from datetime import timedelta
from pathlib import Path
from karat.server.serving import prepare
prepare(sys.argv[1])
from karat import examples
from karat.campaign.dates import Dates
from karat.campaign.definition import Definition, Task
from karat.server import accounts, assigning, operations, store
from karat.server.submitting import Declared, submit
told = json.loads(sys.argv[2])
now, day = store.now(), timedelta(days=1)
kind = {"kind": "justifications", "justifications": "required"} if told["rated"] else {}
task = Task(name="three-way", test="pairs.xml", **kind)
dates = Dates(opens=now - 3 * day, closes=now - day)
made = Definition(name=told["name"], title="A campaign", guidelines="g.md", dates=dates, tasks=(task,))
pairs = (examples.HERE / "pairs.xml").read_bytes()
if told["units"] > 80:
    head = "id\\ttext\\thypothesis\\tlabel\\n"
    labels = ("ENTAILMENT", "UNKNOWN", "CONTRADICTION")
    rows = (f"{n}\\tText {n}.\\tHypothesis {n}.\\t{labels[n % 3]}\\n" for n in range(1, told["units"] + 1))
    pairs = (head + "".join(rows)).encode()
files = {"pairs.xml": pairs, "g.md": b"# Look at the tense\\n"}
operations.create(made, files.__getitem__, "campaign.toml")
for team in told["rated"]:
    operations.enrol(made.name, "team", team, "Ada Lovelace")
    raw = (examples.RUNS / "chatty.jsonl").read_bytes()
    declared = Declared(task="three-way", justifications=True)
    assert submit(made.name, team, "run.jsonl", raw, declared, now - 2 * day).run is not None
for who in told["people"]:
    operations.enrol(made.name, "assessor", who, "Grace Hopper")
units = [str(n) for n in range(1, told["units"] + 1)]
assigning.assign(made.name, "three-way", told["people"], units=units, **told["how"])
print(json.dumps({who: accounts.issue_token(made.name, who, "organiser") for who in told["people"]}))
"""


def prepared(
    home: Path,
    name: str,
    *people: str,
    units: int = 12,
    rated: tuple[str, ...] = (),
    around: Any = None,
    **how: Any,
) -> dict[str, str]:
    """A campaign that has closed, in which these people have units to judge: the token of each."""
    told = json.dumps({"name": name, "people": people, "units": units, "rated": rated, "how": how})
    command = [sys.executable, "-c", PREPARE, str(home), told]
    environment = {**surroundings(), **(around or {})}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=180)
    assert done.returncode == 0, done.stderr
    tokens: dict[str, str] = json.loads(done.stdout)
    return tokens


class Judging:
    """The judging of a task, as somebody with a token does it."""

    def __init__(self, address: str, campaign: str, token: str, task: str = TASK) -> None:
        self.client = Client(address, token)
        self.base = f"/api/campaigns/{campaign}/tasks/{task}"

    def next(self, after: str = "") -> Any:
        """The next unit; None if nothing is left."""
        got = self.client.ask("GET", f"{self.base}/next" + f"?after={quote(after)}" * bool(after))
        assert got.status in (200, 204), got
        return got.json if got.status == 200 else None

    def send(self, unit: str, values: Mapping[str, str], id: str = "", **more: Any) -> Answer:
        """A judgment."""
        return self._post("ballots", {"id": id or str(uuid.uuid4()), "unit": unit, "values": dict(values)} | more)

    def undo(self, unit: str, id: str = "") -> Answer:
        """A judgment taken back."""
        return self._post("undo", {"id": id or str(uuid.uuid4()), "unit": unit})

    def _post(self, path: str, body: Mapping[str, Any]) -> Answer:
        kind = {"Content-Type": "application/json"}
        return self.client.ask("POST", f"{self.base}/{path}", json.dumps(body).encode(), **kind)

    def play(self, label: str) -> int:
        """Give everything the same label."""
        count = 0
        while (shown := self.next()) is not None:
            assert self.send(shown["unit"], {"label": label}).status == 201
            count += 1
        return count


LOOK = """
import json, sys
from karat.server.serving import prepare
prepare(sys.argv[1])
from karat.server import assigning, store
work = store.state_of(sys.argv[2]).work_of("three-way")
task = store.state_of(sys.argv[2]).definition.task("three-way")
found = [
    {"assessor": who, "unit": item.unit, "run": item.run, "values": one.said.values, "program": one.said.program,
     "skipped": one.said.skipped, "id": one.said.id, "guidelines": one.said.guidelines}
    for who, of in work.ballots.items() for item, one in of.items()
]
events = [one.event for one in store.record_of(sys.argv[2]) if type(one.event).__name__ == "Judged"]
print(json.dumps({
    "ballots": found,
    "judged": [(one.assessor, one.id) for one in events],
    "counts": assigning.counts(sys.argv[2], "three-way"),
    "people": assigning.file_of(sys.argv[2], "three-way").decode(),
    "all": assigning.file_of(sys.argv[2], "three-way", programs=True).decode(),
    "key": assigning.file_of(sys.argv[2], "three-way", "key" if "key" in assigning.files(task) else "").decode(),
    "disputed": sorted(work.disputed),
    "verify": store.verify(sys.argv[2]),
}))
"""


def stored(home: Path, name: str, **environment: str) -> Any:
    """What a home has of the judging of a campaign."""
    command = [sys.executable, "-c", LOOK, str(home), name]
    around = {**surroundings(), **environment}
    done = subprocess.run(command, capture_output=True, text=True, timeout=180, env=around)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
