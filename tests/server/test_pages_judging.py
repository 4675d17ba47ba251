"""The judging page without a browser: what is shown, what plain forms and the page's script send, and what they get."""

from __future__ import annotations

import json
import re
import uuid
from typing import Any

import pytest

from karat.campaign.definition import Judging, Task
from tests.server.test_judging import REASONS, by_length

ADDRESS = "/c/{}/tasks/{}/judge/"
ACCEPT = {"Accept": "application/json"}
GUIDELINES = b"# Guidelines\n\nTense matters.\n"


class Desk:
    """Somebody at the judging page."""

    def __init__(self, made: Any, who: str, task: str = "three-way") -> None:
        from karat.server import models
        from tests.server import campaigns

        (self.account,) = made.names(who)
        self.browser = campaigns.logged_in(models.Account.objects.get(name=self.account))
        self.name, self.task, self.address = made.name, task, ADDRESS.format(made.name, task)

    def open(self, query: str = "", **headers: str) -> str:
        """The page."""
        answer = self.browser.get(self.address + query, headers=headers)
        assert answer.status_code == 200, answer.content
        return str(answer.content.decode())

    def fields(self, page: str) -> dict[str, str]:
        """The hidden fields of the form on a page."""
        form = re.search(r'<form id="answer".*?</form>', page, re.DOTALL)
        assert form is not None, page
        return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form[0]))

    def send(self, page: str, **given: str) -> Any:
        """Send the form on a page, as a browser does without a script."""
        named = {name.replace("__", "."): value for name, value in given.items()}
        return self.browser.post(self.address, self.fields(page) | {"do": "save"} | named)

    def script(self, **given: str) -> Any:
        """Send something as the script of the page does."""
        named = {name.replace("__", "."): value for name, value in given.items()}
        return self.browser.post(self.address, {"id": str(uuid.uuid4())} | named, headers=ACCEPT)

    @property
    def mine(self) -> Any:
        """The judgments of this person."""
        from karat.server import store

        return store.state_of(self.name).work_of(self.task).of(self.account)


def unit_of(page: str) -> str:
    """The name of the unit on a page."""
    found = re.search(r'data-unit="(\w+)"', page)
    assert found is not None, page
    return found[1]


@pytest.fixture
def desk(panels: Any) -> Desk:
    """Anna, with six pairs to label."""
    from karat.server import assigning

    made = panels.make("anna", "ben", guidelines="guide.md", files={"guide.md": GUIDELINES})
    assigning.assign(made.name, "three-way", made.names("anna", "ben"), units=["1", "2", "3", "4", "5", "6"])
    return Desk(made, "anna")


def test_a_form_saves_one_decision_and_leads_on(desk: Desk) -> None:
    """With the guidelines of the page; the next page is the next unit."""
    page = desk.open()
    assert "0 of 6 judged" in page
    assert "Tense matters." in page
    assert "Guidelines, version 1" in page
    answer = desk.send(page, answer__label="UNKNOWN", comment="Hard.")
    assert answer.status_code == 302
    assert answer.headers["Location"] == f"{desk.address}?after={unit_of(page)}"
    after = desk.browser.get(answer.headers["Location"]).content.decode()
    assert "Saved." in after
    assert "1 of 6 judged" in after
    assert unit_of(after) != unit_of(page)
    ((_, ballot),) = desk.mine.items()
    assert (ballot.label, ballot.said.comment, ballot.said.guidelines) == ("UNKNOWN", "Hard.", 1)
    assert ballot.said.seconds is not None


def test_a_form_sent_twice_is_stored_once_and_changed_answers_count(desk: Desk) -> None:
    """A double click is harmless; whoever goes back to an old form and answers otherwise is heard."""
    page = desk.open()
    for label, changes in (("UNKNOWN", 0), ("UNKNOWN", 0), ("ENTAILMENT", 1), ("ENTAILMENT", 1)):
        assert desk.send(page, answer__label=label).status_code == 302
        ((_, ballot),) = desk.mine.items()
        count, before = 0, ballot.before
        while before is not None:
            count, before = count + 1, before.before
        assert (ballot.label, count) == (label, changes)


