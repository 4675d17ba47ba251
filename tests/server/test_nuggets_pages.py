"""Nuggets on the judging page without scripts."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pytest

from tests.server import nugget_panels as panel
from tests.server.test_nuggets import TASK
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
