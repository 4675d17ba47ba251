"""What organisers and the host do on pages: inviting, settings, the record, a first campaign, looking as others."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import msgspec
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from karat.campaign.definition import Task, build, parse
from karat.campaign.events import Entry, Happened, broken_at


@pytest.fixture
def site(home: Any) -> Any:
    """Campaigns and people on a server."""
    del home
    from tests.server import campaigns

    return campaigns


def file(data: bytes, name: str) -> SimpleUploadedFile:
    """A file in a form."""
    return SimpleUploadedFile(name, data)


def test_inviting_shows_a_link_once(site: Any) -> None:
    """The link leads in; the page of people does not repeat it."""
    campaign = site.make_campaign()
    organiser = site.member(campaign, None, f"{campaign}-o", role="organiser", signed=False)
    bad = organiser.post(f"/c/{campaign}/people/invite/", {"role": "team", "name": "a b"})
    assert bad.status_code == 422
    assert "cannot be the name" in site.text_of(bad)
    page = site.text_of(organiser.post(f"/c/{campaign}/people/invite/", {"role": "team", "name": "Elm"}))
    link = page.partition('id="secret">')[2].partition("<")[0]
    assert link.startswith("http://127.0.0.1:8000/enter/")
    assert "Join as team Elm" in site.text_of(site.client().get(link.removeprefix("http://127.0.0.1:8000")))
    people = site.text_of(organiser.get(f"/c/{campaign}/people/"))
    assert link not in people
    assert "1 link not used yet" in people
    secret = link.rpartition("/")[2]
    elsewhere = site.member(site.make_campaign(), None, f"{campaign}-x", role="organiser", signed=False)
    fingerprint = site.store.digest_of(secret.encode())
    other = site.store.names()[-1]
    elsewhere.post(f"/c/{other}/people/end-link/", {"link": fingerprint})
    assert site.client().get(f"/enter/{secret}").status_code == 200, "only its own campaign ends a link"
    organiser.post(f"/c/{campaign}/people/end-link/", {"link": fingerprint})
    assert site.client().get(f"/enter/{secret}").status_code == 410
    assert "was ended before it was used" in site.text_of(organiser.get(f"/c/{campaign}/record/"))
    site.member(campaign, "Rowan", f"{campaign}-r")
    alike = organiser.post(f"/c/{campaign}/people/invite/", {"role": "team", "name": "ROWAN"})
    assert "There is a team called &#x27;Rowan&#x27;" in site.text_of(alike)


def test_organisers_are_warned_of_a_test_set_that_gives_its_key_away(site: Any) -> None:
    """Pairs sorted by label are worth a warning, as long as something can be done and after; teams are not told."""
    task = Task(name="three-way", test="pairs.xml", attributes=("id",))
    pairs = site.PAIRS.decode()
    head, *rest = re.split(r"(?=<pair )", pairs)
    pieces = [one.replace("</entailment-corpus>", "") for one in rest]
    by_label = sorted(pieces, key=lambda one: re.search(r'entailment="(\w+)"', one)[1])
    data = (head + "".join(by_label) + "</entailment-corpus>\n").encode()
    early = site.text_of(site.host().get(f"/c/{site.make_campaign(opens=0.5, tasks=(task,), pairs=data)}/"))
    assert "could give the key away" in early
    assert "Until submissions open, you can change them" in early
    campaign = site.make_campaign(tasks=(task,), pairs=data)
    late = site.text_of(site.host().get(f"/c/{campaign}/"))
    assert "may have given the key away" in late
    assert "cannot be changed any more" in late
    team = site.member(campaign, "Alder", f"{campaign}-a")
    assert "the key away" not in site.text_of(team.get(f"/c/{campaign}/"))


def form_of(page: str) -> dict[str, str]:
    """What the fields of the settings hold, as a browser would send them."""
    form = dict(re.findall(r'<input type="(?!file|hidden|checkbox)[a-z-]+"[^>]* name="([^"]+)" value="([^"]*)"', page))
    form |= dict(re.findall(r'<input type="hidden" name="(version)" value="([^"]*)"', page))
    form |= dict(re.findall(r'<textarea[^>]* name="([^"]+)"[^>]*>\n(.*?)</textarea>', page, re.S))
    for name, options in re.findall(r'<select[^>]* name="([^"]+)"[^>]*>(.*?)</select>', page, re.S):
        chosen = re.search(r'<option value="([^"]*)" selected', options) or re.search(
            r'<option value="([^"]*)"', options
        )
        form[name] = chosen[1] if chosen else ""
    form |= dict.fromkeys(re.findall(r'<input type="checkbox"[^>]* name="([^"]+)"[^>]* checked', page), "yes")
    return {name: unescape(value) for name, value in form.items()}


def test_settings_saved_unchanged_change_nothing(site: Any) -> None:
    """The form holds every value, so that sending it back is no edit; one change is one edit, with its reason."""
    task = Task(name="three-way", test="pairs.xml", runs=5, public_share=0.25, justifications="required")
    campaign = site.make_campaign(opens=1, closes=2, zone="Europe/Berlin", grace=7, practice=True, tasks=(task,))
    organiser, before = site.host(), site.store.state_of(campaign)
    address = f"/c/{campaign}/edit/"
    form = form_of(site.text_of(organiser.get(address)))
    assert organiser.post(address, form | {"reason": ""}).status_code == 302
    assert site.store.state_of(campaign) == before
    changed = form | {"title": "Another title", "description": "<script>alert(1)</script>", "reason": "A typing error"}
    assert organiser.post(address, changed).status_code == 302
    meanwhile = organiser.post(address, changed | {"title": "A third title"})
    assert meanwhile.status_code == 422
    assert "Somebody else has changed" in site.text_of(meanwhile)
    page = site.text_of(organiser.get(f"/c/{campaign}/"))
    assert "Another title" in page
    assert "<script>alert" not in page
    text = organiser.get(f"/c/{campaign}/campaign.toml").content.decode()
    assert parse(text, "campaign.toml") == site.store.state_of(campaign).definition
    assert "A typing error" in site.text_of(organiser.get(f"/c/{campaign}/record/"))


def test_the_form_holds_every_value_of_a_campaign() -> None:
    """Whatever a campaign file can say comes back from the fields: nothing is lost by a change of something else."""
    from karat.campaign.definition import BESIDE, Judging
    from karat.server.pages.editing import fields_of, table_of, values_of

    files: dict[str, Any] = {use: f"{use}.tsv" for use in BESIDE}
    task = Task(name="three-way", title="T", test="p.xml", runs=5, public_share=0.25, link="https://x/{id}", **files)
    judging = Judging(per_unit=3, examples="x.xml", qualify=0.55, repeats=4, planted=2, lease=7)
    dates = {"opens": "2030-01-01T00:00", "closes": "2030-02-01T00:00", "reports": "2030-03-01T00:00"}
    table: dict[str, Any] = {
        "name": "c",
        "title": "C",
        "description": "D",
        "zone": "Europe/Berlin",
        "registration": "open",
    }
    table |= {"grace": 7, "practice": True, "key_with_results": True, "baselines": ["b"], "dates": dates}
    made = build({**table, "tasks": [{"name": "t", "test": "p.xml"}]}, "test")
    made = msgspec.structs.replace(made, tasks=(task,), judging=judging)
    values = values_of(made, {})
    shown = {field.name for fields in fields_of(values, 1).values() for field in fields}
    values = {name: value if value != "True" else "yes" for name, value in values.items() if name in shown}
    assert build(table_of(values, 1) | {"name": "c"}, "test") == made


def test_settings_say_what_is_wrong_beside_the_field(site: Any) -> None:
    """All problems at once, and nothing is changed."""
    campaign = site.make_campaign(opens=1, closes=2)
    organiser, before = site.host(), site.store.state_of(campaign)
    address = f"/c/{campaign}/edit/"
    form = form_of(site.text_of(organiser.get(address)))
    wrong = form | {"tasks.0.runs": "many", "dates.closes": "2020-01-01T00:00:00", "title": "", "reason": "x"}
    answer = organiser.post(address, wrong)
    page = site.text_of(answer)
    assert answer.status_code == 422
    for key in ("field-tasks-0-runs", "field-dates-closes", "field-title"):
        assert f'id="{key}-note"><p class="error">' in page, key
    assert 'value="many"' in page
    assert site.store.state_of(campaign) == before
    key = organiser.post(address, form | {"reason": "a new key", "tasks.0.test": file(b"<pair", "new.xml")})
    assert 'id="field-tasks-0-test-note"><p class="error">' in site.text_of(key)
    added = form | {"reason": "one more", "tasks.1.name": "two-way", "tasks.1.way": "2"}
    assert "tasks.1.test" in site.text_of(organiser.post(address, added))
    sent = organiser.post(address, added | {"tasks.1.test": file(site.PAIRS, "pairs.xml")})
    assert sent.status_code == 302, site.text_of(sent)
    assert [one.name for one in site.store.state_of(campaign).definition.tasks] == ["three-way", "two-way"]
    assert organiser.post(address, added | {"reason": "", "title": "New"}).status_code == 422


def test_tasks_share_a_file_of_documents(site: Any) -> None:
    """The same file is sent for two tasks, and stored once; another file of that name gets another."""
    campaign = site.make_campaign(opens=1, closes=2)
    organiser, address = site.host(), f"/c/{campaign}/edit/"
    texts = b"id\ttext\nd1\tA mill.\n"
    for place, name in enumerate(("essays", "topics", "more"), 1):
        form = form_of(site.text_of(organiser.get(address))) | {"reason": "one more"}
        form |= {f"tasks.{place}.name": name, f"tasks.{place}.kind": "nuggets"}
        other = texts if place < 3 else texts.replace(b"mill", b"heron")
        answer = organiser.post(address, form | {f"tasks.{place}.documents": file(other, "d.tsv")})
        assert answer.status_code == 302, site.text_of(answer)
    tasks = site.store.state_of(campaign).definition.tasks
    assert [one.documents for one in tasks] == [None, "d.tsv", "d.tsv", "more-d.tsv"]


def test_a_key_becomes_no_agreement(site: Any) -> None:
    """A test set that has the name of the agreement is stored under another; the text of a key is refused as a text."""
    campaign = site.make_campaign(opens=1, closes=2)
    organiser, before = site.host(), site.store.state_of(campaign)
    address = f"/c/{campaign}/edit/"
    form = form_of(site.text_of(organiser.get(address))) | {"reason": "a new key"}
    leaking = organiser.post(address, form | {"agreement": site.PAIRS.decode()})
    assert leaking.status_code == 422
    assert "this is the test set of" in site.text_of(leaking)
    assert site.store.state_of(campaign) == before
    key = site.PAIRS.replace(b"</t>", b" </t>", 1)
    assert organiser.post(address, form | {"tasks.0.test": file(key, "terms.md")}).status_code == 302
    after = site.store.state_of(campaign)
    assert after.definition.tasks[0].test == "three-way-terms.md"
    assert after.files["terms.md"] == before.files["terms.md"]


def test_texts_in_any_encoding(site: Any) -> None:
    """What the checks accept, the pages can show: here, a text with a byte order mark."""
    campaign = site.make_campaign(terms="\ufeffKeep them secret: \u2713".encode())
    link = site.invitation(campaign, "team", "Elm")
    assert "Keep them secret: ✓" in site.text_of(site.client().get(link))
    assert "Keep them secret: ✓" in site.text_of(site.host().get(f"/c/{campaign}/edit/"))


def test_who_sees_what_is_said(site: Any) -> None:
    """Every line that the rules know has words, and a team's answer changes with the dates."""
    early, late = site.make_campaign(opens=1, closes=2), site.make_campaign()
    pages = [site.text_of(site.host().get(f"/c/{name}/")) for name in (early, late)]
    rows = [re.search(r"Test data, without the key</th>(.*?)</tr>", page, re.S)[1] for page in pages]
    assert [row.count("yes") for row in rows] == [1, 2]
    from karat.campaign.sight import Sight
    from karat.server.pages.campaign import SEEN

    assert set(SEEN) == set(Sight.__struct_fields__)


