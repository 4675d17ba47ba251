"""Every kind of judgment, taken away as one file and brought in elsewhere as it was; or refused with all reasons."""

from __future__ import annotations

import contextlib
import itertools
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from karat.errors import DataError
from tests.cli.calls import karat
from tests.server.judges import answers, entry
from tests.server.stages import JUDGED, make

PEOPLE = ("anna", "ben")
MANY = 24
_numbers = itertools.count(1)


def judged() -> str:
    """A campaign in which two people have judged everything of every kind, not alike; some of it was skipped."""
    from karat.server import judging

    name = f"everything-{next(_numbers)}"
    make(name, PEOPLE, MANY)
    for task in JUDGED:
        for place, who in enumerate(PEOPLE):
            account, sent = f"{name}-{who}", itertools.count()
            for number in range(10**6):
                if (shown := judging.next_unit(name, account, task)) is None:
                    break
                for unit, values, skipped in _said(msgspec.to_builtins(shown), number, place, who):
                    id = f"{task}-{who}-{next(sent)}"
                    sheet = judging.Sheet(id, unit, values, skipped=skipped, comment=f"why\tnot, {who}?\n")
                    judging.judge(name, account, task, sheet)
    return name


def _said(shown: Any, number: int, place: int, who: str) -> Iterator[tuple[str, dict[str, str], str]]:
    """What somebody says about a unit: entries in another order than that of their names, one of them taken out."""
    unit, stage = shown["unit"], shown["stage"]
    if shown["entry"] is not None:
        for letter in "bca":
            yield f"{unit}/{letter}{place}", entry(shown, f"{letter} of {who}", letter == "a"), ""
        yield f"{unit}/c{place}", {}, "taken out"
    skipped = number == 1 and stage not in ("lists", "nuggets", "matches", "development")
    yield (unit, {}, "no\nidea") if skipped else (unit, answers(shown, number + place, who), "")


def elsewhere() -> str:
    """The same campaign, in which nobody has anything to judge."""
    name = f"everything-{next(_numbers)}"
    make(name, PEOPLE, MANY, given=False)
    return name


def test_every_kind_comes_back(home: Any) -> None:
    """The file of the other campaign is the same, and so is every file that follows from the judgments."""
    from karat.server import assigning, importing, store

    del home
    name = judged()
    files = {task: assigning.file_of(name, task, "all") for task in JUDGED}
    other = elsewhere()
    for task, raw in files.items():
        here = raw.replace(f"{name}-".encode(), f"{other}-".encode())
        stages = {json.loads(line)["stage"] for line in raw.splitlines()}
        assert JUDGED[task].stage in stages
        told = importing.import_ballots(other, task, "judgments.jsonl", here)
        assert told["imported"] == len(raw.splitlines())
        assert assigning.file_of(other, task, "all") == here
        assert importing.import_ballots(other, task, "judgments.jsonl", here)["imported"] == 0
        for file in assigning.files(store.state_of(name).definition.task(task)):
            made = assigning.file_of(name, task, file).replace(f"{name}-".encode(), f"{other}-".encode())
            # Rows stand in the order of the ids of runs, which are others here.
            assert sorted(assigning.file_of(other, task, file).splitlines()) == sorted(made.splitlines()), (task, file)
    assert store.verify(other)["equal"] is True


def test_agreement_on_every_kind_is_that_of_the_laboratory(home: Any, tmp_path: Path) -> None:
    """What the organisers' page shows is what `karat agree` prints for the file that it links to."""
    from django.utils.html import escape

    from karat.render.json import render
    from karat.server import assigning, store
    from karat.server.watching import watched
    from tests.server import campaigns

    del home
    name = judged()
    state, seen = store.state_of(name), dict[str, int | None]()
    for task in state.definition.tasks:
        agreed = watched(state, task).answer.agreement  # before the page, which does not wait long for it
        page = campaigns.host().get(f"/c/{name}/tasks/{task.name}/judging/").content.decode()
        for one in agreed:
            seen[f"{task.name} {one.votes.name}"] = None if one.found is None else one.found.paired
            assert not one.unsaid
            assert f"<h3>{escape(one.votes.title)}</h3>" in page
            if one.found is None:
                continue
            assert escape(one.votes.command) in page
            file = tmp_path / one.votes.export.file
            file.write_bytes(assigning.file_of(name, task.name, one.votes.name))
            done = karat(*one.votes.command.split()[1:], file, "--format", "json")
            assert json.loads(done.stdout) == json.loads(render(one.found)), done.stderr
    # Ratings are for `karat justify`; in the others, everybody writes something of their own.
    alone = {task for task in JUDGED if not any(of.startswith(f"{task} ") for of in seen)}
    assert alone == {"ratings", "development", "nuggets"}
    assert [of for of, paired in seen.items() if not paired] == ["lists ballots"], "first judged these alone"


