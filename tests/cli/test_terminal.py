"""Nothing in a file, and no name of one, is obeyed by a terminal: every command, on hostile files."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from karat import examples
from karat.cli import main, tell
from karat.errors import UsageError
from karat.files import write_out
from karat.render.characters import Terminal
from tests.cli.calls import Done, karat
from tests.cli.test_warnings import EVERY_CALL
from tests.hostile import hostile_call

PAYLOADS = (
    "\x1b[31mred\x1b]0;title\x07",
    "\x9b2J\x7f",
    "\u202eabc\u2066",
    "\u200b\u2028\u2029\u0085",
    "[bold]x[link=y]",
    ":bomb:",
    "\\[red]",
)
"""What a terminal obeys, what turns a line round, what cannot be seen, and what `rich` would read as markup."""


def obeyed(text: str) -> set[str]:
    """The characters that no terminal should get; a line break is meant."""
    return {sign for sign in text if sign != "\n" and unicodedata.category(sign)[0] in "CZ" and sign != " "}


def check(done: Done) -> None:
    """Only what can be seen comes out."""
    assert obeyed(done.stdout) | obeyed(done.stderr) == set()
    assert "💣" not in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("name", "place"), EVERY_CALL)
def test_hostile_files(tmp_path: Path, name: str, place: int) -> None:
    """Names of runs, people and files, settings, texts and justifications, in tables, findings and warnings."""
    words = hostile_call(name, place, tmp_path, PAYLOADS)
    where: list[str | Path] = (
        ["-o", tmp_path / "run.txt"] if name == "run" else []
    )  # a run on standard output is a file, not a text
    done = karat(*words, "--format", "text", *where)
    check(done)
    assert done.stdout, done.stderr


@pytest.mark.parametrize(("name", "place"), EVERY_CALL)
def test_hostile_errors(tmp_path: Path, name: str, place: int) -> None:
    """What is wrong with each of them, where every file is damaged, and the names of their folders are hostile too."""
    folder = tmp_path / "\x1b[5m\u202e\n:bomb:"
    folder.mkdir()
    words = hostile_call(name, place, folder, PAYLOADS)
    for word in words:
        if word.startswith("/"):
            path = Path(word)
            path.write_text(path.read_text("utf-8")[:300].replace("EN", "\x1b[5m") + '"\x1b[5m, {[<"', "utf-8")
    done = karat(*words, "--format", "text")
    check(done)
    assert done.returncode
    assert not any(line.startswith(":bomb:") for line in (done.stdout + done.stderr).splitlines())


NAME = "no\x1b[5m\u202e\nsuch:bomb:[bold]"
CALLS = [
    ["score", NAME, NAME],
    ["score", str(examples.PAIRS), str(examples.RUNS), "-o", f"{NAME}/x.txt"],
    ["score", str(examples.PAIRS), str(examples.RUNS), "--measure", NAME],
    ["score", str(examples.PAIRS), str(examples.RUNS), "--format", NAME],
    ["score", str(examples.PAIRS), str(examples.RUNS), "--table", NAME, "--format", "csv"],
    ["run", NAME, str(examples.PAIRS)],
    ["run", f"outside(command='{NAME}')", str(examples.PAIRS)],
    ["run", "overlap", str(examples.PAIRS), "--model", NAME],
    ["figure", NAME],
    [NAME],
    ["score", f"--{NAME}"],
    ["sample", str(examples.PAIRS), str(examples.RUNS), "--sheet", f"{NAME}/x.csv"],
]


@pytest.mark.parametrize("words", CALLS, ids=range(len(CALLS)))
def test_hostile_words(words: list[str]) -> None:
    """What is typed (or built by a script from names of files) is repeated in letters."""
    done = karat(*words)
    check(done)
    assert done.returncode
    assert "\\x1b[5m" in done.stderr


def test_titles(tmp_path: Path) -> None:
    """A heading that somebody chose."""
    done = karat("report", examples.PAIRS, examples.RUNS / "careful.jsonl", "--title", NAME, "--format", "text")
    check(done)
    assert "no\\x1b[5m\\u202e\\nsuch:bomb:[bold]" in done.stdout
    del tmp_path


class Tty(io.TextIOWrapper):
    """A terminal, as far as anybody asks."""

    def isatty(self) -> bool:
        """It is one."""
        return True


def test_data_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """JSON and CSV reach a file as they are, and a terminal in letters."""
    data = "a\tb\x1b[5m\u202e\n"
    for kind, expected in ((Tty, "a\tb\\x1b[5m\\u202e\n"), (io.TextIOWrapper, data)):
        stream = io.BytesIO()
        monkeypatch.setattr("sys.stdout", kind(stream, encoding="utf-8"))
        write_out(data.encode())
        assert stream.getvalue().decode() == expected


def test_a_terminal_has_colours_of_its_own_only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """On a terminal, too, nothing of a file is obeyed: only colours, which karat put there, come out."""
    stream = io.BytesIO()
    monkeypatch.setenv("TERM", "xterm-256color")
    words = hostile_call("score", 0, tmp_path, PAYLOADS)
    monkeypatch.setattr("sys.stdout", Tty(stream, encoding="utf-8", write_through=True))
    with pytest.raises(SystemExit):
        main(words)
    shown = stream.getvalue().decode()
    assert "\x1b[1m" in shown
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert obeyed(plain) == set()
    assert "[bold]x[link=y]" in plain


def test_cells_rules_and_headings() -> None:
    """Whatever is printed, by whichever way."""
    console = Terminal(file=io.StringIO(), width=80)
    console.rule("[red]:bomb:\x1b[5m")
    console.print("[red]:bomb:\x1b[5m\na\n")
    assert isinstance(console.file, io.StringIO)
    assert console.file.getvalue().count("[red]:bomb:\\x1b[5m") == 2
    assert console.file.getvalue().endswith("\\na\n\n")


def test_errors_of_the_library() -> None:
    """A message is one line, whatever a name in it holds."""
    assert str(UsageError(f"no file {NAME}")) == "no file no\\x1b[5m\\u202e\\nsuch:bomb:[bold]"
    assert json.dumps(str(UsageError("⊢ é"))) == json.dumps("⊢ é")


def test_warnings_break_between_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal no word of a message is cut in two, and no path; in a pipe a message is one line."""
    words = "runs/a-name-with-hyphens.txt: some words that are repeated; " * 4
    monkeypatch.setenv("COLUMNS", "50")
    for kind in (Tty, io.TextIOWrapper):
        stream = io.BytesIO()
        monkeypatch.setattr("sys.stderr", kind(stream, encoding="utf-8", write_through=True))
        tell(words.strip())
        lines = stream.getvalue().decode().splitlines()
        assert " ".join(map(str.strip, lines)) == words.strip()
        assert (len(lines) > 1) == (kind is Tty)
        assert kind is not Tty or max(map(len, lines)) <= 50


