"""Tests of the catalogue: every problem can happen, says what to do, and is told in one form."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from dataclasses import replace
from gzip import compress
from pathlib import Path
from typing import Any

import pytest
from tools import harness_logs as logs

import karat
from karat.campaign.wrapped import report_wrapped
from karat.data.provenance import QuestionFiles, Source
from karat.errors import (
    CATALOGUE,
    MOST_KEPT,
    QUOTED_CHARACTERS,
    DataError,
    Problem,
    Problems,
    UsageError,
    printable,
    summary,
)
from karat.formats import documents
from karat.formats.ballots import read_ballots
from karat.formats.documents import Document
from karat.formats.judge_table import read_judges
from karat.formats.justification_ratings import read_justifications
from karat.formats.pairs import read_pairs
from karat.formats.preference_table import read_preferences
from karat.formats.runs import read_runs
from karat.formats.scores import read_judgments, read_scores
from karat.formats.weights import read_weights
from karat.studies.check import check
from karat.studies.justify.study import justify
from karat.studies.qa.study import qa
from tests.campaign.problems import BAD_CAMPAIGNS
from tests.decompositions import BAD_DECOMPOSITIONS
from tests.engines.text.conllu_files import BAD_PARSES
from tests.files import key_of, key_problems, read_key, run_problems, three_way, two_way, workbook
from tests.nugget_files import HEADER as NUGGETS
from tests.nugget_files import MATCHES, answer_problems, match_problems, nugget_problems, nuggets_in
from tests.question_problems import BAD_QUESTIONS
from tests.studies.qa_worlds import nouns, random_world
from tests.support_files import BAD_SUPPORT

HEADER = "id,text,hypothesis,label\n"


def table(rows: str) -> list[Problem]:
    """What is said of a key with these rows."""
    return key_problems(HEADER + rows, "key.csv")


def corpus(inside: str, before: str = "") -> list[Problem]:
    """What is said of an RTE file."""
    return key_problems(f"{before}<devset>{inside}</devset>")


def run(content: str | bytes, **options: str) -> list[Problem]:
    """What is said of a run on a three-way key."""
    return run_problems(content, three_way(), **options)


def skipped() -> list[Problem]:
    """What is said of a run that is left out, since it has errors."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "a.txt").write_text("1 YES\n")
        with pytest.raises(DataError) as caught:
            read_runs(folder, three_way(), skip_bad_runs=True)
        return list(caught.value.problems)


def unreadable() -> list[Problem]:
    """What is said of a file that is not there."""
    with pytest.raises(DataError) as caught:
        read_pairs(Path("none") / "none.xml")
    return list(caught.value.problems)


