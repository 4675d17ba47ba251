"""Tests of generated answers as TREC RAG and RAGTIME have them. All texts are made up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.align.answers import align_answers
from karat.data.answers import documents_of
from karat.data.nuggets import topics_as_questions
from karat.errors import Problems, UsageError
from karat.formats.rag_runs import write
from tests.files import codes_of
from tests.formats.samples import lines
from tests.nugget_files import HEADER, answer_problems, answers_in, nuggets_in

SAID = [{"text": "It sings.", "citations": [0, 1]}, {"text": " It is hollow.", "citations": []}]
RAG24 = {
    "run_id": "one",
    "topic_id": "t1",
    "topic": "reeds",
    "references": ["d#1", "d#2"],
    "response_length": 99,
    "answer": SAID,
}
RAG25 = {
    "metadata": {"team_id": "x", "run_id": "one", "type": "automatic", "narrative_id": "t1", "narrative": "reeds"},
    "references": ["d#1", "d#2"],
    "answer": SAID,
}
FLAT25 = {"team_id": "x", "run_id": "one", "narrative_id": "t1", "references": ["d#1", "d#2"], "answer": SAID}
RAG26 = RAG25 | {"answer": [{"text": "It sings.", "citations": ["d#1", 1]}, SAID[1]]}
RAGTIME = {
    "metadata": {"team_id": "x", "run_id": "one", "topic_id": "t1"},
    "references": ["d#1", "d#2"],
    "responses": [{"text": "It sings.", "citations": {"d#1": 0.9, "d#2": 0.1}}, {"text": "It is hollow."}],
}
RAGTIME_LIST = RAGTIME | {"responses": [{"text": "It sings.", "citations": ["d#1", "d#2"]}, "It is hollow."]}


@pytest.mark.parametrize("record", [RAG24, RAG25, FLAT25, RAG26, RAGTIME, RAGTIME_LIST])
def test_every_year_is_the_same_answer(record: dict[str, object]) -> None:
    """A row a sentence, with the documents it cites; a stated length is not looked at."""
    columns, told = answers_in(lines(record))
    assert columns["run"] == ["one", "one"]
    assert columns["question"] == ["t1", "t1"]
    assert columns["string"] == ["It sings.", "It is hollow."]
    assert columns["document"] == ["d#1;d#2", ""]
    assert told == []


def test_answers_of_topics() -> None:
    """Where no file has questions, the topics of a nugget file are."""
    questions = topics_as_questions(nuggets_in(HEADER + "t1\t1\t\tvital\ta\nt2\t1\t\tvital\tb\n"))
    problems = Problems()
    answers = align_answers(questions, answers_in(lines(RAG24))[0], problems)
    assert answers is not None
    assert answers.counts.tolist() == [[2, 0]]
    assert answers.lengths().tolist() == [[19, 0]]
    assert codes_of(list(problems)) == ["no-response"]  # that a sentence cites nothing is no problem
    assert questions.series == ()
    assert questions.type_counts() == {"FACTOID": 0, "LIST": 0, "OTHER": 2}


@pytest.mark.parametrize("citation", [2, -1, "d#9", True, None, {"d": 1}])
def test_a_citation_of_what_is_no_reference(citation: object) -> None:
    """It is told with its line; the sentence stays."""
    record = RAG24 | {"answer": [{"text": "It sings.", "citations": [citation]}]}
    columns, told = answers_in(lines(RAG24 | {"topic_id": "t0"}, record))
    assert [(one.code, one.line) for one in told] == [("citation", 2)]
    assert columns["string"][-1] == "It sings."


def test_a_document_with_a_semicolon() -> None:
    """It would be two documents after it is written, so it is refused, with how to write it."""
    record = RAG24 | {"references": ["d;1"], "answer": [{"text": "It sings.", "citations": [0]}]}
    (told,) = answer_problems(lines(record))
    assert (told.code, told.line) == ("document-id", 1)
    assert "%3B" in told.fix


CITED = st.lists(st.sampled_from(["d1", "d 2", "d#3", "é", "d,5"]), max_size=3)


@given(st.lists(st.lists(CITED, min_size=1, max_size=4), min_size=1, max_size=2))
def test_any_citations_are_kept(topics: list[list[list[str]]]) -> None:
    """Whatever documents sentences cite, in their order and also twice, they cite when read, written and read again."""
    questions = topics_as_questions(nuggets_in(HEADER + "t0\t1\t\tvital\ta\nt1\t1\t\tvital\tb\n"))
    records = []
    for place, sentences in enumerate(topics):
        answer = [{"text": f"Sentence {number}.", "citations": cited} for number, cited in enumerate(sentences)]
        records.append({"run_id": "x", "topic_id": f"t{place}", "references": [], "answer": answer})
    first = align_answers(questions, answers_in(lines(*records))[0], Problems())
    assert first is not None
    assert [documents_of(one) for one in first.documents] == [list(dict.fromkeys(c)) for topic in topics for c in topic]
    assert first.documents == tuple(";".join(cited) for topic in topics for cited in topic)
    again = align_answers(questions, answers_in(write(first))[0], Problems())
    assert again is not None
    assert list(again.rows()) == list(first.rows())


def test_odd_answers() -> None:
    """A sentence without words is none; an answer may be one string; without references any id is one."""
    odd = {"topic_id": 7, "references": [], "answer": [{"text": ""}, {"text": "a", "citations": ["d"]}]}
    columns, told = answers_in(lines(odd, {"topic_id": 8, "references": [], "answer": "All of it."}))
    assert columns["run"] == ["run", "run"]
    assert columns["question"] == ["7", "8"]
    assert (columns["document"], columns["string"]) == (["d", ""], ["a", "All of it."])
    assert told == []


def test_problems() -> None:
    """No topic, no sentences, a topic twice, nothing at all."""
    told = answer_problems(lines(RAG24, RAG24 | {"topic_id": None}, RAG24 | {"answer": 7, "topic_id": "t2"}, RAG24))
    assert [(one.code, one.line) for one in told] == [("columns", 2), ("columns", 3), ("duplicate-id", 4)]
    assert codes_of(answer_problems(lines(RAG24 | {"answer": []}))) == ["empty-file"]


def test_what_is_written_is_read() -> None:
    """Runs, topics, sentences and their documents, also where some cite nothing; nothing else is kept."""
    questions = topics_as_questions(nuggets_in(HEADER + "t1\t1\t\tvital\ta\nt2\t1\t\tvital\tb\n"))
    other = RAG24 | {"run_id": "two", "topic_id": "t2"}
    answers = align_answers(questions, answers_in(lines(RAG24, other))[0], Problems())
    assert answers is not None
    again = align_answers(questions, answers_in(write(answers))[0], Problems())
    assert again is not None
    assert (again.runs, list(again.rows())) == (answers.runs, list(answers.rows()))
    assert write(again) == write(answers)
    with pytest.raises(UsageError, match=r"use \.jsonl"):
        write(answers, ".tsv")
