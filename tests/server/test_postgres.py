"""The store on a real PostgreSQL: the same tests as on SQLite, and a server that serves from it."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from karat.campaign.archive import packed
from tests.campaign.whole_worlds import whole
from tests.server import stages
from tests.server.clients import Client, prepared
from tests.server.conftest import Served, karat
from tests.server.judges import faults, panel
from tests.surroundings import surroundings

PLACES = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql*/bin")
"""Where packages put what a server needs, which is on nobody's path."""


def _programs() -> Path | None:
    found = [folder for place in PLACES for folder in Path("/").glob(place[1:]) if (folder / "initdb").exists()]
    return max(found, key=lambda folder: [int(n) for n in re.findall(r"\d+", str(folder))], default=None)


def _started(start: Callable[[str], None], folder: Path) -> int:
    """Start a server with a log file, without which it would keep the pipe of its output open; its port.

    Between looking for a free port and listening on it, somebody else can take it; then it is another one.
    """
    for last in (False, False, True):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port: int = free.getsockname()[1]
        try:
            start(f"-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories={folder} -c fsync=off")
        except AssertionError:
            if last:
                raise
        else:
            return port
    raise AssertionError


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    """The address of an empty database of a server of its own, which ends with the tests."""
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    programs = _programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed (`make system` installs it)")
    # A short path, since the name of a socket has at most 107 bytes; readable to the user that runs the server.
    folder = Path(tempfile.mkdtemp(prefix="karat-pg-", dir="/tmp"))
    user: tuple[str, ...] = ()
    if os.geteuid() == 0:  # PostgreSQL refuses to run as root
        user = ("setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups")
        shutil.chown(folder, "postgres", "postgres")

    def do(program: str, *arguments: str) -> None:
        done = subprocess.run(
            [*user, str(programs / program), *arguments], capture_output=True, text=True, timeout=60, cwd=folder
        )
        assert done.returncode == 0, done.stdout + done.stderr

    data, log = str(folder / "data"), str(folder / "log")
    do("initdb", "-D", data, "-U", "karat", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
    try:
        port = _started(lambda options: do("pg_ctl", "-D", data, "-l", log, "-w", "-o", options, "start"), folder)
        do("createdb", "-h", str(folder), "-p", str(port), "-U", "karat", "campaigns")
        do("createdb", "-h", str(folder), "-p", str(port), "-U", "karat", "tests")
        yield f"postgresql://karat@127.0.0.1:{port}/campaigns?application_name=karat"
    finally:
        subprocess.run(
            [*user, str(programs / "pg_ctl"), "-D", data, "-m", "immediate", "stop"], check=False, cwd=folder
        )
        shutil.rmtree(folder, ignore_errors=True)


def test_the_store_on_postgresql(database: str) -> None:
    """Every test of the store passes there too: threads, processes, the trigger, what was tampered with."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "tests/server/test_store.py"]
    around = {**surroundings(), "KARAT_DATABASE": database.replace("/campaigns", "/tests")}
    around.pop("PYTEST_XDIST_WORKER", None)
    root = Path(__file__).parents[2]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200, env=around, cwd=root)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) >= 19
    assert re.findall(r"(\d+) skipped", done.stdout) == ["1"]  # what only SQLite can do


def test_a_server_on_postgresql(
    database: str, serve: Callable[..., Served], campaign_file: Callable[..., Path], tmp_path: Path
) -> None:
    """One setting moves the database: a run is submitted, survives the server, verifies; the home has no database."""
    socket_address = re.sub(r"karat@[^/]*/campaigns.*", "karat@/campaigns", database)
    port = re.search(r":(\d+)/", database)[1]
    folder = next(Path("/tmp").glob(f"karat-pg-*/.s.PGSQL.{port}")).parent
    home, around = tmp_path / "home", {"KARAT_DATABASE": database}
    tokens = prepared(home, campaign_file("pg"), "alder", **around)
    served = serve(home=home, **around)
    receipt = Client(served.address, tokens["alder"]).submit("pg").json["receipt"]
    assert receipt["state"] == "scored"
    assert served.stop() == 0
    # The same database by its socket, as Debian sets it up.
    served = serve(home=home, KARAT_DATABASE=f"{socket_address}?host={folder}&port={port}")
    client = Client(served.address, tokens["alder"])
    assert client.submit("pg").json["receipt"] == receipt
    assert [run["id"] for run in client.runs("pg")] == [receipt["id"]]
    assert not (home / "karat.sqlite3").exists()


def test_judging_on_postgresql(database: str, serve: Callable[..., Served], tmp_path: Path) -> None:
    """Judges at once, whatever they judge: every judgment is stored once, and the record verifies."""
    home, around, people = tmp_path / "home", {"KARAT_DATABASE": database}, ["anna", "ben", "cleo", "dora"]
    told = {"name": "judged-there", "people": people, "judgments": 24}
    tokens = stages.elsewhere(home, told, **around)
    served = serve(home=home, **around)
    acts = [act for task in stages.JUDGED for act in panel(served.address, "judged-there", tokens, task, 24)[0]]
    found = stages.elsewhere(home, "judged-there", **around)
    assert list(faults(found, acts)) == []
    assert set(found["people"]["answers"].values()) == {stages.PER_UNIT}
    assert not (home / "karat.sqlite3").exists()


def test_an_archive_moves_to_postgresql(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Imported from a home with SQLite, verified there, and exported again: the same bytes; twice is refused."""
    world = whole(11, name="moved")
    first, second = tmp_path / "first.zip", tmp_path / "second.zip"
    first.write_bytes(packed(world.entries, world.contents))

    def do(home: str, *words: str | Path, status: int = 0) -> str:
        done = karat(tmp_path / home, "campaign", *map(str, words))
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    do("sqlite", "import", first)
    do("sqlite", "export", "moved", "-o", second)
    assert second.read_bytes() == first.read_bytes()
    second.unlink()
    monkeypatch.setenv("KARAT_DATABASE", database)
    assert "everything stored follows from the record" in do("postgres", "import", first)
    do("postgres", "verify", "moved")
    do("postgres", "export", "moved", "-o", second)
    assert second.read_bytes() == first.read_bytes()
    assert "there is a campaign called 'moved' already" in do("postgres", "import", first, status=2)
    assert not (tmp_path / "postgres" / "karat.sqlite3").exists()
