"""Tests of tables with several runs, and of answers that are missing or no label."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import karat
from karat.errors import DataError, UsageError
from tests.files import C, E, U, answers_of, codes_of, run_problems, three_way

Write = Callable[[str, str], Path]
WIDE = "id,gold_label,preds-bert-PredLabel,preds-xlnet-PredLabel\n1,E,E,N\n2,N,N,N\n3,C,E,C\n"
LONG = "model,id,prediction\nbert,1,E\nbert,2,N\nbert,3,E\nxlnet,1,N\nxlnet,2,N\nxlnet,3,C\n"
EXPECTED = {"bert": [E, U, E], "xlnet": [U, U, C]}


def runs_in(write: Write, content: str, name: str = "runs.csv", **options: Any) -> karat.Responses:
    """The runs of one file, on three pairs labelled E, U, C."""
    return karat.read_runs(write(name, content), three_way(), **options)


@pytest.mark.parametrize("content", [WIDE, LONG], ids=["one column per run", "one row per run and pair"])
def test_one_table_many_runs(content: str, write: Write) -> None:
    """Each column of predictions is a run, and so is each value of a column `model`; names lose what all share."""
    runs = runs_in(write, content)
    assert {run.info.name: answers_of(run) for run in runs.runs} == EXPECTED
    assert [source.name for source in set(runs.sources)] == [runs.sources[0].name]


def test_columns_of_any_name_are_named(write: Write) -> None:
    """Columns whose names say nothing are refused beside a label, with the option that reads them."""
    content = "id,label,a,b\n1,E,E,N\n2,N,N,N\n3,C,E,C\n"
    (problem,) = run_problems(content, three_way(), "runs.csv")
    assert problem.code == "which-column"
    assert "--run-columns a,b" in problem.fix
    assert runs_in(write, content, run_columns=["a,b"]).names == ("a", "b")
    assert runs_in(write, content, run_columns=["b"]).names == ("b",)
    with pytest.raises(DataError, match="a column c"):
        runs_in(write, content, run_columns=["a", "c"])
    with pytest.raises(UsageError, match="both name the answers"):
        runs_in(write, content, run_columns=["a"], run_column={"label": "b"})


def test_every_column_of_labels_is_a_run_if_none_is_called_the_key(write: Write) -> None:
    """Without a column `label` or `gold` there is nothing else that they could be."""
    assert runs_in(write, "id,a,b,note\n1,E,N,x\n2,N,N,y\n3,C,E,z\n").names == ("a", "b")


def test_a_problem_names_the_line_of_its_run(write: Write) -> None:
    """Rows of the second run are reported by their own lines."""
    with pytest.raises(DataError) as caught:
        runs_in(write, LONG.replace("xlnet,2,N", "xlnet,2,PERHAPS"))
    assert [(problem.code, problem.line) for problem in caught.value.problems] == [("label-outside-task", 6)]


def test_rows_without_ids_are_numbered(write: Write) -> None:
    """Key and runs in one order need no ids; a key with ids of its own is not matched by the order of rows."""
    key = karat.read_pairs(write("key.csv", "label\nE\nN\nC\n"))
    assert key.ids == ("0", "1", "2")
    runs = karat.read_runs(write("run.csv", "prediction\nE\nN\nE\n"), key)
    assert answers_of(runs.runs[0]) == [E, U, E]
    assert {problem.code for problem in (*key.warnings, *runs.warnings)} == {"no-ids"}
    assert codes_of(run_problems("prediction\nE\nN\nE\n", three_way(), "run.csv")) == ["ids-needed"]


@pytest.mark.parametrize(("name", "content"), [("run.txt", "E\nN\nE\n"), ("run.json", '["E", "N", "E"]\n')])
def test_labels_alone(write: Write, name: str, content: str) -> None:
    """One per line or in a list: they are numbered too."""
    key = karat.read_pairs(write("key.csv", "label\nE\nN\nC\n"))
    assert answers_of(karat.read_runs(write(name, content), key).runs[0]) == [E, U, E]
    assert codes_of(run_problems(content, three_way(), name)) == ["ids-needed"]
    short = content.replace("E\n", "", 1).replace('"E", ', "", 1)
    with pytest.raises(DataError, match="missing-id"):
        karat.read_runs(write(f"short-{name}", short), key)


@pytest.mark.parametrize("mark", [",", ";", "|"])
def test_ids_and_labels_without_a_header(write: Write, mark: str) -> None:
    """Two fields are an id and a label; of more, nobody knows which is the answer."""
    content = f"2{mark}N\n1{mark}E\n3{mark}C\n"
    assert answers_of(runs_in(write, content).runs[0]) == [E, U, C]
    problems = run_problems(content.replace("\n", f"{mark}N\n"), three_way(), "run.csv")
    assert {(one.code, one.found) for one in problems} == {("run-line", "3 fields")}


def test_the_key_under_another_name_is_no_run(write: Write) -> None:
    """A reference beside columns of models, in the key's file or apart from it."""
    path = write("own.csv", "id,target,bert,xlnet\n1,E,E,N\n2,N,N,N\n3,C,E,C\n")
    assert karat.read_runs(path, karat.read_pairs(path)).names == ("bert", "xlnet")
    assert karat.read_runs(path, three_way()).names == ("bert", "xlnet")
    both = write("both.csv", "id,gold,label\n1,E,E\n2,N,C\n3,C,C\n")
    with pytest.raises(DataError, match="which-key: labels in the columns gold, label"):
        karat.read_pairs(both)
    column = {"label": "gold"}
    assert answers_of(karat.read_runs(both, karat.read_pairs(both, column=column), column=column).runs[0]) == [E, C, C]


