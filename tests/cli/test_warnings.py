"""What readers warn of reaches whoever asked: every file of every command, found by looking at the commands.

Each file is given cut off in its last line (XML with a blank line before its declaration), which its reader takes with
a warning.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import pytest

from karat.cli import COMMANDS, OF_THE_SERVER, load_command
from karat.errors import Problem
from karat.examples import HERE, REJUDGED
from karat.formats.pairs import read_pairs
from karat.formats.runs import read_runs
from karat.formats.weights import read_weights
from karat.studies.base import warnings_of
from karat.studies.score.study import score
from tests.cli.calls import karat
from tests.files import two_way

QA, RAG = HERE / "qa", HERE / "qa" / "rag"
PAIRS, BALLOTS, RUNS = HERE / "pairs.xml", HERE / "ballots.tsv", HERE / "runs"
IDS = [line.split('id="')[1].split('"')[0] for line in PAIRS.read_text().splitlines() if "<pair" in line]
NAMES = ("vital", "weighted", "all", "strict_vital", "strict_weighted", "strict_all")
PARSE = "# newdoc id = {}/{}\n1\tRain\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
ASSIGNED = "run\tqid\tnugget\tdegree\n" + "".join(f"{run}\t{topic}\t1\tDEGREE\n" for run in "ab" for topic in "12")
MADE = {
    "scores.csv": "run" + "".join(f",u{unit}" for unit in range(40)) + "\n"
    + "".join(f"{run}" + "".join(f",{unit % (3 + place) % 2}" for unit in range(40)) + "\n"
              for place, run in enumerate("abc")),
    "weights.txt": "".join(f"{name} 1\n" for name in IDS),
    "relevance.txt": "syntactic:apposition 2\n",
    "stored.jsonl": json.dumps({"qid": "1", **{f"{name}_score": 1.0 for name in NAMES}}) + "\n",
    "parses.conllu": "".join(PARSE.format(name, side) for name in "12" for side in "TH"),
    "small.tsv": "id\ttext\thypothesis\tlabel\n1\tRain\tRain\tENTAILMENT\n2\tRain\tRain\tUNKNOWN\n",
    "zoe.tsv": "unit\tassessor\tlabel\n" + "".join(f"{name}\tzoe\tENTAILMENT\n" for name in IDS),
    "accepted.tsv": "qid\tanswer\n1.1\tOslo\n1.2\t1956\n1.3\tNIL\n",
    "listed.tsv": "qid\tnugget\timportance\ttext\n1\t1\tvital\tgold\n2\t1\tvital\tiron\n",
    "mine.tsv": ASSIGNED.replace("DEGREE", "0.5"),
    "theirs.tsv": ASSIGNED.replace("DEGREE", "0"),
    "again.tsv": (QA / "judgments.tsv").read_text(),
    "others.tsv": "run\tqid\tnugget\tdegree\nc\t1\t1\t1\nc\t2\t1\t0.5\n",
    "decided.tsv": "unit\tassessor\tlabel\treason\n8\tcleo\tUNKNOWN\terror\n",
    "rated.tsv": "run\tunit\tjudge\tunderstandable\tcompelling\ncareful\t1\tfay\t4\t4\n",
}  # fmt: skip
"""Files that the examples do not have."""
KEY_AND_RUNS = {"key": PAIRS, "runs": [RUNS / "cautious.txt", RUNS / "overlap.txt"]}
RATED = [RUNS / f"{name}.jsonl" for name in ("careful", "chatty", "terse")]
SCORES = {"scores": "scores.csv"}
ANSWERED = [QA / "runs" / "careful.tsv", QA / "runs" / "verbose.tsv"]
QUESTIONS = {
    "judgments": QA / "judgments.tsv",
    "nuggets": QA / "nuggets.tsv",
    "matches": QA / "matches.tsv",
    "patterns": QA / "patterns.txt",
    "target_types": QA / "target-types.txt",
}
TWICE = [QA / "judgments.tsv", "again.tsv"]
REJUDGED_QUESTIONS = QUESTIONS | {"judgments": TWICE}
OF_FACTOIDS = "--rank-by factoid_accuracy"
IN_WORDS = {"key": QA / "questions.xml", "runs": ANSWERED, "accepted": "accepted.tsv"}
DECOMPOSED, DECOMPOSED_RUN = HERE / "decomposed.xml", HERE / "decomposed-runs" / "overlap.txt"
RAG_LIST, RAG_RUN = RAG / "nuggets.jsonl", RAG / "assignments" / "brief.jsonl"
Call = tuple[dict[str, Any], str]
CALLS: dict[str, list[Call]] = {
    "check": [(KEY_AND_RUNS, ""), ({"key": QA / "questions.xml", "runs": ANSWERED, **QUESTIONS}, ""), (IN_WORDS, "")],
    "score": [(KEY_AND_RUNS | {"weights": "weights.txt"}, "")],
    "diagnose": [({"files": [DECOMPOSED, DECOMPOSED_RUN], "relevance": "relevance.txt"}, "--replicates 99")],
    "compare": [(KEY_AND_RUNS, ""), (SCORES, "")],
    "qa": [
        ({"questions": QA / "questions.xml", "runs": ANSWERED, **QUESTIONS}, ""),
        ({"questions": QA / "questions.xml", "runs": ANSWERED, "accepted": "accepted.tsv"}, ""),
    ],
    "nuggets": [
        (
            {
                "nuggets": QA / "nuggets.tsv",
                "matches": QA / "matches.tsv",
                "answers": sorted((QA / "runs").iterdir()),
                "ratings": QA / "ratings.tsv",
            },
            "",
        ),
        ({"nuggets": RAG_LIST, "matches": RAG_RUN, "stored": "stored.jsonl"}, ""),
    ],
    "prefer": [({"preferences": QA / "preferences.tsv"}, "")],
    "support": [
        ({"judgments": RAG / "citations.tsv", "runs": [RAG / "runs" / "brief.jsonl", RAG / "runs" / "broad.jsonl"]}, "")
    ],
    "sample": [({"key": PAIRS, "runs": RATED}, "--pairs 5")],
    "justify": [
        (
            {
                "ratings": HERE / "ratings.tsv",
                "also": "rated.tsv",
                "judges": HERE / "judges.tsv",
                "key": PAIRS,
                "runs": RATED,
            },
            "",
        )
    ],
    "items": [(KEY_AND_RUNS, "")],
    "agree": [({"ballots": BALLOTS, "also": "zoe.tsv"}, "")],
    "keys": [(KEY_AND_RUNS | {"ballots": BALLOTS, "also": "zoe.tsv", "anchor": PAIRS}, "")],
    "judge": [(KEY_AND_RUNS | {"ballots": HERE / "judged.tsv", "also": "zoe.tsv"}, "--automatic auto")],
    "meta": [
        ({"files": [REJUDGED / "people.csv", REJUDGED / "program.csv"]}, ""),
        ({"nuggets": "listed.tsv", "files": ["mine.tsv", "theirs.tsv"]}, ""),
        ({"files": [QA / "questions.xml", *ANSWERED], **REJUDGED_QUESTIONS}, ""),
        ({"files": [QA / "questions.xml", *ANSWERED], "judgments": TWICE, "accepted": "accepted.tsv"}, OF_FACTOIDS),
    ],
    "sensitivity": [
        (KEY_AND_RUNS | {"ballots": BALLOTS}, ""),
        (SCORES, ""),
        ({"key": QA / "questions.xml", "runs": ANSWERED, **QUESTIONS}, ""),
        (IN_WORDS, ""),
        ({"nuggets": "listed.tsv", "key": "mine.tsv", "runs": ["others.tsv"]}, ""),
    ],
    "swap": [(KEY_AND_RUNS, "--step 25"), (SCORES, "")],
    "size": [(KEY_AND_RUNS | {"ballots": BALLOTS, "candidates": BALLOTS}, "--units 40"), (SCORES, "")],
    "blind": [({"key": PAIRS}, "")],
    "sheet": [({"pairs": PAIRS}, "--assessor dora")],  # a name of a file, which cannot be just anything
    "adjudicate": [({"ballots": BALLOTS, "also": "zoe.tsv", "decisions": "decided.tsv", "pairs": PAIRS}, "")],
    "run": [
        ({"pairs": "small.tsv", "train": "small.tsv", "trees": "parses.conllu", "train_trees": "parses.conllu"}, "")
    ],
    "ablate": [({"key": "small.tsv", "train": "small.tsv", "trees": "parses.conllu"}, "--without wordnet")],
    "report": [
        (
            {
                "key": PAIRS,
                "runs": RATED,
                "ballots": BALLOTS,
                "judged": HERE / "judged.tsv",
                "decomposed": DECOMPOSED,
                "decomposed_runs": DECOMPOSED_RUN,
                "ratings": HERE / "ratings.tsv",
                "questions": QA / "questions.xml",
                "question_runs": ANSWERED,
                "nugget_list": RAG_LIST,
                "assignments": RAG_RUN,
                **QUESTIONS,
            },
            "--automatic auto --without swap --without size --without sensitivity",
        ),
        (SCORES, "--without swap --without size"),
        ({"questions": QA / "questions.xml", "question_runs": ANSWERED, "accepted": "accepted.tsv"}, ""),
    ],
}
"""For each command, calls that together give every file it reads: the file of each parameter, and what else is said."""
ENGINE = "edit-distance"
WRITTEN = {"output", "scores_out", "nuggets_out", "matches_out", "model_out", "sheet", "key_out", "history"}
"""Parameters that name what is written."""
WHOLE = {"model": "JSON, which is read as a whole or refused"}
"""Parameters whose readers have nothing to warn of, and why."""


def read_parameters(command: click.Command) -> list[click.Parameter]:
    """The parameters of a command that name files it reads."""
    paths = [one for one in command.params if isinstance(one.type, click.Path)]
    return [one for one in paths if one.name not in {*WRITTEN, *WHOLE}]


def damaged(file: str | Path, folder: Path) -> Path:
    """A copy that its reader takes with a warning."""
    data = file.read_bytes() if isinstance(file, Path) else MADE[file].encode()
    folder.mkdir(exist_ok=True)
    copy = folder / Path(file).name
    copy.write_bytes(b"\n" + data if data.startswith(b"<?xml") else data.rstrip(b"\n"))
    return copy


def call(name: str, place: int, folder: Path) -> tuple[list[str], list[str]]:
    """One of the calls of a command, with every file damaged; and the names of those files."""
    files, more = CALLS[name][place]
    command = load_command(name)
    arguments = [ENGINE for one in command.params if one.name == "engine"]
    options, given = more.split(), []
    for parameter in read_parameters(command):
        assert parameter.name
        named = files.get(parameter.name, [])
        for file in named if isinstance(named, list) else [named]:
            path = str(damaged(file, folder / parameter.name))
            given.append(Path(path).name)
            if isinstance(parameter, click.Option):
                options += [parameter.opts[0], path]
            else:
                arguments.append(path)
    return [name, *arguments, *options], given


EVERY_CALL = [(name, place) for name, calls in CALLS.items() for place in range(len(calls))]
SOME_AT_NIGHT = [pytest.param(*one, marks=[pytest.mark.nightly] if one[0] == "report" else ()) for one in EVERY_CALL]
"""The same; a report, which takes seconds and is made of the other studies, is for tests that make dozens of it."""


@pytest.mark.parametrize(("name", "place"), EVERY_CALL)
def test_every_warning_is_told(tmp_path: Path, name: str, place: int) -> None:
    """That of each file is in the JSON, once, and on standard error; `check` has it among what it found."""
    words, given = call(name, place, tmp_path)
    done = karat(*words, "--format", "json")
    assert done.stdout, done.stderr
    told = json.loads(done.stdout)["problems" if name == "check" else "warnings"]
    files = [one["file"] for one in told if one["code"] in ("no-final-newline", "xml-declaration")]
    assert sorted(files) == sorted(given)
    if name != "check":
        assert [file for file in given if f"{file}:" not in done.stderr] == []


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in OF_THE_SERVER])
def test_no_file_is_forgotten(name: str) -> None:
    """Every file that a command reads is in one of the calls above: a new option has to be put there."""
    named = {parameter for files, _ in CALLS.get(name, []) for parameter in files}
    assert {one.name for one in read_parameters(load_command(name))} == named


@pytest.mark.parametrize(("name", "place"), [("score", 0), ("report", 1)])
def test_pages_have_them_too(tmp_path: Path, name: str, place: int) -> None:
    """One that is a single result, and one that is made of several."""
    words, given = call(name, place, tmp_path)
    page = karat(*words, "--format", "html").stdout
    assert f"{len(given)} warning{'s' * (len(given) > 1)} about the files</summary>" in page
    assert [file for file in given if page.count(f"<li>{file}:") != 1] == []


def test_a_run_written_to_standard_output_and_a_figure(tmp_path: Path) -> None:
    """What goes elsewhere than other results goes with its warnings."""
    words, given = call("run", 0, tmp_path)
    kept = karat(*words, "--model-out", tmp_path / "model.json")
    assert kept.returncode == 0, kept.stderr
    assert [file for file in given if file not in kept.stderr] == []
    assert "warnings" not in kept.stdout
    assert json.loads((tmp_path / "model.json").read_text())["warnings"] == []  # of the learning, not of the model
    (_, *rest), drawn = call("score", 0, tmp_path)
    done = karat("figure", "information", *rest, "-o", tmp_path / "information.svg")
    assert done.returncode == 0, done.stderr
    assert [file for file in drawn if file not in done.stderr] == []


def test_a_planted_file_is_found() -> None:
    """The walk sees a new option that names a file, and none that names what is written."""
    planted = [click.Option([flag], type=click.Path()) for flag in ("--new", "--scores-out")]
    assert [one.name for one in read_parameters(click.Command("planted", params=[*planted]))] == ["new"]


def test_nouns_within_nouns(tmp_path: Path) -> None:
    """Of everything given, what is inside a noun first; none comes twice."""
    key = two_way()
    (tmp_path / "run.txt").write_text("1 YES\n2 NO\n3 NO")
    (tmp_path / "weights.txt").write_text("1 1\r2 1\r3 2\r")
    key = replace(key, warnings=(Problem("key", 1, None, "carriage-return", "", "", "", "warning"),))
    runs, weights = read_runs(tmp_path / "run.txt", key), read_weights(tmp_path / "weights.txt", key)
    told = [one.code for one in warnings_of((runs, [weights], None, "text"))]
    assert told == ["carriage-return", "no-final-newline", "carriage-return"]
    result = score(runs, unit_weights=weights)
    assert [Path(one.file).name for one in result.warnings] == ["key", "run.txt", "weights.txt"]


def test_print_shows_them_and_the_command_does_so_once(tmp_path: Path) -> None:
    """In Python the text of a result begins with its warnings; the command has them on standard error alone."""
    key, run = tmp_path / "key.tsv", tmp_path / "run.txt"
    key.write_text("id\tlabel\n1\tYES\n2\tNO\n3\tNO\n")
    run.write_text("1 YES\n2 NO\n3 YES")
    result = score(read_runs(run, read_pairs(key)))
    assert str(result).startswith("warnings (the files were read):\nrun.txt:3: no-final-newline")
    done = karat("score", key, run)
    assert (done.stdout.count("no-final-newline"), done.stderr.count("no-final-newline")) == (0, 1)


def test_warnings_come_before_a_refusal(tmp_path: Path) -> None:
    """What a reader warned of may be why a study refuses."""
    scores = tmp_path / "scores.csv"
    rows = "".join(f"q{n},{n % 2},{n % 3 % 2}\n" for n in range(300))
    scores.write_text("what,a,b\n" + rows)
    done = karat("swap", "--scores", str(scores))
    assert done.returncode == 2
    assert "--transpose" in done.stderr
    assert done.stderr.index("--transpose") < done.stderr.index("karat: ")


@pytest.mark.parametrize(
    ("more", "status", "error"),
    [(["--measure", "kapa"], 2, "karat: no measure is called 'kapa'"), (["--way", "3"], 2, "karat: ")],
)
def test_quiet_prints_only_the_error(more: list[str], status: int, error: str, tmp_path: Path) -> None:
    """A call that fails with --quiet prints what is wrong, and no warning; without it, the warnings too."""
    run = damaged(RUNS / "two-way.txt", tmp_path)
    loud, quiet = (karat("compare", PAIRS, run, RUNS / "overlap.txt", *more, *how) for how in ([], ["--quiet"]))
    assert (loud.returncode, quiet.returncode) == (status, status)
    assert "warnings" in loud.stderr
    assert quiet.stderr.startswith(error)
    assert "warnings" not in quiet.stderr
    assert quiet.stderr in loud.stderr


def test_quiet_prints_only_the_errors_of_files(tmp_path: Path) -> None:
    """A file with errors and warnings: only its errors."""
    run = tmp_path / "a.txt"
    run.write_text((RUNS / "overlap.txt").read_text().rstrip("\n").replace("ENTAILMENT", "PERHAPS", 1))
    loud, quiet = (karat("score", PAIRS, run, *how) for how in ([], ["--quiet"]))
    assert (loud.returncode, quiet.returncode) == (1, 1)
    assert "warnings (the files were read)" in loud.stderr
    assert "PERHAPS" in quiet.stderr
    assert "warnings" not in quiet.stderr
