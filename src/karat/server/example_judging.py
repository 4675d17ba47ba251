"""The assessors of the example campaigns: one qualifies, two are half way through, one adjudicates; three rate."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from karat import examples
from karat.campaign.commands import Edit
from karat.campaign.events import Item
from karat.campaign.judging.commands import Remark, Summarise
from karat.campaign.judging.kinds import kinds_of
from karat.server import assigning, judging
from karat.server.accounts import HOST
from karat.server.store import digest_of, execute, material, state_of

TASK, RATED = "three-way", "justifications"
ASSESSORS = {
    "Wren": "has voted in the norming round, labelled half of the pairs, and rated justifications",
    "Robin": "labels the same pairs and rates the same justifications, without seeing what Wren says",
    "Finch": "is still qualifying, at the second attempt, and has begun to rate justifications",
    "Owl": "decides where the labels of Wren and Robin differ",
}
"""What can be seen through the eyes of each assessor."""
EXAMPLES = "qualification.xml"
SOURCES = {"Wren": "anna", "Robin": "ben"}
"""Whose labels each of them gives, of the ballots that come with karat."""
RATERS = {"Wren": "doris", "Robin": "gus", "Finch": "fay"}
"""Whose ratings each of them gives, of those that come with karat."""
RATED_PAIRS = ("10", "16", "30", "43", "57", "88", "94", "113")
BEGUN = 10
"""How many justifications the last of them has rated."""
PACE = {"Wren": 1.0, "Robin": 0.8, "Finch": 1.3, "Owl": 1.7}
"""How long each of them takes, against what is usual."""
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
DISAGREES = "The text does not decide this, whatever the key says."
HALF = 8
QUESTIONS, SERIES, SOME_ANSWERS = "questions", ("1.", "2."), 4
"""The task whose answers are judged, the series that are given out, and how many answers have been judged."""


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
    _judge_answers(campaign)
    _decide(campaign, first)


def _judge_answers(campaign: str) -> None:
    """Let two assessors judge answers to the questions of two series: Wren some of them, Robin none yet."""
    state = state_of(campaign)
    task = state.definition.task(QUESTIONS)
    pool = kinds_of(task)["labels"].units(material(state, task))
    units = [unit for unit in pool if unit.startswith(SERIES)]
    assigning.assign(campaign, QUESTIONS, list(SOURCES), units=units, per_unit=2)
    known = _verdicts()
    for _ in range(SOME_ANSWERS):
        shown = judging.next_unit(campaign, "Wren", QUESTIONS)
        if shown is None:
            return
        label = known[shown.show["question"], shown.show["document"], shown.show["answer"]]
        sheet = judging.Sheet(
            f"Wren answers {shown.unit}", shown.unit, {"label": label}, shown.guidelines, suggested=shown.suggested
        )
        judging.judge(campaign, "Wren", QUESTIONS, sheet)


def _verdicts() -> dict[tuple[str, str, str], str]:
    """The verdicts that come with karat, by question, document and answer."""
    from karat.data.verdicts import LETTERS  # here: they load numpy
    from karat.formats.question_table import read_questions
    from karat.formats.verdict_table import read_verdicts

    questions = read_questions(examples.HERE / "qa" / "questions.xml")
    found = read_verdicts(examples.HERE / "qa" / "judgments.tsv", questions)
    return {
        (questions.questions[place].text, document, string): LETTERS[found.verdict[row]]
        for (place, document, string), row in found.index.items()
    }


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


def rate(campaign: str, join: Callable[[str], None]) -> None:
    """Let two assessors rate justifications and say what they think of them, and a third one begin."""
    for name in RATERS:
        join(name)
    assigning.assign(campaign, RATED, list(RATERS), units=RATED_PAIRS, per_unit=len(RATERS))
    scores = {(row["judge"], row["unit"], row["run"]): row for row in _rows("ratings.tsv")}
    summaries = {row["judge"]: row["summary"] for row in _rows("judges.tsv")}
    for who, judge in RATERS.items():
        whole = who != list(RATERS)[-1]
        while (next_ := _next(campaign, who, RATED)) is not None:
            state = state_of(campaign)
            if not whole and len(state.work_of(RATED).of(who)) >= BEGUN:
                break
            item, shown = next_
            run = state.runs[item.run].received.sent.file.partition(".")[0]
            row = scores[judge, item.unit, run]
            if row["understandable"] == "skip":
                _say(campaign, who, RATED, shown, {}, skipped=DISAGREES)
            else:
                named = ("understandable", "compelling")
                _say(campaign, who, RATED, shown, {name: row[name] for name in named if row[name]})
        if whole:
            execute(campaign, Summarise(task=RATED, account=who, text=summaries[judge]), who)


def _rows(name: str) -> Iterator[dict[str, str]]:
    """The rows of a table that comes with karat."""
    yield from csv.DictReader((examples.HERE / name).read_text(encoding="utf-8").splitlines(), delimiter="\t")


def _assign(campaign: str, assessors: list[str], stage: Any, units: tuple[str, ...]) -> None:
    assigning.assign(campaign, TASK, assessors, stage=stage, units=units, per_unit=len(assessors))


def _play(campaign: str, who: str, stages: tuple[str, ...], most: int = 10**6) -> None:
    """Let somebody judge whatever comes next, as long as it is of these stages."""
    given = _labels(who)
    seen = len([id for id in state_of(campaign).ballot_ids if id.startswith(f"{who} {stages[0]} ")])
    while seen < most and (next_ := _next(campaign, who, TASK)) is not None and next_[1].stage in stages:
        shown = next_[1]
        label = given[shown.show["text"], shown.show["hypothesis"]]
        if len({vote["label"] for vote in shown.show.get("labels", ())}) > 1:
            label = "UNKNOWN"  # once they have talked, they agree
        if who == "Finch" and seen < most - TRIED:
            label = "ENTAILMENT"  # too often
        _say(campaign, who, TASK, shown, {"label": label})
        seen += 1


def _next(campaign: str, who: str, task: str) -> tuple[Item, judging.Shown] | None:
    """What somebody has to judge next; when they saw it is not noted, so that they say how long they have."""
    state = state_of(campaign)
    item = judging.next_for(state, who, task, note=False)
    return None if item is None else (item, judging.shown(state, who, task, item))


def _say(
    campaign: str, who: str, task: str, shown: judging.Shown, values: Mapping[str, str], id: str = "", skipped: str = ""
) -> None:
    """Let somebody judge what they are shown."""
    sheet = judging.Sheet(
        id=id or f"{who} {shown.stage} {shown.unit}",
        unit=shown.unit,
        values=dict(values),
        guidelines=shown.guidelines,
        skipped=skipped,
        seconds=_seconds(who, shown),
    )
    judging.judge(campaign, who, task, sheet)


def _seconds(who: str, shown: judging.Shown) -> float:
    """How long somebody looks at a unit: as they read, and with some luck, which is the same each time."""
    show = shown.show
    # The texts of a pair are read with its first justification.
    again = "justification" in show and not show["place"].startswith("1 ")
    read = [show["justification"]] if again else [text for text in show.values() if isinstance(text, str)]
    luck = hashlib.sha256("\0".join([who, shown.stage, *read]).encode()).digest()[0] / 255
    return round((5 + 0.25 * len(" ".join(read).split())) * (0.6 + luck) * PACE[who], 1)


def _decide(campaign: str, id: str) -> bool:
    """Let the adjudicator decide on the next unit; whether there was one."""
    next_ = _next(campaign, "Owl", TASK)
    if next_ is None:
        return False
    said = {
        "label": "UNKNOWN",
        "reason": "difference",
        "kind": "background knowledge",
        "note": "Readers can fill the gap in two ways, so that the text decides neither.",
    }
    _say(campaign, "Owl", TASK, next_[1], said, id)
    return True


def _labels(who: str) -> dict[tuple[str, str], str]:
    """What somebody says about each pair: a label of the shipped ballots, or the known label of an example."""
    from karat.formats.ballots import read_ballots  # here: they load numpy
    from karat.formats.pairs import read_pairs

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
