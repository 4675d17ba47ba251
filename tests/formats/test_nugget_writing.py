"""Tests of nuggets and assignments as the nuggetizer writes them, of their attributes, and of nugget banks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import karat
from karat.data.nuggets import Matches, Nuggets
from karat.errors import DataError, UsageError
from karat.formats.nugget_table import read_matches, read_nuggets, write_matches, write_nuggets

TOPICS: list[dict[str, Any]] = [
    {
        "query": "why reeds sing",
        "qid": "1",
        "nuggets": [
            {"text": "the wind", "importance": "vital", "mapped_sub_narrative": '"Causes"', "source": "original"},
            {"text": "hollow stems", "importance": "okay", "mapped_sub_narrative": '"Causes"'},
            {"id": "x", "text": "at dusk", "importance": "failed", "mapped_sub_narrative": "New: when"},
            {"text": "at dusk", "importance": "vital", "mapped_sub_narrative": "New: when"},
        ],
    },
    {"qid": "2", "nuggets": [{"text": "a\u00e9 b", "importance": "vital"}, {"text": "", "importance": "okay"}]},
]
TOPICS[1]["nuggets"][1] = {"question": "Who?", "answers": ["Ann", "Bo and I"], "importance": "okay"}
CONTENT = ("units", "names", "texts", "spelled", "assessor")


def jsonl(path: Path, rows: list[dict[str, Any]]) -> Path:
    """A file of JSON lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def same_nuggets(one: Nuggets, other: Nuggets) -> bool:
    """Whether two lists have the same content."""
    weights = [None if some.weights is None else some.weights.tolist() for some in (one, other)]
    return (
        all(getattr(one, name) == getattr(other, name) for name in CONTENT)
        and one.topic.tolist() == other.topic.tolist()
        and dict(one.attributes) == dict(other.attributes)
        and weights[0] == weights[1]
    )


def same_matches(one: Matches, other: Matches) -> bool:
    """Whether two files say the same of the same runs."""
    arrays = all(
        np.array_equal(getattr(one, name), getattr(other, name)) for name in ("degree", "importance", "answered")
    )
    contrary = [None if some.contradicted is None else some.contradicted.tolist() for some in (one, other)]
    junk = [sorted(map(str, some.junk)) for some in (one, other)]
    return arrays and contrary[0] == contrary[1] and junk[0] == junk[1] and one.runs == other.runs


def test_lists_through_tables_and_back(tmp_path: Path) -> None:
    """Names, junk, attributes, queries and questions with their answers come back; the lines are the first file's."""
    first = jsonl(tmp_path / "n.jsonl", TOPICS)
    nuggets = read_nuggets(first)
    assert list(nuggets.attributes) == ["query", "mapped_sub_narrative", "source", "question", "answers"]
    assert nuggets.texts[-1] == "Who? Ann | Bo and I"
    for suffix in (".tsv", ".csv", ".jsonl"):
        write_nuggets(nuggets, tmp_path / f"again{suffix}")
        nuggets = read_nuggets(tmp_path / f"again{suffix}")
        assert same_nuggets(nuggets, read_nuggets(first)), suffix
    again = [json.loads(line) for line in (tmp_path / "again.jsonl").read_text().splitlines()]
    composed = TOPICS[1]["nuggets"][1] | {"text": "Who? Ann | Bo and I"}
    assert again == [TOPICS[0], TOPICS[1] | {"nuggets": [TOPICS[1]["nuggets"][0], composed]}]


def test_lists_of_several_assessors_with_weights(tmp_path: Path) -> None:
    """A line each; weights come back to the digit, and a topic without nuggets stays."""
    rows = ["1\ta\tann\tvital\tx\t0.1", "1\tb\tann\tokay\ty\t0.30000000000000004", "1\ta\tbo\tokay\tx\t1"]
    (tmp_path / "n.tsv").write_text("\n".join(["qid\tnugget\tassessor\timportance\ttext\tweight", *rows, ""]))
    nuggets = read_nuggets(tmp_path / "n.tsv")
    write_nuggets(nuggets, tmp_path / "n.jsonl")
    assert same_nuggets(read_nuggets(tmp_path / "n.jsonl"), nuggets)
    assert len((tmp_path / "n.jsonl").read_text().splitlines()) == 2
    empty = jsonl(tmp_path / "e.jsonl", [TOPICS[0], {"qid": "9", "nuggets": []}])
    write_nuggets(read_nuggets(empty), tmp_path / "again.jsonl")
    assert read_nuggets(tmp_path / "again.jsonl").units == ("1", "9")


def assigned(run: str, *labels: str, **more: str) -> dict[str, Any]:
    """What is said of a run's answer to the first topic."""
    nuggets = [
        {"text": one["text"], "importance": one["importance"], "assignment": label}
        for one, label in zip(TOPICS[0]["nuggets"], labels, strict=False)
    ]
    return {"qid": "1", "run_id": run, "nuggets": nuggets, **more}


