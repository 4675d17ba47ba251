"""When results can be released, what the checklist says before, and what a release changes in what people see."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from karat.campaign.commands import Edit, Extend, Rekey, Release
from karat.campaign.dates import Dates
from karat.campaign.events import Audience, Released, promise
from karat.campaign.releasing import after_release, checklist, earliest, hindrances
from karat.campaign.sight import ROLES, sight, sights
from karat.errors import UsageError
from tests.campaign.worlds import AFTER, CLOSES, DURING, FILES, OPENS, World, digest

SECOND = timedelta(seconds=1)
TO: tuple[Audience, ...] = ("teams", "public")


def dated(**dates: datetime) -> World:
    """A campaign with further dates, and one team with a run."""
    world = World(dates=Dates(opens=OPENS, closes=CLOSES, **dates))
    world.join("alder")
    world.accepted("alder")
    return world


def said(world: World, to: Audience, at: datetime = AFTER) -> str:
    """The checklist as text."""
    return "\n".join(f"{one.level}: {one.text}" for one in checklist(world.campaign, to, at))


@pytest.mark.parametrize("to", TO)
def test_not_while_anybody_can_submit(to: Audience) -> None:
    """A team with more time, and the minutes of grace, are waited for, to the end of the last second."""
    world = World(grace=30)
    world.join("alder", "birch")
    until = CLOSES + timedelta(days=1)
    world.do(Extend(team="birch", until=until, reason="a power cut"))
    last = until + SECOND + timedelta(minutes=30)
    with pytest.raises(UsageError, match="teams can submit until 10 May 2027, 00:29:59 UTC"):
        world.do(Release(to=to), last - timedelta(microseconds=1))
    assert earliest(world.campaign, to) == last
    assert world.do(Release(to=to), last) == (Released(to=to),)
    assert world.campaign.released == {to: last}


@pytest.mark.parametrize(("to", "name"), [("teams", "results"), ("public", "public")])
def test_not_before_its_date(to: Audience, name: str) -> None:
    """The dates `results` and `public` are the earliest; each holds for its own release alone."""
    promised = CLOSES + timedelta(days=30)
    world = dated(**{name: promised})
    with pytest.raises(UsageError, match="results were promised for 7 Jun 2027"):
        world.do(Release(to=to), promised - SECOND)
    (other,) = set(TO) - {to}
    assert hindrances(world.campaign, other, AFTER) == []
    assert world.do(Release(to=to), promised)


def test_twice_is_once() -> None:
    """A second release changes nothing, and leaves the date of the first; the checklist tells it."""
    world = dated()
    world.do(Release(to="teams"), AFTER)
    assert world.do(Release(to="teams"), AFTER + SECOND) == ()
    assert world.campaign.released == {"teams": AFTER}
    assert after_release(world.campaign, "teams", AFTER + SECOND) == world.campaign
    assert "good: Released on 10 May 2027, 23:59:59" in said(world, "teams")


def test_public_without_the_teams() -> None:
    """It is possible, and noted as a caution; teams see everything then."""
    world = dated()
    assert "caution: The teams have not been given their own results first." in said(world, "public")
    world.do(Release(to="public"), AFTER)
    assert sight(world.campaign, "team", AFTER).own_scores
    assert "have not had" not in said(dated_and_released(), "public")


def dated_and_released() -> World:
    """A campaign whose teams have their results."""
    world = dated()
    world.do(Release(to="teams"), AFTER)
    return world


@pytest.mark.parametrize("to", TO)
def test_what_a_release_would_change_is_what_it_changes(to: Audience) -> None:
    """The preview is the state that the release leads to, for every role, and touches nothing."""
    world = dated(names=CLOSES + timedelta(days=99))
    before = world.campaign
    foreseen = after_release(before, to, AFTER)
    assert world.campaign is before
    assert not before.released
    world.do(Release(to=to), AFTER)
    assert sights(foreseen, AFTER) == sights(world.campaign, AFTER)
    changed = {role for role in ROLES if sight(before, role, AFTER) != sight(foreseen, role, AFTER)}
    assert changed == ({"team"} if to == "teams" else {"team", "assessor", "public"})
    assert not sight(foreseen, "public", AFTER).names


def changed(**facts: Any) -> World:
    """A campaign with other settings, one team and one run."""
    world = World(**facts)
    world.join("alder")
    world.accepted("alder")
    return world


def test_the_checklist_names_what_is_missing() -> None:
    """Runs without scores, empty tasks, teams without runs, agreements, addresses and reports, by name."""
    world = World(baselines=("alder", "nobody"))
    world.join("alder", "birch", "cedar")
    world.join("dogwood", signed=False)
    world.accepted("alder")
    world.accepted("alder", "q", task="questions", scores={})
    world.submit("birch", "b", "missing-id")
    found = said(world, "public")
    for line in (
        "good: No team can submit an official run any more.",
        "good: 1 run is scored.",
        "caution: Runs without scores, which people have yet to judge: alder-1.",
        "caution: Tasks without a scored run: two-way, elsewhere, questions.",
        "caution: Teams without a run, since all their files were refused: birch.",
        "caution: Teams without a run: cedar, dogwood.",
        "caution: Teams that have not accepted the agreement: dogwood.",
        "caution: Teams that cannot be mailed, since they have given no address: alder, birch, cedar, dogwood.",
        "caution: Teams without a system report: alder.",
        "caution: Baselines without a run: nobody.",
        "caution: Everybody sees which team is behind each run.",
        "good: Scores are those of key version 1.",
    ):
        assert line in found, found
    assert "bad" not in found
    assert "bad: Not yet: teams can submit until" in said(world, "teams", DURING)


def test_the_checklist_says_what_becomes_known() -> None:
    """The key, names and the reason of a new key."""
    assert "The key stays secret" in said(changed(), "teams")
    assert "Teams get the key" in said(changed(key_with_results=True), "teams")
    anonymous = dated(names=CLOSES + timedelta(days=99), reports=CLOSES + timedelta(days=50))
    assert "good: Teams stay anonymous until 15 Aug 2027" in said(anonymous, "public")
    assert "System reports are not due until" in said(anonymous, "public")
    world = changed()
    scores = {id: run.scores for id, run in world.campaign.runs.items()}
    world.do(Rekey(files={"pairs.xml": digest("new")}, scores=scores, reason="Pair 3 was wrong"), AFTER)
    assert "good: Scores are those of key version 2: Pair 3 was wrong." in said(world, "teams")


def test_every_key_has_the_hashes_that_its_commitment_promises() -> None:
    """Of the first key, of a test set exchanged before the opening, of a new key: nonce and hashes give the promise."""
    world = World()
    early = OPENS - timedelta(days=1)
    files = FILES | {"others.xml": digest("exchanged")}
    world.do(Edit(definition=world.campaign.definition, files=files, reason="A typo"), early)
    new = replace(world.campaign.definition, title="Another title")
    world.do(Edit(definition=new, files=files, reason="A better title"), early)
    world.do(Rekey(files={"pairs.xml": digest("new")}, scores={}, reason="Pair 3 was wrong"), AFTER)
    keys = world.campaign.keys
    assert [key.reason for key in keys] == ["", "A typo", "Pair 3 was wrong"]
    assert [key.tests["three-way"] for key in keys] == [digest("pairs"), digest("pairs"), digest("new")]
    assert [key.tests["elsewhere"] for key in keys] == [digest("others"), digest("exchanged"), digest("exchanged")]
    for key in keys:
        assert hashlib.sha256(promise(world.campaign.nonce, key.tests)).hexdigest() == key.commitment
