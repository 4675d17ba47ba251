"""Tests of hostile tables and runs: a `DataError` in little time and memory, never another exception."""

from __future__ import annotations

import gzip
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from karat.data.pairs import Pairs
from karat.errors import DataError, UsageError
from karat.formats.pairs import read_pairs
from karat.formats.registry import pair_formats, run_formats
from tests.files import codes_of, key_problems, read_key, read_run, run_problems, three_way
from tests.formats.limits import bounded
from tests.formats.samples import PAIRS, RUNS, lines

MIB = 1 << 20


def test_a_line_of_100_megabytes(tmp_path: Path) -> None:
    """It is held in memory a few times at most, and told with its length."""
    path = tmp_path / "key.csv"
    with path.open("wb") as file:
        file.write(b"id,text,hypothesis\n1,a,")
        file.writelines(b"b" * MIB for _ in range(100))
    with bounded(10, 900), pytest.raises(DataError) as caught:
        read_pairs(path)
    problem = next(p for p in caught.value.problems if p.code == "line-too-long")
    assert (problem.line, problem.found) == (2, "a line of 104,857,604 characters")


def test_a_gzip_bomb() -> None:
    """A gigabyte of zeros packed into a megabyte is not unpacked."""
    bomb = gzip.compress(bytes(16 * MIB)) * 20
    with bounded(10, 250):
        assert codes_of(run_problems(bomb, three_way())) == ["gzip-bomb"]


def test_a_bomb_in_a_bomb() -> None:
    """Only one layer is unpacked; the next is no text."""
    nested = gzip.compress(gzip.compress(bytes(50 * MIB)))
    with bounded(5, 250):
        assert set(codes_of(run_problems(nested, three_way()))) <= {"format", "nul", "encoding"}


def test_gzip_of_many_small_members() -> None:
    """A hundred thousand empty members take no more than their number."""
    with bounded(20, 250):
        assert codes_of(run_problems(gzip.compress(b"") * 100_000, three_way())) == ["empty-file"]


DEEP = "[" * 100_000
HOSTILE = {
    "nested JSON": ("key.jsonl", '{"id": ' + DEEP, {"json", "no-column", "empty-file", "format"}),
    "nested JSON on a later line": (
        "key.jsonl",
        lines({"id": 1, "text": "a", "hypothesis": "b"}) + DEEP,
        {"json"},
    ),
    "nested lists of some depth": (
        "key.jsonl",
        '{"id": 1, "text": "a", "hypothesis": "b", "label": ' + "[" * 900 + "]" * 900 + "}\n",
        {"json", "label"},
    ),
    "a number of a million digits": (
        "key.jsonl",
        '{"text": "a", "hypothesis": "b", "id": ' + "9" * 900_000 + ', "label": "x"}',
        {"json", "label"},
    ),
    "an open quote": ("key.csv", 'id,text,hypothesis\n1,"' + "a\n" * 3_000_000, {"quoting"}),
    "an open quote on every line": ("key.csv", "id,text,hypothesis\n" + '1,"a\n' * 500_001, {"quoting"}),
    "empty lines": ("key.tsv", "id\ttext\thypothesis\n" + "\n" * 500_000 + "1\ta\tb\n", {"empty-line"}),
    "empty lines in JSON": ("key.jsonl", '{"id": 1}\n' + "\n" * 500_000 + '{"id": 2}\n', {"empty-line"}),
    "empty lines in CSV": ("key.csv", "id,text,hypothesis\n" + "\n" * 500_000 + "1,a,b\n", {"empty-line"}),
    "500,000 columns": ("key.csv", "id,text,hypothesis" + "," * 500_000 + "\n", {"columns"}),
    "keys that differ on every line": (
        "key.jsonl",
        "".join(f'{{"k{n}": 1}}\n' for n in range(20_000)),
        {"too-large"},
    ),
    "counts beyond all measure": (
        "key.jsonl",
        lines({"uid": 1, "label_counter": {"e": 10**8}, "example": {"premise": "a", "hypothesis": "b"}}),
        {"columns"},
    ),
    "a long label": ("key.csv", "id,text,hypothesis,label\n" + ("1,a,b," + "x" * 100_000 + "\n") * 100, {"label"}),
}


