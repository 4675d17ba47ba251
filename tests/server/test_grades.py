"""Content and organisation from 0 to 10, and preferences between two answers, through pages and for programs."""

from __future__ import annotations

import csv
import io
import re
import uuid
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import karat
from karat.data.provenance import VERDICTS
from karat.errors import UsageError

DEFINED = "definitions"


@pytest.fixture
def grading(home: Any) -> Any:
    """Campaigns in which whole answers are graded."""
    del home
    from tests.server import grading

    return grading


def rows(campaign: str, name: str) -> list[dict[str, str]]:
    """A file of judgments."""
    from karat.server import assigning

    text = assigning.file_of(campaign, DEFINED, name).decode()
    return list(csv.DictReader(io.StringIO(text), delimiter="\t"))


def grade(show: Any) -> dict[str, str]:
    """Grades that follow from the answer."""
    tree = int(re.findall(r"tree (\d)", " ".join(show["response"]))[0])
    return {"content": str(10 - 3 * tree), "organisation": str(tree)}


@pytest.mark.parametrize("kind", ["questions", "nuggets", "ratings"])
def test_answers_are_graded_by_two(grading: Any, kind: Any, tmp_path: Path) -> None:
    """Every answer of every run by both, blind; the file is one that `karat nuggets --ratings` reads."""
    from karat.cli import cli
    from karat.server.store import verify

    made = grading.make("anna", "ben", kind=kind)
    grading.give_out(made, "quality", "anna", "ben")
    shown = made.next("anna", DEFINED)
    assert set(shown["show"]) == {"question", "target", "type", "earlier", "response", "place"}
    assert [one["name"] for one in shown["ask"]] == ["content", "organisation"]
    assert shown["ask"][0]["values"] == [str(number) for number in range(11)]
    assert shown["ask"][0]["keys"] == [*"0123456789", "t"]
    # One run is silent on one question; to questions of fact, where they are graded too, all say the same, once.
    count = 11 if kind == "questions" else 15
    if kind == "questions":
        assert made.play("anna", grade, DEFINED) == made.play("ben", grade, DEFINED) == count
        found = rows(made.name, "quality")
        assert len(found) == 2 * count
        assert set(found[0]) == {"run", "qid", "assessor", "content", "organisation"}
        assert {row["run"] for row in found} == {"Maple-1", "Willow-1", "Hazel-1"}
        assert {(row["run"], row["content"]) for row in found} == {
            ("Maple-1", "10"),
            ("Willow-1", "7"),
            ("Hazel-1", "4"),
        }
        files = {
            "nuggets": "qid\tnugget\timportance\ttext\n1.2\t1\tvital\tit\n",
            "matches": "run\tqid\tnugget\tdegree\n"
            + "".join(f"{one}-1\t1.2\t1\tsupport\n" for one in ("Maple", "Willow", "Hazel")),
        }
        for name, text in files.items():
            (tmp_path / f"{name}.tsv").write_text(text)
        from karat.server import assigning

        (tmp_path / "quality.tsv").write_bytes(assigning.file_of(made.name, DEFINED, "quality"))
        command = ["nuggets", *(str(tmp_path / f"{name}.tsv") for name in files)]
        done = CliRunner().invoke(cli, [*command, "--ratings", str(tmp_path / "quality.tsv")])
        assert done.exit_code == 0, done.output
        assert "Ratings by assessor" in done.output
    else:
        values = {"content": "3", "organisation": "10"}
        assert made.play("anna", lambda _: values, DEFINED) == count
    assert verify(made.name)["equal"] is True


