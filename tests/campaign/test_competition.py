"""Bundles of CodaLab and Codabench become campaigns; what cannot be taken over is listed, what is missing is named."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from karat import examples
from karat.campaign.competition import plain_text, read, slug
from karat.campaign.definition import Definition, Read
from karat.errors import DataError, Problem

KEY = ("pairs.xml", (examples.HERE / "pairs.xml").read_bytes())
CODABENCH = """
version: 2
title: "Café: Entailment 2027"
description: A shared task
image: logo.png
terms: terms.md
registration_auto_approve: true
docker_image: codalab/codalab-legacy:py39
pages:
  - {title: overview, file: overview.md}
phases:
  - {index: 0, name: Development, start: 2027-01-01, end: 2027-04-30 23:59:59, tasks: [0]}
  - index: 1
    name: Final phase
    start: 2027-05-01 00:00:00
    end: 2027-05-08 12:30:00+02:00
    max_submissions_per_day: 2
    max_submissions: 5
    execution_time_limit: 500
    tasks: [0]
tasks:
  - {index: 0, name: Main, scoring_program: scoring.zip, reference_data: reference.zip}
leaderboards: [{title: Results, key: main}]
fact_sheet: {a: b}
"""
CODALAB = """
title: 2027
description: An old one
has_registration: True
end_date: 2027-05-08
html: {overview: overview.html, terms: terms.html}
phases:
  2: {phasenumber: 2, label: "Test", start_date: 2027-05-01, max_submissions: 1000, scoring_program: s.zip}
  1: {phasenumber: 1, label: "Trial", start_date: 2027-04-01}
