"""Campaigns as files: what was exported comes back whole, or not at all."""

from __future__ import annotations

import io
import subprocess
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace

from karat.campaign.anonymous import anonymised
from karat.campaign.archive import packed, verified
from karat.campaign.dates import Dates
from karat.campaign.events import GENESIS, Assigned, Created, Entry, Event, RunReceived, chained
from karat.errors import DataError, UsageError
from tests.campaign.whole_judging import ASSESSORS, ROBOT
from tests.campaign.whole_worlds import WholeWorld, whole
from tests.campaign.worlds import DEFINITION
from tests.server.clients import RUN, Client, prepared, variant
from tests.server.conftest import KARAT, Served, karat
from tests.surroundings import surroundings

_numbers = count(1)


@pytest.fixture
def site(home: Any) -> Any:
    """What is tested, with a home open; each test imports campaigns of names and people of its own."""
    from karat.server import archives, models, store

    class Site:
        """The modules."""

    del home
    made: Any = Site()
    made.archives, made.models, made.store = archives, models, store
    made.import_archive = lambda raw: archives.import_archive(verified(raw))
    people = ["quokka-1", "quokka-2", "zorilla", "wombat", "kinkajou", *ASSESSORS, ROBOT]
    models.Account.objects.filter(name__in=people).delete()
    return made


@cache
def _whole(number: int) -> WholeWorld:
    return whole(number, name=f"archived-{number}")


def campaign() -> WholeWorld:
    """A campaign that no home has yet."""
    return _whole(next(_numbers))


def raw(world: WholeWorld) -> bytes:
    """Its archive."""
    return packed(world.entries, world.contents)


def forged(world: WholeWorld, change: Callable[[Event], Event]) -> bytes:
    """Its archive with other events, and a chain for these."""
    made: list[Entry] = []
    for one in world.entries:
        before = made[-1].hash if made else GENESIS
        made.append(chained(before, one.sequence, one.at, one.actor, change(one.event)))
    return packed(made, world.contents)


def stored(site: Any) -> tuple[int, ...]:
    """How much there is in the database."""
    tables = (site.models.Campaign, site.models.Event, site.models.Content, site.models.Account, site.models.Secret)
    return tuple(table.objects.count() for table in tables)


def test_everything_comes_back(site: Any) -> None:
    """Hashes, files and state are the same; the stored scores follow from the files; exported again, the same bytes."""
    world = campaign()
    name = world.campaign.definition.name
    told = site.import_archive(raw(world))
    assert told["equal"]
    assert set(told["accounts"]) == set(world.campaign.members)
    assert list(site.store.record_of(name)) == world.entries
    assert site.store.state_of(name) == world.campaign
    assert site.store.verify(name)["differences"] == []
    assert site.archives.export(name).data == raw(world)


def test_without_names(site: Any) -> None:
    """What is exported without names can be imported, and verifies."""
    world = campaign()
    made = packed(*anonymised(world.entries, world.contents))
    assert site.import_archive(made)["equal"]
    name = world.campaign.definition.name
    exported = site.archives.export(name)
    assert exported.data == made
    assert exported.facts["anonymous"] is False


def test_nobody_can_log_in_or_use_an_old_token(site: Any) -> None:
    """Accounts have no password, and of tokens and links there is only what the record says."""
    world, before = campaign(), site.models.Secret.objects.count()
    site.import_archive(raw(world))
    assert site.models.Secret.objects.count() == before
    for name in world.campaign.members:
        assert not site.models.Account.objects.get(name=name).has_usable_password()


def test_a_name_that_is_taken(site: Any) -> None:
    """One sentence, and nothing is changed."""
    world = campaign()
    site.import_archive(raw(world))
    before = stored(site)
    with pytest.raises(UsageError, match=r"there is a campaign called 'archived-.*' already; import it into a home of"):
        site.import_archive(raw(world))
    assert stored(site) == before


def renamed(world: WholeWorld, **accounts: str) -> bytes:
    """Its archive with people of its own, some of whom have these names."""
    own = world.campaign.definition.name

    return forged(world, lambda event: named(event, lambda name: accounts.get(name, f"{own}-{name}")))


def named(event: Event, name: Callable[[str], str]) -> Event:
    """An event with other names of people."""
    changes: dict[str, Any] = {
        field: name(getattr(event, field)) for field in ("account", "assessor") if hasattr(event, field)
    }
    if isinstance(event, Assigned):
        changes["assessors"] = tuple(map(name, event.assessors))
    return replace(event, **changes) if changes else event


