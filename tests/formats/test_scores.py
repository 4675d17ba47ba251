"""Tests of score matrices."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import polars
import pytest

import karat
from karat.data.scores import Scores
from karat.errors import DataError
from karat.formats.scores import read_scores, write_scores
from karat.formats.writing import write_rows
from tests.files import place_of


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet", ".jsonl"])
def test_what_is_written_is_read(tmp_path: Path, suffix: str) -> None:
    """A row per run and unit; not scored stays not scored, every digit stays, and so does the measure's name."""
    values = np.array([[0.1 + 0.2, np.nan, 1.0], [0.0, -2.5, 1e-9]])
    write_scores(Scores(("a", "cluster"), ("1", "run", "x y"), values, "series_score"), tmp_path / f"scores{suffix}")
    scores = read_scores(tmp_path / f"scores{suffix}")
    assert scores.runs == ("a", "cluster")
    assert scores.units == ("1", "run", "x y")
    np.testing.assert_array_equal(scores.values, values)
    assert scores.measure == "series_score"
    assert len(scores.sources[0].sha256) == 64


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet", ".jsonl"])
def test_clusters_are_written_and_read(tmp_path: Path, suffix: str) -> None:
    """A column names each unit's cluster, and a unit without one stands alone."""
    values = np.array([[0.1 + 0.2, np.nan, 1.0], [0.0, -2.5, 1e-9]])
    write_scores(Scores(("a", "b"), ("1", "2", "3"), values, clusters=("x", None, "x")), tmp_path / f"scores{suffix}")
    scores = read_scores(tmp_path / f"scores{suffix}")
    assert scores.runs == ("a", "b")
    assert scores.clusters == ("x", None, "x")
    np.testing.assert_array_equal(scores.values, values)


def test_the_row_of_clusters_may_stand_anywhere(tmp_path: Path) -> None:
    """Numbers are names there, lines of other rows stay what they are, and a row of nothing names nothing."""
    (tmp_path / "scores.csv").write_text("run,q1,q2,q3\na,1,0,1\ncluster,7,7,8\nb,0,1,0\n")
    scores = read_scores(tmp_path / "scores.csv")
    assert scores.clusters == ("7", "7", "8")
    np.testing.assert_array_equal(scores.values, [[1, 0, 1], [0, 1, 0]])
    (tmp_path / "scores.csv").write_text("run,q1\ncluster,\na,1\n")
    assert read_scores(tmp_path / "scores.csv").clusters is None
    (tmp_path / "scores.csv").write_text("run,q1\ncluster,x\na,1\nb,?\n")
    with pytest.raises(DataError, match=r"scores.csv:4: score: score '\?' of run 'b' on unit 'q1'"):
        read_scores(tmp_path / "scores.csv")


ITEMS = "item,careful,hasty\nq1,1,0\nq2,0.5,\nq3,1,1\n"


def test_units_as_rows_are_reported(tmp_path: Path) -> None:
    """A first column called `item` is believed; many rows of few columns are told, with what to do."""
    path = tmp_path / "scores.csv"
    path.write_text(ITEMS)
    scores = read_scores(path)
    assert (scores.runs, scores.units) == (("careful", "hasty"), ("q1", "q2", "q3"))
    (problem,) = scores.warnings
    assert place_of(problem) == ("transposed", 1, None, "warning")
    assert problem.found == "3 units (rows) × 2 runs (columns)"
    assert "called item" in problem.fix
    path.write_text("qid," + ",".join(f"m{run}" for run in range(30)) + "\nq1" + ",1" * 30 + "\n")
    assert [one.code for one in read_scores(path).warnings] == ["transposed"]
    rows = "".join(f"{row},1,0,1\n" for row in range(300))
    path.write_text(f",a,b,c\n{rows}")
    assert [one.found for one in read_scores(path).warnings] == ["300 units (rows) × 3 runs (columns)"]
    path.write_text(",a,b,c\n" + rows.replace("0,1,0,1\n", "417,1,0,1\n", 1))
    assert [one.found for one in read_scores(path).warnings] == ["300 units (rows) × 3 runs (columns)"]
    path.write_text(",a,b,c\n" + rows.replace("0,1,0,1\n", "x,1,0,1\n", 1))
    assert [one.found for one in read_scores(path).warnings] == ["300 runs (rows) × 3 units (columns)"]
    path.write_text(",a,b\n" + "".join(f"m{row},1,0\n" for row in range(1001)))
    with pytest.raises(DataError, match=r"1,001 runs \(rows\) × 2 units .*transpose"):
        read_scores(path)
    for header in ("run", "System", "model name"):
        path.write_text(f"{header},a,b,c\n{rows}")
        assert read_scores(path).warnings == ()
    path.write_text("userid,a,b,c\nx,1,0,1\ny,0,0,1\n")
    assert read_scores(path).warnings == ()


