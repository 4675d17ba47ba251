"""A campaign with a task for every kind of judging, with the sessions of two who judge; in a process of its own."""

from __future__ import annotations

import json
import sys
from typing import Any

from tests.browser.homes import open_home

NAME, PEOPLE, MANY = "everything", ("anna", "ben"), 80


def make() -> dict[str, Any]:
    """Anna and Ben have everything to judge; Dora and Emil have grouped a list differently, and Cleo decides."""
    from karat.server import assigning, judging, models
    from tests.server import campaigns, stages

    stages.make(NAME, (*PEOPLE, "cleo", "dora", "emil"), MANY, given=False)
    named = {who: f"{NAME}-{who}" for who in (*PEOPLE, "cleo", "dora", "emil")}
    for task, one in stages.JUDGED.items():
        both = [named[who] for who in PEOPLE]
        if task == "lists":
            first = f"{NAME}-{stages.FIRST}"
            assigning.assign(NAME, task, [first], stage="labels", per_unit=1)
            for number in range(10**6):
                if (shown := judging.next_unit(NAME, first, task)) is None:
                    break
                judging.judge(NAME, first, task, judging.Sheet(f"first-{number}", shown.unit, {"label": "R"}))
            assigning.set_round(NAME, task, "labels", opened=False)
            assigning.assign(NAME, task, [named["dora"], named["emil"]], stage="lists", units=["q1"], per_unit=2)
            for who, group in (("dora", "1"), ("emil", "")):
                seen = judging.next_unit(NAME, named[who], task)
                assert seen is not None
                values = {ask.name: group or ask.start for ask in seen.ask}
                judging.judge(NAME, named[who], task, judging.Sheet(f"{who}-q1", seen.unit, values))
            assigning.assign(NAME, task, [named["cleo"]], stage="adjudication")
        units = [f"S{n}" for n in range(1, 7)] if task == "development" else None
        units = [f"q{n}" for n in range(2, stages.units_of(task, MANY) + 1)] if task == "lists" else units
        assigning.assign(NAME, task, both, stage=one.stage, per_unit=2, shared=one.shared, units=units)
    sessions = {
        who: campaigns.logged_in(models.Account.objects.get(name=account)).cookies["sessionid"].value
        for who, account in named.items()
    }
    return {"campaign": NAME, "sessions": sessions}


if __name__ == "__main__":
    open_home(sys.argv[1])
    from tests.server.stages import look

    print(json.dumps(look(NAME) if sys.argv[2:] else make()))
