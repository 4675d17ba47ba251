"""The assessors of the example campaigns: one qualifies, two are half way through, one adjudicates, and all talk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from karat import examples
from karat.campaign.commands import Edit
from karat.campaign.judging.commands import Remark
from karat.server import assigning, judging
from karat.server.accounts import HOST
from karat.server.store import digest_of, execute, state_of

TASK = "three-way"
ASSESSORS = {
    "Wren": "has voted in the norming round, and labelled half of the pairs",
    "Robin": "labels the same pairs, without seeing what Wren says",
    "Finch": "is still qualifying, at the second attempt",
    "Owl": "decides where the labels of Wren and Robin differ",
}
"""What can be seen through the eyes of each assessor."""
EXAMPLES = "qualification.xml"
SOURCES = {"Wren": "anna", "Robin": "ben"}
"""Whose labels each of them gives, of the ballots that come with karat."""
PLANTED, QUALIFYING, TRIED = 2, 5, 2
"""How many of the examples stand among the pairs, by how many assessors qualify, and how many have been tried again."""
SECOND_GUIDELINES = """
What counts is the time of the text. If it says that somebody may or will do something, it does not say that they did.
"""
CHANGED = "the norming round showed that we read “may” in two ways"
# Pairs of the test set, by what the shipped ballots say about them.
DISPUTED = ("8", "22", "58", "14", "30", "32", "38", "48", "54", "72")
AGREED = ("1", "2", "3", "5")
DISCUSSED = ("77", "78", "4", "10")
REST = ("11", "13", "15", "17", "19", "21", "23", "25")
DECIDED = {"8": "UNKNOWN", "22": "UNKNOWN", "58": "UNKNOWN"}
REMARKS = {
    "Wren": "I took the text at its word here.",
    "Robin": "I added what every reader knows, as the guidelines say.",
}
HALF = 8


def work(campaign: str, join: Callable[[str], None], guidelines: str) -> None:
    """Let assessors work in a campaign; if that was broken off, it goes on where it was."""
    first = f"Owl first {campaign}"
    if first in state_of(campaign).ballot_ids:
        return
    for name in ASSESSORS:
        join(name)
    both = list(SOURCES)
    _assign(campaign, both, "norming", DISCUSSED)
    for who in both:
        _play(campaign, who, ("qualification", "norming"))
    if not state_of(campaign).work_of(TASK).revealed:
        assigning.reveal(campaign, TASK)
        for who, text in REMARKS.items():
            execute(campaign, Remark(task=TASK, unit=DISCUSSED[0], account=who, text=text), who)
    _edit(campaign, guidelines + SECOND_GUIDELINES)
    _assign(campaign, both, "labels", DISPUTED + AGREED)
    for who in both:
        _play(campaign, who, ("qualification", "norming"))
        _play(campaign, who, ("labels",), HALF)
    _assign(campaign, ["Finch"], "labels", REST)
    _play(campaign, "Finch", ("qualification",), QUALIFYING + TRIED)
    _assign(campaign, ["Owl"], "adjudication", ())
    _decide(campaign, first)


def finish(campaign: str, join: Callable[[str], None]) -> None:
    """Let the assessors of a campaign that is over label some pairs, adjudicate them, and close the round."""
    for name in (*SOURCES, "Owl"):
        join(name)
    if "labels" in state_of(campaign).work_of(TASK).closed:
        return
    _assign(campaign, list(SOURCES), "labels", (*DECIDED, *AGREED))
    for who in SOURCES:
        _play(campaign, who, ("labels",))
    _assign(campaign, ["Owl"], "adjudication", ())
    while _decide(campaign, ""):
        pass
    assigning.set_round(campaign, TASK, "labels", opened=False)


def _assign(campaign: str, assessors: list[str], stage: Any, units: tuple[str, ...]) -> None:
    assigning.assign(campaign, TASK, assessors, stage=stage, units=units, per_unit=len(assessors))


def _play(campaign: str, who: str, stages: tuple[str, ...], most: int = 10**6) -> None:
    """Let somebody judge whatever comes next, as long as it is of these stages."""
    given, seen = (
        _labels(who),
        len([id for id in state_of(campaign).ballot_ids if id.startswith(f"{who} {stages[0]} ")]),
    )
    while seen < most and (shown := judging.next_unit(campaign, who, TASK)) is not None and shown.stage in stages:
        label = given[shown.show["text"], shown.show["hypothesis"]]
        if len({vote["label"] for vote in shown.show.get("labels", ())}) > 1:
            label = "UNKNOWN"  # once they have talked, they agree
        if who == "Finch" and seen < most - TRIED:
            label = "ENTAILMENT"  # too often
        sheet = judging.Sheet(f"{who} {shown.stage} {shown.unit}", shown.unit, {"label": label}, shown.guidelines)
        judging.judge(campaign, who, TASK, sheet)
        seen += 1


def _decide(campaign: str, id: str) -> bool:
    """Let the adjudicator decide on the next unit; whether there was one."""
    shown = judging.next_unit(campaign, "Owl", TASK)
    if shown is None:
        return False
    said = {
        "label": "UNKNOWN",
        "reason": "difference",
        "kind": "background knowledge",
        "note": "Readers can fill the gap in two ways, so that the text decides neither.",
    }
    judging.judge(campaign, "Owl", TASK, judging.Sheet(id or f"Owl {shown.unit}", shown.unit, said, shown.guidelines))
    return True


def _labels(who: str) -> dict[tuple[str, str], str]:
    """What somebody says about each pair: a label of the shipped ballots, or the known label of an example."""
    from karat.formats.ballots import read_ballots  # here: they load numpy
    from karat.formats.registry import read_pairs

    pairs, ballots = read_pairs(examples.PAIRS), read_ballots(examples.BALLOTS)
    row = ballots.matrix()[ballots.assessors.index(SOURCES.get(who, "anna"))]
    said = {unit: ballots.scale.values[code] for unit, code in zip(ballots.units, row.tolist(), strict=True)}
    found = {(pairs.texts[place], pairs.hypotheses[place]): said[id] for id, place in pairs.index.items()}
    known = read_pairs(examples.HERE / EXAMPLES)
    assert known.way is not None
    for place, code in enumerate(known.labels.tolist()):
        found[known.texts[place], known.hypotheses[place]] = known.way.labels[code]
    return found


def _edit(campaign: str, text: str) -> None:
    """Replace the guidelines."""
    state, data = state_of(campaign), text.encode()
    name, digest = str(state.definition.guidelines), digest_of(data)
    if state.files[name] != digest:
        command = Edit(definition=state.definition, files=state.files | {name: digest}, reason=CHANGED)
        execute(campaign, command, HOST, {digest: data})