def missing_weight() -> list[Problem]:
    """Weights of some pairs."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "weights.txt")
        path.write_text("1 1\n")
        try:
            read_weights(path, three_way())
        except DataError as error:
            return list(error.problems)
    return []


def duplicate_run() -> list[Problem]:
    """What is said of one run given twice."""
    key = Path(__file__).parents[1] / "src" / "karat" / "examples"
    with pytest.raises(DataError) as caught:
        read_runs([key / "runs" / "overlap.txt"] * 2, read_pairs(key / "pairs.xml"))
    return list(caught.value.problems)


def no_vital_nugget() -> list[Problem]:
    """What `check` says of a list without vital nuggets."""
    examples = Path(__file__).parents[1] / "src" / "karat" / "examples" / "qa"
    with tempfile.TemporaryDirectory() as folder:
        nuggets = Path(folder) / "nuggets.tsv"
        nuggets.write_text((examples / "nuggets.tsv").read_text().replace("\tvital\t", "\tokay\t"))
        files = QuestionFiles(nuggets=str(nuggets), matches=(str(examples / "matches.tsv"),))
        return list(check(examples / "questions.xml", [examples / "runs"], files=files).problems)


def unjudged_answers() -> list[Problem]:
    """What is said of answers that people judged none of."""
    world = random_world(4)
    given = nouns(world)
    world.verdicts = dict(list(world.verdicts.items())[:1])
    with pytest.raises(DataError) as caught:
        qa(given["questions"], given["answers"], verdicts=nouns(world)["verdicts"], matches=given["matches"])
    return list(caught.value.problems)


def refused_matches() -> list[Problem]:
    """What is said of a run whose answers are given, and no matches."""
    world = random_world(4)
    given, fewer = nouns(world), nouns(replace(world, runs=world.runs[1:]))
    with pytest.raises(DataError) as caught:
        qa(given["questions"], given["answers"], verdicts=given["verdicts"], matches=fewer["matches"])
    return list(caught.value.problems)


def told_matches() -> list[Problem]:
    """What is said of matches of a run whose answers are not given."""
    world = random_world(4)
    given, fewer = nouns(world), nouns(replace(world, runs=world.runs[1:]))
    made = qa(given["questions"], fewer["answers"], verdicts=given["verdicts"], matches=given["matches"])
    return list(made.warnings)


def same_judge_twice() -> list[Problem]:
    """Two files of one name, which is the name of the judge."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("a", "b"):
            (Path(folder) / name).mkdir()
            (Path(folder) / name / "x.csv").write_text("run,1,2\na,0,1\nb,1,1\n")
        with pytest.raises(DataError) as caught:
            read_judgments([Path(folder) / name / "x.csv" for name in ("a", "b")])
    return list(caught.value.problems)


def wrapped() -> list[Problem]:
    """A label that a campaign does not take."""
    document, problems = Document("run.csv", b"id,label\n1,Answer: E\n", Source.of_bytes("run.csv", b"")), Problems()
    report_wrapped(document, problems)
    return list(problems)


def scores_of(content: str) -> list[Problem]:
    """What is said of scores."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "scores.csv").write_text(content)
        try:
            return list(read_scores(Path(folder) / "scores.csv").warnings)
        except DataError as error:
            return list(error.problems)


def units_as_rows(units: int = 30, heading: str = "") -> list[Problem]:
    """What is said of a score matrix with one row per unit."""
    with tempfile.TemporaryDirectory() as folder:
        rows = "".join(f"u{unit},0,1\n" for unit in range(units))
        (Path(folder) / "scores.csv").write_text(f"{heading},a,b\n{rows}")
        try:
            return list(read_scores(Path(folder) / "scores.csv").warnings)
        except DataError as error:
            return list(error.problems)


def refused_file(name: str, content: str, use: Callable[[Path], object]) -> list[Problem]:
    """What is said of a file when it is used."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "in" / name
        file.parent.mkdir()
        file.write_text(content)
        with pytest.raises(DataError) as caught:
            use(file)
    return list(caught.value.problems)


def cancelled() -> list[Problem]:
    """What is said of an annotation that was cancelled."""
    export = logs.label_studio(logs.ANNOTATED).replace(b'"was_cancelled": false', b'"was_cancelled": true', 1)
    return ballots(export.decode(), suffix=".json")


def predictions() -> list[Problem]:
    """What is said of predictions beside annotations."""
    return ballots(logs.label_studio(logs.ANNOTATED, logs.PREDICTED).decode(), suffix=".json")


