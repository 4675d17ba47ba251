"""Tests of Parquet: whatever a file does to its decoder, karat answers with a sentence."""

from __future__ import annotations

import base64
import io
import os
import signal
import subprocess
import sys
import time
import zlib
from pathlib import Path
from typing import Any

import polars
import pytest

from karat.align.columns import Columns
from karat.errors import Problem, Problems
from karat.formats import parquet
from karat.formats.documents import document_of
from karat.formats.rows import read_rows
from tests.formats.limits import bounded

# A run of three lines in which one bit is flipped: polars 2.1 aborts the process that reads it.
ABORTS = zlib.decompress(
    base64.b85decode(
        "c-oayPm9w)6rW5(SeAk-bcO_i1aU(b%Wjie(~5hT*4VAP)-)iZcuAYa?QYyGO>M0gLHryZ{RZA;&mKMc0sIIa6nw8ums~`BFu!^KfAeM%Pxu"
        "y-*)>)@VhSUKlt1nLGOjELk-)GJY=jykti;R;ByGV`^xLE?)l|t^mu&V4p<pNyE!-fisMU$GrKxlrvLaXbJBfdkOyAtd75<smMd%^4*Sv3Yy"
        "ggNF|Alw+d@>5h!|6CV%kf`O^M{mcp<SgK90eB4r}4F;4Xc+qbndg~prCd^S1P00-2-`&BvU2><u=7Jx5<%?F*I}RnVTz`u2qozpRR^~mRX7"
        "aEU@du{9e%ib1eQ<W}JVJp_;#^TroHJ7h1v*)S~eHM^Emg!{gD*K>a4|q100W;vzI=V88BX_R@7IL@L_Ly)SNh5TDP{-xcCTme<9-iqJxMcn"
        "^{qPcNIU@>=&rCad@%s>6c^@v}~R5_aO*0MZ=nznEVZb(RJ0V}azYF7}7r#q)s7SN*&<*w4k#vZ@oG3bDUW)Sj2b!6Y@x=Zooaa<*g4Mw1lo"
        "&aii_-KtR@yc)-$;Y7`<JqT-26xvP{HSEy3Wjl?a+6?SwJ&Nqe2}WVl-q9-Xl=zwwd~qK9IllpM1f%@"
    )
)


@pytest.fixture(autouse=True)
def _fresh() -> None:
    """Each test starts processes of its own."""
    parquet._end_all()


def read(data: bytes) -> tuple[Columns | None, list[Problem]]:
    """The rows of a Parquet file, and its problems."""
    problems = Problems()
    document = document_of("x.parquet", data, problems)
    assert document is not None
    return read_rows(document, problems), list(problems)


def written(**columns: object) -> bytes:
    """Columns as a Parquet file."""
    buffer = io.BytesIO()
    polars.DataFrame(columns).write_parquet(buffer)
    return buffer.getvalue()


def test_a_file_that_aborts_its_decoder(capfd: pytest.CaptureFixture[str]) -> None:
    """One bit ends the process that decodes, and not this one; nothing of its panic is on the terminal."""
    rows, problems = read(ABORTS)
    assert rows is None
    assert [problem.code for problem in problems] == ["parquet"]
    assert capfd.readouterr() == ("", "")
    assert read(written(id=["1"]))[0] is not None  # the next file has a process of its own


LONG = "x" * 200_000
BOMBS: dict[str, tuple[int, polars.Series]] = {
    "texts": (512, polars.Series([LONG]).new_from_index(0, 3_000)),
    "bytes": (512, polars.Series([LONG.encode()]).new_from_index(0, 3_000)),
    "categories": (512, polars.Series([LONG], dtype=polars.Categorical).new_from_index(0, 3_000)),
    "lists": (8, polars.Series([[0] * 100_000]).new_from_index(0, 20)),
    "lists of nothing": (8, polars.Series([[None] * 100_000]).new_from_index(0, 20)),
    "lists of texts": (8, polars.Series([["x" * 1000] * 1000]).new_from_index(0, 20)),
    "objects": (8, polars.Series([{"a": 1}]).new_from_index(0, 100_000)),
}
"""Mebibytes allowed, and a column that would take more."""


