"""Tests of documents: paths, gzip, encodings and line ends, before any format looks."""

from __future__ import annotations

import gzip
import io
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from karat.errors import DataError, Problem, Problems
from karat.formats import documents
from karat.formats.documents import document_of, read_document
from karat.formats.pairs import read_pairs
from karat.formats.runs import read_runs
from tests.files import answers_of, key_problems, place_of, read_key, read_run, run_problems, three_way
from tests.formats.samples import PAIRS, RTE, RUNS

RUN = b"1 YES\n2 UNKNOWN\n3 NO\n"


def unreadable(path: Path) -> list[Problem]:
    """What is said of a key at this path."""
    with pytest.raises(DataError) as caught:
        read_pairs(path)
    return list(caught.value.problems)


def test_paths_that_hold_no_file(tmp_path: Path) -> None:
    """Nothing there, a folder, and a name that no file can have."""
    assert [(p.code, p.found) for p in unreadable(tmp_path / "none")] == [("unreadable", "No such file or directory")]
    assert [(p.code, p.found) for p in unreadable(tmp_path)] == [("empty-file", "a folder without files")]
    assert [p.code for p in unreadable(Path("a\0b"))] == ["unreadable"]


def test_a_file_without_permission(tmp_path: Path) -> None:
    """The system's word is repeated."""
    path = tmp_path / "key.xml"
    path.write_text(RTE)
    path.chmod(0)
    try:
        path.read_bytes()
    except PermissionError:
        assert [(p.code, p.found) for p in unreadable(path)] == [("unreadable", "Permission denied")]
    else:
        pytest.skip("this user may read everything")


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """`-` reads it."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(RTE.encode())))
    assert read_pairs("-").ids == ("1", "2", "3")


@pytest.mark.parametrize(("wanted", "name", "data"), PAIRS, ids=[sample[1] for sample in PAIRS])
def test_gzip_of_any_key(wanted: str, name: str, data: bytes) -> None:
    """Packed or not, the same pairs by the same reader, and the hash of the file as it lies there."""
    packed = gzip.compress(data)
    pairs, plain = read_key(packed, f"{name}.gz"), read_key(data, name, reader=wanted)
    assert (pairs.ids, pairs.texts) == (plain.ids, plain.texts)
    assert pairs.source.sha256 != plain.source.sha256


@pytest.mark.parametrize(("wanted", "name", "data"), RUNS, ids=[sample[1] for sample in RUNS])
def test_gzip_of_any_run(wanted: str, name: str, data: bytes) -> None:
    """Packed or not, the same answers; a run's name has neither suffix, unless the file names it."""
    key = three_way()
    key = replace(key, texts=("",) * len(key), hypotheses=("",) * len(key))  # those of the samples are others
    if wanted == "labels":  # a test set whose pairs are numbered
        key = replace(key, ids=("0", "1", "2"))
    packed, _ = read_run(gzip.compress(data), key, f"{name}.gz")
    plain, _ = read_run(data, key, name, run_reader=wanted)
    assert answers_of(packed) == answers_of(plain)
    named = {"promptfoo": "openai:one", "label-studio": "m1"}.get(wanted, Path(name).stem)
    assert packed.info.name == plain.info.name == named


def test_members_one_after_the_other() -> None:
    """Two gzip files joined are one, also with zeros after them."""
    packed = gzip.compress(RUN[:6]) + gzip.compress(RUN[6:]) + bytes(10)
    document = document_of("run.txt.gz", packed, Problems())
    assert document is not None
    assert document.data == RUN


@pytest.mark.parametrize("name", ["run.txt", "run.txt.gz", "folder/run.txt", "run", "run.gz"])
def test_what_a_run_is_called(name: str) -> None:
    """The name without folder and suffixes."""
    document = document_of(name, RUN, Problems())
    assert document is not None
    assert document.source.stem == "run"


DAMAGED = {
    "cut": (gzip.compress(RUN)[:-9], ("gzip", None, None, "error")),
    "cut in the header": (gzip.compress(RUN)[:5], ("gzip", None, None, "error")),
    "changed": (gzip.compress(RUN)[:-8] + bytes(8), ("gzip", None, None, "error")),
    "not gzip after all": (b"\x1f\x8b" + bytes(30), ("gzip", None, None, "error")),
    "UTF-16 cut off": (RUN.decode().encode("utf-16")[:-1], ("encoding", 1, 1, "error")),
    "latin-1": (b"1 YES\nm\xfcller YES\n", ("encoding", 2, 2, "error")),
    "NUL": (b"1 YES\n2 \0NO\n", ("nul", 2, 3, "error")),
    "UTF-16 without mark": (RUN.decode().encode("utf-16-le"), ("nul", 1, 2, "error")),
}


@pytest.mark.parametrize(("data", "place"), DAMAGED.values(), ids=DAMAGED)
def test_damage_is_told_with_its_place(data: bytes, place: object) -> None:
    """What is no text, or no whole gzip file, is an error at its place."""
    problems = run_problems(data, three_way(), run_reader="plain")
    assert list(map(place_of, problems)) == [place]


def test_the_encoding_is_named_in_the_fix() -> None:
    """The command that mends it can be copied."""
    assert "iconv -f LATIN1 " in run_problems(b"m\xfcller YES\n", three_way(), run_reader="plain")[0].fix


def test_utf_16() -> None:
    """A text in UTF-16 with its mark, in either order of bytes, is read like one in UTF-8."""
    for data in (RUN.decode().encode("utf-16"), b"\xfe\xff" + RUN.decode().encode("utf-16-be")):
        run, problems = read_run(data, three_way())
        assert (answers_of(run), problems) == (["ENTAILMENT", "UNKNOWN", "CONTRADICTION"], [])


def test_lines_end_in_any_way() -> None:
    """So are CRLF, of which nothing is said, and a lone CR, with one warning."""
    for end, told in (("\r\n", []), ("\r", ["carriage-return"])):
        run, problems = read_run(RUN.decode().replace("\n", end), three_way())
        assert answers_of(run) == ["ENTAILMENT", "UNKNOWN", "CONTRADICTION"]
        assert [problem.code for problem in problems] == told


def test_a_mark_in_a_key() -> None:
    """A table with a byte-order mark, as Excel writes it, is read, and its first column has its name."""
    assert [p.code for p in key_problems("\ufeffid,text,hypothesis\n1,a,b\n", "key.csv")] == []


def test_a_file_beyond_all_measure(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The limit is met before the file is held twice."""
    monkeypatch.setattr(documents, "MAX_BYTES", 100)
    (tmp_path / "key.csv").write_bytes(b"x" * 101)
    (problem,) = unreadable(tmp_path / "key.csv")
    assert (problem.code, problem.expected) == ("too-large", "at most 100")


def test_a_document_knows_its_bytes(tmp_path: Path) -> None:
    """The source is the name as given and the SHA-256 of the file."""
    (tmp_path / "run.txt").write_bytes(b"")
    document = read_document(tmp_path / "run.txt", Problems())
    assert document is not None
    assert document.source.sha256 == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_an_empty_run_is_told(tmp_path: Path) -> None:
    """Also where the reader is named."""
    (tmp_path / "run.txt").write_bytes(b"")
    with pytest.raises(DataError, match="empty-file"):
        read_runs(tmp_path / "run.txt", three_way())
    with pytest.raises(DataError, match="empty-file: no answers"):
        read_runs(tmp_path / "run.txt", three_way(), run_reader="plain")
