"""A campaign that is led through all its states by moving the clock, for tests of who sees what."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from msgspec.structs import replace

from karat.campaign.commands import Edit, Extend, Join, Rekey, Release, Sign
from karat.campaign.dates import Dates
from karat.campaign.definition import Definition, Task
from karat.campaign.sight import alias
from karat.campaign.state import Campaign
from karat.server import accounts, api, middleware, models, operations, results, store, submitting
from karat.server.making import Kept, Line
from karat.server.throttle import Rate
from tests.server import campaigns

BEFORE = ("preparing", "registering", "data", "open", "grace", "closed")
"""The states before any release, in the order in which a campaign passes through them."""
TEAMS = ("teams", "teams with key")
PUBLIC = ("anonymous", "named")
START = datetime(2027, 3, 1, tzinfo=UTC)
REGISTER, DATA, OPENS, CLOSES, NAMES = (START + timedelta(days=day) for day in (10, 20, 30, 40, 60))
WHEN = {
    "preparing": START,
    "registering": REGISTER,
    "data": DATA,
    "open": OPENS + timedelta(hours=1),
    "grace": CLOSES + timedelta(minutes=40),
    "closed": CLOSES + timedelta(hours=2),
    "teams": CLOSES + timedelta(days=2),
    "teams with key": CLOSES + timedelta(days=3),
    "anonymous": CLOSES + timedelta(days=10),
    "named": NAMES + timedelta(days=1),
}
LABELS = ("ENTAILMENT", "UNKNOWN", "CONTRADICTION")
KEY = tuple(LABELS[hashlib.sha256(b"%d" % place).digest()[0] % 3] for place in range(57))
"""The labels of the key; 57 units give accuracies with many digits, which nothing else is spelled like."""
TASK = "three-way"
OWN, UNSIGNED = "Alder", "Cedar"
REASON = "Unit qx07 was judged wrongly"
"""Why the key is replaced, which tells a label."""
GUIDELINES = b"# How to judge\n\nDecide by the text.\n"
OTHERS: Mapping[str, tuple[float, ...]] = {
    "Zebrawood": (0.82, 0.6),
    "Yellowwood": (0.71,),
    "Walnut": (0.55,),
    "Teakwood": (0.9,),
}
"""Other teams, each with about this share of right answers in its runs."""
ELSEWHERE = re.compile(rb'\s*<a class="card" href="/c/(?!CAMPAIGN/).*?</a>', re.S)
"""A card that leads to another campaign."""
JUDGMENT = re.compile(rb"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""The id of a judgment that is not given yet."""
NEW_ENTRY = re.compile(rb'data-entry="([0-9a-f]{12})" data-new')
MARK = re.compile(rb'name="csrfmiddlewaretoken" value="[^"]*"')
_numbers = itertools.count(1)


whole_page = results._page
"""How whole reports are really made."""


class Clock(datetime):
    """A clock that stands still until it is set."""

    at: ClassVar[datetime] = START

    @classmethod
    def now(cls, tz: Any = None) -> Any:
        """The time that it is set to."""
        del tz
        return cls.at


def freeze(patch: pytest.MonkeyPatch) -> None:
    """Let the server go by that clock, and wait for nobody; ids follow from what they are for."""
    Clock.at = START
    patch.setattr(store, "datetime", Clock)
    patch.setattr(middleware, "datetime", Clock)
    patch.setattr(store, "secrets", SimpleNamespace(token_bytes=Drawn.bytes))
    # A whole report takes seconds; here it shows what it is made from, on which alone it depends.
    patch.setattr(results, "_page", lambda asked: f"<p>{asked._replace(seed='')}</p>".encode())
    patch.setattr(results, "whole", Kept(Line(), results.MOST_BYTES, len))
    patch.setattr(api, "requests", Rate(10**9, 60))
    patch.setattr(submitting, "submissions", Rate(10**9, 60))


