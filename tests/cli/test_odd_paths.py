"""Names that no file can have, and files that are none: a sentence, whichever parameter they are given to."""

from __future__ import annotations

import os
from pathlib import Path

import click
import pytest

from karat.cli import load_command
from karat.examples import HERE
from tests.cli.calls import karat
from tests.cli.test_warnings import CALLS, WHOLE, WRITTEN, call

SCORE = ("score", HERE / "pairs.xml", HERE / "runs" / "overlap.txt")


def files_of(name: str) -> list[click.Parameter]:
    """The parameters of a command that name files."""
    return [one for one in load_command(name).params if isinstance(one.type, click.Path)]


def given_as(name: str, parameter: click.Parameter, path: str, folder: Path) -> list[str]:
    """A call of a command with one file replaced."""
    folder.mkdir(exist_ok=True)
    place = next((at for at, (files, _) in enumerate(CALLS[name]) if parameter.name in files), 0)
    words, _ = call(name, place, folder)
    old = str(folder / str(parameter.name)) + os.sep
    if any(word.startswith(old) for word in words):
        return [path if word.startswith(old) else word for word in words]
    return [*words, parameter.opts[0], path]


NAMES = [pytest.param(name, marks=[pytest.mark.nightly] if name == "report" else ()) for name in CALLS]


@pytest.mark.parametrize("name", NAMES)
def test_names_that_no_file_has(tmp_path: Path, name: str) -> None:
    """Too long, below a file, or empty: read or written, each is told; no traceback, nothing about other files."""
    file = tmp_path / "file"
    file.write_text("x")
    for parameter in files_of(name):
        for path, told in (("n" * 300, "too long"), (str(file / "x"), "directory"), ("", "the name is empty")):
            done = karat(*given_as(name, parameter, path, tmp_path / "made"), "--quiet")
            where = (parameter.name, path[:10], done.stderr[-300:])
            assert done.returncode in (1, 2), where
            assert "standard output" not in done.stderr, where
            said = (done.stdout + done.stderr).lower()
            assert any(one in said for one in (told, "no folder", "no such", "cannot write", "no source")), where


@pytest.mark.parametrize("name", NAMES)
def test_what_is_no_file(tmp_path: Path, name: str) -> None:
    """A pipe that nobody writes to, a device that never ends: neither is waited for."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for parameter in files_of(name):
        if parameter.name in WRITTEN:
            continue
        for path in (str(pipe), "/dev/zero"):
            done = karat(*given_as(name, parameter, path, tmp_path / "made"), "--quiet")
            assert done.returncode in (1, 2), (parameter.name, path, done.stderr)
            said = done.stdout + done.stderr  # trees are told by their ending
            assert "a device or a pipe, not a file" in said or "no source of trees" in said, (parameter.name, said)


def test_what_is_whole_is_walked() -> None:
    """Models, which have no warnings, are files all the same."""
    assert set(WHOLE) <= {one.name for one in files_of("run")}


@pytest.mark.parametrize("form", ["text", "json", "csv", "latex", "markdown", "html"])
def test_names_that_are_no_utf_8(tmp_path: Path, form: str) -> None:
    """A file may be called anything on Linux; the byte is spelled out."""
    odd = os.fsdecode(bytes(tmp_path) + b"/caf\xe9.xml")
    Path(odd).write_bytes((HERE / "pairs.xml").read_bytes())
    done = karat("score", odd, SCORE[2], "--format", form, "--verbose")
    assert done.returncode == 0, done.stderr
    assert form != "text" or "caf\\udce9.xml" in done.stdout
    kept = karat("score", odd, SCORE[2], "--format", form, "-o", tmp_path / "kept")
    assert kept.returncode == 0, kept.stderr