leaderboard: {leaderboards: {RESULTS: &R {label: Results}}, columns: {score: {leaderboard: *R}}}
"""
FILES = {
    "terms.md": b"# Terms\n",
    "terms.html": b"<html><head><title>x</title><style>p{}</style></head><body><h1>Terms &amp; rules</h1>\n"
    b"<p>Play\n fair.</p><ul><li>One<li>Two</ul><script>alert(1)</script></body></html>",
}


def made(text: str, key: tuple[str, bytes] | None = KEY) -> tuple[Definition, Read, list[Problem]]:
    """What a competition becomes."""
    return read(text, "competition.yaml", FILES.__getitem__, key)


def problems(text: str, key: tuple[str, bytes] | None = KEY) -> list[Problem]:
    """Why a competition is refused."""
    with pytest.raises(DataError) as refused:
        made(text, key)
    return [one for one in refused.value.problems if one.severity == "error"]


def test_codabench() -> None:
    """Title, terms, limit and the dates of the last phase are taken over."""
    definition, content, _ = made(CODABENCH)
    assert (definition.name, definition.title) == ("cafe-entailment-2027", "Café: Entailment 2027")
    assert (definition.agreement, definition.registration, definition.zone) == ("terms.md", "open", "UTC")
    assert definition.dates.opens == datetime(2027, 5, 1, tzinfo=UTC)
    assert definition.dates.closes == datetime(2027, 5, 8, 10, 30, tzinfo=UTC)
    (task,) = definition.tasks
    assert (task.name, task.title, task.runs, task.test, task.way) == ("final-phase", "Final phase", 5, "pairs.xml", 3)
    assert content("terms.md") == FILES["terms.md"]
    assert content("pairs.xml") == KEY[1]


def test_what_is_left_out_is_listed() -> None:
    """Each part that karat has no use for is a warning with the reason; nothing is dropped in silence."""
    _, _, warnings = made(CODABENCH)
    assert {one.code for one in warnings} == {"not-taken-over"}
    assert {one.found for one in warnings} == {
        "image",
        "docker_image",
        "pages",
        "tasks",
        "leaderboards",
        "fact_sheet",
        "phases[1]",
        "phases[2].max_submissions_per_day",
        "phases[2].execution_time_limit",
    }
    assert all(one.severity == "warning" and len(one.fix) > len("nothing to do; ") for one in warnings)


def test_codalab() -> None:
    """Phases by number, terms in HTML as text, a bare day to its last second, and a limit that is too high."""
    definition, content, warnings = made(CODALAB)
    assert (definition.name, definition.title, definition.registration) == ("2027", "2027", "invited")
    assert definition.dates.opens == datetime(2027, 5, 1, tzinfo=UTC)
    assert definition.dates.closes == datetime(2027, 5, 8, 23, 59, 59, tzinfo=UTC)
    assert (definition.tasks[0].name, definition.tasks[0].runs) == ("test", 99)
    assert definition.agreement == "terms.md"
    assert content("terms.md").decode() == "Terms & rules\n\nPlay fair.\n\n- One\n- Two\n"
    found = [one.found for one in warnings]
    assert "phases[2].end: a day, taken to its last second in UTC" in found
    assert "phases[2].max_submissions: 1000" in found


@pytest.mark.parametrize(
    ("end", "closes"),
    [
        ("12-31-2027", datetime(2027, 12, 31, 23, 59, 59, tzinfo=UTC)),
        ("6/1/2027 9:30", datetime(2027, 6, 1, 9, 30, tzinfo=UTC)),
        ("2027-06-01T10:00:00+02:00", datetime(2027, 6, 1, 8, tzinfo=UTC)),
    ],
)
def test_dates_as_texts(end: str, closes: datetime) -> None:
    """Month, day and year, which is what Codabench reads, with a word on how it was read; or the date of a standard."""
    text = f"title: T\nphases: [{{start: 1-2-2027, end: '{end}'}}]\n"
    definition, _, warnings = made(text)
    assert (definition.dates.opens, definition.dates.closes) == (datetime(2027, 1, 2, tzinfo=UTC), closes)
    assert "phases[1].start: 1-2-2027, read as month, day and year: 2027-01-02" in {one.found for one in warnings}


def test_a_two_way_key() -> None:
    """The key decides whether the task is two-way."""
    text = KEY[1].decode()
    for label in ("UNKNOWN", "CONTRADICTION"):
        text = text.replace(f'entailment="{label}"', 'entailment="NO"')
    definition, _, _ = made(
        CODABENCH, ("two.xml", text.replace('entailment="ENTAILMENT"', 'entailment="YES"').encode())
    )
    assert (definition.tasks[0].way, definition.tasks[0].test) == (2, "two.xml")


def test_what_is_missing_is_asked_for() -> None:
    """By its name, everything at once."""
    assert [one.found for one in problems("description: x\n", None)] == [
        "phases: no phase with a start and an end",
        "--key FILE: no test set with its key",
        "title: nothing",
    ]
    assert [one.found for one in problems("title: T\nphases: [{name: a}]\n")] == [
        "phases[1].start: nothing",
        "phases[1].end: nothing, and no --closes TIME",
    ]


def test_a_competition_without_an_end() -> None:
    """Many never end; the call says when this one does."""
    text = "title: T\nphases: [{start: 2027-01-01}]\n"
    definition, _, _ = read(text, "competition.yaml", FILES.__getitem__, KEY, "2027-02-01T12:00+01:00")
    assert definition.dates.closes == datetime(2027, 2, 1, 11, tzinfo=UTC)
    with pytest.raises(DataError, match="expected a date and a time"):
        read(text, "competition.yaml", FILES.__getitem__, KEY, "2027-02-01")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("title: [", "yaml"),
        ("- a\n- b\n", "yaml"),
        ("", "yaml"),
        ("title: !!python/object/apply:os.system [ls]\n", "yaml"),
        ("title: T\nphases: [{start: 2027-13-45, end: 2027-05-01}]\n", "yaml"),
        ("title: T\nphases: [{start: 31-12-2026, end: 2027-05-01}]\n", "campaign-value"),
        ("title: T\nphases: [{start: soon, end: 2027-05-01}]\n", "campaign-value"),
        ("title: T\nphases: [{start: 2027-05-02, end: 2027-05-01}]\n", "campaign-value"),
        ("title: {a: b}\nphases: [{start: 2027-05-01, end: 2027-05-02}]\n", "campaign-missing"),
        ("title: T\nphases: 3\n", "campaign-missing"),
        ("title: T\nphases: [3, x]\n", "campaign-missing"),
        ("a: " + "[" * 5000, "yaml"),
    ],
)
def test_refused(text: str, code: str) -> None:
    """Files that are no competition get a problem, and nothing in them is run."""
    assert code in {one.code for one in problems(text)}


def test_names_and_pages() -> None:
    """Names from titles fit into an address; text is what a browser would show."""
    assert slug("  Über: die (3.) Aufgabe!  ") == "uber-die-3-aufgabe"
    assert len(slug("long " * 40)) <= 40
    assert slug("例") == ""
    assert plain_text(b"<p>a<br>b</p>\xff") == "a\n\nb\ufffd\n".encode()
