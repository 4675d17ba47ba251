"""Tests of runs as rows: JSON lines, CSV, TSV, Parquet."""

from __future__ import annotations

import numpy as np
import pytest

from karat.errors import DataError, UsageError
from tests.files import (
    NO_E,
    C,
    E,
    U,
    answers_of,
    codes_of,
    place_of,
    read_key,
    read_run,
    run_problems,
    three_way,
    two_way,
)
from tests.formats.samples import lines, parquet

CARRIERS = {
    "csv": b'id,label,confidence,justification\n3,C,0.5,"so, it is"\n1,E,1,\n2,N,0,x\n',
    "tsv": b"id\tlabel\tconfidence\tjustification\n3\tC\t0.5\tso, it is\n1\tE\t1\t\n2\tN\t0\tx\n",
    "jsonl": lines(
        {"id": 3, "label": "C", "confidence": 0.5, "justification": "so, it is"},
        {"id": "1", "label": "E", "confidence": 1, "justification": None},
        {"id": 2, "label": "N", "confidence": "0", "justification": "x"},
    ).encode(),
    "parquet": parquet(
        id=[3, 1, 2], label=["C", "E", "N"], confidence=[0.5, 1.0, 0.0], justification=["so, it is", "", "x"]
    ),
}


@pytest.mark.parametrize("carrier", CARRIERS)
def test_every_carrier_gives_the_same_run(carrier: str) -> None:
    """Answers, confidence and justification come out alike."""
    run, problems = read_run(CARRIERS[carrier], three_way(), f"run.{carrier}")
    assert answers_of(run) == [E, U, C]
    assert run.confidence is not None
    np.testing.assert_array_equal(run.confidence, [1, 0, 0.5])
    assert run.justifications == ("", "x", "so, it is")
    assert problems == []


def test_hans_predictions() -> None:
    """`pairID,gold_label` is how HANS wants predictions."""
    run, problems = read_run("pairID,gold_label\n1,entailment\n2,non-entailment\n3,entailment\n", two_way(), "run.csv")
    assert answers_of(run) == [E, NO_E, E]
    assert problems == []


def test_a_prediction_beside_a_label() -> None:
    """Where both are there the prediction answers, and the label is held against the key."""
    content = "id,label,prediction\n1,E,N\n2,N,N\n3,C,E\n"
    run, problems = read_run(content, three_way(), "run.csv")
    assert answers_of(run) == [U, U, E]
    assert problems == []
    problems = run_problems(content.replace("2,N", "2,C"), three_way(), "run.csv")
    assert [(problem.code, problem.line) for problem in problems] == [("gold-differs", 3)]


KEYED = {
    "predicted": "id,label,predicted\n{0}",
    "pred label": "pairID,gold_label,pred_label\n{0}",
    "of a model": "uid,gold_label,BERT-prediction\n{0}",
    "in one word": "id,gold,predictedLabel\n{0}",
    "a label beside gold": "id,gold,label\n{0}",
    "a label beside a gold label": "id,gold_label,label\n{0}",
    "an answer": "id,label,Answer\n{0}",
    "an index": ",label,y_pred\n{0}",
}


@pytest.mark.parametrize("content", KEYED.values(), ids=KEYED)
def test_the_prediction_is_read_and_not_the_key(content: str) -> None:
    """Whatever a prediction is called, a file that holds the key too is not scored by its key."""
    run, problems = read_run(content.format("1,E,N\n2,N,N\n3,C,E\n"), three_way(), "run.csv")
    assert answers_of(run) == [U, U, E]
    assert problems == []


UNCLEAR = {
    "a column of a model's name": ("id,label,bert\n1,E,N\n2,N,N\n3,C,E\n", "label, bert"),
    "other spellings": ("id,gold_label,bert\n1,e,neutral\n2,n,neutral\n3,c,entailment\n", "gold_label, bert"),
    "flags beside flags": ("id,label,bert\n1,YES,NO\n2,NO,NO\n3,NO,YES\n", "label, bert"),
    "codes beside labels": ("id,label,bert\n1,0,N\n2,1,N\n3,2,E\n", "label, bert"),
}


@pytest.mark.parametrize(("content", "columns"), UNCLEAR.values(), ids=UNCLEAR)
def test_several_columns_of_labels_are_refused(content: str, columns: str) -> None:
    """The columns are named and the option that decides; with it the run is read."""
    (problem,) = run_problems(content, three_way(), "run.csv")
    assert place_of(problem) == ("which-column", 1, None, "error")
    assert problem.found == f"labels in the columns {columns}"
    assert "--run-column label=NAME" in problem.fix
    name = columns.split(", ")[1]
    assert "which-column" not in codes_of(run_problems(content, three_way(), "run.csv", run_column={"label": name}))


