"""How many files somebody has to open to follow a command through the code."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from karat import examples

CODE_OF_A_FUNCTION = 1
"""The flag of code with local variables of its own; bodies of classes and modules are without it."""
WALK = f"""
import os, sys, karat

home, met = os.path.dirname(karat.__file__), set()


def importing(frame):
    while frame is not None:
        code = frame.f_code
        if code.co_name == "<module>" and code.co_filename.startswith(home):
            return True
        frame = frame.f_back
    return False


def note(frame, event, _):
    code = frame.f_code
    if event == "call" and code.co_flags & {CODE_OF_A_FUNCTION} and code.co_filename.startswith(home):
        if code.co_filename not in met and not importing(frame):
            met.add(code.co_filename)


sys.setprofile(note)
from karat.cli import main

try:
    main(sys.argv[1:])
finally:
    sys.setprofile(None)
    print(*sorted(os.path.relpath(name, home) for name in met), file=sys.stderr, sep="\\n")
"""


def files_of(folder: Path, *arguments: str) -> list[str]:
    """The files of which a function runs, apart from what runs when a module is loaded."""
    done = subprocess.run([sys.executable, "-c", WALK, *arguments], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [line for line in done.stderr.splitlines() if line.endswith(".py")]


@pytest.mark.parametrize(
    ("arguments", "most"),
    [
        ("score pairs.xml runs/cautious.txt", 56),
        ("compare --scores SCORES", 44),
        ("nuggets qa/nuggets.tsv qa/matches.tsv", 41),
        pytest.param("report pairs.xml runs -o REPORT", 114, marks=pytest.mark.nightly),
        pytest.param("run aligner pairs.xml --train pairs.xml", 69, marks=pytest.mark.nightly),
    ],
)
def test_few_files(arguments: str, most: int, tmp_path: Path) -> None:
    """The number is a sign, not the goal: beyond it, ask whether two files are one idea."""
    (tmp_path / "scores.csv").write_text("run,u1,u2,u3,u4\none,0.31,0.5,0.7,0.2\ntwo,0.1,0.45,0.9,0.3\n")
    given = arguments.replace("SCORES", str(tmp_path / "scores.csv")).replace("REPORT", str(tmp_path / "report.html"))
    files = files_of(examples.HERE, *given.split())
    assert "cli/command.py" in files
    assert len(files) <= most, files
