"""Releasing results and writing to teams, on pages and from the command line."""

from __future__ import annotations

import html
import json
import re
import socketserver
import subprocess
import sys
import threading
from datetime import datetime, timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from tests.server.conftest import KARAT
from tests.server.test_mail import Session
from tests.server.test_pages import file
from tests.surroundings import surroundings


@pytest.fixture
def site(home: Any) -> Any:
    """Campaigns and people on a server."""
    del home
    from tests.server import campaigns

    return campaigns


def closed(site: Any, teams: dict[str, str], names: datetime | None = None, **facts: Any) -> str:
    """A campaign that was open a moment ago, with a run of each team, whose one member has this address."""
    from karat.campaign.commands import Edit, Join

    campaign: str = site.make_campaign(agreement=False, **facts)
    for number, (team, contact) in enumerate(teams.items()):
        account = f"{campaign}-{team}"
        join = Join(account=account, role="team", team=team, person=f"{team} Person", contact=contact)
        site.store.execute(campaign, join, "organiser")
        row, _ = site.models.Account.objects.get_or_create(name=account, defaults={"password": "!"})
        sent = {"file": file([site.RUN, site.OTHER_RUN][number % 2]), "run": "1"}
        answer = site.logged_in(row).post(f"/c/{campaign}/tasks/three-way/submit/", sent)
        assert answer.status_code == 302, site.text_of(answer)
    state = site.store.state_of(campaign)
    dates = replace(state.definition.dates, closes=site.store.now() - timedelta(minutes=1), names=names)
    new = replace(state.definition, dates=dates)
    site.store.execute(campaign, Edit(definition=new, files=state.files, reason="It is over"), "organiser")
    return campaign


def release(site: Any, campaign: str, to: str) -> None:
    """Release on the page, as an organiser does."""
    answer = site.host().post(f"/c/{campaign}/release/", {"to": to, "confirm": "yes"})
    assert answer.status_code == 302, site.text_of(answer)


def outbox(home: Any) -> dict[str, str]:
    """The messages in the outbox by their content's first address; the newest of several."""
    found = {}
    for message in sorted(home.outbox.iterdir()):
        text = message.read_text(encoding="utf-8")
        found[re.findall(r"(?m)^To: (.*)$", text)[0]] = text
    return found