def test_assignments_come_back(tmp_path: Path) -> None:
    """Degrees, junk, contradictions, answers, and which nuggets a run was judged on, in files and after a table."""
    nuggets = read_nuggets(jsonl(tmp_path / "n.jsonl", TOPICS))
    rows = [
        assigned("one", "support", "partial_support", "no idea", "contradicted", answer_text="The  wind."),
        assigned("two", "not_support", "", "support"),
    ]
    rows[0]["nuggets"][0]["importance"] = "okay"
    rows[0]["nuggets"].append({"text": "new", "importance": "junk", "assignment": "support"})
    matches = read_matches(jsonl(tmp_path / "m.jsonl", rows), nuggets)
    write_matches(matches, tmp_path / "again.jsonl")
    again = read_matches(tmp_path / "again.jsonl", nuggets)
    assert same_matches(matches, again)
    assert again.texts == matches.texts == (("The  wind.", None), (None, None))
    listed = [{"qid": "1", "nuggets": [one for one in TOPICS[0]["nuggets"] if one["importance"] != "failed"]}]
    names = read_nuggets(jsonl(tmp_path / "l.jsonl", listed))
    (tmp_path / "m.tsv").write_text("run\tqid\tnugget\tdegree\none\t1\t1\tsupport\none\t1\t2\tpartial_support\n")
    table = read_matches(tmp_path / "m.tsv", names)
    write_matches(table, tmp_path / "t.jsonl")
    spelled = read_matches(tmp_path / "t.jsonl", names)
    write_matches(spelled, tmp_path / "t.tsv")
    assert same_matches(table, spelled)
    assert same_matches(table, read_matches(tmp_path / "t.tsv", names))


def test_assignments_are_to_one_list(tmp_path: Path) -> None:
    """The format does not say whose."""
    rows = ["1\ta\tann\tvital\tx", "1\ta\tbo\tokay\tx"]
    (tmp_path / "n.tsv").write_text("\n".join(["qid\tnugget\tassessor\timportance\ttext", *rows, ""]))
    (tmp_path / "m.tsv").write_text("run\tqid\tnugget\tassessor\tdegree\none\t1\ta\tann\tsupport\none\t1\ta\tbo\t0\n")
    matches = read_matches(tmp_path / "m.tsv", read_nuggets(tmp_path / "n.tsv"))
    with pytest.raises(UsageError, match=r"choose one of ann, bo with matches.of\(NAME\)"):
        write_matches(matches, tmp_path / "m.jsonl")
    write_matches(matches.of("bo"), tmp_path / "m.jsonl")
    assert json.loads((tmp_path / "m.jsonl").read_text())["nuggets"][0]["assignment"] == "not_support"


V3: dict[str, Any] = {
    "query_id": "7",
    "title_query": "avocados",
    "nugget_bank": {
        "How much water?": {
            "question": "How much water?",
            "question_id": "h",
            "answers": {"2000 l": {"answer": "2000 l"}},
        },
        "Who?": {"question": "Who?", "question_id": "w"},
    },
    "claim_bank": {"Mexico exports most.": {"claim": "Mexico exports most.", "claim_id": "c", "query_id": "7"}},
}
RAGTIME: dict[str, Any] = {
    "metadata": {"topic_id": "8", "run_id": "r"},
    "nugget_bank": [
        {
            "question": "Who?",
            "aggregator_type": "OR",
            "answers": [{"answer": "Ann", "references": ["d"]}, {"answer": "Bo"}],
        }
    ],
}


@pytest.mark.parametrize("name", ["b.json", "b.jsonl"])
def test_nugget_banks(tmp_path: Path, name: str) -> None:
    """Questions with the accepted answers, and claims, by their ids; without an importance all are vital."""
    banks = [V3] if name == "b.json" else [V3, RAGTIME]
    nuggets = read_nuggets(jsonl(tmp_path / name, banks))
    expected = [("7", "h", "How much water? 2000 l"), ("7", "w", "Who?"), ("7", "c", "Mexico exports most.")]
    expected += [("8", "1", "Who? Ann | Bo")] if len(banks) > 1 else []
    topics = [nuggets.units[topic] for topic in nuggets.topic.tolist()]
    assert list(zip(topics, nuggets.names, nuggets.texts, strict=True)) == expected
    assert set(nuggets.spelled) == {"vital"}
    assert [one.code for one in nuggets.warnings] == ["no-importance"]
    assert nuggets.attributes["question"][0] == "How much water?"
    assert nuggets.attributes["query"][0] == "avocados"
    write_nuggets(nuggets, tmp_path / "n.jsonl")
    assert same_nuggets(read_nuggets(tmp_path / "n.jsonl"), nuggets)
    (tmp_path / "m.tsv").write_text("run\tqid\tnugget\tdegree\none\t7\th\tsupport\n")
    result = karat.nuggets(read_matches(tmp_path / "m.tsv", nuggets))
    assert result.runs[0].scores["vital"]["7"] == pytest.approx(1 / 3)


