"""`karat campaign` on a home without a server: what each command does, prints and refuses."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import msgspec
import pytest

from karat import examples
from karat.campaign.events import GENESIS, Happened, chained
from tests.cli.calls import karat as in_process
from tests.server.conftest import karat
from tests.surroundings import surroundings

RUNS = examples.HERE / "runs"


@dataclass
class Organiser:
    """Somebody with a home."""

    home: Path

    def call(self, *words: str | Path) -> CompletedProcess[str]:
        """A command of the group."""
        return karat(self.home, "campaign", *map(str, words))

    def calls(self, *calls: list[str | Path]) -> list[tuple[int, str, str]]:
        """Many commands in one process: status, output, errors."""
        code = (
            "import json, sys; from tests.cli.calls import karat; calls = json.load(sys.stdin); "
            "done = [karat('campaign', *words) for words in calls]; "
            "print(json.dumps([[one.returncode, one.stdout, one.stderr] for one in done]))"
        )
        told = json.dumps([[str(word) for word in words] for words in calls])
        environment = surroundings() | {"KARAT_HOME": str(self.home)}
        done = subprocess.run(
            [sys.executable, "-c", code], input=told, capture_output=True, text=True, env=environment, timeout=120
        )
        assert done.returncode == 0, done.stderr
        return [(status, out, err) for status, out, err in json.loads(done.stdout)]

    def json(self, *words: str | Path, status: int = 0) -> Any:
        """What it prints for programs."""
        done = self.call(*words, "--format", "json")
        assert done.returncode == status, done.stderr
        return json.loads(done.stdout)

    def database(self) -> sqlite3.Connection:
        """Its database, past everything that protects it."""
        return sqlite3.connect(self.home / "karat.sqlite3")


def write(folder: Path, name: str = "rte-2027", extra: str = "", dates: str = "") -> Path:
    """A campaign file that is open now."""
    now = datetime.now(UTC).replace(microsecond=0)
    dates = dates or f"opens = {(now - timedelta(days=1)).isoformat()}\ncloses = {(now + timedelta(1)).isoformat()}"
    (folder / "pairs.xml").write_bytes((examples.HERE / "pairs.xml").read_bytes())
    file = folder / f"{name}.toml"
    file.write_text(
        f'name = "{name}"\ntitle = "A campaign"\nzone = "Europe/Berlin"\n{extra}\n[dates]\n{dates}\n'
        '[[tasks]]\nname = "three-way"\ntest = "pairs.xml"\n[[tasks]]\nname = "two-way"\nway = 2\ntest = "pairs.xml"\n',
        encoding="utf-8",
    )
    return file


@pytest.fixture
def organiser(tmp_path: Path) -> Organiser:
    """An organiser without anything yet."""
    return Organiser(tmp_path / "home")


def submit(home: Path, *runs: tuple[str, str]) -> None:
    """Runs of the team Alder, submitted in a process that has this home."""
    code = f"""
