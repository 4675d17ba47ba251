"""Tests of passwords, links and tokens: what is stored of them, and what an attempt costs."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def accounts(home: Any) -> Any:
    """The accounts of a server."""
    del home
    from karat.server import accounts

    return accounts


def test_how_passwords_are_hashed(accounts: Any) -> None:
    """Argon2id with 19 MiB, two passes and one lane; other parameters would be found here."""
    from django.contrib.auth.hashers import check_password, identify_hasher, make_password

    stored = make_password("correct horse battery")
    assert stored.startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")
    assert type(identify_hasher(stored)) is accounts.Argon2
    assert check_password("correct horse battery", stored)
    assert not check_password("correct horse", stored)


def test_a_name_that_is_not_there_costs_as_much(accounts: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown name, and an account without a password, take one hash, as a wrong password does."""
    from karat.server import models

    models.Account.objects.get_or_create(name="without", defaults={"password": "!"})
    known, _ = models.Account.objects.get_or_create(name="with")
    known.set_password("correct horse battery")
    known.save()
    hashed: list[str] = []

    def count(name: str) -> Callable[..., Any]:
        original = getattr(accounts.Argon2, name)

        def counting(*given: Any) -> Any:
            hashed.append(name)
            return original(*given)

        return counting

    for name in ("encode", "verify"):
        monkeypatch.setattr(accounts.Argon2, name, count(name))
    for name in ("nobody", "without", "with"):
        hashed.clear()
        assert accounts.ByPassword().authenticate(None, name=name, password="something else") is None
        assert len(hashed) == 1, name
    assert accounts.ByPassword().authenticate(None, name="with", password="correct horse battery") == known


def test_two_hashes_at_a_time(accounts: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many log in at once, two hashes are computed at a time, and the rest of the server goes on."""
    from django.contrib.auth.hashers import Argon2PasswordHasher

    running, most, lock, two = [0], [0], threading.Lock(), threading.Event()

    def slow(*_: object) -> str:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
            if running[0] > 1:
                two.set()
        two.wait(30)  # however long it takes until another one has begun
        time.sleep(0.02)
        with lock:
            running[0] -= 1
        return "hash"

    monkeypatch.setattr(Argon2PasswordHasher, "encode", slow)
    threads = [threading.Thread(target=accounts.Argon2().encode, args=("password", "salt")) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert most[0] == 2


def test_no_secret_is_stored(accounts: Any, home: Any, campaign_file: Callable[..., Path]) -> None:
    """Neither a link nor a token nor a password stands anywhere in the home, only hashes do."""
    from django.contrib.auth.hashers import make_password

    from karat.campaign.definition import parse
    from karat.server import models, operations

    file = campaign_file("secrets")
    operations.create(parse(file.read_text(), file.name), lambda one: (file.parent / one).read_bytes(), file.name)
    operations.enrol("secrets", "team", "keeper", "Ada Lovelace")
    token = accounts.issue_token("secrets", "keeper", "organiser")
    link = operations.invite("secrets", "team", "guest", "http://localhost")["url"].rpartition("/")[2]
    password = "a password that nobody else has"
    models.Account.objects.filter(name="keeper").update(password=make_password(password))
    assert accounts.find_link(token, "token").name == "keeper"
    assert accounts.find_link(link, "invitation").name == "guest"
    # By another process: to close a file of SQLite here would end the locks that this one has on it. Its journal may
    # be gone before it is read.
    files = [str(one) for one in home.folder.rglob("*") if one.is_file()]
    kept = subprocess.run(["cat", *files], capture_output=True, check=False).stdout
    assert b"secrets" in kept
    for secret in (token, token.removeprefix("karat_"), link, password):
        assert secret.encode() not in kept


def test_a_link_is_used_once(accounts: Any) -> None:
    """Of many who follow a link at the same moment, one gets in."""
    from django.db import connections

    secret = accounts.make_link("invitation", "somebody", None, "any", "team")
    won: list[bool] = []

    def use() -> None:
        link = accounts.find_link(secret, "invitation")
        barrier.wait(timeout=30)
        won.append(link is not None and accounts.use_link(link))
        connections.close_all()

    barrier = threading.Barrier(8)
    threads = [threading.Thread(target=use) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert sorted(won) == [False] * 7 + [True]
    assert accounts.find_link(secret, "invitation") is None
    assert accounts.find_link(secret, "token") is None
