"""A campaign with something to judge of every kind, and the sessions of those who judge; in a process of its own."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from tests.browser.homes import open_home

GUIDELINES = b"""# Guidelines

Label what a careful reader would conclude from the text alone.

- **Entailment**: the hypothesis follows from the text.
- **Contradiction**: the text says that the hypothesis is false.
- **Unknown**: neither; more would have to be known.

Tense matters. Names of places are as exact as the text makes them.
"""
EXAMPLES = b"""<?xml version="1.0" encoding="UTF-8"?>
<entailment-corpus>
<pair id="x1" entailment="ENTAILMENT"><t>All ran.</t><h>Somebody ran.</h></pair>
<pair id="x2" entailment="CONTRADICTION"><t>Nobody ran.</t><h>Somebody ran.</h></pair>
</entailment-corpus>
"""
PEOPLE = ("anna", "ben", "cleo", "dora", "emil")


def make() -> dict[str, Any]:
    """Anna and Ben label and rate, Cleo decides, Dora qualifies first and shares a pool with Emil."""
    from karat import examples
    from karat.campaign.definition import Judging, Task
    from karat.server import assigning, models, store
    from karat.server.submitting import Declared, submit
    from tests.server import campaigns, panels

    pairs = (examples.HERE / "pairs.xml").read_bytes()
    tasks = (
        Task(name="labels", title="Labels of pairs", test="pairs.xml"),
        Task(name="disputes", title="What they differ on", test="pairs.xml"),
        Task(name="pool", title="Shared pairs", test="pairs.xml"),
        Task(
            name="reasons", title="Justifications", kind="justifications", test="pairs.xml", justifications="required"
        ),
    )
    facts: dict[str, Any] = {
        "tasks": tasks,
        "guidelines": "guide.md",
        "judging": Judging(examples="examples.xml", qualify=1.0),
        "files": {"pairs.xml": pairs, "guide.md": GUIDELINES, "examples.xml": EXAMPLES},
    }
    made = panels.make(*PEOPLE, **facts)
    at = store.now() - timedelta(days=2)
    for team in ("Maple", "Willow", "Hazel"):
        account = f"{made.name}-{team.lower()}"
        campaigns.member(made.name, team, account, signed=False)
        raw = (examples.RUNS / "chatty.jsonl").read_bytes()
        sent = submit(made.name, account, "run.jsonl", raw, Declared(task="reasons", justifications=True), at)
        assert sent.run is not None, sent.problems
    anna, ben, cleo, dora, emil = made.names(*PEOPLE)
    ids = [str(number) for number in range(1, 13)]
    _begin(made, "labels", [anna, ben], ids)
    _begin(made, "disputes", [anna, ben], ids[:6])
    assigning.assign(made.name, "disputes", [cleo], stage="adjudication")
    made.play("anna", lambda _: {"label": "ENTAILMENT"}, "disputes")
    made.play("ben", lambda show: {"label": ("UNKNOWN", "ENTAILMENT")[len(show["text"]) % 2]}, "disputes")
    assigning.assign(made.name, "pool", [dora, emil], units=ids, per_unit=1, shared=True)
    assigning.assign(made.name, "reasons", [anna, ben], units=ids[:2])
    sessions = {}
    for who in PEOPLE:
        (name,) = made.names(who)
        sessions[who] = campaigns.logged_in(models.Account.objects.get(name=name)).cookies["sessionid"].value
    return {"campaign": made.name, "sessions": sessions}


def _begin(made: Any, task: str, people: list[str], units: list[str]) -> None:
    """Give units to people who need no qualification."""
    from karat.campaign.judging.commands import Assign
    from karat.server import store
    from karat.server.accounts import HOST

    given = Assign(task=task, stage="labels", units=tuple(units), per_unit=2, assessors=tuple(people))
    store.execute(made.name, given, HOST)


def told(campaign: str, task: str, account: str) -> list[dict[str, Any]]:
    """What somebody judged and took back, in order, as the record has it."""
    from karat.campaign.events import Judged, JudgmentUndone
    from karat.server.store import record_of

    found = []
    for entry in record_of(campaign):
        event = entry.event
        if isinstance(event, JudgmentUndone) and (event.task, event.assessor) == (task, account):
            found.append({"act": "undone", "unit": event.item.unit, "values": {}})
        elif isinstance(event, Judged) and (event.task, event.assessor) == (task, account):
            said = {name: getattr(event, name) for name in ("values", "skipped", "comment", "guidelines", "seconds")}
            found.append({"act": "judged", "unit": event.item.unit, "stage": event.item.stage} | said)
    return found


def close(campaign: str, task: str) -> None:
    """Close the round of labels."""
    from karat.server import assigning

    assigning.set_round(campaign, task, "labels", False)


def rewrite(campaign: str, task: str) -> None:
    """Change the guidelines, which hold for all tasks."""
    del task
    from karat.campaign.commands import Edit
    from karat.server import models, store
    from karat.server.accounts import HOST

    state, new = store.state_of(campaign), GUIDELINES.replace(b"Tense matters.", b"Tense does not matter.")
    digest = store.digest_of(new)
    models.Content.objects.get_or_create(sha256=digest, defaults={"data": new})
    edit = Edit(definition=state.definition, files=state.files | {"guide.md": digest}, reason="clearer")
    store.execute(campaign, edit, HOST)


ACTS: dict[str, Callable[[str, str], None]] = {"close": close, "rewrite": rewrite}

if __name__ == "__main__":
    open_home(sys.argv[1])
    if sys.argv[4:] and sys.argv[4] in ACTS:
        ACTS[sys.argv[4]](*sys.argv[2:4])
    else:
        print(json.dumps(told(*sys.argv[2:5]) if sys.argv[2:] else make()))
