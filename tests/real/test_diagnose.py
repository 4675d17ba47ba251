"""Diagnosis without originals on public sets: one phenomenon a pair, several tags a pair, sections."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from karat.formats.pairs import read_pairs
from karat.formats.runs import read_runs
from karat.studies.diagnose.study import diagnose
from tests.studies.test_undefined import check


def test_breaking_nli(real: Path) -> None:
    """Ten seeds of one model: all fail the same phenomena, and seeds differ on some of them."""
    folder = real / "breaking-nli"
    key = read_pairs(folder / "dataset.jsonl")
    result = diagnose(read_runs(folder / "runs", key), by="category")
    assert len(result.phenomena) == 14 * 10
    assert result.overall[0].n == 8193
    for row in result.overall:
        worst = sorted(result.phenomena_of(row.run), key=lambda one: one.accuracy)[:2]
        assert {one.name for one in worst} == {"vegetables", "antonyms_wordnet"}
    counts = {
        name: sum(one.different for one in result.contests if one.name == name) for name in ("materials", "colors")
    }
    assert counts["materials"] > counts["colors"]
    assert any("fix antonyms_wordnet first" in one for one in result.findings())
    assert {result.gains_of(row.run)[0].name for row in result.overall} == {"antonyms_wordnet"}
    assert {one.groups for one in result.consistency} == {1724}
    # Errors come together: more groups are right throughout than as many right answers at random would make.
    assert all(one.share > one.expected for one in result.consistency)


def test_anli_tags(real: Path, tmp_path: Path) -> None:
    """Several tags a pair, and predictions in columns of the same file."""
    path = real / "anli" / "ANLI_analysis_r1_dev.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    models = [name.removesuffix("PredLabel") for name in rows[0] if name.endswith("PredLabel")]
    for model in models:
        lines = "".join(f"{row['uid']}\t{row[model + 'PredLabel']}\n" for row in rows)
        (tmp_path / f"{model}.tsv").write_text("id\tlabel\n" + lines, encoding="utf-8")
    key = read_pairs(path)
    result = diagnose(read_runs(tmp_path, key), by="tags")
    first = {row.name: row for row in result.phenomena_of(models[0])}
    by_hand = [row for row in rows if "'Numerical'" in row["tags"]]
    right = sum(row["gold_label"] == row[f"{models[0]}PredLabel"] for row in by_hand)
    assert (first["Numerical"].n, first["Numerical"].right) == (len(by_hand), right)
    assert sum(row.n for row in first.values()) > len(rows)
    assert len(result.overall) == 8
    best = max(result.overall, key=lambda row: row.accuracy)
    assert [one.name for one in result.gains_of(best.run)] == ["CONTRADICTION pairs", "Tricky"]
    wrong = [row for row in result.overall if row.right == 0]
    assert [row.run for row in wrong] == ["preds-bert-r1"]
    assert any("preds-bert-r1 is no better than the best baseline" in one for one in result.findings())
    check(diagnose(read_runs(tmp_path / f"{models[0]}.tsv", key), by="tags"))


def test_fracas(real: Path, tmp_path: Path) -> None:
    """Sections, with a run that always says yes; twelve problems have no answer, and are in no slice."""
    key = read_pairs(real / "fracas" / "fracas.xml")
    lines = "".join(f"{name} ENTAILMENT\n" for name in key.ids)
    (tmp_path / "yes.txt").write_text(lines, encoding="utf-8")
    result = diagnose(read_runs(tmp_path / "yes.txt", key), by="section")
    assert result.overall[0].n == 346 - 12
    assert sum(row.n for row in result.phenomena) == result.overall[0].n
    assert result.overall[0].right == key.label_counts()["ENTAILMENT"]
    assert result.overall[0].negative.accuracy == 0
    assert [one.name for one in result.gains_of("yes")] == ["negative pairs"]
    assert all(row.positive.accuracy == pytest.approx(1) for row in result.phenomena if row.positive.n)
    check(result)