def test_what_is_wrong_keeps_the_draft(desk: Desk) -> None:
    """The same unit again, with the reason and with what was written."""
    page = desk.open()
    answer = desk.send(page, comment="A remark to keep")
    text = answer.content.decode()
    assert answer.status_code == 422
    assert "No label" in text
    assert "A remark to keep" in text
    assert unit_of(text) == unit_of(page)
    answer = desk.send(page, do="skip", skipped=" ")
    assert "why you skip it" in answer.content.decode()
    assert not desk.mine
    assert desk.send(page, do="skip", skipped="Not a sentence").status_code == 302
    assert [one.said.skipped for one in desk.mine.values()] == ["Not a sentence"]


def test_undo_shows_the_unit_again(desk: Desk) -> None:
    """The last judgment is taken back, whatever page is shown; again, the one before."""
    units = []
    for label in ("UNKNOWN", "ENTAILMENT"):
        units.append(unit_of(page := desk.open()))
        desk.send(page, answer__label=label)
    for left, unit in ((1, units[1]), (0, units[0])):
        page = desk.open()
        form = re.search(r"<form[^>]*data-undo.*?</form>", page, re.DOTALL)
        assert form is not None
        assert " hidden>" not in form[0].split("<input")[0]
        fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form[0]))
        answer = desk.browser.post(desk.address, fields)
        assert answer.headers["Location"] == f"{desk.address}?unit={unit}"
        assert len(desk.mine) == left
        assert desk.browser.post(desk.address, fields).status_code == 302
        assert len(desk.mine) == left


def test_previous_and_next_go_through_everything(desk: Desk) -> None:
    """In the order of the work, there and back; at the end, to what was left out, then to the end."""
    page, seen = desk.open(), []
    for _ in range(6):
        seen.append(unit_of(page))
        link = re.search(r'href="\?(\w+=\w+)" data-key="N"', page)
        assert link is not None
        page = desk.open(f"?{link[1]}")
    assert len(set(seen)) == 6
    assert unit_of(page) == seen[0]
    assert 'data-key="P"' not in page
    page = desk.open(f"?unit={seen[3]}")
    assert f'href="?unit={seen[2]}" data-key="P"' in page
    assert unit_of(desk.open("?unit=nothing")) in seen


def test_back_after_the_last_unit(desk: Desk) -> None:
    """The end counts what was done, and leads back to the last one, which can be changed."""
    for _ in range(6):
        last = desk.open()
        desk.send(last, answer__label="UNKNOWN")
    page = desk.open()
    assert "Nothing left to judge" in page
    assert "6 of 6 judged" in page
    link = re.search(r'href="(\?unit=\w+)" data-key="P"', page)
    assert link is not None
    page = desk.open(link[1])
    assert unit_of(page) == unit_of(last)
    assert "You have judged this" in page
    assert re.search(r'value="UNKNOWN"[^>]* checked', page)
    assert desk.send(page, answer__label="ENTAILMENT").status_code == 302


def test_the_script_gets_json(desk: Desk) -> None:
    """What is stored is acknowledged with the progress; what is refused has its reason; nothing is stored twice."""
    unit = unit_of(desk.open())
    id = str(uuid.uuid4())
    for _ in range(2):
        answer = desk.script(id=id, unit=unit, answer__label="UNKNOWN", guidelines="1", seconds="2.5")
        told = answer.json()
        assert (answer.status_code, told["accepted"], told["done"], told["total"]) == (200, True, 1, 6)
        assert (told["words"], told["last"], told["guidelines"]) == ("1 of 6 judged", unit, 1)
    ((_, ballot),) = desk.mine.items()
    assert 0 <= ballot.said.seconds <= 2.6
    answer = desk.script(unit=unit, answer__label="MAYBE")
    assert answer.status_code == 422
    assert "'MAYBE'" in answer.json()["text"]
    answer = desk.script(unit=unit, answer__label="UNKNOWN", account="somebody-else")
    assert (answer.status_code, answer.json()["problems"][0]["code"]) == (409, "other-account")
    assert desk.script(do="undo", unit=unit).json()["done"] == 0
    assert not desk.mine


