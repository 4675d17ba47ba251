"""Tests of NIST's own files in a campaign: runs are taken as they are, judged lists of single runs are not."""

from __future__ import annotations

import pytest

from karat import examples
from karat.campaign.checking import TestSet as Prepared
from karat.campaign.checking import check_run, read_test
from karat.campaign.definition import Task
from karat.campaign.judged import read_judgments
from karat.campaign.renaming import own_name, under_name
from karat.errors import UsageError
from tests import nist_files as nist
from tests.question_files import SERIES, tabs

RUN = nist.run_lines(nist.table(examples.QUESTIONS / "runs" / "steady.tsv")).encode()


@pytest.fixture(scope="module")
def test_of() -> Prepared:
    """The example's questions."""
    raw = (examples.QUESTIONS / "questions.xml").read_bytes()
    return read_test(Task(name="q", kind="questions", test="q.xml"), raw)


def test_a_run_is_taken_and_renamed(test_of: Prepared) -> None:
    """It leaves the server under another name, with the same answers."""
    assert check_run(test_of, "input.steady", RUN).problems == ()
    assert own_name(test_of, "input.steady", RUN) == "steady"
    assert under_name(test_of, "steady", "input.steady", RUN) == ("input.steady", RUN)
    file, raw = under_name(test_of, "A-1", "input.steady", RUN)
    assert (file, own_name(test_of, file, raw)) == ("A-1.jsonl", "A-1")
    assert check_run(test_of, file, raw).problems == ()


def test_a_judged_list_is_no_submission() -> None:
    """It answers list questions only."""
    test = read_test(Task(name="q", kind="questions", test="q.tsv"), SERIES.encode())
    listed = nist.LIST_JUDGED.replace(" two ", " one ").encode()
    assert "no-answer" in [one.code for one in check_run(test, "one.list_judged", listed).problems]


def test_judgments(test_of: Prepared) -> None:
    """Pooled ones are read; marks of the answers of single runs belong to names that a campaign does not have."""
    rows = [one for one in nist.table(examples.QUESTIONS / "judgments.tsv") if one["doc"]]  # not the assessor's own
    judged = nist.judged_lines(rows).encode()
    own = tabs("qid|doc|answer|verdict", *("|".join(list(one.values())[:4]) for one in rows)).encode()
    ours, same = (read_judgments(test_of.units, {"verdicts": raw}).verdicts for raw in (own, judged))
    assert ours is not None
    assert same is not None
    assert (same.index, same.verdict.tolist()) == (ours.index, ours.verdict.tolist())
    test = read_test(Task(name="q", kind="questions", test="q.tsv"), SERIES.encode())
    with pytest.raises(UsageError, match="table of judgments with groups"):
        read_judgments(test.units, {"verdicts": nist.LIST_JUDGED.encode()})
