"""What organisers do: nobody gets an account that is somebody else's, and nothing is half-made."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from karat.errors import DataError, UsageError


@pytest.fixture
def campaign(home: Any, campaign_file: Callable[..., Path]) -> Callable[..., str]:
    """Make campaigns, each of a name of its own."""
    del home
    from karat.campaign.definition import parse
    from karat.server import operations
    from karat.server.store import names

    def make(**how: Any) -> str:
        file = campaign_file(f"ops-{len(names())}", **how)
        text, folder = file.read_text(encoding="utf-8"), file.parent
        return operations.create(parse(text, file.name), lambda one: (folder / one).read_bytes(), "f").definition.name

    return make


def test_accounts_of_people_are_theirs(campaign: Callable[..., str]) -> None:
    """A name that somebody logs in with is not enrolled; one that only programs use can be, in a second campaign."""
    from karat.server import models, operations
    from karat.server.store import state_of

    first, second = campaign(), campaign()
    for name in (first, second):
        assert operations.enrol(name, "team", "Programs", "P. Rogram") == {"account": "Programs"}
    person = models.Account.objects.create(name="Person")
    person.set_password("correct horse battery")
    person.save()
    with pytest.raises(UsageError, match="somebody already logs in as 'Person'"):
        operations.enrol(first, "team", "Person", "P. Erson")
    assert set(state_of(first).members) == {"Programs"}
    assert set(state_of(first).teams) == {"Programs"}
    for role, name in (("team", "organiser"), ("organiser", "Organiser")):
        with pytest.raises(UsageError, match="whoever runs this server"):
            operations.enrol(first, role, name, "Olga")  # type: ignore[arg-type]


def test_accounts_of_the_example_stay_there(campaign: Callable[..., str]) -> None:
    """The host looks through the eyes of an example account: it gets no rights in a campaign that counts."""
    from karat.server import models, operations
    from karat.server.store import state_of

    name = campaign()
    models.Account.objects.create(name="Example-eyes", password="!", example=True)
    with pytest.raises(UsageError, match="an account of the example"):
        operations.enrol(name, "team", "Example-eyes", "E. Yes")
    assert "Example-eyes" not in state_of(name).members


def test_nothing_is_half_made(campaign: Callable[..., str], campaign_file: Callable[..., Path]) -> None:
    """A campaign whose test set cannot be read leaves nothing behind, and its name is free."""
    from karat.campaign.definition import parse
    from karat.server import models, operations
    from karat.server.store import names

    campaign()
    before, stored = names(), models.Content.objects.count()
    file = campaign_file("half")
    with pytest.raises(DataError):
        operations.create(parse(file.read_text(), file.name), lambda _: b"nonsense", file.name)
    assert (names(), models.Content.objects.count()) == (before, stored)


ROWS = "".join(f"{n}\tt\th\t{'ENTAILMENT' if n < 20 else 'CONTRADICTION'}\n" for n in range(1, 40))


def simple(name: str, opens: datetime) -> Any:
    """A campaign with a small key, sorted by label."""
    from karat.campaign.definition import build
    from karat.server import operations

    dates = {"opens": opens, "closes": opens + timedelta(days=1)}
    table = {"name": name, "title": "T", "dates": dates, "tasks": [{"name": "t", "test": "key.tsv"}]}
    return operations.create(build(table, "f"), lambda _: f"id\ttext\thypothesis\tlabel\n{ROWS}".encode(), "f")


def test_warnings_about_a_test_set(campaign: Callable[..., str]) -> None:
    """Organisers hear what in a test set would give its key away."""
    from karat.server import operations
    from karat.server.store import state_of

    assert operations.warnings_of(state_of(campaign())) == []
    assert {one.code for one in operations.warnings_of(simple("ops-told", datetime.now(UTC)))} == {"gives-key-away"}


@pytest.mark.usefixtures("home")
def test_key_versions() -> None:
    """Another key is another version; another title is not."""
    from msgspec.structs import replace

    from karat.campaign.commands import Edit
    from karat.server.store import digest_of, execute, state_of

    state = simple("ops-keys", datetime.now(UTC) + timedelta(days=1))
    assert len(state_of("ops-keys").keys) == 1
    renamed = replace(state.definition, title="Another")
    execute("ops-keys", Edit(definition=renamed, files=state.files, reason="a better title"), "organiser")
    assert len(state_of("ops-keys").keys) == 1
    other = b"id\ttext\thypothesis\tlabel\n1\tt\th\tENTAILMENT\n"
    command = Edit(definition=renamed, files={"key.tsv": digest_of(other)}, reason="a slip")
    execute("ops-keys", command, "organiser", {digest_of(other): other})
    assert len(state_of("ops-keys").keys) == 2
