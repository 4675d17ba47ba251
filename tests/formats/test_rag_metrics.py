"""Tests of scores that others stored."""

from __future__ import annotations

from pathlib import Path

import pytest

from karat.errors import DataError
from karat.formats.rag_metrics import SCORES, read_rag_metrics
from tests.formats.samples import lines

ROW: dict[str, object] = dict.fromkeys(SCORES, 0.5)


def test_topics_and_means(tmp_path: Path) -> None:
    """Means stand apart from the topics; a file may have none."""
    path = tmp_path / "metrics.jsonl"
    path.write_text(lines({"qid": 1} | ROW, {"qid": "b"} | ROW | {"vital_score": 1}, {"qid": "all"} | ROW))
    metrics = read_rag_metrics(path)
    assert metrics.units == ("1", "b")
    assert metrics.scores["vital_score"].tolist() == [0.5, 1]
    assert metrics.means["all_score"] == 0.5
    path.write_text(lines({"qid": 1} | ROW))
    assert read_rag_metrics(path).means == {}


def test_problems(tmp_path: Path) -> None:
    """Scores that are none, topics twice, columns that are not there, files that are not there."""
    path = tmp_path / "metrics.jsonl"
    for bad in ("x", None, True, 2, -0.1, [1]):
        path.write_text(lines({"qid": 1} | ROW, {"qid": 1} | ROW | {"vital_score": bad}))
        with pytest.raises(DataError) as caught:
            read_rag_metrics(path)
        assert [(one.code, one.line) for one in caught.value.problems] == [("duplicate-id", 2), ("score", 2)]
    path.write_text(lines({"qid": 1}))
    with pytest.raises(DataError, match="strict_vital_score"):
        read_rag_metrics(path)
    with pytest.raises(DataError, match="unreadable"):
        read_rag_metrics(tmp_path / "none")