def test_accounts_behind_which_others_may_be(site: Any) -> None:
    """All of them are named, and nothing is made; an account that nobody can use is taken over."""
    world, before = campaign(), stored(site)
    own = world.campaign.definition.name
    facts = ((f"{own}-wombat", "argon2$x", False), (f"{own}-quokka-2", "!", True), (f"{own}-zorilla", "!", False))
    for name, password, example in facts:
        site.models.Account.objects.create(name=name, password=password, example=example)
    with pytest.raises(UsageError, match=f"different people: {own}-quokka-2, {own}-wombat; import the archive"):
        site.import_archive(renamed(world))
    assert stored(site) == (*before[:3], before[3] + 3, before[4])
    site.models.Account.objects.filter(name__in=[f"{own}-wombat", f"{own}-quokka-2"]).delete()
    assert f"{own}-zorilla" not in site.import_archive(renamed(world))["accounts"]


def test_two_people_of_one_name(site: Any) -> None:
    """Who takes part in a campaign here, password or not, is not given the rights of a namesake in another."""
    first, second = campaign(), campaign()
    name = first.campaign.definition.name
    site.import_archive(renamed(first))
    before = stored(site)
    as_first = {"zorilla": f"{name}-wombat", "kinkajou": f"{name}-zorilla"}
    with pytest.raises(UsageError, match=f"different people: {name}-wombat, {name}-zorilla; import the archive"):
        site.import_archive(renamed(second, **as_first))
    assert stored(site) == before
    assert site.import_archive(renamed(second))["equal"]


def test_names_that_differ_in_capitals_alone(site: Any) -> None:
    """Nobody looks like the host, or like somebody who is here, whether or not that account can be used."""
    world = campaign()
    site.models.Account.objects.create(name="Adelheid", password="!")
    before = stored(site)
    with pytest.raises(UsageError, match="different people: Adelheid, organiser; import"):
        site.import_archive(renamed(world, zorilla="ADELHEID", wombat="Organiser"))
    assert stored(site) == before


def test_the_host_is_an_organiser_and_nothing_else(site: Any) -> None:
    """The host can be an organiser of what is imported, but no team gets the rights of the host."""
    world = campaign()

    def as_host(event: Event) -> Event:
        return named(event, lambda name: "organiser" if name == account else name)

    account = "zorilla"
    with pytest.raises(UsageError, match="different people: organiser;"):
        site.import_archive(forged(world, as_host))
    account = "kinkajou"
    assert "organiser" not in site.import_archive(forged(world, as_host))["accounts"]


def test_scores_that_no_file_gives(site: Any) -> None:
    """A chain can be computed for any score; the file gives another one, and nothing is imported."""
    world, before = campaign(), stored(site)

    def better(event: Event) -> Event:
        if not isinstance(event, RunReceived) or not event.scores:
            return event
        return replace(event, scores={way: of | {"accuracy": 1.0} for way, of in event.scores.items()})

    with pytest.raises(DataError, match=r"in event .* are not those that its file gives"):
        site.import_archive(forged(world, better))
    assert stored(site) == before


def test_a_test_set_that_cannot_be_read(site: Any) -> None:
    """What no campaign could have been made with is refused with the problems of its file."""
    world, before = WholeWorld(0, name="unreadable"), stored(site)
    created = world.entries[0].event
    assert isinstance(created, Created)
    world.contents[created.files["pairs.tsv"]] = b"nonsense\n"
    files = created.files | {"pairs.tsv": world.keep(b"nonsense\n")}
    other = WholeWorld(0, name="unreadable")
    from karat.campaign.events import commitment_to

    promised = commitment_to(created.nonce, files, created.definition)
    with pytest.raises(DataError, match=r"pairs\.tsv"):
        site.import_archive(
            forged(_with(other, world.contents), lambda event: replace(event, files=files, commitment=promised))
        )
    assert stored(site) == before


def _with(world: WholeWorld, contents: dict[str, bytes]) -> WholeWorld:
    world.contents |= contents
    return world


def test_all_or_nothing(site: Any) -> None:
    """If anything fails on the way, nothing of the campaign is there."""
    world, before = campaign(), stored(site)

    def fail(_: object) -> None:
        raise RuntimeError("the disk is full")

    with pytest.raises(RuntimeError, match="the disk is full"):
        site.store.restore(world.entries, world.contents, fail)
    assert stored(site) == before
    with pytest.raises(UsageError, match="no campaign is called"):
        site.store.state_of(world.campaign.definition.name)
    assert site.import_archive(raw(world))["equal"]


