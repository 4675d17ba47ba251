"""Tests of hostile files of questions, answers, verdicts and patterns: problems in little time, nothing else raised."""

from __future__ import annotations

import gzip
from contextlib import suppress

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from karat.errors import DataError, Problem, UsageError
from karat.formats.registry import (
    FILE_FORMATS,
    Formats,
    answer_formats,
    pattern_formats,
    question_formats,
    verdict_formats,
)
from tests.formats.limits import bounded
from tests.formats.question_samples import SAMPLES
from tests.formats.samples import lines
from tests.formats.test_hostile import JSON_VALUES
from tests.question_files import questions_of, told

MIB = 1 << 20
QUESTIONS = questions_of()
KINDS = (question_formats, answer_formats, verdict_formats, pattern_formats)
BILLION_LAUGHS = (
    "<!DOCTYPE a [" + '<!ENTITY a "aa"><!ENTITY b "&a;&a;">' + "]><trecqa><target id='1' text='&b;'/></trecqa>"
)
HOSTILE: dict[str, tuple[Formats, str, str, set[str]]] = {
    "entities": (question_formats, "q.xml", BILLION_LAUGHS, {"entity"}),
    "depth": (question_formats, "q.xml", "<trecqa><target>" + "<qa>" * 100_000, {"xml-too-deep"}),
    "one endless target": (
        question_formats,
        "q.xml",
        "<trecqa><target id='1' text='a'>" + "<q id='1' type='LIST'>x</q>" * 50_000 + "</target></trecqa>",
        {"too-large"},
    ),
    "many targets": (
        question_formats,
        "q.xml",
        "<trecqa>" + "<target id='1' text='a'><q id='1' type='X'/></target>" * 30_000 + "</trecqa>",
        {"question-type"},
    ),
    "tops never closed": (question_formats, "q", "<top>\n<num> 1\n" * 100_000, {"element"}),
    "a description without end": (
        question_formats,
        "q",
        "<top>\n<num> 1\n<desc> Description:\n" + "why why\n" * 200_000,
        {"element"},
    ),
    "questions of one series": (
        question_formats,
        "q.tsv",
        "id\tseries\ttype\tquestion\n" + "".join(f"q{n}\ts\tOTHER\tx\n" for n in range(50_000)),
        {"other-last"},
    ),
    "a run a line": (
        answer_formats,
        "a.tsv",
        "run\tqid\tdoc\tanswer\n" + "".join(f"r{n}\t1.1\tD\tx\n" for n in range(100_000)),
        {"no-answer"},
    ),
    "unknown questions": (
        answer_formats,
        "a.tsv",
        "run\tqid\tdoc\tanswer\n" + "r\tx\tD\tx\n" * 200_000,
        {"unknown-id"},
    ),
    "one answer again and again": (
        answer_formats,
        "a.tsv",
        "run\tqid\tdoc\tanswer\n" + "r\t1.3\tD\tx\n" * 100_000,
        {"same-answer"},
    ),
    "one verdict again and again": (
        verdict_formats,
        "v.tsv",
        "qid\tdoc\tanswer\tverdict\n" + "1.1\tD\tx\tR\n1.1\tD\tx\tW\n" * 50_000,
        {"verdicts-differ"},
    ),
    "answers of nothing": (verdict_formats, "l.txt", "# 9\nQ:x\n" + "x\n" * 200_000, {"unknown-id"}),
    "numbers without answers": (verdict_formats, "l.txt", "# 1.3\nQ:x\n" + "#\n" * 100_000, {"run-line"}),
    "brackets": (pattern_formats, "p.txt", ("1.1 " + "(" * 1900 + "\n") * 100, {"pattern"}),
    "a long pattern": (pattern_formats, "p.txt", "1.1 " + "a?" * 400_000, {"pattern"}),
    "a pattern of documents": (pattern_formats, "p.txt", "1.1" + " FT923-5797" * 50_000, {"pattern"}),
    "nested repeats": (pattern_formats, "p.txt", "1.1 ((a{9}){9}){9}){9}\n" * 20_000, {"pattern"}),
    "a gzip bomb": (answer_formats, "a.tsv", "bomb", {"gzip-bomb"}),
}


