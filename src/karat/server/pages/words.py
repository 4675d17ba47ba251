"""What happened, in words: one sentence for each kind of event."""

from __future__ import annotations

from functools import singledispatch

from karat.campaign.dates import exact
from karat.campaign.definition import Task
from karat.campaign.events import (
    Assigned,
    BallotsImported,
    Created,
    Edited,
    Event,
    Extended,
    InvitationEnded,
    Invited,
    Joined,
    Judged,
    JudgmentUndone,
    Mailed,
    PrimaryChosen,
    Rekeyed,
    Released,
    Remarked,
    ReportReceived,
    Revealed,
    RoundSet,
    RunReceived,
    RunRefused,
    RunWithdrawn,
    Signed,
    Stage,
    Summarised,
    TokenIssued,
    TokenRevoked,
    Unassigned,
)
from karat.campaign.judging.kinds import kinds_of

STAGES: dict[Stage, str] = {
    "qualification": "qualification",
    "norming": "norming round",
    "labels": "labels",
    "planted": "labels",
    "ratings": "ratings",
    "adjudication": "adjudication",
    "lists": "lists of distinct answers",
    "nuggets": "lists of nuggets",
    "matches": "nuggets in responses",
    "citations": "support by citations",
    "quality": "content and organisation",
    "preferences": "preferences",
    "parts": "decomposition",
    "development": "new questions",
}
"""What is judged, in words."""


def stages_of(task: Task) -> dict[Stage, str]:
    """What is judged in a task, in words: answers to questions get verdicts, not labels."""
    words = STAGES | ({"labels": "verdicts"} if task.kind == "questions" else {})
    return {stage: words[stage] for stage in kinds_of(task)}


@singledispatch
def said(event: Event) -> str:
    """An event as a sentence."""
    raise TypeError(f"no words for {type(event).__name__}")


@said.register
def _(event: Created) -> str:
    return f"The campaign was created, with commitment {event.commitment[:12]}…"


@said.register
def _(event: Edited) -> str:
    return f"The campaign was changed: {event.reason}"


@said.register
def _(event: Invited) -> str:
    return f"A link was made for the {event.role} {event.name}, valid until {exact(event.expires)[:16]}Z"


@said.register
def _(event: InvitationEnded) -> str:
    what = "a new password of" if event.role == "reset" else f"the {event.role}"
    return f"The link for {what} {event.name} was ended before it was used"


@said.register
def _(event: Joined) -> str:
    what = f"as a member of team {event.team}" if event.team else f"as {event.role}"
    return f"{event.person} joined {what}, with the account {event.account}"


@said.register
def _(event: Signed) -> str:
    return f"{event.person} accepted the agreement {'on paper' if event.on_paper else 'by typing their name'}"


@said.register
def _(event: TokenIssued) -> str:
    return f"{event.account} was given a token for programs, {event.fingerprint}"


@said.register
def _(event: TokenRevoked) -> str:
    return f"The token {event.fingerprint} of {event.account} was revoked"


@said.register
def _(event: Extended) -> str:
    return f"Team {event.team} was given until {exact(event.until)[:19]}Z: {event.reason}"


@said.register
def _(event: RunReceived) -> str:
    late, area = " late" * event.late, " as a practice run" * (event.sent.area == "practice")
    instead = f", instead of {event.replaces}" if event.replaces else ""
    return f"{event.team}-{event.number} was received{late}{area} for {event.sent.task}: {event.sent.file}{instead}"


@said.register
def _(event: RunRefused) -> str:
    problems = "1 problem" if event.count == 1 else f"{event.count} problems"
    return f"A file from team {event.team} for {event.sent.task} was refused: {event.sent.file}, {problems}"


@said.register
def _(event: RunWithdrawn) -> str:
    return f"Run {event.id} was withdrawn" + (f": {event.reason}" if event.reason else "")


@said.register
def _(event: PrimaryChosen) -> str:
    return f"Team {event.team} chose run {event.number} as its primary run for {event.task}"


@said.register
def _(event: ReportReceived) -> str:
    return f"Team {event.team} sent its system report: {event.file}"


@said.register
def _(event: Rekeyed) -> str:
    runs = "1 run was" if len(event.scores) == 1 else f"{len(event.scores)} runs were"
    return f"The key was replaced, and {runs} scored again: {event.reason}"


@said.register
def _(event: Released) -> str:
    return "All results were made public" if event.to == "public" else "Each team was given its own results"


@said.register
def _(event: Mailed) -> str:
    return f"A message was sent to {', '.join(event.teams)}: {event.subject}"


@said.register
def _(event: Assigned) -> str:
    units = "whatever is disputed" if event.stage == "adjudication" else _count(event.units, "unit")
    pool = ", from one pool" * event.shared
    return f"{units} of {event.task} given to {', '.join(event.assessors)} ({STAGES[event.stage]}){pool}"


@said.register
def _(event: Unassigned) -> str:
    return f"{_count(event.units, 'unit')} of {event.task} taken back from {event.assessor}: {event.reason}"


@said.register
def _(event: Judged) -> str:
    what = "skipped" if event.skipped else "judged"
    return f"{event.assessor} {what} unit {event.item.unit} of {event.task} ({STAGES[event.item.stage]})"


@said.register
def _(event: BallotsImported) -> str:
    judgments = f"{event.count:,} judgment{'s' * (event.count != 1)}"
    return f"{judgments} of {event.task} brought in from {event.file} (SHA-256 {event.sha256})"


@said.register
def _(event: JudgmentUndone) -> str:
    return f"{event.assessor} took back a judgment of unit {event.item.unit} of {event.task}"


@said.register
def _(event: RoundSet) -> str:
    done = "opened again" if event.open else "closed"
    return f"The round of {event.task} was {done} ({STAGES[event.stage]})" + (
        f": {event.reason}" if event.reason else ""
    )


@said.register
def _(event: Revealed) -> str:
    return f"The votes of the norming round of {event.task} were shown to those who voted"


@said.register
def _(event: Remarked) -> str:
    return f"{event.account} said something about unit {event.unit} of {event.task}"


@said.register
def _(event: Summarised) -> str:
    return f"{event.assessor} wrote a summary of {event.task}"


def _count(things: tuple[str, ...], noun: str) -> str:
    return f"{len(things):,} {noun}{'s' * (len(things) != 1)}"
