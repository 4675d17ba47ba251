"""The shipped preferences are what they say, and come from their script."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path

import karat
from karat.examples import PREFERENCES, QUESTIONS

ROOT = Path(__file__).parent.parent


def test_who_compared_what() -> None:
    """Every two runs on every OTHER question, by two of three assessors."""
    made = karat.read_preferences(PREFERENCES)
    assert set(made.runs) == {file.stem for file in (QUESTIONS / "runs").iterdir()}
    asked = {one.id for one in karat.read_questions(QUESTIONS / "questions.xml").questions if one.type == "OTHER"}
    assert made.unit is not None
    rows = zip(made.unit, made.left, made.right, strict=True)
    counts = Counter((made.units[unit], frozenset((made.runs[a], made.runs[b]))) for unit, a, b in rows)
    assert counts == {(unit, frozenset(pair)): 2 for unit in asked for pair in combinations(made.runs, 2)}
    assert set(made.assessors) == {"anna", "ben", "cleo"}
    assert made.warnings == ()


def test_it_comes_from_the_script() -> None:
    """The file is what the script writes."""
    subprocess.run([sys.executable, "tools/make_example_preferences.py", "--check"], cwd=ROOT, check=True)