def test_what_does_not_follow_is_refused(home: Any) -> None:
    """What is asked can depend on other judgments of the file; a round that is going on is not ended by it."""
    from karat.server import assigning, importing, store

    del home
    name = f"everything-{next(_numbers)}"
    make(name, PEOPLE, MANY, ("lists", "nuggets", "matches", "preferences"), given=False)
    anna, ben = (f"{name}-{who}" for who in PEOPLE)

    def refused(task: str, *lines: dict[str, Any]) -> set[tuple[int | None, str]]:
        raw = "".join(json.dumps({"assessor": anna} | line) + "\n" for line in lines).encode()
        with pytest.raises(DataError) as error:
            importing.import_ballots(name, task, "judgments.jsonl", raw)
        assert not store.state_of(name).work_of(task).ballots
        return {(problem.line, problem.found) for problem in error.value.problems}

    own: dict[str, Any] = {"stage": "nuggets", "unit": "q1"}
    nugget = own | {"entry": "mine", "values": {"text": "a nugget", "importance": "vital"}}
    run = [f"{name}-Maple-1"]
    match: dict[str, Any] = {"stage": "matches", "unit": "q1", "runs": run}
    assert refused("nuggets", own | {"values": {}}) == {(1, "no vital")}
    assert refused("nuggets", nugget | {"entry": "a/b"}) == {(1, "the entry 'a/b'")}
    values = {"mine": "support", "other": "support", "evidence.mine": "3: nowhere"}
    found = refused("nuggets", nugget, own, match | {"values": values})
    assert found == {(3, "other 'support'"), (3, "evidence.mine '3: nowhere'")}
    assert refused("nuggets", nugget, match | {"runs": [], "values": {"mine": "support"}}) == {
        (2, "a judgment of unit 'q1'")
    }
    assert refused("nuggets", nugget, own, match | {"unit": "q99", "values": {}}) == {(3, "unit 'q99'")}
    assert refused("preferences", match | {"stage": "preferences", "values": {"preference": "left"}}) == {
        (1, "a judgment of unit 'q1'")
    }
    assigning.assign(name, "nuggets", [ben], stage="nuggets", per_unit=1)
    waits = f"a judgment of the kind matches, while {ben} has not judged everything of the kind nuggets"
    assert (3, waits) in refused("nuggets", nugget, own, match | {"values": {"mine": "support"}})


ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**30,
    1.5,
    "",
    [],
    {},
    ["a", "b"],
    {"a": {"b": 1}},
    "x" * 3000,
    "\0",
    "a\tb\nc",
    "<script>alert(1)</script>",
    "a+b",
    "nuggets",
    "q1",
    {"label": "R"},
)
NAMES = ("stage", "unit", "runs", "entry", "again", "assessor", "values", "skipped", "guidelines", "seconds", "program")


def test_damaged_files_are_refused_or_harmless(home: Any) -> None:
    """Whatever stands in a file, it is brought in so that the record can be verified, or refused with reasons."""
    from karat.server import assigning, importing, store

    del home
    name, other, dice, brought = judged(), elsewhere(), random.Random(19), 0
    files = {
        task: assigning.file_of(name, task, "all").replace(f"{name}-".encode(), f"{other}-".encode()).splitlines()
        for task in JUDGED
    }
    for task, whole in files.items():
        for _ in range(12):
            lines = [json.loads(line) for line in whole]
            for _ in range(dice.randint(1, 3)):
                line = dice.choice(lines)
                if dice.random() < 0.6:
                    line[dice.choice(NAMES)] = dice.choice(ODD)
                elif line.get("values"):
                    line["values"][dice.choice([*line["values"], "new"])] = dice.choice(ODD)
                dice.shuffle(lines)
            raw = "".join(json.dumps(line) + "\n" for line in lines).encode()
            with contextlib.suppress(DataError):
                importing.import_ballots(other, task, "judgments.jsonl", raw)
                brought += 1
    assert brought > 5
    told = store.verify(other)
    assert told["equal"] is True, told["differences"]