@pytest.mark.parametrize("cells", ["1,0,{0}\n", "0.5,.25,{0}\n", "True,False,{0}\n"])
def test_columns_of_scores_alone(tmp_path: Path, cells: str) -> None:
    """A data frame without its index: the first column is a run as well, and rows are numbered."""
    path = tmp_path / "scores.csv"
    rows = "".join(cells.format(row % 2 if "5" not in cells else row / 64) for row in range(40))
    path.write_text(
        "a,b,c\n" + rows.replace("True,False,1", "True,False,True").replace("True,False,0", "False,True,True")
    )
    scores = read_scores(path)
    assert (scores.runs, len(scores.units)) == (("a", "b", "c"), 40)
    assert [one.code for one in scores.warnings] == ["transposed"]


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet", ".jsonl"])
def test_a_matrix_the_other_way_round(tmp_path: Path, suffix: str) -> None:
    """Transposed, it is the matrix with one row per run; a column of clusters is their row; and it is signed."""
    values = np.array([[1.0, 0.5, 1.0], [0.0, np.nan, 1.0]])
    columns: dict[str, list[Any]] = {
        "item": ["q1", "q2", "q3"],
        "cluster": ["x", None, "x"],
        "a": [1.0, 0.5, 1.0],
        "b": [0.0, None, 1.0],
    }
    (tmp_path / f"scores{suffix}").write_bytes(write_rows(columns, suffix))
    scores = read_scores(tmp_path / f"scores{suffix}", transpose=True)
    assert (scores.runs, scores.units) == (("a", "b"), ("q1", "q2", "q3"))
    assert scores.clusters == ("x", None, "x")
    np.testing.assert_array_equal(scores.values, values)
    assert scores.warnings == ()
    assert karat.compare(scores).signature.parameters["transpose"] is True


def test_problems_of_a_matrix_the_other_way_round(tmp_path: Path) -> None:
    """Units are named, each once, and scores are numbers."""
    path = tmp_path / "scores.csv"
    path.write_text("item,a\nq1,1\nq1,0\n,1\n")
    with pytest.raises(DataError) as caught:
        read_scores(path, transpose=True)
    assert [(one.code, one.line) for one in caught.value.problems] == [("duplicate-id", 3), ("no-id", 4)]
    path.write_text("item,a\nq1,?\n")
    with pytest.raises(DataError, match="score '\\?' of run 'a' on unit 'q1'"):
        read_scores(path, transpose=True)


def test_truth_is_one(tmp_path: Path) -> None:
    """True and false are right and wrong, None is not scored."""
    frame = polars.DataFrame({"model": ["a", "b"], "1": [True, False], "2": [None, True]})
    frame.write_parquet(tmp_path / "scores.parquet")
    np.testing.assert_array_equal(read_scores(tmp_path / "scores.parquet").values, [[1, np.nan], [0, 1]])


