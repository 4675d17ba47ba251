"""A round that is closed: everybody still sees what they said, and can change nothing."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest

from karat.campaign.judging.answer_groups import GROUP
from tests.server.judges import answers, entry
from tests.server.stages import JUDGED
from tests.server.test_two_windows import Windows

pytestmark = pytest.mark.usefixtures("home")


@pytest.mark.parametrize("task", JUDGED)
def test_ones_own_judgments_stay_in_sight(task: str) -> None:
    """Of every kind: all answers, the comment, and the entries of a list; nothing can be saved or undone."""
    from karat.server import assigning, models
    from karat.server.pages.questions import label_words
    from tests.server import campaigns

    name = f"closed-{task}"
    windows = Windows(name, task)
    shown = windows.next()
    said: dict[str, Any] = {}
    if shown["entry"] is not None:
        said |= entry(shown, "written by hand", True)
        assert windows.send("ballots", unit=f"{shown['unit']}/one", values=said).status_code == 201
    values = answers(shown, 0, "anna")
    sent = windows.send("ballots", unit=shown["unit"], values=values, comment="for a reason")
    assert sent.status_code == 201, sent.content
    assigning.set_round(name, task, JUDGED[task].stage, opened=False)
    anna = campaigns.logged_in(models.Account.objects.get(name=f"{name}-anna"))
    page = unescape(anna.get(f"/c/{name}/tasks/{task}/judge/?unit={shown['unit']}").content.decode())
    assert "nothing can be changed here" in page
    assert "data-undo" not in page
    told = page.partition('id="said-heading"')[2].partition("</section>")[0]
    assert "What you said" in told
    assert "for a reason" in told
    for value in (*said.values(), *values.values()):
        words = label_words(value.removeprefix("lexical:"))  # the menu shows a phenomenon under its group
        assert f"<dd>{words}</dd>" in told, (value, told)
    texts = {ask["name"]: ask["text"] for ask in shown["ask"]}
    assert all(f"<dt>{texts[one]}</dt>" in told for one in values)
    assert GROUP not in told
