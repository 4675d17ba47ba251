"""`karat report`."""

from __future__ import annotations

from typing import Any

import click

from karat.cli.options import StudyCommand, options_of, pick
from karat.cli.score_matrix import KEY_OR_NONE, RUNS_OR_NONE, SCORES, runs_of
from karat.cli.telling import tell
from karat.data.parameters import parameters
from karat.data.reading import BallotReading, QuestionFiles, RatingReading, Reading
from karat.data.responses import Responses
from karat.errors import UsageError
from karat.formats.ballots import read_ballots
from karat.formats.decomposed import read_decomposition
from karat.formats.justification_ratings import read_justifications
from karat.formats.question_reading import read_matches, read_nuggets
from karat.formats.question_set import read_question_set
from karat.formats.reading import read_runs
from karat.studies.qa.parameters import QaParameters
from karat.studies.report.parameters import ReportParameters
from karat.studies.report.result import Report
from karat.studies.report.study import report

PATH = click.Path()
FILES = [
    click.Option(["--ballots"], type=PATH, help="who labelled what: agreement, and other keys"),
    click.Option(["--judged"], type=PATH, help="ballots with an automatic judge's among them (see --automatic)"),
    click.Option(["--decomposed"], type=PATH, help="a decomposed test set: what runs fail at"),
    click.Option(["--decomposed-runs"], type=PATH, multiple=True, help="the runs on it"),
    click.Option(["--ratings"], type=PATH, multiple=True, help="people's ratings of the runs' justifications"),
    click.Option(["--questions"], type=PATH, help="a test set of questions; its files as `karat qa` takes them"),
    click.Option(["--question-runs"], type=PATH, multiple=True, help="the runs that answer them"),
    click.Option(["--nugget-list"], type=PATH, help="what generated answers should say, as `karat nuggets` takes it"),
    click.Option(["--assignments"], type=PATH, multiple=True, help="which of these nuggets the answers hold"),
]
ALONE = ("ballots", "judged", "decomposed", "ratings", "questions", "nugget_list")
"""What is enough by itself."""
TOGETHER = (("decomposed", "decomposed_runs"), ("questions", "question_runs"), ("nugget_list", "assignments"))


def ask(given: dict[str, Any]) -> Report:
    """Read what there is, and make every section that it allows."""
    for one, other in TOGETHER:
        if bool(given[one]) != bool(given[other]):
            names = (f"--{name.replace('_', '-')}" for name in (one, other))
            raise UsageError(f"{' and '.join(names)} go together: give both")
    if not given["questions"] and (stray := [name for name in QuestionFiles.PATHS if given[name]]):
        raise UsageError(f"--{stray[0].replace('_', '-')} belongs to questions: give them too, --questions FILE")
    beside = any(given[name] for name in ALONE)
    runs = runs_of(given) if given["key"] or given["scores"] or not beside else None
    key, reading = runs.key if isinstance(runs, Responses) else None, pick(Reading, given)
    nouns: dict[str, Any] = {}
    for name in ("ballots", "judged"):
        if given[name]:
            nouns[name] = read_ballots(given[name], key, **pick(BallotReading, given))
    if given["decomposed"]:
        nouns["decomposed"] = read_decomposition(given["decomposed"], **reading)
        nouns["decomposed_runs"] = read_runs(list(given["decomposed_runs"]), nouns["decomposed"].pairs, **reading)
    if given["ratings"]:
        nouns["ratings"] = read_justifications(list(given["ratings"]), **pick(RatingReading, given))
    if given["questions"]:
        nouns |= _questions(given)
    if given["nugget_list"]:
        nouns["generated"] = read_matches(list(given["assignments"]), read_nuggets(given["nugget_list"]))
    scoring = parameters(QaParameters, pick(QaParameters, given))
    made = report(runs, **nouns, scoring=scoring, **pick(ReportParameters, given))
    for section in made.left_out if not given["quiet"] else ():
        tell(f"left out: {section.name}: {section.reason}")
    return made


def _questions(given: dict[str, Any]) -> dict[str, Any]:
    files = parameters(QuestionFiles, pick(QuestionFiles, given))
    found = read_question_set(given["questions"], list(given["question_runs"]), files)
    return {"questions": found.questions, "answers": found.answers, **found.nouns()}


class ReportCommand(StudyCommand):
    """A report is a page unless something else is asked for."""

    form = "html"

    def shown(self, given: dict[str, Any]) -> None:
        """Say where the page is."""
        if given["output"] and given["format"] == "html" and not given["quiet"]:
            tell(f"Written: {given['output']}. Open it in any browser.")


OPTIONS = options_of(
    ReportParameters,
    Reading,
    BallotReading,
    RatingReading,
    QuestionFiles,
    QaParameters,
    without=["interval"],
)
command = ReportCommand("report", [KEY_OR_NONE, RUNS_OR_NONE, *SCORES, *OPTIONS, *FILES], ask)
