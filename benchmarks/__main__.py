"""`python -m benchmarks [NAME…]`: every benchmark, or those named, as one table."""

from __future__ import annotations

import platform
import sys
import tempfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

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
    preferences,
    report,
    scale_run,
    start,
    swap,
)
from benchmarks.timing import Differs, Row, table

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
    "report": report.run,
    "scale_run": scale_run.run,
    "start": start.run,
    "campaign": campaign.run,
}


def main(names: list[str]) -> int:
    """0, whatever the times are; 1 where karat and its peer differ; 2 where there is no such benchmark."""
    if unknown := [name for name in names if name not in BENCHMARKS]:
        print(f"no benchmark {', '.join(unknown)}: there are {', '.join(BENCHMARKS)}", file=sys.stderr)
        return 2
    rows: list[Row] = []
    differing = 0
    for name in names or BENCHMARKS:
        print(f"{name} …", end=" ", file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory() as folder:
            try:
                rows += BENCHMARKS[name](Path(folder))
            except Differs as error:
                differing += 1
                print(f"DIFFERS: {error}", file=sys.stderr)
            else:
                print("done", file=sys.stderr)
    print(table(rows))
    peers = ", ".join(f"{name} {version(name)}" for name in ("numpy", "scikit-learn"))
    print(f"\nPython {platform.python_version()}, karat {version('karat')}, {peers}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