def test_rows_under_a_name_after_others(write: Write) -> None:
    """What a script of one's own writes: settings, and a list of results."""
    rows = ", ".join(f'{{"id": "{n}", "gold": "{g}", "pred": "{p}"}}' for n, g, p in ("1EE", "2NC", "3CC"))
    path = write("own.json", f'{{"model": "m", "seed": 3, "results": [{rows}]}}')
    assert answers_of(karat.read_runs(path, karat.read_pairs(path)).runs[0]) == [E, C, C]


def test_a_missing_answer(write: Write) -> None:
    """It is refused unless the user says that it counts as wrong; the run says how many there are."""
    content = "1 E\n3 C\n"
    assert codes_of(run_problems(content, three_way())) == ["missing-id"]
    runs = runs_in(write, content, "run.txt", missing="wrong")
    assert runs.infos[0].missing == 1
    assert runs.codes.tolist() == [[0, -1, 2]]
    assert codes_of(list(runs.warnings)) == ["missing-answers"]
    with pytest.raises(DataError, match="unknown-id"):
        runs_in(write, "x E\n", "run.txt", missing="wrong")


def test_an_answer_that_is_no_label(write: Write) -> None:
    """It is refused, wrong, or UNKNOWN, as the user says; a file without any label is always refused."""
    content = "id,prediction\n1,entailment.\n2,I cannot answer that\n3,C\n"
    assert codes_of(run_problems(content, three_way(), "run.csv")) == ["unparsed-answer"]
    for treated, code in (("wrong", -1), ("unknown", 1)):
        runs = runs_in(write, content, unparsed=treated)
        assert runs.codes.tolist() == [[0, code, 2]]
        assert runs.infos[0].unparsed == 1
        (warning,) = runs.warnings
        assert warning.found == "1 of 3 answers of runs that are no label, first 'I cannot answer that'"
    with pytest.raises(DataError, match="label-code"):
        runs_in(write, "id,prediction\n1,0\n2,1\n3,2\n", unparsed="wrong")


def test_bad_runs_are_left_out(write: Write) -> None:
    """The others are scored, and each that is left out is named with its first error."""
    good, bad = write("good.txt", "1 E\n2 N\n3 C\n"), write("bad.txt", "1 E\n2 PERHAPS\n")
    table = write("table.csv", LONG.replace("bert,2,N", "bert,2,PERHAPS"))
    broken = write("broken.jsonl", '{"id": 1, "label": "E"}\n{\n')
    with pytest.raises(DataError):
        karat.read_runs([good, bad, table, broken], three_way())
    runs = karat.read_runs([good, bad, table, broken], three_way(), skip_bad_runs=True)
    assert runs.names == ("good", "xlnet")
    assert [problem.code for problem in runs.warnings] == ["bad-run"] * 3
    assert (
        "the run 'bad' with errors: label-outside-task: label 'PERHAPS' of pair '2', and 1 more"
        in runs.warnings[0].found
    )


