"""The documentation says what is so: generated pages are current, links lead somewhere, examples run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tools.make_docs import PAGES, ROOT

from karat.cli import COMMANDS
from karat.errors import CATALOGUE, Problem
from karat.examples import HERE as EXAMPLES

WRITTEN = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("src/**/*.md"), *ROOT.glob("benchmarks/*.md")]
)


def blocks(file: Path, language: str) -> str:
    """All blocks of a page that are marked as this language, one after the other."""
    return "\n".join(re.findall(rf"^```{language}\n(.*?)^```", file.read_text(encoding="utf-8"), re.S | re.M))


SHELL = [file for file in WRITTEN if blocks(file, "sh")]


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
    code = blocks(file, "python")
    # A process of its own: an example may register things.
    if code:
        subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=EXAMPLES, check=True)


@pytest.mark.parametrize("file", SHELL, ids=lambda file: str(file.relative_to(ROOT)))
def test_shell_examples_run(file: Path, tmp_path: Path) -> None:
    """Every block marked `sh` runs as it stands, in a copy of the folder of the examples."""
    folder = shutil.copytree(EXAMPLES, tmp_path / "examples")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-eu", "-c", blocks(file, "sh")],
        cwd=folder,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_pages_by_command_have_shell_examples() -> None:
    """What is called on the command line is shown there, with files that are at hand."""
    shown = "\n".join(blocks(file, "sh") for file in SHELL)
    for command in set(COMMANDS) - {"ablate", "demo", "formats", "measures"}:
        assert f"karat {command}" in shown, command


def test_added_measure_declares_what_holds() -> None:
    """The facts of the measure that docs/add-measure.md adds pass the property test of all measures."""
    code = blocks(ROOT / "docs" / "add-measure.md", "python")
    code += "\nfrom tests.measures.test_facts import wrong_facts"
    code += "\nassert list(wrong_facts(measures['mean_f'].bind())) == []"
    paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    subprocess.run([sys.executable, "-c", code], cwd=EXAMPLES, env=os.environ | {"PYTHONPATH": paths}, check=True)


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