BAD = {
    "no number": ("run,1,2\na,1,x\n", [("score", 2, None, "error")]),
    "not finite": ("run,1,2\na,inf,0\nb,0,nan\n", [("score", 2, None, "error"), ("score", 3, None, "error")]),
    "a run twice": ("run,1\na,1\nb,0\na,1\n", [("duplicate-run", 4, None, "error")]),
    "no name": ("run,1\na,1\n,0\n", [("run-line", 3, None, "error")]),
    "clusters twice": ("run,1\ncluster,x\na,1\ncluster,x\n", [("duplicate-run", 4, None, "error")]),
    "clusters of no run": ("run,1\ncluster,x\n", [("empty-file", None, None, "error")]),
    "no units": ("run\na\n", [("empty-file", None, None, "error")]),
    "no runs": ("run,1,2\n", [("empty-file", None, None, "error")]),
    "a unit twice": ("run,1,1\na,1,0\n", [("columns", 1, None, "error")]),
    "a short row": ("run,1,2\na,1\n", [("columns", 2, 1, "error")]),
}


@pytest.mark.parametrize(("content", "places"), BAD.values(), ids=BAD)
def test_damage_is_told_with_its_line(tmp_path: Path, content: str, places: list[object]) -> None:
    """Each rule, at its line; nothing is guessed."""
    (tmp_path / "scores.csv").write_text(content)
    with pytest.raises(DataError) as caught:
        read_scores(tmp_path / "scores.csv")
    assert list(map(place_of, caught.value.problems)) == places


def test_a_bad_score_is_named(tmp_path: Path) -> None:
    """Run, unit and what stands there."""
    (tmp_path / "scores.csv").write_text("run,q1,q2\nbest,1,1\nworst,0,?\n")
    with pytest.raises(DataError, match=r"scores.csv:3: score: score '\?' of run 'worst' on unit 'q2'"):
        read_scores(tmp_path / "scores.csv")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    """It is a problem of the data, told like every other."""
    with pytest.raises(DataError, match="No such file"):
        read_scores(tmp_path / "none.csv")


@pytest.mark.parametrize(
    ("rows", "measure"),
    [
        ("a,1,0,1\nb,0,,1\n", "accuracy"),
        ("a,1,0.5,1\nb,0,,1\n", "mean score"),
        ("a,100,0,100\nb,0,,100\n", "mean score"),
        ("cluster,x,x,y\na,1,0,1\nb,0,1,1\n", "mean score"),
    ],
)
def test_right_or_wrong_is_accuracy(tmp_path: Path, rows: str, measure: str) -> None:
    """What is 0 or 1 is right or wrong, and people give it in per cent; what other scores mean is not known."""
    file = tmp_path / "scores.csv"
    file.write_text(f"run,1,2,3\n{rows}")
    assert read_scores(file).measure == measure
    assert read_scores(file, "recall").measure == "recall"


def test_right_or_wrong_in_per_cent(tmp_path: Path) -> None:
    """Text, tables and figures of every study of such a matrix agree on per cent and points."""
    random = np.random.default_rng(3)
    file = tmp_path / "scores.csv"
    right = (random.random((6, 120)) < np.linspace(0.4, 0.8, 6)[:, None]).astype(int)
    lines = [f"run{row},{','.join(map(str, values))}" for row, values in enumerate(right.tolist())]
    file.write_text("\n".join([f"run,{','.join(f'u{unit}' for unit in range(120))}", *lines, ""]))
    scores = read_scores(file)
    made = karat.report(scores)
    assert re.match(r"run5 scores highest \(\d\d\.\d%\), \d+\.\d points ahead", made.opening.views[0].verdict)
    assert made.opening.grades[0].grade.word == "low resolution"
    for name in ("compare", "size", "swap"):
        assert made.of(name).in_points == "points", name
    units = [column.unit for sheet in made.of("swap").sheets() for column in sheet.columns]
    assert "points" in units


LONG = "run,item,score\na,q1,1\na,q2,0\nb,q1,0.5\n"


@pytest.mark.parametrize("header", ["run,item,score", "System,topic_id,Value", "model,qid,value", "run,id,score"])
@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_long_tables(tmp_path: Path, header: str, suffix: str) -> None:
    """One row per run and unit, by the usual names; what has no row is not scored."""
    names, *rows = (line.split(",") for line in LONG.replace("run,item,score", header).splitlines())
    columns: dict[str, list[Any]] = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    path = tmp_path / f"scores{suffix}"
    path.write_bytes(write_rows(columns, suffix))
    scores = read_scores(path)
    assert (scores.runs, scores.units, scores.measure) == (("a", "b"), ("q1", "q2"), "mean score")
    np.testing.assert_array_equal(scores.values, [[1, 0], [0.5, np.nan]])


