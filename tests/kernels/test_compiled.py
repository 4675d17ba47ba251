"""The compiled loops and the same loops in plain Python."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from karat import examples
from karat.kernels import compiled


def test_compiled_code_is_kept_by_all_kernels(tmp_path: Path) -> None:
    """A change in one kernel gives another folder for the compiled code of all, and removes the old one."""
    there = tmp_path / "kernels"
    there.mkdir()
    (there / "compiled.py").write_bytes(Path(compiled.__file__).read_bytes())
    (there / "other.py").write_text("x = 1\n")
    code = "import sys; sys.path.insert(0, sys.argv[1]); import compiled; print(compiled.kept_in())"

    def folder() -> Path:
        command = [sys.executable, "-c", code, str(there)]
        return Path(subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip())

    first = folder()
    assert folder() == first
    (there / "other.py").write_text("x = 2\n")
    second = folder()
    assert second != first
    assert second.is_dir()
    assert not first.exists()


TWICE = """
from karat.kernels.compiled import compiled

@compiled
def twice(number):
    return number + number

print(twice(21), sum(twice.stats.cache_hits.values()))
"""
DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: data[:0],
    "cut": lambda data: data[: len(data) // 2],
    "flipped": lambda data: data[:-9] + bytes([data[-9] ^ 1]) + data[-8:],
}


@pytest.mark.skipif(not compiled.COMPILES, reason="nothing is compiled without numba")
def test_damaged_compiled_code_is_compiled_anew(tmp_path: Path) -> None:
    """Kept code is used as it is; index or code that is empty, cut or changed by a bit is no reason to stop."""
    program, folder = tmp_path / "twice.py", tmp_path / "kept"
    program.write_text(TWICE)
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder), "PYTHONPATH": os.pathsep.join(sys.path)}

    def said() -> str:
        command = [sys.executable, str(program)]
        done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
        return done.stdout + done.stderr

    assert said() == "42 0\n"
    assert said() == "42 1\n"
    for ending, what in (("nbi", "empty"), ("nbi", "flipped"), ("nbc", "cut"), ("nbc", "flipped")):
        for file in folder.rglob(f"*.{ending}"):
            file.write_bytes(DAMAGE[what](file.read_bytes()))
        assert said() == "42 0\n", (ending, what)
    assert said() == "42 1\n"


WAITING = """
import sys, time
from pathlib import Path
import numpy as np
from karat.kernels import compiled
from karat.engines.kernels.token_distances import totals

numbers = np.array([0, 2]), np.array([0.5, 0.25])
done = compiled.compiled_mark()
begun = done.with_name(done.name + "-begun")
done.parent.mkdir(parents=True, exist_ok=True)
begun.touch()
before = totals(*numbers).tolist(), len(totals.signatures), compiled.compiled_before()
done.touch()
time.sleep(2 * compiled.LOOK)
after = totals(*numbers).tolist(), len(totals.signatures), compiled.compiled_before()
print(before, after)
"""


@pytest.mark.skipif(not compiled.COMPILES, reason="nothing is compiled without numba")
def test_loops_of_engines_run_plainly_until_they_are_compiled(tmp_path: Path) -> None:
    """While another process compiles they are plain Python; from the moment it is done, compiled code, in one run."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "kept")}
    done = subprocess.run([sys.executable, "-c", WAITING], check=True, capture_output=True, text=True, env=environment)
    assert done.stdout == "([0.75], 0, False) ([0.75], 1, True)\n"


def test_who_died_compiling_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One process compiles at a time; after ten minutes without an end another is started."""
    begun, started = tmp_path / "deep" / "begun", []

    def start(*given: object, **_: object) -> SimpleNamespace:
        started.append(given)
        return SimpleNamespace()

    monkeypatch.setattr(subprocess, "Popen", start)
    assert [compiled._started(begun) for _ in range(3)] == [True, True, True]
    assert len(started) == 1
    os.utime(begun, (0, 0))
    assert compiled._started(begun)
    assert len(started) == 2
    assert not compiled._started(Path("/dev/null/nowhere"))


@pytest.mark.nightly
@pytest.mark.skipif(not compiled.COMPILES, reason="nothing is compiled without numba")
def test_the_first_run_ever(tmp_path: Path) -> None:
    """It compiles in the background, and gives the answers that compiled code gives."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "kept")}

    def answers(name: str) -> bytes:
        file = tmp_path / name
        command = [sys.executable, "-c", "from karat.cli import main; main()", "run", "aligner", str(examples.PAIRS)]
        subprocess.run([*command, "--train", str(examples.PAIRS), "-o", str(file)], check=True, env=environment)
        return file.read_bytes()

    first = answers("first.txt")
    deadline = time.monotonic() + compiled.GIVEN_UP
    while not (marks := [path for path in (tmp_path / "kept").glob("engines-*") if "begun" not in path.name]):
        assert time.monotonic() < deadline
        time.sleep(1)
    assert len(marks) == 1
    assert answers("second.txt") == first