from karat.server.serving import prepare
prepare({str(home)!r})
from pathlib import Path
from karat.server.store import now
from karat.server.submitting import Declared, submit
for file, task in {list(runs)!r}:
    made = submit("rte-2027", "Alder", Path(file).name, Path(file).read_bytes(), Declared(task=task), now())
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_from_a_file_to_a_board(organiser: Organiser, tmp_path: Path) -> None:
    """A campaign is made, shown and listed; a team is enrolled, gets a token and more time; its runs are scored."""
    made = organiser.json("new", write(tmp_path))
    assert set(made) >= {"campaign", "tasks", "commitment"}
    assert (made["campaign"], made["tasks"]) == ("rte-2027", ["three-way", "two-way"])
    assert organiser.json("enrol", "rte-2027", "--team", "Alder", "--signed", "Ann Alder") == {"account": "Alder"}
    token = organiser.json("token", "rte-2027", "Alder")
    assert set(token) == {"token"}
    with closing(organiser.database()) as opened:
        assert token["token"] not in "\n".join(opened.iterdump())
    invited = organiser.json("invite", "rte-2027", "--assessor", "Wren", "--url", "https://eval.example.org/")
    assert set(invited) == {"url", "expires", "mail"}
    assert invited["url"].startswith("https://eval.example.org/enter/")
    extended = organiser.json("extend", "rte-2027", "Alder", "--until", "2099-07-01T12:00", "--reason", "illness")
    assert extended["deadline"] == "2099-07-01T10:00:00.000000Z"  # summer time in Berlin
    names = ("careful.jsonl", "cautious.txt")
    submit(organiser.home, *((str(RUNS / one), "three-way") for one in names), (str(RUNS / "two-way.txt"), "two-way"))
    board = organiser.json("board", "rte-2027", "--task", "three-way")
    assert set(board) >= {"key_version", "runs"}
    assert [run["run"] for run in board["runs"]] == ["Alder-1", "Alder-2"]
    named = [tmp_path / f"Alder-{number}{(RUNS / one).suffix}" for number, one in enumerate(names, 1)]
    for one, file in zip(names, named, strict=True):
        file.write_bytes((RUNS / one).read_bytes())
    scored = json.loads(in_process("score", examples.HERE / "pairs.xml", *named, "--format", "json").stdout)
    assert board["runs"] == [{"task": "three-way"} | run for run in scored["runs"]]
    everything = tmp_path / "results.zip"
    written = organiser.json("board", "rte-2027", "-o", str(everything))
    assert [run["run"] for run in written["runs"]] == ["Alder-1", "Alder-2", "Alder-1"]
    with zipfile.ZipFile(everything) as packed:
        assert packed.read("rte-2027-results/three-way/runs/Alder-2.txt") == (RUNS / names[1]).read_bytes()
        assert "rte-2027-results/two-way/report.html" in packed.namelist()
    shown = organiser.json("show", "rte-2027")
    assert (shown["state"], shown["counts"]["runs"], shown["counts"]["teams"]) == ("open", 3, 1)
    assert shown["sees"]["team"]["key"] is False
    assert organiser.json("list")["campaigns"][0]["campaign"] == "rte-2027"
    text = organiser.call("show", "rte-2027").stdout
    assert "Europe/Berlin" in text
    assert "anywhere on earth" in text
    found = organiser.json("verify", "rte-2027")
    assert found == {"events": 8, "chain": True, "equal": True, "broken_at": None, "differences": []}


def test_no_file_from_elsewhere(organiser: Organiser, tmp_path: Path) -> None:
    """A campaign file or a bundle that somebody else wrote publishes no file of this computer, also not by a link."""
    secret, folder = tmp_path / "secret.md", tmp_path / "bundle"
    secret.write_text("Nobody should read this.", encoding="utf-8")
    folder.mkdir()
    (folder / "link.md").symlink_to(secret)
    competition = folder / "competition.yaml"
    competition.write_text("title: A\nterms: ../secret.md\nphases: [{name: a, start: 2027-05-01, end: 2027-05-08}]\n")
    key = examples.HERE / "pairs.xml"
    calls: list[list[str | Path]] = [["new", competition, "--key", key]]
    for number, name in enumerate(("../secret.md", str(secret), "link.md")):
        calls.append(["new", write(folder, f"c{number}", extra=f'agreement = "{name}"')])
    for status, out, err in organiser.calls(*calls):
        assert (status, out) == (1, ""), err
        assert "campaign-file" in err
        assert "outside the folder of" in err
        assert "agreement: '" in err
    with closing(organiser.database()) as opened:
        assert opened.execute("SELECT count(*) FROM server_content").fetchone() == (0,)


def test_a_title_does_nothing_to_a_terminal(organiser: Organiser, tmp_path: Path) -> None:
    """Control characters are spelled out."""
    file = write(tmp_path)
    file.write_text(file.read_text(encoding="utf-8").replace("A campaign", r"\u001b]0;owned\u0007A\u001b[31m"), "utf-8")
    made, shown = organiser.calls(["new", file], ["show", "rte-2027"])
    assert made[0] == 0, made
    assert r"rte-2027: \x1b]0;owned\x07A\x1b[31m" in shown[1]
    assert "\x1b" not in shown[1]


def test_every_problem_at_once(organiser: Organiser, tmp_path: Path) -> None:
    """A campaign file is refused with all of its problems, by line; nothing is made of it."""
    file = write(tmp_path, extra='agreement = "none.md"\ntitel = "x"\ngrace = -1')
    done = organiser.call("new", file)
    assert done.returncode == 1
    assert "did you mean 'title'?" in done.stderr
    assert "rte-2027.toml:5" in done.stderr
    assert "grace" in done.stderr
    problems = organiser.json("new", file, status=1)["problems"]
    assert {problem["code"] for problem in problems} == {"campaign-key", "campaign-value", "campaign-file"}
    missing = organiser.json("new", write(tmp_path, extra='agreement = "none.md"'), status=1)
    assert [problem["code"] for problem in missing["problems"]] == ["campaign-file"]
    assert organiser.json("list") == {"campaigns": []}
    file.write_bytes(b"name = \xff")
    assert organiser.json("new", file, status=1)["problems"][0]["code"] == "encoding"


