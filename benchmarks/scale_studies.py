"""`python -m benchmarks.scale_studies [NAME…]`: studies of more data than fits into memory, and how their cost grows.

Each size is a file made from a fixed seed, and one command on it in a process of its own: seconds, and the peak
resident memory of the process and of its decoder. `docs/scale.md` has the results.
"""

from __future__ import annotations

import json
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time

import numpy as np
import polars

from benchmarks.timing import ROOT

RUNNER = """
import json, os, resource, sys, time
from karat.cli import main
start = time.perf_counter()
try:
    main()
except SystemExit as error:
    status = error.code or 0
seconds = time.perf_counter() - start
used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
worked = sum(one.ru_utime + one.ru_stime for one in used)
own, others = (one.ru_maxrss / 1000 for one in used)
if os.path.exists("/proc/self/status"):  # what the system says of a process begins with the memory of who started it
    own = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM")) / 1000
print(json.dumps([seconds, worked, own, others, status]), file=sys.stderr)
"""
HEADING = "| what | size of the file or page | time | of the processors | memory | of the decoder |"
UNITS_AT_ONCE = 1 << 15
LABELS = ("ENTAILMENT", "UNKNOWN", "CONTRADICTION")


def command(*words: str) -> tuple[float, float, float, float]:
    """Seconds of a command and of the processors, and the peak memory in MB of its process and of its decoder."""
    done = subprocess.run([sys.executable, "-c", RUNNER, *words], capture_output=True, text=True, cwd=ROOT, check=True)
    *found, status = json.loads(done.stderr.splitlines()[-1])
    if status:
        raise RuntimeError(done.stderr)
    seconds, worked, own, others = found
    return seconds, worked, own, others


def scores(path: Path, runs: int, units: int, seed: int = 0) -> Path:
    """A matrix of right and wrong with one row per unit; runs differ in quality, and units in difficulty."""
    random = np.random.default_rng(seed)
    quality = random.uniform(0.5, 0.9, runs).astype(np.float32)

    def parts() -> Iterator[polars.DataFrame]:
        for start in range(0, units, UNITS_AT_ONCE):
            size = min(UNITS_AT_ONCE, units - start)
            chance = quality + random.normal(0, 0.1, (size, 1)).astype(np.float32)
            right = np.asfortranarray(random.random((size, runs), dtype=np.float32) < chance).astype(np.int8)
            named = polars.DataFrame({"unit": np.arange(start, start + size)})
            yield named.hstack(polars.DataFrame(right, schema=[f"run{run}" for run in range(runs)]))

    polars.concat(parts(), rechunk=False).write_parquet(path, compression="lz4", row_group_size=UNITS_AT_ONCE)
    return path


def labels(path: Path, runs: int, pairs: int, seed: int = 0) -> Path:
    """A key and the labels of runs that differ in quality, with one row per pair."""
    random, words = np.random.default_rng(seed), polars.Enum(LABELS)
    quality = random.uniform(0.4, 0.8, runs).astype(np.float32)

    def parts() -> Iterator[polars.DataFrame]:
        for start in range(0, pairs, UNITS_AT_ONCE):
            size = min(UNITS_AT_ONCE, pairs - start)
            key = random.integers(0, len(LABELS), (size, 1), dtype=np.uint8)
            other = random.integers(0, len(LABELS), (size, runs), dtype=np.uint8)
            said = np.asfortranarray(np.where(random.random((size, runs), dtype=np.float32) < quality, key, other))
            named = [polars.Series("id", np.arange(start, start + size)).cast(polars.String)]
            for name, codes in [("label", key[:, 0]), *((f"run{run}", said[:, run]) for run in range(runs))]:
                named.append(polars.Series(name, codes, dtype=polars.UInt8).cat.to(words))
            yield polars.DataFrame(named)

    polars.concat(parts(), rechunk=False).write_parquet(path, compression="lz4", row_group_size=UNITS_AT_ONCE)
    return path


def ballots(path: Path, units: int, each: int = 5, assessors: int = 50, seed: int = 0) -> Path:
    """Ballots on three labels, so many on each unit, by assessors drawn at random."""
    random = np.random.default_rng(seed)
    first = random.integers(0, assessors, (units, 1), dtype=np.int16)
    who = (first + np.arange(each, dtype=np.int16) * 7) % assessors  # different ones, as 7 and 50 share no factor
    truth = random.integers(0, len(LABELS), (units, 1), dtype=np.int8)
    other = random.integers(0, len(LABELS), (units, each), dtype=np.int8)
    label = np.where(random.random((units, each), dtype=np.float32) < 0.7, truth, other)
    frame = polars.DataFrame(
        {
            "unit": np.repeat(np.arange(units, dtype=np.int32), each),
            "assessor": who.ravel(),
            "label": polars.Series(label.ravel())
            .cast(polars.UInt8)
            .replace_strict(dict(enumerate(LABELS)), return_dtype=polars.Enum(LABELS)),
        }
    )
    frame.write_parquet(path, row_group_size=1 << 20)
    return path


def compare_large(folder: Path, runs: int = 1000, units: int = 1_000_000) -> list[str]:
    """All pairs of runs, exactly, from a file."""
    file = scores(folder / "scores.parquet", runs, units)
    return [_row(f"compare: {runs:,} runs × {units:,} units, all pairs", file, _of("compare", "--scores", file))]