def test_a_unit_alone_and_units_ahead(desk: Desk) -> None:
    """The script asks for units without the page around them; those ahead are not noted as shown."""
    from karat.server import judging

    page = desk.open("", **{"X-Karat-Fragment": "yes"})
    assert '<nav class="menu"' not in page
    assert "Tense matters." not in page
    found = re.search(r'data-ahead="([\w ]+)"', page)
    assert found is not None
    ahead = found[1].split()
    assert len(ahead) == len({*ahead, unit_of(page)} - {unit_of(page)}) == 5
    desk.open(f"?unit={ahead[0]}&ahead=yes", **{"X-Karat-Fragment": "yes"})
    noted = [place for place in judging._shown if place[0] == desk.name]
    assert len(noted) == 1
    desk.open(f"?unit={ahead[0]}")
    assert len([place for place in judging._shown if place[0] == desk.name]) == 2


def test_time_is_told_from_five_judgments_on(desk: Desk) -> None:
    """From the median of one's own."""
    for number in range(5):
        page = desk.open()
        assert "left</" not in page
        desk.script(unit=unit_of(page), answer__label="UNKNOWN", seconds=str(number))
    assert "5 of 6 judged, less than a minute left" in desk.open()


def test_changed_guidelines_are_announced(desk: Desk) -> None:
    """Until the first judgment by the new version."""
    from msgspec.structs import replace

    from karat.campaign.commands import Edit
    from karat.server import models, store
    from karat.server.accounts import HOST

    desk.send(desk.open(), answer__label="UNKNOWN")
    assert "have changed since" not in desk.open()
    state, new = store.state_of(desk.name), b"# Guidelines\n\nTense does not matter.\n"
    digest = store.digest_of(new)
    models.Content.objects.get_or_create(sha256=digest, defaults={"data": new})
    edit = Edit(definition=replace(state.definition), files=state.files | {"guide.md": digest}, reason="clearer")
    store.execute(desk.name, edit, HOST)
    page = desk.open()
    assert "you had version 1, now there is version 2" in page
    assert "Tense does not matter." in page
    desk.send(page, answer__label="UNKNOWN")
    assert "have changed since" not in desk.open()
    assert sorted(one.said.guidelines for one in desk.mine.values()) == [1, 2]


def rated(panels: Any) -> Any:
    """Two runs with justifications for two pairs, to be rated by Anna and Ben."""
    from datetime import timedelta

    from karat import examples
    from karat.server import assigning, store
    from karat.server.submitting import Declared, submit
    from tests.server import campaigns

    made = panels.make("anna", "ben", tasks=(REASONS,))
    for team in ("Maple", "Willow"):
        campaigns.member(made.name, team, f"{made.name}-{team}", signed=False)
        raw, at = (examples.RUNS / "chatty.jsonl").read_bytes(), store.now() - timedelta(days=2)
        submit(made.name, f"{made.name}-{team}", "run.jsonl", raw, Declared(task="reasons", justifications=True), at)
    assigning.assign(made.name, "reasons", made.names("anna", "ben"), units=["1", "2"])
    return made


def test_ratings_without_a_script(panels: Any) -> None:
    """The second score is dropped if the first is too low; skipping takes the whole pair, and undo all of it."""
    desk = Desk(rated(panels), "anna", "reasons")
    page = desk.open()
    assert "Justification 1 of 2 for this pair" in page
    assert not {"Maple", "Willow"} & set(re.findall(r"\w+", page))
    assert desk.send(page, answer__understandable="2", answer__compelling="4").status_code == 302
    assert [one.said.values for one in desk.mine.values()] == [{"understandable": "2"}]
    page = desk.open()
    assert "2 of 2 for this pair" in page
    assert desk.send(page, answer__understandable="4").status_code == 422
    assert desk.send(page, do="skip", skipped="The key is wrong").status_code == 302
    assert [one.said.skipped for one in desk.mine.values()] == ["The key is wrong"] * 2
    assert desk.script(do="undo", unit=unit_of(page)).json()["accepted"]
    assert [one.said.values for one in desk.mine.values()] == [{"understandable": "2"}]


