"""The compiled loops and the same loops in plain Python."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from karat.kernels import compiled
from tests.engines.kernels.batches import everything

ROOT = Path(__file__).parents[2]
PLAIN = """
import sys, io, numpy
from karat.kernels import compiled
from tests.engines.kernels.batches import everything
assert not compiled.COMPILES
file = io.BytesIO()
numpy.save(file, everything(5))
sys.stdout.buffer.write(file.getvalue())
"""


def test_plain_python_is_equal() -> None:
    """Without numba every distance is the same."""
    environment = {**os.environ, compiled.PLAIN: "1"}
    done = subprocess.run([sys.executable, "-c", PLAIN], check=True, capture_output=True, cwd=ROOT, env=environment)
    np.testing.assert_allclose(np.load(io.BytesIO(done.stdout)), everything(5), rtol=1e-14, atol=1e-14)


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
