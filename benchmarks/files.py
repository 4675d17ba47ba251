"""100 run files of 10,000 lines against an RTE key: in one process, and as a whole command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import plain_script
from benchmarks.synthetic import key_codes, pairs_of, run_codes, write_runs
from benchmarks.timing import Row, best, faster, python, same
from karat.formats.pairs import read_pairs, write_pairs
from karat.formats.runs import read_runs
from karat.labels import THREE
from karat.studies.score.study import score

RUNS, PAIRS = 100, 10_000
COMMAND = "from karat.cli import main; main()"
"""What the console script `karat` does."""


def run(folder: Path) -> list[Row]:
    codes = key_codes(PAIRS)
    made = pairs_of(codes)
    runs, key_path = folder / "runs", folder / "key.xml"
    paths = write_runs(runs, made.ids, run_codes(codes, RUNS))
    write_pairs(made, key_path)
    key, plain_key = read_pairs(key_path), plain_script.read_key(key_path)

    def ours() -> Any:
        return score(read_runs(runs, key))

    def theirs() -> list[dict[str, Any]]:
        return [plain_script.score_run(path, plain_key) for path in paths]

    values = [(row.values["3"], row.table["3"]) for row in ours().runs]
    compare(values, theirs())
    rows = [faster("files: 100 × 10,000 lines, key read, all measures", best(ours), best(theirs, 2), 10)]

    mine, other = folder / "karat.json", folder / "plain.json"

    def our_command() -> str:
        return python("-c", COMMAND, "score", str(key_path), str(runs), "--format", "json", "-o", str(mine))

    def their_command() -> str:
        return python(plain_script.__file__, str(key_path), str(runs), str(other))

    our_command()
    their_command()
    values = [(row["values"]["3"], row["table"]["3"]) for row in json.loads(mine.read_bytes())["runs"]]
    compare(values, list(json.loads(other.read_bytes()).values()))
    seconds = best(our_command, warm=False), best(their_command, 2, warm=False)
    return [*rows, faster("files: the whole command, key and imports included", *seconds, 5)]


def compare(ours: list[tuple[dict[str, float], list[list[float]]]], theirs: list[dict[str, Any]]) -> None:
    """The numbers both give, of every run."""
    # The peer's labels stand in the order of the alphabet, and its information is in nats.
    order = np.argsort(THREE.labels)
    for name, unit in (("accuracy", 1.0), ("kappa", 1.0), ("information", np.log(2))):
        same(name, [values[name] for values, _ in ours], np.array([values[name] for values in theirs]) / unit)
    tables = np.array([table for _, table in ours])[:, order][:, :, order]
    same("table", tables, [values["table"] for values in theirs])