def test_the_same_words_are_graded_once_and_count_for_each_run(grading: Any) -> None:
    """In the file every run has its grade; agreement counts what was judged, once."""
    from karat.server import assigning

    made = grading.make("anna", "ben", kind="ratings")
    grading.give_out(made, "quality", "anna", "ben")
    said: dict[str, list[tuple[str, ...]]] = {"anna": [], "ben": []}

    def grade_so(who: str) -> Any:
        def judged(show: Any) -> dict[str, str]:
            said[who].append((show["question"], *show["response"], str(show["target"])))
            return {"content": str(len(show["response"][0]) % 11), "organisation": "5"}

        return judged

    for who in said:
        assert made.play(who, grade_so(who), DEFINED) == 15
        assert len(set(said[who])) == 15, "nothing is read twice"
    found = rows(made.name, "quality")
    assert len(found) == 2 * 23
    dated = [row for row in found if row["qid"] == "1.1"]
    assert {(row["run"], row["assessor"]) for row in dated} == {
        (f"{team}-1", name) for team in ("Maple", "Willow", "Hazel") for name in made.names("anna", "ben")
    }
    assert len({row["content"] for row in dated}) == 1
    votes = assigning.file_of(made.name, DEFINED, "agreement-content").decode().splitlines()
    assert len(votes) == 1 + 2 * 15


def test_the_same_words_are_not_compared(grading: Any) -> None:
    """Where all say the same, nothing is given out; what is said of one run counts for those who say the same."""
    from datetime import timedelta

    from karat.server import store
    from karat.server.submitting import Declared, submit
    from tests.server import campaigns
    from tests.server.grading import answers

    made = grading.make("anna", kind="ratings", closes=1)
    campaigns.member(made.name, "Twin", f"{made.name}-twin", signed=False)
    at = store.now() - timedelta(hours=1)
    sent = submit(made.name, f"{made.name}-twin", "twin.tsv", answers("Maple"), Declared(task=DEFINED), at)
    assert sent.run is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("karat.server.store.now", lambda: at + timedelta(days=3))
        patch.setattr("karat.server.judging.now", lambda: at + timedelta(days=3))
        grading.give_out(made, "preferences", "anna", per_unit=1)
        shown: list[Any] = []

        def prefer(show: Any) -> dict[str, str]:
            shown.append(show)
            return {
                "preference": "left"
                if "tree 0" in show["left"][0]
                else "right"
                if "tree 0" in show["right"][0]
                else "tie"
            }

        assert made.play("anna", prefer, DEFINED) == 3 * 3 + 1
    assert all(show["left"] != show["right"] for show in shown)
    assert {show["question"] for show in shown} == {"Other"}, (
        "questions of fact, to which all say the same, are not there"
    )
    found = {(row["qid"], row["run_a"], row["run_b"]): row["preference"] for row in rows(made.name, "preferences")}
    assert not [pair for pair in found if {*pair[1:]} == {"Maple-1", "Twin-1"}]
    for question in ("1.2", "2.2", "3.2"):
        for other in ("Willow-1", "Hazel-1"):
            assert found[(question, *sorted((other, "Twin-1")))] == "Twin-1"
            assert found[(question, *sorted((other, "Maple-1")))] == "Maple-1"
    assert len(found) == 3 * 5 + 2


def test_grades_that_are_none(grading: Any) -> None:
    """Both numbers, from 0 to 10, and nothing else."""
    made = grading.make("anna")
    grading.give_out(made, "quality", "anna", per_unit=1)
    unit = made.next("anna", DEFINED)["unit"]
    for values in (
        {},
        {"content": "3"},
        {"content": "11", "organisation": "1"},
        {"content": "3.5", "organisation": "1"},
    ):
        answer = made.judge("anna", unit, DEFINED, values=values)
        assert answer.status_code == 422, values
    assert made.judge("anna", unit, DEFINED, values={"content": "0", "organisation": "10"}).status_code == 201
    assert made.judge("anna", unit, DEFINED, values={}, skipped="no sense").status_code == 201
    assert rows(made.name, "quality") == []
    undone = made.ask("anna", "undo", {"id": str(uuid.uuid4()), "unit": unit}, DEFINED)
    assert undone.status_code == 201, undone.content
    assert [row["organisation"] for row in rows(made.name, "quality")] == ["10"]


