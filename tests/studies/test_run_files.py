"""Runs over files of any size: the same bytes everywhere, after every accident, and nothing that is not whole."""

from __future__ import annotations

import gzip
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import karat
from karat import examples
from karat.data.pairs import Pairs
from karat.errors import DataError, KaratError, UsageError
from karat.formats import known_ids
from karat.formats.known_ids import KnownIds
from karat.formats.pair_files import pair_files
from karat.formats.writing import write_rows
from karat.studies.run import EngineRun, learn, run
from tests.cli.calls import karat as call

KEY = karat.read_pairs(examples.PAIRS)
MODEL = learn("overlap", KEY, without=["wordnet"])
MANY = 9000
"""More than two pieces."""


def rows(many: int) -> dict[str, list[Any]]:
    """The examples again and again, each time a little different."""
    at = [place % len(KEY) for place in range(many)]
    texts = [f"{KEY.texts[row]} {place // len(KEY)}" for place, row in enumerate(at)]
    names = [f"n{place}" for place in range(many)]
    return {"id": names, "text": texts, "hypothesis": [KEY.hypotheses[row] for row in at]}


def made(path: Path, many: int = MANY) -> Path:
    """A file of pairs in the form of its ending."""
    path.write_bytes(write_rows(rows(many), path.suffix))
    return path


