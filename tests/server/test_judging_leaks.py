"""What assessors learn while they judge, and what everybody else learns of judging: nothing that is not theirs."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from tests.server.test_noninterference import RENAMED, differences, same_aliases, turned

OUTSIDE = ("team", "unsigned", "other", "stranger", "nobody")


@pytest.fixture
def benches(sights: Any) -> Any:
    """Campaigns in which assessors are at work."""
    del sights
    from tests.server import benches

    return benches


def met(bench: Any, role: str = "assessor") -> dict[str, Any]:
    """Every answer that somebody gets, from pages and as a program, with the unit that comes next."""
    from tests.server.benches import PARTS, QUIZ, REASONS, SERIES
    from tests.server.crawling import crawl, filled, guesses
    from tests.server.sights import TASK

    pages = ("judge", "qualification", "discussion", "outcomes")
    also = [f"/c/{bench.name}/tasks/{task}/{page}/" for task in (REASONS, QUIZ) for page in pages]
    also += [f"/c/{bench.name}/tasks/{task}/judge/" for task in (PARTS, SERIES)]
    also += [f"/api/campaigns/{bench.name}/tasks/{task}/next" for task in (TASK, REASONS, QUIZ, PARTS, SERIES)]
    return crawl(bench, role, ("/", *filled(bench, guesses(bench, own=True)), *also))


def seen(bench: Any, role: str = "assessor") -> Any:
    """The same, without what differs from one campaign to the next in any case."""

    def text(value: str) -> str:
        return str(bench.normal(value.encode()).decode())

    return {
        text(address): (one.status, text(one.headers), tuple(map(bench.normal, one.parts())))
        for address, one in met(bench, role).items()
    }


def found(hidden: set[str], answers: dict[str, Any]) -> list[str]:
    """Where any of this stands."""
    return [
        f"{address}: {one}"
        for address, answer in answers.items()
        for part in answer.parts()
        for one in hidden
        if one.encode() in part.replace(address.encode(), b"") and one not in address
    ]


def test_an_assessor_never_learns_who_others_are(benches: Any) -> None:
    """Neither a team, its alias, its runs and files, nor another assessor, in any phase of judging and after it."""
    bench = benches.Bench()
    for phase in bench.phases():
        answers = met(bench)
        assert found(bench.unspeakable(), answers) == [], phase
        assert len(answers) > 40
        assert found(bench.unspeakable("owl"), met(bench, "owl")) == [], f"{phase}, the adjudicator"
    words = b"\n".join(part for one in answers.values() for part in one.parts())
    assert b"kind of as usual" in words, "why one was overruled is told at the end"


def test_what_others_said_is_not_told_before_its_time(benches: Any) -> None:
    """Comments of others come with the reveal, words of the adjudicator with the close."""
    bench = benches.Bench()
    for phase in bench.phases():
        told = met(bench)
        comments = found({"as usual says so"}, told)
        assert found({"as usual wrote this"}, told) == [], phase
        decided = found({"note of as usual", "kind of as usual"}, told)
        assert bool(comments) == (phase in ("revealed", "closed")), phase
        assert bool(decided) == (phase == "closed"), phase


def test_nothing_depends_on_the_key_or_on_what_others_said(benches: Any, sights: Any) -> None:
    """Two campaigns with other keys, in which the colleagues judge otherwise, look alike until the reveal."""
    labels = turned(sights)
    one = benches.Bench(rated=False)
    other = benches.Bench(rated=False, labels=tuple(labels), said="quite otherwise")
    for phase, _ in zip(one.phases(), other.phases(), strict=True):
        if phase not in benches.BLIND:
            assert differences(seen(one), seen(other)) != [], "then they have something to talk about"
            break
        assert differences(seen(one), seen(other)) == [], phase


def test_ratings_do_not_depend_on_names(benches: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever teams are called, whoever rates their justifications gets the same bytes; to the end."""
    same_aliases(monkeypatch)
    one, other = benches.Bench(), benches.Bench(renamed=RENAMED)
    for phase, _ in zip(one.phases(), other.phases(), strict=True):
        if phase in ("half", "closed"):
            assert differences(seen(one), seen(other)) == [], phase


def test_nobody_else_sees_that_anything_is_judged(benches: Any) -> None:
    """Teams, strangers and the public get the same bytes before the first unit is given out and after the close."""
    bench = benches.Bench()
    phases = bench.phases()
    next(phases)
    before = {role: seen(bench, role) for role in OUTSIDE}
    assert list(phases)[-1] == "closed"
    for role in OUTSIDE:
        assert differences(before[role], seen(bench, role)) == [], role
    plain = benches.Bench().until("closed")
    for role in OUTSIDE:
        assert differences(seen(plain, role), seen(bench, role)) == [], role


def test_a_planted_name_is_found(benches: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """If an item had the run in its name, or a page told what others said, the same walks would find it."""
    from karat.campaign.judging import told
    from karat.server import judging

    bench = benches.Bench()
    phases = bench.phases()
    assert [next(phases) for _ in range(3)][-1] == "half"
    with monkeypatch.context() as patch:
        true = judging.kind_of  # type: ignore[attr-defined]

        def careless_kind(task: Any, item: Any) -> Any:
            kind = true(task, item)
            told = kind.show
            return replace(kind, show=lambda about, one, who: told(about, one, who) | {"run": one.run})

        patch.setattr(judging, "kind_of", careless_kind)
        patch.setattr(
            judging, "next_item", lambda state, task, who, *_, **__: first_of(state.work_of(task).queues, who)
        )
        answers = {one: answer for one, answer in met(bench).items() if "/reasons/next" in one}
        assert found(bench.unspeakable(), answers) != []
    with monkeypatch.context() as patch:
        patch.setattr(told, "outcomes", lambda state, task, who: careless(state, task, who))
        assert found({"as usual says so"}, met(bench)) != []


def first_of(queues: Any, who: str) -> Any:
    """The first justification that somebody rates, or else whatever they have."""
    return next((queues[stage, who][0] for stage in ("ratings", "labels") if (stage, who) in queues), None)


def careless(state: Any, task: str, who: str) -> Any:
    """Outcomes that are told at any time, with what somebody else said."""
    from karat.campaign.judging.told import Own

    other = who.replace("rook", "finch")
    given = [(item, one) for item, one in state.work_of(task).of(other).items() if item.stage == "labels"]
    return [Own(unit=item.unit, given=one, label=None, standing="open", decision={}) for item, one in given]
