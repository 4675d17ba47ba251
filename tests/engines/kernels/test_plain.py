"""Every compiled function against itself in plain Python, on what engines call it with.

A process without numba runs the chunker and every engine that has kernels, and keeps what each function was given, what
it made of it, and what it returned. This process gives the same to the compiled function.
"""

from __future__ import annotations

import ast
import os
import pickle
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import karat.engines.kernels
from karat.kernels import compiled

FOLDER = Path(karat.engines.kernels.__file__).parent
FUNCTIONS = [
    (file.stem, node.name)
    for file in sorted(FOLDER.glob("*.py"))
    for node in ast.parse(file.read_text()).body
    if isinstance(node, ast.FunctionDef) and any(ast.unparse(one) == "compiled" for one in node.decorator_list)
]
Call = tuple[tuple[Any, ...], tuple[Any, ...], Any]
"""What a function was given, what it left of that, and what it returned."""


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], list[Call]]:
    """The calls of a process in which nothing is compiled."""
    file = tmp_path_factory.mktemp("plain") / "calls"
    command = [sys.executable, "-m", "tests.engines.kernels.recording", str(file)]
    subprocess.run(command, check=True, cwd=Path(__file__).parents[3], env={**os.environ, compiled.PLAIN: "1"})
    found: dict[tuple[str, str], list[Call]] = pickle.loads(file.read_bytes())
    return found


@pytest.mark.skipif(not compiled.COMPILES, reason="nothing is compiled without numba")
@pytest.mark.parametrize(("module", "name"), FUNCTIONS)
def test_compiled_is_plain(module: str, name: str, calls: dict[tuple[str, str], list[Call]]) -> None:
    """What is returned, and what is written into arrays, is the same."""
    function = getattr(import_module(f"karat.engines.kernels.{module}"), name)
    assert calls[module, name], "no engine calls it"
    for given, left, returned in calls[module, name]:
        made = function(*given)
        _same(made, returned)
        _same(given, left)


def _same(one: Any, other: Any) -> None:
    if isinstance(other, tuple):
        assert len(one) == len(other)
        for a, b in zip(one, other, strict=True):
            _same(a, b)
    elif other is None:
        assert one is None
    else:
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-12)