def answer(*files: Path, output: Path | None = None, **where: Any) -> EngineRun:
    """The run over some files."""
    return run(MODEL, pair_files(list(files)), output=output, **where)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Many pairs as JSON lines."""
    return made(tmp_path_factory.mktemp("many") / "many.jsonl")


@pytest.fixture(scope="module")
def expected(many: Path) -> bytes:
    """The run over them, made in memory by one process."""
    pairs = karat.read_pairs(many)
    result = run(MODEL, pairs)
    path = many.with_name("expected.jsonl")
    karat.write_run(result.responses(pairs), 0, path)
    return path.read_bytes()


@pytest.mark.parametrize("form", [".jsonl", ".csv", ".tsv", ".parquet"])
def test_every_form_and_many_files(form: str, expected: bytes, tmp_path: Path) -> None:
    """The answers do not depend on the form of the pairs, nor on how many files they are in."""
    whole = made(tmp_path / f"whole{form}")
    columns = rows(MANY)
    parts = []
    for name, some in (("a", slice(0, 4100)), ("b", slice(4100, None))):
        parts.append(tmp_path / f"{name}{form}")
        parts[-1].write_bytes(write_rows({key: values[some] for key, values in columns.items()}, form))
    one = answer(whole, output=tmp_path / "one.jsonl")
    assert (tmp_path / "one.jsonl").read_bytes() == expected
    assert (one.pairs, one.answers, one.written_to) == (MANY, [], "one.jsonl")
    answer(*parts, output=tmp_path / "two.jsonl")
    assert (tmp_path / "two.jsonl").read_bytes() == expected


def test_packed_and_without_ids(tmp_path: Path, many: Path, expected: bytes) -> None:
    """A packed file is read as it is; rows without ids are numbered through all files."""
    packed = tmp_path / "many.jsonl.gz"
    packed.write_bytes(gzip.compress(many.read_bytes()))
    answer(packed, output=tmp_path / "run.jsonl")
    assert (tmp_path / "run.jsonl").read_bytes() == expected
    bare = tmp_path / "bare.csv"
    columns = rows(5000)
    del columns["id"]
    bare.write_bytes(write_rows(columns, ".csv"))
    again = tmp_path / "again.csv"
    again.write_bytes(bare.read_bytes())
    result = answer(bare, again)
    assert [one.id for one in result.answers] == list(map(str, range(10_000)))


@pytest.mark.parametrize("chunk", [1, 7, 333, 4000])
def test_every_chunk(chunk: int, tmp_path: Path) -> None:
    """The answers do not depend on how many pairs are answered together."""
    few = made(tmp_path / "few.jsonl", 700)
    whole = run(MODEL, karat.read_pairs(few), justify=True)
    parts = answer(few, chunk=chunk, justify=True)
    assert parts.answers == whole.answers


@pytest.mark.parametrize("suffix", ["", ".txt", ".tsv", ".csv", ".jsonl"])
def test_written_as_ever(suffix: str, tmp_path: Path) -> None:
    """A run that grows has the bytes of one that is written at once."""
    few = made(tmp_path / "few.jsonl", 300)
    pairs = karat.read_pairs(few)
    karat.write_run(run(MODEL, pairs, justify=True).responses(pairs), 0, tmp_path / f"at-once{suffix}")
    answer(few, output=tmp_path / f"grown{suffix}", justify=True, chunk=50)
    assert (tmp_path / f"grown{suffix}").read_bytes() == (tmp_path / f"at-once{suffix}").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        ["few.jsonl", f"at-once{suffix}", f"grown{suffix}"]
    )


def test_processes_give_the_same_bytes(many: Path, expected: bytes, tmp_path: Path) -> None:
    """So do several processes."""
    answer(many, output=tmp_path / "run.jsonl", on="processes", jobs=2, chunk=400)
    assert (tmp_path / "run.jsonl").read_bytes() == expected


def test_bad_pairs_are_set_aside(tmp_path: Path) -> None:
    """Whatever is no pair is listed with its place and its reason; the others are answered as without it."""
    lines = made(tmp_path / "few.jsonl", 100).read_bytes().splitlines(keepends=True)
    bad = [b"{broken\n", b'{"id": "n3", "text": "T", "hypothesis": "H"}\n', b'{"id": "x", "text": "T"}\n', b"[1]\n"]
    bad += [b'{"text": "T", "hypothesis": "H"}\n', b'{"id": "\xff", "text": "T", "hypothesis": "H"}\n']
    mixed = tmp_path / "mixed.jsonl"
    mixed.write_bytes(b"".join([*lines[:50], *bad, *lines[50:]]))
    clean = answer(tmp_path / "few.jsonl")
    for chunk in (1, 52, 1000):
        result = answer(mixed, output=tmp_path / "run.jsonl", chunk=chunk)
        listed = [json.loads(line) for line in (tmp_path / "run.jsonl.aside.jsonl").read_text().splitlines()]
        assert [(one["line"], one["id"]) for one in listed] == [
            *[(51, ""), (52, "n3"), (53, "x"), (54, ""), (55, ""), (56, "")]
        ]
        assert all(one["what"] == "no pair" and one["file"] == "mixed.jsonl" for one in listed)
        assert [word in one["reason"] for word, one in zip(
            ["invalid JSON", "again", "empty hypothesis", "not an object", "without id", "UTF-8"], listed, strict=True
        )] == [True] * 6  # fmt: skip
        assert (result.pairs, result.bad_pairs, len(result.bad), result.partial) == (100, 6, 6, True)
    assert answer(mixed).answers == clean.answers
    answer(tmp_path / "few.jsonl", output=tmp_path / "run.jsonl")
    assert not (tmp_path / "run.jsonl.aside.jsonl").exists()


def test_bad_rows_of_a_table(tmp_path: Path) -> None:
    """Rows with too many fields, or a stray quote, are set aside; a quote that is never closed is an error."""
    text = 'id,text,hypothesis\n1,A dog,A dog\n2,A,B,C\n3,"a" b,c\n4,A cat,A cat\n'
    (tmp_path / "t.csv").write_text(text)
    result = answer(tmp_path / "t.csv")
    assert [one.id for one in result.answers] == ["1", "4"]
    assert [one.line for one in result.bad] == [3, 4]
    (tmp_path / "open.csv").write_text(text + '5,"A dog\n6,a,b\n')
    with pytest.raises(DataError, match="not closed"):
        answer(tmp_path / "open.csv")


def test_the_command_says_so(tmp_path: Path) -> None:
    """Rows that are no pairs are an exit status of 1 and a sentence; the run itself is there."""
    (tmp_path / "t.jsonl").write_text('{"id": "1", "text": "A", "hypothesis": "B"}\n{"id": "2", "text": "A"}\n')
    done = call("run", "always-unknown", tmp_path / "t.jsonl", "-o", tmp_path / "run.txt")
    assert done.returncode == 1
    assert "1 row of the files is no pair: it has no answer. First: t.jsonl:2: an empty hypothesis" in done.stdout
    assert (tmp_path / "run.txt").read_text() == "1\tUNKNOWN\t1.0\n"
    told = call("run", "always-unknown", tmp_path / "t.jsonl")
    assert (told.returncode, told.stdout) == (1, "1\tUNKNOWN\t1.0\n")


@pytest.mark.parametrize("form", [".jsonl", ".csv", ".jsonl.gz", ".parquet", ".xml"])
def test_input_that_is_cut(form: str, tmp_path: Path) -> None:
    """A file that ends in the middle of a row is one sentence, and there is no run."""
    plain = tmp_path / f"cut{form.removesuffix('.gz')}"
    if form == ".xml":
        karat.write_pairs(KEY, plain)
        data = plain.read_bytes()
    else:
        columns = rows(6000)
        columns["text"] = [f'"{text}", they said' for text in columns["text"]]
        data = write_rows(columns, plain.suffix)
    data = gzip.compress(data) if form.endswith(".gz") else data
    cut = tmp_path / f"cut{form}"
    place = data.rindex(b"they said") if form in (".jsonl", ".csv") else len(data) - 100
    cut.write_bytes(data[:place])
    with pytest.raises(DataError) as error:
        answer(cut, output=tmp_path / "run.jsonl")
    assert len(str(error.value).splitlines()) == 1
    assert any(word in str(error.value) for word in ("ends in the middle", "cut off", "cannot be decoded", "xml"))
    assert not (tmp_path / "run.jsonl").exists()


def test_a_file_that_is_given_whole_later(tmp_path: Path, many: Path, expected: bytes) -> None:
    """What was answered of a file that was cut is kept, and the whole file is answered from there."""
    growing = tmp_path / "growing.jsonl"
    growing.write_bytes(many.read_bytes()[:-20])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("karat.formats.growing.SECONDS", 0)
        with pytest.raises(DataError, match="ends in the middle of line 9,000"):
            answer(growing, output=tmp_path / "run.jsonl", chunk=500)
    assert (tmp_path / "run.jsonl.part").stat().st_size > 0
    growing.write_bytes(many.read_bytes())
    result = answer(growing, output=tmp_path / "run.jsonl")
    assert result.resumed_pairs >= 4000
    assert result.pairs == MANY
    assert (tmp_path / "run.jsonl").read_bytes() == expected
    assert not list(tmp_path.glob("*.part*"))


SLOW = """
import json, sys, time
for line in sys.stdin:
    said = json.loads(line)
    if "karat" in said:
        print(json.dumps({"ready": True, "name": "slow"}), flush=True)
    elif "end" in said:
        print(json.dumps({"end": True}), flush=True)
    else:
        time.sleep(0.002)
        label = "ENTAILMENT" if len(said["text"]) % 3 else "UNKNOWN"
        print(json.dumps({"id": said["id"], "label": label, "confidence": 0.75}), flush=True)
