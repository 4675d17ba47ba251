"""The pages by role: who sees what, and what the forms do."""

from __future__ import annotations

import gzip
import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile


@pytest.fixture
def site(home: Any) -> Any:
    """Campaigns and people on a server."""
    del home
    from tests.server import campaigns

    return campaigns


def file(data: bytes, name: str = "run.jsonl") -> SimpleUploadedFile:
    """A file in a form."""
    return SimpleUploadedFile(name, data)


def submit(site: Any, one: Any, campaign: str, data: bytes | None = None, **form: Any) -> Any:
    """Send a run."""
    sent = {"file": file(site.RUN if data is None else data)}
    return one.post(f"/c/{campaign}/tasks/three-way/submit/", sent | form)


def first_run(site: Any, campaign: str) -> str:
    """The id of the first run of a campaign."""
    return next(iter(site.store.state_of(campaign).runs))


def test_data_need_their_date_and_the_agreement(site: Any) -> None:
    """Before the date and before the signature there is nothing."""
    early = site.make_campaign(opens=1, closes=2, data=0.5)
    one = site.member(early, "Alder", f"{early}-a")
    assert one.get(f"/c/{early}/tasks/three-way/data/").status_code == 404
    campaign = site.make_campaign()
    unsigned = site.member(campaign, "Alder", f"{campaign}-a", signed=False)
    assert unsigned.get(f"/c/{campaign}/tasks/three-way/data/").status_code == 404
    assert "Accept the agreement first" in site.text_of(unsigned.get(f"/c/{campaign}/tasks/three-way/submit/"))
    refused = unsigned.post(f"/c/{campaign}/sign/", {"person": " "})
    assert refused.status_code == 422
    assert "your full name" in site.text_of(refused)
    assert unsigned.post(f"/c/{campaign}/sign/", {"person": "Ada Lovelace"}).status_code == 302
    data = unsigned.get(f"/c/{campaign}/tasks/three-way/data/")
    assert data.headers["Content-Disposition"] == 'attachment; filename="three-way.xml"'
    assert b"<pair" in data.content


def test_checking_stores_nothing(site: Any) -> None:
    """A dry run says what would happen, with every problem by line."""
    campaign = site.make_campaign()
    one = site.member(campaign, "Alder", f"{campaign}-a")
    good = submit(site, one, campaign, run="2", dry_run="yes")
    assert good.status_code == 200
    assert "would be accepted as Alder-2" in site.text_of(good)
    lines = site.OTHER_RUN.decode().splitlines()
    lines[3] = "4 MAYBE"
    bad = submit(site, one, campaign, "\n".join(lines[:-1]).encode(), dry_run="yes")
    page = site.text_of(bad)
    assert bad.status_code == 422
    assert ">4:3<" in page
    assert "label-outside-task" in page
    assert "missing-id" in page
    assert "--label" not in page, "a page has no options"
    state = site.store.state_of(campaign)
    assert not state.runs
    assert not state.refused


def test_a_refused_file_is_kept_and_shown(site: Any) -> None:
    """The team and the organisers see what was wrong, and can get the file."""
    campaign = site.make_campaign()
    one = site.member(campaign, "Alder", f"{campaign}-a")
    answer = submit(site, one, campaign, b"1 MAYBE\n", run="1")
    assert answer.status_code == 422
    number, event = site.store.state_of(campaign).refused[0]
    assert not site.store.state_of(campaign).runs
    for who, place in ((one, 1), (site.host(), number)):
        assert event.problems[0].code in site.text_of(who.get(f"/c/{campaign}/attempts/{place}/"))
        assert who.get(f"/c/{campaign}/attempts/{place}/file/").content == b"1 MAYBE\n"
    assert "1 refused file" in site.text_of(site.host().get(f"/c/{campaign}/"))


def test_no_number_tells_what_other_teams_do(site: Any) -> None:
    """A team counts its own refused files; what others send in between does not show in any address."""
    campaign = site.make_campaign()
    one, other = (site.member(campaign, team, f"{campaign}-{team}") for team in ("Alder", "Birch"))
    for number in range(3):
        submit(site, other, campaign, b"1 PERHAPS\n%d" % number)
        submit(site, one, campaign, b"1 MAYBE\n%d" % number)
    page = site.text_of(one.get(f"/c/{campaign}/"))
    assert re.findall(r"/attempts/(\d+)/", page) == ["3", "2", "1"]
    for number in (1, 2, 3):
        file = one.get(f"/c/{campaign}/attempts/{number}/file/").content
        assert file == b"1 MAYBE\n%d" % (number - 1)
    sequences = [str(number) for number, _ in reversed(site.store.state_of(campaign).refused)]
    assert re.findall(r"/attempts/(\d+)/", site.text_of(site.host().get(f"/c/{campaign}/attempts/"))) == sequences
    assert one.get(f"/c/{campaign}/attempts/{sequences[0]}/").status_code == 404


