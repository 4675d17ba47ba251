"""The compiled loops and the same loops in plain Python."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

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
