"""Nuggets: three systems on 301 topics from files, and 1,000 systems on 500 topics from arrays against plain loops."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.plain_nuggets import plain_scores
from benchmarks.synthetic import SEED
from benchmarks.timing import Row, best, faster, same
from karat.arrays import Floats
from karat.data.nugget_counts import NuggetCounts, count_nuggets
from karat.data.nuggets import DEGREES, IMPORTANCES, Matches, Nuggets
from karat.formats.nugget_table import read_matches, read_nuggets
from karat.measures import all_support, nugget_f, vital_support, weighted_support

FILE_RUNS, FILE_TOPICS, SECONDS = 3, 301, 1.0
RUNS, TOPICS, NUGGETS = 1000, 500, 20
TIMED = 20
"""The loops are timed on so many of the runs; their time for all of them is in proportion."""
SCORES = ("vital", "weighted", "all", "f")


def synthetic(runs: int, topics: int) -> tuple[Matches, Floats]:
    """Matches of about so many nuggets a topic, and how long the answers are."""
    random = np.random.default_rng(SEED)
    topic = np.repeat(np.arange(topics, dtype=np.int32), random.integers(NUGGETS - 8, NUGGETS + 9, topics))
    size = len(topic)
    importance = (random.random(size) < 0.45).astype(np.int8)
    names = tuple(map(str, range(size)))
    nuggets = Nuggets(
        units=tuple(f"t{place}" for place in range(topics)),
        topic=topic,
        names=names,
        texts=tuple(f"it is said that {name}" for name in names),
        importance=importance,
        spelled=tuple(IMPORTANCES[code] for code in importance),
        assessor=("",) * size,
    )
    degree = random.choice(3, size=(runs, size), p=[0.55, 0.15, 0.3]).astype(np.int8)
    own = np.repeat(importance[None], runs, axis=0)
    named = tuple(f"run{place}" for place in range(runs))
    lengths = random.integers(200, 2000, (runs, topics)).astype(np.float64)
    return Matches(named, nuggets, degree, own, np.ones((runs, topics), dtype=np.bool_)), lengths


def scores(counts: NuggetCounts) -> list[Floats]:
    """All that is scored: strict, then not."""
    measures = (vital_support, weighted_support, all_support, nugget_f)
    return [measure(counts, strict=strict) for strict in (True, False) for measure in measures]


def loops(matches: Matches, lengths: Floats) -> list[list[list[float]]]:
    """What a plain script does with the same labels."""
    nuggets = matches.nuggets
    importance = [IMPORTANCES[code] for code in nuggets.importance.tolist()]
    ends = nuggets.ends.tolist()
    starts = [0, *ends[:-1]]
    rows = []
    for degrees, run_lengths in zip(matches.degree.tolist(), lengths.tolist(), strict=True):
        labels = [(one, DEGREES[code]) for one, code in zip(importance, degrees, strict=True)]
        row = []
        for start, end, length in zip(starts, ends, run_lengths, strict=True):
            said = plain_scores(labels[start:end], length)
            row.append([said[prefix + name] for prefix in ("strict_", "") for name in SCORES])
        rows.append(row)
    return rows


def write_files(folder: Path, matches: Matches, lengths: Floats) -> None:
    """The same as the nuggetizer writes it: a file of nuggets, and of assignments a run."""
    nuggets, lines = matches.nuggets, []
    assigned: list[list[str]] = [[] for _ in matches.runs]
    starts = [0, *nuggets.ends.tolist()[:-1]]
    for at, (unit, start, end) in enumerate(zip(nuggets.units, starts, nuggets.ends.tolist(), strict=True)):
        own = [{"text": nuggets.texts[place], "importance": nuggets.spelled[place]} for place in range(start, end)]
        lines.append(json.dumps({"query": unit, "qid": unit, "nuggets": own}))
        for run, name in enumerate(matches.runs):
            degrees = [DEGREES[code] for code in matches.degree[run, start:end]]
            told = [one | {"assignment": degree} for one, degree in zip(own, degrees, strict=True)]
            answer = "words " * int(lengths[run, at] // 5)
            record = {"query": unit, "qid": unit, "answer_text": answer, "response_length": 0, "run_id": name}
            assigned[run].append(json.dumps(record | {"nuggets": told}))
    (folder / "nuggets.jsonl").write_text("\n".join([*lines, ""]))
    (folder / "assigned").mkdir()
    for name, records in zip(matches.runs, assigned, strict=True):
        (folder / "assigned" / f"{name}.jsonl").write_text("\n".join([*records, ""]))


def from_files(folder: Path) -> list[Floats]:
    """From paths to all scores."""
    nuggets = read_nuggets(folder / "nuggets.jsonl")
    return scores(count_nuggets(read_matches(folder / "assigned", nuggets)))


def run(folder: Path) -> list[Row]:
    small, lengths = synthetic(FILE_RUNS, FILE_TOPICS)
    write_files(folder, small, lengths)
    expected = scores(replace(count_nuggets(small), length=5 * (lengths // 5)))
    same("scores from files", from_files(folder), expected)
    seconds = best(lambda: from_files(folder), 3)
    what = f"nuggets: {FILE_RUNS} systems × {FILE_TOPICS} topics from files, all scores"
    files = Row(what, f"{seconds * 1e3:.0f} ms", "", "", f"< {SECONDS:g} s", seconds < SECONDS)

    matches, lengths = synthetic(RUNS, TOPICS)

    def ours() -> list[Floats]:
        return scores(replace(count_nuggets(matches), length=lengths))

    some = replace(matches, runs=matches.runs[:TIMED], degree=matches.degree[:TIMED])
    plain = np.moveaxis(np.array(loops(some, lengths[:TIMED])), -1, 0)
    same("scores from arrays", [one[:TIMED] for one in ours()], plain)
    theirs = best(lambda: loops(some, lengths[:TIMED]), 2, warm=False) * RUNS / TIMED
    what = f"nuggets: {RUNS:,} systems × {TOPICS} topics from arrays, all scores (peer: {TIMED}, in proportion)"
    return [files, faster(what, best(ours, 3), theirs, 50)]
