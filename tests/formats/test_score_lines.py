"""Tests of scores as programs of TREC print them: trec_eval, ir_measures, AutoJudge's leaderboards, qrels, TREC RAG."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import karat
from karat.data.scores import Scores
from karat.errors import DataError
from karat.formats.rag_metrics import SCORES
from karat.formats.scores import read_judgments, read_scores
from tests.files import place_of

RUNS, TOPICS = ("one", "two"), ("301", "302", "303")
VALUES: dict[str, list[list[float]]] = {
    "map": [[0.5, 0.25, 1], [0, 0.75, 0.5]],
    "ndcg": [[0.125, 0.5, 0.25], [1, 0, 1]],
}
MEAN = "all"
LAYOUTS = {
    "trec_eval": "{measure:<22}\t{topic}\t{value:.4f}",
    "ir_measures": "{topic}\t{measure}\t{value:.4f}",
    "autojudge": "{run}\t{topic}\t{measure}\t{value}",
    "tot": "{run} {measure} {topic} {value}",
    "rag4reports": "{topic}\t{run}\t{measure}\t{value}",
}
ALONE = ("trec_eval", "ir_measures")
"""Those that do not name the run."""


def lines_of(layout: str, runs: tuple[str, ...] = RUNS, means: bool = True, rename: str = "") -> str:
    """What a program prints, topic by topic and then the means; the topics may have a letter before their number."""
    made = []
    for run in runs:
        for at, topic in enumerate([*TOPICS, MEAN] if means else TOPICS):
            for measure, values in VALUES.items():
                row = values[RUNS.index(run)]
                value = sum(row) / len(row) if topic == MEAN else row[at]
                name = topic if topic == MEAN else f"{rename}{topic}"
                made.append(LAYOUTS[layout].format(run=run, topic=name, measure=measure, value=value))
    return "\n".join([*made, ""])


def written(folder: Path, layout: str, **options: str | bool) -> Path:
    """A folder with a file per run, or with one file."""
    folder.mkdir()
    for run in RUNS if layout in ALONE else [""]:
        named = {"runs": (run,)} if run else {}
        (folder / f"{run or 'board'}.eval.txt").write_text(lines_of(layout, **named, **options))  # type: ignore[arg-type]
    return folder


def held(scores: Scores) -> dict[tuple[str, str], float]:
    """The scores by run and unit."""
    rows = zip(scores.runs, scores.values.tolist(), strict=True)
    return {(run, unit): value for run, row in rows for unit, value in zip(scores.units, row, strict=True)}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("means", [True, False])
def test_every_layout_has_the_same_scores(tmp_path: Path, layout: str, means: bool) -> None:
    """With means, which are skipped, or without, where numbers show which column has the topics."""
    scores = read_scores(written(tmp_path / "f", layout, means=means), score="ndcg")
    suffix = ".eval" if layout in ALONE else ""
    expected = {
        (f"{run}{suffix}", topic): VALUES["ndcg"][row][at]
        for row, run in enumerate(RUNS)
        for at, topic in enumerate(TOPICS)
    }
    assert held(scores) == expected
    assert (scores.measure, scores.warnings) == ("ndcg", ())


@pytest.mark.parametrize("layout", LAYOUTS)
def test_topics_that_are_no_numbers(tmp_path: Path, layout: str) -> None:
    """The topic of the means tells them; without it, a header must, in whatever order."""
    scores = read_scores(written(tmp_path / "means", layout, rename="q"), score="map")
    assert scores.units == ("q301", "q302", "q303")
    folder = written(tmp_path / "none", layout, rename="q", means=False)
    with pytest.raises(DataError, match=r"expected one column of topics.*say what the columns are in a first line"):
        read_scores(folder, score="map")
    names = LAYOUTS[layout].replace("value:.4f", "value").replace("measure:<22", "measure").format(
        run="run_id", topic="topic_id", measure="measure", value="value"
    )  # fmt: skip
    for file in folder.iterdir():
        file.write_text(f"{names}\n{file.read_text()}")
    assert held(read_scores(folder, score="map")) == held(scores)


def test_the_name_of_the_run(tmp_path: Path) -> None:
    """trec_eval prints it among the measures of the whole run; else the run is called like the file."""
    text = lines_of("trec_eval", ("one",)).replace("map                   \tall", "runid\tall\tbest\nmap\tall")
    (tmp_path / "a.txt").write_text(text)
    assert read_scores(tmp_path / "a.txt", score="map").runs == ("best",)
    (tmp_path / "a.txt").write_text("runid\tall\tbest\nnum_q\tall\t2\nmap\t1\t0.5\nmap\t2\t0.25\n")
    scores = read_scores(tmp_path / "a.txt")
    assert (scores.runs, scores.measure, scores.values.tolist()) == (("best",), "map", [[0.5, 0.25]])


def test_several_measures_are_listed(tmp_path: Path) -> None:
    """Those of topics; measures of the whole run are not offered."""
    (tmp_path / "a.txt").write_text(lines_of("autojudge") + "one\tall\tmap_macro\t0.5\n")
    with pytest.raises(DataError, match=r"which-score: scores called map, ndcg; "):
        read_scores(tmp_path / "a.txt")


def test_files_that_call_the_score_differently(tmp_path: Path) -> None:
    """All names with commas between; each file has one of them."""
    (tmp_path / "people.txt").write_text(lines_of("autojudge"))
    (tmp_path / "program.txt").write_text(lines_of("tot").replace("map", "GRADE").replace("ndcg", "MATCH"))
    both = [tmp_path / "people.txt", tmp_path / "program.txt"]
    judged = read_judgments(both, score="ndcg,MATCH")
    assert judged.judges == ("people", "program")
    assert [one.measure for one in judged.scores] == ["ndcg", "MATCH"]
    assert held(judged.scores[0]) == held(judged.scores[1])
    with pytest.raises(DataError, match=r"program.txt: which-score: .* expected a score called 'ndcg'"):
        read_judgments(both, score="ndcg")
    with pytest.raises(DataError, match=r"people.txt: which-score: .* expected only one of 'map' and 'ndcg'; choose"):
        read_judgments(both, score="map,ndcg,MATCH")
    (tmp_path / "comma.csv").write_text('run,unit,measure,score\na,1,"P(rel=2,k=1)",0.5\na,1,AP,1\n')
    assert read_scores(tmp_path / "comma.csv", score="P(rel=2,k=1)").values.tolist() == [[0.5]]


def test_true_and_false(tmp_path: Path) -> None:
    """AutoJudge writes them for measures that are right or wrong."""
    (tmp_path / "a.txt").write_text("a\tt1\tHIT\tTrue\na\tt2\tHIT\tFalse\na\tall\tHIT\t0.5\n")
    assert read_scores(tmp_path / "a.txt").values.tolist() == [[1, 0]]


def test_json_lines(tmp_path: Path) -> None:
    """AutoJudge's with the run, ir_measures' without: that of the file."""
    rows = [
        {"run_id": run, "topic_id": topic, "measure": "map", "value": value}
        for run, values in zip(RUNS, VALUES["map"], strict=True)
        for topic, value in [*zip(TOPICS, values, strict=True), (MEAN, 9)]
    ]
    (tmp_path / "board.eval.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert read_scores(tmp_path / "board.eval.jsonl").values.tolist() == VALUES["map"]
    one = [
        {"query_id": row["topic_id"], "measure": "AP", "value": row["value"]} for row in rows if row["run_id"] == "one"
    ]
    (tmp_path / "mine.jsonl").write_text("".join(json.dumps(row) + "\n" for row in one))
    scores = read_scores(tmp_path / "mine.jsonl")
    assert (scores.runs, scores.measure, scores.values.tolist()) == (("mine",), "AP", VALUES["map"][:1])


def test_scores_of_trec_rag(tmp_path: Path) -> None:
    """One file per run; the topic of the means is skipped, and one of six scores is chosen."""
    for run, values in zip(RUNS, VALUES["map"], strict=True):
        rows = [
            {"qid": topic} | {name: value / (1 + at) for at, name in enumerate(SCORES)}
            for topic, value in [*zip(TOPICS, values, strict=True), (MEAN, 0.5)]
        ]
        (tmp_path / f"{run}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(DataError, match="which-score: scores called strict_vital_score, vital_score"):
        read_scores(tmp_path)
    scores = read_scores(tmp_path, score="vital_score")
    assert (scores.runs, scores.units) == (RUNS, TOPICS)
    np.testing.assert_array_equal(scores.values, np.array(VALUES["map"]) / 2)


def test_qrels_of_whole_answers(tmp_path: Path) -> None:
    """The documents are the runs: two judges' grades of the same answers are two judgments."""
    dice = np.random.default_rng(2)
    grades = dice.integers(0, 4, (4, 12))
    for judge, shift in (("people", 0), ("program", 1)):
        lines = [f"t{topic} 0 run{run} {grades[run, topic] + shift}" for topic in range(12) for run in range(4)]
        (tmp_path / f"{judge}.qrels").write_text("\n".join([*lines, ""]))
    judged = read_judgments([tmp_path / "people.qrels", tmp_path / "program.qrels"])
    np.testing.assert_array_equal(judged.scores[0].values, grades)
    made = karat.meta(judged)
    assert made.judges[0].ranks.tau.value == 1
    assert {round(run.bias.value, 9) for run in made.judges[0].runs} == {1}