def ballots(*contents: str, suffix: str = ".csv", **options: Any) -> list[Problem]:
    """What is said of files of ballots."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{place}{suffix}" for place in range(len(contents))]
        for file, content in zip(files, contents, strict=True):
            file.write_text(content)
        try:
            return list(read_ballots(files, **options).warnings)
        except DataError as error:
            return list(error.problems)


def matched(content: str, suffix: str = ".tsv") -> list[Problem]:
    """What is said of matches with one nugget."""
    return match_problems(nuggets_in(NUGGETS + "q\t1\t\tvital\ta\n"), content, suffix=suffix)


RATED = "run\tunit\tjudge\tunderstandable\tcompelling\n"


def rated(rows: str, decision: str = "YES", header: str = RATED, judges: str = "", **options: Any) -> list[Problem]:
    """What is said of ratings of runs a and b, which decide so on a pair that is entailed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "ratings.tsv").write_text(header + rows)
        (folder / "key.csv").write_text(HEADER + "1,t,h,YES\n")
        for run in "ab":
            (folder / f"{run}.txt").write_text(f"1 {decision}\n")
        key = read_pairs(folder / "key.csv")
        try:
            ratings = read_justifications(folder / "ratings.tsv", **options)
            runs = read_runs([folder / "a.txt", folder / "b.txt"], key)
            (folder / "judges.tsv").write_text(judges or "judge\nann\n")
            known = read_judges(folder / "judges.tsv") if judges else None
            return list(justify(ratings, runs=runs, judges=known, replicates=100).warnings)
        except DataError as error:
            return list(error.problems)


def preference_problems(rows: str, more: str = "") -> list[Problem]:
    """Preferences that are not valid, or read with a warning."""
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "preferences.csv"
        file.write_text(f"left,right,winner{more}\n{rows}")
        try:
            return list(read_preferences(file).warnings)
        except DataError as error:
            return list(error.problems)