def test_what_is_damaged_is_not_exported(site: Any) -> None:
    """An archive that could not be imported is not made."""
    world = campaign()
    site.import_archive(raw(world))
    run = next(iter(world.campaign.runs.values())).received.sent.sha256
    row = site.models.Content.objects.filter(sha256=run)
    row.update(data=b"changed")
    with pytest.raises(UsageError, match="its files are damaged: see karat campaign verify"):
        site.archives.export(world.campaign.definition.name)
    row.delete()
    with pytest.raises(UsageError, match="its files are damaged"):
        site.archives.export(world.campaign.definition.name)


def test_a_clone_begins_anew(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Definition and files under a new name, no people, other secrets; the warning says what to do."""
    world = campaign()
    site.import_archive(raw(world))
    monkeypatch.setattr(site.archives, "now", lambda: datetime(2029, 5, 1, tzinfo=UTC))
    name = world.campaign.definition.name
    made = site.archives.clone(name, f"{name}-next")
    state, before = site.store.state_of(f"{name}-next"), world.campaign
    assert made["years"] == 3
    assert (state.members, state.runs, state.released, state.sequence) == ({}, {}, {}, 1)
    assert state.files == before.files
    assert {before.nonce, before.seed, before.commitment}.isdisjoint((state.nonce, state.seed, state.commitment))
    dates = replace(before.definition.dates, opens=datetime(2030, 5, 1, tzinfo=UTC))
    dates = replace(dates, closes=datetime(2030, 5, 8, 23, 59, 59, tzinfo=UTC))
    assert state.definition == replace(before.definition, name=f"{name}-next", dates=dates)
    assert "replace pairs.tsv, questions.xml before Wed 1 May 2030, 00:00:00 UTC" in made["warnings"][0]
    assert site.store.verify(f"{name}-next")["equal"]
    for wrong in (name, "a/b"):
        with pytest.raises(UsageError):
            site.archives.clone(name, wrong)
    with pytest.raises(DataError, match="the server uses this one"):
        site.archives.clone(name, "new")


@pytest.mark.parametrize(
    ("opens", "closes", "now", "years", "moved"),
    [
        ("2027-03-10T00:00", "2027-03-20T23:59:59", "2027-06-01", 1, ("2028-03-10T00:00:00", "2028-03-20T23:59:59")),
        ("2027-03-10T00:00", "2027-03-20T23:59:59", "2026-06-01", 0, ("2027-03-10T00:00:00", "2027-03-20T23:59:59")),
        ("2028-02-29T12:00", "2028-03-29T12:00", "2028-02-29", 0, ("2028-02-29T12:00:00", "2028-03-29T12:00:00")),
        ("2028-02-29T12:00", "2028-03-29T12:00", "2030-06-01", 3, ("2031-02-28T12:00:00", "2031-03-29T12:00:00")),
        ("2028-02-29T12:00", "2028-03-29T12:00", "2031-06-01", 4, ("2032-02-29T12:00:00", "2032-03-29T12:00:00")),
    ],
)
def test_dates_move_by_whole_years(
    site: Any, opens: str, closes: str, now: str, years: int, moved: tuple[str, str]
) -> None:
    """The clocks of the zone show the same time, whenever summer time begins that year."""
    zone = ZoneInfo("America/New_York")
    first, last = (datetime.fromisoformat(one).replace(tzinfo=zone).astimezone(UTC) for one in (opens, closes))
    given = replace(DEFINITION, zone=zone.key, dates=Dates(opens=first, closes=last))
    made, count = site.archives.in_future(given, datetime.fromisoformat(now).replace(tzinfo=UTC))
    shown = [one.astimezone(zone).replace(tzinfo=None).isoformat() for one in (made.dates.opens, made.dates.closes)]
    assert (count, *shown) == (years, *moved)


def test_dates_that_change_places(site: Any) -> None:
    """A campaign that closed on 29 February is not cloned with a deadline before its opening."""
    dates = Dates(opens=datetime(2028, 2, 28, 12, tzinfo=UTC), closes=datetime(2028, 2, 29, 11, tzinfo=UTC))
    with pytest.raises(DataError, match="before opens"):
        site.archives.in_future(replace(DEFINITION, dates=dates), datetime(2028, 6, 1, tzinfo=UTC))


def run(home: Path, *words: str | Path, status: int = 0) -> str:
    """A command on a home; what it prints."""
    done = karat(home, "campaign", *map(str, words))
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def served(serve: Callable[..., Served], campaign_file: Callable[..., Path]) -> Served:
    """A server with a campaign, two teams and a run of each."""
    home = campaign_file().parent / "home"
    tokens = prepared(home, campaign_file(), "alder", "birch")
    one = serve(home=home)
    assert Client(one.address, tokens["alder"]).submit("rte-2027", RUN, statement="by Ada").status == 201
    assert Client(one.address, tokens["birch"]).submit("rte-2027", variant(7)).status == 201
    assert Client(one.address, tokens["birch"]).submit("rte-2027", b"nonsense\n").status == 422
    (home / "token").write_text(tokens["alder"])
    return one


@pytest.mark.nightly
def test_from_home_to_home(served: Served, tmp_path: Path) -> None:
    """Exported beside a running server, imported into an empty home, exported again: the same bytes."""
    first, second, third = (tmp_path / name for name in ("1.zip", "2.zip", "3.zip"))
    told = run(served.home, "export", "rte-2027", "-o", first)
    assert "1.zip: " in told
    new = tmp_path / "new home"
    assert "everything stored follows from the record" in run(new, "import", first)
    run(new, "export", "rte-2027", "-o", second)
    assert first.read_bytes() == second.read_bytes()
    run(new, "verify", "rte-2027")
    assert "already; import it into a home of its own" in run(new, "import", first, status=2)
    # Without names, too.
    run(served.home, "export", "rte-2027", "-o", third, "--anonymous")
    assert all(word not in third.read_bytes() for word in (b"alder", b"birch", b"Ada", b"nonsense"))
    other = tmp_path / "other home"
    assert "everything stored follows" in run(other, "import", third)
    run(other, "verify", "rte-2027")
    run(other, "export", "rte-2027", "-o", second)
    assert second.read_bytes() == third.read_bytes()


@pytest.mark.nightly
def test_beside_a_running_server(served: Served, serve: Callable[..., Served], tmp_path: Path) -> None:
    """A server that runs has the campaign at once; the old token does not work, a new one gives the old receipt."""
    file, old = tmp_path / "a.zip", (served.home / "token").read_text()
    run(served.home, "export", "rte-2027", "-o", file)
    receipt = Client(served.address, old).submit("rte-2027", RUN, statement="by Ada").json["receipt"]
    other = serve(home=tmp_path / "other")
    run(other.home, "import", file)
    assert Client(other.address, old).submit("rte-2027", RUN).status == 401
    token = run(other.home, "token", "rte-2027", "alder").strip()
    assert Client(other.address, token).submit("rte-2027", RUN, statement="by Ada").json["receipt"] == receipt
    assert Client(other.address, token).submit("rte-2027", variant(8)).status == 201
    run(other.home, "verify", "rte-2027")
    # Two at once: one is first.
    home, command = tmp_path / "third", [*KARAT, "campaign", "import", str(file)]
    run(home, "import", _renamed(tmp_path), status=1)
    around = {**surroundings(), "KARAT_HOME": str(home)}
    both = [subprocess.Popen(command, env=around, stderr=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(2)]
    told = [one.communicate(timeout=120)[1] for one in both]
    assert sorted(one.returncode for one in both) == [0, 2], told
    run(home, "verify", "rte-2027")


def _renamed(folder: Path) -> Path:
    """An archive that slips out of its folder."""
    bad = folder / "slip.zip"
    with zipfile.ZipFile(bad, "w") as made:
        made.writestr("../../evil", b"evil")
    return bad


def test_hostile_archives(tmp_path: Path) -> None:
    """Every problem for people and for programs, status 1, and no home is made; a file is not overwritten in vain."""
    home, bad = tmp_path / "home", _renamed(tmp_path)
    told = run(home, "import", bad, status=1)
    assert "slip.zip: archive: a member called '../../evil'" in told
    assert "slip.zip: archive: no member record.jsonl" in told
    assert '"campaign": null' in run(home, "import", bad, "--format", "json", status=1)
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("record.jsonl", b"\0" * (50 << 20))
    bad.write_bytes(bomb.getvalue())
    assert "52,428,800 bytes packed into" in run(home, "import", bad, status=1)
    assert [one.name for one in tmp_path.iterdir()] == ["slip.zip"]
    bad.write_text("keep")
    assert "there is no server" in run(home, "export", "x", "-o", bad, status=2)
    assert bad.read_text() == "keep"


def test_the_page_gives_the_same_archive(site: Any) -> None:
    """An organiser downloads what the command writes."""
    from tests.server import campaigns

    name = campaigns.make_campaign()
    answer = campaigns.host().get(f"/c/{name}/export.zip")
    assert answer.getvalue() == site.archives.export(name).data
    assert f"{name}.zip" in answer.headers["Content-Disposition"]
    assert f"/c/{name}/export.zip" in campaigns.text_of(campaigns.host().get(f"/c/{name}/record/"))
