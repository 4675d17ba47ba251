"""No table that karat writes holds a formula: every command, every option that writes one, hostile files."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import click
import pytest

from karat.cli import COMMANDS, load_command
from karat.files import is_formula
from karat.formats.pairs import read_pairs
from karat.formats.runs import read_runs
from karat.formats.scores import read_scores
from tests.cli.calls import karat
from tests.cli.test_warnings import EVERY_CALL
from tests.hostile import hostile_call

FORMULAS = ('=HYPERLINK("x")', "+1+cmd|' C calc'!A", "@SUM(1)", "-2+3")
TABLES = dict.fromkeys(("score", "qa", "nuggets", "support"), "--scores-out") | {"sample": "--sheet", "run": "-o"}
"""Options that write a table beside what is shown."""
NAMELESS = ("check", "items", "run", "ablate", "agree", "swap", "size", "blind", "sheet")
"""Commands whose records name pairs alone, or assessors whose names are names of files."""
OF_NUGGETS = (("meta", 1), ("sensitivity", 4))
"""Calls with assignments of nuggets, whose runs no hostile name is put in."""


def cells(text: str, suffix: str = ".csv") -> list[str]:
    """Every cell as a spreadsheet has it: in tab-separated files too it takes quotes for quotes."""
    rows = csv.reader(io.StringIO(text), delimiter="\t" if suffix == ".tsv" else ",")
    return [cell for row in rows for cell in row]


def formulas(text: str, suffix: str = ".csv") -> list[str]:
    """The cells that a spreadsheet would run."""
    return [cell for cell in cells(text, suffix) if is_formula(cell) and cell[0] != "'"]


@pytest.mark.parametrize(("name", "place"), EVERY_CALL)
def test_results_as_csv(tmp_path: Path, name: str, place: int) -> None:
    """The records of every command; where they have names in them, these are there, behind an apostrophe."""
    words = hostile_call(name, place, tmp_path, FORMULAS)
    done = karat(*words, "--format", "csv")
    assert done.stdout, done.stderr
    assert formulas(done.stdout) == []
    if name not in NAMELESS and (name, place) not in OF_NUGGETS:
        assert any(cell.startswith("'") for cell in cells(done.stdout))


@pytest.mark.parametrize(("name", "place"), [one for one in EVERY_CALL if one[0] in TABLES])
@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_tables_beside(tmp_path: Path, name: str, place: int, suffix: str) -> None:
    """Nor what is written beside it."""
    words = hostile_call(name, place, tmp_path, FORMULAS)
    written = tmp_path / f"written{suffix}"
    done = karat(*words, TABLES[name], written, *(["--justify"] if name == "run" else []))
    assert written.exists(), done.stderr
    text = written.read_text("utf-8")
    assert formulas(text, suffix) == []
    if (name, place) == ("qa", 1):
        words += ["--unit", "factoid"]  # without other questions no series is scored, and there would be no row
        assert karat(*words, TABLES[name], written).returncode == 0
        text = written.read_text("utf-8")
        assert formulas(text, suffix) == []
    if name != "run":
        assert any(cell.startswith("'") for cell in cells(text, suffix))


def test_no_table_is_forgotten() -> None:
    """Every option that names a file to write is known here, or writes no table."""
    known = {
        *TABLES.values(),
        "--output",
        "--model-out",
        "--folder",
        "--key-out",
        "--history",
        "--nuggets-out",
        "--matches-out",
    }
    for name in COMMANDS:
        for one in load_command(name).params:
            writes = isinstance(one, click.Option) and isinstance(one.type, click.Path) and "write" in (one.help or "")
            assert not writes or known.intersection(one.opts), one.opts


IDS = ("=1+1", "@SUM(1)", "-2+3", "'=x", "-1.5", "+3", '"=1"')


def test_a_key_and_its_runs_come_back(tmp_path: Path) -> None:
    """Ids, names of attributes, their values and justifications are read back as they were."""
    rows = [
        {
            "id": name,
            "text": f"{formula} a",
            "hypothesis": formula,
            "label": "ENTAILMENT",
            "=cmd()": formula,
            "+x": "-1",
        }
        for name, formula in zip(IDS, (*FORMULAS, *FORMULAS), strict=False)
    ]
    key, run = tmp_path / "key.jsonl", tmp_path / "@run.jsonl"
    key.write_text("".join(json.dumps(row) + "\n" for row in rows))
    answers = [{"id": row["id"], "label": "ENTAILMENT", "justification": row["hypothesis"]} for row in rows]
    run.write_text("".join(json.dumps(row) + "\n" for row in answers))
    for suffix in (".csv", ".tsv"):
        sheet, scores = tmp_path / f"sheet{suffix}", tmp_path / f"scores{suffix}"
        done = karat("sample", key, run, "--pairs", "7", "--sheet", sheet)
        assert sheet.exists(), done.stderr
        assert formulas(sheet.read_text(), suffix) == []
        assert karat("score", key, run, "--scores-out", scores).returncode == 0
        assert formulas(scores.read_text(), suffix) == []
        assert sorted(read_scores(scores).units) == sorted(IDS)
        assert read_scores(scores).runs == ("@run",)
    pairs = read_pairs(key)
    assert read_runs(run, pairs).runs[0].justifications is not None
