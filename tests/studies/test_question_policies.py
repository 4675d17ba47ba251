"""Policies of questions and nuggets on small files: each case is a mistake that somebody could make in scoring."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import karat
from karat.data.provenance import QuestionFiles, Source
from karat.data.scores import RagMetrics
from karat.errors import Problem, UsageError
from karat.formats.question_set import read_question_set
from karat.studies.qa.result import QuestionAnswering
from tests.undefined import all_explained


def table(header: str, *rows: str) -> str:
    """Rows with blanks for tabs; _ is an empty cell."""
    lines = [header, *rows]
    return "".join("\t".join("" if cell == "_" else cell for cell in line.split(" ")) + "\n" for line in lines)


def asked(folder: Path, questions: list[str], answers: list[str], **files: str) -> tuple[Any, ...]:
    """The files of a small test set, read; questions are `id type`, answers `run qid rank doc answer`."""
    (folder / "q.tsv").write_text(table("id series type question", *(f"{one} what?" for one in questions)))
    (folder / "r.tsv").write_text(table("run qid rank doc answer", *answers))
    given: dict[str, Any] = {}
    for name, content in files.items():
        (folder / f"{name}.tsv").write_text(content)
        given[name] = str(folder / f"{name}.tsv") if name == "nuggets" else (str(folder / f"{name}.tsv"),)
    found = read_question_set(folder / "q.tsv", folder / "r.tsv", QuestionFiles(**given, answers=5))
    return found.questions, found.answers, found.nouns()


def scored(folder: Path, questions: list[str], rows: list[str], files: dict[str, str], **how: Any) -> QuestionAnswering:
    """The result on a small test set."""
    test_set, answers, nouns = asked(folder, questions, rows, **files)
    result: QuestionAnswering = karat.qa(test_set, answers, **nouns, **how)
    return result


def judgments(*rows: str) -> str:
    """A judgments file."""
    return table("qid doc answer verdict group", *rows)


TWO = ["1 _ FACTOID", "2 _ FACTOID"]


def test_patterns_know_what_people_did_not_judge(tmp_path: Path) -> None:
    """NIL is wrong where a pattern has an answer, whether or not a run gives it."""
    files = {"judgments": judgments("1 D Paris R _"), "patterns": "1 Paris\n2 Lima\n"}
    nil = ["n 1 1 NIL _", "n 2 1 NIL _"]
    alone = scored(tmp_path, TWO, nil, files, unjudged="patterns")
    beside = scored(tmp_path, TWO, [*nil, "a 1 1 D Paris", "a 2 1 D Lima"], files, unjudged="patterns")
    assert [run.factoid.accuracy for run in alone.runs] == [0.0]
    assert [run.factoid.accuracy for run in beside.runs] == [0.0, 1.0]


def test_a_factoid_that_nothing_is_said_of(tmp_path: Path) -> None:
    """NIL counts as right, with a warning; where nobody judged any factoid, none is scored."""
    some = scored(tmp_path, TWO, ["n 1 1 NIL _", "n 2 1 NIL _"], {"judgments": judgments("1 D Paris R _")})
    assert some.runs[0].factoid.accuracy == 0.5
    assert [(one.code, "'2'" in one.found) for one in some.warnings] == [("no-verdicts", True)]
    none = scored(
        tmp_path, [*TWO, "3 _ LIST"], ["n 1 1 NIL _", "n 2 1 NIL _", "n 3 1 D x"], {"judgments": judgments("3 D x R x")}
    )
    assert math.isnan(none.runs[0].factoid.score.value)
    assert {one.unscored for one in none.questions} == {None, "no answer to any factoid question was judged"}


def test_patterns_join_peoples_groups(tmp_path: Path) -> None:
    """An unjudged string that a pattern accepts is the answer that people know under their own name."""
    files = {
        "judgments": judgments("1 D Mississippi R g1", "1 D Nile R g2"),
        "patterns": "1 Mississippi\n1 Nile\n",
    }
    runs = ["a 1 1 D Mississippi", "a 1 2 D Nile", "b 1 1 D TheMississippi"]
    result = scored(tmp_path, ["1 _ LIST"], runs, files, unjudged="patterns")
    assert [run.list.score.value for run in result.runs] == pytest.approx([1.0, 2 / 3])
    assert [(run.list.precision, run.list.recall) for run in result.runs] == [(1.0, 1.0), (1.0, 0.5)]


def test_a_string_is_no_group(tmp_path: Path) -> None:
    """A string without a group is not the group of the same name."""
    files = {"judgments": judgments("1 D 7 R _", "1 D dwarfs R 7")}
    result = scored(tmp_path, ["1 _ LIST"], ["a 1 1 D 7", "a 1 2 D dwarfs", "b 1 1 D 7"], files)
    assert [run.list.score.value for run in result.runs] == pytest.approx([1.0, 2 / 3])


def test_ranks_are_those_of_the_file(tmp_path: Path) -> None:
    """A right answer of rank 4 counts a quarter, wherever it stands; two of one rank are refused."""
    files = {"judgments": judgments("1 D right R _", "2 D wrong W _", "2 D right R _")}
    runs = ["a 1 4 D right", "a 2 1 D wrong", "a 2 5 D right"]
    result = scored(tmp_path, TWO, runs, files, answers=5)
    assert result.runs[0].factoid.score.value == pytest.approx((1 / 4 + 1 / 5) / 2)
    assert result.runs[0].factoid.accuracy == 0.0
    with pytest.raises(karat.DataError, match="rank: a second answer of rank 1"):
        asked(tmp_path, TWO, ["a 1 1 D right", "a 1 1 D other", "a 2 1 D wrong"])


SERIES = ["1.1 1 FACTOID", "1.2 1 OTHER", "2.1 2 FACTOID", "2.2 2 OTHER"]
NUGGETS = table("qid nugget assessor importance text", "1.2 1 x vital one", "2.2 1 x vital one")
MATCHES = table("run qid nugget assessor degree", "a 1.2 1 x 1", "a 2.2 1 x 0")
ANSWERS = ["a 1.1 1 D yes", "a 1.2 1 D one", "a 2.1 1 D yes", "a 2.2 1 D two"]
VERDICTS = judgments("1.1 D yes R _", "2.1 D yes R _")
FILES = {"judgments": VERDICTS, "nuggets": NUGGETS, "matches": MATCHES}


def test_a_series_without_its_other(tmp_path: Path) -> None:
    """Taken out, it leaves its series out as in TREC 2004; or the series is scored without it."""
    questions, answers, nouns = asked(tmp_path, SERIES, ANSWERS, **FILES)
    both = karat.qa(questions, answers, **nouns).runs[0]
    assert both.by_series.value == pytest.approx((1 + 0.67) / 2)
    several: dict[str, Any] = {name: (str(tmp_path / f"{name}.tsv"),) for name in ("judgments", "matches")}
    less = QuestionFiles(**several, nuggets=str(tmp_path / "nuggets.tsv"), exclude=("2.2",))
    found = read_question_set(tmp_path / "q.tsv", tmp_path / "r.tsv", less)
    assert found.questions is not None
    assert found.answers is not None
    out = karat.qa(found.questions, found.answers, **found.nouns())
    assert (out.runs[0].by_series.value, out.asked.units["series"].scored) == (1.0, 1)
    assert any("left out of the means: 2." in sentence for sentence in out.findings())
    kept = karat.qa(found.questions, found.answers, **found.nouns(), no_other="reweighted")
    assert kept.asked.units["series"].scored == 2


def test_a_type_that_nobody_judged_is_not_done_without(tmp_path: Path) -> None:
    """Factoids that are asked and not judged leave series undefined, as they do the score by type."""
    result = scored(tmp_path, SERIES, ANSWERS, {"nuggets": NUGGETS, "matches": MATCHES})
    assert math.isnan(result.runs[0].by_series.value)
    assert math.isnan(result.runs[0].by_type)


def test_a_run_that_says_nothing_holds_nothing(tmp_path: Path) -> None:
    """It needs no rows among the matches; one that answers does."""
    silent = [*ANSWERS, "b 1.1 1 D yes", "b 2.1 1 D yes"]
    result = scored(tmp_path, SERIES, silent, FILES)
    assert [run.other.score.value for run in result.runs] == pytest.approx([0.5, 0.0])
    with pytest.raises(karat.DataError, match="no matches of run 'b'"):
        scored(tmp_path, SERIES, [*silent, "b 1.2 1 D one"], FILES)


def test_other_choices(tmp_path: Path) -> None:
    """`sensitivity` of questions: rankings under each choice, with tau to the one asked for; crossings of β."""
    rows = [*ANSWERS, "b 1.1 1 D yes", "b 1.2 1 D " + "x" * 150, "b 2.1 1 D yes", "b 2.2 1 D one"]
    matches = MATCHES + table("b 1.2 1 x 1", "b 2.2 1 x 0")
    questions, answers, nouns = asked(tmp_path, SERIES, rows, **{**FILES, "matches": matches})
    result = karat.sensitivity(questions=questions, answers=answers, **nouns)
    by_choice = {(one.setting, one.value): one for one in result.settings}
    assert by_choice["official", "by series"].scores == pytest.approx(
        {run.run: run.by_series.value for run in karat.qa(questions, answers, **nouns).runs}
    )
    assert by_choice["allowance", "50"].ranking == ["a", "b"]
    assert by_choice["allowance", "200"].tied == 1
    assert ("beta", "3") not in by_choice
    choices = {"official", "by", "beta", "allowance", "missing", "accept", "no_list", "no_other", "weights", "nuggets"}
    assert {one.setting for one in result.settings} == choices
    all_explained(result)
    with pytest.raises(UsageError, match="apply to pairs"):
        karat.sensitivity(questions=questions, answers=answers, **nouns, measure="kappa")
    one_run = asked(tmp_path, SERIES, ANSWERS, **FILES)
    with pytest.raises(UsageError, match="at least two runs"):
        karat.sensitivity(questions=one_run[0], answers=one_run[1], **one_run[2])


def test_matrices_of_one_result_have_signatures_of_their_own(tmp_path: Path) -> None:
    """Series and factoids of the same files are other numbers."""
    answers = [*ANSWERS, "b 1.1 1 D no", "b 1.2 1 D one", "b 2.1 1 D yes", "b 2.2 1 D two"]
    judged = judgments("1.1 D yes R _", "2.1 D yes R _", "1.1 D no W _")
    matches = MATCHES + table("b 1.2 1 x 1", "b 2.2 1 x 0")
    result = scored(tmp_path, SERIES, answers, {**FILES, "judgments": judged, "matches": matches})
    signed = [str(karat.compare(result.scores(unit)).signature) for unit in ("series", "factoid", "other")]
    assert len(set(signed)) == 3


def test_wrong_calls(tmp_path: Path) -> None:
    """Each with its reason."""
    questions, answers, nouns = asked(tmp_path, SERIES, ANSWERS, **FILES)
    with pytest.raises(UsageError, match="no weights"):
        karat.qa(questions, answers, **nouns, recall="pyramid")
    with pytest.raises(UsageError, match="beta is inf; expected a number"):
        karat.qa(questions, answers, **nouns, beta=math.inf)
    alone, given, verdicts = asked(
        tmp_path, TWO, ["a 1 1 D x", "a 2 1 D x"], judgments=judgments("1 D x R _", "2 D x W _")
    )
    with pytest.raises(UsageError, match="do not come in series"):
        karat.qa(alone, given, **verdicts).scores("series")
    with pytest.raises(UsageError, match="cannot write"):
        karat.write_scores(karat.qa(alone, given, **verdicts).scores("factoid"), tmp_path / "none" / "s.csv")


def rag(folder: Path, **runs: dict[str, list[tuple[str, str]]]) -> karat.Matches:
    """Assignments of runs on topics: importance and assignment of each nugget."""
    listed = {topic: [importance for importance, _ in given] for run in runs.values() for topic, given in run.items()}
    lines = [
        {"qid": topic, "query": "", "nuggets": [{"text": f"n{at}", "importance": one} for at, one in enumerate(kinds)]}
        for topic, kinds in listed.items()
    ]
    (folder / "n.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    for name, topics in runs.items():
        rows = [
            {
                "qid": topic,
                "run_id": name,
                "answer_text": "text",
                "nuggets": [
                    {"text": f"n{at}", "importance": one, "assignment": said} for at, (one, said) in enumerate(given)
                ],
            }
            for topic, given in topics.items()
        ]
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return karat.read_matches([folder / f"{name}.jsonl" for name in runs], karat.read_nuggets(folder / "n.jsonl"))


def test_a_run_without_assignments_on_a_topic(tmp_path: Path) -> None:
    """The topic is left out of everybody's mean, by name, and a warning says whose file lacks it."""
    held, not_held = [("vital", "support")], [("vital", "not_support")]
    matches = rag(tmp_path, r={"t1": held, "t2": not_held}, s={"t1": held})
    result = karat.nuggets(matches)
    assert [(run.vital, run.topics, run.missing) for run in result.runs] == [(1.0, 1, 1), (1.0, 1, 1)]
    assert [(one.topic, one.reason) for one in result.unscored] == [("t2", "nobody judged s on it")]
    assert [one.code for one in result.warnings] == ["no-assignment"]
    assert result.changed == []