ASSIGNED = '{"qid": "q", "run_id": "x", "nuggets": [%s]}\n'
CITING = '{"topic_id": "q", "references": [], "answer": [{"text": "a", "citations": [7]}]}\n'
BAD: dict[str, Callable[[], list[Problem]]] = {
    "unreadable": unreadable,
    "too-large": lambda: corpus(f'<pair id="{"1" * documents.MAX_LINE}1"/>'),
    "gzip": lambda: run(compress(b"1 YES\n")[:-4]),
    "gzip-bomb": lambda: run(compress(bytes(documents.GZIP_RATIO_FROM + 1))),
    "parquet": lambda: run(b"PAR1" + bytes(20)),
    "encoding": lambda: run(b"1 YES\n2 M\xfc\n"),
    "control-character": lambda: run(b"1\x1cYES\n2 NO\n3 NO\n"),
    "nul": lambda: run("1 YES\0\n"),
    "line-too-long": lambda: run("1 YES" + " " * documents.MAX_LINE),
    "carriage-return": lambda: run("1 YES\r"),
    "no-final-newline": lambda: run("1 YES"),
    "empty-line-at-end": lambda: run("1 YES\n\n"),
    "empty-line": lambda: run("1 YES\n\n2 NO\n"),
    "format": lambda: key_problems("a;b\n"),
    "empty-file": lambda: key_problems(""),
    "xml": lambda: corpus("<pair>"),
    "bare-ampersand": lambda: corpus("&"),
    "entity": lambda: corpus("", '<!DOCTYPE a [<!ENTITY b "c">]>'),
    "undefined-entity": lambda: corpus("&nbsp;"),
    "xml-too-deep": lambda: corpus("<a>" * 40),
    "xml-declaration": lambda: corpus("", '<?xml version="1.0"encoding="UTF-8"?>'),
    "element": lambda: corpus('<pair id="1"/>'),
    "json": lambda: key_problems('{"id": 1, "text": "a", "hypothesis": "b"}\n{\n', "key.jsonl"),
    "columns": lambda: table("1,a\n"),
    "no-column": lambda: key_problems("id,text\n1,a\n", "key.csv", reader="table"),
    "which-column": lambda: run_problems("id,label,bert\n1,E,N\n2,N,N\n3,C,C\n", three_way(), "run.csv"),
    "which-key": lambda: key_problems("id,gold,label\n1,E,N\n2,N,N\n3,C,C\n", "key.csv"),
    "quoting": lambda: table('1,"a\n'),
    "json-array": lambda: key_problems('[{"id": 1, "label": "YES"}, {]', "key.json"),
    "workbook": lambda: key_problems(workbook([["id", "label"], [1, "YES"]])[:300], "key.xlsx"),
    "several-sheets": lambda: key_problems(workbook([["id", "label"], [1, "YES"]], [["note"], ["x"]]), "key.xlsx"),
    "log": lambda: key_problems('{"version": 2, "status": "success", "eval": {}}', "log.json"),
    "cancelled": cancelled,
    "predictions": predictions,
    "no-id": lambda: table(",a,b,YES\n"),
    "duplicate-id": lambda: table("1,a,b,YES\n1,a,b,YES\n"),
    "label": lambda: table("1,a,b,PERHAPS\n"),
    "label-outside-task": lambda: run("1 PERHAPS\n"),
    "label-code": lambda: run("1 1\n"),
    "unlabelled": lambda: table("1,a,b,YES\n2,a,b,-\n"),
    "empty-text": lambda: table("1,a,,YES\n"),
    "unknown-id": lambda: run("9 YES\n"),
    "missing-id": lambda: run("1 YES\n"),
    "two-id-columns": lambda: run_problems("id,uid,pred\n1,3,E\n2,2,N\n3,1,C\n", three_way(), "run.csv"),
    "id-form": lambda: run_problems("id,pred\n1.0,E\n2.0,N\n3.0,C\n", three_way(), "run.csv"),
    "other-texts": lambda: run_problems("id,t,h,pred\n1,b,a,E\n2,b,a,N\n3,a,b,C\n", three_way(), "run.csv"),
    "some-other-texts": lambda: run_problems("id,t,h,pred\n1,b,a,E\n2,a,b,N\n3,a,b,C\n", three_way(), "run.csv"),
    "no-ids": lambda: key_problems("label\nYES\n", "key.csv"),
    "ids-needed": lambda: run_problems("prediction\nE\nN\nC\n", three_way(), "run.csv"),
    "unanswered": lambda: run_problems("id,pred\n1,E\n2,N\n3,\n", three_way(), "run.csv"),
    "unparsed-answer": lambda: run_problems("id,pred\n1,E\n2,N\n3,I cannot say that.\n", three_way(), "run.csv"),
    "missing-answers": lambda: run("1 YES\n", missing="wrong"),
    "unparsed": lambda: run("1 YES\n2 UNKNOWN\n3 PERHAPS\n", unparsed="wrong"),
    "bad-run": skipped,
    "no-good-run": skipped,
    "not-ascii": lambda: run("1 YÉS\n"),
    "run-line": lambda: run("1 YES\n2\n"),
    "ambiguous-no": lambda: run("1 YES\n2 NO\n3 NO\n"),
    "ambiguous-no-blind": lambda: run_problems("1 NO\n", key_of("-")),
    "folded": lambda: run_problems("1 YES\n2 UNKNOWN\n3 NO\n", two_way()),
    "two-way-runs": lambda: list(karat.responses(["E", "N", "C"], ["E", "not_entailment", "E"]).warnings),
    "confidence": lambda: run("1 YES nan\n"),
    "probability": lambda: run_problems("id,p_e,p_n,p_c\n1,2,-1,.5\n2,.5,.5,0\n3,.5,.5,0\n", three_way(), "run.csv"),
    "logits": lambda: run_problems("id,p_e,p_n,p_c\n1,2,-1,.5\n2,1,-1,2\n3,0,3,1\n", three_way(), "run.csv"),
    "probability-labels": lambda: run_problems("id,p_e,p_n\n1,1,0\n2,.5,.5\n3,.5,.5\n", three_way(), "run.csv"),
    "probability-list": lambda: run_problems('id,probs\n1,"[1,0,0]"\n2,\n3,\n', three_way(), "run.csv"),
    "label-beside-probabilities": lambda: run_problems(
        "id,label,p_e,p_n,p_c\n1,E,1,0,0\n2,N,1,0,0\n3,E,1,0,0\n", three_way(), "run.csv"
    ),
    "ids-beside-none": lambda: run_problems("id,pred\n1,E\n0,N\n", read_key("label\nE\nN\n", "key.csv"), "run.csv"),
    "not-likeliest": lambda: run_problems(
        "id,pred,p_e,p_n,p_c\n1,E,1,0,0\n2,N,1,0,0\n3,C,1,0,0\n", three_way(), "run.csv"
    ),
    "score": lambda: scores_of("run,1\na,x\n"),
    "notes": lambda: scores_of("run,1,remark\na,1,x\nb,0,y\n"),
    "label-in-text": wrapped,
    "no-score": lambda: scores_of("run,1,2\na,1,\nb,1,\n"),
    "key-folder": lambda: refused_file("a.csv", "id,label\n1,E\n", lambda file: read_pairs(file.parent)),
    "no-answers": lambda: refused_file("a.csv", "id,label\n1,E\n2,N\n", lambda file: read_runs(file, read_pairs(file))),
    "cut-off": lambda: refused_file(
        "a.jsonl",
        '{"id": "1", "text": "A dog.", "hypothesis": "A cat."}\n{"id": "2", "te',
        lambda file: karat.run("always-entailment", karat.pair_files(file), output=file.with_name("run.txt")),
    ),
    "units-as-rows": units_as_rows,
    "too-many-runs": lambda: units_as_rows(1001),
    "transposed": lambda: units_as_rows(heading="item"),
    "which-score": lambda: scores_of("run,unit,metric,score\na,1,x,0\na,1,y,0\n"),
    "which-judge": lambda: scores_of("judge,run,unit,score\nx,a,1,0\ny,a,1,0\n"),
    "duplicate-judge": same_judge_twice,
    "equals-key": lambda: run_problems(
        "".join(f"{place} {one}\n" for place, one in enumerate("ENCEN", 1)), key_of(*"ENCEN")
    ),
    "missing-weight": missing_weight,
    "weight": lambda: run_problems("id,label,weight\n1,E,-1\n2,N,1\n3,C,1\n", three_way(), "run.csv"),
    "gold-differs": lambda: run("1\tC\tE\t1\n2\tN\tN\t1\n3\tC\tC\t1\n"),
    "ranked-otherwise": lambda: run("ranked-by: response\n1 YES\n2 UNKNOWN\n3 NO\n", ranked_by="entailment"),
    "ranked-by": lambda: run("ranked: yes\n1 YES\n2 UNKNOWN\n3 NO\n"),
    "not-sound": lambda: run("ranked-by: entailment\n3 NO\n2 UNKNOWN\n1 YES\n"),
    "duplicate-run": duplicate_run,
    "empty-nugget": lambda: nugget_problems(NUGGETS + "q\t1\t\tvital\t\n"),
    "no-importance": lambda: nugget_problems('{"query_id": "1", "nugget_bank": [{"question": "a?"}]}\n', "n.jsonl"),
    "importance": lambda: nugget_problems(NUGGETS + "q\t1\t\tfailed\ta\n"),
    "assignment": lambda: matched(ASSIGNED % '{"text": "a", "importance": "vital"}', ".jsonl"),
    "unknown-nugget": lambda: matched(MATCHES + "x\tq\t2\t\t1\n"),
    "nugget-list": lambda: matched(ASSIGNED % "", ".jsonl"),
    "no-vital": no_vital_nugget,
    "unjudged": unjudged_answers,
    "run-without": refused_matches,
    "run-beside": told_matches,
    "citation": lambda: answer_problems(CITING),
    **BAD_SUPPORT,
    **BAD_DECOMPOSITIONS,
    "no-label": lambda: ballots("anna\nYes\nPerhaps\n", assessor=("anna",), leading=("Yes", "No")),
    "other-unit": lambda: ballots(
        "t,anna\na,1\n", "t,ben\nb,1\n", assessor=("anna", "ben"), same=("t",), ballot_column={"unit": "row"}
    ),
    "duplicate-unit": lambda: ballots("unit,anna\n1,x\n1,y\n", assessor=("anna",)),
    "rare-label": lambda: ballots("anna\n" + "yes\nno\n" * 100 + "ys\n", assessor=("anna",)),
    "many-labels": lambda: ballots("anna\n" + "".join(f"{n}\n" for n in range(40)), assessor=("anna",)),
    "programs": lambda: ballots("unit,assessor,label,program\n1,a,x,\n1,b,y,rules 3\n"),
    "adjudications": lambda: ballots("unit,assessor,label,reason\n1,a,x,\n1,b,y,\n1,c,x,error\n"),
    "rating": lambda: rated("a\t1\tann\t6\t1\n"),
    "not-rated": lambda: rated("a\t1\tann\t3\t\n"),
    "unasked": lambda: rated("a\t1\tann\t2\t1\n"),
    "unasked-dropped": lambda: rated("a\t1\tann\t2\t1\n", unasked="drop"),
    "unrated": lambda: rated("a\t1\tann\t2\t\na\t1\tben\t\t\n"),
    "skipped-partly": lambda: rated("a\t1\tann\t2\t\nb\t1\tann\tskip\t\n"),
    "no-judges": lambda: rated("a\t1\t2\t\n", header="run\tunit\tunderstandable\tcompelling\n"),
    "rare-name": lambda: rated("".join(f"a\t1\t{one}\t2\t\n" for one in "defg") + "b\t1\td\t2\t\n"),
    "unknown-judge": lambda: rated("a\t1\tann\t2\t\n", judges="judge\nAnne\n"),
    "best-of-wrong": lambda: rated("a\t1\tann\t5\t5\n", "NO"),
    "preference": lambda: preference_problems("x,y,perhaps\n"),
    "ambiguous-preference": lambda: preference_problems("b,a,a\n"),
    "same-run": lambda: preference_problems("x,x,left\n"),
    "compared-twice": lambda: preference_problems("x,y,left,1,ann\n" * 2, ",qid,assessor"),
    **BAD_QUESTIONS,
    **BAD_PARSES,
    **BAD_CAMPAIGNS,
    "more": lambda: run("9 YES\n" * (MOST_KEPT + 1)),
}


