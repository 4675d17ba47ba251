"""Who sees what: the table by role and stage, and that nobody ever sees less later on."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import asdict, replace

from karat.campaign.commands import Release
from karat.campaign.dates import Dates
from karat.campaign.sight import ALIAS, ROLES, Sight, alias, seen_as, sight, sights
from tests.campaign.worlds import AFTER, CLOSES, DEFINITION, DURING, OPENS, TASKS, World

LIFTED = AFTER + timedelta(days=100)
DATES = Dates(
    register=OPENS - timedelta(days=20), data=OPENS - timedelta(days=2), opens=OPENS, closes=CLOSES, names=LIFTED
)


def released(*audiences: str, **changes: Any) -> World:
    """A campaign whose results were released after the close."""
    world = World(**{"dates": DATES, "practice": False, **changes})
    world.join("alder", "birch")
    for audience in audiences:
        world.do(Release(to=audience), AFTER)  # type: ignore[arg-type]
    return world


def seen(world: World, role: str, at: datetime, **facts: object) -> set[str]:
    """What somebody sees, by name."""
    found = sight(world.campaign, role, at, "alder" if role == "team" else None, **facts)  # type: ignore[arg-type]
    return {name for name, yes in asdict(found).items() if yes}


TEAM = {"own_runs"}
PUBLIC = {"data", "all_runs", "scores", "key"}
STAGES = {
    "preparing": ([], OPENS - timedelta(days=30), TEAM, set()),
    "data": ([], OPENS - timedelta(days=1), TEAM | {"data"}, set()),
    "open": ([], DURING, TEAM | {"data", "submit", "report"}, set()),
    "closed": ([], AFTER, TEAM | {"data", "report"}, set()),
    "teams": (["teams"], AFTER, TEAM | {"data", "report", "own_scores"}, set()),
    "public": (["teams", "public"], AFTER, TEAM | PUBLIC | {"report", "own_scores"}, PUBLIC),
    "named": (["public"], LIFTED, TEAM | PUBLIC | {"report", "own_scores", "names"}, PUBLIC | {"names"}),
}


@pytest.mark.parametrize("stage", STAGES)
def test_what_each_role_sees(stage: str) -> None:
    """The whole table; an assessor judges and sees what everybody sees, an organiser all but what is a team's to do."""
    audiences, at, team, public = STAGES[stage]
    world = released(*audiences)
    assert seen(world, "team", at) == team
    assert seen(world, "public", at) == seen(world, "assessor", at, signed=False) == public
    assert seen(world, "assessor", at) == public | {"judge"}
    assert seen(world, "organiser", at) == {"data", "all_runs", "scores", "key", "names", "judge", "manage"}
    assert sights(world.campaign, at).keys() == set(ROLES)


def test_the_key_may_come_with_the_results() -> None:
    """Where the organisers say so, teams that have signed get the key with their own results; nobody else does."""
    world = released("teams", key_with_results=True)
    assert "key" in seen(world, "team", AFTER)
    assert "key" not in seen(world, "team", AFTER, signed=False)
    assert "key" not in seen(world, "public", AFTER) | seen(world, "assessor", AFTER)


def test_a_live_board_is_for_teams_that_have_signed() -> None:
    """From the opening on, where a task has a public share, and never for the public."""
    shared = (replace(TASKS[0], public_share=0.5), *TASKS[1:])
    world = released(tasks=shared)
    assert "live" in seen(world, "team", DURING)
    assert "live" in seen(world, "organiser", DURING)
    for role, at, facts in (("team", DURING, {"signed": False}), ("team", OPENS - timedelta(days=1), {})):
        assert "live" not in seen(world, role, at, **facts)
    assert seen(world, "public", DURING) == set()


@given(
    at=st.datetimes(OPENS.replace(tzinfo=None) - timedelta(days=40), LIFTED.replace(tzinfo=None) + timedelta(days=9)),
    later=st.integers(0, 200),
    signed=st.booleans(),
)
def test_nobody_sees_less_later(at: datetime, later: int, signed: bool) -> None:
    """What can be seen stays, whatever is released and however much time passes; teams see at least what all see."""
    moment = at.replace(tzinfo=OPENS.tzinfo)
    after = moment + timedelta(days=later)
    doing = {"submit", "report"}  # these end
    worlds = [released(), released("teams"), released("teams", "public")]
    for role in ("team", "assessor", "public"):
        facts = {"signed": signed} if role == "team" else {}
        views = [seen(world, role, when, **facts) - doing for world in worlds for when in (moment, after)]
        for place in range(0, len(views), 2):
            assert views[place] <= views[place + 1]
        assert views[0] <= views[2] <= views[4]
    for world in worlds:
        assert seen(world, "public", moment) <= seen(world, "team", moment, signed=signed)


def test_an_alias_hides_the_name() -> None:
    """Others see an alias until the names are shown; a team knows itself; another seed gives another alias."""
    state = released("public").campaign
    blind, full = Sight(), Sight(names=True)
    assert seen_as(state, "alder", full) == seen_as(state, "alder", blind, own="alder") == "alder"
    assert seen_as(state, "alder", blind) == seen_as(state, "alder", blind, own="birch") == alias(state, "alder")
    assert "alder" not in alias(state, "alder")
    assert alias(state, "alder") != alias(state, "birch")
    assert alias(state, "alder") != alias(replace(state, seed="00" * 16), "alder")
    assert DEFINITION.dates.names is None


def test_aliases_of_many_teams_differ() -> None:
    """Two teams with one alias would share a row of the results, and one of their runs would be hidden."""
    state = released("public").campaign
    aliases = {alias(state, f"team {number}") for number in range(20_000)}
    assert len(aliases) == 20_000
    assert all(ALIAS.fullmatch(one) for one in aliases)
