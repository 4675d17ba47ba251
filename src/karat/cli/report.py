"""`karat report`."""

from __future__ import annotations

from typing import Any

import click

from karat.cli.options import COMMON, StudyCommand, options_of, pick
from karat.cli.score_matrix import KEY_OR_NONE, RUNS_OR_NONE, SCORES, subjects_of
from karat.data.parameters import parameters
from karat.data.reading import Reading
from karat.errors import Problems, UsageError
from karat.formats import read_runs
from karat.formats.ballots import read_ballots
from karat.formats.decomposed import read_decomposition
from karat.formats.justification_ratings import read_justifications
from karat.formats.question_reading import read_matches, read_nuggets
from karat.formats.question_set import QuestionFiles, read_question_set
from karat.studies.report.parameters import ReportParameters
from karat.studies.report.result import Report
from karat.studies.report.study import report

PATH = click.Path()
FILES = [
    click.Option(["--ballots"], type=PATH, help="who labelled what: agreement, and other keys"),
    click.Option(["--judged"], type=PATH, help="ballots with an automatic judge's among them (see --automatic)"),
    click.Option(["--decomposed"], type=PATH, help="a decomposed test set: what runs fail at"),
    click.Option(["--decomposed-runs"], type=PATH, multiple=True, help="the runs on it"),
    click.Option(["--ratings"], type=PATH, help="people's ratings of the runs' justifications"),
    click.Option(["--questions"], type=PATH, help="a test set of questions; its files as `karat qa` takes them"),
    click.Option(["--question-runs"], type=PATH, multiple=True, help="the runs that answer them"),
    click.Option(["--nugget-list"], type=PATH, help="what generated answers should say, as `karat nuggets` takes it"),
    click.Option(["--assignments"], type=PATH, multiple=True, help="which of these nuggets the answers hold"),
]
TOGETHER = (("decomposed", "decomposed_runs"), ("questions", "question_runs"), ("nugget_list", "assignments"))


def ask(given: dict[str, Any]) -> Report:
    """Read what there is, and make every section that it allows."""
    for one, other in TOGETHER:
        if bool(given[one]) != bool(given[other]):
            names = (f"--{name.replace('_', '-')}" for name in (one, other))
            raise UsageError(f"{' and '.join(names)} go together: give both")
    beside = any(given[one] for one, _ in TOGETHER) or given["ratings"]
    subjects = subjects_of(given) if given["key"] or given["scores"] or not beside else ()
    key = subjects[0] if given["key"] else None
    nouns: dict[str, Any] = {}
    for name in ("ballots", "judged"):
        if given[name]:
            nouns[name] = read_ballots(given[name], key)
    if given["decomposed"]:
        nouns["decomposed"] = read_decomposition(given["decomposed"])
        nouns["decomposed_runs"] = read_runs(list(given["decomposed_runs"]), nouns["decomposed"].pairs)
    if given["ratings"]:
        nouns["ratings"] = read_justifications([given["ratings"]])
    if given["questions"]:
        nouns |= _questions(given)
    if given["nugget_list"]:
        nouns["generated"] = read_matches(list(given["assignments"]), read_nuggets(given["nugget_list"]))
    return report(*subjects, **nouns, **pick(ReportParameters, given))


def _questions(given: dict[str, Any]) -> dict[str, Any]:
    problems = Problems()
    files = parameters(QuestionFiles, pick(QuestionFiles, given))
    found = read_question_set(given["questions"], list(given["question_runs"]), files, problems)
    problems.raise_errors()
    return {"questions": found.questions, "answers": found.answers, **found.nouns()}


class ReportCommand(StudyCommand):
    """A report is a page where nothing else is said."""

    def _show(self, **given: Any) -> None:
        super()._show(**given)
        if given["output"] and given["format"] == "html" and not given["quiet"]:
            click.echo(f"Written: {given['output']}. Open it in any browser.", err=True)


OPTIONS = options_of(ReportParameters, Reading, QuestionFiles)
command = ReportCommand("report", [KEY_OR_NONE, RUNS_OR_NONE, SCORES, *OPTIONS, *FILES], ask)
PAGE = click.Option(["--format"], type=COMMON[0].type, default="html", show_default=True, help="form of the output")
command.params = [PAGE if option.name == "format" else option for option in command.params]
