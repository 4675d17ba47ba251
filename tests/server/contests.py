"""Campaigns with runs whose results can be released, for tests of what is seen of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.test import Client

from karat import examples
from karat.campaign.commands import Release
from karat.campaign.definition import Task
from karat.campaign.sight import alias
from karat.campaign.state import Campaign, Run
from karat.server import store
from karat.server.submitting import Declared, submit
from tests.server import campaigns

TEAMS: Mapping[str, Sequence[str]] = {
    "Alder": ("careful.jsonl", "confident.jsonl"),
    "Birch": ("cautious.txt",),
    "Cedar": ("terse.jsonl",),
    "Dogwood": ("ranked.txt",),
    "Eucalypt": ("overlap.txt",),
}
FEW = {team: TEAMS[team] for team in ("Alder", "Birch", "Cedar")}
RUNS = {f"{team}-{number}": file for team, files in TEAMS.items() for number, file in enumerate(files, 1)}
"""The file of each run."""


@dataclass
class Contest:
    """A campaign with its people."""

    name: str
    people: dict[str, Client] = field(default_factory=dict)
    """By team, or as `organiser`, `assessor` and `nobody`."""

    @property
    def state(self) -> Campaign:
        """The state now."""
        return store.state_of(self.name)

    @property
    def task(self) -> Task:
        """The only task."""
        return self.state.definition.tasks[0]

    def alias(self, team: str) -> str:
        """What a team is called while it is anonymous."""
        return alias(self.state, team)

    def run(self, name: str) -> Run:
        """A run that counts, by its name."""
        return next(run for run in self.state.active() if run.name == name)

    def get(self, who: str, address: str = "results/") -> Any:
        """What somebody is answered."""
        return self.people[who].get(f"/c/{self.name}/{address}")

    def text(self, who: str, address: str = "results/") -> str:
        """The page that somebody sees."""
        answer = self.get(who, address)
        assert answer.status_code == 200, (who, address, answer.status_code)
        return str(answer.content.decode())

    def send(self, team: str, data: bytes, file: str = "run.txt", **said: Any) -> Any:
        """A run that was in time; of the practice area, one that is sent now."""
        ago = timedelta(days=0 if said.get("practice") else 1.5)
        declared = Declared(task="three-way", **said)
        return submit(self.name, f"{self.name}-{team}", file, data, declared, store.now() - ago)

    def release(self, *audiences: Any) -> None:
        """Show results to teams or to everybody."""
        for to in audiences:
            store.execute(self.name, Release(to=to), "organiser")


def contest(teams: Mapping[str, Sequence[str]] = TEAMS, share: float = 0.0, **facts: Any) -> Contest:
    """A campaign that has closed, with one run of each file."""
    task = Task(
        name="three-way",
        title="Three-way entailment",
        test="pairs.xml",
        runs=9,
        justifications="optional",
        public_share=share,
    )
    given: dict[str, Any] = {"opens": -2, "closes": -1, "tasks": (task,), "agreement": False}
    made = Contest(campaigns.make_campaign(**given | facts))
    organiser, assessor = f"{made.name}-org", f"{made.name}-judge"
    made.people["organiser"] = campaigns.member(made.name, None, organiser, role="organiser", signed=False)
    made.people["assessor"] = campaigns.member(made.name, None, assessor, role="assessor", signed=False)
    made.people["nobody"] = campaigns.client()
    for team, files in teams.items():
        made.people[team] = campaigns.member(made.name, team, f"{made.name}-{team}", signed=False)
        for file in files:
            made.send(team, (examples.RUNS / file).read_bytes(), f"{team}s {file}")
    return made
