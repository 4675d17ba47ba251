"""One run of 1,000,000 lines against a key that is read already: time, and the memory it takes at most."""

from __future__ import annotations

import resource
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks import plain_script
from benchmarks.files import compare
from benchmarks.synthetic import key_codes, pairs_of, run_codes, write_runs
from benchmarks.timing import Row, best, faster, python
from karat.data.pairs import Pairs
from karat.formats.runs import read_runs
from karat.labels import THREE
from karat.studies.score.study import score as scored

PAIRS = 1_000_000
MEGABYTES = 600


def score(path: Path, key: Pairs) -> Any:
    # A copy of the key, so that what it works out once (the place of each id) is worked out every time.
    key = replace(key)
    return scored(read_runs(path, key))


def run(folder: Path) -> list[Row]:
    key = pairs_of(key_codes(PAIRS))
    path = write_runs(folder / "large", key.ids, run_codes(key.labels, 1))[0]
    plain_key = {name: THREE.labels[code] for name, code in zip(key.ids, key.labels.tolist(), strict=True)}
    values = [(row.values["3"], row.table["3"]) for row in score(path, key).runs]
    compare(values, [plain_script.score_run(path, plain_key)])
    seconds = best(lambda: score(path, key), 3), best(lambda: plain_script.score_run(path, plain_key), 2)
    peak = float(python("-m", "benchmarks.large", str(path)))
    return [
        faster("large: one run of 1,000,000 lines, validated and scored", *seconds, 5),
        Row(
            "large: peak memory beyond the key",
            f"{peak:.0f} MB",
            "",
            "",
            f"< {MEGABYTES} MB",
            peak < MEGABYTES,
        ),
    ]


def resident(what: str) -> int:
    """Bytes in memory, now ("VmRSS") or at most ("VmHWM"); where there is no /proc, at most in both cases."""
    # Not ru_maxrss where it can be helped: a process begins with the largest that its parent ever was.
    status = Path("/proc/self/status")
    if status.exists():
        lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
        return int(lines[what].split()[0]) * 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def measure(path: Path) -> float:
    """Megabytes that scoring takes at most beyond what there was with the key in memory; in a fresh process."""
    key = pairs_of(key_codes(PAIRS))
    before = resident("VmRSS")
    score(path, key)
    return (resident("VmHWM") - before) / 1e6


if __name__ == "__main__":
    print(measure(Path(sys.argv[1])))
