"""Check, of questions: every problem of every file at once, and what can be scored."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from statistics import median
from typing import Any

import pytest

import karat
from karat.data.provenance import QuestionFiles
from karat.errors import UsageError
from karat.formats.question_set import read_question_set
from karat.studies.check import Check

EXAMPLES = Path(karat.__file__).parent / "examples"
QA = EXAMPLES / "qa"
GIVEN: dict[str, Any] = {
    "judgments": (str(QA / "judgments.tsv"),),
    "nuggets": str(QA / "nuggets.tsv"),
    "matches": (str(QA / "matches.tsv"),),
    "patterns": (str(QA / "patterns.txt"),),
}


def checked(questions: Path, runs: Path, **files: Any) -> Check:
    """What is said of a test set of questions."""
    result: Check = karat.check(questions, [runs], files=QuestionFiles(**files))
    return result


def test_the_examples_can_be_scored() -> None:
    """Nothing is wrong with them, and every file is signed."""
    result = checked(QA / "questions.xml", QA / "runs", **GIVEN)
    assert (result.problems, result.failed, result.of, result.units) == ([], False, "questions", 67)
    assert len(result.valid) == result.runs == 7
    assert len(result.signature.files) == 12
    assert not {"judgments", "matches"} & set(result.signature.parameters)


def test_pairs_are_still_pairs() -> None:
    """The same call on a test set of entailment."""
    result = karat.check(EXAMPLES / "pairs.xml", [EXAMPLES / "runs"])
    assert (result.of, result.units, result.runs) == ("pairs", 160, 10)


def test_problems_of_all_files_at_once(tmp_path: Path) -> None:
    """An unknown question in a run, a verdict that is none, a bad pattern and a list without vital nuggets."""
    run = tmp_path / "bad.tsv"
    run.write_text((QA / "runs" / "careful.tsv").read_text() + "careful\t99.9\t1\tKRT\tnobody asked\n")
    judged = tmp_path / "judgments.tsv"
    judged.write_text((QA / "judgments.tsv").read_text().replace("\tR\t", "\tgreat\t", 1))
    patterns = tmp_path / "patterns.txt"
    patterns.write_text("1.1 (never closed\n")
    nuggets = tmp_path / "nuggets.tsv"
    nuggets.write_text((QA / "nuggets.tsv").read_text().replace("\tvital\t", "\tokay\t"))
    result = checked(
        QA / "questions.xml",
        run,
        **GIVEN | {"judgments": str(judged), "patterns": str(patterns), "nuggets": str(nuggets)},
    )
    told = {(Path(problem.file).name, problem.code) for problem in result.problems}
    assert told >= {
        ("bad.tsv", "unknown-id"),
        ("judgments.tsv", "verdict"),
        ("patterns.txt", "pattern"),
        ("nuggets.tsv", "no-vital"),
    }
    assert (result.failed, result.valid) == (True, [])


def test_unjudged_answers_are_told_where_they_stand(tmp_path: Path) -> None:
    """File and line of each, and only its run cannot be scored."""
    run = tmp_path / "new.tsv"
    text = (QA / "runs" / "careful.tsv").read_text().replace("careful\t", "new\t")
    header, first, *rest = text.splitlines()
    changed = "\t".join([*first.split("\t")[:-1], "something that nobody judged"])
    run.write_text("\n".join([header, changed, *rest]) + "\n")
    result = karat.check(
        QA / "questions.xml", [run, QA / "runs" / "steady.tsv"], files=QuestionFiles(judgments=GIVEN["judgments"])
    )
    assert [(problem.code, problem.line) for problem in result.problems] == [("unjudged", 2)]
    assert result.valid == ["steady"]


def test_questions_with_errors_stop_the_rest(tmp_path: Path) -> None:
    """Nothing can be held against them; the runs are named all the same."""
    broken = tmp_path / "questions.xml"
    broken.write_text("<trecqa year='2004'><target id='1' text='x'>")
    result = checked(broken, QA / "runs")
    assert (result.units, result.failed) == (None, True)
    assert len(result.sources) == 8
    assert result.findings() == ["The test set has errors, so no run was checked against it."]


def test_matches_need_nuggets() -> None:
    """Nothing says what is matched."""
    with pytest.raises(UsageError, match="needs the nuggets too"):
        QuestionFiles(matches=("matches.tsv",))


def test_a_list_of_nuggets_is_checked_alone(tmp_path: Path) -> None:
    """Without matches, and without runs; what is scored by it needs them."""
    listed = tmp_path / "nuggets.tsv"
    listed.write_text("qid\tnugget\tassessor\timportance\ttext\n1.1\t1\t\tokay\ta\n")
    files = QuestionFiles(nuggets=str(listed))
    result = karat.check(QA / "questions.xml", [], files=files)
    assert [(one.code, one.line) for one in result.problems] == [("not-other", 2), ("no-vital", 2)]
    assert not karat.check(QA / "questions.xml", [], files=QuestionFiles(nuggets=str(QA / "nuggets.tsv"))).problems
    with pytest.raises(UsageError, match="matches=…"):
        read_question_set(QA / "questions.xml", QA / "runs", files)


def test_the_examples_in_numbers() -> None:
    """Types, series, known answers and nuggets, counted once more from the files."""
    result = checked(QA / "questions.xml", QA / "runs", **GIVEN | {"target_types": str(QA / "target-types.txt")})
    assert result.described is not None
    counts = {one.what: one.number for one in result.described.counts}
    text = (QA / "questions.xml").read_text()
    for kind in ("factoid", "list", "other"):
        assert counts[f"{kind} questions"] == text.upper().count(f'TYPE="{kind.upper()}"')
    assert counts["series"] == sum(number for what, number in counts.items() if what.startswith("series: "))
    rows = [line.split("\t") for line in (QA / "judgments.tsv").read_text().splitlines()[1:]]
    right = {row[0] for row in rows if row[3] == "R" and row[1] != "NIL"}
    types = {one.id: one.type for one in karat.read_questions(QA / "questions.xml").questions}
    factoids = {name for name, kind in types.items() if kind == "FACTOID"}
    assert counts["factoid questions with no known answer (NIL)"] == len(factoids - right) == 5
    amounts = {one.what: one for one in result.described.amounts}
    nuggets = [line.split("\t") for line in (QA / "nuggets.tsv").read_text().splitlines()[1:]]
    assert amounts["nuggets per list"].total == len(nuggets)
    vital = Counter((row[0], row[2]) for row in nuggets if row[3] == "vital")
    found = amounts["vital nuggets per list"]
    assert (found.units, found.total) == (len(vital), vital.total())
    assert (found.least, found.median, found.most) == (min(vital.values()), median(vital.values()), max(vital.values()))


def test_sets_without_anything_to_describe(tmp_path: Path) -> None:
    """Pairs have no questions; patterns alone say which factoids they leave out."""
    assert karat.check(EXAMPLES / "pairs.xml", []).described is None
    patterns = tmp_path / "patterns.txt"
    patterns.write_text("1.1 1871\n1.2 NIL\n")
    result = karat.check(QA / "questions.xml", [], files=QuestionFiles(patterns=(str(patterns),)))
    assert result.described is not None
    counts = {one.what: one.number for one in result.described.counts}
    assert counts["factoid questions with no known answer (NIL)"] == 1
    assert counts["factoid questions without a pattern"] == counts["factoid questions"] - 2
    assert [one.what for one in result.described.amounts] == ["questions per series"]


def test_a_list_of_nuggets_in_numbers(tmp_path: Path) -> None:
    """Topics alone, of one assessor: a topic without an okay nugget counts as 0."""
    listed = tmp_path / "nuggets.tsv"
    listed.write_text("qid\tnugget\timportance\ttext\n1\t1\tvital\ta\n1\t2\tokay\tb\n2\t1\tvital\tc\n")
    result = karat.check(listed, [])
    assert result.described is not None
    rows = [(one.what, one.units, one.total, one.least, one.most) for one in result.described.amounts]
    assert rows == [
        ("nuggets per question", 2, 3, 1, 2),
        ("vital nuggets per question", 2, 2, 1, 1),
        ("okay nuggets per question", 2, 1, 0, 1),
    ]
