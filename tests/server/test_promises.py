"""The page about security names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
NAMED = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+))?`")


def missing(page: str) -> list[str]:
    """The tests that a page names and that are not there."""
    return [
        f"{file}::{test}" if test else file
        for file, test in NAMED.findall(page)
        if not (ROOT / file).is_file() or (test and f"\ndef {test}(" not in (ROOT / file).read_text(encoding="utf-8"))
    ]


def test_every_promise_has_its_test() -> None:
    """Each row of the table names a test, and each is there."""
    page = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("|")][2:]
    assert len(rows) > 20
    assert [row for row in rows if not NAMED.search(row.rsplit("|", 2)[1])] == []
    assert missing(page) == []


def test_a_planted_promise() -> None:
    """A test that is not there is noticed, and a file too."""
    assert missing("`tests/server/test_promises.py::test_nothing` `tests/server/test_no.py`") == [
        "tests/server/test_promises.py::test_nothing",
        "tests/server/test_no.py",
    ]
