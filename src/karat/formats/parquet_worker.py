"""The process that decodes Parquet, so that a bad file can crash nothing else.

`parquet.py` runs this file by its path, so it imports nothing from karat and starts as fast as polars does. A request
is five numbers and a file. The answer consists of frames, each a length and MessagePack: first the names of the columns
or the error, then their values, some rows of a column at a time. Called with the path of a file and how many rows are
wanted at a time, it answers about that file alone, and reads it as the answer is taken.
"""

from __future__ import annotations

import contextlib
import io
import signal
import struct
import sys
from collections.abc import Iterator
from typing import Any

import msgspec
import polars

ASKED, FRAME = struct.Struct(">5Q"), struct.Struct(">Q")
"""Size of the file, limits on cells, bytes as Python objects, memory and seconds; and the length of a frame."""
ROWS_AT_ONCE = 1 << 16
"""Rows of a column sent in one frame."""
PIECES_AT_ONCE = 32
"""Pieces of a file decoded at once: a group of rows is decoded again for every slice of it."""
SLOT, NUMBER, TEXT, LIST, FIELDS, FIELD = 8, 32, 56, 64, 184, 100
"""Bytes in Python of a place in a list, a number, a text, a list, an object, and a field of an object."""
SENT_AS_IS = (polars.Boolean, polars.Null, polars.String)
NUMBERS = tuple(getattr(polars, f"{kind}{bits}") for kind in ("Int", "UInt") for bits in (8, 16, 32, 64))
NUMBERS = (*NUMBERS, polars.Float32, polars.Float64)
"""The numbers that MessagePack supports; others are sent as text."""


class Refused(Exception):  # noqa: N818 - the file is wrong, not the program
    """A limit was exceeded; the message says which."""


def main() -> None:
    """Answer requests until the input ends."""
    while len(asked := sys.stdin.buffer.read(ASKED.size)) == ASKED.size:
        size, cells, allowed, memory, seconds = ASKED.unpack(asked)
        data = sys.stdin.buffer.read(size)
        _limit(memory, seconds)
        with _answering():
            frame = _decoded(data, cells, allowed)
            _send({"names": frame.columns, "rows": frame.height})
            for column in frame:
                for start in range(0, frame.height, ROWS_AT_ONCE):
                    _send(column.slice(start, ROWS_AT_ONCE).to_list())
        _limit(0, 0)


@contextlib.contextmanager
def _answering() -> Iterator[None]:
    """Say what goes wrong."""
    try:
        yield
    except Refused as refused:
        _send({"too_large": str(refused)})
    except (MemoryError, KeyboardInterrupt, SystemExit, BrokenPipeError):
        raise
    except BaseException as error:  # a panic of polars is not an Exception, and leaves it in an unknown state
        _send({"damaged": str(error).partition("\n")[0], "panicked": not isinstance(error, Exception)})


def _limit(memory: int, seconds: int) -> None:
    """Limit memory and time from now on; 0 means no limit."""
    if not hasattr(signal, "alarm"):
        return  # Windows has neither
    import resource

    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    resource.setrlimit(resource.RLIMIT_DATA, (memory or hard, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.alarm(seconds)


def _decoded(data: bytes, cells: int, allowed: int) -> polars.DataFrame:
    lazy = polars.scan_parquet(io.BytesIO(data))
    schema = lazy.collect_schema()
    if (found := lazy.select(polars.len()).collect().item() * len(schema)) > cells:
        raise Refused(f"{found:,} cells")
    return _sendable(lazy.collect(), _class_labels(io.BytesIO(data)), allowed)


def _send_pieces(path: str, rows: int, allowed: int, memory: int, seconds: int) -> None:
    """Answer about one file: its names and rows, then `rows` rows of each column at a time."""
    lazy = polars.scan_parquet(path, glob=False)
    names, many = lazy.collect_schema().names(), lazy.select(polars.len()).collect().item()
    _send({"names": names, "rows": many})
    labels, at_once = _class_labels(path), rows * PIECES_AT_ONCE
    for start in range(0, many, at_once):
        _limit(memory, seconds)
        frame = _sendable(lazy.slice(start, at_once).collect(), labels, allowed)
        _limit(0, 0)
        for piece in frame.iter_slices(rows):
            _send([column.to_list() for column in piece])


def _sendable(frame: polars.DataFrame, labels: dict[str, list[str]], allowed: int) -> polars.DataFrame:
    """A frame with values that can be sent, if they take no more than allowed."""
    for name, words in labels.items():
        if name in frame.columns and frame[name].dtype in NUMBERS:
            spelled = {str(code): word for code, word in enumerate(words)}
            frame = frame.with_columns(frame[name].cast(polars.String).replace(spelled))
    spent = 0
    for place, column in enumerate(frame):
        kind = _plain(column.dtype)
        if kind != column.dtype:
            column = _cast(column, kind)
            frame.replace_column(place, column)
        spent += _size(column)
        if spent > allowed:
            raise Refused(f"values that take more than {allowed >> 20} MiB")
    return frame


def _class_labels(source: io.BytesIO | str) -> dict[str, list[str]]:
    """The names of the codes in each column, as the library `datasets` writes them."""
    written = polars.read_parquet_metadata(source).get("huggingface", "{}")
    try:
        features = msgspec.json.decode(written)["info"]["features"]
        return {
            name: [str(word) for word in feature["names"]]
            for name, feature in features.items()
            if isinstance(feature, dict) and feature.get("_type") == "ClassLabel"
        }
    except (msgspec.DecodeError, KeyError, TypeError, AttributeError):
        return {}


def _plain(kind: Any) -> Any:
    """The type to send: dates, decimals, categories and bytes as text."""
    if isinstance(kind, polars.List | polars.Array):
        return polars.List(_plain(kind.inner))
    if isinstance(kind, polars.Struct):
        return polars.Struct({field.name: _plain(field.dtype) for field in kind.fields})
    if kind == polars.Duration:
        return polars.Int64
    return kind if kind in SENT_AS_IS or kind in NUMBERS else polars.String


def _cast(column: polars.Series, kind: Any) -> polars.Series:
    try:
        return column.cast(kind)
    except polars.exceptions.PolarsError:
        if column.dtype != polars.Binary:
            raise
        return column.bin.encode("hex")  # bytes that are not text


def _size(column: polars.Series) -> int:
    """The approximate size of the values as Python objects, in bytes."""
    rows, kind = len(column), column.dtype
    if kind == polars.String:
        return rows * (SLOT + TEXT) + int(column.str.len_bytes().cast(polars.Int64).sum())
    if isinstance(kind, polars.List):
        return rows * (SLOT + LIST) + _size(column.explode())
    if isinstance(kind, polars.Struct):
        inner = sum(FIELD * rows + _size(column.struct.field(field.name)) for field in kind.fields)
        return rows * (SLOT + FIELDS) + inner
    return rows * (SLOT if kind in SENT_AS_IS else SLOT + NUMBER)


def _send(value: Any) -> None:
    payload = msgspec.msgpack.encode(value)
    sys.stdout.buffer.write(FRAME.pack(len(payload)))
    sys.stdout.buffer.write(payload)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    if sys.argv[1:]:
        with _answering():
            _send_pieces(sys.argv[1], *map(int, sys.argv[2:]))
    else:
        main()
