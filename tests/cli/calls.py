"""Calls of the command line, in this process: one of its own for each call would take minutes in all."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from karat.cli import main


@dataclass(frozen=True)
class Done:
    """What a call left behind."""

    returncode: int
    stdout: str
    stderr: str


def karat(*arguments: str | Path, stdin: str = "", encoding: str = "utf-8") -> Done:
    """Call the command as a shell would, on a machine whose locale has this encoding."""
    streams = [io.BytesIO(), io.BytesIO()]
    out, err = (io.TextIOWrapper(stream, encoding=encoding, write_through=True) for stream in streams)
    typed = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding=encoding)
    with redirect_stdout(out), redirect_stderr(err), patch("sys.stdin", typed), pytest.raises(SystemExit) as left:
        main([str(argument) for argument in arguments])
    return Done(int(left.value.code or 0), *(stream.getvalue().decode() for stream in streams))


def as_json(*arguments: str | Path) -> Any:
    """The command's JSON."""
    done = karat(*arguments, "--format", "json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