def test_a_closing_summary(panels: Any) -> None:
    """Asked for when all is rated, kept, and changed."""
    from karat.server import store

    made = rated(panels)
    desk = Desk(made, "anna", "reasons")
    made.play("anna", lambda _: {"understandable": "2"}, "reasons")
    page = desk.open()
    assert "A closing summary" in page
    answer = desk.browser.post(desk.address, {"do": "summarise", "summary": "Too much <jargon>."})
    assert answer.status_code == 302
    page = desk.browser.get(answer.headers["Location"]).content.decode()
    assert "Your summary is stored." in page
    assert "Too much &lt;jargon&gt;." in page
    assert store.state_of(made.name).work_of("reasons").summaries == {desk.account: "Too much <jargon>."}


def test_adjudication_shows_labels_without_names(panels: Any) -> None:
    """With comments; a label that nobody gave needs a note."""
    from karat.server import assigning

    made = panels.make("anna", "ben", "cleo")
    assigning.assign(made.name, "three-way", made.names("anna", "ben"), units=["1"])
    assigning.assign(made.name, "three-way", made.names("cleo"), stage="adjudication")
    desk = Desk(made, "cleo")
    assert "Nothing left to judge" in desk.open()
    for who, label in (("anna", "ENTAILMENT"), ("ben", "UNKNOWN")):
        made.judge(who, made.next(who)["unit"], values={"label": label}, comment=f"Because of {label.lower()}")
    page = desk.open()
    assert 'data-given="ENTAILMENT UNKNOWN"' in page or 'data-given="UNKNOWN ENTAILMENT"' in page
    assert "Because of entailment" in page
    assert not {f"{made.name}-anna", f"{made.name}-ben"} & set(re.findall(r"[\w-]+", page))
    for kind in ("slip of attention", "tense"):
        assert f'<option value="{kind}">' in page
    answer = desk.send(page, answer__label="CONTRADICTION", answer__reason="error", answer__kind="a typo of mine")
    assert answer.status_code == 422
    assert "a typo of mine" in answer.content.decode()
    answer = desk.send(page, answer__label="CONTRADICTION", answer__reason="error", answer__note="Both misread it.")
    assert answer.status_code == 302
    (ballot,) = desk.mine.values()
    assert ballot.said.values["note"] == "Both misread it."


def test_two_decide_the_same_pair(panels: Any) -> None:
    """Whoever comes second is told, and goes on with the next."""
    from karat.server import assigning

    made = panels.make("anna", "ben", "cleo", "dora")
    assigning.assign(made.name, "three-way", made.names("anna", "ben"), units=["1", "2"])
    assigning.assign(made.name, "three-way", made.names("cleo", "dora"), stage="adjudication")
    for who, label in (("anna", "ENTAILMENT"), ("ben", "UNKNOWN")):
        made.play(who, lambda _, label=label: {"label": label})
    cleo, dora = Desk(made, "cleo"), Desk(made, "dora")
    page = cleo.open()
    assert unit_of(dora.open()) == unit_of(page)
    given = {"answer__label": "UNKNOWN", "answer__reason": "difference"}
    assert cleo.send(page, **given).status_code == 302
    answer = dora.send(page, account=dora.account, **given)
    assert answer.status_code == 422
    text = answer.content.decode()
    assert "somebody else has decided it" in text
    assert unit_of(text) != unit_of(page)


def test_the_overview_leads_to_the_work(panels: Any) -> None:
    """Assessors see what waits for them, with how far they are; adjudicating organisers too; nobody else."""
    from karat.server import assigning, models
    from tests.server import campaigns

    made = panels.make("anna", "ben", "cleo")
    (organiser,) = made.names("olga")
    host = campaigns.member(made.name, None, organiser, role="organiser", signed=False)
    assigning.assign(made.name, "three-way", made.names("anna", "ben"), units=["1", "2", "3"])
    address = ADDRESS.format(made.name, "three-way")
    anna, cleo = (campaigns.logged_in(models.Account.objects.get(name=one)) for one in made.names("anna", "cleo"))
    page = anna.get(f"/c/{made.name}/").content.decode()
    assert "3 units wait for you." in page
    assert f'href="{address}">Begin' in page
    assert "Judge: Three-way entailment" in page
    page = cleo.get(f"/c/{made.name}/").content.decode()
    assert "There is nothing for you to judge." in page
    assert address not in page
    assert "There is nothing for you to judge" in cleo.get(address).content.decode()
    assert address not in host.get(f"/c/{made.name}/").content.decode()
    assigning.assign(made.name, "three-way", [organiser], stage="adjudication")
    made.play("anna", by_length)
    made.play("ben", lambda _: {"label": "ENTAILMENT"})
    page = host.get(f"/c/{made.name}/").content.decode()
    assert address in page
    page = anna.get(f"/c/{made.name}/").content.decode()
    assert "Nothing waits for you now." in page
    assert "3 of 3 judged" in page


