"""The texts that a run repeats: they must be the key's by the same ids, and can stand in for ids."""

from __future__ import annotations

import json

import pytest

from karat.errors import DataError
from tests.files import C, E, U, answers_of, read_key, read_run, run_problems

KEY = read_key(
    "id,premise,hypothesis,label\n1,A dog barks.,It is loud.,entailment\n2,A cat sleeps.,It dreams.,neutral\n"
    "3,No one came.,Someone came.,contradiction\n",
    "key.csv",
)
SHIFTED = (
    "premise,hypothesis,pred\nNo one came.,Someone came.,C\nA dog barks.,It is loud.,E\nA cat sleeps.,It dreams.,N\n"
)


def test_texts_of_other_pairs_are_refused() -> None:
    """The ids are there, but of other pairs: the answers would be wrong by the ids and right by the texts."""
    head, *rows = SHIFTED.splitlines()
    with_ids = "".join(f"{line}\n" for line in [f"id,{head}", *(f"{n},{row}" for n, row in enumerate(rows, 1))])
    (problem,) = run_problems(with_ids, KEY, "run.csv")
    assert (problem.code, problem.line) == ("other-texts", 2)
    assert problem.found.startswith(
        "texts of other pairs (3 of 3), first 'No one came.' in pair '1', where the key has"
    )
    assert "leave them out" in problem.fix


def test_rows_without_ids_are_matched_by_their_texts() -> None:
    """As the fix says: without ids each row has the texts of one pair, in whatever order."""
    for texts in (SHIFTED, SHIFTED.replace("A dog barks.", "a dog  barks .")):
        run, problems = read_run(texts, KEY, "run.csv")
        assert answers_of(run) == [E, U, C]
        assert problems == []


def test_rows_with_unknown_texts_are_not_matched() -> None:
    """Neither by order, beside a key with ids of its own."""
    with pytest.raises(DataError, match="ids-needed"):
        read_run(SHIFTED.replace("dog", "wolf"), KEY, "run.csv")


def test_some_texts_differ() -> None:
    """A corrected typo in one pair of three is a warning, and texts without their hypotheses say nothing."""
    rows = "1,A dog barks.,It is loud.,E\n2,A cat sleeps.,It dreams!,N\n3,No-one arrived.,Someone came.,C\n"
    (problem,) = read_run(f"id,premise,hypothesis,pred\n{rows}", KEY, "run.csv")[1]
    assert (problem.code, problem.line, problem.severity) == ("some-other-texts", 4, "warning")
    assert "(1 of 3), first 'No-one arrived.' in pair '3'" in problem.found
    assert read_run("id,text,pred\n1,so,E\n2,so,N\n3,so,N\n", KEY, "run.csv")[1] == []


def test_the_log_of_another_test_set() -> None:
    """Logs number their samples: the same ids and other documents are refused, as they are when scores are compared."""

    def log(word: str) -> str:
        docs = [{"premise": f"{word} {place}", "hypothesis": "h", "label": 0} for place in range(4)]
        rows = [
            {"doc_id": place, "doc": doc, "target": "entailment", "resps": [["E"]], "filtered_resps": ["E"]}
            for place, doc in enumerate(docs)
        ]
        return "\n".join(map(json.dumps, rows))

    key = read_key(log("one"), "samples_a.jsonl")
    assert "other-texts" not in {one.code for one in run_problems(log("one"), key, "samples_b.jsonl")}
    (problem,) = (one for one in run_problems(log("other"), key, "samples_b.jsonl") if one.severity == "error")
    assert problem.code == "other-texts"
