"""`karat sensitivity`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from karat.cli.command import RUNS_OR_SCORES, command_of, file_option, pick, runs_or_scores_of
from karat.data.parameters import parameters
from karat.data.provenance import BallotReading, QuestionFiles, Reading
from karat.data.responses import Responses
from karat.errors import UsageError
from karat.formats.ballots import read_ballots
from karat.formats.nugget_table import read_matches, read_nuggets
from karat.formats.question_set import read_question_set
from karat.studies.check import kind_of
from karat.studies.qa.parameters import QaParameters, scoring_of

BALLOTS = file_option("ballots", "assessors' labels, from which alternative keys are made")


def nouns(given: dict[str, Any]) -> dict[str, Any]:
    """Runs or scores and, if given, ballots; or questions and their files; or assignments of nuggets."""
    files = parameters(QuestionFiles, pick(QuestionFiles, given))
    if files.nuggets is not None and given["key"] and _are_assignments(given["key"], files):
        if given["score"]:
            raise UsageError(f"--score {given['score']}: the score of nuggets that ranks runs is named by --measure")
        matches = read_matches([given["key"], *given["runs"]], read_nuggets(files.nuggets))
        return {"matches": matches, "scoring": scoring_of(given)}
    if given["key"] and kind_of(given["key"], files) == "questions":
        found = read_question_set(given["key"], given["runs"], files)
        scoring = scoring_of(given)
        return {"questions": found.questions, "answers": found.answers, **found.nouns(), "scoring": scoring}
    runs = runs_or_scores_of(given)
    key = runs.key if isinstance(runs, Responses) else None
    ballots = read_ballots(given["ballots"], key, **pick(BallotReading, given)) if given["ballots"] else None
    return {"runs": runs, "ballots": ballots}


def _are_assignments(path: str, files: QuestionFiles) -> bool:
    """Whether the arguments are assignments of the nuggets, and not questions with runs that lack --matches."""
    return not files.matches and (Path(path).is_dir() or kind_of(path, QuestionFiles()) != "questions")


HOW = BallotReading, Reading, QuestionFiles, QaParameters
LEFT_OUT = ["level", "order", "interval"]
command = command_of("sensitivity", nouns, RUNS_OR_SCORES, *HOW, files=[BALLOTS], without=LEFT_OUT)
