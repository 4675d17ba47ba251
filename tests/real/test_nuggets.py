"""Nuggets of TREC 2003, 2004 and RAG: counts, and every stored score of TREC RAG 2024."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import karat
from karat.data.nugget_counts import count_nuggets
from karat.data.nuggets import NEITHER, OKAY, VITAL, Matches, Nuggets
from karat.data.scores import RagMetrics
from karat.formats.answer_table import read_answers, write_answers
from karat.formats.nugget_table import read_matches, read_nuggets, write_matches, write_nuggets
from karat.formats.rag_metrics import SCORES, read_rag_metrics
from karat.measures import all_support, nugget_f, vital_support, weighted_support
from tests.formats.test_nugget_writing import same_matches, same_nuggets

MEASURES: dict[str, Callable[..., Any]] = {"vital": vital_support, "weighted": weighted_support, "all": all_support}


def kinds(nuggets: Nuggets) -> tuple[int, ...]:
    """How many are vital, okay and neither."""
    return tuple(int((nuggets.importance == kind).sum()) for kind in (VITAL, OKAY, NEITHER))


@pytest.fixture(scope="module")
def rag24(real: Path) -> Matches:
    """Three systems' answers, assigned."""
    nuggets = read_nuggets(real / "rag24" / "nuggets" / "rag24_nuggets_mistral.jsonl")
    assert (len(nuggets), len(nuggets.units)) == (6145, 301)
    return read_matches(real / "rag24" / "assignments", nuggets)


@pytest.fixture(scope="module")
def stored(real: Path) -> list[RagMetrics]:
    """The scores that were published with them, in the same order."""
    return [read_rag_metrics(file) for file in sorted((real / "rag24" / "metrics").iterdir())]


@pytest.mark.parametrize(
    ("file", "topics", "counts"),
    [
        ("trec-qa/trec13answers_other", 64, (234, 346, 0)),
        ("trec-qa/trec12answers_definition", 50, (207, 210, 0)),
        ("rag26-dev/rag25-dev-nuggets.jsonl", 22, (925, 330, 0)),
        ("rag24/nuggets/rag24_nuggets_mistral.jsonl", 301, (3557, 2548, 40)),
    ],
)
def test_counts(real: Path, file: str, topics: int, counts: tuple[int, ...]) -> None:
    """Topics, vital, okay and junk; of TREC 2004 and RAG 2026 every topic has a vital nugget."""
    nuggets = read_nuggets(real / file)
    assert (len(nuggets.units), kinds(nuggets)) == (topics, counts)
    assert [one.code for one in nuggets.warnings if one.code == "importance"] == ["importance"] * counts[NEITHER]


def test_every_stored_score(rag24: Matches, stored: list[RagMetrics]) -> None:
    """All six scores come out exactly on all 301 topics of all three systems, where what is missing is zero."""
    counts = count_nuggets(rag24, "zero")
    exact = 0
    for run, metrics in enumerate(stored):
        places = [rag24.nuggets.units.index(unit) for unit in metrics.units]
        for name in SCORES:
            strict, kind = name.startswith("strict_"), name.removeprefix("strict_").removesuffix("_score")
            value = MEASURES[kind](counts, strict)[run, places]
            np.testing.assert_array_equal(value, metrics.scores[name])
            assert value.mean() == pytest.approx(metrics.means[name], abs=1e-12)
            exact += len(value)
    assert exact == 6 * 3 * 301


def test_what_missing_changes(rag24: Matches) -> None:
    """Only topics with a label that means nothing score otherwise when it is left out; none of them is unscored."""
    kept, zero = count_nuggets(rag24), count_nuggets(rag24, "zero")
    junk = {(one.run, one.topic) for one in rag24.junk}
    changed: set[tuple[str, str]] = set()
    for measure in MEASURES.values():
        for run, topic in np.argwhere(measure(kept) != measure(zero)).tolist():
            changed.add((rag24.runs[run], rag24.nuggets.units[topic]))
    assert changed
    assert changed <= junk
    assert not np.isnan(nugget_f(kept)).any()


def test_what_is_told(rag24: Matches) -> None:
    """Junk labels one by one, and the seven lists that lack a nugget."""
    codes = [one.code for one in rag24.warnings]
    assert codes.count("nugget-list") == 7
    assert codes.count("importance") + codes.count("assignment") == len(rag24.junk) == 189
    assert all(one.line for one in rag24.warnings)