CLEAR = {
    "flags": "id,label,correct,negated\n1,N,True,no\n2,N,False,yes\n3,E,True,no\n",
    "what the model said": "id,label,output\n1,N,Perhaps.\n2,N,Who knows?\n3,E,Certainly.\n",
    "how sure it was": "id,label,pred_prob\n1,N,.5\n2,N,.2\n3,E,.9\n",
    "the same twice": "id,label,says\n1,N,N\n2,N,N\n3,E,E\n",
    "a justification": "id,label,justification\n1,N,no\n2,N,yes\n3,E,neutral\n",
}


@pytest.mark.parametrize("content", CLEAR.values(), ids=CLEAR)
def test_other_columns_are_no_answers(content: str) -> None:
    """What a model said, how sure it was and flags leave the label what it is."""
    assert answers_of(read_run(content, three_way(), "run.csv")[0]) == [U, U, E]


def test_predictions_in_codes_are_not_passed_over() -> None:
    """Codes in the prediction are reported, and the key beside them is not read in their place."""
    problems = run_problems("id,label,prediction\n1,E,0\n2,N,1\n3,C,0\n", three_way(), "run.csv")
    assert codes_of(problems) == ["label-code"] * 3


def test_columns_are_named() -> None:
    """`--run-column` makes a table of a file that has the column, and leaves plain runs plain."""
    options = {"run_column": {"id": "nr", "label": "says"}}
    run, _ = read_run("nr\tsays\n1\tE\n2\tN\n3\tC\n", three_way(), "run.txt", **options)
    assert answers_of(run) == [E, U, C]
    plain, _ = read_run("1 E\n2 N\n3 C\n", three_way(), "run.txt", **options)
    assert answers_of(plain) == [E, U, C]


def test_a_column_that_is_not_there() -> None:
    """Rows without ids are refused if the test set has ids of its own, with the option to name the column."""
    problems = run_problems('{"nr": 1, "label": "E"}\n', three_way(), "run.jsonl")
    assert list(map(place_of, problems)) == [("ids-needed", 1, None, "error")]
    assert problems[0].fix.startswith("name it: --run-column id=NAME")


def test_a_role_that_does_not_exist() -> None:
    """A wrong call, with the nearest role."""
    with pytest.raises(UsageError, match="did you mean 'weight'"):
        read_run(CARRIERS["csv"], three_way(), "run.csv", run_column={"weights": "confidence"})


def test_weights_of_the_systems_own() -> None:
    """A weight column is read and checked."""
    run, _ = read_run("id,label,weight\n1,E,1\n2,N,0\n3,C,3\n", three_way(), "run.csv")
    assert run.weights is not None
    assert run.weights.tolist() == [1, 0, 3]


CELLS = {
    "no number": ("confidence", '"high"', "confidence"),
    "nothing": ("confidence", "null", "confidence"),
    "a list": ("confidence", "[1, 2]", "confidence"),
    "an endless number": ("confidence", "1" + "0" * 400, "confidence"),
    "a negative weight": ("weight", "-1", "weight"),
    "a weight that is none": ("weight", '"x"', "weight"),
}


@pytest.mark.parametrize(("column", "value", "code"), CELLS.values(), ids=CELLS)
def test_numbers_are_checked(column: str, value: str, code: str) -> None:
    """Whatever JSON may hold where a finite number should be is a problem of the run."""
    rows = [f'{{"id": {i}, "label": "E", "{column}": {value if i == 2 else 1}}}\n' for i in (1, 2, 3)]
    problems = run_problems("".join(rows), three_way(), "run.jsonl")
    assert codes_of(problems) in ([code], ["json", "missing-id"])


def test_all_weights_zero() -> None:
    """Weights that all vanish cannot be normalised."""
    problems = run_problems("id,label,weight\n1,E,0\n2,N,0\n3,C,0\n", three_way(), "run.csv")
    assert codes_of(problems) == ["weight"]


def test_lists_where_every_row_is_one() -> None:
    """A column of equally long lists is not a matrix of confidences."""
    rows = "".join(f'{{"id": {i}, "label": "E", "confidence": [0.1, 0.9]}}\n' for i in (1, 2, 3))
    assert codes_of(run_problems(rows, three_way(), "run.jsonl")) == ["confidence"] * 3


def test_a_missing_field_is_told() -> None:
    """A line of JSON without id or label is not passed over."""
    problems = run_problems('{"id": 1, "label": "E"}\n{"label": "N"}\n{"id": 3}\n', three_way(), "run.jsonl")
    assert {(problem.code, problem.line) for problem in problems} == {
        ("unknown-id", 2),
        ("missing-id", None),
        ("unanswered", 3),
    }


