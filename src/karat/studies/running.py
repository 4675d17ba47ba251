"""Pairs on their way through an engine: read, answered wherever it runs, and collected or written, a chunk at a time.

A test set in memory is one piece; files are many. Nothing here depends on how many pairs there are, except for answers
that are collected.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import msgspec
import numpy as np

from karat.data.pairs import Pairs
from karat.engines.batch import Chunk, attributes_with_parts, chunks_of
from karat.engines.engine import Decisions, Failure
from karat.errors import Problem, UsageError
from karat.formats.growing import Growing
from karat.formats.pair_files import BadPair, Piece
from karat.formats.writing import write_rows
from karat.places import Whereabouts
from karat.progress import track

LISTED = 100
"""Pairs of each kind of trouble that the result of a run in a file lists; the file beside it has all of them."""
TABLES = (".csv", ".tsv")
LINES = (".jsonl", ".ndjson")
PLAIN = ("", ".txt")


@dataclass(frozen=True)
class Portion:
    """A chunk, or None; the rows among or before it that are no pairs; and how far reading is then."""

    chunk: Chunk | None
    places: Sequence[int]
    bad: Sequence[tuple[int, BadPair]]
    read: int
    """Bytes."""
    rows: int
    """Rows of all files up to here."""
    seal: str
    """Stands for the content of these rows."""


class RunTally(msgspec.Struct, kw_only=True):
    """What a run has come to so far: it is kept beside a run that grows."""

    labels: list[int]
    pairs: int = 0
    failed: int = 0
    unjustified: int = 0
    bad: int = 0
    failures: list[Failure] = []
    speechless: list[Failure] = []
    bad_pairs: list[BadPair] = []
    rows: int = 0
    seal: str = ""

    def add(self, portion: Portion, decisions: Decisions | None, most: int | None) -> None:
        """Count a portion; of each kind of trouble the first `most` pairs are listed."""
        self.rows, self.seal = portion.rows, portion.seal
        self.bad += len(portion.bad)
        _extend(self.bad_pairs, [one for _, one in portion.bad], most)
        if decisions is None:
            return
        counts = np.bincount(decisions.codes, minlength=len(self.labels)).tolist()
        self.labels = [had + new for had, new in zip(self.labels, counts, strict=True)]
        for listed, found in ((self.failures, decisions.failures), (self.speechless, decisions.speechless)):
            _extend(listed, [replace(one, place=one.place + self.pairs) for one in found], most)
        self.failed += len(decisions.failures)
        self.unjustified += len(decisions.speechless)
        self.pairs += len(decisions)


def _extend(listed: list[Any], found: Sequence[Any], most: int | None) -> None:
    listed += found if most is None else found[: max(most - len(listed), 0)]


def piece_of(pairs: Pairs) -> Piece:
    """A test set in memory as the only piece."""
    return Piece(pairs, range(len(pairs)), (), pairs.way, len(pairs))


def portions(pieces: Iterable[Piece], size: int, start: int = 0, sealing: bool = True) -> Iterator[Portion]:
    """The chunks of the pieces with so many pairs; some chunk ends before the row `start`."""
    seals, read = (hashlib.sha256(), hashlib.sha256()) if sealing else None, 0
    for piece in pieces:
        for part in _split(piece, start):
            bad, done, each = deque(part.bad), 0, (part.read - read) / max(len(part.pairs), 1)
            for chunk in chunks_of(part.pairs, size):
                places = part.places[done : done + len(chunk[0])]
                done += len(places)
                mine = [bad.popleft() for _ in range(sum(place < places[-1] for place, _ in bad))]
                yield _sealed(seals, chunk, places, mine, read + round(done * each))
            if bad:
                yield _sealed(seals, None, [], list(bad), part.read)
            read = part.read


def _split(piece: Piece, start: int) -> Sequence[Piece]:
    """A piece, or the two parts of it where the row `start` is in it."""
    if not start:
        return [piece]
    places = np.asarray(piece.places)
    before, bad = places < start, [place < start for place, _ in piece.bad]
    if all((*before.tolist(), *bad)) or not any((*before.tolist(), *bad)):
        return [piece]
    # What a pair has from its parts is worked out while they are together.
    attributes = {name: tuple(values) for name, values in attributes_with_parts(piece.pairs).items()}
    whole = replace(piece.pairs, attributes=attributes)
    return [
        replace(
            piece,
            pairs=whole.of_units(kept),
            places=places[kept].tolist(),
            bad=[one for one, here in zip(piece.bad, bad, strict=True) if here is first],
        )
        for kept, first in ((before, True), (~before, False))
    ]


def _sealed(
    seals: tuple[Any, Any] | None, chunk: Chunk | None, places: Sequence[int], bad: list[tuple[int, BadPair]], read: int
) -> Portion:
    rows = 1 + max([*places[-1:], *(place for place, _ in bad)])
    if seals is None:
        return Portion(chunk, places, bad, read, rows, "")
    encode = msgspec.msgpack.encode
    if chunk is not None:
        ids, texts, hypotheses, attributes = chunk
        seals[0].update(b"".join(map(encode, zip(places, ids, texts, hypotheses, *attributes.values(), strict=True))))
    seals[1].update(b"".join(encode((place, one.reason)) for place, one in bad))
    return Portion(chunk, places, bad, read, rows, "".join(seal.hexdigest() for seal in seals))


class Sink(Protocol):
    """Where answers go."""

    most: int | None
    """How many pairs of each kind of trouble are listed in the result."""

    def take(self, portion: Portion, decisions: Decisions | None, tally: RunTally) -> None:
        """Take the decisions on a portion, which the tally has counted."""
        ...


@dataclass
class Collected:
    """In memory."""

    decisions: list[tuple[Sequence[str], Decisions]]
    most: int | None = None

    def take(self, portion: Portion, decisions: Decisions | None, tally: RunTally) -> None:
        """Keep the decisions."""
        del tally
        if decisions is not None:
            assert portion.chunk is not None
            self.decisions.append((portion.chunk[0], decisions))


@dataclass
class Written:
    """In a file that grows, as the lines of a run."""

    file: Growing
    suffix: str
    justify: bool
    call: str
    """Stands for everything but the pairs that the answers depend on."""
    most: int | None = LISTED

    def begin(self, tally: RunTally) -> RunTally:
        """Where the file stands: where an earlier call was stopped, or at its beginning, with the tally given."""
        held = self.file.held
        if held is not None:
            try:
                kept = msgspec.json.decode(held, type=Progressed)
            except msgspec.ValidationError:
                kept = None
            if kept is None or kept.call != self.call:
                raise UsageError(
                    f"{self.file.name}.part was begun by a call with another engine, model or form: give that call "
                    f"again, or delete {self.file.name}.part to start again from the first pair"
                )
            return kept.tally
        names = ["id", "label", "confidence", *["justification"] * self.justify]
        if self.suffix in TABLES:
            self.file.write(
                write_rows({name: [] for name in names}, self.suffix), b"", lambda: Progressed(self.call, tally)
            )
        return tally

    def finish(self, tally: RunTally) -> None:
        """Give the file its name."""
        self.file.finish(Progressed(self.call, tally))

    def take(self, portion: Portion, decisions: Decisions | None, tally: RunTally) -> None:
        """Write the answers as lines, and what is not as it should be beside them."""
        lines = b""
        if decisions is not None:
            assert portion.chunk is not None
            lines = run_lines(portion.chunk[0], decisions, self.suffix)
        self.file.write(lines, _aside(portion, decisions), lambda: Progressed(self.call, tally))


class Progressed(msgspec.Struct, frozen=True):
    """What is kept beside a run that grows."""

    call: str
    tally: RunTally


def check_ending(path: str) -> str:
    """The ending of a run that is written line by line."""
    suffix = Path(path).suffix.lower() if path != "-" else ""
    if suffix not in (*PLAIN, *TABLES, *LINES):
        known = ", ".join((*PLAIN[1:], *TABLES, *LINES[:1]))
        raise UsageError(f"cannot write {path}: a run is written line by line; end its name in one of {known}")
    return suffix


def run_lines(ids: Sequence[str], decisions: Decisions, suffix: str) -> bytes:
    """Answers as the lines of a run file."""
    labels = [decisions.way.labels[code] for code in decisions.codes.tolist()]
    columns: dict[str, Sequence[Any]] = {"id": ids, "label": labels, "confidence": decisions.confidence.tolist()}
    if decisions.justifications is not None:
        columns["justification"] = [one.text for one in decisions.justifications]
    if suffix in PLAIN:
        columns["label"] = [label.replace("_", " ") for label in labels]
        columns["confidence"] = list(map(repr, columns["confidence"]))
        if "justification" in columns:
            columns["justification"] = [" ".join(text.splitlines()) for text in columns["justification"]]
        return "".join("\t".join(row) + "\n" for row in zip(*columns.values(), strict=True)).encode()
    rows = write_rows(columns, suffix)
    return rows.partition(b"\n")[2] if suffix in TABLES else rows


def _aside(portion: Portion, decisions: Decisions | None) -> bytes:
    """The pairs of a portion that were not read, not answered or not justified, with the reasons, in their order."""
    found = [
        (place, {"what": "no pair", "id": one.id, "reason": one.reason, "file": Path(one.file).name, "line": one.line})
        for place, one in portion.bad
    ]
    if decisions is not None:
        for what, them in (("not answered", decisions.failures), ("not justified", decisions.speechless)):
            found += [(portion.places[one.place], {"what": what, "id": one.id, "reason": one.reason}) for one in them]
    found.sort(key=lambda one: one[0])
    return b"".join(msgspec.json.encode(one) + b"\n" for _, one in found)


def answer_all(
    place: Whereabouts[Chunk, Decisions], pieces: Iterable[Piece], size: int, total: int, sink: Sink, tally: RunTally
) -> tuple[Problem, ...]:
    """Answer all pairs that the tally has not counted yet; what was warned of."""
    warnings: dict[Problem, None] = {}
    start, sealed, bytes_read = tally.rows, tally.seal, 0

    def read() -> Iterator[Piece]:
        for piece in pieces:
            warnings.update(dict.fromkeys(piece.warnings))
            yield piece

    def fresh() -> Iterator[Portion]:
        seal = ""
        for portion in portions(read(), size, start, isinstance(sink, Written)):
            seal = portion.seal if portion.rows <= start else seal
            if portion.rows > start:
                check(seal)
                yield portion
        check(seal)

    def check(seal: str) -> None:
        if seal != sealed:
            raise UsageError(
                "the pairs are not those that were answered before the call was stopped: give the same files, or "
                "delete the run's .part to start again from the first pair"
            )

    def weigh(done: tuple[Portion, Decisions | None]) -> int:
        nonlocal bytes_read
        more, bytes_read = done[0].read - bytes_read, done[0].read
        return more

    for portion, decisions in track(_decided(place, fresh()), "answering", total, weigh):
        if decisions is not None:
            warnings.update(dict.fromkeys(decisions.warnings))
        tally.add(portion, decisions, sink.most)
        sink.take(portion, decisions, tally)
    return tuple(warnings)


def _decided(
    place: Whereabouts[Chunk, Decisions], coming: Iterator[Portion]
) -> Iterator[tuple[Portion, Decisions | None]]:
    """Each portion with the decisions on its chunk, in order."""
    held: deque[Portion] = deque()

    def chunks() -> Iterator[Chunk]:
        for portion in coming:
            held.append(portion)
            if portion.chunk is not None:
                yield portion.chunk

    for decisions in place.each(chunks()):
        while held[0].chunk is None:
            yield held.popleft(), None
        yield held.popleft(), decisions
    while held:
        yield held.popleft(), None
