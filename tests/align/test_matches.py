"""Tests of how assignments meet the list of nuggets."""

from __future__ import annotations

import pytest

from karat.align import matches as module
from karat.data.nuggets import NEITHER, NOT, NOT_JUDGED, OKAY, PARTIAL, SUPPORT, UNKNOWN_DEGREE, VITAL, Junk
from tests.files import codes_of
from tests.formats.samples import lines
from tests.nugget_files import HEADER, MATCHES, match_problems, matches_in, nuggets_in

LISTED = "q1\t1\t\tvital\ta\nq1\t2\t\tokay\tb\nq1\t3\t\tvital\tb\nq2\t1\t\tvital\tc\n"
NUGGETS = nuggets_in(HEADER + LISTED)
Nugget = tuple[str, str, str]


def assigned(run: str, **topics: list[Nugget]) -> str:
    """An assignment file of one run: text, importance and assignment of each nugget of each topic."""
    names = ("text", "importance", "assignment")
    return lines(
        *(
            {
                "qid": topic,
                "run_id": run,
                "answer_text": run,
                "nuggets": [dict(zip(names, one, strict=True)) for one in nuggets],
            }
            for topic, nuggets in topics.items()
        )
    )


Q1: list[Nugget] = [("a", "vital", "support"), ("b", "okay", "not_support"), ("b", "vital", "partial_support")]
Q2: list[Nugget] = [("c", "vital", "support")]


def test_by_text_occurrence_by_occurrence() -> None:
    """Order is no matter, blanks are none; of two nuggets of one text the first is the first."""
    matches, told = matches_in(NUGGETS, assigned("x", q2=Q2, q1=[Q1[1], Q1[2], (" a ", *Q1[0][1:])]), suffix=".jsonl")
    assert matches.degree.tolist() == [[SUPPORT, NOT, PARTIAL, SUPPORT]]
    assert matches.importance.tolist() == [[VITAL, OKAY, VITAL, VITAL]]
    assert matches.nuggets is NUGGETS
    assert told == []


def test_a_topic_that_a_run_lacks() -> None:
    """It is not answered there, and none of its nuggets is there for it."""
    matches, told = matches_in(NUGGETS, assigned("x", q1=Q1), suffix=".jsonl")
    assert matches.answered.tolist() == [[True, False]]
    assert matches.importance.tolist() == [[VITAL, OKAY, VITAL, NOT_JUDGED]]
    assert [(problem.code, problem.found) for problem in told] == [
        ("no-assignment", "nothing of run 'x' on topic 'q2'")
    ]
    silent, _ = matches_in(NUGGETS, assigned("x", q1=Q1, q2=[]), suffix=".jsonl")
    assert silent.answered.all()  # judged, against no nugget
    bare, told = matches_in(NUGGETS, lines({"qid": "q1", "run_id": "x", "nuggets": []}), suffix=".jsonl")
    assert (bare.runs, bare.answered.tolist(), bare.texts) == (("x",), [[True, False]], ())
    assert sorted(codes_of(told)) == ["no-assignment", "nugget-list"]


def test_lists_that_differ() -> None:
    """What a file has beyond the list lengthens it, for all runs alike; what it lacks is absent; told once a topic."""
    more: list[Nugget] = [("new", "okay", "support"), ("b", "okay", "support"), ("b", "okay", "support")]
    one = assigned("x", q1=more, q2=Q2)
    two = assigned("y", q1=[*Q1, ("new", "vital", "partial_support"), ("b", "okay", "support")], q2=Q2)
    matches, told = matches_in(NUGGETS, one, two, suffix=".jsonl")
    assert matches.nuggets.texts == ("a", "b", "b", "new", "b", "c")
    assert matches.nuggets.names == ("1", "2", "3", "4", "5", "1")
    assert matches.nuggets.topic.tolist() == [0, 0, 0, 0, 0, 1]
    assert matches.nuggets.spelled[3] == "okay"
    assert matches.importance.tolist() == [
        [NOT_JUDGED, OKAY, OKAY, OKAY, NOT_JUDGED, VITAL],
        [VITAL, OKAY, VITAL, VITAL, OKAY, VITAL],
    ]
    assert matches.degree[:, 3].tolist() == [SUPPORT, PARTIAL]
    assert [(one.file, one.code, one.line) for one in told] == [
        ("a.jsonl", "nugget-list", 1),
        ("b.jsonl", "nugget-list", 1),
    ]
    assert told[0].found.endswith("1 not in the list, 1 of the list missing, 1 with a different importance")
    assert told[1].found.endswith("2 not in the list")


