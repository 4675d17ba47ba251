"""The shipped ballots of a judge are what they say, and come from their script."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import karat
from karat.examples import BALLOTS, JUDGED, REJUDGED
from karat.formats.ballots import read_ballots

ROOT = Path(__file__).parent.parent


def test_who_judged_what(key: karat.Pairs) -> None:
    """Three people on the same 110 pairs, the judge on all; anna and ben say what they say in ballots.tsv."""
    made = read_ballots(JUDGED, key)
    counts = Counter(made.assessors[place] for place in made.assessor)
    assert counts == {"anna": 110, "ben": 110, "cleo": 110, "auto": 160}
    people = made.of(["anna", "ben"]).matrix()
    theirs = read_ballots(BALLOTS, key).matrix()
    assert (people[people >= 0] == theirs[people >= 0]).all()


def test_it_comes_from_the_script() -> None:
    """The file is what the script writes."""
    subprocess.run([sys.executable, "tools/make_example_judge.py", "--check"], cwd=ROOT, check=True)


def test_scores_by_people_and_by_a_program() -> None:
    """The program scored all 160 topics, people 48 of them; the files are what their script writes."""
    judgments = karat.read_judgments([REJUDGED / "people.csv", REJUDGED / "program.csv"])
    assert [len(one.units) for one in judgments.scores] == [48, 160]
    assert len(judgments.runs) == 12
    subprocess.run([sys.executable, "tools/make_example_rejudged.py", "--check"], cwd=ROOT, check=True)
