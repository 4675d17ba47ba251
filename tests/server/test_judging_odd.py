"""Odd requests of assessors and odd turns of a campaign: nothing is lost without a word, and nothing breaks."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import karat
from karat import examples
from karat.campaign.definition import Judging
from karat.errors import DataError
from tests.server.test_judging import EXAMPLES, FOUR, REASONS, by_length

UNITS = [str(number) for number in range(1, 7)]
TASK = "three-way"
UNKNOWN = {"label": "UNKNOWN"}


def rated(panels: Any) -> Any:
    """Two assessors who rate the justifications of two teams."""
    from karat.server import assigning, store
    from karat.server.submitting import Declared, submit
    from tests.server import campaigns

    made = panels.make("anna", "ben", tasks=(REASONS,))
    raw = (examples.RUNS / "chatty.jsonl").read_bytes()
    for team in ("Maple", "Willow"):
        campaigns.member(made.name, team, f"{made.name}-{team}", signed=False)
        declared, at = Declared(task="reasons", justifications=True), store.now() - timedelta(days=2)
        assert submit(made.name, f"{made.name}-{team}", "run.jsonl", raw, declared, at).run is not None
    assigning.assign(made.name, "reasons", made.names("anna", "ben"), sample=4)
    return made


def test_an_id_of_another_unit_is_refused(panels: Any) -> None:
    """Also if the same assessor used it: an answer that says "accepted" must be about the unit that was sent."""
    from karat.server import assigning

    made = panels.make("anna", "ben")
    assigning.assign(made.name, TASK, made.names("anna", "ben"), units=UNITS)
    first = made.next("anna")["unit"]
    assert made.judge("anna", first, id="one", values=UNKNOWN).status_code == 201
    second = made.next("anna")["unit"]
    assert made.judge("anna", second, id="one", values=UNKNOWN).status_code == 409
    assert made.ask("anna", "undo", {"id": "one", "unit": first}).status_code == 409
    for _ in range(2):
        assert made.ask("anna", "undo", {"id": "two", "unit": first}).status_code == 201
    assert made.judge("anna", first, id="two", values=UNKNOWN).status_code == 409
    assert assigning.counts(made.name, TASK)["ballots"] == 0


def test_programs_take_no_place_in_a_pool(panels: Any) -> None:
    """A unit that a program has judged waits for as many people as any other."""
    from karat.server import assigning

    made = panels.make("anna", "ben", "bot")
    assigning.assign(made.name, TASK, made.names("anna", "ben", "bot"), per_unit=2, units=UNITS, shared=True)
    while (shown := made.next("bot")) is not None:
        assert made.judge("bot", shown["unit"], values=UNKNOWN, program={"model": "m"}).status_code == 201
    assert (made.play("anna", by_length), made.play("ben", by_length)) == (6, 6)
    assert assigning.counts(made.name, TASK)["units"]["agreed"] == 6


def test_a_program_that_took_everything_back_stays_one(panels: Any) -> None:
    """Its account cannot go on as a person, whose judgments would count nowhere; and the files can be made."""
    from karat.server import assigning

    made = panels.make("anna", "ben")
    assigning.assign(made.name, TASK, made.names("anna", "ben"), units=UNITS)
    unit = made.next("anna")["unit"]
    assert made.judge("anna", unit, values=UNKNOWN, program={"model": "m"}).status_code == 201
    assert made.ask("anna", "undo", {"id": "back", "unit": unit}).status_code == 201
    assert assigning.file_of(made.name, TASK, programs=True).count(b"\n") == 1
    assert made.judge("anna", unit, values=UNKNOWN).status_code == 422


def test_numbers_without_end_are_refused(panels: Any) -> None:
    """By the interface for programs, and by the page."""
    made = rated(panels)
    unit = made.next("anna", "reasons")["unit"]
    for number in ("9" * 5000, int("9" * 400), "04"):
        assert made.judge("anna", unit, "reasons", values={"understandable": number}).status_code == 422
    form = {"id": "one", "unit": unit, "answer.understandable": "9" * 5000}
    assert made.page("anna", "tasks/reasons/judge/", form).status_code == 422


def test_ratings_of_programs_are_marked(panels: Any) -> None:
    """In the file that has them."""
    from karat.server import assigning

    made = rated(panels)
    for who, more in (("anna", {}), ("ben", {"program": {"model": "m"}})):
        unit = made.next(who, "reasons")["unit"]
        assert made.judge(who, unit, "reasons", values={"understandable": "1"}, **more).status_code == 201
    rows = [line.split("\t") for line in assigning.file_of(made.name, "reasons", programs=True).decode().splitlines()]
    assert [(row[2][-3:], row[-1]) for row in rows] == [("dge", "program"), ("nna", ""), ("ben", '{"model":"m"}')]


def test_a_pair_is_skipped_for_all_runs_or_for_none(panels: Any) -> None:
    """Whoever rates one justification after all is asked for the others again, and `karat justify` reads the file."""
    from karat.server import assigning

    made = rated(panels)
    unit = made.next("anna", "reasons")["unit"]
    for reason in ("the key is wrong", "the key is quite wrong"):
        assert made.judge("anna", unit, "reasons", skipped=reason).status_code == 201
    assert assigning.counts(made.name, "reasons")["ballots"] == 2
    assert made.judge("anna", unit, "reasons", values={"understandable": "2"}).status_code == 201
    assert assigning.counts(made.name, "reasons")["ballots"] == 1
    assert b"skip" not in assigning.file_of(made.name, "reasons")
    assert made.ask("anna", "undo", {"id": "back", "unit": unit}, "reasons").status_code == 201
    assert assigning.counts(made.name, "reasons")["ballots"] == 0


def test_remarks_with_control_characters(panels: Any, tmp_path: Path) -> None:
    """A word processor copies a line break as a vertical tab; `karat agree` reads the ballots all the same."""
    from karat.server import assigning

    made = panels.make("anna", "ben")
    assigning.assign(made.name, TASK, made.names("anna", "ben"), units=UNITS[:1])
    for who in ("anna", "ben"):
        answer = made.judge(who, made.next(who)["unit"], values=UNKNOWN, comment="one\x0btwo\x00three\x1c")
        assert answer.status_code == 201
    path = tmp_path / "ballots.tsv"
    path.write_bytes(assigning.file_of(made.name, TASK))
    assert karat.read_ballots(path).units == ("1",)


def edited(made: Any, files: dict[str, bytes] | None = None, **facts: Any) -> str:
    """Change the definition; why not, if it is refused."""
    from msgspec.structs import replace

    from karat.campaign.commands import Edit
    from karat.errors import UsageError
    from karat.server import store

    state = store.state_of(made.name)
    digests = {name: store.digest_of(raw) for name, raw in (files or {}).items()}
    stored = {digests[name]: raw for name, raw in (files or {}).items()}
    definition = replace(state.definition, **facts)
    try:
        store.execute(made.name, Edit(definition=definition, files=state.files | digests, reason="why"), "host", stored)
    except UsageError as error:
        return str(error)
    return ""


def test_what_assessors_have_been_given_stays(panels: Any) -> None:
    """Examples, the task and its labels; another title changes nothing of that."""
    from msgspec.structs import replace

    from karat.server import assigning

    given = Judging(examples="x.xml")
    made = panels.make("anna", "ben", opens=2, closes=5, judging=given, files={"x.xml": EXAMPLES})
    assert edited(made, {"x.xml": FOUR}) == ""
    assigning.assign(made.name, TASK, made.names("anna", "ben"), units=UNITS)
    task = store_task(made)
    assert "keep the file of the examples" in edited(made, judging=Judging())
    assert "keep the file of the examples" in edited(made, {"x.xml": EXAMPLES})
    assert "its kind and its way" in edited(made, tasks=(replace(task, way=2),))
    assert "keep the task" in edited(made, tasks=(replace(task, name="other"),))
    assert edited(made, title="Another title", judging=replace(given, qualify=0.5)) == ""
    assert made.next("anna")["stage"] == "qualification"


def store_task(made: Any) -> Any:
    """The first task."""
    from karat.server import store

    return store.state_of(made.name).definition.tasks[0]


def test_a_new_test_set_has_the_units_that_were_given_out(panels: Any) -> None:
    """Those that are not in it could not be shown."""
    from karat.errors import UsageError
    from karat.server import assigning, store
    from tests.server import campaigns

    made = panels.make("anna", "ben", opens=2, closes=5)
    state = store.state_of(made.name)
    assigning.check_units(state, state.definition, {"pairs.xml": EXAMPLES})
    assigning.assign(made.name, TASK, made.names("anna", "ben"), units=UNITS)
    state = store.state_of(made.name)
    assigning.check_units(state, state.definition, {"pairs.xml": campaigns.PAIRS + b"\n"})
    with pytest.raises(UsageError, match="6 units of 'three-way'"):
        assigning.check_units(state, state.definition, {"pairs.xml": EXAMPLES})


def test_a_unit_is_dealt_or_in_a_pool(panels: Any) -> None:
    """For the same people it cannot be both: it would wait for labels that nobody is asked for."""
    from karat.errors import UsageError
    from karat.server import assigning

    made = panels.make("anna", "ben", "carl")
    assigning.assign(made.name, TASK, made.names("anna", "ben"), units=UNITS)
    before = assigning.counts(made.name, TASK)
    assert assigning.assign(made.name, TASK, made.names("anna", "ben"), per_unit=1, units=UNITS, shared=True) == before
    assigning.assign(made.name, TASK, made.names("anna", "carl"), per_unit=1, units=UNITS, shared=True)
    with pytest.raises(UsageError, match="with those assessors already"):
        assigning.reassign(made.name, TASK, made.names("ben")[0], made.names("carl"), "away")
    assert [made.play(who, by_length) for who in ("anna", "ben", "carl")] == [6, 6, 6]
    assert assigning.counts(made.name, TASK)["units"]["agreed"] == 6


def test_a_judgment_taken_back_is_another_version(panels: Any) -> None:
    """Also if it is not the newest, and not in the file of ballots."""
    from karat.server import assigning, store

    made = rated(panels)

    def version() -> int:
        return store.state_of(made.name).work_of("reasons").changed

    first = made.next("anna", "reasons")["unit"]
    made.judge("anna", first, "reasons", values={"understandable": "1"})
    second = made.next("anna", "reasons")["unit"]
    for unit in (second, first, second):
        made.judge("anna", unit, "reasons", values={"understandable": "2"})
    before = version()
    assert made.ask("anna", "undo", {"id": "back", "unit": first}, "reasons").status_code == 201
    assert assigning.counts(made.name, "reasons")["ballots"] == 2
    assert version() != before


def test_ballots_come_back_whatever_a_note_contains(panels: Any) -> None:
    """A table keeps it in one line; the same file is brought twice all the same."""
    from karat.server import assigning, importing

    made = panels.make("anna", "ben", "carl")
    assigning.assign(made.name, TASK, made.names("anna", "ben"), units=UNITS[:1])
    assigning.assign(made.name, TASK, made.names("carl"), stage="adjudication")
    for who, label in (("anna", "UNKNOWN"), ("ben", "ENTAILMENT")):
        made.play(who, lambda _, label=label: {"label": label})
    said = {"label": "CONTRADICTION", "reason": "error", "kind": "=tense", "note": " two\nlines "}
    assert made.play("carl", lambda _: said) == 1
    raw = assigning.file_of(made.name, TASK)
    told = importing.import_ballots(made.name, TASK, "ballots.tsv", raw)
    assert (told["imported"], told["already"]) == (0, 3)
    other = raw.replace(b"two lines", b"three lines")
    with pytest.raises(DataError, match="judged otherwise here"):
        importing.import_ballots(made.name, TASK, "ballots.tsv", other)


def test_a_skipped_vote_is_called_skipped(panels: Any) -> None:
    """In the vote after the discussion; and no answer suggests to skip by a value, which is refused."""
    from karat.server import assigning

    made = panels.make("anna", "ben")
    assigning.assign(made.name, TASK, made.names("anna", "ben"), stage="norming", units=UNITS[:1])
    for who in ("anna", "ben"):
        assert made.judge(who, made.next(who)["unit"], skipped="no idea").status_code == 201
    assigning.reveal(made.name, TASK)
    assert [one["label"] for one in made.next("anna")["show"]["labels"]] == ["skipped: no idea"] * 2
    ratings = rated(panels)
    answer = ratings.judge("anna", ratings.next("anna", "reasons")["unit"], "reasons", values={"understandable": "no"})
    assert [one["expected"] for one in answer.json()["problems"]] == ["a whole number from 1 to 5"]


def test_why_nothing_can_be_changed(panels: Any) -> None:
    """A blind vote stays as it was although no round is closed."""
    from karat.server import assigning

    made = panels.make("anna")
    assigning.assign(made.name, TASK, made.names("anna"), stage="norming", units=UNITS[:1])
    unit = made.next("anna")["unit"]
    assert made.judge("anna", unit, values=UNKNOWN).status_code == 201
    assigning.reveal(made.name, TASK)
    address = f"tasks/{TASK}/judge/?unit={unit}"
    assert b"This can no longer be changed." in made.page("anna", address).content
    assigning.set_round(made.name, TASK, "norming", False)
    assert b"This round is closed" in made.page("anna", address).content


def test_examples_have_the_labels_that_are_asked_for(panels: Any) -> None:
    """With two labels nobody could qualify for a task with three."""
    from karat.errors import UsageError
    from karat.server import assigning

    two = EXAMPLES.replace(b"ENTAILMENT", b"YES").replace(b"CONTRADICTION", b"NO")
    made = panels.make("anna", judging=Judging(examples="x.xml"), files={"x.xml": two})
    with pytest.raises(UsageError, match="two labels"):
        assigning.assign(made.name, TASK, made.names("anna"), per_unit=1)
