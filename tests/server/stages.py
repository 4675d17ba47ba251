"""A campaign with a task for every stage of judging, in this process or made by another one, and what is stored of it.

`python -m tests.server.stages HOME TOLD` makes one and prints the tokens of its assessors; with the name of a campaign
instead of what is told it prints what is stored.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from karat.campaign.definition import Definition, Judging, Kind, Task
from karat.campaign.events import Stage
from tests.surroundings import surroundings

if TYPE_CHECKING:
    from karat.campaign.state import Campaign

LABELS = ("ENTAILMENT", "UNKNOWN", "CONTRADICTION")
TEAMS = ("Maple", "Willow", "Hazel")
FIRST = "first"
"""Whoever has judged the answers of which lists are made."""


@dataclass(frozen=True)
class Judged:
    """A task in which one stage is judged."""

    kind: Kind
    stage: Stage
    each: int
    """About how many judgments an assessor gives for one unit."""
    shared: bool = False


JUDGED: Mapping[str, Judged] = {
    "labels": Judged("entailment", "labels", 2),
    "answers": Judged("questions", "labels", 4, shared=True),
    "lists": Judged("questions", "lists", 10),
    "nuggets": Judged("nuggets", "nuggets", 10),
    "matches": Judged("nuggets", "matches", 6),
    "citations": Judged("nuggets", "citations", 6),
    "quality": Judged("questions", "quality", 6),
    "preferences": Judged("ratings", "preferences", 6),
    "ratings": Judged("justifications", "ratings", 4),
    "parts": Judged("decomposition", "parts", 10),
    "development": Judged("questions", "development", 10),
}
"""By the name of the task."""
PER_UNIT = 2


def units_of(name: str, judgments: int) -> int:
    """The units that give so many judgments."""
    return ceil(judgments / PER_UNIT / JUDGED[name].each)


def test_of(name: str, units: int) -> bytes:
    """The test set of a task."""
    numbers, kind = range(1, units + 1), JUDGED[name].kind
    if name == "development":
        return b"id\tquestion\n"
    if kind in ("entailment", "justifications", "decomposition"):
        rows = (f"{n}\tText {n} is short.\tHypothesis {n}.\t{LABELS[n % 3]}\n" for n in numbers)
        return ("id\ttext\thypothesis\tlabel\n" + "".join(rows)).encode()
    asked = {"answers": "FACTOID", "lists": "LIST"}.get(name, "OTHER")
    return ("id\ttype\tquestion\n" + "".join(f"q{n}\t{asked}\tWhat is {n}?\n" for n in numbers)).encode()


def run_of(name: str, team: str, units: int) -> tuple[str, bytes] | None:
    """A run of a team, if there are any; no two teams say the same, but for what is pooled."""
    numbers, place, kind = range(1, units + 1), TEAMS.index(team), JUDGED[name].kind
    if kind == "justifications":
        rows = [{"id": str(n), "label": "ENTAILMENT", "justification": f"Reason {place} of {n}."} for n in numbers]
        return "run.jsonl", "".join(json.dumps(row) + "\n" for row in rows).encode()
    if name in ("answers", "lists"):
        # The same string from two documents, from one of them by two runs; of lists, also what one run alone says.
        rows_ = [(f"q{n}", f"d{min(place, 1)}", f"answer to {n}") for n in numbers]
        rows_ += [(f"q{n}", "d3", f"further {place} of {n}") for n in numbers] if name == "lists" else []
        return "run.tsv", ("qid\tdoc\tanswer\n" + "".join("\t".join(row) + "\n" for row in rows_)).encode()
    if kind not in ("nuggets", "questions", "ratings") or name == "development":
        return None
    said = [f"Tree {place} says this of {{n}}.", f"Tree {place} also says that."]
    if kind == "nuggets":
        answer = [{"text": text, "citations": [at]} for at, text in enumerate(said)]
        run = {"run_id": "r", "references": ["d1", "d2"]}
        lines = (json.dumps(run | {"topic_id": f"q{n}", "answer": answer}).replace("{n}", str(n)) for n in numbers)
        return "run.jsonl", "".join(f"{line}\n" for line in lines).encode()
    rows_ = [(f"q{n}", "d1", text.format(n=n)) for n in numbers for text in said]
    return "run.tsv", ("qid\tdoc\tanswer\n" + "".join("\t".join(row) + "\n" for row in rows_)).encode()


def lists_to_begin_with(units: int) -> bytes:
    """Two nuggets for each question."""
    both = [{"text": "one", "importance": "vital"}, {"text": "another", "importance": "okay"}]
    return "".join(json.dumps({"qid": f"q{n}", "nuggets": both}) + "\n" for n in range(1, units + 1)).encode()


def make(
    name: str, people: Sequence[str], judgments: int, tasks: Iterable[str] = tuple(JUDGED), given: bool = True
) -> dict[str, str]:
    """A campaign that has closed, in which people have about so many judgments to give in each task: their tokens.

    Unless it is given out, nobody has anything to judge.
    """
    from karat.campaign.dates import Dates
    from karat.server import accounts, assigning, judging, operations, store
    from karat.server.submitting import Declared, submit

    now, day, files, wanted = store.now(), timedelta(days=1), dict[str, bytes](), list[Task]()
    many = {task: units_of(task, judgments) for task in tasks}
    for task, units in many.items():
        files[f"{task}.tsv"] = test_of(task, units)
        beside: dict[str, Any] = {"justifications": "required"} if task == "ratings" else {}
        if task == "matches":
            beside, files["n.jsonl"] = {"nuggets": "n.jsonl"}, lists_to_begin_with(units)
        wanted.append(Task(name=task, kind=JUDGED[task].kind, test=f"{task}.tsv", **beside))
    dates = Dates(opens=now - 3 * day, closes=now - day)
    # What one person alone said elsewhere is agreed on where one is enough.
    alone = Judging(per_unit=1)
    made = Definition(name=name, title="Everything is judged", dates=dates, tasks=tuple(wanted), judging=alone)
    operations.create(made, files.__getitem__, "campaign.toml")
    for team in TEAMS:
        operations.enrol(name, "team", f"{name}-{team}", "Ada Lovelace")
        for task, units in many.items():
            if (run := run_of(task, team, units)) is not None:
                declared = Declared(task=task, justifications=task == "ratings")
                sent = submit(name, f"{name}-{team}", *run, declared, now - 2 * day)
                assert sent.run is not None, sent.problems
    for who in (*people, *([FIRST] if "lists" in many else [])):
        operations.enrol(name, "assessor", f"{name}-{who}", "Grace Hopper")
    named = [f"{name}-{who}" for who in people]
    for task, units in many.items() if given else ():
        one, first = JUDGED[task], f"{name}-{FIRST}"
        if task == "lists":
            assigning.assign(name, task, [first], stage="labels", per_unit=1)
            for number in range(10**6):
                if (shown := judging.next_unit(name, first, task)) is None:
                    break
                judging.judge(name, first, task, judging.Sheet(f"first-{number}", shown.unit, {"label": "R"}))
            assigning.set_round(name, task, "labels", opened=False)
        series = [f"S{n}" for n in range(1, units + 1)] if task == "development" else None
        assigning.assign(name, task, named, stage=one.stage, per_unit=PER_UNIT, shared=one.shared, units=series)
    return {who: accounts.issue_token(name, f"{name}-{who}", "organiser") for who in people}


def look(name: str) -> dict[str, Any]:
    """What is stored of the judging of every task, and whether the record is in order."""
    from karat.campaign.events import Judged as Given
    from karat.campaign.events import JudgmentUndone
    from karat.campaign.judging.dealing import token
    from karat.server import store

    state: Campaign = store.state_of(name)
    held = [
        (who.removeprefix(f"{name}-"), task.name, token(state.seed, task.name, item), one.said.values, one.said.skipped)
        for task in state.definition.tasks
        for who, of in state.work_of(task.name).ballots.items()
        for item, one in of.items()
    ]
    events = [one.event for one in store.record_of(name) if isinstance(one.event, Given | JudgmentUndone)]
    people = {
        task.name: {unit: len(given) for unit, given in state.work_of(task.name).labels.items()}
        for task in state.definition.tasks
    }
    recorded = [(one.assessor.removeprefix(f"{name}-"), one.task, one.id) for one in events]
    return {"held": held, "recorded": recorded, "people": people, "verify": store.verify(name)}


def elsewhere(home: Path, told: Any, **environment: str) -> Any:
    """The same in a process of its own: a campaign that is made of these arguments, or what is stored, by its name."""
    command = [sys.executable, "-m", "tests.server.stages", str(home), json.dumps(told)]
    around, root = {**surroundings(), **environment}, Path(__file__).parents[2]
    done = subprocess.run(command, capture_output=True, text=True, env=around, cwd=root, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


if __name__ == "__main__":
    from karat.server.serving import prepare

    prepare(sys.argv[1])
    asked = json.loads(sys.argv[2])
    print(json.dumps(look(asked) if isinstance(asked, str) else make(**asked)))