def test_every_code_of_the_catalogue_can_happen() -> None:
    """The bad files here produce every code, and no code that is not in the catalogue."""
    produced = {problem.code for make in BAD.values() for problem in make()}
    assert produced == set(CATALOGUE)


@pytest.mark.parametrize("code", BAD)
def test_a_problem_says_what_and_how(code: str) -> None:
    """Found, expected and fix are filled in; file and severity are the catalogue's."""
    problem = next(problem for problem in BAD[code]() if problem.code == code)
    assert problem.severity == CATALOGUE[code].severity or code == "more"
    for sentence in (problem.found, problem.expected, problem.fix):
        assert sentence
        assert not re.search(r"[{}]", sentence)
    assert str(problem).startswith(f"{problem.file}:" if problem.file else f"{code}: ")


def test_one_form_for_all() -> None:
    """`file:line:column: code: found; expected; fix`, without what is not there."""
    (problem,) = run("1 YES\n2 UNKNOWN\n3 PERHAPS\n")
    assert problem.said(str) == (
        "run.txt:3:3: label-outside-task: label 'PERHAPS' of pair '3'; expected one of ENTAILMENT, UNKNOWN, "
        "CONTRADICTION; correct it, or say what it means: --label PERHAPS=LABEL; --unparsed wrong counts such answers "
        "as wrong"
    )
    missing = next(problem for problem in run("1 YES\n") if problem.code == "missing-id")
    assert str(missing).startswith("run.txt: missing-id: no line for pair '2'; expected")