def test_one_of_several_measures(tmp_path: Path) -> None:
    """It is chosen by name, and is then the measure; the names are told if it is not."""
    path = tmp_path / "scores.csv"
    path.write_text("run,topic,metric,score\na,1,map,0.5\na,1,ndcg,0.25\nb,1,map,1\n")
    with pytest.raises(DataError, match=r"scores called map, ndcg; .*score=…, for example score='map'"):
        read_scores(path)
    scores = read_scores(path, score="map")
    assert (scores.runs, scores.measure, scores.values.tolist()) == (("a", "b"), "map", [[0.5], [1.0]])
    with pytest.raises(DataError, match=r"expected a score called 'err'; choose one that is there"):
        read_scores(path, score="err")
    path.write_text(LONG)
    with pytest.raises(DataError, match=r"scores without names.*leave score out"):
        read_scores(path, score="map")
    path.write_text("run,q1\na,1\n")
    with pytest.raises(DataError, match="a matrix, whose scores have no names"):
        read_scores(path, score="map")
    path.write_text("run,topic,metric,score\na,1,map,1\n")
    assert read_scores(path).measure == "map"


def test_problems_of_long_tables(tmp_path: Path) -> None:
    """A unit twice, a word for a score, rows without run or unit: all at once, by line."""
    path = tmp_path / "scores.csv"
    path.write_text("run,item,score\na,q1,1\na,q1,0\nb,q1,?\n,q1,1\nb,,1\n")
    with pytest.raises(DataError) as caught:
        read_scores(path)
    assert [(one.code, one.line) for one in caught.value.problems] == [
        ("duplicate-id", 3), ("score", 4), ("no-id", 5), ("no-id", 6)
    ]  # fmt: skip
    path.write_text("run,item,score\n")
    with pytest.raises(DataError, match="empty-file"):
        read_scores(path)
    path.write_text(LONG)
    with pytest.raises(DataError, match="leave transpose out"):
        read_scores(path, transpose=True)


def test_several_files_are_joined_by_unit(tmp_path: Path) -> None:
    """Files, or a folder, of any form; a unit that a file lacks is not scored there."""
    (tmp_path / "a.csv").write_text("run,q1,q2\na,1,0\n")
    (tmp_path / "b.csv").write_text("model,qid,score\nb,q2,0.5\nb,q3,1\n")
    (tmp_path / "c.csv").write_text("item,c,d\nq3,1,0\nq1,0,0\n")
    expected = [[1, 0, np.nan], [np.nan, 0.5, 1], [0, np.nan, 1], [0, np.nan, 0]]
    for given in (tmp_path, sorted(tmp_path.iterdir())):
        scores = read_scores(given)
        assert (scores.runs, scores.units) == (("a", "b", "c", "d"), ("q1", "q2", "q3"))
        np.testing.assert_array_equal(scores.values, expected)
        assert [Path(source.name).name for source in scores.sources] == ["a.csv", "b.csv", "c.csv"]
        assert [one.code for one in scores.warnings] == ["transposed"]
    with pytest.raises(DataError, match="duplicate-run: a run 'a' again"):
        read_scores([tmp_path / "a.csv", tmp_path / "a.csv"])


def test_clusters_of_several_files(tmp_path: Path) -> None:
    """A unit has one cluster, whichever file says so."""
    (tmp_path / "a.csv").write_text("run,q1,q2\ncluster,x,x\na,1,0\n")
    (tmp_path / "b.csv").write_text("run,q2,q3\nb,1,0\n")
    assert read_scores(tmp_path).clusters == ("x", "x", None)
    (tmp_path / "b.csv").write_text("run,q2,q3\ncluster,y,y\nb,1,0\n")
    with pytest.raises(DataError, match="cluster 'y' of unit 'q2'; expected 'x'"):
        read_scores(tmp_path)


