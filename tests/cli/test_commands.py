"""The command line as a user meets it: its output, its exit status, and once a process."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from karat.cli import COMMANDS, cli, load_command
from karat.examples import PAIRS, RUNS
from tests.cli.calls import as_json, karat
from tests.undefined import json_explained

KEY, RUN = str(PAIRS), str(RUNS)
Write = Callable[[str, str], Path]


def test_help() -> None:
    """Every command is in the overview and has help of its own."""
    overview = karat("--help")
    assert overview.returncode == 0
    for name, summary in COMMANDS.items():
        assert re.search(rf"^  {name}\s+{re.escape(summary[:20])}", overview.stdout, re.M)
        one = karat(name, "-h")
        assert one.returncode == 0
        assert summary in one.stdout
        assert one.stdout == karat(name, "--help").stdout


def test_help_without_a_parent() -> None:
    """click keeps the help option of the first context it meets: one made without the group's has the same names."""
    for name in COMMANDS:
        context = load_command(name).make_context(name, [], resilient_parsing=True)
        assert context.help_option_names == cli.context_settings["help_option_names"]


def test_process() -> None:
    """The installed command prints what it does here, whatever the locale says."""
    command = [str(Path(sys.executable).with_name("karat")), "score", KEY, RUN]
    done = subprocess.run(command, capture_output=True, check=True, env=os.environ | {"PYTHONIOENCODING": "ascii"})
    here = karat("score", KEY, RUN)
    assert (done.stdout.decode(), done.stderr.decode()) == (here.stdout, here.stderr)
    wrong = subprocess.run([*command, "--way", "4"], capture_output=True, check=False)
    assert wrong.returncode == 2


def test_score_json() -> None:
    """The JSON of score has the fields that are promised, in all of their forms."""
    result = as_json("score", KEY, RUN, "--by", "task", "--crossings")
    assert list(result)[:2] == ["study", "signature"]
    assert result["study"] == "score"
    signature = result["signature"]
    assert {"version", "files", "measures", "way", "ties", "missing", "seed"} <= set(signature)
    assert all(len(source["sha256"]) == 64 for source in signature["files"])
    assert len(signature["files"]) == 11
    assert result["key"] == {"units": 160, "labels": {"ENTAILMENT": 80, "UNKNOWN": 56, "CONTRADICTION": 24}}
    runs = {row["run"]: row for row in result["runs"]}
    assert set(runs["careful"]) >= {"run", "values", "table", "sound", "degradations", "intervals"}
    assert runs["two-way"]["values"]["3"] is None
    assert runs["two-way"]["table"]["2"] == [[61, 19], [29, 51]]
    assert runs["always-entailment"]["values"]["3"]["precision(UNKNOWN)"] is None
    paths = {one["path"] for one in result["undefined"]}
    place = list(runs).index("always-entailment")
    assert f"/runs/{place}/values/3/precision(UNKNOWN)" in paths
    assert {part["attribute"] for part in result["slices"]} == {"task"}
    assert result["crossings"]
    empty = as_json("score", KEY, f"{RUN}/careful.jsonl")
    assert empty["slices"] == [] == empty["crossings"]


def test_every_null_has_a_reason() -> None:
    """Each null among the values is explained under `undefined`, and each explanation leads to a null."""
    result = as_json(
        "score", KEY, RUN, "--measure", "average_precision", "--measure", "precision", "--measure", "kappa"
    )
    json_explained(result)


@pytest.mark.parametrize("command", ["score", "items", "measures", "formats"])
@pytest.mark.parametrize("form", ["text", "json", "csv", "latex", "html", "bibtex"])
def test_formats(command: str, form: str, tmp_path: Path) -> None:
    """Every command speaks every form, to a file as to standard output."""
    arguments = [command, KEY, RUN] if command in ("score", "items") else [command]
    done = karat(*arguments, "--format", form, encoding="ascii")
    assert done.returncode == 0, done.stderr
    file = tmp_path / "out"
    assert karat(*arguments, "--format", form, "--output", str(file)).stdout == ""
    assert file.read_text(encoding="utf-8") == done.stdout
    match form:
        case "csv":
            rows = list(csv.reader(io.StringIO(done.stdout)))
            assert len({len(row) for row in rows}) == 1
            assert len(rows) > 10
        case "latex":
            assert done.stdout.count("\\begin{tabular}") == done.stdout.count("\\end{tabular}") > 0
        case "bibtex":
            assert ("@inproceedings{" in done.stdout) == (command in ("score", "measures"))
        case "html":
            assert done.stdout.startswith("<!doctype html>")
            assert "://" not in done.stdout.replace("http://www.w3.org/2000/svg", "")
        case "text":
            assert "\x1b" not in done.stdout


