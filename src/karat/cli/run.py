"""`karat run`."""

from __future__ import annotations

from typing import Any

import click

from karat.cli import shown, tell
from karat.cli.command import StudyCommand, file_option, options_of, pick, show, warn
from karat.data.pairs import Pairs
from karat.data.parameters import MOST_JOBS
from karat.data.provenance import Reading
from karat.engines.answering import EXECUTORS
from karat.engines.model import load_model
from karat.formats.registry import read_pairs, write_run
from karat.kernels.compiled import COMPILED_MEANWHILE, compiled_before
from karat.studies.run import EngineRun, RunParameters, learn, run

FILE = click.Path(dir_okay=False)
ARGUMENTS = [
    click.Argument(["engine"], metavar="ENGINE"),
    click.Argument(["pairs"], type=click.Path(), metavar="PAIRS"),
]
OPTIONS = [
    file_option("train", "labelled pairs to learn from", metavar="PAIRS"),
    click.Option(["--model"], type=FILE, help="a trained model of ENGINE, instead of --train"),
    click.Option(["--model-out"], type=FILE, help="also write the model, as JSON"),
    click.Option(
        ["--output", "-o"], type=FILE, metavar="RUN", help="write the run to this file (.txt, .tsv, .jsonl …)"
    ),
    click.Option(
        ["--on"], type=click.Choice(EXECUTORS), default="processes", show_default=True, help="where the engine runs"
    ),
    click.Option(["--jobs"], type=click.IntRange(1, MOST_JOBS), help="number of processes; by default all cores"),
]


def answered(given: dict[str, Any]) -> tuple[EngineRun, Pairs]:
    """The run, and the pairs that it answers."""
    reading = pick(Reading, given)
    asked = pick(RunParameters, given)
    pairs = read_pairs(given["pairs"], **reading)
    train = read_pairs(given["train"], **reading) if given["train"] else None
    model = load_model(given["model"], given["engine"]) if given["model"] else None
    if not given["quiet"] and not compiled_before():
        tell(COMPILED_MEANWHILE)
    with shown("karat run", given["quiet"]):
        if model is None and given["model_out"]:
            model = learn(given["engine"], train, pairs, **asked)
            model.save(given["model_out"])
            # What was asked of the learning is in the model now.
            train, asked = None, {"justify": asked["justify"]}
        result = run(model or given["engine"], pairs, train=train, on=given["on"], jobs=given["jobs"], **asked)
    return result, pairs


class RunCommand(StudyCommand):
    """A command that writes the run; the result itself is shown if the run does not go to standard output."""

    def _show(self, **given: Any) -> None:
        given["format"] = given["format"] or self.form  # the ending of --output is the run's
        result, pairs = answered(given)
        to_stdout = given["output"] is None and given["format"] == "text"
        if given["output"] or to_stdout:
            write_run(result.responses(pairs), 0, given["output"] or "-")
        if to_stdout:
            if not given["quiet"]:
                warn(result.warnings)
                for sentence in result.findings():
                    tell(sentence)
        else:
            show(result, given | {"output": None})
        if result.failed:
            raise click.exceptions.Exit(1)


command = RunCommand(
    "run", [*ARGUMENTS, *options_of(RunParameters, Reading), *OPTIONS], lambda given: answered(given)[0]
)
