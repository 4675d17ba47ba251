"""Tests of the home: made whole, kept to its owner, backed up, and refused in one sentence where it cannot be used."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from karat.server import serving
from karat.server.home import MOST_BACKUPS, Home
from tests.server.clients import Client, prepared
from tests.server.conftest import KARAT, Served
from tests.surroundings import surroundings

PREPARE = "from karat.server.serving import prepare; import sys; prepare(sys.argv[1])"


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python, with the path of this process."""
    around = {**surroundings(), **environment}
    return subprocess.run([sys.executable, *command], capture_output=True, text=True, env=around, timeout=60)


def refused(*arguments: str, before: tuple[str, ...] = (), **environment: str) -> str:
    """What `karat serve` says when it cannot: one sentence on standard error, and status 2."""
    port = [] if "--port" in arguments else ["--port", "0"]
    command = [*before, *KARAT, "serve", *port, *arguments]
    around = {**surroundings(), **environment}
    done = subprocess.run(command, capture_output=True, text=True, env=around, timeout=60)
    assert (done.returncode, done.stdout) == (2, ""), done
    assert "Traceback" not in done.stderr
    said = [line for line in done.stderr.splitlines() if "UserWarning" not in line and not line.startswith("  ")]
    assert len(said) == 1, done.stderr
    return said[0]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home that is there."""
    folder = tmp_path_factory.mktemp("made") / "home"
    done = run("-c", PREPARE, str(folder))
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def copy(made: Path, tmp_path: Path) -> Path:
    """A home of the test's own."""
    shutil.copytree(made, tmp_path / "home")
    return tmp_path / "home"


def test_a_home_is_its_owners(made: Path) -> None:
    """The folder and the secret are readable by their owner alone."""
    assert stat.S_IMODE(made.stat().st_mode) == 0o700
    assert stat.S_IMODE((made / "secret").stat().st_mode) == 0o600
    assert len((made / "secret").read_text()) >= 64
    assert sorted(file.name for file in made.iterdir()) == ["backups", "karat.sqlite3", "outbox", "secret"]


def test_one_secret_for_all(tmp_path: Path) -> None:
    """Processes that start together on a new home agree on its secret, and leave nothing else behind."""
    for turn in range(20):
        home = Home(tmp_path / str(turn))
        home.make()
        with ThreadPoolExecutor(8) as threads:
            assert len(set(threads.map(lambda home=home: home.secret(), [home] * 8, timeout=30))) == 1
        assert (home.folder / "secret").stat().st_nlink == 1
        assert len(list(home.folder.iterdir())) == 3


def test_a_backup_can_be_read(copy: Path) -> None:
    """A copy taken while somebody writes is a whole database of one moment; the oldest copies are removed."""
    home = Home(copy)
    stop = threading.Event()

    def write() -> None:
        with closing(sqlite3.connect(home.database, timeout=30)) as database:
            while not stop.is_set():
                database.execute("INSERT INTO server_content VALUES (hex(randomblob(32)), randomblob(5000))")
                database.execute("INSERT INTO server_content VALUES (hex(randomblob(32)), randomblob(5000))")
                database.commit()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        taken = [home.back_up() for _ in range(MOST_BACKUPS + 3)]
    finally:
        stop.set()
        writer.join()
    assert sorted(home.backups.iterdir()) == taken[3:]
    for file in taken[-3:]:
        assert file is not None
        with closing(sqlite3.connect(file)) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert database.execute("SELECT count(*) FROM server_content").fetchone()[0] % 2 == 0