SINGLE = {
    "labels by id": '{"1": "entailment", "2": "neutral", "3": "contradiction"}\n',
    "on several lines": '{\n  "3": "contradiction",\n  "1": "entailment",\n  "2": "neutral"\n}\n',
    "a wrapped list": '{"predictions": [{"id": 2, "label": "N"}, {"id": 1, "label": "E"}, {"id": 3, "label": "C"}]}\n',
    "the same, indented": '{"data": [\n{"id": 2, "label": "N"},\n{"id": 1, "label": "E"}, {"id": 3, "label": "C"}]}\n',
    "columns": '{"id": [1, 2, 3], "label": ["E", "N", "C"]}\n',
}


@pytest.mark.parametrize("content", SINGLE.values(), ids=SINGLE)
@pytest.mark.parametrize("missing", ["refuse", "wrong"])
def test_one_object(content: str, missing: str) -> None:
    """A file that is one object is a run: by id, by column, or as a list inside; never one run per id."""
    run, problems = read_run(content, three_way(), "run.json", missing=missing)
    assert answers_of(run) == [E, U, C]
    assert problems == []


def test_ids_beside_a_key_without() -> None:
    """A key without ids is matched by order, so that ids in another order cannot be matched."""
    key = read_key("label\nE\nN\nC\n", "key.csv")
    run, _ = read_run("id,prediction\n0,E\n1,N\n2,E\n", key, "run.csv")
    assert answers_of(run) == [E, U, E]
    problems = run_problems("id,prediction\n2,C\n0,E\n1,N\n", key, "run.csv")
    assert [(one.code, one.line) for one in problems] == [("ids-beside-none", 3)]
    assert "ids in another order than 0 to 2 (first '0' after '2')" in problems[0].found


def test_an_empty_cell_is_a_missing_answer() -> None:
    """It is refused with the option that accepts it, which counts it as an id that is not there."""
    content = "id,prediction\n1,E\n2,\n3,C\n"
    (told,) = run_problems(content, three_way(), "run.csv")
    assert place_of(told)[:2] == ("unanswered", 3)
    assert "--missing wrong" in told.fix
    run, problems = read_run(content, three_way(), "run.csv", missing="wrong")
    assert answers_of(run) == [E, None, C]
    assert (run.info.missing, codes_of(problems)) == (1, ["missing-answers"])


def test_a_sentence_is_no_label() -> None:
    """The fix is what to do with answers of a model, and not a spelling."""
    (told,) = run_problems('id,prediction\n1,E\n2,"I am sorry, but no."\n3,C\n', three_way(), "run.csv")
    assert "--unparsed wrong, or --unparsed unknown" in told.fix
    (told,) = run_problems("id,prediction\n1,E\n3,C\n", three_way(), "run.csv")
    assert told.fix.endswith("partial runs are refused unless --missing wrong")


def test_named_columns_of_runs() -> None:
    """One column names its run; one that is missing, or given twice, is refused once."""
    content = "id,label,b1,b2\n1,E,E,N\n2,N,N,N\n3,C,E,C\n"
    run, _ = read_run(content, three_way(), "wide.csv", run_columns=("b1",))
    assert run.info.name == "b1"
    run, _ = read_run("id,prediction\n1,E\n2,N\n3,E\n", three_way(), "one.csv", run_columns=("prediction",))
    assert run.info.name == "one"
    (told,) = run_problems(content, three_way(), "wide.csv", run_columns=("b1,b77",))
    assert (told.code, told.fix) == ("no-column", "name it: --run-columns NAME")
    with pytest.raises(UsageError, match="names b1 twice; give each column once"):
        read_run(content, three_way(), "wide.csv", run_columns=("b1,b1",))


def test_rows_without_ids_are_shown() -> None:
    """A file whose answers are labels is a run, so that what it lacks is said of it."""
    (problem,) = run_problems("prediction\nE\nN\nC\n", three_way(), "run.csv")
    assert (problem.code, problem.found) == ("ids-needed", "rows without ids")


@pytest.mark.parametrize("name", ["", "Unnamed: 0"])
def test_an_index_that_numbers_the_rows_is_no_id(name: str) -> None:
    """An index 0, 1, 2… beside ids in another order is refused; beside the same numbers there is a warning."""
    run = f"{name},pred\n0,E\n1,N\n2,C\n"
    shuffled = read_key("id,label\n2,C\n0,E\n1,N\n", "key.csv")
    assert codes_of(run_problems(run, shuffled, "run.csv")) == ["ids-needed"]
    in_order = read_key("id,label\n0,E\n1,N\n2,C\n", "key.csv")
    assert codes_of(run_problems(run, in_order, "run.csv")) == ["no-ids"]
    assert run_problems(run, shuffled, "run.csv", run_column={"id": name}) == []
    # Another index is what is left of the ids, and an id beside it counts.
    assert run_problems(f"{name},pred\n2,C\n0,E\n1,N\n", in_order, "run.csv") == []
    assert run_problems(f"{name},id,pred\n0,2,C\n1,0,E\n2,1,N\n", in_order, "run.csv") == []