"""
"""A program that takes long enough to be killed in between."""


def begun(command: Sequence[str], part: Path) -> subprocess.Popen[str]:
    """A call that has written something that counts."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    last = time.monotonic() + 120
    while not part.with_name(part.name + ".json").exists():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < last
        time.sleep(0.05)
    return process


@pytest.fixture
def slow(tmp_path: Path) -> Callable[[Path], list[str]]:
    """The command that answers by the slow program, given the file to write."""
    program = tmp_path / "slow.py"
    program.write_text(SLOW)
    pairs = made(tmp_path / "pairs.jsonl", 3000)
    engine = f"outside(command='{sys.executable} {program}')"

    def command(output: Path, *more: str) -> list[str]:
        words = ["run", engine, str(pairs), "-o", str(output), "--chunk", "100", "--jobs", "2", "--quiet", *more]
        return [sys.executable, "-c", "from karat.cli import main; main()", *words]

    return command


@pytest.mark.nightly
def test_killed_and_called_again(slow: Callable[..., list[str]], tmp_path: Path) -> None:
    """After kill -9, at whatever moment, the same call goes on, with other chunks, to the same bytes."""
    whole, run_file = tmp_path / "whole.csv", tmp_path / "run.csv"
    subprocess.run(slow(whole, "--on", "here"), check=True, capture_output=True)
    process = begun(slow(run_file), tmp_path / "run.csv.part")
    process.send_signal(signal.SIGKILL)
    process.wait()
    for pipe in (process.stdout, process.stderr):
        pipe.close()
    assert not run_file.exists()
    done = subprocess.run([*slow(run_file), "--format", "json"], check=True, capture_output=True, text=True)
    assert 0 < json.loads(done.stdout)["resumed_pairs"] < 3000
    assert run_file.read_bytes() == whole.read_bytes()
    other = subprocess.run(
        [*slow(tmp_path / "run.csv"), "--way", "2"], check=True, capture_output=True, text=True
    )  # a run that is whole is begun anew
    assert "NO" in run_file.read_text(), other.stderr


