"""Ballots that say which assessors are programs, as campaigns write them."""

from __future__ import annotations

from pathlib import Path

import karat

ROWS = [("1", "x"), ("2", "y"), ("3", "x"), ("4", "y"), ("5", "x"), ("6", "y")]


def test_programs_are_no_people(tmp_path: Path) -> None:
    """`judge` finds the judges by the column, and counts no program among the people, named or not."""
    lines = ["unit\tassessor\tlabel\tprogram"]
    for who, program in (("anna", ""), ("ben", ""), ("llm", "model 1"), ("robot", "rules 2")):
        lines += [f"{unit}\t{who}\t{label}\t{program}" for unit, label in ROWS]
    path = tmp_path / "ballots.tsv"
    path.write_text("\n".join(lines) + "\n")
    ballots = karat.read_ballots(path)
    assert ballots.programs == ("llm", "robot")
    assert [one.code for one in ballots.warnings] == ["programs"]
    assert [one.judge for one in karat.judge(ballots).judges] == ["llm", "robot"]
    (only,) = karat.judge(ballots, automatic=("llm",)).judges
    assert sorted(one.assessor for one in only.with_each) == ["anna", "ben"]