def test_a_failed_backup_is_not_the_last(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk does not end the backups of a server that runs for weeks, and no part of one stays."""
    home, stop, tries = Home(copy), threading.Event(), [0]
    shutil.rmtree(home.backups)
    with pytest.raises(sqlite3.Error):
        home.back_up()
    monkeypatch.setattr(serving, "BACKUP_EVERY", 0.001)
    back_up = home.back_up

    def attempt() -> Path | None:
        tries[0] += 1
        if tries[0] == 3:
            home.backups.mkdir()
        if tries[0] == 5:
            stop.set()
        return back_up()

    monkeypatch.setattr(home, "back_up", attempt)
    serving._back_up_regularly(home, stop)
    assert tries[0] == 5
    assert len(list(home.backups.iterdir())) == 3


def test_a_backup_before_every_migration(tmp_path: Path) -> None:
    """A home of an earlier version is copied as it was, and only then changed."""
    home = Home(tmp_path / "home")
    old = f"{PREPARE.replace('prepare(sys.argv[1])', '')}\nfrom karat.server import serving\n"
    old += "serving._migrate = lambda home: None\nserving.prepare(sys.argv[1])\n"
    old += "from django.core.management import call_command\ncall_command('migrate', 'server', '0001', verbosity=0)\n"
    assert (done := run("-c", old, str(home.folder))).returncode == 0, done.stderr
    assert list(home.backups.iterdir()) == []
    assert (done := run("-c", PREPARE, str(home.folder))).returncode == 0, done.stderr
    (copy,) = home.backups.iterdir()
    with closing(sqlite3.connect(copy)) as before, closing(sqlite3.connect(home.database)) as after:
        query = "SELECT name FROM django_migrations WHERE app = 'server'"
        assert [name for (name,) in before.execute(query)] == ["0001_initial"]
        assert len(list(after.execute(query))) > 1


def test_a_home_is_made_once(tmp_path: Path) -> None:
    """Processes that open a new home at the same moment all find it ready."""
    code = f"import karat.server.serving, sys; sys.stdin.readline()\n{PREPARE}"
    pipes: Any = {"stdin": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "env": surroundings()}
    command = [sys.executable, "-c", code, str(tmp_path / "home")]
    others = [subprocess.Popen(command, **pipes) for _ in range(4)]
    try:
        for other in others:
            other.stdin.write("\n")
            other.stdin.flush()
        said = [other.communicate(timeout=60)[1] for other in others]
    finally:
        for other in others:
            other.kill()
            other.communicate()
    assert [other.returncode for other in others] == [0] * 4, said


def test_a_newer_home(copy: Path) -> None:
    """A home that a newer version has written is left alone."""
    with closing(sqlite3.connect(copy / "karat.sqlite3")) as database:
        database.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('server', '0999_later', '2027-01-01')"
        )
        database.commit()
    said = refused("--home", str(copy))
    assert "written by a newer version of karat (it has 0999_later)" in said
    assert "install that version, or restore a backup" in said
    assert list((copy / "backups").iterdir()) == []


def test_no_database(copy: Path) -> None:
    """A file that is no database is named, with what to do."""
    (copy / "karat.sqlite3").write_bytes(b"hello" * 1000)
    said = refused("--home", str(copy))
    assert "karat.sqlite3: file is not a database; restore a backup" in said


def test_a_port_that_is_taken(copy: Path) -> None:
    """It is named, with the way to choose another."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = refused("--home", str(copy), "--port", str(port))
    assert f"cannot listen on 127.0.0.1, port {port}: Address already in use; choose another with --port" in said


def test_a_host_that_is_no_address(copy: Path) -> None:
    """It is named, with one that works."""
    assert "'300.1.1.1' is not an address of this machine" in refused("--home", str(copy), "--host", "300.1.1.1")


@pytest.mark.nightly
def test_one_server_for_a_home(serve: Callable[..., Served], copy: Path) -> None:
    """A second server would give out links to itself; it says so and stops. After the first has ended, it starts."""
    first = serve(home=copy)
    assert "another server serves" in refused("--home", str(copy), "--port", "0")
    first.stop()
    assert serve(home=copy).address


def test_a_home_that_cannot_be_made(tmp_path: Path) -> None:
    """A home below a file cannot be; one in a folder without permission to write, neither."""
    (tmp_path / "file").write_text("x")
    said = refused("--home", str(tmp_path / "file" / "home"))
    assert f"cannot write to {tmp_path}/file/home: Not a directory; name another folder with --home DIR" in said


def test_a_read_only_home(tmp_path: Path) -> None:
    """A folder without permission to write stays as it is."""
    folder = tmp_path / "home"
    folder.mkdir(mode=0o500)
    # The administrator may write everywhere, unless this right is given up.
    capable = os.geteuid() == 0
    if capable and shutil.which("setpriv") is None:
        pytest.skip("setpriv is not there, and this user may write everywhere")
    before = ("setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override") if capable else ()
    said = refused("--home", str(folder), before=before)
    assert f"cannot write to {folder}: Permission denied; name another folder with --home DIR" in said
    assert stat.S_IMODE(folder.stat().st_mode) == 0o500


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("mysql://localhost/karat", "begins with 'mysql'; expected postgresql://"),
        ("postgresql://nobody:secret@127.0.0.1:1/karat", "check that address, and that the database is running"),
    ],
)
def test_another_database(tmp_path: Path, address: str, said: str) -> None:
    """A database that karat cannot use, or cannot reach, is one sentence; a password is not part of it."""
    told = refused("--home", str(tmp_path / "home"), KARAT_DATABASE=address)
    assert said in told
    assert "secret" not in told


@contextmanager
def unchanged(*folders: Path) -> Iterator[None]:
    """Nothing is created, changed or removed below these folders."""

    def listing() -> dict[str, tuple[float, int]]:
        files = (file for folder in folders for file in [folder, *folder.rglob("*")])
        return {str(file): (file.stat().st_mtime, file.stat().st_size) for file in files}

    before = listing()
    yield
    assert listing() == before


def test_nothing_is_written_outside_the_home(
    serve: Callable[..., Served], campaign_file: Callable[..., Path], tmp_path: Path
) -> None:
    """The current folder, the user's own and the one for temporary files stay as they are, whatever arrives."""
    places = [tmp_path / name for name in ("current", "user", "temporary")]
    for place in places:
        place.mkdir()
    around = {"HOME": str(places[1]), "TMPDIR": str(places[2]), "PYTHONDONTWRITEBYTECODE": "1"}
    around |= {f"XDG_{name}_HOME": str(places[1] / name) for name in ("CACHE", "CONFIG", "DATA", "STATE")}
    home, file = tmp_path / "deep" / "home", campaign_file()
    with unchanged(*places):
        tokens = prepared(home, file, "alder", **around)
        served = serve(home=home, cwd=places[0], **around)
        client = Client(served.address, tokens["alder"])
        assert client.submit("rte-2027").status == 201
        assert client.submit("rte-2027", b"x" * (3 << 20)).status == 422
        assert _held_open(served, tmp_path, home)
        assert served.stop() == 0


def _held_open(served: Served, around: Path, home: Path) -> list[str]:
    """The nameless files of a server while a large request arrives; all of them lie in the home."""
    address = urlsplit(served.address)
    with socket.create_connection((address.hostname, address.port), timeout=30) as connection:
        connection.sendall(
            b"POST /api/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000\r\n\r\n" + b"x" * (3 << 20)
        )
        for _ in range(1200):
            links = []
            for link in Path(f"/proc/{served.process.pid}/fd").iterdir():
                with contextlib.suppress(FileNotFoundError):  # closed meanwhile
                    links.append(str(link.readlink()))
            assert not [path for path in links if path.startswith(str(around)) and not path.startswith(str(home))]
            if nameless := [path for path in links if path.endswith(" (deleted)")]:
                return nameless
            time.sleep(0.05)
    return []