def test_a_table_beside_assignments() -> None:
    """Its runs are held against the list as it was given; new nuggets take no name that is taken."""
    taken = nuggets_in(HEADER + "q1\t2\t\tvital\ta\nq2\t1\t\tvital\tc\n")
    table = MATCHES + "t\tq1\t2\t\t1\n"
    columns = [assigned("x", q1=[("a", "vital", "support"), ("z", "okay", "support")], q2=Q2).encode(), table.encode()]
    matches, _ = matches_in(taken, *columns, suffix="")
    assert matches.nuggets.names == ("2", "3", "1")
    assert matches.importance.tolist() == [[VITAL, OKAY, VITAL], [VITAL, NOT_JUDGED, VITAL]]
    assert matches.degree.tolist() == [[SUPPORT, SUPPORT, SUPPORT], [SUPPORT, NOT, NOT]]


def test_junk_is_recorded_where_it_stands() -> None:
    """Labels that mean nothing, the empty one too, each with its line; the nugget keeps its place."""
    junk: list[Nugget] = [("a", "", "support"), ("b", "okay", "failed"), ("b", "sq3r method", "")]
    matches, told = matches_in(NUGGETS, assigned("x", q2=Q2, q1=junk), suffix=".jsonl")
    assert matches.importance.tolist() == [[NEITHER, OKAY, NEITHER, VITAL]]
    assert matches.degree.tolist() == [[SUPPORT, UNKNOWN_DEGREE, UNKNOWN_DEGREE, SUPPORT]]
    assert matches.junk == (
        Junk("x", "q1", "a", "importance", ""),
        Junk("x", "q1", "b", "assignment", "failed"),
        Junk("x", "q1", "b", "importance", "sq3r method"),
        Junk("x", "q1", "b", "assignment", ""),
    )
    assert sorted(codes_of(told)) == ["assignment", "assignment", "importance", "importance", "nugget-list"]
    assert {one.line for one in told} == {2}


def test_junk_of_the_list() -> None:
    """A table's runs are held against the list: its junk is theirs."""
    listed = nuggets_in(HEADER + "q1\t1\t\tvital\ta\nq1\t2\t\tfailed\tb\n")
    matches, _ = matches_in(listed, MATCHES + "x\tq1\t2\t\t1\ny\tq1\t1\t\t1\n")
    assert [(one.run, one.label) for one in matches.junk] == [("x", "failed"), ("y", "failed")]


def test_unknown_topics() -> None:
    """A topic that the list does not have is an error, told once."""
    told = match_problems(NUGGETS, assigned("x", q1=Q1, q9=[*Q2, *Q2]), suffix=".jsonl")
    assert [(one.code, one.line) for one in told] == [("unknown-id", 2)]


def test_lists_of_two_assessors_stay_apart() -> None:
    """An assignment file is held against the first list; nobody held its run against the other."""
    two = nuggets_in(HEADER + "q1\t1\tann\tvital\ta\nq1\t1\tbo\tvital\ta\nq1\t2\tbo\tokay\tb\n")
    matches, told = matches_in(two, assigned("x", q1=[("a", "vital", "support")]), suffix=".jsonl")
    assert told == []
    assert matches.of("ann").degree.tolist() == [[SUPPORT]]
    assert matches.of("bo").importance.tolist() == [[NOT_JUDGED, NOT_JUDGED]]
    assert matches.of("bo").nuggets.texts == ("a", "b")


def test_a_matrix_beyond_all_measure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many runs of one line each would fill a matrix of nothing."""
    monkeypatch.setattr(module, "MAX_RUNS_TIMES_NUGGETS", 40)
    rows = "".join(f"r{run}\tq1\t1\t\t1\n" for run in range(11))
    assert codes_of(match_problems(NUGGETS, MATCHES + rows)) == ["too-large"]


def test_a_list_that_some_runs_were_not_judged_against() -> None:
    """It counts for no run, so it is named with its question and the runs; a list that nobody used is not."""
    lists = [(question, who) for question in ("q1", "q2") for who in ("anna", "ben")]
    nuggets = nuggets_in(HEADER + "".join(f"{question}\t1\t{who}\tvital\ta\n" for question, who in lists))
    rows = [f"{run}\tq1\t1\tben\tsupport\n" for run in "xyz"]
    _, told = matches_in(nuggets, MATCHES + "".join([*rows, "z\tq1\t1\tanna\tsupport\n"]))
    assert [(one.code, one.found) for one in told] == [
        ("list-left-out", f"nothing by assessor 'anna' on question {question!r} about 'x', 'y'")
        for question in ("q1", "q2")
    ]
    _, told = matches_in(nuggets, MATCHES + "".join(rows))
    assert told == []
