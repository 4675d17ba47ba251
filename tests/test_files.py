"""Files are written whole, or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from karat.errors import UsageError
from karat.files import check_folder, refuse_input, write_whole


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
    with pytest.raises(UsageError, match="is no folder"):
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
    """By whatever name a file was read, it is refused."""
    (tmp_path / "key.xml").write_text("key")
    (tmp_path / "link.xml").symlink_to("key.xml")
    for path in ("key.xml", "link.xml", "./key.xml"):
        with pytest.raises(UsageError, match="were read"):
            refuse_input(tmp_path / path, ["", str(tmp_path / "key.xml")])
    refuse_input(tmp_path / "other.xml", [str(tmp_path / "key.xml")])
