"""A home for tests of views in this process, and real servers in processes of their own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from karat import examples
from tests.surroundings import surroundings

# A browser of other tests leaves an event loop in this thread, at which Django would refuse to ask the database.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
KARAT = [sys.executable, "-c", "from karat.cli import main; main()"]
"""The command line, with the path of this process."""


@pytest.fixture
def sights(home: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Campaigns that are led through all their states by moving the clock."""
    del home
    from tests.server import sights

    sights.freeze(monkeypatch)
    return sights


@pytest.fixture
def panels(home: Any) -> Any:
    """Campaigns with assessors."""
    del home
    from tests.server import panels

    return panels


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
        return self.process.wait(timeout=120)


def karat(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command on a home, beside whatever serves it."""
    environment = {**surroundings(), "KARAT_HOME": str(home)}
    return subprocess.run([*KARAT, *arguments], capture_output=True, text=True, env=environment, timeout=120)


@contextmanager
def servers(folder: Path) -> Iterator[Callable[..., Served]]:
    """Start servers, by default with the home in a folder, which are stopped at the end."""
    started: list[Served] = []

    def start(*arguments: str, home: Path = folder / "home", cwd: Path | None = None, **environment: str) -> Served:
        command = [*KARAT, "serve", "--home", str(home), "--port", "0", *arguments]
        around = {**surroundings(), **environment}
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=cwd, env=around
        )
        link = address = ""
        assert process.stdout is not None
        for line in process.stdout:
            link = line.split()[1] if line.startswith("organiser: ") else link
            if line.startswith("serving: "):
                address = line.split()[1]
                break
        assert re.match(r"https?://\S+$", address), process.communicate()
        started.append(Served(process, address, link, home))
        return started[-1]

    try:
        yield start
    finally:
        for one in started:
            if one.process.poll() is None:
                one.process.kill()
            one.process.communicate()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """Start servers, which are stopped at the end of the test."""
    with servers(tmp_path) as start:
        yield start


def write_campaign(
    folder: Path, name: str = "rte-2027", closes: timedelta = timedelta(days=1), extra: str = "", task: str = ""
) -> Path:
    """Write a campaign file with the example pairs beside it; it is open now, unless the call says otherwise."""
    now = datetime.now(UTC)
    (folder / "pairs.xml").write_bytes((examples.HERE / "pairs.xml").read_bytes())
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
    file = folder / f"{name}.toml"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.fixture
def campaign_file(tmp_path: Path) -> Callable[..., Path]:
    """Write campaign files in a folder of the test's own."""
    return partial(write_campaign, tmp_path)