def test_whoever_has_not_signed_signs_first(panels: Any) -> None:
    """Before anything is shown."""
    from karat.server import assigning

    made = panels.make("anna", agreement=True)
    assigning.assign(made.name, "three-way", made.names("anna"), per_unit=1)
    desk = Desk(made, "anna")
    assert "Accept the agreement first" in desk.open()
    assert "data-unit" not in desk.open()


def test_qualification_says_what_it_is(panels: Any) -> None:
    """And nothing there can be skipped; a failed attempt is followed by another."""
    from karat.server import assigning
    from tests.server.test_judging import EXAMPLES

    facts = {"judging": Judging(examples="x.xml", qualify=1.0), "files": {"x.xml": EXAMPLES}}
    made = panels.make("anna", **facts)
    assigning.assign(made.name, "three-way", made.names("anna"), per_unit=1, units=["1"])
    desk = Desk(made, "anna")
    for attempt in (1, 2):
        for done in range(2):
            page = desk.open()
            assert f"{done} of 2 judged" in page
            assert "at least 100% of your answers" in page
            assert ("attempt 2" in page) == (attempt == 2)
            assert 'value="skip"' not in page
            right = "ENTAILMENT" if "All ran." in page else "CONTRADICTION"
            desk.send(page, answer__label=right if attempt == 2 else "UNKNOWN")
    assert "0 of 1 judged" in desk.open()


def test_a_pool_promises_nothing_ahead(panels: Any) -> None:
    """Units are given out when they are shown: no two people get the same one, and there is no total."""
    from karat.server import assigning

    made = panels.make("anna", "ben")
    assigning.assign(made.name, "three-way", made.names("anna", "ben"), per_unit=1, shared=True, units=["1", "2", "3"])
    anna, ben = Desk(made, "anna"), Desk(made, "ben")
    pages = [one.open() for one in (anna, ben)]
    assert unit_of(pages[0]) != unit_of(pages[1])
    assert all('data-ahead=""' in page and "0 judged" in page for page in pages)


def test_an_organiser_who_looks_as_an_assessor_changes_nothing(panels: Any) -> None:
    """They see the page without its forms, and nothing is noted."""
    from karat.server import assigning, judging
    from tests.server import campaigns

    made = panels.make("anna")
    (organiser,) = made.names("olga")
    host = campaigns.member(made.name, None, organiser, role="organiser", signed=False)
    assigning.assign(made.name, "three-way", made.names("anna"), per_unit=1)
    host.post(f"/c/{made.name}/see-as/", {"as": "assessor"})
    address = ADDRESS.format(made.name, "three-way")
    page = host.get(address).content.decode()
    assert "data-unit" in page
    assert '<form id="answer"' not in page
    assert host.post(address, {"do": "save"}).status_code == 403
    assert not [place for place in judging._shown if place[0] == made.name]


def test_tasks_of_other_kinds_have_nothing_to_judge(panels: Any) -> None:
    """And a task that is not there is not found."""
    made = panels.make("anna", tasks=(REASONS, Task(name="three-way", test="pairs.xml")))
    desk = Desk(made, "anna", "reasons")
    assert "There is nothing for you to judge" in desk.open()
    answer = desk.script(unit="x", answer__label="UNKNOWN")
    assert answer.status_code == 403
    assert json.loads(answer.content)["problems"][0]["code"] == "not-assigned"
    assert desk.browser.get(ADDRESS.format(made.name, "none")).status_code == 404
