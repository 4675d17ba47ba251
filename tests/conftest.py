"""What tests share: the shipped examples, read once."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

import karat
from karat.examples import PAIRS, RUNS

# How long an example takes depends on the machine, and on what else it does. A change is judged by the same examples
# everywhere; `make nightly` looks for new ones, and for more of them.
settings.register_profile("karat", deadline=None, derandomize=True, max_examples=30)
settings.register_profile("search", deadline=None, derandomize=False, max_examples=200)
settings.load_profile("karat")


@pytest.fixture(scope="session")
def key() -> karat.Pairs:
    """The shipped test set."""
    return karat.read_pairs(PAIRS)


@pytest.fixture(scope="session")
def runs(key: karat.Pairs) -> karat.Responses:
    """The shipped runs."""
    return karat.read_runs(RUNS, key)


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], Path]:
    """Writes a text file and gives its path."""

    def make(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return make


@pytest.fixture
def make(write: Callable[[str, str], Path]) -> Callable[..., tuple[karat.Pairs, karat.Responses]]:
    """A key from labels, and runs from lines: `make("E U C", a="1 E", …)`."""

    def build(labels: str, /, **texts: Any) -> tuple[karat.Pairs, karat.Responses]:
        # One letter a label; U needs saying, since no file spells UNKNOWN so.
        options = {"label": {"U": "UNKNOWN"}, **texts.pop("options", {})}
        rows = "".join(f"{place}\tt\th\t{label}\n" for place, label in enumerate(labels.split(), 1))
        pairs = karat.read_pairs(write("key.tsv", "id\ttext\thypothesis\tlabel\n" + rows), **options)
        paths = [write(f"{name}.txt", text if text.endswith("\n") else text + "\n") for name, text in texts.items()]
        return pairs, karat.read_runs(paths, pairs, **options) if paths else karat.Responses.of(pairs, [])

    return build


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documentation, built strictly: a page that the menu lacks or a link that leads nowhere is an error."""
    pytest.importorskip("material", reason="mkdocs-material is not installed")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=Path(__file__).parent.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A home opened in this process, which can have one; each test makes a campaign of its own name."""
    from django.db import connections
    from django.db.backends.signals import connection_created

    from karat.server.serving import prepare

    before = dict(os.environ)
    made = prepare(tmp_path_factory.mktemp("home"), "http://127.0.0.1:8000")
    connection_created.connect(_without_waiting)
    connections.close_all()
    from karat.server.pages import judging_organiser, results

    results.PATIENCE = judging_organiser.PATIENCE = 120.0  # here whoever asks waits for what is being made
    # Processes that tests start have homes of their own.
    os.environ.clear()
    os.environ.update(before)
    return made


def _without_waiting(connection: Any, **_: Any) -> None:
    """Let a connection of this process not wait for the disk: here nothing need outlive a loss of power."""
    if connection.vendor == "sqlite":
        connection.cursor().execute("PRAGMA synchronous=OFF")
