"""The documentation says what is so: generated pages are current, links lead somewhere, examples run."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from tools.make_docs import PAGES, ROOT, SAMPLE, as_printed
from tools.outputs import excerpt, with_outputs

from karat.cli import COMMANDS
from karat.examples import HERE as EXAMPLES
from karat.studies.report import grades
from tests.cli.calls import karat
from tests.papers.figures import figures
from tests.portable import differences
from tests.surroundings import surroundings

WRITTEN = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("src/**/*.md"), *ROOT.glob("benchmarks/*.md")]
)


PLAIN = re.compile(r"karat (?!campaign)[^|<>;&$*`]*")
"""A line of a shell that is one call of karat and nothing else."""
STORIES = ("docs/campaign.md", "docs/making-a-key.md", "docs/server.md")
"""Pages whose blocks build on each other."""


def blocks(file: Path, language: str) -> list[str]:
    """The blocks of a page that are marked as this language."""
    return re.findall(rf"^```{language}\n(.*?)^```", file.read_text(encoding="utf-8"), re.S | re.M)


def name_of(file: Path) -> str:
    """The path of a page in the repository."""
    return file.relative_to(ROOT).as_posix()


SHELL = {name_of(file): found for file in WRITTEN if (found := blocks(file, "sh"))}
ALONE = {
    f"{name} {place}": block for name in SHELL if name not in STORIES for place, block in enumerate(SHELL[name], 1)
}


@pytest.mark.parametrize(("name", "page"), PAGES.items(), ids=PAGES)
def test_generated_page_is_current(name: str, page: Callable[[], str]) -> None:
    """The page is what `make docs` would write today; numbers of JSON as far as machines agree on them."""
    written, today = (ROOT / name).read_text(encoding="utf-8"), page()
    if name.endswith(".json"):
        assert differences(written, today) == [], "run `make docs`"
    else:
        assert written == today, "run `make docs`"


@pytest.mark.parametrize("file", WRITTEN, ids=name_of)
def test_links(file: Path) -> None:
    """Every relative link leads to a file."""
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", file.read_text(encoding="utf-8")):
        assert (file.parent / target).exists(), target


@pytest.mark.parametrize("file", WRITTEN, ids=name_of)
def test_python_examples_run(file: Path) -> None:
    """Every Python block runs as it stands, in the folder of the examples."""
    code = "\n".join(blocks(file, "python"))
    # A process of its own: an example may register things.
    if code:
        subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=EXAMPLES, env=surroundings(), check=True)


def run_shell(block: str) -> None:
    """Run a block in the folder that we are in: calls of karat here, which is quicker, and all else in a shell."""
    lines = block.replace("\\\n", " ").splitlines()
    if all(PLAIN.fullmatch(line) for line in lines):
        for line in lines:
            done = karat(*shlex.split(line, comments=True)[1:])
            assert done.returncode == 0, f"{line}\n{done.stderr}"
    else:
        run_bash(block)


def run_bash(block: str) -> None:
    """Run a block in a shell with a home of its own; what it leaves running is ended, also when a command fails."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {"KARAT_HOME": str(Path.cwd().parent / "home"), **surroundings(), "PATH": path}
    with tempfile.TemporaryFile("w+") as told:
        # To a file, since a server that is left behind would hold a pipe open for ever.
        command = ["bash", "-eu", "-c", block]
        shell = subprocess.Popen(command, env=environment, stdout=told, stderr=told, start_new_session=True)
        try:
            status = shell.wait(timeout=300)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(shell.pid, signal.SIGKILL)
            shell.wait()
        told.seek(0)
        assert status == 0, told.read()