@pytest.mark.parametrize(
    ("ending", "form"),
    [(".csv", "csv"), (".JSON", "json"), (".tex", "latex"), (".html", "html"), (".bib", "bibtex"), (".txt", "text"),
     (".md", "markdown"), ("", "text")],
)  # fmt: skip
def test_the_file_says_the_form(ending: str, form: str, tmp_path: Path) -> None:
    """The format is that of the ending; one that contradicts it is refused before anything is computed."""
    file = tmp_path / f"scores{ending}"
    karat("score", KEY, RUN, "-o", file)
    assert file.read_text(encoding="utf-8") == karat("score", KEY, RUN, "--format", form).stdout
    assert karat("score", KEY, RUN, "-o", file, "--format", form).returncode == 0
    if ending:
        other = "csv" if form == "json" else "json"
        done = karat("score", "no such file", RUN, "-o", file, "--format", other)
        assert done.returncode == 2
        assert f"--format {other} contradicts {file}: {ending.lower()} is {form}" in done.stderr


def test_one_table_into_a_file(tmp_path: Path) -> None:
    """The ending of a file is enough for one table of it."""
    karat("score", KEY, RUN, "-o", tmp_path / "one.csv", "--table", "1")
    assert (tmp_path / "one.csv").read_text().startswith("run,")


@pytest.mark.parametrize("ending", [".tsv", ".parquet", ".xyz"])
def test_endings_that_no_form_has(ending: str, tmp_path: Path) -> None:
    """A table of text is not called so; with --format the name is the caller's choice."""
    done = karat("score", KEY, RUN, "-o", tmp_path / f"scores{ending}")
    assert done.returncode == 2
    assert "or use --format" in done.stderr
    assert not list(tmp_path.iterdir())
    assert karat("score", KEY, RUN, "-o", tmp_path / f"scores{ending}", "--format", "text").returncode == 0


def test_a_figure_by_its_ending(tmp_path: Path) -> None:
    """The first figure is written, and the others are named; a report has too many, and a check has none."""
    done = karat("score", KEY, RUN, "-o", tmp_path / "x.svg")
    assert done.returncode == 0
    assert (tmp_path / "x.svg").read_text().startswith("<svg")
    assert "karat figure NAME draws the others: " in done.stderr
    for command, told in (("report", "karat figure NAME draws one"), ("check", "karat check has no figure")):
        done = karat(command, KEY, RUN, "-o", tmp_path / "y.pdf")
        assert (done.returncode, (tmp_path / "y.pdf").exists()) == (2, False)
        assert told in done.stderr
    done = karat("score", KEY, RUN, "-o", tmp_path / "y.pdf", "--format", "text")
    assert done.returncode == 2
    assert ".pdf is a figure" in done.stderr


def test_columns_caption_and_label() -> None:
    """A table for a paper: its columns, in the order given, its caption and its label."""
    done = karat(
        "score", KEY, RUN, "--format", "latex", "--columns", "run,kappa,accuracy", "--caption", "Scores", "--tex-label",
        "tab:s",
    )  # fmt: skip
    assert r"\caption{Scores.}\label{tab:s}" in done.stdout
    assert "\nrun & kappa & accuracy \\% \\\\\n" in done.stdout
    assert r"careful & \textbf{" in done.stdout
    done = karat("score", KEY, RUN, "--format", "latex", "--columns", "run,kapa")
    assert done.returncode == 2
    assert "no column is called 'kapa'; did you mean 'kappa'?" in done.stderr


def test_one_table() -> None:
    """--table gives one table alone, and says which there are."""
    done = karat("score", KEY, RUN, "--format", "csv", "--table", "1")
    assert done.stdout.startswith("run,")
    done = karat("score", KEY, RUN, "--table", "1", "--format", "json")
    assert done.returncode == 2
    assert "csv, latex, markdown or text, not as json" in done.stderr
    assert karat("score", KEY, RUN, "--table", "1").stdout.startswith("Two-way, 160 pairs")


