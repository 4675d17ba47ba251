"""Damage: what happens to files on their way, and what somebody may do to them on purpose."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from random import Random

Mutation = Callable[[bytes, Random], bytes]

TOKENS: list[bytes] = [
    *(bytes([byte]) for byte in b"\0\t\n\r\x0b\x0c\x1c\x85\xe9\xff \"',;:#<>&%{}[]()=/\\+-_.|*0"),
    *(text.encode() for text in ("\u00a0", "\u2028", "\ufeff", "٣", "é", "ﬁ", "İ", "\u202e", "𝟏")),
    *b"\r\n|\n\n|\xff\xfe|\xed\xa0\x80|\\ud800|\\u0000|null|true|NaN|-Infinity|{}|[]|[[1]]".split(b"|"),
    *b"1e999|1_0|-0|00|0x1|1e-320|.5|1.|+1|9007199254740993|-1|NIL|all|cluster|skip|undef|-".split(b"|"),
    *b"<!--|-->|<![CDATA[|]]>|<?x?>|&amp;|&#0;|&x;|<x/>|<t>|</t>|<h/>|<pair id='1'/>|<PAIR>|<!DOCTYPE a>".split(b"|"),
    *b'YES|NO|ENTAILMENT|id|label|text|run|unit|qid|=1+1|\x1b[31m|ranked: yes|Qid 1:|# 1.1|"id"'.split(b"|"),
    b"9" * 30,
    b"9" * 5000,
    b"[" * 5000,
    b'{"a":' * 5000,
    b"<a>" * 5000,
    b"x" * 100_000,
    b" " * 100_000,
    b"\t" * 50_000,
    b"\n" * 20_000,
    b"a," * 50_000,
    b"1 YES\n" * 10_000,
]
NAMES = [b"id", b"label", b"text", b"hypothesis", b"run", b"unit", b"assessor", b"weight", b"", b"x", b"confidence"]
CELLS = [b"", b" ", b"1_0", "٣".encode(), b"true", b"nan", b"inf", b"1e999", b"-1", b"9" * 400, b'"', b'a"b', b"YES"]
VALUES: list[object] = [None, True, [], {}, [[1]], {"a": {"b": 1}}, 10**30, 0.1, "", " ", "1_0", "\x1c", [None], -1]


def _flip(data: bytes, rng: Random) -> bytes:
    at, mutable = rng.randrange(len(data)), bytearray(data)
    mutable[at] ^= 1 << rng.randrange(8)
    return bytes(mutable)


def _set(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]


def _cut(data: bytes, rng: Random) -> bytes:
    return data[: rng.randrange(len(data))]


def _delete(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + data[at + rng.randrange(1, 12) :]


def _repeat(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data))
    piece = data[at : at + rng.randrange(1, 60)]
    return data[:at] + piece * rng.choice([2, 2, 3, 100]) + data[at + len(piece) :]


def _insert(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice(TOKENS) + data[at:]


def _replace(data: bytes, rng: Random) -> bytes:
    """A word of the file becomes something else."""
    words = data.split()
    if not words:
        return data
    return data.replace(rng.choice(words), rng.choice(TOKENS), rng.choice([1, -1]))


def _encode(data: bytes, rng: Random) -> bytes:
    text = data.decode("utf-8", errors="replace")
    ways: list[Callable[[], bytes]] = [
        lambda: text.encode("utf-16"),
        lambda: text.encode("utf-16-le"),
        lambda: text.encode("utf-16-be"),
        lambda: text.encode("utf-32"),
        lambda: text.replace("a", "é").encode("latin-1", errors="replace"),
        lambda: text.replace("a", "é").encode(),
        lambda: text.encode("utf-8-sig"),
        lambda: data.replace(b"\n", b"\r\n"),
        lambda: data.replace(b"\n", b"\r"),
        lambda: data + bytes(rng.randrange(1, 9)),
        lambda: gzip.compress(data),
        lambda: gzip.compress(data)[: rng.randrange(40)],
        lambda: gzip.compress(gzip.compress(data)),
        lambda: text.upper().encode(),
    ]
    return rng.choice(ways)()


def _lines(data: bytes, rng: Random) -> bytes:
    """A line again, gone, elsewhere, empty, or at the end of another."""
    lines = data.split(b"\n")
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(6):
        case 0:
            lines.insert(other, lines[at])
        case 1:
            del lines[at]
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            lines.insert(at, rng.choice([b"", b" ", b"\t"]))
        case 4:
            lines[at : at + 2] = [b" ".join(lines[at : at + 2])]
        case 5:
            lines[at : at + 1] = [lines[at]] * rng.choice([50, 2000])
    return b"\n".join(lines)


def _columns(data: bytes, rng: Random) -> bytes:
    """A column again, gone, elsewhere or under another name; a cell with something else in it."""
    between = b"\t" if b"\t" in data else b","
    rows = [line.split(between) for line in data.split(b"\n")]
    width = len(rows[0])
    at, other = rng.randrange(width), rng.randrange(width)
    action = rng.randrange(6)
    if action == 0:
        rows[0][at] = rng.choice([*NAMES, rows[0][other], b'"' + rows[0][at] + b'"'])
    elif action == 1:
        row = rng.choice(rows)
        row[rng.randrange(len(row))] = rng.choice(CELLS)
    else:
        for row in (row for row in rows if len(row) == width):
            if action == 2:
                row.append(row[at])
            elif action == 3:
                del row[at]
            elif action == 4:
                row[at], row[other] = row[other], row[at]
            else:
                row.insert(at, b"")
    return b"\n".join(between.join(row) for row in rows)


def _json(data: bytes, rng: Random) -> bytes:
    """A key again, gone, under another name or with another value; deep lists."""
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    try:
        held = json.loads(lines[at])
    except (ValueError, RecursionError):
        return _columns(data, rng)
    if not isinstance(held, dict) or not held:
        return _insert(data, rng)
    key = rng.choice(list(held))
    value = rng.choice(VALUES)
    match rng.randrange(5):
        case 0:
            again = f"{json.dumps(key)}: {json.dumps(value)}, ".encode()
            lines[at] = lines[at].replace(b"{", b"{" + again, 1)
        case 1:
            del held[key]
            lines[at] = json.dumps(held).encode()
        case 2:
            lines[at] = json.dumps({rng.choice(NAMES).decode(): one for one in held.values()}).encode()
        case 3:
            lines[at] = json.dumps(held | {key: value}).encode()
        case 4:
            deep = b"[" * 2000 + b"]" * rng.choice([2000, 1999])
            lines[at] = json.dumps(held | {key: "@"}).encode().replace(b'"@"', deep)
    return b"\n".join(lines)


MUTATIONS: list[Mutation] = [
    *([_flip] * 3), _set, _set, _cut, _delete, _delete, _repeat, *([_insert] * 3), _replace, _replace, _encode, _lines,
    _lines, *([_columns] * 3), *([_json] * 3),
]  # fmt: skip


def mutate(data: bytes, rng: Random) -> bytes:
    """The file after one accident, or a few."""
    for _ in range(rng.choice([1, 1, 1, 1, 2, 3])):
        if data:
            data = rng.choice(MUTATIONS)(data, rng)
    return data