MATRICES = {
    "numbered units": "run\t1\t2\na\t1\t0\nb\t0\t1\n",
    "an unknown heading": "Systeme\t1\t2\na\t1\t0\nb\t0\t1\n",
    "three units": "Systeme 1 2 3\na 1 0 1\nb 0 1 1\n".replace(" ", "\t"),
    "units from 0": "run 0 1 2\na 0 1 1\nb 0 0 1\n".replace(" ", "\t"),
    "units from 0, an unknown heading": "Systeme 0 1 2\na 0 1 1\nb 0 0 1\n".replace(" ", "\t"),
    "words": "model,q1,q2\na,true,false\nb,true,true\n",
}


@pytest.mark.parametrize("text", MATRICES.values(), ids=MATRICES)
def test_matrices_are_not_taken_for_lines(tmp_path: Path, text: str) -> None:
    """A small matrix has as many fields."""
    (tmp_path / "m.csv").write_text(text)
    assert read_scores(tmp_path / "m.csv").runs == ("a", "b")


BAD = {
    "a short line": ("map 1 0.5\nmap 2 0.5\nmap 3\n", [("columns", 3, 1, "error")]),
    "no number": ("map 1 0.5\nmap 2 1\nmap 3 x\n", [("score", 3, None, "error")]),
    "a topic twice": ("map 1 0.5\nmap 2 0.5\nmap 1 0.5\n", [("duplicate-id", 3, None, "error")]),
    "no grade": ("1 0 a 3\n1 0 b x\n2 0 a\n", [("run-line", 2, 1, "error"), ("run-line", 3, 1, "error")]),
    "an empty line": ("map 1 0.5\n\nmap 2 0.5\n", [("empty-line", 2, None, "error")]),
}


@pytest.mark.parametrize(("text", "places"), BAD.values(), ids=BAD)
def test_damage_is_told_with_its_line(tmp_path: Path, text: str, places: list[object]) -> None:
    """Each rule, at its line."""
    (tmp_path / "a.txt").write_text(text)
    with pytest.raises(DataError) as caught:
        read_scores(tmp_path / "a.txt")
    assert list(map(place_of, caught.value.problems)) == places


def test_clusters_of_long_tables(tmp_path: Path) -> None:
    """A unit has one cluster, in every row."""
    (tmp_path / "s.csv").write_text("run,unit,cluster,score\na,1,x,1\na,2,x,0\nb,1,x,1\nb,2,y,0\n")
    with pytest.raises(DataError, match=r"s.csv:5: format: cluster 'y' of unit '2'; expected 'x' as in a row before"):
        read_scores(tmp_path / "s.csv")
    (tmp_path / "s.csv").write_text("run,unit,cluster,f1\na,1,7,1\na,2,7,0\nb,1,7,1\nb,2,7,0\n")
    scores = read_scores(tmp_path / "s.csv")
    assert (scores.measure, scores.clusters) == ("f1", ("7", "7"))
