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


@pytest.mark.parametrize(
    ("how", "signed", "code"), [({"opens": 1, "closes": 2}, True, "not-open"), ({}, False, "not-signed")]
)
@pytest.mark.parametrize("dry_run", ["", "true"])
def test_no_ids_before_their_date(site: Any, how: dict[str, int], signed: bool, code: str, dry_run: str) -> None:
    """Whoever cannot have the test set learns nothing of it from the problems of a file."""
    from django.core.files.uploadedfile import SimpleUploadedFile

    from karat.server.submitting import Declared, submit

    campaign = site.make_campaign(**how)
    account = f"Fir-{campaign}-{dry_run}"[:30]
    one = site.member(campaign, "Fir", account, signed=signed)
    told = submit(
        campaign, account, "r", b"1 ENTAILMENT\n", Declared(task="three-way"), site.store.now(), bool(dry_run)
    )
    assert [problem.code for problem in told.problems] == [code]
    form = {"file": SimpleUploadedFile("r", b"1 ENTAILMENT\n2 MAYBE\n"), "dry_run": dry_run}
    page = one.post(f"/c/{campaign}/tasks/three-way/submit/", form)
    assert page.status_code == 422
    assert "missing-id" not in site.text_of(page)
    assert "no line for pair" not in str(site.store.state_of(campaign).refused)