def test_a_long_table_is_the_matrix_it_was_made_from(tmp_path: Path) -> None:
    """Whatever the order of its rows, written by pandas."""
    dice = np.random.default_rng(3)
    values = dice.random((5, 40)).round(3)
    wide = pandas.DataFrame(values, [f"r{n}" for n in range(5)], [f"q{n}" for n in range(40)])
    wide.to_csv(tmp_path / "wide.csv", index_label="run")
    long = wide.rename_axis("run").reset_index().melt("run", var_name="item", value_name="score")
    long.sample(frac=1, random_state=1).to_csv(tmp_path / "long.csv", index=False)
    a, b = read_scores(tmp_path / "wide.csv"), read_scores(tmp_path / "long.csv")
    order = [b.runs.index(run) for run in a.runs]
    units = [b.units.index(unit) for unit in a.units]
    np.testing.assert_array_equal(a.values, b.values[order][:, units])


@pytest.mark.parametrize(("heading", "mark"), [("name", ""), ("userid", ""), ("", "m")])
def test_many_rows_under_a_name(tmp_path: Path, heading: str, mark: str) -> None:
    """A name may be that of a unit; a heading that says `run` settles it."""
    rows = "".join(f"{mark}{place},1,0\n" for place in range(1, 41))
    (tmp_path / "scores.csv").write_text(f"{heading},a,b\n{rows}")
    assert [one.code for one in read_scores(tmp_path / "scores.csv").warnings] == ["units-as-rows"]
    (tmp_path / "scores.csv").write_text(f"run,a,b\n{rows}")
    assert read_scores(tmp_path / "scores.csv").warnings == ()


@pytest.mark.parametrize("right", ["True", "true", "1"])
@pytest.mark.parametrize("header", ["model,item_id,correct", "run,unit,score", "system,example,is_correct"])
def test_long_tables_of_right_and_wrong(tmp_path: Path, right: str, header: str) -> None:
    """One row per run and unit, as people call the columns; True is 1 and False is 0."""
    wrong = {"True": "False", "true": "false", "1": "0"}[right]
    rows = f"a,1,{right}\na,2,{wrong}\nb,1,{wrong}\nb,2,\n"
    (tmp_path / "long.csv").write_text(f"{header}\n{rows}")
    scores = read_scores(tmp_path / "long.csv")
    assert (scores.runs, scores.units) == (("a", "b"), ("1", "2"))
    np.testing.assert_array_equal(scores.values, [[1, 0], [0, np.nan]])


LONG_ROWS = [("a", 1, 0.5, 1), ("a", 2, 0.25, 0), ("b", 1, 1.0, 1), ("b", 2, "", 1)]


def test_a_long_table_with_a_column_per_score(tmp_path: Path) -> None:
    """Columns of numbers beside run and unit are scores by their names; texts are not; one of several is chosen."""
    path = tmp_path / "scores.csv"
    rows = "".join(f"{run},{unit},text,{f1},{em}\n" for run, unit, f1, em in LONG_ROWS)
    path.write_text(f"model,id,answer,f1,em\n{rows}")
    with pytest.raises(DataError, match=r"scores called f1, em.*score=…"):
        read_scores(path)
    f1, em = read_scores(path, score="f1"), read_scores(path, score="em")
    assert (f1.runs, f1.units, f1.measure) == (("a", "b"), ("1", "2"), "f1")
    np.testing.assert_array_equal(f1.values, [[0.5, 0.25], [1.0, np.nan]])
    assert em.values.tolist() == [[1, 0], [1, 1]]
    path.write_text("model,id,accuracy\n" + "".join(f"{run},{unit},{em}\n" for run, unit, _, em in LONG_ROWS))
    assert read_scores(path).values.tolist() == [[1, 0], [1, 1]]


