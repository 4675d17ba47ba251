"""`karat run`."""

from __future__ import annotations

from typing import Any

import click

from karat.cli import shown, tell
from karat.cli.command import StudyCommand, file_option, options_of, pick, show, warn
from karat.data.parameters import MOST_JOBS
from karat.data.provenance import Reading
from karat.engines.model import load_model
from karat.errors import KaratError
from karat.formats.pair_files import PIECE, pair_files
from karat.formats.pairs import read_pairs
from karat.kernels.compiled import COMPILED_MEANWHILE, compiled_before
from karat.studies.run import EngineRun, RunParameters, run

FILE = click.Path(dir_okay=False)
ARGUMENTS = [
    click.Argument(["engine"], metavar="ENGINE"),
    click.Argument(["pairs"], type=click.Path(), nargs=-1, required=True, metavar="PAIRS..."),
]
OPTIONS = [
    file_option("train", "labelled pairs to learn from", metavar="PAIRS"),
    click.Option(["--model"], type=FILE, help="a trained model of ENGINE, instead of --train"),
    click.Option(["--model-out"], type=FILE, help="also write the model, as JSON"),
    click.Option(
        ["--output", "-o"],
        type=FILE,
        metavar="RUN",
        help="write the run to this file (.txt, .tsv, .csv, .jsonl), RUN.part until it is whole; if the call is "
        "stopped, the same call goes on from there",
    ),
    click.Option(
        ["--on"],
        default="processes",
        show_default=True,
        metavar="here|processes|ray[://HOST:PORT]",
        help="where the engine runs",
    ),
    click.Option(
        ["--jobs"], type=click.IntRange(1, MOST_JOBS), help="number of processes, or workers; by default all cores"
    ),
    click.Option(
        ["--gpus-per-worker"],
        type=click.FloatRange(0),
        default=0,
        metavar="N",
        help="GPUs of the cluster for each worker, which may be a part of one; for neural(device=cuda)",
    ),
    click.Option(
        ["--chunk"],
        type=click.IntRange(1, PIECE),
        metavar="N",
        help="pairs that a worker gets at a time; by default 1,000, or fewer if there are few",
    ),
]


def answered(given: dict[str, Any], output: str | None = None) -> EngineRun:
    """The run, with its answers unless they go to a file."""
    reading = pick(Reading, given)
    asked = pick(RunParameters, given)
    train = read_pairs(given["train"], **reading) if given["train"] else None
    engine = load_model(given["model"], given["engine"]) if given["model"] else given["engine"]
    where = {name: given[name] for name in ("on", "jobs", "gpus_per_worker", "chunk")}
    if not given["quiet"] and not compiled_before():
        tell(COMPILED_MEANWHILE)
    with shown("karat run", given["quiet"]):
        return run(
            *(engine, pair_files(given["pairs"], **reading)),
            train=train,
            output=output,
            model_output=given["model_out"],
            **where,
            **asked,
        )


class RunCommand(StudyCommand):
    """A command that writes the run; the result itself is shown if the run does not go to standard output."""

    def _show(self, **given: Any) -> None:
        given["format"] = given["format"] or self.form  # the ending of --output is the run's
        to_stdout = given["output"] is None and given["format"] == "text"
        try:
            result = answered(given, "-" if to_stdout else given["output"])
        except KaratError as error:
            raise error.alone() if given["quiet"] else error from None
        if not to_stdout:
            show(result, given | {"output": None})
        elif not given["quiet"]:
            warn(result.warnings)
            for sentence in result.findings():
                tell(sentence)
        if result.failed or result.partial:
            raise click.exceptions.Exit(1)


command = RunCommand("run", [*ARGUMENTS, *options_of(RunParameters, Reading), *OPTIONS], answered)
