"""Real runs written as the logs of evaluation harnesses: they score exactly as the run files do."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tools import harness_logs as logs
from tools.harness_logs import Row

import karat
from karat.labels import THREE

HARNESSES: dict[str, Callable[[list[Row]], bytes]] = {
    "jsonl": logs.lm_eval,
    "eval": lambda rows: logs.inspect_eval(logs.inspect_samples(rows)),
    "json": lambda rows: logs.inspect_json(logs.inspect_samples(rows)),
}


@pytest.fixture(scope="module")
def matched(real: Path) -> karat.Responses:
    """MultiNLI matched with its first runs."""
    folder = real / "mnli-matched"
    return karat.read_runs(sorted((folder / "runs").iterdir())[:2], karat.read_pairs(folder / "key.tsv"))


def rows_of(responses: karat.Responses, run: int, promptfoo: bool = False) -> list[Row]:
    """The pairs with a label, and the answers of a run; promptfoo numbers its tests."""
    key = responses.key
    return [
        Row(str(unit) if promptfoo else name, key.texts[unit], key.hypotheses[unit], int(label), int(code))
        for unit, (name, label, code) in enumerate(
            zip(key.ids, key.labels.tolist(), responses.runs[run].codes.tolist(), strict=True)
        )
        if label >= 0
    ]


@pytest.mark.nightly
@pytest.mark.parametrize("suffix", HARNESSES)
def test_mnli_by_harness(matched: karat.Responses, suffix: str, tmp_path: Path) -> None:
    """Accuracy and the whole table of each run, as key and run of one log, and as a run on the key's own file."""
    paths = []
    for place, name in enumerate(matched.names):
        paths.append(tmp_path / f"{name}.{suffix}")
        paths[-1].write_bytes(HARNESSES[suffix](rows_of(matched, place)))
    key = karat.read_pairs(paths[0])
    scored = matched.key.labels >= 0
    assert key.labels.tolist() == matched.key.labels[scored].tolist()
    own, plain = karat.read_runs(paths, key), karat.read_runs(paths, matched.key)
    expected = karat.score(matched)
    for runs in (own, plain):
        assert runs.names == matched.names
        for run, other in zip(runs.runs, matched.runs, strict=True):
            assert run.codes[run.codes >= 0].tolist() == other.codes[scored].tolist()
        result = karat.score(runs)
        assert [repr(row.values) for row in result.runs] == [repr(row.values) for row in expected.runs]
    scores = karat.read_scores(paths)
    np.testing.assert_array_equal(scores.values, matched.right(THREE).values[:, scored])
    by_log, by_run = karat.compare(scores), karat.compare(matched)
    assert [pair.p for pair in by_log.pairs] == [pair.p for pair in by_run.pairs]


def test_mnli_by_promptfoo(matched: karat.Responses, tmp_path: Path) -> None:
    """One file has all runs."""
    rows = {name: rows_of(matched, place, promptfoo=True) for place, name in enumerate(matched.names)}
    path = tmp_path / "output.json"
    path.write_bytes(logs.promptfoo(logs.promptfoo_results(rows)))
    runs = karat.read_runs(path, karat.read_pairs(path))
    result, expected = karat.score(runs), karat.score(matched)
    assert [repr(row.values) for row in result.runs] == [repr(row.values) for row in expected.runs]


@pytest.mark.parametrize("heading", ["item", "run", ""])
def test_ninety_models_transposed(real: Path, heading: str, tmp_path: Path) -> None:
    """Items as rows are recognised by their heading; without one they are told; as runs they are believed."""
    with (real / "responses-90/rte_irt_all_coded.csv").open(newline="") as file:
        turned = list(zip(*csv.reader(file), strict=True))
    path = tmp_path / "turned.csv"
    with path.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([[heading, *turned[0][1:]], *turned[1:]])
    scores = karat.read_scores(path)
    original = karat.read_scores(real / "responses-90/rte_irt_all_coded.csv")
    told = {"item": ["transposed"], "run": [], "": ["units-as-rows"]}[heading]
    assert [one.code for one in scores.warnings] == told
    matrix = scores.values if heading == "item" else scores.values.T
    np.testing.assert_array_equal(matrix, original.values)


def test_a_long_table_of_ninety_models(real: Path, tmp_path: Path) -> None:
    """One row per run and unit is the same matrix."""
    original = karat.read_scores(real / "responses-90/rte_irt_all_coded.csv")
    rows = [
        {"system": run, "item": unit, "value": value}
        for run, row in zip(original.runs, original.values.tolist(), strict=True)
        for unit, value in zip(original.units, row, strict=True)
    ]
    path = tmp_path / "long.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    scores = karat.read_scores(path)
    assert (scores.runs, scores.units) == (original.runs, original.units)
    np.testing.assert_array_equal(scores.values, original.values)