def test_importance_in_banks(tmp_path: Path) -> None:
    """Where some nuggets say it, those that do not are left out, as anywhere."""
    bank = {"query_id": "1", "nugget_bank": [{"question": "a?", "importance": "okay"}, {"question": "b?"}]}
    nuggets = read_nuggets(jsonl(tmp_path / "b.jsonl", [bank]))
    assert nuggets.spelled == ("okay", "")
    assert [one.code for one in nuggets.warnings] == ["importance"]


BAD_BANKS = {
    "a topic twice": ([V3, V3], r"b.jsonl:2: duplicate-id: topic '7' again \(first in line 1\)"),
    "no bank": ([V3, {"query_id": "9", "nugget_bank": "x"}], r"b.jsonl:2: columns: a topic with nuggets 'x'"),
    "no object": ([V3, {"query_id": "9", "claim_bank": ["x"]}], r"b.jsonl:2: columns: "),
    "no topic": ([{"nugget_bank": [{"question": "a?"}]}], r"without a topic"),
    "no text": ([{"query_id": "1", "nugget_bank": [{"question_id": "a"}]}], r"without a text"),
    "nuggets inside": (
        [{"query_id": "1", "nugget_bank": [{"question": "a?", "sub_nuggets": [{"question": "b?"}]}]}],
        r"format: nugget '1' of topic '1' with 1 nugget inside it; expected nuggets without others inside them",
    ),
}


@pytest.mark.parametrize(("banks", "told"), BAD_BANKS.values(), ids=BAD_BANKS)
def test_damaged_banks(tmp_path: Path, banks: list[dict[str, Any]], told: str) -> None:
    """Each with its line."""
    with pytest.raises(DataError, match=told):
        read_nuggets(jsonl(tmp_path / "b.jsonl", banks))


def test_scores_by_sub_narrative(tmp_path: Path) -> None:
    """Each part of a topic is scored as a list of its own, as by hand; what is not vital there is not scored."""
    topics: list[dict[str, Any]] = [
        {
            "qid": qid,
            "nuggets": [
                {"text": f"n{at}", "importance": "okay" if at % 3 == 2 else "vital", "part": "AABC"[at % 4]}
                for at in range(8)
            ],
        }
        for qid in ("1", "2")
    ]
    nuggets = read_nuggets(jsonl(tmp_path / "n.jsonl", topics))
    dice = np.random.default_rng(5)
    labels = np.array(["not_support", "partial_support", "support"])
    said = {run: {qid: dice.choice(labels, 8).tolist() for qid in ("1", "2")} for run in ("x", "y")}
    rows = []
    for run, some in said.items():
        for topic in topics:
            labelled = zip(topic["nuggets"], some[topic["qid"]], strict=True)
            rows.append(topic | {"run_id": run, "nuggets": [one | {"assignment": label} for one, label in labelled]})
    result = karat.nuggets(read_matches(jsonl(tmp_path / "m.jsonl", rows), nuggets), by=("part",))
    worth = dict(zip(labels.tolist(), (0, 0.5, 1), strict=True))
    assert [(part.topic, part.value) for part in result.parts] == [(qid, part) for qid in "12" for part in "ABC"]
    for part in result.parts:
        places = [at for at in range(8) if "AABC"[at % 4] == part.value]
        vital = [at for at in places if at % 3 != 2]
        assert (part.vital, part.okay) == (len(vital), len(places) - len(vital))
        for run in ("x", "y"):
            given = [worth[said[run][part.topic][at]] for at in vital]
            strict = [value == 1 for value in given]
            assert part.scores["vital"][run] == pytest.approx(np.mean(given))
            assert part.scores["strict_vital"][run] == pytest.approx(np.mean(strict))
    (sheet,) = [one for one in result.sheets() if one.title == "Scores by part"]
    assert [column.name for column in sheet.columns][:4] == ["part", "topic", "vital", "okay"]
    scores = result.scores("all", by="part")
    assert (scores.units[0], scores.clusters) == ("1: A", ("1", "1", "1", "2", "2", "2"))
    assert karat.compare(scores).clusters == 2
    with pytest.raises(UsageError, match="F needs lengths"):
        result.scores("f", by="part")
    with pytest.raises(UsageError, match="no attribute of the nuggets is called 'foo'"):
        karat.nuggets(read_matches(tmp_path / "m.jsonl", nuggets), by=("foo",))
