"""Campaigns, members and browsers without a browser, for tests of the pages."""

from __future__ import annotations

import itertools
from datetime import timedelta
from typing import Any

from django.contrib.auth.hashers import make_password
from django.test import Client

from karat import examples
from karat.campaign.commands import Create, Invite, Join, Sign
from karat.campaign.dates import Dates
from karat.campaign.definition import Definition, Task
from karat.server import accounts, models, store

PAIRS = (examples.HERE / "pairs.xml").read_bytes()
AGREEMENT = b"# Terms\n\nWe do not look at the **test set** <b>before</b> the end.\n"
PASSWORD = "correct horse battery"
RUN = (examples.HERE / "runs" / "careful.jsonl").read_bytes()
OTHER_RUN = (examples.HERE / "runs" / "cautious.txt").read_bytes()
_numbers = itertools.count(1)


def make_campaign(
    *,
    opens: float = -1,
    closes: float = 1,
    data: float | None = None,
    names: float | None = None,
    agreement: bool = True,
    **facts: Any,
) -> str:
    """A campaign with a name of its own; its dates are days from now."""
    name, now = f"pages-{next(_numbers)}", store.now()
    dates = Dates(
        register=now - timedelta(days=10),
        data=None if data is None else now + timedelta(days=data),
        opens=now + timedelta(days=opens),
        closes=now + timedelta(days=closes),
        names=None if names is None else now + timedelta(days=names),
    )
    task = Task(name="three-way", title="Three-way entailment", test="pairs.xml", justifications="optional")
    files = (
        {"pairs.xml": facts.pop("pairs", PAIRS)}
        | facts.pop("files", {})
        | ({"terms.md": facts.pop("terms", AGREEMENT)} if agreement else {})
    )
    files |= facts.pop("files", {})
    definition = Definition(
        name=name,
        title=f"The campaign {name}",
        agreement="terms.md" if agreement else None,
        dates=dates,
        tasks=facts.pop("tasks", (task,)),
        **facts,
    )
    digests = {file: store.digest_of(content) for file, content in files.items()}
    stored = {digests[file]: content for file, content in files.items()}
    store.execute(name, Create(definition=definition, files=digests), "organiser", stored)
    return name


def client() -> Client:
    """Somebody with a browser."""
    return Client(headers={"host": "127.0.0.1:8000"})


def host() -> Client:
    """The host, logged in."""
    account, _ = models.Account.objects.get_or_create(name=accounts.HOST, defaults={"is_host": True, "password": "!"})
    return logged_in(account)


def logged_in(account: models.Account) -> Client:
    """An account with a session."""
    one = client()
    one.force_login(account)
    return one


def member(campaign: str, team: str | None, account: str, *, role: str = "team", signed: bool = True) -> Client:
    """A member of a campaign, logged in."""
    join = Join(account=account, role=role, team=team, person=f"{account} Person")  # type: ignore[arg-type]
    store.execute(campaign, join, "organiser")
    if signed:
        store.execute(campaign, Sign(account=account, person=f"{account} Person"), account)
    row, _ = models.Account.objects.get_or_create(name=account, defaults={"password": _hashed()})
    return logged_in(row)


def _hashed() -> str:
    """The hash of the password, made once: hashing is slow on purpose."""
    if not _hash:
        _hash.append(make_password(PASSWORD))
    return _hash[0]


_hash: list[str] = []


def invitation(campaign: str, role: str, name: str, invited: str = "") -> str:
    """The address of an invitation."""
    made: list[str] = []

    def also(_: store.Outcome) -> None:
        expires = store.now() + timedelta(days=14)
        made.append(accounts.make_link("invitation", name, expires, campaign, role))

    store.execute(campaign, Invite(role=invited or role, name=name), "organiser", also=also)  # type: ignore[arg-type]
    return f"/enter/{made[0]}"


def host_address() -> str:
    """A link for a host that has no password."""
    models.Account.objects.filter(name=accounts.HOST).update(password="!")
    return f"/enter/{accounts.host_link()}"


def text_of(response: Any) -> str:
    """The page as text."""
    return response.content.decode()
