"""Writes src/karat/examples/logs, two runs on the first pairs as evaluation harnesses would have logged them, and
models.csv, one table with the key and three runs.

`--check` says whether the files are still what this writes.
"""

from __future__ import annotations

import sys

from karat.data.pairs import Pairs
from karat.examples import LOGS, PAIRS, RUNS
from karat.formats.pairs import read_pairs
from karat.formats.runs import read_runs
from karat.formats.writing import write_rows
from tools import harness_logs as logs

SIZE = 48
"""So many pairs are in the logs."""
NAMES = ("careful", "terse")
REFUSAL = "I cannot tell from the text alone."


def files() -> dict[str, bytes]:
    """The files by name, the same every time."""
    key = read_pairs(PAIRS)
    runs = read_runs([RUNS / f"{name}.jsonl" for name in NAMES], key)
    rows = {
        run.info.name: [
            logs.Row(str(unit), key.texts[unit], key.hypotheses[unit], int(key.labels[unit]), int(run.codes[unit]))
            for unit in range(SIZE)
        ]
        for run in runs.runs
    }
    made = {f"lm-eval/{name}/samples_nli_2026-01-05T10-00-00.000000.jsonl": logs.lm_eval(rows[name]) for name in NAMES}
    made |= {f"inspect/{name}.eval": logs.inspect_eval(logs.inspect_samples(rows[name])) for name in NAMES}
    return made | {"promptfoo.json": logs.promptfoo(logs.promptfoo_results(rows)), "../models.csv": _table(key)}


def _table(key: Pairs) -> bytes:
    """The key and three runs, without ids and texts; one run answers in words of its own, and sometimes in none."""
    runs = read_runs([RUNS / "careful.jsonl", RUNS / "cautious.txt", RUNS / "chatty.jsonl"], key)
    labels = ("entailment", "neutral", "contradiction")
    columns = {"gold": [labels[code] for code in key.labels]}
    columns |= {run.info.name: [labels[code] for code in run.codes] for run in runs.runs}
    said = [f"{label.title()}." for label in columns["chatty"]]
    columns["chatty"] = [REFUSAL if unit % 20 == 7 else label for unit, label in enumerate(said)]
    return write_rows(columns, ".csv")


def main() -> None:
    """Write the files, or compare them."""
    for name, data in files().items():
        path = LOGS / name
        if "--check" not in sys.argv[1:]:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        elif not path.is_file() or path.read_bytes() != data:
            sys.exit(f"{path} is not what tools/make_example_logs.py writes")


if __name__ == "__main__":
    main()
