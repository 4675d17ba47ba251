"""Tests of matches as a table, read and written."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.data.nuggets import NOT, NOT_JUDGED, OKAY, PARTIAL, SUPPORT, VITAL
from karat.errors import UsageError
from karat.formats.registry import match_formats
from tests.files import codes_of
from tests.formats.samples import lines
from tests.nugget_files import HEADER, MATCHES, match_problems, matches_in, nuggets_in

write = match_formats["table"].facts["write"]

NUGGETS = nuggets_in(
    HEADER
    + "q1\t1\tann\tvital\ta\nq1\t2\tann\tokay\tb\nq1\t1\tbo\tvital\tc\nq2\t1\tann\tvital\td\nq2\t1\tbo\tokay\te\n"
)


def test_only_what_is_matched_has_a_row() -> None:
    """The rest is not matched; degrees are words or numbers; who has a row for a run has judged it on every topic."""
    rows = "x\tq1\t1\tann\tsupport\nx\tq1\t2\tann\t0.5\nx\tq2\t1\tbo\t1\ny\tq2\t1\tann\t0\n"
    matches, told = matches_in(NUGGETS, MATCHES + rows)
    assert matches.runs == ("x", "y")
    assert matches.degree.tolist() == [[SUPPORT, PARTIAL, NOT, NOT, SUPPORT], [NOT] * 5]
    assert matches.answered.all()
    assert matches.importance.tolist() == [NUGGETS.importance.tolist(), [VITAL, OKAY, NOT_JUDGED, VITAL, NOT_JUDGED]]
    assert np.isnan(matches.lengths()).all()
    assert {one.code for one in told} == {"list-left-out"}
    assert matches.of("bo").degree.tolist() == [[NOT, SUPPORT], [NOT, NOT]]


def test_one_assessor_needs_no_name() -> None:
    """Where one list is given nobody has to be named; where two are, somebody has to. A file names its run."""
    one = NUGGETS.of("ann")
    matches, _ = matches_in(one, "qid,nugget,degree\nq1,2,partial_support\n", suffix=".csv")
    assert (matches.runs, matches.degree.tolist()) == (("a",), [[NOT, PARTIAL, NOT]])
    assert codes_of(match_problems(NUGGETS, "qid\tnugget\tdegree\nq1\t2\t1\n")) == ["unknown-nugget"]
    told, _ = matches_in(one, lines({"run": "r", "qid": "q1", "nugget": 1, "degree": 0.5}), suffix=".jsonl")
    assert told.degree.tolist() == [[PARTIAL, NOT, NOT]]


def test_problems() -> None:
    """Everything at once, with its line."""
    rows = "x\tq1\t1\tann\tfailed\nx\tq1\t9\tann\t1\nx\tq9\t1\tann\t1\n" + "x\tq1\t2\tann\t1\n" * 2 + "x\tq1\t2\tcy\t\n"
    assert [(one.code, one.line) for one in match_problems(NUGGETS, MATCHES + rows)] == [
        ("assignment", 2),
        ("unknown-nugget", 3),
        ("unknown-nugget", 4),
        ("duplicate-id", 6),
        ("unknown-nugget", 7),
    ]
    assert codes_of(match_problems(NUGGETS, MATCHES)) == ["empty-file"]
    assert codes_of(match_problems(NUGGETS, "run\tqid\tnugget\nx\tq1\t1\n")) == ["format"]


@pytest.mark.parametrize("label", ["failed", "", "2", "support", "0.5"])
def test_degrees_mean_the_same_in_a_table_and_in_json_lines(label: str) -> None:
    """What means nothing leaves the nugget out, is kept as junk and is told; what means something, means the same."""
    one = NUGGETS.of("ann")
    listed = [
        {"text": "a", "importance": "vital", "assignment": label},
        {"text": "b", "importance": "okay", "assignment": "0"},
    ]
    rest = {"qid": "q2", "run_id": "x", "nuggets": [{"text": "d", "importance": "vital", "assignment": "0"}]}
    spelled, told = matches_in(one, lines({"qid": "q1", "run_id": "x", "nuggets": listed}, rest), suffix=".jsonl")
    named, also_told = matches_in(one, MATCHES + f"x\tq1\t1\tann\t{label}\n")
    assert named.degree.tolist() == spelled.degree.tolist()
    assert named.junk == spelled.junk
    assert [(one.code, one.found) for one in told] == [(one.code, one.found) for one in also_told]
    assert bool(named.junk) == (label in ("failed", "", "2"))


@given(
    st.lists(st.lists(st.integers(0, 2), min_size=5, max_size=5), min_size=1, max_size=3),
    st.sampled_from(["tsv", "csv", "jsonl"]),
)
def test_what_is_written_is_read(degrees: list[list[int]], suffix: str) -> None:
    """Also a run that matches nothing."""
    rows = "".join(f"r{run}\tq1\t1\t{who}\t0\n" for run in range(len(degrees)) for who in ("ann", "bo"))
    empty, _ = matches_in(NUGGETS, MATCHES + rows)
    empty.degree[:] = degrees
    back, told = matches_in(NUGGETS, write(empty, f".{suffix}"), suffix=f".{suffix}")
    assert (back.runs, told) == (empty.runs, [])
    assert back.degree.tolist() == degrees
    assert back.importance.tolist() == empty.importance.tolist()


def test_what_a_table_cannot_hold() -> None:
    """Lists and labels of a run's own stay in its assignment file."""
    one = {"text": "a", "importance": "vital", "assignment": "failed"}
    matches, _ = matches_in(NUGGETS, lines({"qid": "q1", "run_id": "x", "nuggets": [one]}), suffix=".jsonl")
    with pytest.raises(UsageError, match="assignment file"):
        write(matches)
