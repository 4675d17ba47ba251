"""Engines over many pairs: pairs a second on one worker and two, here, in processes and on ray, and peak memory.

`python -m benchmarks.scale_run --pairs 10000000` makes that many pairs, by repeating the examples (or, with
KARAT_REAL_DATA, RTE-3) with a word changed in each, and answers them with each engine in each place. Times are those of
whole calls, start-up and reading included; every run is compared with that of one process, byte by byte.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import sys
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter

from benchmarks.timing import Differs, Row, python
from karat import examples, learn, read_pairs

ENGINES = ("overlap", "edit-distance")
PLACES = (("here", 1), ("processes", 2), ("ray", 1), ("ray", 2))
PAIRS = 100_000
FEW = 50_000
MEGABYTES = 100
"""How much more memory ten times as many pairs may take in the process that reads and writes."""
MACHINES = 100
CODE = """
import atexit, json, pathlib, resource, sys
def tell():
    own = dict(line.split(":", 1) for line in pathlib.Path("/proc/self/status").read_text().splitlines())
    others = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(json.dumps([int(own["VmHWM"].split()[0]) / 1024, others / 1024]))
atexit.register(tell)
from karat.cli import main
main()
"""


@dataclass(frozen=True)
class Call:
    """One call: pairs a second, and megabytes at most in the process that was called and in any that it started."""

    rate: float
    own: float
    worker: float
    digest: str


def make_pairs(path: Path, many: int) -> None:
    """Pairs that repeat, with a word of each text changed, so that none is met before."""
    real = os.environ.get("KARAT_REAL_DATA")
    key = read_pairs(Path(real) / "rte" / "RTE3_dev.xml" if real else examples.PAIRS)
    dice, words = random.Random(1), sorted({word for text in key.texts for word in text.split()})
    with path.open("w", encoding="utf-8") as file:
        for place in range(many):
            row = place % len(key)
            text = key.texts[row].split()
            text[dice.randrange(len(text))] = dice.choice(words)
            pair = {"id": str(place), "text": " ".join(text), "hypothesis": key.hypotheses[row]}
            file.write(json.dumps(pair) + "\n")


def make_model(engine: str, folder: Path) -> Path:
    """A model of the engine, learnt from the examples."""
    path = folder / f"{engine}.json"
    learn(engine, read_pairs(examples.PAIRS), way="2").save(path)
    return path


def timed(engine: str, model: Path, pairs: Path, many: int, on: str, workers: int) -> Call:
    """One call of the command line."""
    output = pairs.with_name("run.tsv")
    start = perf_counter()
    where = ("--on", on, "--jobs", str(workers), "--quiet")
    said = python("-c", CODE, "run", engine, str(pairs), "--model", str(model), "-o", str(output), *where)
    seconds = perf_counter() - start
    own, worker = json.loads(said.splitlines()[-1])
    with output.open("rb") as file:
        return Call(many / seconds, own, worker, hashlib.file_digest(file, "sha256").hexdigest())


def measure(folder: Path, many: int, engines: tuple[str, ...] = ENGINES) -> dict[tuple[str, str, int], Call]:
    """Every engine in every place."""
    pairs = folder / "pairs.jsonl"
    make_pairs(pairs, many)
    found: dict[tuple[str, str, int], Call] = {}
    for engine in engines:
        model = make_model(engine, folder)
        timed(engine, model, pairs, many, "here", 1) if many <= PAIRS else None  # its words are remembered then
        for on, workers in PLACES:
            if on == "ray" and not find_spec("ray"):
                continue
            call = found[engine, on, workers] = timed(engine, model, pairs, many, on, workers)
            if call.digest != found[engine, "here", 1].digest:
                raise Differs(f"{engine} on {workers} of {on} writes other bytes than one process")
            print(f"{engine} {on} {workers}: {call}", file=sys.stderr, flush=True)
    return found


def run(folder: Path) -> list[Row]:
    """Rates and scaling factors, and how memory grows from 50,000 pairs to ten times as many."""
    rows = []
    found = measure(folder, PAIRS)
    for (engine, on, workers), call in found.items():
        alone = found.get((engine, "ray" if on == "ray" else "here", 1), call)
        factor = f"{call.rate / alone.rate:.2f} ×" if call is not alone else ""
        told = f"scale_run: {engine}, {PAIRS:,} pairs, {on}, {workers} worker{'s' * (workers > 1)}"
        rows.append(Row(told, f"{call.rate:,.0f} pairs/s, {call.own:.0f} MB", "", factor, "the same bytes", True))
    model = make_model("overlap", folder)
    peaks = []
    for many in (FEW, 10 * FEW):
        pairs = folder / f"{many}.jsonl"
        make_pairs(pairs, many)
        peaks.append(timed("overlap", model, pairs, many, "here", 1).own)
    more = peaks[1] - peaks[0]
    told = f"scale_run: overlap, peak memory, {10 * FEW:,} pairs against {FEW:,}"
    rows.append(
        Row(told, f"{peaks[1]:.0f} MB", f"{peaks[0]:.0f} MB", f"+{more:.0f} MB", f"≤ +{MEGABYTES} MB", more < MEGABYTES)
    )
    return rows


def main(arguments: list[str]) -> int:
    """Measure at a size of one's own, and calculate what many machines would do."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale_run", description=__doc__)
    parser.add_argument("--pairs", type=int, default=PAIRS)
    parser.add_argument("--engine", action="append")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        found = measure(Path(folder), given.pairs, tuple(given.engine or ENGINES))
    for (engine, on, workers), call in found.items():
        print(f"| {engine} | {on} | {workers} | {call.rate:,.0f} | {call.own:.0f} | {call.worker:.0f} |")
    for engine in given.engine or ENGINES:
        best = max(call.rate for (name, _, workers), call in found.items() if name == engine and workers == 2)
        print(f"{engine}: {MACHINES} machines, if nothing is shared: {MACHINES * best:,.0f} pairs/s")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
