"""A campaign in which assessors are at work, for tests of what they learn."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from karat.campaign.definition import Definition, Judging, Task
from karat.campaign.events import Item
from karat.campaign.judging.work import token
from karat.server import accounts, assigning, judging
from tests.server import campaigns
from tests.server.sights import LABELS, OWN, TASK, Drawn, World, upload
from tests.server.test_judging import FOUR

REASONS, QUIZ, PARTS, SERIES = "reasons", "quiz", "parts", "series"
QUESTIONS = """id\tseries\ttarget\ttype\tquestion
z1\tz\tThe yew\tFACTOID\tHow old is it?
z2\tz\tThe yew\tLIST\tWhere does it grow?
"""
WRITTEN = ((PARTS, "parts", "qx03"), (SERIES, "development", "S1"))
"""What is written entry by entry: the task, the stage and the unit that two people have."""
RIGHT = {"All": "ENTAILMENT", "Nobody": "CONTRADICTION"}
COLLEAGUES = ("finch", "owl")
"""The other assessors; the second one adjudicates."""
PHASES = ("assigned", "others have judged", "half", "all", "revealed", "closed")
BLIND = PHASES[:4]
"""Before anybody is told what others said."""


@dataclass
class Bench(World):
    """A campaign with three assessors, one of whom is the one that asks."""

    said: str = "as usual"
    """By which the colleagues judge."""
    rated: bool = True
    """Whether justifications are rated, for which the key is shown."""
    sent: int = 0
    """The judgments so far: each has an id of its own."""

    def shaped(self, definition: Definition, files: dict[str, bytes]) -> Definition:
        """With examples, and with a task of justifications."""
        files["x.xml"] = FOUR
        reasons = Task(name=REASONS, kind="justifications", test="key.xml", justifications="required")
        made = Judging(examples="x.xml", planted=1, repeats=2)
        files["z.tsv"], files["q.tsv"] = QUESTIONS.encode(), b"id\tquestion\n"
        quiz = Task(name=QUIZ, kind="questions", test="z.tsv")
        parts = Task(name=PARTS, kind="decomposition", test="key.xml")
        series = Task(name=SERIES, kind="questions", test="q.tsv")
        return replace(definition, judging=made, tasks=(*definition.tasks, reasons, quiz, parts, series))

    def _open(self) -> None:
        super()._open()
        former = {self.renamed.get(team, team): team for team in self.others}
        for team in (OWN, *self.teams()):
            Drawn.begin(f"reasons of {former.get(team, team)}")
            rows = [
                {
                    "id": f"qx{place:02d}",
                    "label": self._drawn(former.get(team, team), place),
                    "justification": f"It {place}.",
                }
                for place in range(len(self.labels))
            ]
            data = "".join(json.dumps(row) + "\n" for row in rows).encode()
            form = {"run": "1", "justifications": "yes", "file": upload(data, f"{team.lower()}-why.jsonl")}
            answer = self._browser(team).post(f"/c/{self.name}/tasks/{REASONS}/submit/", form)
            assert answer.status_code == 302, answer.content.decode()
            Drawn.begin(f"answers of {former.get(team, team)}")
            said = LABELS.index(self._drawn(former.get(team, team), "quiz"))
            data = f"run\tqid\trank\tdoc\tanswer\nr\tz1\t1\tD{said}\told\nr\tz2\t1\tD{said}\there\n".encode()
            form = {"run": "1", "file": upload(data, f"{team.lower()}-answers.tsv")}
            answer = self._browser(team).post(f"/c/{self.name}/tasks/{QUIZ}/submit/", form)
            assert answer.status_code == 302, answer.content.decode()

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
        both = [self.me, f"{self.name}-finch"]
        assigning.assign(self.name, TASK, both, stage="norming", units=["qx20", "qx21", "qx22"])
        assigning.assign(self.name, TASK, both, units=[f"qx{place:02d}" for place in range(10)])
        assigning.assign(self.name, TASK, [f"{self.name}-owl"], stage="adjudication")
        if self.rated:
            assigning.assign(self.name, REASONS, both, units=["qx01", "qx02"])
            for task, stage, unit in WRITTEN:
                assigning.assign(self.name, task, both, stage=stage, units=[unit], per_unit=2)  # type: ignore[arg-type]
        assigning.assign(self.name, QUIZ, both)
        assigning.assign(self.name, QUIZ, [f"{self.name}-owl"], stage="adjudication")
        yield "assigned"
        self._play(both[1], self.said)
        yield "others have judged"
        self._play(self.me, "rook", 8)
        yield "half"
        self._play(self.me, "rook")
        self._play(f"{self.name}-owl", self.said)
        yield "all"
        assigning.reveal(self.name, TASK)
        yield "revealed"
        assigning.set_round(self.name, TASK, "labels", opened=False)
        assigning.set_round(self.name, QUIZ, "labels", opened=False)
        assigning.assign(self.name, QUIZ, [self.me], stage="lists")
        yield "closed"

    def _play(self, who: str, salt: str, most: int = 10**6) -> None:
        """Let somebody judge so many units, or all."""
        for task, stage, unit in WRITTEN if self.rated and "owl" not in who else ():
            self._write(who, task, Item(stage, unit), salt)  # type: ignore[arg-type]
        count = 0
        for task in (TASK, QUIZ, REASONS) if self.rated else (TASK, QUIZ):
            while count < most and (shown := judging.next_unit(self.name, who, task)) is not None:
                count += 1
                values = self._values(shown.stage, shown.show, salt)
                comment = f"{salt} says so"
                self.sent += 1
                sheet = judging.Sheet(
                    f"{who} {task} {self.sent}".replace(self.name, "x"), shown.unit, values, 1, "", comment
                )
                judging.judge(self.name, who, task, sheet)

    def _write(self, who: str, task: str, item: Item, salt: str) -> None:
        """Let somebody write a list, and finish it."""
        part = {"phenomenon": "lexical:identity", "hypothesis": f"{salt} wrote this", "label": LABELS[0]}
        about = {"target": f"{salt} wrote this"} if task == SERIES else {}
        for values, entry in (({"kind": "OTHER"} if task == SERIES else part, "/one"), (about, "")):
            self.sent += 1
            unit = token(self.state.seed, task, item) + entry
            id = f"{who} {task} {self.sent}".replace(self.name, "x")
            judging.judge(self.name, who, task, judging.Sheet(id, unit, values, 1, "", f"{salt} says so"))

    def _values(self, stage: str, show: dict[str, Any], salt: str) -> dict[str, str]:
        if stage == "ratings":
            return {
                "understandable": str(1 + LABELS.index(self._drawn(salt, show["justification"], show["place"])) // 2)
            }
        if "answer" in show:
            label = "WUXRL"[LABELS.index(self._drawn(salt, show["answer"], show["document"]))]
            return {"label": label} | (
                {"reason": "error", "note": f"note of {salt}"} if stage == "adjudication" else {}
            )
        label = RIGHT.get(show["text"].split()[0]) or self._drawn(salt, show["text"])
        if stage == "adjudication":
            return {"label": label, "reason": "error", "kind": f"kind of {salt}", "note": f"note of {salt}"}
        return {"label": label}

    def unspeakable(self, who: str = "rook") -> set[str]:
        """What an assessor must never meet: who the teams and the other assessors are, and what tells them."""
        state = self.state
        found = self.identities() | {state.nonce, state.seed, state.files["key.xml"], state.files["x.xml"]}
        found |= {*self.aliases().values(), *state.runs}
        found |= {run.received.sent.sha256 for run in state.runs.values()}
        others = [f"{self.name}-{name}" for name in ("rook", *COLLEAGUES) if name != who]
        for member in (state.members[name] for name in others if name in state.members):
            found |= {member.account, member.person}
        return found
