"""Real lists of nuggets through the judging pages' own interface."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.surroundings import surroundings


def test_real_lists_go_in_are_judged_and_come_out(real: Path, tmp_path: Path) -> None:
    """TREC RAG 2024 is scored as its assignment files are; TREC 2004 takes its own lists of OTHER questions."""
    command = [sys.executable, "-m", "tests.real.played_nuggets", str(real), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, env=surroundings(), timeout=600)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["rag"]["topics"] == 4
    assert told["rag"]["same lists"]
    assert told["rag"]["here"] == told["rag"]["there"]
    assert len(told["rag"]["here"]) == 3
    assert told["trec"]["questions"] >= 60
    assert told["trec"]["vital"] == 1.0
    assert told["back"] == {
        "rag24_nuggets_mistral.jsonl": [301, True, True],
        "rag25-dev-nuggets.jsonl": [22, True, True],
    }
    assert told["rag"]["equal"]
    assert told["trec"]["equal"]