def test_of_two_columns_of_ids_that_of_the_key_is_read() -> None:
    """If only one has the key's ids, it is read; if both have, a warning says which."""
    key = read_key("id,label\n7,E\n8,N\n9,C\n", "key.csv")
    run, problems = read_run("id,pair_id,pred\n0,9,C\n1,7,E\n2,8,N\n", key, "run.csv")
    assert answers_of(run) == [E, U, C]
    assert problems == []
    run, (problem,) = read_run("id,pair_id,pred\n7,9,C\n8,7,E\n9,8,N\n", key, "run.csv")
    assert answers_of(run) == [C, E, U]
    assert problem.code == "two-id-columns"
    assert problem.fix == "nothing to do if id is meant; otherwise --run-column id=pair_id"
    assert read_run("id,group_id,pair_id,pred\n7,1,1,C\n8,1,1,E\n9,2,2,N\n", key, "run.csv")[1] == []


@pytest.mark.parametrize("name", ["reference", "expected", "true"])
def test_the_key_is_not_offered_as_a_run(name: str) -> None:
    """Beside a column of the key by another name, `label` has the answers; the key is compared with its copy."""
    run, problems = read_run(f"id,{name},label\n1,E,E\n2,N,N\n3,C,N\n", three_way(), "run.csv")
    assert answers_of(run) == [E, U, U]
    assert problems == []
    assert codes_of(run_problems(f"id,{name},label\n1,C,E\n2,N,N\n3,C,N\n", three_way(), "run.csv")) == ["gold-differs"]
    flags = f"id,{name},label\n1,True,E\n2,True,N\n3,False,N\n"
    assert run_problems(flags, three_way(), "run.csv") == []


@pytest.mark.parametrize("none", ["nan", "NaN", "None", "null", "N/A", "n/a", "<NA>"])
def test_what_programs_write_for_no_answer(none: str) -> None:
    """It is no answer, as an empty cell is, unless the user says what it means."""
    content = f"id,pred\n1,E\n2,{none}\n3,C\n"
    (problem,) = run_problems(content, three_way(), "run.csv")
    assert place_of(problem)[:2] == ("unanswered", 3)
    assert "--missing wrong" in problem.fix
    run, (warning,) = read_run(content, three_way(), "run.csv", missing="wrong")
    assert run.codes.tolist() == [0, -1, 2]
    assert warning.code == "missing-answers"
    assert answers_of(read_run(content, three_way(), "run.csv", label={none: "neutral"})[0]) == [E, U, C]


def test_what_a_program_said_instead_of_an_answer() -> None:
    """The advice is to count it, not to call it a label."""
    (problem,) = run_problems("id,pred\n1,E\n2,ERROR: rate limit\n3,C\n", three_way(), "run.csv")
    assert problem.code == "unparsed-answer"
    assert "--unparsed wrong" in problem.fix


@pytest.mark.parametrize(
    ("ours", "theirs"), [("1 2 3", "1.0 2.0 3.0"), ("1 2 3", "001 002 003"), ("01 02 03", "1 2 3")]
)
def test_ids_in_another_form(ours: str, theirs: str) -> None:
    """One sentence names both forms; ids that are other numbers are unknown one by one."""
    key = read_key(
        "id,label\n" + "".join(f"{name},{label}\n" for name, label in zip(ours.split(), "ENC", strict=True)), "key.csv"
    )
    run = "id,pred\n" + "".join(f"{name},E\n" for name in theirs.split())
    (problem,) = run_problems(run, key, "run.csv")
    assert place_of(problem) == ("id-form", 2, 1, "error")
    first = f"first {theirs.split()[0]!r} for {ours.split()[0]!r}"
    assert f"3 ids in a different form from those of the test set, {first}" in problem.found
    assert "id-form" not in codes_of(run_problems(run.replace(theirs.split()[2], "9.0"), key, "run.csv"))


def test_codes_share_one_line_with_all_options() -> None:
    """A thousand codes need three options: one line has them."""
    key = read_key("id,label\n" + "".join(f"{n},{'ENC'[n % 3]}\n" for n in range(9)), "key.csv")
    with pytest.raises(DataError) as caught:
        read_run("id,pred\n" + "".join(f"{n},{n % 3}\n" for n in range(9)), key, "run.csv")
    (line,) = caught.value.on_command_line.splitlines()
    assert "--label 0=LABEL --label 1=LABEL --label 2=LABEL (9 in total" in line
    assert "label={'0': 'ENTAILMENT', '1': '…', '2': '…'} (9 in total" in str(caught.value)
    assert len(caught.value.problems) == 9
