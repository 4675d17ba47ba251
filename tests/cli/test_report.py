"""`karat report`: files are read as each study's own command reads them, and what cannot be meant is told at once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from karat.cli import cli, main
from karat.examples import BALLOTS, DECOMPOSED, DECOMPOSED_RUNS, JUDGED, PAIRS, QUESTIONS, RUNS
from tests.cli.calls import karat

QUICK = ("--without", "swap", "--without", "sensitivity", "--without", "size")
SPELLED = {"ENTAILMENT": "JA", "CONTRADICTION": "NEIN", "UNKNOWN": "WEISSNICHT"}
LABELS = [part for label, spelling in SPELLED.items() for part in ("--label", f"{spelling}={label}")]


def call(*arguments: str | Path) -> Result:
    """The command, in this process; wrong calls are exceptions."""
    return CliRunner().invoke(cli, ["report", *map(str, arguments)], catch_exceptions=True)


def sections(*arguments: str | Path) -> dict[str, dict[str, object]]:
    """The sections of a report as JSON, by name."""
    done = call(*arguments, "--format", "json", "--quiet")
    assert done.exit_code == 0, (done.output, done.exception)
    return {one["name"]: one["result"] for one in json.loads(done.stdout)["sections"]}


def respelled(source: Path, target: Path) -> Path:
    """A file with other words for the labels."""
    text = source.read_text(encoding="utf-8")
    for label, spelling in SPELLED.items():
        text = text.replace(label, spelling)
    target.write_text(text, encoding="utf-8")
    return target


def test_spellings_reach_ballots(tmp_path: Path) -> None:
    """What labels mean is said once, and is said of ballots too."""
    made = sections(PAIRS, RUNS, "--ballots", respelled(BALLOTS, tmp_path / "ballots.tsv"), *LABELS, *QUICK)
    alone = sections(PAIRS, RUNS, "--ballots", BALLOTS, *QUICK)
    assert made["keys"]["keys"] == alone["keys"]["keys"]
    assert made["agree"]["coefficients"] == alone["agree"]["coefficients"]


def test_spellings_reach_the_decomposed_set(tmp_path: Path) -> None:
    """And of pairs taken apart."""
    decomposed = respelled(DECOMPOSED, tmp_path / "decomposed.xml")
    runs = tmp_path / "runs"
    runs.mkdir()
    for run in DECOMPOSED_RUNS.iterdir():
        respelled(run, runs / run.name)
    given = ("--decomposed", decomposed, "--decomposed-runs", runs)
    assert set(sections(*given, *LABELS)) == {"diagnose"}


def test_ranked_answers() -> None:
    """How many answers a question may have is said to the reader and to the scoring."""
    run, questions = QUESTIONS / "runs" / "steady.tsv", QUESTIONS / "questions.xml"
    judged = ("--judgments", QUESTIONS / "judgments.tsv", "--answers", "2")
    made = sections("--questions", questions, "--question-runs", run, *judged)
    signed = made["qa"]["signature"]
    assert isinstance(signed, dict)
    assert signed["parameters"]["answers"] == 2


def test_ballots_alone() -> None:
    """Ballots are enough for what needs nothing else."""
    assert set(sections("--ballots", BALLOTS)) == {"agree"}
    assert set(sections("--judged", JUDGED, "--automatic", "auto")) == {"judge"}


def test_left_out_is_told(tmp_path: Path) -> None:
    """What could not be made is told on the terminal, unless nobody wants to hear it."""
    one = min(RUNS.iterdir())
    done = call(PAIRS, one, "-o", tmp_path / "r.html")
    assert "left out: compare: " in done.stderr
    assert "Open it in any browser" in done.stderr
    assert "left out" not in call(PAIRS, one, "-o", tmp_path / "r.html", "--quiet").stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((PAIRS, RUNS, "--by", "taks"), "did you mean 'task'"),
        ((PAIRS, RUNS, "--automatic", "auto"), "give the ballots"),
        ((PAIRS, RUNS, "--judged", JUDGED), "--automatic NAME"),
        ((PAIRS, RUNS, "--judgments", QUESTIONS / "judgments.tsv"), "belongs to questions"),
        ((PAIRS, RUNS, "--decomposed", DECOMPOSED), "belong together"),
        ((), "give KEY and RUN"),
        (("--ballots", BALLOTS, "--column", "id"), "--column id: write NAME=VALUE"),
        ((PAIRS, RUNS, "-o", "r.pdf"), "a report is a page (.html, which browsers print)"),
        ((PAIRS, RUNS, "-o", "nowhere/r.html"), "is not a folder"),
    ],
)
def test_wrong_calls(
    arguments: tuple[str | Path, ...], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """Exit status 2, a sentence, and no file."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["report", *map(str, arguments)])
    assert ended.value.code == 2
    assert told in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_one_table_of_a_section() -> None:
    """Tables of sections can be had alone, as those of their commands."""
    done = call(PAIRS, RUNS, *QUICK, "--format", "csv", "--table", "All 45 pairs", "--quiet")
    assert done.stdout.startswith("run a,run b,different")
    assert len(done.stdout.splitlines()) == 46


def test_inputs_stay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A result is not written over what it was made from."""
    key = tmp_path / "pairs"
    key.write_bytes(PAIRS.read_bytes())
    with pytest.raises(SystemExit):
        main(["report", str(key), str(RUNS), *QUICK, "--format", "json", "-o", str(key)])
    assert "one of the files that were read" in capsys.readouterr().err
    assert key.read_bytes() == PAIRS.read_bytes()


def test_the_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page has the date, which reproducible builds give; a result and its signature have none."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1794787200")
    page, data = tmp_path / "r.html", tmp_path / "r.json"
    call(PAIRS, RUNS, *QUICK, "-o", page)
    call(PAIRS, RUNS, *QUICK, "-o", data)
    assert " · 16 Nov 2026 · karat " in page.read_text("utf-8")
    assert not any(date in data.read_text("utf-8") for date in ("Nov 2026", "2026-11"))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    done = karat("measures", "--format", "html")
    assert done.returncode == 2
    assert "SOURCE_DATE_EPOCH is 'yesterday': expected seconds since 1970" in done.stderr
