"""Releasing results and writing to teams, the same from the command line and from pages."""

from __future__ import annotations

import threading
from datetime import datetime
from typing import Any, NamedTuple

from msgspec.structs import asdict

from karat.campaign.commands import NoteMail, Release
from karat.campaign.dates import exact, plain
from karat.campaign.events import Audience
from karat.campaign.judging.closing import open_rounds
from karat.campaign.letters import About, Letter, letters, sent_before
from karat.campaign.releasing import Check, after_release, checklist, earliest, hindrances
from karat.campaign.sight import Eyes, Sight, sights
from karat.campaign.state import Campaign
from karat.campaign.state import apply as followed
from karat.errors import UsageError
from karat.server import mail
from karat.server.accounts import HOST
from karat.server.developing import unwritten
from karat.server.store import execute, keyed, now, record_of, state_of, test_set

LETTER: dict[Audience, About] = {"teams": "results", "public": "public"}
"""The letter that goes with each release."""
_sending = threading.Lock()
"""Whoever presses the button twice sends once."""


class Mailing(NamedTuple):
    """A letter to all teams, and what has become of it."""

    letters: list[Letter]
    before: dict[str, datetime]
    """When each team was sent it before."""

    @property
    def mute(self) -> list[str]:
        """The teams that have no address."""
        return [one.team for one in self.letters if not one.to]

    @property
    def due(self) -> list[Letter]:
        """The letters that can be sent and have not been."""
        return [one for one in self.letters if one.to and one.team not in self.before]


class Told(NamedTuple):
    """What became of a letter at one address, or why it was not sent."""

    sent: bool
    text: str


def release(
    campaign: str,
    to: Audience,
    *,
    apply: bool = False,
    mailed: bool = False,
    again: bool = False,
    address: str = "",
    actor: str = HOST,
) -> dict[str, Any]:
    """Release results, or say what a release would lead to; with `mailed` also the letters that go with it."""
    state, moment = state_of(campaign), now()
    hindered = [] if to in state.released else hindrances(state, to, moment)
    done, told = apply and not hindered, dict[str, list[Told]]()
    before = changes(state, to, moment)
    checks = [one._asdict() for one in checks_of(state, to, moment)]
    if done:
        state = execute(campaign, Release(to=to), actor).state
    shown = mailing(after_release(state, to, moment), LETTER[to], moment, address) if mailed else Mailing([], {})
    if done and mailed:
        try:
            told = send(campaign, LETTER[to], address, actor, again)
        except UsageError as error:  # the release stands all the same
            told = {one.team: [Told(False, str(error))] for one in shown.letters}
    return {
        "campaign": campaign,
        "to": to,
        "applied": done,
        "hindered": hindered,
        "checklist": checks,
        "sees": {role: {"now": asdict(was), "then": asdict(will)} for role, (was, will) in before.items()},
        "letters": [
            {
                "team": one.team,
                "to": list(one.to),
                "subject": one.subject,
                "text": one.text,
                "sent_before": exact(shown.before[one.team]) if one.team in shown.before else None,
                "mail": [result.text for result in told.get(one.team, [])],
            }
            for one in shown.letters
        ],
    }


def checks_of(state: Campaign, to: Audience, moment: datetime) -> list[Check]:
    """Everything to look at before a release, with what only the files tell."""
    empty = [
        Check("caution", f"{task.name} has no questions, so that it has no runs either.") for task in unwritten(state)
    ]
    judged = [
        Check("caution", f"{task.name} is still being judged, and its scores can change: {', '.join(rounds)}.")
        for task in state.definition.tasks
        if (rounds := open_rounds(state, task))
    ]
    return [*checklist(state, to, moment), *judged, *empty]


def changes(state: Campaign, to: Audience, moment: datetime) -> dict[Eyes, tuple[Sight, Sight]]:
    """What each role sees now, and after the release at the earliest moment at which it is possible."""
    then = max(moment, earliest(state, to))
    was, will = sights(state, moment), sights(after_release(state, to, then), then)
    return {role: (was[role], will[role]) for role in was}


def mailing(state: Campaign, about: About, moment: datetime, address: str) -> Mailing:
    """The letters to all teams whom they concern; a `UsageError` if the teams may not see what is in them."""
    before = before_newest_key(state) if about == "key" else None
    return Mailing(list(letters(state, about, moment, address, before)), sent_before(state, about))


def before_newest_key(state: Campaign) -> Campaign:
    """The state just before the newest key came into force."""
    former: Campaign | None = None
    for entry in record_of(state.definition.name):
        after = followed(former, entry)
        if former is not None and len(after.keys) == len(state.keys):
            return former
        former = after
    return state


def send(campaign: str, about: About, address: str, actor: str = HOST, again: bool = False) -> dict[str, list[Told]]:
    """Send a letter to all teams that have not had it, or to all `again`; what became of it, by team.

    What fails for one address stops no other, and the record names the teams that at least one message was sent to.
    """
    with _sending:
        written = mailing(state_of(campaign), about, now(), address)
        told = {one.team: _unsent(written, one) for one in written.letters}
        chosen = [one for one in written.letters if one.to] if again else written.due
        if not chosen:
            return told
        mail.check_server()
        reached: list[str] = []
        try:
            for one in chosen:
                told[one.team] = [_sent(to, one) for to in one.to]
                reached += [one.team] * any(result.sent for result in told[one.team])
        finally:
            if reached:
                execute(campaign, NoteMail(subject=chosen[0].subject, teams=tuple(reached)), actor)
    return told


def _unsent(written: Mailing, one: Letter) -> list[Told]:
    """Why a letter is not sent, as far as it is not."""
    if not one.to:
        return [Told(False, "not sent: nobody in this team has given an address")]
    at = written.before.get(one.team)
    return [] if at is None else [Told(False, f"not sent: it was sent before, on {plain(at)}")]


def _sent(to: str, one: Letter) -> Told:
    try:
        return Told(True, mail.send(to, one.subject, one.text))
    except UsageError as error:
        return Told(False, str(error))


def methods_of(state: Campaign, seeing: Sight) -> tuple[str, str]:
    """The methods paragraphs of the overview paper and their references, for somebody who sees all scores."""
    from karat.campaign.methods import methods, references
    from karat.server.results import official, report

    if not (seeing.scores and seeing.key):
        raise UsageError("the methods give numbers of the key: they are there once results are public")
    tasks = state.definition.tasks
    tests = {task.name: test_set(state, task) for task in tasks}
    runs = {task.name: official(state, task, seeing) for task in tasks}
    reports = {task.name: report(state, task, runs[task.name]) for task in tasks if runs[task.name]}
    known = [key.tests for key in state.keys if key.at < state.definition.dates.opens][-1:] or [state.keys[0].tests]
    opened = {
        task.name: keyed(task, known[0][task.name], state.seed)
        if task.name in known[0] and not task.needs_people
        else tests[task.name]
        for task in tasks
    }
    text = methods(state, tests, reports, seeing, opened)
    return text, references(state, text)
