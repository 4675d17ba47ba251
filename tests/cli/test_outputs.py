"""What a command writes: never over a file that it has read, by whatever option."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest

from karat import examples, read_pairs, write_pairs
from tests.cli.calls import karat

SLIPS = {
    "check -o": "check pairs.xml runs -o pairs.xml",
    "score -o a run": "score pairs.xml runs --format text -o runs/careful.jsonl",
    "score --scores-out": "score pairs.jsonl runs --scores-out pairs.jsonl",
    "report -o": "report page.html runs -o page.html",
    "run -o": "run overlap pairs.jsonl --train pairs.xml -o pairs.jsonl",
    "run --model-out": "run overlap pairs.xml --train pairs.xml --model-out pairs.xml",
    "sample --sheet": "sample pairs.jsonl runs --pairs 4 --sheet pairs.jsonl --force",
    "qa --scores-out": "qa qa/questions.xml qa/runs --judgments qa/judgments.tsv --scores-out qa/judgments.tsv",
    "nuggets --scores-out": "nuggets qa/nuggets.tsv qa/matches.tsv --scores-out qa/matches.tsv",
    "nuggets --matches-out": "nuggets qa/nuggets.tsv qa/matches.tsv --matches-out qa/matches.tsv",
    "nuggets --nuggets-out": "nuggets qa/nuggets.tsv qa/matches.tsv --nuggets-out qa/nuggets.tsv",
    "nuggets -o": "nuggets qa/nuggets.tsv qa/matches.tsv --format text -o qa/nuggets.tsv",
    "support --scores-out": "support qa/rag/citations.tsv qa/rag/runs --scores-out qa/rag/citations.tsv",
    "agree -o": "agree ballots.tsv --format text -o ballots.tsv",
    "figure -o": "figure difficulty pairs.svg runs -o pairs.svg",
    "compare -o": "compare --scores scores.csv -o scores.csv",
}


@pytest.mark.parametrize("call", SLIPS.values(), ids=SLIPS)
def test_nothing_read_is_written_over(call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slip in the name of the output costs no input: status 2, a sentence, and every file as it was."""
    folder = shutil.copytree(examples.HERE, tmp_path / "examples")
    monkeypatch.chdir(folder)
    for name in ("page.html", "pairs.svg"):
        shutil.copy("pairs.xml", name)
    write_pairs(read_pairs("pairs.xml"), "pairs.jsonl")
    Path("scores.csv").write_text("run,a,b,c\none,1,0,1\ntwo,0,0,1\n")
    before = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    done = karat(*shlex.split(call))
    assert done.returncode == 2, done.stderr
    assert "it is one of the files that were read" in done.stderr
    assert {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()} == before


@pytest.mark.parametrize("line", ["score {0} {1} --scores-out {2} -o {2}", "sample {0} {1} --sheet {2} -o {2}"])
def test_two_outputs_on_one_file(tmp_path: Path, line: str) -> None:
    """The second is refused; the first stays whole."""
    target = tmp_path / "x.csv"
    done = karat(*line.format(examples.PAIRS, examples.RUNS, target).split())
    assert done.returncode == 2
    assert "one of the files that were read or written; name another" in done.stderr
    assert target.read_text()
