"""The keys of the judging pages: the same on all of them, as their help and the documentation say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from karat.campaign.judging.kinds import KINDS, Kind
from karat.campaign.judging.kinds.pairs import QUALIFICATION

pytestmark = pytest.mark.usefixtures("panels")
DOCUMENTED = Path(__file__).parents[2] / "docs" / "judging.md"
EVERYWHERE = "every page"
SAME = {"Norming round": "Labels", "Examples": "Labels"}
"""Pages with the keys of another one."""


def documented() -> dict[str, set[str]]:
    """The keys that the documentation names, by page."""
    text = DOCUMENTED.read_text()
    table = text.partition("## Keys")[2].partition("## ")[0]
    rows = re.findall(r"^\| ([^|]+) \| (.*) \|$", table, re.M)
    return {page: set(re.findall("`([^`]+)`", keys)) for page, keys in rows if page not in ("page", "---")}


def helped(page: str) -> set[str]:
    """The keys that the help of a page names."""
    dialog = page.partition('<dialog id="keys"')[2].partition("</dialog>")[0]
    named = " ".join(re.findall("<dt>(.*?)</dt>", dialog))
    found: set[str] = set()
    for one in re.findall("<kbd>(.*?)</kbd>", named):
        found |= set(re.split(" to |, ", one))
    return found


@pytest.fixture(scope="module")
def kinds() -> dict[str, Kind]:
    """Every kind of judging, by the title of its page."""
    return {kind.title: kind for of in (*KINDS.values(), (QUALIFICATION,)) for kind in of}


def test_every_kind_has_a_row(kinds: dict[str, Kind]) -> None:
    """And no row is of a kind that there is not."""
    assert {SAME.get(title, title) for title in kinds} | {EVERYWHERE} == documented().keys()


def test_no_kind_uses_the_keys_of_all(kinds: dict[str, Kind]) -> None:
    """Neither in its script nor for its answers."""
    from karat.server.pages.screens import SHARED

    shared = {key for key, _ in SHARED.values()} | {"Enter", "Tab"}
    assert documented()[EVERYWHERE] == shared
    for title, kind in kinds.items():
        assert not {key for key, _ in kind.keys} & shared, title
    for page, keys in documented().items():
        assert page == EVERYWHERE or not keys & shared, page


def test_the_help_of_every_page_agrees_with_the_documentation() -> None:
    """What is asked and what can be done there, key by key."""
    from karat.server import models
    from karat.server.pages.screens import SHARED
    from tests.server import campaigns, stages

    stages.make("keys", ("anna", "ben"), 12)
    browser = campaigns.logged_in(models.Account.objects.get(name="keys-anna"))
    told, met = documented(), set[str]()
    for task in stages.JUDGED:
        page = browser.get(f"/c/keys/tasks/{task}/judge/").content.decode()
        (title,) = re.findall(r'id="unit-heading"[^>]*>([^<]*?) <span', page)
        met.add(title)
        assert helped(page) - told[EVERYWHERE] == told[title], title
        missing = told[EVERYWHERE] - helped(page)
        assert missing <= {"S", "a", "Tab"}, title
        assert ("S" in missing) == ('name="skipped"' not in page), title
        assert ("a" in missing) == ("data-entries" not in page), title
        assert all(
            f"<dt><kbd>{key}</kbd></dt><dd>{what}</dd>" in page for key, what in SHARED.values() if key not in missing
        )
    assert met == told.keys() - {EVERYWHERE, "Adjudication"}


def test_the_keys_of_a_decision() -> None:
    """Those of the label, and its own."""
    from karat.campaign.judging.kinds.pairs import decision

    own = {key for ask in decision() for key in (*ask.keys, ask.key) if key}
    assert documented()["Adjudication"] | {"C"} == own