@pytest.mark.parametrize(("formats", "name", "content", "codes"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_files(formats: Formats, name: str, content: str, codes: set[str]) -> None:
    """Whatever is multiplied, time and memory stay in proportion to the file."""
    data = gzip.compress(bytes(16 * MIB)) * 20 if content == "bomb" else content.encode()
    against = None if formats is question_formats else QUESTIONS
    with bounded(10, 900):
        found = {problem.code for problem in told(formats, data, against, name)}
    assert codes & found


def test_sentences_stay_short() -> None:
    """However long a name is, the problem repeats only its beginning, and nothing that a terminal would obey."""
    long = "\x1b[31m" + "x" * 100_000
    problems: list[Problem] = []
    problems += told(answer_formats, f"run\tqid\tdoc\tanswer\n{long}\t{long}\t{long}\t{long}\n", QUESTIONS)
    problems += told(verdict_formats, f"qid\tdoc\tanswer\tverdict\n{long}\tD\tx\t{long}\n", QUESTIONS)
    problems += told(pattern_formats, f"1.1 ({long}\n{long} x\n", QUESTIONS)
    problems += told(question_formats, f"id\ttype\tquestion\n{long}\t{long}\tx\n")
    assert len(problems) >= 6
    assert all(len(str(problem)) < 1500 for problem in problems)
    assert "\x1b" not in "".join(map(str, problems))


def read_by_every_reader(data: bytes) -> None:
    """Every reader of these kinds by name, and none; anything but a `DataError` or `UsageError` escapes."""
    for formats in KINDS:
        against = None if formats is question_formats else QUESTIONS
        for name in (None, *(entry.name for entry in formats)):
            for file in ("x", "x.csv", "x.jsonl"):
                with suppress(DataError, UsageError):
                    told(formats, data, against, file, reader=name)


@given(st.binary(max_size=60))
@example(b"PAR1" + bytes(8) + b"PAR1")
@example(b"<top>")
@example(b"</top>")
@example(b"#")
@example(b"# 1.3")
@example(b"1.1 \\")
@example(b"1.1 \\Q")
@example(b"1.1 [[:")
@example(b"1.1 (?<")
@settings(max_examples=40, deadline=None)
def test_arbitrary_bytes(data: bytes) -> None:
    """No bytes make any reader raise anything but what it should."""
    read_by_every_reader(data)


@given(
    sample=st.sampled_from([data for *_, data in SAMPLES]),
    place=st.floats(0, 1),
    cut=st.integers(0, 20),
    put=st.binary(max_size=6)
    | st.sampled_from([b"\n", b"\t", b'"', b"{}", b"&", b"<", b"\xe9", b"(", b"[", b"#", b"NIL"]),
)
@settings(max_examples=60, deadline=None)
def test_damaged_samples(sample: bytes, place: float, cut: int, put: bytes) -> None:
    """A good file with a few bytes changed makes no reader raise anything else either."""
    at = int(place * len(sample))
    read_by_every_reader(sample[:at] + put + sample[at + cut :])


COLUMNS = ["id", "qid", "series", "target", "kind", "type", "question", "run", "rank", "doc", "answer"]
COLUMNS += ["confidence", "verdict", "group"]


@given(st.lists(st.dictionaries(st.sampled_from(COLUMNS), JSON_VALUES, max_size=10), min_size=1, max_size=3))
@settings(max_examples=40, deadline=None)
def test_any_json_in_any_column(objects: list[dict[str, object]]) -> None:
    """Values of every type, nested or not finite, in every column that plays a role."""
    read_by_every_reader(lines(*objects).encode())


@given(st.text("ab(|)*+?{}[]\\^$.:<>=!-0,9QExPkzh", min_size=1, max_size=14))
@settings(max_examples=200, deadline=None)
def test_any_pattern(regex: str) -> None:
    """Whatever is spelled is a pattern or a problem."""
    assert {problem.code for problem in told(pattern_formats, f"1.1\t{regex}\n", QUESTIONS)} <= {
        "pattern",
        "wide-pattern",
    }


@pytest.mark.parametrize(("formats", "reader", "name", "data"), SAMPLES, ids=lambda value: str(value)[:20])
def test_every_sample_finds_its_reader(formats: Formats, reader: str, name: str, data: bytes) -> None:
    """Without being named, and no reader of another kind is certain of it where it is not."""
    against = None if formats is question_formats else QUESTIONS
    by_itself = told(formats, data, against, name)
    assert by_itself == told(formats, data, against, name, reader=reader)
    assert all(problem.severity == "warning" for problem in by_itself)
    assert formats in FILE_FORMATS
