"""The report: how long the page takes to make, how large it is, and how long a browser takes to open it."""

from __future__ import annotations

import shutil
import sys
import time
from pathlib import Path

import numpy as np

from benchmarks.large import resident
from benchmarks.synthetic import SEED, key_codes, pairs_of, run_codes, write_runs
from benchmarks.timing import Row, best, python
from karat import examples
from karat.data.ballots import Ballots
from karat.data.pairs import Pairs
from karat.formats.answer_table import read_answers
from karat.formats.ballots import read_ballots
from karat.formats.decomposed import read_decomposition
from karat.formats.nugget_table import read_matches, read_nuggets
from karat.formats.question_table import read_questions
from karat.formats.runs import read_runs
from karat.formats.verdict_table import read_verdicts
from karat.labels import THREE
from karat.studies.report.study import report

SECONDS, MEGABYTES, OPENED, MEMORY = 60, 5.0, 1.0, 1000
MANY = (1000, 10_000)


def ballots(key: Pairs, folder: Path) -> Ballots:
    """Two people and a program, each of whom errs now and then."""
    random = np.random.default_rng(SEED + 3)
    lines = ["unit\tassessor\tlabel"]
    for name, right in (("one", 0.95), ("two", 0.9), ("auto", 0.85)):
        said = np.where(random.random(len(key)) < right, key.labels, random.integers(0, 3, len(key)))
        lines += [f"{unit}\t{name}\t{THREE.labels[code]}" for unit, code in zip(key.ids, said, strict=True)]
    path = folder / "ballots.tsv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return read_ballots(path, key)


def everything(runs: int, pairs: int, folder: Path) -> str:
    """The page of made-up runs, with ballots, and beside them all that the examples have."""
    key = pairs_of(key_codes(pairs))
    responses = read_runs(write_runs(folder / f"{runs}x{pairs}", key.ids, run_codes(key.labels, runs)), key)
    decomposed = read_decomposition(examples.DECOMPOSED)
    asked = read_questions(examples.QUESTIONS / "questions.xml")
    made = report(
        responses,
        ballots=ballots(key, folder),
        automatic=["auto"],
        decomposed=decomposed,
        decomposed_runs=read_runs(examples.DECOMPOSED_RUNS, decomposed.pairs),
        questions=asked,
        answers=read_answers(examples.QUESTIONS / "runs", asked),
        verdicts=read_verdicts(examples.QUESTIONS / "judgments.tsv", asked),
        generated=read_matches(examples.RAG / "assignments", read_nuggets(examples.RAG / "nuggets.jsonl")),
    )
    return made.render("html")


def opening(page: Path) -> float | None:
    """Seconds until a browser has the page whole; None where there is no browser."""
    chromium = shutil.which("chromium")
    if chromium is None:
        return None
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=chromium, args=arguments)
        opened = browser.new_page()

        def load() -> None:
            opened.goto(page.as_uri())

        seconds = best(load, 3)
        browser.close()
    return seconds


def many(runs: Path) -> None:
    """A report of very many runs; prints the seconds it took and the megabytes of memory at most."""
    begun = time.perf_counter()
    key = pairs_of(key_codes(MANY[1]))
    report(read_runs(runs, key)).render("html")
    print(time.perf_counter() - begun, resident("VmHWM") / 1e6)


def run(folder: Path) -> list[Row]:
    rows = []
    key = pairs_of(key_codes(MANY[1]))
    write_runs(folder / "many", key.ids, run_codes(key.labels, MANY[0]))
    seconds, memory = map(float, python("-m", "benchmarks.report", str(folder / "many")).split())
    what = f"report: {MANY[0]:,} runs × {MANY[1]:,} pairs"
    rows.append(Row(f"{what}, files read", f"{seconds:.1f} s", "", "", f"< {SECONDS} s", seconds < SECONDS))
    rows.append(Row(f"{what}, peak memory", f"{memory:.0f} MB", "", "", f"< {MEMORY} MB", memory < MEMORY))
    for runs, pairs in ((26, 800), (10, 9815)):
        text = everything(runs, pairs, folder)
        page = folder / f"{runs}.html"
        page.write_text(text, encoding="utf-8")
        seconds = best(lambda runs=runs, pairs=pairs: everything(runs, pairs, folder), 1, warm=False)  # type: ignore[misc]
        what, megabytes, opened = f"report: {runs} runs × {pairs:,} pairs", len(text.encode()) / 1e6, opening(page)
        rows.append(Row(f"{what}, everything", f"{seconds:.1f} s", "", "", f"< {SECONDS} s", seconds < SECONDS))
        wanted = f"< {MEGABYTES:g} MB"
        rows.append(Row(f"{what}, the page", f"{megabytes:.2f} MB", "", "", wanted, megabytes < MEGABYTES))
        if opened is not None:
            wanted = f"< {OPENED:g} s"
            rows.append(Row(f"{what}, opened by Chromium", f"{opened:.2f} s", "", "", wanted, opened < OPENED))
    return rows


if __name__ == "__main__":
    many(Path(sys.argv[1]))
