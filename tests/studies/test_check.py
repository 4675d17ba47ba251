"""Check, of pairs: it says what scoring would say, and of a blind test set that nothing can be scored."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import karat
from karat.errors import DataError, UsageError
from karat.examples import HERE, PAIRS

SPELLED = [
    "YES NO",
    "YES NO UNKNOWN",
    "entailment not_entailment",
    "E N C",
    "YES",
    "NO",
    "NO FALSE",
    "E NO",
    "- E",
    "-",
]
WAYS = ("auto", "2", "3", "both")


def write_set(folder: Path, draw: random.Random) -> tuple[Path, list[Path], str]:
    """A key, one or two runs and a way, as they come: spellings of one kind or another, texts or none."""
    size, spelled = draw.choice([1, 2, 6]), draw.choice(SPELLED).split()
    texts = draw.random() < 0.7
    header = ["id", "text", "hypothesis", "label"] if texts else ["id", "label"]
    rows = [[str(unit), *(["a", "b"] if texts else []), draw.choice(spelled)] for unit in range(size)]
    key = folder / "key.csv"
    key.write_text("".join(",".join(row) + "\n" for row in [header, *rows]))
    runs = []
    for name in ("one.txt", "two.csv")[: draw.choice([1, 2])]:
        spelled, gap = draw.choice(SPELLED).split(), "," if name == "two.csv" else " "
        lines = [f"{unit}{gap}{draw.choice(spelled)}\n" for unit in range(size)]
        runs.append(folder / name)
        runs[-1].write_text("".join(["id,label\n"] * (gap == ",") + lines))
    return key, runs, draw.choice(WAYS)


def scoring(key: Path, runs: list[Path], way: Any) -> str:
    """What becomes of a call of `score`."""
    try:
        pairs = karat.read_pairs(key, way=way)
        karat.score(karat.read_runs(runs, pairs, way=way), way=way)
    except DataError as error:
        return ", ".join(sorted({one.code for one in error.problems if one.severity == "error"}))
    except UsageError as error:
        return str(error)
    return "scored"


def checking(key: Path, runs: list[Path], way: Any) -> str:
    """What `check` says of the same call."""
    try:
        result = karat.check(key, runs, way=way)
    except UsageError as error:
        return str(error)
    if result.failed:
        return ", ".join(sorted({one.code for one in result.problems if one.severity == "error"}))
    return (
        f"{key} has no key: runs can be checked against a blind test set, but not scored" if result.blind else "scored"
    )


@pytest.mark.parametrize("seed", range(60))
def test_check_says_what_score_says(seed: int, tmp_path: Path) -> None:
    """What is accepted is scored, and what is refused is refused for the same reasons."""
    call = write_set(tmp_path, random.Random(seed))
    assert checking(*call) == scoring(*call)


def test_these_sets_are_of_every_kind(tmp_path: Path) -> None:
    """Among them are some that are scored, refused by what is in them, refused as asked, and blind."""
    said = {scoring(*write_set(tmp_path, random.Random(seed))) for seed in range(60)}
    for kind in ("scored", "ambiguous-no", "has only two labels", "blind"):
        assert any(kind in one for one in said)


def test_a_blind_set(tmp_path: Path) -> None:
    """Runs are held against its ids, and nobody says that they can be scored; what NO means is asked beforehand."""
    (tmp_path / "blind.csv").write_text("id,text,hypothesis\n1,a,b\n2,a,b\n")
    (tmp_path / "run.txt").write_text("1 YES\n2 NO\n")
    result = karat.check(tmp_path / "blind.csv", tmp_path / "run.txt")
    assert result.blind
    assert not result.failed
    assert [one.code for one in result.problems] == ["ambiguous-no-blind"]
    assert result.findings() == [
        "1 of 1 run answers all 2 pairs; the test set has no key, so runs cannot be scored yet."
    ]


def test_nothing_wrong_has_its_header() -> None:
    """CSV of files without a problem has its header, and no row."""
    told = karat.check(PAIRS, HERE / "runs" / "careful.jsonl").render("csv")
    assert told == "file,line,column,code,found,expected,fix,severity\n"
