"""A campaign in which pairs are decomposed and questions are written, and the sessions of those who do it."""

from __future__ import annotations

import json
import sys
from typing import Any

from tests.browser.homes import open_home

PEOPLE = ("anna", "ben")
PAIRS = b"""<?xml version="1.0" encoding="UTF-8"?>
<entailment-corpus>
<pair id="1" entailment="CONTRADICTION"><t>Doctors who treat the
  sick treat children, and the sick recover within a week.</t><h>Doctors never treat children.</h></pair>
<pair id="2" entailment="ENTAILMENT"><t>Hellmar Optics, the lens maker from Jena, has snapped up the Dutch lens
  maker Vanderkooi for 42 million euros.</t><h>Hellmar Optics has bought a firm from the Netherlands.</h></pair>
<pair id="3" entailment="UNKNOWN"><t>Quiroga found the comet; the comet has no name.</t><h>Quiroga is a man.</h></pair>
</entailment-corpus>
"""
GUIDELINES = b"# Guidelines\n\nOne phenomenon for each part. Ask what a reader would like to know.\n"


def make() -> dict[str, Any]:
    """Anna and Ben decompose the same pairs, and write a series each; submissions have not opened."""
    from karat.campaign.definition import Task
    from karat.server import assigning, models
    from karat.server.developing import UNWRITTEN
    from tests.server import campaigns, panels

    tasks = (
        Task(name="parts", title="Parts of pairs", kind="decomposition", test="parts.xml"),
        Task(name="series", title="Series of questions", kind="questions", test="q.tsv"),
    )
    files = {"parts.xml": PAIRS, "q.tsv": UNWRITTEN, "guide.md": GUIDELINES}
    made = panels.make(*PEOPLE, tasks=tasks, files=files, guidelines="guide.md", opens=2, closes=3)
    both = made.names(*PEOPLE)
    assigning.assign(made.name, "parts", both, units=["1", "2", "3"], per_unit=2)
    assigning.assign(made.name, "series", both[:1], stage="development", units=["S1"])
    assigning.assign(made.name, "series", both[1:], stage="development", units=["S2"])
    accounts = {who: models.Account.objects.get(name=name) for who, name in zip(PEOPLE, both, strict=True)}
    sessions = {who: campaigns.logged_in(one).cookies["sessionid"].value for who, one in accounts.items()}
    return {"campaign": made.name, "sessions": sessions | {"host": campaigns.host().cookies["sessionid"].value}}


def entries(campaign: str, task: str, account: str) -> dict[str, Any]:
    """What somebody has written, by unit and in order, and which units are finished."""
    from karat.campaign.judging.agenda import agenda
    from karat.server.store import state_of, verify

    state = state_of(campaign)
    work = state.work_of(task)
    items = agenda(state, task, account)
    return {
        "entries": {one.unit: [e.said.values for e in work.entries(account, one).values()] for one in items},
        "finished": {one.unit: work.of(account)[one].said.values for one in items if one in work.of(account)},
        "equal": verify(campaign)["equal"],
    }


if __name__ == "__main__":
    open_home(sys.argv[1])
    print(json.dumps(entries(*sys.argv[2:5]) if sys.argv[2:] else make()))
