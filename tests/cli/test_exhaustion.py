"""Small files that name very much: answered in little memory, or refused with the limit before it is allocated."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from karat.data import ballots, ratings
from karat.examples import HERE
from karat.formats import ballot_counts
from karat.render.text import MOST_ROWS
from karat.studies.base import MOST_RUNS
from karat.studies.justify.parameters import MOST_RATED
from tests.cli.calls import karat

MEGABYTES = 400
"""What a command may take; it has some 50 before it begins."""
CODE = """
import atexit, pathlib
own = pathlib.Path("/proc/self/status")
atexit.register(lambda: pathlib.Path("status").write_text(own.read_text()))
from karat.cli import main
main()
"""
MANY = 8000


def rows(header: str, cells: Iterable[Iterable[object]]) -> str:
    """A table."""
    return "".join("\t".join(map(str, row)) + "\n" for row in [header.split(), *cells])


def ballot_rows(units: int, assessors: int, labels: int, each: int | None = None) -> str:
    """Ballots of all assessors on every unit, or of so many who differ from unit to unit."""
    said = [
        (unit, f"a{(unit + at) % assessors}", f"l{(unit * 31 + at * 17 + unit * at) % labels}")
        for unit in range(units)
        for at in range(each or assessors)
    ]
    return rows("unit assessor label", said)


def rated(runs: int, units: int, judges: int, every: bool = True) -> str:
    """Ratings of everything by everybody, or one for each run, unit and judge in turn."""
    places = (
        [(run, unit, judge) for run in range(runs) for unit in range(units) for judge in range(judges)]
        if every
        else [(at % runs, at % units, at % judges) for at in range(max(runs, units, judges))]
    )
    return rows(
        "run unit judge understandable compelling",
        ((f"r{run}", unit, f"j{judge}", 4, 1 + (run * 7 + unit * judge) % 5) for run, unit, judge in places),
    )


PAIR = {"text": "a", "hypothesis": "a", "label": "ENTAILMENT"}
CHAOS = {"label_counter": {"e": 1000, "n": 1000}, "majority_label": "e", "example": {"premise": "a", "hypothesis": "b"}}
FILES = {
    "attributes.jsonl": "".join(json.dumps({"id": str(at), **PAIR, f"k{at}": "v"}) + "\n" for at in range(MANY)),
    "attributes.xml": "<entailment-corpus>"
    + "".join(f'<pair id="{at}" entailment="YES" k{at}="v"><t>a</t><h>a</h></pair>\n' for at in range(MANY))
    + "</entailment-corpus>",
    "table.json": '{"labels":["a","b"],"table":[[5000000,0],[0,5000000]]}',
    "chaos.jsonl": "".join(json.dumps({"uid": str(at), **CHAOS}) + "\n" for at in range(1000)),
    "labels.tsv": ballot_rows(2000, 4, 300),
    "many-labels.tsv": ballot_rows(5000, 3, 5000),
    "people.tsv": ballot_rows(12, 600, 30),
    "crowd.tsv": ballot_rows(MANY, MANY, 3, each=2),
    "rated.tsv": rated(MOST_RATED, 3, 2),
    "runs.tsv": rated(MOST_RATED + 1, 2, 1),
    "judges.tsv": rated(2, 2, 1000),
    "sparse.tsv": rated(199, 5000, 193, every=False),
    "scores.csv": "run,u1,u2\n" + "".join(f"r{at},{at % 2},{at % 3}\n" for at in range(MOST_RUNS + 1)),
}
ANSWERED = {
    "labels": ("judge labels.tsv --automatic a0", ""),
    "people": ("judge people.tsv --automatic a0 --fewest 10", ""),
    "crowd to judge by": ("judge crowd.tsv --automatic a0", "more than 1,000 people"),
    "pairs of people": ("agree people.tsv", ""),
    "crowd": ("agree crowd.tsv", "8,000 assessors of 8,000 units are too many to compare in pairs"),
    "rated": ("justify rated.tsv", f"{MOST_RATED * (MOST_RATED - 1) - MOST_ROWS:,} more rows are not shown"),
}
REFUSED = {
    "keys of JSON": ("score attributes.jsonl labels.tsv", "8,000 rows with 8,004 different keys make 64,032,000 cells"),
    "attributes of XML": ("score attributes.xml labels.tsv", "8,000 different attributes make 64,000,000 cells"),
    "a table": ("agree table.json", f"more than {ballot_counts.MAX_UNITS:,} units"),
    "counts of ballots": ("agree chaos.jsonl", "2,000,000 ballots; expected at most 1,000,000"),
    "labels": (
        "judge many-labels.tsv --automatic a0",
        f"5,000 different labels are 25,000,000 cells; expected at most {ballots.MAX_CELLS:,}",
    ),
    "runs": ("justify runs.tsv", f"{MOST_RATED + 1} runs; expected at most {MOST_RATED}"),
    "judges": ("justify judges.tsv", f"1,000 assessors; expected at most {MOST_RATED}"),
    "sparse ratings": ("justify sparse.tsv", f"192,035,000 cells; expected at most {ratings.MAX_CELLS:,}"),
    "scores": ("compare --scores scores.csv", f"{MOST_RUNS + 1:,} runs; expected at most {MOST_RUNS:,}"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files, all of them small."""
    made = tmp_path_factory.mktemp("small")
    for name, content in FILES.items():
        (made / name).write_text(content)
    assert max(map(len, FILES.values())) < 2 << 20
    return made


def called(words: str, folder: Path) -> tuple[int, str, float]:
    """Status, output and megabytes of a command in a process of its own."""
    command = [sys.executable, "-c", CODE, *words.split()]
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    # Its own word for it: what `wait4` tells of a process holds what its parent had when it began.
    peak = re.search(r"VmHWM:\s+(\d+) kB", (folder / "status").read_text())
    assert peak
    return done.returncode, done.stdout.decode(), int(peak[1]) / 1024


@pytest.mark.nightly
@pytest.mark.parametrize(("words", "told"), ANSWERED.values(), ids=ANSWERED)
def test_answered_in_little_memory(folder: Path, words: str, told: str) -> None:
    """What can be had without a square of their number is had."""
    status, said, megabytes = called(f"{words} --quiet", folder)
    assert status == 0, said[-500:]
    assert told in said
    assert megabytes < MEGABYTES


@pytest.mark.parametrize(("words", "told"), REFUSED.values(), ids=REFUSED)
def test_refused_before_it_is_allocated(folder: Path, words: str, told: str) -> None:
    """The sentence says what was found and what the limit is."""
    status, said, megabytes = called(f"{words} --quiet", folder)
    assert status in (1, 2), said[-500:]
    assert told in said
    assert "Traceback" not in said
    assert megabytes < MEGABYTES


def test_no_memory_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever was not foreseen is a sentence too."""

    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("karat.cli.command.render", fail)
    done = karat("agree", HERE / "ballots.tsv", "--quiet")
    assert (done.returncode, done.stderr) == (
        1,
        "karat: not enough memory: give fewer units, runs or replicates\n",
    )