def test_the_record_is_verified(site: Any) -> None:
    """The button replays it."""
    campaign = site.make_campaign()
    one = site.member(campaign, "Alder", f"{campaign}-a")
    one.post(f"/c/{campaign}/tasks/three-way/submit/", {"file": file(site.RUN, "run.jsonl"), "run": "1"})
    page = site.text_of(site.host().post(f"/c/{campaign}/record/"))
    assert "the chain is unbroken" in page
    assert site.store.state_of(campaign).commitment in page
    lines = site.host().get(f"/c/{campaign}/record.jsonl").getvalue().splitlines()
    entries = [msgspec.json.decode(line, type=Entry) for line in lines]
    assert broken_at(entries) is None
    assert entries[-1].hash == site.store.state_of(campaign).head


def test_every_event_has_words(site: Any) -> None:
    """The record shows no name of a class."""
    del site
    from karat.server.pages.words import said

    kinds = set(Happened.__args__)
    assert {kind for kind in said.registry if issubclass(kind, msgspec.Struct)} >= kinds


def start(site: Any, **form: Any) -> Any:
    """Send the form for a new campaign."""
    given = {"title": "My first", "zone": "Europe/Berlin", "opens": "2030-05-01T00:00", "closes": "2030-05-08T23:59:59"}
    return site.host().post("/welcome/start/", given | form)


