"""The process that decodes Parquet, so that a bad file can crash nothing else.

`parquet.py` runs this file by its path, so it imports nothing from karat and starts as fast as polars does. A request
is MessagePack with a length before it: a file by its path, or the size of one that follows; what to send of it; limits.
The answer consists of frames, each with its length: first MessagePack with the number of rows and the columns, or the
error; then part by part some rows, and an empty part. A part is a header and its columns: each the values in
MessagePack, or plain arrays, which take no decoder to read, and in the header the different texts of texts.
"""

from __future__ import annotations

import io
import signal
import struct
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
import polars

FRAME = struct.Struct(">Q")
"""The length of a frame."""
ROWS_AT_ONCE = 1 << 16
"""Rows of a part, unless the request says how many."""
ONE_BYTE = (polars.Boolean, polars.Int8)
"""Numbers that are sent in one byte, if none is missing."""
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
    read = sys.stdin.buffer.read
    while len(length := read(FRAME.size)) == FRAME.size:
        asked = msgspec.msgpack.decode(read(*FRAME.unpack(length)))
        file = asked["path"] or read(asked["size"])
        try:
            _limit(asked["memory"], asked["seconds"])
            _answer(file, asked)
        except Refused as refused:
            _send({"too_large": str(refused)})
        except (MemoryError, KeyboardInterrupt, SystemExit, BrokenPipeError):
            raise
        except BaseException as error:  # a panic of polars is not an Exception, and leaves it in an unknown state
            _send({"damaged": str(error).partition("\n")[0], "panicked": not isinstance(error, Exception)})
        _limit(0, 0)


def _answer(file: str | bytes, asked: dict[str, Any]) -> None:
    """The rows and columns of a file, and then its parts."""
    table = polars.scan_parquet(_opened(file), glob=False)
    schema = table.collect_schema()
    rows = table.select(polars.len()).collect().item()
    if 0 < asked["cells"] < (found := rows * len(schema)):
        raise Refused(f"{found:,} cells")
    _send({"rows": rows, "columns": [[name, _kind(of)] for name, of in schema.items()]})
    if asked["rows"] is None:
        return
    for header, columns in _arrays(table, schema, asked) if "texts" in asked else _values(table, rows, file, asked):
        _watch(0)  # the time that its reader takes does not count
        _send(header)
        for column in columns:
            _write(column)
        _watch(asked["seconds"])
    _send({"part": 0})


def _values(
    table: polars.LazyFrame, rows: int, file: str | bytes, asked: dict[str, Any]
) -> Iterator[tuple[dict[str, Any], Iterable[Any]]]:
    """All columns as values. `batch` rows are decoded at once: a group of rows is decoded again for every slice."""
    labels, batch = _class_labels(_opened(file)), asked["batch"] or max(1, rows)
    for start in range(0, rows, batch):
        frame = _sendable((table.slice(start, batch) if batch < rows else table).collect(), labels, asked["allowed"])
        for piece in frame.iter_slices(asked["rows"] or ROWS_AT_ONCE):
            yield {"part": piece.height}, (msgspec.msgpack.encode(column.to_list()) for column in piece)


def _arrays(
    table: polars.LazyFrame, schema: polars.Schema, asked: dict[str, Any]
) -> Iterator[tuple[dict[str, Any], Iterable[Any]]]:
    """Some columns as places of texts, hashes and numbers."""
    texts, hashed, numbers = (asked[kind] for kind in ("texts", "hashed", "numbers"))
    wanted = table.select(list(dict.fromkeys([*texts, *hashed, *numbers])))
    small = all(schema[name] in ONE_BYTE for name in numbers)
    for frame in wanted.collect_batches(chunk_size=asked["rows"], maintain_order=True):
        for part in frame.iter_slices(asked["rows"]):
            coded = {name: _codes(part[name]) for name in texts}
            values = part.select(numbers)
            one_byte = small and not any(column.null_count() for column in values)
            words = {name: found.to_list() for name, (_, found) in coded.items()}
            arrays: list[Any] = [coded[name][0].to_numpy().tobytes() for name in texts]
            arrays += [part[name].cast(polars.String).hash(seed=0).to_numpy().tobytes() for name in hashed]
            if numbers:
                kind = polars.Int8 if one_byte else polars.Float64
                matrix = values.select(polars.all().cast(kind)).to_numpy(order="fortran")
                fortran = matrix.flags.f_contiguous
                arrays.append(memoryview(matrix.T.data).cast("B") if fortran else matrix.T.tobytes())
            yield {"part": part.height, "words": words, "one_byte": one_byte}, arrays


def _opened(file: str | bytes) -> str | io.BytesIO:
    return file if isinstance(file, str) else io.BytesIO(file)


def _limit(memory: int, seconds: int) -> None:
    """Limit memory and time from now on; 0 means no limit."""
    if not hasattr(signal, "alarm"):
        return  # Windows has neither
    import resource

    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    resource.setrlimit(resource.RLIMIT_DATA, (memory or hard, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _watch(seconds)


def _watch(seconds: int) -> None:
    """What comes next may take so long."""
    if hasattr(signal, "alarm"):
        signal.alarm(seconds)


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


def _codes(column: polars.Series) -> tuple[polars.Series, polars.Series]:
    """The place of each cell among the different texts, and these in order of appearance; an empty cell is ''."""
    if column.dtype in (polars.Enum, polars.Categorical):  # numbered already, though not in order of appearance
        first = column.unique(maintain_order=True)
        number, known = (one.to_physical().cast(polars.Int64).fill_null(-1) + 1 for one in (column, first))
        numbers: list[int] = known.to_list()
        place = [0] * (max(numbers, default=0) + 1)
        for at, one in enumerate(numbers):
            place[one] = at
        return polars.Series(place, dtype=polars.Int32).gather(number), first.cast(polars.String).fill_null("")
    text = column.cast(polars.String).fill_null("").alias("text")
    words = text.unique(maintain_order=True)
    places = polars.DataFrame({"text": words, "place": polars.Series(range(len(words)), dtype=polars.Int32)})
    return text.to_frame().join(places, on="text", how="left", maintain_order="left")["place"], words


def _kind(of: Any) -> str:
    if of.is_integer():
        return "whole number"
    if of == polars.Boolean or of.is_float():
        return "number"
    return "text" if of in (polars.String, polars.Categorical, polars.Enum) else "other"


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
    _write(msgspec.msgpack.encode(value))


def _write(payload: Any) -> None:
    sys.stdout.buffer.write(FRAME.pack(len(payload)))
    sys.stdout.buffer.write(payload)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