def test_true_false_and_neither(write: Write) -> None:
    """FALSE is CONTRADICTION beside NEITHER, in a key and in its runs; alone it is no entailment."""
    key = karat.read_pairs(write("key.csv", "id,label\n1,True\n2,Neither\n3,False\n"))
    assert key.labels.tolist() == [0, 1, 2]
    assert answers_of(karat.read_runs(write("run.txt", "1 False\n2 Neither\n3 True\n"), key).runs[0]) == [C, U, E]
    two_way = karat.read_runs(write("two.txt", "1 TRUE\n2 FALSE\n3 FALSE\n"), key)
    assert answers_of(two_way.runs[0]) == [E, C, C]


def test_a_key_in_the_table_of_its_runs(write: Write) -> None:
    """One row per run and pair is a key as well, if each pair has one label; otherwise its ids are duplicates."""
    rows = [
        f"{pair},{label},{run},{said}" for run, said in (("a", "E"), ("b", "N")) for pair, label in ("1E", "2N", "3C")
    ]
    path = write("long.csv", "\n".join(["id,label,model,prediction", *rows]) + "\n")
    key = karat.read_pairs(path)
    assert (key.ids, key.labels.tolist(), dict(key.attributes)) == (("1", "2", "3"), [0, 1, 2], {})
    runs = karat.read_runs(path, key)
    assert (runs.names, runs.codes.tolist()) == (("a", "b"), [[0, 0, 0], [1, 1, 1]])
    with pytest.raises(DataError, match="duplicate-id"):
        karat.read_pairs(write("odd.csv", "\n".join(["id,label,model,prediction", *rows, "1,C,c,E"]) + "\n"))


LISTS = """id,gold_label,topic,preds-bert,preds-xlnet,preds-bertPredLabel
1,E,x,"[0.7, 0.2, 0.1]","[0.1, 0.8, 0.1]",E
2,N,y,"[0.1, 0.8, 0.1]","[0.3, 0.4, 0.3]",N
3,C,x,"[0.6, 0.2, 0.2]","[0.0, 0.1, 0.9]",E
"""
PLACES = {"0": "ENTAILMENT", "1": "UNKNOWN", "2": "CONTRADICTION"}


def test_lists_of_probabilities_per_run(write: Write) -> None:
    """A column of lists is a run with probabilities, beside others that are labels; its places must be explained."""
    runs = runs_in(write, LISTS, run_columns=["preds-bert,preds-xlnet"], label=PLACES)
    assert {run.info.name: answers_of(run) for run in runs.runs} == EXPECTED
    assert runs.runs[1].probabilities is not None
    assert runs.runs[1].probabilities.tolist() == [[0.1, 0.8, 0.1], [0.3, 0.4, 0.3], [0.0, 0.1, 0.9]]
    mixed = runs_in(write, LISTS, run_columns=["preds-bertPredLabel,preds-xlnet"], label=PLACES)
    assert {run.info.name: answers_of(run) for run in mixed.runs} == EXPECTED
    assert [run.probabilities is None for run in mixed.runs] == [True, False]
    assert runs_in(write, LISTS, run_columns=["preds-xlnet"], label=PLACES).names == ("xlnet",)
    only = "\n".join(line.rpartition(",")[0] for line in LISTS.splitlines()) + "\n"
    assert runs_in(write, only, label=PLACES).names == ("bert", "xlnet")
    (problem,) = run_problems(LISTS, three_way(), "runs.csv", run_columns=["preds-bert"])
    assert (problem.code, "--label 0=LABEL --label 1=LABEL --label 2=LABEL" in problem.fix) == (
        "probability-list",
        True,
    )


