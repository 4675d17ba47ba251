"""A campaign as one file: what is packed is unpacked, and whatever was done to the file meanwhile is found."""

from __future__ import annotations

import io
import itertools
import zipfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from karat.campaign import archive
from karat.campaign.anonymous import anonymised
from karat.campaign.archive import ALWAYS, packed, unpacked, verified
from karat.campaign.events import (
    GENESIS,
    Created,
    Edited,
    Entry,
    Event,
    Extended,
    Joined,
    PrimaryChosen,
    Rekeyed,
    Released,
    RunReceived,
    RunWithdrawn,
    Signed,
    chained,
    commitment_to,
)
from karat.errors import DataError, UsageError
from tests.campaign.whole_worlds import LABELS, WholeWorld, key, whole
from tests.campaign.worlds import AFTER, CLOSES, DURING, OPENS


@cache
def world() -> WholeWorld:
    """One campaign for all tests that change nothing in it."""
    return whole(3)


def raw() -> bytes:
    """Its archive."""
    return packed(world().entries, world().contents)


def members(data: bytes) -> dict[str, bytes]:
    """What is in a zip file."""
    with zipfile.ZipFile(io.BytesIO(data)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def zipped(*given: tuple[str, bytes], kind: int = zipfile.ZIP_STORED) -> bytes:
    """A zip file as anybody could make it."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", kind) as opened:
        for name, data in given:
            opened.writestr(name, data)
    return made.getvalue()


def summed(given: Mapping[str, bytes]) -> bytes:
    """A zip file of these members with the checksums that they have."""
    sums = "".join(f"{archive._digest(given[name])}  {name}\n" for name in sorted(given) if name != archive.SUMS)
    return zipped(*{**given, archive.SUMS: sums.encode()}.items())


def forged(entries: Sequence[tuple[datetime, str, Event]]) -> list[Entry]:
    """A chain for any events."""
    made: list[Entry] = []
    for at, actor, event in entries:
        made.append(chained(made[-1].hash if made else GENESIS, len(made) + 1, at, actor, event))
    return made


def said(data: bytes) -> list[str]:
    """What is wrong with an archive: member, line and what was found."""
    with pytest.raises(DataError) as caught:
        unpacked(data)
    assert {one.code for one in caught.value.problems} == {"archive"}
    assert all(one.expected and one.fix for one in caught.value.problems)
    return [f"{one.file}{f':{one.line}' * (one.line is not None)}: {one.found}" for one in caught.value.problems]


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_there_and_back(seed: int) -> None:
    """Unpacked, an archive gives the same entries and every file; packed again, the same bytes."""
    one = whole(seed)
    data = packed(one.entries, {**one.contents, "f" * 64: b"of another campaign"})
    entries, contents = unpacked(data)
    assert entries == one.entries
    assert contents == {sha256: one.contents[sha256] for sha256 in archive.named(one.entries)}
    assert packed(entries, contents) == data


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_whatever_the_rules_allow_can_be_imported(seed: int) -> None:
    """Deadlines that moved, extensions, late and practice runs, new agreements and keys: with names and without."""
    one = WholeWorld(seed)
    one.now = OPENS - timedelta(days=1)
    one.arrive()
    one.drag_on()
    assert verified(packed(one.entries, one.contents)).entries == one.entries
    entries, contents = anonymised(one.entries, one.contents)
    assert verified(packed(entries, contents)).entries == entries


def test_all_of_it_happens_in_these_campaigns() -> None:
    """The property above is about something: each of these happens in one of a few campaigns."""
    seen: Counter[str] = Counter()
    for seed in range(6):
        one = WholeWorld(seed)
        one.now = OPENS - timedelta(days=1)
        one.arrive()
        one.drag_on()
        seen.update(type(entry.event).__name__ for entry in one.entries)
        runs = [entry.event for entry in one.entries if isinstance(entry.event, RunReceived)]
        seen.update("late" for run in runs if run.late)
        seen.update(run.sent.area for run in runs)
    wanted = {"Edited", "Extended", "Signed", "Rekeyed", "Released", "RunWithdrawn", "PrimaryChosen", "RunRefused"}
    assert {*wanted, "late", "practice", "official"} <= seen.keys(), seen


def test_what_is_in_it() -> None:
    """Members in order, all with the same date; the checksums are as `sha256sum -c` reads them."""
    with zipfile.ZipFile(io.BytesIO(raw())) as opened:
        names = opened.namelist()
        assert {one.date_time for one in opened.infolist()} == {archive.OLDEST}
    assert names == sorted(names)
    assert set(names) == {*ALWAYS, *(f"files/{sha256}" for sha256 in archive.named(world().entries))}
    inside = members(raw())
    lines = inside["SHA256SUMS"].decode().splitlines()
    assert lines == [f"{archive._digest(inside[name])}  {name}" for name in names if name != "SHA256SUMS"]
    assert world().campaign.head in inside["README.txt"].decode()
    assert inside["record.jsonl"].count(b"\n") == len(world().entries)


def test_packed_by_another_program() -> None:
    """An archive that was unpacked and packed again, smaller and in another order, is the same."""
    again = zipped(*reversed(members(raw()).items()), kind=zipfile.ZIP_DEFLATED)
    assert len(again) < len(raw())
    assert unpacked(again) == unpacked(raw())


def test_a_missing_file_is_not_exported() -> None:
    """Nothing is packed that could not be unpacked."""
    with pytest.raises(UsageError, match="names files that are missing"):
        packed(world().entries, {})


def test_a_changed_byte_in_each_member() -> None:
    """Whichever member was changed, with its checksum in the zip file or without, it is named."""
    inside = members(raw())
    for name, data in inside.items():
        changed = data[:-2] + bytes([data[-2] ^ 1]) + data[-1:]
        found = said(zipped(*{**inside, name: changed}.items()))
        # A changed list of checksums is found by the members that it no longer fits.
        assert name == archive.SUMS or any(one.startswith(f"{name}: content with") for one in found), found
        place = raw().index(data) + len(data) - 2
        bad = raw()[:place] + bytes([raw()[place] ^ 1]) + raw()[place + 1 :]
        assert f"{name}: a damaged member" in said(bad)


def test_every_problem_at_once() -> None:
    """A file that is missing, one too many, and a changed text are reported together."""
    inside = members(raw())
    gone = f"files/{next(iter(archive.named(world().entries)))}"
    inside["README.txt"] += b"!"
    inside[f"files/{archive._digest(b'x')}"] = b"x"
    del inside[gone]
    found = "\n".join(said(zipped(*inside.items())))
    assert "README.txt: content with" in found
    assert "a file that no entry names" in found
    assert f"names the file {gone.removeprefix('files/')}" in found
    assert "SHA256SUMS: a list of other members" in found


@pytest.mark.parametrize(
    "name", ["../evil", "/etc/passwd", "files/../evil", "files/x", "C:\\evil", "files/", "record.jsonl/", "a\x00b"]
)
def test_strange_names(name: str) -> None:
    """A member with a path is refused, by name, and nothing is unpacked."""
    data = zipped(*members(raw()).items(), (name.replace("\x00", "!"), b""))
    (found,) = said(data.replace(b"a!b", b"a\x00b"))
    assert found == f"archive.zip: a member called {name!r}"


def test_the_same_name_twice() -> None:
    """Two members of one name would be read differently by different programs."""
    inside = members(raw())
    with pytest.warns(UserWarning, match="Duplicate name"):
        data = zipped(*inside.items(), ("record.jsonl", b""), ("README.txt", b""))
    assert said(data) == [
        "archive.zip: 2 members called 'README.txt'",
        "archive.zip: 2 members called 'record.jsonl'",
    ]


def test_missing_members() -> None:
    """Every one that is missing is named."""
    assert said(zipped()) == [f"archive.zip: no member {name}" for name in sorted(ALWAYS)]
    for data in (b"", b"no zip", raw()[:-30], b"PK\x05\x06" + b"\xff" * 18):
        assert said(data) == ["archive.zip: no zip file, or a damaged one"]


def test_bombs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small file that unpacks to a large one is refused before it is unpacked, and so is a large sum."""
    inside = members(raw())
    bomb = zipped(*inside.items(), (f"files/{'0' * 64}", b"\0" * (2 << 20)), kind=zipfile.ZIP_DEFLATED)
    monkeypatch.setattr(zipfile.ZipFile, "read", None)  # what reads anything fails
    assert "2,097,152 bytes packed into" in said(bomb)[0]
    monkeypatch.setattr(archive, "MOST_BYTES", len(raw()) - 1)
    assert said(raw()) == ["archive.zip: a file that is far too large"]
    monkeypatch.setattr(archive, "MOST_BYTES", sum(map(len, inside.values())) - 1)
    small = zipped(*inside.items(), kind=zipfile.ZIP_DEFLATED)
    assert "bytes when unpacked" in said(small)[0]
    monkeypatch.setattr(archive, "MOST_MEMBERS", 2)
    assert said(small) == ["archive.zip: a file that is far too large"]


def test_many_small_bombs(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is unpacked whatever its ratio is limited in all members together; so are bytes that several share."""
    many = [(f"files/{n:064x}", b"\0" * (1 << 19)) for n in range(3)]
    bomb = zipped(*members(raw()).items(), *many, kind=zipfile.ZIP_DEFLATED)
    few = zipped(*members(raw()).items(), *many[:2], kind=zipfile.ZIP_DEFLATED)
    assert all("bytes packed into" not in one for one in said(few))
    monkeypatch.setattr(zipfile.ZipFile, "read", None)  # what reads anything fails
    assert "1,572,864 bytes packed into" in said(bomb)[0]
    listed = zipfile.ZipFile.infolist
    monkeypatch.setattr(zipfile.ZipFile, "infolist", lambda opened: [*listed(opened), *listed(opened)])
    assert "archive.zip: members that overlap" in said(raw())


def test_sizes_that_lie() -> None:
    """A member that is larger than it says is not unpacked further."""
    name, data = f"files/{'0' * 64}", zipped((f"files/{'0' * 64}", b"\0" * (4 << 20)), kind=zipfile.ZIP_DEFLATED)
    size = (4 << 20).to_bytes(4, "little")
    assert data.count(size) == 2
    bomb = io.BytesIO(data.replace(size, (1000).to_bytes(4, "little")))
    with zipfile.ZipFile(bomb, "a") as opened:
        for other, content in members(raw()).items():
            opened.writestr(other, content)
    assert f"{name}: a damaged member" in said(bomb.getvalue())


@settings(max_examples=150, deadline=None)
@given(
    changes=st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), min_size=1, max_size=5),
    outside=st.booleans(),
    cut=st.none() | st.integers(0, 10**6),
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_bytes_changed_anywhere(changes: list[tuple[int, int]], outside: bool, cut: int | None) -> None:
    """Whatever is changed, an archive is refused in words, or gives exactly what was packed."""
    data = bytearray(raw())
    first = data.index(b"PK\x01\x02") if outside else 0  # the list of members, which no checksum covers
    for place, value in changes:
        data[first + place % (len(data) - first)] = value
    try:
        assert unpacked(bytes(data[: cut and cut % len(data)])) == unpacked(raw())
    except DataError:
        return


def test_an_encrypted_member() -> None:
    """What cannot be read is said to be so."""
    data = bytearray(raw())
    place = data.index(b"PK\x01\x02")
    data[place + 8] |= 1
    assert "an encrypted or oddly packed member" in said(bytes(data))[0]


def test_a_broken_chain() -> None:
    """Entries in another order, left out or repeated are found at the first one that is wrong."""
    inside = members(raw())
    lines = inside["record.jsonl"].splitlines(keepends=True)
    for place in (0, 4, len(lines) - 2):
        swapped = [*lines[:place], lines[place + 1], lines[place], *lines[place + 2 :]]
        for changed in (swapped, lines[:place] + lines[place + 1 :], [*lines[: place + 1], *lines[place:]]):
            found = said(summed({**inside, "record.jsonl": b"".join(changed)}))
            broken = place + 1 if len(changed) <= len(lines) else place + 2
            assert f"record.jsonl: a chain that is broken at entry {broken}" in found


def test_lines_that_are_no_entries() -> None:
    """Each is named with its line; what an entry does not have is not dropped silently."""
    inside = members(raw())
    lines = inside["record.jsonl"].splitlines(keepends=True)
    lines[1], lines[3] = b"\n", b'{"sequence":' + b"[" * 5000 + b"\n"
    lines[5] = lines[5].replace(b"{", b'{"more":1,', 1)
    found = said(summed({**inside, "record.jsonl": b"".join(lines)}))
    assert [one.partition(": ")[0] for one in found] == [f"record.jsonl:{n}" for n in (2, 4, 6)]
    cut = inside["record.jsonl"][:-1]
    assert said(summed({**inside, "record.jsonl": cut})) == ["record.jsonl: a record that is cut off, or empty"]
    assert "record.jsonl: a record that is cut off, or empty" in said(summed({**inside, "record.jsonl": b""}))


def test_another_definition() -> None:
    """The campaign file is that of the record, not another one with its checksum."""
    inside = members(raw())
    for text in (inside["campaign.toml"].replace(b"RTE", b"ETR"), b"name = ", b"\xff"):
        assert said(summed({**inside, "campaign.toml": text})) == ["campaign.toml: another definition"]


def _created(**changes: object) -> Callable[[Event], Event]:
    return lambda event: replace(event, **changes) if isinstance(event, Created) else event


def _first(kind: type[Event], **changes: object) -> Callable[[Event], Event]:
    used = itertools.count()
    return lambda event: replace(event, **changes) if isinstance(event, kind) and not next(used) else event


def _defined(**changes: object) -> Callable[[Event], Event]:
    return lambda event: (
        replace(event, definition=replace(event.definition, **changes)) if isinstance(event, Created) else event
    )


IMPOSSIBLE: dict[str, Callable[[], Callable[[Event], Event]]] = {
    "'../x' cannot be the name of an account": lambda: _first(Joined, account="../x"),
    "'a/b' cannot be the name of a team": lambda: _first(Joined, team="a/b"),
    "role and team do not go together": lambda: _first(Joined, role="assessor"),
    "the account 'nobody' is not a member": lambda: _first(Signed, account="nobody"),
    "there is no team 'nobody'": lambda: _first(RunReceived, team="nobody"),
    "its id or number is not valid": lambda: _first(RunReceived, id="../x"),
    "it replaces 0, which is not the run with its number": lambda: _first(RunReceived, replaces="0"),
    "a commitment that does not match its test sets": lambda: _created(nonce="0"),
    "a seed that is not a hexadecimal number": lambda: _created(seed="xyz"),
    "no file is given for": lambda: _created(files={}),
    "a campaign begins with its creation": lambda: (
        lambda event: event if not isinstance(event, Created) else Signed(account="a", person="b", agreement="c")
    ),
    "No time zone found": lambda: _defined(zone="Nowhere/None"),
    "a time after opens": lambda: _defined(dates=replace(world().campaign.definition.dates, closes=OPENS)),
}


@pytest.mark.parametrize("what", IMPOSSIBLE)
def test_a_chain_for_what_cannot_have_happened(what: str) -> None:
    """Anybody can compute a chain; an entry that no campaign could have is refused, whatever its hash."""
    change = IMPOSSIBLE[what]()
    entries = forged([(one.at, one.actor, change(one.event)) for one in world().entries])
    record = b"".join(msgspec.json.encode(one) + b"\n" for one in entries)
    found = "\n".join(said(summed({**members(raw()), "record.jsonl": record})))
    assert "an entry that cannot be replayed" in found
    assert what in found


def _sent(**changes: object) -> Callable[[Event], Event]:
    used = itertools.count()
    return lambda event: (
        replace(event, sent=replace(event.sent, **changes))
        if isinstance(event, RunReceived) and not next(used)
        else event
    )


FORGED: dict[str, tuple[Callable[[], Callable[[Event], Event]], str]] = {
    "a run after the close": (lambda: _sent(received=CLOSES + timedelta(days=200)), "received at 2027-11-24"),
    "a run before the opening": (lambda: _sent(received=OPENS - timedelta(days=1)), "would have been refused"),
    "a run entered long after": (lambda: _sent(received=CLOSES), "and entered at"),
    "a practice run before the close": (lambda: _sent(area="practice"), "a practice run, received at"),
    "a run for another number": (lambda: _sent(run=3), "which is not the number that it was sent for"),
    "a run that was in time, marked as late": (lambda: _first(RunReceived, late=True), "is marked as late"),
    "a run of another team": (lambda: _first(RunReceived, team="Zorilla.Lab"), "does not belong to the team"),
    "another text signed": (lambda: _first(Signed, agreement="0" * 64), "is not the agreement"),
    "members of the same name": (
        lambda: (
            lambda event: replace(event, account="QUOKKA-1") if getattr(event, "account", "") == "wombat" else event
        ),
        "there is an account 'quokka-1': two names must differ in more than capitals",
    ),
    "teams of the same name": (
        lambda: lambda event: replace(event, team="QUOKKA") if getattr(event, "team", "") == "Wombat_9" else event,
        "there is a team called 'Quokka'",
    ),
}


@pytest.mark.parametrize("what", FORGED)
def test_what_the_rules_forbid(what: str) -> None:
    """A chain for what the campaign would have refused is no archive."""
    change, said_of_it = FORGED[what][0](), FORGED[what][1]
    entries = forged([(one.at, one.actor, change(one.event)) for one in world().entries])
    assert said_of_it in "\n".join(said(packed(entries, world().contents)))


@pytest.mark.parametrize(
    ("at", "event", "what"),
    [
        (DURING, Released(to="public"), "a release too early: teams can submit until 9 May 2027"),
        (DURING, Released(to="teams"), "a release too early"),
        (AFTER, Released(to="teams"), "a second release to teams"),
        (DURING, Extended(team="Quokka", until=AFTER, reason="x"), "results have been released"),
        (AFTER, PrimaryChosen(team="Quokka", task="three-way", number=1), "primary run after the deadline"),
        (DURING, PrimaryChosen(team="Quokka", task="three-way", number=9), "there is no run 9"),
        (DURING.replace(year=9999), Released(to="public"), "or a year before 1970 or after 8999"),
    ],
)
def test_what_cannot_follow(at: datetime, event: Event, what: str) -> None:
    """An entry at the end of a campaign, of a time or of a kind that is impossible."""
    entries = forged([*((one.at, one.actor, one.event) for one in world().entries), (at, "organiser", event)])
    assert what in "\n".join(said(packed(entries, world().contents)))


def test_runs_of_those_who_have_not_signed() -> None:
    """Without the signatures, the first run is refused."""
    kept = [(one.at, one.actor, one.event) for one in world().entries if not isinstance(one.event, Signed)]
    (found,) = said(packed(forged(kept), world().contents))
    assert "quokka-1 has not accepted the agreement" in found


def test_what_comes_too_early_or_too_late() -> None:
    """A new key comes after the opening and scores every run again; what is over is not withdrawn or extended."""
    one = WholeWorld(0)
    one.now = OPENS - timedelta(days=1)
    one.arrive()
    early = [(entry.at, entry.actor, entry.event) for entry in one.entries]
    one.hand_in("quokka-1", "three-way", OPENS)
    while not isinstance(one.entries[-1].event, Rekeyed):
        one.rekey()
    *others, last = one.entries
    rekeyed = last.event
    assert isinstance(rekeyed, Rekeyed)
    kept = [(entry.at, entry.actor, entry.event) for entry in others]
    for before, event, at, what in (
        (early, replace(rekeyed, scores={}), one.now, "a new key before submissions opened"),
        (kept, replace(rekeyed, scores={}), AFTER, "new scores for too few runs"),
        (kept, RunWithdrawn(id=next(iter(one.campaign.runs)), reason=""), AFTER, "could be withdrawn at that time"),
        (kept, Extended(team="Quokka", until=OPENS, reason="x"), AFTER, "an extension ends in the future"),
    ):
        assert what in said(packed(forged([*before, (at, "organiser", event)]), one.contents))[0]


def test_an_edit_that_breaks_a_promise() -> None:
    """The test set of a task is exchanged after submissions have opened."""
    one = WholeWorld(0)
    files = one.campaign.files | {"pairs.tsv": one.keep(key([*LABELS] * 4))}
    promised = commitment_to(one.campaign.nonce, files, one.campaign.definition)
    edited = Edited(definition=one.campaign.definition, files=files, commitment=promised, reason="x")
    created = [(entry.at, entry.actor, entry.event) for entry in one.entries]
    made = packed(forged([*created, (DURING, "organiser", edited)]), one.contents)
    assert "teams have been promised the key" in said(made)[0]
    unpacked(packed(forged([*created, (OPENS - timedelta(days=9), "organiser", edited)]), one.contents))


def test_an_actor_without_a_name_and_a_time_without_a_zone() -> None:
    """What is beside the event is looked at too."""
    inside = members(raw())
    for at, actor, what in ((None, "a\nb", "cannot be the name of an account"), (datetime.min, "a", "no time zone")):
        entries = forged([(at or one.at, actor, one.event) for one in world().entries])
        record = b"".join(msgspec.json.encode(one) + b"\n" for one in entries)
        assert what in said(summed({**inside, "record.jsonl": record}))[0]
