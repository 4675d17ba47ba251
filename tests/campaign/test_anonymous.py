"""A campaign without names: nothing in its archive says who took part, and everything else is as it was."""

from __future__ import annotations

import io
import zipfile
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.campaign import anonymous
from karat.campaign.anonymous import anonymised
from karat.campaign.archive import packed, unpacked
from karat.campaign.events import Happened, Item, RunReceived, broken_at
from karat.campaign.judging.files import agreed_labels
from karat.campaign.judging.library import Library
from karat.campaign.judging.work import Work
from karat.campaign.replaying import from_files, misfits
from karat.campaign.sight import alias
from karat.campaign.state import Campaign, replay
from karat.errors import UsageError
from tests.campaign.whole_worlds import PEOPLE, TEAMS, whole


def leaks(archive: bytes, secrets: set[str]) -> list[str]:
    """The texts that occur in an archive, unpacked, whatever the case."""
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        inside = b"\n".join(name.encode() + b"\n" + opened.read(name) for name in opened.namelist()).lower()
    return sorted(text for text in secrets if text.lower().encode() in inside)


def judging(state: Campaign, work: Work) -> list[object]:
    """Who judges what, and what they said, by the order in which they came."""
    people = {who: place for place, who in enumerate(dict.fromkeys(name for _, name in work.queues))}

    numbers = {id: number for number, id in enumerate(state.runs)}

    def plain(item: Item) -> tuple[str, str, int, int]:
        return item.stage, item.unit, numbers.get(item.run, -1), item.copy

    return [
        [(stage, people[who], [*map(plain, items)]) for (stage, who), items in work.queues.items()],
        [
            sorted(
                (plain(item), one.at, one.label or "", one.said.seconds or -1, one.said.expected)
                for item, one in work.of(who).items()
            )
            for who in people
        ],
        [(pool.stage, pool.items, len(pool.assessors), pool.per_unit) for pool in work.pools],
        [(one.unit, one.standing, one.label, sorted(one.labels.values())) for one in work.outcomes()],
        agreed_labels(work),
        (set(work.disputed), work.closed, work.revealed, len(work.remarks), len(work.programs)),
    ]


def outcome(state: Campaign) -> list[object]:
    """What is to stay as it was, by the order of runs."""
    facts: list[object] = [
        (
            run.received.number,
            run.status,
            run.scores,
            run.received.scores,
            run.received.answers,
            run.state,
            run.received.state,
            run.received.late,
            (sent := run.received.sent).task,
            (sent.run, sent.received, sent.ranked, sent.manual, sent.justifications, sent.area),
        )
        for run in state.runs.values()
    ]
    keys = [(one.at, one.commitment) for one in state.keys]
    teams = [(team.until, team.primary) for team in state.teams.values()]
    judged = [(name, judging(state, work)) for name, work in state.work.items()]
    return [*facts, judged, keys, teams, state.released, state.files, state.definition.dates, len(state.members)]


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_nothing_says_who_took_part(seed: int) -> None:
    """No name, address, token, statement, reason, file name or hash of a file is left; scores and statuses are."""
    world = whole(seed)
    entries, contents = anonymised(world.entries, world.contents)
    archive = packed(entries, contents)
    assert leaks(archive, world.secrets | {*TEAMS, *PEOPLE}) == []
    state = replay(entries)
    assert outcome(state) == outcome(world.campaign)
    assert [*state.teams] == [alias(world.campaign, team) for team in world.campaign.teams]
    assert state.definition.baselines == tuple(
        alias(world.campaign, one) for one in world.campaign.definition.baselines
    )
    assert broken_at(entries) is None
    assert unpacked(archive) == (entries, contents)
    assert list(misfits(entries, from_files(contents), Library(contents.__getitem__))) == []


def test_the_search_finds_what_is_there() -> None:
    """In the archive with names, nearly everything that must not be in the other one is found."""
    world = whole(1)
    found = leaks(packed(world.entries, world.contents), world.secrets)
    assert set(TEAMS[:2]) < set(found)
    assert len(found) > 0.8 * len(world.secrets)


def test_everything_happens_in_these_campaigns() -> None:
    """The random campaigns have events of every kind, so that none is anonymous by never occurring."""
    met = {type(entry.event) for seed in range(20) for entry in whole(seed).entries}
    assert set(get_args(Happened)) - met == set()


def test_an_alias_cannot_be_guessed() -> None:
    """With the seed that is in the archive, no team's name gives its alias."""
    world = whole(2)
    state = replay(anonymised(world.entries, world.contents)[0])
    assert {alias(state, team) for team in TEAMS}.isdisjoint(state.teams)
    assert len(state.seed) == len(world.campaign.seed)


def test_equal_campaigns_give_equal_archives() -> None:
    """Nothing is drawn: whoever has the archive with names can make this one again."""
    world = whole(4)
    assert anonymised(world.entries, world.contents) == anonymised(world.entries, world.contents)


def test_teams_with_the_same_alias(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two teams stay two."""
    monkeypatch.setattr(anonymous, "alias", lambda *_: "team-0000000000")
    world = whole(5)
    state = replay(anonymised(world.entries, world.contents)[0])
    assert sorted(state.teams) == ["team-0000000000", "team-0000000000-2", "team-0000000000-3"]
    assert outcome(state) == outcome(world.campaign)


def test_scores_that_would_change(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rather no archive than one with other scores."""
    world = whole(6)
    event = next(one.event for one in world.entries if isinstance(one.event, RunReceived) and one.event.scores)
    lines = b"".join(b"p%d ENTAILMENT\n" % n for n in range(1, 13))
    monkeypatch.setattr(anonymous.Masked, "_written", lambda *_: ("run.txt", lines))
    with pytest.raises(UsageError, match=f"run {event.id} cannot be written without its remarks"):
        anonymised(world.entries, world.contents)