def run(home: Any, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command beside this process, on the same home."""
    around = surroundings() | {"KARAT_HOME": str(home.folder)} | environment
    return subprocess.run([*KARAT, "campaign", *arguments], capture_output=True, text=True, env=around, timeout=120)


def test_the_page_says_what_changes_for_whom(site: Any) -> None:
    """The table marks the changes, the confirmation names them, and they are what the release leads to."""
    campaign = closed(site, {"Alder": "a@example.org"})
    page = site.text_of(site.host().get(f"/c/{campaign}/release/"))
    first, second = page.split('id="to-teams"')[1].split('id="to-public"')
    assert "<strong>Each team</strong> will see: the team&#x27;s own scores." in first
    assert "Everybody" not in first.split("</form>")[0].split("<ul>")[-1]
    assert re.search(r"<strong>Everybody</strong> will see: [^<]*the key; the names of other teams\.", second)
    assert first.count('class="changed"') == 1
    assert "no → <strong>yes</strong>" in first
    assert "1 run is scored" in first
    release(site, campaign, "teams")
    from karat.campaign.sight import sights

    seen = sights(site.store.state_of(campaign), site.store.now())
    assert [role for role, of in seen.items() if of.own_scores] == ["team"]
    again = site.text_of(site.host().get(f"/c/{campaign}/release/"))
    assert "Release to the teams" not in again
    assert re.search(r"<strong>Released <time", again)


def test_nothing_is_released_by_mistake(site: Any) -> None:
    """Without the confirmation, before the deadline, and by others than organisers, nothing changes."""
    campaign, early = closed(site, {"Alder": ""}), site.make_campaign()
    host = site.host()
    answer = host.post(f"/c/{campaign}/release/", {"to": "public"})
    assert answer.status_code == 422
    assert "first confirm" in site.text_of(answer)
    assert host.post(f"/c/{campaign}/release/", {"to": "everybody", "confirm": "yes"}).status_code == 404
    refused = host.post(f"/c/{early}/release/", {"to": "teams", "confirm": "yes"})
    assert refused.status_code == 422
    assert "teams can submit until" in site.text_of(refused)
    assert 'name="confirm"' not in site.text_of(refused), "there is no button for what is not possible"
    team = site.member(early, "Alder", f"{early}-a")
    assert team.post(f"/c/{early}/release/", {"to": "teams", "confirm": "yes"}).status_code == 404
    assert not site.store.state_of(campaign).released
    assert not site.store.state_of(early).released


def test_a_release_is_asked_for_through_other_eyes(site: Any) -> None:
    """While an organiser looks as a team, the page is not there, and nothing can be released."""
    campaign, host = closed(site, {"Alder": ""}), site.host()
    assert host.post(f"/c/{campaign}/see-as/", {"as": "team:Alder"}).status_code == 302
    assert host.get(f"/c/{campaign}/release/").status_code == 404
    assert host.post(f"/c/{campaign}/release/", {"to": "teams", "confirm": "yes"}).status_code == 404
    assert host.post(f"/c/{campaign}/mail/", {"letter": "results"}).status_code == 404


def test_letters_are_shown_and_then_sent(site: Any, home: Any) -> None:
    """Each team its own, to its address; a wrong address stops no other; the record knows who was written to."""
    teams = {"Alder": "alder@example.org", "Birch": "not an address", "Cedar": "", "Dogwood": "dogwood@example.org"}
    campaign, host = closed(site, teams), site.host()
    page = f"/c/{campaign}/mail/"
    assert "Teams cannot see their scores" in site.text_of(host.get(page + "?letter=results"))
    assert host.post(page, {"letter": "results"}).status_code == 422
    assert not any("alder@" in to for to in outbox(home))
    release(site, campaign, "teams")
    preview = site.text_of(host.get(page + "?letter=results"))
    assert "4 letters" in preview
    assert "without an address: Cedar" in preview
    assert "To: alder@example.org" in preview
    assert "Send to 3 teams" in preview
    assert not any("alder@" in to for to in outbox(home)), "a preview sends nothing"
    answer = host.post(page, {"letter": "results"})
    assert answer.status_code == 302
    told = html.unescape(site.text_of(host.get(answer.headers["Location"])))
    assert "2 letters sent." in told
    assert "Birch: 'not an address' is not an e-mail address." in told
    assert "Cedar: not sent: nobody in this team has given an address." in told
    sent = outbox(home)
    assert "Alder-1" in sent["alder@example.org"]
    assert "Dogwood" not in sent["alder@example.org"]
    assert f"/c/{campaign}/teams/Dogwood/" in sent["dogwood@example.org"]
    ((_, event),) = site.store.state_of(campaign).mailed
    assert event.teams == ("Alder", "Dogwood")
    assert "A message was sent to Alder, Dogwood" in site.text_of(host.get(f"/c/{campaign}/record/"))


def test_nobody_gets_a_letter_twice_by_mistake(site: Any, home: Any) -> None:
    """It is said when it was sent; a second press sends nothing, asking for it again does."""
    campaign, host = closed(site, {"Fir": "fir@example.org"}), site.host()
    release(site, campaign, "teams")
    page = f"/c/{campaign}/mail/"
    for expected in (1, 1):
        host.post(page, {"letter": "results"})
        assert sum("To: fir@example.org" in one.read_text() for one in home.outbox.iterdir()) == expected
    shown = site.text_of(host.get(page + "?letter=results"))
    assert "Every team with an address has received this letter" in shown
    assert re.search(r"This letter was sent before: to Fir <time", shown)
    host.post(page, {"letter": "results", "again": "yes"})
    assert sum("To: fir@example.org" in one.read_text() for one in home.outbox.iterdir()) == 2
    assert host.get(page + "?letter=secrets").status_code == 404


def test_a_letter_on_a_new_key_has_old_and_new_scores(site: Any) -> None:
    """From the record: the scores by the key before the newest one."""
    from karat.campaign.commands import Rekey

    campaign, host = closed(site, {"Alder": "a@example.org"}), site.host()
    release(site, campaign, "teams")
    assert "There has been no new key" in site.text_of(host.get(f"/c/{campaign}/mail/?letter=key"))
    before = site.store.state_of(campaign)
    ((id, run),) = before.runs.items()
    data = site.PAIRS.replace(b'entailment="UNKNOWN"', b'entailment="CONTRADICTION"', 5)
    digest = site.store.digest_of(data)
    new = {way: {**of, "accuracy": 0.1234} for way, of in run.scores.items()}
    command = Rekey(files={"pairs.xml": digest}, scores={id: new}, reason="Five pairs contradict")
    site.store.execute(campaign, command, "organiser", {digest: data})
    shown = site.text_of(host.get(f"/c/{campaign}/mail/?letter=key"))
    old = run.scores["3"]["accuracy"]
    assert re.search(rf"three-way +accuracy +{old:.1%} +12\.3%", shown)
    assert "Five pairs contradict" in shown


def recipes(page: str) -> list[str]:
    """The lines with which a page says that the commitments can be computed."""
    return [html.unescape(one) for one in re.findall(r'<code class="recipe">(.*?)</code>', page, re.S)]


def test_the_proof_of_the_key_can_be_computed(site: Any) -> None:
    """The line that is shown gives the commitment of each key, in a real shell; before, there is no nonce anywhere."""
    from karat.campaign.commands import Rekey

    campaign = closed(site, {"Alder": ""}, key_with_results=True)
    team = site.logged_in(site.models.Account.objects.get(name=f"{campaign}-Alder"))
    state = site.store.state_of(campaign)
    scores = {id: run.scores for id, run in state.runs.items()}
    data = site.PAIRS.replace(b'entailment="UNKNOWN"', b'entailment="CONTRADICTION"', 1)
    digest = site.store.digest_of(data)
    new = Rekey(files={"pairs.xml": digest}, scores=scores, reason="Pair 3 was wrong")
    site.store.execute(campaign, new, "organiser", {digest: data})
    before = site.text_of(team.get(f"/c/{campaign}/"))
    state = site.store.state_of(campaign)
    assert state.nonce not in before
    assert [key.commitment in before for key in state.keys] == [True, True]
    release(site, campaign, "teams")
    page = site.text_of(team.get(f"/c/{campaign}/"))
    found = recipes(page)
    assert len(found) == 2
    for line, key in zip(found, state.keys, strict=True):
        done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=True)
        assert done.stdout.split()[0] == key.commitment
    assert digest in found[1]
    assert site.store.digest_of(site.PAIRS) in found[0]
    assert "Pair 3 was wrong" in page


@pytest.mark.parametrize("hidden", [False, True])
def test_system_reports_become_public_with_the_names(site: Any, hidden: bool) -> None:
    """Nobody else's before the release, and while names are hidden; everybody's afterwards."""
    campaign = closed(site, {"Alder": "", "Birch": ""}, names=site.store.now() + timedelta(days=9) if hidden else None)
    own, other = (
        site.logged_in(site.models.Account.objects.get(name=f"{campaign}-{team}")) for team in ("Alder", "Birch")
    )
    assert own.post(f"/c/{campaign}/report/", {"report": file(b"%PDF", "paper.pdf")}).status_code == 302
    address, nobody = f"/c/{campaign}/reports/Alder/", site.client()
    assert own.get(address).status_code == 200
    release(site, campaign, "teams")
    assert other.get(address).status_code == 404
    assert nobody.get(address).status_code == 302
    release(site, campaign, "public")
    assert own.get(address).status_code == 200
    for one in (other, nobody):
        assert one.get(address).status_code == (404 if hidden else 200)
    assert (f'href="{address}"' in site.text_of(other.get(f"/c/{campaign}/"))) == (not hidden)
    assert nobody.get(f"/c/{campaign}/reports/Birch/").status_code == 404, "Birch has sent none"


def test_methods_on_the_page(site: Any) -> None:
    """Text and references to copy."""
    campaign = closed(site, {"Alder": "", "Birch": ""})
    page = html.unescape(site.text_of(site.host().get(f"/c/{campaign}/release/")))
    assert "2 teams registered, and 2 took part with runs that count: Alder (1 run) and Birch (1 run)." in page
    assert "1 pair of runs was compared in accuracy (three-way) on 160 units by a paired exact test" in page
    assert f"@misc{{{campaign}," in page
    assert 'data-copy="methods-text"' in page


@pytest.mark.parametrize("hidden", [False, True])
def test_methods_and_proof_on_the_public_page(site: Any, hidden: bool) -> None:
    """Everybody reads how it was done and can check the key; without names where they are hidden."""
    campaign = closed(site, {"Alder": "", "Birch": ""}, names=site.store.now() + timedelta(days=9) if hidden else None)
    release(site, campaign, "public")
    page = html.unescape(site.text_of(site.client().get(f"/c/{campaign}/results/")))
    assert "2 teams registered, and 2 took part with runs that count" in page
    assert ("Alder" in page) == (not hidden)
    (line,) = recipes(page)
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=True)
    assert done.stdout.split()[0] == site.store.state_of(campaign).commitment


def test_the_command(site: Any, home: Any) -> None:
    """A checklist and what would change; nothing is released without --apply, nor before its time; exit 1 says so."""
    early = site.make_campaign()
    refused = run(home, "release", early, "teams", "--apply", "--format", "json")
    assert refused.returncode == 1, refused.stderr
    answer = json.loads(refused.stdout)
    assert set(answer) == {"campaign", "to", "applied", "hindered", "checklist", "sees", "letters"}
    assert not answer["applied"]
    assert answer["hindered"][0].startswith("teams can submit until")
    assert not site.store.state_of(early).released
    campaign = closed(site, {"Alder": "alder@example.org"})
    looked = run(home, "release", campaign, "teams", "--mail", "--format", "json")
    assert looked.returncode == 0, looked.stderr
    answer = json.loads(looked.stdout)
    assert not answer["applied"]
    assert answer["sees"]["team"]["now"]["own_scores"] is False
    assert answer["sees"]["team"]["then"]["own_scores"] is True
    assert answer["sees"]["public"]["then"] == answer["sees"]["public"]["now"]
    assert answer["letters"][0]["to"] == ["alder@example.org"]
    assert "Alder-1" in answer["letters"][0]["text"]
    assert not site.store.state_of(campaign).released
    done = run(home, "release", campaign, "teams", "--apply")
    assert done.returncode == 0, done.stderr
    assert "released to the teams" in done.stdout
    assert "team: will see own scores" in done.stdout
    assert set(site.store.state_of(campaign).released) == {"teams"}
    again = json.loads(run(home, "release", campaign, "teams", "--apply", "--format", "json").stdout)
    assert again["applied"]
    assert again["checklist"][0]["text"].startswith("Released on")
    assert run(home, "release", campaign, "nobody").returncode == 2
    assert run(home, "release", "no-such", "teams").returncode == 2


def test_the_command_and_a_mail_server(site: Any, home: Any) -> None:
    """What the server refuses for one team is told, the others are sent; a server that is down undoes no release."""
    addresses = {"Alder": "alder@example.org", "Birch": "b@refused.example.org", "Cedar": "cedar@example.org"}
    campaign = closed(site, addresses)
    kind = type("Kept", (Session,), {"received": []})
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), kind) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        smtp = {"KARAT_SMTP": f"smtp://127.0.0.1:{server.server_address[1]}"}
        done = run(home, "release", campaign, "teams", "--apply", "--mail", "--format", "json", **smtp)
        assert done.returncode == 0, done.stderr
        told = {one["team"]: one["mail"] for one in json.loads(done.stdout)["letters"]}
        again = run(home, "release", campaign, "teams", "--apply", "--mail", "--format", "json", **smtp)
        server.shutdown()
    received: list[str] = kind.received  # type: ignore[attr-defined]
    assert told["Alder"] == ["sent to alder@example.org"]
    assert "550" in told["Birch"][0]
    assert "could not be sent" in told["Birch"][0]
    assert told["Cedar"] == ["sent to cedar@example.org"]
    assert len(received) == 2, "what was sent is not sent again"
    assert [event.teams for _, event in site.store.state_of(campaign).mailed] == [("Alder", "Cedar")]
    repeated = {one["team"]: one for one in json.loads(again.stdout)["letters"]}
    assert repeated["Alder"]["mail"][0].startswith("not sent: it was sent before")
    assert repeated["Alder"]["sent_before"] is not None
    down = run(home, "release", campaign, "public", "--apply", "--mail", "--format", "json", **smtp)
    assert down.returncode == 0, down.stderr
    answer = json.loads(down.stdout)
    assert answer["applied"]
    assert "could not be reached" in answer["letters"][0]["mail"][0]
    assert len(site.store.state_of(campaign).mailed) == 1


def test_letters_load_no_numbers() -> None:
    """The server answers before numpy is loaded, which letters need only when they are written."""
    code = "import karat.campaign.letters, sys; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_how_a_key_was_annotated_is_told_after_a_correction(site: Any) -> None:
    """A corrected key has no ballots of its own: the agreement told is that on the key before."""
    from karat.campaign.definition import Task
    from karat.campaign.sight import sight
    from karat.server.releasing import methods_of
    from karat.server.rescoring import rescore

    labels = ("entailment", "neutral", "contradiction")
    lines = [
        {
            "pairID": f"p{at}",
            "sentence1": f"text {at}",
            "sentence2": f"hypothesis {at}",
            "gold_label": labels[at % 3],
            "annotator_labels": [labels[at % 3]] * 4 + [labels[(at + at % 2) % 3]],
        }
        for at in range(40)
    ]
    raw = "\n".join(map(json.dumps, lines)).encode()
    task = Task(name="three-way", test="key.jsonl")
    campaign = site.make_campaign(tasks=(task,), files={"key.jsonl": raw})
    told = "assessors who are not identified gave 200 labels to 40 pairs, 5 to each; two labels of a pair were the same"

    def methods() -> str:
        state = site.store.state_of(campaign)
        return methods_of(state, sight(state, "organiser", site.store.now()))[0]

    assert f"For the key of three-way, {told}" in methods()
    words = {"entailment": "ENTAILMENT", "neutral": "UNKNOWN", "contradiction": "CONTRADICTION"}
    key = [f"{line['pairID']} {words[str(line['gold_label'])]}\n" for line in lines]
    rescore(campaign, "new.txt", "".join(["p0 UNKNOWN\n", *key[1:]]).encode(), "Pair p0 was wrong", apply=True)
    text = methods()
    assert f"For the key of three-way with which submissions opened, {told}" in text
    assert "Who decided on the changes since, and with what agreement, is not recorded here." in text