def test_answers(real: Path, rag24: Matches) -> None:
    """The answers of the runs are as long as those in the assignment files, sentence by sentence or whole."""
    answers = read_answers(real / "rag24" / "answers", rag24.nuggets)
    assert answers.runs == rag24.runs
    assert len(answers) == 3713 + 4029 + 2295
    alike = answers.lengths() == rag24.lengths()
    assert alike.mean() > 0.99


def test_citations_come_back(real: Path, rag24: Matches, tmp_path: Path) -> None:
    """Every sentence of a run cites the same documents once the run is read, written, and read by hand."""
    file = next((real / "rag24" / "answers").glob("*gpt*"))
    write_answers(read_answers(file, rag24.nuggets), tmp_path / "run.jsonl", writer="rag")
    before, after = (
        [
            [(one["text"].strip(), [line["references"][at] for at in one["citations"]]) for one in line["answer"]]
            for line in map(json.loads, path.read_text(encoding="utf-8").splitlines())
        ]
        for path in (file, tmp_path / "run.jsonl")
    )
    assert before == after
    assert sum(len(cited) for topic in after for _, cited in topic) == 4195


@pytest.mark.parametrize(
    "file",
    ["rag26-dev/rag25-dev-nuggets.jsonl", "rag24/nuggets/rag24_nuggets_mistral.jsonl", "trec-qa/trec13answers_other"],
)
def test_lists_through_tables_and_back(real: Path, file: str, tmp_path: Path) -> None:
    """As a table, and from it as the nuggetizer's JSON lines: nothing is lost, and its files come back as they were."""
    nuggets = read_nuggets(real / file)
    write_nuggets(nuggets, tmp_path / "n.tsv")
    write_nuggets(read_nuggets(tmp_path / "n.tsv"), tmp_path / "n.jsonl")
    assert same_nuggets(read_nuggets(tmp_path / "n.jsonl"), nuggets)
    if file.endswith(".jsonl"):
        texts = [(real / file).read_text(encoding="utf-8"), (tmp_path / "n.jsonl").read_text(encoding="utf-8")]
        before, after = ([json.loads(line) for line in text.splitlines()] for text in texts)
        assert [_stripped(one) for one in before] == after


def _stripped(value: Any) -> Any:
    """Objects with texts without blanks around them, which readers take off."""
    if isinstance(value, dict):
        return {key: _stripped(one) for key, one in value.items()}
    return [_stripped(one) for one in value] if isinstance(value, list) else str(value).strip()


def test_assignments_come_back(rag24: Matches, tmp_path: Path) -> None:
    """Three systems' assignments, with their junk and their answers, written and read again."""
    write_matches(rag24, tmp_path / "m.jsonl")
    again = read_matches(tmp_path / "m.jsonl", rag24.nuggets)
    assert same_matches(rag24, again)
    assert again.texts == rag24.texts


def test_scores_by_sub_narrative(real: Path, tmp_path: Path) -> None:
    """RAG 2026: 22 topics with sub-narratives. The runs are made: one has every nugget of the first, one every other.

    There are no public runs on these topics.
    """
    file = real / "rag26-dev" / "rag25-dev-nuggets.jsonl"
    nuggets = read_nuggets(file)
    rows = []
    for line in file.read_text(encoding="utf-8").splitlines():
        topic = json.loads(line)
        first = topic["nuggets"][0]["mapped_sub_narrative"]
        for run in ("narrow", "even"):
            held = [
                one["mapped_sub_narrative"] == first if run == "narrow" else at % 2 == 0
                for at, one in enumerate(topic["nuggets"])
            ]
            labels = ["support" if one else "not_support" for one in held]
            assigned = [one | {"assignment": label} for one, label in zip(topic["nuggets"], labels, strict=True)]
            rows.append(topic | {"run_id": run, "nuggets": assigned})
    (tmp_path / "m.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    result = karat.nuggets(read_matches(tmp_path / "m.jsonl", nuggets), by=("mapped_sub_narrative", "source"))
    parts = [part for part in result.parts if part.by == "mapped_sub_narrative"]
    assert (sum(part.vital for part in parts), sum(part.okay for part in parts)) == (925, 330)
    led = {part.topic: part for part in reversed(parts)}
    assert len(led) == 22
    for part in parts:
        expected = float(part is led[part.topic]) if part.vital else np.nan
        for score in ("vital", "all"):
            assert part.scores[score]["narrow"] == pytest.approx(expected, nan_ok=True)
    by_source = {part.value for part in result.parts if part.by == "source"}
    assert by_source == {"original", "post-edit"}
    scores = result.scores("all", by="mapped_sub_narrative")
    assert (len(scores.units), len(set(scores.clusters or ()))) == (sum(part.vital > 0 for part in parts), 22)
