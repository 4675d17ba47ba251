"""What assessors learn while they judge, and what everybody else learns of judging: nothing that is not theirs."""

from __future__ import annotations

import re
from typing import Any

import pytest
from msgspec.structs import replace

from tests.server.test_noninterference import RENAMED, STRANGE, differences, same_aliases, turned

OUTSIDE = ("team", "unsigned", "stranger", "nobody")
STAGE = re.compile(rb'data-stage="(\w+)"')


@pytest.fixture
def benches(sights: Any) -> Any:
    """Campaigns in which assessors are at work."""
    del sights
    from tests.server import benches

    return benches


def met(bench: Any, role: str = "assessor") -> dict[str, Any]:
    """Every answer that somebody gets, from pages and as a program, with the next unit and units of every stage."""
    from karat.server.assigning import files
    from tests.server.crawling import crawl, filled, guesses

    also, pages = list[str](), ("judge", "qualification", "discussion", "outcomes", "judging")
    for task in bench.state.definition.tasks:
        folder = f"/c/{bench.name}/tasks/{task.name}"
        also += [f"{folder}/{page}/" for page in (*pages, *(f"judging/files/{name}" for name in files(task)))]
        also.append(f"/api/campaigns/{bench.name}/tasks/{task.name}/next")
    return crawl(bench, role, ("/", *filled(bench, guesses(bench, own=True)), *also, *bench.units(role)))


def seen(bench: Any, role: str = "assessor") -> Any:
    """The same, without what differs from one campaign to the next in any case."""
    from tests.server.crawling import plain

    return plain(bench, met(bench, role))


def found(hidden: set[str], answers: dict[str, Any]) -> list[str]:
    """Where any of this stands."""
    return [
        f"{address}: {one}"
        for address, answer in answers.items()
        for part in answer.parts()
        for one in hidden
        if one.encode() in part.replace(address.encode(), b"") and one not in address
    ]


def stages_of(answers: dict[str, Any], holding: str = "") -> set[str]:
    """The stages of the judging pages that hold something."""
    pages = [answer.body for answer in answers.values() if holding.encode() in answer.body]
    return {stage.decode() for page in pages for stage in STAGE.findall(page)}


def test_an_assessor_learns_nothing_of_others(benches: Any) -> None:
    """Neither a team, its alias, runs and files, nor another assessor, ever; what others said, only in its time.

    In all stages of all tasks. Comments come with the reveal, words of the adjudicator with the close; what others
    wrote in their lists, or as evidence, never comes.
    """
    from karat.campaign.judging.kinds import KINDS

    bench, walked = benches.Bench(), set[str]()
    for phase in bench.phases():
        for role in ("assessor", "owl") if phase in ("all", "closed") else ("assessor",):
            answers = met(bench, role)
            walked |= stages_of(answers)
            assert found(bench.unspeakable({"assessor": "rook"}.get(role, role)), answers) == [], f"{phase}, {role}"
            assert found({"as usual wrote this"}, answers) == [], f"{phase}, {role}"
            if role == "owl":
                continue
            assert len(answers) > 60
            told = found({"as usual says so"}, answers)
            assert bool(told) == (phase in ("revealed", "closed")), phase
            decided = found({"note of as usual", "kind of as usual"}, answers)
            assert bool(decided) == (phase == "closed"), phase
    assert walked == {"qualification", *(kind.stage for kinds in KINDS.values() for kind in kinds)}


@pytest.mark.nightly
def test_nothing_depends_on_the_key_or_on_what_others_said(benches: Any, sights: Any) -> None:
    """Two campaigns with other keys, in which the colleagues judge otherwise, look alike until the reveal."""
    blind = tuple(task for task in benches.TASKS if task not in benches.WITH_KEY)
    one = benches.Bench(tasks=blind)
    other = benches.Bench(tasks=blind, labels=tuple(turned(sights)), said="quite otherwise")
    for phase, _ in zip(one.phases(), other.phases(), strict=True):
        if phase not in benches.BLIND:
            assert differences(seen(one), seen(other)) != [], "then they have something to talk about"
            break
        assert differences(seen(one), seen(other)) == [], phase


@pytest.mark.nightly
def test_nothing_depends_on_names(benches: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever teams are called, whoever judges what they sent gets the same bytes; to the end."""
    same_aliases(monkeypatch)
    one, other = benches.Bench(), benches.Bench(renamed=RENAMED)
    for phase, _ in zip(one.phases(), other.phases(), strict=True):
        if phase in ("half", "all", "closed"):
            assert differences(seen(one), seen(other)) == [], phase


def test_nobody_else_sees_what_is_judged(benches: Any, sights: Any) -> None:
    """Teams, strangers and the public get the same bytes whatever others sent, and however much of it is judged."""
    bench = benches.Bench()
    assert list(bench.phases())[-1] == "closed"
    other = benches.Bench(labels=tuple(turned(sights)), others=STRANGE).until("closed")
    for role in OUTSIDE:
        assert differences(seen(bench, role), seen(other, role)) == [], role


def test_planted_leaks_are_found(benches: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a kind told a run, suggested another's name, or began a list with another's: found, in every stage."""
    from karat.campaign.judging import told
    from karat.campaign.judging.kinds import KINDS
    from karat.server import judging

    bench, true = benches.Bench(), judging.kind_of  # type: ignore[attr-defined]
    wrote = dict.fromkeys(("text", "answer", "hypothesis"), "as usual wrote this")

    def careless(task: Any, item: Any) -> Any:
        kind = true(task, item)
        return replace(
            kind,
            show=lambda about, one, who: kind.show(about, one, who) | {"run": one.run},
            suggest=lambda *asked: asked[-1].replace("rook", "finch"),
            start=None if kind.entry is None else lambda *_: {"hers": wrote},
        )

    suggested, begun, runs = set[str](), set[str](), set[str]()
    for phase in bench.phases():
        if phase not in ("others have judged", "half", "all", "closed"):
            continue
        with monkeypatch.context() as patch:
            patch.setattr(judging, "kind_of", careless)
            answers = met(bench)
        suggested |= stages_of(answers, f"{bench.name}-finch")
        begun |= stages_of(answers, wrote["text"])
        runs |= {run for run in bench.state.runs if found({run}, answers)}
        if phase == "half":
            with monkeypatch.context() as patch:
                patch.setattr(told, "outcomes", anothers)
                assert found({"as usual says so"}, met(bench)) != []
    every = {kind.stage: kind for kinds in KINDS.values() for kind in kinds}
    assert suggested == {"qualification", *every} - {"adjudication"}, "which is the work of somebody else"
    assert begun == {stage for stage, kind in every.items() if kind.entry is not None}
    assert runs


def anothers(state: Any, task: str, who: str) -> Any:
    """Outcomes that are told at any time, with what somebody else said."""
    from karat.campaign.judging.told import Own

    other = who.replace("rook", "finch")
    given = [(item, one) for item, one in state.work_of(task).of(other).items() if item.stage == "labels"]
    return [Own(unit=item.unit, given=one, label=None, standing="open", decision={}) for item, one in given]