@pytest.mark.parametrize(("mebibytes", "column"), BOMBS.values(), ids=BOMBS)
def test_small_files_that_decode_to_much(
    mebibytes: int, column: polars.Series, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Values of every type are counted before they are unfolded, and the process that decodes has a limit."""
    monkeypatch.setattr(parquet, "VALUE_BYTES", mebibytes << 20)
    data = written(x=column)
    assert len(data) < 100_000
    with bounded(60, 50):
        rows, problems = read(data)
    assert rows is None
    assert [problem.code for problem in problems] in (["too-large"], ["parquet"])


def test_cells_are_counted_before_they_are_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows times columns stand at the end of the file."""
    monkeypatch.setattr(parquet, "MAX_TABLE_CELLS", 1000)
    _, problems = read(written(id=["1"] * 501, x=[None] * 501))
    assert [(problem.code, problem.found) for problem in problems] == [("too-large", "1,002 cells")]


def limited(memory: int, seconds: int, then: str) -> int:
    """How a process under the worker's limits ends."""
    folder = str(parquet.WORKER.parent)
    code = f"import sys; sys.path.append({folder!r})\nimport parquet_worker as worker\n"
    code += f"worker._limit({memory}, {seconds})\n{then}"
    return subprocess.run([sys.executable, "-c", code], stderr=subprocess.DEVNULL, check=False).returncode


def test_the_limits_hold() -> None:
    """Time ends the process, and memory beyond the limit is not to be had; no core is dumped."""
    assert limited(1 << 30, 1, "while True: pass") == -signal.SIGALRM
    assert limited(1 << 30, 60, "import numpy; numpy.ones(1 << 28)") == 1
    assert limited(4 << 30, 60, "import numpy; numpy.ones(1 << 20)") == 0


STUBS = {
    "hangs": ("import signal, time; signal.alarm(1); time.sleep(60)", "takes longer than 20 seconds"),
    "aborts": ("import os; os.abort()", "breaks the decoder, or needs more than 1 GiB of memory"),
    "leaves": ("", "breaks the decoder"),
    "floods": ("import sys; sys.stdout.buffer.write(b'\\xff' * 100); sys.stdout.flush()", "breaks the decoder"),
    "babbles": (
        "import sys; sys.stdout.buffer.write(bytes(7) + b'\\x01' + b'\\xc1'); sys.stdout.flush()",
        "breaks the decoder",
    ),
}


@pytest.mark.parametrize(("code", "found"), STUBS.values(), ids=STUBS)
def test_whatever_becomes_of_the_process(
    code: str, found: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However the process ends, and whatever it sends, there is a sentence, and nothing is left of it."""
    stub = tmp_path / "stub.py"
    stub.write_text(code)
    monkeypatch.setattr(parquet, "WORKER", stub)
    rows, problems = read(written(id=["1"]))
    assert rows is None
    assert problems[0].code == "parquet"
    assert found in problems[0].found
    assert parquet._idle == []


def test_one_process_for_many_small_files() -> None:
    """Starting it costs more than reading: folders of runs share it, and it is not shared after a large file."""
    read(written(id=["1"]))
    (first,) = parquet._idle
    assert read(b"PAR1" + bytes(20))[1][0].code == "parquet"
    read(written(id=["2"]))
    assert parquet._idle == [first]
    read(written(id=[str(number) for number in range(300_000)]))
    assert parquet._idle == []
    assert first.returncode is not None


def test_parts_are_the_whole(tmp_path: Path) -> None:
    """Pieces put together are what is read at once, by the same process; one left in the middle of a file is ended."""
    path = tmp_path / "x.parquet"
    path.write_bytes(written(id=list(range(500)), text=[f"t{number}" for number in range(500)]))
    problems = Problems()
    pieces = list(parquet.parquet_pieces(str(path), 7, problems))
    assert [len(piece["id"]) for piece in pieces] == [7] * 71 + [3]
    assert list(problems) == []
    (first,) = parquet._idle
    rows, _ = read(path.read_bytes())
    assert rows is not None
    assert {name: [one for piece in pieces for one in piece[name]] for name in rows.values} == rows.values
    assert parquet._idle == [first]
    some = parquet.parquet_pieces(str(path), 7, problems)
    next(some)
    some.close()  # type: ignore[attr-defined]
    assert parquet._idle == []


def test_fewer_rows_than_a_file_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that ends its answer early has not decoded the file."""
    worker = tmp_path / "worker.py"
    worker.write_text(
        "import struct, sys, time\n"
        "import msgspec\n"
        "for one in ({'rows': 2, 'columns': [['id', 'text']]}, {'part': 1}, ['1'], {'part': 0}):\n"
        "    data = msgspec.msgpack.encode(one)\n"
        "    sys.stdout.buffer.write(struct.pack('>Q', len(data)) + data)\n"
        "sys.stdout.buffer.flush()\n"
        "time.sleep(60)\n"
    )
    monkeypatch.setattr(parquet, "WORKER", worker)
    rows, problems = read(written(id=["1", "2"]))
    assert rows is None
    assert [problem.code for problem in problems] == ["parquet"]


def test_a_process_that_was_ended_while_it_waited() -> None:
    """The next file starts another."""
    read(written(id=["1"]))
    parquet._idle[0].kill()
    parquet._idle[0].wait()
    rows, problems = read(written(id=["2"]))
    assert rows is not None
    assert problems == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_fork_asks_a_process_of_its_own() -> None:
    """Two that ask one process would read each other's answers."""
    read(written(id=["1"]))
    code = "from tests.formats.test_parquet import fork_and_read; fork_and_read()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "2 1\n", "")


def fork_and_read() -> None:
    """Read before a fork, and on both sides of it."""
    data = [written(id=[str(one)]) for one in (0, 1, 2)]
    read(data[0])
    if not (child := os.fork()):
        rows = read(data[2])[0]
        assert rows is not None
        print(*rows.values["id"], end=" ", flush=True)
        sys.exit()
    os.waitpid(child, 0)
    rows = read(data[1])[0]
    assert rows is not None
    print(*rows.values["id"])


def test_values_of_every_type() -> None:
    """Numbers, truths, texts, lists and objects arrive as they are; what Python spells in several ways, as text."""
    columns: dict[str, Any] = {
        "int": [1, -(2**63), None],
        "unsigned": polars.Series([2**64 - 1, 0, None], dtype=polars.UInt64),
        "float": [0.1, float("inf"), None],
        "truth": [True, False, None],
        "text": ["é", "", None],
        "list": [["a"], [], None],
        "object": [{"a": 1, "b": [1.5]}, {"a": 2, "b": []}, None],
        "array": polars.Series([[1, 2], [3, 4], None], dtype=polars.Array(polars.Int8, 2)),
        "category": polars.Series(["x", "y", None], dtype=polars.Categorical),
        "bytes": [b"ab", "é".encode(), None],
        "no text": [b"ab", b"\xff", None],
        "wide": polars.Series([2**100, 0, None], dtype=polars.Int128),
        "decimal": polars.Series(["1.50", "2", None]).cast(polars.Decimal(10, 2)),
        "date": polars.Series([0, 1, None]).cast(polars.Date),
        "duration": polars.Series([0, 1, None]).cast(polars.Duration("us")),
        "dates": polars.Series([[0], [], None], dtype=polars.List(polars.Int32)).cast(polars.List(polars.Date)),
        "nothing": [None, None, None],
    }
    rows, problems = read(written(**columns))
    assert problems == []
    assert rows is not None
    assert rows.lines == [None] * 3
    plain = {name: list(columns[name]) for name in ("int", "unsigned", "float", "truth", "text", "list", "object")}
    assert rows.values == plain | {
        "array": [[1, 2], [3, 4], None],
        "category": ["x", "y", None],
        "bytes": ["ab", "é", None],
        "no text": ["6162", "ff", None],
        "wide": [str(2**100), "0", None],
        "decimal": ["1.50", "2.00", None],
        "date": ["1970-01-01", "1970-01-02", None],
        "duration": [0, 1, None],
        "dates": [["1970-01-01"], [], None],
        "nothing": [None, None, None],
    }


@pytest.mark.parametrize("frame", [{}, {"id": []}], ids=["no columns", "no rows"])
def test_nothing_in_it(frame: dict[str, list[object]]) -> None:
    """A file without rows has its columns."""
    rows, problems = read(written(**frame))
    assert problems == []
    assert rows is not None
    assert (list(rows.values), list(rows.lines)) == (list(frame), [])


def test_columns_longer_than_a_frame() -> None:
    """Values come in pieces and are put together in their order."""
    count = 150_000
    rows, _ = read(written(id=list(range(count)), text=[f"t{number}" for number in range(count)]))
    assert rows is not None
    assert rows.values["id"] == list(range(count))
    assert rows.values["text"][-1] == f"t{count - 1}"


def test_a_matrix_of_many_scores_is_fast() -> None:
    """Large honest files cost little more than polars itself."""
    data = written(run=[f"r{row}" for row in range(200)], **{f"u{unit}": [0.5] * 200 for unit in range(2_000)})
    start = time.process_time()
    rows, _ = read(data)
    assert rows is not None
    assert len(rows.values) == 2_001
    assert time.process_time() - start < 2
