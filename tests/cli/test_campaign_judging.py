"""`karat campaign assign`, `ballots`, `reassign`, `round` and `reveal`, on a home without a server."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import karat
from karat.cli.campaign_judging import _counted
from tests.cli.test_campaign import Organiser, write

NAME, TASK = "rte-2027", "three-way"
HEADER = "unit\tassessor\tlabel\treason\tkind\tnote\tcomment\tguidelines\tseconds\n"
LABELS = ("ENTAILMENT", "UNKNOWN", "CONTRADICTION")


def enrolled(*people: str) -> list[list[str | Path]]:
    """The commands that enrol assessors."""
    return [["enrol", NAME, "--assessor", who, "--signed", who.title()] for who in people]


@pytest.fixture
def panel(tmp_path: Path) -> Organiser:
    """An organiser with a campaign and four assessors."""
    organiser = Organiser(tmp_path / "home")
    done = organiser.calls(["new", write(tmp_path)], *enrolled("anna", "ben", "carla", "dora"))
    assert [status for status, _, _ in done] == [0] * 5, done
    return organiser


def ballots(units: int = 9) -> str:
    """Labels of two assessors, who differ on every third unit, and the decisions of a third on two of those."""
    rows = []
    for unit in range(1, units + 1):
        label = LABELS[unit % 3]
        rows.append(f"{unit}\tanna\t{label}\t\t\t\t{'hard' if unit == 2 else ''}\t\t{unit}.5\n")
        rows.append(f"{unit}\tben\t{LABELS[(unit + 1) % 3] if unit % 3 == 0 else label}\t\t\t\t\t\t\n")
    rows.append("3\tcarla\tENTAILMENT\terror\ttense\t\t\t\t\n")
    rows.append("6\tcarla\tCONTRADICTION\tdifference\t\tneither reads it so\t\t\t\n")
    return HEADER + "".join(rows)


def test_units_are_given_out_and_the_answer_says_how_many(panel: Organiser, tmp_path: Path) -> None:
    """From a list or a table of units; what cannot be done is said, and nothing is changed."""
    (tmp_path / "units.txt").write_text("1\n2\n\n3\n", encoding="utf-8")
    (tmp_path / "sheet.csv").write_text("run,unit,judge\nx,4,\ny,4,\nx,5,\n", encoding="utf-8")
    (tmp_path / "strange.txt").write_text("1\nnone\n", encoding="utf-8")
    two = ["--assessor", "anna", "--assessor", "ben"]
    start: list[str | Path] = ["assign", NAME, TASK, *two]
    done = panel.calls(
        [*start, "--units", tmp_path / "units.txt", "--format", "json"],
        [*start, "--units", tmp_path / "sheet.csv", "--per-unit", "1", "--format", "json"],
        [*start, "--units", tmp_path / "strange.txt"],
        [*start, "--per-unit", "3"],
        ["assign", NAME, TASK, "--assessor", "nobody"],
        ["reassign", NAME, TASK, "--assessor", "anna", "--to", "carla", "--reason", "on leave", "--format", "json"],
        ["round", NAME, TASK, "--close"],
        [*start, "--assessor", "dora", "--pool"],
        ["round", NAME, TASK, "--open"],
        ["round", NAME, TASK, "--open", "--reason", "two came late", "--format", "json"],
        ["round", NAME, TASK],
        ["reveal", NAME, TASK],
    )
    first, second = (json.loads(out) for _, out, _ in done[:2])
    assert first["units"]["open"] == 3
    assert second["units"]["open"] == 5
    assert [one["units"] for one in second["assessors"]] == [4, 4]
    assert [status for status, _, _ in done[2:5]] == [2, 2, 2]
    assert "'none'" in done[2][2]
    assert "2 named" in done[3][2]
    moved = json.loads(done[5][1])
    assert {one["assessor"]: one["units"] for one in moved["assessors"]} == {"anna": 0, "ben": 4, "carla": 4}
    assert [status for status, _, _ in done[6:9]] == [0, 2, 2]
    assert "closed: labels" in done[6][1]
    assert "reason" in done[8][2]
    assert json.loads(done[9][1])["closed"] == []
    assert "--close or --open" in done[10][2]
    assert "no norming round" in done[11][2]


def test_ballots_come_in_and_go_out_alike(panel: Organiser, tmp_path: Path) -> None:
    """Into an empty campaign and out again is the same file, which the laboratory reads; twice changes nothing."""
    (tmp_path / "in.tsv").write_text(ballots(), encoding="utf-8")
    bring: list[str | Path] = ["ballots", NAME, TASK, "--import", tmp_path / "in.tsv"]
    done = panel.calls(
        [*bring, "--format", "json"],
        ["ballots", NAME, TASK, "-o", tmp_path / "out.tsv"],
        [*bring, "--format", "json"],
        ["ballots", NAME, TASK],
        ["ballots", NAME, TASK, "--file", "key", "-o", tmp_path / "key.xml"],
        ["ballots", NAME, TASK, "--format", "json"],
        ["verify", NAME],
    )
    assert [status for status, _, _ in done] == [0] * 7, done
    first, again = json.loads(done[0][1]), json.loads(done[2][1])
    assert (first["imported"], first["already"], again["imported"], again["already"]) == (20, 0, 0, 20)
    assert first["units"] == {"open": 0, "agreed": 6, "disputed": 1, "undecided": 0, "adjudicated": 2}
    out = (tmp_path / "out.tsv").read_text("utf-8")
    assert sorted(out.splitlines()) == sorted(ballots().splitlines())
    assert done[3][1] == out
    assert json.loads(done[5][1])["content"] == out
    read = karat.read_ballots(tmp_path / "out.tsv")
    assert (len(read), len(read.adjudications)) == (18, 2)
    assert int((karat.read_pairs(tmp_path / "key.xml").labels >= 0).sum()) == 8
    # What went out is the same file again, wherever it goes in.
    other = Organiser(tmp_path / "other")
    done = other.calls(
        ["new", write(tmp_path)],
        *enrolled("anna", "ben", "carla"),
        ["ballots", NAME, TASK, "--import", tmp_path / "out.tsv"],
        ["ballots", NAME, TASK],
    )
    assert done[-1][1] == out


def test_every_problem_of_a_file_is_listed_and_nothing_is_stored(panel: Organiser, tmp_path: Path) -> None:
    """By line, all at once."""
    lines = ballots().splitlines(keepends=True)
    wrong = {
        1: "none\tanna\tUNKNOWN\t\t\t\t\t\t\n",
        2: "1\tnobody\tUNKNOWN\t\t\t\t\t\t\n",
        3: "2\tanna\tMAYBE\t\t\t\t\t\t\n",
        4: "2\tben\tUNKNOWN\t\t\t\t\t7\t\n",
        5: "3\tanna\tUNKNOWN\t\t\t\t\t\tsoon\n",
        6: "3\tben\tUNKNOWN\t\t\t\t\t\t\n3\tben\tUNKNOWN\t\t\t\t\t\t\n",
        7: "4\tanna\tUNKNOWN\tslip\t\t\t\t\t\n",
        8: "19\tdora\tUNKNOWN\terror\t\t\t\t\t\n",
        9: "7\tanna\tUNKNOWN\terror\t\t\t\t\t\n",
    }
    (tmp_path / "bad.tsv").write_text("".join(wrong.get(n, line) for n, line in enumerate(lines)), encoding="utf-8")
    (tmp_path / "empty.tsv").write_text(HEADER, encoding="utf-8")
    (tmp_path / "other.tsv").write_text("a\tb\n1\t2\n", encoding="utf-8")
    start: list[str | Path] = ["ballots", NAME, TASK, "--import"]
    done = panel.calls(
        [*start, tmp_path / "bad.tsv", "--format", "json"],
        [*start, tmp_path / "bad.tsv"],
        [*start, tmp_path / "empty.tsv"],
        [*start, tmp_path / "other.tsv"],
        ["ballots", NAME, TASK],
        [*start, tmp_path / "bad.tsv", "--file", "key"],
    )
    assert [status for status, _, _ in done] == [1, 1, 1, 1, 0, 2]
    told = json.loads(done[0][1])
    assert (told["imported"], told["ballots"]) == (0, 0)
    assert {one["line"] for one in told["problems"]} >= {2, 3, 4, 5, 6, 8, 9, 10, 11}
    assert all(one["file"] == "bad.tsv" and one["expected"] and one["fix"] for one in told["problems"])
    assert "bad.tsv:3" in done[1][2]
    assert done[4][1] == HEADER


def test_units_of_labels_are_counted_where_there_are_any() -> None:
    """Whoever gives out nuggets alone reads nothing about labels."""
    told = {"assessors": [], "units": {"open": 2, "agreed": 0}, "closed": []}
    assert _counted(told) == ["units: 2 open"]
    assert _counted(told | {"units": {"open": 0, "agreed": 0}}) == []