def score_large(folder: Path, runs: int = 1000, pairs: int = 1_000_000) -> list[str]:
    """Every measure of every run with its interval, from a file of labels."""
    file = labels(folder / "labels.parquet", runs, pairs)
    return [_row(f"score: {runs:,} runs × {pairs:,} pairs", file, _of("score", file))]


def agree_large(folder: Path, units: int = 20_000_000) -> list[str]:
    """Every coefficient and 50 pairs of assessors, from a file."""
    file = ballots(folder / "ballots.parquet", units)
    return [_row(f"agree: {5 * units:,} ballots of {units:,} units by 50 assessors", file, _of("agree", file))]


def _of(*words: str | Path) -> tuple[float, float, float, float]:
    with tempfile.TemporaryDirectory() as folder:
        return command(*map(str, words), "--quiet", "-o", str(Path(folder) / "out.json"))


def _row(what: str, made: Path, found: tuple[float, float, float, float]) -> str:
    shown = "| {} | {:,.1f} MB | {:,.1f} s | {:,.1f} s | {:,.0f} MB | {:,.0f} MB |"
    return shown.format(what, made.stat().st_size / 1e6, *found)


def report_large(folder: Path, runs: int = 200, pairs: int = 100_000) -> list[str]:
    """The whole report, from a key and a table of runs."""
    random = np.random.default_rng(0)
    key = random.integers(0, 3, pairs)
    quality = random.uniform(0.4, 0.8, runs)
    said = np.where(random.random((runs, pairs)) < quality[:, None], key, random.integers(0, 3, (runs, pairs)))
    names, words = [f"p{pair}" for pair in range(pairs)], np.array(LABELS)
    polars.DataFrame({"id": names, "label": words[key]}).write_csv(folder / "key.csv")
    (folder / "runs").mkdir()
    for run in range(runs):
        polars.DataFrame({"id": names, "label": words[said[run]]}).write_csv(folder / "runs" / f"run{run}.csv")
    with tempfile.TemporaryDirectory() as out:
        page = Path(out) / "page.html"
        found = command("report", str(folder / "key.csv"), str(folder / "runs"), "--quiet", "-o", str(page))
        return [_row(f"report: {runs:,} runs × {pairs:,} pairs", page, found)]


def exponent(sizes: list[int], seconds: list[float]) -> float:
    """The slope of the logarithm of seconds over that of sizes."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def growth(folder: Path) -> list[str]:
    """How the work grows: sums over units and tests by runs, by units, and by resamples."""
    from karat.data.scores import Scores
    from karat.formats.score_parts import read_score_parts
    from karat.studies.compare.in_parts import right_sums
    from karat.studies.compare.study import compare

    def sums(runs: int, units: int) -> float:
        parts = read_score_parts(scores(folder / f"s{runs}-{units}.parquet", runs, units), least=0)
        assert parts is not None
        start = process_time()
        right_sums(parts)
        return process_time() - start

    def resampled(replicates: int) -> float:
        values = (np.random.default_rng(0).random((60, 2000)) < 0.7).astype(float)
        matrix = Scores(tuple(f"r{run}" for run in range(60)), tuple(map(str, range(2000))), values)
        start = process_time()
        compare(matrix, test="bootstrap", replicates=replicates)
        return process_time() - start

    def agreeing(units: int) -> float:
        file = ballots(folder / f"b{units}.parquet", units)
        return command("agree", str(file), "--quiet", "-o", str(folder / "a.json"))[1]

    tried: list[tuple[str, list[int], Callable[[int], float], str]] = [
        ("sums of `compare`, by runs (50,000 units)", [250, 500, 1000], lambda n: sums(n, 50_000), "1 to 2"),
        ("sums of `compare`, by units (100 runs)", [100_000, 200_000, 400_000], lambda n: sums(100, n), "1"),
        ("`compare --test bootstrap`, by resamples (60 × 2,000)", [4000, 8000, 16000], resampled, "1"),
        (
            "`agree`, by units (of 5 ballots; with the start of the program)",
            [2_000_000, 4_000_000, 8_000_000],
            agreeing,
            "up to 1",
        ),
    ]
    rows = []
    for what, sizes, measured, wanted in tried:
        seconds = [measured(size) for size in sizes]
        shown = ", ".join(f"{size:,}: {taken:.2f} s" for size, taken in zip(sizes, seconds, strict=True))
        rows.append(f"| {what} | {shown} | {exponent(sizes, seconds):.2f} | {wanted} |")
    return rows


SIZES: dict[str, tuple[Callable[[Path], list[str]], str]] = {
    "compare": (compare_large, HEADING),
    "score": (score_large, HEADING),
    "agree": (agree_large, HEADING),
    "report": (report_large, HEADING),
    "growth": (growth, "| what | measured | exponent | expected |"),
}


def main(names: list[str]) -> int:
    """Print the tables of the sizes named, or of all."""
    if unknown := [name for name in names if name not in SIZES]:
        print(f"no size {', '.join(unknown)}: there are {', '.join(SIZES)}", file=sys.stderr)
        return 2
    for name in names or SIZES:
        measured, heading = SIZES[name]
        with tempfile.TemporaryDirectory() as folder:
            rows = measured(Path(folder))
        print(heading, "|" + " --- |" * heading.count(" | ") + " --- |", *rows, "", sep="\n", flush=True)
    print(f"Python {platform.python_version()}, polars {polars.__version__}, numpy {np.__version__}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