@pytest.mark.parametrize(
    ("right", "wrong"), [("correct", "incorrect"), ("Yes", "No"), ("TRUE", "false"), ("pass", "fail")]
)
@pytest.mark.parametrize("column", ["score", "correct", "result"])
def test_right_and_wrong_in_words(tmp_path: Path, right: str, wrong: str, column: str) -> None:
    """In any case, under any name, if there is nothing else in the column."""
    path = tmp_path / "scores.csv"
    rows = [(run, unit, right if em else wrong) for run, unit, _, em in LONG_ROWS]
    path.write_text(f"system,item,{column}\n" + "".join(f"{run},{unit},{said}\n" for run, unit, said in rows))
    scores = read_scores(path)
    assert scores.values.tolist() == [[1, 0], [1, 1]]
    path.write_text(
        "system,item,score\n" + "".join(f"{run},{unit},{said}\n" for run, unit, said in [*rows, ("c", 1, "maybe")])
    )
    with pytest.raises(DataError, match="score 'maybe'"):
        read_scores(path)


def test_units_under_the_heading_id(tmp_path: Path) -> None:
    """Many rows and few columns under `id` are units, also if one run is scored in words; few rows may be runs."""
    path = tmp_path / "scores.csv"
    path.write_text("id,gpt,llama\n" + "".join(f"{n},{n % 2},{n % 3 == 0}\n" for n in range(60)))
    scores = read_scores(path)
    assert [one.code for one in scores.warnings] == ["transposed"]
    assert (scores.runs, len(scores.units)) == (("gpt", "llama"), 60)
    assert scores.values.mean(axis=1) == pytest.approx([1 / 2, 1 / 3])
    path.write_text("id,1,2,3\ngpt,0,1,1\nllama,0,0,1\n")
    assert read_scores(path).runs == ("gpt", "llama")


def test_a_unit_without_scores_is_told(tmp_path: Path) -> None:
    """It is left out of every comparison, and a warning says so."""
    path = tmp_path / "scores.csv"
    path.write_text("run,u1,u2,u3\na,1,,0\nb,1,,1\n")
    (warning,) = karat.compare(read_scores(path)).warnings
    assert (warning.code, warning.found) == ("no-score", "1 unit without a score of any run, first 'u2'")


@pytest.mark.parametrize(("name", "limited"), [("f1", True), ("points", False)])
def test_intervals_of_shares_stay_within_their_range(tmp_path: Path, name: str, limited: bool) -> None:
    """A measure that is known to be a share has no interval beyond 1; the range of other scores is not known."""
    path = tmp_path / "scores.csv"
    cells = {"a": (1, 0.5, 1, 0.9), "b": (0.2, 0.5, 1, 0.7)}
    rows = [f"{run},{unit},{value}" for run, values in cells.items() for unit, value in enumerate(values)]
    path.write_text("\n".join([f"run,unit,{name}", *rows, ""]))
    ends = [row.interval[1] for row in karat.compare(read_scores(path)).runs]
    assert ends == ([1, 1] if limited else pytest.approx([1.2288, 1.1356], abs=1e-3))


@pytest.mark.parametrize(
    "text",
    [
        "item,a,b,comment\nq1,1,0,hard\nq2,1,1,\n",
        "run,q1,q2,comment\na,1,1,hard\nb,0,1,\n",
        "run,comment,q1,q2\na,hard,1,1\nb,easy,0,1\n",
    ],
)
def test_a_column_of_notes_is_left_out(text: str, tmp_path: Path) -> None:
    """If everything else is a number; the columns are named."""
    path = tmp_path / "scores.csv"
    path.write_text(text)
    scores = karat.read_scores(path)
    assert (scores.runs, scores.units, scores.values.tolist()) == (("a", "b"), ("q1", "q2"), [[1, 1], [0, 1]])
    assert [one.found for one in scores.warnings if one.code == "notes"] == ["1 column of texts: comment"]


@pytest.mark.parametrize("text", ["run,q1,q2\na,1,o\nb,0,1\n", "run,q1,q2\na,x,o\nb,0,y\n", "run,q1,q2\na,x,1\n"])
def test_a_slip_is_no_note(text: str, tmp_path: Path) -> None:
    """A text among numbers, or in the only row, is an error."""
    path = tmp_path / "scores.csv"
    path.write_text(text)
    with pytest.raises(karat.DataError, match="score"):
        karat.read_scores(path)
