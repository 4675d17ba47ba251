"""Check, of decomposed test sets: what they say of their parts is checked too, with or without runs."""

from __future__ import annotations

from pathlib import Path

import karat
from karat.examples import DECOMPOSED, DECOMPOSED_RUNS, PAIRS


def test_the_example_is_sound() -> None:
    """Nothing to complain of, and all runs can be scored."""
    result = karat.check(DECOMPOSED, [DECOMPOSED_RUNS])
    assert ([one for one in result.problems if one.severity == "error"], len(result.valid)) == ([], 4)


def test_a_part_that_is_not_what_it_says(tmp_path: Path) -> None:
    """A left side that is not in T is told with its line; the runs cannot be scored."""
    text = DECOMPOSED.read_text(encoding="utf-8")
    before = text[text.index('lhs="') : text.index('"', text.index('lhs="') + 5) + 1]
    (tmp_path / "broken.xml").write_text(text.replace(before, 'lhs="gobbled up"', 1), encoding="utf-8")
    result = karat.check(tmp_path / "broken.xml", [DECOMPOSED_RUNS])
    errors = [one for one in result.problems if one.severity == "error"]
    assert errors
    assert all(one.line for one in errors)
    assert result.valid == []


def test_without_runs() -> None:
    """A test set alone can be checked."""
    result = karat.check(PAIRS, [])
    assert result.findings() == ["The test set has 160 pairs; no runs were given."]