def test_a_receipt_and_what_can_be_done_with_a_run(site: Any) -> None:
    """Submitted, submitted again, chosen, replaced, withdrawn: each is one click, and nothing is erased."""
    campaign = site.make_campaign()
    one = site.member(campaign, "Alder", f"{campaign}-a")
    form = {"run": "1", "instead_of.1": "", "statement": "Nothing <special>"}
    answer = submit(site, one, campaign, gzip.compress(site.RUN), **form)
    assert answer.status_code == 302
    page = site.text_of(one.get(answer.headers["Location"]))
    run = site.store.state_of(campaign).runs[first_run(site, campaign)].received
    assert run.sent.sha256 in page
    assert re.search(r"\d\d:\d\d:\d\d\.\d{6}Z", page)
    assert "Nothing &lt;special&gt;" in page
    by_script = one.post(
        f"/c/{campaign}/tasks/three-way/submit/",
        {"file": file(site.OTHER_RUN), "run": "2"},
        headers={"HX-Request": "true"},
    )
    assert by_script.headers["HX-Redirect"].startswith(f"/c/{campaign}/runs/")
    second = by_script.headers["HX-Redirect"]
    assert one.post(second + "primary/").status_code == 302
    assert site.store.state_of(campaign).primary("Alder", "three-way") == 2
    stale = submit(site, one, campaign, site.OTHER_RUN, run="1", **{"instead_of.1": "another"})
    assert "run-changed" in site.text_of(stale)
    assert submit(site, one, campaign, site.OTHER_RUN, run="1", **{"instead_of.1": run.id}).status_code == 302
    assert "Replaced by" in site.text_of(one.get(f"/c/{campaign}/runs/{run.id}/"))
    assert one.post(second + "withdraw/", {"reason": "wrong file"}).status_code == 302
    assert "Withdrawn" in site.text_of(one.get(second))
    assert len(site.store.state_of(campaign).runs) == 3


def test_a_form_without_a_file_says_so(site: Any) -> None:
    """And a number that is none is answered, not an error of the server."""
    campaign = site.make_campaign()
    one = site.member(campaign, "Alder", f"{campaign}-a")
    answer = one.post(f"/c/{campaign}/tasks/three-way/submit/", {"run": "1"})
    assert answer.status_code == 422
    assert "No file was chosen" in site.text_of(answer)
    assert "run-limit" in site.text_of(submit(site, one, campaign, run="99"))
    assert submit(site, one, campaign, run="٣").status_code in (302, 422)


def test_after_the_close(site: Any) -> None:
    """Without a practice area nothing can be sent; with one, it stays apart."""
    closed = site.make_campaign(opens=-2, closes=-1)
    one = site.member(closed, "Alder", f"{closed}-a")
    assert "Submissions closed" in site.text_of(one.get(f"/c/{closed}/tasks/three-way/submit/"))
    assert "closed" in site.text_of(submit(site, one, closed, run="1"))
    practice = site.make_campaign(opens=-2, closes=-1, practice=True)
    one = site.member(practice, "Alder", f"{practice}-a")
    assert 'name="practice"' in site.text_of(one.get(f"/c/{practice}/tasks/three-way/submit/"))
    late = submit(site, one, practice, run="1")
    assert late.status_code == 422, "a form that was opened before the close is refused, not stored as practice"
    assert submit(site, one, practice, run="1", practice="yes").status_code == 302
    assert not site.store.state_of(practice).active("Alder")
    assert "Practice runs, after the deadline" in site.text_of(one.get(f"/c/{practice}/"))


def test_a_system_report_replaces_the_one_before(site: Any) -> None:
    """It is stored with its hash, until its date; the organisers can get it."""
    campaign = site.make_campaign()
    one, address = site.member(campaign, "Alder", f"{campaign}-a"), f"/c/{campaign}/report/"
    assert "No file was chosen" in site.text_of(one.post(address))
    for data in (b"%PDF first", b"%PDF second"):
        assert one.post(address, {"report": file(data, "paper.pdf")}).status_code == 302
    page = site.text_of(one.get(f"/c/{campaign}/"))
    assert site.store.digest_of(b"%PDF second") in page
    assert site.host().get(f"/c/{campaign}/reports/Alder/").content == b"%PDF second"
    assert "1 system report" in site.text_of(site.host().get(f"/c/{campaign}/people/"))
    early = site.make_campaign(opens=1, closes=2)
    soon = site.member(early, "Alder", f"{early}-a")
    assert soon.post(f"/c/{early}/report/", {"report": file(b"x", "x.pdf")}).status_code == 422
    assert "Send the report" not in site.text_of(soon.get(f"/c/{early}/"))


def test_late_runs_are_marked(site: Any) -> None:
    """In the time of grace, the page says until when runs are accepted."""
    campaign = site.make_campaign(opens=-2, closes=-0.01, grace=60)
    one = site.member(campaign, "Alder", f"{campaign}-a")
    assert "Late runs are no longer accepted" in site.text_of(one.get(f"/c/{campaign}/"))
    assert "marked as late" in site.text_of(one.get(f"/c/{campaign}/tasks/three-way/submit/"))
    answer = submit(site, one, campaign, run="1")
    assert "(late)" in site.text_of(one.get(answer.headers["Location"]))


def test_an_extension_is_for_one_team(site: Any) -> None:
    """The team's own page shows its deadline; a date in the past is refused, and what was entered is kept."""
    campaign = site.make_campaign(opens=-2, closes=-1)
    one, other = site.member(campaign, "Alder", f"{campaign}-a"), site.member(campaign, "Birch", f"{campaign}-b")
    organiser = site.host()
    form = {"team": "Birch", "until": "2020-01-01T00:00:00", "reason": "A power cut"}
    refused = organiser.post(f"/c/{campaign}/people/extend/", form)
    page = site.text_of(refused)
    assert refused.status_code == 422
    assert "has passed" in page
    assert 'value="A power cut"' in page
    assert '<option value="Birch" selected>' in page
    until = (site.store.now() + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%S")
    assert organiser.post(f"/c/{campaign}/people/extend/", form | {"until": until}).status_code == 302
    assert "extended this deadline" in site.text_of(other.get(f"/c/{campaign}/"))
    assert submit(site, other, campaign, run="1").status_code == 302
    assert submit(site, one, campaign, run="1").status_code == 422