def test_starting_from_a_key_file(site: Any) -> None:
    """A title and a file are enough; the task follows from the file."""
    answer = start(site, key=file(site.PAIRS, "pairs.xml"), name="from-key")
    assert answer.headers["Location"] == "/c/from-key/"
    definition = site.store.state_of("from-key").definition
    assert (definition.tasks[0].name, definition.tasks[0].way) == ("three-way", 3)
    assert definition.dates.closes.isoformat() == "2030-05-08T21:59:59+00:00"
    again = start(site, key=file(site.PAIRS, "pairs.xml"), name="from-key")
    assert "already" in site.text_of(again)
    two = re.sub(rb'entailment="(UNKNOWN|CONTRADICTION)"', b'entailment="NO"', site.PAIRS)
    two = two.replace(b'entailment="ENTAILMENT"', b'entailment="YES"')
    assert start(site, key=file(two, "two.xml"), title="Two").status_code == 302
    assert site.store.state_of("two").definition.tasks[0].way == 2
    questions = (site.examples.HERE / "qa" / "questions.xml").read_bytes()
    assert start(site, key=file(questions, "questions.xml"), title="Q & A").status_code == 302
    assert site.store.state_of("q-a").definition.tasks[0].kind == "questions"


def test_starting_while_looking_through_the_example(site: Any) -> None:
    """Whoever starts a campaign sees it, and no longer through the eyes of the example."""
    host = site.host()
    host.post("/welcome/look/", {"as": "assessor"})
    given = {"title": "Mine", "zone": "UTC", "opens": "2030-05-01T00:00", "closes": "2030-05-08T23:59:59"}
    made = host.post("/welcome/start/", given | {"key": file(site.PAIRS, "pairs.xml"), "name": "while-looking"})
    assert host.get(made.headers["Location"]).status_code == 200


