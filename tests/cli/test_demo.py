"""The demo as a user meets it: what it says, what it leaves behind, and how to go on from there."""

from __future__ import annotations

import html
import io
import re
import shlex
from pathlib import Path
from urllib.parse import urlparse
from urllib.request import url2pathname

import pytest
from rich.cells import cell_len

import karat
from karat import examples
from karat.cli import COMMANDS
from karat.cli.demo import ENGINES, MARGIN, Account, prepared
from karat.errors import UsageError
from karat.kernels.compiled import COMPILED_MEANWHILE
from karat.render.characters import Terminal
from karat.studies.report.study import SECTIONS
from tests.cli.calls import Done
from tests.cli.calls import karat as command

SHIPPED = {run.name for run in examples.RUNS.iterdir()}
STUDIES = [name for name in SECTIONS if name in COMMANDS]
"""Sections that have a command of their name."""
MADE = {f"engine-{name}.jsonl" for name in ENGINES}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the demo leaves what it makes."""
    return tmp_path_factory.mktemp("demo") / "made here"


@pytest.fixture(scope="module")
def done(folder: Path) -> Done:
    """The demo, run once for all of these tests."""
    finished = command("demo", "--folder", str(folder))
    assert finished.returncode == 0, finished.stderr
    return finished


@pytest.fixture(scope="module")
def said(done: Done) -> dict[str, list[str]]:
    """The sentences, by the command they stand beside."""
    found: dict[str, list[str]] = {}
    for line in done.stdout.splitlines():
        if name := line[:MARGIN].strip():
            found[name] = []
        elif line.strip():
            found[list(found)[-1]].append(line.strip())
    return found


def test_leaves(folder: Path, done: Done) -> None:
    """It leaves one report, the test set and the runs, and nothing else."""
    assert done.stdout
    assert {path.name for path in folder.iterdir()} == {"report.html", "pairs.xml", "runs"}
    assert {path.name for path in (folder / "runs").iterdir()} == SHIPPED | MADE
    assert (folder / "pairs.xml").read_bytes() == examples.PAIRS.read_bytes()
    for name in SHIPPED:
        assert (folder / "runs" / name).read_bytes() == (examples.RUNS / name).read_bytes()


@pytest.mark.usefixtures("done")
def test_runs(folder: Path) -> None:
    """Every engine's run answers every pair, says how sure it is, and why."""
    key = karat.read_pairs(folder / "pairs.xml")
    runs = karat.read_runs([folder / "runs" / name for name in sorted(MADE)], key)
    assert set(runs.names) == {name.removesuffix(".jsonl") for name in MADE}
    for run in runs.runs:
        assert (run.codes >= 0).all()
        assert run.confidence is not None
        assert run.justifications is not None
        assert all(run.justifications)


def test_told(said: dict[str, list[str]]) -> None:
    """Every step is told by a sentence or two."""
    for name in ("run", "check", *STUDIES):
        assert 1 <= len(said[f"karat {name}"]) <= 2, name
    assert said["karat check"] == [f"{len(SHIPPED | MADE)} of {len(SHIPPED | MADE)} runs can be scored on 160 pairs."]


def test_report_has_all_of_it(folder: Path, said: dict[str, list[str]]) -> None:
    """What is told of a study stands in the report, word for word."""
    page = (folder / "report.html").read_text(encoding="utf-8")
    words = html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", page)))
    for name in [*STUDIES, "report"]:
        for sentence in said[f"karat {name}"]:
            # Code is set as such there, and a command whose section is on the page is a link to it.
            said_there = sentence.replace("`karat compare`", "“Which differences").replace("`", "").removesuffix(".")
            assert said_there in words, sentence


def test_where(folder: Path, said: dict[str, list[str]], done: Done) -> None:
    """It ends by saying where the report is, how to open it, and how to ask one study alone."""
    assert list(said)[-3:] == ["The report:", "In a browser:", "One study:"]
    closing = [line[MARGIN:] for line in done.stdout.splitlines()[-3:]]
    assert closing[0].startswith(f"{folder / 'report.html'},")
    assert Path(url2pathname(urlparse(closing[1]).path)) == (folder / "report.html").resolve()
    alone = shlex.split(closing[2].rpartition(", and so on")[0])
    assert alone[:2] == ["karat", "compare"]
    again = command(*alone[1:], "--quiet")
    assert again.returncode == 0, again.stderr
    assert said["karat compare"][0] in again.stdout


def test_two_screens(done: Done) -> None:
    """On a terminal of 80 columns it takes no more than two screens."""
    console = Terminal(file=io.StringIO(), width=80)
    account = Account(console)
    for line in done.stdout.splitlines():
        account.step(line[:MARGIN], "", []) if line[:MARGIN].strip() else account.step("", "", [line.strip()])
    rows = [line for line in console.file.getvalue().splitlines() if line.strip()]  # type: ignore[attr-defined]
    assert len(rows) <= 84


def test_plain(done: Done) -> None:
    """Where nobody sees a terminal there are plain lines, and no bars."""
    assert "\x1b" not in done.stdout + done.stderr
    assert done.stderr in ("", f"{COMPILED_MEANWHILE}\n")


def test_set_as_paragraphs() -> None:
    """On a terminal sentences are broken between words, within its width, beside the commands."""
    console = Terminal(file=io.StringIO(), width=60)
    words = [f"self-contradictory{number}" for number in range(12)]
    Account(console).step("karat score", "How good?", [" ".join(words)])
    first, *rest = console.file.getvalue().splitlines()  # type: ignore[attr-defined]
    assert first == "karat score       How good?"
    assert all(line.startswith(" " * MARGIN) and cell_len(line) <= 60 for line in rest)
    assert " ".join(rest).split() == words


def test_own_runs(tmp_path: Path) -> None:
    """Runs of one's own in the folder are neither touched nor counted."""
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "mine.txt").write_text("mine")
    _, runs = prepared(str(tmp_path))
    assert {run.name for run in runs} == SHIPPED
    assert (tmp_path / "runs" / "mine.txt").read_text() == "mine"


def test_no_folder(tmp_path: Path) -> None:
    """A folder that cannot be written to is told in a sentence, before any work is done."""
    (tmp_path / "taken").write_text("")
    with pytest.raises(UsageError, match="name another with folder"):
        prepared(str(tmp_path / "taken"))
