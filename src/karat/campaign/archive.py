"""A campaign as one file: the record, every file that it names, and their checksums, from which all can be rebuilt."""

from __future__ import annotations

import hashlib
import io
import re
import shutil
import struct
import tempfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import BinaryIO, NamedTuple

import msgspec

from karat.campaign.definition import Definition, parse
from karat.campaign.doubts import doubts
from karat.campaign.events import Entry, broken_at, files_of
from karat.campaign.judging.library import Content, Library
from karat.campaign.replaying import from_files, misfits
from karat.campaign.state import Campaign, apply, replay
from karat.campaign.writing import written
from karat.errors import KaratError, Problems, UsageError

README, DEFINITION, RECORD, SUMS, FILES = "README.txt", "campaign.toml", "record.jsonl", "SHA256SUMS", "files/"
ALWAYS = (README, SUMS, DEFINITION, RECORD)
"""The members of every archive, beside the files."""
FILE = re.compile(r"files/[0-9a-f]{64}")
MOST_BYTES = 2 << 30
"""The largest archive, packed and unpacked."""
MOST_MEMBERS = 200_000
MOST_RATIO = 200
"""Text is packed to a tenth, seldom to a hundredth; only what is made to fill a disk is packed better."""
FREE_BYTES = 1 << 20
"""So many bytes are unpacked whatever their ratio, in all members together."""
OLDEST = (1980, 1, 1, 0, 0, 0)
"""The date of every member: the same campaign gives the same bytes."""
UNREADABLE = (zipfile.BadZipFile, zlib.error, struct.error, NotImplementedError, RuntimeError, ValueError, OSError)
"""What Python raises for a damaged zip file (an end of file is an OSError or an EOFError)."""
TEXT = """This is the campaign {name}, exported by karat.

    record.jsonl    everything that happened, one entry per line
    files/          the files that the entries name, each under its SHA-256
    campaign.toml   the definition as it is now; the record has every earlier one
    SHA256SUMS      checksums of all of these: sha256sum -c SHA256SUMS

To rebuild it in a home of its own, and to verify it:

    karat campaign import ARCHIVE --home DIR
    karat campaign verify {name} --home DIR

Each entry contains the hash of the one before, so that nothing can be changed or left out unnoticed. The last one is

    {head}

The archive contains the key of every test set. Passwords, links and tokens are not in it.
"""


def packed(entries: Sequence[Entry], contents: Mapping[str, bytes]) -> bytes:
    """A campaign that is in memory as a zip file."""
    made = io.BytesIO()
    if missing := sorted(named(entries) - contents.keys()):
        name = replay(entries).definition.name
        raise UsageError(f"{name} cannot be exported: its record names files that are missing ({', '.join(missing)})")
    pack(made, entries, contents.__getitem__)
    return made.getvalue()


class Packed(NamedTuple):
    """What is in an archive: the number of its files, and the last entry."""

    files: int
    last: Entry


def pack(file: BinaryIO, entries: Iterable[Entry], content: Content) -> Packed:
    """Write a campaign as a zip file, one entry and one file at a time, without the state that they lead to.

    Equal campaigns give equal bytes, on every machine.
    """
    names, digest = set[str](), hashlib.sha256()
    definition: Definition | None = None
    last: Entry | None = None
    with tempfile.TemporaryFile() as record:
        for entry in entries:
            names.update(files_of(entry.event))
            definition, last = getattr(entry.event, "definition", definition), entry
            record.write(line := msgspec.json.encode(entry) + b"\n")
            digest.update(line)
        sums, sizes = {RECORD: digest.hexdigest()}, {RECORD: record.tell()}
        record.seek(0)
        assert definition is not None
        assert last is not None
        name = definition.name
        texts = {README: TEXT.format(name=name, head=last.hash).encode(), DEFINITION: written(definition).encode()}

        def read(one: str) -> bytes:
            return texts[one] if one in texts else content(one.removeprefix(FILES))

        for one in (*texts, *(FILES + sha256 for sha256 in names)):
            sums[one], sizes[one] = _digest(data := read(one)), len(data)
        texts[SUMS] = "".join(f"{sums[one]}  {one}\n" for one in sorted(sums)).encode()
        sizes[SUMS] = len(texts[SUMS])
        if (size := sum(sizes.values())) > MOST_BYTES:
            raise UsageError(
                f"{name} has {size:,} bytes, more than an archive can have; keep a copy of its home instead"
            )
        # Stored, not packed: versions of zlib differ in their output.
        with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
            for one in sorted(sizes):
                info = zipfile.ZipInfo(one, OLDEST)
                info.create_system, info.external_attr, info.file_size = 3, 0o644 << 16, sizes[one]
                with archive.open(info, "w") as member:
                    shutil.copyfileobj(record if one == RECORD else io.BytesIO(read(one)), member)
    return Packed(len(names), last)