def test_what_models_said_is_no_attribute(write: Write) -> None:
    """Pairs are not sliced by lists of numbers, by predictions, or by a column that is named as a run."""
    path = write("key.csv", LISTS)
    assert list(karat.read_pairs(path).attributes) == ["topic"]
    assert list(karat.read_pairs(path, run_columns=["topic"]).attributes) == []


def test_a_single_column_names_its_run(write: Write) -> None:
    """One column of answers names its run, unless it is called as in files of single runs."""
    for column, name in (
        ("preds-bert", "bert"),
        ("bert_pred", "bert"),
        ("y_pred", "runs"),
        ("predicted_label", "runs"),
    ):
        content = f"id,label,{column}\n1,E,E\n2,N,N\n3,C,E\n"
        assert runs_in(write, content, run_columns=[column]).names == (name,)


@pytest.mark.parametrize("order", ["by run", "by pair"])
@pytest.mark.parametrize("texts", [False, True])
def test_a_long_table_without_ids(write: Write, order: str, texts: bool) -> None:
    """Rows are numbered within their runs, if every run has the same pairs in the same order."""
    rows = [(pair, run, said) for run, said in (("a", "E"), ("b", "N")) for pair in ("1E", "2N", "3C")]
    rows = sorted(rows) if order == "by pair" else rows
    head = "premise,hypothesis,gold,model,prediction" if texts else "gold,model,prediction"
    lines = [("t,h," if texts else "") + f"{pair[1]},{run},{said}" for pair, run, said in rows]
    path = write("long.csv", "\n".join([head, *lines]) + "\n")
    key = karat.read_pairs(path)
    assert (key.ids, key.labels.tolist(), dict(key.attributes)) == (("0", "1", "2"), [0, 1, 2], {})
    runs = karat.read_runs(path, key)
    assert (runs.names, runs.codes.tolist()) == (("a", "b"), [[0, 0, 0], [1, 1, 1]])
    renamed = write("named.csv", path.read_text().replace(",model,", ",who,"))
    runs = karat.read_runs(renamed, karat.read_pairs(renamed, run_column={"run": "who"}), run_column={"run": "who"})
    assert (runs.names, runs.codes.tolist()) == (("a", "b"), [[0, 0, 0], [1, 1, 1]])


def test_rows_that_are_not_the_same_pairs(write: Write) -> None:
    """A column `model` may say who wrote a text: rows are pairs, and a warning says so."""
    path = write("claims.csv", "doc,claim,label,model,prediction\nd,1,E,x,E\nd,2,N,x,E\nd,3,C,y,C\nd,4,C,y,C\n")
    key = karat.read_pairs(path)
    assert (len(key), list(key.attributes)) == (4, ["model"])
    runs = karat.read_runs(path, key)
    assert (runs.names, runs.codes.tolist()) == (("claims",), [[0, 0, 2, 2]])
    assert "the column model is not read as the name of the run" in runs.warnings[0].found


SHARES = """id,gold,bert_entailment,bert_neutral,bert_contradiction,p_e_xlnet,p_n_xlnet,p_c_xlnet,bert-pred,topic
1,E,0.7,0.2,0.1,0.1,0.8,0.1,N,x
2,N,0.1,0.8,0.1,0.3,0.4,0.3,N,y
3,C,0.6,0.2,0.2,0.0,0.1,0.9,E,x
"""


def test_probabilities_of_several_runs(write: Write) -> None:
    """Columns named after a run and a label are that run's, with its answers if these are called alike."""
    runs = runs_in(write, SHARES)
    assert {run.info.name: answers_of(run) for run in runs.runs} == {"bert": [U, U, E], "xlnet": [U, U, C]}
    assert runs.runs[0].probabilities is not None
    assert runs.runs[0].probabilities.tolist() == [[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.6, 0.2, 0.2]]
    assert [problem.code for problem in runs.warnings] == []
    assert runs_in(write, SHARES, run_columns=["xlnet"]).names == ("xlnet",)
    assert list(karat.read_pairs(write("key.csv", SHARES)).attributes) == ["topic"]
    listed = runs_in(write, LISTS, label=PLACES)
    assert [(run.info.name, run.probabilities is not None) for run in listed.runs] == [("bert", True), ("xlnet", True)]