def test_from_a_competition(organiser: Organiser, tmp_path: Path) -> None:
    """A competition.yaml needs the key beside it, and says what was not taken over."""
    file = tmp_path / "competition.yaml"
    file.write_text("title: Old task\nimage: a.png\nphases: [{name: Test, start: 2027-05-01, end: 2027-05-08}]\n")
    key = examples.HERE / "pairs.xml"
    refused, made, shown = organiser.calls(
        ["new", file], ["new", file, "--key", key], ["show", "old-task", "--format", "json"]
    )
    assert (refused[0], made[0]) == (1, 0)
    assert "--key FILE: no test set with its key" in refused[2]
    assert "there are no logos" in made[2]
    assert json.loads(shown[1])["dates"]["closes"]["at"] == "2027-05-08T23:59:59.000000Z"


def test_wrong_names(organiser: Organiser, tmp_path: Path) -> None:
    """Exit status 2, with the name that was probably meant; a home that is not there is not made."""
    done = organiser.call("list")
    assert done.returncode == 2
    assert "there is no server at" in done.stderr
    assert not organiser.home.exists()
    organiser.call("new", write(tmp_path))
    organiser.call("enrol", "rte-2027", "--team", "Alder", "--signed", "Ann Alder")
    wrong: list[tuple[list[str | Path], str]] = [
        (["show", "rte-2072"], "did you mean 'rte-2027'?"),
        (["verify", "rte-2072"], "did you mean 'rte-2027'?"),
        (["board", "rte-2027", "--task", "threeway"], "did you mean 'three-way'?"),
        (["token", "rte-2027", "Aldr"], "did you mean 'Alder'?"),
        (["extend", "rte-2027", "Aldr", "--until", "2099-01-01T00:00", "--reason", "x"], "did you mean 'Alder'?"),
        (["extend", "rte-2027", "Alder", "--until", "2099-01-01", "--reason", "x"], "a day has 24 hours"),
        (["extend", "rte-2027", "Alder", "--until", "soon", "--reason", "x"], "expected a date and a time"),
        (["extend", "rte-2027", "Alder", "--until", "2099-01-01T00:00", "--reason", " "], "a reason"),
        (["invite", "rte-2027"], "--team, --assessor and --organiser"),
        (["invite", "rte-2027", "--team", "A", "--assessor", "B"], "--team, --assessor and --organiser"),
        (["enrol", "rte-2027", "--team", "Alder", "--signed", "Ann"], "takes part already"),
        (["enrol", "rte-2027", "--team", "organiser", "--signed", "Ann"], "choose another name"),
        (["new", tmp_path / "rte-2027.toml"], "choose another name"),
        (["new", tmp_path / "rte-2027.toml", "--key", tmp_path / "pairs.xml"], "are for a competition.yaml"),
    ]
    for (words, said), (status, out, err) in zip(wrong, organiser.calls(*(words for words, _ in wrong)), strict=True):
        assert (status, out) == (2, ""), words
        assert said in err, words


def test_unknown_commands() -> None:
    """Of the group too, with what was probably meant; its help needs no server."""
    done = in_process("campaign", "extent")
    assert done.returncode == 2
    assert "did you mean 'extend'?" in done.stderr
    for name in ("new", "list", "show", "invite", "enrol", "token", "extend", "board", "verify"):
        assert in_process("campaign", name, "--help").returncode == 0
        assert name in in_process("campaign", "--help").stdout