def test_answers_are_judged_when_all_are_in(grading: Any) -> None:
    """Not while teams can still send runs, or one that has more time; not where nobody has answered."""
    from karat.campaign.commands import Extend
    from karat.server import assigning, store

    longer = grading.make("anna")
    more = Extend(team="Maple", until=store.now() + timedelta(days=1), reason="their university was closed")
    store.execute(longer.name, more, "organiser")
    for made in (grading.make("anna", closes=1), longer):
        for stage in ("quality", "preferences"):
            with pytest.raises(UsageError, match="submissions are still open"):
                grading.give_out(made, stage, "anna", per_unit=1)
    alone = grading.make("anna", teams=("Maple",))
    with pytest.raises(UsageError, match="no units were given"):
        grading.give_out(alone, "preferences", "anna", per_unit=1)
    with pytest.raises(UsageError, match="unit"):
        assigning.assign(alone.name, DEFINED, alone.names("anna"), stage="quality", units=["1.1"], per_unit=1)


def test_two_answers_are_compared_and_mirrored(grading: Any, tmp_path: Path) -> None:
    """Every pair by both; what one sees on the left the other sees on the right, and `prefer` reads the file."""
    from karat.server import assigning
    from karat.server.store import state_of, verify

    made = grading.make("anna", "ben")
    grading.give_out(made, "preferences", "anna", "ben")
    shown = made.next("anna", DEFINED)
    assert set(shown["show"]) == {"question", "target", "type", "earlier", "left", "right"}
    assert shown["ask"][0]["values"] == ["left", "right", "tie", "both bad"]

    def better(show: Any) -> dict[str, str]:
        left, right = (int(re.findall(r"tree (\d)", show[side][0])[0]) for side in ("left", "right"))
        return {"preference": "tie" if {left, right} == {1, 2} else "left" if left < right else "right"}

    count = 3 * 3 + 1
    assert made.play("anna", better, DEFINED) == made.play("ben", better, DEFINED) == count
    found = rows(made.name, "preferences")
    assert len(found) == 2 * count
    for row in found:
        pair = {row["run_a"], row["run_b"]}
        assert row["preference"] == ("Maple-1" if "Maple-1" in pair else "tie")
        assert set(row["shown"].split(" ")) == pair
    file = tmp_path / "preferences.tsv"
    file.write_bytes(assigning.file_of(made.name, DEFINED, "preferences"))
    read = karat.read_preferences(file)
    assert len(read) == 2 * count
    for left, right, verdict in zip(read.left, read.right, read.verdict, strict=True):
        sides = [read.runs[left], read.runs[right]]
        assert VERDICTS[verdict] == (("left", "right")[sides.index("Maple-1")] if "Maple-1" in sides else "tie")
    by_pair: dict[tuple[str, str, str], set[str]] = {}
    for row in found:
        by_pair.setdefault((row["qid"], row["run_a"], row["run_b"]), set()).add(row["shown"])
    assert all(len(orders) == 2 for orders in by_pair.values()), "the second sees it mirrored"
    queues = state_of(made.name).work_of(DEFINED).queues
    for who in made.names("anna", "ben"):
        assert len({item.unit for item in queues["preferences", who]}) == 4
    assert verify(made.name)["equal"] is True


def test_pairs_that_change_hands_stay_mirrored(grading: Any) -> None:
    """Whoever takes over the pairs of one of two sees them as that one did, mirrored to the other."""
    from karat.server import assigning
    from karat.server.store import state_of, verify

    made = grading.make("anna", "ben", "cleo")
    grading.give_out(made, "preferences", "anna", "ben")
    for gone, kept in (("anna", "ben"), ("ben", "anna")):
        before = state_of(made.name).work_of(DEFINED).queues
        (one,), (other,), (new,) = made.names(gone), made.names(kept), made.names("cleo")
        if not before["preferences", one]:
            continue
        assigning.reassign(made.name, DEFINED, one, [new], "ill", "preferences")
        queues = state_of(made.name).work_of(DEFINED).queues
        assert set(queues["preferences", new]) == set(before["preferences", one])
        assert not set(queues["preferences", new]) & set(queues["preferences", other])
        assigning.reassign(made.name, DEFINED, new, [one], "well again", "preferences")
    assert verify(made.name)["equal"] is True