def test_starting_wrongly_makes_nothing(site: Any) -> None:
    """Every problem of form and file at once, and what was entered stays."""
    before = site.store.names()
    answer = start(site, title="", name="a b", closes="2020-01-01T00:00", key=file(b"<pair", "x.xml"))
    page = site.text_of(answer)
    assert answer.status_code == 422
    for key in ("title", "name", "key"):
        assert f'id="field-{key}-note"><p class="error">' in page, key
    assert 'value="a b"' in page
    assert "What is wrong with the key file" in page
    assert "No file was chosen" in site.text_of(start(site))
    assert site.store.names() == before


def test_the_host_looks_through_other_eyes(site: Any) -> None:
    """A bar on every page says so; others cannot, and the host is back by one button."""
    one = site.host()
    assert one.post("/welcome/look/", {"as": "team"}).headers["Location"] == "/c/example/"
    page = site.text_of(one.get("/c/example/"))
    assert "looking as team <strong>Alder</strong>" in page
    assert one.get("/c/example/people/").status_code == 404
    assert one.post("/welcome/look/", {"as": ""}).headers["Location"] == "/welcome/"
    assert one.get("/c/example/people/").status_code == 200
    assert one.post("/welcome/look/", {"as": "king"}).status_code == 404
    campaign = site.make_campaign()
    team = site.member(campaign, "Alder", f"{campaign}-a")
    assert team.post("/welcome/look/", {"as": "organiser"}).status_code == 404
    assert team.get("/welcome/").status_code == 404
    session = team.session
    session["looking"] = "Birch"
    session.save()
    assert team.get("/c/example/").status_code == 404, "a team looks with its own eyes"
