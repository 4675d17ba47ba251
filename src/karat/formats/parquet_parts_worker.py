"""The process that decodes a large Parquet file part by part, so that a bad file can crash nothing else.

`parquet_parts.py` runs this file by its path, so it imports nothing from karat. It is asked once, in MessagePack: the
path, which columns to send and as what, the rows of a part, and limits. It answers with the number of rows and the
columns of the file, and then with the parts: a header, the texts of each column that is sent as texts, and plain
arrays, which take no decoder to read.
"""

from __future__ import annotations

import signal
import struct
import sys
from typing import Any

import msgspec
import polars

FRAME = struct.Struct(">Q")
WHOLE = (polars.Boolean, polars.Int8)
"""Numbers that are sent in one byte, if none is missing."""


def main() -> None:
    """Answer one request."""
    asked = msgspec.msgpack.decode(sys.stdin.buffer.read())
    _limit(asked["memory"])
    try:
        _watch(asked["seconds"])
        table = polars.scan_parquet(asked["path"], glob=False)
        schema = table.collect_schema()
        rows = table.select(polars.len()).collect().item()
        _send(msgspec.msgpack.encode({"rows": rows, "columns": [[name, _kind(of)] for name, of in schema.items()]}))
        if asked["rows"]:
            _send_parts(table, schema, asked)
    except (MemoryError, KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # a panic of polars is not an Exception
        _send(msgspec.msgpack.encode({"damaged": str(error).partition("\n")[0]}))


def _send_parts(table: polars.LazyFrame, schema: polars.Schema, asked: dict[str, Any]) -> None:
    texts, hashed, numbers = (asked[kind] for kind in ("texts", "hashed", "numbers"))
    wanted = table.select(list(dict.fromkeys([*texts, *hashed, *numbers])))
    small = all(schema[name] in WHOLE for name in numbers)
    for frame in wanted.collect_batches(chunk_size=asked["rows"], maintain_order=True):
        for start in range(0, frame.height, asked["rows"]):
            part = frame.slice(start, asked["rows"])
            codes = {name: _codes(part[name]) for name in texts}
            values = part.select(numbers)
            one_byte = small and not any(column.null_count() for column in values)
            kind = polars.Int8 if one_byte else polars.Float64
            matrix = values.select(polars.all().cast(kind)).to_numpy(order="fortran") if numbers else None
            signal.alarm(0)
            words = {name: found.to_list() for name, (_, found) in codes.items()}
            _send(msgspec.msgpack.encode({"part": part.height, "words": words, "one_byte": one_byte}))
            for name in texts:
                _send(codes[name][0].to_numpy().tobytes())
            for name in hashed:
                _send(part[name].cast(polars.String).hash(seed=0).to_numpy().tobytes())
            if matrix is not None:
                _send(memoryview(matrix.T.data).cast("B") if matrix.flags.f_contiguous else matrix.T.tobytes())
            _watch(asked["seconds"])
    _send(msgspec.msgpack.encode({"part": 0}))


def _codes(column: polars.Series) -> tuple[polars.Series, polars.Series]:
    """The place of each cell among the different texts, and these in order of appearance; an empty cell is ''."""
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


def _limit(memory: int) -> None:
    if not hasattr(signal, "alarm"):
        return  # Windows has no limits
    import resource

    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    resource.setrlimit(resource.RLIMIT_DATA, (memory, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _watch(seconds: int) -> None:
    """Decoding the next part may take so long; the time that its reader takes does not count."""
    if hasattr(signal, "alarm"):
        signal.alarm(seconds)


def _send(payload: Any) -> None:
    sys.stdout.buffer.write(FRAME.pack(len(payload)))
    sys.stdout.buffer.write(payload)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