def test_no_run_is_on_the_left_more_often(grading: Any) -> None:
    """Of all pairs of a question, and of as many as the organiser asks for; over questions as well."""
    from karat.campaign.judging.kinds.grades import pairs
    from karat.server.store import material, state_of

    made = grading.make("anna")
    about = material(state_of(made.name), DEFINED)
    for many in (2, 3, 4, 5, 8, 9):
        names = [f"{number:016x}" for number in range(many)]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                "karat.campaign.judging.kinds.grades.alike", lambda *_, names=names: {one: [one] for one in names}
            )
            over, placed = Counter[str](), Counter[str]()
            for number in range(200):
                found = pairs(about, f"q{number}")
                assert len({frozenset(one.split("+")) for one in found}) == len(found) == many * (many - 1) // 2
                for some in (found, found[:many]):
                    left = Counter(one.split("+")[0] for one in some)
                    right = Counter(one.split("+")[1] for one in some)
                    assert all(abs(left[name] - right[name]) <= 1 for name in names), (many, some)
                over.update(one.split("+")[0] for one in found)
                placed.update(found[:1])
            assert max(over.values()) - min(over.values()) <= 60, over
            assert many < 3 or len(placed) > many, "the pairs that come first differ from question to question"


def test_so_many_pairs_and_no_more(grading: Any) -> None:
    """The most pairs of a question, by the form of the page and by the command."""
    from karat.server.store import state_of

    made = grading.make("anna")
    form = {"assessor": made.names("anna"), "stage": "preferences", "per_unit": "1", "sample": "2"}
    page = made.page("organiser", f"tasks/{DEFINED}/judging/")
    assert "Pairs of answers to a question, at most" in page.content.decode()
    answer = made.page("organiser", f"tasks/{DEFINED}/judging/assign/", form)
    assert answer.status_code == 302, answer.content.decode()
    queue = state_of(made.name).work_of(DEFINED).queues["preferences", made.names("anna")[0]]
    assert Counter(item.unit for item in queue) == {"1.2": 2, "2.2": 2, "3.2": 2, "4.2": 1}
    with pytest.raises(UsageError, match="a sample is drawn"):
        grading.give_out(made, "quality", "anna", sample=2)


def test_plain_forms(grading: Any) -> None:
    """Without scripts: both numbers by one form, a preference by another, the keys in the list, and undo."""
    made = grading.make("anna")
    grading.give_out(made, "quality", "anna", per_unit=1)
    text = made.page("anna", f"tasks/{DEFINED}/judge/").content.decode()
    assert "<kbd>0</kbd> to <kbd>9</kbd>, <kbd>t</kbd> for 10" in text
    assert re.search("Answer 1 of [23] to this question", text)  # one run is silent on the last question
    form = {
        name: re.findall(rf'name="{name}" value="([^"]*)"', text)[0] for name in ("id", "unit", "guidelines", "account")
    }
    wrong = made.page("anna", f"tasks/{DEFINED}/judge/", form | {"do": "save", "answer.content": "9"})
    assert wrong.status_code == 422
    assert 'value="9" data-key="9" checked' in wrong.content.decode()
    done = made.page(
        "anna", f"tasks/{DEFINED}/judge/", form | {"do": "save", "answer.content": "9", "answer.organisation": "10"}
    )
    assert done.status_code == 302
    assert [(row["content"], row["organisation"]) for row in rows(made.name, "quality")] == [("9", "10")]
    undo = {"do": "undo", "id": "back", "unit": form["unit"], "account": form["account"]}
    assert made.page("anna", f"tasks/{DEFINED}/judge/", undo).status_code == 302
    assert rows(made.name, "quality") == []


def test_preferences_of_programs_stand_apart(grading: Any) -> None:
    """A program may grade and compare; its judgments are in the files only if asked for."""
    from karat.server import assigning

    made = grading.make("robot")
    grading.give_out(made, "preferences", "robot", per_unit=1, sample=1)
    unit = made.next("robot", DEFINED)["unit"]
    values = {"preference": "both bad"}
    assert made.judge("robot", unit, DEFINED, values=values, program={"model": "m"}).status_code == 201
    assert rows(made.name, "preferences") == []
    assert b"both bad" in assigning.file_of(made.name, DEFINED, "preferences", programs=True)
