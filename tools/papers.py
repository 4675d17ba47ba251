"""The figures of the papers as data, which docs/papers.md lists and the tests work out."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent.parent / "tests" / "papers"


def papers() -> Iterator[dict[str, Any]]:
    """The papers, each with its figures."""
    for file in sorted(FOLDER.glob("*.toml")):
        yield tomllib.loads(file.read_text(encoding="utf-8"))
