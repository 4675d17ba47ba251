"""Tests of the catalogue: every problem can happen, says what to do, and is told in one form."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from gzip import compress
from pathlib import Path

import pytest

from karat.errors import CATALOGUE, LISTED, QUOTED, DataError, Problem, Problems, UsageError, printable, summary
from karat.formats import documents
from karat.formats.reading import read_pairs, read_runs
from karat.formats.scores import read_scores
from tests.files import key_problems, run_problems, three_way, two_way

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


def unreadable() -> list[Problem]:
    """What is said of a file that is not there."""
    with pytest.raises(DataError) as caught:
        read_pairs(Path("none") / "none.xml")
    return list(caught.value.problems)


def duplicate_run() -> list[Problem]:
    """What is said of one run given twice."""
    key = Path(__file__).parents[1] / "src" / "karat" / "examples"
    with pytest.raises(DataError) as caught:
        read_runs([key / "runs" / "overlap.txt"] * 2, read_pairs(key / "pairs.xml"))
    return list(caught.value.problems)


def bad_score() -> list[Problem]:
    """What is said of a score matrix with a word in it."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "scores.csv").write_text("run,1\na,x\n")
        with pytest.raises(DataError) as caught:
            read_scores(Path(folder) / "scores.csv")
    return list(caught.value.problems)


BAD: dict[str, Callable[[], list[Problem]]] = {
    "unreadable": unreadable,
    "too-large": lambda: corpus(f'<pair id="{"1" * documents.MAX_LINE}1"/>'),
    "gzip": lambda: run(compress(b"1 YES\n")[:-4]),
    "gzip-bomb": lambda: run(compress(bytes(documents.RATIO_FROM + 1))),
    "encoding": lambda: run(b"1 YES\n2 M\xfc\n"),
    "nul": lambda: run("1 YES\0\n"),
    "line-too-long": lambda: run("1 YES" + " " * documents.MAX_LINE),
    "byte-order-mark": lambda: run("\ufeff1 YES\n"),
    "crlf": lambda: run("1 YES\r\n"),
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
    "quoting": lambda: table('1,"a\n'),
    "no-id": lambda: table(",a,b,YES\n"),
    "duplicate-id": lambda: table("1,a,b,YES\n1,a,b,YES\n"),
    "label": lambda: table("1,a,b,PERHAPS\n"),
    "label-outside-task": lambda: run("1 PERHAPS\n"),
    "label-code": lambda: run("1 1\n"),
    "unlabelled": lambda: table("1,a,b,YES\n2,a,b,-\n"),
    "empty-text": lambda: table("1,a,,YES\n"),
    "unknown-id": lambda: run("9 YES\n"),
    "missing-id": lambda: run("1 YES\n"),
    "not-ascii": lambda: run("1 YÉS\n"),
    "run-line": lambda: run("1 YES\n2\n"),
    "ambiguous-no": lambda: run("1 YES\n2 NO\n3 NO\n"),
    "folded": lambda: run_problems("1 YES\n2 UNKNOWN\n3 NO\n", two_way()),
    "confidence": lambda: run("1 YES nan\n"),
    "score": bad_score,
    "weight": lambda: run_problems("id,label,weight\n1,E,-1\n2,N,1\n3,C,1\n", three_way(), "run.csv"),
    "gold-differs": lambda: run("1\tC\tE\t1\n2\tN\tN\t1\n3\tC\tC\t1\n"),
    "ranked-otherwise": lambda: run("ranked-by: response\n1 YES\n2 UNKNOWN\n3 NO\n", ranked_by="entailment"),
    "ranked-by": lambda: run("ranked: yes\n1 YES\n2 UNKNOWN\n3 NO\n"),
    "not-sound": lambda: run("ranked-by: entailment\n3 NO\n2 UNKNOWN\n1 YES\n"),
    "duplicate-run": duplicate_run,
    "more": lambda: run("9 YES\n" * (LISTED + 1)),
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
    assert problem.file
    for sentence in (problem.found, problem.expected, problem.fix):
        assert sentence
        assert not re.search(r"[{}]", sentence)
    assert str(problem).startswith(problem.file + ":")


def test_one_form_for_all() -> None:
    """`file:line:column: code: found; expected; fix`, without what is not there."""
    (problem,) = run("1 YES\n2 UNKNOWN\n3 PERHAPS\n")
    assert str(problem) == (
        "run.txt:3:3: label-outside-task: label 'PERHAPS' of pair '3'; expected one of ENTAILMENT, UNKNOWN, "
        "CONTRADICTION; correct it, or say what it means: --label PERHAPS=LABEL"
    )
    missing = next(problem for problem in run("1 YES\n") if problem.code == "missing-id")
    assert str(missing).startswith("run.txt: missing-id: no line for pair '2'; expected")


def test_warnings_alone_do_not_raise() -> None:
    """An error raises with the warnings beside it."""
    problems = Problems()
    problems.add("crlf", "carriage returns", file="a")
    problems.raise_errors()
    assert not problems.failed("a")
    problems.add("no-id", "a pair without id", file="b")
    assert problems.failed("b")
    with pytest.raises(DataError) as caught:
        problems.raise_errors()
    assert [problem.code for problem in caught.value.problems] == ["crlf", "no-id"]
    assert [problem.code for problem in problems.warnings] == ["crlf"]


def test_millions_alike_are_counted() -> None:
    """Beyond a limit they are counted in one line; the summary shows fewer still, and how many there were."""
    problems = run("9 YES\n" * (LISTED + 5))
    assert len([problem for problem in problems if problem.code == "unknown-id"]) == LISTED
    assert [problem.found for problem in problems if problem.code == "more"] == ["5 more of unknown-id"]
    text = summary(problems)
    assert len(text.splitlines()) < 40
    assert f"run.txt: unknown-id: {LISTED:,} in all, 20 shown".replace(",", "") in text.replace(",", "")


def test_what_a_file_says_is_made_fit_to_print() -> None:
    """Cut at a length, and with nothing that a terminal would obey."""
    assert printable("é ⊢ 'x'") == "é ⊢ 'x'"
    assert printable("\x1b[31m\n") == "\\x1b[31m\\n"
    assert len(printable("x" * 10_000)) == QUOTED + 1


def test_an_unknown_name_gets_the_nearest() -> None:
    """Whatever its case; where nothing is near, the names there are."""
    assert str(UsageError.unknown("label", "entailmnt", ["ENTAILMENT", "UNKNOWN"])) == (
        "no label is called 'entailmnt'; did you mean 'ENTAILMENT'? Known: ENTAILMENT, UNKNOWN"
    )
    assert str(UsageError.unknown("label", "x", ["B", "A"])) == "no label is called 'x'. Known: A, B"