@pytest.fixture(scope="module")
def filled_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a run and a refused attempt."""
    folder = tmp_path_factory.mktemp("filled")
    organiser = Organiser(folder / "home")
    made = organiser.calls(["new", write(folder)], ["enrol", "rte-2027", "--team", "Alder", "--signed", "Ann"])
    assert [status for status, _, _ in made] == [0, 0]
    bad = folder / "bad.txt"
    bad.write_text("1 PERHAPS\n")
    submit(organiser.home, (str(RUNS / "careful.jsonl"), "three-way"), (str(bad), "three-way"))
    return organiser.home


@pytest.fixture
def filled(filled_once: Path, tmp_path: Path) -> Organiser:
    """A copy of that home."""
    shutil.copytree(filled_once, tmp_path / "home")
    return Organiser(tmp_path / "home")


EVENT = "UPDATE server_event SET "
TAMPERED = {
    "a score": (EVENT + "data = replace(data, '0.7625', '0.9625') WHERE sequence = 3", 3),
    "a time": (EVENT + "at = '2020-01-01 00:00:00' WHERE sequence = 2", 2),
    "no time": (EVENT + "at = 'never' WHERE sequence = 2", 2),
    "no such day": (EVENT + "at = '2026-13-45 00:00:00' WHERE sequence = 2", 2),
    "a day": (EVENT + "at = '2026-01-01' WHERE sequence = 2", 2),
    "a number": (EVENT + "at = 7 WHERE sequence = 2", 2),
    "bytes": (EVENT + "at = x'00' WHERE sequence = 2", 2),
    "an actor": (EVENT + "actor = 'somebody' WHERE sequence = 3", 3),
    "a hash": (EVENT + "hash = substr(hash, 2) || '0' WHERE sequence = 1", 1),
    "not an event": (EVENT + "data = '{}' WHERE sequence = 3", 3),
    "an event removed": ("DELETE FROM server_event WHERE sequence = 2", 2),
    "all removed": ("DELETE FROM server_event", 1),
}


@pytest.mark.parametrize("how", TAMPERED)
def test_verify_finds_a_changed_event(filled: Organiser, how: str) -> None:
    """The database refuses to change an event; whoever removes that guard is found out."""
    statement, place = TAMPERED[how]
    with closing(filled.database()) as opened:
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            opened.execute(statement)
        opened.execute("DROP TRIGGER event_no_update")
        opened.execute("DROP TRIGGER event_no_delete")
        opened.execute(statement)
        opened.commit()
    found = filled.json("verify", "rte-2027", status=1)
    assert (found["chain"], found["equal"], found["broken_at"]) == (False, False, place)


@pytest.mark.parametrize("sequence", [1, 3, 4])
@pytest.mark.parametrize("how", ["damaged", "missing"])
def test_verify_finds_a_damaged_file(filled: Organiser, sequence: int, how: str) -> None:
    """Of the test set, of a run, of a refused attempt."""
    with closing(filled.database()) as opened:
        (data,) = opened.execute("SELECT data FROM server_event WHERE sequence = ?", [sequence]).fetchone()
        event = json.loads(data)
        sha256 = event["files"]["pairs.xml"] if sequence == 1 else event["sent"]["sha256"]
        change = "UPDATE server_content SET data = x'00'" if how == "damaged" else "DELETE FROM server_content"
        assert opened.execute(f"{change} WHERE sha256 = ?", [sha256]).rowcount == 1
        opened.commit()
    found = filled.json("verify", "rte-2027", status=1)
    assert (found["chain"], found["equal"]) == (True, False)
    assert found["differences"] == [f"the file {sha256} is {how}"]


def test_verify_finds_changed_scores(filled: Organiser) -> None:
    """Even if the whole chain is written anew, scores have to be those that the files give."""
    with closing(filled.database()) as opened:
        for trigger in ("update", "delete"):
            opened.execute(f"DROP TRIGGER event_no_{trigger}")
        before = GENESIS
        rows = opened.execute("SELECT sequence, at, actor, data FROM server_event ORDER BY sequence").fetchall()
        for sequence, at, actor, data in rows:
            changed = data.replace('"accuracy":0.7625', '"accuracy":0.9625')
            event = msgspec.json.decode(changed, type=Happened)
            moment = datetime.fromisoformat(at).replace(tzinfo=UTC)
            entry = chained(before, sequence, moment, actor, event)
            opened.execute(
                "UPDATE server_event SET data = ?, hash = ? WHERE sequence = ?", [changed, entry.hash, sequence]
            )
            before = entry.hash
        opened.commit()
    found = filled.json("verify", "rte-2027", status=1)
    assert (found["chain"], found["equal"]) == (True, False)
    guards, scores = found["differences"]
    assert "its triggers are missing" in guards
    assert "are not those that its file gives" in scores
