"""Every judgment of a campaign, taken away as a file and brought in elsewhere: whole, or refused with all reasons."""

from __future__ import annotations

import json
from typing import Any

import pytest

from karat.campaign.definition import Judging
from karat.errors import DataError
from tests.cli.calls import karat
from tests.server.test_judging import FOUR, by_length
from tests.server.test_judging_odd import UNITS, rated

TASK = "three-way"
PEOPLE = ("anna", "ben", "carl")


def line(stage: str, unit: str, who: str, label: str = "ENTAILMENT", **more: Any) -> str:
    """A judgment of a file."""
    values = {"label": label} if label else {}
    return json.dumps({"stage": stage, "unit": unit, "assessor": who, "values": values} | more) + "\n"


def differing(show: dict[str, Any]) -> dict[str, str]:
    """The label of anna, or another one."""
    said = by_length(show)
    return {"label": "CONTRADICTION"} if said["label"] == "ENTAILMENT" else {"label": "ENTAILMENT"}


def judged(panels: Any) -> Any:
    """A campaign in which people qualified, voted, talked, voted again, labelled some units twice and decided."""
    from karat.server import assigning

    made = panels.make(*PEOPLE, judging=Judging(examples="x.xml", planted=2, repeats=2), files={"x.xml": FOUR})
    anna, ben, carl = made.names(*PEOPLE)
    assigning.assign(made.name, TASK, [anna, ben], stage="norming", units=UNITS[:2])
    for who in ("anna", "ben"):
        made.judge(who, made.next(who)["unit"], skipped="no idea")
        made.play(who, by_length)
    assigning.reveal(made.name, TASK)
    made.play("anna", lambda _: {"label": "UNKNOWN"})
    made.judge("ben", made.next("ben")["unit"], skipped="still no idea")
    made.play("ben", lambda _: {"label": "UNKNOWN"})
    assigning.assign(made.name, TASK, [anna, ben])
    right = {"All": "ENTAILMENT", "Nobody": "CONTRADICTION"}
    for who in ("anna", "ben"):
        while (shown := made.next(who))["stage"] == "qualification":
            made.judge(who, shown["unit"], values={"label": right[shown["show"]["text"].split()[0]]})
    made.judge("ben", made.next("ben")["unit"], skipped="=cannot tell", comment="too\nshort")
    made.play("anna", by_length)
    made.play("ben", differing)
    assigning.assign(made.name, TASK, [carl], stage="adjudication")
    made.play("carl", lambda _: {"label": "CONTRADICTION", "reason": "error", "kind": "tense", "note": "all erred"})
    return made


def elsewhere(panels: Any, made: Any) -> Any:
    """Another campaign with the same people."""
    from tests.server import campaigns

    other = panels.make()
    for who in PEOPLE:
        campaigns.member(other.name, None, f"{made.name}-{who}", role="assessor", signed=False)
    return other


def test_every_judgment_comes_back(panels: Any) -> None:
    """In a campaign that has none: first and second labels, votes before and after the discussion, skips, decisions."""
    from karat.campaign.archive import verified
    from karat.campaign.judging.quality import quality
    from karat.server import archives, assigning, importing, norming, store

    made = judged(panels)
    raw = assigning.file_of(made.name, TASK, "all")
    other = elsewhere(panels, made)
    rows = [json.loads(line) for line in raw.splitlines()]
    assert importing.import_ballots(other.name, TASK, "judgments.jsonl", raw)["imported"] == len(rows)
    twice = {(stage, again) for stage in ("norming", "labels") for again in (False, True)}
    assert {(row["stage"], row.get("again", False)) for row in rows} == twice | {("adjudication", False)}
    assert sum("skipped" in row for row in rows) == 4
    assert assigning.file_of(other.name, TASK, "all") == raw
    assert assigning.file_of(other.name, TASK) == assigning.file_of(made.name, TASK)
    assert importing.import_ballots(other.name, TASK, "judgments.jsonl", raw)["imported"] == 0
    before, after = store.state_of(made.name), store.state_of(other.name)
    assert after.work_of(TASK).revealed
    task = after.definition.task(TASK)
    for copy in (1, 2):
        assert norming.agreement(after, task, copy) == norming.agreement(before, before.definition.task(TASK), copy)
    told = [quality(state.work_of(TASK), state.definition.clock).assessors for state in (before, after)]
    found = [{one.name: one.repeats for one in people} for people in told]
    assert found[0] == found[1]
    assert all(of.of for who, of in found[1].items() if not who.endswith("carl"))
    assert store.verify(other.name)["equal"] is True
    for anonymous in (False, True):
        verified(archives.export(other.name, anonymous).data)


