"""Random campaigns with real test sets and runs, in which every name, address and remark can be recognised."""

from __future__ import annotations

import hashlib
import json
import random
from datetime import datetime, timedelta
from typing import Any, ClassVar

from msgspec.structs import replace

from karat import examples
from karat.campaign.checking import check_run, read_test
from karat.campaign.commands import (
    ChoosePrimary,
    Edit,
    EndInvitation,
    Extend,
    Invite,
    IssueToken,
    Join,
    NoteMail,
    Rekey,
    Release,
    RevokeToken,
    SendReport,
    Sign,
    Submit,
    Withdraw,
)
from karat.campaign.definition import Judging, Task
from karat.campaign.events import Area, RunReceived, Scores, Sent
from karat.campaign.replaying import from_files
from karat.errors import KaratError
from tests.campaign.whole_answers import assess_answers
from tests.campaign.whole_judging import assess
from tests.campaign.worlds import AFTER, CLOSES, DEFINITION, DURING, OPENS, World

LABELS = ("ENTAILMENT", "UNKNOWN", "CONTRADICTION")
QUESTIONS = (examples.QUESTIONS / "questions.xml").read_bytes()
ANSWERS = (examples.QUESTIONS / "runs" / "steady.tsv").read_text(encoding="utf-8")
JUDGMENTS = (examples.QUESTIONS / "judgments.tsv").read_text(encoding="utf-8")
TASKS = (
    Task(name="three-way", test="pairs.tsv", runs=3, justifications="optional", public_share=0.3),
    Task(name="two-way", way=2, test="pairs.tsv", runs=2, public_share=0.3),
    Task(name="questions", kind="questions", test="questions.xml"),
)
RATED = Task(name="reasons", kind="justifications", test="pairs.tsv", justifications="required", public_share=0.3)
DECOMPOSED = Task(name="parts", kind="decomposition", test="pairs.tsv", public_share=0.3)
EXAMPLES = b"""id\ttext\thypothesis\tlabel
x1\tAll ran.\tSome ran.\tENTAILMENT
x2\tNone ran.\tSome ran.\tCONTRADICTION
x3\tSome ran.\tAll ran.\tUNKNOWN
"""
PAIRS = 12
TEAMS = ("Quokka", "Zorilla.Lab", "Wombat_9")
"""Words that occur nowhere else."""
PEOPLE = ("Ludmilla Ostrowska", "Gwendolyn Fairweather", "Bartholomew Quince")


def digest(data: bytes) -> str:
    """A SHA-256."""
    return hashlib.sha256(data).hexdigest()


def key(labels: list[str]) -> bytes:
    """A test set with these labels."""
    rows = [f"p{n}\tText {n}.\tHypothesis {n}.\t{label}" for n, label in enumerate(labels, 1)]
    return "\n".join(["id\ttext\thypothesis\tlabel", *rows, ""]).encode()


