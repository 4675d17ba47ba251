"""`python -m benchmarks [NAME…]`: every benchmark, or those named, as one table; of all, also into RESULTS.md."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from time import perf_counter

from benchmarks import (
    alpha,
    average_precision,
    bootstrap,
    campaign,
    codes,
    compare,
    distances,
    files,
    large,
    meta,
    nuggets,
    parts,
    preferences,
    report,
    scale_run,
    start,
    swap,
)
from benchmarks.timing import Differs, Row, table

RESULTS = Path(__file__).with_name("RESULTS.md")

BENCHMARKS: dict[str, Callable[[Path], list[Row]]] = {
    "codes": codes.run,
    "average_precision": average_precision.run,
    "files": files.run,
    "large": large.run,
    "bootstrap": bootstrap.run,
    "alpha": alpha.run,
    "compare": compare.run,
    "swap": swap.run,
    "nuggets": nuggets.run,
    "preferences": preferences.run,
    "meta": meta.run,
    "distances": distances.run,
    "parts": parts.run,
    "report": report.run,
    "scale_run": scale_run.run,
    "start": start.run,
    "campaign": campaign.run,
}


PEERS = ("numpy", "scipy", "scikit-learn", "polars", "krippendorff")
HEADING = """# Results

Written by `make bench`. Each line compares karat with its peer, or with a bound, in one run on one machine; the last
column is the command that makes it again. [What is measured](README.md).

"""


def main(names: list[str]) -> int:
    """0, whatever the times are; 1 where karat and its peer differ; 2 where there is no such benchmark."""
    if unknown := [name for name in names if name not in BENCHMARKS]:
        print(f"no benchmark {', '.join(unknown)}: there are {', '.join(BENCHMARKS)}", file=sys.stderr)
        return 2
    rows: list[Row] = []
    commands: list[str] = []
    differing = 0
    for name in names or BENCHMARKS:
        print(f"{name} …", end=" ", file=sys.stderr, flush=True)
        begun = perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            try:
                rows += BENCHMARKS[name](Path(folder))
                commands += [f"`python -m benchmarks {name}`"] * (len(rows) - len(commands))
            except Differs as error:
                differing += 1
                print(f"DIFFERS: {error}", file=sys.stderr)
            else:
                print(f"done in {perf_counter() - begun:.0f} s", file=sys.stderr)
    found = f"{table(rows, commands)}\n\n{machine()}"
    print(found)
    if not names and not differing:
        RESULTS.write_text(f"{HEADING}{found}\n", encoding="utf-8")
    return 1 if differing else 0


def machine() -> str:
    """The machine and the versions that the times are of."""
    peers = ", ".join(f"{name} {version(name)}" for name in PEERS)
    known = Path("/proc/cpuinfo")
    lines = known.read_text(encoding="utf-8").splitlines() if known.exists() else []
    model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 1e9 if hasattr(os, "sysconf") else 0
    parts = [f"{os.cpu_count()} cores", model or platform.machine(), f"{memory:.0f} GB" * (memory > 0)]
    return f"{', '.join(filter(None, parts))}; Python {platform.python_version()}, karat {version('karat')}, {peers}."


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