def test_stored_scores(tmp_path: Path) -> None:
    """Equal where they are, and how far apart where not."""
    matches = rag(tmp_path, r={"t1": [("vital", "support")], "t2": [("vital", "partial_support")]})
    scores = {"vital_score": np.array([1.0, 0.25])}
    stored = RagMetrics(("t1", "t2"), scores, {}, Source("stored.jsonl", "0"))
    result = karat.nuggets(matches, stored=[stored])
    assert stored.source in result.signature.files
    assert [(one.topics, one.equal, one.largest) for one in result.stored] == [(2, 1, 0.25)]
    with pytest.raises(UsageError, match="one for each"):
        karat.nuggets(matches, stored=[stored, stored])


LISTS = table("qid nugget assessor importance text", "t 1 A vital one", "t 1 B vital two")


def test_a_list_that_not_every_run_was_held_against(tmp_path: Path) -> None:
    """Runs are compared on the lists they share; an assessor who did not judge a run gives it no 0."""
    (tmp_path / "n.tsv").write_text(LISTS)
    (tmp_path / "m.tsv").write_text(table("run qid nugget assessor degree", "x t 1 A 1", "y t 1 A 1", "y t 1 B 0"))
    matches = karat.read_matches(tmp_path / "m.tsv", karat.read_nuggets(tmp_path / "n.tsv"))
    for missing in ("missing", "zero"):
        assert [run.vital for run in karat.nuggets(matches, missing=missing).runs] == [1.0, 1.0]


