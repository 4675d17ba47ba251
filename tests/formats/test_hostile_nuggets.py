"""Tests of hostile files of nuggets, matches and generated answers: little time and memory, and no other exception."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from karat.align.answers import align_answers
from karat.data.nugget_counts import count_nuggets
from karat.data.nuggets import topics_as_questions
from karat.errors import DataError, Problems, UsageError
from karat.formats.documents import document_of
from karat.formats.rag_metrics import SCORES
from karat.formats.registry import match_formats, metric_formats, nugget_formats, read_columns
from tests.files import codes_of
from tests.formats.limits import bounded
from tests.formats.samples import lines
from tests.nugget_files import (
    HEADER,
    MATCHES,
    answer_problems,
    answers_in,
    match_problems,
    matches_in,
    nugget_problems,
    nuggets_in,
)

LIST = nuggets_in(HEADER + "q\t1\t\tvital\ta\nq\t2\t\tokay\tb\nr\t1\t\tvital\tc\n")
ONE = {"text": "a", "importance": "vital", "assignment": "support"}
ASSIGNED = lines({"qid": "q", "run_id": "x", "answer_text": "t", "nuggets": [ONE, ONE | {"text": "b"}]})
RAG = lines({"run_id": "x", "topic_id": "q", "references": ["d"], "answer": [{"text": "t", "citations": [0]}]})
TREC = "Qid 1: who?\n1 1\tvital\ta\n1 2\tokay\t0.5\tb\n"
METRICS = lines({"qid": "q"} | dict.fromkeys(SCORES, 0.5))
SAMPLES = [HEADER + "q\t1\t\tvital\ta\n", TREC, MATCHES + "x\tq\t1\t\t0.5\n", ASSIGNED, RAG, METRICS]


def of_list(content: str) -> set[str]:
    """What is said of matches against the list."""
    return set(codes_of(match_problems(LIST, content, suffix=".jsonl" if content.startswith("{") else ".tsv")))


HOSTILE: dict[str, tuple[Callable[[], Any], str]] = {
    "blanks after a heading": (
        lambda: codes_of(nugget_problems("1 1\tvital\ta\nQid " + " " * 900_000 + "\n")),
        "run-line",
    ),
    "digits without end": (
        lambda: codes_of(nugget_problems("1 1\tvital\t" + "1" * 900_000 + "\n1 1\tx\t\n")),
        "empty-nugget",
    ),
    "words without end": (lambda: codes_of(nugget_problems("1 1\tvital\ta\n" + "x " * 400_000 + "\n")), "importance"),
    "a line of one word": (lambda: codes_of(nugget_problems("1 1\tvital\ta\n" + "x" * 900_000 + "\n")), "run-line"),
    "one nugget 20,000 times in a line": (
        lambda: of_list('{"qid": "q", "run_id": "x", "nuggets": [%s{}]}\n' % ('{"text": "a"},' * 20_000)),
        "nugget-list",
    ),
    "one nugget 50,000 times": (
        lambda: codes_of(nugget_problems(HEADER + "q\t1\t\tvital\ta\n" * 50_000)),
        "duplicate-id",
    ),
    "as many unknown ones": (lambda: of_list(MATCHES + "x\tz\t1\t\t1\n" * 50_000), "unknown-nugget"),
    "as many runs": (lambda: of_list(MATCHES + "".join(f"{n}\tq\t1\t\t?\n" for n in range(30_000))), "assignment"),
    "citations of nothing": (
        lambda: codes_of(answer_problems(RAG.replace("[0]", str(list(range(1, 100_000)))))),
        "citation",
    ),
    "lists in lists": (
        lambda: of_list('{"qid": "q", "run_id": "x", "nuggets": ' + "[" * 900 + "]" * 900 + "}\n"),
        "columns",
    ),
    "lists for texts": (
        lambda: of_list(ASSIGNED.replace('"a"', "[" * 900 + "]" * 900)),
        "nugget-list",
    ),
}


@pytest.mark.parametrize(("told", "code"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_files(told: Callable[[], Any], code: str) -> None:
    """Whatever is multiplied, time and memory stay in proportion to the file."""
    with bounded(10, 500):
        assert code in told()


def read_by_every_reader(data: bytes) -> None:
    """Every reader by name, and none; what is read is counted; anything but a `DataError` or `UsageError` escapes."""
    for file in ("x", "x.csv", "x.jsonl"):
        for name in (None, *(entry.name for entry in nugget_formats)):
            with suppress(DataError, UsageError):
                nuggets_in(data, file, name)
        for name in (None, *(entry.name for entry in match_formats)):
            with suppress(DataError, UsageError):
                count_nuggets(matches_in(LIST, data, suffix=file[1:], reader=name)[0])
        with suppress(DataError, UsageError):
            align_answers(topics_as_questions(LIST), answers_in(data, file, "rag")[0], Problems())
        problems = Problems()
        document = document_of(file, data, problems)
        if document is not None:
            read_columns(metric_formats, document, problems)


@given(st.binary(max_size=60))
@example(b'{"qid": 1, "nuggets": []}')
@example(b'{"qid": [], "nuggets": [{}], "run_id": {}}')
@example(b"Qid :")
@example(b"qid")
@settings(max_examples=40, deadline=None)
def test_arbitrary_bytes(data: bytes) -> None:
    """No bytes make any reader raise anything but what it should."""
    read_by_every_reader(data)


@given(
    sample=st.sampled_from(SAMPLES),
    place=st.floats(0, 1),
    cut=st.integers(0, 20),
    put=st.binary(max_size=6)
    | st.sampled_from([b"\n", b"\t", b'"', b"{}", b"null", b"[", b"\xe9", b"[[1]]", b"1e999", b"9" * 400]),
)
@settings(max_examples=60, deadline=None)
def test_damaged_samples(sample: str, place: float, cut: int, put: bytes) -> None:
    """A file with a few bytes changed makes no reader raise anything else either."""
    data = sample.encode()
    at = int(place * len(data))
    read_by_every_reader(data[:at] + put + data[at + cut :])


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just("q"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["text", "importance", "assignment", "citations", "run_id", "topic_id"]), inner, max_size=3
        )
    ),
    max_leaves=6,
)
KEYS = ["qid", "nuggets", "nugget", "importance", "degree", "text", "weight", "run_id", "run", "answer_text"]
KEYS += ["topic_id", "metadata", "references", "answer", "responses", *SCORES]


@given(st.lists(st.dictionaries(st.sampled_from(KEYS), JSON_VALUES, max_size=8), min_size=1, max_size=3))
@settings(max_examples=60, deadline=None)
def test_any_json_under_any_key(objects: list[dict[str, object]]) -> None:
    """Values of every type, nested or not finite, under every key that plays a role."""
    read_by_every_reader(lines(*objects).encode())
