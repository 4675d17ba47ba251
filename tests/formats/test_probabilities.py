"""Runs that give a probability to each label: what their columns are called, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import softmax

import karat
from karat.arrays import Floats

KEY = "id\tlabel\n1\tENTAILMENT\n2\tUNKNOWN\n3\tCONTRADICTION\n4\tENTAILMENT\n"
TWO_WAY = "id\tlabel\n1\tENTAILMENT\n2\tNO_ENTAILMENT\n3\tNO_ENTAILMENT\n4\tENTAILMENT\n"
SHARES = [[0.7, 0.2, 0.1], [0.2, 0.5, 0.3], [0.25, 0.5, 0.25], [0.4, 0.4, 0.2]]


def close(found: Floats | None, expected: list[list[float]]) -> None:
    """The probabilities are these."""
    assert found is not None
    np.testing.assert_allclose(found, np.array(expected))


def read(folder: Path, header: str, rows: list[list[Any]], key: str = KEY, **options: Any) -> karat.Responses:
    """A run as CSV, with the ids of the key before each row."""
    (folder / "key.tsv").write_text(key)
    lines = [header, *(",".join(map(str, [place, *row])) for place, row in enumerate(rows, 1))]
    (folder / "run.csv").write_text("\n".join(lines) + "\n")
    return karat.read_runs(folder / "run.csv", karat.read_pairs(folder / "key.tsv"), **options)


@pytest.mark.parametrize(
    ("header", "options"),
    [
        ("id,p_entailment,p_neutral,p_contradiction", {}),
        ("id,prob_entailment,prob_neutral,prob_contradiction", {}),
        ("id,entailment,neutral,contradiction", {}),
        ("id,Entailment Score,Neutral Score,Contradiction Score", {}),
        ("id,probE,probN,probC", {}),
        ("id,P(entailment),P(neutral),P(contradiction)", {}),
        ("id,prob_0,prob_1,prob_2", {"label": {"0": "ENTAILMENT", "1": "UNKNOWN", "2": "CONTRADICTION"}}),
        ("id,x,y,z", {"run_column": {"entailment": "x", "neutral": "y", "contradiction": "z"}}),
    ],
)
def test_three_columns(tmp_path: Path, header: str, options: dict[str, Any]) -> None:
    """Any common naming gives labels, the likeliest (of equals the first), and confidences in them."""
    [run] = read(tmp_path, header, SHARES, **options).runs
    assert run.codes.tolist() == [0, 1, 1, 0]
    assert run.confidence is not None
    assert run.confidence.tolist() == [0.7, 0.5, 0.5, 0.4]
    close(run.probabilities, SHARES)
    assert (run.info.ranked_by, run.info.numeric) == ("response", True)


@pytest.mark.parametrize(
    ("header", "rows"),
    [
        ("id,p_entailment,p_not_entailment", [[0.9, 0.1], [0.2, 0.8], [0.5, 0.5], [0.4, 0.6]]),
        ("id,p_yes,p_no", [[0.9, 0.1], [0.2, 0.8], [0.5, 0.5], [0.4, 0.6]]),
        ("id,p_entailment", [[0.9], [0.2], [0.5], [0.4]]),
    ],
)
@pytest.mark.parametrize("key", [KEY, TWO_WAY])
def test_two_way(tmp_path: Path, header: str, rows: list[list[float]], key: str) -> None:
    """Two columns, or the probability of ENTAILMENT alone, against a two-way or a three-way key."""
    responses = read(tmp_path, header, rows, key)
    [run] = responses.runs
    assert run.info.way.name == "2"
    assert run.codes.tolist() == [0, 1, 0, 1]
    assert run.confidence is not None
    np.testing.assert_allclose(run.confidence, [0.9, 0.8, 0.5, 0.6])
    assert responses.rank_scores(0, "entailment").tolist() == [0.9, 0.2, 0.5, 0.4]


def test_three_columns_with_a_two_way_key(tmp_path: Path) -> None:
    """What folds into one label adds up; the answer is the likeliest of the three."""
    [run] = read(tmp_path, "id,p_entailment,p_neutral,p_contradiction", SHARES, TWO_WAY).runs
    assert run.codes.tolist() == [0, 1, 1, 0]
    close(run.probabilities, [[0.7, 0.3], [0.2, 0.8], [0.25, 0.75], [0.4, 0.6]])


@pytest.mark.parametrize(
    ("field", "cells", "options"),
    [
        ("probabilities", [dict(zip("ENC", row, strict=True)) for row in SHARES], {}),
        ("probs", [dict(zip(("entailment", "neutral", "contradiction"), row, strict=True)) for row in SHARES], {}),
        ("label_dist", SHARES, {"label": {"0": "ENTAILMENT", "1": "NEUTRAL", "2": "CONTRADICTION"}}),
        ("scores", SHARES, {"label": {"0": "E", "1": "N", "2": "C"}, "run_column": {"probabilities": "scores"}}),
    ],
)
def test_one_field(tmp_path: Path, field: str, cells: list[Any], options: dict[str, Any]) -> None:
    """An object by label, or a list whose places are explained like any codes."""
    (tmp_path / "key.tsv").write_text(KEY)
    rows = [json.dumps({"id": str(place), field: cell}) for place, cell in enumerate(cells, 1)]
    (tmp_path / "run.jsonl").write_text("\n".join(rows) + "\n")
    [run] = karat.read_runs(tmp_path / "run.jsonl", karat.read_pairs(tmp_path / "key.tsv"), **options).runs
    close(run.probabilities, SHARES)


def test_a_list_is_not_guessed(tmp_path: Path) -> None:
    """The order of labels differs between models, so it must be said."""
    (tmp_path / "key.tsv").write_text(KEY)
    rows = [json.dumps({"id": str(place), "probs": cell}) for place, cell in enumerate(SHARES, 1)]
    (tmp_path / "run.jsonl").write_text("\n".join(rows) + "\n")
    with pytest.raises(karat.DataError, match=r"a list of 3 numbers in probs.*label={'0': 'ENTAILMENT', '1': '…'"):
        karat.read_runs(tmp_path / "run.jsonl", karat.read_pairs(tmp_path / "key.tsv"))


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ([0.5, 0.2, 0.1], "0.5, 0.2, 0.1 for ENTAILMENT, UNKNOWN, CONTRADICTION of pair '2'"),
        ([1.2, -0.1, -0.1], "1.2, -0.1, -0.1"),
        (["nan", 0.5, 0.5], "nan, 0.5, 0.5"),
        (["", 0.5, 0.5], "nothing, 0.5, 0.5"),
        (["high", 0.5, 0.5], "high, 0.5, 0.5"),
    ],
)
def test_no_probabilities_in_a_row(tmp_path: Path, row: list[Any], told: str) -> None:
    """Each row that is no distribution is reported with its line."""
    rows: list[list[Any]] = [SHARES[0], row, *SHARES[2:]]
    with pytest.raises(karat.DataError) as error:
        read(tmp_path, "id,p_entailment,p_neutral,p_contradiction", rows)
    [problem] = error.value.problems
    assert (problem.code, problem.line) == ("probability", 3)
    assert told in problem.found


def test_logits(tmp_path: Path) -> None:
    """Numbers of which some are negative become probabilities by softmax, as in scipy, and a warning says so."""
    rows: list[list[Any]] = [[2.5, 0.1, -1.5], [-1, 3, 0.2], [0, 0.3, 1], [4, 1, -2]]
    runs = read(tmp_path, "id,logit_entailment,logit_neutral,logit_contradiction", rows)
    close(runs.runs[0].probabilities, softmax(np.array(rows), axis=1).tolist())
    [warning] = [one for one in runs.warnings if one.code == "logits"]
    assert "no probabilities in 4 of 4 rows, first 2.5" in warning.found
    assert "softmax" in warning.fix


@pytest.mark.parametrize("rows", [[[70, 20, 10]] * 4, [[2.5, 0.1, "nan"]] * 4], ids=["per cent", "gaps"])
def test_other_numbers_are_refused(tmp_path: Path, rows: list[list[Any]]) -> None:
    """Numbers that are neither get one sentence, which says what to do."""
    with pytest.raises(karat.DataError, match=r"no probabilities in 4 of 4 rows.*per cent") as error:
        read(tmp_path, "id,p_entailment,p_neutral,p_contradiction", rows)
    assert len(error.value.problems) == 1


def test_rounded_sums(tmp_path: Path) -> None:
    """Numbers with two digits need not sum to 1 exactly; they are scaled to."""
    responses = read(tmp_path, "id,p_entailment,p_neutral,p_contradiction", [[0.33, 0.33, 0.33], *SHARES[1:]])
    close(responses.runs[0].probabilities, [[1 / 3] * 3, *SHARES[1:]])


@pytest.mark.parametrize("header", ["id,p_entailment,p_neutral", "id,p_neutral,p_contradiction"])
def test_some_labels_only(tmp_path: Path, header: str) -> None:
    """Two of three labels leave the third open."""
    with pytest.raises(karat.DataError, match="probability-labels"):
        read(tmp_path, header, [[0.5, 0.5]] * 4)


def test_answers_beside_probabilities(tmp_path: Path) -> None:
    """A prediction stands, with a warning if another label is likelier; `label` is the key, and compared with it."""
    header = "id,prediction,label,p_entailment,p_neutral,p_contradiction"
    said = [["E", "E"], ["C", "N"], ["C", "C"], ["E", "E"]]
    responses = read(tmp_path, header, [[*words, *row] for words, row in zip(said, SHARES, strict=True)])
    [run] = responses.runs
    assert run.codes.tolist() == [0, 2, 2, 0]
    assert run.confidence is not None
    assert run.confidence.tolist() == [0.7, 0.3, 0.25, 0.4]
    [warning] = [one for one in responses.warnings if one.code == "not-likeliest"]
    assert warning.found.startswith("2 answers")
    alone = read(
        tmp_path, header.replace("prediction,", ""), [[words[1], *row] for words, row in zip(said, SHARES, strict=True)]
    )
    assert alone.runs[0].codes.tolist() == [0, 1, 1, 0]  # the likeliest labels, not the key


def test_written_and_read_again(tmp_path: Path) -> None:
    """A run with probabilities is the same after writing."""
    responses = read(tmp_path, "id,p_entailment,p_neutral,p_contradiction", SHARES)
    karat.write_run(responses, 0, tmp_path / "again.csv")
    [again] = karat.read_runs(tmp_path / "again.csv", responses.key).runs
    close(again.probabilities, SHARES)
    assert again.codes.tolist() == responses.codes[0].tolist()


def test_other_numbers_are_left_alone(tmp_path: Path) -> None:
    """A column with the name of a label that is no probability does not make one of a run with answers."""
    responses = read(tmp_path, "id,prediction,entailment", [["E", 12], ["N", 3], ["C", 4], ["E", 7]])
    assert responses.runs[0].probabilities is None
    assert responses.codes.tolist() == [[0, 1, 2, 0]]


def test_a_list_as_text(tmp_path: Path) -> None:
    """A cell of CSV may hold a list, which is read as one in JSON lines is."""
    rows = [[f'"{json.dumps(cell)}"'] for cell in SHARES]
    with pytest.raises(karat.DataError, match=r"probability-list: a list of 3 numbers in probabilities"):
        read(tmp_path, "id,probabilities", rows)
    codes = {"0": "ENTAILMENT", "1": "NEUTRAL", "2": "CONTRADICTION"}
    (run,) = read(tmp_path, "id,probabilities", rows, label=codes).runs
    close(run.probabilities, SHARES)


def test_an_empty_probability_has_its_row(tmp_path: Path) -> None:
    """It does not make the column one of something else."""
    rows: list[list[Any]] = [[*SHARES[0]], [0.2, "", 0.3], *SHARES[2:]]
    with pytest.raises(karat.DataError, match=r"run\.csv:3: probability: 0\.2, nothing, 0\.3 .*of pair '2'") as caught:
        read(tmp_path, "id,entailment,neutral,contradiction", rows)
    assert len(caught.value.problems) == 1


def test_a_label_beside_probabilities(tmp_path: Path) -> None:
    """It is the key if it agrees with it; otherwise it may be the answers, and the user must say."""
    header, keyed = "id,label,p_e,p_n,p_c", ["ENTAILMENT", "UNKNOWN", "CONTRADICTION", "ENTAILMENT"]
    (run,) = read(tmp_path, header, [[label, *one] for label, one in zip(keyed, SHARES, strict=True)]).runs
    close(run.probabilities, SHARES)
    answered = ["ENTAILMENT", "UNKNOWN", "UNKNOWN", "ENTAILMENT"]
    rows = [[label, *one] for label, one in zip(answered, SHARES, strict=True)]
    with pytest.raises(
        karat.DataError, match=r"label-beside-probabilities: .* 1 of its labels .*first 'UNKNOWN' of '3'"
    ):
        read(tmp_path, header, rows)
    (run,) = read(tmp_path, header, rows, run_column={"label": "label"}).runs
    assert run.codes.tolist() == [0, 1, 1, 0]