class Drawn:
    """What is drawn at random: a function of what it is for."""

    purpose = ""
    count = 0

    @classmethod
    def begin(cls, purpose: str) -> None:
        """Say what the next draws are for."""
        cls.purpose, cls.count = purpose, 0

    @classmethod
    def bytes(cls, size: int) -> bytes:
        """So many bytes."""
        cls.count += 1
        return hashlib.sha256(f"{cls.purpose} {cls.count}".encode()).digest()[:size]


def test_file(labels: tuple[str, ...]) -> bytes:
    """A test set with its key; an empty label is left out."""
    pairs = "".join(
        f'<pair id="qx{place:02d}"{f" entailment={chr(34)}{label}{chr(34)}" if label else ""} task="IE">'
        f"<t>Text {place}.</t><h>Hypothesis {place}.</h></pair>\n"
        for place, label in enumerate(labels)
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<entailment-corpus>\n{pairs}</entailment-corpus>\n'.encode()


def run_file(team: str, right: float, labels: tuple[str, ...] = KEY) -> bytes:
    """A run with about this share of right answers; it does not contain the name of its team."""
    lines = []
    for place, label in enumerate(labels):
        draw = int.from_bytes(hashlib.sha256(f"{team} {right} {place}".encode()).digest()[:4], "big") / 2**32
        given = label if draw < right else LABELS[(LABELS.index(label) + 1 + int(draw * 1000) % 2) % 3]
        lines.append(f"qx{place:02d} {given}\n")
    return "".join(lines).encode()


def upload(data: bytes, name: str) -> SimpleUploadedFile:
    """A file in a form."""
    return SimpleUploadedFile(name, data)


@dataclass
class World:
    """A campaign with people in every role."""

    labels: tuple[str, ...] = KEY
    others: Mapping[str, tuple[float, ...]] = field(default_factory=lambda: OTHERS)
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Other names for the other teams, which then send what those would have sent."""
    share: float = 0.0
    name: str = ""
    people: dict[str, Any] = field(default_factory=dict)
    """A browser for each role."""
    tokens: dict[str, str] = field(default_factory=dict)
    stage: str = ""
    sessions: dict[str, Any] = field(default_factory=dict)
    """A browser for each team that has sent anything."""

    @property
    def state(self) -> Campaign:
        """The state of the campaign."""
        return store.state_of(self.name)

    def account(self, team: str) -> str:
        """The account of a team."""
        return f"{self.name}-{team.lower()}"

    def stages(self) -> Iterator[str]:
        """Lead the campaign through its states, and stop in each."""
        for stage, moment in WHEN.items():
            Clock.at = moment
            getattr(self, "_" + stage.replace(" ", "_"), lambda: None)()
            self.stage = stage
            yield stage

    def until(self, last: str) -> World:
        """Lead the campaign to a state."""
        for stage in self.stages():
            if stage == last:
                break
        return self

    def teams(self) -> dict[str, tuple[float, ...]]:
        """The other teams by the names that they have here."""
        return {self.renamed.get(team, team): runs for team, runs in self.others.items()}

    def shaped(self, definition: Definition, files: dict[str, bytes]) -> Definition:
        """The definition, and its files, in a world that is made of this one."""
        del files
        return definition

    def _preparing(self) -> None:
        self.name = f"sight-{next(_numbers):03d}"
        files = {"key.xml": test_file(self.labels), "terms.md": campaigns.AGREEMENT, "guide.md": GUIDELINES}
        task = Task(name=TASK, title="Three-way", test="key.xml", runs=4, public_share=self.share)
        dates = Dates(register=REGISTER, data=DATA, opens=OPENS, closes=CLOSES, names=NAMES)
        definition = Definition(
            name=self.name,
            title="Who sees what",
            agreement="terms.md",
            guidelines="guide.md",
            grace=60,
            practice=True,
            baselines=(list(self.teams())[-1],),
            dates=dates,
            tasks=(task,),
        )
        Drawn.begin("campaign")
        definition = self.shaped(definition, files)
        operations.create(definition, files.__getitem__, "campaign.toml")
        for role, account in (("organiser", "olga"), ("assessor", "rook")):
            self.people[role] = campaigns.member(self.name, None, f"{self.name}-{account}", role=role)
        for team in (OWN, UNSIGNED, *self.teams()):
            self._join(team)
        names = {"team": OWN, "unsigned": UNSIGNED, "other": next(iter(self.teams()))}
        for role, team in names.items():
            self.people[role] = campaigns.logged_in(models.Account.objects.get(name=self.account(team)))
        members = {role: self.account(team) for role, team in names.items()}
        members |= {"organiser": f"{self.name}-olga", "assessor": f"{self.name}-rook"}
        self.tokens = {role: accounts.issue_token(self.name, one, "organiser") for role, one in members.items()}
        stranger, _ = models.Account.objects.get_or_create(name="passer-by", defaults={"password": "!"})
        self.people |= {"nobody": campaigns.client(), "stranger": campaigns.logged_in(stranger)}
        self.people["host"] = campaigns.host()
        for role, eyes in {"as team": f"team:{OWN}", "as assessor": "assessor", "as public": "public"}.items():
            self.people[role] = campaigns.logged_in(models.Account.objects.get(name=f"{self.name}-olga"))
            assert self.people[role].post(f"/c/{self.name}/see-as/", {"as": eyes}).status_code == 302

    def _join(self, team: str) -> None:
        account = self.account(team)
        person, contact = f"Dr {team} Someone", f"{team.lower()}@example.org"
        join = Join(account=account, role="team", team=team, person=person, contact=contact)
        store.execute(self.name, join, "organiser")
        if team != UNSIGNED:
            store.execute(self.name, Sign(account=account, person=person), account)
        models.Account.objects.create(name=account, password="!")

    def _open(self) -> None:
        for number, right in enumerate((0.75, 0.5, 0.65), 1):
            self._send(OWN, right, min(number, 2))  # the third replaces the second
        self._send(OWN, 0.45, 3)
        self._refuse(OWN)
        self._withdraw(OWN, 3)
        former = {self.renamed.get(team, team): team for team in self.others}
        for team, rights in self.teams().items():
            for number, right in enumerate(rights, 1):
                self._send(team, right, number, former[team])
            self._send(team, 0.4, 4, former[team])
            self._withdraw(team, 4)
            self._refuse(team)
            self._report(team)
        self._report(OWN)
        for team in list(self.teams())[:1]:
            until = CLOSES + timedelta(minutes=30)
            store.execute(self.name, Extend(team=team, until=until, reason=f"{team} had no power"), "organiser")

    def _grace(self) -> None:
        for team in list(self.teams())[1:2]:
            self._send(team, 0.61, 2, {self.renamed.get(one, one): one for one in self.others}[team])

    def _closed(self) -> None:
        self.rekey((*self.labels[:7], LABELS[(LABELS.index(self.labels[7]) + 1) % 3], *self.labels[8:]))
        self._send(OWN, 0.3, 1, practice="yes")
        for team in list(self.teams())[:1]:
            self._send(team, 0.33, 1, practice="yes")

    def _teams(self) -> None:
        store.execute(self.name, Release(to="teams"), "organiser")

    def _teams_with_key(self) -> None:
        definition = replace(self.state.definition, key_with_results=True)
        store.execute(self.name, Edit(definition=definition, files=self.state.files, reason="fair"), "organiser")

    def _anonymous(self) -> None:
        store.execute(self.name, Release(to="public"), "organiser")

    def rekey(self, labels: tuple[str, ...]) -> None:
        """Replace the key."""
        data, state = test_file(labels), self.state
        digest = store.digest_of(data)
        models.Content.objects.get_or_create(sha256=digest, defaults={"data": data})
        new = replace(state, files=state.files | {"key.xml": digest})
        scores = {id: store.rescored(new, run.received) for id, run in state.runs.items() if run.scores}
        store.execute(self.name, Rekey(files={"key.xml": digest}, scores=scores, reason=REASON), "organiser")

    def browser(self, team: str) -> Any:
        """The browser with which a team sends what it sends, and in which it is told so."""
        if team not in self.sessions:
            self.sessions[team] = campaigns.logged_in(models.Account.objects.get(name=self.account(team)))
        return self.sessions[team]

    def _send(self, team: str, right: float, number: int, former: str = "", **more: str) -> None:
        Drawn.begin(f"{former or team} {right} {self.others if team != OWN else ''}")
        form: dict[str, Any] = {"run": str(number), "statement": f"Made by {team}", **more}
        form["file"] = upload(run_file(former or team, right), f"{team.lower()}-{right * 100:.0f}.txt")
        answer = self.browser(team).post(f"/c/{self.name}/tasks/{TASK}/submit/", form)
        assert answer.status_code == 302, answer.content.decode()

    def _refuse(self, team: str) -> None:
        form = {"file": upload(f"{team} has sent nonsense\n".encode(), f"{team.lower()}-bad.txt"), "run": "1"}
        assert self.browser(team).post(f"/c/{self.name}/tasks/{TASK}/submit/", form).status_code == 422

    def _withdraw(self, team: str, number: int) -> None:
        run = next(run for run in self.state.active(team) if run.received.number == number)
        form = {"reason": f"{team} erred"}
        assert self.browser(team).post(f"/c/{self.name}/runs/{run.received.id}/withdraw/", form).status_code == 302

    def _report(self, team: str) -> None:
        form = {"report": upload(f"%PDF of {team}".encode(), f"{team.lower()}.pdf")}
        assert self.browser(team).post(f"/c/{self.name}/report/", form).status_code == 302

    def secrets(self) -> set[str]:
        """What a team must not meet before the release: who the others are, and what they have sent."""
        state, found = self.state, {self.state.nonce, self.state.seed, REASON}
        found |= {state.files["key.xml"], store.digest_of(test_file(self.labels)), *self.identities(OWN)}
        runs = [run.received for run in state.runs.values() if run.received.team != OWN]
        return found | {run.id for run in runs} | {run.sent.sha256 for run in runs}

    def identities(self, *known: str) -> set[str]:
        """Whatever tells who the other teams are, and what only they and the organisers have ever seen."""
        state, found = self.state, set[str]()
        for member in state.members.values():
            if member.team is not None and member.team not in known:
                found |= {member.team, member.account, member.person, member.contact}
        hidden = [run.received for run in state.runs.values() if run not in state.active()]
        unseen = [(event.team, event.sent) for event in hidden] + [
            (event.team, event.sent) for _, event in state.refused
        ]
        sent = [(run.received.team, run.received.sent) for run in state.runs.values()]
        for team, one in (*sent, *unseen):
            if team not in known:
                found |= {one.file, one.statement}
        found |= {one.sha256 for team, one in unseen if team not in known}
        reports = [team.report for team in state.teams.values() if team.name not in known]
        return (found | {value for one in reports if one is not None for value in (one.file, one.sha256)}) - {""}

    def normalising(self) -> Callable[[bytes], bytes]:
        """A function that takes from pages what differs from campaign to campaign and from session to session."""
        meant = [(self.name.encode(), b"CAMPAIGN")]
        meant += [(key.commitment.encode(), b"COMMITMENT") for key in self.state.keys]
        meant += [(store.digest_of(one.encode())[:12].encode(), b"FINGERPRINT") for one in self.tokens.values()]

        def normal(body: bytes) -> bytes:
            for own, told in meant:
                body = body.replace(own, told)
            body = ELSEWHERE.sub(b"", body)
            body = JUDGMENT.sub(b"ID", body)
            for entry in NEW_ENTRY.findall(body):
                body = body.replace(entry, b"ENTRY")
            return MARK.sub(b"CSRF", body)

        return normal

    def aliases(self) -> dict[str, str]:
        """What each team is called while it is anonymous."""
        return {team: alias(self.state, team) for team in self.state.teams}
