"""`karat demo`: the whole of an evaluation, on the examples that come with karat."""

from __future__ import annotations

import shlex
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path

import click
from rich.text import Text

from karat import examples
from karat.cli import Command, shown, tell
from karat.cli.command import ask, today, write
from karat.data.pairs import Pairs
from karat.errors import UsageError, spelled_out
from karat.formats.decomposed import read_decomposition
from karat.formats.registry import read_pairs, write_run
from karat.kernels.compiled import COMPILED_MEANWHILE, compiled_before
from karat.progress import track
from karat.render.characters import Terminal
from karat.studies.check import check
from karat.studies.report.result import Report
from karat.studies.run import EngineRun
from karat.studies.run import run as run_engine
from karat.studies.wording import some_of

ENGINES = ("overlap", "edit-distance", "linguistic", "aligner")
TITLE = "The examples of karat"
NO = "CONTRADICTION"
SENTENCES = 2
"""Findings shown per section; the report has all."""
MARGIN = 18
"""Width of the left column, which has the commands."""
WIDEST = 110
"""Lines longer than this are hard to read, however wide the terminal is."""


class Account:
    """The output: wrapped on a terminal, one line per sentence elsewhere."""

    def __init__(self, console: Terminal | None = None) -> None:
        self._console = console or (Terminal() if sys.stdout.isatty() else None)

    def step(self, command: str, question: str, sentences: Iterable[str]) -> None:
        """A command, its question and its findings."""
        self._say(Text.assemble((f"{command:<{MARGIN}}", "bold cyan"), (spelled_out(question), "bold")))
        for sentence in sentences:
            for line in self._lines(sentence):
                self._say(Text(f"{'':<{MARGIN}}{spelled_out(line)}"))

    def closing(self, name: str, sentence: str) -> None:
        """A path on one line, so that it can be clicked or copied."""
        self._say(Text.assemble((f"{name:<{MARGIN}}", "bold"), spelled_out(sentence)))

    def blank(self) -> None:
        """An empty line."""
        self._say(Text())

    def _lines(self, sentence: str) -> list[str]:
        if self._console is None:
            return [sentence]
        return textwrap.wrap(sentence, max(min(self._console.width, WIDEST) - MARGIN, 20), break_on_hyphens=False)

    def _say(self, text: Text) -> None:
        if self._console is None:
            write(f"{text.plain.rstrip()}\n", None)  # whatever the locale says
        else:
            self._console.print(text, soft_wrap=True)


def run_engines(key: Pairs, train: Pairs, folder: Path) -> list[EngineRun]:
    """Run every engine and write the runs, with justifications, into the folder."""
    made = []
    for name in track(ENGINES, lambda name: f"karat run {name}"):
        result = run_engine(name, key, train=train, justify=True)
        write_run(result.responses(key), 0, folder / f"engine-{name}.jsonl")
        made.append(result)
    return made


def evaluate(key: Path, runs: list[Path]) -> Report:
    """The report of everything in the examples, as `karat report` makes it."""
    words = [f"--{option}={examples.HERE / file}" for option, file in examples.EVERYTHING.items()]
    words += [f"--automatic={examples.AUTOMATIC}", f"--title={TITLE}"]
    result = ask("report", str(key), *map(str, runs), *words)
    assert isinstance(result, Report)
    return result


def prepared(folder: str) -> tuple[Path, list[Path]]:
    """Copy the test set and the example runs into the folder; nothing else in it is touched."""
    target = Path(folder)
    try:
        (target / "runs").mkdir(parents=True, exist_ok=True)
        shutil.copyfile(examples.PAIRS, target / examples.PAIRS.name)
        shipped = sorted(examples.RUNS.iterdir())
        return target, [Path(shutil.copyfile(run, target / "runs" / run.name)) for run in shipped]
    except OSError as error:
        raise UsageError(f"cannot write to {folder}: {error.strerror}; name another with --folder") from None


def call(folder: str) -> None:
    """Run the engines, check, write the report, and show the main findings of each study."""
    account = Account()
    target, runs = prepared(folder)
    account.step("karat demo", "An evaluation from beginning to end, on karat's own examples", [])
    account.blank()
    if not compiled_before():
        tell(COMPILED_MEANWHILE)
    with shown("karat run"):
        key = read_pairs(target / examples.PAIRS.name)
        made = run_engines(key, read_decomposition(examples.DECOMPOSED).pairs, target / "runs")
    runs += [target / "runs" / f"engine-{name}.jsonl" for name in ENGINES]
    account.step("karat run", f"What do {some_of(ENGINES)} answer?", _answers(made))
    with shown("karat check"):
        checked = check(target / examples.PAIRS.name, runs)
    account.step("karat check", "Can the runs be scored?", checked.findings())
    result = evaluate(target / examples.PAIRS.name, runs)
    for section in result.sections:
        if section.name == section.result.study:
            said = section.result.headlines() or section.result.findings()
            account.step(f"karat {section.name}", section.question, said[:SENTENCES])
    account.step("karat report", "What is the verdict?", result.findings()[: SENTENCES + 1])
    with shown("writing the report"):
        text = result.render("html", date=today())
    page = target / "report.html"
    write(text, str(page))
    account.blank()
    account.closing("The report:", f"{page}, which has all of this and more, with figures")
    account.closing("In a browser:", page.resolve().as_uri())
    alone = shlex.join(["karat", "compare", str(target / examples.PAIRS.name), str(target / "runs")])
    account.closing("One study:", f"{alone}, and so on")


def _answers(made: list[EngineRun]) -> Iterator[str]:
    """How to take the runs, and the shortest justification of a contradiction."""
    yield "Trained on texts of the test set, they may score too high."
    said = [(one.justification or "", one.id, run.engine) for run in made for one in run.answers if one.label == NO]
    if said:
        words, pair, engine = min(said, key=lambda one: len(one[0]))
        yield f"Each engine justifies its answers. {engine}, on pair {pair}: {NO}. {words}"


command = Command(
    "demo",
    params=[
        click.Option(["--folder"], default="karat-demo", show_default=True, help="folder for the report and the runs")
    ],
    callback=call,
)
