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


def test_pages_and_programs_share_a_limit(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs, reports, tokens and changes by page count together with what programs send; others are not delayed."""
    from django.core.files.uploadedfile import SimpleUploadedFile

    from karat.server import accounts, submitting
    from karat.server.throttle import Rate

    campaign = site.make_campaign()
    names = [f"{campaign}-{one}" for one in "ab"]
    one, other = (site.member(campaign, name, name) for name in names)
    token = accounts.issue_token(campaign, names[0], names[0])
    monkeypatch.setattr(submitting, "submissions", Rate(5, 60))

    def send(who: Any, address: str = f"/c/{campaign}/tasks/three-way/submit/", **form: Any) -> Any:
        return who.post(address, form or {"file": SimpleUploadedFile("r.jsonl", site.RUN)})

    def report(who: Any) -> Any:
        return send(who, f"/c/{campaign}/report/", report=SimpleUploadedFile("p.pdf", b"%PDF"))

    def program() -> Any:
        data, headers = {"file": SimpleUploadedFile("r.jsonl", site.RUN)}, {"Authorization": f"Bearer {token}"}
        return site.client().post(f"/api/campaigns/{campaign}/tasks/three-way/runs", data, headers=headers)

    def new_token(who: Any) -> Any:
        return send(who, "/account/tokens/", campaign=campaign)

    def withdraw(who: Any) -> Any:
        run = next(iter(site.store.state_of(campaign).runs))
        return send(who, f"/c/{campaign}/runs/{run}/withdraw/", reason="a mistake")

    served = [send(one), report(one), new_token(one), program(), withdraw(one)]
    assert [answer.status_code for answer in served] == [302, 302, 200, 201, 302]
    events = site.store.state_of(campaign).sequence
    refused = [send(one), report(one), new_token(one), program(), withdraw(one)]
    assert [answer.status_code for answer in refused] == [429] * 5
    assert "wait for" in site.text_of(refused[0])
    assert all(int(answer["Retry-After"]) <= 60 for answer in refused[1:])
    assert site.store.state_of(campaign).sequence == events
    assert [send(other).status_code, report(other).status_code, new_token(other).status_code] == [302, 302, 200]


def test_a_clock_set_back_delays_nobody(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is counted in a minute does not depend on the time of day."""
    from datetime import timedelta

    from karat.server import accounts, api
    from karat.server.throttle import Rate

    campaign = site.make_campaign()
    account = f"{campaign}-a"
    site.member(campaign, account, account)
    headers = {"Authorization": f"Bearer {accounts.issue_token(campaign, account, account)}"}
    monkeypatch.setattr(api, "requests", Rate(1, 0.05))

    def ask() -> int:
        return int(site.client().get(f"/api/campaigns/{campaign}", headers=headers).status_code)

    assert ask() == 200
    before = site.store.now()
    monkeypatch.setattr(api, "now", lambda: before - timedelta(days=1))
    threading.Event().wait(0.1)
    assert ask() == 200