def at_night(name: str, value: str) -> Any:
    """A parameter, of a nightly test if its page starts servers."""
    slow = name.partition(" ")[0] in ("docs/assess.md", "docs/campaign.md", "docs/programs.md", "docs/server.md")
    return pytest.param(value, id=name, marks=[pytest.mark.nightly] * slow)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the folder of the examples, which we are in."""
    copy = shutil.copytree(EXAMPLES, tmp_path / "examples")
    monkeypatch.chdir(copy)
    return copy


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("block", [at_night(name, block) for name, block in ALONE.items()])
def test_shell_examples_run(block: str) -> None:
    """Every block marked `sh` runs as it stands, in a copy of the folder of the examples."""
    run_shell(block)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("page", [at_night(page, page) for page in STORIES])
def test_shell_examples_of_a_story_run(page: str) -> None:
    """Where a page tells a story, its blocks run one after the other."""
    for block in SHELL[page]:
        run_shell(block)
    if page == "docs/campaign.md":
        assert Path("receipts.txt").read_text().count("\n") == len(list(Path("accepted").iterdir())) > 5


@pytest.mark.usefixtures("folder")
def test_shell_examples_that_fail() -> None:
    """A call that fails fails the test of its block, here as in a shell."""
    for wrong in (
        "karat score pairs.xml\n",
        "karat check pairs.xml runs # fine\nkarat scor \\\n    pairs.xml\n",
        "false\n",
    ):
        with pytest.raises(AssertionError):
            run_shell(wrong)


@pytest.mark.usefixtures("folder")
def test_shell_examples_that_leave_something_running() -> None:
    """A block that fails beside a process in the background ends, and so does the process."""
    os.mkfifo("alive")
    reader = os.open("alive", os.O_RDONLY | os.O_NONBLOCK)
    with pytest.raises(AssertionError):
        run_shell("sleep 1000 > alive &\nfalse\n")
    os.set_blocking(reader, True)
    assert os.read(reader, 1) == b""  # the last writer is gone
    os.close(reader)


def test_pages_by_command_have_shell_examples() -> None:
    """What is called on the command line is shown there, with files that are at hand."""
    shown = "\n".join(block for found in SHELL.values() for block in found)
    for command in set(COMMANDS) - {"ablate", "demo", "formats", "measures"}:
        assert f"karat {command}" in shown, command


def test_added_measure_declares_what_holds() -> None:
    """The facts of the measure that docs/add-measure.md adds pass the property test of all measures."""
    code = "\n".join(blocks(ROOT / "docs" / "add-measure.md", "python"))
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
    assert str(SAMPLE) in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.usefixtures("folder")
def test_limit_that_is_shown() -> None:
    """The page of limits begins with a call that is refused, and with what it prints."""
    page = (ROOT / "docs" / "limits.md").read_text(encoding="utf-8")
    call, message = re.findall(r"^```(?:output)?\n(.*)\n```$", page, re.M)[:2]
    done = karat(*shlex.split(call)[1:])
    assert (done.returncode, done.stderr.strip()) == (2, message)


def test_grades_are_explained_as_given() -> None:
    """The page of the report has the thresholds that grades are given by."""
    page = (ROOT / "docs" / "report.md").read_text(encoding="utf-8")
    assert f"up to {100 * grades.HIGH:g} points, up to {100 * grades.MEDIUM:g} points, more" in page
    assert page.count(f"tau-b of {grades.SAME_RANKING}".replace("0.", ".")) == 1
    assert f"a tau below {grades.SAME_RANKING}".replace("0.", ".") in page
    assert f"at least {grades.RELIABLE}; at least {grades.TENTATIVE};".replace("0.", ".") in page


def test_differences_from_papers_have_notes() -> None:
    """A figure that is not what was printed says why."""
    for _, figure in figures():
        assert "printed" not in figure or as_printed(figure) or figure.get("note"), figure["what"]
    assert as_printed({"printed": "12%", "exact": 0.1249})
    assert not as_printed({"printed": ".12", "exact": 0.1251})


PRINTED = [
    "Title",
    "",
    " run  accuracy",
    " one  1.0",
    "",
    "  a note",
    "",
    "• First,",
    "and more.",
    "• Second.",
    "karat 1",
]


def test_excerpts() -> None:
    """The first paragraphs and findings are shown, whole, with dots for the rest."""
    assert excerpt(PRINTED, 2, 1) == ["Title", "", " run  accuracy", " one  1.0", "…", "• First,", "and more.", "…"]
    assert excerpt(PRINTED, 0, 2) == ["• First,", "and more.", "• Second.", "…"]
    with pytest.raises(LookupError, match="4 paragraphs and 2 findings"):
        excerpt(PRINTED, 2, 3)


def test_outputs_are_filled_in() -> None:
    """A block below a comment that asks for output gets it, whatever stood there; others are left alone."""
    asked = "```sh\nkarat agree ballots.tsv  # why\nkarat formats\n```\n\n<!-- prints: 1 paragraph, 1 finding -->\n\n"
    made = with_outputs(f"{asked}```output\nold\n\nolder\n```\n\n```output\nkept\n```\n")
    assert made.startswith(f"{asked}```output\n2 assessors, 160 units, 320 ballots\n…\n• ")
    assert made.endswith("\n…\n```\n\n```output\nkept\n```\n")
    assert with_outputs(made) == made
