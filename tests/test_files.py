"""Files are written whole, or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from karat.errors import UsageError
from karat.files import check_folder, guarded, read_bytes, write_whole


def test_replaces(tmp_path: Path) -> None:
    """What was there is there no more, and nothing else is left."""
    path = tmp_path / "a.txt"
    for data in (b"one", b"another"):
        write_whole(path, data)
        assert path.read_bytes() == data
    assert [one.name for one in tmp_path.iterdir()] == ["a.txt"]


def test_full_disk(tmp_path: Path) -> None:
    """Where there is no room for it the old file stays, and no part of the new one is left."""
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")
    program = f"""
import resource, signal
from karat.files import write_whole
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
write_whole({str(path)!r}, b"x" * 5000)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "cannot write" in done.stderr
    assert path.read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == ["a.txt"]


def test_links_stay_links(tmp_path: Path) -> None:
    """A link leads to what was written, and is still a link."""
    (tmp_path / "real.txt").write_bytes(b"old")
    (tmp_path / "link.txt").symlink_to("real.txt")
    write_whole(tmp_path / "link.txt", b"new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_bytes() == b"new"


def test_pipes(tmp_path: Path) -> None:
    """A pipe is written to, not replaced."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, b"through")
    reader.join(10)
    assert read == [b"through"]
    assert pipe.is_fifo()


def test_no_folder(tmp_path: Path) -> None:
    """A folder that is not there is told, before work and after."""
    missing = tmp_path / "no" / "a.txt"
    with pytest.raises(UsageError, match="cannot write"):
        write_whole(missing, b"")
    with pytest.raises(UsageError, match="is not a folder"):
        check_folder(missing)
    with pytest.raises(UsageError, match="name a file in it"):
        check_folder(tmp_path)
    check_folder(tmp_path / "new.txt")


def test_long_names(tmp_path: Path) -> None:
    """A name as long as a file's may be can be written."""
    path = tmp_path / ("x" * 251 + ".txt")
    write_whole(path, b"1")
    assert path.read_bytes() == b"1"


def test_inputs_are_not_written_over(tmp_path: Path) -> None:
    """By whatever name a file was read, it is not written while the guard stands; nor is anything else touched."""
    key = tmp_path / "key.xml"
    key.write_text("key")
    (tmp_path / "link.xml").symlink_to("key.xml")
    (tmp_path / "hard.xml").hardlink_to(key)
    with guarded():
        assert read_bytes(key, 100) == b"key"
        for path in ("key.xml", "link.xml", "./key.xml", "hard.xml"):
            with pytest.raises(UsageError, match="were read"):
                write_whole(tmp_path / path, b"lost")
        write_whole(tmp_path / "other.xml", b"new")
    assert key.read_text() == "key"
    write_whole(key, b"on purpose")  # a program that reads and writes knows what it does
    assert key.read_bytes() == b"on purpose"


def test_limit(tmp_path: Path) -> None:
    """One byte more than the limit is read, by which a caller knows that there is more."""
    (tmp_path / "a").write_bytes(b"x" * 10)
    assert len(read_bytes(tmp_path / "a", 4)) == 5
    assert len(read_bytes(tmp_path / "a", 10)) == 10


def test_devices_and_pipes(tmp_path: Path) -> None:
    """What never ends, or never begins, is refused at once; a pipe that the shell put there is read."""
    os.mkfifo(tmp_path / "pipe")
    for path in ("/dev/zero", tmp_path / "pipe"):
        with pytest.raises(OSError, match="a device or a pipe"):
            read_bytes(path, 100)
    reading, writing = os.pipe()
    os.write(writing, b"through")
    os.close(writing)
    assert read_bytes(f"/dev/fd/{reading}", 100) == b"through"
    os.close(reading)


def test_modes_stay(tmp_path: Path) -> None:
    """A file keeps its mode, and a new one has that of any new file."""
    path = tmp_path / "a.txt"
    (tmp_path / "plain").write_bytes(b"")
    write_whole(path, b"1")
    assert path.stat().st_mode == (tmp_path / "plain").stat().st_mode
    path.chmod(0o640)
    write_whole(path, b"2")
    assert path.stat().st_mode & 0o777 == 0o640


def test_planted_links_are_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever guesses the name beside the file gains nothing: it is only ever made anew."""
    (tmp_path / "prey").write_bytes(b"prey")
    names = iter(["guessed", "free"])
    monkeypatch.setattr("tempfile._get_candidate_names", lambda: names)
    (tmp_path / ".karat-guessed.part").symlink_to("prey")
    write_whole(tmp_path / "a.txt", b"new")
    assert (tmp_path / "prey").read_bytes() == b"prey"
    assert (tmp_path / "a.txt").read_bytes() == b"new"