@pytest.mark.nightly
def test_a_process_killed_in_the_middle(slow: Callable[..., list[str]], tmp_path: Path) -> None:
    """A worker killed from outside costs no answer."""
    whole, run_file = tmp_path / "whole.csv", tmp_path / "run.csv"
    subprocess.run(slow(whole, "--on", "here"), check=True, capture_output=True)
    process = begun(slow(run_file), tmp_path / "run.csv.part")
    workers = subprocess.run(["pgrep", "-P", str(process.pid), "-f", "spawn_main"], capture_output=True, text=True)
    os.kill(int(workers.stdout.split()[0]), signal.SIGKILL)
    _, said = process.communicate(timeout=300)
    assert (process.returncode, said) == (0, "")
    assert run_file.read_bytes() == whole.read_bytes()


def test_another_call_does_not_go_on(tmp_path: Path, many: Path) -> None:
    """What another engine began, or was begun on other pairs, is not gone on with; two calls do not write at once."""
    run_file = tmp_path / "run.jsonl"
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(many.read_bytes()[:-20])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("karat.formats.growing.SECONDS", 0)
        with pytest.raises(DataError):
            answer(cut, output=run_file, chunk=500)
    with pytest.raises(UsageError, match="begun by a call with another engine"):
        run("always-unknown", pair_files(many), output=run_file)
    other = tmp_path / "other.jsonl"
    other.write_bytes(many.read_bytes().replace(b'"n5"', b'"m5"'))
    with pytest.raises(UsageError, match="not those that were answered"):
        answer(other, output=run_file)


def test_output_that_is_an_input(tmp_path: Path) -> None:
    """No file of pairs is overwritten, and no run is written in a form that cannot grow."""
    few = made(tmp_path / "few.jsonl", 10)
    before = few.read_bytes()
    with pytest.raises(UsageError, match="one of the files that were read"):
        answer(few, output=few)
    assert few.read_bytes() == before
    with pytest.raises(UsageError, match="line by line"):
        answer(few, output=tmp_path / "run.parquet")


def test_a_full_disk(tmp_path: Path, many: Path, expected: bytes) -> None:
    """Where a file may not grow further, a sentence says what is kept; with room, the same call goes on."""
    run_file = tmp_path / "run.jsonl"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("karat.formats.growing.SECONDS", 0)
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(expected) // 2, before[1]))
        try:
            with pytest.raises(
                UsageError, match=r"cannot write .*run\.jsonl: File too large; .* the same call goes on"
            ):
                answer(many, output=run_file)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not run_file.exists()
    result = answer(many, output=run_file)
    assert result.resumed_pairs > 0
    assert run_file.read_bytes() == expected


def test_repeated_ids() -> None:
    """An id is met again whenever and wherever it was met before."""
    known = KnownIds()
    for start in range(0, 5000, 500):
        assert known.again([str(one) for one in range(start, start + 500)]) == [False] * 500
    assert known.again(["4999", "5000", "5000", "0"]) == [True, False, True, True]


def test_repeated_ids_in_several_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    """No array of ids is much larger than the bound, so merging two takes little, and every id is still found."""
    monkeypatch.setattr(known_ids, "LARGEST", 100)
    known = KnownIds()
    for start in range(0, 2000, 30):
        assert known.again([str(one) for one in range(start, start + 30)]) == [False] * 30
    sizes = [len(one) for one in known._sorted]
    assert sum(sizes) == 2010
    assert max(sizes) < 200
    assert known.again([str(one) for one in range(2010)]) == [True] * 2010


@pytest.mark.parametrize("text", ["", "\n\n", '{"id": "1", "label": "YES"}\n', "id\ttext\ttext\n1\ta\tb\n"])
def test_files_without_pairs(text: str, tmp_path: Path) -> None:
    """A file without any pair is an error, as ever, and no empty run."""
    (tmp_path / "t.jsonl").write_text(text)
    with pytest.raises(KaratError):
        answer(tmp_path / "t.jsonl", output=tmp_path / "run.txt")
    assert not (tmp_path / "run.txt").exists()


def test_wrong_places(many: Path) -> None:
    """A place that does not exist, and GPUs without a cluster, are refused."""
    with pytest.raises(UsageError, match="expected one of here, processes, ray"):
        answer(many, on="rey")
    with pytest.raises(UsageError, match="GPUs of a cluster"):
        answer(many, gpus_per_worker=1)


def test_in_memory_is_the_same_path() -> None:
    """A test set in memory can be written as it is answered, too."""
    assert isinstance(KEY, Pairs)
    assert run(MODEL, KEY, output="-").pairs == len(KEY)