@pytest.mark.parametrize(("name", "content", "codes"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_keys(name: str, content: str, codes: set[str]) -> None:
    """Whatever is multiplied, time and memory stay in proportion to the file."""
    reader = None if "uid" in content[:10] or content.startswith("id") else "table"
    with bounded(15, 900):
        found = set(codes_of(key_problems(content, name, reader=reader)))
    assert codes & found


def test_hostile_runs() -> None:
    """A million lines of nothing, a million unknown ids, and one line of everything."""
    key = three_way()
    with bounded(15, 900):
        assert "empty-line" in codes_of(run_problems("1 YES\n" + "\n" * 500_000 + "2 UNKNOWN\n", key))
        assert "unknown-id" in codes_of(run_problems("x YES\n" * 300_000, key))
        assert "empty-line" in codes_of(run_problems("1\tYES\tYES\t1\n" + "\n" * 500_000 + "2\n", key))
        assert "label-outside-task" in codes_of(run_problems("1 " + "x" * 900_000 + "\n", key))


def test_sentences_stay_short() -> None:
    """However long a label is, the problem repeats only its beginning."""
    problems = run_problems("1 " + "x" * 900_000 + "\n2 \x1b[31mred\n3 NO\n", three_way())
    assert all(len(str(problem)) < 1500 for problem in problems)
    assert "\x1b" not in "".join(map(str, problems))


def read_by_every_reader(data: bytes) -> None:
    """Every reader by name, and none; anything but a `DataError` or `UsageError` escapes."""
    key = three_way()
    for file in ("x", "x.csv", "x.jsonl"):
        for name in (None, *(entry.name for entry in pair_formats)):
            with suppress(DataError, UsageError):
                read_key(data, file, reader=name)
        for name in (None, *(entry.name for entry in run_formats)):
            with suppress(DataError, UsageError):
                read_run(data, key, file, run_reader=name)


@given(st.binary(max_size=60))
@example(b"PAR1" + bytes(8) + b"PAR1")
@example(b"\x1f\x8b")
@example(b"\xff\xfe")
@example(b"{}")
@example(b'{"id": {"a": [1]}, "label": [[]], "confidence": {}}')
@example(b"===")
@example(b"ranked:")
@settings(max_examples=60, deadline=None)
def test_arbitrary_bytes(data: bytes) -> None:
    """No bytes make any reader raise anything but what it should."""
    read_by_every_reader(data)


SAMPLES = [data for _, _, data in (*PAIRS, *RUNS)]


@given(
    sample=st.sampled_from(SAMPLES),
    place=st.floats(0, 1),
    cut=st.integers(0, 20),
    put=st.binary(max_size=6)
    | st.sampled_from([b"\n", b"\t", b'"', b"{}", b"null", b"&", b"<", b"\xe9", b"[[1]]", b"1e999"]),
)
@settings(max_examples=60, deadline=None)
def test_damaged_samples(sample: bytes, place: float, cut: int, put: bytes) -> None:
    """A real file with a few bytes changed makes no reader raise anything else either."""
    at = int(place * len(sample))
    read_by_every_reader(sample[:at] + put + sample[at + cut :])


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
COLUMNS = ["id", "uid", "pairID", "text", "premise", "hypothesis", "label", "gold_label", "confidence", "weight"]
COLUMNS += [
    "label_counter",
    "example",
    "majority_label",
    "annotator_labels",
    "sentence1",
    "sentence2",
    "justification",
]


@given(st.lists(st.dictionaries(st.sampled_from(COLUMNS), JSON_VALUES, max_size=10), min_size=1, max_size=3))
@settings(max_examples=60, deadline=None)
def test_any_json_in_any_column(objects: list[dict[str, object]]) -> None:
    """Values of every type, nested or not finite, in every column that plays a role."""
    read_by_every_reader(lines(*objects).encode())


def test_what_was_read_is_whole() -> None:
    """A key that was read is whole: every column has one value a pair."""
    for _, name, data in PAIRS:
        pairs: Pairs = read_key(data, name)
        assert {len(pairs.texts), len(pairs.hypotheses), len(pairs.labels)} == {len(pairs)}
        assert all(len(values) == len(pairs) for values in pairs.attributes.values())
