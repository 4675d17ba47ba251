"""A campaign whose responses are judged by nuggets, with the sessions of those who judge; in a process of its own."""

from __future__ import annotations

import json
import sys
from typing import Any

from tests.browser.homes import open_home

WRITERS = ("anna", "ben", "fay", "gil", "hal")


def make() -> dict[str, Any]:
    """Writers of lists; Cleo matches responses with a starting list and judges citations, elsewhere.

    Dora and Emil have long lists and long responses. What somebody does in one test is in no other's way.
    """
    from karat.server import models
    from tests.server import campaigns, nugget_panels

    made = {}
    for name, people, start in (
        ("lists", WRITERS, False),
        ("matches", ("cleo",), True),
        ("many lists", ("emil",), True),
        ("many matches", ("dora", "emil"), True),
    ):
        one = nugget_panels.make(*people, start=start, many="many" in name)
        nugget_panels.given(one, "nuggets" if "lists" in name else "matches", *people, per_unit=len(people))
        if name == "matches":
            nugget_panels.given(one, "citations", *people)
        made[name] = {"campaign": one.name, "sessions": {}}
        for who in people:
            account = models.Account.objects.get(name=one.names(who)[0])
            made[name]["sessions"][who] = campaigns.logged_in(account).cookies["sessionid"].value
    return made


def told(campaign: str, who: str) -> list[dict[str, Any]]:
    """The list of somebody as it is stored, question by question; or what they matched."""
    from karat.campaign.judging.kinds.nuggets import nuggets_of
    from karat.campaign.judging.kinds.questions import in_own_words
    from karat.server.store import material, state_of

    state = state_of(campaign)
    about = material(state, state.definition.task("answers"))
    account = f"{campaign}-{who}"
    found: list[dict[str, Any]] = [
        {"unit": unit, "nuggets": list(nuggets_of(about, unit, account).values())} for unit in in_own_words(about)
    ]
    found += [
        {"unit": item.unit, "stage": item.stage, "values": one.said.values}
        for item, one in about.work.of(account).items()
        if not item.entry
    ]
    return found


if __name__ == "__main__":
    open_home(sys.argv[1])
    print(json.dumps(told(*sys.argv[2:4]) if sys.argv[2:] else make()))