class WholeWorld(World):
    """A campaign whose files are kept, and whose runs are checked and scored as a server does it."""

    now = OPENS
    facts: ClassVar[dict[str, Any]] = {
        "tasks": (*TASKS, RATED, DECOMPOSED),
        "baselines": (TEAMS[2],),
        "judging": Judging(examples="x.tsv", qualify=0.5),
    }

    def __init__(self, seed: int = 0, **changes: Any) -> None:
        self.dice = random.Random(seed)
        self.secrets: set[str] = set()
        labels = [LABELS[n % 3] for n in range(PAIRS)]
        self.dice.shuffle(labels)
        files = {
            "pairs.tsv": key(labels),
            "questions.xml": QUESTIONS,
            "agreement.md": b"# We agree\n",
            "x.tsv": EXAMPLES,
        }
        self.contents = {digest(data): data for data in files.values()}
        self.labels = labels
        digests = {name: digest(data) for name, data in files.items()}
        super().__init__(DEFINITION, digests, **self.facts | changes)

    def random(self, size: int) -> bytes:
        """Bytes by the dice of this campaign."""
        return self.dice.randbytes(size)

    def keep(self, data: bytes) -> str:
        """Store a file."""
        self.contents[digest(data)] = data
        return digest(data)

    def secret(self, text: str) -> str:
        """A text that nobody may find in an anonymous archive."""
        self.secrets.add(text)
        return text

    def remark(self, person: str) -> str:
        """A remark with a name in it."""
        return self.secret(f"{person} said so ({self.dice.random()})")

    def arrive(self) -> None:
        """Teams, an organiser and an assessor join, with tokens and invitations."""
        people = zip(("quokka-1", "quokka-2", "zorilla", "wombat"), (TEAMS[0], *TEAMS), strict=True)
        for account, team in people:
            person = self.secret(self.dice.choice(PEOPLE))
            contact = self.secret(f"{account}@{team.lower()}.example")
            join = Join(
                account=self.secret(account), role="team", team=self.secret(team), person=person, contact=contact
            )
            self.do(Invite(role="team", name=team))
            self.do(replace(join, signed=person))
            mark = self.secret(self.dice.randbytes(6).hex())
            self.do(IssueToken(account=account, fingerprint=mark))
            if self.dice.random() < 0.3:
                self.do(RevokeToken(account=account, fingerprint=mark))
        self.do(Invite(role="assessor", name=self.secret("Peregrine")))
        self.do(EndInvitation(role="assessor", name="Peregrine"))
        self.do(Join(account=self.secret("kinkajou"), role="organiser", person=self.secret("Kin Kajou")))

    def run_text(self, task: str, person: str) -> tuple[str, bytes]:
        """A run with its file name, in one of several formats, with a name in a remark where there is room for one."""
        if task == "questions":
            return self.secret("quokka.tsv"), ANSWERS.replace("steady", self.secret("Quokkarun")).encode()
        labels = ("ENTAILMENT", "NO_ENTAILMENT") if task == "two-way" else LABELS
        rows = [(f"p{n}", self.dice.choice(labels), round(self.dice.random(), 3)) for n in range(1, PAIRS + 1)]
        self.dice.shuffle(rows)
        kind = self.dice.randrange(3)
        if kind == 0 and task != "reasons":
            lines = [
                json.dumps({"id": id, "label": label, "confidence": sure, "note": self.remark(person)})
                for id, label, sure in rows
            ]
            return self.secret("quokka-final.jsonl"), ("\n".join(lines) + "\n").encode()
        if task == "reasons" or (kind == 1 and task == "three-way"):
            lines = [
                json.dumps({"id": id, "label": label, "justification": self.remark(person)}) for id, label, _ in rows
            ]
            return self.secret("why-by-ludmilla.jsonl"), ("\n".join(lines) + "\n").encode()
        lines = ["ranked: yes", "ranked-by: entailment", *(f"{id} {label.replace('_', ' ')}" for id, label, _ in rows)]
        return self.secret("zorilla.txt"), ("\n".join(lines) + "\n").encode()

    def hand_in(self, account: str, task: str, at: datetime, bad: bool = False, area: Area = "official") -> None:
        """Somebody sends a run, which may be refused."""
        person = self.dice.choice(PEOPLE)
        file, raw = self.run_text(task, person)
        raw = raw + self.remark(person).encode() if bad else raw
        facts = {"task": task, "run": None, "file": file, "sha256": self.keep(raw), "size": len(raw), "received": at}
        facts["area"] = area
        ranked = file == "zorilla.txt" and task != "questions"
        sent = Sent(**facts, statement=self.remark(person), ranked=ranked, manual=self.dice.random() < 0.2)  # type: ignore[arg-type]
        state = self.campaign
        of = state.definition.task(task)
        test = read_test(of, self.contents[state.files[of.test]], state.seed)
        checked = check_run(test, file, raw, ranked=ranked)
        if self.dice.random() < 0.5:
            sent = replace(sent, run=self.dice.randint(1, 3))
        self.secrets.add(sent.sha256)
        self.attempt(Submit(account=account, sent=sent, checked=checked, key=state.files[of.test]), at)

    def attempt(self, command: object, at: datetime | None = None) -> None:
        """Carry out a command that may be refused."""
        try:
            self.do(command, at)  # type: ignore[arg-type]
        except KaratError:
            return

    def rekey(self, at: datetime = AFTER) -> None:
        """The organisers correct a label."""
        self.labels[self.dice.randrange(PAIRS)] = self.dice.choice(LABELS)
        files = {"pairs.tsv": self.keep(key(self.labels))}
        state = replace(self.campaign, files=self.campaign.files | files)
        rescore = from_files(self.contents)
        scores: dict[str, Scores] = {id: rescore(state, run.received) for id, run in state.runs.items() if run.scores}
        self.attempt(Rekey(files=files, scores=scores, reason=self.remark(PEOPLE[0])), at)

    def judge(self) -> None:
        """People judge the answers, and one of them is named in the file."""
        head, *rows = JUDGMENTS.splitlines()
        named = [f"{row}\t{self.secret('Isolde Judge')}" for row in rows]
        judgments = {"questions": {"verdicts": self.keep("\n".join([f"{head}\tassessor", *named, ""]).encode())}}
        self.secrets |= {*judgments["questions"].values()}
        state = replace(self.campaign, judgments=judgments)
        rescore = from_files(self.contents)
        runs = state.active(task="questions")
        scores: dict[str, Scores] = {run.received.id: rescore(state, run.received) for run in runs}
        assert all(scores.values())
        self.do(Rekey(judgments=judgments, scores=scores, reason=self.remark(PEOPLE[2])), AFTER)

    def live(self, steps: int = 16) -> None:
        """Anything happens, then the results are released."""
        dice, accounts = self.dice, ("quokka-1", "quokka-2", "zorilla", "wombat")
        for step in range(steps):
            at, account = OPENS + timedelta(hours=step), dice.choice(accounts)
            match dice.randrange(8):
                case 0:
                    runs = [*self.campaign.runs, "none"]
                    self.attempt(Withdraw(account=account, id=dice.choice(runs), reason=self.remark(PEOPLE[1])), at)
                case 1:
                    self.attempt(ChoosePrimary(account=account, task="three-way", number=dice.randint(2, 3)), at)
                case 2:
                    paper = self.secret(f"%PDF by {PEOPLE[2]} {dice.random()}").encode()
                    facts = {"sha256": self.keep(paper), "size": len(paper), "received": at}
                    self.attempt(SendReport(account=account, file=self.secret("quince.pdf"), **facts), at)  # type: ignore[arg-type]
                case 3:
                    until = CLOSES + timedelta(days=dice.randint(0, 1))
                    self.attempt(Extend(team=dice.choice(TEAMS), until=until, reason=self.remark(PEOPLE[0])), at)
                case 4:
                    new = replace(self.campaign.definition, title=f"RTE {step}", baselines=dice.sample(TEAMS, 1))
                    new = replace(new, baselines=tuple(new.baselines))
                    edit = Edit(definition=new, files=self.campaign.files, reason=self.remark(PEOPLE[1]))
                    self.attempt(edit, at)
                case _:
                    self.hand_in(account, dice.choice(TASKS).name, at, bad=dice.random() < 0.2)
        self.attempt(NoteMail(subject=self.remark(PEOPLE[0]), teams=TEAMS), DURING)
        if dice.random() < 0.7:
            self.rekey()
        if dice.random() < 0.5:
            self.judge()
        self.attempt(Release(to="teams"), AFTER)
        self.secrets |= {self.campaign.seed, *self.campaign.runs}

    def drag_on(self, steps: int = 60) -> None:
        """Days of runs before and after deadlines that move, with new keys, agreements and releases in between."""
        dice, accounts, at = self.dice, ("quokka-1", "quokka-2", "zorilla", "wombat"), OPENS - timedelta(hours=12)
        for _ in range(steps):
            at += timedelta(minutes=dice.choice((1, 30, 300)))
            definition, files = self.campaign.definition, self.campaign.files
            account, closes = dice.choice(accounts), definition.dates.closes
            match dice.randrange(18):
                case 0:
                    closes = dice.choice((at - timedelta(minutes=30), at + timedelta(days=1), CLOSES))
                    dates = replace(definition.dates, closes=closes.replace(microsecond=0))
                    if dates.closes > dates.opens:
                        new = replace(definition, dates=dates, grace=dice.choice((0, 60, 600)))
                        self.attempt(Edit(definition=new, files=files, reason="a new deadline"), at)
                case 1:
                    until = max(at, closes) + timedelta(hours=dice.choice((1, 9)))
                    self.attempt(Extend(team=dice.choice(TEAMS), until=until, reason="more time"), at)
                case 2:
                    agreed = files | {"agreement.md": self.keep(f"# We agree {dice.randrange(2)}\n".encode())}
                    self.attempt(Edit(definition=definition, files=agreed, reason="another text"), at)
                case 3 | 4:
                    self.attempt(Sign(account=account, person=PEOPLE[0]), at)
                case 5:
                    self.rekey(at)
                case 6:
                    self.attempt(Release(to=dice.choice(("teams", "public"))), at)
                case 7:
                    self.attempt(Withdraw(account=account, id=dice.choice([*self.campaign.runs, "none"])), at)
                case 8:
                    self.attempt(ChoosePrimary(account=account, task="three-way", number=dice.randint(1, 3)), at)
                case 9:
                    self.hand_in(account, "three-way", at, area="practice")
                case _:
                    self.hand_in(account, dice.choice(TASKS[:2]).name, at)


def whole(seed: int = 0, **changes: Any) -> WholeWorld:
    """A random campaign, with at least one run of each kind."""
    world = WholeWorld(seed, **changes)
    world.arrive()
    for task in TASKS:
        world.hand_in("quokka-1", task.name, OPENS)
    dice, world.dice = world.dice, random.Random(f"{seed}")
    for account in ("quokka-1", "zorilla"):
        world.hand_in(account, RATED.name, OPENS)
    world.hand_in("zorilla", "questions", OPENS)
    world.dice = dice
    world.live()
    assess(world)
    assess_answers(world)
    world.secrets |= {*world.campaign.runs, *world.campaign.ballot_ids}
    assert any(isinstance(entry.event, RunReceived) for entry in world.entries)
    return world
