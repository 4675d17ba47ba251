"""The shipped examples are what they say: enough of everything, consistent, and made by the script."""

from __future__ import annotations

import csv
import subprocess
import sys
from collections import Counter
from pathlib import Path

import karat
from karat.examples import BALLOTS, LOGS, PAIRS, RUNS

ROOT = Path(__file__).parent.parent


def test_pairs(key: karat.Pairs) -> None:
    """160 three-way pairs over four settings and two lengths, none twice."""
    assert key.label_counts() == {"ENTAILMENT": 80, "UNKNOWN": 56, "CONTRADICTION": 24}
    assert Counter(key.attributes["task"]) == dict.fromkeys(("IE", "IR", "QA", "SUM"), 40)
    assert Counter(key.attributes["length"]) == {"short": 80, "long": 80}
    assert len(set(zip(key.texts, key.hypotheses, strict=True))) == len(key)


def test_ballots(key: karat.Pairs) -> None:
    """Two assessors judged every pair; where they agree the key is theirs, where not it is one of the two."""
    rows = list(csv.DictReader(BALLOTS.read_text(encoding="utf-8").splitlines(), delimiter="\t"))
    assert {row["assessor"] for row in rows} == {"anna", "ben"}
    said = {(row["assessor"], row["unit"]): row["label"] for row in rows}
    assert len(said) == len(rows) == 2 * len(key)
    assert key.way is not None
    for name, code in zip(key.ids, key.labels, strict=True):
        assert key.way.labels[code] in (said["anna", name], said["ben", name])
    assert sum(said["anna", name] == said["ben", name] for name in key.ids) == 135


def test_runs_have_characters(runs: karat.Responses) -> None:
    """Every command has something to say: two-way, ranked, with confidence, with justifications, hard pairs."""
    infos = {info.name: info for info in runs.infos}
    assert len(infos) == 10
    assert {info.way.name for info in runs.infos} == {"2", "3"}
    assert {info.ranked_by for info in runs.infos} == {None, "entailment", "response"}
    justified = [run for run in runs.runs if run.justifications]
    assert len(justified) == 3
    assert all(text for run in justified for text in run.justifications or ())
    result = karat.items(runs)
    assert len(result.never_right) >= 4
    assert len(result.always_right) >= 5


def test_runs_come_from_the_script() -> None:
    """The files are what the script writes."""
    subprocess.run([sys.executable, "tools/make_example_runs.py", "--check"], cwd=ROOT, check=True)


def test_logs_come_from_the_script() -> None:
    """The files are what the script writes, and by every harness the runs are right where their files are."""
    subprocess.run([sys.executable, "-m", "tools.make_example_logs", "--check"], cwd=ROOT, check=True)
    found = [
        sorted((LOGS / "lm-eval").glob("*/*.jsonl")),
        sorted((LOGS / "inspect").iterdir()),
        [LOGS / "promptfoo.json"],
    ]
    keys = [karat.read_pairs(files[0]) for files in found]
    pairs = karat.read_pairs(PAIRS)
    given = karat.read_runs([RUNS / "careful.jsonl", RUNS / "terse.jsonl"], pairs)
    expected = [(run.codes == pairs.labels)[: len(keys[0])].tolist() for run in given.runs]
    for key, files in zip(keys, found, strict=True):
        runs = karat.read_runs(files, key)
        assert runs.names == ("careful", "terse")
        assert key.texts == keys[0].texts
        assert [(run.codes == key.labels).tolist() for run in runs.runs] == expected
        assert (karat.read_scores(files).values == 1).tolist() == expected
