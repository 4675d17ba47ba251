"""Tests of the rules of submitting: dates, limits, replacing, withdrawing, and sending the same twice."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from karat.campaign.commands import (
    ChoosePrimary,
    Command,
    Extend,
    Invite,
    IssueToken,
    Join,
    RevokeToken,
    SendReport,
    Sign,
    Withdraw,
)
from karat.campaign.dates import Dates
from karat.campaign.definition import Definition, Task, parse
from karat.campaign.events import Event, RunReceived, RunRefused
from karat.campaign.rules import PROBLEMS_KEPT
from karat.campaign.state import replay
from karat.errors import DataError, UsageError
from tests.campaign.worlds import AFTER, CLOSES, DURING, OPENS, World, digest

SECOND = timedelta(seconds=1)
INSTANT = timedelta(microseconds=1)


@pytest.fixture
def world() -> World:
    """A campaign with two teams; one of them has two members."""
    made = World()
    made.join("alder", "birch")
    made.join("annie", team="alder")
    return made


@pytest.mark.parametrize(
    ("zone", "closes", "moment"),
    [
        ("America/New_York", "2027-05-08T23:59:59", "2027-05-09T03:59:59Z"),
        ("Asia/Kolkata", "2027-05-08T23:59:59", "2027-05-08T18:29:59Z"),
        ("Pacific/Kiritimati", "2027-05-08T23:59:59", "2027-05-08T09:59:59Z"),
        # Clocks change between the opening and the deadline, an hour forward and an hour back.
        ("Europe/Berlin", "2027-03-28T12:00:00", "2027-03-28T10:00:00Z"),
        ("Europe/Berlin", "2027-10-31T12:00:00", "2027-10-31T11:00:00Z"),
    ],
)
def test_a_deadline_is_exact(zone: str, closes: str, moment: str) -> None:
    """A run is accepted until the last microsecond of the second that the file names, in that zone, and no longer."""
    day = closes[:8] + "26" if "28T" in closes else closes[:8] + "01"
    text = f'name = "a"\ntitle = "A"\nzone = "{zone}"\n[dates]\nopens = {day}T00:00\ncloses = {closes}\n'
    definition = parse(text + '[[tasks]]\nname = "three-way"\ntest = "pairs.xml"\nruns = 9\n', "a.toml")
    deadline = datetime.fromisoformat(moment)
    assert definition.dates.closes == deadline
    world = World(definition)
    world.join("alder")
    for early in (SECOND, timedelta(), -SECOND + INSTANT):
        run = world.accepted("alder", f"{early}", received=deadline - early)
        assert not run.late
    for late in (SECOND, SECOND + INSTANT, timedelta(hours=1)):
        assert world.refused("alder", f"late {late}", received=deadline + late) == ["closed"]


def test_nothing_before_the_opening(world: World) -> None:
    """A run is refused until the opening, and accepted from that instant on."""
    assert world.refused("alder", received=OPENS - INSTANT) == ["not-open"]
    world.accepted("alder", received=OPENS)


def test_one_team_is_extended(world: World) -> None:
    """An extension holds for one team alone, to the second, and ends."""
    until = CLOSES + timedelta(days=1)
    world.do(Extend(team="birch", until=until, reason="a fire"))
    assert world.refused("alder", received=CLOSES + SECOND) == ["closed"]
    assert not world.accepted("birch", received=until).late
    assert world.refused("birch", "b", received=until + SECOND) == ["closed"]
    assert world.campaign.deadline("birch") == until
    assert world.campaign.deadline("alder") == world.campaign.deadline() == CLOSES


def test_an_extension_is_checked(world: World) -> None:
    """It needs a team, a reason and a time after the deadline, and does not end in the past."""
    for command, said in (
        (Extend(team="brich", until=AFTER, reason="ill"), "did you mean 'birch'"),
        (Extend(team="birch", until=AFTER, reason="  "), "a reason"),
        (Extend(team="birch", until=CLOSES - SECOND, reason="ill"), "before the deadline"),
        (Extend(team="birch", until=DURING, reason="ill"), "has passed"),
    ):
        with pytest.raises(UsageError, match=said):
            world.do(command)
    assert len(world.campaign.teams) == 2
    assert world.campaign.deadline("birch") == CLOSES


def test_an_extension_with_an_offset_is_the_same_moment(world: World) -> None:
    """A time in another zone is kept as the moment it is."""
    there = datetime(2027, 5, 10, 1, 30, tzinfo=ZoneInfo("Asia/Kolkata"))
    world.do(Extend(team="birch", until=there, reason="ill"))
    assert world.campaign.deadline("birch") == there
    assert world.campaign.deadline("birch").tzinfo is UTC
    assert replay(world.entries) == world.campaign


@pytest.mark.parametrize(
    "command",
    [
        Extend(team="birch", until=CLOSES, reason="x" * 10_001),
        Withdraw(account="alder", id="1", reason="x" * 10_001),
        Sign(account="alder", person="x" * 10_001),
        Join(account="elm", role="team", team="elm", person="x" * 10_001),
        Join(account="elm", role="team", team="elm", person="x", contact="x" * 10_001),
        Join(account="elm", role="team", team="elm", person="x", signed="x" * 10_001),
    ],
)
def test_the_record_keeps_no_endless_text(world: World, command: Command) -> None:
    """A text that somebody enters has a limit, whichever way it comes."""
    with pytest.raises(UsageError, match="at most 10,000 characters"):
        world.do(command)


def test_a_replaced_run_is_not_withdrawn(world: World) -> None:
    """Who withdraws a run that a colleague has replaced is told so: the new run still counts."""
    old = world.accepted("alder", "a", run=1)
    new = world.accepted("annie", "b", run=1)
    with pytest.raises(DataError, match="replaced since") as caught:
        world.do(Withdraw(account="alder", id=old.id))
    assert [problem.code for problem in caught.value.problems] == ["run-changed"]
    assert [run.received.id for run in world.campaign.active("alder")] == [new.id]
    world.do(Withdraw(account="alder", id=new.id))
    assert world.do(Withdraw(account="annie", id=new.id)) == ()


def test_grace_marks_late() -> None:
    """In the minutes of grace a run is accepted and marked as late; after them it is refused."""
    world = World(grace=10)
    world.join("alder")
    assert not world.accepted("alder", "a", received=CLOSES).late
    end = CLOSES + SECOND + timedelta(minutes=10)
    assert world.accepted("alder", "b", received=CLOSES + SECOND).late
    assert world.accepted("alder", "c", run=1, received=end - INSTANT).late
    assert world.refused("alder", "d", run=1, received=end) == ["closed"]


def test_practice_never_mixes(world: World) -> None:
    """A run for practice is possible only after the close, has its own numbers, and is no official run."""
    assert world.refused("alder", area="practice") == ["not-open"]
    official = world.accepted("alder")
    practised = world.accepted("alder", "b", area="practice", received=AFTER)
    assert official.number == practised.number == 1
    assert practised.replaces is None
    assert not practised.late
    assert [run.received.id for run in world.campaign.active()] == [official.id]
    assert [run.received.id for run in world.campaign.active(area="practice")] == [practised.id]
    assert world.refused("alder", "c", received=AFTER) == ["closed"]
    again = world.accepted("alder", "a", area="practice", received=AFTER)  # the bytes of the official run
    assert again.number == 2
    assert world.refused("alder", "d", area="practice", received=AFTER) == ["run-limit"]
    world.do(Withdraw(account="alder", id=practised.id), AFTER)
    with pytest.raises(DataError, match="a withdrawal"):
        world.do(Withdraw(account="alder", id=official.id), AFTER)


def test_no_practice_unless_allowed() -> None:
    """Without a practice area, nothing is accepted after the close."""
    world = World(practice=False)
    world.join("alder")
    assert world.refused("alder", area="practice", received=AFTER) == ["closed"]


def test_sending_twice_stores_once(world: World) -> None:
    """The same bytes for the same slot lead to no event, whoever of the team sends them, even after the close."""
    first = world.accepted("alder", run=1)
    for again in ({"run": 1}, {"run": None}, {"run": 1, "file": "other name.txt"}, {"run": 1, "received": AFTER}):
        assert world.submit("alder", **again) is None
        assert world.submit("annie", **again) is None
    assert world.submit("alder", run=1, instead_of="") is None  # the form that was sent first, sent again
    assert list(world.campaign.runs) == [first.id]


def test_what_is_no_resend(world: World) -> None:
    """Another number, another team, another statement, or a run withdrawn meanwhile make a new run."""
    first = world.accepted("alder", run=1)
    assert world.accepted("alder", run=2).replaces is None
    assert world.accepted("birch", run=1).replaces is None
    second = world.accepted("alder", run=1, statement="the same, tuned on the test set")
    assert second.replaces == first.id
    world.do(Withdraw(account="alder", id=second.id))
    assert world.accepted("alder", run=1).replaces is None


def test_replacing_keeps_the_old_run(world: World) -> None:
    """A run replaced before the deadline no longer counts, and stays in the record."""
    old = world.accepted("alder", "a", run=2)
    new = world.accepted("annie", "b", run=2)
    assert new.replaces == old.id
    assert world.campaign.runs[old.id].status == "replaced"
    assert world.campaign.runs[old.id].received == old
    assert [run.received.id for run in world.campaign.active("alder")] == [new.id]


def test_a_refused_file_replaces_nothing(world: World) -> None:
    """A file with errors is kept for the help desk; the run that it was to replace still counts."""
    good = world.accepted("alder", "a", run=1)
    assert world.refused("alder", "b", "no-final-newline", "unknown-id", run=1) == ["unknown-id", "no-final-newline"]
    assert world.campaign.runs[good.id].status == "active"
    ((number, kept),) = world.campaign.refused
    assert world.entries[number - 1].event == kept
    assert (kept.team, kept.account, kept.count) == ("alder", "alder", 2)


def test_the_record_keeps_the_first_problems(world: World) -> None:
    """Of very many problems the record keeps the first errors, and the count of all."""
    world.refused("alder", "b", *["no-final-newline"] * 60, *["unknown-id"] * 150)
    ((_, kept),) = world.campaign.refused
    assert (len(kept.problems), kept.count) == (PROBLEMS_KEPT, 210)
    assert {problem.code for problem in kept.problems} == {"unknown-id"}


def test_a_withdrawn_run_frees_its_number(world: World) -> None:
    """Withdrawing erases nothing, hides no other run, can be repeated, and is for the own team alone."""
    first, second = world.accepted("alder", "a"), world.accepted("alder", "b")
    with pytest.raises(UsageError, match="no such run"):
        world.do(Withdraw(account="birch", id=first.id))
    world.do(Withdraw(account="annie", id=first.id, reason=" wrong file "))
    assert world.do(Withdraw(account="alder", id=first.id)) == ()
    assert world.campaign.runs[first.id].status == "withdrawn"
    assert [run.received.id for run in world.campaign.active("alder")] == [second.id]
    assert world.accepted("alder", "c").number == 1


@pytest.mark.parametrize("number", [-1, 0, 3, 99])
def test_numbers_outside_the_limit(world: World, number: int) -> None:
    """A number below 1 or above the limit is refused, not taken for another."""
    assert world.refused("alder", run=number) == ["run-limit"]


def test_no_run_more_than_the_limit(world: World) -> None:
    """Without a number a run takes the next free one; none is left after the last, for any member."""
    assert [world.accepted("alder", one).number for one in "ab"] == [1, 2]
    assert world.refused("annie", "c") == ["run-limit"]
    assert world.accepted("birch", "c").number == 1
    assert world.accepted("annie", "c", run=2).number == 2
    assert world.accepted("alder", "c", task="two-way").number == 1


def test_a_run_that_changed_under_the_form(world: World) -> None:
    """A form names the run that it replaces: if somebody was faster, nothing is replaced unseen."""
    first = world.accepted("alder", "a", run=1, instead_of="")
    assert world.refused("annie", "b", run=1, instead_of="") == ["run-changed"]
    assert "sent by alder in the meantime" in world.campaign.refused[-1][1].problems[0].found
    second = world.accepted("annie", "b", run=1, instead_of=first.id)
    assert second.replaces == first.id
    world.do(Withdraw(account="alder", id=second.id))
    assert world.refused("annie", "c", run=1, instead_of=second.id) == ["run-changed"]
    assert "withdrawn" in world.campaign.refused[-1][1].problems[0].found


def test_the_primary_run_follows(world: World) -> None:
    """The first run is primary unless the team chooses; a choice holds for what replaces the run, and ends with it."""
    assert world.campaign.primary("alder", "three-way") is None
    world.accepted("alder", "a", run=2)
    assert world.campaign.primary("alder", "three-way") == 2
    world.accepted("alder", "b", run=1)
    assert world.campaign.primary("alder", "three-way") == 1
    world.do(ChoosePrimary(account="annie", task="three-way", number=2))
    assert world.do(ChoosePrimary(account="alder", task="three-way", number=2)) == ()
    new = world.accepted("alder", "c", run=2)
    assert world.campaign.primary("alder", "three-way") == 2
    world.do(Withdraw(account="alder", id=new.id))
    assert world.campaign.primary("alder", "three-way") == 1


def test_choosing_is_checked(world: World) -> None:
    """Only a team chooses, among its own runs, until its deadline."""
    world.accepted("alder", run=1)
    world.do(Join(account="olga", role="organiser", person="Olga"))
    for account, task, number, said in (
        ("alder", "three-way", 2, "no run 2"),
        ("birch", "three-way", 1, "no run 1"),
        ("alder", "three-wya", 1, "did you mean 'three-way'"),
        ("olga", "three-way", 1, "only teams"),
        ("nobody", "three-way", 1, "no account"),
    ):
        with pytest.raises(UsageError, match=said):
            world.do(ChoosePrimary(account=account, task=task, number=number))
    world.accepted("alder", "b", run=2)
    with pytest.raises(DataError, match="a choice of the primary run"):
        world.do(ChoosePrimary(account="alder", task="three-way", number=2), AFTER)


def test_who_has_not_signed(world: World) -> None:
    """The agreement comes first, for each member; signing once is enough."""
    world.join("basil", team="birch", signed=False)
    assert world.refused("basil") == ["not-signed"]
    with pytest.raises(UsageError, match="full name"):
        world.do(Sign(account="basil", person=" "))
    world.do(Sign(account="basil", person=" Basil Birch "))
    assert world.campaign.members["basil"].signature.person == "Basil Birch"
    assert not world.campaign.members["basil"].signature.on_paper
    assert world.do(Sign(account="basil", person="Basil Birch")) == ()
    world.accepted("basil")


def test_every_obstacle_at_once(world: World) -> None:
    """A refusal lists what is wrong with the call, the time and the file together."""
    world.join("basil", team="birch", signed=False)
    found = world.refused("basil", "b", "unknown-id", run=9, received=AFTER)
    assert sorted(found) == ["closed", "not-signed", "run-limit", "unknown-id"]


def test_only_teams_submit(world: World) -> None:
    """Organisers, assessors and strangers have no runs; a task for assessors takes none."""
    world.do(Join(account="olga", role="organiser", person="Olga"))
    for account, said in (("olga", "only teams"), ("zoe", "no account")):
        with pytest.raises(UsageError, match=said):
            world.submit(account)
    assert world.refused("alder", task="parts") == ["no-runs-taken"]
    with pytest.raises(UsageError, match="did you mean 'two-way'"):
        world.submit("alder", task="tow-way")


def test_awaiting_judgment(world: World) -> None:
    """A task that needs people, and a run without scores, is never marked as scored."""
    assert world.accepted("alder").state == "scored"
    assert world.accepted("alder", task="questions", scores={}).state == "awaiting judgment"
    assert world.accepted("alder", task="two-way", scores={}).state == "awaiting judgment"


def test_same_as_fold(world: World) -> None:
    """A two-way run that equals a three-way run of the team on the same pairs is accepted with a warning."""
    world.accepted("alder", "a", answers="f")
    folded = world.accepted("alder", "b", task="two-way", answers="f")
    assert [problem.code for problem in folded.warnings] == ["same-as-fold"]
    assert "alder-1 in three-way" in folded.warnings[0].found
    for account, task, answers in (("alder", "two-way", "g"), ("birch", "two-way", "f"), ("alder", "elsewhere", "f")):
        assert world.accepted(account, "c", task=task, answers=answers).warnings == ()
    assert world.accepted("birch", "d", task="two-way", run=2, answers="").warnings == ()


def test_joining_is_checked(world: World) -> None:
    """Names can stand in addresses, are used once, and differ in more than capitals; a team is for teams."""
    for command, said in (
        (Join(account="alder", role="team", team="x", person="A"), "takes part already"),
        (Join(account="../x", role="team", team="x", person="A"), "cannot be the name of an account"),
        (Join(account="x\n", role="team", team="x", person="A"), "cannot be the name of an account"),
        (Join(account="x" * 41, role="team", team="x", person="A"), "1 to 40"),
        (Join(account="x", role="team", team="Alder", person="A"), "differ in more than capitals"),
        (Join(account="x", role="team", team="a b", person="A"), "cannot be the name of a team"),
        (Join(account="x", role="team", team="x", person=" "), "full name"),
        (Join(account="x", role="team", person="A"), "expected a team"),
        (Join(account="x", role="assessor", team="x", person="A"), "expected a team"),
    ):
        with pytest.raises(UsageError, match=said):
            world.do(command)
    assert set(world.campaign.members) == {"alder", "birch", "annie"}


def test_system_reports() -> None:
    """A report is taken from the opening until the end of its own date, the same once, and only from teams."""
    until = CLOSES + timedelta(days=30)
    world = World(dates=Dates(opens=OPENS, closes=CLOSES, reports=until))
    world.join("alder")
    world.do(Join(account="olga", role="organiser", person="Olga"))

    def send(content: str, at: datetime, account: str = "alder") -> tuple[Event, ...]:
        sent = SendReport(account=account, file="report.pdf", sha256=digest(content), size=1, received=at)
        return world.do(sent, at + timedelta(hours=1))  # what counts is when it arrived

    for at, said in ((OPENS - INSTANT, "from .* on"), (until + SECOND, "a system report")):
        with pytest.raises(DataError, match=said):
            send("first", at)
    with pytest.raises(UsageError, match="only teams"):
        send("x", OPENS, "olga")
    send("first", OPENS)
    assert send("first", AFTER) == ()
    send("second", until + SECOND - INSTANT)
    assert world.campaign.teams["alder"].report.sha256 == digest("second")
    assert replay(world.entries) == world.campaign


def test_tokens(world: World) -> None:
    """A token belongs to an account, and is revoked by it once."""
    with pytest.raises(UsageError, match="no account"):
        world.do(IssueToken(account="zoe", fingerprint="f"))
    world.do(IssueToken(account="alder", fingerprint="f"))
    assert world.do(RevokeToken(account="birch", fingerprint="f")) == ()
    assert world.campaign.tokens == {"f": "alder"}
    assert world.do(RevokeToken(account="alder", fingerprint="f"))
    assert world.do(RevokeToken(account="alder", fingerprint="f")) == ()
    assert world.campaign.tokens == {}


def test_the_phases() -> None:
    """The stage follows from the dates alone, each from its instant on."""
    days = [OPENS - timedelta(days=20), OPENS - timedelta(days=10)]
    dates = Dates(register=days[0], data=days[1], opens=OPENS, closes=CLOSES)
    definition = Definition(
        name="a", title="A", grace=1, dates=dates, tasks=(Task(name="three-way", test="pairs.xml"),)
    )
    state = World(definition).campaign
    instants = {
        days[0] - INSTANT: "preparing",
        days[0]: "registering",
        days[1] - INSTANT: "registering",
        days[1]: "data",
        OPENS - INSTANT: "data",
        OPENS: "open",
        CLOSES + SECOND - INSTANT: "open",
        CLOSES + SECOND: "grace",
        CLOSES + SECOND + timedelta(minutes=1): "closed",
    }
    assert {moment: state.phase(moment) for moment in instants} == instants


def test_every_event_is_one_of_two(world: World) -> None:
    """What is sent is received or refused, and never both."""
    world.accepted("alder")
    world.refused("alder", "b", "unknown-id")
    kinds = [type(entry.event) for entry in world.entries if isinstance(entry.event, RunReceived | RunRefused)]
    assert kinds == [RunReceived, RunRefused]


@pytest.mark.parametrize("name", ["team-0a1b2c3d4e", "TEAM-0A1B2C3D4E"])
def test_no_team_has_the_name_of_an_alias(name: str) -> None:
    """Otherwise one team could be taken for another that is anonymous."""
    world = World()
    with pytest.raises(UsageError, match="could be the alias of a team"):
        world.do(Join(account="a", role="team", team=name, person="A", signed="A"))
    with pytest.raises(UsageError, match="could be the alias of a team"):
        world.do(Invite(role="team", name=name))
