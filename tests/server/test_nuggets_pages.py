"""Nuggets on the judging page without scripts, and what its readers never learn."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from msgspec.structs import replace

from tests.server import nugget_panels as panel
from tests.server.test_nuggets import TASK, listed, matched
from tests.server.test_pages_judging import Desk

pytestmark = pytest.mark.usefixtures("panels")


def test_lists_and_matches_by_plain_forms() -> None:
    """A nugget is added, changed and taken out, the list is finished, and a response matched, without a script."""
    from karat.server import assigning

    made = panel.make("anna")
    panel.given(made, "nuggets", "anna")
    desk = Desk(made, "anna", TASK)
    page = desk.open()
    entry = re.findall(r'name="unit" value="(\w+/\w+)"', page)[-1]
    mark = re.findall(r"mark <code>(\w+)</code>", page)[0]
    form = {"id": str(uuid.uuid4()), "unit": entry, "account": desk.account, "do": "save"}
    said = {"answer.text": "a flood", "answer.importance": "vital", "answer.sources": mark}
    answer = desk.browser.post(desk.address, form | said)
    assert answer.status_code == 302
    page = str(desk.browser.get(answer["Location"]).content.decode())
    assert "a flood</textarea>" in page
    assert f'value="{mark}"' in page
    again = form | said | {"id": str(uuid.uuid4()), "answer.text": "the flood"}
    assert desk.browser.post(desk.address, again).status_code == 302
    gone = form | {"id": str(uuid.uuid4()), "do": "remove"}
    assert desk.browser.post(desk.address, gone).status_code == 302
    page = desk.open(f"?unit={entry.partition('/')[0]}")
    assert "flood</textarea>" not in page
    assert desk.send(page).status_code == 422, "there is no vital nugget"
    assert desk.send(page, answer__vital="no_vital").status_code == 302
    assert desk.browser.post(desk.address, {**again, "id": str(uuid.uuid4())}).status_code == 302
    while 'data-stage="nuggets"' in (page := desk.open()):
        assert desk.send(page, answer__vital="no_vital").status_code == 302
    assigning.set_round(made.name, TASK, "nuggets", opened=False)
    panel.given(made, "matches", "anna", units=[one["qid"] for one in _rows(made)])
    page = desk.open()
    (name,) = set(re.findall(r'name="answer\.(\w{12})"', page))
    assert desk.send(page).status_code == 422, "every nugget is answered"
    given = {f"answer__{name}": "contradicted", f"answer__evidence__{name}": "1"}
    assert desk.send(page, **given).status_code == 302
    (ballot,) = [one for item, one in desk.mine.items() if item.stage == "matches"]
    assert ballot.said.values == {name: "contradicted", f"evidence.{name}": "1"}


def _rows(made: Any) -> list[dict[str, str]]:
    from tests.server.test_nuggets import rows

    return rows(panel.file_of(made, "nuggets"))


def _met(made: Any, who: str) -> str:
    """Every page of somebody's work in all stages, and what programs get, as one text."""
    from karat.campaign.judging.agenda import agenda
    from karat.campaign.judging.work import token
    from karat.server.store import state_of

    state, desk = state_of(made.name), Desk(made, who, TASK)
    found = [desk.open(), made.ask(who, "next", task=TASK).content.decode()]
    for item in agenda(state, TASK, desk.account):
        found.append(desk.open(f"?unit={token(state.seed, TASK, item)}"))
    return "\n".join(found).replace(desk.account, "")


def _hidden(made: Any, who: str) -> set[str]:
    """What an assessor must never meet."""
    from karat.server.store import state_of

    state = state_of(made.name)
    others = {name for name in state.members if name != made.names(who)[0]}
    return {*panel.SAID, *state.runs, *(run.name for run in state.runs.values()), state.seed, *others, "ben0", "ben1"}


def test_nobody_learns_whose_a_response_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """No team, run or other assessor, nor what that one wrote; a careless page would be found."""
    from karat.campaign.judging.kinds.matches import MATCHES
    from karat.server import assigning, judging

    made = panel.make("anna", "ben")
    panel.given(made, "nuggets", "anna", "ben", per_unit=2)
    listed(made, "ben")
    assert [one for one in _hidden(made, "anna") if one in _met(made, "anna")] == []
    listed(made, "anna")
    assigning.set_round(made.name, TASK, "nuggets", opened=False)
    panel.given(made, "matches", "anna", "ben", per_unit=2)
    panel.given(made, "citations", "anna", "ben", per_unit=2)
    text = _met(made, "anna")
    assert 'data-stage="citations"' in text
    assert [one for one in _hidden(made, "anna") if one in text] == []
    careless = replace(MATCHES, show=lambda about, item, who: MATCHES.show(about, item, who) | {"place": item.run})
    monkeypatch.setattr(judging, "kind_of", lambda *_: careless)
    assert [one for one in _hidden(made, "anna") if one in _met(made, "anna")] != []


def test_matches_of_another_do_not_show() -> None:
    """What somebody sees is the same before and after a colleague has judged everything."""
    from karat.server import assigning

    made = panel.make("anna", "ben")
    panel.given(made, "nuggets", "anna", "ben", per_unit=2)

    def seen() -> str:
        changing = r'name="(id|csrfmiddlewaretoken)" value="[^"]*"|[0-9a-f]{12}|\d\d:\d\d:\d\d(\.\d+Z)?'
        return re.sub(changing, "", _met(made, "anna"))

    before = seen()
    listed(made, "ben")
    assert seen() == before
    listed(made, "anna")
    assigning.set_round(made.name, TASK, "nuggets", opened=False)
    panel.given(made, "matches", "anna", "ben", per_unit=2)
    before = seen()
    matched(made, "ben")
    assert seen() == before