def test_warnings_alone_do_not_raise() -> None:
    """An error raises with the warnings beside it."""
    problems = Problems()
    problems.add("carriage-return", "carriage returns", file="a")
    problems.raise_errors()
    assert not problems.failed("a")
    problems.add("no-id", "a pair without id", file="b")
    assert problems.failed("b")
    with pytest.raises(DataError) as caught:
        problems.raise_errors()
    assert [problem.code for problem in caught.value.problems] == ["carriage-return", "no-id"]
    assert [problem.code for problem in problems.warnings] == ["carriage-return"]


def test_a_run_that_was_cut_off_is_one_line() -> None:
    """Many missing pairs are one line with the first few and the count; a few are told one by one, and all are kept."""
    problems = Problems()
    problems.add("label", "label 'x'", file="cut.txt", line=7, spelled="x")
    for pair in range(30):
        problems.add("missing-id", f"no line for pair '{pair}'", file="cut.txt")
    for pair in range(20):
        problems.add("missing-id", f"no line for pair '{pair}'", file="short.txt")
    lines = summary(problems).splitlines()
    assert len(lines) == 22
    assert lines[1] == (
        "cut.txt: missing-id: 30 in total: no line for pair '0', no line for pair '1', no line for pair '2' …; "
        "expected an answer to every pair; add a line for it; partial runs are refused unless --missing wrong "
        "(`karat check --format json` lists all of a key or run)"
    )
    assert [line.split(": ")[:2] for line in lines[2:]] == [["short.txt", "missing-id"]] * 20
    assert len(list(problems)) == 51


