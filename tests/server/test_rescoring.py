"""A new key on a server: nothing before it is agreed to, then everything at once, whatever else happens meanwhile."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from karat import examples
from karat.campaign.commands import Extend, Release, Withdraw
from karat.campaign.definition import Task
from karat.campaign.events import Rekeyed
from karat.errors import DataError, UsageError
from tests.server.conftest import KARAT, karat, write_campaign

PAIRS = examples.PAIRS.read_bytes()
KEY = PAIRS.replace(b'entailment="UNKNOWN"', b'entailment="ENTAILMENT"', 6)
OTHER_KEY = PAIRS.replace(b'entailment="UNKNOWN"', b'entailment="ENTAILMENT"', 9)
BOTH = (Task(name="three-way", test="pairs.xml"), Task(name="two-way", test="pairs.xml", way=2))
THREE_WAY = ("careful.jsonl", "cautious.txt", "terse.jsonl", "overlap.txt")


@pytest.fixture
def site(home: Any) -> Any:
    """Campaigns and people on a server."""
    del home
    from tests.server import campaigns

    return campaigns


def send(site: Any, campaign: str, team: str, file: str, task: str = "three-way", **more: Any) -> Any:
    """Submit an example run."""
    from karat.server.submitting import Declared, submit

    said = Declared(task=task, **more)
    raw = (examples.RUNS / file).read_bytes()
    made = submit(campaign, f"{campaign}-{team}", file, raw, said, site.store.now())
    assert made.run is not None, made.problems
    return made.run


def filled(site: Any, runs: tuple[str, ...] = THREE_WAY, **facts: Any) -> str:
    """A campaign with a run of each of some teams."""
    campaign: str = site.make_campaign(**{"tasks": BOTH, "agreement": False} | facts)
    for number, file in enumerate(runs):
        site.member(campaign, f"T{number}", f"{campaign}-T{number}", signed=False)
        send(site, campaign, f"T{number}", file)
    return campaign


def carry_out(campaign: str, raw: bytes = KEY, **more: Any) -> Any:
    """Preview or apply a key."""
    from karat.server.rescoring import rescore

    return rescore(campaign, "key.xml", raw, more.pop("reason", "six slips"), **more)


def scored_now(site: Any, campaign: str) -> bool:
    """Whether every run has the scores that its file gets by the newest key, and the record says so."""
    state = site.store.state_of(campaign)
    fresh = {id: site.store.rescored(state, run.received) for id, run in state.runs.items()}
    found = site.store.verify(campaign)
    return fresh == {id: run.scores for id, run in state.runs.items()} and found["equal"] and found["chain"]


def test_a_preview_stores_nothing(site: Any) -> None:
    """No event, no file, no score."""
    from karat.server import models

    campaign = filled(site)
    before, files = site.store.state_of(campaign), models.Content.objects.count()
    found = carry_out(campaign)
    assert found.answer()["labels_changed"][0] == {
        "task": "three-way", "way": "3", "from": "UNKNOWN", "to": "ENTAILMENT", "units": 6
    }  # fmt: skip
    assert site.store.state_of(campaign) == before
    assert models.Content.objects.count() == files
    assert not found.applied


def test_applied_every_run_is_scored_again(site: Any) -> None:
    """Replaced, withdrawn and two-way runs too; the blind set is the same; the same key again is no new version."""
    campaign = filled(site)
    send(site, campaign, "T0", "cautious.txt", run=1)
    gone = send(site, campaign, "T1", "terse.jsonl", run=2)
    site.store.execute(campaign, Withdraw(account=f"{campaign}-T1", id=gone.id), f"{campaign}-T1")
    send(site, campaign, "T2", "two-way.txt", "two-way")
    before = site.store.state_of(campaign)
    blind = [site.store.test_set(before, task).blind for task in BOTH]
    made = carry_out(campaign, apply=True)
    after = site.store.state_of(campaign)
    assert made.applied
    assert [key.reason for key in after.keys] == ["", "six slips"]
    assert after.commitment != before.commitment
    assert len(after.runs) == 7
    assert all(run.scores != before.runs[id].scores for id, run in after.runs.items())
    assert all(run.received == before.runs[id].received for id, run in after.runs.items()), "the receipts stay"
    assert [site.store.test_set(after, task).blind for task in BOTH] == blind
    assert scored_now(site, campaign)
    answer = made.answer()
    assert (answer["old"]["key_version"], answer["new"]["key_version"], answer["rescored"]) == (1, 2, 7)
    assert set(answer["new"]["scores"]) == {"three-way", "two-way"}
    for side, state in (("old", before), ("new", after)):
        for run in state.active(task="three-way"):
            assert answer[side]["scores"]["three-way"]["3"][run.name] == run.scores["3"]
    again = carry_out(campaign, apply=True)
    assert not again.applied
    assert site.store.state_of(campaign).sequence == after.sequence
    back = carry_out(campaign, PAIRS, apply=True, reason="it was right")
    assert back.applied
    state = site.store.state_of(campaign)
    assert len(state.keys) == 3
    assert {id: run.scores for id, run in state.runs.items()} == {id: run.scores for id, run in before.runs.items()}
    assert scored_now(site, campaign)


def test_practice_runs_are_scored_again(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is sent after the close is kept apart, and has the scores of the newest key too; results may be out."""
    import karat.server.rescoring  # noqa: F401 - a module that is loaded now would keep the clock that is moved here

    campaign, real = filled(site, practice=True), site.store.now
    monkeypatch.setattr(site.store, "now", lambda: real() + timedelta(days=2))
    send(site, campaign, "T0", "terse.jsonl", practice=True)
    for to in ("teams", "public"):
        site.store.execute(campaign, Release(to=to), "organiser")
    assert carry_out(campaign, apply=True).answer()["rescored"] == len(THREE_WAY) + 1
    assert scored_now(site, campaign)


