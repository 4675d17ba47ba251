"""A campaign without names: the same runs, keys and scores in a new record that says nothing of who took part."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace as remade
from functools import cache, singledispatch

from msgspec.structs import replace

from karat.campaign import checking
from karat.campaign.definition import Definition, Task
from karat.campaign.events import (
    GENESIS,
    Assigned,
    Created,
    Edited,
    Entry,
    Event,
    Extended,
    Item,
    Joined,
    Judged,
    JudgmentUndone,
    PrimaryChosen,
    Rekeyed,
    Released,
    Remarked,
    Revealed,
    RoundSet,
    RunReceived,
    RunWithdrawn,
    Sent,
    Signed,
    Summarised,
    Unassigned,
    chained,
    drawing,
    files_of,
)
from karat.campaign.judged import plainly, read_judgments
from karat.campaign.judging.library import Library
from karat.campaign.renaming import written_anew
from karat.campaign.replaying import from_files, misfits
from karat.campaign.sight import alias
from karat.campaign.state import Campaign, apply
from karat.errors import UsageError
from karat.formats.registry import verdict_formats

WITHHELD = "withheld"


def anonymised(entries: Sequence[Entry], contents: Mapping[str, bytes]) -> tuple[list[Entry], dict[str, bytes]]:
    """The same campaign without names, addresses, tokens and remarks, as a new chain with the files that it names."""
    masked = Masked(contents)
    made: list[Entry] = []
    for entry in entries:
        masked.state = apply(masked.state, entry)
        event = without_names(entry.event, masked)
        if event is not None:
            before = made[-1].hash if made else GENESIS
            made.append(chained(before, len(made) + 1, entry.at, masked.account(entry.actor), event))
    contents = {sha256: masked.contents[sha256] for entry in made for sha256 in files_of(entry.event)}
    if wrong := next(misfits(made, from_files(contents), Library(contents.__getitem__)), ""):
        raise UsageError(f"the campaign cannot be written without names: {wrong}")
    return made, contents


class Masked:
    """What everything is called instead, and the campaign so far as it really was."""

    def __init__(self, contents: Mapping[str, bytes]) -> None:
        self.state: Campaign | None = None
        self.contents = dict(contents)
        self._accounts: dict[str, str] = {}
        self._teams: dict[str, str] = {}
        self._runs: dict[str, str] = {}
        self._ballots: dict[str, str] = {}
        self.summaries: dict[tuple[str, str], str] = {}
        self.test = cache(self._test)

    @property
    def campaign(self) -> Campaign:
        """The campaign, which exists once its first entry was applied."""
        assert self.state is not None
        return self.state

    def account(self, name: str) -> str:
        """Accounts are numbered in the order in which they appear."""
        return self._accounts.setdefault(name, f"account-{len(self._accounts) + 1}")

    def team(self, name: str) -> str:
        """A team's alias, with a number after it if another team has the same one."""
        if name not in self._teams:
            own = alias(self.campaign, name)
            same = sum(one.startswith(own) for one in self._teams.values())
            self._teams[name] = f"{own}-{same + 1}" if same else own
        return self._teams[name]

    def run(self, id: str) -> str:
        """Runs are numbered: their ids stand in receipts."""
        return self._runs.setdefault(id, f"{len(self._runs) + 1:016x}")

    def ballot(self, id: str) -> str:
        """Judgments are numbered: their ids were made elsewhere."""
        return self._ballots.setdefault(id, f"{len(self._ballots) + 1}")

    def item(self, item: Item) -> Item:
        """What was judged."""
        return replace(item, run=self.shown(item.run)) if item.run else item

    def shown(self, run: str) -> str:
        """A run that is judged, or two that are compared."""
        return "+".join(map(self.run, run.split("+")))

    def definition(self, given: Definition) -> Definition:
        """A definition, which names no team but baselines."""
        return replace(given, baselines=tuple(self.team(name) for name in given.baselines))

    def sent(self, sent: Sent, id: str) -> Sent:
        """A file with nothing but its answers, which gives the same scores."""
        name, raw = self._written(sent)
        self.contents[sha256 := hashlib.sha256(raw).hexdigest()] = raw
        new = replace(sent, file=name, sha256=sha256, size=len(raw), statement="")
        state = self.campaign
        task = state.definition.task(sent.task)
        test = self.test(task, state.files[task.test], state.seed)
        before, after = (
            checking.check_run(
                test, one.file, self.contents[one.sha256], ranked=one.ranked, justifications=one.justifications
            )
            for one in (sent, new)
        )
        if (before.scores, before.answers) != (after.scores, after.answers):
            raise UsageError(f"run {id} cannot be written without its remarks: its scores would change")
        return new

    def judgments(self, task: str, name: str, sha256: str) -> str:
        """Judgments of answers with the new ids of runs; verdicts say nothing of who judged, and groups are numbered.

        In other files, assessors have had no names from the beginning.
        """
        raw = self.contents[sha256]
        raw = (
            self._verdicts(task, raw)
            if name == "verdicts"
            else plainly(name, raw, {id: self.run(id) for id in self.campaign.runs})
        )
        self.contents[new := hashlib.sha256(raw).hexdigest()] = raw
        return new

    def _verdicts(self, name: str, raw: bytes) -> bytes:
        state = self.campaign
        task = state.definition.task(name)
        questions = self.test(task, state.files[task.test], state.seed).units
        verdicts = read_judgments(questions, {"verdicts": raw}).verdicts
        assert verdicts is not None
        numbers = {group: f"g{number}" for number, group in enumerate(dict.fromkeys(verdicts.groups)) if group}
        groups = tuple(numbers.get(group, "") for group in verdicts.groups)
        return bytes(verdict_formats["table"].facts["write"](remade(verdicts, groups=groups)))

    def _test(self, task: Task, sha256: str, seed: str) -> checking.TestSet:
        return checking.read_test(task, self.contents[sha256], seed)

    def _written(self, sent: Sent) -> tuple[str, bytes]:
        """A run by a writer of the library: comments, other columns and justifications stay behind."""
        state = self.campaign
        task = state.definition.task(sent.task)
        test = self.test(task, state.files[task.test], state.seed)
        return written_anew(test, "run", sent.file, self.contents[sent.sha256], WITHHELD)


