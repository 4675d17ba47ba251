"""Tests of campaign files: every problem at once and at its line, and what is written is read again."""

from __future__ import annotations

import contextlib
import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from karat.campaign.dates import Dates
from karat.campaign.definition import RESERVED, Definition, Judging, Task, build, parse
from karat.campaign.writing import written
from karat.errors import DataError, Problem

SPEC = """
name = "rte-2027"
title = "Recognising Textual Entailment"
zone = "America/New_York"
agreement = "agreement.md"
guidelines = "guidelines.md"

[dates]                     # local times in `zone`, or with an offset
register = 2027-03-01T00:00
data = 2027-05-01T00:00
opens = 2027-05-01T00:00
closes = 2027-05-08T23:59:59
results = 2027-06-01T00:00  # earliest; an organiser still releases by hand
public = 2027-09-01T00:00
reports = 2027-08-15T23:59:59

[[tasks]]
name = "three-way"
kind = "entailment"         # entailment | justifications | questions | nuggets | ratings | decomposition
way = 3
test = "pairs.xml"          # with key; the blind set is made from it
runs = 3
public_share = 0.0          # share of units on a live board, drawn by seed
justifications = "optional"

[judging]
per_unit = 2
"""
PLAIN = """name = "a"
title = "A"
[dates]
opens = 2027-05-01T00:00
closes = 2027-05-08T23:59:59
[[tasks]]
name = "three-way"
test = "pairs.xml"
"""


def told(text: str) -> list[Problem]:
    """What is said of a campaign file."""
    with pytest.raises(DataError) as caught:
        parse(text, "a.toml")
    return list(caught.value.problems)


def changed(*changes: tuple[str, str]) -> str:
    """The plain campaign with some text exchanged."""
    text = PLAIN
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    return text


def test_the_file_of_the_specification() -> None:
    """The documented example is read as it says, times in its zone and without seconds included."""
    made = parse(SPEC, "rte.toml")
    assert made.dates.opens == datetime(2027, 5, 1, 4, tzinfo=UTC)
    assert made.dates.closes == datetime(2027, 5, 9, 3, 59, 59, tzinfo=UTC)
    assert made.tasks == (Task(name="three-way", test="pairs.xml", justifications="optional"),)
    assert made.files() == {"agreement.md": "agreement", "guidelines.md": "guidelines", "pairs.xml": "test"}
    assert parse(written(made), "again.toml") == made


def test_every_problem_at_once() -> None:
    """Problems of every kind are reported together, in the order of their lines."""
    text = """name = "a b"
titel = "A"
zone = "Europe/Berln"
grace = -1
practice = "yes"
registration = "closed"
[dates]
opens = 2027-05-09T00:00
closes = 2027-05-08T23:59:59
results = 2027-06-01
reports = "tomorrow"
[[tasks]]
name = "t"
tset = "pairs.xml"
way = 4
[[tasks]]
name = "t"
test = "pairs.xml"
runs = 0
public_share = 2
kind = "entailmet"
attributes = "task"
[judging]
per_unit = 2.5
"""
    found = [(problem.line, problem.found) for problem in told(text)]
    lines = [line for line, _ in found[:-1]]
    assert lines == sorted(lines, key=lambda line: line or 0)
    assert dict(found) == {
        1: "name: 'a b'",
        2: "titel: an unknown key (did you mean 'title'?)",
        3: "zone: 'Europe/Berln' (did you mean 'Europe/Berlin'?)",
        4: "grace: -1",
        5: "practice: 'yes'",
        6: "registration: 'closed'",
        9: "dates.closes: 2027-05-08T23:59:59, before opens",
        10: "dates.results: 2027-06-01",
        11: "dates.reports: tomorrow",
        12: "tasks[1].test: nothing",
        14: "tasks[1].tset: an unknown key (did you mean 'test'?)",
        15: "tasks[1].way: 4",
        17: "tasks[2].name: 't'",
        19: "tasks[2].runs: 0",
        20: "tasks[2].public_share: 2",
        21: "tasks[2].kind: 'entailmet'",
        22: "tasks[2].attributes: 'task'",
        24: "judging.per_unit: 2.5",
        None: "title: nothing",
    }


