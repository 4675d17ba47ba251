"""Campaigns with assessors, for tests of judging."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, field
from typing import Any

from karat.server import models
from karat.server.accounts import HOST, issue_token
from tests.server import campaigns


@dataclass
class Panel:
    """A campaign with assessors, each with a token."""

    name: str
    tokens: dict[str, str] = field(default_factory=dict)

    def ask(self, who: str, path: str, body: Any = None, task: str = "three-way") -> Any:
        """A request of somebody, as a program sends it."""
        address = f"/api/campaigns/{self.name}/tasks/{task}/{path}"
        headers = {"Authorization": f"Bearer {self.tokens[who]}"}
        if body is None:
            return campaigns.client().get(address, headers=headers)
        return campaigns.client().post(address, json.dumps(body), content_type="application/json", headers=headers)

    def next(self, who: str, task: str = "three-way") -> Any:
        """What somebody is asked next; None if nothing is left."""
        answer = self.ask(who, "next", task=task)
        return None if answer.status_code == 204 else answer.json()

    def judge(self, who: str, unit: str, task: str = "three-way", **more: Any) -> Any:
        """Judge something."""
        body = {"id": str(uuid.uuid4()), "unit": unit, "guidelines": 0} | more
        return self.ask(who, "ballots", body, task)

    def play(self, who: str, label: Any, task: str = "three-way") -> int:
        """Judge all that there is, by a function of what is shown."""
        count = 0
        while (shown := self.next(who, task)) is not None:
            answer = self.judge(who, shown["unit"], task, values=label(shown["show"]))
            assert answer.status_code == 201, answer.content
            count += 1
        return count

    def browser(self, who: str) -> Any:
        """The browser of an assessor, who has logged in."""
        return campaigns.logged_in(models.Account.objects.get(name=f"{self.name}-{who}"))

    def page(self, who: str, path: str, form: Any = None) -> Any:
        """A page of the campaign, as an assessor gets it; the host for `organiser`."""
        one = campaigns.host() if who == "organiser" else self.browser(who)
        address = f"/c/{self.name}/{path}"
        return one.get(address) if form is None else one.post(address, form)

    def names(self, *people: str) -> list[str]:
        """The accounts of assessors."""
        return [f"{self.name}-{who}" for who in people]


def make(*people: str, **facts: Any) -> Panel:
    """A campaign that has closed, with assessors."""
    made = Panel(campaigns.make_campaign(**{"agreement": False, "opens": -3, "closes": -1} | facts))
    for who in people:
        (account,) = made.names(who)
        campaigns.member(made.name, None, account, role="assessor", signed=False)
        made.tokens[who] = issue_token(made.name, account, HOST)
    return made
