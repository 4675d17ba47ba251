"""A campaign in which assessors are at work on everything that can be judged, for tests of what they learn."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import msgspec
from msgspec.structs import replace

from karat.campaign.definition import Definition, Judging, Task
from karat.campaign.events import Item, Stage
from karat.campaign.judging.agenda import agenda
from karat.campaign.judging.dealing import token
from karat.server import accounts, assigning, judging
from tests.server import campaigns
from tests.server.judges import answers, entry
from tests.server.sights import LABELS, OTHERS, OWN, TASK, Drawn, World, upload
from tests.server.test_judging import FOUR

REASONS, QUIZ, PARTS, SERIES, ESSAYS = "reasons", "quiz", "parts", "series", "essays"
TASKS = (TASK, QUIZ, SERIES, ESSAYS, REASONS, PARTS)
WITH_KEY = (REASONS, PARTS)
"""The tasks in which an assessor is shown the label of a pair."""
QUESTIONS = """id\tseries\ttarget\ttype\tquestion
z1\tz\tThe yew\tFACTOID\tHow old is it?
z2\tz\tThe yew\tLIST\tWhere does it grow?
"""
RIGHT = {"All": "ENTAILMENT", "Nobody": "CONTRADICTION"}
COLLEAGUES = ("finch", "owl")
"""The other assessors; the second one adjudicates."""
PHASES = ("assigned", "others have judged", "half", "all", "revealed", "closed")
BLIND = PHASES[:4]
"""Before anybody is told what others said."""


@dataclass
class Bench(World):
    """A campaign with three assessors, one of whom is the one that asks."""

    others: Mapping[str, tuple[float, ...]] = field(default_factory=lambda: dict(islice(OTHERS.items(), 2)))
    said: str = "as usual"
    """By which the colleagues judge."""
    tasks: tuple[str, ...] = TASKS
    """What is given out."""
    sent: int = 0
    """The judgments so far: each has an id of its own."""

    def shaped(self, definition: Definition, files: dict[str, bytes]) -> Definition:
        """With examples, and with tasks in which everything else is judged."""
        files["x.xml"], files["z.tsv"], files["q.tsv"] = FOUR, QUESTIONS.encode(), b"id\tquestion\n"
        files["e.tsv"] = b"id\ttype\tquestion\ne1\tOTHER\tWhat became of the yew?\n"
        files["p.txt"], files["d.tsv"] = b"z1\told\n", b"id\ttext\nD1\tIt is old.\n"
        more = (
            Task(name=REASONS, kind="justifications", test="key.xml", justifications="required"),
            Task(name=QUIZ, kind="questions", test="z.tsv", patterns="p.txt", documents="d.tsv"),
            Task(name=PARTS, kind="decomposition", test="key.xml"),
            Task(name=SERIES, kind="questions", test="q.tsv"),
            Task(name=ESSAYS, kind="nuggets", test="e.tsv", documents="d.tsv"),
        )
        made = Judging(examples="x.xml", planted=1, repeats=2)
        return replace(definition, judging=made, tasks=(*definition.tasks, *more))

    def _open(self) -> None:
        super()._open()
        former = {self.renamed.get(team, team): team for team in self.others}
        for team in (OWN, *self.teams()):
            for task, file, data in self._runs(former.get(team, team)):
                Drawn.begin(f"{task} of {former.get(team, team)}")
                form = {"run": "1", "file": upload(data, f"{team.lower()}-{file}")}
                form |= {"justifications": "yes"} if task == REASONS else {}
                answer = self.browser(team).post(f"/c/{self.name}/tasks/{task}/submit/", form)
                assert answer.status_code == 302, answer.content.decode()

    def _runs(self, team: str) -> Iterator[tuple[str, str, bytes]]:
        """What a team sends beside its labels; no file contains a name."""
        rows: list[dict[str, Any]] = [
            {"id": f"qx{place:02d}", "label": self._drawn(team, place), "justification": f"It {place}."}
            for place in range(len(self.labels))
        ]
        yield REASONS, "why.jsonl", "".join(json.dumps(row) + "\n" for row in rows).encode()
        said = LABELS.index(self._drawn(team, "quiz"))
        text = f"run\tqid\trank\tdoc\tanswer\nr\tz1\t1\tD{said}\told\nr\tz2\t1\tD{said}\there\n"
        yield QUIZ, "answers.tsv", text.encode()
        words = hashlib.sha256(team.encode()).hexdigest()[:6]
        answer = [{"text": "It is old.", "citations": [0]}, {"text": f"It became {words}.", "citations": [1]}]
        essay = {"run_id": "r", "topic_id": "e1", "references": ["D1", f"D{said}x"], "answer": answer}
        yield ESSAYS, "essays.jsonl", json.dumps(essay).encode() + b"\n"

    def _drawn(self, *what: object) -> str:
        """A label that follows from these things."""
        return LABELS[hashlib.sha256(repr(what).encode()).digest()[0] % 3]

    @property
    def me(self) -> str:
        """The assessor who asks."""
        return f"{self.name}-rook"

    def phases(self) -> Iterator[str]:
        """Let assessors work, and stop after each step; the campaign has closed."""
        self.until("closed")
        for name in COLLEAGUES:
            self.people[name] = campaigns.member(self.name, None, f"{self.name}-{name}", role="assessor")
            self.tokens[name] = accounts.issue_token(self.name, f"{self.name}-{name}", "organiser")
        both, owl = [self.me, f"{self.name}-finch"], f"{self.name}-owl"
        self._give(TASK, "norming", *both, units=["qx20", "qx21", "qx22"])
        self._give(TASK, "labels", *both, units=[f"qx{place:02d}" for place in range(10)])
        self._give(QUIZ, "labels", *both)
        for task in (TASK, QUIZ):
            self._give(task, "adjudication", owl)
        self._give(REASONS, "ratings", *both, units=["qx01", "qx02"])
        self._give(PARTS, "parts", *both, units=["qx03"], per_unit=2)
        self._give(SERIES, "development", *both, units=["S1"], per_unit=2)
        for stage in ("nuggets", "citations", "quality", "preferences"):
            self._give(ESSAYS, stage, *both, per_unit=2)
        yield "assigned"
        self._play(both[1], self.said)
        yield "others have judged"
        self._play(self.me, "rook", 8)
        yield "half"
        self._play(self.me, "rook")
        self._play(owl, self.said)
        assigning.set_round(self.name, ESSAYS, "nuggets", opened=False)
        self._give(ESSAYS, "matches", *both)
        self._play(both[1], self.said)
        yield "all"
        self._play(self.me, "rook")
        assigning.reveal(self.name, TASK)
        yield "revealed"
        assigning.set_round(self.name, TASK, "labels", opened=False)
        assigning.set_round(self.name, QUIZ, "labels", opened=False)
        self._give(QUIZ, "lists", self.me)
        yield "closed"

    def _give(self, task: str, stage: Stage, *people: str, **how: Any) -> None:
        if task in self.tasks:
            assigning.assign(self.name, task, people, stage=stage, **how)

    def _play(self, who: str, salt: str, most: int = 10**6) -> None:
        """Let somebody judge so many units of each task, or all."""
        for task in self.tasks:
            for _ in range(most):
                if (shown := judging.next_unit(self.name, who, task)) is None:
                    break
                if shown.entry is not None:
                    said = entry(msgspec.to_builtins(shown), f"{salt} wrote this", True)
                    self._judge(who, task, f"{shown.unit}/one", said, salt)
                self._judge(who, task, shown.unit, self._values(shown, salt), salt)

    def _judge(self, who: str, task: str, unit: str, values: dict[str, str], salt: str) -> None:
        self.sent += 1
        id = f"{who} {task} {self.sent}".replace(self.name, "x")
        judging.judge(self.name, who, task, judging.Sheet(id, unit, values, 1, "", f"{salt} says so"))

    def _values(self, shown: judging.Shown, salt: str) -> dict[str, str]:
        """Answers that follow from the unit and from who is asked; examples are labelled rightly."""
        number = hashlib.sha256(f"{salt} {shown.unit}".encode()).digest()[0]
        values = answers(msgspec.to_builtins(shown), number, f"{salt} wrote this")
        if (right := RIGHT.get(shown.show.get("text", "").partition(" ")[0])) is not None:
            values["label"] = right
        if shown.stage == "adjudication":
            values |= {"reason": "error", "kind": f"kind of {salt}", "note": f"note of {salt}"}
        return values

    def units(self, role: str) -> dict[str, Stage]:
        """The addresses of units that an assessor has, with their stages: of each task and stage the first two."""
        who, found = self.me if role == "assessor" else f"{self.name}-{role}", dict[str, Stage]()
        for task in self.tasks if role in ("assessor", *COLLEAGUES) else ():
            of: dict[Stage, list[Item]] = {}
            for item in agenda(self.state, task, who):
                of.setdefault(item.stage, []).append(item)
            for stage, items in of.items():
                for item in items[:2]:
                    place = token(self.state.seed, task, item)
                    found[f"/c/{self.name}/tasks/{task}/judge/?unit={place}"] = stage
        return found

    def unspeakable(self, who: str = "rook") -> set[str]:
        """What an assessor must never meet: who the teams and the other assessors are, and what tells them."""
        state = self.state
        found = self.identities() | {state.nonce, state.seed, state.files["key.xml"], state.files["x.xml"]}
        found |= {*self.aliases().values(), *state.runs, *(run.name for run in state.runs.values())}
        found |= {run.received.sent.sha256 for run in state.runs.values()}
        others = [f"{self.name}-{name}" for name in ("rook", *COLLEAGUES) if name != who]
        for member in (state.members[name] for name in others if name in state.members):
            found |= {member.account, member.person}
        return found
