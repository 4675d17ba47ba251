"""How long `karat --help` takes, and that it loads nothing heavy."""

from __future__ import annotations

from pathlib import Path

from benchmarks.timing import Row, best, no_slower, python

HELP = "from karat.cli import main; main(['--help'])"
HEAVY = {"numpy", "polars", "scipy"}
LOADED = """
import sys
from karat.cli import main
try:
    main(['--help'])
except SystemExit:
    pass
print('\\n'.join(sys.modules))
"""


def run(folder: Path) -> list[Row]:
    del folder
    karat = best(lambda: python("-c", HELP), 15)
    peer = best(lambda: python("-c", "import numpy"), 15)
    loaded = sorted(HEAVY & set(python("-c", LOADED).split()))
    names = ", ".join(loaded) or "none"
    return [
        no_slower("start: karat --help against import numpy", karat, peer, 3),
        Row("start: heavy modules that karat --help loads", names, "", "", "none", not loaded),
    ]
