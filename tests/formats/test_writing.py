"""Tests of writing: what is written is read back as it was, in every format that is written."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.data.pairs import Pairs
from karat.data.responses import Responses
from karat.data.scores import Scores
from karat.errors import UsageError
from karat.formats.pairs import write_pairs
from karat.formats.registry import pair_formats, run_formats
from karat.formats.runs import write_run
from karat.formats.scores import write_scores
from tests.files import answers_of, labels_of, read_key, read_run, three_way
from tests.strategies import multiline_texts, pair_sets, runs_on, texts

JSON, CSV, TSV, PARQUET, XLSX = ".jsonl", ".csv", ".tsv", ".parquet", ".xlsx"
CARRIERS = {"rte": [".xml"]}
WRITTEN = [
    (entry.name, suffix)
    for entry in pair_formats
    if entry.facts["write"]
    for suffix in CARRIERS.get(entry.name, [JSON, CSV, TSV, PARQUET, *([XLSX] if entry.name == "table" else [])])
]
NO_IDS = {"glue-diagnostic"}
"""Formats that number their rows."""


def written(pairs: Pairs, folder: Path, writer: str, suffix: str) -> Pairs:
    """The pairs as another program would read them."""
    path = folder / f"key{suffix}"
    write_pairs(pairs, path, writer)
    return read_key(path.read_bytes(), path.name, reader=writer)


def assert_equal(one: Pairs, other: Pairs, ids: bool = True) -> None:
    """Equal in everything that a file holds."""
    if ids:
        assert one.ids == other.ids
    assert (one.texts, one.hypotheses) == (other.texts, other.hypotheses)
    assert labels_of(one) == labels_of(other)
    assert one.way is other.way
    assert one.attributes["task"] == other.attributes["task"]


@pytest.mark.parametrize(("writer", "suffix"), WRITTEN)
@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_pairs_are_read_back(
    tmp_path_factory: pytest.TempPathFactory, writer: str, suffix: str, data: st.DataObject
) -> None:
    """Any printable text, with quotes, ampersands and brackets; where the carrier can, with line breaks."""
    kept = multiline_texts if suffix in (JSON, CSV, PARQUET) else texts
    pairs = data.draw(pair_sets(kept))
    if writer in NO_IDS:
        with pytest.raises(UsageError, match="no ids"):
            written(replace(pairs, ids=("one", *pairs.ids[1:])), tmp_path_factory.mktemp("out"), writer, suffix)
        pairs = replace(pairs, ids=tuple(map(str, range(len(pairs)))))
    again = written(pairs, tmp_path_factory.mktemp("out"), writer, suffix)
    assert_equal(pairs, again)


@pytest.mark.parametrize("suffix", [JSON, TSV, CSV, PARQUET])
@given(pairs=pair_sets(ballots=True, blind=False))
@settings(max_examples=25, deadline=None)
def test_ballots_are_read_back(tmp_path_factory: pytest.TempPathFactory, suffix: str, pairs: Pairs) -> None:
    """SNLI's carriers all hold what the annotators said."""
    again = written(pairs, tmp_path_factory.mktemp("out"), "snli", suffix)
    assert pairs.ballots is not None
    assert again.ballots is not None
    assert pairs.ballots.counts().tolist() == again.ballots.counts().tolist()


def test_a_tab_is_a_blank_where_tabs_separate(tmp_path: Path) -> None:
    """TSV cannot hold a tab or a line break; a blank stands for it."""
    pairs = read_key('{"id": 1, "text": "a\\tb\\nc  d", "hypothesis": "e"}\n', "key.jsonl")
    assert written(pairs, tmp_path, "table", TSV).texts == ("a b c  d",)


def test_an_attribute_does_not_take_the_labels_place(tmp_path: Path) -> None:
    """A column `label` beside `gold_label` stays an attribute under another name."""
    content = "pairID\tgold_label\tsentence1\tsentence2\tlabel\n1\tneutral\ta\tb\tx\n"
    pairs = read_key(content, "key.tsv", reader="snli")
    again = written(pairs, tmp_path, "anli", JSON)
    assert labels_of(again) == ["UNKNOWN"]
    assert again.attributes == {"attribute label": ("x",)}


@pytest.mark.parametrize("suffix", [".txt", "", JSON, CSV, TSV, PARQUET, XLSX])
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_runs_are_read_back(tmp_path_factory: pytest.TempPathFactory, suffix: str, data: st.DataObject) -> None:
    """Answers, order of lines, confidences, weights and justifications; spreadsheets keep 15 digits of numbers."""
    key = data.draw(pair_sets(blind=False).filter(lambda pairs: (pairs.labels >= 0).all()))
    run = data.draw(runs_on(key))
    path = tmp_path_factory.mktemp("out") / f"run{suffix}"
    write_run(Responses.of(key, [run]), "run", path)
    again, _ = read_run(path.read_bytes(), key, path.name, run_reader="plain" if suffix in (".txt", "") else "table")
    assert answers_of(again) == answers_of(run)
    assert again.position.tolist() == run.position.tolist()
    assert (again.confidence is None) == (run.confidence is None)
    if run.confidence is not None and again.confidence is not None:
        np.testing.assert_allclose(again.confidence, run.confidence, rtol=1e-14 if suffix == XLSX else 0)
    assert again.justifications == run.justifications
    if suffix not in (".txt", "") and run.weights is not None:
        assert again.weights is not None
        np.testing.assert_allclose(again.weights, run.weights, rtol=1e-14 if suffix == XLSX else 0)


@pytest.mark.parametrize("header", ["ranked: yes\nranked-by: entailment\n", "type: manual\n"])
def test_headers_are_read_back(tmp_path: Path, header: str) -> None:
    """A ranked or manual run is written with the headers that say so."""
    key = three_way()
    run, _ = read_run(header + "1 YES\n3 UNKNOWN\n2 NO\n", key)
    write_run(Responses.of(key, [run]), 0, tmp_path / "run.txt")
    assert (tmp_path / "run.txt").read_text().startswith(header)
    again, _ = read_run((tmp_path / "run.txt").read_bytes(), key)
    assert again.info.ranked_by == run.info.ranked_by
    assert again.info.manual == run.info.manual
    assert again.position.tolist() == run.position.tolist()


def test_a_format_that_is_only_read(tmp_path: Path) -> None:
    """Asking for it is a wrong call."""
    with pytest.raises(UsageError, match="fracas is only read"):
        write_pairs(three_way(), tmp_path / "key.xml", "fracas")
    assert [entry.name for entry in run_formats if entry.facts["write"]] == ["plain", "table"]


def test_scores_are_a_row_per_run_and_unit(tmp_path: Path) -> None:
    """What is not scored is empty."""
    scores = Scores(("a", "b"), ("1", "2"), np.array([[1.0, 0.0], [np.nan, 0.5]]), "vital")
    write_scores(scores, tmp_path / "scores.csv")
    rows = "a,1,vital,1.0\na,2,vital,0.0\nb,1,vital,\nb,2,vital,0.5\n"
    assert (tmp_path / "scores.csv").read_text() == f"run,unit,measure,score\n{rows}"
