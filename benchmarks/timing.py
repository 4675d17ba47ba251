"""How time is taken, numbers are compared and a line of the table is made."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.typing import ArrayLike

ROOT = Path(__file__).parent.parent
_COMPILED = tempfile.TemporaryDirectory(prefix="benchmarks-")
"""Byte code of everything the processes below import, kept as an installed package keeps it."""


class Differs(Exception):  # noqa: N818 - it is the finding, not a fault
    """karat and its peer do not give the same numbers, so their times mean nothing."""


@dataclass(frozen=True)
class Row:
    """One line of the table, as it is printed."""

    what: str
    karat: str
    peer: str
    ratio: str
    wanted: str
    met: bool


def best(call: Callable[[], object], repeat: int = 5, warm: bool = True) -> float:
    """Seconds of the quickest of `repeat` calls, after one that is not counted; nothing is collected meanwhile."""
    if warm:
        call()
    seconds = []
    for _ in range(repeat):
        gc.collect()
        gc.disable()
        try:
            start = perf_counter()
            call()
            seconds.append(perf_counter() - start)
        finally:
            gc.enable()
    return min(seconds)


def python(*arguments: str) -> str:
    """Run this Python in a process of its own; what it printed. From the second time on all is compiled."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = _COMPILED.name
    command = [sys.executable, *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT, env=environment)
    return done.stdout


def same(what: str, ours: ArrayLike, theirs: ArrayLike, tolerance: float = 1e-9) -> None:
    """Raise unless both have the same shape and, to rounding, the same numbers."""
    one, other = np.asarray(ours, dtype=np.float64), np.asarray(theirs, dtype=np.float64)
    if one.shape != other.shape:
        raise Differs(f"{what}: karat's shape is {one.shape}, the peer's {other.shape}")
    apart = float(np.abs(one - other).max(initial=0))
    if not apart <= tolerance:
        raise Differs(f"{what}: up to {apart:.3g} between karat and the peer")


def faster(what: str, karat: float, peer: float, wanted: float) -> Row:
    """karat is to be at least `wanted` times as fast."""
    ratio = peer / karat
    shown = f"{float(f'{ratio:.3g}'):,g} ×"
    return Row(what, _time(karat), _time(peer), shown, f"≥ {wanted:g} ×", ratio >= wanted)


def no_slower(what: str, karat: float, peer: float, wanted: float) -> Row:
    """karat is to take at most `wanted` times as long."""
    ratio = karat / peer
    return Row(what, _time(karat), _time(peer), f"{ratio:.2f}", f"≤ {wanted:g}", ratio <= wanted)


def table(rows: Sequence[Row], commands: Sequence[str]) -> str:
    """The rows as a Markdown table, each with the command that makes it."""
    lines = [("what", "karat", "peer", "ratio", "wanted", "met", "command")]
    lines += [
        (row.what, row.karat, row.peer, row.ratio, row.wanted, "yes" if row.met else "NO", command)
        for row, command in zip(rows, commands, strict=True)
    ]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    lines.insert(1, tuple("-" * width for width in widths))  # type: ignore[arg-type]
    return "\n".join(
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |" for line in lines
    )


def _time(seconds: float) -> str:
    if seconds < 0.1:
        return f"{seconds * 1e3:.3g} ms"
    return f"{seconds:,.3g} s" if seconds < 1000 else f"{seconds:,.0f} s"