def test_what_cannot_be_brought_in_is_named(panels: Any) -> None:
    """With its line, all at once; examples with the reason why not."""
    from karat.server import importing, store

    made = panels.make("anna", "ben")
    anna, ben = made.names("anna", "ben")
    lines = [
        line("qualification", "x1", anna),
        line("planted", "x2", anna),
        line("singing", "1", anna),
        line("labels", "2", anna, again="no"),
        line("labels", "3", anna, again=True),
        line("norming", "4", anna, again=True),
        line("labels", "5", anna),
        line("adjudication", "5", ben, again=True),
        line("adjudication", "5", ben, "", skipped="no idea"),
        line("labels", "6", anna, sings=True),
        line("labels", "7", anna, entry="one"),
        line("labels", "8", anna, runs=["nobody"]),
        line("labels", "nowhere", anna),
        line("labels", "9", anna, "PERHAPS"),
        line("labels", "10", anna, seconds=-1),
    ]
    with pytest.raises(DataError) as refused:
        importing.import_ballots(made.name, TASK, "j.jsonl", "".join(lines).encode())
    found = {(problem.line, problem.found) for problem in refused.value.problems}
    assert {
        (1, "a judgment of an example (stage qualification)"),
        (2, "a judgment of an example (stage planted)"),
        (3, "a judgment that cannot be read (Invalid enum value 'singing' - at `$.stage`)"),
        (4, "a judgment that cannot be read (Expected `bool`, got `str` - at `$.again`)"),
        (5, f"a second judgment of unit '3' by {anna}"),
        (6, f"a second judgment of unit '4' by {anna}"),
        (8, "a second judgment of the kind adjudication"),
        (9, "a skipped decision"),
        (10, "a judgment that cannot be read (Object contains unknown field `sings`)"),
        (11, "the entry 'one'"),
        (12, "the run 'nobody'"),
        (13, "unit 'nowhere'"),
        (14, "label 'PERHAPS'"),
        (15, "seconds -1"),
    } <= found
    assert "nobody qualifies by a file" in str(refused.value)
    assert not store.state_of(made.name).work_of(TASK).ballots


def test_votes_are_not_shown_while_somebody_has_to_vote(panels: Any) -> None:
    """Votes after a discussion show the others; blind votes are no longer taken when the votes are known."""
    from karat.server import assigning, importing, store

    made = panels.make("anna", "ben")
    anna, ben = made.names("anna", "ben")
    assigning.assign(made.name, TASK, [ben], stage="norming", units=["2"])
    both = (line("norming", "1", anna) + line("norming", "1", anna, again=True)).encode()
    with pytest.raises(DataError, match=f"while {ben} has not voted"):
        importing.import_ballots(made.name, TASK, "j.jsonl", both)
    assert not store.state_of(made.name).work_of(TASK).revealed
    made.play("ben", by_length)
    assert importing.import_ballots(made.name, TASK, "j.jsonl", both)["imported"] == 2
    assert store.state_of(made.name).work_of(TASK).revealed
    with pytest.raises(DataError, match="a blind vote on unit '3'"):
        importing.import_ballots(made.name, TASK, "j.jsonl", line("norming", "3", anna).encode())
    assert store.verify(made.name)["equal"] is True


def test_a_skipped_pair_with_a_comment_comes_back(panels: Any) -> None:
    """The reason is what counts, and it is in the file."""
    from karat.server import assigning, importing

    made = rated(panels)
    unit = made.next("anna", "reasons")["unit"]
    made.judge("anna", unit, "reasons", skipped="I disagree", comment="the text is odd")
    raw = assigning.file_of(made.name, "reasons", "all")
    assert raw.decode().count("I disagree") == 2
    assert importing.import_ballots(made.name, "reasons", "ratings.jsonl", raw)["already"] == 2


@pytest.mark.nightly
def test_all_of_it_on_the_command_line(panels: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same file as on the page."""
    from django.conf import settings

    from karat.server import assigning
    from tests.server import campaigns

    monkeypatch.setenv("KARAT_HOME", str(settings.HOME.folder))
    made = judged(panels)
    raw = assigning.file_of(made.name, TASK, "all")
    done = karat("campaign", "ballots", made.name, TASK, "--file", "all")
    assert done.returncode == 0, done.stderr
    assert done.stdout.encode() == raw
    assert campaigns.host().get(f"/c/{made.name}/tasks/{TASK}/judging/files/all/").content == raw
    assert karat("campaign", "ballots", made.name, TASK, "--file", "none").returncode == 2