@pytest.mark.parametrize(
    "header", ["gold_e,gold_n,gold_c", "votes_e,votes_n,votes_c", "bert_e,bert_n,cased_c", "e_rate,n_rate,c_vote"]
)
def test_numbers_that_are_no_probabilities_of_a_run(write: Write, header: str) -> None:
    """Shares of people, counts of votes, and columns that do not name all labels of one run are left alone."""
    cells = ["7,2,1", "1,8,1", "6,2,2"] if "votes" in header else ["0.7,0.2,0.1", "0.1,0.8,0.1", "0.6,0.2,0.2"]
    rows = [f"{row},{said},{cell}" for row, said, cell in zip("123", "ENC", cells, strict=True)]
    runs = runs_in(write, "\n".join([f"id,prediction,{header}", *rows]) + "\n")
    assert [(run.info.name, run.probabilities) for run in runs.runs] == [("runs", None)]


OWN = "id,label,bert,genre\n7,E,E,a\n8,N,C,b\n9,C,C,a\n"


def test_runs_in_the_file_of_the_key(write: Write) -> None:
    """There `label` is the key's, the key's ids are the runs', and a single column of answers names its run."""
    path = write("own.csv", OWN)
    key = karat.read_pairs(path)
    runs = karat.read_runs(path, key)
    assert (runs.names, answers_of(runs.runs[0])) == (("bert",), [E, C, C])
    with pytest.raises(DataError, match="which-column"):
        karat.read_runs(write("other.csv", OWN + "\n"), key)
    nested = write(
        "own.jsonl",
        "".join(f'{{"doc": {{"n": {n}}}, "gold": "{said}", "says": "N"}}\n' for n, said in (("5", "E"), ("6", "N"))),
    )
    options: Any = {"column": {"id": "doc.n", "label": "gold"}}
    runs = karat.read_runs(nested, karat.read_pairs(nested, **options), **options)
    assert (runs.key.ids, runs.names, runs.warnings) == (("5", "6"), ("says",), ())
    alone = write("alone.csv", "id,label,genre\n7,E,a\n8,N,b\n")
    with pytest.raises(DataError, match="no-answers: the same file as the key, with the columns id, label, genre"):
        karat.read_runs(alone, karat.read_pairs(alone))
    unnumbered = write("rows.csv", "gold,bert\nE,E\nN,C\n")
    assert karat.read_runs(unnumbered, karat.read_pairs(unnumbered)).warnings == ()


@pytest.mark.parametrize("orient", ["columns", "index", "records", "split"])
@pytest.mark.parametrize("names", [["0", "1", "2"], ["a", "b", "c", "d"]])
def test_json_as_pandas_writes_it(write: Write, orient: Any, names: list[str]) -> None:
    """A data frame as JSON, whichever way up: a column for each key, or a row, by the names of the rows."""
    pandas = pytest.importorskip("pandas")
    labels = list("ENCE")[: len(names)]
    frame = pandas.DataFrame({"gold": labels, "bert": labels[::-1], "rules": labels}, index=names)
    path = write("frame.json", frame.to_json(orient=orient))
    runs = karat.read_runs(path, karat.read_pairs(path))
    assert runs.names == ("bert", "rules")
    assert answers_of(runs.runs[0]) == [{"E": E, "N": U, "C": C}[one] for one in labels[::-1]]
    assert orient in ("records", "split") or runs.key.ids == tuple(names)


def test_a_run_with_refusals_among_others(write: Write) -> None:
    """A column of labels is a run although some answers are none: these are reported, and the run is not left out."""
    rows = ["E,E,E", "N,N,I cannot tell.", "C,C,C"]
    for header in ("gold,a_pred,b_pred", "gold,a,b"):
        path = write("runs.csv", "\n".join([header, *rows]) + "\n")
        with pytest.raises(DataError, match="I cannot tell"):
            karat.read_runs(path, karat.read_pairs(path))
        runs = karat.read_runs(path, karat.read_pairs(path), unparsed="wrong")
        assert [run.info.unparsed for run in runs.runs] == [0, 1]