@pytest.mark.parametrize(
    ("before", "after", "line", "said"),
    [
        ('"a"', '"a\\n"', 1, "1 to 40 letters"),
        ('"a"', '"' + "x" * 41 + '"', 1, "1 to 40 letters"),
        ('"a"', '".."', 1, "1 to 40 letters"),
        ('"a"', '"new"', 1, "another name"),
        ('"a"', "7", 1, "1 to 40 letters"),
        ('"a"', "[]", 1, "1 to 40 letters"),
        ('"A"', '""', 2, "a text of 1 to 200 characters"),
        ('"A"', "7", 2, "a text of 1 to 200 characters"),
        ('title = "A"', 'title = "A"\ngrace = 1.5', 3, "a whole number from 0 to 1440"),
        ('title = "A"', 'title = "A"\npractice = 1', 3, "true or false"),
        ('title = "A"', 'title = "A"\nagreement = 1', 3, "a text"),
        ('title = "A"', 'title = "A"\nagreement = "pairs.xml"', 3, "a file of its own"),
        ('title = "A"', 'title = "A"\nguidelines = "./x/../pairs.xml"', 3, "a file of its own"),
        ('title = "A"', 'title = "A"\nagreement = "t.md"\nguidelines = "t.md"', 4, "a file of its own"),
        ('title = "A"', 'title = "A"\nzone = 1', 3, "a zone of the tz database"),
        ('title = "A"', 'title = "A"\njudging = 1', 3, "a table"),
        ("2027-05-01T00:00", "2027-05-01", 4, "a day has 24 hours"),
        ("2027-05-01T00:00", "12:00:00", 4, "a date and a time"),
        ("2027-05-01T00:00", "0001-01-01T00:00", 4, "a year from 1970"),
        ("2027-05-08T23:59:59", "9999-12-31T23:59:59", 5, "to 8999"),
        ("2027-05-08T23:59:59", "2027-05-01T00:00:00", 5, "a time after opens"),
        ('test = "pairs.xml"', 'test = "pairs.xml"\nway = "3"', 9, "2 or 3"),
        ('test = "pairs.xml"', 'test = "pairs.xml"\nway = true', 9, "2 or 3"),
        ('test = "pairs.xml"', 'test = "pairs.xml"\npublic_share = nan', 9, "a number from 0 to 1"),
        ('test = "pairs.xml"', 'test = "pairs.xml"\nattributes = [1]', 9, "a list of texts"),
    ],
)
def test_a_wrong_value(before: str, after: str, line: int, said: str) -> None:
    """A value of the wrong kind, outside its limits or of no meaning is named with its line and what was expected."""
    (problem,) = told(changed((before, after)))
    assert problem.line == line
    assert said in problem.expected


@pytest.mark.parametrize("text", ["[[tasks]]\n", "tasks = []\n", "tasks = 1\n", "tasks = [1]\n", 'tasks = ["a"]\n', ""])
def test_no_tasks(text: str) -> None:
    """A campaign without a task, or with something else in its place, is refused, and nothing else is said of it."""
    beginning = PLAIN.partition("[dates]")[0]
    dates = "[dates]" + PLAIN.partition("[dates]")[2].partition("[[tasks]]")[0]
    tables = beginning + dates + text if text.startswith("[[") else beginning + text + dates
    assert {problem.found.partition(":")[0].partition("[")[0] for problem in told(tables)} == {"tasks"}


def test_no_toml() -> None:
    """A slip in the file itself is named with line and column."""
    (problem,) = told(changed(('"A"', '"A')))
    assert (problem.code, problem.line) == ("toml", 2)
    assert problem.column is not None
    (problem,) = told(PLAIN + "x")
    assert problem.code == "toml"


def test_summer_time() -> None:
    """A local time that clocks skip, or show twice, is refused with the two ways to say what is meant."""
    zone = ('title = "A"', 'title = "A"\nzone = "Europe/Berlin"')
    (gap,) = told(changed(zone, ("2027-05-01T00:00", "2027-03-28T02:30")))
    assert gap.line == 5
    assert "2027-03-28T01:30:00+01:00 or 2027-03-28T03:30:00+02:00" in gap.expected
    (fold,) = told(changed(zone, ("2027-05-08T23:59:59", "2027-10-31T02:30:00")))
    assert "2027-10-31T02:30:00+02:00 or 2027-10-31T02:30:00+01:00" in fold.expected
    first = parse(changed(zone, ("2027-05-08T23:59:59", "2027-10-31T02:30:00+02:00")), "a.toml")
    second = parse(changed(zone, ("2027-05-08T23:59:59", "2027-10-31T02:30:00+01:00")), "a.toml")
    assert second.dates.closes - first.dates.closes == timedelta(hours=1)
    for made in (first, second):
        assert parse(written(made), "a.toml") == made


def test_the_order_of_dates() -> None:
    """Each date comes after the one before it; data and submissions may begin together, a deadline may not."""
    dates = ["register", "data", "opens", "closes", "results", "public"]
    days = {name: f"2027-05-{place + 10}T00:00:00" for place, name in enumerate(dates)}
    base: dict[str, Any] = {"name": "a", "title": "A", "tasks": [{"name": "t", "test": "p.xml"}]}
    build(base | {"dates": days}, "page")
    build(base | {"dates": days | {"data": days["opens"], "register": days["opens"]}}, "page")
    for early, late in pairwise(dates):
        with pytest.raises(DataError, match=f"dates.{late}: .*, before {early}"):
            build(base | {"dates": days | {early: days[late], late: days[early]}}, "page")
    with pytest.raises(DataError, match="the same as opens; expected a time after opens"):
        build(base | {"dates": days | {"closes": days["opens"]}}, "page")


names = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}", fullmatch=True).filter(lambda name: name not in RESERVED)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
moments = st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))
zones = st.sampled_from(
    ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Kiritimati"]
)


@st.composite
def definitions(draw: st.DrawFn) -> Definition:
    """Any campaign."""
    given_dates = sorted(draw(st.lists(moments, min_size=7, max_size=7, unique=True)))
    kept = [draw(st.booleans()) for _ in given_dates]
    kept[2] = kept[3] = True
    order = ("register", "data", "opens", "closes", "results", "public", "reports")
    dates = Dates(**{name: day for name, day, keep in zip(order, given_dates, kept, strict=True) if keep})
    tasks = st.builds(
        Task,
        name=names,
        title=texts,
        kind=st.sampled_from(["entailment", "justifications", "questions", "nuggets", "ratings", "decomposition"]),
        way=st.sampled_from([2, 3]),
        test=texts.map("test".__add__),
        runs=st.integers(1, 99),
        public_share=st.floats(0, 1),
        justifications=st.sampled_from(["none", "optional", "required"]),
        attributes=st.lists(texts, max_size=3).map(tuple),
    )
    return Definition(
        name=draw(names),
        title=draw(texts.filter(bool)),
        description=draw(texts),
        zone=draw(zones),
        agreement=draw(st.none() | texts.map("agreement".__add__)),  # each file has one use
        guidelines=draw(st.none() | texts.map("guidelines".__add__)),
        registration=draw(st.sampled_from(["invited", "open"])),
        grace=draw(st.integers(0, 1440)),
        practice=draw(st.booleans()),
        dates=dates,
        tasks=tuple(draw(st.lists(tasks, min_size=1, max_size=3, unique_by=lambda task: task.name))),
        judging=Judging(per_unit=draw(st.integers(1, 99))),
    )


@settings(max_examples=150)
@given(definitions())
def test_written_and_read_again(definition: Definition) -> None:
    """A campaign written as a file and read again is the same, whatever its texts, zone and moments."""
    assert parse(written(definition), "a.toml") == definition


@settings(max_examples=100)
@given(st.text(max_size=40), st.sampled_from(["name", "title", "zone", "dates", "tasks", "judging", "grace", "x"]))
def test_any_value_gets_a_sentence(text: str, key: str) -> None:
    """Whatever a page sends for a key is accepted or refused in words."""
    table: dict[str, Any] = {"name": "a", "title": "A", "dates": {}, "tasks": []}
    values: list[Any] = [text, [text], {text: text}, [{text: text}], [[]], None, 10**30]
    for value in values:
        with pytest.raises(DataError) as caught:
            build(table | {key: value}, "page")
        assert all(problem.found and problem.expected for problem in caught.value.problems)


@settings(max_examples=150)
@given(st.integers(0, len(SPEC) - 1), st.integers(0, 20), st.text(max_size=3))
def test_a_damaged_file_gets_a_sentence(start: int, length: int, instead: str) -> None:
    """Whatever is cut out of a campaign file or written into it, it is read, or refused in words."""
    text = SPEC[:start] + instead + SPEC[start + length :]
    assume(text != SPEC)
    with contextlib.suppress(DataError):
        parse(text, "a.toml")


def test_the_documentation_has_every_key() -> None:
    """The table of keys on the page of the server names each of them, and no others."""
    page = (Path(__file__).parents[2] / "docs" / "server.md").read_text(encoding="utf-8")
    (table,) = re.findall(r"^\| key \|.*?\n\n", page, re.S | re.M)
    listed = set()
    for cell in re.findall(r"^\| (`[^|]*) \|", table, re.M):
        prefix = ""
        for name in re.findall(r"`([^`]*)`", cell):
            part, dot, key = name.rpartition(".")
            prefix = part or prefix
            listed.add(f"{prefix}.{key}" if dot else key)
    parts = {"dates": Dates, "tasks": Task, "judging": Judging}
    known = {key for key in Definition.__struct_fields__ if key not in parts}
    known |= {f"{part}.{key}" for part, of in parts.items() for key in of.__struct_fields__}
    assert listed == known


def test_tasks_may_share_their_documents() -> None:
    """Assessors of two tasks read the same texts; a test set is nobody's documents."""
    more = '[[tasks]]\nname = "answers"\nkind = "nuggets"\ntest = "q.tsv"\ndocuments = "d.tsv"\n'
    both = PLAIN + more + more.replace("answers", "series").replace("nuggets", "questions").replace("q.tsv", "./s.tsv")
    assert [one.documents for one in parse(both, "a.toml").tasks] == [None, "d.tsv", "d.tsv"]
    for taken in ("pairs.xml", "q.tsv"):
        assert "a file of its own" in told(PLAIN + more.replace("d.tsv", taken))[0].expected
