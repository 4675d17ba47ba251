"""A home for tests of views in this process, and real servers in processes of their own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from karat import examples

KARAT = [sys.executable, "-c", "from karat.cli import main; main()"]
"""The command line, with the path of this process."""


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A home opened in this process; each test makes a campaign of its own name."""
    from karat.server.serving import prepare

    return prepare(tmp_path_factory.mktemp("home"), "http://127.0.0.1:8000")


@dataclass
class Served:
    """A server process."""

    process: subprocess.Popen[str]
    address: str
    link: str
    """The organiser's one-time link; empty after the first start."""
    home: Path

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Stop it; its exit status."""
        self.process.send_signal(number)
        return self.process.wait(timeout=30)


def karat(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command on a home, beside whatever serves it."""
    environment = {**os.environ, "KARAT_HOME": str(home)}
    return subprocess.run([*KARAT, *arguments], capture_output=True, text=True, env=environment, timeout=120)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """Start servers, which are stopped at the end of the test."""
    started: list[Served] = []

    def start(*arguments: str, home: Path = tmp_path / "home") -> Served:
        command = [*KARAT, "serve", "--home", str(home), "--port", "0", *arguments]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        link = address = ""
        assert process.stdout is not None
        for line in process.stdout:
            link = line.split()[1] if line.startswith("organiser: ") else link
            if line.startswith("serving: "):
                address = line.split()[1]
                break
        assert re.match(r"http://127\.0\.0\.1:\d+$", address), process.communicate()
        started.append(Served(process, address, link, home))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            one.process.kill()
        one.process.communicate()


@pytest.fixture
def campaign_file(tmp_path: Path) -> Callable[..., Path]:
    """Write a campaign file with the example pairs beside it; it is open now, unless the call says otherwise."""

    def write(name: str = "rte-2027", closes: timedelta = timedelta(days=1), extra: str = "", task: str = "") -> Path:
        now = datetime.now(UTC)
        (tmp_path / "pairs.xml").write_bytes((examples.HERE / "pairs.xml").read_bytes())
        text = f"""
name = "{name}"
title = "A campaign"
{extra}
[dates]
opens = {(now - timedelta(days=1)).isoformat()}
closes = {(now + closes).isoformat()}

[[tasks]]
name = "three-way"
test = "pairs.xml"
{task}
"""
        file = tmp_path / f"{name}.toml"
        file.write_text(text, encoding="utf-8")
        return file

    return write