def named(entries: Iterable[Entry]) -> set[str]:
    """Every file that the entries name."""
    return {sha256 for entry in entries for sha256 in files_of(entry.event)}


def unpacked(raw: bytes, file: str = "archive.zip") -> tuple[list[Entry], dict[str, bytes]]:
    """The entries and files of an archive; a `DataError` with everything that is wrong with it.

    The chain of hashes can be computed by anybody, so what the entries say is looked at too.
    """
    problems = Problems()
    members = _members(raw, file, problems)
    problems.raise_errors()
    _check_sums(members, problems)
    contents = {one.removeprefix(FILES): data for one, data in members.items() if FILE.fullmatch(one)}
    entries = list(_entries(members[RECORD], problems))
    whole = not problems.failed(RECORD)
    if (broken := broken_at(entries)) is not None:
        _add(problems, RECORD, f"a chain that is broken at entry {broken}", "entries that each follow from the last")
    elif (state := _replayed(entries, problems)) is not None and whole and not problems.failed(RECORD):
        _check_definition(members[DEFINITION], state, problems)
    for entry in entries:
        for sha256 in dict.fromkeys(files_of(entry.event)):
            if sha256 not in contents:
                _add(problems, RECORD, f"an entry that names the file {sha256}", "a file that is there", entry.sequence)
    if whole:
        for sha256 in sorted(contents.keys() - named(entries)):
            _add(problems, FILES + sha256, "a file that no entry names", "only files of the campaign")
    problems.raise_errors()
    return entries, contents


class Verified(NamedTuple):
    """A campaign from an archive in which nothing is wrong."""

    entries: list[Entry]
    contents: dict[str, bytes]


def verified(raw: bytes, file: str = "archive.zip") -> Verified:
    """An archive that can be imported: test sets can be read, and every run gives the scores that the record has."""
    from karat.campaign.checking import read_files  # here: scoring loads scipy

    entries, contents = unpacked(raw, file)
    state = replay(entries)
    read_files(state.definition, lambda name: contents[state.files[name]], file)
    problems = Problems()
    for found in misfits(entries, from_files(contents), Library(contents.__getitem__)):
        _add(problems, file, found, "what its files give")
    problems.raise_errors()
    return Verified(entries, contents)


def _add(problems: Problems, file: str, found: str, what: str, line: int | None = None) -> None:
    problems.add("archive", found, file=file, line=line, what=what)


