"""What cannot have happened in the judging of a campaign is found in its record, whatever its hashes are."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import msgspec
import pytest
from msgspec.structs import replace

from karat.campaign.archive import packed, unpacked, verified
from karat.campaign.definition import Judging
from karat.campaign.editing import check_edit
from karat.campaign.events import (
    GENESIS,
    Assigned,
    Entry,
    Event,
    Judged,
    JudgmentUndone,
    Revealed,
    RoundSet,
    Summarised,
    Unassigned,
    chained,
)
from karat.campaign.judging.doubts import JUDGING, misjudged
from karat.campaign.judging.library import Library
from karat.campaign.replaying import from_files, misfits
from karat.errors import DataError, UsageError
from tests.campaign.test_archive import members, summed
from tests.campaign.whole_worlds import WholeWorld, whole
from tests.campaign.worlds import AFTER


@cache
def world() -> WholeWorld:
    """A campaign in which everything happened."""
    return whole(3)


def forged(change: Callable[[Event], Event]) -> list[Entry]:
    """The record of the campaign, with the events that somebody would rather have, and hashes to match."""
    made: list[Entry] = []
    for one in world().entries:
        before = made[-1].hash if made else GENESIS
        made.append(chained(before, one.sequence, one.at, one.actor, change(one.event)))
    return made


def first(kind: type[Event], stage: str, **changes: object) -> Callable[[Event], Event]:
    """Change the first event of a kind and stage."""
    target = next(
        one.event
        for one in world().entries
        if isinstance(one.event, kind)
        and stage in ("", getattr(one.event, "stage", ""), getattr(getattr(one.event, "item", None), "stage", ""))
    )
    return lambda event: replace(event, **changes) if event is target else event


def judgment(**changes: object) -> Callable[[Event], Event]:
    """Change what the first label is about."""
    target = next(e.event for e in world().entries if isinstance(e.event, Judged) and e.event.item.stage == "labels")
    return lambda event: replace(event, item=replace(target.item, **changes)) if event is target else event


FORGED: dict[str, tuple[Callable[[], Callable[[Event], Event]], str]] = {
    "a unit that nobody was given": (lambda: judgment(unit="p99"), "about the unit 'p99' that would have been refused"),
    "a unit of others": (lambda: judgment(copy=3), "would have been refused"),
    "a label that there is not": (lambda: first(Judged, "labels", values={"label": "MAYBE"}), "MAYBE"),
    "a judgment by a stranger": (lambda: first(Judged, "labels", assessor="nobody"), "nobody"),
    "values cleared that never were": (lambda: first(Judged, "labels", cleared={"x": "1"}), "does not follow"),
    "less than no time": (lambda: first(Judged, "labels", seconds=-1.0), "does not follow"),
    "guidelines of the future": (lambda: first(Judged, "labels", guidelines=9), "version 9"),
    "undone what never was": (lambda: first(JudgmentUndone, "", assessor="kinkajou"), "nothing to take back"),
    "an example that is none": (lambda: first(Assigned, "qualification", units=("x9",)), "is in no file"),
    "a unit that is none": (lambda: first(Assigned, "norming", units=("p1", "p2", "q9")), "is in no file"),
    "a qualification for some": (lambda: first(Assigned, "qualification", per_unit=1), "a qualification that"),
    "a run that there is not": (
        lambda: first(Assigned, "ratings", runs={}),
        "runs to judge that the campaign does not",
    ),
    "a team that judges": (lambda: first(Assigned, "labels", assessors=("wombat",), per_unit=1), "do not judge"),
    "other units taken back": (lambda: first(Unassigned, "", units=("p1",)), "does not follow"),
    "a round of nothing": (lambda: first(RoundSet, "", task="nothing"), "there is no task"),
    "a summary of nothing": (lambda: first(Summarised, "", assessor="wombat"), "a summary of no judgments"),
    "votes shown too early": (lambda: first(Revealed, "", task="reasons"), "there is no norming round"),
}


@pytest.mark.parametrize("what", FORGED)
def test_what_nobody_can_have_judged(what: str) -> None:
    """It is a difference when the record is verified, and no archive to import."""
    entries, said = forged(FORGED[what][0]()), FORGED[what][1]
    contents = world().contents
    found = list(misfits(entries, from_files(contents), Library(contents.__getitem__)))
    assert said in found[-1], found
    with pytest.raises(DataError, match=r"an entry that cannot be replayed|event"):
        verified(packed_as(entries))


def packed_as(entries: list[Entry]) -> bytes:
    """An archive of a record that cannot be replayed as it is: written without a look at it."""
    inside = members(packed(world().entries, world().contents))
    return summed({**inside, "record.jsonl": b"".join(msgspec.json.encode(one) + b"\n" for one in entries)})


def test_a_whole_campaign_raises_no_doubts() -> None:
    """Exported, read and exported again, it is the same to the byte."""
    for seed in (14, 8, 9):
        one = whole(seed)
        raw = packed(one.entries, one.contents)
        assert packed(*unpacked(raw)) == raw
        assert verified(raw).entries == one.entries


def test_what_is_not_about_judging_is_for_others() -> None:
    """Every event of judging is looked at, and no other."""
    state = world().campaign
    for entry in world().entries:
        looked = list(misjudged(state, entry.event, AFTER))
        assert isinstance(entry.event, JUDGING) or not looked


def test_what_was_given_out_stays() -> None:
    """A task with its file, and the examples, once assessors have them."""
    state = world().campaign
    definition = state.definition
    check_edit(state, definition, state.files, AFTER)
    tasks = tuple(task for task in definition.tasks if task.name != "three-way")
    without = replace(definition, judging=Judging())
    other = state.files | {"x.tsv": state.files["agreement.md"]}
    for new, files, what in (
        (replace(definition, tasks=tasks), state.files, "keep|cannot be removed"),
        (without, state.files, "keep the file of the examples"),
        (definition, other, "keep the file of the examples"),
    ):
        with pytest.raises(UsageError, match=what):
            check_edit(state, new, files, AFTER)
