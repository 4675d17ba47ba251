"""Somebody who judges in two windows: what one of them does not know of is never replaced, whatever is judged."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pytest

from tests.server.judges import answers, entry
from tests.server.stages import JUDGED
from tests.server.test_pages_judging import Desk, unit_of

pytestmark = pytest.mark.usefixtures("panels")


class Windows:
    """The requests of one assessor about one task."""

    def __init__(self, name: str, task: str) -> None:
        from tests.server import campaigns, stages

        self.base, self.task = f"/api/campaigns/{name}/tasks/{task}", task
        self.headers = {"Authorization": f"Bearer {stages.make(name, ('anna', 'ben'), 40, [task])['anna']}"}
        self.client = campaigns.client()

    def next(self) -> Any:
        """What comes next."""
        return self.client.get(f"{self.base}/next", headers=self.headers).json()

    def send(self, path: str, **body: Any) -> Any:
        """A request, and its answer."""
        body = {"id": str(uuid.uuid4())} | body
        kind = "application/json"
        return self.client.post(f"{self.base}/{path}", body, content_type=kind, headers=self.headers)

    def codes(self, path: str, **body: Any) -> list[str]:
        """What a request is refused for."""
        answer = self.send(path, **body)
        assert answer.status_code == 409, answer.content
        return [one["code"] for one in answer.json()["problems"]]


@pytest.mark.parametrize("task", JUDGED)
def test_a_stale_window_replaces_nothing(task: str) -> None:
    """Of any kind: refused with both judgments, until it is sent instead of the later one; sent twice, stored once."""
    windows = Windows(f"windows-{task}", task)
    shown = windows.next()
    unit, listed = shown["unit"], shown["entry"] is not None
    assert shown["latest"] == ""
    if listed:
        said = entry(shown, "said there", True)
        other = entry(shown, "said here", True)
        unit = f"{unit}/one"
    else:
        said, other = answers(shown, 0, "anna"), answers(shown, 1, "anna")
    first = {"id": "first", "unit": unit, "values": said, "instead_of": ""}
    assert windows.send("ballots", **first).status_code == 201
    # The other window has seen nothing of that.
    answer = windows.send("ballots", unit=unit, values=other, instead_of="")
    assert answer.status_code == 409
    (problem,) = answer.json()["problems"]
    assert problem["code"] == "judgment-changed"
    for values in (said, other):
        assert all(value in problem["found"] for value in values.values() if len(value) < 30)
    assert windows.codes("undo", unit=unit, instead_of="") == ["judgment-changed"]
    assert windows.codes("ballots", unit=unit, skipped="why", instead_of="gone") == ["judgment-changed"]
    # What was lost on its way comes again; the same judgment by both is no conflict.
    assert windows.send("ballots", **first).status_code == 201
    assert windows.send("ballots", id="second", unit=unit, values=said, instead_of="").status_code == 201
    assert windows.send("ballots", id="third", unit=unit, values=other, instead_of="second").status_code == 201
    assert windows.send("undo", id="back", unit=unit, instead_of="third").status_code == 201
    assert windows.codes("ballots", unit=unit, values=other, instead_of="third") == ["judgment-changed"]
    assert windows.send("ballots", id="last", unit=unit, values=other, instead_of="back").status_code == 201
    assert windows.send("ballots", unit=unit, values=said).status_code == 201, "who does not say what they saw"


def test_pairs_that_are_skipped_with_their_justifications() -> None:
    """One act about several units: each of them has its id, also when it is taken back."""
    from karat.server import store

    windows = Windows("windows-together", "ratings")
    unit = windows.next()["unit"]
    assert windows.send("ballots", id="skip", unit=unit, skipped="wrong key", instead_of="").status_code == 201
    work = store.state_of("windows-together").work_of("ratings")
    assert set(work.latest["windows-together-anna"].values()) == {"skip"}
    assert len(work.latest["windows-together-anna"]) == 3
    assert windows.send("undo", id="back", unit=unit, instead_of="skip").status_code == 201
    work = store.state_of("windows-together").work_of("ratings")
    assert set(work.latest["windows-together-anna"].values()) == {"back"}


def test_plain_forms_show_both() -> None:
    """Without scripts: the page comes again with what was entered, says what was said there, and can be sent."""
    from tests.server import panels

    made = panels.make("anna")
    from karat.server import assigning

    assigning.assign(made.name, "three-way", made.names("anna"), units=["1", "2"], per_unit=1)
    desk = Desk(made, "anna")
    one = other = desk.open()
    assert desk.send(one, answer__label="ENTAILMENT").status_code == 302
    answer = desk.send(other, answer__label="UNKNOWN")
    assert answer.status_code == 302, "the same form, to which somebody went back"
    fresh = desk.open(f"?unit={unit_of(one)}")
    assert desk.send(fresh, answer__label="CONTRADICTION").status_code == 302
    stale = desk.send(fresh.replace('name="id" value="', 'name="id" value="x'), answer__label="ENTAILMENT")
    page = stale.content.decode()
    assert stale.status_code == 409
    assert "There: Contradiction. Here: Entailment." in page
    shown = re.search('class="hypothesis">([^<]*)<', page)
    assert shown
    assert f"You have judged “{shown[1][:30]}" in page  # a long one is shortened
    assert "in another window since." in page
    assert re.search('value="ENTAILMENT"[^>]* checked', page), "what was entered"
    assert [ballot.said.values["label"] for ballot in desk.mine.values()] == ["CONTRADICTION"]
    assert desk.send(page, answer__label="ENTAILMENT").status_code == 302
    assert [ballot.said.values["label"] for ballot in desk.mine.values()] == ["ENTAILMENT"]
    undo = {"do": "undo", "id": "u", "unit": desk.fields(fresh)["unit"], "instead_of": "gone", "account": desk.account}
    answer = desk.browser.post(desk.address, undo)
    assert answer.status_code == 409
    assert "Nothing was taken back." in answer.content.decode()
    assert [ballot.said.values["label"] for ballot in desk.mine.values()] == ["ENTAILMENT"]


@pytest.mark.parametrize("task", JUDGED)
def test_the_notice_names_what_was_judged(task: str) -> None:
    """It can stand above another unit: the answer, or else the hypothesis, the question or the series is named."""
    from html import unescape

    from karat.server import models
    from tests.server import campaigns

    name = f"named-{task}"
    windows = Windows(name, task)
    shown = windows.next()
    unit = shown["unit"] if shown["entry"] is None else f"{shown['unit']}/one"
    said = answers(shown, 0, "anna") if shown["entry"] is None else entry(shown, "said there", True)
    assert windows.send("ballots", unit=unit, values=said).status_code == 201
    anna = campaigns.logged_in(models.Account.objects.get(name=f"{name}-anna"))
    form = {"do": "skip", "skipped": "why", "id": "x", "unit": unit, "instead_of": "", "account": f"{name}-anna"}
    address = f"/c/{name}/tasks/{task}/judge/"
    told = anna.post(address, form, headers={"Accept": "application/json"}).json()
    about = told["conflict"]["about"]
    assert about
    assert about in str(shown["show"])
    assert about in unescape(anna.get(f"{address}?unit={shown['unit']}").content.decode())


def test_the_last_question_of_a_series_is_named_with_its_target() -> None:
    """All of these say “Other”."""
    from karat.server.pages.conflicts import what_was_judged

    assert what_was_judged({"type": "OTHER", "question": "Other", "target": "the mill"}) == "the mill: Other"
    assert what_was_judged({"question": "When was it built?"}) == "When was it built?"
    assert what_was_judged({"question": "When?", "target": "the mill", "answer": "1790"}) == "1790"
