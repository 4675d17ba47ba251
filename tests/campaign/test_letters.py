"""Letters to teams: about their own team alone, and never before it may see what they say."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.campaign.commands import Join, NoteMail, Rekey, Release
from karat.campaign.dates import Dates
from karat.campaign.letters import ABOUT, About, Letter, addresses, letters, sent_before, subject
from karat.campaign.state import Campaign
from karat.errors import UsageError
from tests.campaign.worlds import AFTER, CLOSES, OPENS, Scores, World, digest

ADDRESS = "https://eval.example.org/"
NAMES = ("Alder", "Birch", "Cedar", "Dogwood", "Elm")


def written(world: World, about: About, before: Campaign | None = None) -> dict[str, Letter]:
    """The letters by team."""
    return {one.team: one for one in letters(world.campaign, about, AFTER, ADDRESS, before)}


def joined(world: World, team: str, *contacts: str) -> None:
    """A team with members who have these addresses."""
    for number, contact in enumerate(contacts):
        person = f"{team} Person {number}"
        account = f"{team}{number}"
        world.do(Join(account=account, role="team", team=team, person=person, contact=contact, signed=person))


def scored(number: int) -> Scores:
    """Scores that no other run has."""
    return {
        "3": {"accuracy": (3 * number + 1) / 1000, "kappa": (3 * number + 1) / 1000 - 0.5},
        "2": {"accuracy": (3 * number + 2) / 1000, "average_precision": None},
    }


def told(scores: Scores) -> set[str]:
    """The scores as a letter writes them."""
    return {
        f"{value:.1%}" if measure == "accuracy" else f"{value:.3f}".replace("-", "−")
        for of in scores.values()
        for measure, value in of.items()
        if value is not None
    }


@given(data=st.data())
@settings(deadline=None, max_examples=60)
def test_a_letter_names_no_other_team_and_no_score_of_others(data: st.DataObject) -> None:
    """Whatever has happened: no other name, person, address or score in any letter of a team; its own are there."""
    world = World(key_with_results=data.draw(st.booleans()), practice=data.draw(st.booleans()))
    teams = data.draw(st.lists(st.sampled_from(NAMES), min_size=2, unique=True))
    for team in teams:
        joined(world, team, *(f"{team}{n}@{team}.org" for n in range(data.draw(st.integers(1, 2)))))
    for number in range(data.draw(st.integers(1, 8))):
        team = data.draw(st.sampled_from(teams))
        task = data.draw(st.sampled_from(("three-way", "two-way", "questions")))
        scores = {} if task == "questions" else scored(number)
        world.submit(f"{team}0", f"content {number}", task=task, scores=scores, run=data.draw(st.integers(1, 2)))
    world.do(Release(to=data.draw(st.sampled_from(("teams", "public")))), AFTER)
    before, about = world.campaign, ["results"]
    if data.draw(st.booleans()):
        again = {
            id: scored(100 + at)
            for at, (id, run) in enumerate(before.runs.items())
            if run.scores and run.received.sent.task in ("three-way", "two-way")
        }
        world.do(Rekey(files={"pairs.xml": digest("new")}, scores=again, reason="One pair was wrong"), AFTER)
        about.append("key")
    about += ["public"] * ("public" in world.campaign.released)
    for kind in about:
        found = written(world, kind, before)  # type: ignore[arg-type]
        for team, letter in found.items():
            own = [run for run in world.campaign.runs.values() if run.received.team == team]
            allowed = set[str]().union(*(told(run.scores) | told(run.received.scores) for run in own))
            numbers = set(re.findall(r"(?<!\S)−?\d+\.\d+%?", letter.text))
            assert numbers <= allowed, letter.text
            for other in set(teams) - {team}:
                assert other not in letter.text + letter.subject + "".join(letter.to), letter.text
            if kind == "results":
                active = world.campaign.active(team)
                assert set[str]().union(*(told(run.scores) for run in active)) <= numbers
        if kind != "public":
            assert set(found) == {run.received.team for run in world.campaign.active()}


@pytest.mark.parametrize("about", list(ABOUT))
def test_no_letter_before_a_team_may_see_what_it_says(about: About) -> None:
    """Before any release none, before the public release none about it, without a new key none about one."""
    world = World()
    joined(world, "Alder", "a@alder.org")
    world.accepted("Alder0")
    with pytest.raises(UsageError, match="release them first"):
        written(world, about)
    world.do(Release(to="teams"), AFTER)
    if about == "results":
        assert list(written(world, about)) == ["Alder"]
    else:
        with pytest.raises(UsageError, match="not public" if about == "public" else "no new key"):
            written(world, about)


def test_the_results_of_a_team() -> None:
    """Runs that count with their scores, key version, link, dates, and whom to ask."""
    dates = Dates(opens=OPENS, closes=CLOSES, reports=CLOSES + timedelta(days=9), public=CLOSES + timedelta(days=40))
    world = World(dates=dates, practice=False)
    joined(world, "Alder", "a@alder.org", "b@alder.org", "a@alder.org")
    world.do(Join(account="org", role="organiser", person="Olga", contact="olga@example.org"))
    world.accepted("Alder0", run=1, scores=scored(1))
    world.accepted("Alder0", "b", run=1, scores=scored(2), manual=True)
    world.accepted("Alder0", "c", task="questions", scores={})
    world.do(Release(to="teams"), AFTER)
    letter = written(world, "results")["Alder"]
    assert letter.to == ("a@alder.org", "b@alder.org")
    assert letter.subject == "[rte] your results (key version 1)"
    assert re.search(r"task +run +scored +accuracy +kappa +average precision\n", letter.text)
    assert re.search(r"three-way +Alder-1 \(manual\) +three-way +0\.7% +−0\.493 +–\n", letter.text)
    assert re.search(r"three-way +Alder-1 \(manual\) +two-way +0\.8% +– +–\n", letter.text)
    assert "(–: undefined" in letter.text
    assert "0.4%" not in letter.text, "a run that was replaced does not count"
    assert "Not yet judged, and so without scores: Alder-1 (questions)." in letter.text
    assert "https://eval.example.org/c/rte/teams/Alder/" in letter.text
    assert "until 17 May 2027, 23:59:59 UTC" in letter.text
    assert "will not be public before 17 Jun 2027, 23:59:59 UTC" in letter.text
    assert "write to the organisers (olga@example.org)" in letter.text
    assert "try out" not in letter.text
    late = CLOSES + timedelta(days=10)
    (after,) = letters(world.campaign, "results", late, ADDRESS)
    assert "send the report" not in after.text


def test_a_new_key() -> None:
    """Old and new scores, and why; a team whose scores stay reads that."""
    world = World()
    for team in ("Alder", "Birch"):
        joined(world, team, f"x@{team}.org")
    world.accepted("Alder0", scores=scored(1))
    world.accepted("Birch0", "b", scores=scored(2))
    world.do(Release(to="teams"), AFTER)
    first = world.campaign
    runs = {run.received.team: id for id, run in first.runs.items()}
    new = {runs["Alder"]: scored(11), runs["Birch"]: scored(2)}
    world.do(Rekey(files={"pairs.xml": digest("new")}, scores=new, reason="Pair 3 was wrong"), AFTER)
    found = written(world, "key", first)
    assert "Pair 3 was wrong" in found["Alder"].text
    assert "The key of RTE was replaced on 10 May 2027, 23:59:59 UTC." in found["Alder"].text
    assert found["Alder"].subject == "[rte] new key, your scores have been computed again (key version 2)"
    assert re.search(r"three-way +Alder-1 +three-way +accuracy +0\.4% +3\.4%\n", found["Alder"].text)
    assert "None of your scores has changed:" in found["Birch"].text
    second = world.campaign
    newest = {runs["Alder"]: scored(21), runs["Birch"]: scored(2)}
    world.do(Rekey(files={"pairs.xml": digest("newer")}, scores=newest, reason="Pair 4 too"), AFTER)
    assert re.search(r"accuracy +key 2 +key 3|key 2 +key 3", written(world, "key", second)["Alder"].text)
    assert re.search(r"accuracy +3\.4% +6\.4%\n", written(world, "key", second)["Alder"].text)


def judged(value: float) -> Scores:
    """The scores of answers."""
    return {"questions": {"factoid_accuracy": value, "list_f": None}}


def test_first_judgments_replace_no_key() -> None:
    """Those whose answers were judged read their scores, without a column of what was not judged; others no letter."""
    world = World()
    for team in ("Alder", "Birch"):
        joined(world, team, f"x@{team}.org")
    world.accepted("Alder0", scores=scored(1))
    world.accepted("Alder0", "q", task="questions", scores={})
    world.accepted("Birch0", "b", scores=scored(2))
    world.do(Release(to="teams"), AFTER)
    first = world.campaign
    (asked,) = first.active(task="questions")
    new = {asked.received.id: judged(0.25)}
    world.do(Rekey(judgments={"questions": {"verdicts": digest("v1")}}, scores=new, reason="Read twice"), AFTER)
    found = written(world, "key", first)
    assert list(found) == ["Alder"], "no run of Birch was judged"
    text = found["Alder"].text
    assert found["Alder"].subject == "[rte] answers have been judged (key version 2)"
    assert "The answers to questions in RTE (questions) have been judged, on 10 May 2027, 23:59:59 UTC." in text
    assert "Read twice" in text
    assert re.search(r"task +run +scored +factoid accuracy +list F\nquestions +Alder-1 +by judgments +0\.250", text)
    assert "The scores of your other runs are as they were." in text
    assert not re.search(r"replaced|scored again|key 1|0\.4%", text)


def test_new_judgments() -> None:
    """Old and new scores of the runs that were judged; one that had not been judged is not undefined."""
    world = World()
    joined(world, "Alder", "a@alder.org")
    for content, run in (("q", 1), ("r", 2)):
        world.accepted("Alder0", content, task="questions", scores={}, run=run)
    world.do(Release(to="teams"), AFTER)
    one, other = (run.received.id for run in world.campaign.active(task="questions"))
    world.do(
        Rekey(judgments={"questions": {"verdicts": digest("v1")}}, scores={one: judged(0.25), other: {}}, reason="A"),
        AFTER,
    )
    first = world.campaign
    new = {one: judged(0.5), other: judged(0.75)}
    world.do(Rekey(judgments={"questions": {"verdicts": digest("v2")}}, scores=new, reason="B"), AFTER)
    text = written(world, "key", first)["Alder"].text
    assert "have been judged again, on" in text
    assert "The runs of questions were scored again. Your scores:" in text
    assert re.search(r"Alder-1 +by judgments +factoid accuracy +0\.250 +0\.500\n", text)
    assert re.search(r"Alder-1 +by judgments +list F +– +–\n", text)
    assert re.search(r"Alder-2 +by judgments +factoid accuracy +not judged +0\.750\n", text)
    assert "other runs" not in text
    second = world.campaign
    world.do(Rekey(judgments={"questions": {"verdicts": digest("v3")}}, scores=new, reason="C"), AFTER)
    assert "None of your scores has changed:" in written(world, "key", second)["Alder"].text


def test_judged_answers_have_a_table_of_their_own() -> None:
    """Their measures are others than those of labels."""
    world = World()
    joined(world, "Alder", "a@alder.org")
    world.accepted("Alder0", scores=scored(1))
    world.accepted("Alder0", "q", task="questions", scores={"questions": {"factoid_accuracy": 0.25, "list_f": None}})
    world.do(Release(to="teams"), AFTER)
    text = written(world, "results")["Alder"].text
    assert re.search(
        r"task +run +scored +factoid accuracy +list F\nquestions +Alder-1 +by judgments +0\.250 +–\n", text
    )
    assert re.search(r"task +run +scored +accuracy +kappa +average precision\nthree-way", text)


def test_the_public_release() -> None:
    """Goes to every team, with or without runs; says until when names are hidden; and has no score."""
    dates = Dates(opens=OPENS, closes=CLOSES, names=CLOSES + timedelta(days=40))
    world = World(dates=dates)
    joined(world, "Alder", "a@alder.org")
    joined(world, "Birch", "")
    world.accepted("Alder0")
    world.do(Release(to="public"), AFTER)
    found = written(world, "public")
    assert list(found) == ["Alder", "Birch"]
    assert found["Birch"].to == ()
    assert "https://eval.example.org/c/rte/results/" in found["Alder"].text
    assert "hidden until 17 Jun 2027" in found["Alder"].text
    assert "%" not in found["Alder"].text


def test_what_was_sent_before_is_known() -> None:
    """By letter and key version: results with a new key are a new letter."""
    world = World()
    joined(world, "Alder", "a@alder.org")
    world.accepted("Alder0")
    world.do(Release(to="teams"), AFTER)
    world.do(NoteMail(subject=subject(world.campaign, "results"), teams=("Alder",)), AFTER)
    assert sent_before(world.campaign, "results") == {"Alder": AFTER}
    assert sent_before(world.campaign, "public") == {}
    scores = {id: run.scores for id, run in world.campaign.runs.items()}
    world.do(Rekey(files={"pairs.xml": digest("new")}, scores=scores, reason="Pair 3"), AFTER)
    assert sent_before(world.campaign, "results") == {}


def test_addresses_of_others_are_not_a_teams() -> None:
    """Organisers and assessors are no members of a team."""
    world = World()
    joined(world, "Alder", " a@alder.org ")
    world.do(Join(account="org", role="organiser", person="Olga", contact="olga@example.org"))
    assert addresses(world.campaign, "Alder") == ("a@alder.org",)
