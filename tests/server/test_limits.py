"""What one account can do to a server: how much at a time, how often, how long, and what it learns by asking."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from karat.campaign.events import Checked


@pytest.fixture
def site(home: Any) -> Any:
    """Campaigns and people on a server."""
    del home
    from tests.server import campaigns

    return campaigns


def test_two_checks_at_a_time(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many files arrive together, at most two are being checked; all get their turn."""
    from django.db import connections

    from karat.campaign import checking
    from karat.server.submitting import Declared, submit

    campaign = site.make_campaign()
    site.member(campaign, "Oak", "Oak-two")
    now, most, lock, pause = 0, 0, threading.Lock(), threading.Event()

    def check(*_: Any, **__: Any) -> Checked:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        pause.wait(0.05)
        with lock:
            now -= 1
        return Checked(problems=())

    def send(number: int) -> bool:
        try:
            said = Declared(task="three-way")
            return submit(campaign, "Oak-two", "r", b"%d" % number, said, site.store.now(), True).run is not None
        finally:
            connections.close_all()

    monkeypatch.setattr(checking, "check_run", check)
    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(send, range(8)))
    assert most == 2