@singledispatch
def without_names(event: Event, masked: Masked) -> Event | None:
    """An event without names; None if it is about people or their messages alone."""
    del event, masked
    return None


@without_names.register
def _(event: Created, masked: Masked) -> Event:
    # With the seed, somebody could try which team's name has this alias.
    hidden = hashlib.sha256(event.seed.encode()).hexdigest()
    seed = (drawing(event.seed) + hidden)[: len(event.seed)]
    return replace(event, definition=masked.definition(event.definition), seed=seed)


@without_names.register
def _(event: Edited, masked: Masked) -> Event:
    return replace(event, definition=masked.definition(event.definition), reason=WITHHELD)


@without_names.register
def _(event: Joined, masked: Masked) -> Event:
    team = None if event.team is None else masked.team(event.team)
    return replace(event, account=masked.account(event.account), team=team, person="", contact="")


@without_names.register
def _(event: Signed, masked: Masked) -> Event:
    return replace(event, account=masked.account(event.account), person="")


@without_names.register
def _(event: Extended, masked: Masked) -> Event:
    return replace(event, team=masked.team(event.team), reason=WITHHELD)


@without_names.register
def _(event: RunReceived, masked: Masked) -> Event:
    return replace(
        event,
        id=masked.run(event.id),
        team=masked.team(event.team),
        account=masked.account(event.account),
        sent=masked.sent(event.sent, event.id),
        warnings=(),
        replaces=None if event.replaces is None else masked.run(event.replaces),
    )


@without_names.register
def _(event: RunWithdrawn, masked: Masked) -> Event:
    return replace(event, id=masked.run(event.id), reason=WITHHELD * bool(event.reason))


@without_names.register
def _(event: PrimaryChosen, masked: Masked) -> Event:
    return replace(event, team=masked.team(event.team))


@without_names.register
def _(event: Rekeyed, masked: Masked) -> Event:
    scores = {masked.run(id): of for id, of in event.scores.items()}
    judgments = {
        task: {name: masked.judgments(task, name, sha256) for name, sha256 in files.items()}
        for task, files in event.judgments.items()
    }
    return replace(event, reason=WITHHELD, scores=scores, judgments=judgments)


@without_names.register
def _(event: Released | Revealed, masked: Masked) -> Event:
    del masked
    return event


@without_names.register
def _(event: Assigned, masked: Masked) -> Event:
    runs = {unit: tuple(map(masked.shown, of)) for unit, of in event.runs.items()}
    return replace(event, assessors=tuple(map(masked.account, event.assessors)), runs=runs)


@without_names.register
def _(event: Unassigned, masked: Masked) -> Event:
    return replace(event, assessor=masked.account(event.assessor), reason=WITHHELD)


@without_names.register
def _(event: Judged, masked: Masked) -> Event:
    # What is written about others' labels is a remark; what stands in a list, such as a question, is data.
    remarks = ("kind", "note") if event.item.stage == "adjudication" else ()
    values = {name: WITHHELD if name in remarks and said else said for name, said in event.values.items()}
    return replace(
        event,
        id=masked.ballot(event.id),
        item=masked.item(event.item),
        assessor=masked.account(event.assessor),
        values=values,
        skipped=WITHHELD * bool(event.skipped),
        comment="",
        program=WITHHELD * bool(event.program),
        imported=WITHHELD * bool(event.imported),
    )


@without_names.register
def _(event: JudgmentUndone, masked: Masked) -> Event:
    who = masked.account(event.assessor)
    return replace(event, id=masked.ballot(event.id), item=masked.item(event.item), assessor=who)


@without_names.register
def _(event: RoundSet, masked: Masked) -> Event:
    del masked
    return replace(event, reason=WITHHELD * bool(event.reason))


@without_names.register
def _(event: Remarked, masked: Masked) -> Event:
    return replace(event, account=masked.account(event.account), text=WITHHELD)


@without_names.register
def _(event: Summarised, masked: Masked) -> Event | None:
    place, text = (event.task, event.assessor), WITHHELD * bool(event.text)
    if masked.summaries.get(place, "") == text:  # another summary, which would look the same
        return None
    masked.summaries[place] = text
    return replace(event, assessor=masked.account(event.assessor), text=text)