def _members(raw: bytes, file: str, problems: Problems) -> dict[str, bytes]:
    """The content of every member; nothing is unpacked unless names and sizes are as they should be."""
    if len(raw) > MOST_BYTES or raw.count(b"PK\x01\x02") > MOST_MEMBERS:
        what = f"at most {MOST_BYTES >> 30} GiB and {MOST_MEMBERS:,} members"
        _add(problems, file, "a file that is far too large", what)
        return {}
    try:
        archive = zipfile.ZipFile(io.BytesIO(raw))
    except (*UNREADABLE, EOFError):
        _add(problems, file, "no zip file, or a damaged one", "the archive of a campaign")
        return {}
    listed = archive.infolist()
    _check_names([one.orig_filename for one in listed], file, problems)
    for one in listed:
        if one.flag_bits & 1 or one.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            _add(problems, one.orig_filename, "an encrypted or oddly packed member", "one that any program can unpack")
    dense = [one for one in listed if one.file_size > MOST_RATIO * one.compress_size]
    if (size := sum(one.file_size for one in dense)) > FREE_BYTES:
        largest = max(dense, key=lambda one: one.file_size).orig_filename
        found = f"{size:,} bytes packed into {sum(one.compress_size for one in dense):,}, the most of them in {largest}"
        _add(problems, file, found, f"at most {MOST_RATIO} times as many")
    if sum(one.compress_size for one in listed) > len(raw):
        _add(problems, file, "members that overlap", "bytes of its own for each member")
    if (size := sum(one.file_size for one in listed)) > MOST_BYTES:
        _add(problems, file, f"{size:,} bytes when unpacked", f"at most {MOST_BYTES >> 30} GiB")
    if problems.failed(file) or any(problems.failed(one.orig_filename) for one in listed):
        return {}
    members = {}
    for one in listed:
        try:
            members[one.filename] = archive.read(one)
        except (*UNREADABLE, EOFError):
            _add(problems, one.filename, "a damaged member", "one with the checksum that the zip file states")
    return members


def _check_names(names: Sequence[str], file: str, problems: Problems) -> None:
    """Report members that are missing, stray or there twice; no name is ever used as a path."""
    for name in sorted(set(ALWAYS) - set(names)):
        _add(problems, file, f"no member {name}", f"the members {', '.join(ALWAYS)}")
    for name, count in Counter(names).items():
        if name not in ALWAYS and not FILE.fullmatch(name):
            _add(problems, file, f"a member called {name!r}", f"{', '.join(ALWAYS)} and {FILES}SHA256 alone")
        elif count > 1:
            _add(problems, file, f"{count} members called {name!r}", "each member once")


def _check_sums(members: Mapping[str, bytes], problems: Problems) -> None:
    """Report members that are not what SHA256SUMS says, or files that are not what their name says."""
    found = {one: _digest(data) for one, data in members.items() if one != SUMS}
    lines = [line.split("  ", 1) for line in members[SUMS].decode(errors="replace").splitlines()]
    listed = {line[1]: line[0] for line in lines if len(line) == 2}
    if len(listed) < len(lines) or listed.keys() != found.keys():
        _add(problems, SUMS, "a list of other members", "one line `SHA256  NAME` for each member but this one")
    for one in sorted(found):
        stated = one.removeprefix(FILES) if FILE.fullmatch(one) else found[one]
        if not found[one] == stated == listed.get(one, stated):
            _add(problems, one, f"content with the SHA-256 {found[one]}", f"that of {listed.get(one, stated)}")


def _entries(record: bytes, problems: Problems) -> Iterator[Entry]:
    """The entries up to the first line that is none; every such line is reported."""
    decoder, broken = msgspec.json.Decoder(Entry), False
    *lines, rest = record.split(b"\n")
    for number, line in enumerate([*lines, *[rest] * bool(rest)], 1):
        try:
            entry = decoder.decode(line)
            reason = "" if msgspec.json.encode(entry) == line else "something that an entry does not have"
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            reason = f"no entry: {error}"
        if reason:
            _add(problems, RECORD, reason, "an entry as this version of karat writes it", number)
        broken = broken or bool(reason)
        if not broken:
            yield entry
    if rest or not lines:
        _add(problems, RECORD, "a record that is cut off, or empty", "a line for each entry, with its end")


def _replayed(entries: Sequence[Entry], problems: Problems) -> Campaign | None:
    """The state after the entries; stops at the first one that cannot have happened."""
    state: Campaign | None = None
    for entry in entries:
        found = list(doubts(state, entry))
        for one in found:
            what = f"an entry that cannot be replayed: {one}"
            _add(problems, RECORD, what, "an entry that can follow those before it", entry.sequence)
        if found:
            return None
        state = apply(state, entry)
    return state


def _check_definition(raw: bytes, state: Campaign, problems: Problems) -> None:
    """Report a campaign file that is not the definition to which the record leads."""
    try:
        same = parse(raw.decode(), DEFINITION) == state.definition
    except (KaratError, ValueError):
        same = False
    if not same:
        _add(problems, DEFINITION, "another definition", "the one to which the record leads")


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