def test_digits_have_no_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of 256 colours shows bold and dim text, and no colour; what identifies a row is in every part."""
    stream = io.BytesIO()
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("sys.stdout", Tty(stream, encoding="utf-8", write_through=True))
    with pytest.raises(SystemExit):
        main(["compare", str(examples.PAIRS), str(examples.RUNS), "--quiet"])
    shown = stream.getvalue().decode()
    assert set(re.findall(r"\x1b\[([0-9;]*)m", shown)) == {"0", "1", "2"}
    lines = re.sub(r"\x1b\[[0-9;]*m", "", shown).splitlines()
    assert max(map(len, lines)) <= 80
    assert len([line for line in lines if line.startswith("run a ")]) == 2
    assert all("run b" in line for line in lines if line.startswith("run a "))
    assert sum(bool(re.match(r"careful +ranked ", line)) for line in lines) == 2
    assert re.fullmatch(r"signature: compare [0-9a-f]{8} \(--verbose shows it in full\)", lines[-1])


def test_a_page_is_not_poured_into_a_terminal() -> None:
    """Without a file, a report on a terminal is an error that names the remedies, before any work."""
    shown, terminal = pty.openpty()
    call = [sys.executable, "-c", "from karat.cli import main; main()", "report", str(examples.PAIRS), "runs"]
    try:
        done = subprocess.run(call, stdout=terminal, stderr=subprocess.PIPE, text=True, cwd=examples.HERE, timeout=60)
    finally:
        os.close(terminal)
        os.close(shown)
    assert done.returncode == 2
    assert "-o page.html" in done.stderr
