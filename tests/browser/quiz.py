"""A campaign with answers to judge, and the sessions of those who judge them; in a process of its own."""

from __future__ import annotations

import json
import sys
from datetime import timedelta
from typing import Any

from tests.browser.homes import open_home

TEXT = (
    "OSTDAL. The botanist Ottilie Brandvold, whose journals were opened this week, was born in Ostdal in 1871 as the "
    "third of seven children of a ferryman. "
    + "The archive holds fourteen boxes of letters, most of them about mosses and about money. " * 12
    + "She enrolled at Varnholm University, where she stayed for three years, and went on her first journey at once. "
    + "Brandvold's saxifrage, which flowers late, is named after her, and so is the white brandvoldia. " * 3
)
PEOPLE = ("anna", "ben", "cleo")


def make() -> dict[str, Any]:
    """Anna and Ben give verdicts; Cleo has lists to make, in a task of which the verdicts are closed."""
    from karat import examples
    from karat.campaign.definition import Task
    from karat.server import assigning, models, store
    from karat.server.submitting import Declared, submit
    from tests.server import campaigns, panels

    facts: dict[str, Any] = {"kind": "questions", "test": "q.xml", "documents": "d.tsv", "patterns": "p.txt"}
    tasks = (
        Task(name="verdicts", title="Questions about people and places", **facts),
        Task(name="lists", title="Lists of answers", **facts),
    )
    files = {
        "q.xml": (examples.QUESTIONS / "questions.xml").read_bytes(),
        "d.tsv": f"id\ttext\nKRT19980311.0042\t{TEXT}\n".encode(),
        "p.txt": b"1.1\t\\b1871\\b\n1.2\tVarnholm\n",
        "guide.md": b"# Guidelines\n\nA string is **exact** if nothing could be left out of it.\n",
    }
    made = panels.make(*PEOPLE, tasks=tasks, files=files, guidelines="guide.md")
    for run in ("careful", "steady", "sloppy", "lister", "verbose"):
        account = f"{made.name}-{run}"
        campaigns.member(made.name, run.title(), account, signed=False)
        raw = (examples.QUESTIONS / "runs" / f"{run}.tsv").read_bytes()
        for task in tasks:
            sent = submit(made.name, account, f"{run}.tsv", raw, Declared(task=task.name), store.now() - timedelta(2))
            assert sent.run is not None, sent.problems
    anna, ben, cleo = made.names(*PEOPLE)
    from karat.campaign.judging.kinds import kinds_of

    about = store.material(store.state_of(made.name), "verdicts")
    units = [one for one in kinds_of(about.task)["labels"].units(about) if one.startswith("1.")]
    assigning.assign(made.name, "verdicts", [anna, ben], units=units, per_unit=2)
    assigning.assign(made.name, "lists", [cleo], units=[one for one in units if one.startswith("1.4\t")], per_unit=1)
    made.play("cleo", lambda show: {"label": "R" if "brandvold" in show["answer"].casefold() else "W"}, "lists")
    assigning.set_round(made.name, "lists", "labels", False)
    assigning.assign(made.name, "lists", [cleo], stage="lists", units=["1.1", "1.4"])
    sessions = {}
    for who in PEOPLE:
        (name,) = made.names(who)
        sessions[who] = campaigns.logged_in(models.Account.objects.get(name=name)).cookies["sessionid"].value
    return {"campaign": made.name, "sessions": sessions}


if __name__ == "__main__":
    open_home(sys.argv[1])
    print(json.dumps(make()))
