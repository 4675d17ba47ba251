"""Every judgment of a campaign, taken away as a file and brought in elsewhere: whole, or refused with all reasons."""

from __future__ import annotations

from typing import Any

import pytest

from karat.campaign.definition import Judging
from karat.errors import DataError
from tests.cli.calls import karat
from tests.server.test_judging import FOUR, by_length
from tests.server.test_judging_odd import UNITS, rated

TASK = "three-way"
PEOPLE = ("anna", "ben", "carl")
HEAD = "stage\tagain\tskipped\tunit\tassessor\tlabel\treason\n"


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
    rows = [line.split("\t") for line in raw.decode().splitlines()[1:]]
    assert importing.import_ballots(other.name, TASK, "judgments.tsv", raw)["imported"] == len(rows)
    twice = {(stage, again) for stage in ("norming", "labels") for again in ("", "yes")}
    assert {(row[0], row[1]) for row in rows} == twice | {("adjudication", "")}
    assert sum(bool(row[2]) for row in rows) == 4
    assert assigning.file_of(other.name, TASK, "all") == raw
    assert assigning.file_of(other.name, TASK) == assigning.file_of(made.name, TASK)
    assert importing.import_ballots(other.name, TASK, "judgments.tsv", raw)["imported"] == 0
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
        f"qualification\t\t\tx1\t{anna}\tENTAILMENT\t",
        f"planted\t\t\tx2\t{anna}\tENTAILMENT\t",
        f"singing\t\t\t1\t{anna}\tENTAILMENT\t",
        f"labels\tno\t\t2\t{anna}\tENTAILMENT\t",
        f"labels\tyes\t\t3\t{anna}\tENTAILMENT\t",
        f"norming\tyes\t\t4\t{anna}\tENTAILMENT\t",
        f"labels\t\t\t5\t{anna}\tENTAILMENT\t",
        f"adjudication\tyes\t\t5\t{ben}\tENTAILMENT\terror",
        f"adjudication\t\tno idea\t5\t{ben}\t\t",
    ]
    with pytest.raises(DataError) as refused:
        importing.import_ballots(made.name, TASK, "j.tsv", (HEAD + "\n".join(lines) + "\n").encode())
    found = {(problem.line, problem.found) for problem in refused.value.problems}
    assert {
        (2, "a judgment of an example (stage qualification)"),
        (3, "a judgment of an example (stage planted)"),
        (4, "the stage 'singing'"),
        (5, "again 'no'"),
        (6, f"a second judgment of unit '3' by {anna}"),
        (7, f"a second judgment of unit '4' by {anna}"),
        (9, "a second judgment of the kind adjudication"),
        (10, "a skipped decision"),
    } <= found
    assert "nobody qualifies by a file" in str(refused.value)
    assert not store.state_of(made.name).work_of(TASK).ballots


def test_votes_are_not_shown_while_somebody_has_to_vote(panels: Any) -> None:
    """Votes after a discussion show the others; blind votes are no longer taken when the votes are known."""
    from karat.server import assigning, importing, store

    made = panels.make("anna", "ben")
    anna, ben = made.names("anna", "ben")
    assigning.assign(made.name, TASK, [ben], stage="norming", units=["2"])
    blind = f"norming\t\t\t1\t{anna}\tENTAILMENT\t\n"
    both = (HEAD + blind + blind.replace("\t\t\t1", "\tyes\t\t1")).encode()
    with pytest.raises(DataError, match=f"while {ben} has not voted"):
        importing.import_ballots(made.name, TASK, "j.tsv", both)
    assert not store.state_of(made.name).work_of(TASK).revealed
    made.play("ben", by_length)
    assert importing.import_ballots(made.name, TASK, "j.tsv", both)["imported"] == 2
    assert store.state_of(made.name).work_of(TASK).revealed
    with pytest.raises(DataError, match="a blind vote on unit '3'"):
        importing.import_ballots(made.name, TASK, "j.tsv", (HEAD + blind.replace("\t1\t", "\t3\t")).encode())
    assert store.verify(made.name)["equal"] is True


def test_a_skipped_pair_with_a_comment_comes_back(panels: Any) -> None:
    """The reason is what counts, and it is in the file."""
    from karat.server import assigning, importing

    made = rated(panels)
    unit = made.next("anna", "reasons")["unit"]
    made.judge("anna", unit, "reasons", skipped="I disagree", comment="the text is odd")
    raw = assigning.file_of(made.name, "reasons", "all")
    assert raw.decode().count("I disagree") == 2
    assert importing.import_ballots(made.name, "reasons", "ratings.tsv", raw)["already"] == 2


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