def test_no_f_without_lengths(tmp_path: Path) -> None:
    """Not even of topics on which nothing is held."""
    (tmp_path / "n.tsv").write_text(table("qid nugget assessor importance text", "1 1 x vital one", "2 1 x vital two"))
    (tmp_path / "m.tsv").write_text(table("run qid nugget assessor degree", "a 1 1 x 1", "b 1 1 x 0"))
    result = karat.nuggets(karat.read_matches(tmp_path / "m.tsv", karat.read_nuggets(tmp_path / "n.tsv")))
    assert all(math.isnan(run.f) for run in result.runs)
    assert result.betas is None


def test_one_assessor_alone_signs_otherwise(tmp_path: Path) -> None:
    """What no file holds is signed by what it is."""
    (tmp_path / "n.tsv").write_text(LISTS)
    rows = ("x t 1 A 1", "x t 1 B 0", "y t 1 A 1", "y t 1 B 0")
    (tmp_path / "m.tsv").write_text(table("run qid nugget assessor degree", *rows))
    matches = karat.read_matches(tmp_path / "m.tsv", karat.read_nuggets(tmp_path / "n.tsv"))
    assert str(karat.nuggets(matches).signature) != str(karat.nuggets(matches.of("A")).signature)


def test_check_of_nuggets_and_assignments(tmp_path: Path) -> None:
    """A list without vital nuggets is an error here, each assessor's; runs that can be scored are counted."""
    rag(tmp_path, r={"t1": [("vital", "support")], "t2": [("okay", "support")]})
    result = karat.check(tmp_path / "n.jsonl", [tmp_path / "r.jsonl"])
    assert (result.of, result.units, result.runs, result.valid) == ("topics", 2, 1, [])
    assert [(one.found, one.line) for one in result.problems] == [("no vital nugget for 't2'", 2)]
    rag(tmp_path, r={"t1": [("vital", "support")]})
    assert karat.check(tmp_path / "n.jsonl", [tmp_path / "r.jsonl"]).valid == ["r"]


def told_by(folder: Path, *rows: str) -> list[Problem]:
    """What is said of a file of answers to two factoids."""
    with pytest.raises(karat.DataError) as caught:
        asked(folder, TWO, list(rows))
    return list(caught.value.problems)


def test_too_many_answers_are_told_as_asked(tmp_path: Path) -> None:
    """Six where five may be given."""
    rows = [f"a 1 {rank} D x{rank}" for rank in range(1, 7)]
    (problem,) = told_by(tmp_path, *rows, "a 2 1 D x")
    assert (problem.code, problem.expected) == ("several-answers", "at most 5 answers to a factoid question")