def test_which_tasks_a_key_is_for(site: Any) -> None:
    """Those with the same pairs, also on another file; or the one that is named, with all that share its file."""
    rows = "id\ttext\thypothesis\tlabel\n" + "".join(f"{n}\tt{n}\th{n}\t{'YES' if n % 2 else 'NO'}\n" for n in range(9))
    others = (*BOTH, Task(name="small", test="small.tsv", way=2), Task(name="own", test="own.xml"))
    from msgspec.structs import replace

    from karat.campaign.commands import Edit

    campaign = site.make_campaign(tasks=BOTH, agreement=False)
    state = site.store.state_of(campaign)
    contents = {"small.tsv": rows.encode(), "own.xml": PAIRS + b"\n"}
    files = state.files | {name: site.store.digest_of(raw) for name, raw in contents.items()}
    stored = {files[name]: raw for name, raw in contents.items()}
    edit = Edit(definition=replace(state.definition, tasks=others), files=files, reason="more")
    site.store.execute(campaign, edit, "organiser", stored)
    assert set(carry_out(campaign).command.files) == {"pairs.xml", "own.xml"}
    assert set(carry_out(campaign, task="own").command.files) == {"own.xml"}
    named = carry_out(campaign, task="two-way")
    assert set(named.command.files) == {"pairs.xml"}
    assert {view.task for view in named.result.views} == {"three-way", "two-way"}
    small = carry_out(campaign, "".join(f"{n} NO\n" for n in range(9)).encode())
    assert set(small.command.files) == {"small.tsv"}
    with pytest.raises(DataError) as caught:
        carry_out(campaign, b"1 YES\nx NO\n", task="own")
    assert {one.code for one in caught.value.problems} == {"key-unknown", "key-missing"}
    with pytest.raises(UsageError, match="did you mean 'small'"):
        carry_out(campaign, task="smal")


def test_what_has_no_key(site: Any) -> None:
    """Tasks that people judge, test sets without labels, campaigns that have not opened, and no reason."""
    judged = site.make_campaign(tasks=(Task(name="j", test="pairs.xml", kind="justifications"),), agreement=False)
    with pytest.raises(UsageError, match="every task is judged by people"):
        carry_out(judged)
    with pytest.raises(UsageError, match="'j' is judged by people"):
        carry_out(judged, task="j")
    blind = re.sub(rb' entailment="[A-Z ]+"', b"", PAIRS)
    with pytest.raises(UsageError, match="no key that could be replaced"):
        carry_out(site.make_campaign(tasks=BOTH[:1], agreement=False, pairs=blind))
    with pytest.raises(UsageError, match="submissions have not opened"):
        carry_out(site.make_campaign(opens=0.5, agreement=False))
    for apply in (False, True):
        with pytest.raises(UsageError, match="expected a reason"):
            carry_out(filled(site, ()), reason=" ", apply=apply)


