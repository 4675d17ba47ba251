"""The documentation says what is so: generated pages are current, links lead somewhere, examples run."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tools.make_docs import PAGES, ROOT

from karat.errors import CATALOGUE, Problem
from karat.examples import HERE as EXAMPLES

WRITTEN = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("src/**/*.md"), *ROOT.glob("benchmarks/*.md")]
)


@pytest.mark.parametrize(("name", "page"), PAGES.items(), ids=PAGES)
def test_generated_page_is_current(name: str, page: Callable[[], str]) -> None:
    """The page is what `make docs` would write today."""
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == page(), "run `make docs`"


@pytest.mark.parametrize("file", WRITTEN, ids=lambda file: str(file.relative_to(ROOT)))
def test_links(file: Path) -> None:
    """Every relative link leads to a file."""
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", file.read_text(encoding="utf-8")):
        assert (file.parent / target).exists(), target


@pytest.mark.parametrize("file", WRITTEN, ids=lambda file: str(file.relative_to(ROOT)))
def test_python_examples_run(file: Path) -> None:
    """Every Python block runs as it stands, in the folder of the examples."""
    code = "\n".join(re.findall(r"```python\n(.*?)```", file.read_text(encoding="utf-8"), re.S))
    # A process of its own: an example may register things.
    if code:
        subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=EXAMPLES, check=True)


def test_readme_has_the_two_commands() -> None:
    """The README's first commands are make demo and make test."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "make demo" in readme
    assert "make test" in readme


def test_readme_shows_a_real_problem() -> None:
    """The sample of a problem in the README is what the catalogue says today."""
    kind = CATALOGUE["unknown-id"]
    sample = Problem("run.txt", 12, 1, "unknown-id", "pair '0712'", kind.expected, kind.fix, kind.severity)
    assert str(sample) in (ROOT / "README.md").read_text(encoding="utf-8")