def test_where_the_other_warnings_are() -> None:
    """A result's JSON has all its warnings, those of ballots too, which `karat check` does not read."""
    problems = Problems()
    for line in range(30):
        problems.add("no-label", "'x'", file="said.tsv", line=line, what="Yes")
    told = summary(problems).splitlines()[-1]
    assert told == "said.tsv: no-label: 30 in total, 20 shown (--format json has all of them)"


def test_millions_alike_are_counted() -> None:
    """Beyond a limit they are counted in one line; the summary shows fewer still, and how many there were."""
    problems = run("9 YES\n" * (MOST_KEPT + 5))
    assert len([problem for problem in problems if problem.code == "unknown-id"]) == MOST_KEPT
    assert [problem.found for problem in problems if problem.code == "more"] == ["5 more of unknown-id"]
    text = summary(problems)
    assert len(text.splitlines()) < 40
    counted = f"run.txt: unknown-id: {MOST_KEPT:,} in total, 20 shown"
    assert counted.replace(",", "") in text.replace(",", "")


def test_what_a_file_says_is_made_fit_to_print() -> None:
    """Cut at a length, and with nothing that a terminal would obey."""
    assert printable("é ⊢ 'x'") == "é ⊢ 'x'"
    assert printable("\x1b[31m\n") == "\\x1b[31m\\n"
    assert len(printable("x" * 10_000)) == QUOTED_CHARACTERS + 1


def test_an_unknown_name_gets_the_nearest() -> None:
    """Whatever its case; where nothing is near, the names there are."""
    assert str(UsageError.unknown("label", "entailmnt", ["ENTAILMENT", "UNKNOWN"])) == (
        "no label is called 'entailmnt'; did you mean 'ENTAILMENT'? Known: ENTAILMENT, UNKNOWN"
    )
    assert str(UsageError.unknown("label", "x", ["B", "A"])) == "no label is called 'x'. Known: A, B"


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("wya", "way"),  # two letters changed places in a short word
        ("acuracy", "accuracy"),
        ("acc", "accuracy"),  # its beginning
        ("ac", None),
        ("evaluate", None),  # half of the letters of "measures", and no slip for it
        ("perfect", None),
        ("server", None),
    ],
)
def test_only_a_slip_or_a_beginning_is_near(name: str, near: str | None) -> None:
    """Another word is not suggested for having some letters in common."""
    told = str(UsageError.unknown("name", name, ["way", "accuracy", "measures", "terse", "score"]))
    assert ("did you mean" in told) == (near is not None)
    assert near is None or f"did you mean '{near}'?" in told