def between(monkeypatch: pytest.MonkeyPatch, module: Any, name: str, happens: Callable[[], object]) -> None:
    """Let something happen once, just before a function of a module is called."""
    real, waiting = getattr(module, name), [happens]

    def call(*arguments: Any, **named: Any) -> Any:
        if waiting:
            waiting.pop()()
        return real(*arguments, **named)

    monkeypatch.setattr(module, name, call)


def test_a_run_scored_by_the_old_key(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The key is replaced between scoring and storing a run: the run is scored again, and stored once."""
    from karat.server import submitting

    campaign = filled(site)
    between(monkeypatch, submitting, "execute", lambda: carry_out(campaign, apply=True))
    run = send(site, campaign, "T1", "terse.jsonl", run=2)
    state = site.store.state_of(campaign)
    assert len(state.keys) == 2
    assert [one for one in state.runs if state.runs[one].received.number == 2] == [run.id]
    assert scored_now(site, campaign)


def test_a_run_between_preview_and_application(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run arrives while the others are scored: it is scored by the new key too."""
    from karat.server import rescoring

    campaign = filled(site)
    between(monkeypatch, rescoring, "execute", lambda: send(site, campaign, "T1", "terse.jsonl", run=2))
    made = carry_out(campaign, apply=True)
    assert made.applied
    assert "T1-2" in made.answer()["new"]["scores"]["three-way"]["3"]
    assert scored_now(site, campaign)


def test_another_key_between_preview_and_application(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second of two keys is compared with the first, not with the one before both."""
    from karat.server import rescoring

    campaign = filled(site)
    real = site.store.execute

    def first() -> None:
        monkeypatch.setattr(rescoring, "execute", real)
        carry_out(campaign, OTHER_KEY, apply=True, reason="nine slips")

    between(monkeypatch, rescoring, "execute", first)
    made = carry_out(campaign, apply=True)
    assert (made.result.old_version, made.result.new_version) == (2, 3)
    assert [key.reason for key in site.store.state_of(campaign).keys] == ["", "nine slips", "six slips"]
    assert {(one.old, one.new, one.units) for one in made.result.labels if one.way == "3"} == {
        ("ENTAILMENT", "UNKNOWN", 3)
    }
    assert scored_now(site, campaign)


def test_endless_runs_are_waited_for(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """If runs are coming in faster than they are scored, that is said, and nothing is changed."""
    from karat.campaign.refusing import StaleError
    from karat.server import rescoring

    campaign = filled(site, ("careful.jsonl",))

    def stale(*_: object, **__: object) -> None:
        raise StaleError("a run has come in since")

    monkeypatch.setattr(rescoring, "execute", stale)
    with pytest.raises(UsageError, match="runs are coming in faster"):
        carry_out(campaign, apply=True)


def test_teams_submit_while_keys_are_replaced(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads send runs and replace keys at the same time: in the end every score is that of the newest key."""
    from django.db import connections

    from karat.server import rescoring

    monkeypatch.setattr(rescoring, "MOST_TRIES", 7)  # all six runs may come in while the first key is applied
    campaign = filled(site, ("careful.jsonl", "cautious.txt", "terse.jsonl"))
    failed: list[BaseException] = []

    def work(act: Callable[[], object]) -> None:
        try:
            act()
        except BaseException as error:
            failed.append(error)
        finally:
            connections.close_all()

    def rekey() -> None:
        for key in (KEY, OTHER_KEY, PAIRS):
            carry_out(campaign, key, apply=True)

    def submitting(team: str) -> None:
        for number, file in enumerate(("overlap.txt", "ranked.txt"), 2):
            send(site, campaign, team, file, run=number)

    acts: list[Callable[[], object]] = [rekey, *(lambda team=team: submitting(team) for team in ("T0", "T1", "T2"))]
    threads = [threading.Thread(target=work, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert len(site.store.state_of(campaign).keys) == 4
    assert len(site.store.state_of(campaign).runs) == 9
    assert scored_now(site, campaign)


def organiser_of(site: Any, campaign: str) -> Any:
    """An organiser, logged in."""
    return site.member(campaign, None, f"{campaign}-o", role="organiser", signed=False)


def uploaded(raw: bytes = KEY, **more: str) -> dict[str, Any]:
    """The first form."""
    return {"key": SimpleUploadedFile("key.xml", raw), "reason": "six slips"} | more


def hidden(page: str) -> dict[str, str]:
    """What the second form sends back."""
    form = page.partition("<main")[2]
    found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form)
    return {name: unescape(value) for name, value in found} | {"agreed": "yes"}


def test_the_page_previews_and_applies(site: Any) -> None:
    """Upload, look, agree: without JavaScript, without another upload, and exactly what was shown."""
    campaign = filled(site)
    organiser, address = organiser_of(site, campaign), f"/c/{campaign}/rescore/"
    assert "New key" in site.text_of(organiser.get(address))
    before = site.store.state_of(campaign)
    shown = organiser.post(address, uploaded())
    page = site.text_of(shown)
    assert shown.status_code == 200
    assert "Key version 2 would replace version 1, and 4 runs would be scored again." in page
    assert "6 of 160 pairs get another label." in page
    assert "<caption>three-way, scored two-way: accuracy</caption>" in page
    assert site.store.state_of(campaign) == before
    done = organiser.post(address, hidden(page))
    assert (done.status_code, done.url) == (302, f"/c/{campaign}/")
    state = site.store.state_of(campaign)
    assert (state.keys[-1].reason, len(state.keys)) == ("six slips", 2)
    entry = list(site.store.record_of(campaign))[-1]
    assert isinstance(entry.event, Rekeyed)
    assert entry.actor == f"{campaign}-o"
    overview = site.text_of(organiser.get(f"/c/{campaign}/"))
    assert "Key version 2 is in force" in overview
    assert "scored by key version 2</p>" in overview
    run = next(iter(state.runs.values()))
    receipt = site.text_of(organiser.get(f"/c/{campaign}/runs/{run.received.id}/"))
    assert f"{100 * run.scores['3']['accuracy']:.1f}" in receipt
    assert "Scores by key version 2" in receipt
    assert "The key was replaced, and 4 runs were scored again: six slips" in site.text_of(
        organiser.get(f"/c/{campaign}/record/")
    )
    again = site.text_of(organiser.post(address, uploaded()))
    assert "No label changes" in again
    assert "Replace the key" not in again


def test_the_page_shows_again_what_has_changed(site: Any) -> None:
    """A run that came in, another key, or another file: nothing is applied, and the new preview is shown."""
    campaign = filled(site)
    organiser, address = organiser_of(site, campaign), f"/c/{campaign}/rescore/"
    form = hidden(site.text_of(organiser.post(address, uploaded())))
    send(site, campaign, "T1", "terse.jsonl", run=2)
    shown = organiser.post(address, form)
    page = site.text_of(shown)
    assert shown.status_code == 409
    assert "Something has changed since you looked" in page
    assert "5 runs would be scored again" in page
    assert len(site.store.state_of(campaign).keys) == 1
    form = hidden(page)
    site.store.execute(campaign, Withdraw(account=f"{campaign}-T1", id=first_of(site, campaign, "T1-2")), "x")
    assert organiser.post(address, form).status_code == 409, "a run that no longer counts changes the places"
    form = hidden(site.text_of(organiser.post(address, uploaded())))
    carry_out(campaign, OTHER_KEY, apply=True)
    assert organiser.post(address, form).status_code == 409
    assert len(site.store.state_of(campaign).keys) == 2
    form = hidden(site.text_of(organiser.post(address, uploaded())))
    until = site.store.now().replace(year=2099)
    site.store.execute(campaign, Extend(team="T0", until=until, reason="ill"), "x")
    assert organiser.post(address, form).status_code == 302, "what the preview does not depend on does not matter"


def first_of(site: Any, campaign: str, name: str) -> str:
    """The id of an active run by name."""
    return next(run.received.id for run in site.store.state_of(campaign).active() if run.name == name)


def test_a_large_file_is_asked_for_again(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not carried in the page; the same file is accepted, another one is not."""
    from karat.server.pages import rescoring

    monkeypatch.setattr(rescoring, "MOST_CARRIED", 1000)
    campaign = filled(site)
    organiser, address = organiser_of(site, campaign), f"/c/{campaign}/rescore/"
    page = site.text_of(organiser.post(address, uploaded()))
    assert "Choose the same file again" in page
    form = hidden(page)
    assert "content" not in form
    other = organiser.post(address, form | {"key": SimpleUploadedFile("key.xml", OTHER_KEY)})
    assert other.status_code == 422
    assert "This is not the file that you looked at" in site.text_of(other)
    assert organiser.post(address, form).status_code == 422
    assert len(site.store.state_of(campaign).keys) == 1
    assert organiser.post(address, form | {"key": SimpleUploadedFile("key.xml", KEY)}).status_code == 302
    assert len(site.store.state_of(campaign).keys) == 2


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"reason": "six slips"},
        uploaded(b""),
        uploaded(b"1 YES\n"),
        uploaded(bytes(range(256))),
        uploaded(reason=""),
        uploaded(reason="x" * 20_000),
        uploaded(task="none"),
        {"reason": "r", "content": "%%%", "agreed": "yes"},
        {"reason": "r", "content": "AAAA", "agreed": "yes", "sha256": "x", "seen": "x"},
    ],
    ids=map(str, range(10)),
)
def test_hostile_forms(site: Any, form: dict[str, Any]) -> None:
    """They are answered with what is wrong, and change nothing."""
    campaign = filled(site, ("careful.jsonl",))
    before = site.store.state_of(campaign)
    for one in form.values():
        if isinstance(one, SimpleUploadedFile):
            one.seek(0)
    answer = organiser_of(site, campaign).post(f"/c/{campaign}/rescore/", form)
    assert answer.status_code == 422
    assert 'class="error"' in site.text_of(answer) or 'class="trouble"' in site.text_of(answer)
    assert site.store.state_of(campaign).files == before.files


def test_teams_read_of_versions_and_no_label(site: Any) -> None:
    """A team sees the versions, their reasons once it sees scores, and neither the page nor a score before."""
    campaign = filled(site)
    team = site.logged_in(site.models.Account.objects.get(name=f"{campaign}-T0"))
    assert "Key versions" not in site.text_of(team.get(f"/c/{campaign}/"))
    carry_out(campaign, apply=True, reason="six <b>slips</b>")
    page = site.text_of(team.get(f"/c/{campaign}/"))
    assert "Key versions" in page
    assert "slips" not in page, "a reason can tell a label"
    assert "six &lt;b&gt;slips&lt;/b&gt;" in site.text_of(site.host().get(f"/c/{campaign}/"))
    assert "ENTAILMENT" not in page
    assert team.get(f"/c/{campaign}/rescore/").status_code == 404
    assert team.post(f"/c/{campaign}/rescore/", uploaded()).status_code == 404
    receipt = site.text_of(team.get(f"/c/{campaign}/runs/{first_of(site, campaign, 'T0-1')}/"))
    assert "key version 2" in receipt
    assert "Accuracy" not in receipt


def test_the_command(tmp_path: Path) -> None:
    """A preview, then the key itself, as text and as JSON; what is wrong exits with 1, a wrong call with 2."""
    assert KARAT
    home, key, bad = tmp_path / "home", tmp_path / "key.xml", tmp_path / "bad.txt"
    assert karat(home, "campaign", "new", str(write_campaign(tmp_path))).returncode == 0
    key.write_bytes(KEY)
    bad.write_text("1 YES\n")
    call = ["campaign", "rescore", "rte-2027"]
    text = karat(home, *call, str(key), "--reason", "six slips")
    assert text.returncode == 0, text.stderr
    assert "6 of 160 pairs get another label" in text.stdout
    assert text.stdout.endswith("nothing was changed; --apply replaces the key\n")
    applied = json.loads(karat(home, *call, str(key), "--reason", "six slips", "--apply", "--format", "json").stdout)
    assert (applied["applied"], applied["old"]["key_version"], applied["new"]["key_version"]) == (True, 1, 2)
    assert applied["ranks_changed"] == []
    again = karat(home, *call, str(key), "--reason", "six slips", "--apply")
    assert again.stdout.endswith("no label changes: there is nothing to apply\n")
    refused = karat(home, *call, str(bad), "--reason", "r", "--format", "json")
    assert refused.returncode == 1
    assert {one["code"] for one in json.loads(refused.stdout)["problems"]} == {"key-missing"}
    assert karat(home, *call, str(bad), "--reason", "r").returncode == 1
    assert karat(home, *call, str(key)).returncode == 2
    assert karat(home, *call, str(key), "--reason", " ").returncode == 2
    assert json.loads(karat(home, "campaign", "verify", "rte-2027", "--format", "json").stdout)["equal"]