def test_check_exit_status(write: Write) -> None:
    """0 with warnings alone, 1 with errors, every problem on its line."""
    key = write("key.tsv", "id\ttext\thypothesis\tlabel\n1\tt\th\tENTAILMENT\n2\tt\th\tUNKNOWN\n")
    fine, bad = write("fine.txt", "1 UNKNOWN\n2 UNKNOWN\n\n"), write("bad.txt", "1 MAYBE\n7 UNKNOWN\n1 UNKNOWN\n")
    done = karat("check", str(key), str(fine))
    assert done.returncode == 0
    assert f"{fine.name}:3: empty-line-at-end: " in done.stdout
    done = karat("check", str(key), str(fine), str(bad))
    assert done.returncode == 1
    for place in ("bad.txt:1:3: label-outside-task: ", "bad.txt:2:1: unknown-id: ", "bad.txt:3:1: duplicate-id: "):
        assert place in done.stdout
    assert "bad.txt: missing-id: no line for pair '2'" in done.stdout
    assert "1 of 2 runs can be scored on 2 pairs." in done.stdout
    found = json.loads(karat("check", str(key), str(bad), "--format", "json").stdout)["problems"]
    assert set(found[0]) == {"file", "line", "column", "code", "found", "expected", "fix", "severity"}
    assert len(found) == 4
    scored = karat("score", str(key), str(fine), str(bad))
    assert scored.returncode == 1
    assert scored.stdout == ""
    assert "unknown-id" in scored.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["scor"], "did you mean 'score'"),
        (["score", KEY], "Missing argument 'RUN...'"),
        (["score", KEY, RUN, "--measure", "kapa"], "did you mean 'kappa'"),
        (["score", KEY, RUN, "--by", "tusk"], "did you mean 'task'"),
        (["score", KEY, RUN, "--label", "NO"], "write NAME=VALUE"),
        (["score", KEY, RUN, "--label", "NO=PERHAPS"], "must be one of"),
        (["score", KEY, RUN, "--reader", "rtf"], "no pair format is called 'rtf'"),
        (["score", KEY, RUN, "--column", "txet=a"], "did you mean 'text'"),
        (["score", KEY, RUN, "--way", "4"], "'4' is not one of"),
        (
            ["score", KEY, RUN, "--interval", "2"],
            "--interval is 2.0; expected a number (at least 1e-06, ",
        ),
        (["score", KEY, RUN, "-o", "/nowhere/at/all"], "cannot write"),
        (["items", KEY, RUN, "--way", "3"], "'two-way' answers two-way"),
    ],
)
def test_wrong_calls(arguments: list[str], told: str) -> None:
    """A wrong call exits with 2 and says what would be right."""
    done = karat(*arguments)
    assert done.returncode == 2, done.stdout
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_missing_file() -> None:
    """A file that is not there is a problem of the data, told like any other."""
    done = karat("score", "nowhere.xml", RUN)
    assert done.returncode == 1
    assert "nowhere.xml: unreadable: No such file or directory" in done.stderr


def test_standard_input() -> None:
    """A dash reads standard input."""
    done = karat("score", KEY, "-", "--format", "json", stdin=(RUNS / "cautious.txt").read_text())
    assert json.loads(done.stdout)["runs"][0]["values"]["3"]["accuracy"] == pytest.approx(0.58125)


def test_warnings_apart(write: Write) -> None:
    """Warnings go to standard error, and nowhere with --quiet."""
    run = write("run.txt", (RUNS / "cautious.txt").read_text() + "\n")
    done = karat("score", KEY, str(run), "--format", "json")
    assert json.loads(done.stdout)["warnings"][0]["code"] == "empty-line-at-end"
    assert "empty-line-at-end" in done.stderr
    assert karat("score", KEY, str(run), "--format", "json", "--quiet").stderr == ""


def test_scores_out(tmp_path: Path) -> None:
    """The scores have a row per run and pair, and the run's accuracy as their mean."""
    file = tmp_path / "scores.csv"
    result = as_json("score", KEY, RUN, "--scores-out", str(file))
    rows = list(csv.DictReader(io.StringIO(file.read_text())))
    assert len(rows) == 10 * 160
    assert {row["measure"] for row in rows} == {"accuracy"}
    for scored in result["runs"]:
        right = [float(row["score"]) for row in rows if row["run"] == scored["run"]]
        assert sum(right) / 160 == pytest.approx(scored["values"]["2"]["accuracy"])


def test_closed_pipe() -> None:
    """A reader that stops reading is no error."""
    command = f'"{sys.executable}" -c "from karat.cli import main; main()" score {KEY} {RUN} --format json | head -1'
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.stdout == "{\n"
    assert "Traceback" not in done.stderr
